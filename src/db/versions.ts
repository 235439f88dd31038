import { and, isNotNull, not, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { epochQuery } from "./epoch.ts";
import { always, type Guard, type Values } from "./statements.ts";

/** The next version of a row, for `set`: to be included in every change to what responses show. */
export const next = (version: SQLiteColumn): SQL<number> => sql<number>`${version} + 1`;

/** Versions to compare a row's with, as `<epoch>-<version>`; "any" for all, undefined without a condition. */
type Versions = string[] | "any" | undefined;

const epoch = sql.raw(`(${epochQuery.text})`);

/** A row that conditions on versions apply to. */
export interface Versioned {
  table: SQLiteTable & { version: SQLiteColumn };
  /** Names the table, and which of its rows are meant. */
  name: string;
  /** Finds the row, by placeholders for `key`. */
  byKey: SQL | undefined;
  key: Values;
  /** The column of the module that is to be changed: "any" matches only if it is set. */
  member?: SQLiteColumn;
}

/** Guard: the row exists. */
export const isThere = ({ table, name, byKey, key }: Versioned): Guard => ({
  shape: `${name} there`,
  sql: () => sql`exists (select 1 from ${table} where ${byKey})`,
  values: key,
});

/** Guard: the row has one of the versions `wanted`, if that is given, and none of `unwanted`. */
export function hasVersion(
  { table, name, byKey, key, member }: Versioned,
  wanted: Versions,
  unwanted: Versions,
): Guard {
  if (wanted === undefined && unwanted === undefined) return always;
  const isOneOf = (values: string, versions: Versions): SQL | undefined => {
    if (versions === undefined) return undefined;
    const isNamed =
      versions === "any"
        ? member && isNotNull(member)
        : sql`${epoch} || '-' || ${table.version} in (select value from json_each(${sql.placeholder(values)}))`;
    return sql`exists (select 1 from ${table} where ${and(byKey, isNamed)})`;
  };
  const form = (versions: Versions) => (Array.isArray(versions) ? "some" : versions);
  return {
    shape: `${name} wanted ${form(wanted)}, unwanted ${form(unwanted)} ${member?.name}`,
    sql: () => {
      const unmet = isOneOf("unwanted", unwanted);
      return and(isOneOf("wanted", wanted), unmet && not(unmet));
    },
    values: { ...key, wanted: JSON.stringify(wanted), unwanted: JSON.stringify(unwanted) },
  };
}

/** Guard: the module in the row's column `member` is not set, or there is no row. */
export const isUnset = ({ table, name, byKey, key, member }: Versioned): Guard => ({
  shape: `${name} ${member?.name} unset`,
  sql: () => sql`not exists (select 1 from ${table} where ${and(byKey, member && isNotNull(member))})`,
  values: key,
});
