import { UserError } from "./errors.ts";
import { pathOf } from "./json.ts";
import { nameInLabel, type TitleOf, titles, withNames } from "./names.ts";
import type { FileOperation } from "./operations.ts";
import { driftLines } from "./report.ts";
import type { RequestError, ServiceAccess } from "./service.ts";
import { reread, type ServiceEntry, toServiceEntry } from "./service_objects.ts";
import { type FileProblem, rejectFile, type SourceFile } from "./source.ts";

/*
 * Explains the service's errors in terms of the file: with places in the file, and names in addition to ids.
 */

/** The data needed to explain an error. */
export interface Explainer {
  service: ServiceAccess;
  file: SourceFile;
  /** Ids by name, including names that are no longer in the file. */
  names: ReadonlyMap<string, string>;
}

/** Titles of existing objects, and of objects that a transaction creates, which errors call `$name`. */
const titlesIn = ({ names }: Explainer, batch: readonly FileOperation[]): TitleOf => {
  const titleIn = titles(names);
  const creating = (id: string): FileOperation | undefined => {
    const name = nameInLabel(id.slice(1));
    return name === undefined
      ? batch[Number(/^\$o(\d+)$/.exec(id)?.[1] ?? NaN)]
      : batch.find(({ creates }) => creates === name);
  };
  return (id) => titleIn(id) ?? (id.startsWith("$") ? creating(id)?.about.split(" ").at(-1) : undefined);
};

/** Explains why the service rejected a transaction. */
export async function explainTransactionError(
  explainer: Explainer,
  batch: readonly FileOperation[],
  error: RequestError,
): Promise<UserError> {
  const { file } = explainer;
  const titleIn = titlesIn(explainer, batch);
  const { errors = [], details, status_code: status } = error.body;
  const problems = errors.flatMap(({ path, msg }): FileProblem[] => {
    const [, number, part, ...rest] = pathOf(path);
    const operation = batch[Number(number)];
    if (!operation) return [];
    const [, index, ...inRule] = rest;
    const rule = operation.rulePaths?.[Number(index)];
    const inBody = rule ? [...rule, ...inRule] : [...operation.at, ...rest];
    return [{ path: part === "body" ? inBody : operation.at, msg: withNames(msg, titleIn) }];
  });
  if (problems.length > 0) return rejectionAt(file, problems);
  const operation = details["operation"] === undefined ? undefined : batch[Number(details["operation"])];
  if (!operation) return error;
  const place = operation.at.length > 0 ? `${file.placeOf(operation.at, true)}: ` : "";
  const reason = withNames(error.message.replace(/^Operation \d+: /, ""), titleIn);
  const rejection = `${place}Cannot ${operation.about}: ${reason}`;
  if (status !== 412 || !operation.owner) return new UserError(rejection);
  return new UserError([rejection, ...(await driftOf(explainer, operation.owner))]);
}

/** An error that lists problems at their places in the file. */
function rejectionAt(file: SourceFile, problems: FileProblem[]): UserError {
  try {
    rejectFile(file, problems);
  } catch (rejection) {
    if (rejection instanceof UserError)
      return new UserError(["The service rejected the file.", ...rejection.lines]);
  }
  return new UserError("The service rejected the file.");
}

/** Describes how an object has changed since it was read. */
async function driftOf({ service, names }: Explainer, existing: ServiceEntry): Promise<string[]> {
  const now = await reread(service, existing.object, true);
  if (!now) return ["Someone has deleted it since."];
  const byId = new Map([...names].map(([name, id]) => [id, name]));
  const after = toServiceEntry(now.object, existing.name, { nameOf: (id) => byId.get(id) });
  const lines = driftLines(existing, after);
  if (lines.length === 0) return ["Someone has changed it, and changed it back. Run the command again."];
  return [
    "Someone has changed it since it was read:",
    ...lines.map((line) => `  ${line}`),
    "Run the command again.",
  ];
}
