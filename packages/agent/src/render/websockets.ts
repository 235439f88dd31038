import { quote } from "../quote.ts";
import type { Output } from "./output.ts";
import { choiceLines, type Choice } from "./upstreams.ts";

/**
 * The server line of a route with `websocket_tcp_converter`. The converter process listens on one socket and connects to another,
 * where HAProxy chooses the upstream as for a TCP edge.
 */
export function websocketServer(routeId: string, choice: Choice, output: Output): string {
  const socket = output.socket(`ws_${routeId}`);
  const upstream = output.socket(`wsup_${routeId}`);
  output.conversions.push({ socket, route: routeId, upstream });
  output.section("frontend", `wsup_${routeId}`, [
    "no log",
    `bind ${quote(`unix@${upstream}`)}`,
    ...choiceLines(choice),
  ]);
  return `server converter ${quote(`unix@${socket}`)}`;
}
