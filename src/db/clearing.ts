import { and, getTableName, isNotNull, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { draft, type Guard, type Statement, statement, type Values } from "./statements.ts";
import { next } from "./versions.ts";

/** What came of unsetting a module. */
export interface Cleared<Row> {
  /** False when it was not set, or the guard did not hold, or there is no row. */
  isCleared: boolean;
  /** The row as it is now: seen by the same batch, so what it shows is also why nothing was written. */
  row: Row | undefined;
}

/**
 * Unsets the module in `column` of the row that `isIt` finds, by the values of `key`, if it is set and `guard` holds; gives
 * the row's version then. A module that is not set moves no version.
 */
export const clearing = (
  table: SQLiteTable & { version: SQLiteColumn },
  isIt: SQL | undefined,
  column: SQLiteColumn,
  guard: Guard,
  key: Values,
): Statement =>
  statement(
    `clear ${getTableName(table)} ${column.name} ${guard.shape}`,
    () =>
      draft
        .update(table)
        .set({ [column.name]: sql`null`, version: next(table.version) })
        .where(and(isIt, isNotNull(column), guard.sql()))
        .returning({ version: table.version }),
    { ...key, ...guard.values },
  );
