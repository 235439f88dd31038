import assert from "node:assert/strict";
import { copyFileSync, renameSync, rmSync } from "node:fs";
import { Agent as HttpAgent, createServer, request as httpRequest } from "node:http";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Edge, Snapshot } from "../../../../packages/model/src/traffic/snapshot.ts";
import { drawn } from "../../support/random.ts";
import { until } from "../../support/wait.ts";
import { type Test, world } from "../agent.ts";
import { listening } from "../calls.ts";
import { certificate, folder, freePort, httpsEdge, tcpEdge } from "../proxy.ts";

/*
 * Clients that every version lets in, and clients that none does, while rules, policies, upstreams and certificates are replaced and
 * processes are killed: at no moment is one of the former rejected or sent to another edge's upstream, or one of the latter let in.
 */

const [ALLOWED, STRANGER, DENIED] = ["127.0.0.2", "127.0.0.3", "127.0.0.4"] as const;
const EDGES = ["one", "two", "tcp"] as const;
type Name = (typeof EDGES)[number];

interface Client {
  edge: Name;
  from: string;
  /** The upstream's name, or the status; an empty text if the connection is closed. */
  got: string;
}

/** Sends requests until it is stopped, over a kept connection and over new ones, from each address to each edge. */
class Clients {
  readonly counts = { in: 0, out: 0, failed: 0 };
  readonly wrong: string[] = [];
  /** Whether those that are let in must always get a response. */
  isStrict = true;
  #isOver = false;
  readonly #loops: Promise<void>[];

  constructor(ports: Record<Name, number>) {
    this.#loops = EDGES.flatMap((edge) =>
      [ALLOWED, STRANGER, DENIED].flatMap((from) =>
        [true, false].map((isKept) => this.#loop(edge, ports[edge], from, isKept)),
      ),
    );
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
  }

  async #loop(edge: Name, port: number, from: string, isKept: boolean): Promise<void> {
    const options = { keepAlive: isKept, maxSockets: 1 };
    const agent =
      edge === "tcp" ? new HttpAgent(options) : new Agent({ ...options, rejectUnauthorized: false });
    while (!this.#isOver) {
      const begin = Date.now();
      this.#count({ edge, from, got: await answered(edge, port, from, agent) }, begin);
      await sleep(5);
    }
    agent.destroy();
  }

  #count({ edge, from, got }: Client, begin: number): void {
    const isIn = got.startsWith("from ");
    const isRight = from === ALLOWED ? got.startsWith(`from ${edge}`) : !isIn;
    if (isRight) this.counts[isIn ? "in" : "out"] += 1;
    else if (from === ALLOWED && !isIn && !this.isStrict) this.counts.failed += 1;
    else this.wrong.push(`${from} at ${edge}, ${Date.now() - begin} ms: ${got || "closed"}`);
  }
}

function answered(edge: Name, port: number, from: string, agent: HttpAgent): Promise<string> {
  const host = `${edge}.example.com`;
  const options = {
    host: "127.0.0.1",
    port,
    localAddress: from,
    agent,
    path: "/",
    headers: { host },
    timeout: 5000,
  };
  return new Promise((resolve) => {
    const sent = edge === "tcp" ? httpRequest(options) : request({ ...options, servername: host });
    sent.on("response", async (response) => {
      const text = Buffer.concat(await response.toArray().catch(() => [])).toString();
      resolve(response.statusCode === 200 ? text : String(response.statusCode));
    });
    sent.on("timeout", () => sent.destroy()).on("error", () => resolve(""));
    sent.end();
  });
}

const draw = drawn();
const noise = (most: number) =>
  Array.from({ length: draw.below(most) }, (_, n) => `10.${n}.${draw.below(256)}.0/24`);

/** A version in which every restriction lets in the same clients, by other rules and policies. */
function version(upstreams: Record<Name, string[]>, ports: Record<Name, number>): Partial<Snapshot> {
  const allow = () => [
    ...noise(draw.pick([2, 60])),
    draw.pick([`${ALLOWED}/32`, "127.0.0.2/31", "127.0.0.0/29"]),
  ];
  const deny = () => [
    ...noise(draw.pick([2, 40])),
    `${STRANGER}/32`,
    draw.pick([`${DENIED}/32`, "127.0.0.4/30"]),
  ];
  const restriction = () =>
    draw.pick([["ipp_1"], ["ipp_2"], ["ipp_1", "ipp_2"], ["ipp_1", "ipp_2", "ipp_3", "ipp_4", "ipp_5"]]);
  const https = (name: "one" | "two"): Edge =>
    httpsEdge(
      `edghts_${name}`,
      [`${name}.example.com:${ports[name]}`],
      [
        {
          id: `edghtsrt_${name}`,
          match_type: "path_prefix",
          match: "/",
          backend: { backend_id: `bkdsc_${name}` },
          ip_restriction: { ip_policy_ids: restriction() },
        },
      ],
    );
  const tcp = tcpEdge("edgtcp_1", [`127.0.0.1:${ports.tcp}`], "bkdsc_tcp");
  return {
    edges: [https("one"), https("two"), { ...tcp, ip_restriction: { ip_policy_ids: restriction() } }],
    ip_policies: Object.fromEntries(
      [1, 2, 3, 4, 5].map((n) => [
        `ipp_${n}`,
        n < 3 ? { allow: allow(), deny: deny() } : { allow: noise(5), deny: [] },
      ]),
    ),
    backends: Object.fromEntries(
      EDGES.map((name) => [
        `bkdsc_${name}`,
        {
          kind: "static",
          address: draw.pick([upstreams[name][0] ?? "", ...upstreams[name]]),
          tls: false,
        } as const,
      ]),
    ),
  };
}

/** Only one kind of part changes, as with most changes of people; sometimes several, which can be a reload. */
function changed(all: Partial<Snapshot>): Partial<Snapshot> {
  const { edges = [], ip_policies = {}, backends = {} } = all;
  return draw.pick<Partial<Snapshot>>([{ edges }, { ip_policies }, { backends }, { ip_policies, backends }]);
}

async function started(t: Test) {
  const [here, path] = [await world(t), folder(t)];
  const wildcard = (): string => certificate(folder(t), ["*.example.com"]).pem;
  const wildcards = [wildcard(), wildcard(), wildcard()] as const;
  const own = certificate(path, ["one.example.com"]).pem;
  const install = (pem: string, file: string) => {
    copyFileSync(pem, join(path, file));
    renameSync(join(path, file), join(here.certificates, file));
  };
  const renew = () => {
    install(draw.pick(wildcards), "wild.pem");
    if (draw.chance(0.5)) install(own, "own.pem");
    else rmSync(join(here.certificates, "own.pem"), { force: true });
  };
  install(wildcards[0], "wild.pem");
  const [https, tcp] = [await freePort(), await freePort()];
  const ports = { one: https, two: https, tcp };
  const serving = async (name: Name) => {
    const server = (n: number) => createServer((_, response) => response.end(`from ${name} ${n}`));
    return [`127.0.0.1:${await listening(t, server(1))}`, `127.0.0.1:${await listening(t, server(2))}`];
  };
  const upstreams = { one: await serving("one"), two: await serving("two"), tcp: await serving("tcp") };
  const first = here.service.publish(version(upstreams, ports));
  here.start();
  await here.service.applied(first);
  const next = () => {
    if (draw.chance(0.5)) renew();
    return here.service.publish(changed(version(upstreams, ports)));
  };
  const clients = new Clients(ports);
  t.after(() => clients.stop());
  return { here, next, clients };
}

test("while rules, policies, upstreams and certificates are replaced, no client is let in, rejected or sent elsewhere wrongly", async (t) => {
  const { here, next, clients } = await started(t);
  let [worker, inPlace] = [await here.worker(), 0];
  for (let round = 0; round < 40; round++) {
    const wanted = next();
    if (round % 8 === 7) {
      await sleep(20 * round);
      await here.end("SIGKILL");
      here.start();
    }
    const { problems } = await here.service.applied(wanted);
    assert.deepEqual(problems, []);
    const now = await here.worker();
    if (now === worker) inPlace += 1;
    worker = now;
  }
  await clients.stop();
  const { counts, wrong } = clients;
  t.diagnostic(`${counts.in} let in, ${counts.out} rejected; ${inPlace} changes without a reload`);
  assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} wrong`);
  assert.ok(counts.in > 500 && counts.out > 500, JSON.stringify(counts));
  assert.ok(inPlace > 5);
});

test("while HAProxy's processes are killed and changes are cut short, nobody is let in who must not be", async (t) => {
  const { here, next, clients } = await started(t);
  clients.isStrict = false;
  for (let round = 0; round < 6; round++) {
    next();
    await sleep(30 * round);
    const pids = await here.pids();
    if (round % 3 === 2) await here.end("SIGKILL");
    const pid = pids[round % 2];
    if (pid !== undefined) process.kill(pid, "SIGKILL");
    await until("HAProxy has ended", async () => (await here.pids())[0] !== pids[0]);
    if (round % 3 === 2) here.start();
    await here.service.applied(next());
    const before = clients.counts.in;
    await until("clients are served again", () => clients.counts.in > before + 20);
  }
  await clients.stop();
  const { counts, wrong } = clients;
  t.diagnostic(`${counts.in} let in, ${counts.out} rejected, ${counts.failed} failed`);
  assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} wrong`);
});
