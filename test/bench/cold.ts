import { type Bundle, bundle } from "./bundle.ts";
import { memoryKey, MEMORY_SERVICE } from "./cpu.ts";
import { configure, instructionsOfStart } from "./instructions.ts";
import { operations, requestOf } from "./operations.ts";
import { type Quartiles, quartiles } from "./statistics.ts";

export interface Cold {
  service: Sizes;
  /** The service without minification, for comparison. */
  unminified: Sizes;
  /** Millions of instructions of an empty Worker from the start of the process to the first response. */
  empty: Quartiles;
  /** Those of other Workers minus those of the empty Worker, round by round. The first is the service, for GET of an edge. */
  overEmpty: { name: string; gzipBytes: number; over: Quartiles }[];
}

/** A {@link Bundle} without its texts. */
type Sizes = Pick<Bundle, "bytes" | "gzipBytes" | "byPackage">;

const sizesOf = ({ bytes, gzipBytes, byPackage }: Bundle): Sizes => ({ bytes, gzipBytes, byPackage });

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
 * Counts the instructions of workerd, without Miniflare, from the start of its process to the first response: GET of an edge, and for
 * the service also a create, which builds a schema. The database is in memory, so that the first request needs nothing else.
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
      millions: new Array<number>(),
    };
  });
  for (let round = 0; round < rounds; round++)
    for (const { config, sent, millions } of workers)
      millions.push((await instructionsOfStart(config, sent)) / 1e6);
  const [{ millions: empty } = { millions: [] }, ...others] = workers;
  return {
    service: sizesOf(service),
    unminified: sizesOf(unminified),
    empty: quartiles(empty),
    overEmpty: others.map(({ name, bundle: { gzipBytes }, millions }) => ({
      name,
      gzipBytes,
      over: quartiles(millions.map((each, i) => each - (empty[i] ?? Number.NaN))),
    })),
  };
}
