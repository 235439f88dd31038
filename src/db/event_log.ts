import { and, eq, type SQL, sql } from "drizzle-orm";
import { type EventKey, NO_INSTANT, NO_SALT } from "../event_ids.ts";
import { ADMIN_TYPES } from "../event_types.ts";
import { inUnits, LIGHT_BYTES, PAGE_BYTES, PAGE_UNITS } from "./page_statement.ts";
import { events } from "./schema.ts";
import { raw, type Statement, statement, type Values } from "./statements.ts";
import type { StoredPrincipal } from "./stored.ts";
import { parsedAs } from "./unchecked.ts";

/*
 * Reads the log of changes, newest first. `at` never falls, so instants are found by bisection of `seq`, without an index.
 */

/** An event as it is stored. */
export interface StoredEvent {
  seq: number;
  type: string;
  object_id: string;
  at: number;
  /** 20 hexadecimal digits, upper-case. */
  salt: string;
  operation_id: string;
  principal: StoredPrincipal;
  origin: string;
  /** JSON: the row, or `{id, edge_id, truncated}`. */
  object: string;
}

/** Which events are wanted. */
export interface EventFilter {
  /** Only events with a smaller `seq`. */
  before?: number;
  /** Only events at or after this instant, in milliseconds since the Unix epoch. */
  since?: number;
  /** Only events before this instant. */
  until?: number;
  object_id?: string;
  type?: string;
  principal_id?: string;
}

/** How many events a page looks at, where no index tells which ones match. */
const LOOKED_AT = 10_000;

/** Bytes of an event in a response besides those of its object, no URI included. */
const FRAME_BYTES = 2_000;

/** More than `{"id":"…","uri":"<origin>/event_subscriptions/…/sources/…"},` has besides the origin and the name as stored. */
const LINK_BYTES = 150;

/** Where objects in the log have lists of what responses show with URIs: ids, and the sources of event subscriptions. */
const LINKED = [
  "$.ip_restriction.ip_policy_ids",
  "$.mutual_tls.certificate_authority_ids",
  "$.backends",
  "$.destination_ids",
  "$.sources",
];

/** Bytes of an object in a response: as stored, and for each of its Refs a URI. Routes of an edge are counted with it. */
const shownBytes = sql`octet_length(object) + ${sql.placeholder("ref_bytes")} * (coalesce(object ->> '$.routes_refs', 0) + ${sql.join(
  LINKED.map((path) => sql`coalesce(json_array_length(object, ${sql.raw(`'${path}'`)}), 0)`),
  sql` + `,
)})`;

const columns = {
  seq: sql`seq`,
  type: sql`type`,
  object_id: sql`object_id`,
  at: sql`at`,
  salt: sql`hex(salt) as salt`,
  operation_id: sql`operation_id`,
  principal: sql`principal`,
  origin: sql`origin`,
};

/** Converts a row of {@link findEvent}, {@link eventPage} and of deliveries. */
export const decodeEvent = ({
  seq,
  type,
  object_id,
  at,
  salt,
  operation_id,
  principal,
  origin,
  object,
}: Values): StoredEvent => ({
  seq: Number(seq),
  type: String(type),
  object_id: String(object_id),
  at: Number(at),
  salt: String(salt),
  operation_id: String(operation_id),
  principal: parsedAs<StoredPrincipal>(String(principal)),
  origin: String(origin),
  object: String(object),
});

/** All columns of events; where `isRepeated`, without the object. */
export const eventColumns = (isRepeated: SQL): SQL[] => [
  ...Object.values(columns),
  sql`iif(${isRepeated}, null, object) as object`,
  sql`${isRepeated} as copy`,
];

/** The event with a number in the log. */
export const findEvent = (seq: number): Statement<StoredEvent> => ({
  ...statement(
    "find event",
    () =>
      raw(
        sql`select ${sql.join([...Object.values(columns), sql`object`], sql`, `)} from ${events} where ${events.seq} = ${sql.placeholder("seq")}`,
      ),
    { seq },
  ),
  decode: decodeEvent,
});

/**
 * The `seq` after that of the last event before an instant; that of the first event if there is none. Halves what is left of
 * the log with each event that it looks at: `size` is how far beyond `low` the last event before the instant may be.
 */
export const firstSince = (instant: SQL): SQL => sql`(
  with recursive bisected(low, size) as (
    select coalesce(min, 1) - 1, coalesce(max - min + 1, 0)
    from (select (select min(seq) from ${events}) as min, (select max(seq) from ${events}) as max)
    union all
    select low + iif((select at from ${events} where seq >= low + (size + 1) / 2 order by seq limit 1) < ${instant}, (size + 1) / 2, 0), size / 2
    from bisected where size > 0
  ) select low + 1 from bisected where size = 0)`;

/** True if no index tells which events match. */
const isScan = ({ type, principal_id }: EventFilter, seesKeys: boolean): boolean =>
  type !== undefined || principal_id !== undefined || !seesKeys;

/** `low`: no event before this one can match; `high`: none from this one on; `floor`: none before this one is looked at. */
function bounds(filter: EventFilter, seesKeys: boolean): SQL {
  const high = [
    sql`coalesce((select max(seq) from ${events}), 0) + 1`,
    ...(filter.before === undefined ? [] : [sql`${sql.placeholder("before")}`]),
    ...(filter.until === undefined ? [] : [firstSince(sql`${sql.placeholder("until")}`)]),
  ];
  const low =
    filter.since === undefined
      ? sql`coalesce((select min(seq) from ${events}), 1)`
      : firstSince(sql`${sql.placeholder("since")}`);
  const most = sql.raw(String(LOOKED_AT));
  const floor = !isScan(filter, seesKeys)
    ? sql`low`
    : filter.object_id === undefined
      ? sql`max(low, high - ${most})`
      : sql`max(low, coalesce((select seq from ${events} where object_id = ${sql.placeholder("object_id")} and seq < high order by seq desc limit 1 offset ${most} - 1), low))`;
  const highest = high.length === 1 ? high[0] : sql`min(${sql.join(high, sql`, `)})`;
  return sql`select low, high, ${floor} as floor from (select ${low} as low, ${highest} as high)`;
}

/**
 * Reads the events of a page and one more, and what was looked at: two statements, for one batch. See {@link eventPageOf}.
 *
 * @param seesKeys false leaves out the events of API keys
 * @param origin the start of every URI
 */
export function eventPage(
  filter: EventFilter,
  seesKeys: boolean,
  limit: number,
  origin: string,
): [Statement, Statement] {
  const names = Object.keys(filter).toSorted();
  const shape = `${names.join()} ${seesKeys ? "" : "without keys"}`;
  const values = { ...filter };
  return [
    statement(`bounds of events ${shape}`, () => raw(bounds(filter, seesKeys)), values),
    statement(
      `page events ${shape}`,
      () => {
        // SQLite reads the units of a page, which `inUnits` repeats rows by, as rows once there is a `with` before them.
        const isBisected = filter.since !== undefined || filter.until !== undefined;
        const from = isBisected ? sql`bounds` : sql`(${bounds(filter, seesKeys)})`;
        const matching = and(
          sql`seq < (select high from ${from})`,
          sql`seq >= (select floor from ${from})`,
          filter.object_id === undefined ? undefined : eq(events.object_id, sql.placeholder("object_id")),
          filter.type === undefined ? undefined : eq(events.type, sql.placeholder("type")),
          filter.principal_id === undefined
            ? undefined
            : sql`principal ->> 'id' = ${sql.placeholder("principal_id")}`,
          seesKeys ? undefined : sql`type not glob ${sql.raw(`'${ADMIN_TYPES}'`)}`,
        );
        // Most objects are short, and need not be parsed. A single event is never longer than a page.
        const bytes = sql`min(iif(octet_length(object) <= ${sql.raw(String(LIGHT_BYTES))}, 1, ${shownBytes} + ${sql.raw(String(FRAME_BYTES))}), ${sql.raw(String(PAGE_BYTES))}) as bytes`;
        const rows = sql`select *, ${bytes} from ${events} where ${matching} order by seq desc limit ${sql.placeholder("limit")}`;
        const page = inUnits(rows, eventColumns);
        return raw(
          isBisected ? sql`with bounds as materialized (${bounds(filter, seesKeys)}) ${page}` : page,
        );
      },
      { ...values, limit: limit + 1, ref_bytes: origin.length + LINK_BYTES },
    ),
  ];
}

/** A page of events, newest first. */
interface EventPage {
  events: StoredEvent[];
  /** What the next page is before, which need not be an event; undefined if there is none. */
  next: EventKey | undefined;
}

/** The page in the results of {@link eventPage}. A page may be empty, and yet another one follow. */
export function eventPageOf([bound = {}]: Values[], found: Values[], limit: number): EventPage {
  const rows = found.filter(({ copy }) => copy === 0).map(decodeEvent);
  const isMore = rows.length > limit || found.length > PAGE_UNITS;
  const shown = isMore ? rows.slice(0, -1) : rows;
  const { low, floor } = bound;
  const unseen =
    Number(floor) > Number(low) ? { seq: Number(floor), at: NO_INSTANT, salt: NO_SALT } : undefined;
  return { events: shown, next: isMore ? shown.at(-1) : unseen };
}
