import { clock } from "../clock.ts";
import type { Statement, Values } from "./statements.ts";

/*
 * The epoch of the database: a text that `npm run restored` changes after a restore, which takes versions and bookmarks
 * back, so that both are given out again. ETags and bookmarks begin with the epoch: those of before a restore name nothing.
 */

/** Gives the epoch: read in one statement or batch with a row, the one that the row's version is of. */
export const epochQuery: Statement = {
  // Without an epoch, what is sent along with this is rolled back.
  text: "select coalesce((select epoch from database_epoch where only = 1), json_extract('{}', 'the database has no epoch')) as epoch",
  params: [],
  decode: (row) => row,
};

/**
 * How long an isolate takes the epoch that it read for the database's. What it gives out meanwhile under a former one does
 * no harm: such an ETag leads to a 412 or a full 200, such a bookmark to a read from the primary.
 */
const REMEMBERED_MILLISECONDS = 20_000;

/** What this isolate read last, and when, in milliseconds since the Unix epoch. */
let remembered: { epoch: string; read_at: number } | undefined;

/** The epoch that this isolate read last, however long ago; undefined before it has read one. */
export const lastEpoch = (): string | undefined => remembered?.epoch;

/** The epoch, if this isolate has read it lately; undefined when it is to be read with what is asked next. */
export const recentEpoch = (): string | undefined =>
  remembered !== undefined && remembered.read_at > clock.now() - REMEMBERED_MILLISECONDS
    ? remembered.epoch
    : undefined;

/**
 * The epoch in what {@link epochQuery} gave, remembered as of `read_at` (milliseconds since the Unix epoch).
 *
 * @throws when the database has none
 */
export function epochIn(rows: Values[] | undefined, read_at: number): string {
  const epoch = rows?.[0]?.["epoch"];
  if (typeof epoch !== "string")
    throw new Error("The database has no epoch: `npm run restored` gives it one.");
  remembered = { epoch, read_at };
  return epoch;
}

/** Makes the next call read the epoch, after something that happens when a database was restored. */
export function doubtEpoch(): void {
  if (remembered) remembered.read_at = Number.NEGATIVE_INFINITY;
}
