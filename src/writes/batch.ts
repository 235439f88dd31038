import { endIfLarger, endUnless, endUnlessAll, formOf } from "../db/checks.ts";
import type { Cause } from "../db/event_writes.ts";
import type { Statement, Values } from "../db/statements.ts";
import type { Answer, Write } from "./write.ts";

/*
 * The statements of writes that are sent in one batch. Each write's statements are preceded by one that ends the batch unless
 * the write's requirements hold. Adjacent writes that do the same to different rows are sent as one, if possible.
 *
 * For example, 500 operations that each create a rule become a few statements for all of them:
 *
 *     select case when not (<requirements of item>) then <fail> … end from json_each('[…]') as item
 *     insert into ip_policy_rules (…) select item.value ->> '$.action', … from json_each('[…]') as item … returning id, version
 *     insert into events … from json_each('[…]') as item cross join ip_policy_rules …
 *     update ip_policies set version = version + changed.rules from (…) as changed …
 *
 * If the first one fails, {@link singly} sends each write by itself, to find out which operation is rejected.
 */

/** The most statements in a batch: D1 allows 1,000 queries per invocation. */
export const MOST_STATEMENTS = 900;

/** The most bytes of rows that a batch writes. */
export const MOST_BYTES = 8_000_000;

/** The size of what was written is checked after every this many groups. */
const MEASURED_EACH = 50;

/** Some of the statements of a batch, and the answers to their writes, given the returned rows. */
export interface BatchPart {
  statements: Statement<unknown>[];
  answers: (rows: Values[][]) => (Answer | undefined)[];
  /** The types of the events that are recorded. */
  records: string[];
}

/** Writes that are sent as one: a single one, or adjacent ones that do the same to different rows. */
interface Group {
  /** Index of its first write. */
  first: number;
  writes: Write[];
}

/**
 * The parts of a batch of writes; undefined for more than {@link MOST_STATEMENTS}.
 *
 * @param showsMissing the answer of a write of a missing row may be undefined: it then needs no check if it is alone
 */
export function partsOf(groups: Group[], cause: Cause, showsMissing: boolean): BatchPart[] | undefined {
  const count = groups.reduce((sum, { writes }) => sum + writes.length, 0);
  const parts = groups.map((group, i) => {
    const part =
      group.writes.length > 1 ? manyOf(group, cause) : oneOf(group, cause, showsMissing && count === 1);
    const isMeasured = count > 1 && ((i + 1) % MEASURED_EACH === 0 || i === groups.length - 1);
    const measure = isMeasured ? [endIfLarger(cause.operation_id, count, MOST_BYTES)] : [];
    return { ...part, statements: [...part.statements, ...measure] };
  });
  const statements = parts.reduce((sum, part) => sum + part.statements.length, 0);
  return statements > MOST_STATEMENTS ? undefined : parts;
}

/** @param isAlone a missing row needs no check then: see `isShownByRow` */
function oneOf({ first, writes }: Group, cause: Cause, isAlone: boolean): BatchPart {
  const [write] = writes;
  if (!write) throw new Error("a group without a write");
  const { requires, otherwise } = write;
  const isShown =
    isAlone && !otherwise && requires.every(({ condition, isShownByRow }) => !condition || isShownByRow);
  const check = isShown ? [] : endUnless(first, requires);
  const { statements, main = -1, records = [] } = write.change(cause);
  return {
    statements: [...check, ...statements],
    answers(rows) {
      const own = rows.slice(check.length, check.length + statements.length);
      const row = own[main]?.[0];
      return [(row && write.answer?.(row, own)) ?? otherwise?.(own) ?? write.creates?.answer];
    },
    records,
  };
}

function manyOf({ first, writes }: Group, cause: Cause): BatchPart {
  const bulks = writes.flatMap(({ bulk }) => (bulk ? [bulk] : []));
  const [bulk] = bulks;
  if (!bulk) throw new Error("a group of writes that cannot be sent as one");
  const { verb, many, item } = bulk;
  const columns = Object.keys(item).filter((name) => verb === "insert" || name !== "id");
  const items = bulks.map((one) => one.item);
  const check = endUnlessAll(
    first,
    writes.map(({ requires }) => requires),
  );
  const { statements, changing, event } = many(verb, columns, items, cause);
  return {
    statements: [...check, ...statements],
    records: [event],
    answers(rows) {
      const changed = rows[check.length + changing] ?? [];
      const versions = new Map(changed.map(({ id, version }) => [id, Number(version)]));
      return writes.map(({ creates }, i) => {
        if (creates) return creates.answer;
        const version = versions.get(bulks[i]?.item.id);
        if (verb === "remove" || version === undefined) return { status: 204 };
        return { status: 200, version, body: {} };
      });
    },
  };
}

/** Each write in its own group. */
export const singly = (writes: Write[]): Group[] =>
  writes.map((write, first) => ({ first, writes: [write] }));

/** Puts adjacent writes together that do the same to different rows. */
export function groupsOf(writes: Write[]): Group[] {
  if (writes.length === 1) return singly(writes);
  const groups: (Group & { form: string | undefined; ids: Set<string> })[] = [];
  for (const [first, write] of writes.entries()) {
    const form = formOfBulk(write);
    const id = write.bulk?.item.id ?? "";
    const last = groups.at(-1);
    const isAlike =
      form !== undefined &&
      !idsIn(write.bulk?.item).some((other) => last?.ids.has(other)) &&
      last?.form === form &&
      last.writes[0]?.bulk?.many === write.bulk?.many;
    if (isAlike) {
      last.writes.push(write);
      last.ids.add(id);
    } else groups.push({ first, writes: [write], form, ids: new Set([id]) });
  }
  return groups;
}

/** A key that is equal for writes that can be sent as one; undefined for a write that is sent alone. */
function formOfBulk({ bulk, requires }: Write): string | undefined {
  if (!bulk || requires.some(({ isCollective }) => isCollective)) return undefined;
  // SQLite ends a string in JSON there.
  if (JSON.stringify(bulk.item).includes("\\u0000")) return undefined;
  return [bulk.verb, Object.keys(bulk.item).toSorted().join(), formOf(requires) ?? ""].join(" ");
}

/** Everything in a row that has the form of a new id, its own among them. */
const idsIn = (item: object | undefined): string[] =>
  JSON.stringify(item ?? {}).match(/[a-z]+_[0-9A-Za-z]{27}/g) ?? [];
