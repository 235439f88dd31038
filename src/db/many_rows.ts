import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Kind } from "../../packages/model/src/kinds.ts";
import { type Cause, eventType, type Recorder } from "./event_writes.ts";
import { and, bare, bound, join, raw, sql, type Sql, type Values } from "./statements.ts";
import { releaseAll, type ReferringTable, useAll } from "./uses.ts";
import { nextVersion } from "./versions.ts";

/*
 * Changes of many rows of one table, each of which is the same except for its values: one statement of each sort, whatever the
 * number of rows. Values come as one JSON list, with an object of column values for each row.
 */

/** The kind of change of each row. */
export type RowVerb = "insert" | "change" | "remove";

/**
 * Changes many rows.
 *
 * @param columns of the items, in addition to the id: all of the table for `insert`, those to be changed for `change`
 * @returns statements for one batch, which of them returns `id` and `version` of each row that it changed, and the type of the
 * events
 */
export type ManyRows = (
  verb: RowVerb,
  columns: string[],
  items: Values[],
  cause: Cause,
) => { statements: Sql[]; changing: number; event: string };

type Table = SQLiteTable & { id: SQLiteColumn; version: SQLiteColumn };

/** Objects of another table that belong to those of a table, and are deleted with them. */
export interface Owned {
  table: ReferringTable["table"];
  /** The column with the id of the object that they belong to. */
  owner: SQLiteColumn;
  references?: ReferringTable["references"];
  /** Which of the rows are objects: see `Weight`. */
  isObject?: Sql;
}

/**
 * Deletes the owned objects of some rows. No statement if nothing is owned.
 *
 * @param isTheirs whether an owned row belongs to one of the rows
 */
export function removeOwned(owned: Owned | undefined, isTheirs: (owner: SQLiteColumn) => Sql): Sql[] {
  if (!owned) return [];
  const { table, owner, references = {}, isObject } = owned;
  const where = and(isTheirs(owner), isObject);
  const columns = Object.keys(references);
  const removal = sql`delete from ${table} where ${where}`;
  return columns.length === 0 ? [removal] : [releaseAll({ table, references }, where, columns), removal];
}

/** One value of an item. */
const value = (name: string): Sql => raw(`item.value ->> '$.${name}'`);

/** The statements that change many rows of `table`, objects of `kind`. */
export function manyRowsOf(
  kind: Kind,
  table: Table,
  references: ReferringTable["references"],
  recorder: Recorder,
  followUps: (count: number) => Sql[] = () => [],
  owned?: Owned,
): ManyRows {
  const user: ReferringTable = { table, references };
  return (verb, columns, given, cause) => {
    const items = JSON.stringify(given.map(encoded));
    const isAmong = (id: SQLiteColumn): Sql =>
      sql`${id} in (select ${value("id")} from json_each(${items}) as item)`;
    const changed = Object.keys(references).filter((column) => verb === "remove" || columns.includes(column));
    const isReferring = changed.length > 0;
    const event = recorder.many(verbs[verb], items, cause);
    const release = isReferring && verb !== "insert" ? [releaseAll(user, isAmong(table.id), changed)] : [];
    const use = isReferring && verb !== "remove" ? [useAll(user, isAmong(table.id), changed)] : [];
    const before = verb === "remove" ? [...release, event] : release;
    const after = verb === "remove" ? removeOwned(owned, isAmong) : [event, ...use];
    return {
      statements: [...before, changing(verb, table, columns, items), ...after, ...followUps(given.length)],
      changing: before.length,
      event: eventType(kind, verbs[verb]),
    };
  };
}

const verbs = { insert: "created", change: "updated", remove: "deleted" } as const;

const returned = raw(`returning "id", "version"`);

/** The statement that changes the rows; returns `id` and `version` of each. */
function changing(verb: RowVerb, table: Table, columns: string[], items: string): Sql {
  const names = columns.toSorted();
  const each = sql`json_each(${items}) as item`;
  if (verb === "remove")
    return sql`delete from ${table} where ${table.id} in (select ${value("id")} from ${each}) ${returned}`;
  if (verb === "insert")
    return sql`insert into ${table} (${join(names.map(bare))})
      select ${join(names.map(value))} from ${each} where true order by item.key ${returned}`;
  const set = names.map((name) => sql`${bare(name)} = ${value(name)}`);
  return sql`update ${table} set ${join([...set, nextVersion])} from ${each} where ${table.id} = ${value("id")} ${returned}`;
}

/** An item with each value as the database stores it. */
const encoded = (item: Values): Values =>
  Object.fromEntries(Object.entries(item).map(([name, given]) => [name, bound(given)]));
