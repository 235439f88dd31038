import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import examples from "../.dev.vars.example?raw";
import { exampleId } from "../packages/model/src/ids.ts";
import { kinds } from "../packages/model/src/kinds.ts";
import { EXAMPLES } from "../src/http/auth.ts";
import { BODY_BYTES } from "../src/http/body.ts";
import { isCreation, type OperationRoute } from "../src/http/route.ts";
import worker from "../src/index.ts";
import { call, create, get, ORIGIN, patch, post, requiredHeaders, routes, outcome } from "./support/api.ts";
import { contract } from "./support/contract.ts";
import * as given from "./support/given.ts";
import { intercepted } from "./support/intercepted.ts";
import type { Json } from "./support/json.ts";

/*
 * The conventions that hold for every operation. The ids in paths do not belong to any object, because all of these
 * checks precede the lookup.
 */

/** The query parameters of an operation. */
const queryOf = (method: string, path: string): string[] => {
  const { parameters }: Json = contract["paths"][path.replace(/:(\w+)/g, "{$1}")][method.toLowerCase()];
  return parameters.flatMap(({ name, in: place }: Json) => (place === "query" ? [name] : []));
};

const pathOf = ({ path }: OperationRoute): string =>
  path
    .replace(":subscription_id", exampleId("event_subscription"))
    .replace(":type", "ip_policy_updated.v0")
    .replace(":edge_id", given.HTTPS_EDGE)
    .replace(":name", "lisbon-1")
    .replace(":id", path.includes("routes") ? given.HTTPS_ROUTE : given.HTTPS_EDGE);

const all = routes
  .filter(({ operation }) => operation.access !== "public")
  .map((route) => ({ ...route, name: `${route.method} ${route.path}`, url: pathOf(route) }));

/* Every operation rejects every kind of invalid request: see fuzz/breakages.test.ts. */

describe.each(all)("$name", ({ method, url, operation }) => {
  const body = operation.body ? {} : undefined;

  test("returns 503 for every key if no root key is configured", async () => {
    for (const Authorization of [undefined, "Bearer ", "Bearer undefined", `Bearer ${env.ROOT_API_KEY}`]) {
      const options = { headers: { Authorization }, env: { ROOT_API_KEY: undefined } };
      const { status, headers } = await call(method, url, body, options);
      expect([status, headers.get("Retry-After")]).toEqual([503, "1"]);
    }
  });

  test("responds in the same way with a trailing slash, and to HEAD like to GET", async () => {
    const plain = await call(method, url, body);
    const slashed = await call(method, `${url}/`, body);
    expect([slashed.status, slashed.body.error_code]).toEqual([plain.status, plain.body.error_code]);
    if (method !== "GET") return;
    const head = await call("HEAD", url);
    expect(head.status).toBe(plain.status);
    expect(head.headers.get("Content-Type")).toBe(plain.headers.get("Content-Type"));
  });
});

test("a media type is case-insensitive and can have a charset, and Identity is no compression", async () => {
  for (const headers of [
    { "Content-Type": "Application/JSON; charset=UTF-8" },
    { "Content-Encoding": "Identity" },
  ])
    expect((await post("/ip_policies", {}, { headers })).status).toBe(201);
});

test("at most 50 errors are listed, and one for each name of a parameter", async () => {
  const wrong = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`nonsense_${i}`, i]));
  const { body } = await post("/ip_policies", wrong);
  expect(body.errors).toHaveLength(50);
  expect(body.msg).toMatch(/^The request has 60 invalid fields\. \//);
  for (const [query, paths] of [
    ["limit=5&limit=6", ["limit"]],
    ["limit&a%20&limit&limit", ["limit", "a "]],
    ["nonsense=1&nonsense=1", ["nonsense"]],
  ] as const) {
    const { errors } = (await get(`/edges/tcp?${query}`)).body;
    expect(errors.map(({ path }: Json) => path).toSorted()).toEqual(paths.toSorted());
  }
});

test("checks run in the documented order", async () => {
  const headers = { Authorization: "none", "Service-Version": "9", "Content-Type": "text/plain" };
  const wrong = { method: "QUERY", path: "/edges/nothing", raw: "x".repeat(BODY_BYTES + 1), headers };
  const backend = { backend_id: "bkdfo_nothing" };
  for (const [fixed, answer] of [
    [{}, "404 ERR_NO_SUCH_PATH"],
    [{ path: "/edges/tcp" }, "405 ERR_METHOD_NOT_ALLOWED"],
    [{ method: "POST" }, "401 ERR_UNAUTHENTICATED"],
    [{ headers: { Authorization: requiredHeaders.Authorization } }, "400 ERR_UNSUPPORTED_VERSION"],
    [{ headers: { "Service-Version": "2" } }, "415 ERR_UNSUPPORTED_MEDIA_TYPE"],
    [{ headers: { "Content-Type": "application/json" } }, "413 ERR_TOO_LARGE"],
    [{ raw: "{" }, "400 ERR_INVALID_REQUEST"],
    [{ raw: JSON.stringify({ backend, nonsense: 1 }) }, "400 ERR_INVALID_REQUEST"],
    [{ raw: JSON.stringify({ backend }) }, "400 ERR_UNKNOWN_REFERENCE"],
  ] as const) {
    Object.assign(wrong, fixed, { headers: Object.assign(headers, "headers" in fixed ? fixed.headers : {}) });
    const { status, body } = await call(wrong.method, wrong.path, undefined, wrong);
    expect(`${status} ${body.error_code}`).toBe(answer);
  }
});

test.each([
  "/nothing",
  "/edges",
  "/edges/tcp/a/b",
  "/edges/tcp/a/mutual_tls",
  "//edges/tcp",
  "/EDGES/TCP",
  "/%2e%2e/nothing",
  "/%ff",
])("%s is not a path, with or without a key", async (path) => {
  for (const Authorization of [undefined, requiredHeaders.Authorization]) {
    const answer = await call("GET", `${ORIGIN}${path}`, undefined, { headers: { Authorization } });
    expect(answer.status).toBe(404);
    expect(answer.body.error_code).toBe("ERR_NO_SUCH_PATH");
    expect(answer.body.msg).toContain(`${ORIGIN}/docs`);
  }
});

test("/ redirects browsers to the console and programs to the documentation", async () => {
  for (const [Accept, page] of [
    ["text/html,application/xhtml+xml;q=0.9", "/console"],
    ["application/json", "/docs"],
    ["*/*", "/docs"],
    [undefined, "/docs"],
  ] as const) {
    const { status, headers } = await get(`${ORIGIN}/`, { headers: { Accept, Authorization: undefined } });
    expect([status, headers.get("Location"), headers.get("Vary")]).toEqual([302, page, "Accept"]);
  }
});

test("an unknown path links to the documentation at BASE_URL, if that is set", async () => {
  const { body } = await get("/nothing", { env: { BASE_URL: "https://api.example.net/" } });
  expect(body.msg).toBe("There is no such path. The API reference is at https://api.example.net/docs.");
});

test("the authentication scheme and header names are case-insensitive", async () => {
  const headers = { Authorization: undefined, "Service-Version": undefined };
  const answer = await get("/bot_users", {
    headers: { ...headers, authorization: `bearer ${env.ROOT_API_KEY}`, "service-version": "2" },
  });
  expect(answer.status).toBe(200);
});

test("a body on GET and DELETE is ignored", async () => {
  const { id } = await given.ipPolicy();
  expect((await call("DELETE", `/ip_policies/${id}`, undefined, { raw: "{nonsense" })).status).toBe(204);
});

test("an id is its prefix and up to 64 letters and digits", { tags: "thorough" }, async () => {
  // Events are only created here, so all of their ids have the form of those created here.
  const longest = (prefix: string) => prefix + "a".repeat(prefix === kinds.event.prefix ? 27 : 64);
  for (const { method, path, operation } of routes) {
    // Only people have keys of their own.
    if (path.startsWith("/users/me/")) continue;
    const example =
      operation.body instanceof z.ZodLazy && z.globalRegistry.get(operation.body.unwrap())?.examples;
    for (const [name, kind] of Object.entries(operation.path ?? {})) {
      const url = path
        .replace(`:${name}`, longest(kinds[kind].prefix))
        .replace(/:(\w+)/g, (_, other) => exampleId(operation.path?.[other] ?? kind))
        .concat(queryOf(method, path).includes("ip") ? "?ip=192.0.2.1" : "");
      const { status, cost } = await call(method, url, Array.isArray(example) ? example[0] : undefined);
      expect([200, 204, 400, 404], `${method} ${path}`).toContain(status);
      expect(cost.roundTrips, `${method} ${path}`).toBeGreaterThan(0);
    }
    const kind = Object.values(kinds).find((kind) => kind.path === path.replace(/:(\w+)/g, "{$1}"));
    if (!kind || !queryOf(method, path).includes("before_id")) continue;
    const url = path.replace(":edge_id", (await given.httpsEdge())["id"]);
    expect((await get(`${url}?before_id=${longest(kind.prefix)}`)).status).toBe(200);
    expect(outcome(await get(`${url}?before_id=${longest(kind.prefix)}a`))).toBe(
      "400 ERR_INVALID_REQUEST before_id",
    );
  }
  const { body } = await post("/edges/tcp", { backend: { backend_id: longest("bkdfo_") } });
  expect(body.error_code).toBe("ERR_UNKNOWN_REFERENCE");
});

test("a null counts as leaving the field out, at every depth", async () => {
  const answer = await post("/edges/tcp", {
    description: null,
    hostports: null,
    backend: null,
    nonsense: null,
    ip_restriction: { enabled: null, ip_policy_ids: null, nonsense: null },
  });
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({
    hostports: null,
    backend: null,
    ip_restriction: { enabled: true, ip_policies: null },
  });
  expect(answer.body).not.toHaveProperty("description");
  const before = await given.tcpEdge({ description: "kept" });
  const after = await patch(`/edges/tcp/${before.id}`, {
    description: null,
    hostports: null,
    traffic_policy: null,
  });
  expect(after.body).toEqual(before);
});

test("all invalid fields are reported together", async () => {
  const { body } = await post("/edges/tls", {
    description: "é".repeat(128),
    metadata: 7,
    hostports: ["a.example.com", 1],
    backend: { backend_id: "ipp_1", port: 1 },
    ip_restriction: { ip_policy_ids: "ipp_1" },
    traffic_policy: {},
    tls_termination: { terminate_at: "upstream", min_version: "1.2", enabled: "yes" },
    mutual_tls: { certificate_authority_ids: ["ca_1", "ca-2"] },
    policy: {},
  });
  expect(body.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual([
    "/backend/backend_id",
    "/backend/port",
    "/description",
    "/hostports/0",
    "/hostports/1",
    "/ip_restriction/ip_policy_ids",
    "/metadata",
    "/mutual_tls",
    "/mutual_tls/certificate_authority_ids/1",
    "/policy",
    "/tls_termination/enabled",
    "/tls_termination/min_version",
    "/traffic_policy/value",
  ]);
});

describe("the msg of a 400 states", () => {
  const expected =
    'Expected "host:port": a DNS name, an IPv4 address or an IPv6 address in brackets, and a port from 1 to 65535.';

  test("the invalid field and the reason", async () => {
    const { body } = await post("/edges/tcp", { hostports: ["a.example"] });
    expect(body.msg).toBe(`The request is invalid. /hostports/0: ${expected}`);
    const listed = await get("/edges/tcp?limit=0");
    expect(listed.body.msg).toBe("The request is invalid. limit: Expected a whole number from 1 to 100.");
  });

  test("the number of invalid fields, and the first of them", async () => {
    const { body } = await post("/edges/tcp", { hostports: ["a.example", "b.example"], backend: {} });
    expect(body.msg).toBe(`The request has 3 invalid fields. /hostports/0: ${expected}`);
  });

  test("the error in the body as a whole", async () => {
    const { id } = await create("/edges/tls", { mutual_tls: {} });
    const { body } = await call("PUT", `/edges/tls/${id}/tls_termination`, { terminate_at: "upstream" });
    expect(body.msg).toMatch(/^The request is invalid\. mutual_tls cannot be enabled /);
  });

  test("the number of unknown references, and the first of them", async () => {
    const backend = { backend_id: "bkdfo_1" };
    const one = await post("/edges/tcp", { backend });
    expect(one.body.msg).toBe(
      "The request has 1 reference to an object that does not exist. /backend/backend_id: There is no object with this id.",
    );
    const two = await post("/edges/tcp", { backend, ip_restriction: { ip_policy_ids: ["ipp_1"] } });
    expect(two.body.msg).toBe(
      "The request has 2 references to objects that do not exist. /backend/backend_id: There is no object with this id.",
    );
  });
});

test("length limits count UTF-8 bytes, not characters", async () => {
  for (const [letter, bytes] of [
    ["a", 1],
    ["é", 2],
    ["€", 3],
    ["😀", 4],
  ] as const) {
    for (const [member, limit] of [
      ["description", 255],
      ["metadata", 4096],
    ] as const) {
      const most = letter.repeat(Math.floor(limit / bytes));
      expect((await post("/ip_policies", { [member]: most })).body[member]).toBe(most);
      const { status, body } = await post("/ip_policies", { [member]: most + letter });
      expect(status).toBe(400);
      expect(body.errors).toEqual([{ path: `/${member}`, msg: `Longer than ${limit} bytes in UTF-8.` }]);
    }
  }
});

test("invalid UTF-8 is rejected, not replaced", async () => {
  const bytes = new TextEncoder().encode('{"name":"?"}').map((byte) => (byte === 0x3f ? 0xff : byte));
  const { status, body } = await post("/bot_users", undefined, { raw: bytes });
  expect([status, body.msg]).toEqual([400, "The body is not valid UTF-8."]);
});

test("strings must be well-formed Unicode", async () => {
  for (const raw of ['{"name":"\\ud800"}', '{"name":"a\\udc00b"}']) {
    const { status, body } = await post("/bot_users", undefined, { raw });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { path: "/name", msg: "Not well-formed Unicode: it contains a lone surrogate." },
    ]);
  }
  const odd = "\u0000\u0001\u2028\ufeff\u202e😀'\"\\%";
  const { id } = await create("/bot_users", { name: odd });
  expect((await get(`/bot_users/${id}`)).body.name).toBe(odd);
});

test("with an Idempotency-Key too, a body that cannot be stored is the caller's error, wherever the odd value is", async () => {
  const odd = ['"\\ud800"', '{"\\ud800":1}', "1e999", "[-1e999]", '{"__proto__":1e999}'];
  const around: ((value: string) => string)[] = [
    (value) => `{"description":${value}}`,
    (value) => `{"odd":${value}}`,
    (value) => `{"operations":[{"method":"POST","path":"/ip_policies","body":{"description":${value}}}]}`,
    (value) => `{"operations":[{"method":"POST","path":"/ip_policies","body":${value}}]}`,
    (value) => `{"undo":{"events":[${value}]}}`,
  ];
  const creations = routes.filter(({ operation, path }) => isCreation(operation) && !path.includes(":"));
  for (const { path, method } of creations)
    for (const value of odd)
      for (const raw of around.map((wrap) => wrap(value))) {
        const headers = { "Idempotency-Key": crypto.randomUUID() };
        const { status } = await call(method, path, undefined, { raw, headers });
        expect([400, 401, 404, 409, 415, 422], `${path} ${raw}`).toContain(status);
      }
});

test("a name of over 100 characters is not quoted: a pointer ends at the containing object, a parameter is truncated", async () => {
  const long = "n".repeat(100_000);
  const { body } = await post("/edges/tcp", { backend: { backend_id: "bkdfo_1", [long]: 1 }, [long]: 1 });
  const msg = expect.stringContaining("Unknown; accepted: ");
  expect(body.errors).toEqual([
    { path: "/backend", msg },
    { path: "", msg },
  ]);
  for (const [name, path] of [
    [long, `${"n".repeat(100)}…`],
    [`${"n".repeat(99)}😀`, `${"n".repeat(99)}\ufffd…`],
  ]) {
    const { body } = await get(`/edges/tcp?${name}=1`);
    expect(body.errors[0].path.isWellFormed()).toBe(true);
    const accepted = queryOf("GET", "/edges/tcp").join(", ");
    expect(body.errors).toEqual([{ path, msg: `Unknown; accepted: ${accepted}.` }]);
  }
});

describe("an object that would outgrow a row is rejected with 413, and nothing is written", () => {
  const half = "x".repeat(1_000_000);
  const hostports = Array.from(
    { length: 9_000 },
    (_, i) => `${"a".repeat(60)}.${"b".repeat(45)}.example:${i + 1}`,
  );
  test.each([
    ["/backends/http_response", { body: half }, { description: half }],
    ["/backends/failover", { metadata: half }, { description: half }],
    ["/backends/weighted", { metadata: half }, { description: half }],
    ["/backends/static", { address: "a:1", metadata: half }, { description: half }],
    ["/edges/tcp", { traffic_policy: { value: half } }, { hostports }],
    ["/edges/tls", { traffic_policy: { value: half } }, { hostports }],
  ])("%s", async (path, body, change) => {
    const before = await create(path, body);
    const answer = await patch(`${path}/${before["id"]}`, change);
    expect([answer.status, answer.body.error_code]).toEqual([413, "ERR_TOO_LARGE"]);
    expect((await get(`${path}/${before["id"]}`)).body).toEqual(before);
  });
});

test("a body of exactly 1 MiB is accepted", async () => {
  const empty = '{"body":""}';
  const raw = `{"body":"${"x".repeat(BODY_BYTES - empty.length)}"}`;
  expect(raw.length).toBe(BODY_BYTES);
  expect((await post("/backends/http_response", undefined, { raw })).status).toBe(201);
});

test("a list or map can contain at most 10,000 items", async () => {
  const hostports = Array.from({ length: 10_000 }, () => "a:1");
  expect((await post("/edges/tcp", { hostports })).status).toBe(201);
  for (const [body, path] of [
    [{ hostports: Array.from({ length: 10_001 }, () => "a:1") }, "/hostports"],
    [{ hostports: Array.from({ length: 400_000 }, () => 1) }, "/hostports"],
    [
      { ip_restriction: { ip_policy_ids: Array.from({ length: 340_000 }, () => "") } },
      "/ip_restriction/ip_policy_ids",
    ],
    [Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`n${i}`, 1])), ""],
  ] as const) {
    const answer = await post("/edges/tcp", body);
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      [{ path, msg: "Contains more than 10000 items." }],
    ]);
  }
});

test("a longer list that was stored earlier is still shown, and kept by a PATCH of other fields", async () => {
  const { id, uri } = await create("/edges/tcp");
  const stored = { enabled: true, ip_policy_ids: Array.from({ length: 2_000 }, () => "ipp_1") };
  await env.DB.prepare("update tcp_edges set ip_restriction = ? where id = ?")
    .bind(JSON.stringify(stored), id)
    .run();
  expect((await get(uri)).body.ip_restriction.ip_policies).toHaveLength(2_000);
  expect((await patch(uri, { description: "x" })).body.ip_restriction.ip_policies).toHaveLength(2_000);
});

test.each(["/health", "/edges/tcp"])(
  "a query of %s with over 100 parameters is rejected as a whole",
  async (path) => {
    const query = (length: number, nameOf: (i: number) => string) =>
      Array.from({ length }, (_, i) => nameOf(i)).join("&");
    const ask = async (asked: string) => {
      const { status, body } = await get(`${path}?${asked}`);
      return [status, body.msg, body.errors?.length];
    };
    const rejected = [400, "The query has more than 100 parameters.", undefined];
    expect(await ask(query(101, () => "a"))).toEqual(rejected);
    expect(await ask(query(30_000, () => "a"))).toEqual(rejected);
    expect(await ask(query(30_000, (i) => `n${i}`))).toEqual(rejected);
    expect(await ask(query(100, () => "a"))).toEqual([400, expect.stringContaining("Unknown"), 1]);
  },
);

test("an incomplete body is rejected with 400", async () => {
  const raw = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"description":'));
      controller.error(new Error("gone"));
    },
  });
  const { status, body } = await post("/ip_policies", undefined, { raw });
  expect([status, body.msg]).toEqual([400, "The body is incomplete."]);
});

test("the error for malformed JSON states the position and quotes nothing", async () => {
  for (const [raw, where] of [
    ['{"a": secret}', ""],
    ["at position 42 x", ""],
    ['{"a": "secret', ": syntax error at line 1, column 14"],
    ['{"a": "secret" "b": 1}', ": syntax error at line 1, column 16"],
    ['{"a": "secret",', ": syntax error at line 1, column 16"],
    ['{"a":', ": it ends unexpectedly"],
  ] as const) {
    const { body, text } = await post("/ip_policies", undefined, { raw });
    expect(body.msg).toBe(`The body is not valid JSON${where}.`);
    expect(text).not.toContain("secret");
  }
});

test("URIs start with the request's own origin, or with BASE_URL", async () => {
  const edge = await given.tcpEdge({ ip_restriction: { ip_policy_ids: [(await given.ipPolicy()).id] } });
  const own = await get(`https://another.example:8443/edges/tcp?limit=1`);
  expect(own.body.uri).toBe("https://another.example:8443/edges/tcp");
  expect(own.body.tcp_edges[0].uri).toBe(`https://another.example:8443/edges/tcp/${edge.id}`);
  const [policy] = own.body.tcp_edges[0].ip_restriction.ip_policies;
  expect(policy.uri).toBe(`https://another.example:8443/ip_policies/${policy.id}`);
  for (const [BASE_URL, uri] of [
    ["https://api.example.com", "https://api.example.com/edges/tcp"],
    ["https://api.example.com/", "https://api.example.com/edges/tcp"],
    ["", `${ORIGIN}/edges/tcp`],
  ])
    expect((await get("/edges/tcp?limit=1", { env: { BASE_URL } })).body.uri).toBe(uri);
});

test("a preflight needs no key and allows any origin without credentials", async () => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    const { status, headers } = await call("OPTIONS", "/edges/tcp", undefined, {
      headers: {
        Authorization: undefined,
        "Service-Version": undefined,
        Origin: "https://console.example",
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers":
          "authorization,content-type,service-version,idempotency-key,if-match,service-bookmark",
      },
    });
    expect(status).toBe(204);
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(headers.get("Access-Control-Allow-Methods")?.split(",")).toContain(method);
    for (const name of [
      "Authorization",
      "Content-Type",
      "Idempotency-Key",
      "If-Match",
      "If-None-Match",
      "Service-Bookmark",
      "Service-Version",
    ])
      expect(headers.get("Access-Control-Allow-Headers")?.split(",")).toContain(name);
    expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
  }
});

test("OPTIONS without the headers of a preflight is an ordinary method", async () => {
  expect(outcome(await call("OPTIONS", "/edges/tcp"))).toBe("405 ERR_METHOD_NOT_ALLOWED");
  expect(outcome(await call("OPTIONS", "/nothing"))).toBe("404 ERR_NO_SUCH_PATH");
});

test("pages of any origin can read responses and their headers, including errors", async () => {
  for (const path of ["/edges/tcp", "/nothing", "/edges/tcp/x"]) {
    const { headers } = await get(path, { headers: { Origin: "https://console.example" } });
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    for (const name of [
      "ETag",
      "Idempotent-Replayed",
      "Service-Bookmark",
      "Service-Operation-Id",
      "Retry-After",
    ])
      expect(headers.get("Access-Control-Expose-Headers")?.split(",")).toContain(name);
  }
});

test("CORS headers are sent only if the request has an Origin; the cacheable document has Vary: Origin", async () => {
  for (const path of ["/edges/tcp", "/openapi.json"]) {
    const { headers } = await get(path);
    expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(headers.get("Vary")).toBe(path === "/openapi.json" ? "Origin" : null);
  }
});

test("Strict-Transport-Security is sent over HTTPS only (RFC 6797 §7.2)", async () => {
  const hsts = async (origin: string) =>
    (await get(`${origin}/edges/tcp`)).headers.get("Strict-Transport-Security");
  expect(await hsts("https://another.example")).toBe("max-age=31536000");
  expect(await hsts("http://localhost:8787")).toBeNull();
});

test("the operator can configure Strict-Transport-Security", async () => {
  const wide = "max-age=63072000; includeSubDomains; preload";
  for (const [HSTS, expected] of [
    [wide, wide],
    ["", "max-age=31536000"],
  ])
    expect((await get("/edges/tcp", { env: { HSTS } })).headers.get("Strict-Transport-Security")).toBe(
      expected,
    );
});

describe("plain HTTP", () => {
  test.each([
    "api.example.com",
    "api.example.com:8787",
    "localhost.example.com",
    "127.0.0.1.example.com",
    "notlocalhost",
    "192.168.1.2",
    "128.0.0.1",
    "[::2]",
    "[::ffff:127.0.0.1]",
  ])("is rejected at %s before any other check", async (host) => {
    for (const [method, path] of [
      ["GET", "/edges/tcp"],
      ["POST", "/edges/tcp"],
      ["GET", "/health"],
      ["GET", "/openapi.json"],
      ["GET", "/"],
      ["GET", "/nothing"],
      ["PUT", "/edges/tcp"],
    ] as const) {
      const { status, body, cost } = await call(method, `http://${host}${path}`, undefined, {
        env: { BASE_URL: "https://api.example.com" },
      });
      expect([status, body.error_code, cost.roundTrips]).toEqual([403, "ERR_HTTPS_REQUIRED", 0]);
      expect(body.msg).toContain("revoke");
    }
  });

  test.each([
    "localhost",
    "LOCALHOST:8787",
    "api.localhost",
    "127.0.0.1:8787",
    "127.1.2.3",
    "127.1",
    "[::1]:8787",
  ])("is accepted at the loopback host %s", async (host) => {
    expect((await get(`http://${host}/edges/tcp?limit=1`)).status).toBe(200);
  });
});

describe("the public secrets in .dev.vars.example", () => {
  const { ROOT_API_KEY = "", SEALING_KEYS = "" } = Object.fromEntries(
    Array.from(examples.matchAll(/^(\w+)="(.*)"$/gm), ([, name, value]) => [name, value]),
  );

  test("are those that the service rejects", () => {
    expect({ ROOT_API_KEY, SEALING_KEYS }).toEqual(EXAMPLES);
  });

  test("are accepted on loopback hosts", async () => {
    const body = { target: { monitoring_vendor: { api_key: given.SECRET } } };
    const options = { token: ROOT_API_KEY, env: { ROOT_API_KEY, SEALING_KEYS } };
    for (const origin of ["http://localhost:8787", "https://127.0.0.1"])
      expect((await post(`${origin}/event_destinations`, body, options)).status).toBe(201);
  });

  test("give no access on other hosts: 503, as if no root key were set, and the log says what to set", async () => {
    const lines = vi.spyOn(console, "error").mockImplementation(() => {});
    for (const token of [ROOT_API_KEY, "another"]) {
      const { status, body, cost } = await get("/ip_policies", { token, env: { ROOT_API_KEY } });
      expect([status, body.error_code, cost.roundTrips]).toEqual([503, "ERR_UNAVAILABLE", 0]);
    }
    expect(lines.mock.calls.flat().join()).toMatch(
      /ROOT_API_KEY is the public example .* `wrangler secret put/,
    );
    lines.mockRestore();
  });

  test("seal nothing on other hosts, regardless of the key's id and of any other keys", async () => {
    const lines = vi.spyOn(console, "error").mockImplementation(() => {});
    const body = { target: { monitoring_vendor: { api_key: given.SECRET } } };
    const renamed = SEALING_KEYS.replace("local:", "k1:");
    for (const ring of [SEALING_KEYS, renamed, `k2:${btoa("2".repeat(32))},${renamed}`]) {
      const { status, body: rejected } = await post("/event_destinations", body, {
        env: { SEALING_KEYS: ring },
      });
      expect([status, rejected.error_code]).toEqual([503, "ERR_UNAVAILABLE"]);
    }
    expect(lines).toHaveBeenCalledTimes(3);
    expect(lines.mock.calls.flat().join()).toMatch(
      /SEALING_KEYS is the public example .* `wrangler secret put/,
    );
    lines.mockRestore();
    expect((await post("/ip_policies", {}, { env: { SEALING_KEYS } })).status).toBe(201);
  });
});

/** A database that fails every call with `message`. */
const failing = (message: string): D1Database =>
  intercepted(env.DB, () => Promise.reject(new Error(message)));

describe("the log", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const listen = (level: "info" | "error") => {
    const lines: Json[] = [];
    vi.spyOn(console, level).mockImplementation((line: string) => {
      lines.push(JSON.parse(line));
    });
    return lines;
  };

  test("has one line for each request, with its operation id", async () => {
    await get("/edges/tcp/edgtcp_1");
    const lines = listen("info");
    const { headers } = await get("/edges/tcp/edgtcp_1");
    expect(lines).toEqual([
      {
        level: "info",
        msg: "request",
        operation_id: headers.get("Service-Operation-Id"),
        key_id: "root",
        method: "GET",
        route: "/edges/tcp/:id",
        status: 404,
        duration_ms: expect.any(Number),
        d1_round_trips: 1,
        d1_rows_read: 0,
        d1_rows_written: 0,
      },
    ]);
  });

  test("has the cause of an internal error, which the response does not", async () => {
    const lines = listen("error");
    const { status, body, text, headers } = await get("/edges/tcp", {
      env: { DB: failing("D1_ERROR: details of the database: SQLITE_ERROR") },
    });
    expect([status, body.error_code]).toEqual([500, "ERR_INTERNAL"]);
    expect(text).not.toContain("details of");
    expect(lines).toMatchObject([
      {
        operation_id: headers.get("Service-Operation-Id"),
        cause: "Error: D1_ERROR: details of the database: SQLITE_ERROR",
      },
    ]);
  });

  test("has an alert if no root key is set", async () => {
    const lines = listen("error");
    await get("/edges/tcp", { env: { ROOT_API_KEY: undefined } });
    expect(lines).toMatchObject([{ level: "alert", msg: expect.stringContaining("ROOT_API_KEY") }]);
  });

  test("has a line for a request over plain HTTP", async () => {
    const lines = listen("info");
    await get("http://api.example.com/edges/tcp");
    expect(lines).toMatchObject([{ msg: "request", route: "/edges/tcp", status: 403, d1_round_trips: 0 }]);
    expect(lines[0]).not.toHaveProperty("key_id");
  });

  test("contains no secret and no token, even if the statement that carries them fails", async () => {
    const lines = [listen("info"), listen("error")];
    const token = "a-token-that-nobody-has";
    const broken = intercepted(env.DB, () => env.DB.batch([env.DB.prepare("delete from no_such_table")]));
    const body = { target: { monitoring_vendor: { api_key: given.SECRET } } };
    await post("/event_destinations", body, { token });
    await post("/event_destinations", { ...body, nonsense: given.SECRET });
    const { status } = await post("/event_destinations", body, { env: { DB: broken } });
    expect(status).toBe(500);
    expect(lines[1]).toHaveLength(1);
    const text = JSON.stringify(lines);
    expect(text).toContain("no_such_table");
    for (const hidden of [given.SECRET, token, env.ROOT_API_KEY ?? ""]) expect(text).not.toContain(hidden);
  });

  test("contains no stored value, even if a row cannot be read", async () => {
    const lines = listen("error");
    await env.DB.prepare(
      "insert into event_destinations values ('ed_torn', '', null, null, 'json', 'SECRET', 1)",
    ).run();
    const { status, text } = await get("/event_destinations/ed_torn", { env: {} });
    expect(status).toBe(500);
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines) + text).not.toContain("SECRET");
    await env.DB.prepare("delete from event_destinations where id = 'ed_torn'").run();
  });
});

test("the Worker's entry point serves the app", async () => {
  const request = new Request(`${ORIGIN}/health`);
  const response = await worker.fetch(request, env, createExecutionContext());
  expect(await response.json()).toMatchObject({ status: "ok" });
});
