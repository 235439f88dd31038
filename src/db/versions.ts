import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { epochQuery } from "./session.ts";
import { and, bare, type Condition, raw, sql, type Sql } from "./statements.ts";

/** Increments the version of a row, in `set`: part of every change that responses show. */
export const nextVersion = raw(`"version" = "version" + 1`);

/** Versions to compare a row's with, as `<epoch>-<version>`; "any" for all, undefined without a condition. */
type Versions = string[] | "any" | undefined;

const epoch = raw(`(${epochQuery.text})`);

/** A row that conditions on versions apply to. */
export interface Versioned {
  table: SQLiteTable & { version: SQLiteColumn };
  /** Finds the row. */
  byKey: Sql;
  /** The column of the module that is to be changed: "any" matches only if it is set. */
  member?: SQLiteColumn;
}

/** The row exists. */
export const rowExists = ({ table, byKey }: Versioned): Sql =>
  sql`exists (select 1 from ${table} where ${byKey})`;

/** The row has one of the versions `wanted`, if these are given, and none of `unwanted`. */
export function hasVersion(row: Versioned, wanted: Versions, unwanted: Versions): Condition {
  if (wanted === undefined && unwanted === undefined) return undefined;
  const isUnwanted = isOneOf(row, unwanted);
  return and(isOneOf(row, wanted), isUnwanted && sql`not ${isUnwanted}`);
}

function isOneOf({ table, byKey, member }: Versioned, versions: Versions): Condition {
  if (versions === undefined) return undefined;
  const isNamed =
    versions === "any"
      ? member && sql`${bare(member)} is not null`
      : sql`${epoch} || '-' || "version" in (select value from json_each(${JSON.stringify(versions)}))`;
  return sql`exists (select 1 from ${table} where ${and(byKey, isNamed)})`;
}
