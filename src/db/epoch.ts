import { clock } from "../clock.ts";
import { sql, type Values } from "./statements.ts";

/*
 * The epoch of the database: a string that `npm run restored` changes after a restore. A restore resets versions and
 * bookmarks, so that both are used again. ETags and bookmarks start with the epoch: those from before a restore match
 * nothing.
 */

/**
 * Reads the epoch. It belongs to the versions of rows that the same statement or batch reads. Fails if there is none, which rolls
 * back the batch.
 */
export const epochQuery = sql`select coalesce((select epoch from database_epoch where only = 1), json_extract('{}', 'the database has no epoch')) as epoch`;

/**
 * How long an isolate caches the epoch. ETags and bookmarks that it sends with a previous one until then do no harm: such
 * an ETag leads to a 412 or a full 200, such a bookmark to a read from the primary.
 */
const REMEMBERED_MILLISECONDS = 20_000;

/** The epoch that this isolate read last, and when, in milliseconds since the Unix epoch. */
let remembered: { epoch: string; read_at: number } | undefined;

/** The epoch that this isolate read last, however long ago; undefined before it has read one. */
export const lastEpoch = (): string | undefined => remembered?.epoch;

/** The epoch, if this isolate has read it recently; undefined if the next call has to read it. */
export const recentEpoch = (): string | undefined =>
  remembered !== undefined && remembered.read_at > clock.now() - REMEMBERED_MILLISECONDS
    ? remembered.epoch
    : undefined;

/**
 * The epoch in the result of {@link epochQuery}, cached as of `read_at` (milliseconds since the Unix epoch).
 *
 * @throws if the database has none
 */
export function epochIn(rows: Values[] | undefined, read_at: number): string {
  const epoch = rows?.[0]?.["epoch"];
  if (typeof epoch !== "string")
    throw new Error("The database has no epoch: `npm run restored` gives it one.");
  remembered = { epoch, read_at };
  return epoch;
}

/** Makes the next call read the epoch, after an error that a restore may have caused. */
export function doubtEpoch(): void {
  if (remembered) remembered.read_at = Number.NEGATIVE_INFINITY;
}
