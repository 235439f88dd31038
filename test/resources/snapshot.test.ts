import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clock, timestamp } from "../../packages/model/src/clock.ts";
import { kinds, servedKinds } from "../../packages/model/src/kinds.ts";
import { problemCodes } from "../../packages/model/src/traffic/problems.ts";
import { keeping } from "../../src/resources/traffic/form_cache.ts";
import { create, del, get, patch, post, put, routes } from "../support/api.ts";
import { contract } from "../support/contract.ts";
import { bodySchema } from "../support/document.ts";
import { collections, documented, exampleOf, referring } from "../support/examples.ts";
import * as given from "../support/given.ts";
import type { Json } from "../support/json.ts";
import { skipEvents } from "../support/stored.ts";

/*
 * The snapshot of the live configuration. Its costs are in test/cost.test.ts.
 */

const realNow = clock.now;
/** Deletes the edges of other tests, and makes the isolate's snapshot stale. */
beforeEach(async () => {
  for (const table of ["tcp_edges", "tls_edges", "https_edges", "https_edge_routes"])
    await env.DB.prepare(`delete from ${table}`).run();
  await skipEvents();
  await given.ipPolicy();
});
afterEach(() => {
  clock.now = realNow;
});

const snapshot = async (): Promise<Json> => (await get("/snapshot")).body;

/** The problems, which are found without the rules, and are those of the snapshot. */
async function problems(): Promise<string[]> {
  const { bytes: most } = keeping;
  keeping.bytes = 0;
  await given.ipPolicy();
  const { body } = await get("/problems");
  keeping.bytes = most;
  const plain = body["problems"].map(({ effect: _, ...rest }: Json) => rest);
  expect(plain).toEqual((await snapshot())["problems"]);
  return plain.map(({ object, code }: Json) => `${object} ${code}`);
}
const edgesOf = (body: Json): string[] => body["edges"].map(({ id }: Json) => id);

/** The live hostports of the edges in a list, by id. */
const served = async (): Promise<Json> =>
  Object.fromEntries((await snapshot())["edges"].map(({ id, hostports }: Json) => [id, hostports]));

const to = ({ id }: Json) => ({ backend: { backend_id: id } });

/** Modules and fields that are not in snapshots: `resolve()` applies them, or reports that they cannot be served. */
const RESOLVED = new Set(["webhook_verification", "tls_termination.terminate_at"]);

/** Fields that only snapshots have: what the service computes for agents. */
const COMPUTED = new Map([["traffic_policy", ["program"]]]);

test.each([
  { collection: "/edges/tcp", make: given.tcpEdge },
  { collection: "/edges/tls", make: given.tlsEdge },
  { collection: "/edges/https", make: given.httpsEdge },
  { collection: "/edges/https/:edge_id/routes", make: given.route },
])("a snapshot has every field of the modules of $collection", async ({ collection, make }) => {
  const names = routes
    .filter(({ method, path }) => method === "PUT" && path.startsWith(`${collection}/:id/`))
    .map(({ path }) => path.slice(path.lastIndexOf("/") + 1))
    .filter((name) => !RESOLVED.has(name));
  const { id, uri } = await make();
  for (const name of names) {
    const example = await referring(exampleOf("PUT", `${collection}/:id/${name}`));
    const module = name === "backend" ? to(await given.staticBackend()).backend : example;
    expect((await put(`${uri}/${name}`, module)).status).toBe(200);
  }
  const { edges } = await snapshot();
  const shown = edges.flatMap((edge: Json) => [edge, ...(edge["routes"] ?? [])]);
  const owner = shown.find((one: Json) => one["id"] === id);
  for (const name of names) {
    const { properties } = bodySchema(contract, "PUT", documented(`${collection}/:id/${name}`)) ?? {};
    const fields = Object.keys(properties).filter(
      (field) => field !== "enabled" && !RESOLVED.has(`${name}.${field}`),
    );
    expect(
      Object.keys(owner[name]).toSorted(),
      `serve ${name}: see resolve.ts and snapshot.ts in packages/model/src, or RESOLVED, above`,
    ).toEqual([...fields, ...(COMPUTED.get(name) ?? [])].toSorted());
  }
});

test("an empty service has an empty snapshot with the number of the newest change", async () => {
  expect(await snapshot()).toEqual({
    version: expect.any(Number),
    edges: [],
    ip_policies: {},
    backends: {},
    certificate_authorities: {},
    problems: [],
  });
  const { version } = await snapshot();
  await given.ipPolicy();
  expect((await snapshot())["version"]).toBe(version + 1);
});

test("a snapshot contains edges of every kind with their enabled modules, and the objects that these use", async () => {
  const leaf = await given.staticBackend({ address: "db.internal:5432", tls: { enabled: true } });
  const sorry = await given.httpResponse({ headers: { "Retry-After": "60" } });
  const weighted = await given.weighted({ backends: { [leaf["id"]]: 3, [sorry["id"]]: 0 } });
  const failover = await given.failover({ backends: [weighted["id"], sorry["id"]] });
  const unused = await given.staticBackend();
  const policy = await given.ipPolicy();
  await given.ipPolicy();
  await given.rule({ ip_policy_id: policy["id"], cidr: "10.0.0.0/8" });
  await given.rule({ ip_policy_id: policy["id"], cidr: "10.0.0.0/8" });
  await given.rule({ ip_policy_id: policy["id"], cidr: "::ffff:a01:0/112", action: "deny" });
  const authority = await given.authority();
  const restricted = { ip_restriction: { ip_policy_ids: [policy["id"]] } };
  const tcp = await given.tcpEdge({ ...to(failover), ...restricted, hostports: ["Db.Example.com.:5432"] });
  const tls = await given.tlsEdge({
    ...to(leaf),
    ip_restriction: { enabled: false, ip_policy_ids: [policy["id"]] },
    tls_termination: { min_version: "1.3" },
    mutual_tls: { certificate_authority_ids: [authority["id"]] },
  });
  const through = await given.tlsEdge({ ...to(leaf), hostports: ["[::FFFF:192.0.2.1]:8443"] });
  const https = await given.httpsEdge();
  const route = await given.route({
    edge_id: https["id"],
    match: "/api",
    ...to(sorry),
    compression: {},
    circuit_breaker: { enabled: false },
    request_headers: { add: { "x-edge": "shop" } },
    user_agent_filter: { deny: ["bot"] },
  });
  expect(await snapshot()).toEqual({
    version: expect.any(Number),
    edges: [
      { id: tcp["id"], kind: "tcp", hostports: ["db.example.com:5432"], ...to(failover), ...restricted },
      {
        id: tls["id"],
        kind: "tls",
        hostports: ["tls.example.com:443"],
        ...to(leaf),
        tls_termination: { min_version: "1.3" },
        mutual_tls: { certificate_authority_ids: [authority["id"]] },
      },
      { id: through["id"], kind: "tls", hostports: ["192.0.2.1:8443"], ...to(leaf) },
      {
        id: https["id"],
        kind: "https",
        hostports: ["shop.example.com:443"],
        tls_termination: { min_version: "1.2" },
        routes: [
          {
            id: route["id"],
            match_type: "path_prefix",
            match: "/api",
            ...to(sorry),
            compression: {},
            request_headers: { add: { "x-edge": "shop" }, remove: null },
            user_agent_filter: { allow: null, deny: ["bot"] },
          },
        ],
      },
    ],
    ip_policies: { [policy["id"]]: { allow: ["10.0.0.0/8"], deny: ["10.1.0.0/16"] } },
    backends: {
      [leaf["id"]]: { kind: "static", address: "db.internal:5432", tls: true },
      [sorry["id"]]: {
        kind: "http_response",
        status_code: 503,
        headers: { "retry-after": "60" },
        body: "maintenance",
      },
      [weighted["id"]]: { kind: "weighted", backends: { [leaf["id"]]: 3, [sorry["id"]]: 0 } },
      [failover["id"]]: { kind: "failover", backends: [weighted["id"], sorry["id"]] },
    },
    certificate_authorities: { [authority["id"]]: authority["ca_pem"] },
    problems: [],
  });
  expect(JSON.stringify(await snapshot())).not.toContain(unused["id"]);
});

test("rules that expire: the snapshot contains their expiry times, and a new ETag and a new snapshot come without the cron", async () => {
  const policy = await given.ipPolicy();
  const start = Math.floor(realNow() / 1000) * 1000;
  const at = (seconds: number) => timestamp(start + seconds * 1000);
  clock.now = () => start;
  const rule = (cidr: string, action: "allow" | "deny", expires_at?: string) =>
    given.rule({ ip_policy_id: policy["id"], cidr, action, ...(expires_at !== undefined && { expires_at }) });
  await rule("192.0.2.0/24", "allow", at(60));
  await rule("198.51.100.0/24", "deny", at(120));
  // The last end of equal rules counts, even if they are equal only as IPv4.
  await rule("203.0.113.0/24", "allow", at(30));
  await rule("::ffff:203.0.113.0/120", "allow", at(180));
  // Forever is longest.
  await rule("10.0.0.0/8", "allow", at(30));
  await rule("10.0.0.0/8", "allow");
  await given.tcpEdge({
    ...to(await given.staticBackend()),
    ip_restriction: { ip_policy_ids: [policy["id"]] },
  });
  const first = await get("/snapshot");
  const rules = async () => (await snapshot())["ip_policies"][policy["id"]];
  const all = {
    allow: ["10.0.0.0/8", "192.0.2.0/24", "203.0.113.0/24"],
    deny: ["198.51.100.0/24"],
    expires_at: {
      allow: { "192.0.2.0/24": at(60), "203.0.113.0/24": at(180) },
      deny: { "198.51.100.0/24": at(120) },
    },
  };
  expect(await rules()).toEqual(all);
  const etag = first.headers.get("ETag") ?? "";
  const poll = () => get("/snapshot", { headers: { "If-None-Match": etag } });
  expect((await poll()).cost).toEqual({ roundTrips: 1, rowsRead: 1, rowsWritten: 0 });
  clock.now = () => start + 59_000;
  expect((await poll()).status).toBe(304);
  clock.now = () => start + 60_000;
  const second = await poll();
  expect(second.status).toBe(200);
  expect(second.body["version"]).toBe(first.body["version"]);
  expect(second.headers.get("ETag")).not.toBe(etag);
  expect((await rules())["allow"]).toEqual(["10.0.0.0/8", "203.0.113.0/24"]);
  clock.now = () => start + 120_000;
  expect(await rules()).toMatchObject({ deny: [], expires_at: { deny: {} } });
  clock.now = () => start + 180_000;
  expect(await rules()).toEqual({ allow: ["10.0.0.0/8"], deny: [] });
});

test("the Traefik configuration has no expired rules, even before the cron deletes them", async () => {
  const policy = await given.ipPolicy();
  const start = Math.floor(realNow() / 1000) * 1000;
  clock.now = () => start;
  await given.rule({ ip_policy_id: policy["id"], cidr: "192.0.2.0/24" });
  await given.rule({
    ip_policy_id: policy["id"],
    cidr: "203.0.113.0/24",
    expires_at: timestamp(start + 60_000),
  });
  await given.tcpEdge({
    ...to(await given.staticBackend()),
    ip_restriction: { ip_policy_ids: [policy["id"]] },
  });
  const text = async () => (await get("/snapshot?format=traefik")).text;
  expect(await text()).toContain("203.0.113.0/24");
  clock.now = () => start + 60_000;
  expect(await text()).not.toContain("203.0.113.0/24");
  expect(await text()).toContain("192.0.2.0/24");
});

test("a snapshot that is made after a rule has expired does not contain the rule", async () => {
  const policy = await given.ipPolicy();
  const expires_at = new Date(realNow() + 60_000).toISOString();
  await given.rule({ ip_policy_id: policy["id"], expires_at });
  await given.tcpEdge({
    ...to(await given.staticBackend()),
    ip_restriction: { ip_policy_ids: [policy["id"]] },
  });
  const rules = async () => (await snapshot())["ip_policies"][policy["id"]]["allow"];
  expect(await rules()).toEqual(["192.0.2.0/24"]);
  clock.now = () => realNow() + 120_000;
  await given.ipPolicy();
  expect(await rules()).toEqual([]);
});

test.each(collections)(
  "creating one of $path makes a new version only if a snapshot holds it",
  async ({ path, prefix }) => {
    const body = await referring(exampleOf("POST", path));
    const versionOf = async () => (await get("/snapshot")).headers.get("ETag");
    const before = await versionOf();
    const agent = async () =>
      (await put("/agents/one/status", { ok: true, applied_version: 1 })).body["newest_version"];
    const newest = await agent();
    await create(path, body);
    const kind = Object.entries(kinds).find(([, one]) => one.prefix === prefix)?.[0] ?? "";
    const isServed = servedKinds.some((one) => one === kind);
    expect((await versionOf()) !== before).toBe(isServed);
    expect((await agent()) !== newest).toBe(isServed);
  },
);

test("many changes of other objects cost few rows to skip, and at most a thousand", async () => {
  await given.ipPolicy();
  await env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
     insert into events (type, object_id, at, salt, operation_id, principal, origin, object)
     select 'api_key_created.v0', 'ak_1', (select max(at) from events), randomblob(10), 'op', '{}', '', '{}' from n`,
  ).run();
  const { headers } = await get("/snapshot");
  const again = await get("/snapshot", { headers: { "If-None-Match": headers.get("ETag") ?? "" } });
  expect(again.status).toBe(304);
  expect(again.cost.rowsRead).toBeLessThanOrEqual(1_010);
});

test("the ETag of the same version leads to 304 and one row read, and to 200 after any change", async () => {
  await given.tcpEdge(to(await given.staticBackend()));
  const first = await get("/snapshot");
  const etag = first.headers.get("ETag") ?? "";
  const again = await get("/snapshot", { headers: { "If-None-Match": etag } });
  expect(again.status).toBe(304);
  expect(again.headers.get("ETag")).toBe(etag);
  expect(again.cost).toEqual({ roundTrips: 1, rowsRead: 1, rowsWritten: 0 });
  await given.ipPolicy();
  const changed = await get("/snapshot", { headers: { "If-None-Match": etag } });
  expect(changed.status).toBe(200);
  expect(changed.body["version"]).toBe(first.body["version"] + 1);
});

test("an isolate that has made the newest snapshot only reads the version", async () => {
  await given.tcpEdge(to(await given.staticBackend()));
  const { text } = await get("/snapshot");
  const again = await get("/snapshot");
  expect(again.text).toBe(text);
  expect(again.cost.rowsRead).toBe(1);
});

test("one snapshot is made at a time, and concurrent requests share it", async () => {
  await given.tcpEdge(to(await given.staticBackend()));
  const alone = await get("/snapshot");
  await given.ipPolicy();
  const answers = await Promise.all(Array.from({ length: 8 }, () => get("/snapshot")));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]?.body["version"]).toBe(alone.body["version"] + 1);
  const read = answers.map(({ cost }) => cost.rowsRead).toSorted((a, b) => b - a);
  expect(read[0]).toBeGreaterThan(5);
  expect(Math.max(...read.slice(1))).toBeLessThanOrEqual(2);
});

test("any value of If-None-Match with another format or epoch leads to the whole snapshot", async () => {
  const { headers } = await get("/snapshot");
  const etag = headers.get("ETag") ?? "";
  for (const other of [etag.replace("snapshot", "traefik"), etag.replace(/^"\w+/, '"00000000'), '"1"'])
    expect((await get("/snapshot", { headers: { "If-None-Match": other } })).status, other).toBe(200);
});

describe("hostports", () => {
  test("the oldest edge gets a hostport that several edges have, in any spelling, and the others keep the rest", async () => {
    const backend = to(await given.staticBackend());
    const oldest = await given.tlsEdge({ ...backend, hostports: ["a.example.com:443"] });
    const younger = await given.httpsEdge({ hostports: ["A.example.com.:443", "b.example.com:443"] });
    expect(await served()).toEqual({
      [oldest["id"]]: ["a.example.com:443"],
      [younger["id"]]: ["b.example.com:443"],
    });
    expect(await problems()).toEqual([`${younger["id"]} hostport_taken`]);
    const [{ msg }] = (await get("/problems")).body["problems"];
    expect(msg).toContain(`A.example.com.:443 belongs to ${oldest["id"]}`);
    await del(oldest["uri"]);
    expect((await served())[younger["id"]]).toEqual(["a.example.com:443", "b.example.com:443"]);
  });

  test("an edge that is not served keeps its hostports", async () => {
    const oldest = await given.tcpEdge();
    const younger = await given.tcpEdge(to(await given.staticBackend()));
    expect(await served()).toEqual({});
    expect(await problems()).toEqual([`${oldest["id"]} backend_not_set`, `${younger["id"]} hostport_taken`]);
  });

  test.each([
    ["two TCP edges with names", "tcp a.example.com:1", "tcp b.example.com:1", false],
    ["TCP edges at two addresses", "tcp 192.0.2.1:1", "tcp 192.0.2.2:1", true],
    ["TCP edges of both families", "tcp 192.0.2.1:1", "tcp [2001:db8::1]:1", true],
    ["a TCP edge with a name after one at an address", "tcp 192.0.2.1:1", "tcp a.example.com:1", false],
    ["a TCP edge at an address after one with a name", "tcp a.example.com:1", "tcp 192.0.2.1:1", false],
    ["TLS edges with names", "tls a.example.com:1", "tls b.example.com:1", true],
    ["a TLS edge at an address after one with a name", "tls a.example.com:1", "tls 192.0.2.1:1", true],
    ["TCP after TLS", "tls a.example.com:1", "tcp b.example.com:1", false],
    ["TLS after TCP", "tcp a.example.com:1", "tls b.example.com:1", false],
    ["TLS after TCP at another address", "tcp 192.0.2.1:1", "tls 192.0.2.2:1", true],
    ["TLS with a name after TCP at an address", "tcp 192.0.2.1:1", "tls a.example.com:1", false],
    ["other ports", "tcp a.example.com:1", "tls a.example.com:2", true],
  ])("%s", async (_, first, second, both) => {
    const backend = to(await given.staticBackend());
    const withHostport = async (text: string) => {
      const [kind = "", hostport] = text.split(" ");
      return create(`/edges/${kind}`, { ...backend, hostports: [hostport] });
    };
    const [older, younger] = [await withHostport(first), await withHostport(second)];
    expect(Object.keys(await served())).toEqual(both ? [older["id"], younger["id"]] : [older["id"]]);
    expect(await problems()).toEqual(both ? [] : [`${younger["id"]} port_taken`]);
  });

  test("an edge shares its own port with itself", async () => {
    const hostports = ["a.example.com:1", "b.example.com:1", "192.0.2.1:1"];
    const { id } = await given.tcpEdge({ ...to(await given.staticBackend()), hostports });
    expect(await served()).toEqual({ [id]: hostports });
  });
});

/** Stores a match that an earlier version accepted. */
const storeMatch = ({ id }: Json, match: string) =>
  env.DB.prepare("update https_edge_routes set match = ? where id = ?").bind(match, id).run();

describe("problems", () => {
  /**
   * Each creates a situation, and returns the object with the problem, and the edge that is not served because of it,
   * if any.
   */
  const situations: Record<string, () => Promise<{ object: Json; unserved?: Json; also?: string[] }>> = {
    async hostport_taken() {
      await given.tcpEdge(to(await given.staticBackend()));
      const object = await given.tcpEdge(to(await given.staticBackend()));
      return { object, unserved: object };
    },
    async port_taken() {
      await given.tcpEdge(to(await given.staticBackend()));
      const object = await given.tlsEdge(to(await given.staticBackend()));
      return { object, unserved: object };
    },
    async backend_not_set() {
      const { backend } = to(await given.staticBackend());
      const object = await given.tcpEdge({ backend: { ...backend, enabled: false } });
      return { object, unserved: object };
    },
    async backend_unusable() {
      const object = await given.tcpEdge(
        to(await given.failover({ backends: [(await given.failover())["id"]] })),
      );
      return { object, unserved: object };
    },
    async backend_missing() {
      const gone = await given.staticBackend();
      const object = await given.failover({ backends: [gone["id"], (await given.staticBackend())["id"]] });
      await env.DB.prepare("delete from static_backends where id = ?").bind(gone["id"]).run();
      await given.tcpEdge(to(object));
      return { object };
    },
    async response_impossible() {
      const object = await given.httpResponse();
      await env.DB.prepare("update http_response_backends set status_code = 101 where id = ?")
        .bind(object["id"])
        .run();
      const unserved = await given.tcpEdge(to(object));
      return { object, unserved, also: [`${unserved["id"]} backend_unusable`] };
    },
    async policy_missing() {
      const policy = await given.ipPolicy();
      const object = await given.tcpEdge({
        ...to(await given.staticBackend()),
        ip_restriction: { ip_policy_ids: [policy["id"]] },
      });
      await del(policy["uri"]);
      expect((await snapshot())["ip_policies"]).toEqual({ [policy["id"]]: { allow: [], deny: [] } });
      return { object };
    },
    async authority_missing() {
      const object = await given.httpsEdge({ mutual_tls: { certificate_authority_ids: [given.CA] } });
      return { object, unserved: object };
    },
    async mutual_tls_not_terminated() {
      const mutual_tls = { certificate_authority_ids: [(await given.authority())["id"]] };
      const object = await given.tlsEdge({ ...to(await given.staticBackend()), mutual_tls });
      return { object, unserved: object };
    },
    async response_not_terminated() {
      const failover = await given.failover({
        backends: [(await given.staticBackend())["id"], (await given.httpResponse())["id"]],
      });
      const object = await given.tlsEdge(to(failover));
      return { object, unserved: object };
    },
    async traffic_policy_invalid() {
      return {
        object: await given.tcpEdge({ ...to(await given.staticBackend()), traffic_policy: { value: "{" } }),
      };
    },
    async traffic_policy_not_enforced() {
      const value =
        '{"on_tcp_connect":[{"expressions":["conn.geo.city == \'Lisbon\'"],"actions":[{"type":"deny"}]}]}';
      return {
        object: await given.tcpEdge({ ...to(await given.staticBackend()), traffic_policy: { value } }),
      };
    },
    async traffic_policy_partly_enforced() {
      const value = '{"on_tcp_connect":[{"actions":[{"type":"log"}]}]}';
      return {
        object: await given.tcpEdge({ ...to(await given.staticBackend()), traffic_policy: { value } }),
      };
    },
    async match_taken() {
      const served = to(await given.staticBackend());
      const other = await given.route({ ...served, match_type: "exact_path", match: "/über" });
      const object = await given.route({ ...served, edge_id: other["edge_id"], match_type: "exact_path" });
      await given.route({ ...served, edge_id: other["edge_id"], match: "/" });
      await storeMatch(object, "//%C3%BCber");
      return { object, also: [`${other["id"]} match_taken`] };
    },
    async match_unreadable() {
      const object = await given.route(to(await given.staticBackend()));
      await storeMatch(object, "/x/../admin");
      return { object };
    },
    async webhook_not_verified() {
      const object = await given.route(to(await given.staticBackend()));
      await put(`${object["uri"]}/webhook_verification`, { provider: "sns" });
      return { object };
    },
  };

  test("a policy that counts is not enforced next to a circuit breaker", async () => {
    const limit = {
      capacity: 10,
      rate: "60s",
      bucket_key: ["conn.client_ip"],
      algorithm: "sliding_window",
      name: "x",
    };
    const value = JSON.stringify({ on_http_request: [{ actions: [{ type: "rate-limit", config: limit }] }] });
    const route = await given.route({ ...to(await given.staticBackend()), traffic_policy: { value } });
    expect(await problems()).toEqual([]);
    await put(`${route["uri"]}/circuit_breaker`, {});
    expect(await problems()).toEqual([`${route["id"]} traffic_policy_not_enforced`]);
  });

  test.each([
    [
      "an expression",
      { expressions: ["true", "req.methd == 'GET'"], actions: [{ type: "deny" }] },
      "expression 2: Unknown name",
    ],
    ["an action", { actions: [{ type: "deny" }, { type: "denied" }] }, "action 2"],
    ["a missing member", { name: "without actions" }, "rule 2 of on_http_request: "],
  ])("a problem says in words where a policy is wrong: %s", async (_, rule, place) => {
    const value = JSON.stringify({ on_http_request: [{ actions: [{ type: "log" }] }, rule] });
    await given.route({ ...to(await given.staticBackend()), traffic_policy: { value } });
    const { body } = await get("/problems");
    const [{ msg }] = body["problems"];
    expect(msg).toContain("Details: rule 2 of on_http_request");
    expect(msg).toContain(place);
  });

  const partly = "backend_missing response_impossible policy_missing traffic_policy_partly_enforced";
  const answering503 = "match_taken match_unreadable webhook_not_verified";

  test("an edge that loses one of its hostports is served on the others", async () => {
    const backed = to(await given.staticBackend());
    const { id } = await given.tcpEdge({ ...backed, hostports: ["a.example.com:1"] });
    const later = await given.tcpEdge({ ...backed, hostports: ["a.example.com:1", "a.example.com:2"] });
    const listed: Json[] = (await get("/problems")).body["problems"];
    expect(listed).toMatchObject([{ object: later["id"], code: "hostport_taken", effect: "partly" }]);
    expect(await served()).toEqual({ [id]: ["a.example.com:1"], [later["id"]]: ["a.example.com:2"] });
  });

  test("a route without a backend returns 503", async () => {
    await given.route({});
    const listed: Json[] = (await get("/problems")).body["problems"];
    expect(listed).toMatchObject([{ code: "backend_not_set", effect: "answers_503" }]);
  });

  test("there is a situation for each code", () => {
    expect(Object.keys(situations)).toEqual(Object.keys(problemCodes));
  });

  test.each(Object.entries(situations))("%s", async (code, make) => {
    const { object, unserved, also = [] } = await make();
    const isIn = (codes: string): boolean => codes.split(" ").includes(code);
    expect(await problems()).toEqual([`${object["id"]} ${code}`, ...also].toSorted());
    const body = await snapshot();
    const listed: Json[] = (await get("/problems")).body["problems"];
    expect(listed).toEqual(body["problems"].map((each: Json) => ({ ...each, effect: expect.any(String) })));
    const own = listed.find((each) => each["object"] === object["id"] && each["code"] === code);
    expect(own?.["effect"]).toBe(isIn(partly) ? "partly" : isIn(answering503) ? "answers_503" : "not_served");
    if (unserved) expect(edgesOf(body)).not.toContain(unserved["id"]);
    else expect(body["edges"]).toHaveLength(1);
  });

  test("an edge with mutual TLS but no authority would reject every client, so it is not served", async () => {
    const { id } = await given.httpsEdge({ mutual_tls: {} });
    expect(await problems()).toEqual([`${id} authority_missing`]);
    expect(edgesOf(await snapshot())).toEqual([]);
  });

  test("a route that cannot be served keeps its path, without a backend", async () => {
    const route = await given.route(to(await given.staticBackend()));
    await put(`${route["uri"]}/webhook_verification`, { provider: "sns" });
    const { edges, problems: reported } = await snapshot();
    expect(reported[0].msg).toBe(
      "The route returns 503: webhook verification is enabled, but nothing enforces it.",
    );
    const [edge] = edges;
    expect(edge["routes"]).toEqual([{ id: route["id"], match_type: "path_prefix", match: route["match"] }]);
    await put(`${route["uri"]}/webhook_verification`, { enabled: false, provider: "sns" });
    const [served] = (await snapshot())["edges"];
    expect(served["routes"][0]["backend"]).toBeDefined();
    expect(await problems()).toEqual([]);
  });

  test("routes that are read as the same path are not served, and no shorter route gets their requests", async () => {
    await situations["match_taken"]?.();
    const [edge] = (await snapshot())["edges"];
    const hostport = "same.example.com:443";
    await patch(`/edges/https/${edge["id"]}`, { hostports: [hostport] });
    const outcomeOf = async (path: string): Promise<Json> =>
      (
        await post("/simulations", {
          request: { url: `https://${hostport}${path}`, source_ip: "192.0.2.1" },
        })
      ).body["outcome"];
    expect(await outcomeOf("/%C3%BCber")).toMatchObject({
      kind: "not_served",
      problems: [{ code: "match_taken" }],
    });
    expect(await outcomeOf("/%C3%BCbe")).toMatchObject({ kind: "upstream" });
  });

  test("a prefix that ends within an escape keeps its requests from a shorter route", async () => {
    const served = to(await given.staticBackend());
    const { edge_id, id } = await given.route({ ...served, match: "/" });
    const cut = await given.route({ ...served, edge_id, match: "/a" });
    await storeMatch(cut, "/a%2");
    await patch(`/edges/https/${edge_id}`, { hostports: ["cut.example.com:443"] });
    const routeOf = async (path: string): Promise<Json> => {
      const request = { url: `https://cut.example.com:443${path}`, source_ip: "192.0.2.1" };
      const { body } = await post("/simulations", { request });
      return [body["route"]["id"], body["outcome"]["kind"]];
    };
    expect(await routeOf("/a%20")).toEqual([cut["id"], "not_served"]);
    expect(await routeOf("/a")).toEqual([cut["id"], "not_served"]);
    expect(await routeOf("/b")).toEqual([id, "upstream"]);
  });

  test("a traffic policy is in the snapshot, for agents that are configured to ignore it", async () => {
    await given.tcpEdge({ ...to(await given.staticBackend()), traffic_policy: { value: "{}" } });
    const [edge] = (await snapshot())["edges"];
    expect(edge["traffic_policy"]).toMatchObject({ value: "{}" });
  });

  test("are listed by object and code, with pages", async () => {
    const edges: Json[] = [];
    for (let i = 0; i < 3; i++) edges.push(await given.tcpEdge({ hostports: [`a.example.com:${i + 1}`] }));
    await patch(edges[1]?.["uri"], { hostports: ["a.example.com:1"] });
    const expected = [
      `${edges[0]?.["id"]} backend_not_set`,
      `${edges[1]?.["id"]} backend_not_set`,
      `${edges[1]?.["id"]} hostport_taken`,
      `${edges[2]?.["id"]} backend_not_set`,
    ];
    expect(await problems()).toEqual(expected);
    const found: string[] = [];
    let next: string | null = "/problems?limit=1";
    for (; next !== null;) {
      const { body }: { body: Json } = await get(next);
      found.push(...body["problems"].map(({ object, code }: Json) => `${object} ${code}`));
      next = body["next_page_uri"];
    }
    expect(found).toEqual(expected);
  });
});

describe("for Traefik", () => {
  test("has only that proxy's fields, and its own ETag", async () => {
    const backend = await given.staticBackend();
    const { id } = await given.tcpEdge(to(backend));
    const { body, headers } = await get("/snapshot?format=traefik");
    expect(Object.keys(body)).toEqual(["tcp"]);
    expect(JSON.stringify(body)).toContain(id);
    const etag = headers.get("ETag") ?? "";
    expect(etag).not.toBe((await get("/snapshot")).headers.get("ETag"));
    const again = await get("/snapshot?format=traefik", { headers: { "If-None-Match": etag } });
    expect(again.status).toBe(304);
  });

  test("omits configuration that it cannot enforce, and /problems reports that in addition to the other problems", async () => {
    const { id } = await given.tcpEdge(to(await given.httpResponse()));
    const idle = await given.tcpEdge({ hostports: ["idle.example.com:1"] });
    expect((await get("/snapshot?format=traefik")).body).toEqual({});
    const { body } = await get("/problems?format=traefik&limit=1");
    expect(body["problems"]).toMatchObject([{ object: id, code: "not_in_traefik_fixed_response" }]);
    const rest = await get(body["next_page_uri"]);
    expect(rest.body["problems"]).toMatchObject([{ object: idle["id"], code: "backend_not_set" }]);
    expect(await problems()).toEqual([`${idle["id"]} backend_not_set`]);
  });
});

test("failover backends can be nested deeply", async () => {
  let { id } = await given.staticBackend();
  for (let i = 0; i < 50; i++) ({ id } = await given.failover({ backends: [id] }));
  await given.tcpEdge({ backend: { backend_id: id } });
  expect(Object.keys((await snapshot())["backends"])).toHaveLength(51);
});
