import { clock } from "../../../packages/model/src/clock.ts";
import type { JudgedProblem } from "../../../packages/model/src/traffic/problems.ts";
import type { StoredSendError } from "../../db/column_types.ts";
import { firstSince } from "../../db/event_reads.ts";
import { cursors, deadLetters, events } from "../../db/internal_schema.ts";
import { eventSubscriptions as subscriptions } from "../../db/schema.ts";
import { and, decoded, decoderOf, raw, type Sql, sql, type Statement } from "../../db/statements.ts";
import { parsedAs } from "../../db/unchecked.ts";
import type { RowKey } from "../../db/uses.ts";
import {
  isAmongWanted,
  LOOKED_AT,
  lowest,
  newest,
  numberOrNull,
  wantedBy,
  withWanted,
} from "../../delivery/cursors.ts";

/*
 * The statements on cursors that requests send: those of runs are in `src/delivery/cursors.ts`.
 */

/** Where a subscription starts for each of its sources and destinations. Those that it had before keep their start. */
const beginnings = sql`(
  select json_group_object(value, coalesce(${subscriptions.since} -> ('$."' || value || '"'), ${newest}))
  from (select value from json_each(${subscriptions.sources}) union all select value from json_each(${subscriptions.destination_ids})) as given
)`;

/**
 * Records where a subscription starts for each source and each destination that is new to it: after the newest event, which is
 * that of the change that added it. Makes a cursor there for each destination that has none. To be sent right after the event
 * of a change: if no event was recorded, no start is recorded either.
 */
export const subscribed = ({ id }: RowKey): Sql[] => [
  sql`update ${subscriptions} set since = ${beginnings}
    where ${subscriptions.id} = ${id} and changes() > 0 and coalesce(${subscriptions.since}, '{}') <> ${beginnings}`,
  sql`insert or ignore into ${cursors} (destination_id, position)
    select json_each.value, ${newest} from ${subscriptions}, json_each(${subscriptions.destination_ids})
    where ${subscriptions.id} = ${id}`,
];

/** Assignments that make a destination due immediately, at its current position, and end the current run for it. */
const resumption = sql`lease = null, leased_until = 0, next_attempt_at = 0, failures = 0, failing_since = null, suspended = 0`;

/** Resumes delivery to a destination that the previous statement changed: see {@link resumption}. */
export const resumed = ({ id }: RowKey): Sql[] => [
  sql`update ${cursors} set ${resumption} where ${cursors.destination_id} = ${id} and changes() > 0`,
];

/** Deletes the cursor and the dead letters of a destination that the previous statement deleted. */
export const forgotten = (id: string): Sql[] => [
  sql`delete from ${cursors} where ${cursors.destination_id} = ${id} and changes() > 0`,
  sql`delete from ${deadLetters} where ${deadLetters.destination_id} = ${id} and not exists (select 1 from ${cursors} where ${cursors.destination_id} = ${id})`,
];

/** The stored delivery status of a destination: its cursor, of which `position` is before the holes. */
export interface DeliveryStanding extends Cursor {
  /** False if no subscription sends anything to it. */
  is_subscribed: boolean;
  is_leased: boolean;
  /** When the event at `position` was recorded; null if it is no longer in the log. `position_salt` is from that event too. */
  position_at: number | null;
  position_salt: string | null;
  /** Events that are wanted and not sent yet, among at most {@link LOOKED_AT} that are looked at. */
  pending: number;
  dead_letters: number;
}
type Cursor = typeof cursors.$inferSelect;

const decodeCursor = decoderOf(cursors);

/** Reads the delivery status of a destination; no row if no subscription has ever sent anything to it. */
export const standing = (destination_id: string): Statement<DeliveryStanding> =>
  decoded(
    sql`with ${withWanted(destination_id)}
      select own.*, exists (select 1 from wanted) as is_subscribed, leased_until > ${clock.now()} as is_leased,
        event.at as position_at, hex(event.salt) as position_salt,
        coalesce(json_array_length(holes), 0) + (select count(*) from ${events} where seq > low and seq <= low + ${raw(LOOKED_AT)} and ${isAmongWanted}) as pending,
        (select count(*) from ${deadLetters} where ${deadLetters.destination_id} = ${destination_id}) as dead_letters
      from (select *, ${lowest} as low from ${cursors} where destination_id = ${destination_id}) as own
      left join ${events} as event on event.seq = own.low`,
    (row) => ({
      ...decodeCursor({ ...row }),
      position: Number(row["low"]),
      is_subscribed: row["is_subscribed"] === 1,
      is_leased: row["is_leased"] === 1,
      position_at: numberOrNull(row["position_at"]),
      position_salt: row["position_at"] === null ? null : String(row["position_salt"]),
      pending: Number(row["pending"]),
      dead_letters: Number(row["dead_letters"]),
    }),
  );

/** Some subscription sends events to the destination. */
export const isSubscribed = (destination_id: string): Sql =>
  sql`exists (select 1 from ${cursors} where ${cursors.destination_id} = ${destination_id})
    and exists (${wantedBy(sql`${destination_id}`)})`;

/** Where a destination should continue. */
export type ResumePoint = { seq: number } | { at: number };

/**
 * Resumes delivery to a destination immediately, from where it is or from another event, and ends the run that delivers to it
 * now: statements for one batch. `moved` returns a row if any subscription has ever sent something to the destination.
 *
 * @param from the first event to send again; undefined to continue from the current position
 */
export function resume(destination_id: string, from: ResumePoint | undefined): { before: Sql[]; moved: Sql } {
  const own = sql`destination_id = ${destination_id}`;
  // Within the log, or after its last event, so that events recorded later are never left out.
  const first = from && ("seq" in from ? sql`max(1, min(${from.seq}, ${newest} + 1))` : firstSince(from.at));
  const position = first ? sql`, position = ${first} - 1, holes = null` : sql``;
  return {
    before: first ? [sql`delete from ${deadLetters} where ${own} and seq >= ${first}`] : [],
    moved: sql`update ${cursors} set ${resumption}${position} where ${own} returning destination_id`,
  };
}

/** Lets a destination that waits after a failure be tried again immediately: after a test that succeeded. */
export const tryAgain = (destination_id: string): Sql =>
  sql`update ${cursors} set next_attempt_at = 0 where destination_id = ${destination_id} and next_attempt_at > 0`;

/** An event that a destination rejected. */
export interface DeadLetter extends StoredSendError {
  seq: number;
  /** When the event was recorded; null if it is no longer in the log. `event_salt` is from that event too. */
  event_at: number | null;
  event_salt: string | null;
  /** When it was rejected, in milliseconds since the Unix epoch. */
  at: number;
}

/** Reads the events of a page that a destination rejected, newest first, and one more. */
export const deadLettersOf = (
  destination_id: string,
  limit: number,
  before: number | undefined,
): Statement<DeadLetter> => {
  const isBefore = before === undefined ? undefined : sql`${deadLetters.seq} < ${before}`;
  return decoded(
    sql`select ${deadLetters.seq} as seq, ${events.at} as event_at, hex(${events.salt}) as event_salt, ${deadLetters.at} as at, error
      from ${deadLetters} left join ${events} on ${events.seq} = ${deadLetters.seq}
      where ${and(sql`destination_id = ${destination_id}`, isBefore)}
      order by ${deadLetters.seq} desc limit ${limit + 1}`,
    ({ seq, event_at, event_salt, at, error }) => ({
      seq: Number(seq),
      event_at: numberOrNull(event_at),
      event_salt: event_at === null ? null : String(event_salt),
      at: Number(at),
      ...parsedAs<StoredSendError>(String(error)),
    }),
  );
};

/** The most dead letters of a destination that are counted for a problem. */
const COUNTED = 1_000;

/** Destinations that have rejected events which are still in the log. */
export const rejecting = (): Statement<JudgedProblem> =>
  decoded(
    sql`select destination_id, (select count(*) from (select 1 from ${deadLetters}
        where ${deadLetters.destination_id} = ${cursors.destination_id} limit ${raw(COUNTED)})) as events
      from ${cursors} where exists (select 1 from ${deadLetters} where ${deadLetters.destination_id} = ${cursors.destination_id})`,
    ({ destination_id, events }) => {
      const least = Number(events) === COUNTED ? "at least " : "";
      return {
        object: String(destination_id),
        code: DELIVERIES_LOST,
        msg: `Events that the target rejected, and that are not sent again: ${least}${Number(events)}. GET /event_destinations/${String(destination_id)}/dead_letters has the reasons.`,
        effect: "warning",
      };
    },
  );

/** The code of {@link rejecting}. */
export const DELIVERIES_LOST = "deliveries_lost";
