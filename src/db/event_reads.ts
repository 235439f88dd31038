import { ADMIN_TYPES } from "../../packages/model/src/event_types.ts";
import { type EventKey, NO_INSTANT, NO_SALT } from "../../packages/model/src/ids.ts";
import type { StoredPrincipal } from "./column_types.ts";
import { events } from "./internal_schema.ts";
import { LIGHT_BYTES, PAGE_BYTES, PAGE_UNITS, unitsOf } from "./page_statement.ts";
import {
  and,
  bound,
  decoded,
  join,
  lazy,
  raw,
  type Sql,
  sql,
  type Statement,
  type Values,
} from "./statements.ts";
import { parsedAs } from "./unchecked.ts";

/*
 * Reads the event log, newest first, or oldest first after an event. `at` never decreases, so a binary search by `seq` finds an
 * instant without an index.
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

/** Selects events. */
export interface EventFilter {
  /** Only events with a smaller `seq`. */
  before?: number;
  /** Only events with a greater `seq`, oldest first. Not together with `before`. */
  after?: number;
  /** Only events at or after this instant, in milliseconds since the Unix epoch. */
  since?: number;
  /** Only events before this instant. */
  until?: number;
  object_id?: string;
  type?: string;
  principal_id?: string;
}

/** The most events that a page examines if no index finds matching events. */
const EXAMINED = 10_000;

/** The size of an event in a response, in bytes, without its object and its URIs. */
const FRAME_BYTES = 2_000;

/**
 * An upper limit of the size of `{"id":"…","uri":"<origin>/event_subscriptions/…/sources/…"},` without the origin and the stored
 * name.
 */
const LINK_BYTES = 150;

/** Lists in logged objects whose items responses show with URIs: ids, and the sources of event subscriptions. */
const LINKED = [
  "$.ip_restriction.ip_policy_ids",
  "$.mutual_tls.certificate_authority_ids",
  "$.backends",
  "$.destination_ids",
  "$.sources",
];

/**
 * The size of an object in a response, in bytes: its stored size, and a URI for each Ref. An edge includes the Refs of its
 * routes.
 */
const shownBytes = (refBytes: number): Sql =>
  sql`octet_length(object) + ${refBytes} * (coalesce(object ->> '$.routes_refs', 0) + ${linked})`;

const linked = join(
  LINKED.map((path) => sql`coalesce(json_array_length(object, ${raw(`'${path}'`)}), 0)`),
  " + ",
);

/** All columns of events except the object. */
const columns = sql`seq, type, object_id, at, hex(salt) as salt, operation_id, principal, origin`;

/** Decodes a row of {@link findEvent}, {@link eventPage} or a delivery. */
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

/** All columns of events, and `copy`: true if `isRepeated`, in which case the row has no object. */
export const eventColumns = (isRepeated: Sql): Sql[] => [
  columns,
  sql`iif(${isRepeated}, null, object) as object`,
  sql`${isRepeated} as copy`,
];

/** Reads the event with a number in the log. */
export const findEvent = (seq: number): Statement<StoredEvent> =>
  decoded(sql`select ${columns}, object from ${events} where ${events.seq} = ${seq}`, decodeEvent);

/**
 * The `seq` after that of the last event before an instant, or that of the first event if there is none. A binary search: each
 * event that it reads halves the rest of the log. The last event before the instant is at most `size` beyond `low`.
 */
export const firstSince = (instant: number): Sql => sql`(
  with recursive bisected(low, size) as (
    select coalesce(min, 1) - 1, coalesce(max - min + 1, 0)
    from (select (select min(seq) from ${events}) as min, (select max(seq) from ${events}) as max)
    union all
    select low + iif((select at from ${events} where seq >= low + (size + 1) / 2 order by seq limit 1) < ${instant}, (size + 1) / 2, 0), size / 2
    from bisected where size > 0
  ) select low + 1 from bisected where size = 0)`;

/** True if no index finds the matching events. */
const isScan = ({ type, principal_id }: EventFilter, seesKeys: boolean): boolean =>
  type !== undefined || principal_id !== undefined || !seesKeys;

/**
 * Selects where to look for events: none before `low` can match, nor any from `high` on, and none before `floor` or from `ceiling`
 * on is looked at. With `after`, also selects the first and the last event of the log.
 */
function bounds(filter: EventFilter, seesKeys: boolean): Sql {
  const { before, after, since, until, object_id } = filter;
  const oldest = sql`coalesce((select min(seq) from ${events}), 1)`;
  const newest = sql`coalesce((select max(seq) from ${events}), 0)`;
  const highs = [
    sql`${newest} + 1`,
    ...(before === undefined ? [] : [sql`${before}`]),
    ...(until === undefined ? [] : [firstSince(until)]),
  ];
  const lows = [
    since === undefined ? oldest : firstSince(since),
    ...(after === undefined ? [] : [sql`${after + 1}`]),
  ];
  const most = raw(EXAMINED);
  const isEndless = !isScan(filter, seesKeys);
  /** The `seq` of the last event of the object that is looked at; null if there are fewer. */
  const ofObject = (condition: Sql, order: Sql) =>
    sql`(select seq from ${events} where object_id = ${bound(object_id)} and ${condition} order by seq ${order} limit 1 offset ${most} - 1)`;
  const floor =
    isEndless || after !== undefined
      ? sql`low`
      : object_id === undefined
        ? sql`max(low, high - ${most})`
        : sql`max(low, coalesce(${ofObject(sql`seq < high`, raw("desc"))}, low))`;
  const ceiling =
    isEndless || after === undefined
      ? sql`high`
      : object_id === undefined
        ? sql`min(high, low + ${most})`
        : sql`min(high, coalesce(${ofObject(sql`seq >= low`, raw("asc"))} + 1, high))`;
  const ends = after === undefined ? sql`` : sql`, ${oldest} as oldest, ${newest} as newest`;
  return sql`select low, high, ${floor} as floor, ${ceiling} as ceiling${ends}
    from (select ${extreme("max", lows)} as low, ${extreme("min", highs)} as high)`;
}

/** The greatest or the smallest of some numbers. */
const extreme = (name: "max" | "min", numbers: Sql[]): Sql =>
  numbers.length === 1 ? join(numbers) : sql`${raw(name)}(${join(numbers)})`;

const inUnits = lazy(() => unitsOf(eventColumns));

const isOfNoKey = and(...ADMIN_TYPES.map((pattern) => sql`type not glob ${raw(`'${pattern}'`)}`));

/**
 * Reads the events of a page and one more, and the part of the log that was searched: two statements for one batch, whose results
 * {@link eventPageOf} decodes.
 *
 * @param seesKeys false omits the events of API keys
 * @param origin the start of every URI
 */
export function eventPage(
  filter: EventFilter,
  seesKeys: boolean,
  limit: number,
  origin: string,
): [Statement, Statement] {
  const { after, since, until, object_id, type, principal_id } = filter;
  const order = after === undefined ? raw("desc") : raw("asc");
  const bounded = bounds(filter, seesKeys);
  // After a `with`, SQLite counts the copies that `unitsOf` makes of a row as rows read.
  const isBisected = since !== undefined || until !== undefined;
  const from = isBisected ? sql`bounds` : sql`(${bounded})`;
  const matching = and(
    sql`seq < (select ceiling from ${from})`,
    sql`seq >= (select floor from ${from})`,
    object_id === undefined ? undefined : sql`${events.object_id} = ${object_id}`,
    type === undefined ? undefined : sql`${events.type} = ${type}`,
    principal_id === undefined ? undefined : sql`principal ->> 'id' = ${principal_id}`,
    seesKeys ? undefined : isOfNoKey,
  );
  const shown = sql`${shownBytes(origin.length + LINK_BYTES)} + ${raw(FRAME_BYTES)}`;
  // Most objects are short and need not be parsed. A single event never exceeds a page.
  const bytes = sql`min(iif(octet_length(object) <= ${raw(LIGHT_BYTES)}, 1, ${shown}), ${raw(PAGE_BYTES)})`;
  const page = inUnits()(
    sql`select *, ${bytes} as bytes from ${events} where ${matching} order by seq ${order} limit ${limit + 1}`,
  );
  return [bounded, isBisected ? sql`with bounds as materialized (${bounded}) ${page}` : page];
}

/** A page of events, in the order in which {@link eventPage} reads them. */
interface EventPage {
  events: StoredEvent[];
  /** The key that the next page starts from, which need not be that of an event; undefined if there is no next page. */
  next: EventKey | undefined;
  /** True if events after `after` were deleted, or if the log has never had `after`. */
  isGone: boolean;
}

/** The page in the results of {@link eventPage}. Even after an empty page, another one can follow. */
export function eventPageOf(
  [bounds = {}]: Values[],
  found: Values[],
  limit: number,
  { after }: EventFilter,
): EventPage {
  const rows = found.filter(({ copy }) => copy === 0).map(decodeEvent);
  const isMore = rows.length > limit || found.length > PAGE_UNITS;
  const shown = isMore ? rows.slice(0, -1) : rows;
  const { low, high, floor, ceiling, oldest, newest } = bounds;
  const end =
    Number(floor) > Number(low)
      ? Number(floor)
      : Number(ceiling) < Number(high)
        ? Number(ceiling) - 1
        : undefined;
  const unseen = end === undefined ? undefined : { seq: end, at: NO_INSTANT, salt: NO_SALT };
  return {
    events: shown,
    next: isMore ? shown.at(-1) : unseen,
    isGone: after !== undefined && (after + 1 < Number(oldest) || after > Number(newest)),
  };
}
