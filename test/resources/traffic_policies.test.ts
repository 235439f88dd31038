import { describe, expect, test } from "vitest";
import { call } from "../support/api.ts";
import type { Json } from "../support/json.ts";

const check = async (policy: unknown, target = "https_edge_route"): Promise<Json> =>
  (
    await call("POST", "/traffic_policies/check", {
      value: typeof policy === "string" ? policy : JSON.stringify(policy),
      for: target,
    })
  ).body;

const withExpression = (expression: string) => ({
  on_http_request: [{ expressions: [expression], actions: [{ type: "deny" }] }],
});
const withAction = (type: string, config?: unknown, phase = "on_http_request") => ({
  [phase]: [{ actions: [{ type, ...(config !== undefined && { config }) }] }],
});

describe("a policy is checked", () => {
  test("an enforced one is shown rule by rule", async () => {
    const result = await check({
      on_http_request: [
        {
          name: "admins",
          expressions: ["req.url.raw_path.startsWith('/admin')"],
          actions: [{ type: "deny" }],
        },
      ],
    });
    expect(result).toEqual({
      verdict: "enforced",
      findings: [],
      rules: [
        {
          phase: "on_http_request",
          index: 0,
          name: "admins",
          expressions: [{ text: "req.url.raw_path.startsWith('/admin')", can_fail: false }],
          actions: [{ type: "deny", terminates: true }],
        },
      ],
    });
  });

  test("YAML is read like JSON", async () => {
    const result = await check(
      "on_http_request:\n  - actions:\n      - type: deny\n        config:\n          status_code: 418\n",
    );
    expect(result).toMatchObject({ verdict: "enforced", rules: [{ actions: [{ type: "deny" }] }] });
  });

  const misspelled = "req.method == 'GET' && req.methd == 'X'";
  const withMisspelled = JSON.stringify(withExpression(misspelled), null, 2);
  const yaml = (expression: string) =>
    `on_http_request:\n  - expressions:\n      - ${expression}\n    actions: [{ type: deny }]\n`;
  test.each([
    ["JSON", withMisspelled, "req.methd"],
    ["plain YAML", yaml(misspelled), "req.methd"],
    ["quoted YAML", yaml(`"${misspelled}"`), "req.methd"],
    ["a string with escapes, at its beginning", yaml(String.raw`"req.methd == '\x58'"`), '"req.methd'],
    ["a member of the wrong type", "on_http_request:\n- actions:\n  - type: 7\n", "7"],
    ["a missing member, where it belongs", "on_http_request:\n- name: a\n", "name: a"],
    ["text that is not YAML", "on_http_request:\n  - {a: [\n", undefined],
  ])("each finding has a place in the text: %s", async (_, text, found) => {
    const [{ line, column }] = (await check(text))["findings"];
    const lines = text.split("\n");
    if (found === undefined) expect(line).toBeGreaterThan(1);
    else expect(lines[line - 1]?.slice(column - 1)).toMatch(new RegExp(`^${found}`));
  });

  test("a finding names its place in the document too", async () => {
    const { findings } = await check(withMisspelled);
    expect(findings).toEqual([
      {
        severity: "error",
        code: "traffic_policy_invalid",
        path: "/on_http_request/0/expressions/0",
        offset: 23,
        line: 5,
        column: 33,
        msg: 'Unknown name "req.methd"; did you mean "req.method"?',
      },
    ]);
  });

  test("an expression that can fail is a warning, unless a guard rules the error out", async () => {
    const canFail = async (expression: string): Promise<boolean> =>
      (await check(withExpression(expression)))["rules"][0]["expressions"][0]["can_fail"];
    expect(await canFail("req.headers['x'][0] == 'a'")).toBe(true);
    expect(await canFail("'x' in req.headers && req.headers['x'][0] == 'a'")).toBe(false);
    expect(await canFail("req.headers['x'][0] == 'a' && size(req.headers['x']) > 0")).toBe(false);
    expect(await canFail("!('x' in req.headers) || req.headers['x'][0] == 'a'")).toBe(false);
    expect(await canFail("'y' in req.headers && req.headers['x'][0] == 'a'")).toBe(true);
    expect(await canFail("req.headers['x'][0] == 'a' && req.headers['x'][0] != 'b'")).toBe(true);
  });
});

const invalid: Record<string, unknown> = {
  "no object": "[]",
  "no JSON and no YAML": "{a: [",
  "an anchor": "on_http_request: &a []\n",
  "an alias": "on_http_request: &a []\non_http_response: *a\n",
  "a tag": "on_http_request: !!seq []\n",
  "two documents": "{}\n---\n{}\n",
  "a repeated key": '{"on_http_request":[],"on_http_request":[]}',
  "an unknown member": { on_request: [] },
  "an unknown member of a rule": { on_http_request: [{ when: [], actions: [{ type: "deny" }] }] },
  "a rule without actions": { on_http_request: [{ actions: [] }] },
  "an action after one that ends the phase": {
    on_http_request: [{ actions: [{ type: "deny" }, { type: "deny" }] }],
  },
  "a phase of another kind": { on_tcp_connect: [{ actions: [{ type: "deny" }] }] },
  "an unknown action": withAction("denny"),
  "an action in another phase": withAction("redirect", { to: "/" }, "on_http_response"),
  "an unknown member of an action": withAction("deny", { status: 403 }),
  "a status out of range": withAction("deny", { status_code: 600 }),
  "a status below the range": withAction("deny", { status_code: 199 }),
  "no capacity": withAction("rate-limit", {
    name: "a",
    capacity: 0,
    rate: "60s",
    bucket_key: ["conn.client_ip"],
  }),
  "a capacity out of range": withAction("rate-limit", {
    name: "a",
    capacity: 2_000_000_001,
    rate: "60s",
    bucket_key: ["conn.client_ip"],
  }),
  "a range with host bits": withAction("restrict-ips", { allow: ["10.0.0.1/8"] }),
  "a group that the pattern does not have": withAction("redirect", { from: "(a)", to: "$2" }),
  "a value that is too large": `{"on_http_request":[]}${" ".repeat(65_536)}`,
  ...Object.fromEntries(
    [
      "",
      "req.method",
      "req.method == 1",
      "req.method ==",
      "nothing == 'a'",
      "req.headers['x'] == 'a'",
      "res.status_code == 200",
      "vars.x == 'a'",
      "actions.rate_limit.limited",
      "req.method.matches('(')",
      "req.method.matches('a{2,1}')",
      "req.method.beginsWith('a')",
      "conn.client_ip == 'a'",
      "inCidrRange(conn.client_ip, '10.0.0.1/8')",
      "timestamp(time.now) < timestamp('yesterday')",
    ].map((expression) => [`the expression ${expression}`, withExpression(expression)]),
  ),
};

const notEnforced: Record<string, unknown> = {
  "the pod of a client": withExpression("conn.k8s.pod.name == 'a'"),
  "an action that nothing does": withAction("oauth", {}),
  "101 rules": { on_http_request: Array.from({ length: 101 }, () => ({ actions: [{ type: "deny" }] })) },
  "21 expressions": {
    on_http_request: [{ expressions: Array.from({ length: 21 }, () => "true"), actions: [{ type: "deny" }] }],
  },
  "21 actions": { on_http_request: [{ actions: Array.from({ length: 21 }, () => ({ type: "log" })) }] },
  "11 headers": withAction("add-headers", {
    headers: Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`x-${i}`, ""])),
  }),
  "a framing header": withAction("add-headers", { headers: { "content-length": "1" } }),
  "the user agent": withAction("add-headers", { headers: { "User-Agent": "1" } }),
  "a readable password": withAction("basic-auth", { credentials: ["user:password"] }),
  "a window that is too short": withAction("rate-limit", {
    name: "a",
    capacity: 1,
    rate: "50s",
    bucket_key: ["conn.client_ip"],
  }),
  "a window that is too long": withAction("rate-limit", {
    name: "a",
    capacity: 1,
    rate: "24h10s",
    bucket_key: ["conn.client_ip"],
  }),
  "another algorithm": withAction("rate-limit", {
    name: "a",
    algorithm: "leaky_bucket",
    capacity: 1,
    rate: "60s",
    bucket_key: ["conn.client_ip"],
  }),
  "11 parts of a key": withAction("rate-limit", {
    name: "a",
    capacity: 1,
    rate: "60s",
    bucket_key: Array.from({ length: 11 }, () => "conn.client_ip"),
  }),
  "4 rate limits": {
    on_http_request: [
      {
        actions: Array.from({ length: 4 }, (_, i) => ({
          type: "rate-limit",
          config: { name: `${i}`, capacity: 1, rate: "60s", bucket_key: ["conn.client_ip"] },
        })),
      },
    ],
  },
  "an expression beside a pattern": withAction("redirect", { from: "a", to: "${req.method}" }),
  "IP policies": withAction("restrict-ips", { ip_policies: ["ipp_x"] }),
  "a body of 64 KiB and one byte": withAction("custom-response", {
    body: "a".repeat(65_200) + "${req.url.geo}",
  }),
  "513 characters of a pattern": withExpression(`req.method.matches('${"a".repeat(513)}')`),
  "101 patterns": {
    on_http_request: Array.from({ length: 101 }, (_, i) => ({
      expressions: [`req.method.matches('${i}')`],
      actions: [{ type: "deny" }],
    })),
  },
  "201 literals": withExpression(
    `req.method in [${Array.from({ length: 201 }, (_, i) => `'${i}'`).join(",")}]`,
  ),
  "33 levels": withExpression(`${"!(".repeat(33)}true${")".repeat(33)}`),
  "501 nodes": withExpression(Array.from({ length: 200 }, () => "req.method == 'a'").join(" || ")),
  ...Object.fromEntries(
    [
      "conn.geo.country_code == 'DE'",
      "conn.client_ip.is_on_blocklist",
      "req.user_agent.name == 'curl'",
      "req.url == 'https://a'",
      "rand.double() < 0.5",
      "json.parse('1') == 1",
      "hash.sha256(req.method) == 'a'",
      "url.parse('a') == 'b'",
      "base64.decode('a') == 'b'",
      "secrets.get('a') == 'b'",
      "req.method.split('a')[0] == 'b'",
      "req.headers['x'].join(',') == 'b'",
      "req.headers['x'].filter(v, true) == []",
      "req.headers['x'].map(v, v) == []",
      "req.method < 'a'",
      "1 + 1 == 2",
      "has(req.method)",
      "{'a': 1}['a'] == 1",
      "b'a' == b'a'",
      "req.url.query_params['a'][1] == 'b'",
      "req.headers['x'][0].matches('(?=a)')",
      "req.headers['x'][0].matches('(a)\\\\1')",
      "req.headers['x'][0].matches('a++')",
      "req.headers['x'][0].matches('é')",
      "req.content_length == 1.5",
    ].map((expression) => [`the expression ${expression}`, withExpression(expression)]),
  ),
};

describe("what cannot be enforced is not enforced", () => {
  test.each(Object.entries(invalid))("invalid: %s", async (_, policy) => {
    expect(await check(policy)).toMatchObject({ verdict: "invalid" });
  });

  test.each(Object.entries(notEnforced))("not enforced: %s", async (_, policy) => {
    expect(await check(policy)).toMatchObject({ verdict: "not_enforced" });
  });

  test("invalid outweighs not enforced", async () => {
    const policy = { on_http_request: [{ actions: [{ type: "oauth" }] }, { actions: [{ type: "denny" }] }] };
    expect(await check(policy)).toMatchObject({ verdict: "invalid" });
  });

  test.each([
    ["size(req.method", '"(" at position 4 is not closed', 15],
    ["req.method in ['a', 'b'", '"[" at position 14 is not closed', 23],
    ["(req.method == '(' ", '"(" at position 0 is not closed', 19],
  ])("the bracket that is not closed is named: %s", async (expression, words, offset) => {
    const { verdict, findings } = await check(withExpression(expression));
    expect(verdict).toBe("invalid");
    expect(findings).toMatchObject([{ offset, msg: expect.stringContaining(words) }]);
  });

  test("a text with too many keys or values is not read to its end", async () => {
    const keys = Array.from({ length: 201 }, (_, i) => `k${i}`);
    const values = Array.from({ length: 5_001 }, () => "1").join();
    for (const text of [
      `{${keys.join(": 1,")}: [`,
      `${keys.join(": 1\n")}: [`,
      `on_http_request: [${values}`,
    ])
      expect(await check(text)).toMatchObject({
        verdict: "invalid",
        findings: [{ msg: expect.stringMatching(/^(A map|The document) has more than (200|5000) /) }],
      });
  });

  test("there are at most 100 findings", async () => {
    const policy = { on_http_request: Array.from({ length: 100 }, () => ({ a: 1, b: 2, actions: [] })) };
    expect((await check(policy))["findings"]).toHaveLength(100);
  });

  test("what changes nobody's access is left out, and reported", async () => {
    expect(await check(withAction("log", { metadata: { a: "${req.method}" } }))).toMatchObject({
      verdict: "enforced",
      findings: [{ severity: "warning", code: "traffic_policy_partly_enforced" }],
    });
  });
});

test("no text makes the check fail", async () => {
  const texts = [
    "\u0000",
    "- ".repeat(5_000),
    "[".repeat(50_000),
    "{a: ".repeat(5_000),
    '"\\ud800"',
    "? a",
    "a: .inf",
    "'",
    "%YAML 9",
  ];
  for (const text of texts) expect(await check(text)).toMatchObject({ verdict: "invalid" });
});

describe("any two values can be put together", () => {
  const values = [
    "'text'",
    "1",
    "true",
    "['a', 'b']",
    "timestamp('2026-11-22T10:00:00Z')",
    "timestamp(time.now)",
    "time.now",
    "req.method",
    "req.content_length",
    "req.headers['a']",
    "req.headers",
    "req.cookies['a'][0].value",
    "conn.client_ip",
    "conn.client_port",
    "req.method == 'GET'",
    "vars.unknown",
    "size(req.headers['a'])",
  ];
  const together = ["==", "!=", "<", "<=", ">", ">=", "&&", "||", "in", "+", "startsWith", "matches", "?"];
  const put = (a: string, operator: string, b: string): string => {
    if (operator === "?") return `(${a}) ? (${b}) : (${a})`;
    return /^\w{3}/.test(operator) ? `(${a}).${operator}(${b})` : `(${a}) ${operator} (${b})`;
  };

  test.for(together)("with %s", async (operator) => {
    const expressions = values.flatMap((a) => values.map((b) => put(a, operator, b)));
    for (const target of ["https_edge_route", "tcp_edge"])
      for (let i = 0; i < expressions.length; i += 20) {
        const rule = { expressions: expressions.slice(i, i + 20), actions: [{ type: "deny" }] };
        const { verdict, findings } = await check({ on_http_request: [rule] }, target);
        expect(["invalid", "not_enforced", "enforced"]).toContain(verdict);
        expect(verdict === "enforced", JSON.stringify(findings)).toBe(findings.length === 0);
      }
  });

  test("two times are compared once and for all", async () => {
    const compare = (sign: string): Promise<Json> =>
      check(withExpression(`timestamp('2026-01-01T00:00:00Z') ${sign} timestamp('2026-01-02T00:00:00Z')`));
    for (const sign of ["==", "!=", "<", "<=", ">", ">="])
      expect((await compare(sign))["verdict"], sign).toBe("enforced");
  });
});
