import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { newCost, limits } from "../src/db/session.ts";
import { call, del, get, patch, post } from "./support/api.ts";
import { newEpoch } from "./support/epoch.ts";
import * as given from "./support/given.ts";
import { intercepted, interceptedSession } from "./support/intercepted.ts";

/*
 * Service-Bookmark: reads that are at least as fresh as an earlier response. The local database has no replicas, so the
 * tests check what each request sends to the database.
 */

const FORM = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

/** A database that records where its sessions start and which statements bypass them. */
function watching(): { DB: D1Database; began: unknown[]; bypassing: string[] } {
  const began: unknown[] = [];
  const bypassing: string[] = [];
  const DB = new Proxy(env.DB, {
    get(target, name) {
      if (name === "withSession")
        return (constraint: string) => {
          began.push(constraint);
          return target.withSession(constraint);
        };
      if (name === "prepare")
        return (query: string) => {
          bypassing.push(query);
          return target.prepare(query);
        };
      return Reflect.get(target, name);
    },
  });
  return { DB, began, bypassing };
}

const withBookmark = (bookmark: string) => ({ headers: { "Service-Bookmark": bookmark } });

/** The bookmark in the response to a request without one. */
const bookmarkNow = async (): Promise<string> =>
  (await get("/ip_policies?limit=1")).headers.get("Service-Bookmark") ?? "none";

const real = { ...limits };

test("every response that queried the database has a bookmark", async () => {
  const created = await post("/ip_policies");
  for (const answer of [
    created,
    await get(created.body.uri),
    await get("/ip_policies?limit=1"),
    await patch(created.body.uri, { description: "x" }),
    await get("/ip_policies/ipp_1"),
    await call("HEAD", created.body.uri),
    await call("DELETE", created.body.uri),
  ])
    expect(answer.headers.get("Service-Bookmark")).toMatch(FORM);
  // A bookmark would show callers without a key how much is written.
  expect((await get("/health")).headers.has("Service-Bookmark")).toBe(false);
});

test("a write advances the bookmark", async () => {
  const before = (await get("/ip_policies?limit=1")).headers.get("Service-Bookmark") ?? "";
  const after = (await post("/ip_policies")).headers.get("Service-Bookmark") ?? "";
  expect(after > before).toBe(true);
});

test("a read starts from its bookmark, or at the primary without one", async () => {
  const bookmark = (await post("/ip_policies")).headers.get("Service-Bookmark") ?? "";
  const { DB, began } = watching();
  await get("/ip_policies?limit=1", { ...withBookmark(bookmark), env: { DB } });
  await get("/ip_policies?limit=1", { env: { DB } });
  expect(began).toEqual([bookmark.slice(9), "first-primary"]);
});

test("the API key is looked up at the primary, regardless of the bookmark", async () => {
  const { token } = await given.key();
  const bookmark = (await get("/ip_policies")).headers.get("Service-Bookmark") ?? "";
  const { DB, bypassing } = watching();
  await get("/ip_policies?limit=1", { ...withBookmark(bookmark), env: { DB }, token });
  expect(bypassing.filter((query) => query.startsWith("select"))).toMatchObject([
    expect.stringContaining('from "api_keys"'),
  ]);
});

test("a write starts at the primary and does not wait for a bookmark", async () => {
  const bookmark = await bookmarkNow();
  const { uri } = await given.ipPolicy();
  const { DB, began } = watching();
  const options = { ...withBookmark(bookmark), env: { DB } };
  expect((await post("/ip_policies", {}, options)).status).toBe(201);
  expect((await patch(uri, { description: "x" }, options)).status).toBe(200);
  expect((await patch("/ip_policies/ipp_1", { description: "x" }, options)).status).toBe(404);
  expect((await del(uri, options)).status).toBe(204);
  expect(began).toEqual(Array(4).fill("first-primary"));
});

test("a bookmark is not echoed unless the database has responded", async () => {
  const bookmark = await bookmarkNow();
  const rejected = await post("/bot_users", {}, withBookmark(bookmark));
  expect([rejected.status, rejected.headers.has("Service-Bookmark")]).toEqual([400, false]);
  const broken = intercepted(env.DB, () => Promise.reject(new Error("D1_ERROR: Network connection lost.")));
  for (const headers of [{}, withBookmark(bookmark).headers]) {
    const { status, headers: answered } = await get("/bot_users", { headers, env: { DB: broken } });
    expect([status, answered.has("Service-Bookmark")]).toEqual([503, false]);
  }
});

/** A database whose sessions respond with `answer` if they start from a bookmark. */
function unableToServeBookmarks(answer: () => Promise<never>): { DB: D1Database; began: unknown[] } {
  const began: unknown[] = [];
  const DB = new Proxy(env.DB, {
    get(target, name) {
      if (name !== "withSession") return Reflect.get(target, name);
      return (constraint: string) => {
        began.push(constraint);
        const session = target.withSession(constraint);
        return constraint === "first-primary" ? session : interceptedSession(session, answer);
      };
    },
  });
  return { DB, began };
}

describe("a bookmark that D1 cannot serve", () => {
  beforeAll(() => {
    Object.assign(limits, { deadline: 400, bookmarkDeadline: 100 });
  });
  afterAll(() => Object.assign(limits, real));

  test.each([
    ["is waited for until the deadline", () => new Promise<never>(() => {})],
    ["is rejected", () => Promise.reject(new Error("D1_ERROR: invalid bookmark"))],
  ])("%s once, and the primary then serves the request", async (_, answer) => {
    const bookmark = await bookmarkNow();
    const { uri } = await given.ipPolicy();
    for (const url of [uri, "/ip_policies?limit=1"]) {
      const { DB, began } = unableToServeBookmarks(answer);
      const start = performance.now();
      const read = await get(url, { ...withBookmark(bookmark), env: { DB } });
      expect(read.status, read.text).toBe(200);
      expect(performance.now() - start).toBeLessThan(limits.deadline);
      expect(began).toEqual([bookmark.slice(9), "first-primary"]);
      expect(read.headers.get("Service-Bookmark")).toMatch(FORM);
      expect(read.headers.get("Service-Bookmark")).not.toBe(bookmark);
    }
  });

  test("makes the isolate read the epoch again, so only one request waits after a restore", async () => {
    const bookmark = await bookmarkNow();
    const { uri } = await given.ipPolicy();
    const epoch = await newEpoch();
    const { DB, began } = unableToServeBookmarks(() => new Promise<never>(() => {}));
    const options = { ...withBookmark(bookmark), env: { DB } };
    const first = await get(uri, options);
    expect([first.status, first.headers.get("ETag")]).toEqual([200, `"${epoch}-1"`]);
    for (let i = 0; i < 3; i++) {
      const { status, headers } = await get(uri, options);
      expect([status, headers.get("Service-Bookmark")?.slice(0, 8)]).toEqual([200, epoch]);
    }
    expect(began).toEqual([bookmark.slice(9), ...Array(4).fill("first-primary")]);
  });

  test("leads to a 503 within the usual deadline if the primary does not respond either", async () => {
    const bookmark = await bookmarkNow();
    const DB = intercepted(env.DB, () => new Promise<never>(() => {}));
    const start = performance.now();
    const { status, headers } = await get("/ip_policies", { ...withBookmark(bookmark), env: { DB } });
    expect([status, headers.has("Service-Bookmark")]).toEqual([503, false]);
    expect(performance.now() - start).toBeLessThan(limits.deadline * 1.5);
  });
});

test("a bookmark of another epoch is not used", async () => {
  const bookmark = await bookmarkNow();
  const epoch = await newEpoch();
  const { uri } = await given.ipPolicy();
  // A condition makes the isolate read the current epoch, which it then caches.
  await get(uri, { headers: { "If-None-Match": '"x"' } });
  const { DB, began } = unableToServeBookmarks(() => new Promise<never>(() => {}));
  for (const sent of [bookmark, `00000000${bookmark.slice(8)}`]) {
    const { status, headers } = await get(uri, { ...withBookmark(sent), env: { DB } });
    expect([status, headers.get("Service-Bookmark")?.slice(0, 8)]).toEqual([200, epoch]);
  }
  expect(began).toEqual(["first-primary", "first-primary"]);
});

test("an isolate that has not read the epoch starts at the primary and reads it with the first result", async () => {
  const bookmark = await bookmarkNow();
  vi.resetModules();
  const { Session } = await import("../src/db/session.ts");
  const cost = newCost();
  const statement = { text: "select 1 as one", params: [], decode: (row: object) => row };
  for (const expected of ["first-primary", bookmark.slice(9)]) {
    const { DB, began } = watching();
    const session = new Session(DB, bookmark, cost);
    expect(session.bookmark()).toBeNull();
    expect(await session.all(statement)).toEqual([{ one: 1 }]);
    expect(began).toEqual([expected]);
    expect(session.bookmark()?.slice(0, 9)).toBe(bookmark.slice(0, 9));
  }
  expect(cost).toMatchObject({ roundTrips: 2, rowsRead: 1 });
});

test.each([
  "",
  "first-unconstrained",
  "first-primary",
  "nonsense",
  "00000000-00000004-00000000-00000000000000000000000000000000",
  "0000000G-00000000-00000004-00000000-00000000000000000000000000000000",
  "00000000-00000000-00000004-00000000-0000000000000000000000000000000",
  "00000000-00000000-00000004-00000000-000000000000000000000000000000000",
  "00000000-00000000-00000004-00000000-0000000000000000000000000000000G",
  "00000000-00000000-00000004-00000000-00000000000000000000000000000000, 00000000-00000000-00000004-00000000-00000000000000000000000000000000",
])("%j is not a bookmark", async (bookmark) => {
  const { uri } = await given.ipPolicy();
  for (const answer of [
    await get(uri, withBookmark(bookmark)),
    await patch(uri, { description: "x" }, withBookmark(bookmark)),
  ]) {
    expect([answer.status, answer.body.error_code]).toEqual([400, "ERR_INVALID_REQUEST"]);
    expect(answer.body.errors).toMatchObject([{ path: "Service-Bookmark" }]);
    expect(answer.headers.get("Service-Bookmark")).not.toBe(bookmark);
  }
  expect((await get(uri)).body.description).toBe("office");
});
