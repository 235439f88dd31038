import { type SQL, sql } from "drizzle-orm";
import { clock } from "../clock.ts";
import { decodeEvent, eventColumns, firstSince, type StoredEvent } from "./event_log.ts";
import { PAGE_BYTES } from "./page_statement.ts";
import {
  cursors,
  deadLetters,
  eventDestinations,
  events,
  eventSubscriptions as subscriptions,
  uses,
} from "./schema.ts";
import {
  combined,
  decoderOf,
  type Guard,
  raw,
  type Statement,
  statement,
  type Values,
} from "./statements.ts";
import type { LastError, StoredSendError, StoredTarget } from "./stored.ts";
import { parsedAs } from "./unchecked.ts";

/*
 * What is read and written to deliver events. What a run writes of a cursor names its lease, and has no effect without it: two
 * runs never advance one cursor.
 */

/** How long a run may keep a destination to itself, in milliseconds, unless it renews its lease. */
export const LEASE_MILLISECONDS = 60_000;

/** The most events read at once. */
const EVENTS_READ = 500;

/** The most events looked at for those that a destination wants. */
const LOOKED_AT = 10_000;

/** Bytes of an event as it is sent for each byte as stored: see `event_log.ts`. */
const SENT_BYTES = 3;

const newest = sql`coalesce((select max(seq) from ${events}), 0)`;

/** Since which `seq` a subscription sends a type of events to a destination. */
const since = (type: SQL, destination: SQL): SQL =>
  sql`max(coalesce(${subscriptions.since} ->> ('$."' || ${type} || '"'), 0), coalesce(${subscriptions.since} ->> ('$."' || ${destination} || '"'), 0))`;

/** The types that a destination gets, each with the `seq` after which it does: columns `type` and `since`. */
const wantedBy = (
  destination: SQL,
): SQL => sql`select source.value as type, min(${since(sql`source.value`, destination)}) as since
  from ${uses} join ${subscriptions} on ${subscriptions.id} = ${uses.user}, json_each(${subscriptions.sources}) as source
  where ${uses.target} = ${destination} group by source.value`;

/** Every type of events that some destination gets. */
export const wantedTypes = (): Statement<string> => ({
  ...statement(
    "wanted types",
    () =>
      raw(
        sql`select distinct source.value as type from ${subscriptions}, json_each(${subscriptions.sources}) as source where ${subscriptions.destination_ids} is not null`,
      ),
    {},
  ),
  decode: ({ type }) => String(type),
});

/** A destination that may have something to be sent. */
export interface Due {
  destination_id: string;
  /** True if another run has it now. */
  isLeased: boolean;
}

/** A destination that is not to be left alone now. */
const isAwake = sql`not suspended and next_attempt_at <= ${sql.placeholder("now")}`;

/**
 * Moves every cursor on that has only unwanted events before it, of 10,000 at most: one statement for all destinations that
 * need no run. It needs no lease, as nobody delivers to them.
 */
export const skipUnwanted = (): Statement =>
  statement(
    "skip unwanted events",
    () => {
      const end = sql`min(position + ${sql.raw(String(LOOKED_AT))}, ${newest})`;
      // The events first: the list of types is made once for a cursor.
      const isWanted = sql`exists (select 1 from ${events} as event
        cross join (${wantedBy(sql`${cursors.destination_id}`)}) as wanted on wanted.type = event.type and event.seq > wanted.since
        where event.seq > position and event.seq <= ${end})`;
      return raw(sql`update ${cursors} set position = ${end}
        where ${isAwake} and position < ${newest} and holes is null and leased_until <= ${sql.placeholder("now")} and not ${isWanted}`);
    },
    { now: clock.now() },
  );

/**
 * The destinations that are due. First comes the one that nobody has cared for the longest, so that no others, failing or with
 * many events, can keep it waiting from run to run.
 *
 * @param types leaves out destinations that want none of these types, unless they were to be tried again by now
 */
export const dueDestinations = (most: number, types?: string[]): Statement<Due> => ({
  ...statement(
    `due destinations ${types ? "for types" : ""}`,
    () => {
      const isConcerned = sql`(next_attempt_at > 0 or holes is not null or exists (
        select 1 from (${wantedBy(sql`${cursors.destination_id}`)}) where type in (select value from json_each(${sql.placeholder("types")}))))`;
      return raw(sql`select destination_id, leased_until > ${sql.placeholder("now")} as is_leased from ${cursors}
        where ${isAwake} and (position < ${newest} or holes is not null)${types ? sql` and ${isConcerned}` : sql``}
        order by max(next_attempt_at, coalesce(last_attempt_at, 0)), destination_id limit ${sql.placeholder("most")}`);
    },
    { now: clock.now(), most, ...(types && { types: JSON.stringify(types) }) },
  ),
  decode: ({ destination_id, is_leased }) => ({
    destination_id: String(destination_id),
    isLeased: is_leased === 1,
  }),
});

/** A destination as its run knows it. */
interface Leased {
  target: StoredTarget;
  failures: number;
  /** Milliseconds since the Unix epoch; null unless the last attempt failed. */
  failing_since: number | null;
  last_error: LastError | null;
  /** Every event up to this `seq` was looked at before. */
  low: number;
}

/**
 * Takes or renews the lease of a destination, and reads what is to be sent: statements for one batch, and what its rows mean.
 *
 * @param lease names the run
 */
export function takeLease(
  destination_id: string,
  lease: string,
): { statements: Statement[]; read: (rows: Values[][]) => Taken | undefined } {
  const now = clock.now();
  const key = { destination_id, lease };
  const leased = sql`select * from ${cursors} where destination_id = ${sql.placeholder("destination_id")} and lease = ${sql.placeholder("lease")}`;
  const statements = [
    statement(
      "take lease",
      () =>
        raw(sql`update ${cursors} set lease = ${sql.placeholder("lease")}, leased_until = ${sql.placeholder("leased_until")}
          where destination_id = ${sql.placeholder("destination_id")} and not suspended
          and (lease = ${sql.placeholder("lease")} or leased_until <= ${sql.placeholder("now")})`),
      { ...key, leased_until: now + LEASE_MILLISECONDS, now },
    ),
    statement(
      "leased destination",
      () =>
        raw(sql`with wanted as materialized (${wantedBy(sql`${sql.placeholder("destination_id")}`)})
          select ${eventDestinations.target} as target, holes, failures, failing_since, last_error, ${newest} as newest, ${lowest} as low
          from (${leased}) join ${eventDestinations} on ${eventDestinations.id} = destination_id`),
      key,
    ),
    statement(
      "events to send again",
      () =>
        raw(sql`with wanted as materialized (${wantedBy(sql`${sql.placeholder("destination_id")}`)})
          ${together(sql`seq in (select value from (${leased}), json_each(holes))`)}`),
      key,
    ),
    statement(
      "events to send",
      () =>
        raw(sql`with wanted as materialized (${wantedBy(sql`${sql.placeholder("destination_id")}`)}),
          bounds as materialized (select ${lowest} as low from (${leased}))
          ${together(sql`seq > (select low from bounds) and seq <= (select low from bounds) + ${sql.raw(String(LOOKED_AT))}`)}`),
      key,
    ),
  ];
  return { statements, read: takenIn };
}

/** From where a destination goes on: nothing before it is wanted, or still there. */
const lowest = sql`max(position, coalesce((select min(since) from wanted), ${newest}), coalesce((select min(seq) from ${events}), 1) - 1)`;

/** The event is wanted, says the list `wanted`. */
const isAmongWanted = sql`seq > (select since from wanted where wanted.type = ${events.type})`;

/**
 * The wanted events that are sent together, oldest first: as many as fit in 500 and in a page's bytes, and one at least. If
 * another one would not fit, it comes last, without its object and as a `copy`.
 */
function together(condition: SQL): SQL {
  const most = sql.raw(String(PAGE_BYTES));
  const bytes = sql.raw(`min(octet_length(object) * ${SENT_BYTES}, ${PAGE_BYTES}) as bytes`);
  const sized = sql`select seq, ${bytes} from ${events} where ${condition} and ${isAmongWanted} order by seq limit ${sql.raw(String(EVENTS_READ))}`;
  // Only the sizes are summed up: the sum keeps its rows in memory, and objects may be long.
  const summed = sql`select seq as summed, bytes, sum(bytes) over (order by seq) as total from (${sized})`;
  return sql`select ${sql.join(eventColumns(sql`total > ${most}`), sql`, `)}
    from (select * from (${summed}) where total - bytes <= ${most}) cross join ${events} on seq = summed order by seq`;
}

/** What a run has to send. */
export interface Taken extends Leased {
  /** Those that are to be sent again, if there are any; otherwise later ones. */
  events: StoredEvent[];
  isAgain: boolean;
  /** `seq` of those that are to be sent again, but after `events`. */
  unread: number[];
  /** With the last of `events` taken, every event up to this `seq` is dealt with. */
  lookedAt: number;
  /** True if nothing that comes later could be sent together with these. */
  isFull: boolean;
  /** True if there may be more after that. */
  isMore: boolean;
}

const decodeTarget = decoderOf(eventDestinations);

/** Undefined if another run has the lease, or if there is no such destination. */
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
  // Those that were not found are no longer kept, or no longer wanted.
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

/** How a run leaves a cursor. */
export interface Progress {
  position: number;
  /** `seq` of the events that are to be sent again. */
  holes: number[];
  /** How many events more were delivered. */
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
 * Writes what a run has done, and ends its lease unless it goes on: statements for one batch.
 *
 * @param goesOn true keeps the lease
 */
export function advance(
  destination_id: string,
  lease: string,
  progress: Progress,
  goesOn: boolean,
): Statement[] {
  const now = clock.now();
  const { dead, isAttempt, delivered } = progress;
  const key = { destination_id, lease };
  const letters = statement(
    "dead letters",
    () =>
      raw(sql`insert or replace into ${deadLetters} (destination_id, seq, error, at)
        select ${cursors.destination_id}, json_each.value ->> 'seq', json_each.value -> 'error', ${sql.placeholder("now")}
        from ${cursors}, json_each(${sql.placeholder("dead")})
        where ${cursors.destination_id} = ${sql.placeholder("destination_id")} and ${cursors.lease} = ${sql.placeholder("lease")}`),
    { ...key, now, dead: JSON.stringify(dead) },
  );
  const step = statement(
    `advance ${isAttempt} ${delivered > 0} ${goesOn}`,
    () =>
      raw(sql`update ${cursors} set position = max(position, ${sql.placeholder("position")}), holes = ${sql.placeholder("holes")},
        delivered = delivered + ${sql.placeholder("delivered")}, next_attempt_at = ${sql.placeholder("next_attempt_at")},
        failures = ${sql.placeholder("failures")}, failing_since = ${sql.placeholder("failing_since")},
        suspended = ${sql.placeholder("suspended")}, last_error = ${sql.placeholder("last_error")}
        ${isAttempt ? sql`, last_attempt_at = ${sql.placeholder("now")}` : sql``}
        ${delivered > 0 ? sql`, last_delivered_at = ${sql.placeholder("now")}` : sql``}
        ${goesOn ? sql`` : sql`, lease = null, leased_until = 0`}
        where destination_id = ${sql.placeholder("destination_id")} and lease = ${sql.placeholder("lease")}`),
    {
      ...key,
      now,
      position: progress.position,
      holes: progress.holes.length === 0 ? null : JSON.stringify(progress.holes),
      delivered,
      next_attempt_at: progress.next_attempt_at,
      failures: progress.failures,
      failing_since: progress.failing_since,
      suspended: progress.suspended ? 1 : 0,
      last_error: progress.last_error === null ? null : JSON.stringify(progress.last_error),
    },
  );
  return dead.length === 0 ? [step] : [letters, step];
}

/** Events deleted per statement. */
export const EVENTS_SWEPT_AT_ONCE = 200;

/** The oldest events, if they are older than `:swept_before`: never the newest of all, so that no `seq` is given twice. */
const old = sql`select seq, type from ${events} where seq < (
    select seq + ${sql.raw(String(EVENTS_SWEPT_AT_ONCE))} from ${events} where seq = (select min(seq) from ${events}) and at < ${sql.placeholder("swept_before")}
  ) and at < ${sql.placeholder("swept_before")} and seq < (select max(seq) from ${events})`;

/**
 * Deletes the oldest events, and counts those that a destination has not got yet as lost: statements for one batch, of which
 * the last returns a row for each event.
 *
 * @param before milliseconds since the Unix epoch
 */
export function sweepEvents(before: number): Statement[] {
  const values = { swept_before: before };
  const last = sql`(select max(seq) from old)`;
  return [
    statement(
      "count lost events",
      () => {
        const isWanted = sql`exists (select 1 from (${wantedBy(sql`${cursors.destination_id}`)}) as wanted where wanted.type = old.type and old.seq > wanted.since)`;
        return raw(sql`with old as materialized (${old}) update ${cursors} set
          lost = lost + (select count(*) from old where old.seq > ${cursors.position} and ${isWanted})
            + (select count(*) from json_each(coalesce(holes, '[]')) where value <= ${last}),
          position = max(position, ${last}),
          holes = (select nullif(json_group_array(value), '[]') from json_each(coalesce(holes, '[]')) where value > ${last})
          where position < ${last} or exists (select 1 from json_each(holes) where value <= ${last})`);
      },
      values,
    ),
    statement(
      "sweep dead letters",
      () =>
        raw(sql`with old as materialized (${old}) delete from ${deadLetters} where (destination_id, seq) in (
          select ${deadLetters.destination_id}, ${deadLetters.seq} from ${cursors} cross join ${deadLetters}
          on ${deadLetters.destination_id} = ${cursors.destination_id} and ${deadLetters.seq} <= ${last})`),
      values,
    ),
    statement(
      "sweep events",
      () =>
        raw(
          sql`with old as materialized (${old}) delete from ${events} where seq in (select seq from old) returning seq`,
        ),
      values,
    ),
  ];
}

/** How a destination stands, as its rows say. */
export interface Standing {
  /** False if no subscription sends anything to it. */
  is_subscribed: boolean;
  is_leased: boolean;
  suspended: boolean;
  position: number;
  /** What the event at `position` is, if it is still there. */
  position_at: number | null;
  position_salt: string | null;
  /** Events that are wanted and not sent yet: at most {@link LOOKED_AT} are looked at. */
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

/** How a destination stands; no row if it never was subscribed. */
export const standing = (destination_id: string): Statement<Standing> => ({
  ...statement(
    "standing of a destination",
    () =>
      raw(sql`with wanted as materialized (${wantedBy(sql`${sql.placeholder("destination_id")}`)})
        select exists (select 1 from wanted) as is_subscribed, leased_until > ${sql.placeholder("now")} as is_leased, suspended,
          low as position, event.at as position_at, hex(event.salt) as position_salt,
          coalesce(json_array_length(holes), 0) + (select count(*) from ${events} where seq > low and seq <= low + ${sql.raw(String(LOOKED_AT))} and ${isAmongWanted}) as pending,
          lost, delivered, (select count(*) from ${deadLetters} where ${deadLetters.destination_id} = ${sql.placeholder("destination_id")}) as dead_letters,
          failures, failing_since, last_attempt_at, last_delivered_at, next_attempt_at, last_error
        from (select *, ${lowest} as low from ${cursors} where destination_id = ${sql.placeholder("destination_id")}) as own
        left join ${events} as event on event.seq = own.low`),
    { destination_id, now: clock.now() },
  ),
  decode: (row) => decodeStanding(row),
});

const errorOf = (text: unknown): LastError | null =>
  typeof text === "string" ? parsedAs<LastError>(text) : null;

const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));

const decodeStanding = (row: Values): Standing => ({
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
});

/** Guard: some subscription sends events to the destination. */
export const isSubscribed = (destination_id: string): Guard => ({
  shape: "destination subscribed",
  sql: () => sql`exists (select 1 from ${cursors} where ${cursors.destination_id} = ${sql.placeholder("destination_id")})
    and exists (${wantedBy(sql`${sql.placeholder("destination_id")}`)})`,
  values: { destination_id },
});

/** Where a destination is to go on. */
export type From = { seq: number } | { at: number };

/**
 * Makes a destination go on at once, from where it is or from another event, and ends the run that delivers to it now, if
 * `guard` holds: statements for one batch. `moved` returns a row then.
 *
 * @param from the first event to be sent again; undefined to go on from where it is
 */
export function resume(
  destination_id: string,
  from: From | undefined,
  guard: Guard,
): { before: Statement[]; moved: Statement } {
  const form = from === undefined ? "" : "seq" in from ? "from seq" : "from instant";
  const values = combined(guard.values, {
    destination_id,
    ...(from && { from: "seq" in from ? from.seq : from.at }),
  });
  // Within the log, or after its last event: what is recorded later is never left out.
  const first =
    from &&
    ("seq" in from
      ? sql`max(1, min(${sql.placeholder("from")}, ${newest} + 1))`
      : firstSince(sql`${sql.placeholder("from")}`));
  const own = sql`destination_id = ${sql.placeholder("destination_id")}`;
  const moved = statement(
    `resume ${form} ${guard.shape}`,
    () =>
      raw(sql`update ${cursors} set lease = null, leased_until = 0, next_attempt_at = 0, failures = 0, failing_since = null, suspended = 0
        ${first ? sql`, position = ${first} - 1, holes = null` : sql``} where ${own} and ${guard.sql()} returning destination_id`),
    values,
  );
  if (!from) return { before: [], moved };
  const letters = statement(
    `forget dead letters ${form} ${guard.shape}`,
    () => raw(sql`delete from ${deadLetters} where ${own} and seq >= ${first} and ${guard.sql()}`),
    values,
  );
  return { before: [letters], moved };
}

/** Lets a destination be tried again at once, if it waits after a failure: after a test that succeeded. */
export const tryAgain = (destination_id: string): Statement =>
  statement(
    "try a destination again",
    () =>
      raw(
        sql`update ${cursors} set next_attempt_at = 0 where destination_id = ${sql.placeholder("destination_id")} and next_attempt_at > 0`,
      ),
    { destination_id },
  );

/** An event that a destination refused. */
export interface DeadLetter extends StoredSendError {
  seq: number;
  /** What is left of the event: null once it was swept. */
  event_at: number | null;
  event_salt: string | null;
  /** When it was refused, in milliseconds since the Unix epoch. */
  at: number;
}

/** The events that a destination refused, newest first: one more than a page has. */
export const deadLettersOf = (
  destination_id: string,
  limit: number,
  before: number | undefined,
): Statement<DeadLetter> => ({
  ...statement(
    `page dead letters ${before === undefined ? "" : "before"}`,
    () =>
      raw(sql`select ${deadLetters.seq} as seq, ${events.at} as event_at, hex(${events.salt}) as event_salt, ${deadLetters.at} as at, error
        from ${deadLetters} left join ${events} on ${events.seq} = ${deadLetters.seq}
        where destination_id = ${sql.placeholder("destination_id")}${before === undefined ? sql`` : sql` and ${deadLetters.seq} < ${sql.placeholder("before")}`}
        order by ${deadLetters.seq} desc limit ${sql.placeholder("limit")}`),
    { destination_id, limit: limit + 1, ...(before !== undefined && { before }) },
  ),
  decode: ({ seq, event_at, event_salt, at, error }) => ({
    seq: Number(seq),
    event_at: numberOrNull(event_at),
    event_salt: event_at === null ? null : String(event_salt),
    at: Number(at),
    ...parsedAs<StoredSendError>(String(error)),
  }),
});
