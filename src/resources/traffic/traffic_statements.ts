import { kinds } from "../../../packages/model/src/kinds.ts";
import {
  type Counts,
  PLACES,
  quantile,
  type IntervalLength,
  SLOTS,
  tallyOf,
  type ReportedServer,
  type TrafficReport,
} from "../../../packages/model/src/traffic/counts.ts";
import type { StoredTraffic } from "../../db/column_types.ts";
import { agents, traffic as table } from "../../db/internal_schema.ts";
import { httpsEdgeRoutes, httpsEdges, staticBackends, tcpEdges, tlsEdges } from "../../db/schema.ts";
import { decoded, join, raw, type Sql, sql, type Statement, type Values } from "../../db/statements.ts";
import { parsedAs } from "../../db/unchecked.ts";

/*
 * The traffic that agents report. Each agent has a ring of intervals for each length, and writes one row for each interval. Rows of minutes
 * have buckets of latencies, and addresses if the agent counts these; they are gone after an hour. Rows of longer intervals have numbers
 * only.
 */

/** How many agents are read together in detail. */
export const MOST_READ = 20;

export const SHARES = [0.5, 0.95, 0.99];

function stored(counts: Counts, resolution: IntervalLength): StoredTraffic {
  const tally = tallyOf(counts);
  const plain = tally.slice(0, PLACES.latency);
  return resolution === 60
    ? { counts: plain, latency: counts.latency }
    : { counts: plain, quantiles: SHARES.map((share) => quantile(tally, share)) };
}

/**
 * Writes a report, unless there is a newer one in its place, or the name is not the key's. An agent that repeats a report replaces it.
 * Returns a row if the name is the key's.
 */
export function writeTraffic(name: string, keyId: string, report: TrafficReport): Sql[] {
  const { resolution, at, totals, objects, other, upstreams, lost } = report;
  const instant = Date.parse(at);
  const slot = (instant / 1000 / resolution) % SLOTS[resolution];
  const byId = Object.fromEntries(
    objects.map(({ id, top_sources: top, ...counts }): [string, StoredTraffic] => [
      id,
      {
        ...stored(counts, resolution),
        ...(top && resolution === 60 && { sources: top.map(({ source, requests }) => [source, requests]) }),
      },
    ]),
  );
  const isOwn = sql`exists (select 1 from ${agents} where ${agents.name} = ${name} and ${agents.key_id} = ${keyId})`;
  const values = join([
    sql`${name}`,
    sql`${resolution}`,
    sql`${slot}`,
    sql`${instant}`,
    sql`${lost}`,
    sql`${JSON.stringify(stored(totals, resolution))}`,
    sql`${other ? JSON.stringify(stored(other, resolution)) : null}`,
    sql`${upstreams ? JSON.stringify(upstreams) : null}`,
    sql`${JSON.stringify(byId)}`,
  ]);
  return [
    sql`insert into ${table} (agent, resolution, slot, at, lost, totals, other, upstreams, objects)
      select ${values} where ${isOwn}
      on conflict (agent, resolution, slot) do update set at = excluded.at, lost = excluded.lost, totals = excluded.totals,
        other = excluded.other, upstreams = excluded.upstreams, objects = excluded.objects where excluded.at >= ${table.at}`,
    sql`select 1 as own where ${isOwn}`,
  ];
}

/** The objects that traffic is counted for, except routes, by the prefix of their ids. */
const objects = [
  [kinds.tcp_edge.prefix, tcpEdges],
  [kinds.tls_edge.prefix, tlsEdges],
  [kinds.https_edge.prefix, httpsEdges],
  [kinds.static_backend.prefix, staticBackends],
] as const;

/**
 * Returns a row if there is an object with this id.
 *
 * @param id undefined for all traffic, which there always is
 * @param edge_id of a route, its edge
 */
export function objectExists(id: string | undefined, edge_id = ""): Sql {
  if (id === undefined) return sql`select 1 as found`;
  const [, table = httpsEdgeRoutes] = objects.find(([prefix]) => id.startsWith(prefix)) ?? [];
  const isInEdge = table === httpsEdgeRoutes ? sql`${httpsEdgeRoutes.edge_id} = ${edge_id} and` : raw("");
  return sql`select 1 as found from ${table} where ${isInEdge} ${table.id} = ${id}`;
}

/** Deletes what an agent has reported. */
export const forgetTraffic = (name: string): Sql => sql`delete from ${table} where ${table.agent} = ${name}`;

/** Counts of an interval. */
export interface Interval {
  /** The agent that counted, or how many agents did. */
  by: string | number;
  at: number;
  lost: number;
  /** Null if it is not known how much of the traffic was this object's. */
  counted: StoredTraffic | null;
}

/** Which intervals are read. */
export interface Window {
  resolution: IntervalLength;
  /** The beginning of the first interval, in milliseconds since the Unix epoch. */
  from: number;
  /** Milliseconds since the Unix epoch. */
  now: number;
  agent?: string | undefined;
  /** Whether nothing is read if there are more than {@link MOST_READ} agents. */
  isOfFew?: boolean;
}

/** Reads how many agents are not read, because there are too many. */
export const agentsLeftOut = (): Statement<number> =>
  decoded(sql`select max(0, count(*) - ${raw(MOST_READ)}) as number from ${agents}`, ({ number }) =>
    Number(number),
  );

/** Rows of intervals that are not older than the ring. Not sorted, because D1 bills each row that it sorts. */
const rowsIn = ({ resolution, from, now, agent, isOfFew = false }: Window, columns: Sql): Sql => {
  const first = Math.max(from, now - SLOTS[resolution] * resolution * 1000);
  const names =
    agent === undefined
      ? sql`select name from ${agents} ${isOfFew ? sql`where (select count(*) from ${agents}) <= ${raw(MOST_READ)}` : raw("")}
          order by name limit ${raw(MOST_READ)}`
      : sql`select ${agent} as name`;
  return sql`select ${table.agent} as agents, ${table.at} as at, ${table.lost} as lost, ${columns} from (${names}) as named
    cross join ${table} on ${table.agent} = named.name and ${table.resolution} = ${resolution}
    where ${table.at} >= ${first}`;
};

/** @param row its `agents` is a name or a number */
export const toInterval = ({ agents: by, at, lost, counted }: Values): Interval => ({
  by: typeof by === "number" ? by : String(by),
  at: Number(at),
  lost: Number(lost),
  counted: typeof counted === "string" ? parsedAs<StoredTraffic>(counted) : null,
});

/** Reads all traffic of agents. */
export const totalsIn = (window: Window): Statement<Interval> =>
  decoded(rowsIn(window, sql`${table.totals} as counted`), toInterval);

/** What an object without traffic has. */
export const NOTHING = JSON.stringify({
  counts: Array<number>(PLACES.latency).fill(0),
} satisfies StoredTraffic);

/** Reads the traffic of an object. If a report has others together, it is not known whether the object is one of them. */
export const objectIn = (window: Window, id: string): Statement<Interval> =>
  decoded(
    rowsIn(
      window,
      sql`coalesce(json_extract(${table.objects}, ${`$."${id}"`}), iif(${table.other} is null, ${NOTHING}, null)) as counted`,
    ),
    toInterval,
  );

/** Reads the servers of a backend, as agents last reported them. */
export const serversOf = (id: string, now: number): Statement<{ agent: string; servers: ReportedServer[] }> =>
  decoded(
    sql`select agent, servers from (
        select ${table.agent} as agent, max(${table.at}) as at, (
            select json_group_array(json(value)) from json_each(${table.upstreams}) where value ->> '$.backend_id' = ${id}) as servers
        from ${table} join ${agents} on ${agents.name} = ${table.agent}
        where ${table.resolution} = 60 and ${table.at} >= ${now - RECENT} group by ${table.agent})
      where servers <> '[]' order by agent limit 100`,
    ({ agent, servers }) => ({ agent: String(agent), servers: parsedAs<ReportedServer[]>(String(servers)) }),
  );
/** How old a report of servers can be. */
const RECENT = 5 * 60_000;
