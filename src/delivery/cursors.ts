import { clock } from "../clock.ts";
import { newest, resumption } from "../db/cursors.ts";
import { decodeEvent, eventColumns, firstSince, type StoredEvent } from "../db/event_log.ts";
import { PAGE_BYTES } from "../db/page_statement.ts";
import {
  cursors,
  deadLetters,
  eventDestinations,
  events,
  eventSubscriptions as subscriptions,
  uses,
} from "../db/schema.ts";
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
import type { LastError, StoredSendError, StoredTarget } from "../db/stored.ts";
import { parsedAs } from "../db/unchecked.ts";

/*
 * The statements that deliver events. Whatever a run writes to a cursor requires the run's lease, so two runs never advance the
 * same cursor.
 */

/** How long a run can keep a destination to itself, in milliseconds, unless it renews its lease. */
export const LEASE_MILLISECONDS = 60_000;

/** The most events read at once. */
const EVENTS_READ = 500;

/** The most events that are searched for those that a destination wants. */
const LOOKED_AT = 10_000;

/** The most bytes of an event as sent for each byte as stored: see `event_log.ts`. */
const SENT_BYTES = 3;

/** The `seq` since which a subscription sends a type of events to a destination. */
const since = (type: Sql, destination: Sql): Sql =>
  sql`max(coalesce(${subscriptions.since} ->> ('$."' || ${type} || '"'), 0), coalesce(${subscriptions.since} ->> ('$."' || ${destination} || '"'), 0))`;

/** The types that a destination gets, each with the `seq` after which it does: columns `type` and `since`. */
const wantedBy = (
  destination: Sql,
): Sql => sql`select source.value as type, min(${since(sql`source.value`, destination)}) as since
  from ${uses} join ${subscriptions} on ${subscriptions.id} = ${uses.user}, json_each(${subscriptions.sources}) as source
  where ${uses.target} = ${destination} group by source.value`;

/** {@link wantedBy} the destination of a row of `cursors`. */
const wantedByCursor = wantedBy(sql`${cursors.destination_id}`);

/** The common table expression `wanted`: see {@link wantedBy}. */
const withWanted = (destination_id: string): Sql =>
  sql`wanted as materialized (${wantedBy(sql`${destination_id}`)})`;

/** Reads every type of events that some destination gets. */
export const wantedTypes = (): Statement<string> =>
  decoded(
    sql`select distinct source.value as type from ${subscriptions}, json_each(${subscriptions.sources}) as source where ${subscriptions.destination_ids} is not null`,
    ({ type }) => String(type),
  );

/** A destination that may have events to send. */
export interface Due {
  destination_id: string;
  /** True if another run has leased it. */
  isLeased: boolean;
}

/** The destination is not suspended, and does not wait for its next attempt. */
const isAwake = (now: number): Sql => sql`not suspended and next_attempt_at <= ${now}`;

/**
 * Advances every cursor that has only unwanted events after it, by at most 10,000 events: one statement for all destinations that
 * need no run. It needs no lease, as no run delivers to them.
 */
export function skipUnwanted(): Sql {
  const now = clock.now();
  const end = sql`min(position + ${raw(LOOKED_AT)}, ${newest})`;
  // The events come first, so that the list of types is made once for each cursor.
  const isWanted = sql`exists (select 1 from ${events} as event
    cross join (${wantedByCursor}) as wanted on wanted.type = event.type and event.seq > wanted.since
    where event.seq > position and event.seq <= ${end})`;
  return sql`update ${cursors} set position = ${end}
    where ${isAwake(now)} and position < ${newest} and holes is null and leased_until <= ${now} and not ${isWanted}`;
}

/**
 * Reads the destinations that are due. First comes the destination that has waited the longest, so that others, failing or with
 * many events, cannot keep it waiting from run to run.
 *
 * @param types leaves out destinations that want none of these types, unless their next attempt is due
 */
export function dueDestinations(most: number, types?: string[]): Statement<Due> {
  const now = clock.now();
  const isConcerned =
    types &&
    sql`(next_attempt_at > 0 or holes is not null or exists (
      select 1 from (${wantedByCursor}) where type in (select value from json_each(${JSON.stringify(types)}))))`;
  return decoded(
    sql`select destination_id, leased_until > ${now} as is_leased from ${cursors}
      where ${and(isAwake(now), sql`(position < ${newest} or holes is not null)`, isConcerned)}
      order by max(next_attempt_at, coalesce(last_attempt_at, 0)), destination_id limit ${most}`,
    ({ destination_id, is_leased }) => ({
      destination_id: String(destination_id),
      isLeased: is_leased === 1,
    }),
  );
}

/** A destination that a run has leased. */
interface Leased {
  target: StoredTarget;
  failures: number;
  /** Milliseconds since the Unix epoch; null unless the last attempt failed. */
  failing_since: number | null;
  last_error: LastError | null;
  /** Every event up to this `seq` has been looked at. */
  low: number;
}

/**
 * Takes or renews the lease of a destination, and reads what it has to send: statements for one batch, and the function that
 * decodes their rows.
 *
 * @param lease names the run
 */
export function takeLease(
  destination_id: string,
  lease: string,
): { statements: Sql[]; read: (rows: Values[][]) => Taken | undefined } {
  const now = clock.now();
  const leased = sql`select * from ${cursors} where destination_id = ${destination_id} and lease = ${lease}`;
  const wanted = withWanted(destination_id);
  const statements = [
    sql`update ${cursors} set lease = ${lease}, leased_until = ${now + LEASE_MILLISECONDS}
      where destination_id = ${destination_id} and not suspended and (lease = ${lease} or leased_until <= ${now})`,
    sql`with ${wanted}
      select ${eventDestinations.target} as target, holes, failures, failing_since, last_error, ${newest} as newest, ${lowest} as low
      from (${leased}) join ${eventDestinations} on ${eventDestinations.id} = destination_id`,
    sql`with ${wanted} ${together(sql`seq in (select value from (${leased}), json_each(holes))`)}`,
    sql`with ${wanted}, bounds as materialized (select ${lowest} as low from (${leased}))
      ${together(sql`seq > (select low from bounds) and seq <= (select low from bounds) + ${raw(LOOKED_AT)}`)}`,
  ];
  return { statements, read: takenIn };
}

/** Where a destination continues: no event up to this `seq` is both wanted and still in the log. */
const lowest = sql`max(position, coalesce((select min(since) from wanted), ${newest}), coalesce((select min(seq) from ${events}), 1) - 1)`;

/** The list `wanted` has the event. */
const isAmongWanted = sql`seq > (select since from wanted where wanted.type = ${events.type})`;

/** Columns of the rows of {@link together}. */
const sent = join(eventColumns(sql`total > ${raw(PAGE_BYTES)}`));

/**
 * The wanted events that are sent together, oldest first: as many as fit in 500 and in a page's bytes, and at least one. If
 * another one would not fit, it comes last, without its object and as a `copy`.
 */
function together(condition: Sql): Sql {
  const bytes = raw(`min(octet_length(object) * ${SENT_BYTES}, ${PAGE_BYTES}) as bytes`);
  const sized = sql`select seq, ${bytes} from ${events} where ${condition} and ${isAmongWanted} order by seq limit ${raw(EVENTS_READ)}`;
  // Only the sizes are summed: the sum keeps its rows in memory, and objects can be long.
  const summed = sql`select seq as summed, bytes, sum(bytes) over (order by seq) as total from (${sized})`;
  return sql`select ${sent}
    from (select * from (${summed}) where total - bytes <= ${raw(PAGE_BYTES)}) cross join ${events} on seq = summed order by seq`;
}

/** What a run has to send. */
export interface Taken extends Leased {
  /** Events to send again, if there are any; otherwise later events. */
  events: StoredEvent[];
  isAgain: boolean;
  /** `seq` of the events to send again after `events`. */
  unread: number[];
  /** Once the last of `events` is delivered, every event up to this `seq` is dealt with. */
  lookedAt: number;
  /** True if no later event could be sent together with `events`. */
  isFull: boolean;
  /** True if there may be more after that. */
  isMore: boolean;
}

const decodeTarget = decoderOf(eventDestinations);

/** What a run has to send; undefined if another run has the lease, or if the destination does not exist. */
function takenIn([, leased = [], again = [], later = []]: Values[][]): Taken | undefined {
  const [found] = leased;
  if (!found) return undefined;
  const { target } = decodeTarget({ ...found });
  const low = Number(found["low"]);
  const newest = Number(found["newest"]);
  const missed = eventsIn(again);
  const next = eventsIn(later);
  const lookedAt = next.isCut ? next.last : Math.max(low, Math.min(low + LOOKED_AT, newest));
  const holes = typeof found["holes"] === "string" ? parsedAs<number[]>(found["holes"]) : [];
  const common = {
    target,
    failures: Number(found["failures"]),
    failing_since: numberOrNull(found["failing_since"]),
    last_error: errorOf(found["last_error"]),
    low,
  };
  if (missed.events.length === 0)
    return {
      ...common,
      events: next.events,
      isAgain: false,
      unread: [],
      lookedAt,
      isFull: next.isCut,
      isMore: next.isCut || lookedAt < newest,
    };
  // Events that were not found are no longer in the log, or no longer wanted.
  const unread = missed.isCut ? holes.filter((seq) => seq > missed.last) : [];
  return {
    ...common,
    events: missed.events,
    isAgain: true,
    unread,
    lookedAt: low,
    isFull: true,
    isMore: true,
  };
}

/** The events in rows of {@link together}, the `seq` of the last one, and whether there may be more. */
function eventsIn(rows: Values[]): { events: StoredEvent[]; last: number; isCut: boolean } {
  const events = rows.filter(({ copy }) => copy === 0).map(decodeEvent);
  const isCut = rows.length >= EVENTS_READ || events.length < rows.length;
  return { events, last: events.at(-1)?.seq ?? 0, isCut };
}

/** The state in which a run leaves a cursor. */
export interface Progress {
  position: number;
  /** `seq` of the events to send again. */
  holes: number[];
  /** How many events this run has delivered. */
  delivered: number;
  next_attempt_at: number;
  failures: number;
  failing_since: number | null;
  suspended: boolean;
  last_error: LastError | null;
  /** True if something was sent. */
  isAttempt: boolean;
  dead: { seq: number; error: StoredSendError }[];
}

/**
 * Writes what a run has done, and ends its lease unless it continues: statements for one batch.
 *
 * @param goesOn true keeps the lease
 */
export function advance(destination_id: string, lease: string, progress: Progress, goesOn: boolean): Sql[] {
  const now = clock.now();
  const { position, holes, delivered, dead, isAttempt, last_error } = progress;
  const letters = sql`insert or replace into ${deadLetters} (destination_id, seq, error, at)
    select ${cursors.destination_id}, json_each.value ->> 'seq', json_each.value -> 'error', ${now}
    from ${cursors}, json_each(${JSON.stringify(dead)})
    where ${cursors.destination_id} = ${destination_id} and ${cursors.lease} = ${lease}`;
  const step = sql`update ${cursors} set position = max(position, ${position}),
    holes = ${holes.length === 0 ? null : JSON.stringify(holes)}, delivered = delivered + ${delivered},
    next_attempt_at = ${progress.next_attempt_at}, failures = ${progress.failures},
    failing_since = ${progress.failing_since}, suspended = ${progress.suspended},
    last_error = ${last_error === null ? null : JSON.stringify(last_error)}
    ${isAttempt ? sql`, last_attempt_at = ${now}` : sql``}
    ${delivered > 0 ? sql`, last_delivered_at = ${now}` : sql``}
    ${goesOn ? sql`` : sql`, lease = null, leased_until = 0`}
    where destination_id = ${destination_id} and lease = ${lease}`;
  return dead.length === 0 ? [step] : [letters, step];
}

/** Events deleted per statement. */
export const EVENTS_SWEPT_AT_ONCE = 200;

/**
 * Deletes the oldest events, and counts those that a destination has not received yet as lost: statements for one batch, of
 * which the last returns a row for each event. The newest event of all is never deleted, so that no `seq` is used twice.
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

/** The stored delivery status of a destination. */
export interface Standing {
  /** False if no subscription sends anything to it. */
  is_subscribed: boolean;
  is_leased: boolean;
  suspended: boolean;
  position: number;
  /** When the event at `position` was recorded; null if it is no longer in the log. `position_salt` is from that event too. */
  position_at: number | null;
  position_salt: string | null;
  /** Events that are wanted and not sent yet, among at most {@link LOOKED_AT} that are looked at. */
  pending: number;
  lost: number;
  delivered: number;
  dead_letters: number;
  failures: number;
  failing_since: number | null;
  last_attempt_at: number | null;
  last_delivered_at: number | null;
  next_attempt_at: number;
  last_error: LastError | null;
}

/** Reads the delivery status of a destination; no row if no subscription has ever sent anything to it. */
export const standing = (destination_id: string): Statement<Standing> =>
  decoded(
    sql`with ${withWanted(destination_id)}
      select exists (select 1 from wanted) as is_subscribed, leased_until > ${clock.now()} as is_leased, suspended,
        low as position, event.at as position_at, hex(event.salt) as position_salt,
        coalesce(json_array_length(holes), 0) + (select count(*) from ${events} where seq > low and seq <= low + ${raw(LOOKED_AT)} and ${isAmongWanted}) as pending,
        lost, delivered, (select count(*) from ${deadLetters} where ${deadLetters.destination_id} = ${destination_id}) as dead_letters,
        failures, failing_since, last_attempt_at, last_delivered_at, next_attempt_at, last_error
      from (select *, ${lowest} as low from ${cursors} where destination_id = ${destination_id}) as own
      left join ${events} as event on event.seq = own.low`,
    decodeStanding,
  );

const errorOf = (text: unknown): LastError | null =>
  typeof text === "string" ? parsedAs<LastError>(text) : null;

const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));

function decodeStanding(row: Values): Standing {
  return {
    is_subscribed: row["is_subscribed"] === 1,
    is_leased: row["is_leased"] === 1,
    suspended: row["suspended"] === 1,
    position: Number(row["position"]),
    position_at: numberOrNull(row["position_at"]),
    position_salt: row["position_at"] === null ? null : String(row["position_salt"]),
    pending: Number(row["pending"]),
    lost: Number(row["lost"]),
    delivered: Number(row["delivered"]),
    dead_letters: Number(row["dead_letters"]),
    failures: Number(row["failures"]),
    failing_since: numberOrNull(row["failing_since"]),
    last_attempt_at: numberOrNull(row["last_attempt_at"]),
    last_delivered_at: numberOrNull(row["last_delivered_at"]),
    next_attempt_at: Number(row["next_attempt_at"]),
    last_error: errorOf(row["last_error"]),
  };
}

/** Some subscription sends events to the destination. */
export const isSubscribed = (destination_id: string): Sql =>
  sql`exists (select 1 from ${cursors} where ${cursors.destination_id} = ${destination_id})
    and exists (${wantedBy(sql`${destination_id}`)})`;

/** Where a destination should continue. */
export type From = { seq: number } | { at: number };

/**
 * Resumes delivery to a destination immediately, from where it is or from another event, and ends the run that delivers to it
 * now: statements for one batch. `moved` returns a row if any subscription has ever sent something to the destination.
 *
 * @param from the first event to send again; undefined to continue from the current position
 */
export function resume(destination_id: string, from: From | undefined): { before: Sql[]; moved: Sql } {
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
