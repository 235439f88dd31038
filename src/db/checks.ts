import { rootCause } from "./failures.ts";
import { events } from "./internal_schema.ts";
import { type Condition, join, raw, sql, type Sql } from "./statements.ts";
import { parsedAs } from "./unchecked.ts";

/*
 * Statements that end a batch, so that none of it takes effect, and report why. SQLite has no statement for that, but an
 * expression can fail with a string: `json_extract('{}', 'text')` fails with "bad JSON path: 'text'".
 */

/** Why a batch ended. */
export interface Ended {
  /** As given to {@link endUnless}. */
  step: number;
  /** The index of the condition that did not hold. */
  condition: number;
  /** The ids that its query found. */
  ids: string[];
}

/** A condition of a batch. */
export interface Check {
  condition: Condition;
  /** A query for the ids of the conflicting objects, as a JSON list. */
  named?: Sql;
}

/** Not part of any other message: those of constraints end in "extended: SQLITE_…". */
const MARK = "batch ended:";

/** Ends the batch unless all conditions hold, and reports the first that does not. No statement if there are none. */
export function endUnless(step: number, checks: Check[]): Sql[] {
  const failing = failureOf(step, checks);
  return failing ? [sql`select ${failing}`] : [];
}

/** An expression that fails unless all conditions hold; undefined if there are none. */
function failureOf(step: number, checks: Check[]): Sql | undefined {
  const cases: Sql[] = [];
  for (const [index, { condition, named = NOBODY }] of checks.entries())
    if (condition)
      cases.push(sql`when not (${condition}) then ${FAIL}${step}, ${raw(index)}, json(${named})))`);
  return cases.length === 0 ? undefined : sql`case ${join(cases, " ")} end`;
}

const NOBODY = sql`'[]'`;

/** Fails with the list whose items follow, and two more parentheses. */
const FAIL = raw(`json_extract('{}', '${MARK}' || json_array(`);

/**
 * {@link endUnless} for several steps whose conditions have the same SQL and differ only in their values. The batch ends unless
 * all of them hold before the first step.
 */
export function endUnlessAll(first: number, steps: Check[][]): Sql[] {
  const all = steps.flatMap((checks, i) => failureOf(first + i, checks) ?? []);
  const [pattern] = all;
  if (!pattern) return [];
  const parts = pattern.text.split("?");
  if (parts.length !== pattern.params.length + 1)
    throw new Error("a condition with a question mark that is not a parameter");
  const text = parts.map((part, i) => (i === 0 ? part : `(item.value ->> '$[${i - 1}]')${part}`)).join("");
  const items = JSON.stringify(all.map(({ params }) => params));
  return [sql`select ${raw(text)} from json_each(${items}) as item`];
}

/** The text of conditions, which must be the same for all steps of {@link endUnlessAll}. */
export const formOf = (checks: Check[]): string | undefined => failureOf(0, checks)?.text;

/** The result that {@link endAnyway} reports instead of a step. */
export const ANYWAY = -1;

/** Ends the batch in any case, with the JSON list that `said` selects. */
export const endAnyway = (said: Sql): Sql => sql`select ${FAIL}${raw(ANYWAY)}, 0, json((${said}))))`;

/** Why a batch failed, if a statement of this file ended it; undefined for any other failure. */
export function endedBy(error: unknown): Ended | undefined {
  const message = rootCause(error);
  const start = message.indexOf(MARK);
  if (start === -1) return undefined;
  const text = message.slice(start + MARK.length, message.lastIndexOf("]") + 1).replaceAll("''", "'");
  const [step, condition, ids] = parsedAs<[number, number, string[]]>(text);
  return { step, condition, ids };
}

/** The result that {@link endIfLarger} and {@link atMost} report instead of a step. */
export const TOO_LARGE = -2;

const tooLarge = raw(`json_extract('{}', '${MARK}[${TOO_LARGE}, 0, []]')`);

/** Selects the sum of a query's `bytes`. Ends the batch if it is larger than `most`. */
export const atMost = (most: number, query: Sql): Sql =>
  sql`select iif(sum(bytes) > ${most}, ${tooLarge}, sum(bytes)) as bytes from (${query})`;

/**
 * Ends the batch if the events that it has recorded are larger than `bytes` in all: as large as the rows that it has written.
 *
 * @param most how many events it has recorded at most
 */
export const endIfLarger = (operation_id: string, most: number, bytes: number): Sql =>
  sql`select iif(total(octet_length(object)) > ${bytes}, ${tooLarge}, null)
    from (select object, operation_id from ${events} order by seq desc limit ${most}) where operation_id = ${operation_id}`;
