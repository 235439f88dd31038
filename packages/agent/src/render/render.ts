import type { Snapshot } from "../../../traffic/src/snapshot.ts";
import type { Rendered, Settings } from "./contract.ts";
import { globalSection } from "./global.ts";
import { Output } from "./output.ts";
import { Routes } from "./routes.ts";
import { servedEdges } from "./scope.ts";
import { tcpEdge } from "./tcp.ts";
import { tlsPorts } from "./tls_ports.ts";
import { UNLIMITED, type ServerLimit, limitFor, Upstreams } from "./upstreams.ts";

export type { RouteConversion, Listener, Rendered, Settings } from "./contract.ts";

/**
 * Renders the files with which HAProxy (2.6 or later) serves a snapshot. The same arguments always give the same bytes. Whatever
 * cannot be served as written is left out and listed in `problems`.
 */
export function render(snapshot: Snapshot, settings: Settings): Rendered {
  const { rendered, limit } = attempt(snapshot, settings, UNLIMITED);
  return limit === UNLIMITED ? rendered : attempt(snapshot, settings, limit).rendered;
}

/** Renders with a limit on servers. Also returns the limit that the servers of this snapshot require. */
function attempt(
  snapshot: Snapshot,
  settings: Settings,
  within: ServerLimit,
): { rendered: Rendered; limit: ServerLimit } {
  const output = new Output(snapshot, settings);
  const upstreams = new Upstreams(output, within);
  const routes = new Routes(output, upstreams);
  const edges = servedEdges(output);

  for (const served of edges) tcpEdge(served, output, upstreams);
  tlsPorts(edges, output, upstreams, routes);
  routes.finish();

  return { rendered: output.rendered(globalSection(output)), limit: limitFor(upstreams.counts) };
}
