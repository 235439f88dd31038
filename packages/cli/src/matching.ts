import { getField, textOf } from "./json.ts";
import type { FileKind } from "./kinds.ts";
import type { Entry } from "./objects.ts";
import type { ServiceObject } from "./service_objects.ts";

/**
 * Finds the objects of the service that a file without an ids file means: edges with the same hostports, and other objects with the
 * same description and address. Only what is unique in both is matched.
 *
 * @returns ids by name
 */
export function matchesOf(entries: readonly Entry[], objects: readonly ServiceObject[]): Map<string, string> {
  const there = uniqueBy(objects.map(({ kind, id, body }) => [identityOf(kind, body), id]));
  const matches = (bodyOf: (entry: Entry) => unknown): [string, string][] =>
    [...uniqueBy(entries.map((entry) => [identityOf(entry.kind, bodyOf(entry)), entry.name]))].flatMap(
      ([identity, name]) => {
        const id = there.get(identity);
        return id === undefined ? [] : [[name, id] as const];
      },
    );
  // An apply describes an object by its name if the file has no description.
  const byName = matches(({ name, own }) => ({ description: name, ...own }));
  const byContent = matches(({ own }) => own).filter(([, id]) => !byName.some(([, other]) => other === id));
  return new Map([...byContent, ...byName]);
}

/** Values by key; none for keys that occur more than once, or are undefined. */
function uniqueBy(pairs: readonly (readonly [string | undefined, string])[]): Map<string, string> {
  const found = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [key, value] of pairs) {
    if (key === undefined) continue;
    if (found.has(key)) repeated.add(key);
    found.set(key, value);
  }
  for (const key of repeated) found.delete(key);
  return found;
}

/** What identifies an object among those of its kind; undefined if nothing does. */
function identityOf({ section }: FileKind, body: unknown): string | undefined {
  if (section.endsWith("_edges")) {
    const hostports = getField(body, "hostports");
    const list = Array.isArray(hostports) ? hostports.map((one) => textOf(one).toLowerCase()) : [];
    return list.length === 0 ? undefined : JSON.stringify([section, list.toSorted()]);
  }
  const [description, address] = [textOf(getField(body, "description")), textOf(getField(body, "address"))];
  return description === "" && address === "" ? undefined : JSON.stringify([section, description, address]);
}
