// @module-tag thorough
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { clock } from "../packages/model/src/clock.ts";
import { everyMinute } from "../src/background.ts";
import { type Answer, call, del, get, patch, post, put, outcome } from "./support/api.ts";
import * as given from "./support/given.ts";
import { intercepted } from "./support/intercepted.ts";
import type { Json } from "./support/json.ts";
import { toDelete, toPatch, toPost, toPut } from "./support/operations.ts";
import { empty, stored } from "./support/stored.ts";

/*
 * How plans are kept: what outdates them, who may see and apply them, how secrets are stored, and when they are deleted.
 */

beforeEach(() => empty("events"));

const plan = (operations: Json[], token?: string): Promise<Answer> =>
  call("POST", "/plans", { operations }, token === undefined ? {} : { token });
const apply = (made: Answer, token?: string): Promise<Answer> =>
  call("POST", `/plans/${made.body["id"]}/apply`, undefined, {
    headers: { "If-Match": made.headers.get("ETag") ?? "" },
    ...(token !== undefined && { token }),
  });
const codeOf = ({ status, body }: Answer): [number, string | undefined] => [status, body["error_code"]];

const allow = (policy: Json, cidr = "203.0.113.0/24") =>
  toPost("/ip_policy_rules", { ip_policy_id: policy["id"], cidr, action: "allow" });

/** Changes of what the effect of a plan depends on: each is made after the plan. */
const changes: [string, (world: { policy: Json; edge: Json; rule: Json }) => Promise<unknown>][] = [
  [
    "a rule of the policy is added",
    ({ policy }) => given.rule({ ip_policy_id: policy["id"], cidr: "10.0.0.0/8" }),
  ],
  [
    "a rule of the policy is changed",
    ({ rule }) => patch(`/ip_policy_rules/${rule["id"]}`, { cidr: "10.0.0.0/9" }),
  ],
  ["a rule of the policy is deleted", ({ rule }) => del(`/ip_policy_rules/${rule["id"]}`)],
  [
    "all rules of the policy are replaced",
    ({ policy }) => put(`/ip_policies/${policy["id"]}/rules`, { rules: [] }),
  ],
  ["the policy is changed", ({ policy }) => patch(`/ip_policies/${policy["id"]}`, { description: "other" })],
  [
    "an edge that uses the policy is changed",
    ({ edge }) => patch(`/edges/tcp/${edge["id"]}`, { description: "other" }),
  ],
  [
    "a new edge uses the policy",
    ({ policy }) => given.tcpEdge({ ip_restriction: { ip_policy_ids: [policy["id"]] } }),
  ],
  [
    "a new route uses the policy",
    ({ policy }) => given.route({ ip_restriction: { ip_policy_ids: [policy["id"]] } }),
  ],
  ["an edge no longer uses the policy", ({ edge }) => del(`/edges/tcp/${edge["id"]}/ip_restriction`)],
];

describe("a plan is outdated, and nothing is written, if", () => {
  test.each(changes)("%s", async (_, change) => {
    const policy = await given.ipPolicy();
    const rule = await given.rule({ ip_policy_id: policy["id"], cidr: "192.0.2.0/24" });
    const edge = await given.tcpEdge({ ip_restriction: { ip_policy_ids: [policy["id"]] } });
    const made = await plan([allow(policy)]);
    await change({ policy, edge, rule });
    const before = JSON.stringify(await stored());
    expect(codeOf(await apply(made))).toEqual([412, "ERR_PLAN_OUTDATED"]);
    expect(JSON.stringify(await stored())).toBe(before);
    const refreshed = await post(`/plans/${made.body["id"]}/refresh`);
    expect(codeOf(await apply(made))).toEqual([412, "ERR_PRECONDITION_FAILED"]);
    expect((await apply({ ...refreshed, body: made.body })).status).toBe(200);
  });

  const operationsOnEdges: [string, (path: string) => Json][] = [
    ["an edge that it deletes", (path) => toDelete(path)],
    [
      "an edge whose hostports it changes",
      (path) => toPatch(path, { hostports: ["routed.example.com:443"] }),
    ],
  ];
  test.each(operationsOnEdges)("%s gets or loses a route", async (_, operation) => {
    const { id: edge_id, uri } = await given.httpsEdge({ hostports: [] });
    const route = await given.route({ edge_id });
    for (const change of [() => given.route({ edge_id }), () => del(route["uri"])]) {
      const made = await plan([operation(new URL(uri).pathname)]);
      await change();
      expect(codeOf(await apply(made))).toEqual([412, "ERR_PLAN_OUTDATED"]);
    }
  });

  test.each(["shop.example.com:443", "SHOP.example.com.:443"])(
    "another edge claims the hostport as %s",
    async (hostport) => {
      const made = await plan([toPost("/edges/tls", { hostports: ["shop.example.com:443"] })]);
      await post("/edges/tls", { hostports: [hostport] });
      expect(codeOf(await apply(made))).toEqual([412, "ERR_PLAN_OUTDATED"]);
    },
  );

  test("a TCP edge claims the port", async () => {
    const made = await plan([toPost("/edges/tls", { hostports: ["shop.example.com:443"] })]);
    await given.tcpEdge({ hostports: ["192.0.2.1:443"] });
    expect(codeOf(await apply(made))).toEqual([412, "ERR_PLAN_OUTDATED"]);
  });

  test("a rule that the effect depends on has expired", async () => {
    const policy = await given.ipPolicy();
    await given.rule({ ip_policy_id: policy["id"], expires_at: new Date(Date.now() + 60_000).toISOString() });
    const made = await plan([allow(policy)]);
    const { now } = clock;
    clock.now = () => now() + 120_000;
    try {
      expect(codeOf(await apply(made))).toEqual([412, "ERR_PLAN_OUTDATED"]);
    } finally {
      clock.now = now;
    }
  });
});

/** A database in which something else happens before its nth call. */
function interrupted(nth: number, happens: () => Promise<unknown>): { DB: D1Database; calls: () => number } {
  let calls = 0;
  const DB = intercepted(env.DB, async ({ send }) => {
    calls += 1;
    if (calls === nth) await happens();
    return send();
  });
  return { DB, calls: () => calls };
}

describe("between any two round trips", () => {
  const givenWorld = async () => {
    const policy = await given.ipPolicy();
    const rule = await given.rule({ ip_policy_id: policy["id"], cidr: "192.0.2.0/24" });
    const edge = await given.tcpEdge({ ip_restriction: { ip_policy_ids: [policy["id"]] } });
    return { policy, rule, edge };
  };
  /** What a plan shows, with the policy and the edge by the same names in every world. */
  const shown = ({ body }: Answer, { policy, edge }: { policy: Json; edge: Json }): string =>
    JSON.stringify([body["access"], body["problems"]])
      .replaceAll(policy["id"], "policy")
      .replaceAll(edge["id"], "edge");

  test.each(changes)("of applying: %s, and the plan is outdated", async (_, change) => {
    for (let nth = 1; ; nth++) {
      const given = await givenWorld();
      const made = await plan([allow(given.policy)]);
      const { DB, calls } = interrupted(nth, () => change(given));
      const headers = { "If-Match": made.headers.get("ETag") ?? "" };
      const answer = await call("POST", `/plans/${made.body["id"]}/apply`, undefined, {
        headers,
        env: { DB },
      });
      if (calls() < nth) {
        expect(answer.status).toBe(200);
        expect(nth).toBeGreaterThan(2);
        break;
      }
      expect(codeOf(answer), `before call ${nth}`).toEqual([412, "ERR_PLAN_OUTDATED"]);
    }
  });

  test.each(changes)(
    "of planning: %s, and the effect is that of after it, or the plan is outdated",
    async (_, change) => {
      for (let nth = 1; ; nth++) {
        const given = await givenWorld();
        const { DB, calls } = interrupted(nth, () => change(given));
        const operations = [allow(given.policy)];
        const made = await call("POST", "/plans", { operations }, { env: { DB } });
        if (calls() < nth) break;
        expect(made.status, `before call ${nth}`).toBe(201);
        const fresh = await plan(operations);
        const { status } = await apply(made);
        if (status === 200) expect(shown(made, given), `before call ${nth}`).toBe(shown(fresh, given));
        else expect(status).toBe(412);
      }
    },
  );
});

test("a plan that gives an HTTPS edge its first hostport shows the problems of its routes, and one that takes it away too", async () => {
  const { id: edge_id, uri } = await given.httpsEdge({ hostports: [] });
  const route = await given.route({ edge_id });
  const { pathname: path } = new URL(uri);
  const change = (hostports: string[]) => plan([toPatch(path, { hostports })]);
  const opened = await change(["first.example.com:443"]);
  const problem = { object: route["id"], code: "backend_not_set" };
  expect(opened.body["problems"]).toMatchObject({ added: [problem], removed: [] });
  expect((await apply(opened)).status).toBe(200);
  const closed = await change([]);
  expect(closed.body["problems"]).toMatchObject({ added: [], removed: [problem] });
});

test("changes of other objects leave a plan as it is", async () => {
  const [policy, other] = [await given.ipPolicy(), await given.ipPolicy()];
  const made = await plan([allow(policy)]);
  await given.rule({ ip_policy_id: other["id"] });
  await given.tcpEdge({ hostports: ["192.0.2.1:8443"] });
  expect((await apply(made)).status).toBe(200);
});

test("a plan is applied once: again and at the same time, the response is the same", async () => {
  const policy = await given.ipPolicy();
  const made = await plan([allow(policy), toPost("/ip_policies", { description: "new" })]);
  const answers = await Promise.all([apply(made), apply(made), apply(made)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(answers.filter(({ headers }) => headers.has("Idempotent-Replayed"))).toHaveLength(2);
  const again = await call("POST", `/plans/${made.body["id"]}/apply`);
  const ids = [...answers, again].map(({ body }) => body["results"].map((one: Json) => one["body"]?.id));
  expect(new Set(ids.map((list) => list.join())).size).toBe(1);
  expect((await get(`/ip_policy_rules?ip_policy_id=${policy["id"]}`)).body["ip_policy_rules"]).toHaveLength(
    1,
  );
  expect(codeOf(await del(`/plans/${made.body["id"]}`))).toEqual([409, "ERR_CONFLICT"]);
});

test("the events of an applied plan name it and whoever applied it", async () => {
  const planner = await given.key({ role: "planner", description: "proposer" });
  const editor = await given.key({ role: "editor", description: "approver" });
  const made = await plan([toPost("/ip_policies")], planner["token"]);
  expect((await apply(made, editor["token"])).status).toBe(200);
  const [changed, applied, created] = (await get("/events?limit=3")).body["events"];
  expect(changed).toMatchObject({
    event_type: "ip_policy_created.v0",
    plan_id: made.body["id"],
    principal: { id: editor["id"] },
  });
  expect(applied).toMatchObject({
    event_type: "plan_applied.v0",
    object: { state: "applied", applied_by: { id: editor["id"] } },
  });
  expect(created).toMatchObject({
    event_type: "plan_created.v0",
    object: { state: "open" },
    principal: { id: planner["id"] },
  });
  for (const { object } of [applied, created]) expect(Object.keys(object)).not.toContain("operations");
  expect((await get(`/plans/${made.body["id"]}`)).body).toMatchObject({
    state: "applied",
    created_by: { subject: "proposer" },
  });
});

test("a planner sees, refreshes and withdraws plans of its own only, and applies none", async () => {
  const [one, other] = [await given.key({ role: "planner" }), await given.key({ role: "planner" })];
  const made = await plan([toPost("/ip_policies")], one["token"]);
  const path = `/plans/${made.body["id"]}`;
  const as = (key: Json) => ({ token: key["token"] });
  for (const [method, url] of [
    ["GET", path],
    ["POST", `${path}/refresh`],
    ["DELETE", path],
  ] as const)
    expect(outcome(await call(method, url, undefined, as(other)))).toBe("404 ERR_NOT_FOUND");
  expect((await get("/plans", as(other))).body["plans"]).toEqual([]);
  expect((await get("/plans", as(one))).body["plans"]).toHaveLength(1);
  expect((await get("/plans")).body["plans"]).toHaveLength(1);
  expect(outcome(await apply(made, one["token"]))).toBe("403 ERR_FORBIDDEN");
  expect((await call("POST", `${path}/refresh`, undefined, as(one))).status).toBe(200);
  expect((await call("DELETE", path, undefined, as(one))).status).toBe(204);
  expect(codeOf(await apply(made))).toEqual([409, "ERR_CONFLICT"]);
  expect((await get("/plans?state=withdrawn")).body["plans"]).toHaveLength(1);
  expect((await get("/plans?state=open")).body["plans"]).toEqual([]);
});

test("a planner cannot plan what only admins may do, and an editor cannot apply it", async () => {
  const [planner, editor] = [await given.key({ role: "planner" }), await given.key({ role: "editor" })];
  const watching = toPost("/event_subscriptions", { sources: [{ type: "api_key_created.v0" }] });
  expect(codeOf(await plan([watching], planner["token"]))).toEqual([403, "ERR_FORBIDDEN"]);
  const made = await plan([watching]);
  expect(made.status).toBe(201);
  expect(codeOf(await apply(made, editor["token"]))).toEqual([403, "ERR_FORBIDDEN"]);
  expect((await apply(made)).status).toBe(200);
});

test("applying requires the ETag of the plan, not just any", async () => {
  const made = await plan([toPost("/ip_policies")]);
  const path = `/plans/${made.body["id"]}/apply`;
  expect(outcome(await post(path, undefined))).toBe("400 ERR_INVALID_REQUEST");
  expect(outcome(await post(path, undefined, { headers: { "If-Match": "*" } }))).toBe(
    "400 ERR_INVALID_REQUEST",
  );
  expect((await post(path, undefined, { headers: { "If-Match": '"0-1"' } })).status).toBe(412);
  expect((await apply(made)).status).toBe(200);
});

const destination = (id: string) => [
  toPost("/event_destinations", { target: { monitoring_vendor: { api_key: given.SECRET } } }, { name: "d" }),
  toPatch(`/event_destinations/${id}`, {
    target: { monitoring_vendor: { api_key: given.SECRET, service: "edge" } },
  }),
];

test("secrets in operations are sealed and shown nowhere, and are gone once the plan is applied", async () => {
  const { id } = await given.destination();
  const route = await given.route();
  const { pathname } = new URL(route["uri"]);
  const operations = [
    ...destination(id),
    toPut(`${pathname}/webhook_verification/`, { provider: "github", secret: given.SECRET }),
    toPatch(pathname, { webhook_verification: { provider: "gitlab", secret: given.SECRET } }),
  ];
  const made = await plan(operations);
  expect(made.status, made.text).toBe(201);
  const shown = [
    made,
    await post("/previews", { operations }),
    await get(`/plans/${made.body["id"]}`),
    await get("/plans"),
    await get("/events"),
    await post(`/plans/${made.body["id"]}/refresh`),
  ];
  for (const { text } of shown) expect(text).not.toContain(given.SECRET);
  expect(JSON.stringify(await stored())).not.toContain(given.SECRET);
  const applied = await apply({ ...made, headers: shown.at(-1)?.headers ?? made.headers });
  expect(applied.status, applied.text).toBe(200);
  expect(applied.text).not.toContain(given.SECRET);
  const { plans: [row] = [] } = await stored(["plans"]);
  expect(row?.["sealed"]).toBeNull();
  expect(JSON.stringify(await stored())).not.toContain(given.SECRET);
});

test("the path of an operation cannot be written in another way, which would hide that its body has a secret", async () => {
  const { pathname } = new URL((await given.route())["uri"]);
  for (const name of ["webhook%5Fverification", "%77ebhook_verification"]) {
    const made = await plan([toPut(`${pathname}/${name}`, { provider: "github", secret: given.SECRET })]);
    expect(made.status).toBe(400);
    expect(made.text).not.toContain(given.SECRET);
  }
  expect(JSON.stringify(await stored())).not.toContain(given.SECRET);
});

test("the secrets of plans are resealed", async () => {
  const old = { SEALING_KEYS: env.SEALING_KEYS?.split(",").toReversed().join() };
  const { id } = await given.destination();
  const made = await call("POST", "/plans", { operations: destination(id) }, { env: old });
  expect(made.status, made.text).toBe(201);
  const sealed = async () => (await stored(["plans"])).plans?.[0]?.["sealed"];
  const before = await sealed();
  const { body } = await post("/sealed_secrets/reseal", {});
  expect(body).toMatchObject({ unopened: [], unwritten: [], next_before_id: null });
  expect(await sealed()).not.toBe(before);
  expect((await apply(made)).status).toBe(200);
});

test("there are at most 100 plans of a maker that were not applied", async () => {
  const { token } = await given.key({ role: "planner" });
  const operation = toPost("/ip_policies");
  const first = await plan([operation], token);
  const { plans: [row] = [] } = await stored(["plans"]);
  const names = Object.keys(row ?? {});
  const copies = names.map((name) => (name === "id" ? "id || i" : `"${name}"`)).join();
  await env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 98) insert into plans select ${copies} from plans, n`,
  ).run();
  const both = await Promise.all([plan([operation], token), plan([operation], token)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 429]);
  expect((await call("DELETE", `/plans/${first.body["id"]}`, undefined, { token })).status).toBe(204);
  expect(codeOf(await plan([operation], token))).toEqual([429, "ERR_TOO_MANY_PLANS"]);
  expect((await plan([operation])).status).toBe(201);
});

test("plans are deleted a day after they ended, and 30 days after they were applied", async () => {
  const operation = toPost("/ip_policies");
  const [open, withdrawn, applied] = [
    await plan([operation]),
    await plan([operation]),
    await plan([operation]),
  ];
  await del(`/plans/${withdrawn.body["id"]}`);
  await apply(applied);
  const left = async (days: number) => {
    await everyMinute(env, Date.now() + days * 86_400_000 + 60_000);
    const { plans = [] } = await stored(["plans"]);
    return plans.map(({ id }) => id);
  };
  expect(await left(0)).toHaveLength(3);
  expect(await left(1)).toEqual([open, applied].map(({ body }) => body["id"]));
  expect(await left(2)).toEqual([applied.body["id"]]);
  expect(await left(30)).toEqual([]);
});

test("an effect that depends on too many rows leaves out who gets in", async () => {
  const policy = await given.ipPolicy();
  await env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 20001)
     insert into ip_policy_rules (id, created_at, cidr, ip_policy_id, action)
     select 'ipr_' || i, '2026-01-01T00:00:00Z', '10.' || (i >> 8) || '.' || (i & 255) || '.0/24', ?, 'allow' from n`,
  )
    .bind(policy["id"])
    .run();
  const made = await plan([allow(policy)]);
  expect(made.status, made.text).toBe(201);
  expect(made.body).toMatchObject({
    access: null,
    problems: null,
    access_omitted: expect.stringContaining("20000"),
  });
  expect((await apply(made)).status).toBe(200);
});

describe("a plan's size", () => {
  const creations = (count: number) => Array.from({ length: count }, () => toPost("/ip_policies"));

  test("is at most 500 operations", async () => {
    expect(codeOf(await plan(creations(501)))).toEqual([400, "ERR_INVALID_REQUEST"]);
    expect((await plan(creations(500))).status).toBe(201);
  });

  test.each([
    [59, 400],
    [60, 201],
    [604_800, 201],
    [604_801, 400],
  ])("expires_in %d gets %d", async (expires_in, status) => {
    expect((await post("/plans", { operations: creations(1), expires_in })).status).toBe(status);
  });

  test("an effect of more than 500 kB is cut, and says so", async () => {
    const metadata = (fill: string) => fill.repeat(4_000);
    const policies = [];
    for (let i = 0; i < 80; i++) policies.push(await given.ipPolicy({ metadata: metadata("a") }));
    const operations = policies.map(({ id }) => toPatch(`/ip_policies/${id}`, { metadata: metadata("b") }));
    const { status, body } = await plan(operations);
    expect(status).toBe(201);
    expect(body["truncated"]).toBe(true);
    const { changes, access, later, problems } = body;
    const bytes = new TextEncoder().encode(JSON.stringify([changes, access, later, problems])).length;
    // Responses add URIs to what is stored.
    expect(bytes).toBeLessThanOrEqual(510_000);
    expect(bytes).toBeGreaterThan(450_000);
    expect(changes).toHaveLength(80);
  });

  test("with its effect and response is at most 1.9 MB", async () => {
    const operations = Array.from({ length: 240 }, () =>
      toPost("/ip_policies", { metadata: "a".repeat(4_000) }),
    );
    const { status, body } = await plan(operations);
    expect([status, body["error_code"]]).toEqual([413, "ERR_TOO_LARGE"]);
    expect((await plan(operations.slice(0, 100))).status).toBe(201);
  });
});
