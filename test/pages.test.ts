// @module-tag large
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { clock } from "../packages/model/src/clock.ts";
import type { Cost } from "../src/db/session.ts";
import { bodyAt, deref } from "./fuzz/document.ts";
import { isNamed } from "./fuzz/values.ts";
import { create, get, ORIGIN, patch } from "./support/api.ts";
import { isAnyText } from "./support/document.ts";
import { emptied } from "./support/emptied.ts";
import { accepted, collections } from "./support/examples.ts";
import type { Json } from "./support/json.ts";

/*
 * Pages of large objects: an isolate has 128 MB of memory, and so does the Durable Object that runs D1.
 */

/** The largest response that docs/costs.md allows for, in bytes. */
const LARGEST_PAGE = 4_300_000;

/** Ids of `count` objects, newest first. */
const newestFirst = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => prefix + String(count - i).padStart(27, "0"));

/** Fills a table with `count` rows whose other columns are `values`, by name. `i` is a row's number, from 1. */
async function fill(table: string, prefix: string, count: number, values: Record<string, string>) {
  const names = Object.keys(values).map((name) => `, ${name}`);
  await env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
     insert into ${table} (id, created_at${names.join("")})
     select printf('${prefix}%027d', i), '2026-01-02T03:04:05Z', ${Object.values(values).join(", ")} from n`,
  ).run();
}

/** An SQL expression for a string of `length` characters, each the value of the expression `character`. */
const text = (length: number, character = "'x'") =>
  `replace(hex(zeroblob(${length / 2})), '0', ${character})`;

/** All pages of a list, starting with the first one. Checks what holds for each page. */
async function pagesOf(path: string, list: string): Promise<{ ids: string[]; bytes: number }[]> {
  const pages: { ids: string[]; bytes: number }[] = [];
  let next: string | null = ORIGIN + path;
  while (next) {
    const { body, text, cost }: { body: Json; text: string; cost: Cost } = await get(next);
    const ids: string[] = body[list].map(({ id }: { id: string }) => id);
    const bytes = new TextEncoder().encode(text).byteLength;
    expect(ids.length).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(LARGEST_PAGE);
    // HTTPS edges are read a second time, to find their routes, and both times by an index.
    const reads = path === "/edges/https" ? 4 : 1;
    // A page with long strings is read a second time.
    const quick = cost.roundTrips > 1 ? 101 : 0;
    expect(cost.rowsRead).toBeLessThanOrEqual(quick + reads * (ids.length + 1));
    pages.push({ ids, bytes });
    next = body["next_page_uri"];
  }
  return pages;
}

// The clock is stopped and the epoch is cached, so that no page has to read the epoch.
const now = Date.now();
beforeAll(() => {
  clock.now = () => now;
});
beforeEach(async () => {
  await emptied();
  await get("/bot_users?limit=1");
});

test("100 objects of 1.9 MB are listed in pages of two", async () => {
  await fill("http_response_backends", "bkdhr_", 100, {
    body: text(1_899_000),
    status_code: "200",
  });
  const pages = await pagesOf("/backends/http_response", "backends");
  expect(pages.flatMap(({ ids }) => ids)).toEqual(newestFirst("bkdhr_", 100));
  expect(pages).toHaveLength(50);
});

test("100 objects that are just small enough fit on one page", async () => {
  await fill("http_response_backends", "bkdhr_", 100, {
    body: text(39_000),
    status_code: "200",
  });
  const pages = await pagesOf("/backends/http_response", "backends");
  expect(pages.map(({ ids }) => ids.length)).toEqual([100]);
});

/** Characters in the strings without a limit. */
const LONG = 10_000;

test.each(collections)(
  "strings of $path can have their maximum length, and be escaped",
  async ({ path, list }) => {
    const { properties } = deref(bodyAt("POST", path));
    const texts = Object.entries<Json>(properties).filter(
      ([name, schema]) => isAnyText(schema) && !isNamed(name),
    );
    const long = texts.map(([name, { maxLength = LONG }]) => [name, "\u0001".repeat(maxLength)]);
    const { body } = await accepted(path);
    for (let i = 0; i < 100; i++) await create(path, { ...body, ...Object.fromEntries(long) });
    const pages = await pagesOf(path, list);
    expect(pages.flatMap(({ ids }) => ids)).toHaveLength(100);
  },
);

describe("a page is measured by what it shows, not by what is stored", () => {
  const list = (id: string, times: number) =>
    `'[' || rtrim(replace(hex(zeroblob(${times})), '00', '"${id}",'), ',') || ']'`;

  test.each([1, 90, 1_000, 10_000])("%i short ids in each of two lists are shown as Refs", async (times) => {
    await fill("tls_edges", "edgtls_", 100, {
      ip_restriction: `'{"enabled":true,"ip_policy_ids":' || ${list("ipp_1", times)} || '}'`,
      mutual_tls: `'{"enabled":true,"certificate_authority_ids":' || ${list("ca_1", times)} || '}'`,
    });
    const pages = await pagesOf("/edges/tls", "tls_edges");
    expect(pages.flatMap(({ ids }) => ids)).toEqual(newestFirst("edgtls_", 100));
    for (const { bytes } of pages.slice(0, -1)) expect(bytes).toBeGreaterThan(2_000_000);
  });

  test.each([1, 33, 80])("%i sources and many destinations are shown with their URIs", async (times) => {
    await fill("event_subscriptions", "esb_", 100, {
      metadata: text(4_096, "char(1)"),
      sources: list("https_edge_route_created.v0", times),
      destination_ids: list("ed_3MRF6bw5eIIM67qiSSXqVHELoF7", times),
    });
    const pages = await pagesOf("/event_subscriptions", "event_subscriptions");
    expect(pages.flatMap(({ ids }) => ids)).toEqual(newestFirst("esb_", 100));
    const origin = { env: { BASE_URL: `https://${"a".repeat(800)}.test` } };
    expect((await get("/event_subscriptions", origin)).text.length).toBeLessThan(LARGEST_PAGE);
  });

  test("a longer BASE_URL makes Refs longer and so pages shorter", async () => {
    await fill("tcp_edges", "edgtcp_", 20, {
      ip_restriction: `'{"enabled":true,"ip_policy_ids":' || ${list("ipp_1", 1_000)} || '}'`,
    });
    const { body, text } = await get("/edges/tcp", { env: { BASE_URL: `https://${"a".repeat(800)}.test` } });
    expect(text.length).toBeLessThan(LARGEST_PAGE);
    expect(body.tcp_edges.length).toBeLessThan(6);
    expect(body.next_page_uri).not.toBeNull();
  });

  test.each([
    {
      table: "http_response_backends",
      prefix: "bkdhr_",
      path: "/backends/http_response",
      status_code: "200",
    },
    { table: "failover_backends", prefix: "bkdfo_", path: "/backends/failover" },
    { table: "weighted_backends", prefix: "bkdwd_", path: "/backends/weighted" },
    {
      table: "static_backends",
      prefix: "bkdsc_",
      path: "/backends/static",
      address: "'a:1'",
      tls: `'{"enabled":false}'`,
    },
  ])("control characters of $table are escaped", async ({ table, prefix, path, ...required }) => {
    await fill(table, prefix, 30, {
      description: text(100_000, "char(1)"),
      metadata: text(100_000, "char(1)"),
      ...required,
    });
    const pages = await pagesOf(path, "backends");
    expect(pages.flatMap(({ ids }) => ids)).toEqual(newestFirst(prefix, 30));
  });

  test("weights are shown as they are stored", async () => {
    const ids = Array.from({ length: 1_000 }, (_, i) => `bkdsc_${String(i).padStart(64, "0")}`);
    const backends = JSON.stringify(Object.fromEntries(ids.map((id) => [id, 10_000])));
    await fill("weighted_backends", "bkdwd_", 100, { backends: `'${backends}'` });
    const pages = await pagesOf("/backends/weighted", "backends");
    expect(pages.flatMap((page) => page.ids)).toEqual(newestFirst("bkdwd_", 100));
    for (const { bytes } of pages.slice(0, -1)) expect(bytes).toBeGreaterThan(3_000_000);
  });
});

test("an object larger than a page is a separate page", async () => {
  const long = "\u0001".repeat(174_000);
  const before = await create("/backends/http_response");
  const largest = await create("/backends/http_response", { description: long });
  for (const member of ["metadata", "body"])
    expect((await patch(largest["uri"], { [member]: long })).status).toBe(200);
  const headers = { a: "x".repeat(1_040_000) };
  expect((await patch(largest["uri"], { headers })).status).toBe(200);
  const after = await create("/backends/http_response");
  const pages = await pagesOf("/backends/http_response", "backends");
  expect(pages.map(({ ids }) => ids)).toEqual([[after["id"]], [largest["id"]], [before["id"]]]);
});

test("a page ends at its limit or at its size, whichever comes first", async () => {
  await fill("http_response_backends", "bkdhr_", 9, {
    body: text(900_000),
    status_code: "200",
  });
  const page = async (limit: number) => (await get(`/backends/http_response?limit=${limit}`)).body;
  expect((await page(1)).backends).toHaveLength(1);
  expect((await page(3)).backends).toHaveLength(3);
  expect((await page(3)).next_page_uri).toMatch(/&limit=3$/);
  expect((await page(9)).backends).toHaveLength(4);
  expect((await page(9)).next_page_uri).toMatch(/&limit=9$/);
});
