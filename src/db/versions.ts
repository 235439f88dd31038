import { and, isNotNull, not, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { epochQuery } from "./epoch.ts";
import type { Guard } from "./statements.ts";

/** The next version of a row, for `set`: whatever changes what responses show sets it. */
export const next = (version: SQLiteColumn): SQL<number> => sql<number>`${version} + 1`;

/** Versions that a row may have, as `<epoch>-<version>`; "any" for all, undefined where nothing is asked. */
type Versions = string[] | "any" | undefined;

const epoch = sql.raw(`(${epochQuery.text})`);

/** Where the versions are that conditions ask for. */
export interface Versioning {
  table: SQLiteTable & { version: SQLiteColumn };
  /** Finds the row, by placeholders that the statement fills in anyway. */
  isIt: SQL | undefined;
  /** The column of the module that is to be changed: only with it is there anything for "any". */
  member?: SQLiteColumn;
}

/** Guard: the row is there and has one of the versions `wanted`, and none of `unwanted`. */
export function hasVersion(
  { table, isIt, member }: Versioning,
  wanted: Versions,
  unwanted: Versions,
): Guard | undefined {
  if (wanted === undefined && unwanted === undefined) return undefined;
  const isThere = (name: string, versions: Versions): SQL | undefined => {
    if (versions === undefined) return undefined;
    const isOne =
      versions === "any"
        ? member && isNotNull(member)
        : sql`${epoch} || '-' || ${table.version} in (select value from json_each(${sql.placeholder(name)}))`;
    return sql`exists (select 1 from ${table} where ${and(isIt, isOne)})`;
  };
  const form = (versions: Versions) => (Array.isArray(versions) ? "some" : versions);
  return {
    shape: `wanted ${form(wanted)}, unwanted ${form(unwanted)} ${member?.name}`,
    sql: () => {
      const unmet = isThere("unwanted", unwanted);
      return and(isThere("wanted", wanted), unmet && not(unmet));
    },
    values: { wanted: JSON.stringify(wanted), unwanted: JSON.stringify(unwanted) },
  };
}
