import { basename } from "node:path";
import { argument, quote } from "../base/quote.ts";
import { entryOf, type Maps } from "./maps.ts";
import type { Output } from "./output.ts";
import type { Websocket } from "./parts.ts";
import { OPEN } from "./restriction.ts";
import { chosenSection } from "./server_sections.ts";

/** The section of a route with `websocket_tcp_converter`. */
export const websocketSection = (route: string): string => `ws_${route}`;

/**
 * Renders that section. The converter process listens on one socket and connects to another, where HAProxy chooses the upstream as
 * for a TCP edge.
 */
export function websocket(
  { route, target, modules }: Websocket,
  mostTiers: number,
  output: Output,
  maps: Maps,
): void {
  // Each release has sockets of its own, so an old worker's route never leads to another version's upstream.
  const release = basename(output.settings.directory);
  const socket = output.socket(`ws_${route}.${release}`);
  const upstream = output.socket(`wsup_${route}.${release}`);
  output.add({ is: "conversion", conversion: { socket, route, upstream } });
  // The route's own entry has its restriction.
  maps.fix(route, entryOf(route, OPEN, target));
  output.section("frontend", `wsup_${route}`, [
    "no log",
    `bind ${quote(`unix@${upstream}`)}`,
    `tcp-request content set-var(sess.entry) ${quote(maps.lookup(`str(${argument(route)})`, "fixed"))}`,
    ...chosenSection("tcp-request content", mostTiers),
    "default_backend closed",
  ]);
  output.section("backend", websocketSection(route), [
    "mode http",
    ...modules,
    `server converter ${quote(`unix@${socket}`)}`,
  ]);
}
