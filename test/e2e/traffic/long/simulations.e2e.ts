import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { connect as connectTls } from "node:tls";
import type { components } from "edge-configuration-client";
import fc from "fast-check";
import { ownResponse } from "../../../../packages/model/src/policy/own_responses.ts";
import { freePort } from "../../support/ports.ts";
import { eventually } from "../../support/wait.ts";
import type { Certificate } from "../certificates.ts";
import { startUpstream } from "../upstreams.ts";
import { sharedWorld, type World } from "../world.ts";

/*
 * A law of simulations: whatever the modules of an edge and its routes are, also if some cannot be served, a request gets what
 * POST /simulations says: status, headers and body, the upstream that it reaches, and what that gets.
 */

type Schemas = components["schemas"];
type Outcome = Schemas["Simulation"]["outcome"];

const WORLDS = 4;
const ROUTES = 12;
const REQUESTS = 150;
const seed = Number(process.env["SEED"] ?? 1);

let world: World;
/** Clients' certificates; the first two are of the authority that edges require. */
const clients: (Certificate & { name: string })[] = [];
let authority: string;
let upstream: string;
/** Policies that let this client in, shut it out, and have no rules. */
let policies: { in: string; out: string; none: string };

before(async () => {
  world = await sharedWorld();
  const own = world.make.authority("authority of simulated clients");
  for (const name of ["meter-1", "meter-2"]) clients.push({ ...world.make.client(own, name), name });
  authority = (await world.given.authority(own.pem)).id;
  upstream = (await world.given.staticBackend((await startUpstream("simulated")).address)).id;
  const [open, closed, empty] = [
    await world.given.policy(),
    await world.given.policy(),
    await world.given.policy(),
  ];
  await world.given.rule(open.id, "allow", "127.0.0.0/8");
  await world.given.rule(closed.id, "deny", "127.0.0.1/32");
  policies = { in: open.id, out: closed.id, none: empty.id };
});

const EXPRESSIONS = [
  "req.method == 'POST'",
  "'x-tier' in req.headers",
  "req.headers['x-tier'][0] == 'gold'",
  "req.url.query == 'q=1'",
  "conn.tls.client.subject.common_name == 'meter-1'",
  "conn.client_ip == '127.0.0.1'",
];
const ACTIONS = [
  { type: "deny" },
  { type: "deny", config: { status_code: 404 } },
  { type: "deny", config: { status_code: 418 } },
  {
    type: "custom-response",
    config: { status_code: 202, body: "custom ${req.method}", headers: { "x-custom": "1" } },
  },
  { type: "redirect", config: { to: "https://elsewhere.example.com/" } },
  { type: "add-headers", config: { headers: { "x-added": "${req.method}" } } },
  { type: "remove-headers", config: { headers: ["x-tier"] } },
  { type: "restrict-ips", config: { deny: ["127.0.0.0/8"] } },
  {
    type: "basic-auth",
    config: { credentials: ["user:sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"] },
  },
];

const RESPONSE_ACTIONS = [
  { type: "add-headers", config: { headers: { "x-after": "${res.status_code}" } } },
  { type: "custom-response", config: { status_code: 206, body: "instead of ${res.status_code}" } },
  { type: "deny", config: { status_code: 404 } },
];

/** Undefined most of the time, so that many requests reach the end. */
const seldom = <Value>(...values: Value[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, fc.constantFrom(...values));

const rules = (...actions: object[]) =>
  fc.array(
    fc.record({
      expressions: fc.array(fc.constantFrom(...EXPRESSIONS), { minLength: 1, maxLength: 2 }),
      actions: fc.constantFrom(...actions).map((action) => [action]),
    }),
    { maxLength: 2 },
  );

/** Modules of a route, and its backend if it has one. */
const drawnRoute = fc.record({
  backend: fc.oneof({ weight: 9, arbitrary: fc.constantFrom("upstream", "fixed") }, fc.constant("none")),
  restriction: seldom<("in" | "out" | "none")[]>(["in"], ["out"], ["in", "out"], ["none"], []),
  agents: seldom<{ allow?: string[]; deny: string[] }>(
    { deny: ["Bad.*"] },
    { allow: ["Good.*"], deny: [".*"] },
  ),
  on_http_request: rules(...ACTIONS),
  on_http_response: rules(...RESPONSE_ACTIONS),
  request_headers: seldom({ add: { "x-edge": "1" }, remove: ["x-tier"] }),
  response_headers: seldom({ add: { "x-edge": "2" }, remove: ["x-upstream", "x-fixed"] }),
  webhooks: fc.integer({ min: 0, max: 12 }),
});
type Drawn = typeof drawnRoute extends fc.Arbitrary<infer Value> ? Value : never;

const drawnRequest = fc.record({
  route: fc.integer({ min: 0, max: ROUTES }),
  method: fc.constantFrom("GET", "POST"),
  query: fc.constantFrom("", "?q=1"),
  agent: fc.constantFrom(undefined, "Good/1", "Bad/1"),
  tier: fc.constantFrom(undefined, "gold", "silver"),
  client: fc.constantFrom(undefined, 0, 1),
});
type Request = typeof drawnRequest extends fc.Arbitrary<infer Value> ? Value : never;

/** No path begins with another one. */
const pathOf = (route: number): string => `/${String(route).padStart(2, "0")}`;

async function givenRoute(edge_id: string, index: number, drawn: Drawn): Promise<void> {
  const { backend, restriction, agents, on_http_request, on_http_response } = drawn;
  const { request_headers, response_headers, webhooks } = drawn;
  const fixed = { status_code: 203, body: `fixed ${index}`, headers: { "x-fixed": "1" } };
  const backend_id = backend === "fixed" ? (await world.given.fixedResponse(fixed)).id : upstream;
  const ids = restriction?.map((name) => policies[name]);
  const hasPolicy = on_http_request.length + on_http_response.length > 0;
  const value = JSON.stringify({ on_http_request, on_http_response });
  await world.given.route(edge_id, {
    match: pathOf(index),
    match_type: "path_prefix",
    ...(backend !== "none" && { backend: { backend_id } }),
    ...(ids && { ip_restriction: { ip_policy_ids: ids } }),
    ...(agents && { user_agent_filter: agents }),
    ...(hasPolicy && { traffic_policy: { value } }),
    ...(request_headers && { request_headers }),
    ...(response_headers && { response_headers }),
    ...(webhooks === 0 && { webhook_verification: { provider: "sns" } }),
  });
}

const linesOf = (host: string, { agent, tier }: Request): [string, string][] => [
  ["Host", host],
  ...(agent === undefined ? [] : [["User-Agent", agent] satisfies [string, string]]),
  ...(tier === undefined ? [] : [["X-Tier", tier] satisfies [string, string]]),
];

/** Sends a request. Resolves to all that comes back; empty if the connection is closed. */
function sent(host: string, port: number, request: Request): Promise<string> {
  const client = request.client === undefined ? undefined : clients[request.client];
  const lines: [string, string][] = [...linesOf(host, request), ["Content-Length", "0"]];
  return exchanged(host, port, `${request.method} ${pathOf(request.route)}${request.query}`, lines, client);
}

function exchanged(
  host: string,
  port: number,
  line: string,
  headers: [string, string][],
  client?: Certificate,
): Promise<string> {
  return new Promise((resolve) => {
    const own = client && { cert: client.pem, key: readFileSync(client.key) };
    const options = { host: "127.0.0.1", port, servername: host, rejectUnauthorized: false, ...own };
    let text = "";
    const socket = connectTls({ ...options, ALPNProtocols: ["http/1.1"] }, () => {
      const lines = [...headers, ["Connection", "close"]].map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`${line} HTTP/1.1\r\n${lines.join("")}\r\n`);
    });
    socket.on("data", (data: Buffer) => (text += data.toString("latin1")));
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
  });
}

/** What a client got: a status, the lines of headers by lower-case name, and a body. */
function partsOf(text: string) {
  const end = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const rest = text.slice(end + 4);
  const body = headers.get("transfer-encoding") === "chunked" ? unchunked(rest) : rest;
  return { status: Number(first.split(" ")[1]), headers, body };
}

/** The content of chunks (RFC 9112 §7.1). */
function unchunked(text: string): string {
  const [size = ""] = text.split("\r\n", 1);
  const start = size.length + 2;
  const length = Number.parseInt(size, 16);
  return length > 0 ? text.slice(start, start + length) + unchunked(text.slice(start + length + 2)) : "";
}

function simulated(host: string, port: number, request: Request): Promise<Outcome> {
  const client = request.client === undefined ? undefined : clients[request.client];
  return outcomeOf({
    method: request.method,
    url: `https://${host}:${port}${pathOf(request.route)}${request.query}`,
    headers: [...linesOf(host, request), ["Content-Length", "0"]],
    ...(client && { tls: { client_common_name: client.name } }),
  });
}

async function outcomeOf(request: object): Promise<Outcome> {
  const response = { headers: [["x-upstream", "simulated"]] };
  const body = { request: { source_ip: "127.0.0.1", ...request }, response };
  return Object(await world.service.call("POST", "/simulations", body)).outcome;
}

/** Checks that a client got what a simulation says. */
function compare(text: string, outcome: Outcome, about: string): void {
  if (outcome.kind === "closed") return assert.equal(text, "", about);
  const { status, headers, body } = partsOf(text);
  const has = (lines: string[][]) => {
    for (const [name = "", value] of lines)
      assert.equal(headers.get(name.toLowerCase()), value, `${about} ${name}`);
  };
  if (outcome.kind === "not_served")
    return assert.deepEqual([status, body], [503, "This service is not available.\n"], about);
  if (outcome.kind === "response") {
    assert.deepEqual([status, body], [outcome.status_code, outcome.body], about);
    has(outcome.headers);
    if (outcome.by !== "backend" && outcome.by !== "traffic_policy")
      assert.equal(headers.get("x-edge"), undefined);
    return;
  }
  assert.equal(status, outcome.response?.status_code, about);
  has(outcome.response?.headers ?? []);
  for (const name of ["x-upstream", "x-edge"])
    assert.equal(
      headers.has(name),
      outcome.response?.headers.some(([one]) => one === name),
      `${about} ${name}`,
    );
  const seen = JSON.parse(body);
  assert.deepEqual([seen.method, seen.url], [outcome.request?.method, outcome.request?.url], about);
  const expected = Object.fromEntries(outcome.request?.headers ?? []);
  assert.deepEqual({ ...seen.headers, connection: undefined }, { ...expected, connection: undefined }, about);
}

for (let round = 0; round < WORLDS; round++)
  test(`requests get what simulations say, in random world ${round}`, async (t) => {
    const host = `world${round}.simulated.test`;
    const port = await freePort();
    world.certificateFor(host);
    const hasMutualTls = round % 2 === 1;
    const { id } = await world.given.httpsEdge({
      hostports: [`${host}:${port}`],
      ...(hasMutualTls && { mutual_tls: { certificate_authority_ids: [authority] } }),
    });
    const at = seed * WORLDS + round;
    const routes = fc.sample(drawnRoute, { numRuns: ROUTES, seed: at });
    for (const [index, drawn] of routes.entries()) await givenRoute(id, index, drawn);
    await world.applied();
    const first: Request = {
      route: ROUTES,
      method: "GET",
      query: "",
      agent: undefined,
      tier: undefined,
      client: 0,
    };
    await eventually(async () => assert.match(await sent(host, port, first), /^HTTP\/1\.1 404 /));
    const kinds = new Map<string, number>();
    for (const request of fc.sample(drawnRequest, { numRuns: REQUESTS, seed: at })) {
      const outcome = await simulated(host, port, request);
      const about = `SEED=${seed} ${JSON.stringify(request)} ${JSON.stringify(routes[request.route])} ${JSON.stringify(outcome)}`;
      compare(await sent(host, port, request), outcome, about);
      const kind = outcome.kind === "response" ? `${outcome.kind} by ${outcome.by}` : outcome.kind;
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    t.diagnostic(JSON.stringify(Object.fromEntries(kinds)));
    assert.ok(kinds.size >= 4, JSON.stringify([...kinds]));
  });

test("requests with odd hosts get what simulations say", async () => {
  const HOST = "odd.hosts.test";
  const port = await freePort();
  world.certificateFor(HOST);
  const { id } = await world.given.httpsEdge({ hostports: [`${HOST}:${port}`] });
  const backend = { backend_id: (await world.given.fixedResponse({ body: "in" })).id };
  await world.given.route(id, { match_type: "exact_path", match: "/", backend });
  await world.applied();
  const got = async (hosts: string[]): Promise<[number, string]> => {
    const headers = hosts.map((host): [string, string] => ["Host", host]);
    const { status, body } = partsOf(await exchanged(HOST, port, "GET /", headers));
    // HAProxy's parser has responses of its own, which cannot be configured.
    return [status, body.startsWith("<html><body><h1>400 Bad request</h1>") ? ownResponse(400).body : body];
  };
  await eventually(async () => assert.deepEqual(await got([HOST]), [200, "in"]));
  for (const hosts of [
    [HOST],
    [`${HOST}:${port}`],
    [`${HOST}:1`],
    [`${HOST}:`],
    [`${HOST}:99999999`],
    [`${HOST.toUpperCase()}..`],
    [`${HOST}:abc`],
    [`${HOST}:80a`],
    [`${HOST} a`],
    [`${HOST}:@other.hosts.test`],
    [`${HOST}/`],
    [`${HOST}, ${HOST}`],
    ["other.hosts.test"],
    ["127.0.0.1"],
    ["[::1]:1"],
    ["::1"],
    [""],
    [HOST, HOST],
    [HOST, `${HOST}:${port}`],
    [HOST, "other.hosts.test"],
  ]) {
    const headers = hosts.map((host) => ["host", host]);
    const outcome = await outcomeOf({ url: `https://${HOST}:${port}/`, headers });
    assert.ok(outcome.kind === "response", JSON.stringify(outcome));
    const answer = await got(hosts);
    // HAProxy 3 itself rejects characters that no host has.
    const isRejected = hosts.some((host) => /[^\w.:[\]-]/.test(host)) && answer[0] === 400;
    if (!isRejected) assert.deepEqual(answer, [outcome.status_code, outcome.body], JSON.stringify(hosts));
  }
});
