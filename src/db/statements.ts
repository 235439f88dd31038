import { and, type Column, getTableColumns, is, or, Param, Placeholder, type SQL, sql } from "drizzle-orm";
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import { type SQLiteColumn, SQLiteSyncDialect, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { asRow } from "./unchecked.ts";

/*
 * Statements whose SQL text is built once. Drizzle builds it, which takes many times as long as everything else in a
 * request; only the parameters differ from one request to the next.
 */

/** A statement, ready to send: see `Session` in `database.ts`. */
export interface Statement<Row = Values> {
  text: string;
  params: unknown[];
  /** Converts a row as D1 returns it to the type that the table declares. */
  decode: (row: Values) => Row;
}

/** A statement that changes a row, and those that have to run before and after it, in the same batch. */
export interface Change<Row = Values> {
  before: Statement[];
  statement: Statement<Row>;
  after: Statement[];
  /** The type of the event that is recorded; undefined if nothing can change. */
  event?: string;
}

/** Values by the names of placeholders. */
export type Values = Record<string, unknown>;

/**
 * A condition inside a statement, so that nothing can happen between the check and the write. Guards of the same shape have
 * the same SQL text; what differs is in their values.
 */
export interface Guard {
  shape: string;
  /** The condition, with placeholders; undefined if it always holds. Called only to build a text. */
  sql: () => SQL | undefined;
  values: Values;
}

/** No condition. */
export const always: Guard = { shape: "", sql: () => undefined, values: {} };

/** A condition that nothing meets, for what is known before: a replay for an `Idempotency-Key` needs it no more. */
export const never: Guard = { shape: "never", sql: () => sql`false`, values: {} };

/**
 * Merges the values of several parts of one statement, which share the names of placeholders.
 *
 * @throws if two parts have different values for one name: one would be bound in place of the other
 */
export function combined(...parts: Values[]): Values {
  const all: Values = {};
  for (const part of parts)
    for (const name in part) {
      const value = part[name];
      if (name in all && all[name] !== value)
        throw new Error(`two values for the placeholder ${name} in one statement`);
      all[name] = value;
    }
  return all;
}

/** Holds if all of `guards` do. */
export function allOf(...guards: Guard[]): Guard {
  const asked = guards.filter((guard) => guard !== always);
  const [first = always] = asked;
  if (asked.length < 2) return first;
  return {
    shape: asked.map(({ shape }) => shape).join("; "),
    sql: () => and(...asked.map((guard) => guard.sql())),
    values: combined(...asked.map(({ values }) => values)),
  };
}

/** Holds if one of `guards` does. */
export function anyOf(...guards: Guard[]): Guard {
  if (guards.includes(always)) return always;
  return {
    shape: `(${guards.map(({ shape }) => shape).join(" or ")})`,
    sql: () => or(...guards.map((guard) => guard.sql())),
    values: combined(...guards.map(({ values }) => values)),
  };
}

const nowhere = (): never => {
  throw new Error("this instance only builds statements");
};

/** A Drizzle instance that only builds statements. */
export const draft: DrizzleD1Database = drizzle({
  prepare: () => ({ bind: nowhere, first: nowhere, run: nowhere, all: nowhere, raw: nowhere }),
  batch: nowhere,
  exec: nowhere,
  dump: nowhere,
  withSession: nowhere,
});

interface Query {
  sql: string;
  params: unknown[];
}

const dialect = new SQLiteSyncDialect();

/** A query that Drizzle's query builder cannot express. */
export const raw = (query: SQL): { toSQL(): Query } => ({ toSQL: () => dialect.sqlToQuery(query) });

/** A text, and the source of each of its parameters. */
interface Written {
  text: string;
  params: ((values: Values) => unknown)[];
}

/** Texts by shape. A few hundred are in use; the limit keeps requests from filling the memory with more. */
const written = new Map<string, Written>();
const MOST_WRITTEN = 2_000;

/** Set by tests: texts are then rebuilt every time, to find two texts with the same shape. */
export const textCheck = { isOn: false };

/** Leaves a row as D1 returns it. */
const asGiven = (row: Values): Values => row;

/**
 * A statement of a shape: `write` builds its text the first time; from then on, only `values` are filled in.
 *
 * @param shape names everything that the text depends on
 * @example
 * statement("find bot_users", () => draft.select().from(botUsers).where(eq(botUsers.id, sql.placeholder("id"))), { id })
 */
export function statement(shape: string, write: () => { toSQL(): Query }, values: Values): Statement {
  let known = written.get(shape);
  if (!known) {
    if (written.size >= MOST_WRITTEN) written.clear();
    const { sql: text, params } = write().toSQL();
    known = { text, params: params.map(sourceOf) };
    written.set(shape, known);
  } else if (textCheck.isOn && write().toSQL().sql !== known.text)
    throw new Error(`two texts of the shape "${shape}"`);
  return { text: known.text, params: known.params.map((source) => source(values)), decode: asGiven };
}

/** A statement that returns one row if `guard` holds, else none. */
export const ifHolds = (guard: Guard): Statement =>
  statement(`if ${guard.shape}`, () => raw(sql`select 1 as one where ${guard.sql()}`), guard.values);

/** A statement that returns one row: 1 or 0 for each of `guards`, named by its index. */
export const whichHold = (guards: Guard[]): Statement =>
  statement(
    `which hold: ${guards.map(({ shape }) => shape).join("; ")}`,
    () => {
      const columns = guards.map((guard, i) => sql`${guard.sql()} as ${sql.identifier(String(i))}`);
      return raw(sql`select ${sql.join(columns, sql`, `)}`);
    },
    combined(...guards.map(({ values }) => values)),
  );

/** The source of a parameter: a placeholder's value, encoded for its column (null is NULL), or a constant. */
function sourceOf(param: unknown): (values: Values) => unknown {
  if (is(param, Placeholder)) return (values) => valueOf(values, param.name);
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
  const { encoder } = param;
  const { name } = param.value;
  return (values) => {
    const value = valueOf(values, name);
    return value === null ? null : encoder.mapToDriverValue(value);
  };
}

function valueOf(values: Values, name: string): unknown {
  const value = values[name];
  if (value === undefined) throw new Error(`no value for the placeholder ${name}`);
  return value;
}

/** A placeholder for a column's value, which is encoded for that column. */
export const placeholder = (name: string, column: SQLiteColumn): SQL =>
  sql`${sql.param(sql.placeholder(name), column)}`;

/** Placeholders for all columns of a table, by column. */
export const placeholders = (table: SQLiteTable): Record<string, SQL> =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([name, column]) => [name, placeholder(name, column)]),
  );

/**
 * `select <a row's values> where <guard>`, for `insert(table).select(…)`: inserts the row only if the guard holds. The
 * placeholders have the names of the columns.
 *
 * @param computed expressions for some of the columns, in place of their placeholders
 */
export function rowIf(table: SQLiteTable, guard: SQL | undefined, computed: Record<string, SQL> = {}): SQL {
  const values = Object.values({ ...placeholders(table), ...computed });
  // Always a `where`: without one, SQLite would read an `on conflict` that follows as a join's `on`.
  return sql`select ${sql.join(values, sql`, `)} where ${guard ?? sql`true`}`;
}

/** Converts rows as D1 returns them to the type that the table declares: parses JSON, makes booleans of integers. */
export function decoderOf<T extends SQLiteTable>(table: T): (row: Values) => T["$inferSelect"] {
  const columns: [string, Column][] = Object.entries(getTableColumns(table)).filter(
    ([, { dataType }]) => dataType === "json" || dataType === "boolean",
  );
  return (row) => {
    for (const [name, column] of columns)
      if (row[name] !== null) row[name] = column.mapFromDriverValue(row[name]);
    return asRow<T["$inferSelect"]>(row);
  };
}

/** Placeholders for some columns of a table, by column, for `set`. */
export const placeholdersOf = (table: SQLiteTable, names: string[]): Record<string, SQL> =>
  Object.fromEntries(
    Object.entries(getTableColumns(table))
      .filter(([column]) => names.includes(column))
      .map(([column, type]) => [column, placeholder(column, type)]),
  );
