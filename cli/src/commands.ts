import { existsSync } from "node:fs";
import { batchesOf, etagsOf, send } from "./apply.ts";
import type { Call } from "./args.ts";
import { Ids } from "./ids.ts";
import { textOf } from "./json.ts";
import { kinds } from "./kinds.ts";
import { type Content, contentOf } from "./objects.ts";
import { type MissingSecret, operationsOf } from "./operations.ts";
import { isEmpty, kindsToRead, type Plan, planFor } from "./plan.ts";
import { Refusal, type Service } from "./service.ts";
import { type Problem, readSource, refuseFor, type SourceFile, writeWhole } from "./source.ts";
import { clearProgress, driftLines, isConfirmed, note, planLines, print, progress } from "./terminal.ts";
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
 * What a file and the service have to do with each other: export, diff, apply.
 */

/** Exit statuses; 0 is success. */
export const FAILED = 1;
export const DIFFERENT = 2;

const counted = (what: string, count: number): void => progress(`Reading ${what}: ${count}`);

/** The file, its objects, and the ids of its names on a service. @throws Refusal for what is wrong with it */
function load(name: string, service: Service): { file: SourceFile; content: Content; ids: Ids } {
  const file = readSource(name);
  const ids = new Ids(name);
  const names = new Map([...ids.of(service.url)].map(([name, id]) => [id, name]));
  const problems: Problem[] = [];
  const content = contentOf(file, (id) => names.get(id), problems);
  refuseFor(file, problems);
  return { file, content, ids };
}

/** Writes what the service has to a file, or prints it. */
export async function exportTo(service: Service, { operands: [name] }: Call): Promise<number> {
  const previous = name !== undefined && existsSync(name) ? load(name, service) : undefined;
  const ids = name === undefined ? undefined : new Ids(name);
  if (previous) requireApplied(previous, service);
  // A file that is there says which kinds it is about.
  const held = previous && previous.content.held.length > 0 ? previous.content.held : kinds;
  const shown = await readObjects(service, kindsToRead(held), (kind) => held.includes(kind), counted);
  clearProgress();
  const ordered = held.flatMap((kind) => shown.filter((object) => object.kind === kind));
  const known = ids?.of(service.url) ?? new Map<string, string>();
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
        warnings.add(`${name}: the reference to ${id} is left out, a deleted IP policy.`),
    });
    for (const { key } of found.surplus)
      warnings.add(`${name}: the rule ${key} is there more than once; the oldest is exported.`);
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
    process.stdout.write(text ?? "");
    return 0;
  }
  if (text !== undefined) writeWhole(name, text);
  const others = [...known].filter(([, id]) => !held.some(({ prefix }) => id.startsWith(prefix)));
  ids?.save(service.url, new Map([...others, ...entries.map(({ name, id }) => [name, id] as const)]));
  note(
    text === undefined
      ? `${name} says what the service has already.`
      : `Wrote ${entries.length} objects to ${name}.`,
  );
  return 0;
}

/** @throws Refusal if a file has objects that the service never had: an export would take them out */
function requireApplied({ file, content, ids }: ReturnType<typeof load>, { url }: Service): void {
  const known = ids.of(url);
  const fresh = content.entries.filter(({ name }) => !known.has(name));
  const [first] = fresh;
  if (first)
    throw new Refusal(
      `${file.placeOf(first.path, true)}: ${fresh.length === 1 ? "This object was" : `This and ${fresh.length - 1} more objects were`} never applied to ${url}, and an export would take ${fresh.length === 1 ? "it" : "them"} out. Apply the file, or export to another.`,
    );
}

/**
 * Names of variables for secrets: those of the file as it was, otherwise one made of what the secret belongs to.
 * Two secrets never get the same one.
 */
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
}

async function compare(service: Service, call: Call): Promise<Compared> {
  const [name = ""] = call.operands;
  const { file, content, ids } = load(name, service);
  const known = ids.of(service.url);
  withoutEnded(content);
  const wanted = new Set(content.entries.map((entry) => known.get(entry.name)));
  const shown = await readObjects(service, kindsToRead(content.held), (_, id) => wanted.has(id), counted);
  clearProgress();
  if (
    ids.isNew(service.url) &&
    content.entries.length > 0 &&
    shown.some(({ kind }) => content.held.includes(kind))
  )
    note(
      `Note: ${name}.ids.json says nothing of ${service.url}, so that everything in the file is new to it.`,
    );
  const options = { prune: call.has("prune"), resendSecrets: call.has("resend-secrets") };
  return { file, ids, shown, plan: planFor(content, shown, known, options) };
}

/** Takes rules out that have ended: the service has deleted them, and would not take them again. */
function withoutEnded(content: Content): void {
  for (const entry of content.entries)
    entry.children = entry.children.filter(({ key, own }) => {
      if (!hasEnded(own)) return true;
      note(`Note: ${entry.name}: the rule ${key} has ended (${textOf(own["expires_at"])}) and is left out.`);
      return false;
    });
}

/** Shows how the service differs from a file. */
export async function diff(service: Service, call: Call): Promise<number> {
  const { plan } = await compare(service, call);
  for (const line of planLines(plan)) print(line);
  return isEmpty(plan) ? 0 : DIFFERENT;
}

/** Makes the service what a file says. */
export async function apply(service: Service, call: Call): Promise<number> {
  const { file, ids, plan, shown } = await compare(service, call);
  const missing: MissingSecret[] = [];
  const units = operationsOf(plan, process.env, missing);
  refuseFor(
    file,
    missing.map(({ path, variable }) => ({ path, msg: `The environment variable ${variable} is not set.` })),
  );
  const batches = batchesOf(units);
  const etags = await etagsOf(service, units);
  for (const line of planLines(plan)) print(line);
  const names = new Map(ids.of(service.url));
  if (isEmpty(plan)) return 0;
  const isDryRun = call.has("dry-run");
  if (!isDryRun) await requireConsent(call, service);
  let isEnding = false;
  process.once("SIGINT", () => {
    isEnding = true;
    note("Ending, once the service has answered what was sent. Ctrl-C again ends at once.");
  });
  const drift = async (found: Found): Promise<string> => driftOf(service, found, names);
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
      drift,
    },
    batches,
  );
  clearProgress();
  forget(names, plan, shown);
  if (!isDryRun) ids.save(service.url, names);
  print(isDryRun ? tried(isWhole) : "Done.");
  return 0;
}

const tried = (isWhole: boolean): string =>
  `The service would take ${isWhole ? "it" : "the first transaction"}. Nothing was changed.`;

/** @throws Refusal unless somebody says yes, or --yes does */
async function requireConsent(call: Call, { url }: Service): Promise<void> {
  if (call.has("yes")) return;
  if (!process.stdin.isTTY)
    throw new Refusal(
      "Nothing was changed: there is no terminal to ask at. Give --yes to apply without asking.",
    );
  if (!(await isConfirmed(`Apply this to ${url}?`))) throw new Refusal("Nothing was changed.");
}

/** Takes out names of which the objects do not exist any more, as far as these were read. */
function forget(names: Map<string, string>, plan: Plan, shown: readonly Shown[]): void {
  const present = new Set(shown.map(({ id }) => id));
  const created = new Set(plan.creates.map(({ entry }) => entry.name));
  const read = new Set(shown.map(({ kind }) => kind.prefix));
  for (const [name, id] of names) {
    const isOfRead = [...read].some((prefix) => id.startsWith(prefix));
    if (isOfRead && !present.has(id) && !created.has(name)) names.delete(name);
  }
}

/** What differs now from what was read. */
async function driftOf(service: Service, found: Found, names: ReadonlyMap<string, string>): Promise<string> {
  const now = await reread(service, found.shown, true);
  if (!now) return "It has been deleted meanwhile.";
  const byId = new Map([...names].map(([name, id]) => [id, name]));
  const after = foundOf(now.shown, found.name, {
    nameOf: (id) => byId.get(id),
    variableOf: () => "",
    isDeleted: () => false,
    leftOut: () => {},
  });
  const lines = driftLines(found, after);
  if (lines.length === 0) return "It was changed and changed back meanwhile. Run the command again.";
  return ["It was changed meanwhile:", ...lines.map((line) => `  ${line}`), "Run the command again."].join(
    "\n",
  );
}
