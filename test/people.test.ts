import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test } from "vitest";
import { clock } from "../packages/model/src/clock.ts";
import { stamp } from "../packages/model/src/ids.ts";
import { app } from "../src/app.ts";
import { everyMinute } from "../src/background.ts";
import { call, create, del, get, type Json, ORIGIN, patch, post, outcome } from "./support/api.ts";
import { givenPerson, givenSession } from "./support/people.ts";

/*
 * People, sessions and personal keys. The sign-in with an identity provider is in test/e2e/people.
 */

const realNow = clock.now;
afterEach(() => {
  clock.now = realNow;
});

const SAME = { "Sec-Fetch-Site": "same-origin" };

/** The headers of a browser with a session: no key. */
const browser = (cookie: string, others: Record<string, string> = SAME) => ({
  headers: { Authorization: undefined, Cookie: cookie, ...others },
});

const cookieIn = (headers: Headers): string => /^[^;]+/.exec(headers.get("Set-Cookie") ?? "")?.[0] ?? "";

/** Signs in with a key; returns the cookie. */
async function signedIn(token = env.ROOT_API_KEY ?? ""): Promise<string> {
  const answer = await post("/auth/key", { token }, { headers: { Authorization: undefined, ...SAME } });
  expect(answer.status, answer.text).toBe(204);
  return cookieIn(answer.headers);
}

const eventsOf = async (type: string): Promise<Json[]> => (await get(`/events?type=${type}`)).body["events"];

describe("signing in with a key", () => {
  test("gives a cookie that no script can read, which works like the key", async () => {
    const { token, id } = await create("/api_keys", { role: "editor", description: "laptop" });
    const answer = await post("/auth/key", { token }, { headers: { Authorization: undefined, ...SAME } });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("Set-Cookie")).toMatch(
      /^__Host-edge_session=[0-9A-Za-z]{27}_[0-9A-Za-z]{33}; Max-Age=28[78]\d\d; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
    );
    expect(answer.text).toBe("");
    const cookie = cookieIn(answer.headers);
    expect((await get("/whoami", browser(cookie))).body).toMatchObject({
      id,
      kind: "api_key",
      role: "editor",
    });
    const policy = await post("/ip_policies", {}, browser(cookie));
    expect(policy.status).toBe(201);
    const { events } = (await get(`/events?object_id=${policy.body["id"]}`)).body;
    expect(events[0].principal).toMatchObject({
      id,
      subject: "laptop",
      source: "Console",
      credential: { id },
    });
    expect(outcome(await get("/api_keys", browser(cookie)))).toBe("403 ERR_FORBIDDEN");
    const [created] = await eventsOf("session_created.v0");
    expect(created).toMatchObject({
      principal: { id, source: "Console" },
      object: { key: { id }, user: null },
    });
    expect(JSON.stringify(created)).not.toMatch(/sha256|token/);
  });

  test.each(["agent", "metrics"])("is not for keys with the role %s", async (role) => {
    const { token } = await create("/api_keys", { role });
    const answer = await post("/auth/key", { token }, { headers: { Authorization: undefined, ...SAME } });
    expect(answer.status).toBe(403);
    expect(answer.headers.get("Set-Cookie")).toBeNull();
  });

  test("rejects unknown keys, and records the rejection without the key", async () => {
    const answer = await post(
      "/auth/key",
      { token: "nonsense-of-a-key" },
      { headers: { Authorization: undefined, ...SAME } },
    );
    expect(answer.status).toBe(401);
    const [refused] = await eventsOf("sign_in_refused.v0");
    expect(refused).toMatchObject({ object: { way: "key" }, principal: { id: "system" } });
    expect(JSON.stringify(refused)).not.toContain("nonsense");
  });

  test("records at most 60 rejections an hour", async () => {
    for (let i = 0; i < 65; i++)
      await post("/auth/key", { token: `wrong ${i}` }, { headers: { Authorization: undefined, ...SAME } });
    expect((await eventsOf("sign_in_refused.v0")).length).toBe(60);
    const later = realNow() + 3_600_000;
    clock.now = () => later;
    await post("/auth/key", { token: "wrong" }, { headers: { Authorization: undefined, ...SAME } });
    expect((await eventsOf("sign_in_refused.v0")).length).toBe(61);
  });

  test("is a use of its key", async () => {
    const { id, token } = await create("/api_keys", { role: "viewer" });
    const cookie = await signedIn(token);
    expect((await get(`/api_keys/${id}`)).body).not.toHaveProperty("last_used_at");
    expect((await get("/edges/tcp", browser(cookie))).status).toBe(200);
    expect((await get(`/api_keys/${id}`)).body["last_used_at"]).toMatch(/Z$/);
  });

  test("ends with the key: at once for admin operations, within 20 seconds elsewhere", async () => {
    const key = await create("/api_keys", { role: "admin" });
    const cookie = await signedIn(key["token"]);
    expect((await get("/ip_policies", browser(cookie))).status).toBe(200);
    await env.DB.prepare("delete from api_keys where id = ?").bind(key["id"]).run();
    expect((await get("/api_keys", browser(cookie))).status).toBe(401);
    const later = realNow() + 20_001;
    clock.now = () => later;
    expect((await get("/ip_policies", browser(cookie))).status).toBe(401);
  });

  test("a root session ends when the root key changes", async () => {
    const cookie = await signedIn();
    expect((await get("/whoami", browser(cookie))).body).toMatchObject({
      id: "root",
      kind: "root",
      role: "admin",
    });
    const other = { ...browser(cookie), env: { ROOT_API_KEY: "another root key" } };
    expect((await get("/ip_policies", other)).status).toBe(401);
    expect((await get("/api_keys", other)).status).toBe(401);
    expect((await get("/ip_policies", browser(cookie))).status).toBe(200);
  });

  test("a session ends after eight hours, used or not, and is then deleted", async () => {
    const cookie = await signedIn();
    const start = realNow();
    for (const hours of [3, 6, 7.99]) {
      clock.now = () => start + hours * 3_600_000;
      expect((await get("/ip_policies", browser(cookie))).status).toBe(200);
    }
    clock.now = () => start + 8 * 3_600_000 + 1000;
    expect((await get("/ip_policies", browser(cookie))).status).toBe(401);
    await everyMinute(env, clock.now());
    const { results } = await env.DB.prepare("select id from sessions where expires_at < ?")
      .bind(new Date(clock.now()).toISOString())
      .all();
    expect(results).toEqual([]);
  });

  test("a session does not outlive a key that expires", async () => {
    const expires_at = new Date(realNow() + 600_000).toISOString().slice(0, 19) + "Z";
    const { token } = await create("/api_keys", { role: "viewer", expires_at });
    const cookie = await signedIn(token);
    expect((await get("/whoami", browser(cookie))).body["expires_at"]).toBe(expires_at);
    const later = realNow() + 601_000;
    clock.now = () => later;
    expect((await get("/ip_policies", browser(cookie))).status).toBe(401);
  });

  test("signing out ends the session", async () => {
    const cookie = await signedIn();
    const answer = await del("/auth/session", browser(cookie));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Set-Cookie")).toContain("__Host-edge_session=; Max-Age=0;");
    expect((await get("/ip_policies", browser(cookie))).status).toBe(401);
    expect((await del("/auth/session", browser(cookie))).status).toBe(401);
    expect((await eventsOf("session_deleted.v0")).length).toBeGreaterThan(0);
    expect((await del("/auth/session")).status).toBe(401);
  });

  test("every sign-in makes another session", async () => {
    expect(await signedIn()).not.toBe(await signedIn());
  });
});

describe("a session", () => {
  test("is not a key, and a key is not a session", async () => {
    const cookie = await signedIn();
    const token = cookie.slice(cookie.indexOf("=") + 1);
    expect((await get("/ip_policies", { token })).status).toBe(401);
    const key = await create("/api_keys", { role: "admin" });
    expect((await get("/ip_policies", browser(`__Host-edge_session=${key["token"]}`))).status).toBe(401);
    expect((await get("/ip_policies", browser(`__Host-edge_session=${env.ROOT_API_KEY}`))).status).toBe(401);
  });

  test.each(["", "x", "x; __Host-edge_session=y", "%00", "a".repeat(5_000)])(
    "is not the cookie %j",
    async (value) => {
      expect((await get("/ip_policies", browser(`__Host-edge_session=${value}`))).status).toBe(401);
    },
  );

  test("does not count beside a key: with Authorization, the cookie is ignored", async () => {
    const cookie = await signedIn();
    const { token } = await create("/api_keys", { role: "viewer" });
    const both = { token, headers: { Cookie: cookie } };
    expect((await get("/whoami", both)).body["role"]).toBe("viewer");
    expect(outcome(await post("/ip_policies", {}, both))).toBe("403 ERR_FORBIDDEN");
    expect(
      (await get("/ip_policies", { headers: { Authorization: "Bearer nonsense", Cookie: cookie } })).status,
    ).toBe(401);
    expect((await get("/ip_policies", { headers: { Authorization: "", Cookie: cookie } })).status).toBe(401);
  });

  test("is not accepted by what only programs call", async () => {
    const cookie = await signedIn();
    expect((await get("/snapshot", browser(cookie))).status).toBe(401);
    const report = await call("PUT", "/agents/a/status", { ok: true }, browser(cookie));
    expect(report.status).toBe(401);
  });

  test("needs the version like a key, except under /auth", async () => {
    const cookie = await signedIn();
    const without = { headers: { ...browser(cookie).headers, "Service-Version": undefined } };
    expect(outcome(await get("/ip_policies", without))).toBe("400 ERR_UNSUPPORTED_VERSION");
    expect((await del("/auth/session", without)).status).toBe(200);
  });

  test("gets responses without CORS headers", async () => {
    const cookie = await signedIn();
    const origin = { ...SAME, Origin: ORIGIN };
    const { headers } = await get("/ip_policies", browser(cookie, origin));
    expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
    expect(
      (await get("/ip_policies", { headers: { Origin: ORIGIN } })).headers.get("Access-Control-Allow-Origin"),
    ).toBe("*");
  });
});

describe("requests of other origins", () => {
  const foreign: Record<string, string>[] = [
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site" },
    { "Sec-Fetch-Site": "none" },
    { "Sec-Fetch-Site": "same-site", Origin: ORIGIN },
    { Origin: "https://evil.test" },
    { Origin: `${ORIGIN}:8443` },
    { Origin: ORIGIN.replace("https", "http") },
    { Origin: `${ORIGIN}.evil.test` },
    { Origin: "null" },
    { Referer: `${ORIGIN}/console` },
    {},
  ];

  test.each(foreign)("%j changes nothing", async (headers) => {
    const cookie = await signedIn();
    for (const [method, path] of [
      ["POST", "/ip_policies"],
      ["PUT", "/ip_policies/ipp_x/rules"],
      ["PATCH", "/ip_policies/ipp_x"],
      ["DELETE", "/ip_policies/ipp_x"],
      ["DELETE", "/auth/session"],
      ["POST", "/users/me/keys"],
      ["POST", "/transactions"],
    ] as const) {
      const body = method === "DELETE" ? undefined : {};
      const answer = await call(method, path, body, browser(cookie, headers));
      expect([method, path, answer.status, answer.body["error_code"]]).toEqual([
        method,
        path,
        403,
        "ERR_CROSS_SITE",
      ]);
    }
    expect((await get("/ip_policies", browser(cookie, headers))).status).toBe(200);
  });

  test.each(foreign)("%j cannot sign a browser in", async (headers) => {
    for (const path of ["/auth/key", "/auth/key/", "/auth/%6bey", "/auth/key?x=1"]) {
      const answer = await post(
        path,
        { token: env.ROOT_API_KEY },
        { headers: { Authorization: undefined, ...headers } },
      );
      expect(answer.headers.get("Set-Cookie")).toBeNull();
      expect(answer.status).toBe(403);
    }
  });

  test("a browser without Sec-Fetch-Site is known by its Origin", async () => {
    const cookie = await signedIn();
    expect((await post("/ip_policies", {}, browser(cookie, { Origin: ORIGIN }))).status).toBe(201);
  });
});

describe("a person", () => {
  test("acts under their own name", async () => {
    const { id, cookie } = await givenPerson("editor", "ada@example.com");
    expect((await get("/whoami", browser(cookie))).body).toMatchObject({
      id,
      kind: "user",
      subject: "ada@example.com",
      role: "editor",
      owner: null,
    });
    const policy = await post("/ip_policies", {}, browser(cookie));
    const { events } = (await get(`/events?principal_id=${id}`)).body;
    expect(events[0]).toMatchObject({
      object: { id: policy.body["id"] },
      principal: { id, subject: "ada@example.com", source: "Console", credential: null },
    });
  });

  test("who signs in again repeats a creation with the same key", async () => {
    const { id, cookie } = await givenPerson("editor");
    const headers = { ...SAME, "Idempotency-Key": "once" };
    const first = await post("/ip_policies", { description: "a" }, browser(cookie, headers));
    const again = await givenSession(id, "editor");
    const second = await post("/ip_policies", { description: "a" }, browser(again, headers));
    expect(second.body).toEqual(first.body);
  });

  test("loses all sessions when given another role: at once for admin operations, within 20 seconds elsewhere", async () => {
    const { id, cookie } = await givenPerson("admin");
    expect((await get("/users", browser(cookie))).status).toBe(200);
    // Another isolate makes the change: this one keeps what it knows.
    await env.DB.prepare("delete from sessions where user_id = ?").bind(id).run();
    expect((await get("/users", browser(cookie))).status).toBe(401);
    const other = await givenPerson("admin");
    expect((await get("/ip_policies", browser(other.cookie))).status).toBe(200);
    const changed = await patch(`/users/${other.id}`, { role: "viewer" });
    expect(changed.body).toMatchObject({ role: "viewer", provider_role: "admin" });
    expect((await get("/ip_policies", browser(other.cookie))).status).toBe(401);
  });

  test("keeps the session if the role stays the same", async () => {
    const { id, cookie } = await givenPerson("editor");
    await patch(`/users/${id}`, { role: "editor" });
    expect((await get("/ip_policies", browser(cookie))).status).toBe(200);
    const back = await patch(`/users/${id}`, { role: "" });
    expect(back.body["role"]).toBeUndefined();
    expect((await get("/ip_policies", browser(cookie))).status).toBe(200);
  });

  test.each(["deactivated", "deleted", "signed out everywhere"])("who is %s has no session", async (how) => {
    const { id, cookie } = await givenPerson("editor");
    expect((await get("/ip_policies", browser(cookie))).status).toBe(200);
    if (how === "deactivated") expect((await patch(`/users/${id}`, { active: false })).status).toBe(200);
    else expect((await del(how === "deleted" ? `/users/${id}` : `/users/${id}/sessions`)).status).toBe(204);
    expect((await get("/ip_policies", browser(cookie))).status).toBe(401);
    expect((await eventsOf("session_deleted.v0"))[0]).toMatchObject({
      object: { user: { id } },
      principal: { id: "root" },
    });
  });

  test("who is demoted in the meantime cannot complete an admin operation", async () => {
    const { id, cookie } = await givenPerson("admin");
    const target = await givenPerson("viewer");
    let isDone = false;
    const body = new ReadableStream({
      async pull(controller) {
        if (isDone) return controller.close();
        isDone = true;
        await env.DB.prepare("delete from sessions where user_id = ?").bind(id).run();
        controller.enqueue(new TextEncoder().encode('{"role":"admin"}'));
      },
    });
    const answer = await call("PATCH", `/users/${target.id}`, undefined, { ...browser(cookie), raw: body });
    expect(answer.status).toBe(401);
    expect((await get(`/users/${target.id}`)).body["role"]).toBeUndefined();
  });

  test("has events that only admins see", async () => {
    const { id } = await givenPerson("viewer");
    await patch(`/users/${id}`, { role: "editor" });
    const { token } = await create("/api_keys", { role: "editor" });
    for (const type of ["user_updated.v0", "session_created.v0", "sign_in_refused.v0"])
      expect((await get(`/events?type=${type}`, { token })).body["events"]).toEqual([]);
    const subscription = { sources: [{ type: "user_updated.v0" }], destination_ids: [] };
    expect(outcome(await post("/event_subscriptions", subscription, { token }))).toBe("403 ERR_FORBIDDEN");
  });
});

describe("personal keys", () => {
  const made = async (cookie: string, body: Json = {}): Promise<Json> => {
    const answer = await post("/users/me/keys", body, browser(cookie));
    expect(answer.status, answer.text).toBe(201);
    return answer.body;
  };

  test("act in the person's name", async () => {
    const { id, cookie } = await givenPerson("editor", "grace@example.com");
    const key = await made(cookie, { description: "laptop" });
    expect(key).toMatchObject({ owner_id: id, role: "editor" });
    const token = key["token"];
    expect((await get("/whoami", { token })).body).toMatchObject({
      id: key["id"],
      kind: "api_key",
      subject: "grace@example.com",
      owner: { id },
    });
    const policy = await post("/ip_policies", {}, { token });
    const { events } = (await get(`/events?object_id=${policy.body["id"]}`)).body;
    expect(events[0].principal).toMatchObject({
      id,
      subject: "grace@example.com",
      source: "API",
      credential: { id: key["id"] },
    });
    const listed = (await get("/users/me/keys", browser(cookie))).body["keys"];
    expect(listed.map((each: Json) => each["id"])).toEqual([key["id"]]);
    expect((await get(`/users/me/keys/${key["id"]}`, { token })).body["token"]).toBeNull();
  });

  test("never exceed the person's role", async () => {
    const { id, cookie } = await givenPerson("admin");
    const { token } = await made(cookie, { role: "admin" });
    expect((await get("/users", { token })).status).toBe(200);
    await patch(`/users/${id}`, { role: "viewer" });
    expect(outcome(await get("/users", { token }))).toBe("403 ERR_FORBIDDEN");
    expect((await get("/whoami", { token })).body["role"]).toBe("viewer");
    const other = await givenPerson("viewer");
    expect(outcome(await post("/users/me/keys", { role: "admin" }, browser(other.cookie)))).toBe(
      "400 ERR_INVALID_REQUEST /role",
    );
  });

  test("end 30 days after the last sign-in", async () => {
    const { cookie } = await givenPerson("editor");
    const { token } = await made(cookie);
    const start = realNow();
    clock.now = () => start + 29 * 86_400_000;
    expect((await get("/ip_policies", { token })).status).toBe(200);
    clock.now = () => start + 30 * 86_400_000 + 1000;
    expect((await get("/ip_policies", { token })).status).toBe(401);
    expect((await get("/users", { token })).status).toBe(401);
  });

  test.each(["deactivated", "deleted"])("end when the person is %s", async (how) => {
    const { id, cookie } = await givenPerson("editor");
    const { token } = await made(cookie);
    expect((await get("/ip_policies", { token })).status).toBe(200);
    if (how === "deactivated") await patch(`/users/${id}`, { active: false });
    else await del(`/users/${id}`);
    expect((await get("/ip_policies", { token })).status).toBe(401);
  });

  test("belong to one person: nobody else reads or deletes them there", async () => {
    const [ada, eve] = [await givenPerson("editor"), await givenPerson("admin")];
    const key = await made(ada.cookie);
    const path = `/users/me/keys/${key["id"]}`;
    expect(outcome(await get(path, browser(eve.cookie)))).toBe("404 ERR_NOT_FOUND");
    expect(outcome(await del(path, browser(eve.cookie)))).toBe("404 ERR_NOT_FOUND");
    expect(outcome(await get("/users/me/keys"))).toBe("403 ERR_FORBIDDEN");
    expect((await del(path, browser(ada.cookie))).status).toBe(204);
    expect((await get("/ip_policies", { token: key["token"] })).status).toBe(401);
  });

  test("a person has 100 at most, and makes 20 a minute", async () => {
    const { id, cookie } = await givenPerson("viewer");
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 99)
       insert into api_keys (id, created_at, role, owner_id, token_sha256, version)
       select ? || printf('%02d', i), '2026-01-01T00:00:00Z', 'viewer', ?, printf('%064d', i), 1 from n`,
    )
      .bind(stamp("api_key").id.slice(0, -2), id)
      .run();
    const both = await Promise.all([1, 2].map(() => post("/users/me/keys", {}, browser(cookie))));
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const refused = both.find(({ status }) => status === 409);
    expect(refused?.body["msg"]).toBe("You have 100 keys. Delete one first.");
    const one = both.find(({ status }) => status === 201)?.body["id"];
    expect((await del(`/users/me/keys/${one}`, browser(cookie))).status).toBe(204);
    expect((await post("/users/me/keys", {}, browser(cookie))).status).toBe(201);
    const limited = { LOGIN_LIMIT: env.SMALL_LIMIT, LOGIN_LIMIT_POLICY: '"login";q=3;w=60' };
    const { cookie: other } = await givenPerson("viewer");
    const statuses = [];
    for (let i = 0; i < 4; i++)
      statuses.push((await post("/users/me/keys", {}, { ...browser(other), env: limited })).status);
    expect(statuses).toEqual([201, 201, 201, 429]);
  });

  test("are made by a person who has signed in, not with a key", async () => {
    const { cookie } = await givenPerson("admin");
    const { token } = await made(cookie);
    expect(outcome(await post("/users/me/keys", {}, { token }))).toBe("403 ERR_FORBIDDEN");
    expect(outcome(await post("/users/me/keys", {}))).toBe("403 ERR_FORBIDDEN");
    expect(outcome(await post("/users/me/keys", {}, browser(await signedIn())))).toBe("403 ERR_FORBIDDEN");
  });

  test("are not outlived by the keys that they make", async () => {
    const { cookie } = await givenPerson("admin");
    const { token } = await made(cookie);
    const key = await post("/api_keys", { role: "admin" }, { token });
    expect(key.body["expires_at"]).toMatch(/^20/);
    const never = await post("/api_keys", {}, browser(cookie));
    expect(never.body["expires_at"]).toBeUndefined();
    expect(never.body["owner_id"]).toBeUndefined();
  });
});

test("a request with a session takes as many round trips and as many rows as one with a key of a bot", async () => {
  const bot = await create("/bot_users", { name: "b" });
  const { token } = await create("/api_keys", { owner_id: bot["id"] });
  const { cookie } = await givenPerson("editor");
  // The use of a key is noted after its first request.
  await get("/ip_policies?limit=1", { token });
  const later = realNow() + 20_001;
  clock.now = () => later;
  // Reads the database's epoch, which the isolate caches.
  await get("/ip_policies?limit=1");
  const first = [
    await get("/ip_policies?limit=1", { token }),
    await get("/ip_policies?limit=1", browser(cookie)),
  ];
  const next = [
    await get("/ip_policies?limit=1", { token }),
    await get("/ip_policies?limit=1", browser(cookie)),
  ];
  const figures = (answers: typeof first) => answers.map(({ cost }) => [cost.roundTrips, cost.rowsRead]);
  // The next two use the callers that the isolate has cached.
  for (const [roundTrips, answers] of [
    [2, first],
    [1, next],
  ] as const) {
    const [withKey, withSession] = figures(answers);
    expect(withSession).toEqual(withKey);
    expect(withKey?.[0]).toBe(roundTrips);
  }
});

test("without a provider, nobody is sent to one", async () => {
  expect((await get("/auth/methods", { headers: { Authorization: undefined } })).body).toEqual({
    methods: ["key"],
  });
  const context = createExecutionContext();
  const response = await app.request(
    `${ORIGIN}/auth/login`,
    { headers: { Accept: "text/html" } },
    env,
    context,
  );
  await waitOnExecutionContext(context);
  expect([response.status, response.headers.get("Content-Type")]).toEqual([404, "text/html; charset=utf-8"]);
});
