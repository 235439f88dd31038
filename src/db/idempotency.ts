import { and, eq, exists, gt, inArray, notExists, type SQL, sql } from "drizzle-orm";
import type { Session } from "./database.ts";
import { idempotencyRecords as table } from "./schema.ts";
import {
  always,
  draft,
  type Guard,
  raw,
  rowIf,
  type Statement,
  statement,
  type Values,
} from "./statements.ts";

type IdempotencyRecord = typeof table.$inferSelect;

const DAY_MILLISECONDS = 86_400_000;

/** The day of an instant (milliseconds since the Unix epoch), as records are kept by. */
export const dayOf = (now: number): number => Math.floor(now / DAY_MILLISECONDS);

/** A record, before its batch is sent. */
export type Recorded = Omit<IdempotencyRecord, "attempt">;

/**
 * The live record of a key: one that is not 24 hours old, so of today or yesterday; or of tomorrow, when the clock that
 * made it was ahead or the batch comes late.
 */
const isLive = and(
  inArray(table.day, [sql.placeholder("yesterday"), sql.placeholder("day"), sql.placeholder("tomorrow")]),
  eq(table.key_sha256, sql.placeholder("key_sha256")),
  gt(table.created_at, sql.placeholder("dead_at")),
);

/** The record that this sending of a batch wrote. */
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

const theirs = (value: SQL | typeof table.response) =>
  sql`case when ${table.object_id} = ${sql.placeholder("object_id")} then null else ${value} end`;

/**
 * The statements of one sending of a batch that does something once for a key: writes the record, if there is no live one
 * and `guard` holds; does what it stands for, if `isRecorded` holds, which is if this very sending wrote the record; and
 * reads the record, whoever wrote it (its response, and the URI in it, only if another request did). So a sending whose
 * answer was lost, or that comes late, does nothing more beside another one, even if what it made was deleted meanwhile.
 *
 * @param mayRead must hold for the record to be read
 */
export function once(
  recorded: Recorded,
  guard: Guard,
  mayRead: Guard = always,
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
      `record ${guard.shape}`,
      () => draft.insert(table).select(rowIf(table, and(guard.sql(), notExists(recordThat(isLive))))),
      { ...recorded, ...guard.values, ...lookup, attempt },
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
            response: theirs(table.response).as("response"),
            uri: theirs(sql`${table.response} ->> 'uri'`).as("uri"),
          })
          .from(table)
          .where(and(isLive, mayRead.sql())),
      { ...lookup, object_id, ...mayRead.values },
    ),
  };
}

/** What `read` of {@link once} gave. */
export const recordsIn = (
  rows: Values[],
): { object_id: string; request_sha256: string; response: string | null; uri: string }[] =>
  rows.map(({ object_id, request_sha256, response, uri }) => ({
    object_id: String(object_id),
    request_sha256: String(request_sha256),
    response: typeof response === "string" ? response : null,
    uri: String(uri),
  }));

/** Records deleted by one statement, and statements of one sweep. */
const SWEPT_AT_ONCE = 200;
const SWEEPS = 500;

/** What a sweep did: how many records it deleted, and what stopped it, if anything did. */
export interface Swept {
  records: number;
  error?: unknown;
}

/** Deletes records that are no longer live, oldest first, up to 100,000 of them. */
export async function sweepIdempotencyRecords(session: Session, now: number): Promise<Swept> {
  let records = 0;
  try {
    for (let i = 0; i < SWEEPS; i++) {
      const swept = await session.fromPrimary(sweepBefore(dayOf(now) - 1));
      records += swept.length;
      if (swept.length < SWEPT_AT_ONCE) break;
    }
  } catch (error) {
    return { records, error };
  }
  return { records };
}

/** Deletes the oldest records of before `day`, and gives a row for each. */
const sweepBefore = (day: number): Statement =>
  statement(
    "sweep records",
    () => {
      const oldest = sql`select day, key_sha256 from ${table} where day < ${sql.placeholder("day")} order by day limit ${sql.raw(String(SWEPT_AT_ONCE))}`;
      return raw(sql`delete from ${table} where (day, key_sha256) in (${oldest}) returning day`);
    },
    { day },
  );
