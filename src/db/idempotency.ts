import { and, eq, exists, gt, inArray, notExists, type SQL, sql } from "drizzle-orm";
import type { Database } from "./database.ts";
import { idempotencyRecords as table } from "./schema.ts";
import { rowIf } from "./statements.ts";

type IdempotencyRecord = typeof table.$inferSelect;

const DAY_MILLISECONDS = 86_400_000;

/** The day of an instant (milliseconds since the Unix epoch), as records are kept by. */
export const dayOf = (now: number): number => Math.floor(now / DAY_MILLISECONDS);

/** A record, before its batch is sent. */
export type Recorded = Omit<IdempotencyRecord, "attempt">;

/**
 * The live record of `key_sha256`: one that is not 24 hours old, so of today or yesterday; or of tomorrow, when the clock
 * that made it was ahead or the batch comes late.
 */
const isLive = ({ day, key_sha256, created_at }: Recorded): SQL | undefined =>
  and(
    inArray(table.day, [day - 1, day, day + 1]),
    eq(table.key_sha256, key_sha256),
    gt(table.created_at, created_at - DAY_MILLISECONDS),
  );

/**
 * The statements of one sending of a batch that does something once for a key: writes the record, if there is no live one
 * and `guard` holds; does what it stands for, if `isRecorded` holds, which is if this very sending wrote the record; and
 * reads the record, whoever wrote it (its response only if another request did). So a sending whose answer was lost, or
 * that comes late, does nothing more beside another one, even if what it made was deleted meanwhile.
 */
export function once(db: Database, recorded: Recorded, guard: SQL | undefined) {
  const record = { ...recorded, attempt: crypto.randomUUID() };
  const live = db
    .select({ one: sql`1` })
    .from(table)
    .where(isLive(record));
  const { day, key_sha256, attempt, object_id } = record;
  const isOurs = and(eq(table.day, day), eq(table.key_sha256, key_sha256), eq(table.attempt, attempt));
  return {
    write: db.insert(table).select(rowIf(table, record, and(guard, notExists(live)))),
    isRecorded: exists(
      db
        .select({ one: sql`1` })
        .from(table)
        .where(isOurs),
    ),
    read: db
      .select({
        object_id: table.object_id,
        request_sha256: table.request_sha256,
        response: sql<
          string | null
        >`case when ${table.object_id} = ${object_id} then null else ${table.response} end`,
      })
      .from(table)
      .where(isLive(record)),
  };
}

/** Records deleted by one statement, and statements of one sweep. */
const SWEPT_AT_ONCE = 200;
const SWEEPS = 500;

/** Deletes records that are no longer live, oldest first, up to 100,000 of them. Gives how many they were. */
export async function sweepIdempotencyRecords(db: Database, now: number): Promise<number> {
  let swept = 0;
  for (let i = 0; i < SWEEPS; i++) {
    const { meta } = await db.run(
      sql`delete from ${table} where (day, key_sha256) in (select day, key_sha256 from ${table} where day < ${dayOf(now) - 1} order by day limit ${SWEPT_AT_ONCE})`,
    );
    swept += meta.changes;
    if (meta.changes < SWEPT_AT_ONCE) break;
  }
  return swept;
}
