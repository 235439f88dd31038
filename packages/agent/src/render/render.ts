import type { Snapshot } from "../../../traffic/src/snapshot.ts";
import type { Rendered, Settings } from "./contract.ts";
import { globalSection } from "./global.ts";
import { Maps } from "./maps.ts";
import { Output } from "./output.ts";
import { Policies } from "./policies.ts";
import { netMaps, Restrictions } from "./restriction.ts";
import { Routes } from "./routes.ts";
import { servedEdges } from "./scope.ts";
import { tcpEdges } from "./tcp.ts";
import { tlsPorts } from "./tls_ports.ts";
import { Upstreams } from "./upstreams.ts";

export type { RouteConversion, Listener, Rendered, Settings } from "./contract.ts";

/**
 * Renders the files with which HAProxy (2.6 or later) serves a snapshot. The same arguments always give the same bytes. Whatever
 * cannot be served as written is left out and listed in `problems`. `maps.ts` explains the files.
 */
export function render(snapshot: Snapshot, settings: Settings): Rendered {
  const output = new Output(snapshot, settings);
  const maps = new Maps(output);
  const restrictions = new Restrictions(output);
  const upstreams = new Upstreams(output);
  const pending: (() => void)[] = [];
  const later = (render: () => void): void => void pending.push(render);
  const policies = new Policies(output);
  const shared = { output, maps, restrictions, upstreams, policies, later };
  const routes = new Routes(shared);
  const edges = servedEdges(output, policies);

  tcpEdges(edges, shared);
  tlsPorts(edges, shared, routes);
  upstreams.finish();
  routes.finish();
  for (const render of pending) render();
  maps.finish();
  const named = restrictions.finish();

  return { ...output.rendered(globalSection(output)), named };
}

/** What `render` would return for a snapshot that differs only in the rules of policies, with the same settings. */
export function renderRules({ files, ...rendered }: Rendered, snapshot: Snapshot): Rendered {
  return { ...rendered, files: new Map([...files, ...netMaps(rendered.named, snapshot)]) };
}
