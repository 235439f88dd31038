import { type Arrangement, type Names, setsIn, textOf, valueOf } from "./arrangement.ts";
import { word } from "./quote.ts";
import { NETS, type Place, type RuleSet, type Table, TABLE_MAPS } from "./render/layout.ts";

/*
 * The map files, with a key and its value on each line. A text is made again only if something in it has changed.
 */

/** A line of a map. */
export interface Line {
  /** The path of the map's file. */
  map: string;
  key: string;
  value: string;
}

/** The lines of a table. @param name of the table @param sets what sets of rules are called */
export function* linesOf(table: Table, name: string, sets: Names["sets"]): Iterable<Line> {
  for (const [key, entry] of table.lines) {
    const space = key.indexOf(" ");
    yield { map: key.slice(0, space), key: `${name}${key.slice(space + 1)}`, value: textOf(entry, sets) };
  }
}

/** The value of a line that leads to a table. */
export const placeOf = ({ edge, listener }: Place, tables: Names["tables"]): string =>
  `${edge}~${listener}~${tables.get(edge) ?? ""}`;

/** The contents of the map files by path. */
export function mapFiles({ layout, names }: Arrangement): Map<string, string> {
  const files = new Map(layout.paths.map((path) => [path, ""]));
  const add = (path: string, text: string): void => {
    const before = files.get(path);
    if (before !== undefined) files.set(path, before + text);
  };
  for (const [map, lines] of layout.places) add(map, textOfPlaces(lines, names.tables));
  for (const [map, text] of textsOfTables(layout.tables, names)) add(map, text);
  for (const [key, entry] of layout.fixed) add("fixed", textOfLine(key, valueOf(entry, names.sets)));
  for (const [map, text] of textsOfSets(layout.sets, names.sets)) add(map, text);
  return files;
}

const textOfLine = (key: string, value: string): string => `${word(key)} ${word(value)}\n`;

/**
 * Remembers what was made of each object.
 *
 * @param isSame whether it is the same with other arguments
 */
function remembered<Of extends object, With, Made>(
  make: (of: Of, by: With) => Made,
  isSame: (before: With, now: With, of: Of) => boolean = (before, now) => before === now,
): (of: Of, by: With) => Made {
  const known = new WeakMap<Of, { by: With; made: Made }>();
  return (of, by) => {
    const last = known.get(of);
    if (last && isSame(last.by, by, of)) return last.made;
    const made = make(of, by);
    known.set(of, { by, made });
    return made;
  };
}

const textOfPlaces = remembered((places: ReadonlyMap<string, Place>, tables: Names["tables"]): string =>
  Array.from(places, ([key, place]) => textOfLine(key, placeOf(place, tables))).join(""),
);

/** What a table and the sets in it are called. */
interface Called {
  name: string;
  sets: readonly string[];
}

/** The lines of a table by map. */
const textsOfTable = remembered(
  (table: Table, { name, sets }: Called): ReadonlyMap<string, string> => {
    const called = new Map(setsIn(table).map((set, index) => [set, sets[index] ?? ""]));
    const texts = new Map<string, string>();
    for (const { map, key, value } of linesOf(table, name, called))
      texts.set(map, `${texts.get(map) ?? ""}${textOfLine(key, value)}`);
    return texts;
  },
  (a, b) => a.name === b.name && a.sets.every((set, index) => set === b.sets[index]),
);

const textsOfTables = remembered(
  (tables: ReadonlyMap<string, Table>, { tables: names, sets }: Names): ReadonlyMap<string, string> => {
    const texts = new Map<string, string[]>(TABLE_MAPS.map((map) => [map, []]));
    for (const [edge, table] of tables) {
      const called = { name: names.get(edge) ?? "", sets: setsIn(table).map((set) => sets.get(set) ?? "") };
      for (const [map, text] of textsOfTable(table, called)) texts.get(map)?.push(text);
    }
    return joined(texts);
  },
);

/** The rules of a set by map. */
const textsOfSet = remembered((set: RuleSet, name: string): ReadonlyMap<string, string> => {
  const text = (keys: readonly string[]) => keys.map((key) => `${name}/${key} 1\n`).join("");
  return new Map([
    [NETS.allow, text(set.allow)],
    [NETS.deny, text(set.deny)],
  ]);
});

const textsOfSets = remembered(
  (sets: ReadonlyMap<string, RuleSet>, names: Names["sets"]): ReadonlyMap<string, string> => {
    const texts = new Map<string, string[]>(Object.values(NETS).map((map) => [map, []]));
    for (const [name, set] of sets)
      for (const [map, text] of textsOfSet(set, names.get(name) ?? "")) texts.get(map)?.push(text);
    return joined(texts);
  },
);

const joined = (texts: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, string> =>
  new Map([...texts].map(([map, all]) => [map, all.join("")]));
