import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { clock } from "../packages/model/src/clock.ts";
import { forgetAll } from "../src/http/keys.ts";
import { call, del, get, post, put, routes, outcome } from "./support/api.ts";
import * as given from "./support/given.ts";
import type { Json } from "./support/json.ts";
import { givenPerson } from "./support/people.ts";
import { empty } from "./support/stored.ts";

/*
 * Every way into the API passes the API restriction, and nobody but admins learns what it says.
 */

const OFFICE = "198.51.100.7";
const HOME = "203.0.113.9";

let policy = "";
const tokens: Record<string, string> = {};
const restricted = ["viewer", "planner", "editor", "admin", "agent", "metrics"];

async function setUp(): Promise<void> {
  await empty();
  forgetAll();
  ({ id: policy } = await given.ipPolicy());
  await given.rule({ ip_policy_id: policy, cidr: "198.51.100.0/24", action: "allow" });
  for (const role of restricted) tokens[role] = (await given.key({ role })).token;
}

/** Options of a request with a role's key from an address. */
const as = (role: string, ip: string, headers: Record<string, string> = {}) => ({
  token: tokens[role] ?? "",
  headers: { "CF-Connecting-IP": ip, ...headers },
});

const restrict = (body: Json = {}) => put("/api_restriction", { ip_policy_ids: [policy], ...body });

const closed = routes.filter(({ operation }) => operation.access !== "public");

describe("every operation", () => {
  // A rejected request changes nothing.
  beforeAll(async () => {
    await setUp();
    await restrict({ roles: restricted });
  });

  test.each(closed)(
    "$method $path rejects other addresses before anything else",
    async ({ method, path }) => {
      const at = path.replace(/:\w+/g, "x");
      const body = method === "GET" ? undefined : {};
      for (const role of restricted) {
        const { body: error } = await call(method, at, body, as(role, HOME));
        expect(error["error_code"], role).toBe("ERR_ADDRESS_NOT_ALLOWED");
      }
      for (const variant of [`${at}/`, `${at}?x=1`, at.replace("/", "/%2e/")])
        expect(outcome(await call(method, variant, body, as("admin", HOME))), variant).toBe(
          "403 ERR_ADDRESS_NOT_ALLOWED",
        );
      if (method !== "GET") return;
      expect((await call("HEAD", at, undefined, as("admin", HOME))).status).toBe(403);
      expect(outcome(await get(at, as("admin", HOME, { "If-None-Match": "*" })))).toBe(
        "403 ERR_ADDRESS_NOT_ALLOWED",
      );
    },
  );
});

describe("the restriction", () => {
  beforeEach(setUp);

  test("a session works from allowed addresses only, even to end it", async () => {
    const { cookie } = await givenPerson("admin");
    await restrict();
    const browser = (ip: string) => ({
      headers: {
        Authorization: undefined,
        Cookie: cookie,
        "CF-Connecting-IP": ip,
        "Sec-Fetch-Site": "same-origin",
      },
    });
    for (const [ip, status] of [
      [OFFICE, 200],
      [HOME, 403],
      [OFFICE, 200],
      [HOME, 403],
    ] as const)
      for (const path of ["/ip_policies", "/whoami", "/users/me/keys", "/api_restriction"])
        expect((await get(path, browser(ip))).status, `${path} ${ip}`).toBe(status);
    expect((await del("/auth/session", browser(HOME))).status).toBe(403);
    expect((await del("/auth/session", browser(OFFICE))).status).toBe(200);
  });

  test.each([
    ["2001:DB8::1", 200],
    ["2001:0db8:0000::0001", 200],
    ["::FFFF:C633:6407", 200],
    ["0:0:0:0:0:ffff:198.51.100.7", 200],
    ["::198.51.100.7", 403],
    ["64:ff9b::c633:6407", 403],
    ["2001:db8::1%eth0", 403],
    ["[2001:db8::1]", 403],
    ["198.051.100.007", 403],
    ["::ffff:0198.51.100.7", 403],
    ["3325256711", 403],
    ["0xc6336407", 403],
    ["198.51.25607", 403],
    ["198.51.100.7/32", 403],
    ["203.0.113.9, 198.51.100.7", 403],
    ["198.51.100.7,203.0.113.9", 403],
    ["1".repeat(10_000), 403],
  ])("the address %s", async (ip, status) => {
    await given.rule({ ip_policy_id: policy, cidr: "2001:db8::/32", action: "allow" });
    await restrict();
    expect((await get("/ip_policies", as("viewer", ip))).status).toBe(status);
  });

  test("a replay for an Idempotency-Key is rejected too", async () => {
    await restrict();
    const key = { "Idempotency-Key": "once" };
    expect((await post("/ip_policies", {}, as("editor", OFFICE, key))).status).toBe(201);
    expect((await post("/ip_policies", {}, as("editor", HOME, key))).status).toBe(403);
  });

  test("an agent that waits for changes is rejected if it is shut out meanwhile", async () => {
    await restrict({ roles: restricted });
    const { next } = (await get("/snapshot/changes", as("agent", OFFICE))).body;
    const waiting = get(`/snapshot/changes?since=${next}&wait=5`, as("agent", OFFICE));
    await put(`/ip_policies/${policy}/rules`, { rules: [] });
    const realNow = clock.now;
    const now = realNow() + 21_000;
    clock.now = () => now;
    expect((await waiting).status).toBe(403);
    clock.now = realNow;
  });

  test("only admins see its events, undo them, or subscribe to them", async () => {
    const operation_id = (await restrict()).headers.get("Service-Operation-Id");
    await get("/ip_policies", as("viewer", HOME));
    const { events } = (await get("/events?limit=2")).body;
    for (const role of ["viewer", "planner", "editor"]) {
      for (const query of ["object_id=apr_default", "type=api_restriction_created.v0"])
        expect((await get(`/events?${query}`, as(role, OFFICE))).body["events"]).toEqual([]);
      for (const { event_id } of events)
        expect((await get(`/events/${event_id}`, as(role, OFFICE))).status).toBe(404);
    }
    const undo = await post("/plans", { undo: { operation_id } }, as("editor", OFFICE));
    expect(undo.body["error_code"]).toBe("ERR_CANNOT_UNDO");
    const sources = [{ type: "api_restriction_refused.v0" }];
    const subscription = await post("/event_subscriptions", { sources }, as("editor", OFFICE));
    expect(subscription.body["error_code"]).toBe("ERR_FORBIDDEN");
    expect(subscription.body["msg"]).toContain("api_restriction_*");
  });

  test("it is among the users of a policy, wherever a page ends", async () => {
    await restrict();
    await given.tcpEdge({ ip_restriction: { ip_policy_ids: [policy] } });
    const page = (query: string) =>
      get(`/ip_policies/${policy}/used_by?limit=1${query}`, as("viewer", OFFICE));
    const first = (await page("")).body;
    const second = (await page(`&before_id=${first["used_by"][0].id}`)).body;
    expect(second["used_by"]).toMatchObject([{ id: "apr_default" }]);
    expect((await page("&before_id=apr_default")).body["used_by"]).toEqual([]);
  });
});
