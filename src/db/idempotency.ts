import { and, eq, exists, getTableName, gt, inArray, notExists, type SQL, sql } from "drizzle-orm";
import { idempotencyRecords as table } from "./schema.ts";
import {
  always,
  combined,
  draft,
  type Guard,
  raw,
  rowIf,
  type Statement,
  statement,
  type Values,
} from "./statements.ts";
import { next, type Versioned } from "./versions.ts";

type IdempotencyRecord = typeof table.$inferSelect;

const DAY_MILLISECONDS = 86_400_000;

/** The day of an instant (milliseconds since the Unix epoch), by which records are stored. */
export const dayOf = (now: number): number => Math.floor(now / DAY_MILLISECONDS);

/** A record, before an attempt to write it. */
export type Recorded = Omit<IdempotencyRecord, "attempt">;

/**
 * The live record of a key: less than 24 hours old, so of today or yesterday; or of tomorrow, if the clock that made it was
 * ahead or the batch arrives late.
 */
const isLive = and(
  inArray(table.day, [sql.placeholder("yesterday"), sql.placeholder("day"), sql.placeholder("tomorrow")]),
  eq(table.key_sha256, sql.placeholder("key_sha256")),
  gt(table.created_at, sql.placeholder("dead_at")),
);

/** The record that this attempt wrote. */
const isOurs = and(
  eq(table.day, sql.placeholder("day")),
  eq(table.key_sha256, sql.placeholder("key_sha256")),
  eq(table.attempt, sql.placeholder("attempt")),
);

const recordThat = (condition: SQL | undefined) =>
  draft
    .select({ one: sql`1` })
    .from(table)
    .where(condition);

/** `value` if another request wrote the record, else NULL. */
const theirs = (value: SQL | typeof table.response) =>
  sql`case when ${table.object_id} = ${sql.placeholder("object_id")} then null else ${value} end`;

const nextVersionOf = ({ table: owner, byKey }: Versioned): SQL =>
  sql`(select ${next(owner.version)} from ${owner} where ${byKey})`;

/**
 * The statements of one attempt at a batch that takes effect once per key. `write` inserts the record if there is no live
 * one and `guard` holds. The batch itself requires `isRecorded`: that this very attempt inserted the record. `read` returns
 * the record, whoever wrote it (its response, and the URI in it, only if another request did). So an attempt whose response
 * was lost, or that arrives late, has no effect beside another one, even if the new object was deleted in the meantime.
 *
 * @param mayRead required for reading the record
 * @param changed the row that the batch changes, if the response has its next version; else that in `recorded` is kept
 */
export function once(
  recorded: Recorded,
  guard: Guard,
  mayRead: Guard = always,
  changed?: Versioned,
): { write: Statement; isRecorded: Guard; read: Statement } {
  const { day, key_sha256, created_at, object_id } = recorded;
  const attempt = crypto.randomUUID();
  const lookup = {
    key_sha256,
    day,
    yesterday: day - 1,
    tomorrow: day + 1,
    dead_at: created_at - DAY_MILLISECONDS,
  };
  return {
    write: statement(
      `record ${guard.shape} ${changed ? getTableName(changed.table) : ""}`,
      () => {
        const condition = and(guard.sql(), notExists(recordThat(isLive)));
        return draft
          .insert(table)
          .select(rowIf(table, condition, changed && { version: nextVersionOf(changed) }));
      },
      combined({ ...recorded }, guard.values, lookup, changed?.key ?? {}, { attempt }),
    ),
    isRecorded: {
      shape: "recorded",
      sql: () => exists(recordThat(isOurs)),
      values: { day, key_sha256, attempt },
    },
    read: statement(
      `record read ${mayRead.shape}`,
      () =>
        draft
          .select({
            object_id: table.object_id,
            request_sha256: table.request_sha256,
            version: table.version,
            response: theirs(table.response).as("response"),
            uri: theirs(sql`${table.response} ->> 'uri'`).as("uri"),
          })
          .from(table)
          .where(and(isLive, mayRead.sql())),
      combined(lookup, { object_id }, mayRead.values),
    ),
  };
}

/** Decodes the rows that `read` of {@link once} returned. */
export const recordsIn = (
  rows: Values[],
): { object_id: string; request_sha256: string; version: number; response: string | null; uri: string }[] =>
  rows.map(({ object_id, request_sha256, version, response, uri }) => ({
    object_id: String(object_id),
    request_sha256: String(request_sha256),
    version: Number(version),
    response: typeof response === "string" ? response : null,
    uri: String(uri),
  }));

/** Records deleted per statement. */
export const RECORDS_SWEPT_AT_ONCE = 200;

/** Deletes the oldest of the expired records, and returns a row for each. */
export const sweepRecords = (now: number): Statement =>
  statement(
    "sweep records",
    () => {
      const oldest = sql`select day, key_sha256 from ${table} where day < ${sql.placeholder("day")} order by day limit ${sql.raw(String(RECORDS_SWEPT_AT_ONCE))}`;
      return raw(sql`delete from ${table} where (day, key_sha256) in (${oldest}) returning day`);
    },
    { day: dayOf(now) - 1 },
  );
