import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Kind } from "../../packages/model/src/kinds.ts";
import { type Cause, eventType, type RecordedFields, type Recorder, recorderOf } from "./event_writes.ts";
import { type ManyRows, manyRowsOf, type Owned, removeOwned } from "./many_rows.ts";
import { type Pages, pagesOf, type Weight } from "./page_statement.ts";
import {
  bare,
  bound,
  decoded,
  decoderOf,
  join,
  raw,
  sql,
  Sql,
  type Statement,
  type Value,
  type Values,
} from "./statements.ts";
import { byKey, type RowKey, newUses, type ReferringTable, useChanges } from "./uses.ts";
import { nextVersion, type Versioned } from "./versions.ts";

/** What a change does to a row, for those who compute its effect without executing it. */
type RowEffect = { kind: Kind; key: RowKey } & (
  | { verb: "insert"; values: Values }
  /** The row is inserted with the same values if it does not exist. */
  | { verb: "change"; values: Values | ((row: Values) => Values) }
  | { verb: "remove" }
);

/** Statements of one batch that change something. */
export interface Change {
  statements: Statement<unknown>[];
  /** Which of them returns the changed row. */
  main?: number;
  /** The types of the events that may be recorded. */
  records?: string[];
  /** What it does, for those who compute its effect without executing it. */
  effect?: Effect;
}

/** What a change does: to a row, or to all rules of a policy, of which columns are given. */
export type Effect = RowEffect | { verb: "replace"; policy: string; rules: Values[] };

/** A table of objects. */
export type ObjectTable = SQLiteTable & { id: SQLiteColumn; version: SQLiteColumn; edge_id?: SQLiteColumn };

/** Options for a table. */
export interface TableOptions extends Weight, RecordedFields {
  /**
   * Other effects of a change of a row, such as a new version of the object that it is part of: statements to be sent after the
   * change and its event. The first one can test `changes() > 0`: that a row was changed.
   */
  followUps?: (key: RowKey) => Sql[];
  /** The same for `count` rows that were changed by one statement, after their events. */
  followUpsOfMany?: (count: number) => Sql[];
  /** Deleted with a row. */
  owned?: Owned;
  /** For columns whose new value depends on the stored one as well: an expression of the value that is sent. */
  replacing?: Record<string, (sent: Value) => Sql>;
}

/** The statements on the rows of one table of objects, as values: a `Session` sends them. */
export interface Rows<Row> {
  decode(row: Values): Row;
  /** One row, for use in conditions; `member` is the column of a module. */
  row(key: RowKey, member?: string): Versioned;
  /** The row. */
  find(key: RowKey): Statement<Row>;
  /** Pages of a list. */
  pages: Pages;
  /** Inserts a new row, and returns nothing. */
  insert(row: Row, cause: Cause): Change;
  /** Updates the columns in `patch` and the version; returns the row. An empty patch writes nothing and returns the row. */
  change(key: RowKey, patch: Partial<Row>, cause: Cause): Change;
  /** Unsets the module in the column `member`; returns the row's version if the module was set. */
  clear(key: RowKey, member: string, cause: Cause): Change;
  /** Deletes the row and the rows that it owns; returns its id if it existed. */
  remove(key: RowKey, cause: Cause): Change;
  /** Changes of many rows as a few statements; undefined if a change of a row has other effects. */
  many?: ManyRows;
}

/**
 * The statements on the rows of `table`, which are objects of `kind`: each of their changes is recorded as an event.
 *
 * @example
 * const rows = rowsOf("bot_user", botUsers);
 * const row = await session.first(rows.find({ id }));
 */
export function rowsOf<T extends ObjectTable>(
  kind: Kind,
  table: T,
  options: TableOptions = {},
): Rows<T["$inferSelect"]> {
  const { replacing = {}, references = {}, followUps, followUpsOfMany, owned } = options;
  const user = userOf(table, options);
  const { table: plain } = user;
  const decode = decoderOf(table);
  const recorder = recorderOf(kind, user, options);
  const change = changeOf(kind, user, recorder, options);
  return {
    decode,

    row: (key, member) => versionedRow(user, key, member),

    find: (key) => decoded(sql`select * from ${plain} where ${byKey(user, key)}`, decode),

    pages: pagesOf(plain, options),

    insert(row, cause) {
      const key = keyOf(plain, row);
      const where = byKey(user, key);
      return {
        statements: [
          insertion(plain, row),
          recorder.change("created", where, cause, row),
          ...(followUps?.(key) ?? []),
          ...newUses(user, where, row),
        ],
        records: [eventType(kind, "created")],
        effect: { kind, key, verb: "insert", values: row },
      };
    },

    change(key, patch, cause) {
      if (Object.keys(patch).length === 0) return { statements: [this.find(key)], main: 0 };
      const where = byKey(user, key);
      const set = Object.entries(patch).map(([name, value]) => {
        const sent = bound(value);
        return sql`${bare(name)} = ${replacing[name]?.(sent) ?? sent}`;
      });
      return change(
        key,
        where,
        patch,
        cause,
        sql`update ${plain} set ${join([nextVersion, ...set])} where ${where} returning *`,
      );
    },

    clear(key, member, cause) {
      const where = byKey(user, key);
      return change(key, where, { [member]: null }, cause, clearing(user, where, member));
    },

    remove(key, cause) {
      const where = byKey(user, key);
      const before = [...useChanges(user, key, where, undefined).before, recorder.deletion(where, cause)];
      return {
        statements: [
          ...before,
          sql`delete from ${plain} where ${where} returning ${bare(plain.id)}`,
          ...(followUps?.(key) ?? []),
          ...removeOwned(owned, (owner) => sql`${owner} = ${key.id}`),
        ],
        main: before.length,
        records: [eventType(kind, "deleted")],
        effect: { kind, key, verb: "remove" },
      };
    },

    ...((!followUps || followUpsOfMany) &&
      !plain.edge_id &&
      !options.secrets && { many: manyRowsOf(kind, plain, references, recorder, followUpsOfMany, owned) }),
  };
}

/** The rows of a table as users of other objects, and how one of them is found. */
export const userOf = (table: ObjectTable, { references = {}, isObject }: TableOptions): ReferringTable => ({
  table,
  references,
  ...(isObject && { isObject }),
});

/** The names of a table's columns, and the statement that inserts a row, whose text is always the same. */
const insertions = new WeakMap<SQLiteTable, { names: string[]; text: string }>();

/** `insert into … values …` for a whole row. @throws if a column is missing */
export function insertion(table: SQLiteTable, row: Values): Sql {
  let known = insertions.get(table);
  if (!known) {
    const names = Object.keys(getTableColumns(table));
    const { text } =
      sql`insert into ${table} (${join(names.map(bare))}) values (${join(names.map(() => raw("?")))})`;
    known = { names, text };
    insertions.set(table, known);
  }
  const params = known.names.map((name) => bound(row[name]));
  return new Sql(known.text, params);
}

/** Adds to a statement that changes a row those that have to run with it: its event among them. */
export const changeOf =
  (kind: Kind, user: ReferringTable, recorder: Recorder, { followUps }: TableOptions) =>
  (key: RowKey, where: Sql, patch: Values, cause: Cause, sent: Sql): Change => {
    const { before, after } = useChanges(user, key, where, patch);
    const event = recorder.change("updated", where, cause, patch);
    return {
      statements: [...before, sent, event, ...(followUps?.(key) ?? []), ...after],
      main: before.length,
      records: [eventType(kind, "updated")],
      effect: { kind, key, verb: "change", values: patch },
    };
  };

/** The primary key of a row. */
const keyOf = ({ edge_id }: ObjectTable, row: Values): RowKey => ({
  id: String(row["id"]),
  ...(edge_id && { edge_id: String(row["edge_id"]) }),
});

/** One row, for use in conditions; `member` is the column of a module. */
export const versionedRow = (user: ReferringTable, key: RowKey, member?: string): Versioned => ({
  table: user.table,
  byKey: byKey(user, key),
  ...(member !== undefined && { member: columnOf(user.table, member) }),
});

/** A column by its name. @throws for a name that the table does not have */
function columnOf(table: SQLiteTable, name: string): SQLiteColumn {
  const column = getTableColumns(table)[name];
  if (!column) throw new Error(`${getTableName(table)} has no column ${name}`);
  return column;
}

/** Unsets a module, which is one column, if it is set; returns the row's version then. */
export const clearing = ({ table }: ReferringTable, where: Sql, member: string): Sql =>
  sql`update ${table} set ${bare(member)} = null, ${nextVersion} where ${where} and ${bare(member)} is not null returning "version"`;
