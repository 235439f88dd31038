import { sql } from "drizzle-orm";
import { index, integer, type SQLiteColumn, text } from "drizzle-orm/sqlite-core";

/*
 * Columns and indexes that tables of objects share.
 */

/** First columns of every table of objects. */
export const identity = { id: text().primaryKey(), created_at: text().notNull() };
/** Last, because it was added to existing tables. */
export const version = integer().notNull().default(1);
/** What people and programs write about an object. */
export const texts = { description: text(), metadata: text() };
/** A column with JSON. */
export const json = () => text({ mode: "json" });

/** Which rows an index on `metadata` has. Backends can have longer metadata, which no list can be filtered by. */
export const SHORT_METADATA = "octet_length(metadata) <= 4096";

/** Finds rows by their metadata. */
export const metadataIndex = (name: string, ...columns: [SQLiteColumn, ...SQLiteColumn[]]) =>
  index(`${name}_metadata`)
    .on(...columns)
    .where(sql.raw(SHORT_METADATA));
