import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test } from "vitest";
import { clock, timestamp } from "../packages/model/src/clock.ts";
import { bodyLimits } from "../src/http/body.ts";
import { isCreation } from "../src/http/route.ts";
import { type Answer, call, create, get, patch, post, routes, put, outcome } from "./support/api.ts";
import { accepted } from "./support/examples.ts";
import * as given from "./support/given.ts";
import { intercepted } from "./support/intercepted.ts";
import type { Json } from "./support/json.ts";
import { givenPerson } from "./support/people.ts";
import { stored, withoutColumns } from "./support/stored.ts";

/*
 * A key that becomes invalid during a request: after authentication, before anything is written.
 */

const realNow = clock.now;
const realWait = bodyLimits.wait;
afterEach(() => {
  clock.now = realNow;
  bodyLimits.wait = realWait;
});

/** The ways in which a key becomes invalid. Each provides an admin key and a function that invalidates it. */
type End = [name: string, given: () => Promise<{ token: string; stop: () => Promise<unknown> }>];

const ends: End[] = [
  [
    "is revoked",
    async () => {
      const { id, token } = await given.key({ role: "admin" });
      return { token, stop: () => env.DB.prepare("delete from api_keys where id = ?").bind(id).run() };
    },
  ],
  [
    "belongs to a bot that is deactivated",
    async () => {
      const { id, token } = await ownedKey();
      return {
        token,
        stop: () => env.DB.prepare("update bot_users set active = 0 where id = ?").bind(id).run(),
      };
    },
  ],
  [
    "belongs to a bot that is deleted",
    async () => {
      const { id, token } = await ownedKey();
      return { token, stop: () => env.DB.prepare("delete from bot_users where id = ?").bind(id).run() };
    },
  ],
];

/**
 * Separate from the other ways: a statement contains the time at which it was sent, so a key cannot expire between
 * sending and writing.
 */
const expiry: End = [
  "expires",
  async () => {
    const start = realNow();
    const { token } = await given.key({ role: "admin", expires_at: timestamp(start + 5_000) });
    return {
      token,
      stop: async () => {
        clock.now = () => start + 5_000;
      },
    };
  },
];

/** An admin key that a new bot owns, and the bot's id. */
async function ownedKey(): Promise<{ id: string; token: string }> {
  const { id } = await given.botUser();
  const { token } = await given.key({ role: "admin", owner_id: id });
  return { id, token };
}

/** A database that calls `stop` just before it sends the first statement that writes. */
function stoppingBeforeWrite(stop: () => Promise<unknown>): D1Database {
  let isStopped = false;
  return intercepted(env.DB, async ({ queries, send }) => {
    if (!isStopped && !queries.every((query) => query.startsWith("select"))) {
      isStopped = true;
      await stop();
    }
    return send();
  });
}

const administration = routes.filter(
  ({ method, operation }) => operation.access === "admin" && method !== "GET",
);

test("only keys, bots, people, agents, certificate issuers, sealed secrets and the API restriction require an admin to write", () => {
  expect(new Set(administration.map(({ path }) => path.split("/")[1]))).toEqual(
    new Set([
      "bot_users",
      "api_keys",
      "agents",
      "certificate_issuers",
      "sealed_secrets",
      "users",
      "api_restriction",
    ]),
  );
});

describe.each(administration)("$method $path", ({ method, path, operation }) => {
  /** A request for a new object. */
  async function given(): Promise<{ url: string; body?: Json }> {
    if (path === "/sealed_secrets/reseal") {
      const ring = env.SEALING_KEYS?.split(",").toReversed().join();
      const target = { target: { monitoring_vendor: { api_key: "key" } } };
      await post("/event_destinations", target, { env: { SEALING_KEYS: ring } });
      return { url: path, body: {} };
    }
    if (path === "/api_restriction") {
      const body = { ip_policy_ids: [], enabled: false };
      await put(path, body);
      return method === "PUT" ? { url: path, body: { ...body, roles: [] } } : { url: path };
    }
    if (path === "/agents/:name") {
      const url = `/agents/${crypto.randomUUID()}`;
      await put(`${url}/status`, { ok: true });
      return { url };
    }
    if (path.startsWith("/users/")) {
      const { id } = await givenPerson("editor");
      return { url: path.replace(":id", id), ...(method === "PATCH" && { body: { role: "viewer" } }) };
    }
    const [, collection = ""] = /^(.*?)(?:\/:id)?$/.exec(path) ?? [];
    const { body, change } = await accepted(collection);
    if (isCreation(operation)) return { url: path, body };
    const { uri } = await create(collection, body);
    return { url: uri, ...(method === "PATCH" && { body: change }) };
  }

  /** The stored data as text, except the last-use times of keys and the versions that change with them. */
  const everything = async (): Promise<string> => withoutColumns(await stored(), "last_used_at", "version");

  test.each(ends)("has no effect with a key that %s just before the write", async (_, end) => {
    for (const headers of isCreation(operation) ? [{}, { "Idempotency-Key": crypto.randomUUID() }] : [{}]) {
      const { url, body } = await given();
      const { token, stop } = await end();
      let stopped = "";
      const DB = stoppingBeforeWrite(async () => {
        await stop();
        stopped = await everything();
      });
      const answer = await call(method, url, body, { token, headers, env: { DB } });
      expect([answer.status, answer.body.error_code], answer.text).toEqual([401, "ERR_UNAUTHENTICATED"]);
      expect(stopped).not.toBe("");
      expect(await everything()).toBe(stopped);
    }
  });
});

test("a revoked key gets no replay of a creation", async () => {
  const { id, token } = await given.key({ role: "admin" });
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  expect((await post("/bot_users", { name: "x" }, { token, headers })).status).toBe(201);
  const DB = stoppingBeforeWrite(() => env.DB.prepare("delete from api_keys where id = ?").bind(id).run());
  expect((await post("/bot_users", { name: "x" }, { token, headers, env: { DB } })).status).toBe(401);
});

/** Sends a request. Resolves once the service waits for the rest of its body, with a function that sends that. */
async function parked(token: string): Promise<() => Promise<Answer>> {
  const [isRead, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const bytes = new TextEncoder().encode("{}");
  const raw = new ReadableStream(
    {
      async pull(controller) {
        controller.enqueue(bytes.subarray(0, 1));
        isRead.resolve();
        await ended.promise;
        controller.enqueue(bytes.subarray(1));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const answer = call("POST", "/ip_policies", undefined, { token, raw });
  await isRead.promise;
  return () => {
    ended.resolve();
    return answer;
  };
}

describe("a request whose body arrives slowly", () => {
  test("has the deadline that docs/costs.md states", () => {
    expect(bodyLimits).toEqual({ wait: 20_000 });
  });

  test.each([undefined, "2", "2000000"])(
    "is rejected with 408 after the deadline, regardless of Content-Length: %s",
    async (length) => {
      bodyLimits.wait = 20;
      const { token } = await given.key();
      const raw = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([123])) });
      const headers = length === undefined ? {} : { "Content-Length": length };
      const { status, body } = await call("POST", "/ip_policies", undefined, { token, raw, headers });
      expect([status, body.error_code]).toEqual([408, "ERR_REQUEST_TIMEOUT"]);
    },
  );

  test("succeeds with a key that is still valid", async () => {
    const { token } = await given.key();
    const finish = await parked(token);
    expect((await finish()).status).toBe(201);
  });

  test.each([...ends, expiry])("has no effect with a key that %s in the meantime", async (_, end) => {
    const { token, stop } = await end();
    expect((await get("/ip_policies?limit=1", { token })).status).toBe(200);
    const finish = await parked(token);
    await stop();
    // Past the lifetime of a cached key, so that the key is looked up again.
    const now = clock.now();
    clock.now = () => now + 20_001;
    expect((await finish()).body["error_code"]).toBe("ERR_UNAUTHENTICATED");
  });
});

describe("a key that this isolate revokes while a request's body is arriving", () => {
  test.each(["editor", "admin"])("is rejected: %s", async (role) => {
    const bot = await given.botUser();
    for (const stop of [
      async (id: string) => call("DELETE", `/api_keys/${id}`),
      async () => patch(bot["uri"], { active: false }),
    ]) {
      await patch(bot["uri"], { active: true });
      const { id, token } = await given.key({ role, owner_id: bot["id"] });
      const finish = await parked(token);
      await stop(id);
      expect((await finish()).status).toBe(401);
    }
  });
});

describe("a key created with a bot's key", () => {
  test("belongs to the bot and stops working with it", async () => {
    const { id, token } = await ownedKey();
    for (const body of [{ role: "admin" }, { owner_id: id }]) {
      const { status, body: made } = await post("/api_keys", body, { token });
      expect([status, made.owner_id]).toEqual([201, id]);
    }
    const { body: made } = await post("/api_keys", { role: "admin" }, { token });
    const { body: grandchild } = await post("/api_keys", {}, { token: made.token });
    expect(grandchild.owner_id).toBe(id);
    expect((await get("/ip_policies?limit=1", { token: grandchild.token })).status).toBe(200);
    await patch(`/bot_users/${id}`, { active: false });
    for (const { token } of [made, grandchild])
      expect((await get("/ip_policies?limit=1", { token })).status).toBe(401);
    await call("DELETE", `/bot_users/${id}`);
    for (const { uri } of [made, grandchild]) expect(outcome(await get(uri))).toBe("404 ERR_NOT_FOUND");
  });

  test("cannot belong to another bot", async () => {
    const { token } = await ownedKey();
    const { id: owner_id } = await given.botUser();
    const { status, body } = await post("/api_keys", { owner_id }, { token });
    expect([status, body.error_code]).toEqual([403, "ERR_FORBIDDEN"]);
  });

  test("can belong to any bot, or to none, if the creating key has no owner", async () => {
    const { token } = await given.key({ role: "admin" });
    const { id: owner_id } = await given.botUser();
    expect((await post("/api_keys", { owner_id }, { token })).body.owner_id).toBe(owner_id);
    expect((await post("/api_keys", {}, { token })).body).not.toHaveProperty("owner_id");
  });
});

describe("a key that expires", () => {
  test("cannot create a key that expires later", async () => {
    const [soon, late] = [60_000, 120_000].map((after) => timestamp(realNow() + after));
    const { token } = await given.key({ role: "admin", expires_at: soon });
    expect((await post("/api_keys", {}, { token })).body.expires_at).toBe(soon);
    expect((await post("/api_keys", { expires_at: soon }, { token })).status).toBe(201);
    const { status, body } = await post("/api_keys", { expires_at: late }, { token });
    expect([status, body.errors]).toEqual([
      400,
      [
        {
          path: "/expires_at",
          msg: `Expected a time no later than the expiry of the key that creates this one: ${soon}.`,
        },
      ],
    ]);
  });
});

describe("an inactive bot", () => {
  test("cannot be given a key", async () => {
    const { id: owner_id } = await given.botUser({ active: false });
    for (const headers of [{}, { "Idempotency-Key": crypto.randomUUID() }]) {
      const { status, body } = await post("/api_keys", { owner_id }, { headers });
      expect([status, body.error_code, body.errors]).toEqual([
        400,
        "ERR_INVALID_REQUEST",
        [{ path: "/owner_id", msg: "This bot user is inactive: activate it first." }],
      ]);
    }
  });

  test("cannot be given a key if it is deactivated just before the key is written", async () => {
    const { id: owner_id } = await given.botUser();
    const DB = stoppingBeforeWrite(() =>
      env.DB.prepare("update bot_users set active = 0 where id = ?").bind(owner_id).run(),
    );
    const { status, body } = await post("/api_keys", { owner_id }, { env: { DB } });
    expect([status, body.errors?.[0].path]).toEqual([400, "/owner_id"]);
  });
});

describe("well-formed tokens that belong to no key", () => {
  /**
   * A limiter that allows three requests per key for the whole test. The platform's own counter restarts every minute.
   */
  const counts = new Map<string, number>();
  const FAILED_AUTHENTICATION_LIMIT: RateLimit = {
    async limit({ key }) {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return { success: count <= 3 };
    },
  };
  const limited = {
    FAILED_AUTHENTICATION_LIMIT,
    FAILED_AUTHENTICATION_LIMIT_POLICY: '"failed-authentication";q=3;w=60',
  };
  const ask = (path: string, token: string, address: string) =>
    get(path, { token, env: limited, headers: { "CF-Connecting-IP": address } });

  test.each(["/ip_policies", "/api_keys"])("need no query once the limit is reached: %s", async (path) => {
    const address = `192.0.2.${path.length}`;
    const seen: [number, number][] = [];
    for (let i = 0; i < 5; i++) {
      const { token } = await given.key();
      await env.DB.prepare("delete from api_keys where id = ?")
        .bind(`ak_${token.slice(0, 27)}`)
        .run();
      const { status, cost } = await ask(path, token, address);
      seen.push([status, cost.roundTrips]);
    }
    expect(seen).toEqual([
      [401, 1],
      [401, 1],
      [401, 1],
      [429, 0],
      [429, 0],
    ]);
  });

  test("are limited like the keys of a deactivated bot, even if those keys were accepted before", async () => {
    const { id, token } = await ownedKey();
    expect((await ask("/api_keys?limit=1", token, "192.0.2.201")).status).toBe(200);
    counts.clear();
    await patch(`/bot_users/${id}`, { active: false });
    const seen: [number, number][] = [];
    for (let i = 0; i < 6; i++) {
      const { status, cost } = await ask("/api_keys?limit=1", token, "192.0.2.201");
      seen.push([status, cost.roundTrips]);
    }
    expect(seen.map(([status]) => status)).toEqual([401, 401, 401, 429, 429, 429]);
    expect(seen.slice(3)).toEqual([
      [429, 0],
      [429, 0],
      [429, 0],
    ]);
  });

  test("are limited separately from accepted keys, however often those are looked up", async () => {
    const { token } = await given.key({ role: "admin" });
    for (let i = 0; i < 6; i++)
      expect((await ask("/api_keys?limit=1", token, "192.0.2.200")).status).toBe(200);
    let now = realNow();
    for (let i = 0; i < 6; i++) {
      now += 20_001;
      const later = now;
      clock.now = () => later;
      expect((await ask("/ip_policies?limit=1", token, "192.0.2.200")).status).toBe(200);
    }
  });
});

test("a use that another isolate has recorded is not recorded again", async () => {
  const { uri, id, token } = await given.key();
  const noted = timestamp(realNow() - 1_000);
  const recordingFirst = intercepted(env.DB, async ({ queries, send }) => {
    if (queries.join().startsWith('update "api_keys"'))
      await env.DB.prepare("update api_keys set last_used_at = ?, version = 2 where id = ?")
        .bind(noted, id)
        .run();
    return send();
  });
  expect((await get("/ip_policies?limit=1", { token, env: { DB: recordingFirst } })).status).toBe(200);
  const { body, headers } = await get(uri);
  expect([body.last_used_at, headers.get("ETag")]).toEqual([noted, expect.stringMatching(/-2"$/)]);
});
