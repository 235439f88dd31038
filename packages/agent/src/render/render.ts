import type { Snapshot } from "../../../traffic/src/snapshot.ts";
import { type Arrangement, arranged } from "../arrangement.ts";
import type { Loaded, Rendered, Settings } from "./contract.ts";
import { groupsOf } from "./edges.ts";
import { globalSection } from "./global.ts";
import { Known } from "./known.ts";
import { Maps } from "./maps.ts";
import { Collected, Output } from "./output.ts";
import { setsOf } from "./restriction.ts";
import { serverSections } from "./server_sections.ts";
import { tcpListeners } from "./tcp.ts";
import { tlsPorts } from "./tls_ports.ts";
import { websocket } from "./websockets.ts";

export type { RouteConversion, Listener, Loaded, Rendered, Settings } from "./contract.ts";

/**
 * Renders the files with which HAProxy (2.6 or later) serves a snapshot. The same arguments always give the same bytes. Whatever
 * cannot be served as written is left out and listed in `problems`. `maps.ts` explains the maps.
 *
 * @param before what HAProxy has now: what stays keeps its names
 * @param known what was rendered with the same settings: only what has changed since is rendered again
 */
export function render(
  snapshot: Snapshot,
  settings: Settings,
  before?: Arrangement,
  known = new Known(),
): Rendered {
  const collected = new Collected();
  const output = new Output(snapshot, settings, known);
  const maps = new Maps(output);
  const groups = groupsOf(snapshot, settings, known);
  const { tables, rules } = known.regroup(groups);
  for (const { parts } of groups) collected.add(parts);
  const mostSets = groups.reduce((most, group) => Math.max(most, group.mostSets), 0);
  const mostTiers = serverSections(collected.servers, output);
  const shared = { output, maps, mostSets, mostTiers };
  tcpListeners(groups, shared);
  tlsPorts(groups, shared);
  for (const each of collected.websockets) websocket(each, mostTiers, output, maps);
  collected.add(output.parts);

  const sets = setsOf(rules, snapshot, before?.layout.sets);
  const arrangement = arranged(maps.layout(tables, sets), before);
  const { files, problems } = collected;
  const sections = [globalSection(output, collected), ...collected.sections];
  const text = output.once(known.configurations, "haproxy.cfg", sections, () => `${sections.join("\n\n")}\n`);
  files.set("haproxy.cfg", text);
  const { listeners, conversions, keys } = collected;
  const result = { files, named: rules, arrangement, snapshot, before };
  return { ...result, listeners, conversions, keys, problems };
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
  const layout = { ...arrangement.layout, sets: setsOf(named, snapshot, before.layout.sets) };
  return { files, named, arrangement: arranged(layout, before) };
}
