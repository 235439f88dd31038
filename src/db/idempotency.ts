import { idempotencyRecords as table } from "./internal_schema.ts";
import { raw, sql, type Sql, type Values } from "./statements.ts";
import type { Versioned } from "./versions.ts";

type IdempotencyRecord = typeof table.$inferSelect;

const DAY_MILLISECONDS = 86_400_000;

/** The day of an instant (milliseconds since the Unix epoch), by which records are stored. */
export const dayOf = (now: number): number => Math.floor(now / DAY_MILLISECONDS);

/** A record, before an attempt to write it. */
export type NewRecord = Omit<IdempotencyRecord, "attempt">;

/**
 * The live record of a key: less than 24 hours old, so of today or yesterday; or of tomorrow, if the clock that made it was
 * ahead or the batch arrives late.
 */
const isLive = ({ day, key_sha256, created_at }: NewRecord): Sql =>
  sql`${table.day} in (${day - 1}, ${day}, ${day + 1}) and ${table.key_sha256} = ${key_sha256} and ${table.created_at} > ${created_at - DAY_MILLISECONDS}`;

/**
 * The statements of one attempt at a batch that takes effect once per key. `write` inserts the record if there is no live
 * one. The batch then requires `isRecorded`: that this very attempt inserted the record. `read` returns the record if the batch
 * ended. So if an attempt's response was lost, or it arrives late, it has no effect after another attempt, even if the new
 * object was deleted in the meantime.
 *
 * @param changed the row that the batch changes, if the response has its next version; else that in `recorded` is kept
 */
export function once(recorded: NewRecord, changed?: Versioned): { write: Sql; isRecorded: Sql; read: Sql } {
  const { day, key_sha256 } = recorded;
  const attempt = crypto.randomUUID();
  const version = changed
    ? sql`coalesce((select version + 1 from ${changed.table} where ${changed.byKey}), 0)`
    : sql`${recorded.version}`;
  const { created_at, request_sha256, object_id, response } = recorded;
  return {
    write: sql`insert into ${table} (day, key_sha256, request_sha256, created_at, object_id, version, response, attempt)
      select ${day}, ${key_sha256}, ${request_sha256}, ${created_at}, ${object_id}, ${version}, ${response}, ${attempt}
      where not exists (select 1 from ${table} where ${isLive(recorded)})`,
    isRecorded: sql`exists (select 1 from ${table} where ${table.day} = ${day} and ${table.key_sha256} = ${key_sha256} and ${table.attempt} = ${attempt})`,
    read: sql`select object_id, request_sha256, version, response, response ->> 'uri' as uri from ${table} where ${isLive(recorded)}`,
  };
}

/** A record, as {@link once} reads it. */
export interface StoredRecord {
  object_id: string;
  request_sha256: string;
  version: number;
  response: string;
  uri: string;
}

/** The record in the rows that `read` of {@link once} returned. */
export const recordIn = ([row]: Values[]): StoredRecord | undefined =>
  row && {
    object_id: String(row["object_id"]),
    request_sha256: String(row["request_sha256"]),
    version: Number(row["version"]),
    response: String(row["response"]),
    uri: String(row["uri"]),
  };

/** Records deleted per statement. */
export const RECORDS_SWEPT_AT_ONCE = 200;

/** Deletes the oldest of the expired records, and returns a row for each. */
export const sweepRecords = (now: number): Sql =>
  sql`delete from ${table} where (day, key_sha256) in (
    select day, key_sha256 from ${table} where day < ${dayOf(now) - 1} order by day limit ${raw(RECORDS_SWEPT_AT_ONCE)}) returning day`;
