import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createConnection } from "node:net";
import { join } from "node:path";
import { freePort } from "../e2e/support/ports.ts";
import { type Bundle, bundle } from "./bundle.ts";
import { memoryKey, MEMORY_SERVICE } from "./cpu.ts";
import type { Sent } from "./load.ts";
import { operations, requestOf } from "./operations.ts";
import { type Quartiles, quartiles } from "./statistics.ts";
import { cpuSecondsOf } from "./workers.ts";

/** Milliseconds of wall-clock time and of CPU time, which varies less on a busy machine. */
interface Start<T> {
  clock: T;
  cpu: T;
}

export interface Cold {
  service: Sizes;
  /** The service without minification, for comparison. */
  unminified: Sizes;
  /** The time of an empty Worker from the start of the process to the first response. */
  empty: Start<Quartiles>;
  /**
   * The time of other Workers minus that of the empty Worker, pair by pair. The first is the service, for GET of an
   * edge.
   */
  overEmpty: { name: string; gzipBytes: number; over: Start<Quartiles> }[];
}

/** A {@link Bundle} without its texts. */
type Sizes = Pick<Bundle, "bytes" | "gzipBytes" | "byPackage">;

const sizesOf = ({ bytes, gzipBytes, byPackage }: Bundle): Sizes => ({ bytes, gzipBytes, byPackage });

/** The workerd that Miniflare runs. */
const workerd = createRequire(createRequire(import.meta.url).resolve("miniflare")).resolve(
  "workerd/bin/workerd",
);

export const EMPTY = `export default { fetch: () => new Response("ok") };`;

/** A Worker that imports what the service imports from a package, and uses it so that it is not tree-shaken. */
const importing = (imports: string): string => `${imports}
  export default { fetch: () => new Response(String(Object.keys(kept).length)) };`;

const dependencies: [name: string, text: string][] = [
  [
    "hono",
    importing(`import { Hono } from "hono"; import { createMiddleware } from "hono/factory";
      import { methodNotAllowed } from "hono/method-not-allowed"; import { matchedRoutes } from "hono/route";
      const app = new Hono(); app.use(methodNotAllowed({ app })); app.get("/", (c) => c.text(String(matchedRoutes(c))));
      const kept = { app, createMiddleware };`),
  ],
  [
    "zod",
    importing(`import * as z from "zod";
      const kept = { schema: z.strictObject({ a: z.string().regex(/a/).refine(Boolean).transform(String).meta({}).exactOptional() }), list: z.array(z.int()) };`),
  ],
  [
    "drizzle-orm",
    importing(`import { and, desc, eq, getTableColumns, lt, sql } from "drizzle-orm"; import { drizzle } from "drizzle-orm/d1";
      import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
      const kept = { and, desc, eq, getTableColumns, lt, sql, drizzle, index, integer, primaryKey, sqliteTable, text };`),
  ],
  ["ipaddr.js", importing(`import ipaddr from "ipaddr.js"; const kept = ipaddr;`)],
];

/**
 * Times workerd, without Miniflare, from the start of its process to the first response: GET of an edge, and for the
 * service also a create, which builds a schema. The database is in memory, so that the first request needs nothing
 * else.
 */
export async function measureCold(folder: string, rounds: number): Promise<Cold> {
  const { bindings, headers } = await memoryKey();
  const service = await bundle({ path: "src/index.ts" });
  const unminified = await bundle({ path: "src/index.ts" }, { minify: false });
  const text = { text: MEMORY_SERVICE };
  const own = await bundle(text);
  const workers = [
    { name: "empty", bundle: await bundle({ text: EMPTY }) },
    { name: "this service", bundle: own },
    { name: "this service, asked to create an edge", bundle: own, op: "create_edge" },
    { name: "this service, not minified", bundle: await bundle(text, { minify: false }) },
    ...(await Promise.all(
      dependencies.map(async ([name, text]) => ({ name: `only ${name}`, bundle: await bundle({ text }) })),
    )),
  ].map((worker) => {
    const operation = operations.find(({ name }) => name === ("op" in worker ? worker.op : "get_edge"));
    if (!operation) throw new Error("no such operation");
    return {
      ...worker,
      config: configure(folder, worker.name, worker.bundle.text, bindings),
      sent: requestOf(operation, headers)(1),
    };
  });
  const starts = new Map(workers.map(({ name }) => [name, [] as Start<number>[]]));
  for (let round = 0; round <= rounds; round++)
    for (const { name, config, sent } of workers) {
      const taken = await firstResponse(config, sent);
      if (round > 0) starts.get(name)?.push(taken);
    }
  const empty = starts.get("empty") ?? [];
  const summary = (of: Start<number>[]): Start<Quartiles> => ({
    clock: quartiles(of.map(({ clock }) => clock)),
    cpu: quartiles(of.map(({ cpu }) => cpu)),
  });
  const overEmpty = (name: string): Start<number>[] =>
    (starts.get(name) ?? []).map(({ clock, cpu }, i) => ({
      clock: clock - (empty[i]?.clock ?? Number.NaN),
      cpu: cpu - (empty[i]?.cpu ?? Number.NaN),
    }));
  return {
    service: sizesOf(service),
    unminified: sizesOf(unminified),
    empty: summary(empty),
    overEmpty: workers.slice(1).map(({ name, bundle: { gzipBytes } }) => ({
      name,
      gzipBytes,
      over: summary(overEmpty(name)),
    })),
  };
}

/** Writes a workerd configuration for one Worker; returns its path. */
export function configure(
  folder: string,
  name: string,
  text: string,
  bindings: Record<string, string>,
): string {
  const file = name.replaceAll(/\W+/g, "_");
  writeFileSync(join(folder, `${file}.js`), text);
  const values = Object.entries(bindings).map(
    ([name, value]) => `(name = ${JSON.stringify(name)}, text = ${JSON.stringify(value)})`,
  );
  writeFileSync(
    join(folder, `${file}.capnp`),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker", esModule = embed "${file}.js")],
    compatibilityDate = "2026-11-01",
    bindings = [${values.join(", ")}],
  ))],
  sockets = [(name = "http", http = (), service = "main")],
);`,
  );
  return join(folder, `${file}.capnp`);
}

/** The time from starting workerd to the head of its first response. @throws if the response is not a success */
async function firstResponse(config: string, sent: Sent): Promise<Start<number>> {
  const port = await freePort();
  const started = performance.now();
  const child = spawn(workerd, ["serve", config, `--socket-addr=http=127.0.0.1:${port}`], {
    stdio: "ignore",
  });
  try {
    const status = await ask(port, sent, child);
    if (!status.startsWith("HTTP/1.1 20")) throw new Error(`${config}: ${status}`);
    const clock = performance.now() - started;
    return { clock, cpu: cpuSecondsOf(String(child.pid)) * 1000 };
  } finally {
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
  }
}

/** The first line of the response to a request. Retries until a server listens on the port. @throws if `child` ends */
export async function ask(port: number, sent: Sent, child: ChildProcess): Promise<string> {
  const { method, path, headers, body = "" } = sent;
  const length = String(Buffer.byteLength(body));
  const head = Object.entries({ Host: "localhost", ...headers, "Content-Length": length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  while (child.exitCode === null) {
    const line = await new Promise<string>((resolve) => {
      const socket = createConnection(port, "127.0.0.1", () =>
        socket.write(`${method} ${path} HTTP/1.1\r\n${head.join("")}\r\n${body}`),
      );
      socket.once("error", () => resolve(""));
      socket.once("data", (data) => {
        resolve(data.toString().split("\r\n")[0] ?? "");
        socket.destroy();
      });
    });
    if (line !== "") return line;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  throw new Error("workerd ended");
}
