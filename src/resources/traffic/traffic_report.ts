import * as z from "zod";
import { clock, timestamp } from "../../../packages/model/src/clock.ts";
import { exampleId, idSchema } from "../../../packages/model/src/ids.ts";
import {
  type Counts,
  LARGEST_COUNT,
  LATENCY_BUCKETS,
  MOST_OBJECTS,
  MOST_SERVERS,
  MOST_SOURCES,
  REPORT_BYTES,
  REPORT_EARLY,
  REPORT_LATE,
  RESOLUTIONS,
} from "../../../packages/model/src/traffic/counts.ts";
import { AGENT_NAME, NOT_AN_AGENT_NAME } from "../../../packages/model/src/values/agent_names.ts";
import { hostport } from "../../../packages/model/src/values/hostports.ts";
import { storedInstant } from "../../../packages/model/src/values/instants.ts";
import { canonicalAddress, IPV6_CHARACTERS } from "../../../packages/model/src/values/ip.ts";
import {
  byteLength,
  nonEmpty,
  requestObject,
  schema,
} from "../../../packages/model/src/values/request_schemas.ts";
import { agentRefused, invalidMembers, tooLarge, unauthenticated } from "../../http/errors.ts";
import { operation } from "../../http/operation.ts";
import { respond } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";
import { writeTraffic } from "./traffic_statements.ts";

/*
 * What an agent reports of the traffic in an interval.
 */

const natural = (maximum = LARGEST_COUNT) =>
  z
    .number()
    .refine(
      (value) => Number.isInteger(value) && value >= 0 && value <= maximum,
      `Expected a whole number from 0 to ${maximum}.`,
    )
    .meta({ type: "integer", minimum: 0, maximum });

/** The fields of counts, with their meanings. @param number the schema of each */
export const countFields = <Count extends z.ZodType<number>>(number: (maximum?: number) => Count) => ({
  requests: number().describe("HTTP requests."),
  connections: number().describe("TCP connections from clients, also those that were denied."),
  // A connection counts when it ends, however long it was.
  bytes: number(Number.MAX_SAFE_INTEGER).describe("Bytes that were sent to clients."),
  status: requestObject({
    "1xx": number().describe("1xx."),
    "2xx": number().describe("2xx."),
    "3xx": number().describe("3xx."),
    "4xx": number().describe("4xx."),
    "5xx": number().describe("5xx."),
  }).describe("Responses by the class of their status."),
  denied: requestObject({
    ip_restriction: number().describe("By `ip_restriction`."),
    traffic_policy: number().describe("By `traffic_policy`, except by its rate limits."),
    user_agent_filter: number().describe("By `user_agent_filter`."),
  }).describe("Requests and connections that were denied, by module."),
  limited: number().describe("Requests that a rate limit rejected."),
  circuit_open: number().describe("Requests that got a 503 because the circuit was open."),
  upstream_errors: number().describe(
    "Requests and connections whose upstream could not be reached, broke off, or did not answer in time.",
  ),
  aborted: number().describe("Requests and connections that the client broke off."),
  tls_failures: number().describe("TLS handshakes that failed."),
});

const counts = () => ({
  ...countFields(natural),
  latency: z
    .array(natural())
    .length(LATENCY_BUCKETS, `Expected exactly ${LATENCY_BUCKETS} buckets.`)
    .describe(
      "How many requests took how long: less than a millisecond, then less than 2, 4, 8 milliseconds and so on; the last bucket has all others. Without those that were denied or limited, and upgrades to other protocols.",
    ),
});

const countedKinds = ["tcp_edge", "tls_edge", "https_edge", "https_edge_route"] as const;

const top = () =>
  z
    .array(
      requestObject({
        source: nonEmpty(IPV6_CHARACTERS)
          .refine((text) => canonicalAddress(text) !== undefined, "Expected an IP address.")
          .describe("The address of the client."),
        requests: natural().describe("How many requests or connections it made, at most."),
      }),
    )
    .max(MOST_SOURCES)
    .describe("The most frequent clients, if the agent counts addresses.");

/** Counts for examples. */
export const exampleCounts: Omit<Counts, "latency"> = {
  requests: 1240,
  connections: 310,
  bytes: 5_210_400,
  status: { "1xx": 0, "2xx": 1200, "3xx": 10, "4xx": 25, "5xx": 5 },
  denied: { ip_restriction: 12, traffic_policy: 0, user_agent_filter: 0 },
  limited: 3,
  circuit_open: 0,
  upstream_errors: 5,
  aborted: 1,
  tls_failures: 2,
};

const exampleReport = (): Counts => ({
  ...exampleCounts,
  latency: [4, 90, 310, 402, 280, 100, 30, 15, 5, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0],
});

const TrafficReportRequest = schema("TrafficReportRequest", () => ({
  description: `The traffic of an agent in an interval: at most ${REPORT_BYTES} bytes.`,
  examples: [
    {
      resolution: 60,
      at: "2026-01-02T03:04:00Z",
      totals: exampleReport(),
      objects: [{ id: exampleId("https_edge"), ...exampleReport() }],
      upstreams: [
        {
          backend_id: exampleId("static_backend"),
          address: "10.0.0.1:8080",
          up: true,
          since: "2026-01-02T02:00:00Z",
        },
      ],
      lost: 0,
    },
  ],
  type: requestObject({
    resolution: z.literal(RESOLUTIONS).describe("The length of the interval in seconds."),
    at: storedInstant().describe(
      "The beginning of the interval by the service's clock (RFC 3339): a whole multiple of its length since 1970.",
    ),
    totals: requestObject(counts()).describe("All traffic, also what belongs to no edge."),
    objects: z
      .array(
        requestObject({
          id: idSchema(...countedKinds).describe("Id of an edge or a route."),
          ...counts(),
          top_sources: top().exactOptional(),
        }),
      )
      .max(MOST_OBJECTS)
      .refine((objects) => new Set(objects.map(({ id }) => id)).size === objects.length, "Send each id once.")
      .describe(
        "The edges and routes with the most traffic. A request counts for its edge and for its route.",
      ),
    other: requestObject(counts())
      .describe("All other edges and routes together. If omitted, they had no traffic.")
      .exactOptional(),
    upstreams: z
      .array(
        requestObject({
          backend_id: idSchema("static_backend").describe("Id of a static backend."),
          address: hostport().describe("Address and port of a server."),
          up: z.boolean().describe("Whether it can be reached."),
          since: storedInstant().describe("Since when (RFC 3339)."),
        }),
      )
      .max(MOST_SERVERS)
      .describe("Servers of backends, at the end of the interval.")
      .exactOptional(),
    lost: natural().describe("Requests and connections that were not counted."),
  }).superRefine(({ resolution, at }, context) => {
    if ((Date.parse(at) / 1000) % resolution !== 0)
      context.addIssue({
        code: "custom",
        path: ["at"],
        message: `Expected a time at which an interval of ${resolution} seconds begins.`,
      });
  }),
}));

const names = { name: z.lazy(() => z.string().regex(AGENT_NAME).describe("Name of the agent.")) };

export const trafficReports = endpoints().put(
  "/:name/traffic",
  operation({
    id: "AgentsReportTraffic",
    access: "agent",
    summary: "Report an agent's traffic",
    description: `Reports what an agent has counted in a minute, in five minutes or in an hour. A repeated report replaces the one before. Reports are accepted until ${REPORT_LATE / 60_000} minutes after the end of the interval. The key must own the agent's name: see \`PUT /agents/{name}/status\`. A report records no event.`,
    tag: "Traffic",
    names,
    body: TrafficReportRequest,
    status: 204,
  }),
  async (c) => {
    const { session, caller } = c.get("request");
    if (!caller) throw unauthenticated();
    const name = c.req.param("name");
    if (!AGENT_NAME.test(name)) throw invalidMembers([{ path: "name", msg: NOT_AN_AGENT_NAME }]);
    const report = c.req.valid("json");
    if (byteLength(JSON.stringify(report), REPORT_BYTES) > REPORT_BYTES)
      throw tooLarge(`A report can have at most ${REPORT_BYTES} bytes. Send fewer objects.`);
    const now = clock.now();
    const end = Date.parse(report.at) + report.resolution * 1000;
    if (end > now + REPORT_EARLY || end < now - REPORT_LATE)
      throw invalidMembers([
        {
          path: "/at",
          msg: `The interval must have ended within the last ${REPORT_LATE / 60_000} minutes. The service's clock shows ${timestamp(now)}.`,
        },
      ]);
    const [, own = []] = await session.batch(writeTraffic(name, caller.keyId, report));
    if (own.length === 0)
      throw agentRefused(
        `This key owns no agent named ${name}. Report its status first (PUT /agents/${name}/status).`,
      );
    return respond(c, 204, null);
  },
);
