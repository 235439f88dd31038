import { clock } from "../../packages/model/src/clock.ts";
import type { LastError, StoredSendError, StoredTarget } from "../db/column_types.ts";
import { decodeEvent, eventColumns, type StoredEvent } from "../db/event_reads.ts";
import { cursors, deadLetters, events, uses } from "../db/internal_schema.ts";
import { PAGE_BYTES } from "../db/page_statement.ts";
import { eventDestinations, eventSubscriptions as subscriptions } from "../db/schema.ts";
import {
  and,
  decoded,
  decoderOf,
  join,
  raw,
  type Sql,
  sql,
  type Statement,
  type Values,
} from "../db/statements.ts";
import { parsedAs } from "../db/unchecked.ts";

/*
 * The statements behind event delivery. A run that writes to a cursor must hold its lease, so two runs never advance the same
 * cursor.
 *
 * For example, a destination with a stream receives `ip_policy_created.v0`. Its cursor is at position 40, and the log goes on with
 * 41 (an updated policy), 42 and 43 (created policies) and 44 (a deleted policy):
 *
 *     acquireLease  sets `lease` and `leased_until`; reads the events 42 and 43, with lookedAt 44
 *     (the run sends both in one call: the stream accepts 42, and cannot take 43 now)
 *     advance       position 44, holes [43], delivered + 1, failures 1, next_attempt_at in some seconds; releases the lease
 *     acquireLease  later: reads the hole 43 alone, isAgain
 *     advance       holes null, failures 0
 *
 * Had 41 and 44 been the only events, `skipUnwanted` would have moved the cursor to 44 without a run.
 */

/** `seq` of the newest event. */
export const newest = sql`coalesce((select max(${events.seq}) from ${events}), 0)`;

/** How long a lease lasts unless the run renews it, in milliseconds. */
export const LEASE_MILLISECONDS = 60_000;

/** The most events read in one batch. */
const EVENTS_READ = 500;

/** The most events that are searched for wanted events at a time. */
export const LOOKED_AT = 10_000;

/** An event is at most this many times as long when sent as it is when stored: see `event_reads.ts`. */
const SENT_BYTES = 3;

/** The `seq` of the event after which a subscription sends events of a type to a destination. */
const since = (type: Sql, destination: Sql): Sql =>
  sql`max(coalesce(${subscriptions.since} ->> ('$."' || ${type} || '"'), 0), coalesce(${subscriptions.since} ->> ('$."' || ${destination} || '"'), 0))`;

/**
 * The event types that a destination receives: a query with the columns `type` and `since`, the `seq` after which it receives
 * them.
 */
export const wantedBy = (
  destination: Sql,
): Sql => sql`select source.value as type, min(${since(sql`source.value`, destination)}) as since
  from ${uses} join ${subscriptions} on ${subscriptions.id} = ${uses.user}, json_each(${subscriptions.sources}) as source
  where ${uses.target} = ${destination} group by source.value`;

/** {@link wantedBy} for the destination of a row of `cursors`. */
const wantedByCursor = wantedBy(sql`${cursors.destination_id}`);

/** The common table expression `wanted`: see {@link wantedBy}. */
export const withWanted = (destination_id: string): Sql =>
  sql`wanted as materialized (${wantedBy(sql`${destination_id}`)})`;

/** Reads the event types that at least one destination receives. */
export const wantedTypes = (): Statement<string> =>
  decoded(
    sql`select distinct source.value as type from ${subscriptions}, json_each(${subscriptions.sources}) as source where ${subscriptions.destination_ids} is not null`,
    ({ type }) => String(type),
  );

/** The most destinations of one run. */
const MOST_DUE = 500;

/** A destination that may have events to send. */
export interface Due {
  destination_id: string;
  /** True if another run has leased it. */
  isLeased: boolean;
}

/** The destination is not suspended, and its next attempt is due. */
const isAwake = (now: number): Sql => sql`not suspended and next_attempt_at <= ${now}`;

/**
 * Advances every cursor whose next events are all unwanted, by at most 10,000 events. One statement does this for all
 * destinations that have nothing to send. It needs no lease, because no run delivers to them.
 */
export function skipUnwanted(): Sql {
  const now = clock.now();
  const end = sql`min(position + ${raw(LOOKED_AT)}, ${newest})`;
  // The events are the outer loop, so the list of types is computed only once per cursor.
  const isWanted = sql`exists (select 1 from ${events} as event
    cross join (${wantedByCursor}) as wanted on wanted.type = event.type and event.seq > wanted.since
    where event.seq > position and event.seq <= ${end})`;
  return sql`update ${cursors} set position = ${end}
    where ${isAwake(now)} and position < ${newest} and holes is null and leased_until <= ${now} and not ${isWanted}`;
}

/**
 * Reads the destinations that are due, the one that has waited longest first, so that failing or busy destinations cannot starve
 * the others.
 *
 * @param types omits destinations that receive none of these types, unless a retry is due
 */
export function dueDestinations(types?: string[]): Statement<Due> {
  const now = clock.now();
  const isConcerned =
    types &&
    sql`(next_attempt_at > 0 or holes is not null or exists (
      select 1 from (${wantedByCursor}) where type in (select value from json_each(${JSON.stringify(types)}))))`;
  return decoded(
    sql`select destination_id, leased_until > ${now} as is_leased from ${cursors}
      where ${and(isAwake(now), sql`(position < ${newest} or holes is not null)`, isConcerned)}
      order by max(next_attempt_at, coalesce(last_attempt_at, 0)), destination_id limit ${raw(MOST_DUE)}`,
    ({ destination_id, is_leased }) => ({
      destination_id: String(destination_id),
      isLeased: is_leased === 1,
    }),
  );
}

/**
 * Acquires or renews the lease of a destination, and reads its next events. Returns statements for one batch, and a function that
 * decodes their rows.
 *
 * @param lease identifies the run
 */
export function acquireLease(
  destination_id: string,
  lease: string,
): { statements: Sql[]; read: (rows: Values[][]) => ClaimedEvents | undefined } {
  const now = clock.now();
  const leased = sql`select * from ${cursors} where destination_id = ${destination_id} and lease = ${lease}`;
  const wanted = withWanted(destination_id);
  const statements = [
    sql`update ${cursors} set lease = ${lease}, leased_until = ${now + LEASE_MILLISECONDS}
      where destination_id = ${destination_id} and not suspended and (lease = ${lease} or leased_until <= ${now})`,
    sql`with ${wanted}
      select ${eventDestinations.target} as target, holes, failures, failing_since, last_error, rejected_in_a_row, ${newest} as newest, ${lowest} as low
      from (${leased}) join ${eventDestinations} on ${eventDestinations.id} = destination_id`,
    sql`with ${wanted} ${together(sql`seq in (select value from (${leased}), json_each(holes))`)}`,
    sql`with ${wanted}, bounds as materialized (select ${lowest} as low from (${leased}))
      ${together(sql`seq > (select low from bounds) and seq <= (select low from bounds) + ${raw(LOOKED_AT)}`)}`,
  ];
  return { statements, read: claimedIn };
}

/** The `seq` after which a destination continues: up to here, no event is both wanted and still in the log. */
export const lowest = sql`max(position, coalesce((select min(since) from wanted), ${newest}), coalesce((select min(seq) from ${events}), 1) - 1)`;

/** The event is wanted: its type is in `wanted`, and it is new enough. */
export const isAmongWanted = sql`seq > (select since from wanted where wanted.type = ${events.type})`;

/** The columns of {@link together}. */
const sent = join(eventColumns(sql`total > ${raw(PAGE_BYTES)}`));

/**
 * Selects the wanted events that are sent together, oldest first: at most 500, at most as many as fit in a page, and at least
 * one. If there is another one that does not fit, it is the last row, without its object and marked as a `copy`.
 */
function together(condition: Sql): Sql {
  const bytes = raw(`min(octet_length(object) * ${SENT_BYTES}, ${PAGE_BYTES}) as bytes`);
  const sized = sql`select seq, ${bytes} from ${events} where ${condition} and ${isAmongWanted} order by seq limit ${raw(EVENTS_READ)}`;
  // The sum keeps its rows in memory and objects can be long, so these rows have only the sizes.
  const summed = sql`select seq as summed, bytes, sum(bytes) over (order by seq) as total from (${sized})`;
  return sql`select ${sent}
    from (select * from (${summed}) where total - bytes <= ${raw(PAGE_BYTES)}) cross join ${events} on seq = summed order by seq`;
}

/** A destination that a run has leased, and the events that the run has to send. */
export interface ClaimedEvents {
  target: StoredTarget;
  failures: number;
  /** Milliseconds since the Unix epoch; null unless the last attempt failed. */
  failing_since: number | null;
  last_error: LastError | null;
  /** Events that the target rejected since it last accepted one. */
  rejected_in_a_row: number;
  /** Every event up to this `seq` has been processed. */
  low: number;
  /** Events to send again, if there are any; otherwise later events. */
  events: StoredEvent[];
  isAgain: boolean;
  /** The `seq` of each event to send again after `events`. */
  unread: number[];
  /** Once the last of `events` is delivered, every event up to this `seq` is done. */
  lookedAt: number;
  /** True if no later event could be sent together with `events`. */
  isFull: boolean;
  /** True if there may be later events. */
  isMore: boolean;
}

const decodeTarget = decoderOf(eventDestinations);

/** Decodes the rows of {@link acquireLease}; undefined if another run has the lease, or if the destination does not exist. */
function claimedIn([, leased = [], again = [], later = []]: Values[][]): ClaimedEvents | undefined {
  const [found] = leased;
  if (!found) return undefined;
  const { target } = decodeTarget({ ...found });
  const low = Number(found["low"]);
  const newest = Number(found["newest"]);
  const missed = eventsIn(again);
  const next = eventsIn(later);
  const lookedAt = next.isCut ? next.last : Math.max(low, Math.min(low + LOOKED_AT, newest));
  const holes = typeof found["holes"] === "string" ? parsedAs<number[]>(found["holes"]) : [];
  const isAgain = missed.events.length > 0;
  return {
    target,
    failures: Number(found["failures"]),
    failing_since: numberOrNull(found["failing_since"]),
    last_error: errorOf(found["last_error"]),
    rejected_in_a_row: Number(found["rejected_in_a_row"]),
    low,
    isAgain,
    events: isAgain ? missed.events : next.events,
    // Events that were not found are no longer in the log, or no longer wanted.
    unread: isAgain && missed.isCut ? holes.filter((seq) => seq > missed.last) : [],
    lookedAt: isAgain ? low : lookedAt,
    isFull: isAgain || next.isCut,
    isMore: isAgain || next.isCut || lookedAt < newest,
  };
}

/** Decodes rows of {@link together}: the events, the `seq` of the last one, and whether there may be more. */
function eventsIn(rows: Values[]): { events: StoredEvent[]; last: number; isCut: boolean } {
  const events = rows.filter(({ copy }) => copy === 0).map(decodeEvent);
  const isCut = rows.length >= EVENTS_READ || events.length < rows.length;
  return { events, last: events.at(-1)?.seq ?? 0, isCut };
}

/** The state in which a run leaves a cursor. */
export interface CursorState {
  position: number;
  /** The `seq` of each event to send again. */
  holes: number[];
  /** How many events this run has delivered. */
  delivered: number;
  next_attempt_at: number;
  failures: number;
  failing_since: number | null;
  suspended: boolean;
  last_error: LastError | null;
  /** True if the run sent anything. */
  isAttempt: boolean;
  rejected_in_a_row: number;
  dead: { seq: number; error: StoredSendError }[];
}

/**
 * Stores the progress of a run, and releases its lease unless the run continues: statements for one batch.
 *
 * @param continues true keeps the lease
 */
export function advance(
  destination_id: string,
  lease: string,
  progress: CursorState,
  continues: boolean,
): Sql[] {
  const now = clock.now();
  const { position, holes, delivered, dead, isAttempt, last_error, rejected_in_a_row } = progress;
  const letters = sql`insert or replace into ${deadLetters} (destination_id, seq, error, at)
    select ${cursors.destination_id}, json_each.value ->> 'seq', json_each.value -> 'error', ${now}
    from ${cursors}, json_each(${JSON.stringify(dead)})
    where ${cursors.destination_id} = ${destination_id} and ${cursors.lease} = ${lease}`;
  const step = sql`update ${cursors} set position = max(position, ${position}),
    holes = ${holes.length === 0 ? null : JSON.stringify(holes)}, delivered = delivered + ${delivered},
    rejected = rejected + ${dead.length}, rejected_in_a_row = ${rejected_in_a_row},
    next_attempt_at = ${progress.next_attempt_at}, failures = ${progress.failures},
    failing_since = ${progress.failing_since}, suspended = ${progress.suspended},
    last_error = ${last_error === null ? null : JSON.stringify(last_error)}
    ${isAttempt ? sql`, last_attempt_at = ${now}` : sql``}
    ${delivered > 0 ? sql`, last_delivered_at = ${now}` : sql``}
    ${continues ? sql`` : sql`, lease = null, leased_until = 0`}
    where destination_id = ${destination_id} and lease = ${lease}`;
  return dead.length === 0 ? [step] : [letters, step];
}

/** Events deleted per statement. */
export const EVENTS_SWEPT_AT_ONCE = 200;

/**
 * Deletes the oldest events, and counts them as lost for each destination that has not received them. Returns statements for one
 * batch; the last one returns a row for each event. The newest event is never deleted, so that no `seq` is reused.
 *
 * @param before deletes only events before this instant (milliseconds since the Unix epoch)
 */
export function sweepEvents(before: number): Sql[] {
  const withOld = sql`with old as materialized (
    select seq, type from ${events} where seq < (
      select seq + ${raw(EVENTS_SWEPT_AT_ONCE)} from ${events} where seq = (select min(seq) from ${events}) and at < ${before}
    ) and at < ${before} and seq < (select max(seq) from ${events}))`;
  const last = sql`(select max(seq) from old)`;
  const isWanted = sql`exists (select 1 from (${wantedByCursor}) as wanted where wanted.type = old.type and old.seq > wanted.since)`;
  return [
    sql`${withOld} update ${cursors} set
      lost = lost + (select count(*) from old where old.seq > ${cursors.position} and ${isWanted})
        + (select count(*) from json_each(coalesce(holes, '[]')) where value <= ${last}),
      position = max(position, ${last}),
      holes = (select nullif(json_group_array(value), '[]') from json_each(coalesce(holes, '[]')) where value > ${last})
      where position < ${last} or exists (select 1 from json_each(holes) where value <= ${last})`,
    sql`${withOld} delete from ${deadLetters} where (destination_id, seq) in (
      select ${deadLetters.destination_id}, ${deadLetters.seq} from ${cursors} cross join ${deadLetters}
      on ${deadLetters.destination_id} = ${cursors.destination_id} and ${deadLetters.seq} <= ${last})`,
    sql`${withOld} delete from ${events} where seq in (select seq from old) returning seq`,
  ];
}

/** Decodes a stored error. */
const errorOf = (text: unknown): LastError | null =>
  typeof text === "string" ? parsedAs<LastError>(text) : null;

/** A number in a row, or null. */
export const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));
