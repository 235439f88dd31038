import { beforeAll, describe, expect, test } from "vitest";
import { del, get, post, put, outcome } from "../support/api.ts";
import * as given from "../support/given.ts";
import type { Json } from "../support/json.ts";

const simulate = async (given: Json): Promise<Json> => {
  const { status, body, text } = await post("/simulations", given);
  expect(status, text).toBe(200);
  return body;
};

const request = (url: string, more: Json = {}): Json => ({ url, source_ip: "203.0.113.7", ...more });
const policy = (value: unknown): Json => ({ enabled: true, value: JSON.stringify(value) });

let edge: Json;
let route: Json;
let backend: Json;

beforeAll(async () => {
  edge = await given.httpsEdge({ hostports: ["shop.example.com:443"] });
  backend = await given.staticBackend();
  route = await given.route({
    edge_id: edge["id"],
    match: "/",
    backend: { backend_id: backend["id"] },
    request_headers: { add: { "x-edge": "1" }, remove: ["x-secret"] },
    traffic_policy: policy({
      on_http_request: [
        { name: "admins", expressions: ["req.url.path.startsWith('/admin')"], actions: [{ type: "deny" }] },
        {
          expressions: ["'x-tier' in req.headers"],
          actions: [
            { type: "add-headers", config: { headers: { "x-seen": "tier ${req.headers['x-tier'][0]}" } } },
          ],
        },
        {
          name: "login",
          expressions: ["req.url.path == '/login'"],
          actions: [
            {
              type: "rate-limit",
              config: { name: "login", capacity: 5, rate: "60s", bucket_key: ["conn.client_ip"] },
            },
          ],
        },
      ],
      on_http_response: [
        {
          expressions: ["res.status_code >= 500"],
          actions: [
            { type: "custom-response", config: { status_code: 503, body: '{"sorry":"${req.method}"}' } },
          ],
        },
      ],
    }),
  });
});

describe("a simulated request", () => {
  test("shows each step and how it ends", async () => {
    expect(await simulate({ request: request("https://shop.example.com/admin?x=1") })).toEqual({
      hostport: "shop.example.com:443",
      edge: { id: edge["id"], uri: edge["uri"] },
      route: { id: route["id"], uri: route["uri"] },
      steps: [
        {
          module: "traffic_policy",
          phase: "on_http_request",
          rule: 0,
          name: "admins",
          holds: true,
          expressions: [{ text: "req.url.path.startsWith('/admin')", value: true }],
          actions: [{ type: "deny", ran: true, effect: { status_code: 403 } }],
        },
      ],
      outcome: {
        kind: "response",
        by: "traffic_policy",
        status_code: 403,
        headers: [["content-type", "text/plain"]],
        body: "Access is denied.\n",
      },
      assumptions: [],
    });
  });

  test("that reaches the upstream shows what it gets", async () => {
    const { outcome } = await simulate({
      request: request("https://shop.example.com/a?b=c", {
        headers: [
          ["X-Tier", "gold"],
          ["X-Secret", "1"],
        ],
      }),
    });
    expect(outcome).toEqual({
      kind: "upstream",
      backend: { id: backend["id"], uri: backend["uri"] },
      addresses: ["shop.internal:8080"],
      request: {
        method: "GET",
        url: "/a?b=c",
        headers: [
          ["host", "shop.example.com"],
          ["x-tier", "gold"],
          ["x-forwarded-for", "203.0.113.7"],
          ["x-forwarded-proto", "https"],
          ["x-seen", "tier gold"],
          ["x-edge", "1"],
        ],
      },
      response: { status_code: 200, headers: [] },
    });
  });

  test("loses the headers of its connection, and other spellings of headers that the edge sets or removes", async () => {
    const names = ["Keep-Alive", "Proxy-Connection", "HTTP2-Settings", "Connection", "x_forwarded_for"];
    const others = ["x-forwarded_host", "x_edge", "X_Secret", "x-kept_a", "x-forwarded-host"];
    const { outcome } = await simulate({
      request: request("https://shop.example.com/", {
        headers: [...names, ...others].map((name) => [name, "client"]),
      }),
    });
    expect(outcome["request"]["headers"]).toEqual([
      ["host", "shop.example.com"],
      ["x-kept_a", "client"],
      ["x-forwarded-host", "client"],
      ["x-forwarded-for", "203.0.113.7"],
      ["x-forwarded-proto", "https"],
      ["x-edge", "1"],
    ]);
    const websocket = await simulate({
      request: request("https://shop.example.com/", {
        headers: [
          ["connection", "upgrade, x-edge"],
          ["upgrade", "WebSocket"],
        ],
      }),
    });
    expect(websocket["outcome"]["request"]["headers"]).toEqual([
      ["host", "shop.example.com"],
      ["upgrade", "WebSocket"],
      ["connection", "upgrade"],
      ["x-forwarded-for", "203.0.113.7"],
      ["x-forwarded-proto", "https"],
      ["x-edge", "1"],
    ]);
  });

  test.each(["\u0001", "\u001f", "\u007f"])(
    "with the control character %j in a value gets a 400",
    async (character) => {
      for (const name of ["x-a", "connection"]) {
        const headers = [[name, `good${character}evil`]];
        const { outcome } = await simulate({ request: request("https://shop.example.com/", { headers }) });
        expect(outcome).toMatchObject({ kind: "response", by: "request", status_code: 400 });
      }
    },
  );

  test.each(["\t", "\u0080", "\u00ff", "é"])("can have %j in a value", async (character) => {
    const headers = [["x-a", `a${character}b`]];
    const { outcome } = await simulate({ request: request("https://shop.example.com/", { headers }) });
    expect(outcome).toMatchObject({ kind: "upstream" });
  });

  test("whose policy removes a header loses it in every spelling", async () => {
    const { outcome } = await simulate({
      request: request("https://shop.example.com/", {
        headers: ["x-old-key", "X_Old-Key", "x-old"].map((name) => [name, "1"]),
      }),
      with: {
        [route["id"]]: policy({
          on_http_request: [{ actions: [{ type: "remove-headers", config: { headers: ["X-Old-Key"] } }] }],
        }),
      },
    });
    expect(outcome["request"]["headers"].map(([name]: string[]) => name)).toEqual([
      "host",
      "x-old",
      "x-forwarded-for",
      "x-forwarded-proto",
      "x-edge",
    ]);
  });

  test("is limited by what was let through before", async () => {
    const login = request("https://shop.example.com/login");
    const limited = await simulate({ request: login, counts: { login: 5 } });
    expect(limited["outcome"]).toMatchObject({
      status_code: 429,
      headers: [
        ["content-type", "text/plain"],
        ["retry-after", "60"],
      ],
      body: "Too many requests.\n",
    });
    expect(limited["assumptions"]).toEqual(["Rate limit login: 5 requests were let through before."]);
    expect((await simulate({ request: login, counts: { login: 4 } }))["outcome"]).toMatchObject({
      kind: "upstream",
    });
  });

  test("whose response is replaced", async () => {
    const result = await simulate({
      request: request("https://shop.example.com/", { method: "POST" }),
      response: { status_code: 500 },
    });
    expect(result["outcome"]).toEqual({
      kind: "response",
      by: "traffic_policy",
      status_code: 503,
      headers: [["content-type", "application/json"]],
      body: '{"sorry":"POST"}',
    });
  });

  test("an expression that ends in an error refuses the request", async () => {
    const result = await simulate({
      request: request("https://shop.example.com/"),
      with: {
        [route["id"]]: policy({
          on_http_request: [
            { expressions: ["req.headers['x-none'][0] == 'a'"], actions: [{ type: "deny" }] },
          ],
        }),
      },
    });
    expect(result["steps"][0]).toMatchObject({ holds: { error: { offset: 0 } } });
    expect(result["outcome"]).toMatchObject({ status_code: 500, by: "traffic_policy" });
  });

  test.each([
    ["/%zz", [], 400, "request"],
    ["/x/../admin", [], 400, "request"],
    ["/ü", [], 400, "request"],
    ["/", [["host", "other.example.com"]], 421, "host"],
    ["/", [["host", "shop.example.com:abc"]], 421, "host"],
    ["/", [["host", "shop.example.com:@other.example.com"]], 421, "host"],
    ["/", [["host", ""]], 421, "host"],
    [
      "/",
      [
        ["host", "shop.example.com"],
        ["host", "shop.example.com:443"],
      ],
      400,
      "request",
    ],
  ])("to %s with the headers %j is rejected before any route", async (path, headers, status_code, by) => {
    const result = await simulate({ request: request(`https://shop.example.com${path}`, { headers }) });
    expect(result).toMatchObject({ route: null, steps: [], outcome: { kind: "response", by, status_code } });
  });

  test.each(["shop.example.com", "Shop.Example.com.", "shop.example.com:", "shop.example.com:8443"])(
    "with the Host %s belongs to the edge",
    async (host) => {
      const headers = [
        ["host", host],
        ["host", host],
      ];
      const { outcome } = await simulate({ request: request("https://shop.example.com//x", { headers }) });
      expect(outcome).toMatchObject({ kind: "upstream", request: { url: "//x" } });
    },
  );

  test("tries a policy that is not stored", async () => {
    const given = { request: request("https://shop.example.com/admin") };
    const allowing = { [route["id"]]: { value: JSON.stringify({ on_http_request: [] }) } };
    expect((await simulate({ ...given, with: allowing }))["outcome"]).toMatchObject({ kind: "upstream" });
    const broken = { [route["id"]]: { value: "{" } };
    const { outcome } = await simulate({ ...given, with: broken });
    expect(outcome).toMatchObject({ kind: "not_served", problems: [{ code: "traffic_policy_invalid" }] });
    expect((await simulate(given))["outcome"]).toMatchObject({ status_code: 403 });
  });

  test("shows the problems of what gets the request, whichever policy it has", async () => {
    const value = JSON.stringify({ on_tcp_connect: [{ actions: [{ type: "denny" }] }] });
    const tcp = await given.tcpEdge({
      hostports: ["unserved.example.com:1"],
      backend: { backend_id: backend["id"] },
      traffic_policy: { value },
    });
    const { outcome } = await simulate({
      request: { url: "tcp://unserved.example.com:1", source_ip: "203.0.113.7" },
    });
    expect(outcome).toMatchObject({
      kind: "not_served",
      problems: [{ object: tcp["id"], code: "traffic_policy_invalid" }],
    });
    const { uri } = await given.route({
      edge_id: edge["id"],
      match: "/unserved",
      traffic_policy: { value: "{" },
    });
    const unserved = await simulate({ request: request("https://shop.example.com/unserved") });
    expect(unserved).toMatchObject({
      route: { uri },
      outcome: {
        kind: "not_served",
        problems: [{ code: "backend_not_set" }, { code: "traffic_policy_invalid" }],
      },
    });
    await del(tcp["uri"]);
    await del(uri);
  });

  test("ends at the IP restriction", async () => {
    const office = await given.ipPolicy();
    await given.rule({ ip_policy_id: office["id"], cidr: "198.51.100.0/24", action: "allow" });
    await given.rule({ ip_policy_id: office["id"], cidr: "198.51.100.9/32", action: "deny" });
    const tcp = await given.tcpEdge({
      hostports: ["db.example.com:5432"],
      backend: { backend_id: backend["id"] },
      ip_restriction: { ip_policy_ids: [office["id"]] },
      traffic_policy: policy({
        on_tcp_connect: [
          { expressions: ["conn.client_ip in ['198.51.100.7']"], actions: [{ type: "close-connection" }] },
        ],
      }),
    });
    const from = async (source_ip: string): Promise<Json> =>
      simulate({ request: { url: "tcp://db.example.com:5432", source_ip } });
    expect(await from("203.0.113.7")).toMatchObject({
      edge: { id: tcp["id"] },
      steps: [{ module: "ip_restriction", verdict: "reject", reason: "no_matching_rule" }],
      outcome: { kind: "closed", by: "ip_restriction" },
    });
    expect(await from("198.51.100.9")).toMatchObject({ steps: [{ reason: "deny_rule" }] });
    expect((await from("198.51.100.7"))["outcome"]).toEqual({ kind: "closed", by: "traffic_policy" });
    expect((await from("198.51.100.8"))["outcome"]).toMatchObject({ kind: "upstream", request: null });
  });

  test("that no edge gets is 404", async () => {
    const answer = await post("/simulations", { request: request("https://nobody.example.com/") });
    expect(answer).toMatchObject({ status: 404, body: { error_code: "ERR_NOT_FOUND" } });
  });

  test("that takes too many steps of matching is 422", async () => {
    const expressions = Array.from(
      { length: 20 },
      (_, i) => `req.url.uri.matches('${"(a|b)?".repeat(60)}${i}')`,
    );
    const heavy = policy({ on_http_request: [{ expressions, actions: [{ type: "deny" }] }] });
    const answer = await post("/simulations", {
      request: request(`https://shop.example.com/${"a".repeat(8_000)}`),
      with: { [route["id"]]: { value: heavy["value"] } },
    });
    expect(answer).toMatchObject({ status: 422, body: { error_code: "ERR_SIMULATION_TOO_LONG" } });
  });

  test("that has too large a pattern, or too much to write, is 422", async () => {
    const doubled = (value: string): Json => ({ type: "set-vars", config: { vars: [{ a: value }] } });
    const actions = [
      doubled("x".repeat(500)),
      ...Array.from({ length: 19 }, () => doubled("${vars.a}${vars.a}")),
    ];
    for (const rule of [
      { expressions: ["req.url.uri.matches('.{0,1000}.{0,1000}.{0,1000}x')"], actions: [{ type: "deny" }] },
      { actions },
    ]) {
      const answer = await post("/simulations", {
        request: request("https://shop.example.com/"),
        with: { [route["id"]]: { value: JSON.stringify({ on_http_request: [rule] }) } },
      });
      expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 422 });
    }
  });

  test("tries policies of 64 KiB together", async () => {
    const longest = (bytes: number): string => "#".repeat(bytes - 2) + "{}";
    const given = (...lengths: number[]): Json => ({
      request: request("https://shop.example.com/"),
      with: Object.fromEntries(
        lengths.map((bytes, i) => [i === 0 ? route["id"] : `${route["id"]}x${i}`, { value: longest(bytes) }]),
      ),
    });
    expect((await post("/simulations", given(32_768, 32_768))).status).toBe(200);
    const { status, body } = await post("/simulations", given(32_768, 32_769));
    expect(status).toBe(400);
    expect(body["errors"]).toEqual([
      { path: "/with", msg: "The texts of all policies together are longer than 65536 bytes in UTF-8." },
    ]);
    const inBytes = { ...given(), with: { [route["id"]]: { value: "é".repeat(32_769) } } };
    expect(outcome(await post("/simulations", inBytes))).toBe("400 ERR_INVALID_REQUEST /with");
  });

  test("that is malformed is 400", async () => {
    for (const given of [
      {},
      { request: request("ftp://shop.example.com/") },
      { request: request("tcp://shop.example.com") },
      { request: { url: "https://shop.example.com/", source_ip: "x" } },
      { request: request("https://shop.example.com/", { headers: [["a b", "c"]] }) },
      { request: request("https://shop.example.com/"), with: { ipp_1: { value: "{}" } } },
    ])
      expect((await post("/simulations", given)).status, JSON.stringify(given)).toBe(400);
  });
});

test("a snapshot has the program of a policy that can be enforced, and its text as it was given", async () => {
  const value = ' { "on_http_request" : [ ] }\n';
  const { uri } = await given.route({
    edge_id: edge["id"],
    match: "/other",
    backend: { backend_id: backend["id"] },
  });
  await put(`${uri}/traffic_policy`, { value });
  expect((await get(`${uri}/traffic_policy`)).body).toEqual({ enabled: true, value });
  const { body } = await get("/snapshot");
  const served = body["edges"]
    .flatMap((each: Json) => each["routes"] ?? [])
    .find((each: Json) => each["match"] === "/other");
  expect(served["traffic_policy"]).toEqual({
    value,
    program: { needs: [], rules: { on_tcp_connect: [], on_http_request: [], on_http_response: [] } },
  });
  await put(`${uri}/traffic_policy`, { value: "{" });
  expect((await get("/problems")).body["problems"]).toMatchObject([{ code: "traffic_policy_invalid" }]);
});

test("a route whose policy needs a client certificate is not served without mutual TLS", async () => {
  const { id } = await given.httpsEdge({ hostports: ["devices.example.com:443"] });
  const { id: route_id } = await given.route({
    edge_id: id,
    match: "/",
    backend: { backend_id: backend["id"] },
    ip_restriction: { ip_policy_ids: [] },
    user_agent_filter: { deny: [".*"] },
    traffic_policy: policy({
      on_http_request: [
        { expressions: ["conn.tls.client.subject.common_name == 'a'"], actions: [{ type: "deny" }] },
      ],
    }),
  });
  const { outcome, steps } = await simulate({ request: request("https://devices.example.com/") });
  expect(steps).toEqual([]);
  expect(outcome).toMatchObject({
    kind: "not_served",
    problems: [{ object: route_id, code: "traffic_policy_not_enforced", effect: "answers_503" }],
  });
});

test("CONNECT gets a 400, even if its target has a path", async () => {
  const { outcome } = await simulate({
    request: request("https://shop.example.com/", { method: "CONNECT" }),
  });
  expect(outcome).toMatchObject({ kind: "response", by: "request", status_code: 400 });
});
