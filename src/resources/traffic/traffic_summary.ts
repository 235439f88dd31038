import * as z from "zod";
import { clock } from "../../../packages/model/src/clock.ts";
import { exampleId } from "../../../packages/model/src/ids.ts";
import { schema } from "../../../packages/model/src/values/request_schemas.ts";
import { operation } from "../../http/operation.ts";
import { respond } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";
import { allTraffic, type AllTraffic, lastHourOf, type ObjectTraffic, summed } from "./traffic_by_object.ts";
import { MOST_READ } from "./traffic_statements.ts";

/*
 * The traffic of all edges and routes, for lists and maps.
 */

/** How many intervals a trend has. */
const TREND = 12;

const sums = (period: string) =>
  z
    .strictObject({
      requests: z.number().describe("HTTP requests."),
      connections: z.number().describe("TCP connections."),
      errors: z
        .number()
        .describe(
          "Requests with a 5xx response; of an edge without requests, connections that failed upstream.",
        ),
      denied: z.number().describe("Requests and connections that were denied."),
    })
    .describe(period);

const exampleSum = { requests: 12_400, connections: 3_100, errors: 12, denied: 40 };

const TrafficSummary = schema("TrafficSummary", () => ({
  description: "The traffic of all edges and routes.",
  examples: [
    {
      objects: [
        {
          object_id: exampleId("https_edge"),
          hour: exampleSum,
          day: { ...exampleSum, requests: 301_000 },
          trend: [1000, 1010, 990, 1100, 1050, 1000, 980, 1020, 1050, 1100, 1050, 1050],
        },
      ],
      resolution: 300,
    },
  ],
  type: z.strictObject({
    objects: z
      .array(
        z.strictObject({
          object_id: z.string().describe("Id of an edge or a route, which may no longer exist."),
          hour: sums(
            "The last twelve intervals of five minutes that are over; with hours, the last hour of the clock.",
          ),
          day: sums(
            "The last 24 hours of the clock that are over, and what follows them until now, unless `resolution` is 3600.",
          ),
          trend: z
            .array(z.number().nullable())
            .describe(
              "Requests, or connections if there are none, in each of the last twelve intervals that are over, oldest first; null if it is not known.",
            ),
        }),
      )
      .describe("The edges and routes, in ascending order of their ids."),
    resolution: z
      .number()
      .describe(
        `The length of the trends' intervals in seconds: 300, or 3600 if there are more than ${MOST_READ} agents.`,
      ),
  }),
}));

type Summary = z.output<typeof TrafficSummary>["objects"][number];

function summaryOf(id: string, of: readonly ObjectTraffic[], all: AllTraffic): Summary {
  const { resolution: length, end, covered } = all;
  const byInstant = new Map(
    of
      .filter(({ resolution }) => resolution === length)
      .map(({ at, requests, connections }) => [at, requests || connections]),
  );
  return {
    object_id: id,
    hour: lastHourOf(of, all),
    day: summed(of.filter(({ resolution, at }) => resolution === 3600 || at >= covered)),
    trend: Array.from(
      { length: TREND },
      (_, index) => byInstant.get(end - (TREND - index) * length * 1000) ?? null,
    ),
  };
}

export const trafficSummary = endpoints().get(
  "/summary",
  operation({
    id: "TrafficSummary",
    access: "viewer",
    summary: "Get the traffic of all edges and routes",
    description: `Returns the traffic of each edge and route in the last hour and the last day, for lists and maps. An agent reports its 25 busiest edges and routes one by one: of those that are missing here, nothing is known, or they had less traffic.`,
    tag: "Traffic",
    status: 200,
    response: TrafficSummary,
  }),
  async (c) => {
    const all = await allTraffic(c.get("request").session, clock.now());
    const body = {
      objects: Array.from(all.objects, ([id, of]) => summaryOf(id, of, all)),
      resolution: all.resolution,
    };
    return respond(c, 200, JSON.stringify(body satisfies z.output<typeof TrafficSummary>));
  },
);
