import * as z from "zod";
import { clock, timestamp } from "../../../packages/model/src/clock.ts";
import { exampleId, idSchema, isIdOf } from "../../../packages/model/src/ids.ts";
import { reaches } from "../../../packages/model/src/roles.ts";
import {
  addTally,
  countsOf,
  emptyTally,
  MOST_SOURCES,
  quantile,
  type IntervalLength,
  RESOLUTIONS,
} from "../../../packages/model/src/traffic/counts.ts";
import { AGENT_NAME, NOT_AN_AGENT_NAME } from "../../../packages/model/src/values/agent_names.ts";
import { instant } from "../../../packages/model/src/values/instants.ts";
import { requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import { notFound } from "../../http/errors.ts";
import { operation } from "../../http/operation.ts";
import { respond } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";
import { hoursIn } from "./traffic_hours.ts";
import { countFields, exampleCounts } from "./traffic_report.ts";
import {
  agentsLeftOut,
  type Interval,
  MOST_READ,
  objectExists,
  objectIn,
  SHARES,
  totalsIn,
  type Window,
} from "./traffic_statements.ts";

/*
 * The traffic of edges and routes, as agents count it.
 */

const tag = "Traffic";
const number = () => z.number();

const countsShape = () => ({
  ...countFields(number),
  p50: z
    .number()
    .nullable()
    .describe(
      "The latency that half of the requests did not exceed, in milliseconds; null if it is not known.",
    ),
  p95: z.number().nullable().describe("The same for 95 % of the requests."),
  p99: z.number().nullable().describe("The same for 99 % of the requests."),
  agents: z
    .number()
    .describe("How many agents' counts are in these numbers. Those whose counts are not known are left out."),
  lost: z.number().describe("Requests and connections of these agents, of any edge, that were not counted."),
});

const exampleSeries = () => ({ ...exampleCounts, p50: 7.1, p95: 58, p99: 190, agents: 2, lost: 0 });

const Traffic = schema("Traffic", () => ({
  description: "The traffic of an edge or a route, or of all.",
  examples: [
    {
      object_id: exampleId("https_edge"),
      resolution: 60,
      series: [{ at: "2026-01-02T03:04:00Z", ...exampleSeries() }],
      totals: exampleSeries(),
      agents_left_out: 0,
      top_sources: null,
    },
  ],
  type: z.strictObject({
    object_id: z.string().nullable().describe("Id of the route or the edge; null for all traffic."),
    resolution: z.number().describe("The length of the intervals in seconds."),
    series: z
      .array(
        z.strictObject({
          at: z.string().describe("The beginning of the interval (RFC 3339)."),
          ...countsShape(),
        }),
      )
      .describe("The intervals, oldest first. Those of which nothing is known are missing."),
    totals: z
      .strictObject(countsShape())
      .describe(
        "All intervals together. Unless these are minutes, the latencies are those of the slowest interval.",
      ),
    agents_left_out: z
      .number()
      .describe(
        `How many agents are not in these numbers: of minutes and five minutes, only ${MOST_READ} are read together, by name.`,
      ),
    top_sources: z
      .array(
        z.strictObject({
          source: z.string().describe("The address of the client."),
          requests: z.number().describe("How many requests or connections it made, at most."),
        }),
      )
      .nullable()
      .describe(
        "The most frequent clients. Null if no agent counts addresses, for all traffic, for intervals longer than a minute, and for viewers.",
      ),
  }),
}));

type Counts = z.output<typeof Traffic>["totals"];

/** Counts of several agents or intervals together. */
function together(intervals: readonly Interval[]): Counts {
  const known = intervals.flatMap(({ counted }) => counted ?? []);
  const tally = emptyTally();
  let largest: (number | null)[] = SHARES.map(() => null);
  for (const { counts, latency = [], quantiles } of known) {
    addTally(tally, [...counts, ...latency]);
    // What no part exceeds, the whole does not exceed either.
    if (quantiles) largest = largest.map((before, index) => highest(before, quantiles[index] ?? null));
  }
  const [p50 = null, p95 = null, p99 = null] = SHARES.map((share, index) =>
    highest(quantile(tally, share), largest[index] ?? null),
  );
  const { latency: _latency, ...counts } = countsOf(tally);
  return {
    ...counts,
    p50,
    p95,
    p99,
    agents: agentsOf(intervals.filter(({ counted }) => counted !== null)),
    lost: intervals.reduce((sum, { lost }) => sum + lost, 0),
  };
}

/** How many agents have counted: in hours that were added up, in one of them at most. */
function agentsOf(intervals: readonly Interval[]): number {
  const names = new Set(intervals.map(({ by }) => by).filter((by) => typeof by === "string"));
  return intervals.reduce((most, { by }) => (typeof by === "number" ? Math.max(most, by) : most), names.size);
}

const highest = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b);

/** The most frequent sources of all intervals; null if none has any. */
function topSources(intervals: readonly Interval[]): { source: string; requests: number }[] | null {
  const found = new Map<string, number>();
  const lists = intervals.flatMap(({ counted }) => (counted?.sources ? [counted.sources] : []));
  if (lists.length === 0) return null;
  for (const [source, requests] of lists.flat()) found.set(source, (found.get(source) ?? 0) + requests);
  return Array.from(found, ([source, requests]) => ({ source, requests }))
    .toSorted((a, b) => b.requests - a.requests || (a.source < b.source ? -1 : 1))
    .slice(0, MOST_SOURCES);
}

const anyEdge = ["tcp_edge", "tls_edge", "https_edge"] as const;

/** The intervals of one instant together, oldest first. */
function seriesOf(intervals: readonly Interval[]): ({ at: string } & Counts)[] {
  const byInstant = Map.groupBy(intervals, ({ at }) => at);
  return [...byInstant]
    .filter(([, of]) => of.some(({ counted }) => counted !== null))
    .toSorted(([a], [b]) => a - b)
    .map(([at, of]) => ({ at: timestamp(at), ...together(of.filter(({ counted }) => counted !== null)) }));
}

const resolutions = () =>
  z
    .enum(["60", "300", "3600"])
    .transform((text): IntervalLength => RESOLUTIONS.find((one) => String(one) === text) ?? 60);

export const traffic = endpoints().get(
  "/",
  operation({
    id: "TrafficGet",
    access: "viewer",
    summary: "Get traffic",
    description: `Returns how many requests and connections came in each interval, how they ended, and how long they took, as agents reported it: of an edge or a route, or of all. Agents report each minute; the last interval can be incomplete until all have. Minutes are kept for an hour, five minutes for a day, hours for 30 days. An agent reports its 25 busiest edges and routes one by one: for others, its counts are not known. Hours of all agents together are added up a few minutes after they end; of minutes and five minutes, only ${MOST_READ} agents are read together, by name, and \`agents_left_out\` says how many are not.`,
    tag,
    query: z.lazy(() =>
      requestObject({
        edge_id: idSchema(...anyEdge)
          .describe("Returns only the traffic of this edge.")
          .exactOptional(),
        route_id: idSchema("https_edge_route")
          .describe("Returns only the traffic of this route of the edge.")
          .exactOptional(),
        agent: z
          .string()
          .regex(AGENT_NAME, NOT_AN_AGENT_NAME)
          .describe("Returns only what this agent has counted.")
          .exactOptional(),
        since: instant()
          .describe("Returns only intervals that begin at or after this time (RFC 3339).")
          .exactOptional(),
        resolution: resolutions()
          .describe(
            `The length of the intervals in seconds. If omitted, a minute; without \`agent\` and with more than ${MOST_READ} agents, an hour.`,
          )
          .exactOptional(),
      }).refine(({ edge_id, route_id }) => route_id === undefined || edge_id !== undefined, {
        path: ["edge_id"],
        message: "Send the id of the route's edge.",
      }),
    ),
    status: 200,
    response: Traffic,
    errors: ["ERR_NOT_FOUND"],
  }),
  async (c) => {
    const { session, caller } = c.get("request");
    const { edge_id, route_id, agent, since: from = 0, resolution: wanted } = c.req.valid("query");
    const id = route_id ?? edge_id;
    const now = clock.now();
    const hours = (above?: number) => hoursIn({ from, now }, id ?? "", above);
    // Of many agents, hours are read unless something else is asked for.
    const instead = agent === undefined && wanted === undefined ? [hours(MOST_READ)] : [];
    const detailed = (resolution: IntervalLength) => {
      const window: Window = { resolution, from, now, agent, isOfFew: instead.length > 0 };
      return id === undefined ? totalsIn(window) : objectIn(window, id);
    };
    const areHours = agent === undefined && wanted === 3600;
    const statement = areHours ? hours() : detailed(wanted ?? 60);
    const others = agentsLeftOut();
    const [exists = [], notRead = [], found = [], rolled = []] = await session.batch([
      objectExists(id, edge_id),
      others,
      statement,
      ...instead,
    ]);
    if (exists.length === 0)
      throw notFound(
        route_id === undefined
          ? (anyEdge.find((kind) => isIdOf(kind, edge_id ?? "")) ?? "https_edge")
          : "https_edge_route",
      );
    const left = agent === undefined ? (notRead.map(others.decode)[0] ?? 0) : 0;
    const isByHour = areHours || (left > 0 && instead.length > 0);
    const intervals = (isByHour && !areHours ? rolled : found).map(statement.decode);
    const maySee = caller !== undefined && reaches(caller.role, "editor");
    const body = {
      object_id: id ?? null,
      resolution: isByHour ? 3600 : (wanted ?? 60),
      series: seriesOf(intervals),
      totals: together(intervals),
      agents_left_out: isByHour ? 0 : left,
      top_sources: maySee ? topSources(intervals) : null,
    };
    return respond(c, 200, JSON.stringify(body satisfies z.output<typeof Traffic>));
  },
);
