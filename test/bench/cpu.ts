import { SourceMap } from "node:module";
import { newToken, sha256 } from "../../src/tokens.ts";
import { bundle, packageOf } from "./bundle.ts";
import { Client } from "./load.ts";
import { type Credentials, idSchema, type Operation, requestOf } from "./operations.ts";
import { type Quartiles, quartiles } from "./statistics.ts";
import { startWorkers } from "./workers.ts";

/** CPU of one operation in the service's own code. */
export interface Cpu {
  op: string;
  /**
   * Microseconds of workerd's CPU, minus those of a Worker that reads the same request and sends a constant of the same
   * length.
   */
  own: Quartiles;
  /** Microseconds by stage: the share of the profile's samples, times {@link own}. */
  stages: Record<string, number>;
  /** The functions with the most samples, with their share of all JavaScript. */
  top: [place: string, share: number][];
}

/** The service with a database in memory and a rate limiter in the isolate. */
export const MEMORY_SERVICE = `
  import worker from "./test/bench/subjects/service.ts";
  import { memoryDatabase } from "./test/bench/memory.ts";
  let bindings;
  export default {
    fetch(request, env, context) {
      bindings ??= { ...env, DB: memoryDatabase(JSON.parse(env.KNOWN)) };
      return worker.fetch(request, bindings, context);
    },
  };`;

/** A Worker that reads the request and responds with as many bytes as a header says. */
const CONSTANT = `
  const texts = new Map();
  export default {
    async fetch(request) {
      if (request.body) await request.arrayBuffer();
      const size = Number(request.headers.get("Size"));
      const text = texts.get(size) ?? "x".repeat(size);
      texts.set(size, text);
      return new Response(text, { headers: { "Content-Type": "application/json" } });
    },
  };`;

/** The bindings that {@link MEMORY_SERVICE} needs, and the headers that it then accepts. */
export async function memoryKey(): Promise<{
  bindings: Record<string, string>;
  headers: Record<string, string>;
}> {
  const keyId = idSchema("ak_", 1);
  const token = newToken(keyId);
  const known = {
    token_sha256: await sha256(token),
    role: "editor",
    expires_at: null,
    last_used_at: "9999-01-01T00:00:00Z",
    owner_id: null,
  };
  return {
    bindings: { ROOT_API_KEY: "root-key-of-the-bench", KNOWN: JSON.stringify(known) },
    headers: { Authorization: `Bearer ${token}` },
  };
}

/** Stages of a request, by the file that a function is in; the first match counts. */
const stages: [stage: string, files: RegExp][] = [
  ["auth", /src\/(tokens|http\/(gate|callers))\.ts/],
  [
    "validate",
    /src\/(values\/|http\/(operation|body|invalid|parameters)\.ts)|node_modules\/(zod|@hono\/zod-validator|hono\/dist\/validator|ipaddr\.js)\//,
  ],
  ["build", /src\/db\/|node_modules\/drizzle-orm\//],
  ["headers and log", /src\/http\/(respond|log|cors|later)\.ts/],
  ["ids", /src\/(ksuid|base62|clock)\.ts/],
  ["route", /node_modules\/hono\/dist\/(router|hono|compose|request|middleware|helper)|src\/http\/route\.ts/],
  ["serialise", /src\/(resources|modules|kinds|http\/pages)|node_modules\/hono\/dist\/context/],
  ["errors", /src\/http\/(errors|faults|refusals|error_codes)/],
  ["the bench itself", /test\/bench\//],
];

/** Measures the CPU time of each operation from outside workerd, and profiles it inside. */
export async function measureCpu(
  operations: Operation[],
  persist: string,
  { rounds, profileSeconds }: { rounds: number; profileSeconds: number },
): Promise<Cpu[]> {
  const { bindings, headers } = await memoryKey();
  const credentials: Credentials = { service: headers };
  const subjects = [
    { name: "service", source: { text: MEMORY_SERVICE }, bindings },
    { name: "constant", source: { text: CONSTANT } },
  ];
  const workers = await startWorkers(subjects, persist);
  const [service, constant] = [
    new Client(await workers.origin("service")),
    new Client(await workers.origin("constant")),
  ];
  const measured = new Map<string, number[]>();
  const sides = [];
  for (const operation of operations) {
    const make = requestOf(operation, credentials, "service");
    const size = (await service.send(make(1))).text.length;
    const same = (n: number) => {
      const sent = make(n);
      return { ...sent, headers: { ...sent.headers, Size: String(size) } };
    };
    const count = operation.name.startsWith("list") ? 40 : 125;
    const micros = async (send: () => Promise<unknown>): Promise<number> => {
      const before = workers.cpuSeconds();
      await send();
      return ((workers.cpuSeconds() - before) / count) * 1e6;
    };
    const send = () => micros(() => service.run(make, operation.status, count));
    const sendConstant = () => micros(() => constant.run(same, 200, count));
    for (let i = 0; i < 8; i++) await send();
    await sendConstant();
    sides.push({ name: operation.name, send, sendConstant });
  }
  // Round by round, so that variations in the machine's load affect all operations alike.
  for (let round = 0; round < rounds; round++)
    for (const { name, send, sendConstant } of sides)
      measured.set(name, [...(measured.get(name) ?? []), (await send()) - (await sendConstant())]);
  service.close();
  constant.close();
  await workers.dispose();

  const profiled = await profile(operations, persist, bindings, credentials, profileSeconds);
  return operations.map(({ name }) => {
    const own = quartiles(measured.get(name) ?? []);
    const found = profiled.get(name) ?? { shares: {}, top: [] };
    return {
      op: name,
      own,
      stages: Object.fromEntries(
        Object.entries(found.shares).map(([stage, share]) => [stage, share * own.median]),
      ),
      top: found.top,
    };
  });
}

interface Profile {
  nodes: { id: number; callFrame: Frame; children?: number[] }[];
  samples: number[];
}
interface Frame {
  functionName: string;
  url: string;
  lineNumber: number;
  columnNumber: number;
}

async function profile(
  operations: Operation[],
  persist: string,
  bindings: Record<string, string>,
  credentials: Credentials,
  seconds: number,
) {
  const workers = await startWorkers(
    [{ name: "service", source: { text: MEMORY_SERVICE }, bindings }],
    persist,
    { inspected: true },
  );
  const { map } = await bundle({ text: MEMORY_SERVICE });
  const place = placer(map);
  const client = new Client(await workers.origin("service"));
  const inspector = await Inspector.open(new URL("/core:user:service", await workers.inspector()));
  await inspector.ask("Profiler.enable");
  await inspector.ask("Profiler.setSamplingInterval", { interval: 100 });
  const found = new Map<string, { shares: Record<string, number>; top: [string, number][] }>();
  for (const operation of operations) {
    const make = requestOf(operation, credentials, "service");
    for (let i = 0; i < 4; i++) await client.run(make, operation.status, 300);
    await inspector.ask("Profiler.start");
    const until = performance.now() + seconds * 1000;
    while (performance.now() < until) await client.run(make, operation.status, 100);
    const { profile } = await inspector.ask<{ profile: Profile }>("Profiler.stop");
    found.set(operation.name, sharesOf(profile, place));
  }
  inspector.close();
  client.close();
  await workers.dispose();
  return found;
}

/** The location of a function in the sources: `file:line`, or "" if it is not in the bundle. */
function placer(map: string): (frame: Frame) => string {
  const sourceMap = new SourceMap(JSON.parse(map));
  return ({ url, lineNumber, columnNumber }) => {
    if (!url.endsWith("worker.mjs")) return "";
    const entry = sourceMap.findEntry(lineNumber, columnNumber);
    if (!("originalSource" in entry)) return "";
    // Drizzle's own source maps omit its folder.
    const source = entry.originalSource.replace("node_modules/src/", "node_modules/drizzle-orm/src/");
    return `${source}:${entry.originalLine + 1}`;
  };
}

/**
 * Shares of the samples in JavaScript by stage and by function. V8's built-in functions count towards their callers.
 */
function sharesOf({ nodes, samples }: Profile, place: (frame: Frame) => string) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const counts = new Map<string, number>();
  const functions = new Map<string, number>();
  let inside = 0;
  for (const sample of samples) {
    let node = byId.get(sample);
    const name = node?.callFrame.functionName ?? "";
    if (name === "(program)" || name === "(idle)" || name === "(root)") continue;
    inside += 1;
    if (name === "(garbage collector)") {
      counts.set("garbage collection", (counts.get("garbage collection") ?? 0) + 1);
      continue;
    }
    while (node && place(node.callFrame) === "") node = byId.get(parents.get(node.id) ?? -1);
    const where = node ? place(node.callFrame) : "";
    const stage = stages.find(([, files]) => files.test(where))?.[0] ?? "platform";
    counts.set(stage, (counts.get(stage) ?? 0) + 1);
    const label = `${node?.callFrame.functionName || "(anonymous)"} ${short(where)}`;
    functions.set(label, (functions.get(label) ?? 0) + 1);
  }
  return {
    shares: Object.fromEntries([...counts].map(([stage, count]) => [stage, count / inside])),
    top: [...functions]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 15)
      .map(([label, count]): [string, number] => [label, count / inside]),
  };
}

/** A readable location: the package, or the path in `src`. */
const short = (where: string): string => {
  const [, own] = /(?:^|\/)((?:src|test)\/.*)$/.exec(where) ?? [];
  return where.includes("node_modules") ? `${packageOf(where)} ${where.replace(/.*\//, "")}` : (own ?? where);
};

/** The Chrome DevTools protocol over workerd's inspector socket. */
class Inspector {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const { id, result } = JSON.parse(String(data));
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    });
  }

  static open(url: URL): Promise<Inspector> {
    const socket = new WebSocket(url);
    return new Promise((resolve, reject) => {
      socket.addEventListener("open", () => resolve(new Inspector(socket)));
      socket.addEventListener("error", () => reject(new Error(`no inspector at ${url}`)));
    });
  }

  ask<T>(method: string, params: object = {}): Promise<T> {
    const id = ++this.#last;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => this.#waiting.set(id, (result) => resolve(result as T)));
  }

  close(): void {
    this.#socket.close();
  }
}
