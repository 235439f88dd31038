import type { Call } from "./args.ts";
import { compareObjects, type Differences, kindsToRead } from "./differences.ts";
import { Ids } from "./ids.ts";
import { textOf } from "./json.ts";
import type { Kind } from "./kinds.ts";
import { type Content, contentOf } from "./objects.ts";
import { clearProgress, note, progress } from "./output.ts";
import { problemsIfKnown, type ServedProblem } from "./problems.ts";
import { Refusal } from "./refusal.ts";
import { counted } from "./report.ts";
import type { Service } from "./service.ts";
import { type Problem, readSource, refuseFor, type SourceFile } from "./source.ts";
import { keepUsed } from "./uses.ts";
import { hasEnded, readObjects, type Shown } from "./world.ts";

/*
 * Compares a file with the service.
 */

export const reading = (what: string, count: number): void => progress(`Reading ${what}: ${count}`);

export const isFollowing = (call: Call): boolean => call.has("follow-symlinks");

/** The file, its objects, and the ids of its names on a service. @throws Refusal with the errors in it */
export function load(
  name: string,
  service: Service,
  follow: boolean,
): { file: SourceFile; content: Content; ids: Ids } {
  const file = readSource(name, follow);
  const ids = new Ids(name, follow);
  const names = new Map([...ids.of(service.url)].map(([name, id]) => [id, name]));
  const problems: Problem[] = [];
  const content = contentOf(file, (id) => names.get(id), problems);
  refuseFor(file, problems);
  return { file, content, ids };
}

interface Compared {
  file: SourceFile;
  ids: Ids;
  differences: Differences;
  shown: Shown[];
  /** Problems of the service at present; undefined if they are not known. */
  problems: ServedProblem[] | undefined;
}

export async function compareFile(service: Service, call: Call): Promise<Compared> {
  const [name = ""] = call.operands;
  const { file, content, ids } = load(name, service, isFollowing(call));
  const known = ids.of(service.url);
  withoutEnded(content);
  const wanted = new Set(content.entries.map((entry) => known.get(entry.name)));
  const shown = await readObjects(service, kindsToRead(content.held), (_, id) => wanted.has(id), reading);
  clearProgress();
  const options = { prune: call.has("prune"), resendSecrets: call.has("resend-secrets") };
  const differences = await keepUsed(service, compareObjects(content, shown, known, options), known);
  if (!call.has("create-all")) requireIds(ids, service, differences, shown);
  const problems = await problemsIfKnown(service);
  return { file, ids, differences, shown, problems };
}

/** @throws Refusal if objects would be created that may exist already, because the ids file does not know the service */
function requireIds(ids: Ids, { url }: Service, { creates }: Differences, shown: readonly Shown[]): void {
  if (!ids.isNew(url)) return;
  const created = new Set<Kind>(creates.map(({ entry }) => entry.kind));
  const existing = shown.filter(({ kind }) => created.has(kind)).length;
  if (existing === 0) return;
  const others = ids.urls;
  throw new Refusal([
    `${ids.lack(url)}, and the service already has ${counted(existing, "object")} of the kinds in this file.`,
    "Every object in the file would be CREATED, even if it already exists there.",
    ...(others.length === 0 ? [] : [`The ids file is for ${others.join(", ")}. Is the URL right?`]),
    `If the objects exist, restore ${ids.name}, or run \`edge export\` with another file name to start from what the service has. If they are new, pass --create-all.`,
  ]);
}

/** Removes expired rules: the service has deleted them, and would reject them. */
function withoutEnded(content: Content): void {
  for (const entry of content.entries)
    entry.children = entry.children.filter(({ key, own }) => {
      if (!hasEnded(own)) return true;
      note(`Note: ${entry.name}: the rule ${key} expired at ${textOf(own["expires_at"])} and is left out.`);
      return false;
    });
}

/** Ids of the objects that an apply changes or has created. */
export const touchedBy = (
  { creates, changes }: Differences,
  names: ReadonlyMap<string, string>,
): Set<string | undefined> =>
  new Set([...creates.map(({ entry }) => names.get(entry.name)), ...changes.map(({ found }) => found.id)]);

/** Mentions problems of unchanged objects in the file. */
export function noteOthers(name: string, count: number): void {
  if (count > 0)
    note(
      `Note: unchanged objects in this file have ${counted(count, "problem")}: \`edge problems ${name} --only-file\` lists ${count === 1 ? "it" : "them"}.`,
    );
}
