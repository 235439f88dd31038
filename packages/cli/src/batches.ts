import type { JsonObject } from "./json.ts";
import { guardOf, type FileOperation, replacementOf, type Unit } from "./operations.ts";

/*
 * Divides operations into as few transactions as possible.
 */

/** The service accepts at most this many operations in a transaction. */
export const MAX_OPERATIONS = 500;
/** The service accepts bodies of up to 1 MiB. */
const MAX_BYTES = 1_000_000;
/** If fewer rules change, replacing all of them saves little. */
const MIN_RULES_TO_REPLACE = 20;
/** The operations of a transaction that replace rules can have at most this many in all. */
const MAX_RULES = 10_000;

/** The quantities that are limited in a transaction. */
interface Load {
  operations: number;
  bytes: number;
  rules: number;
}

const fits = ({ operations, bytes, rules }: Load): boolean =>
  operations <= MAX_OPERATIONS && bytes <= MAX_BYTES && rules <= MAX_RULES;

const added = (a: Load, b: Load): Load => ({
  operations: a.operations + b.operations,
  bytes: a.bytes + b.bytes,
  rules: a.rules + b.rules,
});

const NO_LOAD: Load = { operations: 0, bytes: 0, rules: 0 };

/** The load of an operation. Its size is approximate, because it counts names in place of ids. */
const loadOf = ({ path, body, rulePaths = [] }: FileOperation): Load => ({
  operations: 1,
  bytes: Buffer.byteLength(JSON.stringify(body?.((name) => name) ?? {})) + path((name) => name).length + 150,
  rules: rulePaths.length,
});

const loadOfAll = (units: readonly Unit[]): Load =>
  units.flatMap(({ operations }) => operations.map(loadOf)).reduce(added, NO_LOAD);

export const sizeOf = (units: readonly Unit[]): number =>
  units.reduce((sum, { operations }) => sum + operations.length, 0);

/**
 * Divides operations among transactions. If they do not fit into one transaction, all rules of a policy are replaced by one operation,
 * starting with the policies with the most changes, until the operations fit.
 */
export function batchesOf(given: readonly Unit[]): Unit[][] {
  let units = [...given];
  const candidates = units
    .filter(({ rules }) => (rules?.operations.length ?? 0) >= MIN_RULES_TO_REPLACE)
    .toSorted((a, b) => (b.rules?.operations.length ?? 0) - (a.rules?.operations.length ?? 0));
  for (const unit of candidates) {
    if (fits(loadOfAll(units))) break;
    if (!unit.rules) continue;
    const { operations } = unit.rules;
    const replacement = replacementOf(unit.rules);
    if (!fits(loadOf(replacement))) continue;
    const rest = unit.operations.filter((operation) => !operations.includes(operation));
    // If only the guard is left, it is not needed, because the replacement has a guard of its own.
    const isIdle = rest.every(
      ({ body, method }) => method === "PATCH" && isEmptyBody(body?.((name) => name)),
    );
    units = units.map((other) =>
      other === unit ? { ...unit, operations: [...(isIdle ? [] : rest), replacement] } : other,
    );
  }
  return pack(units);
}

const isEmptyBody = (body: JsonObject | undefined): boolean => Object.keys(body ?? {}).length === 0;

/** Packs units into transactions, in order. A unit that is too large for a transaction is divided. */
function pack(units: readonly Unit[]): Unit[][] {
  const transactions: Unit[][] = [];
  let open: Unit[] = [];
  let load = NO_LOAD;
  for (const unit of units.flatMap((unit) => divide(unit))) {
    const own = loadOfAll([unit]);
    if (open.length > 0 && !fits(added(load, own))) {
      transactions.push(open);
      [open, load] = [[], NO_LOAD];
    }
    open.push(unit);
    load = added(load, own);
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
  if (operations.length <= most && fits(loadOfAll([unit]))) return [unit];
  const parts: FileOperation[][] = [];
  let open: FileOperation[] = [];
  let size = 0;
  for (const operation of operations) {
    const { bytes: own } = loadOf(operation);
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
