import type { Snapshot } from "../../../traffic/src/snapshot.ts";
import { type Arrangement, arranged } from "../arrangement.ts";
import { mapFiles } from "../map_files.ts";
import type { Loaded, NamedPolicies, Rendered, Settings } from "./contract.ts";
import { globalSection } from "./global.ts";
import { Maps } from "./maps.ts";
import { Output } from "./output.ts";
import { Policies } from "./policies.ts";
import { Restrictions, setsOf } from "./restriction.ts";
import { Routes } from "./routes.ts";
import { servedEdges } from "./scope.ts";
import { tcpEdges } from "./tcp.ts";
import { tlsPorts } from "./tls_ports.ts";
import { Upstreams } from "./upstreams.ts";

export type { RouteConversion, Listener, Loaded, Rendered, Settings } from "./contract.ts";

/**
 * Renders the files with which HAProxy (2.6 or later) serves a snapshot. The same arguments always give the same bytes. Whatever
 * cannot be served as written is left out and listed in `problems`. `maps.ts` explains the maps.
 *
 * @param before what HAProxy has now: what stays keeps its names
 */
export function render(snapshot: Snapshot, settings: Settings, before?: Arrangement): Rendered {
  const output = new Output(snapshot, settings);
  const maps = new Maps(output);
  const restrictions = new Restrictions(maps);
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
  const { named } = restrictions;
  const rendered = output.rendered(globalSection(output));
  const arrangement = arranged(maps.layout(setsOf(named, snapshot)), before);
  return { ...rendered, ...loaded(rendered.files, named, arrangement), keys: policies.keys, before };
}

/**
 * What `render` would return for a snapshot that differs only in the rules of policies, with the same settings.
 *
 * @param before what HAProxy has now
 */
export const renderRules = (
  rendered: Rendered,
  snapshot: Snapshot,
  before: Arrangement | undefined,
): Rendered => ({ ...rendered, ...withRules(rendered, snapshot, before), snapshot, before });

/**
 * The same with the rules of a snapshot.
 *
 * @param before what HAProxy has now: what stays keeps its names
 */
export function withRules(
  { files, named, arrangement }: Loaded,
  snapshot: Snapshot,
  before: Arrangement | undefined = arrangement,
): Loaded {
  const layout = { ...arrangement.layout, sets: setsOf(named, snapshot) };
  return loaded(files, named, arranged(layout, before));
}

const loaded = (
  files: ReadonlyMap<string, string>,
  named: NamedPolicies,
  arrangement: Arrangement,
): Loaded => ({ files: new Map([...files, ...mapFiles(arrangement)]), named, arrangement });
