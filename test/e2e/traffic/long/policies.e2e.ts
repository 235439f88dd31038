import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { after, before, describe, test } from "node:test";
import { blocksOf } from "../../support/markdown.ts";
import { freePort } from "../../support/ports.ts";
import { eventually } from "../../support/wait.ts";
import { type Answer, type CurlOptions, seenIn } from "../clients.ts";
import { startUpstream } from "../upstreams.ts";
import { sharedWorld, type World } from "../world.ts";

/*
 * Traffic policies, enforced by HAProxy as an agent configures it: requests get what POST /simulations says.
 */

let world: World;
let backend: { backend_id: string };

before(async () => {
  world = await sharedWorld();
  const { address } = await startUpstream("policies");
  backend = { backend_id: (await world.given.staticBackend(address)).id };
});

interface Site {
  id: string;
  route: string;
  origin: string;
}

let sites = 0;

/** An HTTPS edge of its own whose only route has a policy. */
async function givenSite(value: string, port: number): Promise<Site> {
  const host = `site-${(sites += 1)}.policies.test`;
  world.certificateFor(host);
  const { id } = await world.given.httpsEdge({ hostports: [`${host}:${port}`] });
  const route = await world.given.route(id, { match: "/", backend, traffic_policy: { value } });
  return { id, route: route.id, origin: `https://${host}:${port}` };
}

/** A server of a key set, at `/keys`. */
async function startKeyServer(keySet: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const { key, certificate } = world.make.server(world.authority, ["127.0.0.1"]);
  const port = await freePort();
  const server = createServer(
    { key: readFileSync(key), cert: readFileSync(certificate) },
    (request, response) => response.writeHead(request.url === "/keys" ? 200 : 404).end(keySet),
  );
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const stop = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  after(stop);
  return { url: `https://127.0.0.1:${port}/keys`, stop };
}

/** A request, and where it comes from. */
interface Asked {
  path: string;
  method?: string;
  headers?: [string, string][];
  from?: string;
}

const REQUESTS: Asked[] = [
  { path: "/" },
  { path: "/admin" },
  { path: "/%61dmin" },
  { path: "/whoami?x=1" },
  { path: "/api/v1/users?id=42" },
  { path: "/products/shoe" },
  { path: "/?preview=1", headers: [["cookie", "session=12345678"]] },
  { path: "/internal/x", from: "127.0.0.2" },
  { path: "/", method: "POST", headers: [["x-account", "a"]] },
  { path: "/", method: "OPTIONS", from: "127.0.1.1" },
  {
    path: "/",
    headers: [
      ["x-tier", "gold"],
      ["x-internal", "1"],
      ["x-debug", "2"],
    ],
  },
  { path: "/", headers: [["authorization", `Basic ${Buffer.from("user:test").toString("base64")}`]] },
  { path: "/", headers: [["authorization", `Basic ${Buffer.from("user:wrong").toString("base64")}`]] },
  { path: "/%zz" },
];

/** The headers that curl sends with each request. */
const ALWAYS: [string, string][] = [
  ["user-agent", "policies/1.0"],
  ["accept", "*/*"],
];

interface Outcome {
  kind: "response" | "upstream" | "closed" | "not_served";
  status_code?: number;
  body?: string;
  headers?: [string, string][];
  request?: { method: string; url: string; headers: [string, string][] };
  response?: { status_code: number; headers: [string, string][] };
}

async function simulated(
  origin: string,
  { path, method = "GET", headers = [], from = "127.0.0.1" }: Asked,
): Promise<Outcome> {
  const host = new URL(origin).host;
  const request = {
    method,
    url: origin + path,
    headers: [["host", host], ...ALWAYS, ...headers],
    source_ip: from,
  };
  const response = { status_code: 200, headers: [["x-upstream", "policies"]] };
  return Object(await world.service.call("POST", "/simulations", { request, response })).outcome;
}

function send(
  origin: string,
  { path, method = "GET", headers = [], from }: Asked,
  more: string[],
): Promise<Answer> {
  const options: CurlOptions = {
    headers: [...ALWAYS, ...headers].map(([name, value]) => `${name}: ${value}`),
    more: [...more, "--request", method],
    ...(from !== undefined && { from }),
  };
  return world.get(origin + path, options);
}

/** Names of headers that HAProxy, curl or the upstream set on their own. */
const OWN =
  /^(?:host|content-length|connection|date|x-forwarded-for|x-forwarded-proto|transfer-encoding|keep-alive|x-upstream|content-type)$/;

const values = (headers: [string, string][]): Map<string, string> => {
  const all = new Map<string, string>();
  for (const [name, value] of headers)
    if (!OWN.test(name.toLowerCase()))
      all.set(name.toLowerCase(), [all.get(name.toLowerCase()) ?? [], value].flat().join(", "));
  return all;
};

/** Checks an answer against what the simulation says. */
function compare(answer: Answer, outcome: Outcome, what: string): void {
  if (outcome.kind === "closed") return assert.equal(answer.status, 0, what);
  if (outcome.kind === "response") {
    assert.equal(answer.status, outcome.status_code, `${what}: ${answer.text}`);
    assert.equal(answer.upstream, undefined, what);
    if (outcome.body) assert.equal(answer.text, outcome.body, what);
    for (const [name, value] of values(outcome.headers ?? []))
      assert.equal(answer.headers[name], value, `${what}: ${name}`);
    return;
  }
  assert.equal(outcome.kind, "upstream", what);
  assert.equal(answer.status, outcome.response?.status_code ?? 200, `${what}: ${answer.text}`);
  const seen = seenIn(answer);
  assert.equal(seen.url, outcome.request?.url, what);
  for (const [name, value] of values(outcome.request?.headers ?? []))
    assert.equal([seen.headers[name]].flat().join(", "), value, `${what}: ${name}`);
  for (const [name, value] of values(outcome.response?.headers ?? []))
    assert.equal(answer.headers[name], value, `${what}: ${name}`);
}

describe("a traffic policy", () => {
  const examples = blocksOf("docs/policies.md");

  test("of a route does what the simulation says: every example of the guide, over HTTP/1.1 and HTTP/2", async () => {
    const port = await freePort();
    const ofRoutes = examples.filter(({ code }) => !code.startsWith("on_tcp_connect"));
    assert.ok(ofRoutes.length > 15);
    const all: { name: string; site: Site }[] = [];
    for (const { name, code } of ofRoutes) all.push({ name, site: await givenSite(code, port) });
    const { problems } = await world.applied();
    const withTokens = all.filter(({ name, site }) => {
      const own = problems.filter(({ object }) => object === site.route);
      assert.deepEqual(
        own.filter(({ code }) => code !== "jwt_keys_missing"),
        [],
        name,
      );
      return own.length > 0;
    });
    const counted = new Set(
      ofRoutes.filter(({ code }) => code.includes("rate-limit")).map(({ name }) => name),
    );
    let cases = 0;
    const kinds = new Set<string>();
    for (const { name, site } of all) {
      if (withTokens.some((other) => other.name === name) || counted.has(name)) continue;
      await eventually(async () => assert.notEqual((await send(site.origin, { path: "/" }, [])).status, 421));
      for (const asked of REQUESTS) {
        const outcome = await simulated(site.origin, asked);
        kinds.add(outcome.kind);
        for (const more of [["--http1.1"], ["--http2"]]) {
          const answer = await send(site.origin, asked, more);
          compare(
            answer,
            outcome,
            `${name} ${more.join()} ${JSON.stringify(asked)} ${JSON.stringify(outcome)}`,
          );
          cases += 1;
        }
      }
    }
    assert.ok(cases > 300, String(cases));
    assert.deepEqual([...kinds].toSorted(), ["response", "upstream"]);
  });

  test("counts for each route, although routes with the same policy share its lines", async () => {
    const value = JSON.stringify({
      on_http_request: [
        {
          actions: [
            {
              type: "rate-limit",
              config: { name: "a", capacity: 2, rate: "60s", bucket_key: ["req.method"] },
            },
          ],
        },
      ],
    });
    const port = await freePort();
    const [one, other] = [await givenSite(value, port), await givenSite(value, port)];
    await world.applied();
    const statuses = async ({ origin }: Site): Promise<number[]> => {
      const found: number[] = [];
      for (let i = 0; i < 4; i++) found.push((await send(origin, { path: "/" }, [])).status);
      return found;
    };
    await eventually(async () =>
      assert.notEqual((await send(other.origin, { path: "/", method: "HEAD" }, ["--head"])).status, 0),
    );
    assert.deepEqual(await statuses(one), [200, 200, 429, 429]);
    assert.deepEqual(await statuses(other), [200, 200, 429, 429]);
  });

  test("of a TCP edge, and of a TLS edge that terminates or passes TLS, closes connections", async () => {
    const value = JSON.stringify({
      on_tcp_connect: [
        {
          expressions: ["inCidrRange(conn.client_ip, '127.0.0.128/25')"],
          actions: [{ type: "close-connection" }],
        },
      ],
    });
    const traffic_policy = { value };
    const encrypted = await startUpstream(
      "policies-tls",
      world.make.server(world.authority, ["passed.policies.test"]),
    );
    const plain = await startUpstream("policies-plain");
    const tcpPort = await freePort();
    await world.given.tcpEdge({
      hostports: [`127.0.0.1:${tcpPort}`],
      backend: { backend_id: (await world.given.staticBackend(plain.address)).id },
      traffic_policy,
    });
    const port = await freePort();
    world.certificateFor("ended.policies.test");
    await world.given.tlsEdge({
      hostports: [`ended.policies.test:${port}`],
      tls_termination: { terminate_at: "edge" },
      backend: { backend_id: (await world.given.staticBackend(plain.address)).id },
      traffic_policy,
    });
    await world.given.tlsEdge({
      hostports: [`passed.policies.test:${port}`],
      backend: { backend_id: (await world.given.staticBackend(encrypted.address)).id },
      tls_termination: { terminate_at: "upstream" },
      traffic_policy,
    });
    const { problems } = await world.applied();
    assert.deepEqual(
      problems.filter(({ code }) => code.startsWith("traffic_policy")),
      [],
    );
    for (const url of [
      `http://127.0.0.1:${tcpPort}/`,
      `https://ended.policies.test:${port}/`,
      `https://passed.policies.test:${port}/`,
    ]) {
      await eventually(async () =>
        assert.equal((await world.get(url, { from: "127.0.0.1" })).status, 200, url),
      );
      assert.equal((await world.get(url, { from: "127.0.0.200" })).status, 0, url);
      const scheme = url.startsWith("http:") ? "tcp" : "tls";
      const { host } = new URL(url);
      for (const [source_ip, kind] of [
        ["127.0.0.1", "upstream"],
        ["127.0.0.200", "closed"],
      ] as const) {
        const request = { url: `${scheme}://${host}`, source_ip };
        const { outcome } = Object(await world.service.call("POST", "/simulations", { request }));
        assert.equal(outcome.kind, kind, `${url} ${source_ip}`);
      }
    }
  });

  test("that cannot be enforced is not served, and other routes of the edge are", async () => {
    const port = await freePort();
    const deny = (expression: string) =>
      JSON.stringify({ on_http_request: [{ expressions: [expression], actions: [{ type: "deny" }] }] });
    const site = await givenSite(deny("conn.geo.country_code == 'PT'"), port);
    await world.given.route(site.id, { match: "/open", backend });
    await world.given.route(site.id, { match: "/broken", backend, traffic_policy: { value: "nonsense: [" } });
    await world.given.route(site.id, {
      match: "/off",
      backend,
      traffic_policy: { value: deny("nonsense"), enabled: false },
    });
    await world.applied();
    await eventually(async () => assert.equal((await send(site.origin, { path: "/open" }, [])).status, 200));
    assert.equal((await send(site.origin, { path: "/off" }, [])).status, 200);
    for (const path of ["/", "/broken", "/x"])
      assert.equal((await send(site.origin, { path }, [])).status, 503, path);
  });

  test("verifies tokens with keys that the agent fetches, and keeps if their server is down", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const other = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const jwk = publicKey.export({ format: "jwk" });
    const keys = await startKeyServer(JSON.stringify({ keys: [{ ...jwk, kid: "1" }] }));
    const policyWith = (url: string) =>
      JSON.stringify({
        on_http_request: [
          {
            actions: [
              {
                type: "jwt-validation",
                config: {
                  issuer: { allow_list: [{ value: "https://issuer.test/" }] },
                  audience: { allow_list: [{ value: "api" }] },
                  http: {
                    tokens: [{ type: "jwt", method: "header", name: "Authorization", prefix: "Bearer " }],
                  },
                  jws: {
                    allowed_algorithms: ["ES256"],
                    keys: [{ sources: { additional_jkus: [url] } }],
                  },
                },
              },
            ],
          },
        ],
      });
    const token = (key: KeyObject, alg = "ES256"): string => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
      const claims = { iss: "https://issuer.test/", aud: "api", exp: Math.floor(Date.now() / 1000) + 600 };
      const text = `${part({ alg, kid: "1" })}.${part(claims)}`;
      return `${text}.${sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
    };
    const port = await freePort();
    const [site, without] = [
      await givenSite(policyWith(keys.url), port),
      await givenSite(policyWith(keys.url.replace("/keys", "/missing")), port),
    ];
    const { problems } = await world.applied();
    assert.deepEqual(
      problems.filter(({ code }) => code === "jwt_keys_missing"),
      [
        {
          object: without.route,
          code: "jwt_keys_missing",
          msg: `The agent has no keys from ${keys.url.replace("/keys", "/missing")}, which the traffic_policy needs to check tokens. It responds with 404 instead of 200.`,
        },
      ],
    );
    const asked = async ({ origin }: Site, authorization?: string): Promise<number> =>
      (
        await send(
          origin,
          {
            path: "/",
            ...(authorization !== undefined && { headers: [["authorization", authorization]] }),
          },
          [],
        )
      ).status;
    const all = async (): Promise<void> => {
      await eventually(async () => assert.equal(await asked(site, `Bearer ${token(privateKey)}`), 200));
      assert.equal(await asked(site), 401);
      assert.equal(await asked(site, `Bearer ${token(other.privateKey)}`), 401);
      assert.equal(await asked(site, `Bearer ${token(privateKey, "none")}`), 401);
      assert.equal(await asked(without, `Bearer ${token(privateKey)}`), 503);
    };
    await all();
    await keys.stop();
    await world.agent.restart();
    await all();
  });
});
