import { getTableColumns, getTableName, is } from "drizzle-orm";
import { type SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { asRow } from "./unchecked.ts";

/*
 * SQL as values. A statement is written with the tag `sql`: tables and columns of the schema become names, other fragments
 * become part of the SQL text, and everything else becomes a parameter. Strings from a request never become part of the text.
 *
 * Drizzle provides the schema, the migrations and the types of rows. Its query builder takes many times as long as everything
 * else in a request, so SQL is written with this tag instead.
 */

/** A value that D1 binds; booleans become 1 and 0. */
export type Value = string | number | boolean | null;

/** A row as D1 returns it, or values by column. */
export type Values = Record<string, unknown>;

/** A statement, ready to send: see `Session` in `session.ts`. */
export interface Statement<Row = Values> {
  text: string;
  params: Value[];
  /** Converts a row as D1 returns it to the type that the table declares. */
  decode: (row: Values) => Row;
}

/** A fragment of SQL, or a whole statement. */
export class Sql implements Statement {
  readonly text: string;
  readonly params: Value[];

  constructor(text: string, params: Value[]) {
    this.text = text;
    this.params = params;
  }

  decode(row: Values): Values {
    return row;
  }
}

/** The parts of a template: a fragment, a table, a column, or a value to be bound. */
type Part = Sql | SQLiteTable | SQLiteColumn | Value;

/**
 * SQL with its values in place.
 *
 * @example
 * sql`select * from ${botUsers} where ${botUsers.id} = ${id}`
 */
export function sql(strings: TemplateStringsArray, ...parts: Part[]): Sql {
  let text = strings[0] ?? "";
  let next = 1;
  const params: Value[] = [];
  for (const part of parts) {
    if (part instanceof Sql) {
      text += part.text;
      for (const param of part.params) params.push(param);
    } else if (typeof part === "object" && part !== null) {
      text += nameOf(part);
    } else {
      text += "?";
      params.push(part);
    }
    text += strings[next++] ?? "";
  }
  return new Sql(text, params);
}

/** Names of tables and columns as they appear in SQL. */
const names = new WeakMap<object, string>();

function nameOf(named: SQLiteTable | SQLiteColumn): string {
  const known = names.get(named);
  if (known !== undefined) return known;
  const name = is(named, SQLiteTable)
    ? `"${getTableName(named)}"`
    : `"${getTableName(named.table)}"."${named.name}"`;
  names.set(named, name);
  return name;
}

/** SQL text that this service wrote: a number, a name, a list of constants. Never a string from a request. */
export const raw = (text: string | number): Sql => new Sql(String(text), []);

/** A column's name without its table, for places where SQL does not accept the table: `set`, and the columns of an `insert`. */
export const bare = (column: SQLiteColumn | string): Sql =>
  raw(`"${typeof column === "string" ? column : column.name}"`);

/** Fragments with a separator between them. */
export function join(fragments: Sql[], separator = ", "): Sql {
  if (fragments.length === 1 && fragments[0]) return fragments[0];
  return new Sql(
    fragments.map(({ text }) => text).join(separator),
    fragments.flatMap(({ params }) => params),
  );
}

/** A condition inside a statement; undefined if it is always true. */
export type Condition = Sql | undefined;

/** True if all of `conditions` are true. A condition with an `or` needs parentheses. */
export const and = (...conditions: Condition[]): Sql => {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0 ? sql`true` : join(given, " and ");
};

/** Adds a decoder to a statement. */
export const decoded = <Row>({ text, params }: Sql, decode: (row: Values) => Row): Statement<Row> => ({
  text,
  params,
  decode,
});

/** A value as a column stores it: objects and lists as JSON. @throws for a value that is missing */
export function bound(value: unknown): Value {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  if (typeof value !== "object") throw new Error(`a ${typeof value} cannot be stored`);
  return JSON.stringify(value);
}

/** Makes a constant on its first use: only some requests need it, and a cold start should not pay for it. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Converts rows as D1 returns them to the type that the table declares: parses JSON, makes booleans of integers. */
export function decoderOf<T extends SQLiteTable>(table: T): (row: Values) => T["$inferSelect"] {
  const namesOf = (type: string) => () =>
    Object.entries(getTableColumns(table)).flatMap(([name, { dataType }]) =>
      dataType === type ? [name] : [],
    );
  const [jsonNames, booleanNames] = [lazy(namesOf("json")), lazy(namesOf("boolean"))];
  return (row) => {
    for (const name of jsonNames()) {
      const text = row[name];
      if (typeof text === "string") row[name] = JSON.parse(text);
    }
    for (const name of booleanNames()) if (row[name] !== null) row[name] = row[name] === 1;
    return asRow<T["$inferSelect"]>(row);
  };
}
