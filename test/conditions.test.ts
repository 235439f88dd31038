// @module-tag thorough
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { exampleId } from "../packages/model/src/ids.ts";
import { type Answer, call, create, del, get, patch, post, put, routes, outcome } from "./support/api.ts";
import { epochNow, newEpoch } from "./support/epoch.ts";
import { accepted, collections, exampleOf, referring } from "./support/examples.ts";
import * as given from "./support/given.ts";
import type { Json } from "./support/json.ts";
import { toPost } from "./support/operations.ts";

/*
 * ETag, If-None-Match and If-Match (RFC 9110 §13), for every operation that supports them. ETags are written here
 * without the database's epoch, which is prefixed to each number.
 */

let epoch = "";
beforeAll(async () => {
  epoch = await epochNow();
});

const etag = ({ headers }: Answer): string => (headers.get("ETag") ?? "none").replace(`"${epoch}-`, '"');
const inEpoch = (tags: string): string => tags.replaceAll(/"(\d[^"]*)"/g, `"${epoch}-$1"`);
const ifMatch = (tags: string) => ({ headers: { "If-Match": inEpoch(tags) } });
const ifNoneMatch = (tags: string) => ({ headers: { "If-None-Match": inEpoch(tags) } });

const paths = collections.map(({ path }) => path);

describe.each(paths)("an object of %s", (path) => {
  let body: Json = {};
  let change: Json = {};
  beforeAll(async () => {
    ({ body, change } = await accepted(path));
  });

  test("has a strong ETag that changes if and only if the object changes", async () => {
    const created = await post(path, body);
    const url = `${path}/${created.body.id}`;
    expect(etag(created)).toBe('"1"');
    expect(etag(await get(url))).toBe('"1"');
    expect(etag(await patch(url, {}))).toBe('"1"');
    expect(etag(await patch(url, change))).toBe('"2"');
    expect(etag(await get(url))).toBe('"2"');
    expect(etag(await patch(url, { nonsense: 1 }))).toBe("none");
    expect(etag(await get(url))).toBe('"2"');
  });

  test("is not sent again to a caller that already has it: 304", async () => {
    const { id } = await create(path, body);
    for (const tags of ['"1"', '"0", "1"', 'W/"1"', "*", '"a,b" , "1"', '"1",', ', , "1"', '"0",, "1"']) {
      const answer = await get(`${path}/${id}`, ifNoneMatch(tags));
      expect([answer.status, answer.text, etag(answer)], tags).toEqual([304, "", '"1"']);
      expect((await call("HEAD", `${path}/${id}`, undefined, ifNoneMatch(tags))).status).toBe(304);
    }
    for (const tags of ['"2"', "1", '"11"', "", '"*"', 'junk"1"', '"1"junk', '"1" "1"', '"01"'])
      expect((await get(`${path}/${id}`, ifNoneMatch(tags))).status, tags).toBe(200);
    expect((await get(`${path}/${id}`, ifMatch('"2"'))).status).toBe(412);
    expect((await get(`${path}/${id}`, ifMatch('"1"'))).status).toBe(200);
    const both = { headers: { ...ifMatch('"2"').headers, ...ifNoneMatch('"1"').headers } };
    expect((await get(`${path}/${id}`, both)).status).toBe(412);
  });

  test("is changed or deleted only if If-Match lists its version", async () => {
    const { id } = await create(path, body);
    const url = `${path}/${id}`;
    await patch(url, change);
    const before = (await get(url)).text;
    for (const tags of ['"1"', '"3"', "", '"two"', '"1", "3"', '"02"', '"2e0"', '" 2"']) {
      for (const stale of [
        await patch(url, change, ifMatch(tags)),
        await patch(url, {}, ifMatch(tags)),
        await del(url, ifMatch(tags)),
        await patch(url, change, ifNoneMatch('"2"')),
        await del(url, ifNoneMatch("*")),
      ])
        expect([stale.status, stale.body.error_code], tags).toEqual([412, "ERR_PRECONDITION_FAILED"]);
      expect((await get(url)).text).toBe(before);
    }
    expect(etag(await patch(url, change, ifMatch('"1", "2"')))).toBe('"3"');
    expect(etag(await patch(url, change, ifMatch("*")))).toBe('"4"');
    expect(etag(await patch(url, change, ifMatch('W/"4"')))).toBe('"5"');
    expect((await del(url, ifMatch('"5"'))).status).toBe(204);
    expect(outcome(await del(url, ifMatch("*")))).toBe("404 ERR_NOT_FOUND");
    expect(outcome(await patch(url, change, ifMatch('"5"')))).toBe("404 ERR_NOT_FOUND");
  });
});

describe("a module", () => {
  test.each(
    routes.filter(({ method, path }) => method === "PUT" && path.includes("https")).map(({ path }) => path),
  )("at %s has an ETag although its owner is managed elsewhere", async (pattern) => {
    const owner = crypto.randomUUID().replaceAll("-", "");
    const path = pattern
      .replace(":edge_id", `edghts_${owner}`)
      .replace(":id", `${pattern.includes("routes") ? "edghtsrt" : "edghts"}_${owner}`);
    const body = await referring(exampleOf("PUT", pattern));
    for (const tags of ['"0"', '"1"', "*"]) {
      expect((await put(path, body, ifMatch(tags))).status, tags).toBe(412);
      expect((await del(path, ifMatch(tags))).status, tags).toBe(412);
    }
    expect(outcome(await get(path))).toBe("404 ERR_NOT_FOUND");
    expect((await del(path)).status).toBe(204);
    for (const tags of ["*", '"5"']) expect((await del(path, ifNoneMatch(tags))).status).toBe(204);
    // Versions start at the current time, so a version that an object with this id had here before is never reused.
    const began = Date.now();
    const first = etag(await put(path, body, ifNoneMatch("*")));
    const version = Number(first.slice(1, -1));
    expect(Math.abs(version - began)).toBeLessThan(60_000);
    const second = `"${version + 1}"`;
    expect((await put(path, body, ifNoneMatch("*"))).status).toBe(412);
    expect(etag(await put(path, { ...body, enabled: false }, ifMatch(first)))).toBe(second);
    expect((await put(path, body, ifMatch(first))).status).toBe(412);
    expect((await get(path, ifNoneMatch(second))).status).toBe(304);
    expect((await del(path, ifMatch(first))).status).toBe(412);
    expect((await del(path, ifMatch(second))).status).toBe(204);
    expect((await put(path, body, ifMatch("*"))).status).toBe(412);
    expect(etag(await put(path, body))).toBe(`"${version + 3}"`);
  });

  test("that is not set does not match *", async () => {
    const { uri } = await given.tcpEdge();
    const url = `${uri}/traffic_policy`;
    // For a PATCH, * matches the edge, which exists. For a PUT of the module, * matches the module, which does not
    // exist.
    const other = await given.tcpEdge();
    expect((await patch(other.uri, { traffic_policy: { value: "a" } }, ifMatch("*"))).status).toBe(200);
    expect((await put(url, { value: "a" }, ifMatch("*"))).status).toBe(412);
    expect((await del(url, ifMatch("*"))).status).toBe(412);
    expect((await put(url, { value: "a" }, ifNoneMatch("*"))).status).toBe(200);
    expect((await put(url, { value: "b" }, ifNoneMatch("*"))).status).toBe(412);
    expect((await put(url, { value: "b" }, ifMatch("*"))).status).toBe(200);
  });

  test.each(
    routes
      .filter(({ method, path }) => method === "DELETE" && /:id\/(?!sessions)\w+$/.test(path))
      .map(({ path, operation }) => ({ path, kinds: operation.path ?? {} })),
  )("at $path that is not set can be deleted without effect", async ({ path, kinds }) => {
    const module = path.split("/").at(-1) ?? "";
    const isKept = path.includes("https");
    const owner = isKept ? undefined : await create(path.slice(0, path.indexOf("/:id")));
    const url = path.replace(/:(\w+)/g, (_, name) => owner?.["id"] ?? exampleId(kinds[name] ?? "https_edge"));
    const body =
      module === "backend"
        ? { backend_id: (await given.failover())["id"] }
        : module === "traffic_policy"
          ? { value: "a" }
          : module === "webhook_verification"
            ? { provider: "sns" }
            : {};
    // Set and unset first, so that an owner that is managed elsewhere has a row too.
    const before = etag(await put(url, body));
    const removed = await del(url, ifMatch(before));
    expect([removed.status, removed.cost.rowsWritten > 0]).toEqual([204, true]);
    const version = Number(before.slice(1, -1)) + 1;
    const unset = [{}, ifMatch(`"${version}"`), ifNoneMatch(`"${version - 1}"`), ifNoneMatch("*")];
    for (const options of unset) {
      const { status, cost } = await del(url, options);
      expect([status, cost.rowsWritten], JSON.stringify(options)).toEqual([204, 0]);
    }
    for (const options of [ifMatch("*"), ifMatch(before), ifNoneMatch(`"${version}"`)])
      expect((await del(url, options)).status, JSON.stringify(options)).toBe(412);
    if (owner) expect(etag(await get(owner["uri"]))).toBe(`"${version}"`);
    expect(etag(await put(url, body))).toBe(`"${version + 1}"`);
  });
});

test("a condition may list up to 100 ETags", async () => {
  const { uri } = await given.tcpEdge();
  const tags = (count: number) => Array.from({ length: count }, (_, i) => `"${i}"`).join(", ");
  expect((await get(uri, ifMatch(tags(100)))).status).toBe(200);
  for (const rejected of [await get(uri, ifNoneMatch(tags(101))), await patch(uri, {}, ifMatch(tags(101)))]) {
    expect(rejected.status).toBe(400);
    expect(rejected.body.errors).toMatchObject([{ msg: "Expected at most 100 ETags." }]);
  }
  // The epoch and its hyphen are prefixed to the 1.
  const long = (length: number) => `"1", "${"a".repeat(length - 7 - 9)}"`;
  expect((await get(uri, ifMatch(long(8192)))).status).toBe(200);
  expect((await get(uri, ifMatch(long(8193)))).body.errors).toEqual([
    { path: "If-Match", msg: "Expected at most 8192 characters." },
  ]);
});

test("the deletion of an object in use is rejected for that reason before its condition is checked", async () => {
  const { id } = await create("/backends/failover");
  await given.tcpEdge({ backend: { backend_id: id } });
  expect(outcome(await del(`/backends/failover/${id}`, ifMatch('"7"')))).toBe("409 ERR_IN_USE");
});

test("a deletion whose condition fails does not delete a policy's rules or a bot's keys", async () => {
  const policy = await create("/ip_policies");
  const rule = await create("/ip_policy_rules", { cidr: "::/0", action: "deny", ip_policy_id: policy["id"] });
  const bot = await create("/bot_users", { name: "a" });
  const key = await create("/api_keys", { owner_id: bot["id"] });
  expect((await del(policy["uri"], ifMatch('"3"'))).status).toBe(412);
  expect((await del(bot["uri"], ifMatch('"2"'))).status).toBe(412);
  expect((await get(rule["uri"])).status).toBe(200);
  expect((await get(key["uri"])).status).toBe(200);
});

test("every operation that reads or changes a single object or module supports conditions", () => {
  for (const { method, path, operation } of routes) {
    // The delivery status is not part of its destination. The users of an object, and the result of an access check,
    // depend on other objects. Sessions are no part of their user.
    const isQuestion =
      path.startsWith("/event_destinations/:id/") || /\/(?:used_by|access|sessions)$/.test(path);
    // The sources of an event subscription are part of the subscription.
    const isOne =
      (/:(?:subscription_)?id/.test(path) && !isQuestion) ||
      /^\/(?:openapi\.json|api_restriction)$/.test(path);
    const expected =
      path === "/snapshot" || path === "/issuing"
        ? "poll"
        : isOne
          ? method === "GET"
            ? "read"
            : "change"
          : undefined;
    expect(operation.conditional, `${method} ${path}`).toBe(expected);
  }
});

describe("a precondition that an operation does not support", () => {
  test("is rejected with the name of the supported one, or of an operation's if_match", async () => {
    const msgOf = async (method: string, path: string, name: string) =>
      (await call(method, path, {}, { headers: { [name]: "*" } })).body["errors"][0].msg;
    expect(await msgOf("PATCH", "/ip_policies/ipp_1", "If-Unmodified-Since")).toMatch(
      /Send If-Match instead\.$/,
    );
    expect(await msgOf("POST", "/ip_policies", "If-Match")).toMatch(/Leave it out\.$/);
    const operations = [toPost("/ip_policies")];
    const { body } = await post("/transactions", { operations }, ifMatch("*"));
    expect(body["errors"]).toEqual([
      {
        path: "If-Match",
        msg: "This operation does not support If-Match. Set if_match of an operation instead.",
      },
    ]);
  });

  test("is ignored if a browser or a cache sends it with a read", async () => {
    const { uri } = await given.ipPolicy();
    const since = new Date().toUTCString();
    for (const url of [uri, "/ip_policies", "/health", "/event_types", "/problems"]) {
      const plain = await get(url);
      for (const headers of [{ "If-Modified-Since": since }, { "If-Range": '"x"', Range: "bytes=0-1" }]) {
        const answer = await get(url, { headers });
        expect([answer.status, answer.text], url).toEqual([200, plain.text]);
        expect((await call("HEAD", url, undefined, { headers })).status, url).toBe(200);
      }
    }
    expect((await get("/ip_policies", { headers: { "If-None-Match": "*" } })).status).toBe(200);
  });
});

test("a condition without quotation marks is rejected where it would guard something", async () => {
  const { uri } = await given.ipPolicy();
  const etagOf = async () => (await get(uri)).headers.get("ETag") ?? "";
  const before = await etagOf();
  const bare = before.slice(1, -1);
  for (const tags of [bare, `junk${before}`, `${before} ${before}`, `'${bare}'`, "~"]) {
    const shown = tags === bare ? bare : "e8a0f3ff-1";
    const msg = `Expected * or ETags in quotation marks, such as "${shown}".`;
    for (const name of ["If-Match", "If-None-Match"])
      for (const send of [
        () => patch(uri, {}, { headers: { [name]: tags } }),
        () => del(uri, { headers: { [name]: tags } }),
      ]) {
        const { status, body } = await send();
        expect([status, body.errors], `${name}: ${tags}`).toEqual([400, [{ path: name, msg }]]);
      }
    expect(outcome(await get(uri, { headers: { "If-Match": tags } }))).toBe(
      "400 ERR_INVALID_REQUEST If-Match",
    );
    expect((await get(uri, { headers: { "If-None-Match": tags } })).status).toBe(200);
  }
  expect(await etagOf()).toBe(before);
});

test("neither a tag that is not an ETag of this service nor a bare version matches anything", async () => {
  const { uri } = await given.ipPolicy();
  for (const tags of ['"1"', `"${epoch}"`, `"${epoch}1"`, `"${epoch}-"`, `"${epoch}-1.0"`, `"-1"`]) {
    expect((await patch(uri, {}, { headers: { "If-Match": tags } })).status, tags).toBe(412);
    expect((await patch(uri, { description: "x" }, { headers: { "If-Match": tags } })).status, tags).toBe(
      412,
    );
    expect((await get(uri, { headers: { "If-None-Match": tags } })).status, tags).toBe(200);
  }
});

/** A restore resets the database to an earlier state and changes its epoch: versions are reused, ETags are not. */
describe("after a restore", () => {
  /** Restores one table's rows as an operator would. */
  async function restored(table: string, rows: Json[]): Promise<void> {
    const columns = Object.keys(rows[0] ?? {});
    const insert = `insert into ${table} (${columns.join()}) values (${columns.map(() => "?").join()})`;
    await env.DB.batch([
      env.DB.prepare(`delete from ${table}`),
      ...rows.map((row) => env.DB.prepare(insert).bind(...Object.values(row))),
    ]);
    epoch = await newEpoch();
  }
  const backup = async (table: string): Promise<Json[]> =>
    (await env.DB.prepare(`select * from ${table}`).all<Json>()).results;

  /** Gives an object the same version before and after a restore, with different contents. Returns both ETags. */
  async function sameVersionTwice(table: string, url: string, change: (text: string) => Promise<Answer>) {
    expect((await change("kept")).status).toBeLessThan(300);
    const rows = await backup(table);
    const lost = (await change("lost")).headers.get("ETag") ?? "none";
    await restored(table, rows);
    await change("new");
    const now = (await get(url, { headers: { "If-None-Match": '"none"' } })).headers.get("ETag") ?? "none";
    expect(now.split("-")[1], "the same version").toBe(lost.split("-")[1]);
    return { lost, now };
  }

  const objects = [
    ["/ip_policies", "ip_policies", {}, (text: string) => ({ description: text })],
    ["/bot_users", "bot_users", { name: "a" }, (text: string) => ({ name: text })],
    ["/api_keys", "api_keys", {}, (text: string) => ({ description: text })],
    ["/edges/tcp", "tcp_edges", {}, (text: string) => ({ traffic_policy: { value: text } })],
  ] as const;

  test.each(objects)("no earlier ETag matches at %s", async (path, table, body, change) => {
    const { uri } = await create(path, body);
    const { lost, now } = await sameVersionTwice(table, uri, (text) => patch(uri, change(text)));
    const before = (await get(uri)).text;
    expect(before).toContain("new");
    for (const tags of [lost, `W/${lost}`, `${lost}, "x"`]) {
      for (const rejected of [
        await patch(uri, change("overwritten"), { headers: { "If-Match": tags } }),
        await patch(uri, {}, { headers: { "If-Match": tags } }),
        await del(uri, { headers: { "If-Match": tags } }),
        await get(uri, { headers: { "If-Match": tags } }),
      ])
        expect([rejected.status, rejected.body.error_code], tags).toEqual([412, "ERR_PRECONDITION_FAILED"]);
      const read = await get(uri, { headers: { "If-None-Match": tags } });
      expect([read.status, read.text, read.headers.get("ETag")], tags).toEqual([200, before, now]);
    }
    expect((await get(uri, { headers: { "If-None-Match": `${lost}, ${now}` } })).status).toBe(304);
    const again = await patch(uri, change("again"), { headers: { "If-Match": now } });
    expect([again.status, again.headers.get("ETag")?.slice(1, 9)]).toEqual([200, epoch]);
    expect((await del(uri, { headers: { "If-Match": again.headers.get("ETag") ?? "" } })).status).toBe(204);
  });

  test.each([
    [
      "a TCP edge",
      "tcp_edges",
      async (): Promise<string> => `${(await given.tcpEdge())["uri"]}/traffic_policy`,
    ],
    ["an HTTPS edge", "https_edges", async (): Promise<string> => "/edges/https/edghts_restored/mutual_tls"],
  ] as const)("no earlier ETag matches at a module of %s", async (_, table, given) => {
    const url = await given();
    const body = (text: string) =>
      url.startsWith("/edges/https") ? { certificate_authority_ids: [`ca_${text}`] } : { value: text };
    const { lost, now } = await sameVersionTwice(table, url, (text) => put(url, body(text)));
    for (const rejected of [
      await put(url, body("overwritten"), { headers: { "If-Match": lost } }),
      await del(url, { headers: { "If-Match": lost } }),
      await get(url, { headers: { "If-Match": lost } }),
    ])
      expect(rejected.status).toBe(412);
    const read = await get(url, { headers: { "If-None-Match": lost } });
    expect([read.status, read.headers.get("ETag")]).toEqual([200, now]);
    expect((await put(url, body("again"), { headers: { "If-Match": now } })).status).toBe(200);
  });

  test("an ETag with the earlier epoch, which an isolate still has cached, is harmless", async () => {
    const { uri } = await given.ipPolicy();
    epoch = await newEpoch();
    const stale = (await get(uri)).headers.get("ETag") ?? "none";
    expect(stale).not.toContain(epoch);
    expect((await patch(uri, {}, { headers: { "If-Match": stale } })).status).toBe(412);
    const read = await get(uri, { headers: { "If-None-Match": stale } });
    expect([read.status, read.headers.get("ETag")]).toEqual([200, `"${epoch}-1"`]);
    // From now on, the isolate sends the new epoch.
    expect((await get(uri)).headers.get("ETag")).toBe(`"${epoch}-1"`);
  });
});
