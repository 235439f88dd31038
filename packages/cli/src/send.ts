import { randomUUID } from "node:crypto";
import type { components } from "edge-configuration-client";
import { halve, MAX_OPERATIONS, sizeOf } from "./batches.ts";
import { UserError } from "./errors.ts";
import type { Ids } from "./ids.ts";
import { getField } from "./json.ts";
import { type TitleOf, withNames } from "./names.ts";
import type { FileOperation, Unit } from "./operations.ts";
import { type Explainer, explainTransactionError } from "./rejections.ts";
import { bodyOf, eachOf, type ServiceAccess, RequestError } from "./service.ts";
import { isUnchanged, reread, type ServiceEntry, type ServiceObject } from "./service_objects.ts";

/*
 * Sends operations to the service.
 */

export type TransactionOperation = components["schemas"]["TransactionOperationRequest"];
type TransactionResult = components["schemas"]["Transaction"]["results"][number];

/** ETags by id; undefined if unknown, because the response that contained the ETag was lost. */
export type ETags = Map<string, string | undefined>;

/**
 * Reads the ETags of the objects that the operations change or delete.
 *
 * @throws UserError if one of them has changed since it was read
 */
export async function etagsOf(
  service: ServiceAccess,
  units: readonly Unit[],
  titleIn: TitleOf,
): Promise<ETags> {
  const touched = new Map<string, { object: ServiceObject; withRules: boolean }>();
  for (const { existing, rules } of units) {
    if (!existing) continue;
    const withRules = rules !== undefined || (touched.get(existing.id)?.withRules ?? false);
    touched.set(existing.id, { object: existing.object, withRules });
  }
  const etags: ETags = new Map();
  await eachOf([...touched.values()], async ({ object, withRules }) => {
    const now = await reread(service, object, withRules);
    if (!now || !isUnchanged(object, now.object))
      throw new UserError(
        `${withNames(object.id, titleIn)} has changed while it was being read. Run the command again.`,
      );
    etags.set(object.id, now.etag);
  });
  return etags;
}

export interface FileSender extends Explainer {
  service: ServiceAccess;
  ids: Ids;
  names: Map<string, string>;
  etags: ETags;
  isDryRun: boolean;
  say: (line: string) => void;
  progress: (done: number, all: number) => void;
  /** True if the user wants to stop. The current request is completed first, because its ids would be lost. */
  isEnding: () => boolean;
}

/**
 * Sends operations.
 *
 * @returns false if a dry run checked only a part of the operations
 * @throws UserError that names the rejected operation and its place in the file
 */
export async function send(sender: FileSender, transactions: readonly Unit[][]): Promise<boolean> {
  const { say, isDryRun } = sender;
  const operations = sizeOf(transactions.flat());
  if (transactions.length > 1)
    say(
      `${operations} operations are sent in ${transactions.length} transactions, because a transaction is limited to ${MAX_OPERATIONS} operations and 1 MB. Each transaction is all or nothing.`,
    );
  let done = 0;
  const queue = [...transactions];
  for (let units = queue.shift(); units; units = queue.shift()) {
    sender.progress(done, operations);
    const parts = await sendTransaction(sender, units).catch((error: unknown) => {
      throw done === 0 || !(error instanceof UserError)
        ? error
        : partialFailure(done, operations, error.lines);
    });
    if (parts) {
      say(
        `A transaction of ${sizeOf(units)} operations is too large for the service. It is sent in ${parts.length} parts.`,
      );
      queue.unshift(...parts);
      continue;
    }
    done += sizeOf(units);
    if (isDryRun && queue.length > 0) {
      say("Only the first transaction is checked: the others need the objects that it creates.");
      return false;
    }
    if (sender.isEnding() && queue.length > 0) throw partialFailure(done, operations, ["Interrupted."]);
  }
  sender.progress(done, operations);
  return true;
}

const partialFailure = (done: number, all: number, why: readonly string[]): UserError =>
  new UserError([
    ...why,
    `${done} of ${all} operations were applied and stay applied. Run the command again to apply the rest.`,
  ]);

/**
 * Orders the operations of a transaction. All rules of policies, and the rules and routes of new objects, come last, because nothing
 * refers to them: more operations fit into a transaction if similar ones are adjacent.
 */
export function inOrder(units: readonly Unit[]): FileOperation[] {
  const isLate = ({ existing }: Unit, { method, creates }: FileOperation): boolean =>
    method === "PUT" || (!existing && method === "POST" && creates === undefined);
  const chosen = (late: boolean): FileOperation[] =>
    units.flatMap((unit) => unit.operations.filter((operation) => isLate(unit, operation) === late));
  return [...chosen(false), ...chosen(true)];
}

/** Sends a transaction. @returns its parts if it is too large for the service */
async function sendTransaction(sender: FileSender, units: Unit[]): Promise<Unit[][] | undefined> {
  const { service, isDryRun } = sender;
  const batch = inOrder(units);
  const operations = toRequestOperations(sender, batch);
  try {
    const { results } = bodyOf(
      await service.api.POST("/transactions", {
        body: { operations, ...(isDryRun && { dry_run: true }) },
        params: { header: isDryRun ? {} : { "Idempotency-Key": randomUUID() } },
      }),
    );
    if (!isDryRun) recordResults(sender, batch, results);
    return undefined;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const parts = error.body.status_code === 413 ? halve(units) : undefined;
    if (parts) return parts;
    throw await explainTransactionError(sender, batch, error);
  }
}

/**
 * Converts operations to those of a request: `$name` refers to objects that the transaction creates, ids to others.
 *
 * @param labelOf the `name` of the operation at `index`, which creates the object `name` of the file
 */
export function toRequestOperations(
  { names, etags }: Pick<FileSender, "names" | "etags">,
  batch: readonly FileOperation[],
  labelOf: (name: string, index: number) => string = (_, index) => `o${index}`,
): TransactionOperation[] {
  const created = new Map<string, string>();
  const touched = new Set<string>();
  const idOf = (name: string): string => created.get(name) ?? names.get(name) ?? name;
  return batch.map(({ method, path, body, creates, owner, isGuarded }, index) => {
    const operation: TransactionOperation = { method, path: path(idOf) };
    if (body) operation.body = body(idOf);
    if (owner && isGuarded && !touched.has(owner.id)) operation.if_match = requireETag(etags, owner);
    if (owner) touched.add(owner.id);
    if (creates !== undefined) {
      operation.name = labelOf(creates, index);
      created.set(creates, `$${operation.name}`);
    }
    return operation;
  });
}

/** @throws UserError if the response that contained the ETag was lost */
function requireETag(etags: ETags, { id, kind, name }: ServiceEntry): string {
  const etag = etags.get(id);
  if (etag === undefined)
    throw new UserError(
      `The service has changed ${kind.section}.${name}, but its response was lost, so there is no way to tell whether someone else has changed it since.`,
    );
  return etag;
}

/** Records ids and ETags. The ids are saved immediately: without them, the next apply would create the objects again. */
function recordResults(
  sender: FileSender,
  batch: readonly FileOperation[],
  results: readonly TransactionResult[],
): void {
  const { names, etags, ids, service } = sender;
  for (const [index, { creates, owner, method, path }] of batch.entries()) {
    const result = results[index];
    if (!result) throw new UserError("The service did not report the result of every operation.");
    const id = getField(result.body, "id");
    if (creates !== undefined && typeof id === "string") {
      names.set(creates, id);
      if (result.etag !== null) etags.set(id, result.etag);
    }
    // A replayed response has no ETags.
    if (owner) etags.set(owner.id, result.etag ?? undefined);
    const isGone = owner && method === "DELETE" && path((name) => name).endsWith(`/${owner.id}`);
    if (isGone && names.get(owner.name) === owner.id) names.delete(owner.name);
  }
  ids.save(service.url, names);
}
