import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { create, del, get, ORIGIN, patch, post, outcome } from "../support/api.ts";
import * as given from "../support/given.ts";
import type { Json } from "../support/json.ts";

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
    const { headers } = await given.httpResponse({ headers: { "Content-Type": "text/PLAIN", "X-A": "" } });
    expect(headers).toEqual({ "content-type": "text/PLAIN", "x-a": "" });
  });

  test("accepts strings of any length that fits in a body, and a header named __proto__", async () => {
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

  test("accepts the status of any final response", async () => {
    for (const status_code of [200, 599])
      expect((await given.httpResponse({ status_code })).status_code).toBe(status_code);
  });

  test("keeps a 1xx status that was stored earlier until it is changed", async () => {
    const { id, uri } = await given.httpResponse();
    await env.DB.prepare("update http_response_backends set status_code = 101 where id = ?").bind(id).run();
    expect((await get(uri)).body.status_code).toBe(101);
    expect((await get("/backends/http_response")).body.backends[0].status_code).toBe(101);
    expect((await patch(uri, { body: "x" })).body).toMatchObject({ body: "x", status_code: 101 });
    expect(outcome(await patch(uri, { status_code: 102 }))).toBe("400 ERR_INVALID_REQUEST /status_code");
    expect((await patch(uri, { status_code: 204 })).body.status_code).toBe(204);
  });
});

describe("a failover backend", () => {
  test("shows null if its children were never set", async () => {
    const backend = await create("/backends/failover");
    expect(Object.keys(backend)).toEqual(["id", "uri", "created_at", "backends"]);
    expect(backend["backends"]).toBeNull();
  });

  test("keeps its children in order, including duplicates; a PATCH without backends leaves them unchanged", async () => {
    const [a, b] = [await given.httpResponse(), await given.failover()];
    const parent = await given.failover({ backends: [b.id, a.id, b.id], description: "x" });
    expect(parent.backends).toEqual([b.id, a.id, b.id]);
    const renamed = await patch(`/backends/failover/${parent.id}`, { description: "y" });
    expect(renamed.body.backends).toEqual([b.id, a.id, b.id]);
    expect((await patch(`/backends/failover/${parent.id}`, { backends: [a.id] })).body.backends).toEqual([
      a.id,
    ]);
    expect((await patch(`/backends/failover/${parent.id}`, { backends: [] })).body.backends).toBeNull();
  });

  test("accepts backends of every kind as its children", async () => {
    const children = [
      await given.failover(),
      await given.httpResponse(),
      await given.weighted(),
      await given.staticBackend(),
    ];
    const backends = children.map(({ id }) => id);
    const parent = await given.failover({ backends });
    expect(parent.backends).toEqual(backends);
    const missing = backends.map((id) => id.replace(/_.*/, "_nothing"));
    const { body } = await patch(parent.uri, { backends: [...backends, ...missing] });
    expect(body.error_code).toBe("ERR_UNKNOWN_REFERENCE");
    expect(body.errors.map(({ path }: Json) => path)).toEqual([4, 5, 6, 7].map((i) => `/backends/${i}`));
  });

  test("must not contain itself, directly or through other backends", async () => {
    const leaf = await given.httpResponse();
    const a = await given.failover({ backends: [leaf.id] });
    const b = await given.failover({ backends: [leaf.id, a.id] });
    const c = await given.failover({ backends: [b.id, leaf.id] });
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

  test("can share children with other backends, because a diamond is not a cycle", async () => {
    const leaf = await given.failover();
    const [left, right] = [
      await given.failover({ backends: [leaf.id] }),
      await given.failover({ backends: [leaf.id] }),
    ];
    const top = await given.failover();
    expect((await patch(`/backends/failover/${top.id}`, { backends: [left.id, right.id] })).status).toBe(200);
  });

  test("can have a thousand children", async () => {
    const { id } = await given.httpResponse();
    const parent = await given.failover({ backends: Array.from({ length: 1_000 }, () => id) });
    expect(parent.backends).toHaveLength(1_000);
    expect((await del(`/backends/failover/${parent.id}`)).status).toBe(204);
    expect((await del(`/backends/http_response/${id}`)).status).toBe(204);
  });
});

describe("a weighted backend", () => {
  test("shows null if its children were never set", async () => {
    const backend = await create("/backends/weighted");
    expect(Object.keys(backend)).toEqual(["id", "uri", "created_at", "backends"]);
    expect(backend["id"]).toMatch(/^bkdwd_[0-9A-Za-z]{27}$/);
    expect(backend["backends"]).toBeNull();
  });

  test("has a weight for each child; PATCH replaces them all, {} clears them, and a PATCH without them leaves them unchanged", async () => {
    const [a, b] = [await given.httpResponse(), await given.staticBackend()];
    const { uri, backends } = await given.weighted({ backends: { [b.id]: 10_000, [a.id]: 0 } });
    expect(backends).toEqual({ [b.id]: 10_000, [a.id]: 0 });
    expect((await patch(uri, { description: "x" })).body.backends).toEqual(backends);
    expect((await patch(uri, { backends: { [a.id]: 3 } })).body.backends).toEqual({ [a.id]: 3 });
    expect((await patch(uri, { backends: null })).body.backends).toEqual({ [a.id]: 3 });
    expect((await patch(uri, { backends: { [a.id]: null, [b.id]: 1 } })).body.backends).toEqual({
      [b.id]: 1,
    });
    expect((await patch(uri, { backends: {} })).body.backends).toBeNull();
    expect((await patch(uri, { backends: { [a.id]: 1 } })).body.backends).toEqual({ [a.id]: 1 });
    expect((await patch(uri, { backends: { [a.id]: null } })).body.backends).toBeNull();
  });

  test("rejects children that are not leaves, invalid weights and all weights 0, each with its error", async () => {
    const { id } = await given.staticBackend();
    const weighted = await given.weighted({ backends: { [id]: 1 } });
    const failover = await given.failover();
    const malformed =
      "Expected an id that starts with bkdhr_ or bkdsc_, followed by 1 to 64 letters and digits.";
    const notAWeight = "Expected a whole number from 0 to 10000.";
    const none =
      "All weights are 0, so no backend would receive traffic. Set at least one weight to 1 or more.";
    for (const [backends, errors] of [
      [[id], [["", "Expected an object of ids and weights."]]],
      ["x", [["", "Expected an object of ids and weights."]]],
      [{ [id]: 0 }, [["", none]]],
      [{ [id]: -0, bkdhr_1: 0 }, [["", none]]],
      [
        { [weighted.id]: 1, [failover.id]: 1, edgtcp_1: 1, "": 1, bkdsc_: 1, "bkdsc_a b": 1 },
        [weighted.id, failover.id, "edgtcp_1", "", "bkdsc_", "bkdsc_a b"].map((name) => [
          `/${name}`,
          malformed,
        ]),
      ],
      [
        { bkdhr_1: -1, bkdhr_2: 10_001, bkdhr_3: 0.5, bkdhr_4: "1", bkdhr_5: true, bkdhr_6: [], [id]: 1 },
        [1, 2, 3, 4, 5, 6].map((i) => [`/bkdhr_${i}`, notAWeight]),
      ],
      [
        { x: 0, bkdhr_1: 0 },
        [
          ["", none],
          ["/x", malformed],
        ],
      ],
    ] as const)
      for (const answer of [
        await post("/backends/weighted", { backends }),
        await patch(weighted.uri, { backends }),
      ]) {
        expect([answer.status, answer.body.error_code]).toEqual([400, "ERR_INVALID_REQUEST"]);
        expect(answer.body.errors).toEqual(errors.map(([name, msg]) => ({ path: `/backends${name}`, msg })));
      }
    expect((await get(weighted.uri)).body).toEqual(weighted);
  });

  test("can have a thousand children and no more", async () => {
    const { id } = await given.staticBackend();
    await env.DB.prepare(
      `with recursive n(i) as (select 0 union all select i + 1 from n where i < 999)
       insert into static_backends (id, created_at, address, tls)
       select ? || 'x' || i, '', 'a:1', '{"enabled":false}' from n`,
    )
      .bind(id)
      .run();
    const weights = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${id}x${i}`, i]));
    const { status, body } = await post("/backends/weighted", { backends: weights(1_001) });
    expect([status, body.errors]).toEqual([
      400,
      [{ path: "/backends", msg: "Contains more than 1000 items." }],
    ]);
    const backend = await given.weighted({ backends: weights(1_000) });
    expect(backend.backends).toEqual(weights(1_000));
    expect(outcome(await del(`/backends/static/${id}x0`))).toBe("409 ERR_IN_USE");
    expect((await del(backend.uri)).status).toBe(204);
    expect((await del(`/backends/static/${id}x0`)).status).toBe(204);
  });
});

describe("a static backend", () => {
  test("has an address, and no TLS by default", async () => {
    const backend = await create("/backends/static", { address: "[2001:db8::1]:8443" });
    expect(backend).toEqual({
      id: expect.stringMatching(/^bkdsc_[0-9A-Za-z]{27}$/),
      uri: `${ORIGIN}/backends/static/${backend["id"]}`,
      created_at: expect.any(String),
      address: "[2001:db8::1]:8443",
      tls: { enabled: false },
    });
  });

  test("PATCH replaces tls as a whole, so {} turns it off", async () => {
    for (const [tls, enabled] of [
      [{}, false],
      [{ enabled: null }, false],
      [{ enabled: false }, false],
      [{ enabled: true }, true],
    ] as const) {
      expect((await given.staticBackend({ tls })).tls).toEqual({ enabled });
      const { uri } = await given.staticBackend({ tls: { enabled: !enabled } });
      expect((await patch(uri, { tls })).body.tls).toEqual({ enabled });
    }
    const { uri, ...before } = await given.staticBackend({ tls: { enabled: true }, description: "x" });
    expect((await patch(uri, { tls: null, address: "other.example:1" })).body).toEqual({
      ...before,
      uri,
      address: "other.example:1",
    });
  });
});

describe.each([
  ["/backends/http_response", given.httpResponse, true],
  ["/backends/failover", given.failover, false],
  ["/backends/weighted", given.weighted, false],
  ["/backends/static", given.staticBackend, true],
] as const)("deleting at %s", (path, make, isLeaf) => {
  test("is rejected while edges or other backends use it, and the error lists them", async () => {
    const { id } = await make();
    const users = [
      ...(isLeaf
        ? [{ path: "/backends/weighted", user: await given.weighted({ backends: { [id]: 1 } }) }]
        : []),
      { path: "/edges/tcp", user: await given.tcpEdge({ backend: { backend_id: id } }) },
      { path: "/edges/tls", user: await given.tlsEdge({ backend: { enabled: false, backend_id: id } }) },
      { path: "/backends/failover", user: await given.failover({ backends: [id, id] }) },
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
    expect(outcome(await del(`${path}/${id}`))).toBe("404 ERR_NOT_FOUND");
  });

  test("is allowed once nothing uses it any more", async () => {
    const { id } = await make();
    const { id: other } = await given.httpResponse();
    const edge = await given.tcpEdge({ backend: { backend_id: id } });
    const tls = await given.tlsEdge({ backend: { backend_id: id } });
    const parent = await given.failover({ backends: [other, id] });
    await patch(`/edges/tcp/${edge.id}`, { backend: { backend_id: other } });
    await del(`/edges/tls/${tls.id}/backend`);
    expect((await del(`${path}/${id}`)).body.details.used_by).toBe(parent.id);
    await patch(`/backends/failover/${parent.id}`, { backends: [other] });
    if (isLeaf) {
      const weighted = await given.weighted({ backends: { [other]: 1, [id]: 0 } });
      await patch(weighted.uri, { description: "x" });
      expect((await del(`${path}/${id}`)).body.details.used_by).toBe(weighted.id);
      await patch(weighted.uri, { backends: { [other]: 1 } });
    }
    expect((await del(`${path}/${id}`)).status).toBe(204);
    expect(outcome(await del(`/backends/http_response/${other}`))).toBe("409 ERR_IN_USE");
  });

  test("lists at most ten users", async () => {
    const { id } = await make();
    for (let i = 0; i < 12; i++) await given.tcpEdge({ backend: { backend_id: id } });
    const { body } = await del(`${path}/${id}`);
    expect(body.details.used_by.split(", ")).toHaveLength(10);
    expect(body.msg).toContain(" and others.");
  });
});
