import type { components } from "edge-configuration-client";
import type { Call } from "./args.ts";
import { UserError } from "./errors.ts";
import { idOf, idsOf } from "./named_edge.ts";
import { titles } from "./names.ts";
import { type OutputLine, paint, print } from "./output.ts";
import { counted } from "./report.ts";
import { bodyOf, type ServiceAccess } from "./service.ts";

/*
 * The command `edge traffic`: how much traffic edges and routes get, how it ended, and how long it took.
 */

type Summary = components["schemas"]["TrafficSummary"]["objects"][number];
type Traffic = components["schemas"]["Traffic"];
type Interval = Traffic["series"][number];

/** The values of --last, each with the length of its intervals in seconds. */
const periods = { hour: "60", day: "300", month: "3600" } as const;
type Period = keyof typeof periods;
const isPeriod = (text: string): text is Period => Object.hasOwn(periods, text);

/** Prints the traffic of all edges and routes, or that of one. */
export async function traffic(service: ServiceAccess, call: Call): Promise<number> {
  const [edge] = call.operands;
  const ids = idsOf(service, call);
  const titleIn = titles(ids?.of(service.url) ?? new Map());
  if (edge === undefined) {
    const { objects } = bodyOf(await service.api.GET("/traffic/summary"));
    if (call.has("json")) for (const one of objects) print(JSON.stringify(one));
    else if (objects.length === 0)
      print("No agent has reported five minutes of traffic yet. edge traffic EDGE shows each minute.");
    else
      for (const one of objects.toSorted((a, b) => amount(b.day) - amount(a.day)))
        print(summaryLine(one, titleIn(one.object_id) ?? one.object_id));
    return 0;
  }
  const period = call.text("last") ?? "hour";
  if (!isPeriod(period)) throw new UserError(`--last must be one of ${Object.keys(periods).join(", ")}.`);
  const found = await trafficOf(service, ids ? idOf(ids, service, edge) : edge, period, call.text("agent"));
  if (call.has("json")) print(JSON.stringify(found));
  else for (const line of linesOf(found)) print(line);
  return 0;
}

async function trafficOf(
  { api }: ServiceAccess,
  edge: string,
  period: Period,
  agent: string | undefined,
): Promise<Traffic> {
  const [id = "", route] = edge.split("/");
  const object = { edge_id: id, ...(route !== undefined && { route_id: route }) };
  const query = { ...object, resolution: periods[period], ...(agent !== undefined && { agent }) };
  return bodyOf(await api.GET("/traffic", { params: { query } }));
}

const BARS = "▁▂▃▄▅▆▇█";

/** Numbers as bars; a space for those that are not known. */
function bars(numbers: readonly (number | null)[]): string {
  const most = Math.max(1, ...numbers.map((number) => number ?? 0));
  return numbers
    .map((number) => (number === null ? " " : (BARS[Math.ceil((number / most) * (BARS.length - 1))] ?? "")))
    .join("");
}

/** What is counted: requests, or connections if there were none. */
const amountOf = ({ requests, connections }: Pick<Interval, "requests" | "connections">): string =>
  requests > 0 || connections === 0 ? counted(requests, "request") : counted(connections, "connection");

const amount = ({ requests, connections }: Pick<Interval, "requests" | "connections">): number =>
  requests || connections;

function summaryLine({ hour, day, trend }: Summary, title: string): OutputLine {
  const total = amount(hour);
  const share = total === 0 ? 0 : (100 * hour.errors) / total;
  return [
    paint("dim", bars(trend)),
    `  ${title}  ${amountOf(hour)} in the last hour`,
    hour.errors === 0 ? "" : paint("red", `, ${share < 0.1 ? "less than 0.1" : share.toFixed(1)} % failed`),
    hour.denied === 0 ? "" : paint("yellow", `, ${hour.denied} denied`),
    paint("dim", `, ${amountOf(day)} in the last day`),
  ];
}

const leftOut = (agents: number): OutputLine[] =>
  agents === 0
    ? []
    : [
        [
          paint(
            "yellow",
            `${counted(agents, "agent")} not included: only 20 are read together. --last month includes all.`,
          ),
        ],
      ];

function linesOf({ series, totals, top_sources: sources, agents_left_out: left }: Traffic): OutputLine[] {
  if (series.length === 0)
    return [
      "No agent has reported traffic of this edge in this time, or it was not among the 25 busiest.",
      ...leftOut(left),
    ];
  return [
    ...series.map((one): OutputLine => [paint("dim", one.at), "  ", ...spansOf(one)]),
    [paint("bold", "all"), "  ", ...spansOf(totals)],
    ...(sources ?? []).map(({ source, requests }) => `  ${source}  ${requests}`),
    ...leftOut(left),
  ];
}

function spansOf(one: Omit<Interval, "at">): (string | ReturnType<typeof paint>)[] {
  const { status, denied, limited, circuit_open: open, upstream_errors: upstream, aborted, p95, lost } = one;
  const rejected = Object.values(denied).reduce((sum, count) => sum + count, 0);
  const parts = [
    [status["5xx"], "with 5xx", "red"],
    [upstream, "failed upstream", "red"],
    [rejected, "denied", "yellow"],
    [limited, "over a limit", "yellow"],
    [open, "with an open circuit", "yellow"],
    [aborted, "aborted", "dim"],
    [lost, "not counted (all edges)", "dim"],
  ] as const;
  return [
    amountOf(one),
    p95 === null ? "" : `, 95 % within ${p95} ms`,
    ...parts.flatMap(([count, what, color]) => (count === 0 ? [] : [paint(color, `, ${count} ${what}`)])),
  ];
}
