import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test } from "vitest";
import { clock, timestamp } from "../../packages/model/src/clock.ts";
import { newToken } from "../../src/http/tokens.ts";
import { call, create, del, get, ORIGIN, patch, post, outcome } from "../support/api.ts";
import * as given from "../support/given.ts";
import { intercepted } from "../support/intercepted.ts";

const realNow = clock.now;
afterEach(() => {
  clock.now = realNow;
});

const isAccepted = async (token: string): Promise<boolean> => {
  const { status, body, headers } = await get("/ip_policies?limit=1", { token });
  if (status === 200) return true;
  expect([status, body.error_code, headers.get("WWW-Authenticate")]).toEqual([
    401,
    "ERR_UNAUTHENTICATED",
    "Bearer",
  ]);
  expect(body.msg).toBe("Send the header Authorization: Bearer <API_KEY> with a valid key.");
  return false;
};

describe("a key", () => {
  test("is an editor without expiry by default, and its token is shown once", async () => {
    const key = await given.key({ description: "CI" });
    expect(key).toEqual({
      id: expect.stringMatching(/^ak_[0-9A-Za-z]{27}$/),
      uri: `${ORIGIN}/api_keys/${key.id}`,
      created_at: expect.any(String),
      description: "CI",
      role: "editor",
      token: expect.stringMatching(/^[0-9A-Za-z]{27}_[0-9A-Za-z]{33}$/),
    });
    expect(key.token.slice(0, 27)).toBe(key.id.slice(3));
    for (const { text, body } of [
      await get(`/api_keys/${key.id}`),
      await get("/api_keys?limit=1"),
      await patch(`/api_keys/${key.id}`, { description: "CI of the shop" }),
    ]) {
      expect((body.keys?.[0] ?? body).token).toBeNull();
      expect(text).not.toContain(key.token.slice(28));
    }
  });

  test("is only accepted with its exact token", async () => {
    const { token } = await given.key();
    const { token: other } = await given.key();
    expect(await isAccepted(token)).toBe(true);
    const altered = token.slice(0, 30) + (token[30] === "a" ? "b" : "a") + token.slice(31);
    for (const wrong of [
      altered,
      token.slice(0, -1),
      `${token}a`,
      `${token.slice(0, -1)}é`,
      token.toLowerCase(),
      `ak_${token}`,
      token.slice(0, 27) + other.slice(27),
      other.slice(0, 27) + token.slice(27),
    ])
      expect(await isAccepted(wrong)).toBe(false);
  });

  test("is not accepted with a well-formed token that was not issued for it", async () => {
    const { id, token } = await given.key();
    for (const isCached of [false, true]) {
      expect(await isAccepted(newToken(id)), String(isCached)).toBe(false);
      expect(await isAccepted(token)).toBe(true);
    }
  });

  test("that is malformed is rejected without a query", async () => {
    const { token } = await given.key();
    for (const garbage of ["x", token.slice(0, -1) + (token.endsWith("a") ? "b" : "a"), "0".repeat(61)])
      expect((await get("/ip_policies", { token: garbage })).cost.roundTrips).toBe(0);
  });

  test("is read once and then cached, so that authentication adds no round trip", async () => {
    const { token } = await given.key();
    expect((await get("/ip_policies", { token })).cost.roundTrips).toBe(3);
    for (let i = 0; i < 3; i++) expect((await get("/ip_policies", { token })).cost.roundTrips).toBe(1);
    const later = realNow() + 20_001;
    clock.now = () => later;
    expect((await get("/ip_policies", { token })).cost.roundTrips).toBe(2);
  });

  test("stops working immediately on the isolate that deletes it", async () => {
    const { id, token } = await given.key();
    expect(await isAccepted(token)).toBe(true);
    expect((await del(`/api_keys/${id}`)).status).toBe(204);
    expect(await isAccepted(token)).toBe(false);
  });

  test("stops working on the isolate that deletes it even if the response to the deletion is lost", async () => {
    const { id, token } = await given.key();
    expect(await isAccepted(token)).toBe(true);
    const losing = intercepted(env.DB, async ({ queries, send }) => {
      const results = await send();
      if (queries.some((query) => query.startsWith("delete")))
        throw new Error("D1_ERROR: Network connection lost.");
      return results;
    });
    expect((await del(`/api_keys/${id}`, { env: { DB: losing } })).status).toBe(503);
    expect(outcome(await get(`/api_keys/${id}`))).toBe("404 ERR_NOT_FOUND");
    expect(await isAccepted(token)).toBe(false);
  });

  test.each(["DELETE", "PATCH"])(
    "of a bot stops working on the same isolate even if the response to the bot's %s is lost",
    async (method) => {
      const bot = await given.botUser();
      const { token } = await given.key({ owner_id: bot.id });
      expect(await isAccepted(token)).toBe(true);
      const DB = intercepted(env.DB, async ({ send }) => {
        await send();
        throw new Error("D1_ERROR: Network connection lost.");
      });
      const body = method === "PATCH" ? { active: false } : undefined;
      expect((await call(method, bot.uri, body, { env: { DB } })).status).toBe(503);
      expect(await isAccepted(token)).toBe(false);
    },
  );

  test("that another isolate revoked works for at most 20 more seconds", async () => {
    const { id, token } = await given.key();
    expect(await isAccepted(token)).toBe(true);
    await env.DB.prepare("delete from api_keys where id = ?").bind(id).run();
    const later = realNow() + 20_001;
    clock.now = () => later;
    expect(await isAccepted(token)).toBe(false);
  });

  test("that another isolate revoked is rejected immediately by operations on keys and bots", async () => {
    const { id, token } = await given.key({ role: "admin" });
    const bot = await given.botUser();
    expect((await get("/api_keys", { token })).status).toBe(200);
    await env.DB.prepare("delete from api_keys where id = ?").bind(id).run();
    for (const rejected of [
      await post("/api_keys", {}, { token }),
      await get("/api_keys", { token }),
      await patch(bot.uri, { active: false }, { token }),
    ])
      expect(rejected.status).toBe(401);
  });

  test("is not cached by a request that read it before it was revoked and finishes afterwards", async () => {
    const { id, token } = await given.key();
    const [read, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const DB = intercepted(env.DB, async ({ queries, send }) => {
      const results = await send();
      if (!queries.join().includes('from "api_keys"')) return results;
      read.resolve();
      await released.promise;
      return results;
    });
    const slow = get("/ip_policies?limit=1", { token, env: { DB } });
    await read.promise;
    expect((await del(`/api_keys/${id}`)).status).toBe(204);
    released.resolve();
    await slow;
    expect(await isAccepted(token)).toBe(false);
  });

  test("expires to the second, even if it is cached", async () => {
    const start = Math.floor(realNow() / 1000) * 1000;
    clock.now = () => start;
    const { token } = await given.key({ expires_at: timestamp(start + 5_000) });
    clock.now = () => start + 4_999;
    expect(await isAccepted(token)).toBe(true);
    clock.now = () => start + 5_000;
    expect(await isAccepted(token)).toBe(false);
  });

  const instant = "Expected an RFC 3339 date and time, such as 2030-01-02T03:04:05Z.";

  test.each([
    ["2001-01-01T00:00:00Z", "Expected a time in the future."],
    ["9999-12-31T23:59:59-01:00", "Expected a time before the year 10000 in UTC."],
    ["tomorrow", instant],
    ["2050-01-01", instant],
    ["2050-02-30T00:00:00Z", instant],
    ["", instant],
    [`2050-01-01T02:00:00.${"1".repeat(15)}+02:00`, instant],
    [1, instant],
    [{}, instant],
  ])("cannot expire at %j", async (expires_at, msg) => {
    const { status, body } = await post("/api_keys", { expires_at });
    expect([status, body.errors]).toEqual([400, [{ path: "/expires_at", msg }]]);
  });

  test("cannot expire within the second in which it is created", async () => {
    const start = Math.floor(realNow() / 1000) * 1000;
    clock.now = () => start;
    for (const [later, status] of [
      [999, 400],
      [1_000, 400],
      [1_001, 201],
    ] as const)
      expect((await post("/api_keys", { expires_at: new Date(start + later).toISOString() })).status).toBe(
        status,
      );
  });

  test("shows its expiry in UTC", async () => {
    for (const fraction of ["5", "1".repeat(14)])
      expect((await given.key({ expires_at: `2050-01-01T02:00:00.${fraction}+02:00` })).expires_at).toBe(
        "2050-01-01T00:00:00Z",
      );
  });

  test("shows when it was last used, recorded after the response and at most every ten minutes", async () => {
    const { id, token } = await given.key();
    const start = realNow();
    const usedAt = async () => (await get(`/api_keys/${id}`)).body.last_used_at;
    expect(await usedAt()).toBeUndefined();
    await isAccepted(token);
    const first = await usedAt();
    expect(first).toMatch(/Z$/);
    for (const [minutes, moved] of [
      [9, false],
      [11, true],
    ] as const) {
      clock.now = () => start + minutes * 60_000;
      await isAccepted(token);
      expect((await usedAt()) !== first).toBe(moved);
    }
  });

  test("has a new ETag after its use is recorded", async () => {
    const { uri, token } = await given.key();
    await isAccepted(token);
    expect((await get(uri)).headers.get("ETag")).toMatch(/-2"$/);
  });

  test("rejects changes of its owner and role, and ignores null for its expiry", async () => {
    const { id } = await given.key();
    const { status, body } = await patch(`/api_keys/${id}`, {
      role: "admin",
      owner_id: "bot_1",
      expires_at: null,
    });
    expect(status).toBe(400);
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(["/role", "/owner_id"]);
  });

  test("must have an existing owner, if any", async () => {
    const { status, body } = await post("/api_keys", { owner_id: "bot_nobody" });
    expect([status, body.error_code, body.errors[0].path]).toEqual([
      400,
      "ERR_UNKNOWN_REFERENCE",
      "/owner_id",
    ]);
  });

  test("is stored only as a digest", async () => {
    const { id, token } = await given.key();
    const row = await env.DB.prepare("select * from api_keys where id = ?").bind(id).first();
    expect(JSON.stringify(row)).not.toContain(token.slice(28));
    expect(row?.["token_sha256"]).toMatch(/^[0-9a-f]{64}$/);
  });
});

test("a bot user is active by default", async () => {
  const bot = await given.botUser({ name: "deploy" });
  expect(bot).toEqual({
    id: expect.stringMatching(/^bot_[0-9A-Za-z]{27}$/),
    uri: `${ORIGIN}/bot_users/${bot.id}`,
    created_at: expect.any(String),
    name: "deploy",
    active: true,
  });
  expect((await given.botUser({ active: false })).active).toBe(false);
});

describe("a bot's key", () => {
  test("works only while the bot is active", async () => {
    const bot = await given.botUser();
    const { token } = await given.key({ owner_id: bot.id });
    expect(await isAccepted(token)).toBe(true);
    await patch(`/bot_users/${bot.id}`, { active: false });
    expect(await isAccepted(token)).toBe(false);
    await patch(`/bot_users/${bot.id}`, { active: true });
    expect(await isAccepted(token)).toBe(true);
  });

  test("is deleted with the bot, and other keys are not", async () => {
    const [bot, other] = [await given.botUser(), await given.botUser()];
    const mine = await given.key({ owner_id: bot.id });
    const kept = [await given.key({ owner_id: other.id }), await given.key()];
    await isAccepted(mine.token);
    expect((await del(`/bot_users/${bot.id}`)).status).toBe(204);
    expect(await isAccepted(mine.token)).toBe(false);
    expect(outcome(await get(`/api_keys/${mine.id}`))).toBe("404 ERR_NOT_FOUND");
    for (const { token } of kept) expect(await isAccepted(token)).toBe(true);
  });
});

describe("roles", () => {
  test("whoami returns the key of the request, whatever its role", async () => {
    const owner = await create("/bot_users", { name: "deploy" });
    for (const role of ["viewer", "planner", "editor", "admin", "agent", "metrics"]) {
      const expires_at = "2999-01-02T03:04:05Z";
      const key = await create("/api_keys", { role, owner_id: owner["id"], expires_at });
      expect((await get("/whoami", { token: key["token"] })).body).toEqual({
        id: key["id"],
        kind: "api_key",
        subject: "deploy",
        role,
        owner: { id: owner["id"], uri: owner["uri"] },
        expires_at,
      });
    }
    const plain = await create("/api_keys", { description: "CI" });
    expect((await get("/whoami", { token: plain["token"] })).body).toMatchObject({
      subject: "CI",
      role: "editor",
      owner: null,
      expires_at: null,
    });
    const root = { id: "root", kind: "root", subject: "root", role: "admin", owner: null, expires_at: null };
    const { body, cost } = await get("/whoami");
    expect(body).toEqual(root);
    expect(cost.roundTrips).toBe(0);
    expect((await get("/whoami", { token: "wrong" })).status).toBe(401);
    expect(outcome(await get("/whoami?x=1"))).toBe("400 ERR_INVALID_REQUEST x");
  });

  test("an admin manages keys and bots, and the root key cannot be deleted", async () => {
    const { token } = await given.key({ role: "admin" });
    const { body, status } = await post("/api_keys", { role: "admin" }, { token });
    expect(status).toBe(201);
    expect((await del(`/api_keys/${body.id}`, { token })).status).toBe(204);
    expect(outcome(await del("/api_keys/root"))).toBe("404 ERR_NOT_FOUND");
  });
});
