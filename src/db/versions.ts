import { isNotNull, and, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";

/** The next version of a row, for `set`: whatever changes what responses show sets it. */
export const next = (version: SQLiteColumn): SQL<number> => sql<number>`${version} + 1`;

/** `exists (select 1 from table where isIt and …)`: the row is there, has one of `versions` and its `member` is set. */
export const hasVersion = (
  table: SQLiteTable & { version: SQLiteColumn },
  isIt: SQL | undefined,
  versions: number[] | "any",
  member?: SQLiteColumn,
): SQL => {
  const isOneOf =
    versions === "any"
      ? member && isNotNull(member)
      : sql`${table.version} in (select value from json_each(${JSON.stringify(versions)}))`;
  return sql`exists (select 1 from ${table} where ${and(isIt, isOneOf)})`;
};
