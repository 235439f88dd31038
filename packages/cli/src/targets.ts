import { didYouMean } from "../../model/src/suggestion.ts";
import type { Differences } from "./differences.ts";
import { UserError } from "./errors.ts";
import type { Content } from "./objects.ts";

/**
 * Limits differences to some objects, by their names, and to the new objects that they refer to.
 *
 * @throws UserError for a name that is neither in the file nor that of an object to be deleted
 */
export function limitedTo(
  targets: readonly string[],
  { entries, references }: Pick<Content, "entries" | "references">,
  differences: Differences,
): Differences {
  const { creates, changes, deletes, kept, inUse } = differences;
  const names = new Set([
    ...entries.map(({ name }) => name),
    ...deletes.map(({ existing }) => existing.name),
    ...inUse.map(({ existing }) => existing.name),
  ]);
  for (const target of targets) {
    if (names.has(target)) continue;
    throw new UserError(
      `--target: there is no object with the name ${JSON.stringify(target)}.${didYouMean(target, [...names])}`,
    );
  }
  const created = new Map(creates.map(({ entry }) => [entry.name, entry]));
  const changed = new Map(changes.map(({ entry }) => [entry.name, entry]));
  const wanted = new Set<string>();
  const open = [...targets];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (wanted.has(name)) continue;
    wanted.add(name);
    const [section, key] = (created.get(name) ?? changed.get(name))?.path ?? [];
    for (const { text, path } of references)
      if (section !== undefined && path[0] === section && path[1] === key && created.has(text))
        open.push(text);
  }
  return {
    creates: creates.filter(({ entry }) => wanted.has(entry.name)),
    changes: changes.filter(({ entry }) => wanted.has(entry.name)),
    deletes: deletes.filter(({ existing }) => wanted.has(existing.name)),
    kept,
    extra: [],
    inUse: inUse.filter(({ existing }) => wanted.has(existing.name)),
  };
}
