import assert from "node:assert/strict";
import { copyFileSync, readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { savedTraffic } from "../../../packages/agent/src/traffic/saved.ts";
import type { Action } from "../../../packages/model/src/policy/base/program.ts";
import { countsOf } from "../../../packages/model/src/traffic/counts.ts";
import type { Edge, Snapshot } from "../../../packages/model/src/traffic/snapshot.ts";
import { fixed, type World, world } from "./agent.ts";
import { call, listening } from "./calls.ts";
import { certificate, folder, freePort, httpsEdge } from "./proxy.ts";

/*
 * An agent that counts the traffic of an HTTPS edge.
 */

export const HOST = "a.example.com";
export const HOUR = 3_600_000;
export const MINUTE = 60_000;
const [OPEN, CLOSED] = [
  { allow: ["127.0.0.0/8"], deny: [] },
  { allow: [], deny: ["127.0.0.0/8"] },
];

export type Route = Extract<Edge, { kind: "https" }>["routes"][number];

export const route = (name: string, more: Partial<Route> = {}): Route => ({
  id: `edghtsrt_${name}`,
  match_type: "path_prefix",
  match: `/${name}`,
  backend: { backend_id: "bkdsc_up" },
  ...more,
});

export const policy = (...actions: Action[]): Partial<Route> => ({
  traffic_policy: {
    value: "",
    program: {
      needs: [],
      rules: {
        on_tcp_connect: [],
        on_http_request: [{ name: "", expressions: [], actions }],
        on_http_response: [],
      },
    },
  },
});

/** An agent with an HTTPS edge, and an upstream that answers /…/STATUS. */
export async function served(
  t: TestContext,
  routes: Route[],
  options: string[] = [],
  others: (here: World) => Edge[] = () => [],
) {
  const here = await world(t);
  // No hour ends during a test.
  here.service.ahead = HOUR / 2 - (Date.now() % HOUR);
  const port = await freePort();
  copyFileSync(certificate(folder(t), [HOST]).pem, join(here.certificates, "a.pem"));
  const waiting: ServerResponse[] = [];
  const upstream = createServer(({ url = "" }, response) => {
    const [status] = /\d{3}/.exec(url) ?? [];
    if (url.includes("never")) return;
    if (url.includes("later")) return void waiting.push(response);
    response.writeHead(Number(status ?? 200)).end("answer");
  });
  const text = createTcpServer((socket) => socket.end("text"));
  const closed = await freePort();
  const backends: Snapshot["backends"] = {
    bkdsc_up: { kind: "static", address: `127.0.0.1:${await listening(t, upstream)}`, tls: false },
    bkdsc_text: { kind: "static", address: `127.0.0.1:${await listening(t, text)}`, tls: false },
    bkdsc_down: { kind: "static", address: `127.0.0.1:${closed}`, tls: false },
    // HAProxy only checks servers that have an alternative.
    bkdsc_closed: { kind: "static", address: `127.0.0.1:${closed}`, tls: false },
    bkdhr_1: fixed("fixed"),
    bkdfo_1: { kind: "failover", backends: ["bkdsc_closed", "bkdsc_text"] },
  };
  const edge = httpsEdge("edghts_1", [`${HOST}:${port}`], routes);
  const given = { ip_policies: { ipp_1: OPEN, ipp_2: CLOSED }, backends, edges: [edge, ...others(here)] };
  const start = () => here.start(options);
  start();
  await here.service.applied(here.service.publish(given));
  return {
    here,
    port,
    upstream,
    waiting,
    start,
    get: async (path: string, headers: Record<string, string> = {}): Promise<number> =>
      (await call(port, HOST, path, { headers })).status,
    publish: (edges: Edge[]) => here.service.publish({ ...given, edges: [edge, ...edges] }),
    counted: async () => {
      await here.end("SIGTERM");
      return saved(here);
    },
  };
}

/** The intervals that are not over, as the agent has written them down, and what it knows of HAProxy's processes. */
export const written = (here: World) =>
  savedTraffic.parse(JSON.parse(readFileSync(join(here.state, "traffic.json"), "utf8")));

/** What the agent has written down of this hour: counts by name, and lines that are lost. */
export function saved(here: World) {
  const { open, workers } = written(here);
  const hour = open.find(({ resolution }) => resolution === 3600);
  assert.ok(hour);
  return {
    of: (id: string) => short(hour.objects[id] ?? []),
    total: short(hour.total),
    lost: hour.lost,
    workers,
  };
}

/** Counts without those that are 0, and without bytes and latencies, which differ from run to run. */
function short(tally: number[]): Record<string, number> {
  const { status, denied, latency: _latency, bytes: _bytes, ...plain } = countsOf(tally);
  return Object.fromEntries(
    Object.entries({ ...plain, ...status, ...denied }).filter(([, value]) => value > 0),
  );
}
