import type { Arrangement } from "./render/arrangement.ts";
import {
  CHALLENGES,
  ENDED,
  type MapEntry,
  keyOfLine,
  NETS,
  type HostPlace,
  type RuleKeys,
  type Table,
  TABLE_MAPS,
} from "./render/layout.ts";

/*
 * What the map files of a release say: `mapFiles` of `map_steps.ts`, in reverse.
 */

/** The part of a name before the number. */
const ownerOf = (name: string): string => name.slice(0, name.lastIndexOf("."));

/** The keys and values of a map file. */
const linesIn = (content: string): [string, string][] =>
  content.split("\n").flatMap((line): [string, string][] => {
    const space = line.indexOf(" ");
    return space < 0 ? [] : [[line.slice(0, space), line.slice(space + 1)]];
  });

/** Reads map files, by path. @param last the number in the newest name that was ever given */
export function arrangementOf(files: ReadonlyMap<string, string>, last: number): Arrangement {
  const names = { tables: new Map<string, string>(), sets: new Map<string, string>() };
  const sets = new Map<string, { allow: string[]; deny: string[] }>();
  const places = new Map<string, Map<string, HostPlace>>();
  const tables = new Map<string, Table & { lines: Map<string, MapEntry | undefined> }>();
  const paths: string[] = [];
  const nameSet = (name: string): string => {
    names.sets.set(ownerOf(name), name);
    if (!sets.has(ownerOf(name))) sets.set(ownerOf(name), { allow: [], deny: [] });
    return ownerOf(name);
  };
  const entryIn = (value: string): MapEntry => {
    const [owner = "", restriction = "", ...target] = value.split("~");
    const isNamed = restriction !== "open" && restriction !== "nobody";
    return {
      owner,
      restriction: isNamed ? restriction.split("|").map(nameSet) : restriction,
      target: target.join("~"),
    };
  };
  const tableOf = (edge: string, isNamed: boolean) => {
    const table = tables.get(edge) ?? { isNamed, lines: new Map<string, MapEntry | undefined>() };
    tables.set(edge, table);
    return table;
  };
  const fixed = new Map<string, MapEntry>();
  const challenges = new Map<string, string>();
  for (const [path, content] of files) {
    const map = TABLE_MAPS.find((each) => each === path);
    const list = NETS.allow === path ? "allow" : NETS.deny === path ? "deny" : undefined;
    const isPlaces = /^(names|addresses)\/\d+$|^listeners$/.test(path);
    const isOther = path === "fixed" || path === ENDED || path === CHALLENGES;
    if (map === undefined && list === undefined && !isPlaces && !isOther) continue;
    paths.push(path);
    for (const [key, value] of linesIn(content)) {
      const slash = key.indexOf("/");
      const [name, rest] = slash < 0 ? [key, ""] : [key.slice(0, slash), key.slice(slash)];
      if (map !== undefined) {
        const isNamed = name.includes(".");
        const edge = isNamed ? ownerOf(name) : name;
        names.tables.set(edge, name);
        tableOf(edge, isNamed).lines.set(keyOfLine(map, rest), value === "1" ? undefined : entryIn(value));
      } else if (list !== undefined) sets.get(nameSet(name))?.[list].push(rest.slice(1));
      else if (isPlaces) {
        const [edge = "", listener = ""] = value.split("~");
        places.set(path, (places.get(path) ?? new Map<string, HostPlace>()).set(key, { edge, listener }));
      } else if (path === "fixed") fixed.set(key, entryIn(value));
      else if (path === CHALLENGES) challenges.set(key, value);
    }
  }
  return {
    layout: {
      places,
      tables,
      sets: new Map<string, RuleKeys>(sets),
      fixed,
      challenges,
      paths: paths.toSorted(),
    },
    names,
    last,
  };
}
