import { createServer, type Server } from "node:http";
import { type Counts, countsOf } from "../../model/src/traffic/counts.ts";
import { wallClock } from "./base/clock.ts";
import { log } from "./log.ts";
import { reasonOf, Refusal } from "./refusal.ts";
import { type ListenAddress } from "./render/contract.ts";
import type { Tallies } from "./traffic/tallies.ts";

/*
 * The agent's own metrics for Prometheus, in its text format 0.0.4: what the service cannot know, or not while it is unreachable.
 */

const help = {
  edge_local_polls_total: "Requests for changes of the configuration.",
  edge_local_reloads_total: "Starts and reloads of HAProxy.",
  edge_local_runtime_changes_total: "Changes that HAProxy got without a reload.",
} as const;

/** What happened since the agent started. */
export class Counters {
  readonly #counts = new Map(Object.keys(help).map((name) => [name, { success: 0, failure: 0 }]));
  /** When the service last answered, in milliseconds since 1970; undefined if it has not. */
  lastPoll: number | undefined;

  count(name: keyof typeof help, result: "success" | "failure"): void {
    const counts = this.#counts.get(name);
    if (counts) counts[result] += 1;
    if (name === "edge_local_polls_total" && result === "success") this.lastPoll = wallClock();
  }

  /** The counters as lines. */
  lines(): string[] {
    return Object.entries(help).flatMap(([name, about]) => {
      const counts = Object.entries(this.#counts.get(name) ?? {});
      return metric(
        name,
        about,
        "counter",
        counts.map(([result, value]) => [labelled("result", result), value]),
      );
    });
  }
}

/** What the agent serves now. */
export interface ServedNow {
  /** Undefined before the first configuration. */
  version: number | undefined;
  /** Whether HAProxy runs. */
  isRunning: boolean;
  /** When each certificate ends, in milliseconds since 1970, by its file. */
  certificates: ReadonlyMap<string, number>;
  /** How many milliseconds this machine's clock is ahead of the service's; undefined if that is not known. */
  clockOffset: number | undefined;
  /** Traffic since the start of the agent. */
  tallies: Tallies;
  /** Requests and connections of which HAProxy's log has no line. */
  lost: number;
}

/** Listens until the process ends. @throws Refusal if that is not possible */
export async function startExporter(
  { address, port }: ListenAddress,
  counters: Counters,
  served: () => ServedNow,
): Promise<Server> {
  const server = createServer(
    { requestTimeout: 5_000, headersTimeout: 5_000 },
    ({ method, url }, response) => {
      if (url !== "/metrics" || (method !== "GET" && method !== "HEAD")) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" });
      response.end(textOf(counters, served()));
    },
  );
  server.maxConnections = 10;
  // Other parts of the agent must go on if this one fails.
  server.on("error", (error) => log(`Metrics: ${reasonOf(error)}`));
  await new Promise<void>((resolve, reject) => {
    server.once("listening", resolve);
    server.once("error", (error) =>
      reject(new Refusal(`Cannot listen on ${address}, port ${port}, for --metrics: ${reasonOf(error)}.`)),
    );
    server.listen(port, address);
  });
  server.unref();
  return server;
}

/** The metrics as text. */
function textOf(counters: Counters, served: ServedNow): string {
  const { lastPoll } = counters;
  const { version, isRunning, certificates, clockOffset } = served;
  const lines = [
    ...metric("edge_local_applied_version", "Version of the configuration that is served.", "gauge", [
      ["", version ?? 0],
    ]),
    ...metric("edge_local_proxy_running", "1 if HAProxy runs, otherwise 0.", "gauge", [
      ["", isRunning ? 1 : 0],
    ]),
    ...metric(
      "edge_local_last_poll_timestamp_seconds",
      "When the service last answered a request for changes.",
      "gauge",
      [["", (lastPoll ?? 0) / 1_000]],
    ),
    ...metric(
      "edge_local_clock_offset_seconds",
      "How far this machine's clock is ahead of the service's.",
      "gauge",
      clockOffset === undefined ? [] : [["", clockOffset / 1_000]],
    ),
    ...counters.lines(),
    ...metric(
      "edge_local_certificate_expiry_timestamp_seconds",
      "When a certificate of the certificate directory, or one that was issued, ends.",
      "gauge",
      [...certificates].map(([file, end]) => [labelled("file", file), end / 1_000]),
    ),
    ...trafficLines(served),
  ];
  return `${lines.join("\n")}\n`;
}

/** Traffic by edge and route. An edge with many routes has its own counts beside theirs. */
function trafficLines({ tallies: { objects, other }, lost }: ServedNow): string[] {
  const counts = [...objects, ["other", other] as const].map(
    ([id, { tally }]) => [labelled("object", id), countsOf(tally)] as const,
  );
  const of = (name: string, about: string, classes: (counts: Counts) => Record<string, number>): string[] =>
    metric(
      name,
      about,
      "counter",
      counts.flatMap(([object, all]) =>
        Object.entries(classes(all)).flatMap(([kind, value]) =>
          value === 0 ? [] : [[`${object.slice(0, -1)},class="${kind}"}`, value] as const],
        ),
      ),
    );
  return [
    ...of("edge_local_responses_total", "Responses by the class of their status.", ({ status }) => status),
    ...of("edge_local_rejected_total", "Requests and connections that were rejected, by module.", (all) => ({
      ...all.denied,
      rate_limit: all.limited,
      circuit_breaker: all.circuit_open,
    })),
    ...of("edge_local_failures_total", "Requests and connections that failed.", (all) => ({
      upstream: all.upstream_errors,
      client: all.aborted,
      tls: all.tls_failures,
    })),
    ...of("edge_local_traffic_total", "Connections, requests, and bytes to clients.", (all) => ({
      connections: all.connections,
      requests: all.requests,
      bytes: all.bytes,
    })),
    ...metric("edge_local_lost_lines_total", "Requests and connections that were not counted.", "counter", [
      ["", lost],
    ]),
  ];
}

const metric = (
  name: string,
  about: string,
  type: "counter" | "gauge",
  samples: readonly (readonly [label: string, value: number])[],
): string[] => [
  `# HELP ${name} ${about}`,
  `# TYPE ${name} ${type}`,
  ...samples.map(([label, value]) => `${name}${label} ${value}`),
];

/** A label with its value: backslashes, quotes and line feeds are escaped. */
const labelled = (label: string, value: string): string =>
  `{${label}="${value.replace(/[\\"\n]/g, (found) => (found === "\n" ? "\\n" : `\\${found}`))}"}`;
