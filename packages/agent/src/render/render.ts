import type { Snapshot } from "../../../traffic/src/snapshot.ts";
import { type Arrangement, arranged } from "../arrangement.ts";
import { mapFiles } from "../map_steps.ts";
import type { NamedPolicies, Rendered, Settings } from "./contract.ts";
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

export type { RouteConversion, Listener, Rendered, Settings } from "./contract.ts";

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
  return withMaps({ ...rendered, named }, arranged(maps.layout(setsOf(named, snapshot)), before));
}

/**
 * What `render` would return for a snapshot that differs only in the rules of policies, with the same settings.
 *
 * @param before what HAProxy has now
 */
export function renderRules(rendered: Rendered, snapshot: Snapshot, before: Arrangement): Rendered {
  const layout = { ...rendered.arrangement.layout, sets: setsOf(rendered.named, snapshot) };
  return withMaps(rendered, arranged(layout, before));
}

/** An arrangement with the rules of a snapshot, all names as they are: for an HAProxy that is not running. Undefined if a set is unknown. */
export function withRules(
  arrangement: Arrangement,
  named: NamedPolicies,
  snapshot: Snapshot,
): Arrangement | undefined {
  const { layout } = arrangement;
  const own = new Map<string, readonly string[]>();
  for (const name of layout.sets.keys()) {
    const ids = named.get(name);
    if (!ids) return undefined;
    own.set(name, ids);
  }
  return { ...arrangement, layout: { ...layout, sets: setsOf(own, snapshot) } };
}

const withMaps = (rendered: Omit<Rendered, "arrangement">, arrangement: Arrangement): Rendered => ({
  ...rendered,
  files: new Map([...rendered.files, ...mapFiles(arrangement)]),
  arrangement,
});
