import { SourceMap } from "node:module";
import { newToken, sha256 } from "../../src/http/tokens.ts";
import { type Bundle, bundle, packageOf } from "./bundle.ts";
import { Client, ROOT_KEY } from "./load.ts";
import { idSchema, type Operation, requestOf } from "./operations.ts";
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
  /**
   * The functions with the most samples: their names in the sources ("" for functions without a name), and their shares
   * of all JavaScript.
   */
  top: [name: string, place: string, share: number][];
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
    key_id: keyId,
    role: "editor",
    expires_at: null,
    owner_id: null,
    last_used_at: "9999-01-01T00:00:00Z",
    description: null,
    owner_name: null,
    owner_active: null,
    owner_role: null,
    owner_until: null,
    session_until: null,
    root_sha256: null,
  };
  return {
    bindings: { ROOT_API_KEY: ROOT_KEY, KNOWN: JSON.stringify(known) },
    headers: { Authorization: `Bearer ${token}` },
  };
}

/** Stages of a request, by the file that a function is in. The first match counts. */
const stages: [stage: string, files: RegExp][] = [
  ["authenticate", /src\/roles\.ts|src\/http\/(auth|keys|tokens|cookies)\.ts/],
  [
    "route",
    /node_modules\/hono\/dist\/(router|hono|compose|request|middleware|helper)|src\/http\/(request|route)\.ts/,
  ],
  ["validate", /src\/values\/|src\/http\/(operation|body|lists)\.ts|node_modules\/(zod|ipaddr\.js)\//],
  ["statements", /src\/(db|writes)\/|node_modules\/(drizzle-orm|canonicalize)\//],
  ["headers and log", /src\/http\/(respond|log)\.ts/],
  ["ids", /src\/(ids|clock)\.ts/],
  ["serialise", /src\/(resources|modules)\/|src\/kinds\.ts|node_modules\/hono\/dist\/context/],
  ["errors", /src\/http\/(errors|error_codes|error_response|member_errors)\.ts/],
  ["the bench itself", /test\/bench\//],
];

/** Measures the CPU time of each operation from outside workerd, and profiles it inside. */
export async function measureCpu(
  operations: Operation[],
  persist: string,
  { rounds, profileSeconds }: { rounds: number; profileSeconds: number },
): Promise<Cpu[]> {
  const { bindings, headers } = await memoryKey();
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
    const make = requestOf(operation, headers);
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

  const profiled = await profile(operations, persist, bindings, headers, profileSeconds);
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
  headers: Record<string, string>,
  seconds: number,
) {
  const workers = await startWorkers(
    [{ name: "service", source: { text: MEMORY_SERVICE }, bindings }],
    persist,
    { inspected: true },
  );
  const locate = locator(await bundle({ text: MEMORY_SERVICE }));
  const client = new Client(await workers.origin("service"));
  const inspector = await Inspector.open(new URL("/core:user:service", await workers.inspector()));
  await inspector.ask("Profiler.enable");
  await inspector.ask("Profiler.setSamplingInterval", { interval: 100 });
  const found = new Map<string, Shares>();
  for (const operation of operations) {
    const make = requestOf(operation, headers);
    for (let i = 0; i < 4; i++) await client.run(make, operation.status, 300);
    await inspector.ask("Profiler.start");
    const until = performance.now() + seconds * 1000;
    while (performance.now() < until) await client.run(make, operation.status, 100);
    const { profile } = await inspector.ask<{ profile: Profile }>("Profiler.stop");
    found.set(operation.name, sharesOf(profile, locate));
  }
  inspector.close();
  client.close();
  await workers.dispose();
  return found;
}

/**
 * A function in the sources: its name, "" if it has none, and its position `file:line`, "" if it is not in the bundle.
 */
interface Located {
  name: string;
  place: string;
}

/** The text before the parameters of functions whose names are minified: `function f`, `f=` and `#f`. */
const DECLARED = /\bfunction[* ]\s*([\w$]+)$/;
const ASSIGNED = /(?:^|[^\w$.])([\w$]+)=(?:async\s*)?$/;
const PRIVATE = /(#[\w$]+)(?:=(?:async\s*)?)?$/;

/** Finds functions in the sources, given the bundle that runs. */
function locator({ text, map }: Bundle): (frame: Frame) => Located {
  const sourceMap = new SourceMap(JSON.parse(map));
  const lines = text.split("\n");
  return ({ functionName, url, lineNumber, columnNumber }) => {
    if (!url.endsWith("worker.mjs")) return { name: "", place: "" };
    const entry = sourceMap.findEntry(lineNumber, columnNumber);
    if (!("originalSource" in entry)) return { name: "", place: "" };
    // Drizzle's own source maps omit its folder.
    const source = entry.originalSource.replace("node_modules/src/", "node_modules/drizzle-orm/src/");
    const place = `${source}:${entry.originalLine + 1}`;
    const before = lines[lineNumber]?.slice(0, columnNumber) ?? "";
    // Minified names are in the source map. Names of public properties and methods are not minified.
    const minified = DECLARED.exec(before) ?? ASSIGNED.exec(before) ?? PRIVATE.exec(before);
    if (minified) {
      const at = sourceMap.findEntry(lineNumber, before.lastIndexOf(minified[1] ?? ""));
      return { name: "name" in at && typeof at.name === "string" ? at.name : "", place };
    }
    return { name: functionName !== "" && before.endsWith(functionName) ? functionName : "", place };
  };
}

interface Shares {
  shares: Record<string, number>;
  top: Cpu["top"];
}

/**
 * Shares of the samples in JavaScript by stage and by function. V8's built-in functions count towards their callers.
 */
function sharesOf({ nodes, samples }: Profile, locate: (frame: Frame) => Located): Shares {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const counts = new Map<string, number>();
  const functions = new Map<string, { name: string; place: string; count: number }>();
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
    while (node && locate(node.callFrame).place === "") node = byId.get(parents.get(node.id) ?? -1);
    const { name: own, place: where } = node ? locate(node.callFrame) : { name: "", place: "" };
    const stage = stages.find(([, files]) => files.test(where))?.[0] ?? "platform";
    counts.set(stage, (counts.get(stage) ?? 0) + 1);
    const label = `${own} ${where}`;
    const known = functions.get(label) ?? { name: own, place: short(where), count: 0 };
    known.count += 1;
    functions.set(label, known);
  }
  return {
    shares: Object.fromEntries([...counts].map(([stage, count]) => [stage, count / inside])),
    top: [...functions.values()]
      .toSorted((a, b) => b.count - a.count)
      .slice(0, 15)
      .map(({ name, place, count }): Cpu["top"][number] => [name, place, count / inside]),
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
    const socket = new WebSocket(url.href);
    return new Promise((resolve, reject) => {
      socket.addEventListener("open", () => resolve(new Inspector(socket)));
      socket.addEventListener("error", () => reject(new Error(`no inspector at ${url.href}`)));
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
