import type { Call } from "./args.ts";
import { compareObjects, type Differences, kindsToRead } from "./differences.ts";
import { UserError } from "./errors.ts";
import { Ids } from "./ids.ts";
import { keepUsedObjects } from "./in_use.ts";
import { textOf } from "./json.ts";
import type { FileKind } from "./kinds.ts";
import { matchesOf } from "./matching.ts";
import { titleOf } from "./names.ts";
import { type Content, contentOf, titleOfEntry } from "./objects.ts";
import { note } from "./output.ts";
import { type PlaceOf, policyPlaces } from "./policy_places.ts";
import { type LocatedProblem, problemsIfKnown, type ServedProblem } from "./problems.ts";
import { counted } from "./report.ts";
import type { ServiceAccess } from "./service.ts";
import { isExpired, readObjects, type ServiceObject } from "./service_objects.ts";
import { type FileProblem, readSource, rejectFile, type SourceFile } from "./source.ts";
import { limitedTo } from "./targets.ts";

/*
 * Compares a file with the service.
 */

export const isFollowing = (call: Call): boolean => call.has("follow-symlinks");

/** Reads a file, its objects and, with a service, its ids there. @throws UserError that lists the errors in the file */
export function load(
  name: string,
  service: Pick<ServiceAccess, "url"> | undefined,
  follow: boolean,
): { file: SourceFile; content: Content; ids: Ids } {
  const file = readSource(name, follow);
  const ids = new Ids(name, follow);
  const known = service ? ids.of(service.url) : new Map<string, string>();
  const names = new Map([...known].map(([own, id]) => [id, own]));
  const problems: FileProblem[] = [];
  const content = contentOf(file, (id) => names.get(id), problems);
  rejectFile(file, problems);
  rejectShared(ids, known, content);
  return { file, content, ids };
}

/** @throws UserError if two objects of the file have the same id: each would undo what the other says */
function rejectShared(ids: Ids, known: ReadonlyMap<string, string>, { entries }: Content): void {
  const owners = new Map<string, string>();
  for (const { name } of entries) {
    const id = known.get(name);
    if (id === undefined) continue;
    const other = owners.get(id);
    if (other !== undefined)
      throw new UserError(
        `${ids.name}: ${other} and ${name} have the same id, ${id}. Remove one of the two from ${ids.name}, to create it as an object of its own, or from the file.`,
      );
    owners.set(id, name);
  }
}

export interface FileComparison {
  file: SourceFile;
  ids: Ids;
  differences: Differences;
  objects: ServiceObject[];
  /** Problems before any change; undefined if the service could not list them. */
  problems: ServedProblem[] | undefined;
  placeOf: PlaceOf;
}

/** @param check runs before the service is asked for anything */
export async function compareFile(
  service: ServiceAccess,
  call: Call,
  check: (file: SourceFile, content: Content) => Promise<void> = async () => {},
): Promise<FileComparison> {
  const [name = ""] = call.operands;
  const { file, content, ids } = load(name, service, isFollowing(call));
  const isNew = ids.isNew(service.url);
  const isMatching = call.has("match") && isNew;
  if (content.heldKinds.length === 0 && !call.has("allow-empty"))
    throw new UserError(`${file.name} has no objects. If that is intended, pass --allow-empty.`);
  dropExpired(content);
  await check(file, content);
  const needed = new Set(content.entries.map((entry) => ids.of(service.url).get(entry.name)));
  const objects = await readObjects(
    service,
    kindsToRead(content.heldKinds),
    (_, id) => isMatching || needed.has(id),
  );
  if (isMatching) adoptMatches(ids, service, content, objects);
  const known = ids.of(service.url);
  const options = { prune: call.has("prune"), resendSecrets: call.has("resend-secrets") };
  const all = await keepUsedObjects(service, compareObjects(content, objects, known, options), known);
  const targets = call.texts("target");
  const differences = targets.length === 0 ? all : limitedTo(targets, content, all);
  if (isNew && !call.has("create-all")) requireIds(ids, service, differences, objects, call);
  const problems = await problemsIfKnown(service);
  return { file, ids, differences, objects, problems, placeOf: policyPlaces(file, content) };
}

/** Takes the ids of the objects that the file seems to mean, and says which. */
function adoptMatches(
  ids: Ids,
  { url }: ServiceAccess,
  { entries }: Content,
  objects: readonly ServiceObject[],
): void {
  const matches = matchesOf(entries, objects);
  if (matches.size > 0) ids.adopt(url, matches);
  note(
    matches.size === 0
      ? "No object of the service has the hostports or the description of one in the file."
      : `Matched ${counted(matches.size, "object")} by hostports or description:`,
  );
  for (const [name, id] of matches) note(`  ${titleOf(id, name)} = ${id}`);
}

/** The most objects without a match that are named. */
const MOST_NAMED = 10;

/**
 * Says that the file has no ids for the service, if objects to be created may already exist there.
 *
 * @throws UserError if they are to be created
 */
function requireIds(
  ids: Ids,
  { url }: ServiceAccess,
  differences: Differences,
  objects: readonly ServiceObject[],
  call: Call,
): void {
  const creates = differences.creates.filter(({ replaces }) => !replaces);
  const created = new Set<FileKind>(creates.map(({ entry }) => entry.kind));
  const known = new Set(ids.of(url).values());
  const existing = objects.filter(({ kind, id }) => created.has(kind) && !known.has(id)).length;
  if (existing === 0) return;
  const isDiff = call.command === "diff";
  if (call.has("match")) {
    const titles = creates.slice(0, MOST_NAMED).map(({ entry }) => titleOfEntry(entry));
    const more = creates.length > MOST_NAMED ? `, and ${creates.length - MOST_NAMED} more` : "";
    const why = `Not matched, because the service has none, or several, with the same hostports or description: ${titles.join(", ")}${more}. It has ${counted(existing, "other object")} of these kinds.`;
    if (isDiff) return note(`Note: ${why} To create what was not matched, apply asks for --create-all too.`);
    throw new UserError([why, "If what was not matched is new, pass --create-all too."]);
  }
  if (isDiff)
    return note(
      `Note: ${ids.missingReason(url)}, so every object in the file counts as new. The service already has ${counted(existing, "object")} of these kinds. An apply asks for --match or --create-all.`,
    );
  const others = ids.urls.filter((other) => other !== url);
  throw new UserError([
    `${ids.missingReason(url)}, and the service already has ${counted(existing, "object")} of the kinds in this file.`,
    "Every object in the file would be CREATED, even if it already exists there.",
    ...(others.length === 0 ? [] : [`The ids file is for ${others.join(", ")}. Is the URL right?`]),
    `If the objects exist, restore ${ids.name}, or run \`edge export\` with another file name to start from the service's configuration. With --match, objects with the same hostports or description are taken for the same. If they are new, pass --create-all.`,
  ]);
}

/** Removes expired rules, because the service would reject them. */
export function dropExpired(content: Content): void {
  for (const entry of content.entries)
    entry.children = entry.children.filter(({ key, own }) => {
      if (!isExpired(own)) return true;
      note(`Note: ${entry.name}: the rule ${key} expired at ${textOf(own["expires_at"])} and is left out.`);
      return false;
    });
}

/** The ids of the objects that an apply changes or has created. */
export const touchedBy = (
  { creates, changes }: Differences,
  names: ReadonlyMap<string, string>,
): Set<string | undefined> =>
  new Set([
    ...creates.map(({ entry }) => names.get(entry.name)),
    ...changes.map(({ existing }) => existing.id),
  ]);

/** Prints how many problems the unchanged objects in a file have. */
export function noteOtherProblems(name: string, { kept }: Differences, all: readonly LocatedProblem[]): void {
  const unchanged = new Set(kept.map(({ id }) => id));
  const count = all.filter(({ owner }) => unchanged.has(owner)).length;
  if (count > 0)
    note(
      `Note: unchanged objects in this file have ${counted(count, "problem")}: \`edge problems ${name} --only-file\` lists ${count === 1 ? "it" : "them"}.`,
    );
}
