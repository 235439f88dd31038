import { type IntervalLength, PLACES } from "../../../packages/model/src/traffic/counts.ts";
import { agents, traffic, trafficHours } from "../../db/internal_schema.ts";
import type { Session } from "../../db/session.ts";
import { decoded, join, raw, type Sql, sql, type Statement, type Values } from "../../db/statements.ts";
import { addedUpUntil } from "./traffic_hours.ts";
import { MOST_READ } from "./traffic_statements.ts";

/*
 * A few numbers of all objects, for lists and plans.
 */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FIVE_MINUTES = 300_000;

/** An object's counts in an interval, of all agents together. */
export interface ObjectTraffic {
  id: string;
  resolution: IntervalLength;
  at: number;
  requests: number;
  connections: number;
  /** Responses with a status of 5xx. */
  failed: number;
  upstream_errors: number;
  denied: number;
}

/** @param one an expression for a stored tally */
const numbersOf = (one: Sql): Sql => {
  const sum = (...names: (keyof typeof PLACES)[]): Sql =>
    join(
      names.map((name) => sql`sum(${one} ->> ${raw(`'$.counts[${PLACES[name]}]'`)})`),
      " + ",
    );
  return sql`${sum("requests")} as requests, ${sum("connections")} as connections, ${sum("5xx")} as failed,
    ${sum("upstream_errors")} as upstream_errors, ${sum("ip_restriction", "traffic_policy", "user_agent_filter")} as denied`;
};

/** Numbers of an object. */
export interface ObjectSums {
  requests: number;
  connections: number;
  errors: number;
  denied: number;
}

/** The traffic of all objects. */
export interface AllTraffic {
  /** By id, each with its intervals. Objects that no agent has named are missing. */
  objects: Map<string, ObjectTraffic[]>;
  /** The length in seconds of the intervals that the last hour is made of: hours, if there are many agents. */
  resolution: 300 | 3600;
  /** When the last of these intervals ended, in milliseconds since the Unix epoch. */
  end: number;
  /** The end of the last hour that was added up, in milliseconds since the Unix epoch; 0 if none was. */
  covered: number;
}

/**
 * Reads the traffic of all objects: in the last hour by five minutes, unless there are too many agents, and in the hours of a day.
 *
 * @param now milliseconds since the Unix epoch
 */
export async function allTraffic(session: Session, now: number): Promise<AllTraffic> {
  const [statement, number] = [intervalsIn(now), areManyAgents()];
  const [found = [], many = []] = await session.batch([statement, number]);
  const all = found.map(statement.decode);
  const areMany = many.map(number.decode)[0] === true;
  const covered = Math.max(
    0,
    ...all.filter(({ resolution }) => resolution === 3600).map(({ at }) => at + HOUR),
  );
  return {
    objects: Map.groupBy(
      // Shortly after an hour was added up, there is one more.
      all.filter(({ at }) => at >= covered - DAY),
      ({ id }) => id,
    ),
    resolution: areMany ? 3600 : 300,
    end: areMany ? addedUpUntil(now) : Math.floor(now / FIVE_MINUTES) * FIVE_MINUTES,
    covered,
  };
}

/** Adds up intervals. */
export function summed(intervals: readonly ObjectTraffic[]): ObjectSums {
  const all = { requests: 0, connections: 0, errors: 0, denied: 0 };
  for (const one of intervals) {
    all.requests += one.requests;
    all.connections += one.connections;
    all.errors += one.requests > 0 ? one.failed : one.upstream_errors;
    all.denied += one.denied;
  }
  return all;
}

/** The traffic of an object in the last hour. */
export const lastHourOf = (
  intervals: readonly ObjectTraffic[],
  { resolution: length, end }: Pick<AllTraffic, "resolution" | "end">,
): ObjectSums =>
  summed(intervals.filter(({ resolution, at }) => resolution === length && at >= end - HOUR && at < end));

/** The agents whose intervals of five minutes are read: all, or none if there are too many. */
const fewAgents =
  () => sql`(select name from ${agents} where (select count(*) from ${agents}) <= ${raw(MOST_READ)}) as named
    cross join ${traffic} on ${traffic.agent} = named.name and ${traffic.resolution} = 300`;

/** The condition for the intervals of five minutes of the last hour. */
const inLastHour = (now: number): Sql => {
  const end = Math.floor(now / FIVE_MINUTES) * FIVE_MINUTES;
  return sql`${traffic.at} >= ${end - HOUR} and ${traffic.at} < ${end}`;
};

const intervalsIn = (now: number): Statement<ObjectTraffic> =>
  decoded(
    sql`select one.key as id, 300 as resolution, ${traffic.at} as at, ${numbersOf(raw("one.value"))}
        from ${fewAgents()} cross join json_each(${traffic.objects}) as one where ${inLastHour(now)} group by 1, 3
      union all
      select ${trafficHours.object_id}, 3600, ${trafficHours.at}, ${numbersOf(raw("counted"))} from ${trafficHours}
        where ${trafficHours.at} >= ${addedUpUntil(now) - DAY} and ${trafficHours.at} <= ${now - HOUR} and ${trafficHours.object_id} <> ''
        group by 3, 1
      order by 1, 3`,
    toObjectTraffic,
  );

const toObjectTraffic = ({ id, resolution, at, ...sums }: Values): ObjectTraffic => ({
  id: String(id),
  resolution: Number(resolution) === 300 ? 300 : 3600,
  at: Number(at),
  requests: Number(sums["requests"]),
  connections: Number(sums["connections"]),
  failed: Number(sums["failed"]),
  upstream_errors: Number(sums["upstream_errors"]),
  denied: Number(sums["denied"]),
});

const areManyAgents = (): Statement<boolean> =>
  decoded(sql`select count(*) > ${raw(MOST_READ)} as many from ${agents}`, ({ many }) => many === 1);

/**
 * Reads the traffic of some objects in the last hour, or in the last one that was added up if there are many agents.
 *
 * @param now milliseconds since the Unix epoch
 * @returns by id, those that agents have counted one by one; and whether all agents have, in the whole hour
 */
export async function lastHour(
  session: Session,
  ids: readonly string[],
  now: number,
): Promise<{ objects: Map<string, ObjectSums>; isComplete: boolean }> {
  const json = JSON.stringify(ids);
  const hour = addedUpUntil(now) - HOUR;
  const one = raw(`${traffic.objects.name} -> ('$."' || ids.value || '"')`);
  const found = decoded(
    sql`select ids.value as id, 300 as resolution, ${traffic.at} as at, ${numbersOf(one)}
        from ${fewAgents()} cross join json_each(${json}) as ids where ${inLastHour(now)} and ${one} is not null group by 1
      union all
      select ${trafficHours.object_id}, 3600, ${trafficHours.at}, ${numbersOf(raw("counted"))}
        from json_each(${json}) as ids cross join ${trafficHours} on ${trafficHours.at} = ${hour} and ${trafficHours.object_id} = ids.value
        where (select count(*) from ${agents}) > ${raw(MOST_READ)} group by 1`,
    toObjectTraffic,
  );
  const complete = decoded(
    sql`select iif((select count(*) from ${agents}) <= ${raw(MOST_READ)}, (
        select count(*) > 0 and count(*) = 12 * (select count(*) from ${agents}) and count(${traffic.other}) = 0
        from ${fewAgents()} where ${inLastHour(now)}), (
        select ${trafficHours.complete} = (select count(*) from ${agents}) from ${trafficHours}
        where ${trafficHours.at} = ${hour} and ${trafficHours.object_id} = '')) as complete`,
    (row) => row["complete"] === 1,
  );
  const [objects = [], whole = []] = await session.batch([found, complete]);
  return {
    objects: new Map(objects.map(found.decode).map((row) => [row.id, summed([row])])),
    isComplete: whole.map(complete.decode)[0] === true,
  };
}
