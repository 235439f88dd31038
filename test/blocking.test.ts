// @module-tag large
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { app } from "../src/app.ts";
import { ORIGIN, patch, post, requiredHeaders } from "./support/api.ts";
import * as given from "./support/given.ts";
import type { Json } from "./support/json.ts";
import { toPost, toPut } from "./support/operations.ts";
import { gapOf } from "./support/turns.ts";

/*
 * No operation computes for long without letting other requests of the isolate run, whatever it is given.
 *
 * Unlike on the platform, the clock advances while code runs here.
 */

/** The longest computation without a pause, in milliseconds. */
const MOST = 500;
/** The most bytes of a policy. */
const BYTES = 65_536;
/** About the most bytes of a policy that is stored: in JSON, it is longer. */
const STORED = 40_000;
const ROUTES = 20;

/** Repeats an item as often as it fits between a head and a tail. */
function filled(head: string, item: (i: number) => string, tail: string, most = BYTES - 300): string {
  const items: string[] = [];
  let left = most - head.length - tail.length;
  for (let next = item(0); next.length + 1 <= left; next = item(items.length)) {
    items.push(next);
    left -= next.length + 1;
  }
  return head + items.join(",") + tail;
}

const quoted = (expressions: string[]): string => expressions.map((text) => JSON.stringify(text)).join();

/** Rules with expressions and no other members. */
const rulesOf =
  (expressions: (rule: number) => string[]) =>
  (most?: number): string =>
    filled('{"on_http_request":[', (i) => `{"expressions":[${quoted(expressions(i))}]}`, "]}", most);

const twenty =
  (expression: (i: number) => string) =>
  (rule: number): string[] =>
    Array.from({ length: 20 }, (_, i) => expression(20 * rule + i));

/** The longest text of one expression: of `item`, repeated. */
const expressionOf = (item: string) => (): string =>
  `{"on_http_request":[{"expressions":["${item.repeat(Math.floor((BYTES - 100) / item.length))}"]}]}`;

const bodyOf = (expression: (i: number) => string) => (): string =>
  filled(
    '{"on_http_request":[{"actions":[{"type":"custom-response","config":{"body":"',
    (i) => `\${${expression(i)}}`,
    '"}}]}]}',
  );

/** Assignments of lists to one variable, and expressions that look for a value in it. */
const lists = (): string => {
  const vars = Array.from({ length: 20 }, () => '{"l":[""]}').join();
  const action = `{"type":"set-vars","config":{"vars":[${vars}]}}`;
  const actions = Array.from({ length: 20 }, () => action).join();
  return filled(
    `{"on_http_request":[${Array.from({ length: 8 }, () => `{"actions":[${actions}]}`).join()},`,
    () => `{"expressions":[${quoted(twenty(() => "req.method in vars.l")(0))}]}`,
    "]}",
  );
};

/** Texts of policies that take long to compile, by what they contain. */
const texts: Record<string, (most?: number) => string> = {
  "keys of a map": (most) => filled("{", (i) => `"k${i}":1`, "}", most),
  "keys of a YAML map": () => filled("", (i) => `k${i}: 1\n#`, ""),
  "a repeated key": () => filled("{", () => '"a":1', "}"),
  "keys without values": () => filled("{", () => "a", "}"),
  "nested lists": () => filled("[", () => "[[[[[]]]]]", "]"),
  "open lists": () => "[".repeat(BYTES),
  lines: () => "- a\n".repeat(BYTES / 4),
  directives: () => "%a\n".repeat(BYTES / 3),
  "colons in a list": () => `[${": ".repeat(BYTES / 2 - 1)}]`,
  "a string that does not end": () => `a: "${"a\n".repeat(BYTES / 2 - 2)}`,
  "a folded string": () => `a: >\n${" a\n".repeat(BYTES / 3 - 3)}`,
  "unknown members": () => filled('{"on_http_request":[{', (i) => `"expression${i}":1`, "}]}"),
  "empty rules": () => filled('{"on_http_request":[', () => "{}", "]}"),
  "unknown names": rulesOf(twenty((i) => `req.url.pathx${i}`)),
  "unknown functions": rulesOf(twenty((i) => `${"f".repeat(50)}${i}(a)`)),
  "short expressions": rulesOf(twenty((i) => `req.method == 'a${i}'`)),
  "long expressions": rulesOf((rule) => [
    Array.from({ length: 100 }, (_, i) => `req.method == '${rule}x${i}'`).join("||"),
  ]),
  "lines of headers": rulesOf((rule) => [
    Array.from({ length: 100 }, (_, i) => `req.headers['${i}'][100]=='${rule}'`).join("||"),
  ]),
  "conditions on each line": rulesOf((rule) => [
    `req.headers['a'].exists(v, ${Array.from({ length: 100 }, (_, i) => `v != '${rule}x${i}'`).join("&&")})`,
  ]),
  "nested macros": rulesOf((rule) => [`${"a.exists(v,".repeat(14)}v${rule}${")".repeat(14)}`]),
  ranges: rulesOf((rule) => [
    `conn.client_ip.inCidrRanges([${Array.from({ length: 150 }, (_, i) => `'10.${rule}.${i}.0/24'`).join()}])`,
  ]),
  patterns: rulesOf((rule) => [`req.url.path.matches('${"[a-z]".repeat(99)}${rule}')`]),
  repetitions: rulesOf((rule) => [`req.url.path.matches('${"a{1000}".repeat(70)}${rule}')`]),
  "one name": expressionOf("a"),
  dots: expressionOf("a."),
  spaces: expressionOf(" "),
  "spaces and names": expressionOf(`${" ".repeat(250)}a+`),
  "minus signs": expressionOf("-"),
  quotes: expressionOf("'"),
  comments: expressionOf("//a"),
  "expressions in a body": bodyOf((i) => `a${i}`),
  "quotes in a body": bodyOf(() => "'"),
  "spaces in a body": bodyOf((i) => `${" ".repeat(250)}a${i}`),
  lists,
};

/** Sends a request, without checking the response: that takes longer than what is measured. */
async function send(method: string, path: string, body?: Json, DB = env.DB): Promise<number> {
  const response = await app.request(
    ORIGIN + path,
    {
      method,
      headers: { "Content-Type": "application/json", ...requiredHeaders },
      body: body === undefined ? null : JSON.stringify(body),
    },
    { ...env, KEY_LIMIT: undefined, FAILED_AUTHENTICATION_LIMIT: undefined, DB },
    createExecutionContext(),
  );
  await response.text();
  return response.status;
}

/** A text that no attempt before has compiled: it ends with as many spaces. */
const unlike = (text: string, attempt: number): string =>
  text.slice(0, BYTES - attempt) + " ".repeat(attempt);

const routes: Json[] = [];

beforeAll(async () => {
  const edge = await given.httpsEdge();
  const { id } = await given.staticBackend();
  for (let i = 0; i < ROUTES; i++)
    routes.push(await given.route({ edge_id: edge["id"], match: `/${i}/`, backend: { backend_id: id } }));
});

beforeEach(() => {
  vi.spyOn(console, "info").mockReturnValue();
});

test.each(Object.keys(texts))("checking a policy of %s lets other requests run", async (name) => {
  const text = texts[name]?.() ?? "";
  expect(text.length).toBeLessThanOrEqual(BYTES);
  const gap = await gapOf(async (attempt) => {
    const body = { for: "https_edge_route", value: unlike(text, attempt) };
    expect(await send("POST", "/traffic_policies/check", body)).toBe(200);
  }, MOST);
  expect(gap).toBeLessThan(MOST);
});

/** The members of a simulation's `with`: one text for each route. */
const withTexts = (values: string[]): Json =>
  Object.fromEntries(values.map((value, i) => [routes[i]?.["id"], { value }]));

const LONG = "a".repeat(16_000);

/** Policies for requests with a long path and long headers, which take as long to run as any. */
const running: Record<string, () => string> = {
  patterns: rulesOf((rule) => [`req.url.path.matches('${"[a-z]*".repeat(70)}${rule}')`]),
  "large patterns": rulesOf((rule) => [`req.url.path.matches('[a-z]{999}[a-z]{999}[a-z]{999}${rule}')`]),
  "patterns of any letter": rulesOf((rule) => [`req.url.path.matches('${"\\\\pL?".repeat(99)}${rule}')`]),
  searches: rulesOf(twenty((i) => `req.headers['x'][0].contains('${"a".repeat(20)}${i}')`)),
  letters: rulesOf(twenty((i) => `req.headers['x'][0].lowerAscii().upperAscii() == 'a${i}'`)),
  parameters: rulesOf(twenty((i) => `getQueryParam('a${i}')[0] == 'a'`)),
  "doubled variables": () => {
    const vars = ['{"a":"xxxxxxxxxx"}', ...Array.from({ length: 19 }, () => '{"a":"${vars.a}${vars.a}"}')];
    return `{"on_http_request":[{"actions":[{"type":"set-vars","config":{"vars":[${vars.join()}]}}]}]}`;
  },
  replacements: () =>
    filled(
      '{"on_http_request":[',
      (i) => `{"actions":[{"type":"url-rewrite","config":{"from":"a{0,${i}}","to":"/aa"}}]}`,
      "]}",
    ),
};

const simulation = (values: string[]): Json => ({
  request: {
    url: `https://shop.example.com/0/${LONG.slice(0, 8000)}?${LONG.slice(0, 7900)}`,
    source_ip: "192.0.2.1",
    headers: [
      ["x", LONG],
      ["user-agent", LONG],
      ["cookie", LONG],
    ],
  },
  with: withTexts(values),
});

test.each([...Object.entries(texts), ...Object.entries(running)])(
  "simulating a request with a policy of %s lets other requests run",
  async (_, textOf) => {
    const text = textOf();
    const gap = await gapOf(async (attempt) => {
      expect([200, 422]).toContain(
        await send("POST", "/simulations", simulation([unlike(text, 9 + attempt)])),
      );
    }, MOST);
    expect(gap).toBeLessThan(MOST);
  },
);

test("simulating a request with twenty policies lets other requests run", async () => {
  const share = Math.floor(BYTES / ROUTES);
  const gap = await gapOf(async (attempt) => {
    const values = Array.from({ length: ROUTES }, (_, i) =>
      filled("{", (key) => `"${attempt}x${i}x${key}":1`, "}", share),
    );
    expect(await send("POST", "/simulations", simulation(values))).toBe(200);
  }, MOST);
  expect(gap).toBeLessThan(MOST);
});

/** Stores a policy for each route that has not been compiled: long ones, together more than an isolate keeps. */
async function givenPolicies(attempt: number): Promise<void> {
  const some = ["keys of a map", "short expressions", "patterns", "unknown names", "long expressions"];
  for (const [i, { uri }] of routes.entries()) {
    const text = texts[some[i % some.length] ?? ""]?.(STORED) ?? "";
    const value = unlike(text, 20 + ROUTES * attempt + i);
    const { status, text: response } = await patch(uri, { traffic_policy: { value } });
    expect(status, response).toBe(200);
  }
}

test.each(["/snapshot", "/problems", "/snapshot?format=traefik"])(
  "compiling many policies for %s lets other requests run",
  { timeout: 600_000 },
  async (path) => {
    let attempts = 0;
    const gap = await gapOf(
      async () => expect(await send("GET", path)).toBe(200),
      MOST,
      () => givenPolicies(path.length * 3 + attempts++),
    );
    expect(gap).toBeLessThan(MOST);
  },
);

test(
  "a simulation compiles no policy but that of the route that gets the request",
  { timeout: 600_000 },
  async () => {
    await givenPolicies(0);
    const began = performance.now();
    const given = { request: { url: "https://shop.example.com/0/", source_ip: "192.0.2.1" } };
    expect(await send("POST", "/simulations", given)).toBe(200);
    const simulated = performance.now();
    expect(await send("GET", "/snapshot")).toBe(200);
    expect(4 * (simulated - began)).toBeLessThan(performance.now() - simulated);
  },
);

const RULES = 9_000;
const EDGES = 100;

interface Rule {
  cidr: string;
  action: "allow" | "deny";
}

const rules = (first: number): Rule[] =>
  Array.from({ length: RULES }, (_, i) => ({ cidr: `${first}.${i >> 8}.${i & 255}.1/32`, action: "allow" }));

/** Rules that admit everybody but single addresses: each gap between two of them is about two hundred networks. */
const gaps = (): Rule[] => [
  { cidr: "::/0", action: "allow" },
  ...Array.from({ length: RULES }, (_, i): Rule => {
    const group = (0x1000 + i).toString(16);
    return { cidr: `${group}:1:1:1:1:1:1:1/128`, action: "deny" };
  }),
];

test("replacing thousands of rules of a policy lets other requests run", { timeout: 600_000 }, async () => {
  const { id } = await given.ipPolicy();
  const { id: backend_id } = await given.staticBackend();
  const edges = Array.from({ length: EDGES }, (_, i) =>
    toPost("/edges/tcp", {
      hostports: [`rules.example.com:${20_000 + i}`],
      backend: { backend_id },
      ip_restriction: { ip_policy_ids: [id] },
    }),
  );
  expect((await post("/transactions", { operations: edges })).status).toBe(200);
  const put = (all: Rule[]) => [toPut(`/ip_policies/${id}/rules`, { rules: all })];
  expect((await post("/transactions", { operations: put(rules(10)) })).status).toBe(200);
  for (const [path, body] of [
    ["/previews", { operations: put(rules(11)) }],
    ["/previews", { operations: put(gaps()) }],
    ["/transactions", { operations: put(rules(11)), dry_run: true }],
  ] as const) {
    expect(
      await gapOf(async (_, DB) => expect(await send("POST", path, body, DB)).toBe(200), MOST),
      path,
    ).toBeLessThan(MOST);
  }
});
