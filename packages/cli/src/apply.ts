import type { Call } from "./args.ts";
import { compareFile, noteOtherProblems, touchedBy } from "./comparison.ts";
import { requireConsent } from "./consent.ts";
import { type Differences, isEmpty } from "./differences.ts";
import { effectIn, effectLines, wordedLines } from "./effect.ts";
import { NOT_SERVED, UserError } from "./errors.ts";
import { differencesJson } from "./json_output.ts";
import type { TitleOf } from "./names.ts";
import { operationsOf } from "./operations.ts";
import { clearProgress, type OutputLine, note, print, progress } from "./output.ts";
import type { PlaceOf } from "./policy_places.ts";
import { locateProblems, problemsIfKnown, type ServedProblem } from "./problems.ts";
import {
  applyPlan,
  createdFrom,
  explainedIn,
  isOutdated,
  outdated,
  propose,
  proposalOf,
  type FileProposal,
  type Proposed,
  titlesOf,
  whyNoPlan,
  withdraw,
} from "./proposals.ts";
import { counted, differenceLines } from "./report.ts";
import { send, type FileSender } from "./send.ts";
import { type ServiceAccess, RequestError } from "./service.ts";
import type { ServiceObject } from "./service_objects.ts";
import { rejectFile } from "./source.ts";
import { requireTests } from "./test.ts";
import { type PreviewedEffect, unknownEffect } from "./warnings.ts";

/** Makes the service match a file. */
export async function apply(service: ServiceAccess, call: Call): Promise<number> {
  const check = call.has("skip-tests") ? undefined : requireTests;
  const compared = await compareFile(service, call, check);
  const { file, ids, differences, objects, problems, placeOf } = compared;
  const { units, missing } = operationsOf(differences);
  rejectFile(file, missing);
  const proposal = await proposalOf(service, compared, units);
  const { names, transactions } = proposal;
  const isDryRun = call.has("dry-run");
  const isJson = call.has("json");
  if (isJson && !isDryRun && !call.has("yes"))
    throw new UserError("--json cannot ask for confirmation: pass --yes or --dry-run too.");
  const say = (line: OutputLine): void => {
    if (!isJson) print(line);
  };
  /** Prints the result as JSON. */
  const result = (
    applied: boolean,
    told: Told = NOT_TOLD,
    served: Served | undefined = NOTHING_SERVED,
  ): void => {
    const found = served?.relevant.map(({ problem }) => problem) ?? null;
    const value = {
      applied,
      differences: differencesJson(differences),
      ...told,
      ids: Object.fromEntries(names),
      problems: found,
    };
    if (isJson) print(JSON.stringify(value));
  };
  differenceLines(differences, call.has("verbose")).forEach(say);
  if (isEmpty(differences)) {
    // They may have just been matched.
    if (!isDryRun) ids.save(service.url, names);
    result(false);
    const own = await locateProblems(service, problems ?? [], names);
    if (!isJson) noteOtherProblems(file.name, differences, own);
    return 0;
  }
  if (!isDryRun) ids.requireWritable(differences.creates.length);
  const sender = { ...proposal, ids, isDryRun, say, progress: showSending };
  if (isDryRun) {
    const isWhole = await send({ ...sender, isEnding: endingOnSignal() }, transactions);
    clearProgress();
    say(`The service would accept ${isWhole ? "this" : "the first transaction"}. Nothing was changed.`);
    result(false);
    return 0;
  }
  const titleIn = titlesOf(names, objects);
  const told = await applyConfirmed({ ...sender, call, titleIn, placeOf });
  clearProgress();
  forgetDeleted(names, differences, objects);
  ids.save(service.url, names);
  const served = await problemsAfter(service, names, touchedBy(differences, names), problems ?? []);
  result(true, told, served);
  if (!isJson) {
    showProblems(served);
    noteOtherProblems(file.name, differences, served?.others ?? []);
  }
  return served?.relevant.length === 0 ? 0 : NOT_SERVED;
}

/** An effect as `--json` prints it, and why it is null. */
interface Told {
  effect: PreviewedEffect | null;
  effect_omitted: string | null;
}

const NOT_TOLD: Told = { effect: null, effect_omitted: null };

/** What is applied, and how that is shown. */
interface Applying extends FileProposal, Omit<FileSender, "isEnding" | "say"> {
  call: Call;
  say: (line: OutputLine) => void;
  titleIn: TitleOf;
  placeOf: PlaceOf;
}

/**
 * Makes a plan, shows its effect, asks for confirmation, and applies exactly what was shown. Differences that cannot be one plan are
 * sent as transactions, if somebody confirms that their effect is not known. Adds the new ids to `names`.
 */
async function applyConfirmed(applying: Applying): Promise<Told> {
  const { call, service, transactions, say, titleIn, placeOf } = applying;
  const question = `Apply this to ${service.url}?`;
  const proposed = await proposedOf(applying);
  if ("why" in proposed) {
    const warnings = [unknownEffect(proposed.why)];
    for (const line of wordedLines(warnings)) say(line);
    say("");
    await requireConsent(call, warnings, question);
    await send({ ...applying, isEnding: endingOnSignal() }, transactions);
    return { effect: null, effect_omitted: proposed.why };
  }
  const effect = effectIn(proposed.plan);
  for (const line of effectLines(effect, titleIn, placeOf)) say(line);
  say("");
  try {
    await requireConsent(call, effect.warnings, question);
  } catch (error) {
    await withdraw(service, proposed);
    throw error;
  }
  // The response has the ids of new objects, so the command does not end before it.
  endingOnSignal();
  const results = await applyPlan(service, proposed).catch(async (error: unknown) => {
    if (error instanceof RequestError) await withdraw(service, proposed);
    throw isOutdated(error) && error.body.error_code === "ERR_PLAN_OUTDATED"
      ? outdated(error, titleIn, "Run the command again.")
      : await explainedIn(applying, error);
  });
  for (const [name, id] of createdFrom(applying, results)) applying.names.set(name, id);
  return { effect, effect_omitted: null };
}

/** A plan of what is applied, or why there is none. */
async function proposedOf(applying: Applying): Promise<Proposed | { why: string }> {
  const why = whyNoPlan(applying);
  if (why !== undefined) return { why };
  try {
    return await propose(applying);
  } catch (error) {
    if (error instanceof RequestError && error.body.status_code === 413)
      return { why: "the differences are too large for one plan." };
    throw error;
  }
}

const showSending = (done: number, all: number): void => progress(`Sending operations: ${done} of ${all}`);

/** Returns whether Ctrl-C was pressed, from now on. */
function endingOnSignal(): () => boolean {
  let isEnding = false;
  process.once("SIGINT", () => {
    isEnding = true;
    note(
      "Stopping after the service has answered the current request. Press Ctrl-C again to stop immediately.",
    );
  });
  return () => isEnding;
}

type Located = Awaited<ReturnType<typeof locateProblems>>;

/** The problems of the changed objects and new problems of other objects, and the others. */
interface Served {
  relevant: Located;
  others: Located;
}

const NOTHING_SERVED: Served = { relevant: [], others: [] };

/** Resolves to undefined if the problems cannot be listed. */
async function problemsAfter(
  service: ServiceAccess,
  names: ReadonlyMap<string, string>,
  touched: ReadonlySet<string | undefined>,
  before: readonly ServedProblem[],
): Promise<Served | undefined> {
  const after = await problemsIfKnown(service);
  if (!after) return undefined;
  const old = new Set(before.map(({ object, code }) => `${object} ${code}`));
  const all = await locateProblems(service, after, names);
  const isRelevant = ({ owner, problem: { object, code } }: Located[number]): boolean =>
    touched.has(owner) || !old.has(`${object} ${code}`);
  return { relevant: all.filter(isRelevant), others: all.filter((one) => !isRelevant(one)) };
}

/** Prints the result of {@link problemsAfter}. */
function showProblems(served: Served | undefined): void {
  if (!served) {
    print("Applied.");
    return;
  }
  const { relevant } = served;
  print(
    relevant.length === 0
      ? "Done."
      : `Applied, but ${counted(relevant.length, "problem")} must be fixed before everything is served as written:`,
  );
  for (const { lines } of relevant) lines.forEach(print);
}

/** Removes the names of objects that were deleted or did not exist. Only kinds that were read are considered. */
function forgetDeleted(
  names: Map<string, string>,
  differences: Differences,
  objects: readonly ServiceObject[],
): void {
  const deleted = new Set(differences.deletes.map(({ existing }) => existing.id));
  const present = new Set(objects.flatMap(({ id }) => (deleted.has(id) ? [] : [id])));
  const created = new Set(differences.creates.map(({ entry }) => entry.name));
  const read = new Set(objects.map(({ kind }) => kind.prefix));
  for (const [name, id] of names) {
    const isOfRead = [...read].some((prefix) => id.startsWith(prefix));
    if (isOfRead && !present.has(id) && !created.has(name)) names.delete(name);
  }
}
