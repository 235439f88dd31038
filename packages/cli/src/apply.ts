import { randomUUID } from "node:crypto";
import type { components } from "edge-configuration-client";
import type { Ids } from "./ids.ts";
import { type JsonObject, member, pathOf } from "./json.ts";
import { titles, type TitleOf, withNames } from "./names.ts";
import type { Child, Entry } from "./objects.ts";
import { guardOf, type Operation, type Unit } from "./operations.ts";
import { Refusal } from "./refusal.ts";
import { bodyOf, eachOf, type Service, ServiceError } from "./service.ts";
import { type Problem, refuseFor, type SourceFile } from "./source.ts";
import { type Found, isUnchanged, reread, type Shown } from "./world.ts";

/*
 * Sends a plan: in one transaction if it fits, otherwise in as few as possible.
 */

type TransactionOperation = components["schemas"]["TransactionOperationRequest"];
type TransactionResult = components["schemas"]["Transaction"]["results"][number];

/** The most operations in a transaction. */
const MOST_OPERATIONS = 500;
/** A body can have 1 MiB. */
const MOST_BYTES = 1_000_000;
/** With fewer changed rules, replacing all of them saves little. */
const MANY_RULES = 20;
/** The most rules that one request replaces. */
const MOST_RULES = 10_000;

/** A policy whose rules one request replaces. */
interface RulesPut {
  entry: Entry;
  found: Found | undefined;
}

export interface Batches {
  transactions: Unit[][];
  puts: RulesPut[];
}

const sizeOf = (units: readonly Unit[]): number =>
  units.reduce((sum, { operations }) => sum + operations.length, 0);

/** Approximate bytes of an operation in a request, with names in place of ids. */
const bytesOf = ({ path, body }: Operation): number =>
  Buffer.byteLength(JSON.stringify(body?.((name) => name) ?? {})) + path((name) => name).length + 150;

/**
 * Divides operations among transactions. If they do not fit into one, the rules of policies are replaced by separate requests, the
 * policies with most changes first, until the other operations fit or no policy is left.
 */
export function batchesOf(given: readonly Unit[]): Batches {
  const puts: RulesPut[] = [];
  let units = [...given];
  const candidates = units
    .filter(({ rules }) => rules && rules.operations.length >= MANY_RULES && isPuttable(rules.entry))
    .toSorted((a, b) => (b.rules?.operations.length ?? 0) - (a.rules?.operations.length ?? 0));
  for (const unit of candidates) {
    if (sizeOf(units) <= MOST_OPERATIONS && bytes(units) <= MOST_BYTES) break;
    if (!unit.rules) continue;
    const { entry, found, operations } = unit.rules;
    puts.push({ entry, found });
    const rest = unit.operations.filter((operation) => !operations.includes(operation));
    // If only the guard is left, it is not needed: the PUT has its own.
    const isIdle = rest.every(({ body, method }) => method === "PATCH" && isNothing(body?.((name) => name)));
    units = units.flatMap((other) =>
      other !== unit ? [other] : isIdle ? [] : [{ ...unit, operations: rest }],
    );
  }
  return { transactions: packed(units), puts };
}

const isNothing = (body: JsonObject | undefined): boolean => Object.keys(body ?? {}).length === 0;

const bytes = (units: readonly Unit[]): number =>
  units.reduce((sum, { operations }) => sum + operations.reduce((sum, next) => sum + bytesOf(next), 0), 0);

const isPuttable = ({ children }: Entry): boolean =>
  children.length <= MOST_RULES &&
  Buffer.byteLength(JSON.stringify(children.map(({ own }) => own))) <= MOST_BYTES;

/** Units in as few transactions as can be, in order. A unit that is too large for one is divided. */
function packed(units: readonly Unit[]): Unit[][] {
  const transactions: Unit[][] = [];
  let open: Unit[] = [];
  let count = 0;
  let size = 0;
  for (const unit of units.flatMap((unit) => divided(unit))) {
    const own = bytes([unit]);
    if (open.length > 0 && (count + unit.operations.length > MOST_OPERATIONS || size + own > MOST_BYTES)) {
      transactions.push(open);
      [open, count, size] = [[], 0, 0];
    }
    open.push(unit);
    count += unit.operations.length;
    size += own;
  }
  return open.length > 0 ? [...transactions, open] : transactions;
}

/**
 * Parts of a unit that fit into a transaction. Each requires the object to be as the previous part left it.
 *
 * @param most operations of a part, at least 3
 */
function divided(unit: Unit, most: number = MOST_OPERATIONS): Unit[] {
  const { found, operations } = unit;
  if (operations.length <= most && bytes([unit]) <= MOST_BYTES) return [unit];
  const parts: Operation[][] = [];
  let open: Operation[] = [];
  let size = 0;
  for (const operation of operations) {
    const own = bytesOf(operation);
    // Two operations are left for the guards.
    if (open.length > 0 && (open.length >= most - 2 || size + own > MOST_BYTES - 1_000)) {
      parts.push(open);
      [open, size] = [[], 0];
    }
    open.push(operation);
    size += own;
  }
  parts.push(open);
  if (!found) return parts.map((operations) => ({ operations }));
  return parts.map((operations, index) => {
    const [{ about, at } = { about: "", at: [] }] = operations;
    const guard = guardOf(found, about, at);
    const opening = index > 0 ? [{ ...guard, isGuarded: true }] : [];
    const closing = index < parts.length - 1 ? [guard] : [];
    return { found, operations: [...opening, ...operations, ...closing] };
  });
}

/** A transaction as two or more; undefined if it cannot be divided. */
function halved(units: readonly Unit[]): Unit[][] | undefined {
  const middle = Math.ceil(units.length / 2);
  if (units.length > 1) return [units.slice(0, middle), units.slice(middle)];
  const parts = units.flatMap((unit) => divided(unit, Math.ceil(unit.operations.length / 2) + 2));
  return parts.length > 1 ? parts.map((part) => [part]) : undefined;
}

/** ETags of objects by id; undefined if unknown, because the response that carried it was lost. */
export type ETags = Map<string, string | undefined>;

/**
 * ETags of the objects that a plan changes or deletes.
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

export interface Sender {
  service: Service;
  file: SourceFile;
  ids: Ids;
  /** Ids of the file's names, and of names that are no longer in the file. */
  names: Map<string, string>;
  etags: ETags;
  isDryRun: boolean;
  say: (line: string) => void;
  progress: (what: string, done: number, all: number) => void;
  /** Whether to end: not before the service has answered the last request, because ids would be lost. */
  isEnding: () => boolean;
  /** Describes how an object differs now from what was read. */
  drift: (found: Found) => Promise<string[]>;
}

/**
 * Sends a plan.
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

/** Names of objects, and of those that a transaction creates, as the service names them in errors. */
const titlesIn = ({ names }: Sender, batch: readonly Operation[]): TitleOf => {
  const titleIn = titles(names);
  return (id) => titleIn(id) ?? batch[Number(/^\$o(\d+)$/.exec(id)?.[1] ?? NaN)]?.about.split(" ").at(-1);
};

/** An error of the service as a Refusal, with the places in the file that it is about, and names beside ids. */
async function explained(sender: Sender, batch: readonly Operation[], error: ServiceError): Promise<Refusal> {
  const { file, drift } = sender;
  const titleIn = titlesIn(sender, batch);
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

async function explainedRules(
  { file, names, drift }: Sender,
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
