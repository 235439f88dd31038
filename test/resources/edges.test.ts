import { describe, expect, test } from "vitest";
import { create, del, get, ORIGIN, patch, post, put, outcome } from "../support/api.ts";
import * as given from "../support/given.ts";

const ref = (path: string, id: string) => ({ id, uri: `${ORIGIN}${path}/${id}` });

/** Both collections of edges, with the fields that only they show in an edge created from an empty body. */
const collections = [
  { path: "/edges/tcp", list: "tcp_edges", prefix: "edgtcp_", own: {} },
  {
    path: "/edges/tls",
    list: "tls_edges",
    prefix: "edgtls_",
    own: { mutual_tls: null, tls_termination: null },
  },
];

describe.each(collections)("$path", ({ path, list, prefix, own }) => {
  test("an edge created from an empty body has neither description nor metadata, and null for everything else", async () => {
    const edge = await create(path);
    expect(edge).toEqual({
      id: expect.stringMatching(new RegExp(`^${prefix}[0-9A-Za-z]{27}$`)),
      uri: `${ORIGIN}${path}/${edge["id"]}`,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      hostports: null,
      backend: null,
      ip_restriction: null,
      traffic_policy: null,
      policy: null,
      ...own,
    });
  });

  test("modules have ids in requests and Refs in responses, in the same order", async () => {
    const backend = await given.httpResponse();
    const [a, b] = [await given.ipPolicy(), await given.ipPolicy()];
    const edge = await create(path, {
      description: "front door",
      metadata: '{"team":"edge"}',
      hostports: ["b.example.com:443", "a.example.com:443"],
      backend: { backend_id: backend.id },
      ip_restriction: { enabled: false, ip_policy_ids: [b.id, a.id, b.id] },
      traffic_policy: { value: '{"on_tcp_connect":[]}' },
    });
    expect(edge).toMatchObject({
      description: "front door",
      metadata: '{"team":"edge"}',
      hostports: ["b.example.com:443", "a.example.com:443"],
      backend: { enabled: true, backend: ref("/backends/http_response", backend.id) },
      ip_restriction: {
        enabled: false,
        ip_policies: [b, a, b].map(({ id }) => ref("/ip_policies", id)),
      },
      traffic_policy: { enabled: true, value: '{"on_tcp_connect":[]}' },
    });
    expect((await get(`${path}/${edge["id"]}`)).body).toEqual(edge);
    expect((await get(`${path}?limit=1`)).body[list]).toEqual([edge]);
  });

  test("PATCH replaces the given modules completely and leaves others unchanged", async () => {
    const backend = await given.failover();
    const policy = await given.ipPolicy();
    const edge = await create(path, {
      description: "kept",
      backend: { enabled: false, backend_id: backend.id },
      ip_restriction: { enabled: false, ip_policy_ids: [policy.id] },
    });
    const { body } = await patch(`${path}/${edge["id"]}`, { ip_restriction: {} });
    expect(body).toEqual({ ...edge, ip_restriction: { enabled: true, ip_policies: null } });
  });

  test('"" clears a string and [] a list, but null does not clear a module', async () => {
    const edge = await create(path, {
      description: "x",
      metadata: "y",
      hostports: ["a.example.com:1"],
      traffic_policy: { value: "z" },
    });
    const { body } = await patch(`${path}/${edge["id"]}`, {
      description: "",
      metadata: "",
      hostports: [],
      traffic_policy: null,
    });
    const { description: _, metadata: __, ...rest } = edge;
    expect(body).toEqual({ ...rest, hostports: null });
  });

  test("modules with unknown references are rejected with an error for each, and nothing is written", async () => {
    const { id: gone } = await given.ipPolicy();
    await del(`/ip_policies/${gone}`);
    const { id: here } = await given.ipPolicy();
    const body = {
      description: "new",
      backend: { backend_id: "bkdhr_nothing" },
      ip_restriction: { ip_policy_ids: [gone, here, "ipp_nothing"] },
    };
    const wrong = [
      "/backend/backend_id",
      "/ip_restriction/ip_policy_ids/0",
      "/ip_restriction/ip_policy_ids/2",
    ];
    const edge = await create(path);
    const before = (await get(path)).text;
    for (const answer of [await post(path, body), await patch(`${path}/${edge["id"]}`, body)]) {
      expect(answer.status).toBe(400);
      expect(answer.body.error_code).toBe("ERR_UNKNOWN_REFERENCE");
      expect(answer.body.errors.map((error: { path: string }) => error.path)).toEqual(wrong);
    }
    const module = await put(`${path}/${edge["id"]}/ip_restriction`, { ip_policy_ids: [here, gone] });
    expect(module.body.errors).toMatchObject([{ path: "/ip_policy_ids/1" }]);
    expect((await get(path)).text).toBe(before);
  });

  test("the Ref to a deleted IP policy remains, even after changes of other fields", async () => {
    const policy = await given.ipPolicy();
    const edge = await create(path, { ip_restriction: { ip_policy_ids: [policy.id] } });
    expect((await del(`/ip_policies/${policy.id}`)).status).toBe(204);
    const { body } = await patch(`${path}/${edge["id"]}`, { description: "changed" });
    expect(body).toEqual({ ...edge, description: "changed" });
  });

  test("modules as sub-resources: not set, set, removed, removed again", async () => {
    const backend = await given.failover();
    const policy = await given.ipPolicy();
    const { id } = await create(path);
    const modules = [
      {
        name: "backend",
        sent: { enabled: false, backend_id: backend.id },
        shown: { enabled: false, backend: ref("/backends/failover", backend.id) },
      },
      {
        name: "ip_restriction",
        sent: { ip_policy_ids: [policy.id] },
        shown: { enabled: true, ip_policies: [ref("/ip_policies", policy.id)] },
      },
      { name: "traffic_policy", sent: { value: "x" }, shown: { enabled: true, value: "x" } },
      ...(path === "/edges/tls"
        ? [
            {
              name: "mutual_tls",
              sent: { certificate_authority_ids: [given.CA] },
              shown: { enabled: true, certificate_authorities: [ref("/certificate_authorities", given.CA)] },
            },
            {
              name: "tls_termination",
              sent: { min_version: "1.3" },
              shown: { enabled: true, terminate_at: "edge", min_version: "1.3" },
            },
          ]
        : []),
    ];
    for (const { name, sent, shown } of modules) {
      const url = `${path}/${id}/${name}`;
      const unset = await get(url);
      expect([unset.status, unset.body.error_code]).toEqual([404, "ERR_NOT_FOUND"]);
      expect(unset.body.msg).toContain("is not set");
      expect((await put(url, sent)).body).toEqual(shown);
      expect((await get(url)).body).toEqual(shown);
      expect((await get(`${path}/${id}`)).body[name]).toEqual(shown);
    }
    for (const { name } of modules) {
      const url = `${path}/${id}/${name}`;
      expect((await del(url)).status).toBe(204);
      expect(outcome(await get(url))).toBe("404 ERR_NOT_FOUND");
      expect((await del(url)).status).toBe(204);
      expect((await get(`${path}/${id}`)).body[name]).toBeNull();
    }
    await del(`${path}/${id}`);
    for (const { name, sent } of modules) {
      const url = `${path}/${id}/${name}`;
      for (const answer of [await get(url), await put(url, sent), await del(url)])
        expect(answer.status).toBe(404);
    }
  });
});

test.each([
  "example.com:443",
  "a:1",
  "sub_domain.example.com:65535",
  "xn--bcher-kva.example:443",
  "EXAMPLE.com.:80",
  "192.0.2.1:22",
  "[2001:db8::1]:443",
  "[::ffff:192.0.2.1]:443",
  `${"a".repeat(63)}.example:1`,
  "4.in-addr.arpa:53",
  `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(61)}:1`,
  `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(61)}.:65535`,
  "[ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255]:65535",
])("%s is a hostport", async (hostport) => {
  expect((await given.tcpEdge({ hostports: [hostport] })).hostports).toEqual([hostport]);
});

describe("TLS termination", () => {
  test.each(["1.0", "1.1", "1.2", "1.3"])("accepts TLS %s", async (min_version) => {
    const edge = await given.tlsEdge({ tls_termination: { min_version } });
    expect(edge.tls_termination).toEqual({ enabled: true, terminate_at: "edge", min_version });
  });

  test("terminate_at must be edge or upstream, and upstream allows no version", async () => {
    const upstream = { enabled: true, terminate_at: "upstream", min_version: null };
    expect((await given.tlsEdge({ tls_termination: upstream })).tls_termination).toEqual(upstream);
    for (const [tls_termination, path] of [
      [{ terminate_at: "agent" }, "/tls_termination/terminate_at"],
      [{ terminate_at: "upstream", min_version: "1.2" }, "/tls_termination/min_version"],
    ] as const)
      expect((await post("/edges/tls", { tls_termination })).body.errors).toMatchObject([{ path }]);
  });
});

test("a version of the wrong type is a single error, even with upstream", async () => {
  const { body } = await post("/edges/tls", {
    tls_termination: { terminate_at: "upstream", min_version: 5 },
  });
  expect(body.errors).toHaveLength(1);
});

describe("an enabled mutual TLS and terminate_at upstream exclude each other", () => {
  const upstream = { terminate_at: "upstream" };
  const message = expect.stringContaining("handshake");

  test("on create", async () => {
    const { status, body } = await post("/edges/tls", { mutual_tls: {}, tls_termination: upstream });
    expect([status, body.errors]).toEqual([400, [{ path: "/mutual_tls", msg: message }]]);
  });

  test("on PATCH of both, and of one if the other is stored", async () => {
    const plain = await given.tlsEdge();
    const both = await patch(`/edges/tls/${plain.id}`, { mutual_tls: {}, tls_termination: upstream });
    expect([both.status, both.body.errors]).toEqual([400, [{ path: "/mutual_tls", msg: message }]]);

    const withUpstream = await given.tlsEdge({ tls_termination: upstream });
    const mtls = await patch(`/edges/tls/${withUpstream.id}`, { mutual_tls: {} });
    expect([mtls.status, mtls.body.errors]).toEqual([400, [{ path: "/mutual_tls", msg: message }]]);

    const withMutualTls = await given.tlsEdge({ mutual_tls: {} });
    const termination = await patch(`/edges/tls/${withMutualTls.id}`, {
      description: "x",
      tls_termination: upstream,
    });
    expect([termination.status, termination.body.errors]).toEqual([
      400,
      [{ path: "/tls_termination", msg: message }],
    ]);
    expect((await get(`/edges/tls/${withMutualTls.id}`)).body).toEqual(withMutualTls);
  });

  test("on PUT of either module", async () => {
    const withUpstream = await given.tlsEdge({ tls_termination: upstream });
    const mtls = await put(`/edges/tls/${withUpstream.id}/mutual_tls`, {
      certificate_authority_ids: [given.CA],
    });
    expect([mtls.status, mtls.body.errors]).toEqual([400, [{ path: "", msg: message }]]);
    const withMutualTls = await given.tlsEdge({ mutual_tls: {} });
    const termination = await put(`/edges/tls/${withMutualTls.id}/tls_termination`, upstream);
    expect([termination.status, termination.body.errors]).toEqual([400, [{ path: "", msg: message }]]);
  });

  test("but mutual TLS can be disabled, and both can be changed together", async () => {
    const edge = await given.tlsEdge({ mutual_tls: { enabled: false }, tls_termination: upstream });
    const { status } = await patch(`/edges/tls/${edge.id}`, { mutual_tls: {}, tls_termination: {} });
    expect(status).toBe(200);
    const back = await patch(`/edges/tls/${edge.id}`, {
      mutual_tls: { enabled: false },
      tls_termination: upstream,
    });
    expect(back.status).toBe(200);
    expect((await del(`/edges/tls/${edge.id}/tls_termination`)).status).toBe(204);
    expect((await put(`/edges/tls/${edge.id}/mutual_tls`, {})).status).toBe(200);
  });

  test("backend, IP restriction and traffic policy are allowed with upstream", async () => {
    const edge = await given.tlsEdge({
      tls_termination: upstream,
      backend: { backend_id: (await given.failover()).id },
      ip_restriction: {},
      traffic_policy: { value: "x" },
    });
    expect(edge.tls_termination.terminate_at).toBe("upstream");
  });
});
