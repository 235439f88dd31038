import { type Arrangement, areSameFixed, textOf, valueOf } from "./arrangement.ts";
import { word } from "./quote.ts";
import { type Layout, NETS, type RuleSet, type Table, TABLE_MAPS } from "./render/layout.ts";

/*
 * The steps in which the maps in HAProxy's memory change while connections arrive: `arrangement.ts` says why nobody meets half a
 * change.
 */

/** A line of a map. */
export interface Line {
  /** The path of the map's file. */
  map: string;
  key: string;
  value: string;
}

export interface MapSteps {
  /** In this order: what no line leads to yet, denials first. */
  added: Line[];
  /** Other values of lines, and names that are served from now on. */
  set: (Line & { isNew?: true })[];
  /** Names that are no longer served, and rules; allowances first. */
  deleted: Line[];
  /** What no line leads to any more. A request can still be on its way through it. */
  unreferenced: Line[];
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
      const line = { map: "fixed", key, value: valueOf(entry, after.names) };
      const old = before.layout.fixed.get(key);
      if (!old) return undefined;
      if (valueOf(old, before.names) !== line.value) steps.set.push(line);
    }
  }
  const lines = [...steps.added, ...steps.set, ...steps.deleted];
  if (lines.length > MOST_LINES || !lines.every(({ key, value }) => WORD.test(key) && WORD.test(value)))
    return undefined;
  return steps;
}

/** A name or an address that moves between internal listeners: for connections that are open, the other one is misdirected. */
const hasMovedListener = (before: Layout, after: Layout): boolean =>
  [...after.places].some(([map, lines]) => {
    const old = before.places.get(map);
    return [...lines].some(([key, { listener }]) => {
      const known = old?.get(key);
      return known !== undefined && known.listener !== listener;
    });
  });

function stepsOfSets(before: Arrangement, after: Arrangement, steps: MapSteps): void {
  const deleted: Record<keyof RuleSet, Line[]> = { allow: [], deny: [] };
  for (const set of new Set([...before.layout.sets.keys(), ...after.layout.sets.keys()])) {
    const [old, next] = [before.layout.sets.get(set), after.layout.sets.get(set)];
    const [oldName, name] = [before.names.get(set), after.names.get(set)];
    if (old === next && oldName === name) continue;
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

function* linesOf(table: Table, name: string, names: Arrangement["names"]): Iterable<Line> {
  for (const map of TABLE_MAPS)
    for (const [key, entry] of table.lines.get(map) ?? [])
      yield { map, key: `${name}${key}`, value: textOf(entry, names) };
}

function stepsOfTables(before: Arrangement, after: Arrangement, steps: MapSteps): void {
  for (const edge of new Set([...before.layout.tables.keys(), ...after.layout.tables.keys()])) {
    const [old, next] = [before.layout.tables.get(edge), after.layout.tables.get(edge)];
    const [oldName = "", name = ""] = [before.names.get(edge), after.names.get(edge)];
    const [was, is] = [
      old ? linesOf(old, oldName, before.names) : [],
      next ? linesOf(next, name, after.names) : [],
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

/** The value of a line that leads to a table. */
const placeOf = (
  { edge, listener }: { edge: string; listener: string },
  names: Arrangement["names"],
): string => `${edge}~${listener}~${names.get(edge) ?? ""}`;

function stepsOfPlaces(before: Arrangement, after: Arrangement, { set, deleted }: MapSteps): void {
  for (const map of new Set([...before.layout.places.keys(), ...after.layout.places.keys()])) {
    const [old, next] = [before.layout.places.get(map), after.layout.places.get(map)];
    for (const [key, place] of next ?? []) {
      const value = placeOf(place, after.names);
      const known = old?.get(key);
      if (known && placeOf(known, before.names) === value) continue;
      set.push({ map, key, value, ...(!known && { isNew: true }) });
    }
    for (const [key, place] of old ?? [])
      if (!next?.has(key)) deleted.push({ map, key, value: placeOf(place, before.names) });
  }
}

/** The texts of sets, by what they are called. Of many sets, few change. */
const kept = new WeakMap<RuleSet, { name: string } & Record<keyof RuleSet, string>>();

function textOfSet(set: RuleSet, name: string): Record<keyof RuleSet, string> {
  const known = kept.get(set);
  if (known?.name === name) return known;
  const text = (list: keyof RuleSet) => set[list].map((key) => `${name}/${key} 1\n`).join("");
  const made = { name, allow: text("allow"), deny: text("deny") };
  kept.set(set, made);
  return made;
}

/** The contents of the map files by path, with a key and its value on each line. */
export function mapFiles({ layout, names }: Arrangement): Map<string, string> {
  const texts = new Map<string, string[]>(layout.paths.map((path) => [path, []]));
  const add = ({ map, key, value }: Line) => texts.get(map)?.push(`${word(key)} ${word(value)}\n`);
  for (const [map, lines] of layout.places)
    for (const [key, place] of lines) add({ map, key, value: placeOf(place, names) });
  for (const [edge, table] of layout.tables)
    for (const line of linesOf(table, names.get(edge) ?? "", names)) add(line);
  for (const [key, entry] of layout.fixed) add({ map: "fixed", key, value: valueOf(entry, names) });
  for (const [name, set] of layout.sets) {
    const text = textOfSet(set, names.get(name) ?? "");
    for (const list of ["allow", "deny"] as const) texts.get(NETS[list])?.push(text[list]);
  }
  return new Map([...texts].map(([path, lines]) => [path, lines.join("")]));
}
