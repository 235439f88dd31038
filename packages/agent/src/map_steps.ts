import { differingKeys } from "../../model/src/traffic/derived.ts";
import { type MapLine, linesOf, placeOf } from "./map_files.ts";
import {
  type Arrangement,
  areSameFixed,
  areSetsCalledSame,
  differingPlaces,
  valueOf,
} from "./render/arrangement.ts";
import { CHALLENGES, type Layout, NETS, type RuleKeys, type Table } from "./render/layout.ts";

/*
 * The steps in which the maps in HAProxy's memory change while connections arrive: `arrangement.ts` says why nobody meets half a
 * change.
 */

export interface MapSteps {
  /** In this order: what no line leads to yet, denials first. */
  added: MapLine[];
  /** Other values of lines, and names that are served from now on. */
  set: (MapLine & { isNew?: true })[];
  /** Names that are no longer served, and rules; allowances first. */
  deleted: MapLine[];
  /** What no line leads to any more. A request can still be on its way through it. */
  unreferenced: MapLine[];
}

/** What a command of the runtime API can contain: `;` would end it, and `\` and `<<` have a meaning. */
const WORD = /^[\w.:/~|%@=&+,!*()-]+$/;

/** More lines take longer than a reload. */
const MOST_LINES = 30_000;

/** The steps from one arrangement to the next; undefined if it takes a reload. Both have the same maps. */
export function stepsBetween(before: Arrangement, after: Arrangement): MapSteps | undefined {
  if (hasMovedListener(before.layout, after.layout)) return undefined;
  const steps: MapSteps = { added: [], set: [], deleted: [], unreferenced: [] };
  stepsOfSets(before, after, steps);
  stepsOfTables(before, after, steps);
  stepsOfPlaces(before, after, steps);
  if (!areSameFixed(before.layout, after.layout)) {
    // The entry of the route and the one of its upstream are two lines.
    if (steps.added.length + steps.set.length + steps.deleted.length > 0) return undefined;
    for (const [key, entry] of after.layout.fixed) {
      const line = { map: "fixed", key, value: valueOf(entry, after.names.sets) };
      const old = before.layout.fixed.get(key);
      if (!old) return undefined;
      if (valueOf(old, before.names.sets) !== line.value) steps.set.push(line);
    }
  }
  stepsOfChallenges(before.layout.challenges, after.layout.challenges, steps);
  const lines = [...steps.added, ...steps.set, ...steps.deleted];
  if (lines.length > MOST_LINES || !lines.every(({ key, value }) => WORD.test(key) && WORD.test(value)))
    return undefined;
  return steps;
}

/** A name or an address that moves between internal listeners: for connections that are open, the other one is misdirected. */
const hasMovedListener = (before: Layout, after: Layout): boolean =>
  differingPlaces(before.places, after.places).some(
    ({ was, is }) => was && is && was.listener !== is.listener,
  );

function stepsOfSets(before: Arrangement, after: Arrangement, steps: MapSteps): void {
  const deleted: Record<keyof RuleKeys, MapLine[]> = { allow: [], deny: [] };
  for (const set of changedNames(before, after, "sets")) {
    const [old, next] = [before.layout.sets.get(set), after.layout.sets.get(set)];
    const [oldName, name] = [before.names.sets.get(set), after.names.sets.get(set)];
    for (const list of ["deny", "allow"] as const) {
      const line = (of: string | undefined) => (key: string) => ({
        map: NETS[list],
        key: `${of}/${key}`,
        value: "1",
      });
      if (oldName !== name) {
        for (const key of next?.[list] ?? []) steps.added.push(line(name)(key));
        for (const key of old?.[list] ?? []) steps.unreferenced.push(line(oldName)(key));
        continue;
      }
      const [known, wanted] = [new Set(old?.[list]), new Set(next?.[list])];
      for (const key of wanted) if (!known.has(key)) steps.added.push(line(name)(key));
      for (const key of known) if (!wanted.has(key)) deleted[list].push(line(name)(key));
    }
  }
  steps.deleted.push(...deleted.allow, ...deleted.deny);
}

/** The tables or sets that differ, or are called otherwise. */
const changedNames = (before: Arrangement, after: Arrangement, kind: "tables" | "sets"): Set<string> =>
  new Set([
    ...differingKeys<Table | RuleKeys>(before.layout[kind], after.layout[kind]),
    ...differingKeys(before.names[kind], after.names[kind]),
  ]);

/** The tables that differ, or are called otherwise, or name sets that are called otherwise. */
function changedTables(before: Arrangement, after: Arrangement): Set<string> {
  const changed = changedNames(before, after, "tables");
  const [old, sets] = [before.names.sets, after.names.sets];
  // A set that comes or goes is only named by tables that differ.
  if (differingKeys(old, sets).some((set) => old.has(set) && sets.has(set)))
    for (const [edge, table] of after.layout.tables)
      if (!areSetsCalledSame(table, old, sets)) changed.add(edge);
  return changed;
}

function stepsOfTables(before: Arrangement, after: Arrangement, steps: MapSteps): void {
  for (const edge of changedTables(before, after)) {
    const [old, next] = [before.layout.tables.get(edge), after.layout.tables.get(edge)];
    const [oldName = "", name = ""] = [before.names.tables.get(edge), after.names.tables.get(edge)];
    const [was, is] = [
      old ? linesOf(old, oldName, before.names.sets) : [],
      next ? linesOf(next, name, after.names.sets) : [],
    ];
    if (!old || !next || oldName !== name) {
      steps.added.push(...is);
      steps.unreferenced.push(...was);
      continue;
    }
    const known = new Map(Array.from(was, ({ map, key, value }) => [`${map} ${key}`, value]));
    for (const line of is) if (known.get(`${line.map} ${line.key}`) !== line.value) steps.set.push(line);
  }
}

function stepsOfPlaces(before: Arrangement, after: Arrangement, { set, deleted }: MapSteps): void {
  const [{ tables: oldNames }, { tables: names }] = [before.names, after.names];
  const differing = differingPlaces(before.layout.places, after.layout.places);
  for (const { map, key, was, is } of differing)
    if (is) set.push({ map, key, value: placeOf(is, names), ...(!was && { isNew: true }) });
    else if (was) deleted.push({ map, key, value: placeOf(was, oldNames) });
  const renamed = new Set(
    differingKeys(oldNames, names).filter((edge) => oldNames.has(edge) && names.has(edge)),
  );
  if (renamed.size === 0) return;
  const told = new Set(differing.map(({ map, key }) => `${map} ${key}`));
  for (const [map, lines] of after.layout.places)
    for (const [key, place] of lines)
      if (renamed.has(place.edge) && !told.has(`${map} ${key}`))
        set.push({ map, key, value: placeOf(place, names) });
}

/** Each request for a challenge looks up one line. */
function stepsOfChallenges(
  before: Layout["challenges"],
  after: Layout["challenges"],
  { set, deleted }: MapSteps,
): void {
  for (const key of differingKeys(before, after)) {
    const [was, is] = [before.get(key), after.get(key)];
    if (is !== undefined)
      set.push({ map: CHALLENGES, key, value: is, ...(was === undefined && { isNew: true }) });
    else if (was !== undefined) deleted.push({ map: CHALLENGES, key, value: was });
  }
}
