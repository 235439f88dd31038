import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { clock } from "../packages/model/src/clock.ts";
import worker from "../src/index.ts";
import { type Answer, call, del, get, patch, post, put, routes, outcome } from "./support/api.ts";
import { accepted, collections } from "./support/examples.ts";
import * as given from "./support/given.ts";
import { intercepted } from "./support/intercepted.ts";
import type { Json } from "./support/json.ts";

/*
 * Idempotency-Key (draft-ietf-httpapi-idempotency-key-header): a create that is sent again takes effect once.
 */

const realNow = clock.now;
afterEach(() => {
  clock.now = realNow;
});

const withKey = (key: string) => ({ headers: { "Idempotency-Key": key } });
const newKey = (): string => crypto.randomUUID();
const isReplayed = ({ headers }: Answer): boolean => headers.get("Idempotent-Replayed") === "true";

const count = async (table: string): Promise<number> =>
  (await env.DB.prepare(`select count(*) as n from ${table}`).first<number>("n")) ?? -1;

const paths = collections.map(({ path }) => path);

describe.each(paths)("POST %s", (path) => {
  let body: Json = {};
  let change: Json = {};
  beforeAll(async () => {
    ({ body, change } = await accepted(path));
  });

  test("is replayed if it is repeated with its key: two round trips, nothing created", async () => {
    const key = newKey();
    const first = await post(path, body, withKey(key));
    expect([first.status, isReplayed(first)]).toEqual([201, false]);
    for (let i = 0; i < 3; i++) {
      const again = await post(path, body, withKey(key));
      expect([again.status, isReplayed(again), again.cost.roundTrips]).toEqual([201, true, 2]);
      expect(again.cost.rowsWritten).toBe(0);
      // The token is shown only once: see below.
      expect(again.text).toBe(first.text.replace(/"token":"\w+"/, '"token":null'));
      expect(again.headers.get("ETag")).toBe(first.headers.get("ETag"));
    }
    expect((await get(`${path}?limit=1`)).text).toContain(first.body.id);
    expect((await get(`${path}?limit=2`)).text.split(first.body.uri)).toHaveLength(2);
  });

  test("with a new key writes one more row than without a key", async () => {
    const without = await post(path, body);
    const { cost } = await post(path, body, withKey(newKey()));
    expect(cost.rowsWritten).toBe(without.cost.rowsWritten + 1);
    expect(cost.roundTrips).toBe(1);
  });

  test("creates one object for many concurrent requests with the same key", async () => {
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 12 }, () => post(path, body, withKey(key))));
    expect(new Set(answers.map(({ body: { id } }) => id)).size).toBe(1);
    expect(answers.filter((answer) => !isReplayed(answer))).toHaveLength(1);
  });

  test("with a key that was used for a different request is rejected and changes nothing", async () => {
    const key = newKey();
    await post(path, body, withKey(key));
    const newest = (await get(`${path}?limit=1`)).text;
    const { status, body: error } = await post(path, { ...body, ...change }, withKey(key));
    expect([status, error.error_code]).toEqual([422, "ERR_IDEMPOTENCY_MISMATCH"]);
    expect((await get(`${path}?limit=1`)).text).toBe(newest);
  });

  test("leaves its key unused if it is rejected", async () => {
    const key = newKey();
    const before = await count("idempotency_records");
    expect(outcome(await post(path, { ...body, nonsense: 1 }, withKey(key)))).toBe(
      "400 ERR_INVALID_REQUEST /nonsense",
    );
    expect(await count("idempotency_records")).toBe(before);
    const { status, headers } = await post(path, body, withKey(key));
    expect([status, headers.has("Idempotent-Replayed")]).toEqual([201, false]);
  });
});

test("every create supports the key, and no other operation does", () => {
  const creating = routes.filter(({ operation }) => operation.status === 201).map(({ path }) => path);
  // Those of routes are in resources/https_edges.test.ts, those of personal keys in people.test.ts. A source is created
  // in the row of its subscription.
  const within = [
    "/edges/https/:edge_id/routes",
    "/event_subscriptions/:subscription_id/sources",
    "/plans",
    "/users/me/keys",
  ];
  expect(creating.toSorted()).toEqual([...paths, ...within].toSorted());
});

test("a request rejected for an unknown reference leaves its key unused", async () => {
  const key = newKey();
  const lost = { cidr: "::/0", action: "deny", ip_policy_id: "ipp_1" };
  const { status, body } = await post("/ip_policy_rules", lost, withKey(key));
  expect([status, body.error_code]).toEqual([400, "ERR_UNKNOWN_REFERENCE"]);
  const { id } = await given.ipPolicy();
  expect((await post("/ip_policy_rules", { ...lost, ip_policy_id: id }, withKey(key))).status).toBe(201);
});

test("requests are equal if their JSON differs only in form", async () => {
  const key = newKey();
  const first = await post("/backends/http_response", undefined, {
    ...withKey(key),
    raw: '{"status_code":404,"headers":{"a":"1","b":"2"},"body":null,"metadata":"\\u0041"}',
  });
  const again = await post("/backends/http_response", undefined, {
    ...withKey(key),
    raw: '{ "metadata": "A", "headers": {"b": "2", "a": "1"}, "status_code": 4.04e2, "description": null }',
  });
  expect([again.status, isReplayed(again), again.text]).toEqual([201, true, first.text]);
});

test("the order of a list is part of the request", async () => {
  const [a, b] = [await given.httpResponse(), await given.httpResponse()];
  const key = newKey();
  await post("/backends/failover", { backends: [a.id, b.id] }, withKey(key));
  expect(outcome(await post("/backends/failover", { backends: [b.id, a.id] }, withKey(key)))).toBe(
    "422 ERR_IDEMPOTENCY_MISMATCH",
  );
});

test("a key used at one path is rejected at another", async () => {
  const key = newKey();
  await post("/edges/tcp", {}, withKey(key));
  expect(outcome(await post("/edges/tls", {}, withKey(key)))).toBe("422 ERR_IDEMPOTENCY_MISMATCH");
  expect((await post("/edges/tcp/", {}, withKey(key))).status).toBe(201);
});

test("idempotency keys are separate for each API key", async () => {
  const [one, other] = [await given.key(), await given.key()];
  const key = newKey();
  const first = await post("/ip_policies", {}, { ...withKey(key), token: one.token });
  const second = await post("/ip_policies", { description: "x" }, { ...withKey(key), token: other.token });
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(isReplayed(second)).toBe(false);
});

test("a key has up to 255 characters", async () => {
  for (const key of ["x", "x".repeat(255)])
    expect((await post("/ip_policies", {}, withKey(key))).status).toBe(201);
});

test("an invalid key is reported together with invalid fields", async () => {
  const { body } = await post("/ip_policies", { nonsense: 1 }, withKey(""));
  expect(body.errors.map(({ path }: Json) => path)).toEqual(["Idempotency-Key", "/nonsense"]);
});

test("operations that create nothing ignore the key", async () => {
  const { uri } = await given.tcpEdge();
  const options = withKey("x".repeat(300));
  expect((await patch(uri, { description: "x" }, options)).status).toBe(200);
  expect((await put(`${uri}/traffic_policy`, { value: "x" }, options)).status).toBe(200);
  expect((await call("GET", uri, undefined, options)).status).toBe(200);
  expect((await del(uri, options)).status).toBe(204);
});

test("the original response is replayed even if the object was changed or deleted in the meantime", async () => {
  const key = newKey();
  const first = await post("/ip_policies", {}, withKey(key));
  await patch(first.body.uri, { description: "changed" });
  expect((await post("/ip_policies", {}, withKey(key))).text).toBe(first.text);
  await del(first.body.uri);
  const again = await post("/ip_policies", {}, withKey(key));
  expect([again.status, again.text]).toEqual([201, first.text]);
});

test("no token, secret or key is stored in plain text", async () => {
  const key = newKey();
  const made = await post("/api_keys", { description: "x" }, withKey(key));
  await post(
    "/event_destinations",
    { target: { monitoring_vendor: { api_key: given.SECRET } } },
    withKey(key + key),
  );
  expect(made.body.token).toMatch(/^\w+$/);
  const again = await post("/api_keys", { description: "x" }, withKey(key));
  expect(again.body).toEqual({ ...made.body, token: null });
  const { results } = await env.DB.prepare("select * from idempotency_records").all();
  const kept = JSON.stringify(results);
  expect(kept).toContain(made.body.id);
  for (const hidden of [made.body.token, made.body.token.slice(28), given.SECRET, key])
    expect(kept).not.toContain(hidden);
});

test("a create whose response is too large to store is rejected with a key and succeeds without one", async () => {
  const body = {
    mutual_tls: { certificate_authority_ids: Array.from({ length: 1_000 }, () => "ca_1") },
    traffic_policy: { value: "x".repeat(1_000_000) },
  };
  // A response only outgrows its request by so much with such a long origin.
  const env = { BASE_URL: `https://${"a".repeat(900)}.test` };
  const { status, body: error } = await post("/edges/tls", body, { ...withKey(newKey()), env });
  expect([status, error.error_code]).toEqual([413, "ERR_TOO_LARGE"]);
  expect(error.msg).toContain("Idempotency-Key");
  expect((await post("/edges/tls", body)).status).toBe(201);
});

test("the same request with two keys leaves four different digests", async () => {
  await env.DB.prepare("delete from idempotency_records").run();
  for (const key of ["one", "two"]) await post("/ip_policies", { description: "digest" }, withKey(key));
  const { results } = await env.DB.prepare(
    "select key_sha256, request_sha256 from idempotency_records",
  ).all();
  expect(new Set(results.flatMap((row) => Object.values(row))).size).toBe(4);
});

test("around midnight, an isolate whose clock is behind finds a record of one whose clock is ahead", async () => {
  const midnight = Date.UTC(2040, 0, 1);
  const key = newKey();
  clock.now = () => midnight + 1;
  const first = await post("/ip_policies", {}, withKey(key));
  clock.now = () => midnight - 1;
  const again = await post("/ip_policies", {}, withKey(key));
  expect([again.body.id, isReplayed(again)]).toEqual([first.body.id, true]);
});

describe("a record", () => {
  const HOUR = 3_600_000;
  const sweep = async () => worker.scheduled(createScheduledController(), env);

  test.each([0, 1, 11.9, 12, 23.9])(
    "written %d hours after midnight is valid for 24 hours",
    async (hours) => {
      const start = Date.UTC(2040, 0, 1) + hours * HOUR;
      const key = newKey();
      clock.now = () => start;
      const first = await post("/ip_policies", {}, withKey(key));
      clock.now = () => start + 24 * HOUR - 1;
      await sweep();
      expect((await post("/ip_policies", {}, withKey(key))).body.id).toBe(first.body.id);
      clock.now = () => start + 24 * HOUR;
      const later = await post("/ip_policies", { description: "another" }, withKey(key));
      expect([later.status, isReplayed(later)]).toEqual([201, false]);
    },
  );

  test("is deleted once it has expired, however many there are", async () => {
    const filler =
      "with recursive n(i) as (select 1 union all select i + 1 from n where i < 450) insert into idempotency_records";
    const day = Math.floor(Date.UTC(2040, 5, 1) / (24 * HOUR));
    for (const age of [0, 1, 2, 9])
      await env.DB.prepare(`${filler} select ?, 'age ${age}, ' || i, '', 0, '', '', '', 1 from n`)
        .bind(day - age)
        .run();
    clock.now = () => day * 24 * HOUR + 1;
    await sweep();
    const { results } = await env.DB.prepare(
      "select day, count(*) as n from idempotency_records where key_sha256 like 'age%' group by day",
    ).all();
    expect(results).toEqual([
      { day: day - 1, n: 450 },
      { day, n: 450 },
    ]);
  });

  /** The lines that an expiry run logs, and whether the run fails. */
  async function loggedSweep(DB: D1Database): Promise<{ lines: Json[]; isFailed: boolean }> {
    const lines: Json[] = [];
    for (const level of ["info", "error"] as const)
      vi.spyOn(console, level).mockImplementation((line: string) => lines.push(JSON.parse(line)));
    const run = Promise.resolve(worker.scheduled(createScheduledController(), { ...env, DB }));
    const isFailed = await run.then(
      () => false,
      () => true,
    );
    vi.restoreAllMocks();
    return { lines, isFailed };
  }

  const oldRecords = (n: number) =>
    env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${n}) insert into idempotency_records select 1, 'old ' || i, '', 0, '', '', '', 1 from n`,
    ).run();

  test("costs one row written when it is deleted, as the log shows", async () => {
    await sweep();
    await oldRecords(250);
    const { lines } = await loggedSweep(env.DB);
    expect(lines).toEqual([
      {
        level: "info",
        msg: "sweep",
        idempotency_records: 250,
        plans: 0,
        ip_policy_rules: 0,
        events: 0,
        d1_round_trips: 2,
        d1_rows_read: expect.any(Number),
        d1_rows_written: 250,
      },
    ]);
    // In addition, each of the two batches reads this when there is nothing to do, and the first one whether certificates end.
    expect(lines[0]?.["d1_rows_read"]).toBeLessThanOrEqual(5 * 250 + 2 * 35 + 18);
  });

  test("that was deleted is counted in the log even if the run fails later, together with the failure", async () => {
    await oldRecords(250);
    let calls = 0;
    const DB = intercepted(env.DB, ({ send }) => {
      calls += 1;
      return calls === 2 ? Promise.reject(new Error("D1_ERROR: internal error")) : send();
    });
    const { lines, isFailed } = await loggedSweep(DB);
    expect(isFailed).toBe(true);
    expect(lines).toEqual([
      expect.objectContaining({
        level: "error",
        msg: "sweep",
        idempotency_records: 200,
        cause: "Error: D1_ERROR: internal error",
      }),
    ]);
    await sweep();
  });
});
