import { and, eq, getTableName, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { clearing, columnOf } from "./rows.ts";
import {
  combined,
  decoderOf,
  draft,
  placeholdersOf,
  type Guard,
  rowIf,
  type Change,
  type Statement,
  statement,
} from "./statements.ts";
import { type References, type User, useChanges } from "./uses.ts";
import { next, type Versioned } from "./versions.ts";

/**
 * The statements on a table of modules whose edges or routes are managed elsewhere: any of these is assumed to exist, and
 * its row is inserted when a module is first set.
 *
 * @param keys the columns of the primary key
 * @param unset the values of a row with no modules set
 */
export function keptModulesOf<
  T extends SQLiteTable & { id: SQLiteColumn; version: SQLiteColumn },
  Key extends Record<string, string>,
>(
  table: T,
  keys: SQLiteColumn[],
  unset: Omit<T["$inferSelect"], keyof Key | "version">,
  references: References = {},
) {
  type Row = T["$inferSelect"];
  const plain: User["table"] = table;
  const name = getTableName(table);
  const decode = decoderOf(table);
  const byKey = and(...keys.map((key) => eq(key, sql.placeholder(key.name))));
  const module = (column: string): SQLiteColumn => columnOf(plain, column);
  const user: User = { table: plain, name, byKey, references };
  return {
    /** One row, for use in guards. */
    row: (key: Key, member?: string): Versioned => ({
      table: plain,
      byKey,
      key,
      ...(member !== undefined && { member: module(member) }),
    }),

    /** The row, if a module has ever been set. */
    find: (key: Key): Statement<Row> => ({
      ...statement(`find ${name}`, () => draft.select().from(plain).where(byKey), key),
      decode,
    }),

    /** Sets the modules in `patch` if `guard` holds; returns the row then. */
    change(key: Key, patch: Partial<Row>, guard: Guard): Change<Row> {
      const names = Object.keys(patch).toSorted();
      const sent = statement(
        `set ${name} ${names.join()} ${guard.shape}`,
        () =>
          draft
            .insert(plain)
            .select(rowIf(plain, guard.sql()))
            .onConflictDoUpdate({
              target: keys,
              set: { ...placeholdersOf(plain, names), version: next(plain.version) },
            })
            .returning(),
        combined({ ...unset, ...patch, version: 1 }, key, guard.values),
      );
      return { ...useChanges(user, key, patch, guard), statement: { ...sent, decode } };
    },

    /** Unsets the module in the column `member` if it is set and `guard` holds; returns the row's version then. */
    clear: (key: Key, member: string, guard: Guard): Change => clearing(user, key, module(member), guard),
  };
}
