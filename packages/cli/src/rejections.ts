import { pathOf } from "./json.ts";
import { type TitleOf, titles, withNames } from "./names.ts";
import type { Entry } from "./objects.ts";
import type { Operation } from "./operations.ts";
import { Refusal } from "./refusal.ts";
import type { ServiceError } from "./service.ts";
import { type Problem, refuseFor, type SourceFile } from "./source.ts";
import type { Found } from "./world.ts";

/*
 * Errors of the service in terms of the file: with places in it, and names in addition to ids.
 */

/** What is needed to explain an error. */
export interface Explainer {
  file: SourceFile;
  /** Ids of the file's names, and of names that are no longer in the file. */
  names: ReadonlyMap<string, string>;
  /** Describes how an object differs now from what was read. */
  drift: (found: Found) => Promise<string[]>;
}

/** Names of objects, and of those that a transaction creates, as the service names them in errors. */
const titlesIn = ({ names }: Explainer, batch: readonly Operation[]): TitleOf => {
  const titleIn = titles(names);
  return (id) => titleIn(id) ?? batch[Number(/^\$o(\d+)$/.exec(id)?.[1] ?? NaN)]?.about.split(" ").at(-1);
};

/** An error of the service as a Refusal, with the places in the file that it is about, and names beside ids. */
export async function explained(
  explainer: Explainer,
  batch: readonly Operation[],
  error: ServiceError,
): Promise<Refusal> {
  const { file, drift } = explainer;
  const titleIn = titlesIn(explainer, batch);
  const { errors = [], details, status_code: status } = error.body;
  const problems = errors.flatMap(({ path, msg }): Problem[] => {
    const [, number, part, ...rest] = pathOf(path);
    const operation = batch[Number(number)];
    if (!operation) return [];
    return [
      { path: part === "body" ? [...operation.at, ...rest] : operation.at, msg: withNames(msg, titleIn) },
    ];
  });
  if (problems.length > 0) return rejection(file, problems);
  const operation = details["operation"] === undefined ? undefined : batch[Number(details["operation"])];
  if (!operation) return error;
  const place = operation.at.length > 0 ? `${file.placeOf(operation.at, true)}: ` : "";
  const reason = withNames(error.message.replace(/^Operation \d+: /, ""), titleIn);
  const refusal = `${place}Cannot ${operation.about}: ${reason}`;
  if (status !== 412 || !operation.owner) return new Refusal(refusal);
  return new Refusal([refusal, ...(await drift(operation.owner))]);
}

/** The service's errors at their places in the file. */
function rejection(file: SourceFile, problems: Problem[]): Refusal {
  try {
    refuseFor(file, problems);
  } catch (refusal) {
    if (refusal instanceof Refusal) return new Refusal(["The service rejected the file.", ...refusal.lines]);
  }
  return new Refusal("The service rejected the file.");
}

export async function explainedRules(
  { file, names, drift }: Explainer,
  entry: Entry,
  found: Found | undefined,
  error: ServiceError,
): Promise<Refusal> {
  const titleIn = titles(names);
  const problems = (error.body.errors ?? []).flatMap(({ path, msg }): Problem[] => {
    const [list, index, ...rest] = pathOf(path);
    const rule = entry.children[Number(index)];
    return list === "rules" && rule ? [{ path: [...rule.path, ...rest], msg: withNames(msg, titleIn) }] : [];
  });
  if (problems.length > 0) return rejection(file, problems);
  const place = file.placeOf(entry.path, true);
  const refusal = `${place}: Cannot replace the rules of ${entry.name}: ${withNames(error.message, titleIn)}`;
  if (error.body.status_code !== 412 || !found) return new Refusal(refusal);
  return new Refusal([refusal, ...(await drift(found))]);
}
