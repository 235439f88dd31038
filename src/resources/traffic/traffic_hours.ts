import { PLACES, SLOTS } from "../../../packages/model/src/traffic/counts.ts";
import { agents, traffic, trafficHours as table } from "../../db/internal_schema.ts";
import { decoded, join, raw, type Sql, sql, type Statement } from "../../db/statements.ts";
import { type Interval, NOTHING, SHARES, toInterval, type Window } from "./traffic_statements.ts";

/*
 * What all agents together have counted in each hour, however many they are: the minute's run adds up their reports, so that a request reads
 * one row for an hour.
 */

const HOUR = 3_600_000;
/** How long hours are kept. */
const KEPT = 30 * 24 * HOUR;
/**
 * The minutes of an hour in which the hour before is added up: soon, and again for reports that came late. At the first of them, the hour
 * before that one is added up too, because reports are accepted for 59 minutes, and so are hours of the last day for which there was no run.
 * Tests replace the value.
 */
export const addingUp = { at: [3, 10, 30] };
/** By when an hour is added up: the run of its minute has ended. */
const ADDED_UP_WITHIN = 5 * 60_000;

/** Counts of several rows together. @param one an expression for a stored tally */
const together = (one: Sql): Sql => {
  const of = (name: "sum" | "max", list: string, length: number): Sql =>
    join(
      Array.from({ length }, (_, place) => sql`${raw(name)}(${one} ->> ${raw(`'$.${list}[${place}]'`)})`),
      ", ",
    );
  return sql`json_object('counts', json_array(${of("sum", "counts", PLACES.latency)}),
      'quantiles', json_array(${of("max", "quantiles", SHARES.length)}))`;
};

/** The first of some hours, and the last. All are the beginnings of hours, in milliseconds since the Unix epoch. */
interface Hours {
  last: number;
  /** The first that is added up again, although that was done. */
  again: number;
  /** The first that is added up if no run has done that, because none ran at the time. */
  first: number;
}

/** Adds up the reports of hours. Writes only rows that differ. */
const addUp = ({ last, again, first }: Hours): Sql =>
  sql`insert into ${table} (at, object_id, agents, complete, lost, counted)
    with recursive span(at) as (select ${last} union all select at - ${raw(HOUR)} from span where at > ${first}),
    hours as materialized (
      select at from span where at >= ${again} or not exists (
        select 1 from ${table} as known where known.at = span.at and known.object_id = '')),
    reports as materialized (
      select hours.at as at, ${traffic.lost} as lost, ${traffic.totals} as totals, ${traffic.other} is null as complete, ${traffic.objects} as objects
      from hours cross join ${agents} cross join ${traffic} on ${traffic.agent} = ${agents.name} and ${traffic.resolution} = 3600
        and ${traffic.slot} = hours.at / ${raw(HOUR)} % ${raw(SLOTS[3600])} and ${traffic.at} = hours.at),
    complete as materialized (select at, sum(complete) as number from reports group by at)
    select at, '', count(*), sum(complete), sum(lost), ${together(raw("totals"))} from reports group by at
    union all
    select reports.at, one.key, count(*) + complete.number - sum(reports.complete), null, null, ${together(raw("one.value"))}
      from reports cross join complete on complete.at = reports.at cross join json_each(reports.objects) as one where true
      group by reports.at, one.key
    on conflict (at, object_id) do update set agents = excluded.agents, complete = excluded.complete, lost = excluded.lost,
      counted = excluded.counted where (excluded.agents, excluded.complete, excluded.lost, excluded.counted)
        is not (${table.agents}, ${table.complete}, ${table.lost}, ${table.counted})`;

/** What the run of a minute does: it adds up hours that are over, and deletes those that are too old. Usually nothing. @param now milliseconds since the Unix epoch */
export function addUpHours(now: number): Sql[] {
  const minute = Math.floor(now / 60_000) % 60;
  if (!addingUp.at.includes(minute)) return [];
  const last = Math.floor(now / HOUR) * HOUR - HOUR;
  return minute === addingUp.at[0]
    ? [
        addUp({ last, again: last - HOUR, first: last - 24 * HOUR }),
        sql`delete from ${table} where ${table.at} < ${now - KEPT}`,
      ]
    : [addUp({ last, again: last, first: last })];
}

/** The end of the last hour that should have been added up. @param now milliseconds since the Unix epoch */
export const addedUpUntil = (now: number): number => Math.floor((now - ADDED_UP_WITHIN) / HOUR) * HOUR;

/**
 * Reads the hours of an object, of all agents together.
 *
 * @param id "" for all traffic
 * @param above reads nothing unless there are more agents than this
 */
export const hoursIn = (
  { from, now }: Pick<Window, "from" | "now">,
  id: string,
  above?: number,
): Statement<Interval> => {
  const first = Math.ceil(Math.max(from, now - KEPT) / HOUR) * HOUR;
  const condition =
    above === undefined ? raw("") : sql`where (select count(*) from ${agents}) > ${raw(above)}`;
  return decoded(
    // Begins with the first hour that is kept.
    sql`with recursive hours(at) as (
        select max(${first}, (select min(at) from ${table})) as at ${condition} union all select at + ${raw(HOUR)} from hours where at + ${raw(HOUR)} <= ${now})
      select hours.at as at, whole.lost as lost, coalesce(one.agents, whole.complete) as agents,
        coalesce(one.counted, iif(whole.complete > 0, ${NOTHING}, null)) as counted
      from hours cross join ${table} as whole on whole.at = hours.at and whole.object_id = ''
        left join ${table} as one on one.at = hours.at and one.object_id = ${id}`,
    toInterval,
  );
};
