import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { allFiles } from "../../packages/agent/src/map_files.ts";
import { matching } from "../../packages/agent/src/matching.ts";
import { Known } from "../../packages/agent/src/render/known.ts";
import { render } from "../../packages/agent/src/render/render.ts";
import { changesSchema } from "../../packages/model/src/traffic/changes.ts";
import { Replica } from "../../packages/model/src/traffic/replica.ts";
import type { Snapshot } from "../../packages/model/src/traffic/snapshot.ts";
import type { Cost } from "../../src/db/session.ts";
import { serverCertificate, settings, write } from "../e2e/agent/proxy.ts";
import { type Agent, startAgent } from "../e2e/traffic/agent.ts";
import { certificatesIn } from "../e2e/traffic/certificates.ts";
import { freePort } from "../e2e/traffic/ports.ts";
import { givenBy, type Service, startService } from "../e2e/traffic/service.ts";
import { startUpstream, stopUpstreams } from "../e2e/traffic/upstreams.ts";
import { prepareServed } from "./database.ts";
import { Client } from "./load.ts";
import { DOMAIN, policyId, type Ports, type Size } from "./served.ts";
import { meteredText } from "./side_by_side.ts";
import { median } from "./statistics.ts";
import { memoryOf, startWorkers, type Workers } from "./workers.ts";

/*
 * Serving traffic: the time until clients see an accepted change, the cost of snapshots for the service, and the cost
 * of the agent for its machine.
 */

/** For how many seconds an agent's request waits for a change. 0: the agent asks every two seconds instead. */
const WAITS = [25, 0];
/** Seconds between two requests of an agent that does not wait: the default. */
const POLL = 2;
const EMPTY: Snapshot = {
  version: 0,
  edges: [],
  ip_policies: {},
  backends: {},
  certificate_authorities: {},
  problems: [],
};
const SIZES: Size[] = [
  { edges: 1_000, rulesOfEach: 10 },
  { edges: 10_000, rulesOfEach: 10 },
  { edges: 5_000, rulesOfEach: 20 },
];
const ROOT_KEY = "root-key-of-the-bench";
/** No more configuration checks are started after this time. */
const CHECKS_WITHIN_MILLISECONDS = 30_000;
const PATIENCE_MILLISECONDS = 60_000;
/** TCP edges listen on ports from here on, below the ports that `freePort` returns. */
const FIRST_PORT = 12_000;

/** Milliseconds from the response to a change to the first response of HAProxy that shows it. */
interface Change {
  what: string;
  /** How HAProxy applies the change. */
  by: "runtime API" | "reload";
  waitSeconds: number;
  milliseconds: number[];
}

interface SnapshotFigures {
  edges: number;
  rules: number;
  bytes: number;
  gzipBytes: number;
  /** Medians, in milliseconds, of sequential requests. */
  milliseconds: { made: number; again: number; unchanged: number };
  cost: { made: Cost; again: Cost; unchanged: Cost };
  /** `GET /snapshot/changes` after one rule was added. */
  delta: { milliseconds: number; bytes: number; cost: Cost };
  /**
   * Bytes of the workerd process, with the database: before the first snapshot, the peak during it, and the peak while
   * snapshots are made sequentially and four at a time.
   */
  memory: { before: number; first: number; many: number };
}

interface AgentFigures {
  edges: number;
  rules: number;
  /** While nothing changes, at the default interval. */
  cpuSecondsPerMinute: number;
  residentBytes: number;
}

interface RenderFigures {
  edges: number;
  rules: number;
  files: number;
  bytes: number;
  /** Medians. */
  renderMilliseconds: number;
  checkMilliseconds: number;
}

/** What the agent computes after it has read changes: checks and applies them, resolves and renders. In milliseconds, medians. */
interface ResolveFigures {
  edges: number;
  rules: number;
  /** From scratch, as after a start. */
  whole: number;
  /** After one new rule. */
  rule: number;
  /** After another backend of one edge. */
  edge: number;
}

/** What HAProxy and the agent need for a configuration of this size. */
export interface SizedFigures {
  edges: number;
  rules: number;
  /** Milliseconds from the start of HAProxy until it serves. */
  startMilliseconds: number;
  /** Resident bytes of HAProxy's master and worker. */
  proxyBytes: number;
  /** Resident bytes of the agent after all changes. */
  agentBytes: number;
  changes: {
    what: string;
    by: Change["by"];
    /** From the response to the change until it is served, with an agent that waits for changes. Medians. */
    servedMilliseconds: number;
    /** The part of it in which HAProxy's memory is changed, or HAProxy is reloaded. */
    appliedMilliseconds: number;
    /** The CPU time of the agent for one change, until it rests again. A mean. */
    cpuMilliseconds: number;
  }[];
}

export interface TrafficFigures {
  haproxy: string;
  changes: Change[];
  snapshots: SnapshotFigures[];
  agent: AgentFigures;
  sized: SizedFigures[];
  rendered: RenderFigures[];
  resolved: ResolveFigures[];
}

/**
 * Measures all of it with the service in workerd, the built agent and HAProxy. Null if there is no HAProxy.
 *
 * @param isQuick fewer samples, and less time for the idle agent
 */
export async function measureTraffic(folder: string, isQuick: boolean): Promise<TrafficFigures | null> {
  const { stdout } = await haproxy("-v").catch(() => ({ stdout: "" }));
  const [, version] = /version (\d[\w.]*)/.exec(stdout) ?? [];
  if (version === undefined) return null;
  const changes: Change[] = [];
  for (const wait of WAITS) changes.push(...(await measureChanges(wait, isQuick ? 5 : 15)));
  const snapshots: SnapshotFigures[] = [];
  const rendered: RenderFigures[] = [];
  const resolved: ResolveFigures[] = [];
  let agent: AgentFigures | undefined;
  const sized: SizedFigures[] = [];
  for (const size of SIZES) {
    const ports = { named: await freePort(), first: FIRST_PORT };
    const own = join(folder, `${size.edges}`);
    const workers = await startServed(own, size, ports);
    try {
      const { figures, text } = await measureSnapshot(workers, size, isQuick ? 5 : 15);
      snapshots.push(figures);
      rendered.push(await measureRender(JSON.parse(text), isQuick ? 3 : 7));
      resolved.push(await measureResolve(workers, size, isQuick ? 3 : 7));
      agent ??= await measureAgent(workers, size, isQuick ? 20 : 60);
      sized.push(await measureSized(workers, size, ports, isQuick ? 3 : 7));
    } finally {
      await workers.dispose();
    }
    console.info(`  ${size.edges} edges`);
  }
  if (!agent) throw new Error("unreachable");
  return { haproxy: version, changes, snapshots, agent, sized, rendered, resolved };
}

/** Runs HAProxy. @throws with its output, if it is missing or fails */
const haproxy = (...args: string[]) => promisify(execFile)("haproxy", args);

const headersOf = (key: string): Record<string, string> => ({
  Authorization: `Bearer ${key}`,
  "Content-Type": "application/json",
  "Service-Version": "2",
});

/** Calls `probe` continuously until it resolves to true; returns the time of that. @throws when the time is over */
async function whenTrue(what: string, probe: () => Promise<boolean>): Promise<number> {
  const until = performance.now() + PATIENCE_MILLISECONDS;
  while (!(await probe())) {
    if (performance.now() > until) throw new Error(`${what} did not happen within a minute`);
    await sleep(2);
  }
  return performance.now();
}

/** The name of the upstream server that responds to a request on a new connection; undefined if none does. */
const answeredBy = (port: number, localAddress: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const sent = request(
      { host: "127.0.0.1", port, localAddress, agent: false, timeout: 2_000 },
      (response) => {
        const name = response.headers["x-upstream"];
        response.resume();
        response.once("close", () => resolve(typeof name === "string" ? name : undefined));
      },
    );
    sent.once("timeout", () => sent.destroy());
    sent.once("error", () => resolve(undefined));
    sent.end();
  });

/** Starts an agent with its own key, and calls `use`; stops the agent afterwards. */
async function withAgent<T>(
  service: Pick<Service, "call" | "origin">,
  options: { certificates: string; wait: number },
  use: (agent: Agent) => Promise<T>,
): Promise<T> {
  const { token } = Object(await service.call("POST", "/api_keys", { role: "agent" }));
  const agent = startAgent({
    origin: service.origin,
    key: String(token),
    name: "bench",
    certificates: options.certificates,
    allowUpstream: ["127.0.0.0/8"],
    more: ["--poll", String(POLL), "--wait", String(options.wait)],
  });
  try {
    return await use(agent);
  } catch (error) {
    console.error(agent.output().slice(-2_000));
    throw error;
  } finally {
    await agent.stop();
  }
}

/**
 * Sequential changes, each of which waits a random part of the interval, so that it falls at any time between polls.
 */
async function measureChanges(waitSeconds: number, count: number): Promise<Change[]> {
  const service = await startService();
  const certificates = mkdtempSync(join(tmpdir(), "edge-bench-"));
  try {
    const given = givenBy(service);
    const port = await freePort();
    const upstreams = await Promise.all(["a", "b"].map((name) => startUpstream(name)));
    const addresses = upstreams.map(({ address }) => address);
    const ids = await Promise.all(addresses.map(async (address) => (await given.staticBackend(address)).id));
    const moving = (await given.staticBackend(addresses[0] ?? "")).id;
    const policy = (await given.policy()).id;
    await given.rule(policy, "allow", "127.0.0.1/32");
    const edge = await given.tcpEdge({
      hostports: [`127.0.0.1:${port}`],
      backend: { backend_id: ids[0] ?? "" },
      ip_restriction: { ip_policy_ids: [policy] },
    });
    return await withAgent(service, { certificates, wait: waitSeconds }, async () => {
      await whenTrue("the first response", async () => (await answeredBy(port, "127.0.0.1")) === "a");
      const timed = async (
        what: string,
        by: Change["by"],
        change: (n: number) => Promise<unknown>,
        isServed: (n: number) => Promise<boolean>,
      ): Promise<Change> => {
        const milliseconds: number[] = [];
        for (let n = 0; n < count; n++) {
          // After a reload, the old worker ends first.
          await sleep((by === "reload" ? 1_000 : 200) + Math.random() * POLL * 1_000);
          if (await isServed(n)) throw new Error(`${what}: served before the change`);
          await change(n);
          const accepted = performance.now();
          milliseconds.push((await whenTrue(what, () => isServed(n))) - accepted);
        }
        console.info(
          `  ${what}, ${waitSeconds > 0 ? "waiting" : "polling"}: ${Math.round(median(milliseconds))} ms`,
        );
        return { what, by, waitSeconds, milliseconds };
      };
      const source = (n: number): string => `127.0.1.${n + 1}`;
      const other = (n: number): number => (n + 1) % 2;
      const isFrom = (n: number) => async () =>
        (await answeredBy(port, "127.0.0.1")) === upstreams[other(n)]?.name;
      const rules = [
        await timed(
          "a rule that lets an address in",
          "runtime API",
          (n) => given.rule(policy, "allow", `${source(n)}/32`),
          async (n) => (await answeredBy(port, source(n))) !== undefined,
        ),
        await timed(
          "a rule that keeps an address out",
          "runtime API",
          (n) => given.rule(policy, "deny", `${source(n)}/32`),
          async (n) => (await answeredBy(port, source(n))) === undefined,
        ),
      ];
      const edges = await timed(
        "another backend for an edge",
        "runtime API",
        (n) =>
          service.call("PATCH", `/edges/tcp/${edge.id}`, { backend: { backend_id: ids[other(n)] ?? "" } }),
        (n) => isFrom(n)(),
      );
      await service.call("PATCH", `/edges/tcp/${edge.id}`, { backend: { backend_id: moving } });
      await whenTrue("the backend", async () => (await answeredBy(port, "127.0.0.1")) === "a");
      const backends = await timed(
        "another address of a backend",
        "runtime API",
        (n) => service.call("PATCH", `/backends/static/${moving}`, { address: addresses[other(n)] ?? "" }),
        (n) => isFrom(n)(),
      );
      return [...rules, edges, backends];
    });
  } finally {
    await stopUpstreams();
    await service.stop();
    rmSync(certificates, { recursive: true, force: true });
  }
}

/** The service with the configuration in its database, and next to it a service that reports the cost of requests. */
async function startServed(folder: string, size: Size, ports: Ports): Promise<Workers> {
  const bindings = { ROOT_API_KEY: ROOT_KEY };
  const workers = await startWorkers(
    [
      { name: "service", source: { path: "test/bench/subjects/service.ts" }, bindings },
      { name: "metered", database: "service", source: { text: meteredText("service") }, bindings },
    ],
    folder,
  );
  await prepareServed(await workers.database("service"), size, ports);
  return workers;
}

async function measureSnapshot(
  workers: Workers,
  { edges, rulesOfEach }: Size,
  count: number,
): Promise<{ figures: SnapshotFigures; text: string }> {
  const clients = new Map<string, Client>();
  const send = async (
    name: string,
    status: number,
    method: string,
    path: string,
    more: { body?: string; etag?: string } = {},
  ) => {
    const client = clients.get(name) ?? new Client(await workers.origin(name), 4);
    clients.set(name, client);
    const { body, etag } = more;
    const headers = { ...headersOf(ROOT_KEY), ...(etag !== undefined && { "If-None-Match": etag }) };
    const started = performance.now();
    const answer = await client.send({ method, path, headers, body });
    const milliseconds = performance.now() - started;
    if (answer.status !== status)
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 500)}`);
    return { ...answer, milliseconds };
  };
  let changes = 0;
  const change = (name: string) =>
    send(name, 200, "PATCH", `/ip_policies/${policyId(1)}`, {
      body: JSON.stringify({ description: `Change ${changes++}` }),
    });
  const get = (name: string) => send(name, 200, "GET", "/snapshot");
  const etagOf = ({ headers }: Awaited<ReturnType<typeof get>>): string => String(headers["etag"]);
  const times = async (one: () => Promise<{ milliseconds: number }>): Promise<number> => {
    const taken: number[] = [];
    for (let n = 0; n < count; n++) taken.push((await one()).milliseconds);
    return median(taken);
  };
  const anew = async () => {
    await change("service");
    return get("service");
  };

  await change("service");
  workers.peakFromHere();
  const before = workers.memory().resident;
  const first = await get("service");
  const { peak } = workers.memory();
  const made = await times(anew);
  const again = await times(() => get("service"));
  const etag = etagOf(await get("service"));
  const unchanged = await times(() => send("service", 304, "GET", "/snapshot", { etag }));
  for (let n = 0; n < count; n++) {
    await change("service");
    await Promise.all(Array.from({ length: 4 }, () => get("service")));
  }
  const memory = { before, first: peak, many: workers.memory().peak };

  const costOf = ({ headers }: { headers: NodeJS.Dict<string | string[]> }): Cost =>
    JSON.parse(String(headers["bench-cost"]));
  // The key and the epoch are read by the first request.
  await change("metered");
  const cost = {
    made: costOf(await get("metered")),
    again: costOf(await get("metered")),
    unchanged: costOf(await send("metered", 304, "GET", "/snapshot", { etag: etagOf(await get("metered")) })),
  };
  const delta = await measureDelta(send, count);
  for (const client of clients.values()) client.close();
  return {
    text: first.text,
    figures: {
      edges,
      rules: edges * rulesOfEach,
      bytes: Buffer.byteLength(first.text),
      gzipBytes: gzipSync(first.text).byteLength,
      milliseconds: { made, again, unchanged },
      cost,
      memory,
      delta,
    },
  };
}

/** The changes after one rule was added. @param send sends a request to a service by its name, and expects a status */
async function measureDelta(
  send: (
    name: string,
    status: number,
    method: string,
    path: string,
    more?: { body?: string },
  ) => Promise<{ text: string; milliseconds: number; headers: NodeJS.Dict<string | string[]> }>,
  count: number,
): Promise<SnapshotFigures["delta"]> {
  const nextIn = ({ text }: { text: string }): string => String(Object(JSON.parse(text)).next);
  let next = nextIn(await send("metered", 200, "GET", "/snapshot/changes"));
  const taken: number[] = [];
  for (let n = 0; ; n++) {
    const body = JSON.stringify({ ip_policy_id: policyId(1), cidr: `198.51.100.${n}/32`, action: "allow" });
    await send("metered", 201, "POST", "/ip_policy_rules", { body });
    const answer = await send("metered", 200, "GET", `/snapshot/changes?since=${next}`);
    next = nextIn(answer);
    taken.push(answer.milliseconds);
    if (n === count)
      return {
        milliseconds: median(taken),
        bytes: Buffer.byteLength(answer.text),
        cost: JSON.parse(String(answer.headers["bench-cost"])),
      };
  }
}

/** Renders a snapshot and has HAProxy check it. @throws if it is not accepted, or not served as written */
async function measureRender(snapshot: Snapshot, count: number): Promise<RenderFigures> {
  // Socket paths must be short.
  const folder = mkdtempSync(join(tmpdir(), "eb-"));
  try {
    const { both } = certificateIn(folder, ALL_HOSTS);
    const directory = join(folder, "files");
    const used = settings({
      directory,
      sockets: join(folder, "s"),
      certificateFor: () => serverCertificate(both),
    });
    const rendering: number[] = [];
    const checking: number[] = [];
    let rendered = render(snapshot, used);
    // With 10,000 edges, some of the largest backends do not fit. The renderer reports that, and the rest is served.
    const wrong = rendered.problems.filter(({ code }) => code !== "too_many_servers");
    if (wrong.length > 0) throw new Error(JSON.stringify(wrong.slice(0, 3)));
    write(rendered, used);
    const until = performance.now() + CHECKS_WITHIN_MILLISECONDS;
    for (let n = 0; n === 0 || (n < count && performance.now() < until); n++) {
      const started = performance.now();
      rendered = render(snapshot, used);
      rendering.push(performance.now() - started);
      const from = performance.now();
      await haproxy("-c", "-f", join(directory, "haproxy.cfg"));
      checking.push(performance.now() - from);
    }
    const files = allFiles(rendered);
    return {
      edges: snapshot.edges.length,
      rules: Object.values(snapshot.ip_policies).reduce(
        (sum, { allow, deny }) => sum + allow.length + deny.length,
        0,
      ),
      files: files.size,
      bytes: [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0),
      renderMilliseconds: median(rendering),
      checkMilliseconds: median(checking),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A server certificate for all hosts, in a folder. */
const certificateIn = (folder: string, hosts: string[]) => {
  const { authority, server } = certificatesIn(folder);
  return server(authority("authority"), hosts);
};
const ALL_HOSTS = [DOMAIN, `*.${DOMAIN}`];

/** What an agent computes for everything, and for single changes. */
async function measureResolve(
  workers: Workers,
  { edges, rulesOfEach }: Size,
  count: number,
): Promise<ResolveFigures> {
  const folder = mkdtempSync(join(tmpdir(), "eb-"));
  const { origin } = await workers.origin("service");
  const send = async (method: string, path: string, body?: object): Promise<string> => {
    const given = { method, headers: headersOf(ROOT_KEY), ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(origin + path, given);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.text();
  };
  try {
    const { both } = certificateIn(folder, ALL_HOSTS);
    const used = settings({
      directory: folder,
      sockets: join(folder, "s"),
      certificateFor: () => serverCertificate(both),
    });
    let replica = new Replica();
    let known = new Known();
    let rendered = render({ ...EMPTY }, used);
    const read = (text: string): Snapshot => {
      replica.apply(matching(changesSchema, JSON.parse(text)));
      return replica.snapshot();
    };
    const timed = async (prepare: (n: number) => Promise<string>, compute: (text: string) => void) => {
      const taken: number[] = [];
      for (let n = 0; n < count; n++) {
        const text = await prepare(n);
        const started = performance.now();
        compute(text);
        taken.push(performance.now() - started);
      }
      return median(taken);
    };
    const after = async (method: string, path: string, body: object): Promise<string> => {
      await send(method, path, body);
      return send("GET", `/snapshot/changes?since=${replica.next}`);
    };
    const whole = await timed(
      () => send("GET", "/snapshot/changes"),
      (text) => {
        replica = new Replica();
        known = new Known();
        rendered = render(read(text), used, undefined, known);
      },
    );
    const rule = await timed(
      (n) =>
        after("POST", "/ip_policy_rules", {
          ip_policy_id: policyId(2),
          cidr: `198.18.0.${n}/32`,
          action: "allow",
        }),
      (text) => {
        rendered = render(read(text), used, rendered.arrangement, known);
      },
    );
    const edge = await timed(
      (n) =>
        after("PATCH", `/edges/tcp/edgtcp_${String(20).padStart(27, "0")}`, {
          backend: { backend_id: `bkdsc_${String(n + 1).padStart(27, "0")}` },
        }),
      (text) => {
        rendered = render(read(text), used, rendered.arrangement, known);
      },
    );
    return { edges, rules: edges * rulesOfEach, whole, rule, edge };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts an agent that serves what the service has, and calls `use` once it serves all of it. */
async function withServing<T>(
  workers: Workers,
  use: (agent: Agent, call: Service["call"], put: (file: string, hosts: string[]) => void) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "edge-bench-"));
  const certificates = join(folder, "certificates");
  mkdirSync(certificates);
  /** Puts a new certificate into the agent's directory. */
  const put = (file: string, hosts: string[]): void => {
    copyFileSync(certificateIn(folder, hosts).both, join(folder, file));
    renameSync(join(folder, file), join(certificates, file));
  };
  put("server.pem", ALL_HOSTS);
  const { origin } = await workers.origin("service");
  const call: Service["call"] = async (method, path, body) => {
    const response = await fetch(origin + path, {
      method,
      headers: headersOf(ROOT_KEY),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  try {
    return await withAgent({ origin, call }, { certificates, wait: 25 }, async (agent) => {
      const { version } = Object(await call("GET", "/snapshot"));
      // An agent before this one had the same name.
      await whenTrue("the start of HAProxy", async () => agent.output().includes("started HAProxy"));
      await whenTrue("the live configuration", async () => {
        const found = Object(await call("GET", "/agents/bench").catch(() => ({})));
        if (found.error) throw new Error(String(found.error));
        return found.applied_version >= version;
      });
      return use(agent, call, put);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The agent with a configuration to serve, while nothing changes. */
const measureAgent = (workers: Workers, size: Size, seconds: number): Promise<AgentFigures> =>
  withServing(workers, async (agent) => {
    // Wait until the work after the start is over.
    await sleep(10_000);
    const pid = String(agent.pid());
    const before = cpuTimeOf(pid);
    await sleep(seconds * 1_000);
    return {
      edges: size.edges,
      rules: size.edges * size.rulesOfEach,
      cpuSecondsPerMinute: ((cpuTimeOf(pid) - before) * 60) / seconds,
      residentBytes: memoryOf(pid).resident,
    };
  });

/** HAProxy with a configuration of this size: its start, its memory, and changes of each kind. The agent logs how it applies them. */
const measureSized = (
  workers: Workers,
  { edges, rulesOfEach }: Size,
  ports: Ports,
  count: number,
): Promise<SizedFigures> =>
  withServing(workers, async (agent, call, put) => {
    const logged = () => [
      ...agent.output().matchAll(/Version \d+: (started|reloaded|updated) .*?in (\d+) ms/g),
    ];
    const pid = String(agent.pid());
    const startMilliseconds = Number(logged()[0]?.[2]);
    const proxyBytes = haproxiesOf(agent.state).reduce((sum, pid) => sum + memoryOf(pid).resident, 0);
    const idOf = (prefix: string, n: number): string => `${prefix}_${String(n).padStart(27, "0")}`;
    let port = ports.first + edges / 20 + 1;
    const kinds: [what: string, change: (n: number) => Promise<unknown>][] = [
      [
        "a rule",
        (n) =>
          call("POST", "/ip_policy_rules", {
            ip_policy_id: policyId(2),
            cidr: `192.0.2.${n}/32`,
            action: "allow",
          }),
      ],
      [
        "the address of a backend",
        (n) => call("PATCH", `/backends/static/${idOf("bkdsc", 3)}`, { address: `203.0.113.${n + 1}:443` }),
      ],
      [
        "the policies of an edge",
        (n) =>
          call("PATCH", `/edges/tls/${idOf("edgtls", 21)}`, {
            ip_restriction: { ip_policy_ids: [policyId(1), policyId(n + 3)] },
          }),
      ],
      [
        "a new edge on a port in use",
        (n) =>
          call("POST", "/edges/tls", {
            hostports: [`new${n}.${DOMAIN}:${ports.named}`],
            backend: { backend_id: idOf("bkdsc", 4) },
            tls_termination: { terminate_at: "edge" },
          }),
      ],
      [
        "a new edge with a certificate of its own",
        (n) => {
          const host = `new${n}.own.${DOMAIN}`;
          put(`own${n}.pem`, [host]);
          return call("POST", "/edges/https", { hostports: [`${host}:${ports.named}`] });
        },
      ],
      ["a renewed certificate", async () => put("server.pem", ALL_HOSTS)],
      [
        "a new edge on a new port",
        () =>
          call("POST", "/edges/tcp", {
            hostports: [`tcp.${DOMAIN}:${port++}`],
            backend: { backend_id: idOf("bkdsc", 4) },
          }),
      ],
    ];
    const changes: SizedFigures["changes"] = [];
    for (const [what, change] of kinds) {
      let by: Change["by"] = "runtime API";
      const served: number[] = [];
      const applied: number[] = [];
      let cpu = 0;
      for (let n = 0; n < count; n++) {
        // After reloads, the next one waits for old workers.
        await sleep(3_000);
        const before = logged().length;
        const cpuBefore = cpuTimeOf(pid);
        await change(n);
        const accepted = performance.now();
        served.push((await whenTrue(what, async () => logged().length > before)) - accepted);
        const [, how, milliseconds] = logged().at(-1) ?? [];
        by = how === "reloaded" ? "reload" : "runtime API";
        applied.push(Number(milliseconds));
        await sleep(1_000);
        cpu += cpuTimeOf(pid) - cpuBefore;
      }
      changes.push({
        what,
        by,
        servedMilliseconds: median(served),
        appliedMilliseconds: median(applied),
        cpuMilliseconds: (1_000 * cpu) / count,
      });
      console.info(
        `  ${edges} edges, ${what}: ${Math.round(median(served))} ms, ${median(applied)} ms of it in HAProxy; CPU ${Math.round((1_000 * cpu) / count)} ms`,
      );
    }
    const agentBytes = memoryOf(pid).resident;
    console.info(`  ${edges} edges: ${Math.round(agentBytes / 2 ** 20)} MiB in the agent`);
    return { edges, rules: edges * rulesOfEach, startMilliseconds, proxyBytes, agentBytes, changes };
  });

/** The processes of HAProxy that use this folder. */
const haproxiesOf = (state: string): string[] =>
  readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const [program = "", ...args] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return program.endsWith("haproxy") && args.some((arg) => arg.startsWith(state));
    } catch {
      return false;
    }
  });

/** CPU seconds of a process and its threads, including ended threads: proc_pid_stat(5), in 1/100 s. */
function cpuTimeOf(pid: string): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
