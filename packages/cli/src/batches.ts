import type { JsonObject } from "./json.ts";
import type { Entry } from "./objects.ts";
import { guardOf, type Operation, type Unit } from "./operations.ts";
import type { Found } from "./world.ts";

/*
 * Divides operations into as few transactions as possible.
 */

/** The most operations in a transaction. */
export const MOST_OPERATIONS = 500;
/** A body can have 1 MiB. */
const MOST_BYTES = 1_000_000;
/** With fewer changed rules, replacing all of them saves little. */
const MANY_RULES = 20;
/** The most rules that one request replaces. */
const MOST_RULES = 10_000;

/** A policy whose rules one request replaces. */
export interface RulesPut {
  entry: Entry;
  found: Found | undefined;
}

export interface Batches {
  transactions: Unit[][];
  puts: RulesPut[];
}

export const sizeOf = (units: readonly Unit[]): number =>
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
export function halved(units: readonly Unit[]): Unit[][] | undefined {
  const middle = Math.ceil(units.length / 2);
  if (units.length > 1) return [units.slice(0, middle), units.slice(middle)];
  const parts = units.flatMap((unit) => divided(unit, Math.ceil(unit.operations.length / 2) + 2));
  return parts.length > 1 ? parts.map((part) => [part]) : undefined;
}
