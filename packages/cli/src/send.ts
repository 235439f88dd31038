import { randomUUID } from "node:crypto";
import type { components } from "edge-configuration-client";
import { type Batches, halved, MOST_OPERATIONS, type RulesPut, sizeOf } from "./batches.ts";
import type { Ids } from "./ids.ts";
import { member } from "./json.ts";
import { type TitleOf, withNames } from "./names.ts";
import type { Child } from "./objects.ts";
import type { Operation, Unit } from "./operations.ts";
import { Refusal } from "./refusal.ts";
import { explained, explainedRules, type Explainer } from "./rejections.ts";
import { bodyOf, eachOf, type Service, ServiceError } from "./service.ts";
import { type Found, isUnchanged, reread, type Shown } from "./world.ts";

/*
 * Sends operations to the service.
 */

type TransactionOperation = components["schemas"]["TransactionOperationRequest"];
type TransactionResult = components["schemas"]["Transaction"]["results"][number];

/** ETags of objects by id; undefined if unknown, because the response that carried it was lost. */
export type ETags = Map<string, string | undefined>;

/**
 * The ETags of the objects that the operations change or delete.
 *
 * @throws Refusal if one of them has changed since it was read
 */
export async function etagsOf(service: Service, units: readonly Unit[], titleIn: TitleOf): Promise<ETags> {
  const touched = new Map<string, { shown: Shown; withRules: boolean }>();
  for (const { found, rules } of units) {
    if (!found) continue;
    const withRules = rules !== undefined || (touched.get(found.id)?.withRules ?? false);
    touched.set(found.id, { shown: found.shown, withRules });
  }
  const etags: ETags = new Map();
  await eachOf([...touched.values()], async ({ shown, withRules }) => {
    const now = await reread(service, shown, withRules);
    if (!now || !isUnchanged(shown, now.shown))
      throw new Refusal(
        `${withNames(shown.id, titleIn)} has changed while it was being read. Run the command again.`,
      );
    etags.set(shown.id, now.etag);
  });
  return etags;
}

export interface Sender extends Explainer {
  service: Service;
  ids: Ids;
  names: Map<string, string>;
  etags: ETags;
  isDryRun: boolean;
  say: (line: string) => void;
  progress: (what: string, done: number, all: number) => void;
  /** Whether to end: not before the service has answered the last request, because ids would be lost. */
  isEnding: () => boolean;
}

/**
 * Sends operations.
 *
 * @returns false if only a part was sent, in a dry run
 * @throws Refusal with the operation that was rejected and its place in the file
 */
export async function send(sender: Sender, { transactions, puts }: Batches): Promise<boolean> {
  const { say, isDryRun } = sender;
  const operations = transactions.reduce((sum, units) => sum + sizeOf(units), 0);
  if (transactions.length > 1)
    say(
      `${operations} operations are sent in ${transactions.length} transactions, because one accepts ${MOST_OPERATIONS} operations and 1 MB. Each transaction is all or nothing.`,
    );
  let done = 0;
  const queue = [...transactions];
  for (let units = queue.shift(); units; units = queue.shift()) {
    sender.progress("operations", done, operations);
    const parts = await sendTransaction(sender, units).catch((error: unknown) => {
      throw done === 0 || !(error instanceof Refusal) ? error : unfinished(done, operations, error.lines);
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
    if (sender.isEnding() && queue.length + puts.length > 0)
      throw unfinished(done, operations, ["Interrupted."]);
  }
  sender.progress("operations", done, operations);
  await sendRules(sender, puts);
  return true;
}

const unfinished = (done: number, all: number, why: readonly string[]): Refusal =>
  new Refusal([
    ...why,
    `${done} of ${all} operations were applied and stay applied. Run the command again to apply the rest.`,
  ]);

/**
 * The operations of a transaction. The rules and routes of new objects come last, because nothing refers to them: a transaction
 * has room for more operations if similar ones are adjacent.
 */
function inOrder(units: readonly Unit[]): Operation[] {
  const isLate = ({ found }: Unit, { method, creates }: Operation): boolean =>
    !found && method === "POST" && creates === undefined;
  const chosen = (late: boolean): Operation[] =>
    units.flatMap((unit) => unit.operations.filter((operation) => isLate(unit, operation) === late));
  return [...chosen(false), ...chosen(true)];
}

/** @returns the parts of a transaction that is too large for the service */
async function sendTransaction(sender: Sender, units: Unit[]): Promise<Unit[][] | undefined> {
  const { service, isDryRun } = sender;
  const batch = inOrder(units);
  const operations = requestOf(sender, batch);
  try {
    const { results } = bodyOf(
      await service.api.POST("/transactions", {
        body: { operations, ...(isDryRun && { dry_run: true }) },
        params: { header: isDryRun ? {} : { "Idempotency-Key": randomUUID() } },
      }),
    );
    if (!isDryRun) noteResults(sender, batch, results);
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const parts = error.body.status_code === 413 ? halved(units) : undefined;
    if (parts) return parts;
    throw await explained(sender, batch, error);
  }
}

/** Operations in the form of a transaction: `$name` for objects that it creates, ids for others. */
function requestOf({ names, etags }: Sender, batch: readonly Operation[]): TransactionOperation[] {
  const created = new Map<string, string>();
  const touched = new Set<string>();
  const idOf = (name: string): string => created.get(name) ?? names.get(name) ?? name;
  return batch.map(({ method, path, body, creates, owner, isGuarded }, index) => {
    const operation: TransactionOperation = { method, path: path(idOf) };
    if (body) operation.body = body(idOf);
    if (owner && isGuarded && !touched.has(owner.id)) operation.if_match = knownETag(etags, owner);
    if (owner) touched.add(owner.id);
    if (creates !== undefined) {
      operation.name = `o${index}`;
      created.set(creates, `$o${index}`);
    }
    return operation;
  });
}

/** @throws Refusal if the response that carried it was lost */
function knownETag(etags: ETags, { id, kind, name }: Found): string {
  const etag = etags.get(id);
  if (etag === undefined)
    throw new Refusal(
      `The service has changed ${kind.section}.${name}, but its response was lost, so there is no way to tell whether someone else has changed it since.`,
    );
  return etag;
}

/** Records ids and ETags, and writes the ids immediately: without them, the next apply would create the objects again. */
function noteResults(
  sender: Sender,
  batch: readonly Operation[],
  results: readonly TransactionResult[],
): void {
  const { names, etags, ids, service } = sender;
  for (const [index, { creates, owner, method, path }] of batch.entries()) {
    const result = results[index];
    if (!result) throw new Refusal("The service did not report the result of every operation.");
    const id = member(result.body, "id");
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

async function sendRules(sender: Sender, puts: readonly RulesPut[]): Promise<void> {
  const { service, names, etags, say, isDryRun, progress } = sender;
  if (puts.length > 0)
    say(
      `The rules of ${puts.length} ${puts.length === 1 ? "policy" : "policies"} are replaced after everything else: ${puts
        .map(({ entry }) => entry.name)
        .join(", ")}.`,
    );
  for (const [index, { entry, found }] of puts.entries()) {
    progress("policies", index, puts.length);
    const id = found?.id ?? names.get(entry.name);
    if (id === undefined) {
      if (isDryRun) continue;
      throw new Refusal(`The policy ${entry.name} has no id.`);
    }
    const etag = etags.has(id) ? (found ? knownETag(etags, found) : etags.get(id)) : undefined;
    const rules = entry.children.map(ruleIn);
    try {
      const counts = bodyOf(
        await service.api.PUT("/ip_policies/{id}/rules", {
          params: {
            path: { id },
            header: etag === undefined ? {} : { "If-Match": etag },
            ...(isDryRun && { query: { dry_run: true } }),
          },
          body: { rules },
        }),
      );
      say(
        `${entry.name}: ${counts.created} rules created, ${counts.updated} changed, ${counts.deleted} deleted, ${counts.unchanged} unchanged.`,
      );
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw await explainedRules(sender, entry, found, error);
    }
  }
}

type Rule = components["schemas"]["IpPolicyRulesReplaceRequest"]["rules"][number];

const isRule = (value: unknown): value is Rule =>
  typeof member(value, "action") === "string" && typeof member(value, "cidr") === "string";

/** A rule of a file in the form of a request. */
function ruleIn({ own }: Child): Rule {
  if (!isRule(own)) throw new Error("a rule without an action or a CIDR");
  return own;
}
