import { and, type Column, getTableColumns, is, Param, Placeholder, type SQL, sql } from "drizzle-orm";
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";

/*
 * Statements whose SQL text is written once. Drizzle writes it, which takes many times as long as all else that a
 * request does; what differs from one request to the next are parameters.
 */

/** A statement, ready to be sent. */
export interface Statement {
  text: string;
  params: unknown[];
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

/** Holds when all of `guards` do. */
export function allOf(...guards: Guard[]): Guard {
  const asked = guards.filter((guard) => guard !== always);
  const [first = always] = asked;
  if (asked.length < 2) return first;
  return {
    shape: asked.map(({ shape }) => shape).join("; "),
    sql: () => and(...asked.map((guard) => guard.sql())),
    values: Object.fromEntries(asked.flatMap(({ values }) => Object.entries(values))),
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

/** A text, and where each of its parameters comes from. */
interface Written {
  text: string;
  params: ((values: Values) => unknown)[];
}

/** Texts by shape. There are some hundreds in use; who makes up others does not fill the memory. */
const written = new Map<string, Written>();
const MOST_WRITTEN = 2_000;

/**
 * A statement of a shape: its text is what `write` makes the first time, from then on only `values` are filled in.
 *
 * @param shape names everything that the text depends on
 */
export function statement(shape: string, write: () => { toSQL(): Query }, values: Values): Statement {
  let known = written.get(shape);
  if (!known) {
    if (written.size >= MOST_WRITTEN) written.clear();
    const { sql: text, params } = write().toSQL();
    known = { text, params: params.map(sourceOf) };
    written.set(shape, known);
  }
  return { text: known.text, params: known.params.map((source) => source(values)) };
}

/** A statement that gives one row if `guard` holds, else none. */
export const ifHolds = (guard: Guard): Statement =>
  statement(
    `if ${guard.shape}`,
    () =>
      draft
        .select({ one: sql`1` })
        .from(sql`(select 1)`)
        .where(guard.sql()),
    guard.values,
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
export const given = (name: string, column: SQLiteColumn): SQL =>
  sql`${sql.param(sql.placeholder(name), column)}`;

/** Placeholders for all columns of a table, by column. */
export const givenAll = (table: SQLiteTable): Record<string, SQL> =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([name, column]) => [name, given(name, column)]),
  );

/**
 * `select <a row's values> where <guard>`, for `insert(table).select(…)`: writes the row only if the guard holds. Its
 * values are those of the row, by column.
 */
export function rowIf(table: SQLiteTable, guard: SQL | undefined): SQL {
  const values = Object.values(givenAll(table));
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
    if (!isRowOf(table, row)) throw new Error("a row of another table");
    return row;
  };
}

/** D1 gives rows without their type. The schema has it, which test/schema.test.ts holds the tables to. */
const isRowOf = <T extends SQLiteTable>(_: T, row: Values): row is T["$inferSelect"] => "id" in row;
