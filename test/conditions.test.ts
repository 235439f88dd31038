import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, call, create, del, get, type Json, patch, post, put, routes } from "./api.ts";
import { givenTcpEdge, givenTlsEdge, HTTPS_EDGE, HTTPS_ROUTE } from "./given.ts";
import { accepted, collections, givenWorld } from "./laws/collections.ts";

/*
 * ETag, If-None-Match and If-Match (RFC 9110 §13), over every operation that has them.
 */

const etag = ({ headers }: Answer): string => headers.get("ETag") ?? "none";
const ifMatch = (tags: string) => ({ headers: { "If-Match": tags } });
const ifNoneMatch = (tags: string) => ({ headers: { "If-None-Match": tags } });

const paths = collections({ backends: ["bkdfo_1"], policies: ["ipp_1"], bots: ["bot_1"] }).map(
  ({ path }) => path,
);

describe.each(paths)("an object of %s", (path) => {
  let body: Json = {};
  let change: Json = {};
  beforeAll(async () => {
    ({ body, change } = accepted(path, await givenWorld()));
  });

  test("has a strong ETag that moves with every change, and only with one", async () => {
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

  test("is not sent again to who has it", async () => {
    const { id } = await create(path, body);
    for (const tags of ['"1"', '"0", "1"', 'W/"1"', "*", '"a,b" , "1"']) {
      const { status, text, headers } = await get(`${path}/${id}`, ifNoneMatch(tags));
      expect([status, text, headers.get("ETag")], tags).toEqual([304, "", '"1"']);
      expect((await call("HEAD", `${path}/${id}`, undefined, ifNoneMatch(tags))).status).toBe(304);
    }
    for (const tags of ['"2"', "1", '"11"', "", '"*"', 'junk"1"', '"1"junk', '"1" "1"', '"01"'])
      expect((await get(`${path}/${id}`, ifNoneMatch(tags))).status, tags).toBe(200);
    expect((await get(`${path}/${id}`, ifMatch('"2"'))).status).toBe(412);
    expect((await get(`${path}/${id}`, ifMatch('"1"'))).status).toBe(200);
    const both = { headers: { "If-Match": '"2"', "If-None-Match": '"1"' } };
    expect((await get(`${path}/${id}`, both)).status).toBe(412);
  });

  test("is changed and deleted only in the state that If-Match names", async () => {
    const { id } = await create(path, body);
    const url = `${path}/${id}`;
    await patch(url, change);
    const before = (await get(url)).text;
    for (const tags of ['"1"', '"3"', "2", "", '"two"', '"1", "3"', '"02"', '"2e0"', '" 2"', 'junk"2"']) {
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
    expect((await del(url, ifMatch("*"))).status).toBe(404);
    expect((await patch(url, change, ifMatch('"5"'))).status).toBe(404);
  });

  test("of many who change the same state, one succeeds", async () => {
    const { id } = await create(path, body);
    const url = `${path}/${id}`;
    const answers = await Promise.all(Array.from({ length: 8 }, () => patch(url, change, ifMatch('"1"'))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(412)]);
    const deletions = await Promise.all([
      patch(url, change, ifMatch('"2"')),
      del(url, ifMatch('"2"')),
      patch(url, change, ifMatch('"2"')),
    ]);
    const won = deletions.filter(({ status }) => status < 300);
    expect(won).toHaveLength(1);
  });
});

describe("a module", () => {
  test.each([
    ["TCP edge", () => givenTcpEdge(), "traffic_policy"],
    ["TLS edge", () => givenTlsEdge(), "traffic_policy"],
  ])("of a %s has the edge's ETag, and moves it", async (_, given, module) => {
    const { uri } = await given();
    const url = `${uri}/${module}`;
    expect(etag(await put(url, { value: "a" }, ifMatch('"1"')))).toBe('"2"');
    expect(etag(await get(url))).toBe('"2"');
    expect(etag(await get(uri))).toBe('"2"');
    expect((await get(url, ifNoneMatch('"2"'))).status).toBe(304);
    expect((await put(url, { value: "b" }, ifMatch('"1"'))).status).toBe(412);
    expect((await del(url, ifMatch('"1"'))).status).toBe(412);
    expect((await get(url)).body.value).toBe("a");
    expect((await del(url, ifMatch('"2"'))).status).toBe(204);
    expect(etag(await get(uri))).toBe('"3"');
    await patch(uri, { description: "x" });
    expect((await put(url, { value: "c" }, ifMatch('"3"'))).status).toBe(412);
  });

  test.each(
    routes
      .filter(({ method, path }) => method === "PUT" && path.includes("https"))
      .map(({ path }) => path.replace(":edge_id", HTTPS_EDGE))
      .map((path) => path.replace(":id", path.includes("routes") ? HTTPS_ROUTE : HTTPS_EDGE)),
  )("at %s has the ETag of an owner that is managed elsewhere", async (url) => {
    const path = url.replace(/(edghts|edghtsrt)_\w+/g, `$1_${url.split("/").at(-1)?.replaceAll("_", "")}`);
    for (const tags of ['"0"', '"1"', "*"]) {
      expect((await put(path, {}, ifMatch(tags))).status, tags).toBe(412);
      expect((await del(path, ifMatch(tags))).status, tags).toBe(412);
    }
    expect((await get(path)).status).toBe(404);
    expect((await del(path)).status).toBe(204);
    // Only to tell that there is nothing to remove, a second look is taken.
    for (const tags of ["*", '"5"'])
      expect((await del(path, { ...ifNoneMatch(tags), env: { DB: env.DB } })).status).toBe(204);
    expect(etag(await put(path, {}, ifNoneMatch("*")))).toBe('"1"');
    expect((await put(path, {}, ifNoneMatch("*"))).status).toBe(412);
    expect(etag(await put(path, { enabled: false }, ifMatch('"1"')))).toBe('"2"');
    expect((await put(path, {}, ifMatch('"1"'))).status).toBe(412);
    expect((await get(path, ifNoneMatch('"2"'))).status).toBe(304);
    expect((await del(path, ifMatch('"1"'))).status).toBe(412);
    expect((await del(path, ifMatch('"2"'))).status).toBe(204);
    expect((await put(path, {}, ifMatch("*"))).status).toBe(412);
    expect(etag(await put(path, {}))).toBe('"4"');
  });

  test("that is not set is not there for *", async () => {
    const { uri } = await givenTcpEdge();
    const url = `${uri}/traffic_policy`;
    // To a PATCH the edge is there, to a PUT of the module the module is not.
    const other = await givenTcpEdge();
    expect((await patch(other.uri, { traffic_policy: { value: "a" } }, ifMatch("*"))).status).toBe(200);
    expect((await put(url, { value: "a" }, ifMatch("*"))).status).toBe(412);
    expect((await del(url, ifMatch("*"))).status).toBe(412);
    expect((await put(url, { value: "a" }, ifNoneMatch("*"))).status).toBe(200);
    expect((await put(url, { value: "b" }, ifNoneMatch("*"))).status).toBe(412);
    expect((await put(url, { value: "b" }, ifMatch("*"))).status).toBe(200);
  });

  test("is refused for its references before its condition, and for its owner before both", async () => {
    const { uri } = await givenTcpEdge();
    const body = { backend_id: "bkdfo_1" };
    expect((await put(`${uri}/backend`, body, ifMatch('"7"'))).body.error_code).toBe("ERR_UNKNOWN_REFERENCE");
    expect((await put("/edges/tcp/edgtcp_1/backend", body, ifMatch('"7"'))).status).toBe(404);
    expect((await patch(uri, { backend: body }, ifMatch('"7"'))).body.error_code).toBe(
      "ERR_UNKNOWN_REFERENCE",
    );
  });
});

test("a condition names up to 100 ETags", async () => {
  const { uri } = await givenTcpEdge();
  const tags = (count: number) => Array.from({ length: count }, (_, i) => `"${i}"`).join(", ");
  expect((await get(uri, ifMatch(tags(100)))).status).toBe(200);
  for (const refused of [await get(uri, ifNoneMatch(tags(101))), await patch(uri, {}, ifMatch(tags(101)))]) {
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toMatchObject([{ msg: "Expected at most 100 ETags." }]);
  }
});

test("deleting what is in use is refused for that before its condition", async () => {
  const { id } = await create("/backends/failover");
  await givenTcpEdge({ backend: { backend_id: id } });
  expect((await del(`/backends/failover/${id}`, ifMatch('"7"'))).status).toBe(409);
});

test("a condition that fails keeps a policy's rules and a bot's keys", async () => {
  const policy = await create("/ip_policies");
  const rule = await create("/ip_policy_rules", { cidr: "::/0", action: "deny", ip_policy_id: policy["id"] });
  const bot = await create("/bot_users", { name: "a" });
  const key = await create("/api_keys", { owner_id: bot["id"] });
  expect((await del(policy["uri"], ifMatch('"2"'))).status).toBe(412);
  expect((await del(bot["uri"], ifMatch('"2"'))).status).toBe(412);
  expect((await get(rule["uri"])).status).toBe(200);
  expect((await get(key["uri"])).status).toBe(200);
});

test("every operation that shows or changes one object or module heeds conditions", () => {
  for (const { method, path, operation } of routes) {
    const isOne = path.includes(":id") || path === "/openapi.json";
    const expected = isOne ? (method === "GET" ? "read" : "change") : undefined;
    expect(operation.conditional, `${method} ${path}`).toBe(expected);
  }
});
