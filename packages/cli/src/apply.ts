import type { Call } from "./args.ts";
import { batchesOf } from "./batches.ts";
import { compareFile, noteOtherProblems, touchedBy } from "./comparison.ts";
import { requireConsent } from "./consent.ts";
import { type Differences, isEmpty } from "./differences.ts";
import { effectLines } from "./effect.ts";
import { NOT_SERVED } from "./errors.ts";
import { titles } from "./names.ts";
import { type MissingSecret, operationsOf } from "./operations.ts";
import { clearProgress, note, print, progress } from "./output.ts";
import { applyPlan, propose, type Proposal } from "./plan.ts";
import { locateProblems, problemsIfKnown, type ServedProblem } from "./problems.ts";
import { counted, differenceLines, driftLines } from "./report.ts";
import { etagsOf, send } from "./send.ts";
import type { Service } from "./service.ts";
import { reread, type ServiceEntry, type ServiceObject, toServiceEntry } from "./service_objects.ts";
import { rejectFile } from "./source.ts";
import { requireTests } from "./test.ts";

/** Makes the service match a file. */
export async function apply(service: Service, call: Call): Promise<number> {
  const check = call.has("skip-tests") ? undefined : requireTests;
  const { file, ids, differences, objects, problems } = await compareFile(service, call, check);
  const missing: MissingSecret[] = [];
  const units = operationsOf(differences, process.env, missing);
  rejectFile(
    file,
    missing.map(({ path, variable }) => ({ path, msg: `The environment variable ${variable} is not set.` })),
  );
  const batches = batchesOf(units);
  const names = new Map(ids.of(service.url));
  const etags = await etagsOf(service, units, titles(names));
  for (const line of differenceLines(differences)) print(line);
  if (isEmpty(differences)) {
    const own = await locateProblems(service, problems ?? [], names);
    noteOtherProblems(file.name, own.filter(({ title }) => title !== undefined).length);
    return 0;
  }
  const isDryRun = call.has("dry-run");
  if (!isDryRun) ids.requireWritable(differences.creates.length);
  const finish = (): Promise<number> => {
    forgetDeleted(names, differences, objects);
    ids.save(service.url, names);
    return showProblems(service, file.name, names, touchedBy(differences, names), problems ?? []);
  };
  const isAsking = !isDryRun && !call.has("yes");
  if (isAsking && process.stdin.isTTY && batches.transactions.length < 2) {
    await applyShown(service, call, { file, names, etags, batches });
    return finish();
  }
  if (isAsking) await requireConsent(call, `Apply this to ${service.url}?`);
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
      drift: async (existing) => driftOf(service, existing, names),
    },
    batches,
  );
  clearProgress();
  if (isDryRun) {
    print(`The service would accept ${isWhole ? "this" : "the first transaction"}. Nothing was changed.`);
    return 0;
  }
  return finish();
}

/** Makes a plan, shows its effect, asks for confirmation, and applies exactly what was shown. Adds the new ids to `names`. */
async function applyShown(service: Service, call: Call, proposal: Proposal): Promise<void> {
  const proposed = await propose(service, proposal);
  for (const line of effectLines(proposed.plan, titles(proposal.names))) print(line);
  print("");
  try {
    await requireConsent(call, `Apply this to ${service.url}?`);
  } catch (error) {
    await service.api.DELETE("/plans/{id}", { params: { path: { id: proposed.plan.id } } });
    throw error;
  }
  for (const [name, id] of await applyPlan(service, proposed)) proposal.names.set(name, id);
}

/** Prints the problems of the changed objects, and new problems of other objects. @returns the exit status */
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
  const all = await locateProblems(service, after, names);
  const isRelevant = ({ owner, problem: { object, code } }: (typeof all)[number]): boolean =>
    touched.has(owner) || !old.has(`${object} ${code}`);
  const relevant = all.filter(isRelevant);
  print(
    relevant.length === 0
      ? "Done."
      : `Applied, but ${counted(relevant.length, "problem")} must be fixed before everything is served as written:`,
  );
  for (const { lines } of relevant) lines.forEach(print);
  noteOtherProblems(name, all.filter((one) => one.title !== undefined && !isRelevant(one)).length);
  return relevant.length === 0 ? 0 : NOT_SERVED;
}

/** Removes the names of objects that no longer exist. Only kinds that were read are considered. */
function forgetDeleted(
  names: Map<string, string>,
  differences: Differences,
  objects: readonly ServiceObject[],
): void {
  const present = new Set(objects.map(({ id }) => id));
  const created = new Set(differences.creates.map(({ entry }) => entry.name));
  const read = new Set(objects.map(({ kind }) => kind.prefix));
  for (const [name, id] of names) {
    const isOfRead = [...read].some((prefix) => id.startsWith(prefix));
    if (isOfRead && !present.has(id) && !created.has(name)) names.delete(name);
  }
}

/** Describes how an object has changed since it was read. */
async function driftOf(
  service: Service,
  existing: ServiceEntry,
  names: ReadonlyMap<string, string>,
): Promise<string[]> {
  const now = await reread(service, existing.object, true);
  if (!now) return ["Someone has deleted it since."];
  const byId = new Map([...names].map(([name, id]) => [id, name]));
  const after = toServiceEntry(now.object, existing.name, {
    nameOf: (id) => byId.get(id),
    variableOf: () => "",
    isDeleted: () => false,
    leftOut: () => {},
  });
  const lines = driftLines(existing, after);
  if (lines.length === 0) return ["Someone has changed it, and changed it back. Run the command again."];
  return [
    "Someone has changed it since it was read:",
    ...lines.map((line) => `  ${line}`),
    "Run the command again.",
  ];
}
