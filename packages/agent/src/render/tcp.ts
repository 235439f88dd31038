import { bindLines } from "./listeners.ts";
import { connectionLog, type Output } from "./output.ts";
import { connectionRules } from "./restriction.ts";
import type { ServedEdge } from "./scope.ts";
import { choiceLines, type Upstreams } from "./upstreams.ts";

/** A TCP edge: a frontend on all its hostports. */
export function tcpEdge({ edge, hostports }: ServedEdge, output: Output, upstreams: Upstreams): void {
  if (edge.kind !== "tcp") return;
  output.section("frontend", edge.id, [
    ...connectionLog("tcplog"),
    ...bindLines(hostports, output),
    ...connectionRules(edge.ip_restriction, output),
    ...choiceLines(upstreams.tcp(edge.backend.backend_id)),
  ]);
}
