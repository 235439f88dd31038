// @module-tag thorough
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clock } from "../packages/model/src/clock.ts";
import { EVENT_ID, exampleId } from "../packages/model/src/ids.ts";
import { app } from "../src/app.ts";
import { everyMinute } from "../src/background.ts";
import type { Cost } from "../src/db/session.ts";
import { isCreation, type OperationRoute } from "../src/http/route.ts";
import { fillServed, policyId } from "./bench/served.ts";
import { call, create, del, get, ORIGIN, patch, post, put, requiredHeaders, routes } from "./support/api.ts";
import { contract } from "./support/contract.ts";
import { prefixesIn } from "./support/document.ts";
import {
  accepted,
  bodiesReferringTo,
  collections,
  exampleOf,
  interchanged,
  referring,
  referringToNothing,
  requiredOf,
  wholeExampleOf,
} from "./support/examples.ts";
import * as given from "./support/given.ts";
import { intercepted } from "./support/intercepted.ts";
import type { Json } from "./support/json.ts";
import { toPost } from "./support/operations.ts";
import { empty, skipEvents, tables } from "./support/stored.ts";

/*
 * What each operation costs in rows, as D1 bills them. `test/support/api.ts` asserts for every test that a success
 * takes one round trip.
 */

/** The clock is stopped, so that the epoch cached by the isolate does not expire. */
const now = Date.now();
beforeAll(async () => {
  clock.now = () => now;
  await get("/ip_policies");
});

/**
 * Rows that each change writes in addition to its own: its event, and the index entry that finds the event by its
 * object.
 */
const EVENT = 2;

/** Rows that a subscription writes for its sources and destinations: after which event each of them starts. */
const BEGINNINGS = 1;

/** Indexes with an entry for every object, by path. */
const INDEXES: Record<string, number> = {
  // Distinguishes objects from rows that only hold the modules of an edge managed elsewhere.
  "/edges/https": 1,
  // Lists a policy's rules, finds them when the policy is deleted, and finds them by the networks that contain an
  // address.
  "/ip_policy_rules": 2,
  // Finds a child by its id without reading its row, which can be large.
  "/backends/failover": 1,
  "/backends/http_response": 1,
  "/backends/weighted": 1,
  "/backends/static": 1,
  "/event_destinations": 1,
};

/** Objects that a change of an object also writes, by path: a rule moves the version of its policy. */
const POLICY = 1;
const WHOLES: Record<string, number> = { "/ip_policy_rules": POLICY };

describe.each(collections)("of $path,", ({ path }) => {
  test("GET reads one row", async () => {
    const { uri } = await create(path, await referring(exampleOf("POST", path)));
    expect((await get(uri)).cost).toEqual({ roundTrips: 1, rowsRead: 1, rowsWritten: 0 });
  });

  test("a create with only the required fields writes one row and its event, one for each index that covers every object, and its parent", async () => {
    const { cost } = await post(path, (await accepted(path)).body);
    expect(
      cost.rowsWritten,
      "another index costs a row per create: if it is intended, add it to INDEXES",
    ).toBe(1 + EVENT + (INDEXES[path] ?? 0) + (WHOLES[path] ?? 0));
  });

  test("a PATCH writes one row and its event, and its parent", async () => {
    const { body, change } = await accepted(path);
    const { uri } = await create(path, body);
    expect((await patch(uri, change)).cost.rowsWritten).toBe(1 + EVENT + (WHOLES[path] ?? 0));
  });
});

test("a page takes a second round trip only if one of its strings has more than 8,000 bytes", async () => {
  const costOf = async (limit: number) => (await get(`/backends/http_response?limit=${limit}`)).cost;
  await given.httpResponse({ body: "é".repeat(4_001) });
  for (let i = 0; i < 3; i++) await given.httpResponse({ body: "é".repeat(4_000) });
  expect(await costOf(2)).toEqual({ roundTrips: 1, rowsRead: 3, rowsWritten: 0 });
  expect(await costOf(3)).toEqual({ roundTrips: 2, rowsRead: 8, rowsWritten: 0 });
  expect(await costOf(4)).toMatchObject({ roundTrips: 2 });
});

test("reading the database's epoch costs one more row: every 20 seconds, and with every condition", async () => {
  const { uri } = await given.ipPolicy();
  const once = { roundTrips: 1, rowsRead: 2, rowsWritten: 0 };
  for (const name of ["If-Match", "If-None-Match"])
    expect((await get(uri, { headers: { [name]: "*" } })).cost).toEqual(once);
  const read = async () => (await get(uri)).cost.rowsRead;
  clock.now = () => now + 19_999;
  expect(await read()).toBe(1);
  clock.now = () => now + 20_000;
  expect((await get(uri)).cost).toEqual(once);
  expect([await read(), await read()]).toEqual([1, 1]);
  const page = (await get("/ip_policies?limit=1")).cost;
  expect(page.rowsRead).toBeLessThanOrEqual(2);
  clock.now = () => now + 40_000;
  expect((await patch(uri, { description: "x" })).cost).toMatchObject({
    roundTrips: 1,
    rowsWritten: 1 + EVENT,
  });
  expect(await read()).toBe(1);
  clock.now = () => now;
});

test("a module's GET reads one row; its PUT and DELETE write one row and its event", async () => {
  const edge = await given.tcpEdge();
  for (const url of [`/edges/tcp/${edge.id}/traffic_policy`, "/edges/https/edghts_1/mutual_tls"]) {
    const body = url.endsWith("traffic_policy") ? { value: "x" } : {};
    await put(url, body);
    expect((await put(url, body)).cost.rowsWritten).toBe(1 + EVENT);
    expect((await get(url)).cost).toEqual({ roundTrips: 1, rowsRead: 1, rowsWritten: 0 });
    expect((await del(url)).cost.rowsWritten).toBe(1 + EVENT);
    expect((await del(url)).cost.rowsWritten).toBe(0);
  }
});

test("an HTTPS edge costs one more row for each of its routes, and a change of a route also writes the edge, without an event for the edge", async () => {
  const edge = await create("/edges/https", {});
  const match_type = "exact_path";
  for (const match of ["/a", "/b", "/c"])
    expect((await post(`${edge.uri}/routes`, { match_type, match })).cost.rowsWritten).toBe(2 + EVENT);
  expect((await get(edge.uri)).cost).toEqual({ roundTrips: 1, rowsRead: 4, rowsWritten: 0 });
  const { cost, body } = await get(`${edge.uri}/routes`);
  expect(cost.rowsRead).toBeLessThanOrEqual(3 + 2);
  const [{ uri }] = body.routes;
  expect((await get(uri)).cost).toEqual({ roundTrips: 1, rowsRead: 1, rowsWritten: 0 });
  expect((await put(`${uri}/compression`, {})).cost).toMatchObject({
    roundTrips: 1,
    rowsWritten: 2 + EVENT,
  });
  const page = await get("/edges/https?limit=1");
  expect(page.cost.rowsRead).toBeLessThanOrEqual(4 * 2 + 2 * 3 + 2);
});

describe("a create writes one row and its event", () => {
  test("and no more if it has no references and none of its fields is indexed", async () => {
    for (const [path, body] of [
      ["/ip_policies", { description: "x" }],
      ["/bot_users", { name: "x" }],
      ["/api_keys", { description: "x" }],
      ["/event_subscriptions", { description: "y" }],
      ["/edges/tcp", { traffic_policy: { value: "x" }, hostports: [] }],
      ["/edges/tls", { mutual_tls: {}, ip_restriction: {} }],
    ] as const)
      expect((await post(path, body)).cost.rowsWritten, path).toBe(1 + EVENT);
  });

  test("plus one for each distinct object that it refers to", async () => {
    const [a, b] = [await given.httpResponse(), await given.httpResponse()];
    const policies = [await given.ipPolicy(), await given.ipPolicy()].map(({ id }) => id);
    const backend = { backend_id: a.id };
    const ip_restriction = { ip_policy_ids: [...policies, ...policies] };
    const mutual_tls = { certificate_authority_ids: [given.CA] };
    const destinations: string[] = [await given.destination(), await given.destination()].map(({ id }) => id);
    for (const [path, body, rows] of [
      ["/edges/tcp", { backend }, 2],
      ["/edges/tcp", { backend, ip_restriction }, 4],
      ["/edges/tls", { backend, ip_restriction, mutual_tls }, 5],
      ["/backends/failover", { backends: [a.id, b.id, a.id] }, 4],
      ["/backends/weighted", { backends: { [a.id]: 1, [b.id]: 0 } }, 4],
    ] as const)
      expect((await post(path, body)).cost.rowsWritten, JSON.stringify(body)).toBe(rows + EVENT);
    // The first subscription to a destination creates the destination's cursor.
    const sources = [{ type: "ip_policy_created.v0" }];
    for (const [body, rows] of [
      [{ sources }, 1],
      [{ destination_ids: destinations }, 3 + destinations.length],
      [{ sources, destination_ids: destinations }, 3],
    ] as const)
      expect((await post("/event_subscriptions", body)).cost.rowsWritten, JSON.stringify(body)).toBe(
        rows + EVENT + BEGINNINGS,
      );
  });

  test("plus one for the index that finds a bot's keys when it is deleted", async () => {
    const { id } = await given.botUser();
    expect((await post("/api_keys", { owner_id: id })).cost.rowsWritten).toBe(2 + EVENT);
  });

  test("plus one for the index that finds expired rules", async () => {
    const rule = { cidr: "192.0.2.0/24", action: "deny", ip_policy_id: (await given.ipPolicy())["id"] };
    const { cost, body } = await post("/ip_policy_rules", { ...rule, expires_at: "2050-01-01T00:00:00Z" });
    expect(cost.rowsWritten).toBe(1 + (INDEXES["/ip_policy_rules"] ?? 0) + POLICY + 1 + EVENT);
    expect((await patch(body.uri, { description: "x" })).cost.rowsWritten).toBe(1 + POLICY + EVENT);
    expect((await del(body.uri)).cost.rowsWritten).toBe(1 + POLICY + EVENT);
  });

  test("plus one for each distinct hostport of an edge, and for each distinct port", async () => {
    const hostports = ["a.example.com:443", "b.example.com:443", "A.example.com:443"];
    for (const path of ["/edges/tcp", "/edges/tls"])
      expect((await post(path, { hostports })).cost.rowsWritten, path).toBe(4 + EVENT);
    expect((await post("/edges/https", { hostports })).cost.rowsWritten).toBe(5 + EVENT);
  });

  test("plus two for each certificate authority of an HTTPS edge, one of which distinguishes objects from edges managed elsewhere", async () => {
    const mutual_tls = { certificate_authority_ids: [given.CA] };
    expect((await post("/edges/https", { mutual_tls })).cost.rowsWritten).toBe(4 + EVENT);
    expect((await put("/edges/https/edghts_elsewhere/mutual_tls", mutual_tls)).cost.rowsWritten).toBe(
      2 + EVENT,
    );
  });

  test("plus one for metadata, unless it exceeds 4096 bytes, because longer metadata cannot be filtered by", async () => {
    for (const path of ["/ip_policies", "/edges/tcp", "/api_keys", "/event_subscriptions"])
      expect((await post(path, { metadata: "x" })).cost.rowsWritten, path).toBe(2 + EVENT);
    for (const [bytes, rows] of [
      [4_096, 3],
      [4_097, 2],
    ] as const)
      expect((await post("/backends/failover", { metadata: "x".repeat(bytes) })).cost.rowsWritten).toBe(
        rows + EVENT,
      );
  });

  test("plus one for the index on the ids of backends and destinations, whose rows can be large", async () => {
    for (const path of ["/backends/http_response", "/backends/failover", "/backends/weighted"])
      expect((await post(path, {})).cost.rowsWritten, path).toBe(2 + EVENT);
    expect((await post("/backends/static", { address: "a:1" })).cost.rowsWritten).toBe(2 + EVENT);
    const target = { monitoring_vendor: { api_key: "x" } };
    expect((await post("/event_destinations", { target })).cost.rowsWritten).toBe(2 + EVENT);
  });
});

test("a PATCH writes one row and its event, plus one for each reference removed or added", async () => {
  const [a, b] = [await given.httpResponse(), await given.httpResponse()];
  const edge = await given.tcpEdge({ backend: { backend_id: a.id } });
  expect((await patch(`/edges/tcp/${edge.id}`, { description: "x" })).cost.rowsWritten).toBe(1 + EVENT);
  expect((await patch(`/edges/tcp/${edge.id}`, { backend: { backend_id: a.id } })).cost.rowsWritten).toBe(
    1 + EVENT,
  );
  expect((await patch(`/edges/tcp/${edge.id}`, { backend: { backend_id: b.id } })).cost.rowsWritten).toBe(
    3 + EVENT,
  );
  expect((await put(`/edges/tcp/${edge.id}/backend`, { backend_id: a.id })).cost.rowsWritten).toBe(3 + EVENT);
  expect((await del(`/edges/tcp/${edge.id}/backend`)).cost.rowsWritten).toBe(2 + EVENT);
  const parent = await given.failover({ backends: [a.id] });
  expect((await patch(`/backends/failover/${parent.id}`, { description: "x" })).cost.rowsWritten).toBe(
    1 + EVENT,
  );
  const weighted = await given.weighted({ backends: { [a.id]: 1 } });
  for (const [backends, rows] of [
    [{ [a.id]: 2 }, 1],
    [{ [a.id]: 2, [b.id]: 1 }, 2],
    [{ [b.id]: 1 }, 2],
    [{ [a.id]: 1 }, 3],
    [{}, 2],
  ] as const)
    expect((await patch(weighted.uri, { backends })).cost.rowsWritten, JSON.stringify(backends)).toBe(
      rows + EVENT,
    );
});

test("a rejected change of an event subscription writes nothing", async () => {
  const { uri } = await given.subscription({ sources: [{ type: "ip_policy_created.v0" }] });
  await env.DB.prepare("update event_subscriptions set since = null").run();
  const headers = { "If-Match": '"7"' };
  for (const rejected of [
    await patch(uri, { description: "x" }, { headers }),
    await del(uri, { headers }),
    await post(`${uri}/sources`, { type: "ip_policy_deleted.v0" }, { headers }),
    await post(`${uri}/sources`, { type: "ip_policy_created.v0" }),
    await del(`${uri}/sources/ip_policy_deleted.v0`),
  ])
    expect([rejected.status, rejected.cost.rowsWritten]).toEqual([expect.any(Number), 0]);
});

describe("operations that take effect as a whole", () => {
  const MANY = 50;
  const many = (each: (i: number) => Json): Json[] => Array.from({ length: MANY }, (_, i) => each(i));
  const transact = (operations: Json[], headers: Record<string, string> = {}) =>
    post("/transactions", { operations }, { headers });
  const idsIn = (body: Json): string[] => body["results"].map((one: Json) => one["body"].id);

  test("a transaction takes one round trip, writes as many rows as its operations sent one by one, and reads at most 28 for each", async () => {
    const { id: backend_id } = await given.httpResponse();
    const single: Cost[] = [];
    const bodies = [
      { path: "/ip_policies", body: { description: "x" } },
      { path: "/edges/tcp", body: { backend: { backend_id } } },
      { path: "/event_subscriptions", body: {} },
    ];
    for (const { path, body } of bodies) {
      const one = await post(path, body);
      single.push(
        one.cost,
        (await patch(one.body.uri, { description: "y" })).cost,
        (await del(one.body.uri)).cost,
      );
      const made = await transact(many(() => toPost(path, body)));
      const on = (method: string, more: Json) =>
        transact(idsIn(made.body).map((id) => ({ method, path: `${path}/${id}`, ...more })));
      const costs = [made, await on("PATCH", { body: { description: "y" } }), await on("DELETE", {})].map(
        ({ cost }) => cost,
      );
      expect(
        costs.map(({ roundTrips, rowsWritten }) => [roundTrips, rowsWritten]),
        path,
      ).toEqual(single.splice(0).map(({ rowsWritten }) => [1, rowsWritten * MANY]));
      for (const { rowsRead } of costs) expect(rowsRead, path).toBeLessThanOrEqual(29 * MANY);
    }
  });

  test("a transaction's Idempotency-Key writes one more row, and a replay writes none", async () => {
    const operations = many(() => toPost("/ip_policies"));
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    expect((await transact(operations, headers)).cost.rowsWritten).toBe((1 + EVENT) * MANY + 1);
    expect((await transact(operations, headers)).cost).toEqual({
      roundTrips: 2,
      rowsRead: 4,
      rowsWritten: 0,
    });
  });

  test("a replacement of a policy's rules writes 5 rows for each rule created, 4 changed, 3 deleted, and 3 for the policy", async () => {
    const { uri } = await given.ipPolicy();
    const rules = (from: number, description: string) => ({
      rules: many((i) => ({ cidr: `10.${from + i}.0.0/16`, action: "allow", description })),
    });
    for (const [body, written, read] of [
      [rules(0, "a"), 5, 14],
      [rules(0, "a"), 0, 50],
      [rules(0, "b"), 4, 50],
      [rules(MANY, "b"), 5 + 3, 50],
      [{ rules: [] }, 3, 14],
    ] as const) {
      const { cost } = await put(`${uri}/rules`, body);
      expect([cost.roundTrips, cost.rowsWritten]).toEqual([1, written && written * MANY + 1 + EVENT]);
      expect(cost.rowsRead).toBeLessThanOrEqual(read * MANY + 50);
      const { cost: dry } = await put(`${uri}/rules?dry_run=true`, rules(0, "c"));
      expect([dry.roundTrips, dry.rowsWritten]).toEqual([1, 0]);
    }
  });
});

test("adding or removing a source writes its subscription's row, the row of its start, and an event; showing it reads one row, for any role", async () => {
  const { token } = await given.key({ role: "editor" });
  const { token: admin } = await given.key({ role: "admin" });
  for (const options of [{}, { token }, { token: admin }]) {
    await get("/ip_policies?limit=1", options);
    const url = `${(await given.subscription({ description: "x".repeat(255) })).uri}/sources`;
    const added = await post(url, { type: "ip_policy_created.v0" }, options);
    expect([added.status, added.cost.roundTrips, added.cost.rowsWritten]).toEqual([
      201,
      1,
      1 + BEGINNINGS + EVENT,
    ]);
    for (const at of [url, added.body.uri])
      expect((await get(at, options)).cost).toEqual({ roundTrips: 1, rowsRead: 1, rowsWritten: 0 });
    expect((await patch(added.body.uri, {}, options)).cost.rowsWritten).toBe(0);
    const removed = await del(added.body.uri, options);
    expect([removed.status, removed.cost.roundTrips, removed.cost.rowsWritten]).toEqual([
      204,
      1,
      1 + BEGINNINGS + EVENT,
    ]);
  }
});

/** Fills each table of objects with 2,000 copies of one of its rows, with ids of the same form. */
async function fillTables(): Promise<void> {
  for (const table of tables) {
    const row = await env.DB.prepare(`select * from ${table} limit 1`).first<Json>();
    if (!row || !("id" in row)) continue;
    const names = Object.keys(row);
    const values = names.map((name) =>
      name === "id" ? "substr(id, 1, instr(id, '_')) || 'copy' || i" : name,
    );
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
       insert into ${table} (${names.join(", ")})
       select ${values.join(", ")} from n, (select * from ${table} where id = ?)`,
    )
      .bind(row["id"])
      .run();
  }
}

test("the cost of a request does not grow with the size of the tables", async () => {
  const backend = await given.httpResponse();
  const policy = await given.ipPolicy();
  const costs = async () => {
    const edge = await post("/edges/tcp", {
      backend: { backend_id: backend.id },
      ip_restriction: { ip_policy_ids: [policy.id] },
    });
    const unused = await given.httpResponse();
    const failover = await given.failover({ backends: [unused.id] });
    const weighted = await given.weighted({ backends: { [unused.id]: 1 } });
    const special = [
      edge.cost,
      (await patch(`/edges/tcp/${edge.body.id}`, { backend: { backend_id: unused.id } })).cost,
      (await patch(`/backends/failover/${failover.id}`, { backends: [backend.id] })).cost,
      (await patch(weighted.uri, { backends: { [backend.id]: 1 } })).cost,
      (await del(`/edges/tcp/${edge.body.id}`)).cost,
      (await del(`/backends/http_response/${unused.id}`)).cost,
      (await del(`/backends/failover/${failover.id}`)).cost,
      (await del(weighted.uri)).cost,
      (await del(`/ip_policies/${(await given.ipPolicy()).id}`)).cost,
    ];
    const plain: [string, Cost[]][] = [];
    for (const { path } of collections) {
      const { cost, body } = await post(path, await referring(exampleOf("POST", path)));
      const change = await referring(exampleOf("PATCH", `${path}/:id`));
      const list = (await get(`${path}?limit=1`)).cost;
      plain.push([path, [cost, (await patch(body.uri, change)).cost, list, (await del(body.uri)).cost]]);
    }
    return { special, plain };
  };
  // Lists of one object and of several differ in cost: the latter read one more row to find out whether another page
  // exists.
  for (const { path } of collections) await create(path, await referring(exampleOf("POST", path)));
  const small = await costs();
  await fillTables();
  expect(await costs()).toEqual(small);
});

test("a change of an HTTPS edge reads no more rows once SQLite has statistics, which favour the index of objects", async () => {
  // After the entry that it searches for, a search of that index also reads the next one, so one edge needs a
  // successor.
  const edges = [await create("/edges/https", {}), await create("/edges/https", {})];
  await env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
     insert into https_edges (id) select 'edghts_elsewhere' || i from n`,
  ).run();
  const costs = () =>
    Promise.all(
      edges.map(
        async ({ uri }) => (await patch(uri, { mutual_tls: { certificate_authority_ids: [given.CA] } })).cost,
      ),
    );
  await costs();
  const before = await costs();
  await env.DB.prepare("analyze https_edges").run();
  try {
    expect(await costs()).toEqual(before);
  } finally {
    await env.DB.prepare("delete from sqlite_stat1").run();
    await env.DB.prepare("analyze sqlite_schema").run();
  }
});

describe("a filtered page reads only its objects, one more, and their index entries", () => {
  const MANY = 5_000;
  const run = (sql: string) => env.DB.prepare(sql).run();
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${MANY})`;
  const id = (prefix: string, number = "i") => `printf('${prefix}%027d', ${number})`;
  const at = "'2026-01-02T03:04:05Z'";
  /**
   * Half of the objects have the value that is searched for. So do as many objects of other kinds, which the list
   * excludes.
   */
  const half = (one: string, other: string) => `iif(i % 2, '${one}', '${other}')`;
  const metadata = half("mine", "theirs");

  beforeAll(async () => {
    const edges = `'["mine.example.com:443"]', json_object('enabled', json('true'), 'backend_id', ${half("bkdhr_mine", "bkdhr_theirs")}), json_object('enabled', json('true'), 'ip_policy_ids', json_array(${half("ipp_mine", "ipp_theirs")}))`;
    for (const [table, prefix] of [
      ["tcp_edges", "edgtcp_"],
      ["tls_edges", "edgtls_"],
    ] as const)
      await run(
        `${numbers} insert into ${table} (id, created_at, metadata, hostports, backend, ip_restriction) select ${id(prefix)}, ${at}, ${metadata}, ${edges} from n`,
      );
    await run(
      `${numbers} insert into https_edges (id, created_at, metadata, hostports) select ${id("edghts_")}, ${at}, ${metadata}, '["mine.example.com:443"]' from n`,
    );
    await run(
      `${numbers} insert into https_edges (id, mutual_tls) select ${id("edghts_elsewhere", "i")}, '{}' from n`,
    );
    for (const [table, prefix] of [
      ["failover_backends", "bkdfo_"],
      ["weighted_backends", "bkdwd_"],
    ] as const)
      await run(
        `${numbers} insert into ${table} (id, created_at, metadata) select ${id(prefix)}, ${at}, ${metadata} from n`,
      );
    for (const [table, prefix] of [
      ["ip_policies", "ipp_"],
      ["event_subscriptions", "esb_"],
    ] as const)
      await run(
        `${numbers} insert into ${table} (id, created_at, metadata) select ${id(prefix)}, ${at}, ${metadata} from n`,
      );
    await run(
      `${numbers} insert into ip_policy_rules (id, created_at, metadata, cidr, ip_policy_id, action) select ${id("ipr_")}, ${at}, ${metadata}, '10.0.0.0/8', ${half("ipp_mine", "ipp_theirs")}, 'allow' from n`,
    );
    await run(
      `${numbers} insert into api_keys (id, created_at, metadata, owner_id, role, token_sha256) select ${id("ak_")}, ${at}, ${metadata}, ${half("bot_mine", "bot_theirs")}, 'viewer', '' from n`,
    );
    for (const [prefix, target] of [
      ["edgtcp_", half("bkdhr_mine", "bkdhr_theirs")],
      ["edgtls_", half("bkdhr_mine", "bkdhr_theirs")],
      ["bkdfo_", half("bkdhr_mine", "bkdhr_theirs")],
      ["bkdwd_", half("bkdhr_mine", "bkdhr_theirs")],
      ["edgtcp_", half("ipp_mine", "ipp_theirs")],
      ["edgtls_", half("ipp_mine", "ipp_theirs")],
      ["edgtls_", half("ca_mine", "ca_theirs")],
      ["esb_", half("ed_mine", "ed_theirs")],
      ["edgtcp_", "'mine.example.com:443'"],
      ["edgtls_", "'mine.example.com:443'"],
      ["edghts_", "'mine.example.com:443'"],
      ["edghts_elsewhere", "'ca_mine'"],
    ] as const)
      await run(`${numbers} insert into uses (target, user) select ${target}, ${id(prefix)} from n`);
    await run(
      `${numbers} insert into uses (target, user, listed) select ${half("ca_mine", "ca_theirs")}, ${id("edghts_")}, 1 from n`,
    );
    await run(
      `${numbers} insert into uses (target, user, edge_id) select 'bkdhr_mine', ${id("edghtsrt_")}, 'edghts_1' from n`,
    );
    await get("/ip_policies?limit=1");
  });

  test.each([
    ["/edges/tcp", "tcp_edges", "hostport=mine.example.com:443"],
    ["/edges/tcp", "tcp_edges", "backend_id=bkdhr_mine"],
    ["/edges/tcp", "tcp_edges", "ip_policy_id=ipp_mine"],
    ["/edges/tcp", "tcp_edges", "metadata=mine"],
    ["/edges/tls", "tls_edges", "hostport=mine.example.com:443"],
    ["/edges/tls", "tls_edges", "backend_id=bkdhr_mine"],
    ["/edges/tls", "tls_edges", "certificate_authority_id=ca_mine"],
    ["/edges/https", "https_edges", "hostport=mine.example.com:443"],
    ["/edges/https", "https_edges", "certificate_authority_id=ca_mine"],
    ["/edges/https", "https_edges", "metadata=mine"],
    ["/backends/failover", "backends", "backend_id=bkdhr_mine"],
    ["/backends/weighted", "backends", "backend_id=bkdhr_mine"],
    ["/backends/weighted", "backends", "metadata=mine"],
    ["/event_subscriptions", "event_subscriptions", "destination_id=ed_mine"],
    ["/ip_policies", "ip_policies", "metadata=mine"],
    ["/ip_policy_rules", "ip_policy_rules", "ip_policy_id=ipp_mine"],
    ["/api_keys", "keys", "owner_id=bot_mine"],
  ])("%s: %s by %s", async (path, list, filter) => {
    // HTTPS edges are read again to find their routes.
    const reads = path === "/edges/https" ? 5 : 2;
    for (const [limit, before] of [
      [1, ""],
      [100, ""],
      [10, `&before_id=${(await get(`${path}?${filter}&limit=100`)).body[list].at(50).id}`],
    ] as const) {
      const { body, cost } = await get(`${path}?${filter}&limit=${limit}${before}`);
      expect(body[list]).toHaveLength(limit);
      expect(body["next_page_uri"]).not.toBeNull();
      expect(cost.rowsRead).toBeLessThanOrEqual(reads * (limit + 1));
    }
    const { body } = await get(`${path}?${filter}&limit=1`);
    const tenth = body[list][0].id.replace(/\d{27}$/, "10".padStart(27, "0"));
    const last = await get(`${path}?${filter}&before_id=${tenth}`);
    expect(last.body[list].length).toBeGreaterThanOrEqual(5);
    expect(last.cost.rowsRead).toBeLessThanOrEqual(reads * (last.body[list].length + 1));
    const none = await get(`${path}?${filter.replace("mine", "nobody")}`);
    expect([none.body[list], none.cost.rowsRead <= 4]).toEqual([[], true]);
  });

  test.each([
    ["/ip_policy_rules", "ip_policy_rules"],
    ["/api_keys", "keys"],
  ])("%s by expiry, also those that expire at once", async (path, list) => {
    await run(`update ${list === "keys" ? "api_keys" : list} set expires_at = '2050-01-01T00:00:00Z'`);
    const before = "expires_before=2060-01-01T00:00:00Z";
    const first = await get(`${path}?${before}&limit=10`);
    const second = await get(first.body.next_page_uri);
    for (const { body, cost } of [first, second]) {
      expect(body[list]).toHaveLength(10);
      expect(cost.rowsRead).toBeLessThanOrEqual(2 * 11);
    }
    const none = await get(`${path}?expires_before=2049-01-01T00:00:00Z`);
    expect([none.body[list], none.cost.rowsRead <= 4]).toEqual([[], true]);
  });

  // The following tests need empty tables.
  afterAll(() => empty());
});

describe("an access check", () => {
  const RULES = 20_000;

  test("reads a row for each network that contains the address, in each policy, however many rules there are", async () => {
    const [large, small] = [await given.ipPolicy(), await given.ipPolicy()];
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${RULES})
       insert into ip_policy_rules (id, created_at, cidr, ip_policy_id, action, expires_at)
       select printf('ipr_%027d', i), '2026-01-02T03:04:05Z',
       iif(i % 2, printf('10.0.%d.%d/32', i >> 8, i & 255), printf('2001:db8::%x/128', i)), ?, 'allow', iif(i % 3, null, '2026-01-02T03:04:05Z') from n`,
    )
      .bind(large["id"])
      .run();
    const edge = await given.tcpEdge({ ip_restriction: { ip_policy_ids: [large["id"], small["id"]] } });
    for (const [ip, networks] of [
      ["10.0.0.1", 66],
      ["192.0.2.1", 66],
      ["2001:db8::2", 129],
      ["::1", 129],
    ] as const) {
      const { cost, body } = await get(`/ip_policies/${large["id"]}/access?ip=${ip}`);
      expect(body.allowed).toBe(/0.1$|::2$/.test(ip) && ip !== "192.0.2.1");
      expect(cost.rowsRead).toBeLessThanOrEqual(networks + 10);
      const both = (await get(`${edge["uri"]}/access?ip=${ip}`)).cost;
      expect(both.rowsRead).toBeLessThanOrEqual(2 * networks + 15);
      expect((await get(`/ip_policies/${small["id"]}/access?ip=${ip}`)).cost.rowsRead).toBeLessThanOrEqual(
        networks + 10,
      );
      // The lookups, and the edge: twice, once to show it and once to find its policies.
      const all = (await get(`/access?ip=${ip}&limit=10`)).cost;
      expect(all.rowsRead).toBeLessThanOrEqual(2 * networks + 30);
      expect(all.roundTrips).toBe(1);
    }
    expect((await get(`/ip_policy_rules?ip_policy_id=${large["id"]}&limit=10`)).cost.rowsRead).toBe(11);
    // Two rows for each rule of the policy, and three for each rule on the page.
    const page = (await get(`${large["uri"]}/rules?limit=10`)).cost;
    expect(page.rowsRead).toBeLessThanOrEqual(2 * RULES + 50);
    expect(page.roundTrips).toBe(1);
    await del(large["uri"]);
  });

  test("reads no expired rules, and at most a thousand rules of each action", async () => {
    const { id, uri } = await given.ipPolicy();
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${RULES})
       insert into ip_policy_rules (id, created_at, cidr, ip_policy_id, action, expires_at)
       select printf('ipr_%027d', i), '2026-01-02T03:04:05Z', '10.0.0.0/8', ?, iif(i % 2, 'allow', 'deny'), '2026-01-02T03:04:05Z' from n`,
    )
      .bind(id)
      .run();
    const ended = await get(`${uri}/access?ip=10.0.0.1`);
    expect([ended.body.reason, ended.cost.rowsRead <= 80]).toEqual(["no_matching_rule", true]);
    await env.DB.prepare("update ip_policy_rules set expires_at = null where ip_policy_id = ?")
      .bind(id)
      .run();
    const { cost, body } = await get(`${uri}/access?ip=10.0.0.1`);
    expect(body.rules).toHaveLength(2_000);
    expect(cost.rowsRead).toBeLessThanOrEqual(2 * 2_000 + 80);
    await del(uri);
  });
});

describe("a snapshot", () => {
  const EDGES = 5_000;
  const RULES = 100_000;
  /** Runs a statement for each number from 1 to `count`, as `i`. */
  const forEach = (count: number, text: string) =>
    env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}) ${text}`,
    ).run();
  const removed = async () => {
    for (const table of ["tcp_edges", "https_edges", "https_edge_routes"])
      await env.DB.prepare(`delete from ${table}`).run();
  };

  test("reads each rule once, edges a few times, and nothing that is not served", async () => {
    await removed();
    const [policy, backend] = [await given.ipPolicy(), await given.staticBackend()];
    const own = JSON.stringify({ enabled: true, backend_id: backend["id"] });
    const restriction = JSON.stringify({ enabled: true, ip_policy_ids: [policy["id"]] });
    await forEach(
      EDGES,
      `insert into tcp_edges (id, created_at, hostports, backend, ip_restriction)
        select printf('edgtcp_%027d', i), '2026-01-02T03:04:05Z', json_array(printf('a%d.example.com:%d', i, i)), '${own}',
        '${restriction}' from n`,
    );
    for (const { id } of [policy, await given.ipPolicy()])
      await forEach(
        RULES,
        `insert into ip_policy_rules (id, created_at, cidr, ip_policy_id, action)
          select printf('ipr_%s_%020d', substr('${id}', -6), i), '2026-01-02T03:04:05Z', printf('10.%d.%d.%d/32', i >> 16, (i >> 8) & 255, i & 255),
          '${id}', 'allow' from n`,
      );
    await given.ipPolicy();
    const { body, cost, text } = await get("/snapshot");
    expect(body["edges"]).toHaveLength(EDGES);
    expect(body["ip_policies"][policy["id"]].allow).toHaveLength(RULES);
    expect(text.length).toBeGreaterThan(2_000_000);
    // Edges are also read for their backends, policies and lengths.
    expect(cost.rowsRead).toBeLessThanOrEqual(RULES + 8 * EDGES + 50);
    await env.DB.prepare("delete from ip_policy_rules").run();
    await removed();
  });

  test("/problems and /serving read no rules, and nothing twice", async () => {
    await removed();
    const [policy, backend] = [await given.ipPolicy(), await given.staticBackend()];
    await given.tcpEdge({
      backend: { backend_id: backend["id"] },
      ip_restriction: { ip_policy_ids: [policy["id"]] },
    });
    const costs = async () => {
      await patch(policy["uri"], { description: String(Math.random()) });
      const problems = await get("/problems");
      expect(problems.body["problems"]).toEqual([]);
      await patch(policy["uri"], { description: String(Math.random()) });
      return { problems: problems.cost, serving: (await get("/serving")).cost };
    };
    await costs();
    const few = await costs();
    const rules = async () => (await get("/snapshot")).body["ip_policies"][policy["id"]].allow.length;
    expect(await rules()).toBe(0);
    await forEach(
      2_000,
      `insert into ip_policy_rules (id, created_at, cidr, ip_policy_id, action, expires_at)
        select printf('ipr_%027d', i), '2026-01-02T03:04:05Z', printf('10.1.%d.%d/32', i >> 8, i & 255), '${policy["id"]}', 'allow',
        iif(i % 2, '2100-01-01T00:00:00Z', null) from n`,
    );
    expect(await costs()).toEqual(few);
    // The version, what changed, and the objects that did.
    expect(few.problems.roundTrips).toBe(3);
    expect(few.serving.roundTrips).toBe(3);
    // What they find is kept, and so is what a snapshot finds.
    const again = async () => {
      const { cost } = await get("/problems");
      expect(cost.roundTrips).toBe(1);
      // The version, at most one row of a destination, that no certificate ends, and each issuer.
      expect(cost.rowsRead).toBeLessThanOrEqual(4);
    };
    await get("/problems");
    await again();
    await patch(policy["uri"], { description: "" });
    expect(await rules()).toBe(2_000);
    await again();
    await env.DB.prepare("delete from ip_policy_rules").run();
    await removed();
  });

  test("after one change, /problems and /serving read at most 60 rows, however much is stored", async () => {
    await removed();
    for (const statement of fillServed({ edges: 400, rulesOfEach: 3 }, { named: 443, first: 1000 }))
      await env.DB.prepare(statement).run();
    const id = (prefix: string, n: number) => prefix + String(n).padStart(27, "0");
    const https = `/edges/https/${id("edghts_", 3)}`;
    const route = `${https}/routes/${id("edghtsrt_", 3)}`;
    const modules = {
      backend: { backend_id: id("bkdfo_", 9) },
      ip_restriction: { ip_policy_ids: [policyId(2)] },
    };
    const { uri: authority } = await given.authority();
    const each: [method: string, path: string, body?: Json][] = [
      ["POST", "/ip_policy_rules", { ip_policy_id: policyId(3), cidr: "192.0.2.1/32", action: "allow" }],
      ["PATCH", `/ip_policies/${policyId(3)}`, { description: "changed" }],
      ["PATCH", `/edges/tcp/${id("edgtcp_", 20)}`, { hostports: ["other.example.com:1"] }],
      ["PATCH", `/edges/tls/${id("edgtls_", 21)}`, { hostports: ["other.example.com:2"] }],
      ["PATCH", https, { hostports: ["other.example.com:3"] }],
      ["PATCH", route, { match: "/other" }],
      ["PUT", `${route}/traffic_policy`, { value: "{" }],
      ["POST", `${https}/routes`, { match_type: "path_prefix", match: "/new", ...modules }],
      ["POST", "/edges/tcp", { hostports: ["n.example.com:40000"], ...modules }],
      ["PATCH", `/backends/static/${id("bkdsc_", 3)}`, { address: "198.51.100.1:1" }],
      ["PATCH", `/backends/http_response/${id("bkdhr_", 4)}`, { body: "x" }],
      ["PATCH", `/backends/failover/${id("bkdfo_", 5)}`, { backends: [id("bkdwd_", 6)] }],
      ["PATCH", `/backends/weighted/${id("bkdwd_", 3)}`, { backends: {} }],
      ["PATCH", new URL(authority).pathname, { description: "changed" }],
      ["PUT", `${https}/mutual_tls`, { certificate_authority_ids: [given.CA] }],
      ["DELETE", https],
      ["DELETE", `/ip_policies/${policyId(5)}`],
    ];
    // The log does not have the rows above.
    await given.ipPolicy();
    await skipEvents();
    await given.ipPolicy();
    expect((await get("/problems")).cost.rowsRead).toBeGreaterThan(5_000);
    for (const path of ["/problems", "/serving"])
      for (const [method, url, body] of each.splice(0, path === "/problems" ? 12 : undefined)) {
        expect((await call(method, url, body)).status, url).toBeLessThan(300);
        const { cost } = await get(path);
        expect(cost.roundTrips).toBeLessThanOrEqual(3);
        expect(cost.rowsRead, `${path} after ${method} ${url}`).toBeLessThanOrEqual(60);
      }
    await removed();
    await skipEvents();
  });

  test("checking a policy reads nothing, and a simulation reads what a snapshot reads, once", async () => {
    await removed();
    const backend = await given.staticBackend();
    const value =
      '{"on_http_request":[{"expressions":["req.method == \'GET\'"],"actions":[{"type":"deny"}]}]}';
    const route = await given.route({
      match: "/",
      backend: { backend_id: backend["id"] },
      traffic_policy: { value },
    });
    const checked = await post("/traffic_policies/check", { value, for: "https_edge_route" });
    expect(checked.cost).toMatchObject({ roundTrips: 0, rowsRead: 0, rowsWritten: 0 });
    const whole = (await get("/snapshot")).cost;
    const simulated = await post("/simulations", {
      request: { url: "https://shop.example.com/", source_ip: "192.0.2.1" },
    });
    expect(simulated.body["route"]).toMatchObject({ id: route["id"] });
    expect(simulated.cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    expect(simulated.cost.rowsRead).toBeLessThanOrEqual(whole.rowsRead);
    await removed();
  });

  test.each([
    [
      "authorities of mutual TLS",
      400,
      `insert into https_edges (id, created_at, hostports, mutual_tls)
        select printf('edghts_%027d', i), '2026-01-02T03:04:05Z', json_array(printf('a%d.example.com:443', i)),
        (select json_object('enabled', json('true'), 'certificate_authority_ids', json_group_array(printf('ca_%064d', value)))
          from generate_ids) from n`,
    ],
    [
      "very many edges",
      130_000,
      `insert into tcp_edges (id, created_at, hostports)
        select printf('edgtcp_%027d', i), '2026-01-02T03:04:05Z', json_array(printf('a:%d', i)) from n`,
    ],
  ])("larger than 24 MB is rejected: %s", async (_, count, insert) => {
    await removed();
    const ids = JSON.stringify(Array.from({ length: 1_000 }, (__, i) => i));
    await forEach(count, insert.replace("generate_ids", `json_each('${ids}')`));
    await given.ipPolicy();
    expect((await get("/snapshot")).status).toBe(413);
    await removed();
  });

  test("larger than 24 MB because of large backends is rejected, and so is /problems", async () => {
    const { id } = await given.httpsEdge();
    const body = "x".repeat(1_000_000);
    const backends = await Promise.all(Array.from({ length: 25 }, () => given.httpResponse({ body })));
    for (const [i, backend] of backends.entries()) {
      await given.route({ edge_id: id, backend: { backend_id: backend["id"] } });
      // From here on, the isolate follows the changes.
      if (i === 9) expect((await get("/problems")).status).toBe(200);
    }
    expect((await get("/problems")).status).toBe(413);
    const { status, body: error } = await get("/snapshot");
    expect(status).toBe(413);
    expect(error["msg"]).toContain("24 MB");
    expect((await get("/problems")).status).toBe(413);
    await removed();
    expect((await get("/snapshot")).status).toBe(200);
  });
});

test("a search for cycles only reads failover backends, however many edges use them", async () => {
  const { id, uri } = await given.failover();
  const child = await given.httpResponse();
  const edges = Array.from({ length: 500 }, (_, i) => `('${id}', 'edgtcp_${i}', '')`);
  await env.DB.prepare(`insert into uses (target, user, edge_id) values ${edges.join()}`).run();
  const { status, cost } = await patch(uri, { backends: [child.id] });
  expect(status).toBe(200);
  expect(cost.rowsRead).toBeLessThan(20);
});

test("creating an IP policy takes as many statements as creating any other object", async () => {
  const sent: number[] = [];
  const counting = intercepted(env.DB, ({ queries, send }) => {
    sent.push(queries.length);
    return send();
  });
  const { token } = await given.key({ role: "editor" });
  const options = { env: { DB: counting }, token };
  // The first request also looks up the key.
  expect((await get("/ip_policies", options)).status).toBe(200);
  sent.length = 0;
  expect((await post("/ip_policies", {}, options)).status).toBe(201);
  expect((await post("/backends/http_response", {}, options)).status).toBe(201);
  expect(sent).toEqual([2, 2]);
});

test("a rejected request takes one round trip", async () => {
  const edge = await given.tcpEdge();
  const missing = await patch(`/edges/tcp/${edge.id}`, { backend: { backend_id: "bkdfo_nothing" } });
  expect([missing.status, missing.cost.roundTrips]).toEqual([400, 1]);
  expect((await get("/edges/tcp/edgtcp_nothing")).cost.roundTrips).toBe(1);
  const backend = await given.httpResponse();
  await given.tcpEdge({ backend: { backend_id: backend.id } });
  const used = await del(`/backends/http_response/${backend.id}`);
  expect([used.status, used.cost.roundTrips]).toEqual([409, 1]);
  const changed = await patch(`/edges/tcp/${edge.id}`, {}, { headers: { "If-Match": '"0"' } });
  expect([changed.status, changed.cost.roundTrips]).toEqual([412, 1]);
});

/** A value for each query parameter of an operation, as `name=value`. */
function queriesOf({ method, path }: OperationRoute): string[] {
  const item: Json = contract["paths"][path.replace(/:(\w+)/g, "{$1}")];
  const parameters: Json[] = item[method.toLowerCase()].parameters;
  return parameters
    .filter((parameter) => parameter["in"] === "query")
    .map(({ name, schema }) => {
      const [prefix] = prefixesIn(schema.pattern) ?? [];
      if (EVENT_ID.source === schema.pattern) return `${name}=${exampleId("event")}`;
      if (schema.type === "boolean") return `${name}=true`;
      return `${name}=${prefix === undefined ? "a:1" : `${prefix}1`}`;
    });
}
const filtersOf = (route: OperationRoute) =>
  queriesOf(route).filter((query) => !/^(?:limit|before_\w+)=/.test(query));
const cursorOf = (route: OperationRoute) => queriesOf(route).find((query) => query.startsWith("before_id="));

describe("every statement uses an index", () => {
  const statements = new Set<string>();

  /** A database that records every statement sent to it. */
  const recording = intercepted(env.DB, ({ queries, send }) => {
    for (const query of queries) statements.add(query);
    return send();
  });

  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Json> => {
    const response = await app.request(
      ORIGIN + path,
      {
        method,
        headers: { ...requiredHeaders, "Content-Type": "application/json", ...headers },
        body: body === undefined ? null : JSON.stringify(body),
      },
      { ...env, DB: recording },
      createExecutionContext(),
    );
    return response.status === 204 ? {} : response.json<Json>();
  };

  /**
   * Bodies that lead to every statement of an operation: its example with references to existing objects, the same with
   * references to missing ones (a rejection takes more queries), and each of these fields alone.
   */
  async function bodiesOf({
    method,
    path,
    operation,
  }: OperationRoute): Promise<{ whole: Json[]; parts: Json[] }> {
    if (!operation.body) return { whole: [], parts: [] };
    const whole: Json[] = [{}, { description: "x" }];
    for (const variant of interchanged(wholeExampleOf(method, path)))
      whole.push(await referring(variant), await referringToNothing(variant));
    const parts = whole.flatMap((body) => {
      const required = requiredOf(method, path, body);
      return Object.entries(body).map(([name, value]) => ({ ...required, [name]: value }));
    });
    // Most of the variants' fields are the same.
    return { whole, parts: [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()] };
  }

  /** The path of an operation with the id of a new object, or of an owner that is managed elsewhere. */
  async function urlOf(path: string): Promise<{ url: string; id: string }> {
    const collection = collections.find((one) => new RegExp(`^${one.path}/:(subscription_)?id`).test(path));
    const id = collection
      ? (await send("POST", collection.path, await referring(exampleOf("POST", collection.path))))["id"]
      : path.includes("routes")
        ? "edghtsrt_1"
        : "edghts_1";
    // The first source in the example.
    const url = path.replace(":subscription_id", id).replace(":type", "ip_policy_updated.v0");
    return { url: url.replace(":edge_id", "edghts_1").replace(":id", id), id };
  }

  /** Reads the log with every combination of filters, as a caller who sees all events and as one who does not. */
  async function readLog(): Promise<void> {
    const [newest] = (await send("GET", "/events?limit=1"))["events"];
    const filters = [
      ["after_id", "ev_000000000000000000000000000"],
      ["before_id", newest.event_id],
      ["object_id", newest.object.id],
      ["type", newest.event_type],
      ["principal_id", "root"],
      ["since", "2026-01-02T03:04:05Z"],
      ["until", "2100-01-02T03:04:05Z"],
    ] as const;
    const viewer = { Authorization: `Bearer ${(await given.key({ role: "viewer" }))["token"]}` };
    for (let chosen = 0; chosen < 2 ** filters.length; chosen++) {
      const query = new URLSearchParams(filters.filter((_, i) => chosen & (2 ** i)).map((pair) => [...pair]));
      if (query.has("after_id") && query.has("before_id")) continue;
      for (const headers of [{}, viewer])
        expect(await send("GET", `/events?${query.toString()}`, undefined, headers)).toHaveProperty("events");
    }
    expect(await send("GET", `/events/${newest.event_id}`)).toEqual(newest);
  }

  beforeAll(async () => {
    for (const route of routes) {
      const { method, path, operation } = route;
      // A snapshot contains some tables as a whole. There are few agents.
      if (operation.access === "public" || operation.tag === "Traffic") continue;
      const { url } = await urlOf(path);
      const { whole, parts } = await bodiesOf(route);
      for (const body of parts) await send(method, url, body);
      for (const body of operation.body ? whole : [undefined]) {
        await send(method, url, body);
        if (isCreation(operation)) await send(method, url, body, { "Idempotency-Key": crypto.randomUUID() });
        if (operation.conditional === "change") {
          await send(method, url, body, { "If-Match": '"7"', "If-None-Match": '"7"' });
          await send(method, url, body, { "If-Match": "*", "If-None-Match": "*" });
        }
        for (const filter of operation.query ? ["", ...filtersOf(route)] : [])
          for (const before of ["", `${cursorOf(route)}&limit=2&`])
            await send(method, `${url}?${before}${filter}`, body);
        for (const ip of operation.query ? ["192.0.2.1", "::1"] : []) await send(method, `${url}?ip=${ip}`);
        if (method !== "DELETE" || !path.endsWith("/:id")) continue;
        const { url: used, id: inUse } = await urlOf(path);
        for (const other of await bodiesReferringTo(inUse)) await send("POST", other.path, other.body);
        await send(method, used);
      }
    }
    await readLog();
    // Guards for changes that need an admin depend on the caller's role.
    const subscription = collections.find((one) => one.path === "/event_subscriptions")?.path ?? "";
    for (const role of ["editor", "admin"]) {
      const headers = { Authorization: `Bearer ${(await given.key({ role }))["token"]}` };
      for (const { method, path, operation } of routes) {
        if (!/^\/event_(?:subscriptions|destinations)/.test(path) || operation.conditional !== "change")
          continue;
        const { url } = await urlOf(path);
        const body = operation.body && (await referring(exampleOf(method, path)));
        for (const other of [{}, { "If-Match": "*" }, { "Idempotency-Key": crypto.randomUUID() }])
          await send(method, url, body, { ...headers, ...other });
      }
      for (const type of ["api_key_created.v0", "ip_policy_created.v0"])
        await send("POST", subscription, { sources: [{ type }] }, headers);
    }
    await call("GET", "/health");
    await everyMinute({ ...env, DB: recording }, 0);
  });

  test("and only lists scan a table, no further than their page", async () => {
    expect(statements.size).toBeGreaterThan(50);

    for (const statement of statements) {
      const { results } = await env.DB.prepare(`explain query plan ${statement}`)
        .bind(...(statement.match(/\?/g) ?? []).map(() => "0"))
        .all<{ detail: string }>();
      const plan = results.map(({ detail }) => detail);
      // A scan of a subquery or a common table expression is a separate step. The run of each minute looks at every
      // cursor, which is one row for each destination.
      const scans = plan.filter(
        (step) =>
          step.startsWith("SCAN ") &&
          !/VIRTUAL TABLE|VALUES CLAUSE|CONSTANT ROWS?$|^SCAN (containing|given|changed|part|bisected|bounds|wanted|cursors|old|policy|hit|own|ended|gone|named|turns|due|up|target|start|offset\d|reading|\(subquery-\d+\))/.test(
            step,
          ),
      );
      // Only the newest events, by the key.
      for (const _ of statement.match(/"events" order by (?:"events"\.)?"?seq"? desc limit (?:1|\?)\)/g) ??
        [])
        scans.splice(scans.indexOf("SCAN events"), 1);
      const isList =
        /order by (?:"\w+"\."edge_id" desc, )?"\w+"\."(?:id|user)" desc(?:, "uses"."edge_id" desc)? limit \?/.test(
          statement,
        );
      if (isList) expect(plan.join("; "), statement).not.toMatch(/TEMP B-TREE|MATERIALIZE/);
      // A plan that changes hostports compares them with those of all edges.
      else if (statement.includes("as claim") || statement.startsWith("select id, hostports from")) continue;
      else expect(scans, `${statement}\n${plan.join("\n")}`).toEqual([]);
    }
  });
});
