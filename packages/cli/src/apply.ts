import type { Call } from "./args.ts";
import { batchesOf } from "./batches.ts";
import { compareFile, noteOthers, touchedBy } from "./comparison.ts";
import { type Differences, isEmpty } from "./differences.ts";
import { titles } from "./names.ts";
import { type MissingSecret, operationsOf } from "./operations.ts";
import { clearProgress, isConfirmed, note, print, progress } from "./output.ts";
import { located, problemsIfKnown, type ServedProblem } from "./problems.ts";
import { NOT_SERVED, Refusal } from "./refusal.ts";
import { counted, differenceLines, driftLines } from "./report.ts";
import { etagsOf, send } from "./send.ts";
import type { Service } from "./service.ts";
import { refuseFor } from "./source.ts";
import { type Found, foundOf, reread, type Shown } from "./world.ts";

/** Makes the service match a file. */
export async function apply(service: Service, call: Call): Promise<number> {
  const { file, ids, differences, shown, problems } = await compareFile(service, call);
  const missing: MissingSecret[] = [];
  const units = operationsOf(differences, process.env, missing);
  refuseFor(
    file,
    missing.map(({ path, variable }) => ({ path, msg: `The environment variable ${variable} is not set.` })),
  );
  const batches = batchesOf(units);
  const names = new Map(ids.of(service.url));
  const etags = await etagsOf(service, units, titles(names));
  for (const line of differenceLines(differences)) print(line);
  if (isEmpty(differences)) {
    const own = await located(service, problems ?? [], names);
    noteOthers(file.name, own.filter(({ title }) => title !== undefined).length);
    return 0;
  }
  const isDryRun = call.has("dry-run");
  if (!isDryRun) {
    ids.requireWritable(differences.creates.length);
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
  const touched = touchedBy(differences, names);
  forget(names, differences, shown);
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
function forget(names: Map<string, string>, differences: Differences, shown: readonly Shown[]): void {
  const present = new Set(shown.map(({ id }) => id));
  const created = new Set(differences.creates.map(({ entry }) => entry.name));
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
