import { is, Placeholder, type SQL, sql } from "drizzle-orm";
import { rootCause } from "./failures.ts";
import { events } from "./schema.ts";
import { always, combined, type Guard, raw, type Statement, statement, type Values } from "./statements.ts";
import { parsedAs } from "./unchecked.ts";

/*
 * Statements that end a batch, so that nothing of it takes effect, and say why. SQLite has no statement for that, but an
 * expression can fail with a text: `json_extract('{}', 'text')` fails with "bad JSON path: 'text'".
 */

/** What a batch that ended says. */
export interface Ended {
  /** As given to {@link endUnless}. */
  step: number;
  /** The index of the condition that did not hold. */
  condition: number;
  /** What its `list` found. */
  ids: string[];
}

/** A condition, and a query for the ids of objects that are in its way, as a JSON list. */
export interface Condition {
  guard: Guard;
  list?: Guard;
}

const MARK = "ended:";

/** Ends the batch unless all conditions hold; the first that does not is told. No statement if there are none. */
export function endUnless(step: number, conditions: Condition[]): Statement[] {
  const asked = askedOf(conditions);
  if (asked.length === 0) return [];
  const values = { ...valuesOf(asked), step };
  return [statement(`end unless ${shapeOf(asked)}`, () => raw(sql`select ${ending(asked)}`), values)];
}

interface Asked extends Condition {
  index: number;
}

const askedOf = (conditions: Condition[]): Asked[] =>
  conditions.map((condition, index) => ({ ...condition, index })).filter(({ guard }) => guard !== always);

const shapeOf = (asked: Asked[]): string =>
  asked.map(({ guard, list, index }) => `${index} ${guard.shape} ${list?.shape}`).join("; ");

const valuesOf = (asked: Asked[]): Values =>
  combined(...asked.flatMap(({ guard, list }) => [guard.values, ...(list ? [list.values] : [])]));

/** An expression that fails unless all conditions hold. */
function ending(asked: Asked[]): SQL {
  const cases = asked.map(({ guard, list, index }) => {
    const ids = list ? list.sql() : sql`'[]'`;
    return sql`when not (${guard.sql()}) then json_extract('{}', ${sql.raw(`'${MARK}'`)} || json_array(${sql.placeholder("step")}, ${sql.raw(String(index))}, json(${ids})))`;
  });
  return sql`case ${sql.join(cases, sql` `)} end`;
}

/**
 * {@link endUnless} for several steps at once, whose conditions differ in their values alone: all of them hold before the first
 * of the steps, or the batch ends.
 */
export function endUnlessAll(first: number, conditions: Condition[][]): Statement[] {
  const all = conditions.map(askedOf);
  const [pattern = []] = all;
  if (pattern.length === 0) return [];
  const items = all.map((asked, i) => ({ ...valuesOf(asked), step: first + i }));
  return [
    statement(
      `end unless all ${shapeOf(pattern)}`,
      () => eachOf(raw(sql`select ${ending(pattern)}`).toSQL()),
      { items: JSON.stringify(items) },
    ),
  ];
}

/** What {@link endUnlessAll} depends on, besides values: conditions of the same form can be asked together. */
export const formOf = (conditions: Condition[]): string => shapeOf(askedOf(conditions));

/** A query with an item's values in place of its parameters, for each item of the JSON list `items`. */
function eachOf({ sql: text, params }: ReturnType<ReturnType<typeof raw>["toSQL"]>): ReturnType<typeof raw> {
  const parts = text.split("?");
  if (parts.length !== params.length + 1)
    throw new Error("a query with a question mark that is no parameter");
  const constants: unknown[] = [];
  const written = parts.map((part, i) => {
    const param = params[i];
    if (i === params.length) return part;
    if (is(param, Placeholder)) return `${part}(item.value ->> '$."${param.name}"')`;
    constants.push(param);
    return `${part}?`;
  });
  return {
    toSQL: () => ({
      sql: `${written.join("")} from json_each(?) as item`,
      params: [...constants, sql.placeholder("items")],
    }),
  };
}

/** Ends the batch in any case. @param list a query for what it says, as a JSON list */
export const endAnyway = (list: SQL = sql`select json_array()`, values: Values = {}, shape = ""): Statement =>
  statement(
    `end anyway ${shape}`,
    () =>
      raw(
        sql`select json_extract('{}', ${sql.raw(`'${MARK}'`)} || json_array(${sql.raw(String(ANYWAY))}, 0, json((${list}))))`,
      ),
    values,
  );

/** What {@link endAnyway} says instead of a step. */
export const ANYWAY = -1;

/** What a failed batch says, if a statement of this file ended it; undefined for any other failure. */
export function endedBy(error: unknown): Ended | undefined {
  const message = rootCause(error);
  const start = message.indexOf(MARK);
  if (start === -1) return undefined;
  const text = message.slice(start + MARK.length, message.lastIndexOf("]") + 1).replaceAll("''", "'");
  const [step, condition, ids] = parsedAs<[number, number, string[]]>(text);
  return { step, condition, ids };
}

/** What {@link endIfLarger} says instead of a step. */
export const TOO_LARGE = -2;

/**
 * Ends the batch if the events that it has recorded are larger than `bytes` in all: as large as the rows that it has written.
 *
 * @param most how many events it has recorded at most
 */
export const endIfLarger = (operation_id: string, most: number, bytes: number): Statement =>
  statement(
    "end if larger",
    () =>
      raw(sql`select iif(total(octet_length(object)) > ${sql.placeholder("bytes")}, json_extract('{}', ${sql.raw(`'${MARK}[${TOO_LARGE}, 0, []]'`)}), null)
        from (select object, operation_id from ${events} order by seq desc limit ${sql.placeholder("most")}) where operation_id = ${sql.placeholder("operation_id")}`),
    { operation_id, most, bytes },
  );
