import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { version as released } from "../package.json";
import { clock } from "../packages/model/src/clock.ts";
import { type Answer, call, get } from "./support/api.ts";
import * as given from "./support/given.ts";
import { intercepted } from "./support/intercepted.ts";

/* An isolate caches the result of a check for five seconds, so each test starts later than that. */

const realNow = clock.now;
let now = realNow();
beforeEach(() => {
  now += 60_000;
  clock.now = () => now;
});
afterEach(() => {
  clock.now = realNow;
});

const headers = { Authorization: undefined, "Service-Version": undefined };
const ask = (DB = env.DB): Promise<Answer> => get("/health", { headers, env: { DB } });

const broken = intercepted(env.DB, () => Promise.reject(new Error("D1_ERROR: no such database")));

test("needs no key and queries the database", async () => {
  const up = await get("/health", { headers });
  expect([up.status, up.body, up.cost.roundTrips]).toEqual([200, { status: "ok", version: released }, 1]);
});

test("is 503 if the database fails, without revealing the cause", async () => {
  const down = await ask(broken);
  expect([down.status, down.headers.get("Retry-After")]).toEqual([503, "1"]);
  expect(down.text).not.toContain("no such database");
});

test("caches the result, good or bad, for five seconds", async () => {
  expect((await ask()).status).toBe(200);
  now += 4_999;
  expect((await ask(broken)).status).toBe(200);
  now += 1;
  expect((await ask(broken)).status).toBe(503);
  now += 4_999;
  expect((await ask()).status).toBe(503);
  now += 1;
  expect((await ask()).status).toBe(200);
});

test("queries the database once for concurrent requests, and serves the others from the cache", async () => {
  await ask();
  now += 5_000;
  let asked = 0;
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = intercepted(env.DB, async ({ send }) => {
    asked += 1;
    begun.resolve();
    await released.promise;
    return send();
  });
  const first = ask(slow);
  await begun.promise;
  for (const { status } of await Promise.all([ask(slow), ask(slow)])) expect(status).toBe(200);
  released.resolve();
  expect((await first).status).toBe(200);
  expect(asked).toBe(1);
});

test("is 503 without an epoch, and then no write takes effect, because it could not be acknowledged", async () => {
  const { epoch } =
    (await env.DB.prepare("select epoch from database_epoch").first<{ epoch: string }>()) ?? {};
  const { uri } = await given.ipPolicy();
  await env.DB.prepare("delete from database_epoch").run();
  expect((await ask()).status).toBe(503);
  const headers = { "If-None-Match": '"x"' };
  expect((await call("DELETE", uri, undefined, { headers, env: { DB: env.DB } })).status).toBe(500);
  await env.DB.prepare("insert into database_epoch (only, epoch) values (1, ?)").bind(epoch).run();
  expect((await get(uri)).status).toBe(200);
});

test("is 503 while any table is missing", async () => {
  const { results } = await env.DB.prepare(
    "select name from pragma_table_list where schema = 'main' and type = 'table' and strict",
  ).all<{ name: string }>();
  expect(results.length).toBeGreaterThan(10);
  for (const { name } of results) {
    await env.DB.prepare(`alter table ${name} rename to taken_away`).run();
    const { status } = await ask();
    await env.DB.prepare(`alter table taken_away rename to ${name}`).run();
    now += 5_000;
    expect([name, status]).toEqual([name, 503]);
  }
  expect((await ask()).status).toBe(200);
});
