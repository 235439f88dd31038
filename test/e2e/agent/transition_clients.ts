// Clients and upstreams of `transitions_under_load.e2e.ts`, in a thread of their own: they send requests while the test changes HAProxy.
import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent as HttpAgent, createServer, request as httpRequest } from "node:http";
import { Agent, request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { listen } from "../support/ports.ts";
import { Random } from "../support/random.ts";
import { CELLS, codeOf, NAMES, PATHS, RESPONSES, SOURCES, SHARED, UPSTREAMS } from "./transition_model.ts";

const { state, table, ports, seed } = workerData;
const [shared, expected] = [new Int32Array(state), new Uint8Array(table)];
const draw = new Random(seed);
const load = (index: number): number => Atomics.load(shared, index);

const counts = { requests: 0, duringChanges: 0, byResponse: new Map<string, number>() };
const wrong: string[] = [];

/** One request. Resolves to undefined if a kept connection was closed before it got there, so that a client may repeat it. */
function ask(agent: HttpAgent, from: string, name: string | undefined, path: string) {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const options = { host: "127.0.0.1", localAddress: from, agent, path, timeout: 5000 };
  const host = `${name}.example.com`;
  const sent =
    name === undefined
      ? httpRequest({ ...options, port: ports.tcp })
      : request({ ...options, port: ports.https, servername: host, headers: { host } });
  sent.on("response", async (response) => {
    const body = Buffer.concat(await response.toArray().catch(() => [])).toString();
    resolve(
      `${response.statusCode} ${response.statusCode === 200 ? body : ""}${[response.headers["x-module"] ?? ""].flat().join()}`,
    );
  });
  sent.on("timeout", () => sent.destroy());
  sent.on("error", () => resolve(sent.reusedSocket ? undefined : "closed"));
  sent.end();
  return promise;
}

/** Sends requests from an address to a name; to the TCP edge without one. */
async function loop(from: string, name: string | undefined, isKept: boolean): Promise<void> {
  const options = { keepAlive: isKept, maxSockets: 1, rejectUnauthorized: false };
  const newAgent = () => (name === undefined ? new HttpAgent(options) : new Agent(options));
  let [agent, reloads] = [newAgent(), load(SHARED.reloads)];
  while (load(SHARED.isOver) === 0) {
    const path = name === undefined ? "/" : draw.pick(PATHS);
    const first = load(SHARED.applied);
    // A connection to a worker from before a reload keeps that worker's configuration.
    if (load(SHARED.reloads) !== reloads) {
      reloads = load(SHARED.reloads);
      agent.destroy();
      agent = newAgent();
    }
    const got = await ask(agent, from, name, path);
    const last = load(SHARED.wanted);
    // A new connection costs much more than a request.
    if (got === "closed") await sleep(5);
    if (got === undefined) continue;
    const code = codeOf(got);
    const cell = CELLS.findIndex((each) => each.from === from && each.name === name && each.path === path);
    counts.requests++;
    if (last > first) counts.duringChanges++;
    counts.byResponse.set(RESPONSES[code] ?? "", (counts.byResponse.get(RESPONSES[code] ?? "") ?? 0) + 1);
    const versions = Array.from({ length: last - first + 1 }, (_, n) => first + n);
    const meant = versions.map((version) => expected[version * CELLS.length + cell]);
    if (!meant.includes(code))
      wrong.push(
        `${from} ${name ?? "tcp"}${path}: ${got}, not ${meant.map((each) => RESPONSES[each ?? 0]).join(" or ")} of ${versions.join(", ")}`,
      );
  }
  agent.destroy();
}

async function main(): Promise<void> {
  assert.ok(parentPort);
  const servers = UPSTREAMS.map((name) => createServer((_, response) => response.end(name)));
  parentPort.postMessage(await Promise.all(servers.map(listen)), []);
  await once(parentPort, "message");
  await Promise.all(
    SOURCES.flatMap((from) => [
      ...NAMES.flatMap((name) => [loop(from, name, true), loop(from, name, true)]),
      loop(from, draw.pick(NAMES), false),
      loop(from, undefined, false),
    ]),
  );
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  parentPort.postMessage({ ...counts, byResponse: Object.fromEntries(counts.byResponse), wrong }, []);
}

await main();
