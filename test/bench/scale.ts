import type { Cost } from "../../src/db/session.ts";
import { grow, growRoutes, prepare } from "./database.ts";
import { Client, headersOf, ROOT_KEY, type Sent, workOf } from "./load.ts";
import { idSchema, WHOLE_EDGES, wholeEdge } from "./operations.ts";
import { meteredText } from "./side_by_side.ts";
import { type Quartiles, quartiles, ratios } from "./statistics.ts";
import { startWorkers } from "./workers.ts";

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const SMALL = 1_000;

/** One operation at one size of the tables. */
interface Scaled {
  op: string;
  /** Rows in each table. */
  rows: number;
  cost: Cost;
  /** Time relative to that with 1,000 rows, pair by pair. Only for operations that are timed. */
  slowdown?: Quartiles;
}

export interface Scale {
  scaled: Scaled[];
  /** Bytes of the database, by rows in each table. */
  bytes: [rows: number, bytes: number][];
  /** Bytes per object of the largest database. */
  bytesPerObject: number;
  indexes: IndexWorth[];
}

/** The cost of an operation at the largest size with and without the index that it uses. */
interface IndexWorth {
  index: string;
  op: string;
  with: { rowsRead: number; milliseconds: number };
  without: { rowsRead: number; milliseconds: number };
}

/** Tables of objects that {@link fill} fills. */
const TABLES = 10;

/** Requests whose time is compared. `rows` is the number of objects, `count` that of requests in a round. */
const timed: { op: string; count: number; make: (rows: number, n: number) => string }[] = [
  {
    op: "GET an edge",
    count: 40,
    make: (rows, n) => `/edges/tcp/${idSchema("edgtcp_", 1 + ((n * 7919) % rows))}`,
  },
  { op: "first page", count: 10, make: () => "/edges/tcp?limit=100" },
  {
    op: "middle page",
    count: 10,
    make: (rows) => `/edges/tcp?limit=100&before_id=${idSchema("edgtcp_", rows / 2)}`,
  },
  { op: "last page", count: 10, make: () => `/edges/tcp?limit=100&before_id=${idSchema("edgtcp_", 101)}` },
  {
    op: "GET an HTTPS edge with 100 routes",
    count: 10,
    make: (_, n) => `/edges/https/${wholeEdge(1 + (n % WHOLE_EDGES))}`,
  },
  // This page ends at 4 MB.
  { op: "page of such edges", count: 1, make: () => "/edges/https?limit=100" },
];

/** Requests whose rows are counted, in order. Each changes a different object. */
const counted: [op: string, status: number, make: (rows: number) => Omit<Sent, "headers">][] = [
  ["GET an edge", 200, (rows) => ({ method: "GET", path: `/edges/tcp/${idSchema("edgtcp_", rows / 2)}` })],
  ["first page", 200, () => ({ method: "GET", path: "/edges/tcp?limit=100" })],
  [
    "middle page",
    200,
    (rows) => ({ method: "GET", path: `/edges/tcp?limit=100&before_id=${idSchema("edgtcp_", rows / 2)}` }),
  ],
  [
    "last page",
    200,
    () => ({ method: "GET", path: `/edges/tcp?limit=100&before_id=${idSchema("edgtcp_", 101)}` }),
  ],
  [
    "page of edges by hostport",
    200,
    (rows) => ({ method: "GET", path: `/edges/tcp?hostport=front${rows / 2}.example.com:443` }),
  ],
  [
    "page of edges by metadata that all have",
    200,
    () => ({ method: "GET", path: `/edges/tcp?metadata=${encodeURIComponent('{"team":"network"}')}` }),
  ],
  ["GET an HTTPS edge with 100 routes", 200, () => ({ method: "GET", path: `/edges/https/${wholeEdge(1)}` })],
  ["page of such edges", 200, () => ({ method: "GET", path: "/edges/https?limit=100" })],
  [
    "create an edge with references",
    201,
    (rows) => ({
      method: "POST",
      path: "/edges/tcp",
      body: JSON.stringify({
        backend: { backend_id: idSchema("bkdhr_", rows / 2) },
        ip_restriction: { ip_policy_ids: [idSchema("ipp_", rows / 2), idSchema("ipp_", rows / 4)] },
      }),
    }),
  ],
  [
    "PUT a module that refers to a backend",
    200,
    (rows) => ({
      method: "PUT",
      path: `/edges/tcp/${idSchema("edgtcp_", rows / 2)}/backend`,
      body: JSON.stringify({ backend_id: idSchema("bkdhr_", rows / 4) }),
    }),
  ],
  [
    "DELETE a backend in use (409)",
    409,
    (rows) => ({ method: "DELETE", path: `/backends/http_response/${idSchema("bkdhr_", rows / 4)}` }),
  ],
  [
    "DELETE a failover backend",
    204,
    (rows) => ({ method: "DELETE", path: `/backends/failover/${idSchema("bkdfo_", rows / 2)}` }),
  ],
  [
    "DELETE an IP policy with its rule",
    204,
    (rows) => ({ method: "DELETE", path: `/ip_policies/${idSchema("ipp_", rows / 2 + 1)}` }),
  ],
  [
    "DELETE a bot user with its key",
    204,
    (rows) => ({ method: "DELETE", path: `/bot_users/${idSchema("bot_", rows / 2)}` }),
  ],
];

/**
 * The indexes, each with a deletion that uses it. The deleted object is new and unused, so a scan reads the whole
 * table.
 */
const indexes: [index: string, op: string, collection: string, body: string][] = [
  ["ip_policy_rules_ip_policy_id", "DELETE an IP policy", "/ip_policies", "{}"],
  ["api_keys_owner_id", "DELETE a bot user", "/bot_users", '{"name":"x"}'],
];

/**
 * Grows the tables of one database to a million rows each, next to a database that stays at 1,000, and compares the
 * two.
 */
export async function measureScale(persist: string, rounds: number, sizes = SIZES): Promise<Scale> {
  const workers = await startWorkers(
    ["small", "large"].map((name) => ({
      name,
      source: { text: meteredText("service") },
      bindings: { ROOT_API_KEY: ROOT_KEY },
    })),
    persist,
  );
  const [small, large] = [
    new Client(await workers.origin("small")),
    new Client(await workers.origin("large")),
  ];
  const headers = headersOf(ROOT_KEY);
  const database = await workers.database("large");
  await prepare(await workers.database("small"), SMALL);
  await growRoutes(await workers.database("small"));
  const scaled: Scaled[] = [];
  const bytes: [number, number][] = [];
  let rows = 0;
  for (const size of sizes) {
    if (rows === 0) {
      await prepare(database, size);
      await growRoutes(database);
    } else await grow(database, rows + 1, size);
    rows = size;
    const { meta } = await database.prepare("select 1").run();
    bytes.push([rows, meta.size_after]);
    const slowdowns = new Map<string, Quartiles>();
    for (const { op, count, make } of timed) {
      const seconds = (client: Client, objects: number, from: number): Promise<number> =>
        client.run((n) => ({ method: "GET", path: make(objects, from + n), headers }), 200, count, 1);
      const times: [number, number][] = [];
      for (let n = 0; n <= rounds; n++)
        times.push([await seconds(small, SMALL, n * count), await seconds(large, rows, n * count)]);
      const [, ...kept] = times; // The first pair warms up both.
      slowdowns.set(
        op,
        quartiles(
          ratios(
            kept.map(([, b]) => b),
            kept.map(([a]) => a),
          ),
        ),
      );
    }
    for (const [op, status, make] of counted) {
      const answer = await large.send({ ...make(rows), headers });
      if (answer.status !== status) throw new Error(`${op} at ${rows} rows: ${answer.status} ${answer.text}`);
      const slowdown = slowdowns.get(op);
      const cost = workOf(answer);
      scaled.push({ op, rows, cost, ...(slowdown && { slowdown }) });
    }
    console.info(`  ${rows} rows in each table`);
  }
  const remove = async (collection: string, body: string) => {
    const created = JSON.parse((await large.send({ method: "POST", path: collection, headers, body })).text);
    const started = performance.now();
    const path = `${collection}/${created.id}`;
    const answer = await large.send({ method: "DELETE", path, headers });
    const milliseconds = performance.now() - started;
    if (answer.status !== 204) throw new Error(`DELETE ${path}: ${answer.status} ${answer.text}`);
    return { rowsRead: workOf(answer).rowsRead, milliseconds };
  };
  const worths: IndexWorth[] = [];
  for (const [index, op, collection, body] of indexes) {
    const before = await remove(collection, body);
    await database.prepare(`drop index ${index}`).run();
    worths.push({ index, op, with: before, without: await remove(collection, body) });
  }
  small.close();
  large.close();
  await workers.dispose();
  const [largestRows, largestBytes] = bytes.at(-1) ?? [1, 0];
  return { scaled, bytes, bytesPerObject: largestBytes / (largestRows * TABLES), indexes: worths };
}
