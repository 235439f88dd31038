import type { Snapshot } from "../snapshot.ts";
import type { Rendered, Settings } from "./contract.ts";
import { globalSection } from "./global.ts";
import { Output } from "./output.ts";
import { Routes } from "./routes.ts";
import { servedEdges } from "./scope.ts";
import { tcpEdge } from "./tcp.ts";
import { tlsPorts } from "./tls_ports.ts";
import { Upstreams } from "./upstreams.ts";

export type { Converter, Listener, Rendered, Settings } from "./contract.ts";

/**
 * The files that make HAProxy (2.6 or later) serve a snapshot. Pure: the same arguments give the same bytes. What cannot be
 * served as written is left out, and told in `problems`.
 */
export function render(snapshot: Snapshot, settings: Settings): Rendered {
  const output = new Output(snapshot, settings);
  const upstreams = new Upstreams(output);
  const routes = new Routes(output, upstreams);
  const edges = servedEdges(output);

  for (const served of edges) tcpEdge(served, output, upstreams);
  tlsPorts(edges, output, upstreams, routes);
  routes.finish();

  return output.rendered(globalSection(output));
}
