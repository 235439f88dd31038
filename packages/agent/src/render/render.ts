import type { Snapshot } from "../../../model/src/traffic/snapshot.ts";
import { type Arrangement, arranged } from "./arrangement.ts";
import { Collected, severalIn } from "./collected.ts";
import type { Loaded, Rendered, Settings } from "./contract.ts";
import { groupsOf } from "./edges.ts";
import { globalSection } from "./global.ts";
import { Known } from "./known.ts";
import { Maps } from "./maps.ts";
import { Output } from "./output.ts";
import type { ConfigurationPart } from "./parts.ts";
import { plainHttp } from "./plain_http.ts";
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
  const output = new Output(snapshot, settings, known);
  const maps = new Maps(output);
  const groups = groupsOf(snapshot, settings, known);
  const { tables, rules, thumbprints, parts } = known.regroup(groups);
  const { servers, websockets } = output.once(known.several, "", [parts], () => severalIn(groups));
  const mostSets = groups.reduce((most, group) => Math.max(most, group.mostSets), 0);
  const mostTiers = output.once(known.mostTiers, "", [servers], (own) => serverSections(servers, own));
  const shared = { output, maps, mostSets, mostTiers };
  tcpListeners(groups, shared);
  tlsPorts(groups, shared);
  plainHttp(groups, thumbprints, shared);
  for (const each of websockets) websocket(each, mostTiers, output, maps);
  const whole = output.once(known.configurations, "", [parts, ...output.parts], () =>
    configuration([...parts.values(), ...output.parts], output),
  );

  const sets = setsOf(rules, snapshot, before?.layout.sets);
  const arrangement = arranged(maps.layout(tables, sets), before);
  return { ...whole, groups, named: rules, arrangement, snapshot, before };
}

/** The configuration of HAProxy and the files that it needs, from all parts. */
function configuration(parts: readonly ConfigurationPart[], output: Output) {
  const all = new Collected(parts);
  const text = `${[globalSection(output, all), ...all.sections].join("\n\n")}\n`;
  const { listeners, conversions, keys, problems } = all;
  return { files: new Map([...all.files, ["haproxy.cfg", text]]), listeners, conversions, keys, problems };
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
