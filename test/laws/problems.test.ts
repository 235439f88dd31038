// @module-tag thorough
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeEach, expect, test, vi } from "vitest";
import { del, get, patch } from "../support/api.ts";
import { runs } from "../support/effort.ts";
import { newEpoch } from "../support/epoch.ts";
import * as given from "../support/given.ts";
import { intercepted } from "../support/intercepted.ts";
import type { Json } from "../support/json.ts";
import { problemChange, ProblemWorld } from "../support/problem_world.ts";
import { empty, restore, stored } from "../support/stored.ts";

/*
 * The problems that an isolate finds by following changes are those that another isolate finds, which keeps nothing and reads
 * everything.
 */

vi.resetModules();
const other = await import("../support/api.ts");
const { keeping } = await import("../../src/resources/traffic/form_cache.ts");
keeping.bytes = 0;

beforeEach(() => empty("events"));

/** Reads all TCP edges. */
const WHOLE = /^select id, .* from "?tcp_edges"? where hostports is not null$/;

/** How often this isolate has followed the log, and how often it has read everything. */
const counts = { followed: 0, whole: 0 };
let betweenRounds = async (): Promise<void> => undefined;

const DB = intercepted(env.DB, async ({ queries, send }) => {
  const results = await send();
  const isLog = queries.some((query) => query.includes("min(seq)"));
  if (queries.some((query) => WHOLE.test(query))) counts.whole++;
  else if (isLog) counts.followed++;
  if (isLog) await betweenRounds();
  return results;
});

const read = async (path: string): Promise<Json> => {
  const { status, body, text } = await get(path, { env: { DB } });
  expect(status, text).toBe(200);
  return body;
};

/** Asserts that following finds what reading everything finds. Returns the problems. */
async function expectSame(what?: unknown): Promise<Json[]> {
  const { problems } = await read("/problems");
  expect(problems, JSON.stringify(what)).toEqual((await other.get("/problems")).body["problems"]);
  expect(await read("/serving"), JSON.stringify(what)).toEqual((await other.get("/serving")).body);
  return problems;
}

test("after any changes, one by one, together, or while problems are read", async () => {
  const codes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          how: fc.constantFrom("one by one", "together", "while reading"),
          all: fc.array(problemChange, { minLength: 1, maxLength: 6 }),
        }),
        { minLength: 10, maxLength: 30 },
      ),
      async (batches) => {
        await empty("events");
        await given.ipPolicy();
        const world = new ProblemWorld();
        await expectSame();
        await world.begin();
        for (const { how, all } of batches) {
          if (how === "together") await world.sendTogether(all);
          else if (how === "one by one") for (const each of all) await world.send(each);
          else await Promise.all(all.flatMap((each) => [world.send(each), read("/problems")]));
          for (const { code } of await expectSame({ how, all })) codes.add(code);
        }
      },
    ),
    { ...runs(12), endOnFailure: true },
  );
  expect(counts.followed).toBeGreaterThan(5 * counts.whole);
  expect(counts.whole).toBeGreaterThan(2);
  expect(codes.size).toBeGreaterThan(8);
}, 600_000);

test("after each object has changed and after each is deleted", async () => {
  const world = new ProblemWorld();
  await world.begin();
  const before = await expectSame();
  for (const path of world.paths) {
    expect((await patch(path, { description: "x" })).status).toBe(200);
    expect(await expectSame(path), path).toEqual(before);
  }
  for (const path of world.paths.toReversed()) {
    expect((await del(path)).status, path).toBe(204);
    await expectSame(path);
  }
});

test("if objects change between the list of changed objects and reading them, both are repeated, and then everything is read", async () => {
  const { id: backend_id } = await given.staticBackend();
  const off = { backend: { backend_id, enabled: false } };
  const edges: Json[] = [];
  for (let port = 1; port <= 6; port++)
    edges.push(await given.tcpEdge({ hostports: [`a:${port}`], backend: { backend_id } }));
  for (const [changes, followed, whole] of [
    [1, 2, 0],
    [2, 3, 0],
    [3, 3, 1],
  ] as const) {
    for (const edge of edges) await patch(edge["uri"], { backend: { backend_id } });
    await expectSame();
    Object.assign(counts, { followed: 0, whole: 0 });
    const open = edges.slice(0, changes);
    betweenRounds = async () => {
      const edge = open.pop();
      if (edge) await patch(edge["uri"], off);
    };
    await betweenRounds();
    await read("/problems");
    expect(counts, `${changes}`).toEqual({ followed, whole });
    betweenRounds = async () => undefined;
    expect(await expectSame()).toHaveLength(changes);
  }
});

test("after a restore, everything is read", async () => {
  const { id: backend_id } = await given.staticBackend();
  const one = await given.tcpEdge({ hostports: ["a:1"], backend: { backend_id } });
  const before = await stored();
  await patch(one["uri"], { backend: { backend_id, enabled: false } });
  expect(await expectSame()).toHaveLength(1);
  await restore(before);
  await newEpoch();
  for (let i = 0; i < 3; i++) await given.staticBackend();
  expect(await expectSame()).toEqual([]);
});
