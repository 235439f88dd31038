import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { call, get, patch, post } from "./api.ts";
import { givenBotUser, givenIpPolicy, givenKey } from "./given.ts";

/*
 * Service-Bookmark: reads that are at least as fresh as an earlier response. The local database is one without replicas,
 * so what can be seen is what each request asks it for.
 */

const FORM = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

/** The database, noting what sessions of it begin with and which statements bypass them. */
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

test("every response that asked the database says how fresh it is", async () => {
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
  // Whoever has no key learns nothing of how much is written.
  expect((await get("/health")).headers.has("Service-Bookmark")).toBe(false);
});

test("a write moves it on", async () => {
  const before = (await get("/ip_policies?limit=1")).headers.get("Service-Bookmark") ?? "";
  const after = (await post("/ip_policies")).headers.get("Service-Bookmark") ?? "";
  expect(after > before).toBe(true);
});

test("a request begins with its bookmark, without one at the primary", async () => {
  const bookmark = (await post("/ip_policies")).headers.get("Service-Bookmark") ?? "";
  const { DB, began } = watching();
  await get("/ip_policies?limit=1", { ...withBookmark(bookmark), env: { DB } });
  await get("/ip_policies?limit=1", { env: { DB } });
  expect(began).toEqual([bookmark, "first-primary"]);
});

test("whoever sends the request is asked of the primary, whatever the bookmark", async () => {
  const { token } = await givenKey();
  const bookmark = (await get("/ip_policies")).headers.get("Service-Bookmark") ?? "";
  const { DB, bypassing } = watching();
  await get("/ip_policies?limit=1", { ...withBookmark(bookmark), env: { DB }, token });
  expect(bypassing.filter((query) => query.startsWith("select"))).toMatchObject([
    expect.stringContaining('from "api_keys"'),
  ]);
});

test("a refusal that asked nothing gives the bookmark back, if there is one", async () => {
  const bookmark = (await givenBotUser()) && (await get("/bot_users")).headers.get("Service-Bookmark");
  const refused = await post("/bot_users", {}, withBookmark(bookmark ?? ""));
  expect([refused.status, refused.headers.get("Service-Bookmark")]).toEqual([400, bookmark]);
  expect((await post("/bot_users", {})).headers.has("Service-Bookmark")).toBe(false);
});

test.each([
  "",
  "first-unconstrained",
  "first-primary",
  "nonsense",
  "00000000-00000004-00000000-0000000000000000000000000000000",
  "00000000-00000004-00000000-000000000000000000000000000000000",
  "00000000-00000004-00000000-0000000000000000000000000000000G",
  "00000000-00000004-00000000-00000000000000000000000000000000, 00000000-00000004-00000000-00000000000000000000000000000000",
])("%j is no bookmark", async (bookmark) => {
  const { uri } = await givenIpPolicy();
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
