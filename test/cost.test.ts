import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { app } from "../src/app.ts";
import { clock } from "../src/clock.ts";
import { newCost } from "../src/db/calls.ts";
import { Session } from "../src/db/database.ts";
import { sweepIdempotencyRecords } from "../src/db/idempotency.ts";
import { isCreation } from "../src/http/operations/operation.ts";
import {
  call,
  create,
  del,
  get,
  type Json,
  ORIGIN,
  patch,
  post,
  put,
  requiredHeaders,
  routes,
} from "./api.ts";
import {
  CA,
  givenBotUser,
  givenDestination,
  givenFailover,
  givenHttpResponse,
  givenIpPolicy,
  givenKey,
  givenRule,
  givenTcpEdge,
  givenTlsEdge,
} from "./given.ts";
import { intercepted } from "./intercepted.ts";

/*
 * What each operation costs in rows, as D1 bills them. That a success takes one round trip is asserted by the caller
 * of every test.
 */

/** Time stands still, so that the isolate, once it has read the database's epoch, goes on knowing it. */
const now = Date.now();
beforeAll(async () => {
  clock.now = () => now;
  await get("/ip_policies");
});

test("GET reads one row", async () => {
  const policy = await givenIpPolicy();
  const backend = await givenHttpResponse();
  for (const { uri } of [
    policy,
    backend,
    await givenRule({ ip_policy_id: policy.id }),
    await givenFailover({ backends: [backend.id] }),
    await givenBotUser(),
    await givenKey(),
    await givenDestination(),
    await givenTcpEdge({
      backend: { backend_id: backend.id },
      ip_restriction: { ip_policy_ids: [policy.id] },
    }),
    await givenTlsEdge({ mutual_tls: { certificate_authority_ids: [CA] } }),
  ])
    expect((await get(uri)).cost).toEqual({ roundTrips: 1, rowsRead: 1, rowsWritten: 0 });
});

test("the database's epoch is one row more: once in 20 seconds, and with each condition", async () => {
  const { uri } = await givenIpPolicy();
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
  expect((await patch(uri, { description: "x" })).cost).toMatchObject({ roundTrips: 1, rowsWritten: 1 });
  expect(await read()).toBe(1);
  clock.now = () => now;
});

test("a module's GET reads one row, its PUT and DELETE write one", async () => {
  const edge = await givenTcpEdge();
  for (const url of [`/edges/tcp/${edge.id}/traffic_policy`, "/edges/https/edghts_1/mutual_tls"]) {
    const body = url.endsWith("traffic_policy") ? { value: "x" } : {};
    await put(url, body);
    expect((await put(url, body)).cost.rowsWritten).toBe(1);
    expect((await get(url)).cost).toEqual({ roundTrips: 1, rowsRead: 1, rowsWritten: 0 });
    expect((await del(url)).cost.rowsWritten).toBe(1);
  }
});

describe("a create writes one row", () => {
  test("and nothing else, for what is neither referred to by index nor refers", async () => {
    const { id: policy } = await givenIpPolicy();
    for (const [path, body] of [
      ["/ip_policies", { description: "x", metadata: "y" }],
      ["/bot_users", { name: "x" }],
      ["/api_keys", { description: "x" }],
      ["/event_destinations", { target: { monitoring_vendor: { api_key: "x" } } }],
      ["/edges/tcp", { ip_restriction: { ip_policy_ids: [policy] } }],
      ["/edges/tls", { mutual_tls: { certificate_authority_ids: [CA] } }],
    ] as const)
      expect((await post(path, body)).cost.rowsWritten, path).toBe(1);
  });

  test("and one for the index that finds a policy's rules when it is deleted", async () => {
    const { id } = await givenIpPolicy();
    const { cost } = await post("/ip_policy_rules", { cidr: "::/0", action: "deny", ip_policy_id: id });
    expect(cost.rowsWritten).toBe(2);
  });

  test("and one for the index that finds the edges of a backend when it is deleted", async () => {
    const { id } = await givenHttpResponse();
    for (const path of ["/edges/tcp", "/edges/tls"])
      expect((await post(path, { backend: { backend_id: id } })).cost.rowsWritten).toBe(2);
  });

  test("and one for the index that finds a bot's keys when it is deleted", async () => {
    const { id } = await givenBotUser();
    expect((await post("/api_keys", { owner_id: id })).cost.rowsWritten).toBe(2);
  });

  test("and one for each different child of a failover backend, for the same reason", async () => {
    const [a, b] = [await givenHttpResponse(), await givenHttpResponse()];
    const { cost } = await post("/backends/failover", { backends: [a.id, b.id, a.id] });
    expect(cost.rowsWritten).toBe(4);
  });

  test("and one for the index of ids, of a backend, whose rows may be large", async () => {
    for (const path of ["/backends/http_response", "/backends/failover"])
      expect((await post(path, {})).cost.rowsWritten, path).toBe(2);
  });
});

test("a PATCH writes one row; an index only when what it indexes changes", async () => {
  const [a, b] = [await givenHttpResponse(), await givenHttpResponse()];
  const edge = await givenTcpEdge({ backend: { backend_id: a.id } });
  expect((await patch(`/edges/tcp/${edge.id}`, { description: "x" })).cost.rowsWritten).toBe(1);
  expect((await patch(`/edges/tcp/${edge.id}`, { backend: { backend_id: b.id } })).cost.rowsWritten).toBe(2);
  const parent = await givenFailover({ backends: [a.id] });
  expect((await patch(`/backends/failover/${parent.id}`, { description: "x" })).cost.rowsWritten).toBe(1);
});

test("reads of a write do not grow with the size of the tables", async () => {
  const backend = await givenHttpResponse();
  const policy = await givenIpPolicy();
  const costs = async () => {
    const edge = await post("/edges/tcp", {
      backend: { backend_id: backend.id },
      ip_restriction: { ip_policy_ids: [policy.id] },
    });
    const unused = await givenHttpResponse();
    const failover = await givenFailover({ backends: [unused.id] });
    return [
      edge.cost,
      (await patch(`/edges/tcp/${edge.body.id}`, { backend: { backend_id: unused.id } })).cost,
      (await patch(`/backends/failover/${failover.id}`, { backends: [backend.id] })).cost,
      (await del(`/edges/tcp/${edge.body.id}`)).cost,
      (await del(`/backends/http_response/${unused.id}`)).cost,
      (await del(`/backends/failover/${failover.id}`)).cost,
      (await del(`/ip_policies/${(await givenIpPolicy()).id}`)).cost,
    ];
  };
  const small = await costs();
  const filler = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000) insert into";
  await env.DB.batch(
    [
      `${filler} http_response_backends (id, created_at, status_code) select 'bkdhr_' || i, '', 200 from n`,
      `${filler} failover_backends (id, created_at, backends) select 'bkdfo_' || i, '', json_array('bkdhr_' || i) from n`,
      `${filler} ip_policies (id, created_at) select 'ipp_' || i, '' from n`,
      `${filler} ip_policy_rules (id, created_at, cidr, ip_policy_id, action) select 'ipr_' || i, '', '', 'ipp_' || i, 'deny' from n`,
      `${filler} tcp_edges (id, created_at, backend) select 'edgtcp_' || i, '', json_object('backend_id', 'bkdhr_' || i) from n`,
      `${filler} tls_edges (id, created_at, backend) select 'edgtls_' || i, '', json_object('backend_id', 'bkdhr_' || i) from n`,
    ].map((query) => env.DB.prepare(query)),
  );
  expect(await costs()).toEqual(small);
});

test("a refusal for a missing object or reference takes no more than three round trips", async () => {
  const edge = await givenTcpEdge();
  const missing = await patch(`/edges/tcp/${edge.id}`, { backend: { backend_id: "bkdfo_nothing" } });
  expect([missing.status, missing.cost.roundTrips]).toEqual([400, 3]);
  expect((await get("/edges/tcp/edgtcp_nothing")).cost.roundTrips).toBe(1);
  const backend = await givenHttpResponse();
  await givenTcpEdge({ backend: { backend_id: backend.id } });
  expect((await del(`/backends/http_response/${backend.id}`)).cost.roundTrips).toBe(3);
});

describe("every statement is answered by an index", () => {
  const statements = new Set<string>();

  /** The database, noting every statement that it is asked to prepare. */
  const noting = intercepted(env.DB, ({ queries, send }) => {
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
      { ...env, DB: noting },
      createExecutionContext(),
    );
    return response.status === 204 ? {} : response.json<Json>();
  };

  /** Bodies that make every statement of an operation: accepted ones, and ones whose refusal asks further. */
  const bodies = async (): Promise<Record<string, Json[]>> => {
    const { id: backend } = await create("/backends/failover");
    const { id: policy } = await givenIpPolicy();
    const edge = {
      description: "x",
      backend: { backend_id: backend },
      ip_restriction: { ip_policy_ids: [policy] },
      traffic_policy: { value: "x" },
    };
    return {
      tcp: [edge, { backend: { backend_id: "bkdhr_1" }, ip_restriction: { ip_policy_ids: ["ipp_1"] } }],
      tls: [{ ...edge, mutual_tls: {}, tls_termination: {} }],
      backend: [{ backend_id: backend }, { backend_id: "bkdhr_1" }],
      ip_restriction: [{ ip_policy_ids: [policy] }, { ip_policy_ids: ["ipp_1"] }],
      traffic_policy: [{ value: "x" }],
      ip_policies: [{ description: "x" }],
      ip_policy_rules: [
        { cidr: "::/0", action: "deny", ip_policy_id: policy },
        { cidr: "::/0", action: "deny", ip_policy_id: "ipp_1" },
        { cidr: "::/0" },
      ],
      failover: [{ backends: [backend] }, { backends: ["bkdfo_1"] }],
      http_response: [{ body: "x" }],
      bot_users: [{ name: "x" }],
      api_keys: [{ owner_id: (await givenBotUser()).id }, { owner_id: "bot_nobody" }, { description: "x" }],
      event_destinations: [{ target: { monitoring_vendor: { api_key: "x" } } }],
    };
  };

  beforeAll(async () => {
    const given = await bodies();
    for (const { method, path, operation } of routes) {
      if (operation.access === "public") continue;
      const [collection = ""] = /^(?:\/edges\/\w+|\/backends\/\w+|\/\w+)/.exec(path) ?? [];
      const name = path.split("/").at(-1) ?? "";
      const candidates = (given[name] ?? given[collection.split("/").at(-1) ?? ""] ?? []).concat({});
      for (const body of operation.body ? candidates : [undefined]) {
        const owner =
          collection.includes("https") || collection === "/sealed_secrets"
            ? { id: path.includes("routes") ? "edghtsrt_1" : "edghts_1" }
            : await send("POST", collection, given[collection.split("/").at(-1) ?? ""]?.[0]);
        if (!owner["id"]) throw new Error(`bodies() has no body that ${collection} accepts`);
        const url = path.replace(":edge_id", "edghts_1").replace(":id", owner["id"]);
        await send(method, url, body);
        if (isCreation(operation)) await send(method, url, body, { "Idempotency-Key": crypto.randomUUID() });
        if (operation.conditional === "change") {
          await send(method, url, body, { "If-Match": '"7"', "If-None-Match": '"7"' });
          await send(method, url, body, { "If-Match": "*", "If-None-Match": "*" });
        }
        if (operation.query) await send(method, `${url}?before_id=${owner["id"]}&limit=2`);
        if (method === "DELETE" && !path.includes("https") && path.endsWith(":id")) {
          await send("POST", "/edges/tcp", { backend: { backend_id: owner["id"] } });
          await send(method, url);
        }
      }
    }
    await call("GET", "/health");
    await sweepIdempotencyRecords(new Session(noting, undefined, newCost()), 0);
  });

  test("and none scans a table, but a list, which stops after its page", async () => {
    expect(statements.size).toBeGreaterThan(50);
    for (const statement of statements) {
      const { results } = await env.DB.prepare(`explain query plan ${statement}`)
        .bind(...(statement.match(/\?/g) ?? []).map(() => "0"))
        .all<{ detail: string }>();
      const plan = results.map(({ detail }) => detail);
      const scans = plan.filter(
        (step) =>
          step.startsWith("SCAN ") &&
          !/VIRTUAL TABLE|VALUES CLAUSE|^SCAN (containing|given|CONSTANT ROW)\b/.test(step),
      );
      const isList = /order by "\w+"\."id" desc limit \?/.test(statement);
      if (isList) expect(plan.join("; "), statement).not.toMatch(/TEMP B-TREE|MATERIALIZE/);
      else expect(scans, `${statement}\n${plan.join("\n")}`).toEqual([]);
    }
  });
});
