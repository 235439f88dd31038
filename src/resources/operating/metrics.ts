import * as z from "zod";
import { clock } from "../../../packages/model/src/clock.ts";
import { countsOf } from "../../../packages/model/src/traffic/coverage.ts";
import { cursors, events } from "../../db/internal_schema.ts";
import { sql, type Sql, type Values } from "../../db/statements.ts";
import { newest } from "../../delivery/cursors.ts";
import { operation } from "../../http/operation.ts";
import { respond } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";
import { version } from "../../http/version.ts";
import { openPlans } from "../plan_rows.ts";
import { agentPage, MOST_AGENTS, SILENT, type AgentStanding } from "../traffic/agent_statements.ts";
import { type CertificateEnds, certificateEnds } from "../traffic/certificate_statements.ts";

/*
 * Metrics for Prometheus, in its text format 0.0.4. Every value comes from a row, so that scrapes of different isolates agree;
 * counters in an isolate would not add up. Nothing is counted that would need a scan of the configuration.
 */

/** The format's media type. */
const MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** A metric with a sample for each of several objects. */
interface Metric<Item> {
  name: string;
  help: string;
  value: (item: Item, now: number) => number;
}

const seconds = (milliseconds: number): number => Math.max(0, milliseconds) / 1_000;

const ofAgents: Metric<AgentStanding>[] = [
  {
    name: "edge_agent_up",
    help: "1 if the agent reported within the last 3 minutes, otherwise 0.",
    value: ({ last_seen }, now) => (now - last_seen <= SILENT ? 1 : 0),
  },
  {
    name: "edge_agent_ok",
    help: "1 if the agent serves the newest snapshot that it has received, otherwise 0.",
    value: ({ ok }) => (ok ? 1 : 0),
  },
  {
    name: "edge_agent_problems",
    help: "Problems that the agent has in addition to those of the configuration.",
    value: ({ problems }) => problems.length,
  },
  {
    name: "edge_agent_edges_not_served",
    help: "Edges of the agent's snapshot that it does not serve, without those that it leaves out because of its option --only.",
    value: ({ edges }) => (edges ? countsOf(edges).not_served : 0),
  },
  {
    name: "edge_agent_edges_partly_served",
    help: "Edges of the agent's snapshot that it serves without some of their hostports or routes.",
    value: ({ edges }) => (edges ? countsOf(edges).partly : 0),
  },
  {
    name: "edge_agent_behind_changes",
    help: "Changes that the agent does not serve yet.",
    value: ({ newest: last, applied_version }) => Math.max(0, last - (applied_version ?? 0)),
  },
  {
    name: "edge_agent_behind_seconds",
    help: "Time since the first change that the agent does not serve yet.",
    value: ({ behind_since }, now) => (behind_since === null ? 0 : seconds(now - behind_since)),
  },
  {
    name: "edge_agent_last_seen_timestamp_seconds",
    help: "When the agent last reported.",
    value: ({ last_seen }) => seconds(last_seen),
  },
];

const ofCertificates: Metric<CertificateEnds>[] = [
  {
    name: "edge_agent_certificate_expiry_timestamp_seconds",
    help: "When the first certificate ends that the agent serves for an edge.",
    value: ({ ends_at }) => ends_at / 1_000,
  },
  {
    name: "edge_agent_certificate_ending",
    help: "1 if less than a quarter of the life of such a certificate is left, otherwise 0.",
    value: ({ ending_from }, now) => (ending_from <= now ? 1 : 0),
  },
];

const ofDestinations: Metric<Values>[] = [
  {
    name: "edge_delivery_lag_seconds",
    help: "Age of the first event that the destination has not been offered yet.",
    value: ({ waiting_since: since }, now) => (typeof since === "number" ? seconds(now - since) : 0),
  },
  {
    name: "edge_delivery_failures",
    help: "Failed attempts since the last success.",
    value: ({ failures }) => Number(failures),
  },
  {
    name: "edge_delivery_suspended",
    help: "1 if the delivery is suspended, otherwise 0.",
    value: ({ suspended }) => Number(suspended),
  },
  {
    name: "edge_delivery_events_total",
    help: "Events delivered.",
    value: ({ delivered }) => Number(delivered),
  },
  {
    name: "edge_dead_letters_total",
    help: "Events that the destination rejected, so they are not sent again.",
    value: ({ rejected }) => Number(rejected),
  },
  {
    name: "edge_delivery_lost_events_total",
    help: "Events deleted before they could be delivered.",
    value: ({ lost }) => Number(lost),
  },
];

/** The lines of one metric. Names of counters end in `_total`. */
const linesOf = (name: string, help: string, samples: string[]): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${name.endsWith("_total") ? "counter" : "gauge"}`,
  ...samples.map((sample) => name + sample),
];

const total = (name: string, help: string, value: unknown): string[] =>
  linesOf(name, help, [` ${Number(value ?? 0)}`]);

/** A label with its value: backslashes, quotes and line feeds are escaped. */
const labelled = (label: string, value: string): string =>
  `{${label}="${value.replace(/[\\"\n]/g, (found) => (found === "\n" ? "\\n" : `\\${found}`))}"}`;

/** The lines of several metrics, with a sample for each item. */
function each<Item>(metrics: Metric<Item>[], items: Item[], labelOf: (item: Item) => string): string[] {
  const now = clock.now();
  return metrics.flatMap(({ name, help, value }) =>
    linesOf(
      name,
      help,
      items.map((item) => `${labelOf(item)} ${value(item, now)}`),
    ),
  );
}

/** How far each destination is, and when the first event after its position was logged. */
const deliveries: Sql = sql`select destination_id, failures, suspended, delivered, rejected, lost,
    (select at from ${events} where seq > ${cursors.position} order by seq limit 1) as waiting_since
  from ${cursors} order by destination_id`;

export const metrics = endpoints().get(
  "/",
  operation({
    id: "MetricsGet",
    access: "viewer or metrics",
    summary: "Get metrics",
    description:
      "Returns metrics of agents, deliveries and plans in the text format of Prometheus, version 0.0.4. Give your Prometheus a key with the role `metrics`, which can read nothing else. `Service-Version` is not needed.",
    tag: "Traffic",
    isUnversioned: true,
    mediaType: MEDIA_TYPE,
    status: 200,
    response: z.lazy(() =>
      z.string().meta({ examples: ["# TYPE edge_changes_total counter\nedge_changes_total 17\n"] }),
    ),
  }),
  async (c) => {
    const { session } = c.get("request");
    const agents = agentPage("", MOST_AGENTS);
    const totals = sql`select ${newest} as changes, (${openPlans(clock.now())}) as plans`;
    const [[found] = [], standings = [], ends = [], destinations = []] = await session.batch([
      totals,
      agents,
      certificateEnds,
      deliveries,
    ]);
    const lines = [
      ...linesOf("edge_build_info", "The release of the service; always 1.", [
        `${labelled("version", version)} 1`,
      ]),
      ...total("edge_changes_total", "Changes of objects.", found?.["changes"]),
      ...total("edge_plans_open", "Plans that can still be applied.", found?.["plans"]),
      ...each(ofAgents, standings.map(agents.decode), ({ name }) => labelled("agent", name)),
      ...each(ofCertificates, ends.map(certificateEnds.decode), ({ agent }) => labelled("agent", agent)),
      ...each(ofDestinations, destinations, (row) => labelled("destination", String(row["destination_id"]))),
    ];
    return respond(c, 200, `${lines.join("\n")}\n`, { "Content-Type": MEDIA_TYPE });
  },
);
