import { expect, test } from "vitest";
import { clock, timestamp } from "../../packages/model/src/clock.ts";
import { del, get, put, outcome } from "../support/api.ts";
import * as given from "../support/given.ts";
import type { Json } from "../support/json.ts";

/*
 * Agents that serve traffic, as they report themselves.
 */

const agentKey = () => given.key({ role: "agent" });
const status = { applied_version: 1, ok: true };
const report = (name: string, { token }: Json, body: Json = status) =>
  put(`/agents/${name}/status`, body, { token });

test("an agent reports its status, which shows how far it is behind", async () => {
  const key = await agentKey();
  const { version } = (await get("/snapshot")).body;
  const problem = { object: "edgtcp_1", code: "certificate_missing", msg: "No certificate." };
  const sent = { applied_version: version, ok: true, problems: [problem], proxy: "HAProxy 3.2.26" };
  const first = await report("lisbon-1", key, sent);
  const expected = {
    ...sent,
    name: "lisbon-1",
    uri: "https://api.test/agents/lisbon-1",
    key: { id: key["id"], uri: key["uri"] },
    last_seen: expect.any(String),
    newest_version: version,
    behind: 0,
    behind_since: null,
    error: null,
    edges: null,
  };
  expect(first.status, first.text).toBe(200);
  expect(first.body).toEqual(expected);
  expect(Date.parse(first.body["last_seen"])).toBeGreaterThan(clock.now() - 5_000);
  expect((await get("/agents/lisbon-1")).body).toEqual(expected);
  const before = timestamp(clock.now());
  await given.ipPolicy();
  await given.ipPolicy();
  const { behind, behind_since, newest_version } = (await get("/agents/lisbon-1")).body;
  const newest = (await get("/snapshot")).body["version"];
  expect({ behind, newest_version }).toEqual({ behind: newest - version, newest_version: newest });
  expect(behind).toBeGreaterThanOrEqual(2);
  expect(behind_since >= before).toBe(true);
});

test("a report replaces the previous one; fields that it omits become null", async () => {
  const key = await agentKey();
  await report("replaced", key, { ...status, error: "HAProxy rejects it.", proxy: "HAProxy" });
  const { body } = await report("replaced", key, { ok: false });
  expect(body).toMatchObject({ ok: false, applied_version: null, error: null, proxy: null, problems: [] });
});

test("the first key owns a name until an admin deletes the agent or the key is deleted", async () => {
  const [first, second, third] = [await agentKey(), await agentKey(), await agentKey()];
  expect((await report("owned", first)).status).toBe(200);
  const rejected = await report("owned", second);
  expect(rejected.status).toBe(403);
  expect(rejected.body["msg"]).toContain("another key");
  expect((await get("/agents/owned")).body["key"].id).toBe(first["id"]);
  expect(outcome(await del("/agents/owned", { token: second["token"] }))).toBe("403 ERR_FORBIDDEN");
  expect((await del("/agents/owned")).status).toBe(204);
  expect(outcome(await get("/agents/owned"))).toBe("404 ERR_NOT_FOUND");
  expect(outcome(await del("/agents/owned"))).toBe("404 ERR_NOT_FOUND");
  expect((await report("owned", second)).status).toBe(200);
  await del(second["uri"]);
  expect((await report("owned", third)).status).toBe(200);
});

test("of concurrent first reports under one name, one key gets it", async () => {
  const keys = await Promise.all(Array.from({ length: 5 }, agentKey));
  const answers = await Promise.all(keys.map((key) => report("raced", key)));
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 403, 403, 403, 403]);
});

test("a key has at most 10 names, even if it takes over a free one", async () => {
  const [key, other] = [await agentKey(), await agentKey()];
  const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => report(`many-${i}`, key)));
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(10);
  const rejected = answers.find((answer) => answer.status === 403);
  expect(rejected?.body["msg"]).toContain("10");
  await report("abandoned", other);
  await del(other["uri"]);
  expect(outcome(await report("abandoned", key))).toBe("403 ERR_FORBIDDEN");
  const [own = ""] = answers.flatMap((answer) => (answer.status === 200 ? [answer.body["name"]] : []));
  expect((await report(own, key)).status).toBe(200);
});

test.each(["Upper", "-a", "a_b", "a.b", "a".repeat(64), "%20"])(
  "the name %s is rejected with 400",
  async (name) => {
    const answer = await report(name, await agentKey());
    expect(answer.status).toBe(400);
    expect(answer.body["errors"][0].path).toBe("name");
  },
);

test("a status has at most 64 KiB", async () => {
  const key = await agentKey();
  const problem = { object: "edgtcp_1", code: "refused", msg: "ü".repeat(900) };
  const many = (count: number) => ({ ok: true, problems: Array.from({ length: count }, () => problem) });
  expect((await report("large", key, many(35))).status).toBe(200);
  expect(outcome(await report("large", key, many(36)))).toBe("413 ERR_TOO_LARGE");
});

test("agents are listed by name, with pages", async () => {
  const key = await agentKey();
  for (const name of ["page-b", "page-a", "page-c"]) await report(name, key);
  const { body } = await get("/agents?after=page&limit=2");
  expect(body["agents"].map(({ name }: Json) => name)).toEqual(["page-a", "page-b"]);
  expect(body["next_page_uri"]).toBe("https://api.test/agents?after=page-b&limit=2");
  const rest = await get("/agents?after=page-b&limit=1");
  expect(rest.body["agents"].map(({ name }: Json) => name)).toEqual(["page-c"]);
});

test("a bot user can own an agent's key", async () => {
  const bot = await given.botUser();
  const key = await given.key({ role: "agent", owner_id: bot["id"] });
  expect((await report("of-a-bot", key)).body["key"].id).toBe(key["id"]);
});
