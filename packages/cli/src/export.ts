import type { Call } from "./args.ts";
import { isFollowing, load } from "./comparison.ts";
import { kindsToRead } from "./differences.ts";
import { UserError } from "./errors.ts";
import { fileTextOf } from "./file_text.ts";
import { exists, requireWritable, writeAtomically } from "./files.ts";
import { Ids } from "./ids.ts";
import { kinds } from "./kinds.ts";
import type { Content } from "./objects.ts";
import { note, printText } from "./output.ts";
import { counted } from "./report.ts";
import type { ServiceAccess } from "./service.ts";
import { deletedPolicyTest, namesFor, readObjects, toServiceEntry } from "./service_objects.ts";

/*
 * Writes the configuration of the service to a file.
 */

/** Writes the configuration of the service to a file, or prints it. */
export async function exportTo(service: ServiceAccess, call: Call): Promise<number> {
  const [name] = call.operands;
  const follow = isFollowing(call);
  const previous = name !== undefined && exists(name) ? load(name, service, follow) : undefined;
  const ids = previous?.ids ?? (name === undefined ? undefined : new Ids(name, follow));
  if (previous) requireApplied(previous, service);
  if (name !== undefined) requireWritable(name, previous?.file.text ?? "", follow);
  // An existing file determines the kinds to export.
  const heldKinds = previous && previous.content.heldKinds.length > 0 ? previous.content.heldKinds : kinds;
  const objects = await readObjects(service, kindsToRead(heldKinds), (kind) => heldKinds.includes(kind));
  ids?.requireWritable(objects.length);
  const ordered = heldKinds.flatMap((kind) => objects.filter((object) => object.kind === kind));
  const known: ReadonlyMap<string, string> = ids?.of(service.url) ?? new Map();
  const names = namesFor(ordered, known);
  const isDeleted = deletedPolicyTest(objects, kindsToRead(heldKinds));
  const warnings = new Set<string>();
  const variableOf = variables(previous?.content);
  const entries = ordered.map((object) => {
    const name = names.get(object.id) ?? object.id;
    const entry = toServiceEntry(object, name, {
      nameOf: (id) => names.get(id),
      variableOf,
      isDeleted,
      leftOut: (name, id) =>
        warnings.add(`${name}: the reference to ${id} is left out, because this IP policy was deleted.`),
    });
    if (entry.own["description"] === name) delete entry.own["description"];
    for (const { key } of entry.surplus)
      warnings.add(`${name}: there are duplicates of the rule ${key}. Only the oldest is exported.`);
    return entry;
  });
  for (const warning of warnings) note(`Warning: ${warning}`);
  const text = fileTextOf(
    name ?? "edge.yaml",
    service.url,
    heldKinds,
    entries,
    previous && { file: previous.file, entries: previous.content.entries },
  );
  if (name === undefined) {
    printText(text ?? "");
    return 0;
  }
  if (text !== undefined) writeAtomically(name, text, follow);
  const others = [...known].filter(([, id]) => !heldKinds.some(({ prefix }) => id.startsWith(prefix)));
  ids?.save(service.url, new Map([...others, ...entries.map(({ name, id }) => [name, id] as const)]));
  note(
    text === undefined ? `${name} is up to date.` : `Wrote ${counted(entries.length, "object")} to ${name}.`,
  );
  return 0;
}

/** @throws UserError if a file has objects that were never applied, because an export would drop them */
function requireApplied({ file, content, ids }: ReturnType<typeof load>, { url }: ServiceAccess): void {
  const known = ids.of(url);
  const fresh = content.entries.filter(({ name }) => !known.has(name));
  const [first] = fresh;
  if (first)
    throw new UserError(
      `${file.placeOf(first.path, true)}: ${fresh.length === 1 ? "This object was" : `This object and ${fresh.length - 1} more were`} never applied to ${url}, and an export would drop ${fresh.length === 1 ? "it" : "them"}. Apply the file first, or export to another file.`,
    );
}

/** Names the variables of secrets: as in the previous file, otherwise after the object and the field. */
function variables(previous: Content | undefined) {
  const before = new Map<string, string>();
  const taken = new Set<string>();
  const slot = (name: string, child: string | undefined, place: string): string =>
    JSON.stringify([name, child ?? null, place]);
  const note = (
    name: string,
    child: string | undefined,
    secrets: ReadonlyMap<string, { variable: string }>,
  ) => {
    for (const [place, { variable }] of secrets) {
      before.set(slot(name, child, place), variable);
      taken.add(variable);
    }
  };
  for (const { name, secrets, children } of previous?.entries ?? []) {
    note(name, undefined, secrets);
    for (const child of children) note(name, child.key, child.secrets);
  }
  return (name: string, child: string | undefined, place: string): string => {
    const known = before.get(slot(name, child, place));
    if (known !== undefined) return known;
    const words = [name, child?.split(" ").at(-1) ?? "", place.split("/").at(-1) ?? ""];
    const stem = words
      .flatMap((word) => word.split(/[^A-Za-z0-9]+/))
      .filter((word) => word !== "")
      .join("_")
      .toUpperCase();
    let variable = stem;
    for (let number = 2; taken.has(variable); number += 1) variable = `${stem}_${number}`;
    taken.add(variable);
    return variable;
  };
}
