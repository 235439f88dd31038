import type { JsonObject } from "./json.ts";
import type { Entry } from "./objects.ts";
import { guardOf, type FileOperation, type Unit } from "./operations.ts";
import type { ServiceEntry } from "./service_objects.ts";

/*
 * Divides operations into as few transactions as possible.
 */

/** The service accepts at most this many operations in a transaction. */
export const MAX_OPERATIONS = 500;
/** The service accepts bodies of up to 1 MiB. */
export const MAX_BYTES = 1_000_000;
/** If fewer rules change, replacing all of them saves little. */
const MIN_RULES_TO_REPLACE = 20;
/** One request can replace at most this many rules. */
const MAX_RULES = 10_000;

/** A policy whose rules are replaced by one request. */
export interface RulesReplacement {
  entry: Entry;
  existing: ServiceEntry | undefined;
}

export interface Batches {
  transactions: Unit[][];
  replacements: RulesReplacement[];
}

export const sizeOf = (units: readonly Unit[]): number =>
  units.reduce((sum, { operations }) => sum + operations.length, 0);

/** The approximate size of an operation in a request, counting names in place of ids. */
const bytesOf = ({ path, body }: FileOperation): number =>
  Buffer.byteLength(JSON.stringify(body?.((name) => name) ?? {})) + path((name) => name).length + 150;

/**
 * Divides operations among transactions. If they do not fit into one transaction, the rules of policies are replaced by
 * separate requests, starting with the policies with the most changes, until the other operations fit.
 */
export function batchesOf(given: readonly Unit[]): Batches {
  const replacements: RulesReplacement[] = [];
  let units = [...given];
  const candidates = units
    .filter(
      ({ rules }) => rules && rules.operations.length >= MIN_RULES_TO_REPLACE && fitsOneRequest(rules.entry),
    )
    .toSorted((a, b) => (b.rules?.operations.length ?? 0) - (a.rules?.operations.length ?? 0));
  for (const unit of candidates) {
    if (sizeOf(units) <= MAX_OPERATIONS && bytes(units) <= MAX_BYTES) break;
    if (!unit.rules) continue;
    const { entry, existing, operations } = unit.rules;
    replacements.push({ entry, existing });
    const rest = unit.operations.filter((operation) => !operations.includes(operation));
    // If only the guard is left, it is not needed, because the PUT has its own.
    const isIdle = rest.every(
      ({ body, method }) => method === "PATCH" && isEmptyBody(body?.((name) => name)),
    );
    units = units.flatMap((other) =>
      other !== unit ? [other] : isIdle ? [] : [{ ...unit, operations: rest }],
    );
  }
  return { transactions: pack(units), replacements };
}

const isEmptyBody = (body: JsonObject | undefined): boolean => Object.keys(body ?? {}).length === 0;

const bytes = (units: readonly Unit[]): number =>
  units.reduce((sum, { operations }) => sum + operations.reduce((sum, next) => sum + bytesOf(next), 0), 0);

const fitsOneRequest = ({ children }: Entry): boolean =>
  children.length <= MAX_RULES &&
  Buffer.byteLength(JSON.stringify(children.map(({ own }) => own))) <= MAX_BYTES;

/** Packs units into transactions, in order. A unit that is too large for a transaction is divided. */
function pack(units: readonly Unit[]): Unit[][] {
  const transactions: Unit[][] = [];
  let open: Unit[] = [];
  let count = 0;
  let size = 0;
  for (const unit of units.flatMap((unit) => divide(unit))) {
    const own = bytes([unit]);
    if (open.length > 0 && (count + unit.operations.length > MAX_OPERATIONS || size + own > MAX_BYTES)) {
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
 * Divides a unit into parts that fit into a transaction. Each part requires that the object has not changed since the previous
 * part.
 *
 * @param most the maximum number of operations in a part, at least 3
 */
function divide(unit: Unit, most: number = MAX_OPERATIONS): Unit[] {
  const { existing, operations } = unit;
  if (operations.length <= most && bytes([unit]) <= MAX_BYTES) return [unit];
  const parts: FileOperation[][] = [];
  let open: FileOperation[] = [];
  let size = 0;
  for (const operation of operations) {
    const own = bytesOf(operation);
    // Leave room for two guards.
    if (open.length > 0 && (open.length >= most - 2 || size + own > MAX_BYTES - 1_000)) {
      parts.push(open);
      [open, size] = [[], 0];
    }
    open.push(operation);
    size += own;
  }
  parts.push(open);
  if (!existing) return parts.map((operations) => ({ operations }));
  return parts.map((operations, index) => {
    const [{ about, at } = { about: "", at: [] }] = operations;
    const guard = guardOf(existing, about, at);
    const opening = index > 0 ? [{ ...guard, isGuarded: true }] : [];
    const closing = index < parts.length - 1 ? [guard] : [];
    return { existing, operations: [...opening, ...operations, ...closing] };
  });
}

/** Divides a transaction into two or more; undefined if it is not possible. */
export function halve(units: readonly Unit[]): Unit[][] | undefined {
  const middle = Math.ceil(units.length / 2);
  if (units.length > 1) return [units.slice(0, middle), units.slice(middle)];
  const parts = units.flatMap((unit) => divide(unit, Math.ceil(unit.operations.length / 2) + 2));
  return parts.length > 1 ? parts.map((part) => [part]) : undefined;
}
