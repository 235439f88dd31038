import { isLastOfGroup } from "./base/groups.ts";
import { word } from "./base/quote.ts";
import { type Arrangement, areSetsCalledSame, type Names, textOf, valueOf } from "./render/arrangement.ts";
import type { Loaded } from "./render/contract.ts";
import {
  CHALLENGES,
  type MapEntry,
  NETS,
  type HostPlace,
  type RuleKeys,
  type Table,
} from "./render/layout.ts";

/*
 * The map files, with a key and its value on each line. A text is made again only if something in it has changed.
 */

/** A line of a map. */
export interface MapLine {
  /** The path of the map's file. */
  map: string;
  key: string;
  value: string;
}

/** The lines of a table. @param name of the table @param sets what sets of rules are called */
export function* linesOf(table: Table, name: string, sets: Names["sets"]): Iterable<MapLine> {
  for (const [key, entry] of table.lines) {
    const space = key.indexOf(" ");
    yield { map: key.slice(0, space), key: `${name}${key.slice(space + 1)}`, value: textOf(entry, sets) };
  }
}

/** The value of a line that leads to a table. */
export const placeOf = ({ edge, listener }: HostPlace, tables: Names["tables"]): string =>
  `${edge}~${listener}~${tables.get(edge) ?? ""}`;

/** The content of a map file: the same object as long as it is the same. */
export interface MapFile {
  text: string;
}

const EMPTY: MapFile = { text: "" };

/** The map files by path. */
export function mapFiles({ layout, names }: Arrangement): Map<string, MapFile> {
  const files = new Map(layout.paths.map((path) => [path, EMPTY]));
  const set = (path: string, file: MapFile): void => {
    if (files.has(path)) files.set(path, file);
  };
  for (const [map, lines] of layout.places) set(map, fileOfPlaces(lines, names).get(PLACES) ?? EMPTY);
  for (const [map, file] of filesOfTables(layout.tables, names)) set(map, file);
  if (layout.challenges.size > 0) set(CHALLENGES, fileOfChallenges(layout.challenges, CHALLENGES));
  if (layout.fixed.size > 0) set("fixed", fileOfFixed(layout.fixed, names.sets));
  for (const [map, file] of filesOfSets(layout.sets, names)) set(map, file);
  return files;
}

/** All files of a release, by path. */
export const allFiles = ({ files, arrangement }: Loaded): Map<string, string> =>
  new Map([...files, ...Array.from(mapFiles(arrangement), ([path, { text }]) => [path, text] as const)]);

const textOfLine = (key: string, value: string): string => `${word(key)} ${word(value)}\n`;

/** Remembers what was made of each object. */
function remembered<Of extends object, With, Made>(
  make: (of: Of, by: With) => Made,
): (of: Of, by: With) => Made {
  const known = new WeakMap<Of, { by: With; made: Made }>();
  return (of, by) => {
    const last = known.get(of);
    const made = last?.by === by ? last.made : make(of, by);
    known.set(of, { by, made });
    return made;
  };
}

/** Texts by map. */
type Texts = ReadonlyMap<string, string>;
/** Things by their keys. */
type Things<Thing> = ReadonlyMap<string, Thing>;

/** Some of many things, with their texts. */
interface Group<Thing> {
  keys: readonly string[];
  things: readonly Thing[];
  names: Names;
  texts: Texts;
}

/**
 * The map files of many things. Texts are made again only for groups of things in which one has changed.
 *
 * @param textsOf the texts of a thing
 * @param isSame whether a thing has the same texts with other names
 * @param ownerOf the id that ends a group, or does not
 */
function inGroups<Thing extends object>(
  textsOf: (key: string, thing: Thing, names: Names) => Texts,
  isSame: (key: string, thing: Thing, before: Names, now: Names) => boolean,
  ownerOf: (key: string, thing: Thing) => string = (key) => key,
): (things: Things<Thing>, names: Names) => ReadonlyMap<string, MapFile> {
  /** By the first thing. */
  const groups = new WeakMap<Thing, Group<Thing>>();
  const wholes = new WeakMap<Thing, { all: readonly Texts[]; files: ReadonlyMap<string, MapFile> }>();
  const textsOfGroup = (keys: string[], things: Thing[], names: Names): Texts => {
    const [first] = things;
    const last = first && groups.get(first);
    const keeps =
      last?.things.length === things.length &&
      things.every((thing, index) => thing === last.things[index] && keys[index] === last.keys[index]) &&
      (last.names === names ||
        things.every((thing, index) => isSame(keys[index] ?? "", thing, last.names, names)));
    const texts = keeps
      ? last.texts
      : joined(things.map((thing, index) => textsOf(keys[index] ?? "", thing, names)));
    if (first) groups.set(first, { keys, things, names, texts });
    return texts;
  };
  return remembered((things, names) => {
    const keys: string[] = [];
    const all: Thing[] = [];
    for (const [key, thing] of things) {
      keys.push(key);
      all.push(thing);
    }
    const texts: Texts[] = [];
    let begin = 0;
    for (const [index, thing] of all.entries()) {
      if (!isLastOfGroup(ownerOf(keys[index] ?? "", thing)) && index < keys.length - 1) continue;
      texts.push(textsOfGroup(keys.slice(begin, index + 1), all.slice(begin, index + 1), names));
      begin = index + 1;
    }
    const [first] = all;
    const last = first && wholes.get(first);
    const files = new Map<string, MapFile>();
    for (const [map, text] of joined(texts)) {
      const isOther = (one: Texts, index: number) => one.get(map) !== last?.all[index]?.get(map);
      const file = last?.all.length !== texts.length || texts.some(isOther) ? undefined : last.files.get(map);
      files.set(map, file ?? { text });
    }
    if (first) wholes.set(first, { all: texts, files });
    return files;
  });
}

/** Concatenated: the engine copies a text only once it is read. */
function joined(texts: readonly Texts[]): Texts {
  const all = new Map<string, string>();
  for (const each of texts) for (const [map, text] of each) all.set(map, (all.get(map) ?? "") + text);
  return all;
}

const fileOf = (lines: Iterable<readonly [key: string, value: string]>): MapFile => ({
  text: Array.from(lines, ([key, value]) => textOfLine(key, value)).join(""),
});

/** The name of the only text of places. */
const PLACES = "places";

const fileOfPlaces = inGroups(
  (key, place: HostPlace, { tables }): Texts => new Map([[PLACES, textOfLine(key, placeOf(place, tables))]]),
  (_key, { edge }, before, now) => before.tables.get(edge) === now.tables.get(edge),
  (_key, { edge }) => edge,
);

const fileOfChallenges = remembered((thumbprints: Things<string>, _: string) => fileOf(thumbprints));

const fileOfFixed = remembered((fixed: Things<MapEntry>, sets: Names["sets"]) =>
  fileOf(Array.from(fixed, ([key, entry]) => [key, valueOf(entry, sets)])),
);

const filesOfTables = inGroups(
  (edge, table: Table, { tables, sets }): Texts => {
    const texts = new Map<string, string>();
    for (const { map, key, value } of linesOf(table, tables.get(edge) ?? "", sets))
      texts.set(map, `${texts.get(map) ?? ""}${textOfLine(key, value)}`);
    return texts;
  },
  (edge, table, before, now) =>
    before.tables.get(edge) === now.tables.get(edge) && areSetsCalledSame(table, before.sets, now.sets),
);

/** The rules of a set. */
const textsOfSet = remembered((set: RuleKeys, name: string): Texts => {
  const text = (keys: readonly string[]) => keys.map((key) => `${name}/${key} 1\n`).join("");
  return new Map([
    [NETS.allow, text(set.allow)],
    [NETS.deny, text(set.deny)],
  ]);
});

const filesOfSets = inGroups(
  (name, set: RuleKeys, { sets }) => textsOfSet(set, sets.get(name) ?? ""),
  (name, _set, before, now) => before.sets.get(name) === now.sets.get(name),
);
