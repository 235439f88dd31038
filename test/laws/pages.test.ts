// @module-tag large
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { clock } from "../../packages/model/src/clock.ts";
import type { Cost } from "../../src/db/session.ts";
import { create, del, get, ORIGIN } from "../support/api.ts";
import { emptied } from "../support/emptied.ts";
import { collections, given } from "../support/examples.ts";
import type { Json } from "../support/json.ts";

// The clock is stopped, so that only the first page has to read the database's epoch.
const now = Date.now();
beforeAll(() => {
  clock.now = () => now;
});

describe.each(collections)("pages of $path", ({ path, list }) => {
  /** Creates `count` objects in an empty database and returns the ids of the whole list, newest first. */
  async function givenObjects(count: number): Promise<string[]> {
    for (let i = 0; i < count; i++) await given(path);
    const all = (await get(path)).body;
    expect(all.next_page_uri).toBeNull();
    return all[list].map(({ id }: { id: string }) => id);
  }

  beforeEach(emptied);

  test("list every object once, newest first, without an empty page, even if the objects of cursors are deleted", async () => {
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
        expect(cost.rowsRead).toBeLessThanOrEqual((READS[path] ?? 1) * (ids.length + 1));
        expect(body.uri).toBe(ORIGIN + path);
        visited.push(...ids);
        next = body.next_page_uri;
        if (next) expect(next).toBe(`${ORIGIN}${path}?before_id=${ids.at(-1)}&limit=${limit}`);
        if (deleting) for (const id of ids) expect((await del(`${path}/${id}`)).status).toBe(204);
      }
      expect(visited).toEqual(before);
    }
  });

  test("an empty list is an empty page", async () => {
    const { body, status } = await get(path);
    expect([status, body]).toEqual([200, { [list]: [], uri: ORIGIN + path, next_page_uri: null }]);
  });
});

/**
 * Rows read for each object of a page, if more than one. HTTPS edges are read again through an index, to find their
 * routes.
 */
const READS: Record<string, number> = { "/edges/https": 4 };

/** The ids of every page of a list, page by page. Each page reads at most one more row than it shows, and once more if it has long strings. */
async function everyPage(path: string, list: string, limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  let next: string | null = `${ORIGIN}${path}?limit=${limit}`;
  while (next) {
    const { body, text, cost }: { body: Json; text: string; cost: Cost } = await get(next);
    const ids: string[] = body[list].map(({ id }: { id: string }) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.length).toBeLessThanOrEqual(limit);
    const quick = cost.roundTrips > 1 ? limit + 1 : 0;
    expect(cost.rowsRead).toBeLessThanOrEqual(quick + ids.length + 1);
    if (ids.length > 1) expect(text.length).toBeLessThan(4_100_000);
    pages.push(ids);
    next = body["next_page_uri"];
  }
  return pages;
}

test("for any sizes and limit, the pages make up the whole list, newest first, and are as full as possible", async () => {
  const some = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 1_100 }) },
    { weight: 3, arbitrary: fc.integer({ min: 1_000, max: 90_000 }) },
    { weight: 2, arbitrary: fc.integer({ min: 90_000, max: 1_000_000 }) },
    { weight: 1, arbitrary: fc.constant(1_048_000) },
  );
  // A plain character, a character whose escape takes six bytes, and one of three bytes.
  const characters = ["'x'", "char(1)", "'\u20ac'"];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(some, fc.constantFrom(...characters)), { minLength: 1, maxLength: 40 }),
      fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 5 }), fc.constant(100)),
      async (sizes, limit) => {
        await emptied();
        const shown = sizes.map(([size]) => Math.min(size, 1_048_000));
        const insert = `insert into http_response_backends (id, created_at, status_code, body)
          values (printf('bkdhr_%027d', ?1), '2026-01-02T03:04:05Z', 200, replace(hex(zeroblob(?2 / 2)), '0', `;
        await env.DB.batch(
          sizes.map(([, character], i) => {
            const bytes = { "'x'": 1, "char(1)": 6 }[character] ?? 3;
            return env.DB.prepare(`${insert}${character}))`).bind(i, Math.floor((shown[i] ?? 0) / bytes));
          }),
        );
        const pages = await everyPage("/backends/http_response", "backends", limit);
        const whole = sizes.map((_, i) => `bkdhr_${String(i).padStart(27, "0")}`).toReversed();
        expect(pages.flat()).toEqual(whole);
        // Each page except the last is full: with the next object, it would be too large, counted in whole units of 40
        // KB.
        const units = (id: string) => Math.ceil(((shown[Number(id.slice(6))] ?? 0) + 1_000) / 40_000);
        for (const [i, ids] of pages.slice(0, -1).entries()) {
          const next = pages[i + 1]?.[0] ?? "";
          const sum = [...ids, next].reduce((total, id) => total + units(id), 0);
          expect(ids.length === limit || sum > 100, `page ${i} of ${ids.length}, ${sum} units`).toBe(true);
        }
      },
    ),
    { numRuns: 12 },
  );
});

test("a page has 100 objects by default", async () => {
  for (let i = 0; i < 101; i++) await create("/ip_policies");
  const first = (await get("/ip_policies")).body;
  expect(first.ip_policies).toHaveLength(100);
  expect(first.next_page_uri).toMatch(/\?before_id=ipp_\w+&limit=100$/);
  const second = (await get(first.next_page_uri)).body;
  expect(second.ip_policies).toHaveLength(1);
  expect(second.next_page_uri).toBeNull();
});

test("a cursor can be any well-formed id", async () => {
  const { id } = await create("/bot_users", { name: "a" });
  expect((await get("/bot_users?before_id=bot_zzzzzzzzzzzzzzzzzzzzzzzzzzz")).body.bot_users[0].id).toBe(id);
  expect((await get("/bot_users?before_id=bot_0")).body.bot_users).toEqual([]);
});
