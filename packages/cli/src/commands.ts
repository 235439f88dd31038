import { batchesOf, etagsOf, send } from "./apply.ts";
import type { Call } from "./args.ts";
import { exists, requireWritable, writeWhole } from "./files.ts";
import { Ids } from "./ids.ts";
import { textOf } from "./json.ts";
import { type Kind, kinds } from "./kinds.ts";
import { titles } from "./names.ts";
import { type Content, contentOf } from "./objects.ts";
import { type MissingSecret, operationsOf } from "./operations.ts";
import { clearProgress, isConfirmed, note, print, printText, progress } from "./output.ts";
import { isEmpty, kindsToRead, type Plan, planFor } from "./plan.ts";
import { located, problemsIfKnown, type ServedProblem } from "./problems.ts";
import { ANSWER_IS_NO, NOT_SERVED, Refusal } from "./refusal.ts";
import type { Service } from "./service.ts";
import { type Problem, readSource, refuseFor, type SourceFile } from "./source.ts";
import { counted, driftLines, planLines } from "./terminal.ts";
import { keepUsed } from "./uses.ts";
import {
  deletedPolicies,
  type Found,
  foundOf,
  hasEnded,
  namesFor,
  readObjects,
  reread,
  type Shown,
} from "./world.ts";
import { written } from "./written.ts";

/*
 * Commands that sync a file with the service: export, diff, apply.
 */

const reading = (what: string, count: number): void => progress(`Reading ${what}: ${count}`);

const isFollowing = (call: Call): boolean => call.has("follow-symlinks");

/** The file, its objects, and the ids of its names on a service. @throws Refusal with the errors in it */
function load(
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

/** Writes the configuration of the service to a file, or prints it. */
export async function exportTo(service: Service, call: Call): Promise<number> {
  const [name] = call.operands;
  const follow = isFollowing(call);
  const previous = name !== undefined && exists(name) ? load(name, service, follow) : undefined;
  const ids = previous?.ids ?? (name === undefined ? undefined : new Ids(name, follow));
  if (previous) requireApplied(previous, service);
  if (name !== undefined) requireWritable(name, previous?.file.text ?? "", follow);
  // An existing file determines the kinds to export.
  const held = previous && previous.content.held.length > 0 ? previous.content.held : kinds;
  const shown = await readObjects(service, kindsToRead(held), (kind) => held.includes(kind), reading);
  clearProgress();
  ids?.requireWritable(shown.length);
  const ordered = held.flatMap((kind) => shown.filter((object) => object.kind === kind));
  const known: ReadonlyMap<string, string> = ids?.of(service.url) ?? new Map();
  const names = namesFor(ordered, known);
  const isDeleted = deletedPolicies(shown, kindsToRead(held));
  const warnings = new Set<string>();
  const variableOf = variables(previous?.content);
  const entries = ordered.map((object) => {
    const name = names.get(object.id) ?? object.id;
    const found = foundOf(object, name, {
      nameOf: (id) => names.get(id),
      variableOf,
      isDeleted,
      leftOut: (name, id) =>
        warnings.add(`${name}: the reference to ${id} is left out, because this IP policy was deleted.`),
    });
    for (const { key } of found.surplus)
      warnings.add(`${name}: there are several rules ${key}. The oldest is exported.`);
    return found;
  });
  for (const warning of warnings) note(`Warning: ${warning}`);
  const text = written(
    name ?? "edge.yaml",
    held,
    entries,
    previous && { file: previous.file, entries: previous.content.entries },
  );
  if (name === undefined) {
    printText(text ?? "");
    return 0;
  }
  if (text !== undefined) writeWhole(name, text, follow);
  const others = [...known].filter(([, id]) => !held.some(({ prefix }) => id.startsWith(prefix)));
  ids?.save(service.url, new Map([...others, ...entries.map(({ name, id }) => [name, id] as const)]));
  note(
    text === undefined ? `${name} is up to date.` : `Wrote ${counted(entries.length, "object")} to ${name}.`,
  );
  return 0;
}

/** @throws Refusal if a file has objects that were never applied: an export would drop them */
function requireApplied({ file, content, ids }: ReturnType<typeof load>, { url }: Service): void {
  const known = ids.of(url);
  const fresh = content.entries.filter(({ name }) => !known.has(name));
  const [first] = fresh;
  if (first)
    throw new Refusal(
      `${file.placeOf(first.path, true)}: ${fresh.length === 1 ? "This object was" : `This object and ${fresh.length - 1} more were`} never applied to ${url}, and an export would drop ${fresh.length === 1 ? "it" : "them"}. Apply the file first, or export to another file.`,
    );
}

/** Names of variables for secrets: those of the previous file, otherwise a unique one made of the object's name and the field. */
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

interface Compared {
  file: SourceFile;
  ids: Ids;
  plan: Plan;
  shown: Shown[];
  /** Problems of the service at present; undefined if they are not known. */
  problems: ServedProblem[] | undefined;
}

async function compare(service: Service, call: Call): Promise<Compared> {
  const [name = ""] = call.operands;
  const { file, content, ids } = load(name, service, isFollowing(call));
  const known = ids.of(service.url);
  withoutEnded(content);
  const wanted = new Set(content.entries.map((entry) => known.get(entry.name)));
  const shown = await readObjects(service, kindsToRead(content.held), (_, id) => wanted.has(id), reading);
  clearProgress();
  const options = { prune: call.has("prune"), resendSecrets: call.has("resend-secrets") };
  const plan = await keepUsed(service, planFor(content, shown, known, options), known);
  if (!call.has("create-all")) requireIds(ids, service, plan, shown);
  const problems = await problemsIfKnown(service);
  return { file, ids, plan, shown, problems };
}

/** @throws Refusal if a plan creates objects that may exist already, because the ids file does not know the service */
function requireIds(ids: Ids, { url }: Service, { creates }: Plan, shown: readonly Shown[]): void {
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

/** Ids of the objects that a plan changes or has created. */
const touchedBy = ({ creates, changes }: Plan, names: ReadonlyMap<string, string>): Set<string | undefined> =>
  new Set([...creates.map(({ entry }) => names.get(entry.name)), ...changes.map(({ found }) => found.id)]);

/** Mentions problems of a file's objects that a plan does not touch. */
function noteOthers(name: string, count: number): void {
  if (count > 0)
    note(
      `Note: unchanged objects in this file have ${counted(count, "problem")}: \`edge problems ${name} --only-file\` lists ${count === 1 ? "it" : "them"}.`,
    );
}

/** Shows how the service differs from a file. */
export async function diff(service: Service, call: Call): Promise<number> {
  const { file, ids, plan, problems = [] } = await compare(service, call);
  for (const line of planLines(plan)) print(line);
  const names = ids.of(service.url);
  const all = await located(service, problems, names);
  const touched = touchedBy(plan, names);
  const shown = all.filter(({ owner }) => touched.has(owner));
  if (shown.length > 0) print("At present, these objects are not served as written:");
  for (const { lines } of shown) lines.forEach(print);
  noteOthers(file.name, all.filter(({ owner, title }) => title !== undefined && !touched.has(owner)).length);
  return isEmpty(plan) ? 0 : ANSWER_IS_NO;
}

/** Makes the service match a file. */
export async function apply(service: Service, call: Call): Promise<number> {
  const { file, ids, plan, shown, problems } = await compare(service, call);
  const missing: MissingSecret[] = [];
  const units = operationsOf(plan, process.env, missing);
  refuseFor(
    file,
    missing.map(({ path, variable }) => ({ path, msg: `The environment variable ${variable} is not set.` })),
  );
  const batches = batchesOf(units);
  const names = new Map(ids.of(service.url));
  const etags = await etagsOf(service, units, titles(names));
  for (const line of planLines(plan)) print(line);
  if (isEmpty(plan)) {
    const own = await located(service, problems ?? [], names);
    noteOthers(file.name, own.filter(({ title }) => title !== undefined).length);
    return 0;
  }
  const isDryRun = call.has("dry-run");
  if (!isDryRun) {
    ids.requireWritable(plan.creates.length);
    await requireConsent(call, service);
  }
  let isEnding = false;
  process.once("SIGINT", () => {
    isEnding = true;
    note(
      "Stopping after the service has answered the current request. Press Ctrl-C again to stop immediately.",
    );
  });
  const isWhole = await send(
    {
      service,
      file,
      ids,
      names,
      etags,
      isDryRun,
      say: print,
      progress: (what, done, all) => progress(`Sending ${what}: ${done} of ${all}`),
      isEnding: () => isEnding,
      drift: async (found) => driftOf(service, found, names),
    },
    batches,
  );
  clearProgress();
  if (isDryRun) {
    print(`The service would accept ${isWhole ? "this" : "the first transaction"}. Nothing was changed.`);
    return 0;
  }
  const touched = touchedBy(plan, names);
  forget(names, plan, shown);
  ids.save(service.url, names);
  return showProblems(service, file.name, names, touched, problems ?? []);
}

/** Ends an apply with the problems of what it changed, and with new problems of other objects. @returns the exit status */
async function showProblems(
  service: Service,
  name: string,
  names: ReadonlyMap<string, string>,
  touched: ReadonlySet<string | undefined>,
  before: readonly ServedProblem[],
): Promise<number> {
  const after = await problemsIfKnown(service);
  if (!after) {
    print("Applied.");
    return NOT_SERVED;
  }
  const old = new Set(before.map(({ object, code }) => `${object} ${code}`));
  const all = await located(service, after, names);
  const isShown = ({ owner, problem: { object, code } }: (typeof all)[number]): boolean =>
    touched.has(owner) || !old.has(`${object} ${code}`);
  const shown = all.filter(isShown);
  print(
    shown.length === 0
      ? "Done."
      : `Applied, but ${counted(shown.length, "problem")} must be fixed before everything is served as written:`,
  );
  for (const { lines } of shown) lines.forEach(print);
  noteOthers(name, all.filter((one) => one.title !== undefined && !isShown(one)).length);
  return shown.length === 0 ? 0 : NOT_SERVED;
}

/** @throws Refusal unless the user confirms, or --yes is given */
async function requireConsent(call: Call, { url }: Service): Promise<void> {
  if (call.has("yes")) return;
  if (!process.stdin.isTTY)
    throw new Refusal(
      "Nothing was changed. Not a terminal, so cannot ask for confirmation. Pass --yes to apply without asking.",
    );
  if (!(await isConfirmed(`Apply this to ${url}?`))) throw new Refusal("Nothing was changed.");
}

/** Removes names of objects that no longer exist, as far as objects were read. */
function forget(names: Map<string, string>, plan: Plan, shown: readonly Shown[]): void {
  const present = new Set(shown.map(({ id }) => id));
  const created = new Set(plan.creates.map(({ entry }) => entry.name));
  const read = new Set(shown.map(({ kind }) => kind.prefix));
  for (const [name, id] of names) {
    const isOfRead = [...read].some((prefix) => id.startsWith(prefix));
    if (isOfRead && !present.has(id) && !created.has(name)) names.delete(name);
  }
}

/** How an object differs now from what was read. */
async function driftOf(
  service: Service,
  found: Found,
  names: ReadonlyMap<string, string>,
): Promise<string[]> {
  const now = await reread(service, found.shown, true);
  if (!now) return ["Someone has deleted it since."];
  const byId = new Map([...names].map(([name, id]) => [id, name]));
  const after = foundOf(now.shown, found.name, {
    nameOf: (id) => byId.get(id),
    variableOf: () => "",
    isDeleted: () => false,
    leftOut: () => {},
  });
  const lines = driftLines(found, after);
  if (lines.length === 0) return ["Someone has changed it, and changed it back. Run the command again."];
  return [
    "Someone has changed it since it was read:",
    ...lines.map((line) => `  ${line}`),
    "Run the command again.",
  ];
}
