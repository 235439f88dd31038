import { logLines } from "../base/log_line.ts";
import { quote } from "../base/quote.ts";
import { bindLines } from "./listeners.ts";
import type { Shared } from "./maps.ts";
import type { Group } from "./parts.ts";
import { restrictionRules } from "./restriction.ts";
import { chosenSection } from "./server_sections.ts";

/** Renders the listeners of all TCP edges: a frontend with the names of the edges. */
export function tcpListeners(groups: readonly Group[], { output, maps, mostSets, mostTiers }: Shared): void {
  const binds = groups
    .flatMap(({ tcp }) => tcp)
    .flatMap(({ edge, hostports }) =>
      output
        .once(output.known.outer, hostports, [], (own) => bindLines(hostports, own))
        .map((line) => `${line} name ${quote(edge.id)}`),
    );
  if (binds.length === 0) return;
  output.section("frontend", "tcp", [
    // Rejected connections are counted by the name of the bind line.
    "option socket-stats",
    ...logLines("connection", output.settings.log),
    ...binds,
    "tcp-request connection set-var(sess.edge) so_name",
    `tcp-request connection set-var(sess.entry) ${quote(maps.lookup("var(sess.edge)", "entries"))}`,
    ...restrictionRules("tcp-request connection", mostSets, maps),
    ...chosenSection("tcp-request content", mostTiers),
    "default_backend closed",
  ]);
}
