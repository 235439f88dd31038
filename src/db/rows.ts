import { and, eq, getTableColumns, getTableName, isNotNull, notExists, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type PageQuery, pageStatement, type Weight } from "./page_statement.ts";
import {
  always,
  combined,
  decoderOf,
  draft,
  placeholders,
  placeholdersOf,
  type Guard,
  rowIf,
  type Change,
  type Statement,
  statement,
  type Values,
} from "./statements.ts";
import { newUses, type User, useChanges } from "./uses.ts";
import { next, type Versioned } from "./versions.ts";

/** A table of objects. */
export type ObjectTable = SQLiteTable & { id: SQLiteColumn; version: SQLiteColumn };

type Key = { id: string };

/** The statements on the rows of one table of objects, as values: a `Session` sends them. */
export interface Rows<Row> {
  decode(row: Values): Row;
  /** One row, for use in guards; `member` is the column of a module. */
  row(key: Key, member?: string): Versioned;
  /** The row. */
  find(key: Key): Statement<Row>;
  /**
   * The rows of a page and one more, for `pageOf`. @param origin the start of every URI, so the length of Refs depends on
   * it
   */
  page(origin: string, query: PageQuery): Statement;
  /**
   * Inserts a new row if `guard` holds; returns its id then. Without a guard, nothing can prevent it, and it returns
   * nothing.
   */
  insert(row: Row, guard: Guard): Change;
  /**
   * Updates the columns in `patch` and the version if `guard` holds; returns the row then. An empty patch writes nothing
   * and returns the row.
   */
  change(key: Key, patch: Partial<Row>, guard: Guard): Change<Row>;
  /** Unsets the module in the column `member` if it is set and `guard` holds; returns the row's version then. */
  clear(key: Key, member: string, guard: Guard): Change;
  /** Deletes the row if `guard` holds; returns its id if it existed. */
  remove(key: Key, guard: Guard): Change;
  /**
   * Deletes rows of another table that belong to the row `key`, once that is deleted: for a batch, after {@link remove}.
   */
  removeOwned(owner: SQLiteColumn, key: Key): Statement;
}

/**
 * The statements on the rows of `table`.
 *
 * @param weight how large its rows can be
 * @example
 * const rows = rowsOf(botUsers);
 * const row = await session.first(rows.find({ id }));
 */
export function rowsOf<T extends ObjectTable>(table: T, weight: Weight = {}): Rows<T["$inferSelect"]> {
  const plain: ObjectTable = table;
  const name = getTableName(table);
  const decode = decoderOf(table);
  const byKey = eq(plain.id, sql.placeholder("id"));
  const module = (column: string): SQLiteColumn => columnOf(plain, column);
  const user: User = { table: plain, name, byKey, references: weight.references ?? {} };
  return {
    decode,

    row: (key, member) => ({
      table: plain,
      byKey,
      key,
      ...(member !== undefined && { member: module(member) }),
    }),

    find: (key) => ({
      ...statement(`find ${name}`, () => draft.select().from(plain).where(byKey), key),
      decode,
    }),

    page: (origin, query) => pageStatement(plain, name, weight, origin, query),

    insert: (row, guard) => ({
      before: [],
      statement: statement(
        `insert ${name} ${guard.shape}`,
        () =>
          guard === always
            ? draft.insert(plain).values(placeholders(plain))
            : draft
                .insert(plain)
                .select(rowIf(plain, guard.sql()))
                .returning({ id: sql`${plain.id}` }),
        combined(row, guard.values),
      ),
      after: newUses(user, row),
    }),

    change(key, patch, guard) {
      const names = Object.keys(patch).toSorted();
      const isThat = () => and(byKey, guard.sql());
      const values = combined(patch, guard.values, key);
      const sent =
        names.length === 0
          ? statement(`find ${name} ${guard.shape}`, () => draft.select().from(plain).where(isThat()), values)
          : statement(
              `change ${name} ${names.join()} ${guard.shape}`,
              () =>
                draft
                  .update(plain)
                  .set({ ...placeholdersOf(plain, names), version: next(plain.version) })
                  .where(isThat())
                  .returning(),
              values,
            );
      return { ...useChanges(user, key, patch, guard), statement: { ...sent, decode } };
    },

    clear: (key, member, guard) => clearing(user, key, module(member), guard),

    remove: (key, guard) => ({
      ...useChanges(user, key, undefined, guard),
      statement: statement(
        `remove ${name} ${guard.shape}`,
        () => draft.delete(plain).where(and(byKey, guard.sql())).returning({ id: plain.id }),
        combined(key, guard.values),
      ),
    }),

    removeOwned: (owner, key) =>
      statement(
        `remove owned ${getTableName(owner.table)} of ${name}`,
        () =>
          draft
            .delete(owner.table)
            .where(
              and(
                eq(owner, sql.placeholder("id")),
                notExists(draft.select({ id: plain.id }).from(plain).where(byKey)),
              ),
            ),
        key,
      ),
  };
}

/** A column by its name. @throws for a name that the table does not have */
export function columnOf(table: SQLiteTable, name: string): SQLiteColumn {
  const column = getTableColumns(table)[name];
  if (!column) throw new Error(`${getTableName(table)} has no column ${name}`);
  return column;
}

/** Unsets a module, which is one column, if it is set and `guard` holds; returns the row's version then. */
export const clearing = (user: User, key: Values, member: SQLiteColumn, guard: Guard): Change => ({
  ...useChanges(user, key, { [member.name]: null }, guard),
  statement: statement(
    `clear ${user.name} ${member.name} ${guard.shape}`,
    () =>
      draft
        .update(user.table)
        .set({ [member.name]: sql`null`, version: next(user.table.version) })
        .where(and(user.byKey, isNotNull(member), guard.sql()))
        .returning({ version: user.table.version }),
    combined(key, guard.values),
  ),
});
