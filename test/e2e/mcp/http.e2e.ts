import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "../../support/json.ts";
import { api, FRIEND, keys, log, origin, type Role } from "./service.ts";

/*
 * What is not a well-behaved client: pages of other origins, missing keys, wrong messages, and arguments that lead elsewhere.
 */

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Sends a body to /mcp. Headers that are undefined are left out. */
async function post(
  body: string,
  headers: Record<string, string | undefined> = {},
  role: Role = "viewer",
): Promise<{ status: number; headers: Headers; text: string; json: Json }> {
  const all = {
    Authorization: `Bearer ${keys[role]}`,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    ...headers,
  };
  const given = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  );
  const response = await fetch(`${origin}/mcp`, { method: "POST", headers: given, body });
  const text = await response.text();
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json") ?? false;
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} };
}

const message = (method: string, parameters: object = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: parameters });
const LIST = message("tools/list");

/** Calls a tool without an official client. */
async function called(name: string, input: object, role: Role = "viewer"): Promise<Json> {
  const { json, text } = await post(message("tools/call", { name, arguments: input }), {}, role);
  return json["result"]?.structuredContent ?? assert.fail(text);
}

describe("the request", () => {
  test("a page of another origin is rejected, before anything else", async () => {
    const foreign = [
      "https://evil.example",
      "null",
      "http://localhost.evil.example",
      `${FRIEND}.evil.example`,
      `${FRIEND}:8443`,
      "https://other.example.com, https://agents.example.com",
      origin.replace(/\d+$/, "1"),
      `${origin}/`,
    ];
    for (const each of foreign)
      for (const Authorization of [undefined, `Bearer ${keys.admin}`]) {
        const { status, json } = await post(LIST, { Origin: each, Authorization });
        assert.deepEqual([status, json["error_code"]], [403, "ERR_CROSS_SITE"], each);
      }
    for (const each of [origin, FRIEND, undefined]) {
      const { status } = await post(LIST, { Origin: each });
      assert.equal(status, 200, each);
    }
  });

  test("a page of an allowed origin can send the headers of the protocol", async () => {
    const response = await fetch(`${origin}/mcp`, {
      method: "OPTIONS",
      headers: { Origin: FRIEND, "Access-Control-Request-Method": "POST" },
    });
    const allowed = response.headers.get("Access-Control-Allow-Headers")?.split(",") ?? [];
    for (const name of ["Authorization", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"])
      assert.ok(allowed.includes(name), name);
    assert.equal((await post(LIST, { Origin: FRIEND })).headers.get("Access-Control-Allow-Origin"), "*");
  });

  test("without a key it gets 401, which starts no OAuth flow; a cookie is not a key", async () => {
    const session = await fetch(`${origin}/auth/key`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: origin },
      body: JSON.stringify({ token: keys.editor }),
    });
    const Cookie = session.headers.getSetCookie()[0]?.split(";")[0];
    for (const headers of [
      { Authorization: undefined },
      { Authorization: "Bearer wrong" },
      { Authorization: undefined, Cookie, Origin: origin },
    ]) {
      const { status, headers: sent } = await post(LIST, headers);
      assert.deepEqual([status, sent.get("WWW-Authenticate")], [401, "Bearer"]);
    }
    assert.match(Cookie ?? "", /^__Host-edge_session=/);
    for (const path of ["", "/mcp"]) {
      const found = await fetch(`${origin}/.well-known/oauth-protected-resource${path}`);
      assert.equal(found.status, 404);
    }
  });

  test("other methods get 405", async () => {
    for (const method of ["GET", "DELETE", "PUT"]) {
      const response = await fetch(`${origin}/mcp`, {
        method,
        headers: { Authorization: `Bearer ${keys.viewer}`, Accept: "text/event-stream" },
      });
      assert.deepEqual([response.status, response.headers.get("Allow")], [405, "POST"], method);
    }
  });

  test("its response has the headers of every response", async () => {
    const { headers } = await post(LIST);
    assert.match(headers.get("Service-Operation-Id") ?? "", /^op_/);
    assert.equal(headers.get("Cache-Control"), "no-store");
    assert.equal(headers.get("X-Content-Type-Options"), "nosniff");
    assert.equal(headers.get("Mcp-Session-Id"), null);
  });

  test("wrong bodies are rejected by what is wrong with them", async () => {
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    const ping = (parameters: string) => `{"jsonrpc":"2.0","id":1,"method":"ping","params":${parameters}}`;
    const cases: [body: string, status: number, code: string | number, headers?: Record<string, string>][] = [
      ["{", 400, -32_700],
      ["[]", 400, -32_600],
      [`[${LIST}]`, 400, -32_600],
      [`[${Array.from({ length: 1_000 }, () => LIST).join(",")}]`, 400, -32_600],
      [ping(deep(100)), 400, -32_600],
      [deep(100_000), 400, -32_600],
      ["[".repeat(500_000), 400, -32_700],
      ["", 400, "ERR_INVALID_REQUEST"],
      [ping(JSON.stringify("x".repeat(1_048_577))), 413, "ERR_TOO_LARGE"],
      [LIST, 415, "ERR_UNSUPPORTED_MEDIA_TYPE", { "Content-Type": "text/plain" }],
      [LIST, 415, "ERR_UNSUPPORTED_MEDIA_TYPE", { "Content-Type": "multipart/form-data; boundary=x" }],
      ["null", 400, -32_600],
      ["1", 400, -32_600],
      ['"x"', 400, -32_600],
      ["{}", 400, -32_600],
    ];
    for (const [body, status, code, headers] of cases) {
      const found = await post(body, headers);
      const actual = found.json["error_code"] ?? found.json["error"]?.code;
      assert.deepEqual([found.status, actual], [status, code], `${body.slice(0, 60)}: ${found.text}`);
    }
  });

  test("headers that say something else than the message are rejected", async () => {
    const list = message("tools/list", { _meta: ENVELOPE });
    const right = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list" };
    assert.equal((await post(list, right)).status, 200);
    const wrong: Record<string, string | undefined>[] = [
      { ...right, "Mcp-Method": "tools/call" },
      { ...right, "Mcp-Method": undefined },
      { ...right, "MCP-Protocol-Version": "2025-11-25" },
    ];
    for (const headers of wrong) {
      const { status, json } = await post(list, headers);
      assert.deepEqual([status, json["error"]?.code], [400, -32_020], JSON.stringify(headers));
    }
    const call = message("tools/call", { name: "find", arguments: { kind: "ip_policy" }, _meta: ENVELOPE });
    const other = { ...right, "Mcp-Method": "tools/call", "Mcp-Name": "apply_plan" };
    assert.equal((await post(call, other)).json["error"]?.code, -32_020);
    for (const name of ["find", "=?base64?ZmluZA==?="])
      assert.equal((await post(call, { ...other, "Mcp-Name": name })).status, 200, name);
    for (const name of ["=?base64?Z2V0?=", "=?base64?ZmluZA=?=", "=?base64??="])
      assert.equal((await post(call, { ...other, "Mcp-Name": name })).json["error"]?.code, -32_020, name);
  });

  test("a message of an earlier version is answered without a session", async () => {
    const initialize = (protocolVersion: unknown) => ({
      protocolVersion,
      capabilities: {},
      clientInfo: { name: "raw", version: "1" },
    });
    for (const [asked, given] of [
      ["2025-11-25", "2025-11-25"],
      ["2025-06-18", "2025-06-18"],
      ["2024-10-07", "2024-10-07"],
      ["2026-07-28", "2025-11-25"],
      ["1999-01-01", "2025-11-25"],
    ]) {
      const { json } = await post(message("initialize", initialize(asked)));
      assert.equal(json["result"].protocolVersion, given, asked);
    }
    assert.deepEqual((await post(message("ping"))).json, { jsonrpc: "2.0", id: 1, result: {} });
    const silent: object[] = [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", method: "tools/list" },
      { jsonrpc: "2.0", id: 1, result: {} },
      { jsonrpc: "2.0", id: 1, error: { code: 1, message: "x" } },
    ];
    for (const each of silent) {
      const { status, text } = await post(JSON.stringify(each));
      assert.deepEqual([status, text], [202, ""], JSON.stringify(each));
    }
    const wrong: [method: string, parameters: object, code: number, path: string][] = [
      ["initialize", initialize(5), -32_602, "/params/protocolVersion: "],
      ["initialize", {}, -32_602, "/params/protocolVersion: "],
      ["tools/list", { cursor: 5 }, -32_602, "/params/cursor: "],
      ["tools/call", {}, -32_602, "/params/name: "],
      ["tools/call", { name: "find", arguments: [] }, -32_602, "/params/arguments: "],
      ["server/discover", {}, -32_601, "Method not found"],
    ];
    for (const [method, parameters, code, path] of wrong) {
      const { status, json } = await post(message(method, parameters));
      assert.deepEqual([status, json["error"]?.code], [200, code], method);
      assert.ok(json["error"].message.startsWith(path), json["error"].message);
    }
    const { status, json } = await post(LIST, { "MCP-Protocol-Version": "1999-01-01" });
    assert.deepEqual([status, json["error"]?.code], [400, -32_000]);
  });

  test("an id is a string or a whole number, and comes back", async () => {
    const ping = (id: unknown) => JSON.stringify({ jsonrpc: "2.0", id, method: "ping" });
    for (const id of ["a", "", 0, -1, "x".repeat(1_000)])
      assert.deepEqual((await post(ping(id))).json, { jsonrpc: "2.0", id, result: {} });
    for (const id of [null, 1.5, true, {}, []]) {
      const { status, json } = await post(ping(id));
      assert.deepEqual([status, json["id"], json["error"]?.code], [400, null, -32_600], JSON.stringify(id));
    }
    for (const other of [
      { jsonrpc: "1.0" },
      { method: 5 },
      { x: 1 },
      { params: [] },
      { params: { _meta: 5 } },
    ]) {
      const { json } = await post(JSON.stringify({ jsonrpc: "2.0", id: 7, method: "ping", ...other }));
      assert.deepEqual([json["id"], json["error"]?.code], [7, -32_600], JSON.stringify(other));
    }
  });

  test("the envelope of a request has a version and what the client can do", async () => {
    const sent = (envelope: object, version = "2026-07-28") =>
      post(message("tools/list", { _meta: { ...ENVELOPE, ...envelope } }), {
        "MCP-Protocol-Version": version,
        "Mcp-Method": "tools/list",
      });
    const key = "io.modelcontextprotocol/";
    const wrong: [envelope: object, code: number, version?: string][] = [
      [{ [`${key}protocolVersion`]: undefined }, -32_602],
      [{ [`${key}protocolVersion`]: 5 }, -32_602],
      [{ [`${key}clientCapabilities`]: undefined }, -32_602],
      [{ [`${key}clientCapabilities`]: { elicitation: 5 } }, -32_602],
      [{ [`${key}clientInfo`]: { name: "x" } }, -32_602],
      [{ [`${key}protocolVersion`]: "2027-01-01" }, -32_022, "2027-01-01"],
    ];
    for (const [envelope, code, version] of wrong) {
      const { status, json } = await sent(envelope, version);
      assert.deepEqual([status, json["error"]?.code], [400, code], JSON.stringify(envelope));
    }
    const { json } = await sent({ [`${key}protocolVersion`]: "2027-01-01" }, "2027-01-01");
    assert.deepEqual(json["error"].data, { supported: ["2026-07-28"], requested: "2027-01-01" });
    // A client of a later version may send other headers.
    const later = { _meta: { ...ENVELOPE, [`${key}protocolVersion`]: "2027-01-01" } };
    const alone = await post(message("tools/list", later), { "MCP-Protocol-Version": "2027-01-01" });
    assert.equal(alone.json["error"]?.code, -32_022);
    assert.equal((await sent({ [`${key}clientInfo`]: undefined })).status, 200);
  });

  test("subscriptions end at once, and other features are not offered", async () => {
    const right = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen" };
    const listen = message("subscriptions/listen", {
      notifications: { toolsListChanged: true },
      _meta: ENVELOPE,
    });
    const { status, text } = await post(listen, right);
    assert.equal(status, 200);
    assert.match(text, /"result"/);
    for (const method of [
      "resources/list",
      "prompts/list",
      "logging/setLevel",
      "sampling/createMessage",
      "x",
    ])
      assert.equal((await post(message(method, { level: "info" }))).json["error"]?.code, -32_601, method);
  });

  test("the list of tools can be kept for five minutes, by this client only", async () => {
    const right = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list" };
    const { json } = await post(message("tools/list", { _meta: ENVELOPE }), right);
    assert.deepEqual([json["result"].ttlMs, json["result"].cacheScope], [300_000, "private"]);
  });

  test("many lists at the same time", async () => {
    const found = await Promise.all(Array.from({ length: 200 }, () => post(LIST)));
    assert.ok(found.every(({ status, json }) => status === 200 && json["result"].tools.length === 7));
  });
});

describe("the question before a plan is applied", () => {
  /** Applies a plan as a client that can ask. @param elicitation how it can @param answer what its user said */
  async function applied(elicitation: object, answer?: unknown) {
    const policy = await api("POST", "/ip_policies", {});
    const path = `/ip_policies/${policy["id"]}`;
    const plan = await called("plan_change", { operations: [{ method: "DELETE", path }] }, "planner");
    const call = {
      name: "apply_plan",
      arguments: { plan_id: plan["id"], etag: plan["etag"] },
      ...(answer !== undefined && { inputResponses: { confirm: answer } }),
      _meta: { ...ENVELOPE, "io.modelcontextprotocol/clientCapabilities": { elicitation } },
    };
    const headers = {
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "tools/call",
      "Mcp-Name": "apply_plan",
    };
    const { status, json } = await post(message("tools/call", call), headers, "editor");
    const { state } = await api("GET", `/plans/${plan["id"]}`);
    return { status, json, state };
  }

  test("is put once: every answer but an agreement declines", async () => {
    const asked = await applied({ form: {} });
    assert.deepEqual([asked.json["result"].resultType, asked.state], ["input_required", "open"]);
    const answers = [
      { action: "decline" },
      { action: "decline", content: null },
      { action: "cancel", content: null },
      { action: "accept" },
      { action: "accept", content: null },
      { action: "accept", content: [] },
      { action: "accept", content: { apply: "true" } },
      { action: "accept", content: { apply: false } },
      { action: "decline", content: { apply: true } },
      "accept",
      null,
    ];
    for (const answer of answers) {
      const { json, state } = await applied({}, answer);
      const { isError, structuredContent } = json["result"];
      assert.deepEqual([isError, structuredContent.error_code], [true, "DECLINED"], JSON.stringify(answer));
      assert.equal(state, "open");
    }
    const agreed = await applied({ form: {}, url: {} }, { action: "accept", content: { apply: true } });
    assert.equal(agreed.state, "applied", JSON.stringify(agreed.json));
  });

  test("is not left out for a client that can only open pages", async () => {
    const { status, json, state } = await applied({ url: {} });
    assert.deepEqual([status, json["error"]?.code, state], [400, -32_021, "open"]);
  });
});

describe("the arguments", () => {
  const paths = [
    "../api_keys",
    "ipp_1/../../api_keys",
    "%2e%2e/api_keys",
    "ipp_1%2f..%2f..%2fapi_keys",
    "ipp_1?limit=1",
    "ipp_1#x",
    "ipp_1/rules",
    "ipp_1\\..\\api_keys",
    "//evil.example",
    "https://evil.example/ipp_1",
    "ipp_1\r\nX: y",
    "ipp_\u0000",
    "ipp_é",
    " ipp_1",
    "",
    "__proto__",
    "constructor",
    "ak_1",
    "usr_1",
    "ses_1",
    "ev_1",
  ];

  test("no id leads to another path", async () => {
    const calls: [tool: string, input: (id: string) => object][] = [
      ["get", (id) => ({ id })],
      ["get", (id) => ({ id: "edghtsrt_1", edge_id: id })],
      ["find", (id) => ({ kind: "https_edge_route", edge_id: id })],
      ["explain_access", (id) => ({ id, ip: "198.51.100.7" })],
      ["apply_plan", (id) => ({ plan_id: id, etag: "x" })],
    ];
    for (const [tool, input] of calls)
      for (const id of paths) {
        const { error_code } = await called(tool, input(id), "admin");
        assert.equal(error_code, "ERR_INVALID_REQUEST", `${tool} ${id}`);
      }
    // In a query, these are values that the API rejects or does not find.
    for (const id of paths)
      for (const [tool, input] of [
        ["find", { kind: "ip_policy", before_id: id }],
        ["find", { kind: "tcp_edge", hostport: id }],
        ["recent_changes", { object_id: id }],
        ["list_problems", { after: id }],
      ] as const) {
        const { error_code, events } = await called(tool, input);
        assert.ok(error_code === "ERR_INVALID_REQUEST" || events.length === 0, `${tool} ${id}`);
      }
    for (const path of [...paths, "/api_keys/../whoami", "/mcp", "/plans", "/users"]) {
      const operations = [{ method: "POST", path, body: {} }];
      const { error_code } = await called("plan_change", { operations }, "admin");
      assert.equal(error_code, "ERR_INVALID_REQUEST", path);
    }
  });

  test("an etag is one ETag, not a list, a wildcard or another header", async () => {
    const policy = await api("POST", "/ip_policies", {});
    const plan = await called(
      "plan_change",
      { operations: [{ method: "DELETE", path: `/ip_policies/${policy["id"]}` }] },
      "planner",
    );
    for (const etag of [
      "*",
      `${plan["etag"]}, *`,
      `"x", ${plan["etag"]}`,
      `W/${plan["etag"]}`,
      "x\r\nX: y",
      "é",
      "",
    ]) {
      const { error_code } = await called("apply_plan", { plan_id: plan["id"], etag }, "editor");
      assert.match(error_code, /^ERR_(?:PRECONDITION_FAILED|INVALID_REQUEST)$/, etag);
    }
    assert.equal((await api("GET", `/ip_policies/${policy["id"]}`))["id"], policy["id"]);
  });

  test("unknown names are rejected, those of prototypes too", async () => {
    const names = ["__proto__", "constructor", "toString", "role", "Authorization"];
    for (const name of names) {
      const input = JSON.parse(`{"kind":"ip_policy","${name}":{"limit":1}}`);
      assert.equal((await called("find", input))["error_code"], "ERR_INVALID_REQUEST", name);
    }
    for (const wrong of [[], "x", 1, { kind: ["ip_policy"] }, { kind: { toString: "ip_policy" } }]) {
      const { json } = await post(message("tools/call", { name: "find", arguments: wrong }));
      assert.ok(json["error"]?.code === -32_602 || json["result"].isError, JSON.stringify(wrong));
    }
    const policies = Object.fromEntries(names.map((name) => [name, { value: "{}" }]));
    const request = { url: "https://shop.example.com/", source_ip: "192.0.2.1" };
    assert.equal(
      (await called("simulate", { request, with: policies }))["error_code"],
      "ERR_INVALID_REQUEST",
    );
    const operations = JSON.parse(
      '[{"method":"POST","path":"/ip_policies","body":{"__proto__":{"description":"x"}}}]',
    );
    const { errors } = await called("plan_change", { operations }, "planner");
    assert.equal(errors[0].path, "/operations/0/body/__proto__");
  });

  test("null counts as left out", async () => {
    const { objects } = await called("find", {
      kind: "ip_policy",
      hostport: null,
      before_id: null,
      limit: null,
    });
    assert.ok(Array.isArray(objects));
  });

  test("too many operations are rejected", async () => {
    const operations = Array.from({ length: 101 }, () => ({
      method: "POST",
      path: "/ip_policies",
      body: {},
    }));
    const { errors } = await called("plan_change", { operations }, "planner");
    assert.equal(errors[0].path, "/operations");
  });
});

describe("the log", () => {
  test("has the tool of each call, and nothing that the caller sent", async () => {
    const secret = "a-secret-that-nobody-logs";
    await called("find", { kind: "ip_policy", metadata: secret });
    await post(message("tools/call", { name: secret, arguments: {} }));
    await post(message(secret));
    await post(LIST, { Authorization: `Bearer ${secret}` });
    await post(LIST, { Origin: `https://${secret}.example` });
    await post(`{"${secret}"`, {});
    const lines = log
      .filter((line) => line.includes('"route":"/mcp"'))
      .map((line) => JSON.parse(line) as Json);
    assert.ok(
      lines.some(({ tool, key_id, d1_round_trips }) => tool === "find" && key_id && d1_round_trips > 0),
    );
    assert.ok(lines.some(({ tool }) => tool === undefined));
    assert.ok(lines.every(({ tool = "find" }) => /^[a-z_]+$/.test(tool)));
    const all = log.join("\n");
    for (const text of [secret, ...Object.values(keys)]) assert.ok(!all.includes(text));
    // The requests of a tool are not logged on their own, and no fault is logged in any of these tests.
    assert.deepEqual(
      log.filter((line) => /"level":"(?:error|alert)"|Error/.test(line)),
      [],
    );
  });
});
