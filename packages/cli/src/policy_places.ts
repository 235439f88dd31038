import type { Path } from "./json.ts";
import { routeTitle } from "./names.ts";
import type { Content } from "./objects.ts";
import type { SourceFile } from "./source.ts";

/** The place in a file of a line of a traffic policy: "edge.yaml:14:7". Undefined if the policy is not written in lines there. */
export type PlaceOf = (title: string, line: number, column: number) => string | undefined;

/** Finds lines of the traffic policies of a file, which are block literals of YAML. The titles are those of edges and routes. */
export function policyPlaces(file: SourceFile, { entries }: Content): PlaceOf {
  const paths = new Map<string, Path>();
  for (const { kind, name, path, children } of entries)
    for (const title of [name, `${kind.section}.${name}`]) {
      paths.set(title, [...path, "traffic_policy", "value"]);
      for (const child of children)
        paths.set(`${title} ${routeTitle(child.own)}`, [...child.path, "traffic_policy", "value"]);
    }
  const lines = file.text.split("\n");
  return (title, line, column) => {
    const path = paths.get(title);
    const [, at, first = "", from = ""] = /^(.*):(\d+):(\d+)$/.exec(path ? file.placeOf(path) : "") ?? [];
    const begin = lines[Number(first) - 1]?.slice(Number(from) - 1) ?? "";
    // Other strings have no lines of their own.
    if (!/^\|[+-]?\s*(?:#.*)?$/.test(begin)) return undefined;
    const indent = /^ */.exec(lines[Number(first)] ?? "")?.[0].length ?? 0;
    return `${at}:${Number(first) + line}:${indent + column}`;
  };
}
