import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { clock } from "../../packages/model/src/clock.ts";
import { create, del, get, ORIGIN, patch, post, put, outcome } from "../support/api.ts";
import { inconsistenciesIn } from "../support/consistency.ts";
import * as given from "../support/given.ts";
import type { Json } from "../support/json.ts";
import { stored } from "../support/stored.ts";

const version = (answer: { headers: Headers }): number =>
  Number(/-(\d+)"$/.exec(answer.headers.get("ETag") ?? "")?.[1]);

const unsetModules = {
  backend: null,
  circuit_breaker: null,
  compression: null,
  ip_restriction: null,
  request_headers: null,
  response_headers: null,
  traffic_policy: null,
  user_agent_filter: null,
  webhook_verification: null,
  websocket_tcp_converter: null,
};

describe("an HTTPS edge", () => {
  test("is shown with its settings, and no routes at first", async () => {
    const { id, uri, created_at, ...rest } = await create("/edges/https", {
      description: "The shop",
      metadata: "m",
      hostports: ["shop.example.com:443"],
      mutual_tls: { certificate_authority_ids: [given.CA] },
      tls_termination: { min_version: "1.3" },
    });
    expect(uri).toBe(`${ORIGIN}/edges/https/${id}`);
    expect(rest).toEqual({
      description: "The shop",
      metadata: "m",
      hostports: ["shop.example.com:443"],
      mutual_tls: {
        enabled: true,
        certificate_authorities: [{ id: given.CA, uri: `${ORIGIN}/certificate_authorities/${given.CA}` }],
      },
      tls_termination: { enabled: true, terminate_at: "edge", min_version: "1.3" },
      routes: [],
    });
    expect((await get(uri)).body).toEqual({ id, uri, created_at, ...rest });
  });

  test("terminates TLS itself: terminate_at can only be edge", async () => {
    const sent = { tls_termination: { terminate_at: "edge" } };
    expect((await post("/edges/https", sent)).status).toBe(201);
    const { status, body } = await post("/edges/https", { tls_termination: { terminate_at: "upstream" } });
    expect([status, body.errors[0].path]).toEqual([400, "/tls_termination/terminate_at"]);
    const { uri } = await given.httpsEdge();
    expect(outcome(await put(`${uri}/tls_termination`, { terminate_at: "upstream" }))).toBe(
      "400 ERR_INVALID_REQUEST /terminate_at",
    );
    expect((await put(`${uri}/tls_termination`, { min_version: "1.0" })).body).toEqual({
      enabled: true,
      terminate_at: "edge",
      min_version: "1.0",
    });
  });

  test("shows its routes, oldest first, in one round trip, when it is read, listed and changed", async () => {
    const { id, uri } = await given.httpsEdge();
    const routes = [];
    for (let i = 0; i < 3; i++) routes.push(await given.route({ edge_id: id }));
    const other = await given.route();
    const read = await get(uri);
    expect(read.body.routes).toEqual(routes);
    // SQLite detects the end of the routes by the row after them.
    expect(read.cost.rowsRead).toBeLessThanOrEqual(5);
    expect((await patch(uri, { description: "x" })).body).toMatchObject({ description: "x", routes });
    expect((await patch(uri, {})).body.routes).toEqual(routes);
    const { body } = await get("/edges/https?limit=2");
    expect(body.https_edges.map((edge: Json) => [edge["id"], edge["routes"].length])).toEqual([
      [other["edge_id"], 1],
      [id, 3],
    ]);
  });

  test("has an ETag that covers its routes", async () => {
    const { id, uri } = await given.httpsEdge();
    const moves = async (change: () => Promise<unknown>): Promise<number> => {
      const before = version(await get(uri));
      await change();
      return version(await get(uri)) - before;
    };
    const route = await given.route({ edge_id: id });
    expect(await moves(() => given.route({ edge_id: id }))).toBe(1);
    expect(await moves(() => patch(route.uri, { description: "x" }))).toBe(1);
    expect(await moves(() => put(`${route.uri}/compression`))).toBe(1);
    expect(await moves(() => del(`${route.uri}/compression`))).toBe(1);
    expect(await moves(() => del(`${route.uri}/compression`))).toBe(0);
    expect(await moves(() => patch(route.uri, {}))).toBe(0);
    expect(await moves(() => patch(route.uri, { match: "not a path" }))).toBe(0);
    expect(
      await moves(() => patch(route.uri, { description: "y" }, { headers: { "If-Match": '"0"' } })),
    ).toBe(0);
    expect(await moves(() => put(`${route.uri}/backend`, { backend_id: "bkdfo_1" }))).toBe(0);
    expect(await moves(() => post(`${uri}/routes`, { match_type: "path_prefix", match: route.match }))).toBe(
      0,
    );
    expect(await moves(() => del(route.uri))).toBe(1);
    expect(await moves(() => del(route.uri))).toBe(0);
    const { headers } = await get(uri);
    await given.route({ edge_id: id });
    const stale = { headers: { "If-Match": headers.get("ETag") ?? "" } };
    expect((await patch(uri, { description: "z" }, stale)).status).toBe(412);
  });

  test("takes its routes and their references with it, and nothing else", async () => {
    const backend = await given.httpResponse();
    const { id, uri } = await given.httpsEdge({ mutual_tls: { certificate_authority_ids: [given.CA] } });
    const other = await given.route({ backend: { backend_id: backend.id } });
    const route = await given.route({ edge_id: id, backend: { backend_id: backend.id } });
    const elsewhere = "/edges/https/edghts_elsewhere/routes/edghtsrt_1/compression";
    await put(elsewhere);
    expect(outcome(await del("/edges/https/edghts_elsewhere"))).toBe("404 ERR_NOT_FOUND");
    expect((await del(uri)).status).toBe(204);
    for (const gone of [uri, `${uri}/routes`, route.uri, `${route.uri}/backend`])
      expect(outcome(await get(gone)), gone).toBe("404 ERR_NOT_FOUND");
    expect((await get(other.uri)).status).toBe(200);
    expect((await get(elsewhere)).status).toBe(200);
    const { body } = await del(backend.uri);
    expect(body.details.used_by).toBe(`${other.edge_id}/${other.id}`);
    expect(inconsistenciesIn(await stored(), [])).toEqual([]);
  });
});

describe("a route", () => {
  test("is shown with its settings, under its edge", async () => {
    const backend = await given.failover();
    const policy = await given.ipPolicy();
    const { edge_id, id, uri, created_at, ...rest } = await given.route({
      match_type: "exact_path",
      match: "/checkout",
      description: "d",
      backend: { backend_id: backend.id },
      ip_restriction: { ip_policy_ids: [policy.id] },
      traffic_policy: { value: "{}" },
      request_headers: { add: { "X-A": "1" } },
      response_headers: { remove: ["Server"] },
      compression: { enabled: false },
      circuit_breaker: { volume_threshold: 7 },
      websocket_tcp_converter: {},
      user_agent_filter: { allow: ["(?i)acme"], deny: [".*"] },
      webhook_verification: { provider: "GitHub", secret: given.SECRET },
    });
    expect(uri).toBe(`${ORIGIN}/edges/https/${edge_id}/routes/${id}`);
    expect(rest).toEqual({
      description: "d",
      match_type: "exact_path",
      match: "/checkout",
      backend: { enabled: true, backend: { id: backend.id, uri: backend.uri } },
      ip_restriction: { enabled: true, ip_policies: [{ id: policy.id, uri: policy.uri }] },
      traffic_policy: { enabled: true, value: "{}" },
      request_headers: { enabled: true, add: { "X-A": "1" }, remove: null },
      response_headers: { enabled: true, add: null, remove: ["Server"] },
      compression: { enabled: false },
      circuit_breaker: {
        enabled: true,
        tripped_duration: 10,
        rolling_window: 10,
        num_buckets: 10,
        volume_threshold: 7,
        error_threshold_percentage: 0.5,
      },
      websocket_tcp_converter: { enabled: true },
      user_agent_filter: { enabled: true, allow: ["(?i)acme"], deny: [".*"] },
      webhook_verification: { enabled: true, provider: "GitHub", secret: null },
      policy: null,
    });
    expect((await get(uri)).body).toEqual({ edge_id, id, uri, created_at, ...rest });
  });

  test("needs match_type and match", async () => {
    const { uri } = await given.httpsEdge();
    const { body } = await post(`${uri}/routes`, {});
    expect(body.errors).toEqual([
      { path: "/match_type", msg: "Required." },
      { path: "/match", msg: "Required." },
    ]);
    const plain = await create(`${uri}/routes`, { match_type: "path_prefix", match: "/" });
    expect(plain).toMatchObject({ match: "/", policy: null, ...unsetModules });
    expect(outcome(await patch(plain.uri, { match: "" }))).toBe("400 ERR_INVALID_REQUEST /match,/match");
  });

  test.each([
    ["", "Must not be empty."],
    ["api", "Expected a path"],
    ["/a?b", "Expected a path"],
    ["/a#b", "Expected a path"],
    ["/a b", "Expected a path"],
    ["/a\u0000", "Expected a path"],
    ["/a\u007f", "Expected a path"],
    [`/${"x".repeat(512)}`, "Longer than 512 bytes in UTF-8."],
    [`/${"ü".repeat(256)}`, "Longer than 512 bytes in UTF-8."],
  ])("rejects the match %j", async (match, msg) => {
    const { uri } = await given.route();
    const { status, body } = await patch(uri, { match });
    expect([status, body.errors[0].path]).toEqual([400, "/match"]);
    expect(body.errors[0].msg).toContain(msg);
  });

  test.each([
    ["/%", "path_prefix", "two hexadecimal digits after each %"],
    ["/%zz", "path_prefix", "two hexadecimal digits after each %"],
    ["/a%2", "path_prefix", "two hexadecimal digits after each %"],
    ["/a%00", "path_prefix", "no %00, %0A or %0D"],
    ["/a/../b", "path_prefix", "no segment . or .."],
    ["/%2e%2E//b", "path_prefix", "no segment . or .."],
    ["/a/..", "exact_path", "no segment . or .."],
    ["/%2e", "exact_path", "no segment . or .."],
  ])("rejects the match %j as %s, because requests with it are rejected", async (match, match_type, msg) => {
    const { edge_id, uri } = await given.route({ match_type });
    const answers = [
      await post(`/edges/https/${edge_id}/routes`, { match_type, match }),
      await patch(uri, { match_type, match }),
      await patch(uri, { match }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.errors[0].path]).toEqual([400, "/match"]);
      expect(body.errors[0].msg).toContain(msg);
    }
  });

  test("can only become an exact match if its last segment is neither . nor ..", async () => {
    for (const match of ["/..", "/a//%2e"]) {
      const { uri } = await given.route({ match_type: "path_prefix", match });
      expect((await patch(uri, { description: "x" })).status).toBe(200);
      const { status, body } = await patch(uri, { match_type: "exact_path" });
      expect([status, body.errors[0].path]).toEqual([400, "/match"]);
      expect((await patch(uri, { match_type: "exact_path", match: "/..x" })).status).toBe(200);
      expect(outcome(await patch(uri, { match }))).toBe("400 ERR_INVALID_REQUEST /match");
      expect((await patch(uri, { match_type: "path_prefix", match })).status).toBe(200);
    }
  });

  test("is unique by the path that it is read as", async () => {
    const { edge_id, id } = await given.route({ match_type: "path_prefix", match: "/über/a" });
    const url = `/edges/https/${edge_id}/routes`;
    for (const match of ["/%C3%BCber/a", "//über%2f%61", "/%c3%BCber///a"]) {
      const again = await post(url, { match_type: "path_prefix", match });
      expect([again.status, again.body.details?.conflicts_with]).toEqual([409, id]);
    }
    const exact = await create(url, { match_type: "exact_path", match: "/%C3%BCber//a" });
    expect(exact["match"]).toBe("/%C3%BCber//a");
    const moved = await patch(exact.uri, { match_type: "path_prefix" });
    expect([moved.status, moved.body.details?.conflicts_with]).toEqual([409, id]);
    for (const match of ["/über/a/", "/über/A", "/über%252fa", "/%FCber/a"])
      expect((await post(url, { match_type: "path_prefix", match })).status, match).toBe(201);
  });

  test.each([`/${"x".repeat(511)}`, `/${"ü".repeat(255)}`, "/%20/..;/*", "//"])(
    "accepts the match %j",
    async (match) => {
      expect((await given.route({ match })).match).toBe(match);
    },
  );

  test("has a match that no other route of its edge has; the same path with the other match type is a different match", async () => {
    const { edge_id, id, match, uri } = await given.route();
    const url = `/edges/https/${edge_id}/routes`;
    const again = await post(url, { match_type: "path_prefix", match });
    expect([again.status, again.body.error_code]).toEqual([409, "ERR_CONFLICT"]);
    expect(again.body.details.conflicts_with).toBe(id);
    const exact = await create(url, { match_type: "exact_path", match });
    expect((await patch(exact.uri, { match_type: "path_prefix" })).body.details.conflicts_with).toBe(id);
    expect((await patch(exact.uri, { match_type: "path_prefix", match: "/other" })).status).toBe(200);
    expect((await patch(exact.uri, { match })).body.details.conflicts_with).toBe(id);
    expect((await patch(uri, { match, match_type: "path_prefix" })).status).toBe(200);
    expect((await given.route({ match })).match).toBe(match);
    await del(uri);
    expect((await patch(exact.uri, { match })).status).toBe(200);
  });

  test("is one of at most 100", async () => {
    const { id, uri } = await given.httpsEdge();
    for (let i = 0; i < 100; i++) await given.route({ edge_id: id });
    const { status, body } = await post(`${uri}/routes`, { match_type: "exact_path", match: "/one-more" });
    expect([status, body.error_code, body.details.conflicts_with]).toEqual([409, "ERR_CONFLICT", undefined]);
    const read = await get(uri);
    expect(read.body.routes).toHaveLength(100);
    expect(read.cost.rowsRead).toBeLessThanOrEqual(102);
    const { body: page } = await get(`${uri}/routes?limit=60`);
    expect(page.routes.map((route: Json) => route["id"])).toEqual(
      read.body.routes
        .map((route: Json) => route["id"])
        .toReversed()
        .slice(0, 60),
    );
    expect(page.next_page_uri).toBe(`${uri}/routes?before_id=${page.routes.at(-1).id}&limit=60`);
    const { body: rest } = await get(page.next_page_uri);
    expect([rest.routes.length, rest.next_page_uri]).toEqual([40, null]);
  });

  test("is only found under its own edge", async () => {
    const { id, uri } = await given.route();
    const other = await given.httpsEdge();
    for (const edge of [other.id, "edghts_nobody"]) {
      const wrong = `/edges/https/${edge}/routes/${id}`;
      expect(outcome(await get(wrong))).toBe("404 ERR_NOT_FOUND");
      expect(outcome(await patch(wrong, { description: "x" }))).toBe("404 ERR_NOT_FOUND");
      expect(outcome(await del(wrong))).toBe("404 ERR_NOT_FOUND");
    }
    expect(outcome(await put(`/edges/https/${other.id}/routes/${id}/compression`))).toBe("404 ERR_NOT_FOUND");
    expect(outcome(await del(`/edges/https/${other.id}/routes/${id}/compression`))).toBe("404 ERR_NOT_FOUND");
    for (const missing of ["/edges/https/edghts_nobody/routes"]) {
      expect(outcome(await get(missing))).toBe("404 ERR_NOT_FOUND");
      expect(outcome(await post(missing, { match_type: "path_prefix", match: "/" }))).toBe(
        "404 ERR_NOT_FOUND",
      );
    }
    expect((await get(uri)).status).toBe(200);
  });

  test("can have at most 64 KiB as stored", async () => {
    const { uri } = await given.route();
    const value = (length: number) => ({ traffic_policy: { value: "x".repeat(length) } });
    expect((await patch(uri, value(65_000))).status).toBe(200);
    const { status, body } = await patch(uri, value(65_536));
    expect([status, body.error_code]).toEqual([413, "ERR_TOO_LARGE"]);
    expect(outcome(await put(`${uri}/request_headers`, { add: { a: "x".repeat(1_000) } }))).toBe(
      "413 ERR_TOO_LARGE",
    );
    const { uri: edge } = await given.httpsEdge();
    const large = { match_type: "path_prefix", match: "/", ...value(65_536) };
    expect(outcome(await post(`${edge}/routes`, large))).toBe("413 ERR_TOO_LARGE");
    expect((await get(edge)).body.routes).toEqual([]);
    // The modules of a route that is managed elsewhere only have to fit in a row.
    const elsewhere = "/edges/https/edghts_1/routes/edghtsrt_1";
    expect((await put(`${elsewhere}/traffic_policy`, value(900_000).traffic_policy)).status).toBe(200);
  });

  test("is created once for an Idempotency-Key, in its own edge", async () => {
    const [one, other] = [await given.httpsEdge(), await given.httpsEdge()];
    const headers = { "Idempotency-Key": "route" };
    const body = {
      match_type: "path_prefix",
      match: "/",
      webhook_verification: { provider: "x", secret: given.SECRET },
    };
    const first = await post(`${one.uri}/routes`, body, { headers });
    const again = await post(`${one.uri}/routes`, body, { headers });
    expect([again.status, again.text, again.headers.get("Idempotent-Replayed")]).toEqual([
      201,
      first.text,
      "true",
    ]);
    expect(again.headers.get("Location")).toBe(first.body.uri);
    const elsewhere = await post(`${other.uri}/routes`, body, { headers });
    expect(elsewhere.body.error_code).toBe("ERR_IDEMPOTENCY_MISMATCH");
    expect(version(await get(one.uri))).toBe(2);
  });

  test("prevents the deletion of its backend", async () => {
    const [a, b] = [await given.httpResponse(), await given.httpResponse()];
    const { id, edge_id, uri } = await given.route({ backend: { backend_id: a.id } });
    expect((await del(a.uri)).body.details.used_by).toBe(`${edge_id}/${id}`);
    await put(`${uri}/backend`, { backend_id: b.id });
    expect((await del(a.uri)).status).toBe(204);
    expect(outcome(await del(b.uri))).toBe("409 ERR_IN_USE");
    await del(`${uri}/backend`);
    expect((await del(b.uri)).status).toBe(204);
  });

  test("costs a row for itself, one for its edge, one for each reference, and two for its event", async () => {
    const { uri } = await given.httpsEdge();
    const backend = { backend_id: (await given.httpResponse()).id };
    const route = await post(`${uri}/routes`, { match_type: "path_prefix", match: "/", backend });
    expect(route.cost).toMatchObject({ roundTrips: 1, rowsWritten: 5 });
    expect((await patch(route.body.uri, { description: "x" })).cost).toMatchObject({
      roundTrips: 1,
      rowsWritten: 4,
    });
    expect((await patch(route.body.uri, {})).cost.rowsWritten).toBe(0);
    expect((await del(route.body.uri)).cost.rowsWritten).toBe(5);
  });
});

test("the error for a backend in use names each route with its edge, including routes managed elsewhere", async () => {
  const { id, uri } = await given.httpResponse();
  for (const edge of ["edghts_A", "edghts_B"])
    await put(`/edges/https/${edge}/routes/edghtsrt_1/backend`, { backend_id: id });
  expect((await del(uri)).body.details.used_by).toBe("edghts_A/edghtsrt_1, edghts_B/edghtsrt_1");
});

describe("webhook verification", () => {
  test.each([
    [{ provider: "github" }, [["/secret", "Required for every provider but sns."]]],
    [{ provider: "sns", secret: "x" }, [["/secret", "sns does not use a secret: leave it out."]]],
    [{ provider: "SNS", secret: "x" }, [["/secret", "sns does not use a secret: leave it out."]]],
    [
      { provider: "git-hub", secret: "x" },
      [["/provider", "Expected 1 to 64 letters, digits and underscores."]],
    ],
    [
      { provider: "x".repeat(65), secret: "x" },
      [["/provider", "Expected 1 to 64 letters, digits and underscores."]],
    ],
    [{ secret: "x" }, [["/provider", "Required."]]],
    [{ provider: "x", secret: "" }, [["/secret", "Must not be empty."]]],
  ])("rejects %j", async (body, errors) => {
    const { uri } = await given.route();
    const answer = await put(`${uri}/webhook_verification`, body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map(({ path, msg }: Json) => [path, msg])).toEqual(errors);
  });

  test("seals the secret for its route and shows it nowhere", async () => {
    const { id, uri } = await given.route();
    const shown = { enabled: true, provider: "slack", secret: null };
    const body = { provider: "slack", secret: given.SECRET };
    expect((await put(`${uri}/webhook_verification`, body)).body).toEqual(shown);
    expect((await get(`${uri}/webhook_verification`)).body).toEqual(shown);
    expect((await get(uri)).text).not.toContain(given.SECRET);
    const row = await env.DB.prepare("select webhook_verification as v from https_edge_routes where id = ?")
      .bind(id)
      .first<{ v: string }>();
    expect(row?.v).toMatch(/"secret":"sealed\.one\./);
    expect((await put(`${uri}/webhook_verification`, { provider: "sns" })).body).toEqual({
      ...shown,
      provider: "sns",
    });
    expect((await patch(uri, { webhook_verification: body })).body.webhook_verification).toEqual(shown);
    const { status } = await put(`${uri}/webhook_verification`, body, { env: { SEALING_KEYS: undefined } });
    expect(status).toBe(503);
  });
});

describe("the id of an object that was deleted here", () => {
  test("can have modules again, as an edge or route managed elsewhere, and never has a former ETag", async () => {
    const { id, uri } = await given.httpsEdge({ mutual_tls: {} });
    const route = await given.route({ edge_id: id, compression: {} });
    const former = [version(await get(uri)), version(await get(route.uri))];
    await del(uri);
    const now = clock.now();
    for (const url of [`${uri}/mutual_tls`, `${route.uri}/compression`]) {
      expect(outcome(await get(url))).toBe("404 ERR_NOT_FOUND");
      const set = await put(url);
      expect(set.status).toBe(200);
      expect(version(set)).toBeGreaterThanOrEqual(now);
      expect(version(set)).toBeGreaterThan(Math.max(...former));
    }
    for (const gone of [uri, route.uri, `${uri}/routes`])
      expect(outcome(await get(gone))).toBe("404 ERR_NOT_FOUND");
    expect((await get("/edges/https")).text).not.toContain(id);
  });
});

test("pages of large edges are limited by bytes, including routes", async () => {
  const large = new Set<string>();
  for (let i = 0; i < 3; i++) {
    const { id } = await given.httpsEdge();
    large.add(id);
    for (let j = 0; j < 30; j++)
      await given.route({ edge_id: id, traffic_policy: { value: "x".repeat(64_000) } });
  }
  const sizes: number[] = [];
  for (let next = `${ORIGIN}/edges/https`; next;) {
    const { body, text, cost } = await get(next);
    expect(text.length).toBeLessThan(4_300_000);
    expect(cost.roundTrips).toBe(1);
    sizes.push(body.https_edges.length);
    for (const edge of body.https_edges) if (large.has(edge.id)) expect(edge.routes).toHaveLength(30);
    next = body.next_page_uri;
  }
  expect(sizes.length).toBeGreaterThan(1);
  expect(sizes.slice(1).some((size) => size > 1)).toBe(true);
});
