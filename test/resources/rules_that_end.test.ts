import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clock, timestamp } from "../../src/clock.ts";
import { newCost } from "../../src/db/calls.ts";
import { Session } from "../../src/db/database.ts";
import { endedRules } from "../../src/db/ip_rule_statements.ts";
import { del, get, patch, post } from "../api.ts";
import { emptied } from "../emptied.ts";
import { givenIpPolicy, givenRule } from "../given.ts";
import type { Json } from "../json.ts";

/*
 * `expires_at` of IP policy rules. What it means for who gets in is in access.test.ts.
 */

const realNow = clock.now;
const start = Math.floor(Date.now() / 1000) * 1000;
const at = (seconds: number): string => timestamp(start + seconds * 1000);

beforeEach(() => {
  clock.now = () => start;
});
afterEach(() => {
  clock.now = realNow;
});

const NOT_IN_THE_FUTURE = [{ path: "/expires_at", msg: "Expected a time in the future." }];
const NOT_AN_INSTANT = [
  { path: "/expires_at", msg: "Expected an RFC 3339 date and time, such as 2030-01-02T03:04:05Z." },
];

async function bodyFor(given: Json = {}): Promise<Json> {
  return { cidr: "192.0.2.0/24", action: "allow", ip_policy_id: (await givenIpPolicy())["id"], ...given };
}

test("is shown in UTC, in whole seconds, and only when it is set", async () => {
  const rule = await givenRule(await bodyFor());
  expect(rule).not.toHaveProperty("expires_at");
  const { uri } = await givenRule(await bodyFor({ expires_at: "2050-01-01T02:00:00.75+02:00" }));
  expect((await get(uri)).body.expires_at).toBe("2050-01-01T00:00:00Z");
  expect((await patch(uri, { description: "x" })).body.expires_at).toBe("2050-01-01T00:00:00Z");
  expect((await patch(uri, { expires_at: at(60) })).body.expires_at).toBe(at(60));
  expect((await patch(uri, { expires_at: null })).body.expires_at).toBe(at(60));
  expect((await patch(uri, { expires_at: "" })).body).not.toHaveProperty("expires_at");
  expect((await get(uri)).body).not.toHaveProperty("expires_at");
  expect(await givenRule(await bodyFor({ expires_at: "" }))).not.toHaveProperty("expires_at");
});

test("is in the future when it is written", async () => {
  const body = await bodyFor();
  const { uri } = await givenRule(body);
  const before = (await get(uri)).text;
  for (const [expires_at, isLate] of [
    [at(-1), true],
    [at(0), true],
    [`${at(0).slice(0, -1)}.999Z`, true],
    ["2001-01-01T00:00:00Z", true],
    [at(1), false],
  ] as const) {
    const created = await post("/ip_policy_rules", { ...body, expires_at });
    expect([created.status, created.body.errors], expires_at).toEqual(
      isLate ? [400, NOT_IN_THE_FUTURE] : [201, undefined],
    );
    const changed = await patch(uri, { expires_at });
    expect([changed.status, changed.body.errors]).toEqual(
      isLate ? [400, NOT_IN_THE_FUTURE] : [200, undefined],
    );
    if (isLate) expect((await get(uri)).text).toBe(before);
  }
});

test.each([
  "never",
  "2050-01-01",
  "2050-02-30T00:00:00Z",
  `2050-01-01T02:00:00.${"1".repeat(15)}+02:00`,
  " ",
])("is not %j", async (expires_at) => {
  const { uri } = await givenRule(await bodyFor());
  for (const answer of [
    await post("/ip_policy_rules", await bodyFor({ expires_at })),
    await patch(uri, { expires_at }),
  ])
    expect([answer.status, answer.body.errors]).toEqual([400, NOT_AN_INSTANT]);
});

test("an error of it stands beside others, and before those of references", async () => {
  const { uri } = await givenRule(await bodyFor());
  const changed = await patch(uri, { expires_at: at(-1), cidr: "x" });
  expect(changed.body.errors.map(({ path }: Json) => path).toSorted()).toEqual(["/cidr", "/expires_at"]);
  const missing = await post(
    "/ip_policy_rules",
    await bodyFor({ expires_at: at(-1), ip_policy_id: "ipp_none" }),
  );
  expect([missing.body.error_code, missing.body.errors]).toEqual(["ERR_INVALID_REQUEST", NOT_IN_THE_FUTURE]);
  const gone = await patch("/ip_policy_rules/ipr_none", { expires_at: at(-1) });
  expect([gone.status, gone.body.errors]).toEqual([400, NOT_IN_THE_FUTURE]);
});

test("a replay is answered even after it, and nothing else is", async () => {
  const body = await bodyFor({ expires_at: at(10) });
  const send = (key: string, sent: Json = body) =>
    post("/ip_policy_rules", sent, { headers: { "Idempotency-Key": key } });
  const first = await send("one");
  expect(first.status).toBe(201);
  clock.now = () => start + 60_000;
  const replay = await send("one");
  expect([replay.status, replay.text, replay.headers.get("Idempotent-Replayed")]).toEqual([
    201,
    first.text,
    "true",
  ]);
  expect(replay.cost.rowsWritten).toBe(0);
  for (const answer of [await send("two"), await post("/ip_policy_rules", body)])
    expect([answer.status, answer.body.errors]).toEqual([400, NOT_IN_THE_FUTURE]);
  expect((await send("one", { ...body, cidr: "192.0.2.0/25" })).status).toBe(422);
  await del(first.body.uri);
  expect((await send("one")).text).toBe(first.text);
  // A refused request does not use up its key.
  expect((await send("two", { ...body, expires_at: at(120) })).status).toBe(201);
});

test("past it, the rule is shown until it is deleted", async () => {
  const rule = await givenRule(await bodyFor({ expires_at: at(10) }));
  clock.now = () => start + 3_600_000;
  expect((await get(rule["uri"])).body).toEqual(rule);
  expect((await get("/ip_policy_rules?limit=1")).body.ip_policy_rules).toEqual([rule]);
  const { body } = await patch(rule["uri"], { description: "x" });
  expect(body).toEqual({ ...rule, description: "x" });
});

describe("the rules that have ended", () => {
  beforeEach(emptied);

  test("are found, oldest end first and a few at a time, without reading others", async () => {
    const { id } = await givenIpPolicy();
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
       insert into ip_policy_rules (id, created_at, cidr, ip_policy_id, action, expires_at)
       select printf('ipr_%027d', i), ?1, '192.0.2.0/24', ?2, 'allow', iif(i % 3, null, iif(i % 2, '2050-01-01T00:00:00Z', '2030-01-01T00:00:00Z')) from n`,
    )
      .bind(at(0), id)
      .run();
    const early = await givenRule(await bodyFor({ ip_policy_id: id, expires_at: "2029-01-01T00:00:00Z" }));
    const cost = newCost();
    const session = new Session(env.DB, undefined, cost);
    const ended = (now: string, limit: number) => session.fromPrimary(endedRules(now, limit));
    expect(await ended("2028-12-31T23:59:59Z", 10)).toEqual([]);
    expect(await ended("2029-01-01T00:00:00Z", 10)).toEqual([{ id: early["id"], ip_policy_id: id }]);
    expect(cost.rowsRead).toBeLessThanOrEqual(4);
    const few = await ended("2040-01-01T00:00:00Z", 3);
    expect(few.map((rule) => rule.id)).toEqual([
      early["id"],
      ...[6, 12].map((i) => `ipr_${String(i).padStart(27, "0")}`),
    ]);
    expect(cost.rowsRead).toBeLessThanOrEqual(12);
    expect(await ended("2040-01-01T00:00:00Z", 1000)).toHaveLength(501);
  });
});
