import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { clock } from "../packages/model/src/clock.ts";
import { takeNotes } from "../src/delivery/notes.ts";
import { forgetAll } from "../src/http/keys.ts";
import { call, del, get, post, put } from "./support/api.ts";
import * as given from "./support/given.ts";
import type { Json } from "./support/json.ts";
import { toPost } from "./support/operations.ts";
import { givenPerson } from "./support/people.ts";
import { empty } from "./support/stored.ts";

/*
 * Attempts to get around the API restriction, and rejections of those whom it does not concern.
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
  for (const role of ["viewer", "editor", "admin"]) tokens[role] = (await given.key({ role })).token;
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

test("an admin applies a plan with a tool for AI agents", async () => {
  await restrict();
  const { id: other } = await given.ipPolicy();
  const body = { ip_policy_id: other, cidr: "192.0.2.0/24", action: "allow" };
  for (const ip_policy_id of [other, policy]) {
    const operations = [toPost("/ip_policy_rules", { ...body, ip_policy_id })];
    const plan = await post("/plans", { operations }, as("admin", OFFICE));
    const applied = await post(
      "/mcp",
      {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: {
          name: "apply_plan",
          arguments: { plan_id: plan.body["id"], etag: plan.headers.get("ETag") },
        },
      },
      as("admin", OFFICE, { Accept: "application/json, text/event-stream" }),
    );
    expect(applied.body["result"]?.structuredContent, applied.text).toMatchObject({
      results: [{ status: 201 }],
    });
  }
});

test("somebody who is let in until a rule expires can change other policies", async () => {
  await restrict();
  const { id: other } = await given.ipPolicy();
  const expires_at = new Date(clock.now() + 3_600_000).toISOString();
  await given.rule({ ip_policy_id: policy, cidr: `${HOME}/32`, action: "allow", expires_at });
  const rule = { ip_policy_id: other, cidr: "192.0.2.0/24", action: "allow" };
  for (const role of ["editor", "admin"])
    expect((await post("/ip_policy_rules", rule, as(role, HOME))).body, role).toMatchObject({
      cidr: rule.cidr,
    });
  const named = { ...rule, ip_policy_id: policy };
  expect((await post("/ip_policy_rules", named, as("admin", HOME))).body["error_code"]).toBe("ERR_LOCK_OUT");
});

/** The headers of admins, and a statement by which another isolate ends what they may do. */
const former: [
  name: string,
  given: () => Promise<[headers: Record<string, string | undefined>, end: string]>,
][] = [
  [
    "a key that was revoked",
    async () => {
      const { token } = await given.key({ role: "admin" });
      return [{ Authorization: `Bearer ${token}` }, "delete from api_keys"];
    },
  ],
  [
    "a session that was ended",
    async () => {
      const { cookie } = await givenPerson("admin");
      return [
        { Authorization: undefined, Cookie: cookie, "Sec-Fetch-Site": "same-origin" },
        "delete from sessions",
      ];
    },
  ],
  [
    "the personal key of somebody who is no longer an admin",
    async () => {
      const { cookie } = await givenPerson("admin");
      const headers = { Authorization: undefined, Cookie: cookie, "Sec-Fetch-Site": "same-origin" };
      const { token } = (
        await post("/users/me/keys", {}, { headers: { ...headers, "CF-Connecting-IP": OFFICE } })
      ).body;
      return [{ Authorization: `Bearer ${token}` }, "update users set provider_role = 'editor'"];
    },
  ],
];

test.each(former)("%s elsewhere no longer changes the policies, in any way", async (_, given) => {
  await restrict();
  const [own, end] = await given();
  const options = (more: Record<string, string> = {}) => ({
    headers: { ...own, "CF-Connecting-IP": OFFICE, ...more },
  });
  const rule = { ip_policy_id: policy, cidr: "0.0.0.0/0", action: "allow" };
  const operations = [toPost("/ip_policy_rules", rule)];
  const plan = await post("/plans", { operations }, options());
  expect(plan.status, plan.text).toBe(201);
  await env.DB.prepare(end).run();
  const ways: [string, object | undefined, Record<string, string>?][] = [
    ["/ip_policy_rules", rule],
    ["/transactions", { operations }],
    [`/plans/${plan.body["id"]}/apply`, undefined, { "If-Match": plan.headers.get("ETag") ?? "" }],
  ];
  for (const [path, body, more] of ways)
    expect((await call("POST", path, body, options(more))).status, path).toBe(401);
});

test("an attacker who was just locked out cannot let themselves back in", async () => {
  await restrict();
  const { id } = await given.rule({ ip_policy_id: policy, cidr: `${HOME}/32`, action: "allow" });
  expect((await get("/ip_policies", as("admin", HOME))).status).toBe(200);
  expect((await del(`/ip_policy_rules/${id}`, as("admin", OFFICE))).status).toBe(204);
  const again = { ip_policy_id: policy, cidr: `${HOME}/32`, action: "allow" };
  const answer = await post("/ip_policy_rules", again, as("admin", HOME));
  expect(answer.body).toMatchObject({ error_code: "ERR_ADDRESS_NOT_ALLOWED" });
});

test("of two admins who each leave only their own rule at the same moment, one is rejected", async () => {
  await restrict();
  await given.rule({ ip_policy_id: policy, cidr: `${HOME}/32`, action: "allow" });
  const statuses = await Promise.all(
    [OFFICE, HOME].map((ip) =>
      put(
        `/ip_policies/${policy}/rules`,
        { rules: [{ cidr: `${ip}/32`, action: "allow" }] },
        as("admin", ip),
      ),
    ),
  );
  expect(statuses.map(({ status }) => status).toSorted()).toEqual([200, 403]);
});

test("the path of an unknown policy is that in the request", async () => {
  const unknown = "ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX";
  const { body } = await restrict({ ip_policy_ids: [policy, policy, unknown] });
  expect(body["errors"]).toMatchObject([{ path: "/ip_policy_ids/2" }]);
});

describe("rejected callers", () => {
  /** A limiter that allows three failures per network for the whole test. */
  const limited = (more: { API_RESTRICTION?: string } = {}) => {
    const counts = new Map<string, number>();
    const FAILED_AUTHENTICATION_LIMIT: RateLimit = {
      async limit({ key }) {
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        return { success: count <= 3 };
      },
    };
    return { FAILED_AUTHENTICATION_LIMIT, ...more };
  };

  test.each([
    ["one address", () => HOME],
    ["the addresses of one network", (n: number) => `2001:db8::${n}`],
  ])("from %s count as failed authentications, and need no query over the limit", async (_, addressOf) => {
    await restrict();
    for (const path of ["/ip_policies", "/whoami"]) {
      forgetAll();
      const env = limited();
      const seen: [number, boolean][] = [];
      for (let n = 0; n < 6; n++) {
        const { status, cost } = await get(path, { ...as("viewer", addressOf(n)), env });
        seen.push([status, cost.roundTrips > 0]);
      }
      expect(seen.slice(0, 3).map(([status]) => status)).toEqual([403, 403, 403]);
      expect(seen.slice(3)).toEqual([
        [429, false],
        [429, false],
        [429, false],
      ]);
    }
  });

  test("do not count if they are let in after all, whether by their role or by a variable", async () => {
    await restrict({ roles: ["editor"] });
    for (const [role, env] of [
      ["admin", limited()],
      ["editor", limited({ API_RESTRICTION: "off" })],
    ] as const) {
      let now = realNow();
      for (let n = 0; n < 6; n++) {
        now += 21_000;
        const later = now;
        clock.now = () => later;
        expect((await get("/ip_policies", { ...as(role, HOME), env })).status).toBe(200);
        if (role === "admin")
          expect((await get("/api_restriction", { ...as(role, HOME), env })).status).toBe(200);
      }
    }
  });

  test("are in the log with their key", async () => {
    await restrict();
    const info = vi.spyOn(console, "info").mockReturnValue();
    await get("/ip_policies", as("viewer", HOME));
    const lines = info.mock.calls.map(([line]) => String(line));
    info.mockRestore();
    const id = `ak_${tokens["viewer"]?.slice(0, 27)}`;
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([{ status: 403, key_id: id }]);
  });

  test("wake the delivery of events only if they are recorded", async () => {
    await restrict();
    const woken: number[] = [];
    for (let n = 0; n < 65; n++) {
      takeNotes();
      await get("/ip_policies", as("viewer", HOME));
      woken.push(takeNotes().types.filter((type) => type === "api_restriction_refused.v0").length);
    }
    expect(woken.filter((count) => count > 0)).toHaveLength(60);
  });
});
