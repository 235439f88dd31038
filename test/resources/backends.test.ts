import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { create, del, get, ORIGIN, patch, post } from "../api.ts";
import { givenFailover, givenHttpResponse, givenIpPolicy, givenTcpEdge, givenTlsEdge } from "../given.ts";

describe("an HTTP response backend", () => {
  test("has status 200 and no body by default", async () => {
    const backend = await create("/backends/http_response");
    expect(backend).toEqual({
      id: expect.stringMatching(/^bkdhr_[0-9A-Za-z]{27}$/),
      uri: `${ORIGIN}/backends/http_response/${backend["id"]}`,
      created_at: expect.any(String),
      headers: null,
      status_code: 200,
    });
  });

  test("shows header names in lower case", async () => {
    const { headers } = await givenHttpResponse({ headers: { "Content-Type": "text/PLAIN", "X-A": "" } });
    expect(headers).toEqual({ "content-type": "text/PLAIN", "x-a": "" });
  });

  test("accepts texts of any length that fits in a body, and a header named __proto__", async () => {
    const long = "é".repeat(10_000);
    const backend = await create("/backends/http_response", {
      description: long,
      metadata: long,
      body: long,
    });
    expect((await get(`/backends/http_response/${backend["id"]}`)).body).toMatchObject({
      description: long,
      metadata: long,
      body: long,
    });
    const { text } = await post("/backends/http_response", undefined, {
      raw: '{"headers":{"__PROTO__":"x"}}',
    });
    expect(text).toContain('"headers":{"__proto__":"x"}');
  });

  test.each([
    [{ headers: { A: "1", a: "2" } }, "/headers/a"],
    [{ headers: { "a b": "1" } }, "/headers/a b"],
    [{ headers: { a: "x\r\nSet-Cookie: y" } }, "/headers/a"],
    [{ status_code: 100 }, "/status_code"],
    [{ status_code: 199 }, "/status_code"],
    [{ status_code: 600 }, "/status_code"],
    [{ status_code: 200.5 }, "/status_code"],
    [{ status_code: "200" }, "/status_code"],
    [{ body: { text: "x" } }, "/body"],
  ])("refuses %j", async (body, path) => {
    const backend = await givenHttpResponse();
    for (const answer of [
      await post("/backends/http_response", body),
      await patch(`/backends/http_response/${backend.id}`, body),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toMatchObject([{ path }]);
    }
    expect((await get(`/backends/http_response/${backend.id}`)).body).toEqual(backend);
  });

  test("accepts the status of any final response", async () => {
    for (const status_code of [200, 599])
      expect((await givenHttpResponse({ status_code })).status_code).toBe(status_code);
  });

  test("keeps a 1xx status that was stored earlier until it is changed", async () => {
    const { id, uri } = await givenHttpResponse();
    await env.DB.prepare("update http_response_backends set status_code = 101 where id = ?").bind(id).run();
    expect((await get(uri)).body.status_code).toBe(101);
    expect((await get("/backends/http_response")).body.backends[0].status_code).toBe(101);
    expect((await patch(uri, { body: "x" })).body).toMatchObject({ body: "x", status_code: 101 });
    expect((await patch(uri, { status_code: 102 })).status).toBe(400);
    expect((await patch(uri, { status_code: 204 })).body.status_code).toBe(204);
  });

  test("PATCH changes the given members, and {} clears the headers", async () => {
    const backend = await givenHttpResponse({ headers: { a: "1" }, description: "kept" });
    const { body } = await patch(`/backends/http_response/${backend.id}`, {
      headers: {},
      body: "",
      status_code: 599,
    });
    const { body: _, ...rest } = backend;
    expect(body).toEqual({ ...rest, headers: null, status_code: 599 });
  });
});

describe("a failover backend", () => {
  test("shows null if its children were never set", async () => {
    const backend = await create("/backends/failover");
    expect(Object.keys(backend)).toEqual(["id", "uri", "created_at", "backends"]);
    expect(backend["backends"]).toBeNull();
  });

  test("keeps its children in order, including duplicates; a PATCH without backends leaves them unchanged", async () => {
    const [a, b] = [await givenHttpResponse(), await givenFailover()];
    const parent = await givenFailover({ backends: [b.id, a.id, b.id], description: "x" });
    expect(parent.backends).toEqual([b.id, a.id, b.id]);
    const renamed = await patch(`/backends/failover/${parent.id}`, { description: "y" });
    expect(renamed.body.backends).toEqual([b.id, a.id, b.id]);
    expect((await patch(`/backends/failover/${parent.id}`, { backends: [a.id] })).body.backends).toEqual([
      a.id,
    ]);
    expect((await patch(`/backends/failover/${parent.id}`, { backends: [] })).body.backends).toBeNull();
  });

  test("requires its children to be existing backends", async () => {
    const { id } = await givenHttpResponse();
    const wrongKind = await post("/backends/failover", {
      backends: [id, (await givenIpPolicy()).id, "edgtcp_1"],
    });
    expect(wrongKind.body.errors).toMatchObject([{ path: "/backends/1" }, { path: "/backends/2" }]);
    const unknown = await post("/backends/failover", { backends: ["bkdhr_1", id, "bkdfo_1"] });
    expect(unknown.body.error_code).toBe("ERR_UNKNOWN_REFERENCE");
    expect(unknown.body.errors).toMatchObject([{ path: "/backends/0" }, { path: "/backends/2" }]);
  });

  test("must not contain itself, directly or through other backends", async () => {
    const leaf = await givenHttpResponse();
    const a = await givenFailover({ backends: [leaf.id] });
    const b = await givenFailover({ backends: [leaf.id, a.id] });
    const c = await givenFailover({ backends: [b.id, leaf.id] });
    for (const inside of [a, b, c]) {
      const { status, body } = await patch(`/backends/failover/${a.id}`, { backends: [leaf.id, inside.id] });
      expect([status, body.error_code]).toEqual([400, "ERR_INVALID_REQUEST"]);
      expect(body.errors).toMatchObject([
        { path: "/backends", msg: expect.stringContaining("contain itself") },
      ]);
    }
    expect((await get(`/backends/failover/${a.id}`)).body).toEqual(a);
    expect((await patch(`/backends/failover/${c.id}`, { backends: [a.id, b.id] })).status).toBe(200);
  });

  test("may share children with other backends, because a diamond is not a cycle", async () => {
    const leaf = await givenFailover();
    const [left, right] = [
      await givenFailover({ backends: [leaf.id] }),
      await givenFailover({ backends: [leaf.id] }),
    ];
    const top = await givenFailover();
    expect((await patch(`/backends/failover/${top.id}`, { backends: [left.id, right.id] })).status).toBe(200);
  });

  test("may have a thousand children", async () => {
    const { id } = await givenHttpResponse();
    const parent = await givenFailover({ backends: Array.from({ length: 1_000 }, () => id) });
    expect(parent.backends).toHaveLength(1_000);
    expect((await del(`/backends/failover/${parent.id}`)).status).toBe(204);
    expect((await del(`/backends/http_response/${id}`)).status).toBe(204);
  });
});

describe.each([
  ["/backends/http_response", givenHttpResponse],
  ["/backends/failover", givenFailover],
] as const)("deleting at %s", (path, given) => {
  test("is refused while edges or failover backends use it, and the error lists them", async () => {
    const { id } = await given();
    const users = [
      { path: "/edges/tcp", user: await givenTcpEdge({ backend: { backend_id: id } }) },
      { path: "/edges/tls", user: await givenTlsEdge({ backend: { enabled: false, backend_id: id } }) },
      { path: "/backends/failover", user: await givenFailover({ backends: [id, id] }) },
    ];
    while (users.length > 0) {
      const { status, body } = await del(`${path}/${id}`);
      expect([status, body.error_code]).toEqual([409, "ERR_IN_USE"]);
      expect(body.details.used_by.split(", ").toSorted()).toEqual(
        users.map(({ user }) => user.id).toSorted(),
      );
      for (const { user } of users) expect(body.msg).toContain(user.id);
      const { path: collection, user } = users.pop() ?? { path: "", user: {} };
      expect((await del(`${collection}/${user["id"]}`)).status).toBe(204);
    }
    expect((await del(`${path}/${id}`)).status).toBe(204);
    expect((await del(`${path}/${id}`)).status).toBe(404);
  });

  test("is allowed once nothing uses it any more", async () => {
    const { id } = await given();
    const { id: other } = await givenHttpResponse();
    const edge = await givenTcpEdge({ backend: { backend_id: id } });
    const tls = await givenTlsEdge({ backend: { backend_id: id } });
    const parent = await givenFailover({ backends: [other, id] });
    await patch(`/edges/tcp/${edge.id}`, { backend: { backend_id: other } });
    await del(`/edges/tls/${tls.id}/backend`);
    expect((await del(`${path}/${id}`)).body.details.used_by).toBe(parent.id);
    await patch(`/backends/failover/${parent.id}`, { backends: [other] });
    expect((await del(`${path}/${id}`)).status).toBe(204);
    expect((await del(`/backends/http_response/${other}`)).status).toBe(409);
  });

  test("lists at most ten users", async () => {
    const { id } = await given();
    for (let i = 0; i < 12; i++) await givenTcpEdge({ backend: { backend_id: id } });
    const { body } = await del(`${path}/${id}`);
    expect(body.details.used_by.split(", ")).toHaveLength(10);
    expect(body.msg).toContain(" and others.");
  });
});
