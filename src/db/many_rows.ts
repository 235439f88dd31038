import { and, eq, getTableColumns, getTableName, inArray, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Kind } from "../kinds.ts";
import { type Cause, eventType, recordMany, type Recorded } from "./events.ts";
import { draft, raw, type Statement, statement, type Values } from "./statements.ts";
import { releaseAll, type User, useAll } from "./uses.ts";

/*
 * Changes of many rows of one table, each of which is the same but for its values: one statement of each sort, whatever the
 * number of rows. Values come as one JSON list, `items`, with an object of column values for each row.
 */

/** What is done to each row. */
export type RowVerb = "insert" | "change" | "remove";

/**
 * Changes many rows.
 *
 * @param columns of the items, besides the id: all of the table for `insert`, those to be changed for `change`
 * @returns statements for one batch, which of them returns `id` and `version` of each row that it changed, and the type of the
 * events
 */
export type ManyRows = (
  verb: RowVerb,
  columns: string[],
  items: Values[],
  cause: Cause,
) => { statements: Statement[]; changing: number; event: string };

type Table = SQLiteTable & { id: SQLiteColumn; version: SQLiteColumn };

/** Objects of another table that belong to those of a table, and are deleted with them. */
export interface Owned {
  table: User["table"];
  /** The column with the id of the object that they belong to. */
  owner: SQLiteColumn;
  references?: User["references"];
  /** Which of the rows are objects: see `Weight`. */
  isObject?: SQL;
}

/**
 * Deletes the owned objects of some rows, once those are deleted. No statement if nothing is owned.
 *
 * @param name names the rows
 * @param isTheirs whether an owned row belongs to one of them
 */
export function removeOwned(
  owned: Owned | undefined,
  name: string,
  isTheirs: (owner: SQLiteColumn) => SQL | undefined,
  values: Values,
): Statement[] {
  if (!owned) return [];
  const { table, owner, references = {}, isObject } = owned;
  const byKey = and(isTheirs(owner), isObject);
  const removal = statement(
    `remove owned ${getTableName(table)} of ${name}`,
    () => draft.delete(table).where(byKey),
    values,
  );
  const user = { table, name: getTableName(table), byKey, references };
  return Object.keys(references).length === 0 ? [removal] : [releaseAll(user, `of ${name}`, values), removal];
}

/** The items of a statement. */
const items = sql`json_each(${sql.placeholder("items")}) as item`;
/** One value of an item. */
const value = (name: string): SQL => sql`item.value ->> ${sql.raw(`'$.${name}'`)}`;

/** The statements that change many rows of `table`, objects of `kind`. */
export function manyRowsOf(
  kind: Kind,
  table: Table,
  references: User["references"],
  recorded: Recorded,
  followUps: (count: number) => Statement[] = () => [],
  owned?: Owned,
): ManyRows {
  const all = getTableColumns(table);
  const isAmong = (id: SQLiteColumn): SQL => inArray(id, sql`(select ${value("id")} from ${items})`);
  const isOne = isAmong(table.id);
  const user: User = { table, name: `many ${kind}`, byKey: isOne, references };
  return (verb, columns, given, cause) => {
    const values = { items: JSON.stringify(given.map((item) => encoded(all, item))) };
    const changed = Object.keys(references).filter((column) => verb === "remove" || columns.includes(column));
    const isReferring = changed.length > 0;
    const event = recordMany(kind, verbs[verb], table, recorded, values, cause);
    const release =
      isReferring && verb !== "insert"
        ? [releaseAll({ ...user, references: pick(references, changed) }, changed.join(), values)]
        : [];
    const change = changing(verb, table, kind, columns, values);
    const use = isReferring && verb !== "remove" ? [useAll(user, changed, values)] : [];
    const before = verb === "remove" ? [...release, event] : release;
    const after = verb === "remove" ? removeOwned(owned, `many ${kind}`, isAmong, values) : [event, ...use];
    return {
      statements: [...before, change, ...after, ...followUps(given.length)],
      changing: before.length,
      event: eventType(kind, verbs[verb]),
    };
  };
}

const verbs = { insert: "created", change: "updated", remove: "deleted" } as const;

const pick = (references: User["references"], names: string[]): User["references"] =>
  Object.fromEntries(Object.entries(references).filter(([name]) => names.includes(name)));

/** The statement that changes the rows; returns `id` and `version` of each. */
function changing(verb: RowVerb, table: Table, kind: Kind, columns: string[], values: Values): Statement {
  const names = columns.toSorted();
  const list = (some: SQL[]): SQL => sql.join(some, sql`, `);
  const returned = sql`returning ${sql.identifier("id")}, ${sql.identifier("version")}`;
  return statement(
    `${verb} many ${kind} ${names.join()}`,
    () => {
      if (verb === "remove")
        return raw(
          sql`delete from ${table} where ${table.id} in (select ${value("id")} from ${items}) ${returned}`,
        );
      if (verb === "insert")
        return raw(sql`insert into ${table} (${list(names.map((name) => sql`${sql.identifier(name)}`))})
          select ${list(names.map(value))} from ${items} where true order by item.key ${returned}`);
      const set = names.map((name) => sql`${sql.identifier(name)} = ${value(name)}`);
      return raw(sql`update ${table} set ${list([...set, sql`${sql.identifier("version")} = ${table.version} + 1`])}
        from ${items} where ${eq(table.id, value("id"))} ${returned}`);
    },
    values,
  );
}

/** An item with each value as the database stores it. */
function encoded(columns: Record<string, SQLiteColumn>, item: Values): Values {
  return Object.fromEntries(
    Object.entries(item).map(([name, given]) => {
      const column = columns[name];
      return [name, column === undefined || given === null ? given : column.mapToDriverValue(given)];
    }),
  );
}
