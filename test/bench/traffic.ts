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
import { type Rendered, render } from "../../packages/agent/src/render/render.ts";
import { changesSchema } from "../../packages/model/src/traffic/changes.ts";
import { Replica } from "../../packages/model/src/traffic/replica.ts";
import type { Cost } from "../../src/db/session.ts";
import { serverCertificate, settings, write } from "../e2e/agent/proxy.ts";
import { freePort } from "../e2e/support/ports.ts";
import { type Agent, startAgent } from "../e2e/traffic/agent.ts";
import { certificatesIn } from "../e2e/traffic/certificates.ts";
import { startUpstream, stopUpstreams } from "../e2e/traffic/upstreams.ts";
import { prepare, prepareServed } from "./database.ts";
import { Api, ROOT_KEY, workOf } from "./load.ts";
import { idSchema } from "./operations.ts";
import { DOMAIN, policyId, type Ports, type Size } from "./served.ts";
import { meteredText } from "./side_by_side.ts";
import { median } from "./statistics.ts";
import { memoryOf, startWorkers, type Workers } from "./workers.ts";

/*
 * Serving traffic: the time until clients see an accepted change, the cost of snapshots for the service, and the cost
 * of the agent for its machine. All with the service in workerd, the built agent and HAProxy.
 */

/** For how many seconds an agent's request waits for a change. 0: the agent asks every two seconds instead. */
const WAITS = [25, 0];
/** Seconds between two requests of an agent that does not wait: the default. */
const POLL = 2;
const SIZES: Size[] = [
  { edges: 1_000, rulesOfEach: 10 },
  { edges: 10_000, rulesOfEach: 10 },
  { edges: 5_000, rulesOfEach: 20 },
];
const PATIENCE_MILLISECONDS = 60_000;
/** TCP edges listen on ports from here on, below the ports that `freePort` returns. */
const FIRST_PORT = 12_000;
const ALL_HOSTS = [DOMAIN, `*.${DOMAIN}`];

/** Milliseconds from the response to a change to the first response of HAProxy that shows it. */
interface Change {
  what: string;
  by: "runtime API" | "reload";
  waitSeconds: number;
  milliseconds: number[];
}

/** A request, its median time and its cost. */
interface Request {
  milliseconds: number;
  cost: Cost;
}

interface SnapshotFigures {
  edges: number;
  rules: number;
  bytes: number;
  gzipBytes: number;
  /** `GET /snapshot` after a change, again, and with the newest `ETag`. */
  made: Request;
  again: Request;
  unchanged: Request;
  /** `GET /snapshot/changes` after one rule was added. */
  delta: Request & { bytes: number };
  /**
   * Bytes of the workerd process, with the database: before the first snapshot, the peak during it, and the peak while
   * snapshots are made sequentially and four at a time.
   */
  memory: { before: number; first: number; many: number };
}

/** What the agent and HAProxy need for a configuration of this size. In milliseconds, medians. */
interface SizedFigures {
  edges: number;
  rules: number;
  files: number;
  bytes: number;
  renderMilliseconds: number;
  checkMilliseconds: number;
  /** What the agent computes after it has read everything, or a change: checks and applies it, resolves and renders. */
  resolve: { everything: number; rule: number; edge: number };
  /** From the start of HAProxy until it serves. */
  startMilliseconds: number;
  /** Resident bytes of HAProxy's master and worker, and of the agent after all changes. */
  proxyBytes: number;
  agentBytes: number;
  /** Seconds of the agent's CPU per minute while nothing changes, at the default interval. */
  idleCpuSeconds: number;
  changes: {
    what: string;
    by: Change["by"];
    /** From the response to the change until it is served, with an agent that waits for changes. */
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
  sized: SizedFigures[];
}

/** @param isQuick fewer samples, less time for the idle agent, and only the smallest configuration */
export async function measureTraffic(folder: string, isQuick: boolean): Promise<TrafficFigures> {
  const { stdout } = await haproxy("-v");
  const [, version = "?"] = /version (\d[\w.]*)/.exec(stdout) ?? [];
  const changes: Change[] = [];
  for (const wait of WAITS)
    changes.push(...(await measureChanges(join(folder, `wait-${wait}`), wait, isQuick ? 5 : 15)));
  const snapshots: SnapshotFigures[] = [];
  const sized: SizedFigures[] = [];
  for (const size of isQuick ? SIZES.slice(0, 1) : SIZES) {
    const ports = { named: await freePort(), first: FIRST_PORT };
    const workers = await startServed(join(folder, `${size.edges}`), (database) =>
      prepareServed(database, size, ports),
    );
    const counts = { edges: size.edges, rules: size.edges * size.rulesOfEach };
    try {
      snapshots.push({ ...counts, ...(await measureSnapshot(workers, isQuick ? 5 : 15)) });
      const computed = await measureComputed(workers, isQuick ? 3 : 7);
      const served = await measureServed(workers, size, ports, isQuick ? 3 : 7, isQuick ? 20 : 60);
      sized.push({ ...counts, ...computed, ...served });
    } finally {
      await workers.dispose();
    }
    console.info(`  ${size.edges} edges`);
  }
  return { haproxy: version, changes, snapshots, sized };
}

/** Runs HAProxy. @throws with its output, if it is missing or fails */
const haproxy = (...args: string[]) => promisify(execFile)("haproxy", args);

/** A service with a filled database, and next to it a service that reports the cost of requests. */
async function startServed(folder: string, fill: (database: D1Database) => Promise<void>): Promise<Workers> {
  const bindings = { ROOT_API_KEY: ROOT_KEY };
  const workers = await startWorkers(
    [
      { name: "service", source: { path: "test/bench/subjects/service.ts" }, bindings },
      { name: "metered", database: "service", source: { text: meteredText("service") }, bindings },
    ],
    folder,
  );
  await fill(await workers.database("service"));
  return workers;
}

/** Calls `probe` continuously until it resolves to true; returns the time of that. @throws when the time is over */
async function whenTrue(what: string, probe: () => Promise<boolean>): Promise<number> {
  const until = performance.now() + PATIENCE_MILLISECONDS;
  while (!(await probe())) {
    if (performance.now() > until) throw new Error(`${what} did not happen within a minute`);
    await sleep(2);
  }
  return performance.now();
}

/** The median of `count` times. */
async function medianOf(count: number, one: (n: number) => Promise<number>): Promise<number> {
  const taken: number[] = [];
  for (let n = 0; n < count; n++) taken.push(await one(n));
  return median(taken);
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

interface Serving {
  agent: Agent;
  api: Api;
  /** Puts a new certificate into the agent's directory. */
  put: (file: string, hosts: string[]) => void;
}

/** Starts an agent that serves what the service has, and calls `use` once it serves all of it. */
async function withAgent<T>(
  workers: Workers,
  wait: number,
  use: (serving: Serving) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "edge-bench-"));
  const certificates = join(folder, "certificates");
  mkdirSync(certificates);
  const put = (file: string, hosts: string[]): void => {
    copyFileSync(certificateIn(folder, hosts), join(folder, file));
    renameSync(join(folder, file), join(certificates, file));
  };
  put("server.pem", ALL_HOSTS);
  const url = await workers.origin("service");
  const api = new Api(url);
  const { token } = JSON.parse((await api.send("POST", "/api_keys", { role: "agent" })).text);
  const { version } = JSON.parse((await api.send("GET", "/snapshot")).text);
  const agent = startAgent({
    origin: url.origin,
    key: token,
    name: "bench",
    certificates,
    allowUpstream: ["127.0.0.0/8"],
    more: ["--poll", String(POLL), "--wait", String(wait)],
  });
  try {
    await whenTrue("the live configuration", async () => {
      const found = await api.send("GET", "/agents/bench").catch(() => ({ text: "{}" }));
      const { error, applied_version } = JSON.parse(found.text);
      if (error) throw new Error(String(error));
      return applied_version >= version;
    });
    return await use({ agent, api, put });
  } catch (error) {
    console.error(agent.output().slice(-2_000));
    throw error;
  } finally {
    await agent.stop();
    api.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The path of a server certificate for hosts, with its key, in a folder. */
const certificateIn = (folder: string, hosts: string[]): string => {
  const { authority, server } = certificatesIn(folder);
  return server(authority("authority"), hosts).both;
};

/** Sequential changes, each of which waits a random part of the interval, so that it falls at any time between polls. */
async function measureChanges(folder: string, waitSeconds: number, count: number): Promise<Change[]> {
  const workers = await startServed(folder, (database) => prepare(database, 0));
  const api = new Api(await workers.origin("service"));
  const create = async (path: string, body: object): Promise<string> =>
    JSON.parse((await api.send("POST", path, body)).text).id;
  try {
    const port = await freePort();
    const [a, b] = [await startUpstream("a"), await startUpstream("b")];
    const backend = ({ address }: typeof a) => create("/backends/static", { address });
    const [first, second, moving] = [await backend(a), await backend(b), await backend(a)];
    const ip_policy_id = await create("/ip_policies", {});
    const rule = (action: string, address: string) =>
      create("/ip_policy_rules", { ip_policy_id, action, cidr: `${address}/32` });
    await rule("allow", "127.0.0.1");
    const edge = await create("/edges/tcp", {
      hostports: [`127.0.0.1:${port}`],
      backend: { backend_id: first },
      ip_restriction: { ip_policy_ids: [ip_policy_id] },
    });
    const use = (backend_id: string) => api.send("PATCH", `/edges/tcp/${edge}`, { backend: { backend_id } });
    const source = (n: number): string => `127.0.1.${n + 1}`;
    const isServedBy = async ({ name }: typeof a): Promise<boolean> =>
      (await answeredBy(port, "127.0.0.1")) === name;
    const other = (n: number): typeof a => (n % 2 === 0 ? b : a);
    const kinds: [
      what: string,
      change: (n: number) => Promise<unknown>,
      isServed: (n: number) => Promise<boolean>,
    ][] = [
      [
        "a rule that lets an address in",
        (n) => rule("allow", source(n)),
        async (n) => (await answeredBy(port, source(n))) !== undefined,
      ],
      [
        "a rule that keeps an address out",
        (n) => rule("deny", source(n)),
        async (n) => (await answeredBy(port, source(n))) === undefined,
      ],
      [
        "another backend for an edge",
        (n) => use(other(n) === a ? first : second),
        (n) => isServedBy(other(n)),
      ],
      [
        "another address of a backend",
        (n) => api.send("PATCH", `/backends/static/${moving}`, { address: other(n).address }),
        (n) => isServedBy(other(n)),
      ],
    ];
    return await withAgent(workers, waitSeconds, async () => {
      const measured: Change[] = [];
      for (const [what, change, isServed] of kinds) {
        await use(what.startsWith("another address") ? moving : first);
        await whenTrue("the first backend", () => isServedBy(a));
        const milliseconds: number[] = [];
        for (let n = 0; n < count; n++) {
          await sleep(200 + Math.random() * POLL * 1_000);
          if (await isServed(n)) throw new Error(`${what}: served before the change`);
          await change(n);
          const accepted = performance.now();
          milliseconds.push((await whenTrue(what, () => isServed(n))) - accepted);
        }
        measured.push({ what, by: "runtime API", waitSeconds, milliseconds });
      }
      return measured;
    });
  } finally {
    api.close();
    await stopUpstreams();
    await workers.dispose();
  }
}

async function measureSnapshot(
  workers: Workers,
  count: number,
): Promise<Omit<SnapshotFigures, "edges" | "rules">> {
  const [service, metered] = [
    new Api(await workers.origin("service")),
    new Api(await workers.origin("metered")),
  ];
  let changes = 0;
  const change = (api: Api) =>
    api.send("PATCH", `/ip_policies/${policyId(1)}`, { description: `Change ${changes++}` });
  const get = (api: Api, etag?: string) => api.send("GET", "/snapshot", undefined, etag);
  const etagOf = async (api: Api): Promise<string> => String((await get(api)).headers["etag"]);
  const times = (one: () => Promise<{ milliseconds: number }>) =>
    medianOf(count, async () => (await one()).milliseconds);

  await change(service);
  workers.peakFromHere();
  const before = workers.memory().resident;
  const { text } = await get(service);
  const { peak: first } = workers.memory();
  const made = await times(async () => {
    await change(service);
    return get(service);
  });
  const again = await times(() => get(service));
  const etag = await etagOf(service);
  const unchanged = await times(() => get(service, etag));
  for (let n = 0; n < count; n++) {
    await change(service);
    await Promise.all(Array.from({ length: 4 }, () => get(service)));
  }
  const { peak: many } = workers.memory();

  // The key and the epoch are read by the first request.
  await change(metered);
  const costs = {
    made: workOf(await get(metered)),
    again: workOf(await get(metered)),
    unchanged: workOf(await get(metered, await etagOf(metered))),
  };
  let delta = await metered.send("GET", "/snapshot/changes");
  const deltas = await medianOf(count, async (n) => {
    const { next } = JSON.parse(delta.text);
    await addRule(metered, 1, `198.51.100.${n}`);
    delta = await metered.send("GET", `/snapshot/changes?since=${next}`);
    return delta.milliseconds;
  });
  service.close();
  metered.close();
  return {
    bytes: Buffer.byteLength(text),
    gzipBytes: gzipSync(text).byteLength,
    made: { milliseconds: made, cost: costs.made },
    again: { milliseconds: again, cost: costs.again },
    unchanged: { milliseconds: unchanged, cost: costs.unchanged },
    delta: { milliseconds: deltas, cost: workOf(delta), bytes: Buffer.byteLength(delta.text) },
    memory: { before, first, many },
  };
}

/** Lets an address in by the `n`th policy. */
const addRule = (api: Api, n: number, address: string) =>
  api.send("POST", "/ip_policy_rules", { ip_policy_id: policyId(n), cidr: `${address}/32`, action: "allow" });

/** What an agent computes for everything, and for single changes, and how long HAProxy checks it. */
async function measureComputed(workers: Workers, count: number) {
  // Socket paths must be short.
  const folder = mkdtempSync(join(tmpdir(), "eb-"));
  const api = new Api(await workers.origin("service"));
  try {
    const both = certificateIn(folder, ALL_HOSTS);
    const directory = join(folder, "files");
    const used = settings({
      directory,
      sockets: join(folder, "s"),
      certificateFor: () => serverCertificate(both),
    });
    let replica = new Replica();
    let known = new Known();
    let rendered: Rendered | undefined;
    const rendering: number[] = [];
    /** Computes what follows from changes; returns the milliseconds that this takes. */
    const compute = (text: string): number => {
      const started = performance.now();
      replica.apply(matching(changesSchema, JSON.parse(text)));
      const snapshot = replica.snapshot();
      const resolved = performance.now();
      rendered = render(snapshot, used, rendered?.arrangement, known);
      rendering.push(performance.now() - resolved);
      return performance.now() - started;
    };
    const everything = await medianOf(count, async () => {
      const { text } = await api.send("GET", "/snapshot/changes");
      [replica, known, rendered] = [new Replica(), new Known(), undefined];
      return compute(text);
    });
    const renderMilliseconds = median(rendering);
    if (!rendered) throw new Error("nothing was rendered");
    const { problems } = rendered;
    // With 10,000 edges, some of the largest backends do not fit. The renderer reports that, and the rest is served.
    const wrong = problems.filter(({ code }) => code !== "too_many_servers");
    if (wrong.length > 0) throw new Error(JSON.stringify(wrong.slice(0, 3)));
    write(rendered, used);
    const files = [...allFiles(rendered).values()];
    const checkMilliseconds = await medianOf(count, async () => {
      const started = performance.now();
      await haproxy("-c", "-f", join(directory, "haproxy.cfg"));
      return performance.now() - started;
    });
    const after = async (change: Promise<unknown>): Promise<number> => {
      await change;
      return compute((await api.send("GET", `/snapshot/changes?since=${replica.next}`)).text);
    };
    const rule = await medianOf(count, (n) => after(addRule(api, 2, `198.18.0.${n}`)));
    const edge = await medianOf(count, (n) =>
      after(
        api.send("PATCH", `/edges/tcp/${idSchema("edgtcp_", 20)}`, {
          backend: { backend_id: idSchema("bkdsc_", n + 1) },
        }),
      ),
    );
    return {
      files: files.length,
      bytes: files.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
      renderMilliseconds,
      checkMilliseconds,
      resolve: { everything, rule, edge },
    };
  } finally {
    api.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The processes with a configuration of this size: idle, and while each kind of change is applied. The agent logs how it applies them. */
const measureServed = (workers: Workers, size: Size, ports: Ports, count: number, idleSeconds: number) =>
  withAgent(workers, 25, async ({ agent, api, put }) => {
    const logged = () => [
      ...agent.output().matchAll(/Version \d+: (started|reloaded|updated) .*?in (\d+) ms/g),
    ];
    const pid = String(agent.pid());
    await whenTrue("the start of HAProxy", async () => logged().length > 0);
    const startMilliseconds = Number(logged()[0]?.[2]);
    // The work after the start ends first.
    await sleep(10_000);
    const proxyBytes = haproxiesOf(agent.state).reduce((sum, each) => sum + memoryOf(each).resident, 0);
    const before = cpuTimeOf(pid);
    await sleep(idleSeconds * 1_000);
    const idleCpuSeconds = ((cpuTimeOf(pid) - before) * 60) / idleSeconds;
    const changes: SizedFigures["changes"] = [];
    for (const [what, change] of kindsOfChanges(api, size, ports, put)) {
      let by: Change["by"] = "runtime API";
      const applied: number[] = [];
      let cpu = 0;
      const servedMilliseconds = await medianOf(count, async (n) => {
        // After reloads, the next one waits for old workers.
        await sleep(3_000);
        const [earlier, cpuBefore] = [logged().length, cpuTimeOf(pid)];
        await change(n);
        const accepted = performance.now();
        const served = await whenTrue(what, async () => logged().length > earlier);
        const [, how, milliseconds] = logged().at(-1) ?? [];
        by = how === "reloaded" ? "reload" : "runtime API";
        applied.push(Number(milliseconds));
        await sleep(1_000);
        cpu += cpuTimeOf(pid) - cpuBefore;
        return served - accepted;
      });
      const cpuMilliseconds = (1_000 * cpu) / count;
      changes.push({ what, by, servedMilliseconds, appliedMilliseconds: median(applied), cpuMilliseconds });
      console.info(`  ${size.edges} edges, ${what}: ${Math.round(servedMilliseconds)} ms`);
    }
    return { startMilliseconds, proxyBytes, agentBytes: memoryOf(pid).resident, idleCpuSeconds, changes };
  });

function kindsOfChanges(
  api: Api,
  { edges }: Size,
  { named, first }: Ports,
  put: Serving["put"],
): [what: string, change: (n: number) => Promise<unknown>][] {
  const backend = { backend_id: idSchema("bkdsc_", 4) };
  let port = first + edges / 20 + 1;
  return [
    ["a rule", (n) => addRule(api, 2, `192.0.2.${n}`)],
    [
      "the address of a backend",
      (n) =>
        api.send("PATCH", `/backends/static/${idSchema("bkdsc_", 3)}`, { address: `203.0.113.${n + 1}:443` }),
    ],
    [
      "the policies of an edge",
      (n) =>
        api.send("PATCH", `/edges/tls/${idSchema("edgtls_", 21)}`, {
          ip_restriction: { ip_policy_ids: [policyId(1), policyId(n + 3)] },
        }),
    ],
    [
      "a new edge on a port in use",
      (n) =>
        api.send("POST", "/edges/tls", {
          hostports: [`new${n}.${DOMAIN}:${named}`],
          backend,
          tls_termination: { terminate_at: "edge" },
        }),
    ],
    [
      "a new edge with a certificate of its own",
      (n) => {
        const host = `new${n}.own.${DOMAIN}`;
        put(`own${n}.pem`, [host]);
        return api.send("POST", "/edges/https", { hostports: [`${host}:${named}`] });
      },
    ],
    ["a renewed certificate", async () => put("server.pem", ALL_HOSTS)],
    [
      "a new edge on a new port",
      () => api.send("POST", "/edges/tcp", { hostports: [`tcp.${DOMAIN}:${port++}`], backend }),
    ],
  ];
}

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
