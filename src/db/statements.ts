import { getTableColumns, type InferSelectModel, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./database.ts";

/**
 * `select <the row's values> where <guard>`, for `insert(table).select(…)`: writes the row only if the guard holds
 * at that moment, so that nothing can come between the check and the write.
 */
export function rowIf<T extends SQLiteTable>(
  table: T,
  row: InferSelectModel<T>,
  guard: SQL | undefined,
): SQL {
  const given = new Map(Object.entries(row));
  const values = Object.entries(getTableColumns(table)).map(
    ([name, column]) => sql`${sql.param(given.get(name) ?? null, column)}`,
  );
  // Always a `where`: without one, SQLite would read an `on conflict` that follows as a join's `on`.
  return sql`select ${sql.join(values, sql`, `)} where ${guard ?? sql`true`}`;
}

/** Inserts a new object's row if the guard holds. Gives its id if it was written. */
export const insertIf = <T extends SQLiteTable & { id: SQLiteColumn }>(
  db: Database,
  table: T,
  row: InferSelectModel<T>,
  guard: SQL | undefined,
) =>
  db
    .insert(table)
    .select(rowIf(table, row, guard))
    .returning({ id: sql<string>`${table.id}` });

/** True for a PATCH that names no member: there is nothing to write. */
export const isEmpty = (patch: object): boolean => Object.keys(patch).length === 0;

/** Keeps what was created before the object `id`, which need not exist any more; everything when it is left out. */
export const olderThan = (column: SQLiteColumn, id: string | undefined): SQL | undefined =>
  id === undefined ? undefined : lt(column, id);
