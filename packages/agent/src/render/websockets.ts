import { argument, quote } from "../quote.ts";
import { entryOf, type Maps, type Target } from "./maps.ts";
import type { Output } from "./output.ts";
import { OPEN } from "./restriction.ts";
import { chosenSection } from "./upstreams.ts";

/**
 * The server line of a route with `websocket_tcp_converter`. The converter process listens on one socket and connects to another,
 * where HAProxy chooses the upstream as for a TCP edge.
 */
export function websocketServer(
  routeId: string,
  target: Target,
  mostTiers: number,
  output: Output,
  maps: Maps,
): string {
  const socket = output.socket(`ws_${routeId}`);
  const upstream = output.socket(`wsup_${routeId}`);
  output.conversions.push({ socket, route: routeId, upstream });
  // The route's own entry has its restriction.
  maps.fix(routeId, entryOf(routeId, OPEN, target));
  output.section("frontend", `wsup_${routeId}`, [
    "no log",
    `bind ${quote(`unix@${upstream}`)}`,
    `tcp-request content set-var(sess.entry) ${quote(`str(${argument(routeId)}),map_str(${argument(maps.path("fixed"))})`)}`,
    ...chosenSection("tcp-request content", mostTiers),
    "default_backend closed",
  ]);
  return `server converter ${quote(`unix@${socket}`)}`;
}
