import { argument, quote } from "../quote.ts";
import { bindLines } from "./listeners.ts";
import { entryOf } from "./maps.ts";
import { connectionLog } from "./output.ts";
import type { ServedEdge } from "./scope.ts";
import type { Shared } from "./shared.ts";
import { chosenSection } from "./upstreams.ts";

/** Renders all TCP edges: a frontend whose listeners have the names of their edges. */
export function tcpEdges(edges: readonly ServedEdge[], shared: Shared): void {
  const { output, maps, restrictions, upstreams } = shared;
  const binds = edges.flatMap(({ edge, policy, hostports }) => {
    if (edge.kind !== "tcp") return [];
    const target = upstreams.target("tcp", edge.backend.backend_id, policy);
    const entry = entryOf(edge.id, restrictions.of(edge.ip_restriction), target);
    maps.line(edge.id, "entries", "", entry, false);
    return bindLines(hostports, output).map((line) => `${line} name ${quote(edge.id)}`);
  });
  if (binds.length === 0) return;
  shared.later(() => {
    output.section("frontend", "tcp", [
      ...connectionLog("tcp"),
      ...binds,
      "tcp-request connection set-var(sess.edge) so_name",
      `tcp-request connection set-var(sess.entry) ${quote(`var(sess.edge),map_str(${argument(maps.path("entries"))})`)}`,
      ...restrictions.rules("tcp-request connection"),
      ...chosenSection("tcp-request content", upstreams.mostTiers),
      "default_backend closed",
    ]);
  });
}
