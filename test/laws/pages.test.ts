import { reset } from "cloudflare:test";
import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { clock } from "../../src/clock.ts";
import { create, del, get, ORIGIN } from "../api.ts";
import { collections, createBody, givenWorld } from "./collections.ts";

// Time stands still, so that no page is the one with which the isolate reads the database's epoch, after the first.
const now = Date.now();
beforeAll(() => {
  clock.now = () => now;
});

const shapes = collections({ backends: ["bkdfo_1"], policies: ["ipp_1"], bots: ["bot_1"] });

describe.each(shapes)("pages of $path", ({ path, list }) => {
  /** Creates `count` objects in an empty database and returns the ids of the whole list, newest first. */
  async function givenObjects(count: number): Promise<string[]> {
    const collection = collections(await givenWorld()).find((other) => other.path === path);
    const [body] = collection ? fc.sample(createBody(collection), 1) : [];
    for (let i = 0; i < count; i++) await create(path, body);
    const all = (await get(path)).body;
    expect(all.next_page_uri).toBeNull();
    return all[list].map(({ id }: { id: string }) => id);
  }

  beforeEach(async () => {
    await reset();
    await applyD1Migrations(env.DB, env.MIGRATIONS);
  });

  test("visit each object once, newest first, never with an empty page, cursor objects deleted or not", async () => {
    const before = await givenObjects(12);
    expect(before).toEqual(before.toSorted().toReversed());
    for (const { limit, deleting } of [
      { limit: 1, deleting: false },
      { limit: 5, deleting: false },
      { limit: before.length, deleting: false },
      { limit: before.length - 1, deleting: false },
      { limit: 4, deleting: true },
    ]) {
      const visited: string[] = [];
      let next: string | null = `${ORIGIN}${path}?limit=${limit}`;
      while (next) {
        const { body, cost } = await get(next);
        const ids = body[list].map(({ id }: { id: string }) => id);
        expect(ids.length).toBeGreaterThan(0);
        expect(cost.rowsRead).toBeLessThanOrEqual(ids.length + 1);
        expect(body.uri).toBe(ORIGIN + path);
        visited.push(...ids);
        next = body.next_page_uri;
        if (next) expect(next).toBe(`${ORIGIN}${path}?before_id=${ids.at(-1)}&limit=${limit}`);
        if (deleting) for (const id of ids) expect((await del(`${path}/${id}`)).status).toBe(204);
      }
      expect(visited).toEqual(before);
    }
  });

  test("an empty list is a page", async () => {
    const { body, status } = await get(path);
    expect([status, body]).toEqual([200, { [list]: [], uri: ORIGIN + path, next_page_uri: null }]);
  });
});

test("a page holds 100 objects unless told otherwise", async () => {
  for (let i = 0; i < 101; i++) await create("/ip_policies");
  const first = (await get("/ip_policies")).body;
  expect(first.ip_policies).toHaveLength(100);
  expect(first.next_page_uri).toMatch(/\?before_id=ipp_\w+&limit=100$/);
  const second = (await get(first.next_page_uri)).body;
  expect(second.ip_policies).toHaveLength(1);
  expect(second.next_page_uri).toBeNull();
});

test("a cursor needs only the form of an id", async () => {
  const { id } = await create("/bot_users", { name: "a" });
  expect((await get("/bot_users?before_id=bot_zzzzzzzzzzzzzzzzzzzzzzzzzzz")).body.bot_users[0].id).toBe(id);
  expect((await get("/bot_users?before_id=bot_0")).body.bot_users).toEqual([]);
});
