import type { Snapshot } from "../snapshot.ts";
import type { Rendered, Settings } from "./contract.ts";
import { globalSection } from "./global.ts";
import { Output } from "./output.ts";
import { Routes } from "./routes.ts";
import { servedEdges } from "./scope.ts";
import { tcpEdge } from "./tcp.ts";
import { tlsPorts } from "./tls_ports.ts";
import { mostServers, Upstreams } from "./upstreams.ts";

export type { Converter, Listener, Rendered, Settings } from "./contract.ts";

/**
 * The files that make HAProxy (2.6 or later) serve a snapshot. Pure: the same arguments give the same bytes. What cannot be
 * served as written is left out, and told in `problems`.
 */
export function render(snapshot: Snapshot, settings: Settings): Rendered {
  const { rendered, most } = attempt(snapshot, settings, Infinity);
  return most === Infinity ? rendered : attempt(snapshot, settings, most).rendered;
}

/** @param most servers for one edge or route */
function attempt(snapshot: Snapshot, settings: Settings, most: number): { rendered: Rendered; most: number } {
  const output = new Output(snapshot, settings);
  const upstreams = new Upstreams(output, most);
  const routes = new Routes(output, upstreams);
  const edges = servedEdges(output);

  for (const served of edges) tcpEdge(served, output, upstreams);
  tlsPorts(edges, output, upstreams, routes);
  routes.finish();

  return { rendered: output.rendered(globalSection(output)), most: mostServers(upstreams.counts) };
}
