import { type Entry, type Layout, type RuleSet, type Table, TABLE_MAPS } from "./render/layout.ts";

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
 */

/** Deletions take long in HAProxy 2.6: with more, a set gets a new name. */
const MOST_DELETIONS = 20;

export interface Arrangement {
  layout: Layout;
  /** The names of tables and sets. */
  names: ReadonlyMap<string, string>;
  /** The number in the newest name that was ever given. */
  last: number;
}

/** Nothing yet. @param last the number in the newest name that an earlier HAProxy may know */
export const nothing = (last = 0): Arrangement => ({
  layout: { places: new Map(), tables: new Map(), sets: new Map(), fixed: new Map(), paths: [] },
  names: new Map(),
  last,
});

/** The value of an entry. */
export const valueOf = ({ owner, restriction, target }: Entry, names: Arrangement["names"]): string =>
  `${owner}~${typeof restriction === "string" ? restriction : restriction.map((set) => names.get(set)).join("|")}~${target}`;

/** The value of a line of a table. One without an entry only says that its key exists. */
export const textOf = (entry: Entry | undefined, names: Arrangement["names"]): string =>
  entry ? valueOf(entry, names) : "1";

/** Names a layout. What stays as it was `before` keeps its name. */
export function arranged(layout: Layout, before = nothing()): Arrangement {
  const names = new Map<string, string>();
  let { last } = before;
  const isInPlace = areRulesInPlace(layout, before.layout);
  for (const [name, set] of layout.sets) {
    const old = before.layout.sets.get(name);
    const keeps = old !== undefined && (isInPlace || areSameRules(old, set));
    names.set(name, (keeps ? before.names.get(name) : undefined) ?? `${name}.${++last}`);
  }
  const [doorsBefore, doors] = [doorsIn(before.layout), doorsIn(layout)];
  for (const [edge, table] of layout.tables) {
    if (!table.isNamed) {
      names.set(edge, edge);
      continue;
    }
    const old = before.layout.tables.get(edge);
    const keeps =
      old !== undefined &&
      haveSameKeys(old, table) &&
      (doorsBefore.get(edge) === doors.get(edge) || areSameLines(old, before.names, table, names));
    names.set(edge, (keeps ? before.names.get(edge) : undefined) ?? `${edge}.${++last}`);
  }
  return { layout, names, last };
}

/** The lines that lead to each edge. */
function doorsIn({ places }: Layout): Map<string, string> {
  const doors = new Map<string, string>();
  for (const [map, lines] of places)
    for (const [key, { edge, listener }] of lines)
      doors.set(edge, `${doors.get(edge) ?? ""} ${map} ${key} ${listener}`);
  return doors;
}

const haveSameKeys = (a: Table, b: Table): boolean =>
  TABLE_MAPS.every((map) => {
    const [one, other] = [a.lines.get(map), b.lines.get(map)];
    return one?.size === other?.size && [...(one?.keys() ?? [])].every((key) => other?.has(key));
  });

const areSameLines = (
  a: Table,
  aNames: Arrangement["names"],
  b: Table,
  bNames: Arrangement["names"],
): boolean =>
  TABLE_MAPS.every((map) =>
    [...(a.lines.get(map) ?? [])].every(
      ([key, entry]) => textOf(entry, aNames) === textOf(b.lines.get(map)?.get(key), bNames),
    ),
  );

const areSameKeys = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((key, i) => key === b[i]));

const areSameRules = (a: RuleSet, b: RuleSet): boolean =>
  a === b || (areSameKeys(a.allow, b.allow) && areSameKeys(a.deny, b.deny));

/** Whether only rules change, and so few that a request meets at most one line that does. */
function areRulesInPlace(layout: Layout, before: Layout): boolean {
  const changed = new Set<string>();
  let deletions = 0;
  for (const [name, set] of layout.sets) {
    const old = before.sets.get(name);
    if (!old || areSameRules(old, set)) continue;
    if (!areSameKeys(old.allow, set.allow) && !areSameKeys(old.deny, set.deny)) return false;
    changed.add(name);
    for (const list of ["allow", "deny"] as const) {
      const kept = new Set(set[list]);
      deletions += old[list].filter((key) => !kept.has(key)).length;
    }
  }
  if (changed.size === 0 || deletions > MOST_DELETIONS || layout.sets.size !== before.sets.size) return false;
  if (!areSameBut(layout, before)) return false;
  return entriesIn(layout).every(
    ({ restriction }) =>
      typeof restriction === "string" || restriction.filter((set) => changed.has(set)).length <= 1,
  );
}

const entriesIn = ({ tables, fixed }: Layout): Entry[] => [
  ...[...tables.values()].flatMap(({ lines }) =>
    [...lines.values()].flatMap((each) => [...each.values()].flatMap((entry) => entry ?? [])),
  ),
  ...fixed.values(),
];

/** Whether two layouts differ only in rules. */
function areSameBut(a: Layout, b: Layout): boolean {
  if (a.tables === b.tables && a.places === b.places) return true;
  if (a.tables.size !== b.tables.size) return false;
  for (const [edge, table] of a.tables) {
    const other = b.tables.get(edge);
    if (!other || !haveSameKeys(table, other) || !haveSameEntries(table, other)) return false;
  }
  const [doors, others] = [doorsIn(a), doorsIn(b)];
  if (doors.size !== others.size || [...doors].some(([edge, text]) => others.get(edge) !== text))
    return false;
  return areSameFixed(a, b);
}

/** The texts of entries with the sets as they are called in layouts. */
const plain = (entry: Entry | undefined): string =>
  entry ? `${entry.owner} ${[entry.restriction].flat().join("|")} ${entry.target}` : "1";

const haveSameEntries = (a: Table, b: Table): boolean =>
  TABLE_MAPS.every((map) =>
    [...(a.lines.get(map) ?? [])].every(([key, entry]) => plain(entry) === plain(b.lines.get(map)?.get(key))),
  );

/** Whether the entries with fixed keys are the same. */
export const areSameFixed = ({ fixed: a }: Layout, { fixed: b }: Layout): boolean =>
  a.size === b.size && [...a].every(([key, entry]) => plain(entry) === plain(b.get(key)));
