import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { clock, timestamp } from "../../packages/model/src/clock.ts";
import { everyMinute } from "../../src/background.ts";
import { del, get, patch, post, outcome } from "../support/api.ts";
import { inconsistenciesIn } from "../support/consistency.ts";
import { emptied } from "../support/emptied.ts";
import { collections } from "../support/examples.ts";
import * as given from "../support/given.ts";
import { intercepted } from "../support/intercepted.ts";
import type { Json } from "../support/json.ts";
import { stored } from "../support/stored.ts";

/*
 * `expires_at` of IP policy rules. Its effect on access is tested in access.test.ts.
 */

const prefixes = collections.map(({ prefix }) => prefix);
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

async function bodyFor(fields: Json = {}): Promise<Json> {
  return { cidr: "192.0.2.0/24", action: "allow", ip_policy_id: (await given.ipPolicy())["id"], ...fields };
}

test("expires_at is shown in UTC, in whole seconds, and only if it is set", async () => {
  const rule = await given.rule(await bodyFor());
  expect(rule).not.toHaveProperty("expires_at");
  const { uri } = await given.rule(await bodyFor({ expires_at: "2050-01-01T02:00:00.75+02:00" }));
  expect((await get(uri)).body.expires_at).toBe("2050-01-01T00:00:00Z");
  expect((await patch(uri, { description: "x" })).body.expires_at).toBe("2050-01-01T00:00:00Z");
  expect((await patch(uri, { expires_at: at(60) })).body.expires_at).toBe(at(60));
  expect((await patch(uri, { expires_at: null })).body.expires_at).toBe(at(60));
  expect((await patch(uri, { expires_at: "" })).body).not.toHaveProperty("expires_at");
  expect((await get(uri)).body).not.toHaveProperty("expires_at");
  expect(await given.rule(await bodyFor({ expires_at: "" }))).not.toHaveProperty("expires_at");
});

test("expires_at must be in the future when it is written", async () => {
  const body = await bodyFor();
  const { uri } = await given.rule(body);
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

test("errors of expires_at are reported together with others, and before those of references", async () => {
  const { uri } = await given.rule(await bodyFor());
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

test("a create can still be replayed after its rule has expired, but not repeated as a new request", async () => {
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
  expect(outcome(await send("one", { ...body, cidr: "192.0.2.0/25" }))).toBe("422 ERR_IDEMPOTENCY_MISMATCH");
  await del(first.body.uri);
  expect((await send("one")).text).toBe(first.text);
  // A rejected request does not use up its key.
  expect((await send("two", { ...body, expires_at: at(120) })).status).toBe(201);
});

test("an expired rule is shown until it is deleted", async () => {
  const rule = await given.rule(await bodyFor({ expires_at: at(10) }));
  clock.now = () => start + 3_600_000;
  expect((await get(rule["uri"])).body).toEqual(rule);
  expect((await get("/ip_policy_rules?limit=1")).body.ip_policy_rules).toEqual([rule]);
  const { body } = await patch(rule["uri"], { description: "x" });
  expect(body).toEqual({ ...rule, description: "x" });
});

describe("expired rules", () => {
  beforeEach(emptied);
  afterEach(() => vi.restoreAllMocks());

  /** The run of a minute, and the lines that it logs. */
  async function minute(seconds: number, DB = env.DB): Promise<Json> {
    clock.now = () => start + seconds * 1000;
    const lines: Json[] = [];
    vi.spyOn(console, "info").mockImplementation((line: string) => lines.push(JSON.parse(line)));
    await everyMinute({ ...env, DB }, clock.now());
    return lines.find(({ msg }) => msg === "sweep") ?? {};
  }

  const consistent = async () => expect(inconsistenciesIn(await stored(), prefixes)).toEqual([]);

  const newest = async (limit: number): Promise<Json[]> =>
    (await get(`/events?limit=${limit}`)).body["events"];

  /** `n` rules of a policy that expired at an instant, as POST and its events would leave them. */
  async function endedRules(n: number, expires_at: string): Promise<void> {
    const { id } = await given.ipPolicy();
    const { uri, id: one } = await given.rule(await bodyFor({ ip_policy_id: id, expires_at: at(1) }));
    const columns = "created_at, description, metadata, cidr, ip_policy_id, action, version";
    await env.DB.batch([
      env.DB.prepare(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${n})
         insert into ip_policy_rules (id, expires_at, ${columns})
         select printf('ipr_%027d', i), ?, ${columns} from n, ip_policy_rules where id = ?`,
      ).bind(expires_at, one),
      env.DB.prepare(
        `insert into events (type, object_id, at, salt, operation_id, principal, origin, object)
         select type, rule.id, at, randomblob(10), operation_id, principal, origin,
         json_set(object, '$.id', rule.id, '$.expires_at', ?) from events, ip_policy_rules as rule
         where object_id = ? and rule.id <> object_id order by rule.id`,
      ).bind(expires_at, one),
    ]);
    await del(uri);
  }

  test("are deleted within a minute, each with its event", async () => {
    const rule = await given.rule(await bodyFor({ expires_at: at(10), description: "for a while" }));
    const later = await given.rule(await bodyFor({ expires_at: at(11) }));
    const endless = await given.rule(await bodyFor());
    expect(await minute(9)).toMatchObject({ ip_policy_rules: 0 });
    expect((await get(rule["uri"])).status).toBe(200);
    expect(await minute(10)).toMatchObject({ ip_policy_rules: 1 });
    expect(outcome(await get(rule["uri"]))).toBe("404 ERR_NOT_FOUND");
    for (const { uri } of [later, endless]) expect((await get(uri)).status).toBe(200);
    const [event, before] = await newest(2);
    expect(event).toEqual({
      event_id: expect.stringMatching(/^ev_/),
      event_type: "ip_policy_rule_deleted.v0",
      event_timestamp: at(10),
      account_id: "ac_default",
      principal: { id: "system", subject: "expiry", source: "System", credential: null },
      object: rule,
      secrets_changed: [],
      operation_id: expect.stringMatching(/^op_[0-9A-Za-z]{27}$/),
    });
    expect(event?.["operation_id"]).not.toBe(before?.["operation_id"]);
    expect((await get("/events?principal_id=system")).body["events"]).toEqual([event]);
    await consistent();
  });

  test("are deleted in the order of their expiry, however many there are", async () => {
    await endedRules(450, at(20));
    const first = await given.rule(await bodyFor({ expires_at: at(10) }));
    const stays = await given.rule(await bodyFor({ expires_at: at(60) }));
    expect(await minute(30)).toMatchObject({ ip_policy_rules: 451, d1_round_trips: 3 });
    expect((await get("/ip_policy_rules")).body["ip_policy_rules"]).toEqual([stays]);
    const { results } = await env.DB.prepare(
      `select object_id, operation_id from events where principal ->> 'id' = 'system' order by seq`,
    ).all<{ object_id: string; operation_id: string }>();
    expect(results.map(({ object_id }) => object_id)).toEqual([
      first["id"],
      ...Array.from({ length: 450 }, (_, i) => `ipr_${String(i + 1).padStart(27, "0")}`),
    ]);
    expect(new Set(results.map(({ operation_id }) => operation_id)).size).toBe(1);
    await consistent();
  });

  test.each([
    ["prolonged", { expires_at: at(3_600) }],
    ["made permanent", { expires_at: "" }],
  ])("are not deleted if they are %s before the statement runs", async (_, change) => {
    const rule = await given.rule(await bodyFor({ expires_at: at(10) }));
    let changes = 0;
    const DB = intercepted(env.DB, async ({ queries, send }) => {
      if (queries.some((text) => text.includes('delete from "ip_policy_rules"')) && changes++ === 0)
        expect((await patch(rule["uri"], change)).status).toBe(200);
      return send();
    });
    expect(await minute(10, DB)).toMatchObject({ ip_policy_rules: 0 });
    expect(changes).toBe(1);
    expect((await get(rule["uri"])).status).toBe(200);
    expect((await newest(1))[0]?.["event_type"]).toBe("ip_policy_rule_updated.v0");
    await consistent();
  });

  test("are sent to destinations in the same run", async () => {
    const sent: string[] = [];
    vi.spyOn(globalThis, "fetch").mockImplementation(async (...request) => {
      const body = new Request(...request).body?.pipeThrough(new DecompressionStream("gzip"));
      sent.push(await new Response(body ?? null).text());
      return new Response(null, { status: 202 });
    });
    const { id } = await given.destination();
    await given.subscription({
      sources: [{ type: "ip_policy_rule_deleted.v0" }],
      destination_ids: [id],
    });
    const rule = await given.rule(await bodyFor({ expires_at: at(10) }));
    // No destination wants the events recorded so far.
    await minute(0);
    expect(sent).toEqual([]);
    await minute(60);
    expect(sent).toHaveLength(1);
    expect(JSON.parse(sent[0] ?? "[]")).toMatchObject([
      { event_type: "ip_policy_rule_deleted.v0", object: { id: rule["id"] } },
    ]);
  });

  test("cost two rows of the log and their own, one for their policy, and nothing if there are none", async () => {
    await endedRules(100, at(20));
    const idle = await minute(0);
    expect(idle).toMatchObject({ ip_policy_rules: 0, d1_round_trips: 1, d1_rows_written: 0 });
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
       insert into ip_policy_rules (id, created_at, cidr, ip_policy_id, action, expires_at)
       select printf('ipr_x%026d', i), '', '192.0.2.0/24', 'ipp_1', 'allow', iif(i % 3, null, '2050-01-01T00:00:00Z') from n`,
    ).run();
    expect(await minute(10)).toEqual(idle);
    const swept = await minute(30);
    expect(swept).toMatchObject({ ip_policy_rules: 100, d1_round_trips: 1 });
    expect(swept["d1_rows_read"]).toBeLessThanOrEqual(idle["d1_rows_read"] + 14 * 100);
    // An event, its index entry, and the rule; and their policy once for all.
    expect(swept["d1_rows_written"]).toBe(3 * 100 + 1);
  });
});
