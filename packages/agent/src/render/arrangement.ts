import { derivedMap, differingKeys } from "../../../model/src/traffic/derived.ts";
import type { MapEntry, Layout, HostPlace, RuleKeys, Table } from "./layout.ts";

/*
 * The layout of the maps with names, so that each request is handled by a single version while the maps change.
 *
 * A request looks up several lines, and each lookup can find the maps before or after a change. So exactly one line decides: the
 * line of its host name (`names`), address or listener. This line names a table, and a line of the table names sets of rules. The
 * contents of a name do not change while lines lead to it. A change creates a table or a set with a new name, then sets the lines
 * that lead there, one by one. A second later, when no request is using the old lines any more, it deletes them.
 *
 * Two changes are made in place, because a request then meets at most one line that changes:
 *
 * - other entries of a table with the same keys, if no line that leads to the table changes,
 * - rules of sets, all of one list, if nothing else changes and no entry names two of the sets.
 *
 * Few of many tables and sets change at a time. Those that do not are the same objects as before, so they are not looked at again.
 */

/** Deletions take long in HAProxy 2.6: with more, a set gets a new name. */
const MOST_DELETIONS = 20;

/** What tables and sets of rules are called, by edge and by the name that entries have. */
export interface Names {
  tables: ReadonlyMap<string, string>;
  sets: ReadonlyMap<string, string>;
}

export interface Arrangement {
  layout: Layout;
  /** The same objects as before if nothing has another name. */
  names: Names;
  /** The number in the newest name that was ever given. */
  last: number;
}

/** Nothing yet. @param last the number in the newest name that an earlier HAProxy may know */
export const nothing = (last = 0): Arrangement => ({
  layout: {
    places: new Map(),
    tables: new Map(),
    sets: new Map(),
    fixed: new Map(),
    challenges: new Map(),
    paths: [],
  },
  names: { tables: new Map(), sets: new Map() },
  last,
});

/** The value of an entry. */
export const valueOf = ({ owner, restriction, target }: MapEntry, sets: Names["sets"]): string =>
  `${owner}~${typeof restriction === "string" ? restriction : restriction.map((set) => sets.get(set)).join("|")}~${target}`;

/** The value of a line of a table. One without an entry only says that its key exists. */
export const textOf = (entry: MapEntry | undefined, sets: Names["sets"]): string =>
  entry ? valueOf(entry, sets) : "1";

const setsOfTables = new WeakMap<Table, readonly string[]>();

/** The sets of rules that a table names. */
function setsIn(table: Table): readonly string[] {
  const known = setsOfTables.get(table);
  if (known) return known;
  const sets = new Set<string>();
  for (const entry of table.lines.values())
    if (entry && typeof entry.restriction !== "string") for (const set of entry.restriction) sets.add(set);
  const found = [...sets];
  setsOfTables.set(table, found);
  return found;
}

/** Whether the sets that a table names are called the same. */
export const areSetsCalledSame = (table: Table, a: Names["sets"], b: Names["sets"]): boolean =>
  a === b || setsIn(table).every((set) => a.get(set) === b.get(set));

/** Names a layout. What stays as it was `before` keeps its name. */
export function arranged(given: Layout, before = nothing()): Arrangement {
  const { layout: old, names } = before;
  const otherTables = differingKeys(old.tables, given.tables);
  const otherSets = differingKeys(old.sets, given.sets).filter((name) => {
    const [was, is] = [old.sets.get(name), given.sets.get(name)];
    return !was || !is || !areSameRules(was, is);
  });
  const layout = {
    ...given,
    tables: otherTables.length === 0 ? old.tables : given.tables,
    sets: otherSets.length === 0 ? old.sets : given.sets,
  };
  const moved = movedEdges(old.places, layout.places);
  const keepsRules = areRulesInPlace(layout, old, { otherTables, otherSets, moved });
  let { last } = before;
  const next = (owner: string): string => `${owner}.${++last}`;
  const sets = named(names.sets, otherSets, (name) => {
    if (!layout.sets.has(name)) return undefined;
    return (keepsRules && old.sets.has(name) ? names.sets.get(name) : undefined) ?? next(name);
  });
  const tables = named(names.tables, new Set([...otherTables, ...moved]), (edge) => {
    const [was, is] = [old.tables.get(edge), layout.tables.get(edge)];
    if (!is) return undefined;
    if (!is.isNamed) return edge;
    const keeps =
      was !== undefined &&
      haveSameKeys(was, is) &&
      (!moved.has(edge) || areSameLines(was, names.sets, is, sets));
    return (keeps ? names.tables.get(edge) : undefined) ?? next(edge);
  });
  const isSame = sets === names.sets && tables === names.tables;
  return { layout, names: isSame ? names : { tables, sets }, last };
}

/** Names what has changed. @param nameOf undefined for what is gone */
function named(
  before: ReadonlyMap<string, string>,
  changed: Iterable<string>,
  nameOf: (owner: string) => string | undefined,
): ReadonlyMap<string, string> {
  const others = new Map<string, string | undefined>();
  // In order, so that the numbers do not depend on the order in which something was rendered.
  for (const owner of [...changed].toSorted()) {
    const name = nameOf(owner);
    if (before.get(owner) !== name) others.set(owner, name);
  }
  return derivedMap(before, others);
}

/** The edges to which other lines lead than before. */
const movedEdges = (before: Layout["places"], after: Layout["places"]): Set<string> =>
  new Set(
    differingPlaces(before, after).flatMap(({ was, is }) => [was, is].flatMap((place) => place?.edge ?? [])),
  );

/** A line that leads to a table, before and after a change; undefined if there is none. */
interface PlaceChange {
  map: string;
  key: string;
  was: HostPlace | undefined;
  is: HostPlace | undefined;
}

/** The places that differ. */
export function differingPlaces(before: Layout["places"], after: Layout["places"]): PlaceChange[] {
  const none: ReadonlyMap<string, HostPlace> = new Map();
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((map) => {
    const [old = none, next = none] = [before.get(map), after.get(map)];
    return differingKeys(old, next)
      .map((key) => ({ map, key, was: old.get(key), is: next.get(key) }))
      .filter(({ was, is }) => !was || !is || was.edge !== is.edge || was.listener !== is.listener);
  });
}

const haveSameKeys = (a: Table, b: Table): boolean =>
  a === b || (a.lines.size === b.lines.size && [...a.lines.keys()].every((key) => b.lines.has(key)));

const areSameLines = (a: Table, aSets: Names["sets"], b: Table, bSets: Names["sets"]): boolean =>
  a === b
    ? areSetsCalledSame(a, aSets, bSets)
    : [...a.lines].every(([key, entry]) => textOf(entry, aSets) === textOf(b.lines.get(key), bSets));

const areSameKeys = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((key, i) => key === b[i]));

const areSameRules = (a: RuleKeys, b: RuleKeys): boolean =>
  a === b || (areSameKeys(a.allow, b.allow) && areSameKeys(a.deny, b.deny));

/** Whether only rules change, and so few that a request meets at most one line that does. */
function areRulesInPlace(
  layout: Layout,
  before: Layout,
  { otherTables, otherSets, moved }: Record<"otherTables" | "otherSets", string[]> & { moved: Set<string> },
): boolean {
  if (otherSets.length === 0 || moved.size > 0 || !areSameFixed(layout, before)) return false;
  let deletions = 0;
  for (const name of otherSets) {
    const [old, set] = [before.sets.get(name), layout.sets.get(name)];
    if (!old || !set) return false;
    if (!areSameKeys(old.allow, set.allow) && !areSameKeys(old.deny, set.deny)) return false;
    for (const list of ["allow", "deny"] as const) {
      const kept = new Set(set[list]);
      deletions += old[list].filter((key) => !kept.has(key)).length;
    }
  }
  if (deletions > MOST_DELETIONS) return false;
  const areTablesSame = otherTables.every((edge) => {
    const [old, table] = [before.tables.get(edge), layout.tables.get(edge)];
    return old && table && haveSameEntries(old, table);
  });
  if (!areTablesSame) return false;
  if (otherSets.length === 1) return true;
  const changed = new Set(otherSets);
  return entriesIn(layout).every(
    ({ restriction }) =>
      typeof restriction === "string" || restriction.filter((set) => changed.has(set)).length <= 1,
  );
}

const entriesIn = ({ tables, fixed }: Layout): MapEntry[] => [
  ...[...tables.values()].flatMap(({ lines }) => [...lines.values()].flatMap((entry) => entry ?? [])),
  ...fixed.values(),
];

/** The texts of entries with the sets as they are called in layouts. */
const plain = (entry: MapEntry | undefined): string =>
  entry ? `${entry.owner} ${[entry.restriction].flat().join("|")} ${entry.target}` : "1";

const haveSameEntries = (a: Table, b: Table): boolean =>
  haveSameKeys(a, b) && [...a.lines].every(([key, entry]) => plain(entry) === plain(b.lines.get(key)));

/** Whether the entries with fixed keys are the same. */
export const areSameFixed = ({ fixed: a }: Layout, { fixed: b }: Layout): boolean =>
  a === b || (a.size === b.size && [...a].every(([key, entry]) => plain(entry) === plain(b.get(key))));
