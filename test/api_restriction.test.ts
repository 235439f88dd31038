import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clock } from "../packages/model/src/clock.ts";
import { forgetAll } from "../src/http/keys.ts";
import { newToken } from "../src/http/tokens.ts";
import { type Answer, call, del, get, patch, post, put, outcome } from "./support/api.ts";
import { runs } from "./support/effort.ts";
import * as given from "./support/given.ts";
import type { Json } from "./support/json.ts";
import { toPost } from "./support/operations.ts";
import { empty } from "./support/stored.ts";

/*
 * The API restriction: from which addresses the API can be called.
 */

const OFFICE = "198.51.100.7";
const HOME = "203.0.113.9";

let policy = "";
const tokens: Record<string, string> = {};
const realNow = clock.now;

beforeEach(async () => {
  await empty();
  forgetAll();
  ({ id: policy } = await given.ipPolicy());
  await given.rule({ ip_policy_id: policy, cidr: "198.51.100.0/24", action: "allow" });
  for (const role of ["viewer", "editor", "admin", "agent", "metrics"])
    tokens[role] = (await given.key({ role })).token;
});

afterEach(() => {
  clock.now = realNow;
});

/** Options of a request with a role's key from an address. */
const as = (role: string, ip?: string, headers: Record<string, string> = {}) => ({
  token: tokens[role] ?? "",
  headers: { "CF-Connecting-IP": ip, ...headers },
});

const restrict = (body: Json = {}) => put("/api_restriction", { ip_policy_ids: [policy], ...body });

/** Applies a plan from the office. */
const applying = ({ body, headers }: Answer, role: string) =>
  call(
    "POST",
    `/plans/${body["id"]}/apply`,
    undefined,
    as(role, OFFICE, { "If-Match": headers.get("ETag") ?? "" }),
  );

/** Waits until the isolate's cache of keys has expired. */
const expireCache = () => {
  const now = clock.now();
  clock.now = () => now + 21_000;
};

const seen = async (role: string, ip?: string): Promise<number> =>
  (await get(role === "metrics" ? "/metrics" : role === "agent" ? "/snapshot" : "/ip_policies", as(role, ip)))
    .status;

describe("set", () => {
  test("it can be read, replaced and deleted, with ETags and events", async () => {
    expect(outcome(await get("/api_restriction"))).toBe("404 ERR_NOT_FOUND");
    const { status, body, headers } = await restrict();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: "apr_default",
      uri: "https://api.test/api_restriction",
      enabled: true,
      ip_policies: [{ id: policy }],
      roles: ["viewer", "planner", "editor", "admin"],
    });
    const etag = headers.get("ETag") ?? "";
    expect((await get("/api_restriction")).headers.get("ETag")).toBe(etag);
    const changed = await put(
      "/api_restriction",
      { enabled: false, ip_policy_ids: [policy], roles: ["editor", "viewer"] },
      { headers: { "If-Match": etag } },
    );
    expect(changed.body).toMatchObject({ enabled: false, roles: ["viewer", "editor"] });
    expect(
      (await put("/api_restriction", { ip_policy_ids: [policy] }, { headers: { "If-Match": etag } })).status,
    ).toBe(412);
    expect((await del("/api_restriction")).status).toBe(204);
    expect(outcome(await get("/api_restriction"))).toBe("404 ERR_NOT_FOUND");
    expect((await del("/api_restriction")).status).toBe(204);
    const { events } = (await get("/events?limit=3")).body;
    expect(events.map(({ event_type }: Json) => event_type)).toEqual([
      "api_restriction_deleted.v0",
      "api_restriction_updated.v0",
      "api_restriction_created.v0",
    ]);
    expect(events[1].object).toMatchObject({ enabled: false, ip_policies: [{ id: policy }] });
  });

  test("with policies that exist", async () => {
    const { body } = await restrict({ ip_policy_ids: [policy, "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"] });
    expect(body["errors"]).toMatchObject([{ path: "/ip_policy_ids/1" }]);
  });
});

describe("callers", () => {
  beforeEach(() => restrict());

  test("from other addresses are rejected, unless their role is exempt or the key is the root key", async () => {
    for (const role of ["viewer", "editor", "admin"]) {
      expect(await seen(role, OFFICE), role).toBe(200);
      expect(await seen(role, HOME), role).toBe(403);
      expect(await seen(role), role).toBe(403);
    }
    for (const role of ["agent", "metrics"]) expect(await seen(role, HOME), role).toBe(200);
    expect((await get("/ip_policies", { headers: { "CF-Connecting-IP": HOME } })).status).toBe(200);
    const { body } = await get("/ip_policies", as("viewer", HOME));
    expect(body).toMatchObject({ error_code: "ERR_ADDRESS_NOT_ALLOWED", details: { address: HOME } });
  });

  test("are rejected before their role is, and after their key is", async () => {
    expect((await del(`/ip_policies/${policy}`, as("viewer", HOME))).body["error_code"]).toBe(
      "ERR_ADDRESS_NOT_ALLOWED",
    );
    const unknown = { token: newToken(`ak_${"1".repeat(27)}`), headers: { "CF-Connecting-IP": HOME } };
    expect((await get("/ip_policies", unknown)).body["error_code"]).toBe("ERR_UNAUTHENTICATED");
  });

  test("cannot choose their address by a header", async () => {
    for (const name of ["X-Forwarded-For", "Forwarded", "X-Real-IP", "True-Client-IP"])
      expect(outcome(await get("/ip_policies", as("viewer", HOME, { [name]: OFFICE }))), name).toBe(
        "403 ERR_ADDRESS_NOT_ALLOWED",
      );
    for (const ip of [`${OFFICE}, ${HOME}`, "", "office", `${OFFICE}:443`])
      expect(outcome(await get("/ip_policies", as("viewer", ip))), ip).toBe("403 ERR_ADDRESS_NOT_ALLOWED");
  });

  test("with IPv4-mapped addresses count as IPv4", async () => {
    expect(await seen("viewer", `::ffff:${OFFICE}`)).toBe(200);
    expect(await seen("viewer", `::ffff:${HOME}`)).toBe(403);
    expect(await seen("viewer", "2001:db8::1")).toBe(403);
    await given.rule({ ip_policy_id: policy, cidr: "2001:db8::/32", action: "allow" });
    expireCache();
    expect(await seen("viewer", "2001:db8::1")).toBe(200);
  });

  test("cannot pass through transactions, plans, sign-ins or /mcp either", async () => {
    const operations = [toPost("/ip_policies")];
    expect(outcome(await post("/transactions", { operations }, as("editor", HOME)))).toBe(
      "403 ERR_ADDRESS_NOT_ALLOWED",
    );
    expect(outcome(await post("/plans", { operations }, as("editor", HOME)))).toBe(
      "403 ERR_ADDRESS_NOT_ALLOWED",
    );
    const headers = { Authorization: undefined, "Sec-Fetch-Site": "same-origin", "CF-Connecting-IP": HOME };
    const session = await post("/auth/key", { token: tokens["admin"] }, { headers });
    expect(session.status).toBe(403);
    const called = await call(
      "POST",
      "/mcp",
      { jsonrpc: "2.0", id: 1, method: "tools/list" },
      as("viewer", HOME),
    );
    expect(called.status).toBe(403);
  });

  test("are looked up again after 20 seconds, each address by itself", async () => {
    expect(await seen("viewer", OFFICE)).toBe(200);
    const { id } = await given.rule({ ip_policy_id: policy, cidr: `${OFFICE}/32`, action: "deny" });
    expect(await seen("viewer", OFFICE)).toBe(200);
    expect(await seen("viewer", "198.51.100.8")).toBe(200);
    expireCache();
    expect(await seen("viewer", OFFICE)).toBe(403);
    expect(await seen("viewer", "198.51.100.8")).toBe(200);
    await del(`/ip_policy_rules/${id}`);
  });

  test("with one key are each judged by their own address, however quickly they alternate", async () => {
    const now = clock.now();
    clock.now = () => now;
    for (let round = 0; round < 3; round++)
      for (const [ip, status] of [
        [OFFICE, 200],
        [HOME, 403],
      ] as const)
        expect(await seen("viewer", ip), `${ip}, round ${round}`).toBe(status);
  });

  test("are let in again if the restriction is disabled, deleted, or switched off", async () => {
    const off = { ...as("viewer", HOME), env: { API_RESTRICTION: "off" } };
    expect((await get("/ip_policies", off)).status).toBe(200);
    expect(await seen("viewer", HOME)).toBe(403);
    await restrict({ enabled: false });
    expect(await seen("viewer", HOME)).toBe(200);
    await restrict();
    expect(await seen("viewer", HOME)).toBe(403);
    await del("/api_restriction");
    expect(await seen("viewer", HOME)).toBe(200);
  });

  test("that are rejected are recorded, 60 an hour at most", async () => {
    for (let n = 0; n < 70; n++) await seen("viewer", HOME);
    const { events } = (await get("/events?limit=100")).body;
    const refused = events.filter(({ event_type }: Json) => event_type === "api_restriction_refused.v0");
    expect(refused).toHaveLength(60);
    expect(refused[0]).toMatchObject({
      object: { id: "apr_default", uri: "https://api.test/api_restriction", ip: HOME },
      principal: { source: "API", credential: { id: expect.stringMatching(/^ak_/) } },
    });
    const shown = await get("/events?limit=100", as("viewer", OFFICE));
    expect(shown.text).not.toContain("api_restriction");
  });
});

test("cost one round trip with the key, and none while the isolate knows key and address", async () => {
  await restrict();
  // The use of the key is noted.
  await seen("viewer", OFFICE);
  expireCache();
  const cost = async (ip: string) => (await get("/whoami", as("viewer", ip))).cost.roundTrips;
  expect([await cost(OFFICE), await cost(OFFICE), await cost("198.51.100.8"), await cost(OFFICE)]).toEqual([
    1, 0, 1, 0,
  ]);
});

describe("the policies that it names", () => {
  beforeEach(() => restrict());

  const rule = (ip: string, action = "allow") => ({ ip_policy_id: policy, cidr: `${ip}/32`, action });

  test("and their rules are changed only by admins, in any way", async () => {
    const { id: other } = await given.ipPolicy();
    const [{ id }] = (await get(`/ip_policy_rules?ip_policy_id=${policy}`)).body["ip_policy_rules"];
    const ways: [string, string, Json?][] = [
      ["POST", "/ip_policy_rules", rule(HOME)],
      ["PATCH", `/ip_policy_rules/${id}`, { description: "x" }],
      ["DELETE", `/ip_policy_rules/${id}`],
      ["PUT", `/ip_policies/${policy}/rules`, { rules: [{ cidr: "0.0.0.0/0", action: "allow" }] }],
      ["PATCH", `/ip_policies/${policy}`, { description: "x" }],
    ];
    for (const [method, path, body] of ways) {
      const alone = await call(method, path, body, as("editor", OFFICE));
      expect(alone.body, `${method} ${path}`).toMatchObject({ error_code: "ERR_FORBIDDEN" });
      // Another operation of the same form comes first.
      const operations = [
        toPost("/ip_policy_rules", { ...rule(HOME), ip_policy_id: other }),
        { method, path, ...(body && { body }) },
        toPost("/ip_policies"),
      ];
      const among = await post("/transactions", { operations }, as("editor", OFFICE));
      expect(among.body, `${method} ${path}`).toMatchObject({ error_code: "ERR_FORBIDDEN" });
      const plan = await post("/plans", { operations }, as("editor", OFFICE));
      expect(plan.status, plan.text).toBe(201);
      const applied = await applying(plan, "editor");
      expect(applied.body, `${method} ${path}`).toMatchObject({ error_code: "ERR_FORBIDDEN" });
    }
    expect(
      (await post("/ip_policy_rules", { ...rule(HOME), ip_policy_id: other }, as("editor", OFFICE))).status,
    ).toBe(201);
    expect((await post("/ip_policy_rules", rule(HOME), as("admin", OFFICE))).status).toBe(201);
  });

  test("cannot be deleted, and say that it uses them", async () => {
    const { body, status } = await del(`/ip_policies/${policy}`);
    expect([status, body["error_code"], body["details"].used_by]).toEqual([409, "ERR_IN_USE", "apr_default"]);
    await given.tcpEdge({ ip_restriction: { ip_policy_ids: [policy] } });
    const { used_by } = (await get(`/ip_policies/${policy}/used_by`)).body;
    expect(used_by).toContainEqual({ id: "apr_default", uri: "https://api.test/api_restriction" });
    await del("/api_restriction");
    expect((await del(`/ip_policies/${policy}`)).status).toBe(204);
  });
});

describe("nobody locks themselves out", () => {
  const lockedOut = async (method: string, path: string, body: Json | undefined, ip?: string) => {
    const { status, body: answer } = await call(method, path, body, as("admin", ip));
    if (status < 300) return false;
    expect(answer["error_code"]).toBe("ERR_LOCK_OUT");
    expect(answer["details"].address).toBe(ip ?? "");
    return true;
  };

  test("by setting it", async () => {
    const body = { ip_policy_ids: [policy] };
    expect(await lockedOut("PUT", "/api_restriction", body, HOME)).toBe(true);
    expect(await lockedOut("PUT", "/api_restriction", body)).toBe(true);
    expect(await lockedOut("PUT", "/api_restriction", { ...body, enabled: false }, HOME)).toBe(false);
    expect(await lockedOut("PUT", "/api_restriction", { ...body, roles: ["editor"] }, HOME)).toBe(false);
    expect(await lockedOut("PUT", "/api_restriction", body, OFFICE)).toBe(false);
    expect((await restrict()).status).toBe(200);
  });

  test("by changing rules, alone, in a transaction, or by a plan", async () => {
    await restrict();
    const [{ id }] = (await get(`/ip_policy_rules?ip_policy_id=${policy}`)).body["ip_policy_rules"];
    const deny = { ip_policy_id: policy, cidr: `${OFFICE}/32`, action: "deny" };
    const ways: [string, string, Json?][] = [
      ["DELETE", `/ip_policy_rules/${id}`],
      ["PATCH", `/ip_policy_rules/${id}`, { cidr: "192.0.2.0/24" }],
      ["POST", "/ip_policy_rules", deny],
      ["POST", "/ip_policy_rules", { ...deny, expires_at: new Date(clock.now() + 60_000).toISOString() }],
      ["PUT", `/ip_policies/${policy}/rules`, { rules: [] }],
    ];
    for (const [method, path, body] of ways) {
      expect(await lockedOut(method, path, body, OFFICE), `${method} ${path}`).toBe(true);
      const operations = [{ method, path, ...(body && { body }) }];
      expect(await lockedOut("POST", "/transactions", { operations }, OFFICE)).toBe(true);
      const plan = await post("/plans", { operations }, as("admin", OFFICE));
      expect((await applying(plan, "admin")).body["error_code"]).toBe("ERR_LOCK_OUT");
    }
    const { events } = (await get("/events?limit=1")).body;
    expect(events[0].event_type).toBe("plan_created.v0");
    expect(await seen("admin", OFFICE)).toBe(200);
  });

  test("by relying on a rule that expires", async () => {
    const expires_at = new Date(clock.now() + 3_600_000).toISOString();
    await given.rule({ ip_policy_id: policy, cidr: `${HOME}/32`, action: "allow", expires_at });
    expect(await lockedOut("PUT", "/api_restriction", { ip_policy_ids: [policy] }, HOME)).toBe(true);
  });

  test("unless the restriction is switched off by a variable", async () => {
    const off = { ...as("admin", HOME), env: { API_RESTRICTION: "off" } };
    expect((await put("/api_restriction", { ip_policy_ids: [policy] }, off)).status).toBe(200);
  });

  test("if two admins each remove the other's rule at the same moment, one is rejected", async () => {
    await given.rule({ ip_policy_id: policy, cidr: `${HOME}/32`, action: "allow" });
    await restrict();
    const rules: Json[] = (await get(`/ip_policy_rules?ip_policy_id=${policy}`)).body["ip_policy_rules"];
    const ofHome = rules.find(({ cidr }) => cidr === `${HOME}/32`)?.["id"];
    const ofOffice = rules.find(({ cidr }) => cidr !== `${HOME}/32`)?.["id"];
    const statuses = await Promise.all([
      del(`/ip_policy_rules/${ofHome}`, as("admin", OFFICE)),
      del(`/ip_policy_rules/${ofOffice}`, as("admin", HOME)),
    ]);
    // The first change shuts out the other admin, who may then change nothing.
    expect(statuses.map(({ status }) => status).toSorted()).toEqual([204, 403]);
    expireCache();
    expect([await seen("admin", OFFICE), await seen("admin", HOME)].toSorted()).toEqual([200, 403]);
  });
});

test("it lets in whom the access check of its policies lets in", async () => {
  const range = fc.constantFrom(
    "198.51.100.0/24",
    "198.51.100.7/32",
    "0.0.0.0/0",
    "2001:db8::/33",
    "::/0",
    "::ffff:0:0/96",
    "203.0.113.8/31",
  );
  const rules = fc.array(fc.record({ cidr: range, action: fc.constantFrom("allow", "deny") }), {
    maxLength: 4,
  });
  const ips = [OFFICE, HOME, "2001:db8::1", "2001:db8:8000::1", `::ffff:${OFFICE}`];
  await fc.assert(
    fc.asyncProperty(rules, rules, async (one, other) => {
      const ids: string[] = [];
      for (const wanted of [one, other]) {
        const { id } = await given.ipPolicy();
        await put(`/ip_policies/${id}/rules`, { rules: wanted });
        ids.push(id);
      }
      await restrict({ ip_policy_ids: ids });
      const edge = await given.tcpEdge({ ip_restriction: { ip_policy_ids: ids } });
      for (const ip of ips) {
        const { allowed } = (await get(`/edges/tcp/${edge["id"]}/access?ip=${ip}`)).body;
        expect(await seen("viewer", ip), ip).toBe(allowed === true ? 200 : 403);
      }
      await patch(`/edges/tcp/${edge["id"]}`, { ip_restriction: { enabled: false } });
      await env.DB.prepare("delete from tcp_edges").run();
    }),
    runs(30),
  );
});
