import { and, type Column, getTableColumns, is, Param, Placeholder, type SQL, sql } from "drizzle-orm";
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import { type SQLiteColumn, SQLiteSyncDialect, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { asRow } from "./unchecked.ts";

/*
 * Statements whose SQL text is written once. Drizzle writes it, which takes many times as long as all else that a
 * request does; what differs from one request to the next are parameters.
 */

/** A statement, ready to be sent: see `Session` in `database.ts`. */
export interface Statement<Row = Values> {
  text: string;
  params: unknown[];
  /** Makes what D1 gives for a row what the table says that it is. */
  decode: (row: Values) => Row;
}

/** Values by the names of a text's placeholders. */
export type Values = Record<string, unknown>;

/**
 * A condition inside a statement, so that nothing can come between the check and the write. Guards of one shape have one
 * text; what is particular stands in their values.
 */
export interface Guard {
  shape: string;
  /** The condition, with placeholders; undefined when it always holds. Called only when a text is to be written. */
  sql: () => SQL | undefined;
  values: Values;
}

/** Asks nothing. */
export const always: Guard = { shape: "", sql: () => undefined, values: {} };

/**
 * Values of several parts of one statement, which share their names.
 *
 * @throws where two parts have different values of one name: one of them would be bound in the other's place
 */
export function combined(...parts: Values[]): Values {
  const all: Values = {};
  for (const part of parts)
    for (const name in part) {
      const value = part[name];
      if (name in all && all[name] !== value) throw new Error(`two values of ${name} in one statement`);
      all[name] = value;
    }
  return all;
}

/** Holds when all of `guards` do. */
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

const nowhere = (): never => {
  throw new Error("this writes statements and sends none");
};

/** A Drizzle that only writes statements. */
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

/** A query that Drizzle's builder has no words for. */
export const raw = (query: SQL): { toSQL(): Query } => ({ toSQL: () => dialect.sqlToQuery(query) });

/** A text, and where each of its parameters comes from. */
interface Written {
  text: string;
  params: ((values: Values) => unknown)[];
}

/** Texts by shape. There are some hundreds in use; who makes up others does not fill the memory. */
const written = new Map<string, Written>();
const MOST_WRITTEN = 2_000;

/** Set by tests: a text is then written each time, to find two texts under one shape. */
export const textCheck = { isOn: false };

/** What D1 gives, as it is. */
const asGiven = (row: Values): Values => row;

/**
 * A statement of a shape: its text is what `write` makes the first time, from then on only `values` are filled in.
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

/** A statement that gives one row if `guard` holds, else none. */
export const ifHolds = (guard: Guard): Statement =>
  statement(`if ${guard.shape}`, () => raw(sql`select 1 as one where ${guard.sql()}`), guard.values);

/** A statement that gives one row: 1 or 0 for each of `guards`, named by its place. */
export const whichHold = (guards: Guard[]): Statement =>
  statement(
    `which hold: ${guards.map(({ shape }) => shape).join("; ")}`,
    () => {
      const columns = guards.map((guard, i) => sql`${guard.sql()} as ${sql.identifier(String(i))}`);
      return raw(sql`select ${sql.join(columns, sql`, `)}`);
    },
    combined(...guards.map(({ values }) => values)),
  );

/** Where a parameter comes from: a placeholder's value, as its column keeps it (NULL is NULL), or a constant. */
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
  if (value === undefined) throw new Error(`a statement without its ${name}`);
  return value;
}

/** A placeholder for a column's value, which is filled in as that column keeps it. */
export const placeholder = (name: string, column: SQLiteColumn): SQL =>
  sql`${sql.param(sql.placeholder(name), column)}`;

/** Placeholders for all columns of a table, by column. */
export const placeholders = (table: SQLiteTable): Record<string, SQL> =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([name, column]) => [name, placeholder(name, column)]),
  );

/**
 * `select <a row's values> where <guard>`, for `insert(table).select(…)`: writes the row only if the guard holds. Its
 * values are those of the row, by column.
 */
export function rowIf(table: SQLiteTable, guard: SQL | undefined): SQL {
  const values = Object.values(placeholders(table));
  // Always a `where`: without one, SQLite would read an `on conflict` that follows as a join's `on`.
  return sql`select ${sql.join(values, sql`, `)} where ${guard ?? sql`true`}`;
}

/** Makes rows of a table, as D1 gives them, what the table says that they are: JSON parsed, booleans as such. */
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
