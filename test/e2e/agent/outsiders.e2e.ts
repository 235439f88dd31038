import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect as connectHttp2, type ClientHttp2Session, type OutgoingHttpHeaders } from "node:http2";
import { Agent, createServer as createHttpsServer, request } from "node:https";
import { join } from "node:path";
import { test } from "node:test";
import { connect as connectTls, createSecureContext, TLSSocket } from "node:tls";
import { ask } from "../../../packages/agent/src/admin_socket.ts";
import type { Edge } from "../../../packages/model/src/traffic/snapshot.ts";
import { listening } from "./calls.ts";
import { certificate, folder, freePort, httpsEdge, serve, serverCertificate } from "./proxy.ts";

/*
 * What clients try against the routes that share sections: requests on reused connections, and forms of a request that could mean
 * another edge or path.
 */

const HOSTS = ["one.example", "two.example"] as const;

/** Each route's upstream: two plain ones, and two names over TLS at one address. Both edges have all of them, the other way round. */
const UPSTREAMS = ["plain_a", "plain_b", "tls_a", "tls_b"] as const;
type Upstream = (typeof UPSTREAMS)[number];
const upstreamFor = (host: string, path: string): string =>
  host === HOSTS[0] ? path : path.replace(/[ab]$/, (last) => (last === "a" ? "b" : "a"));

async function served(t: Parameters<typeof serve>[0]) {
  const port = await freePort();
  const path = folder(t);
  const { pem } = certificate(path, HOSTS);
  const root = certificate(path, ["Root of upstreams"]);
  let connections = 0;
  const seen: { name: string; host: string; url: string }[] = [];
  const answer =
    (nameOf: (request: IncomingMessage) => string) =>
    (request: IncomingMessage, response: ServerResponse) => {
      const name = nameOf(request);
      seen.push({ name, host: request.headers.host ?? "", url: request.url ?? "" });
      response.end(name);
    };
  const plain = async (name: Upstream): Promise<string> => {
    const server = createServer(answer(() => name)).on("connection", () => (connections += 1));
    return `127.0.0.1:${await listening(t, server)}`;
  };
  const contexts = new Map(
    (["tls_a", "tls_b"] as const).map((name) => {
      const { cert, key } = certificate(path, [`${name.at(-1)}.up.example`], root);
      return [
        `${name.at(-1)}.up.example`,
        createSecureContext({ cert: readFileSync(cert), key: readFileSync(key) }),
      ];
    }),
  );
  const secure = createHttpsServer(
    { SNICallback: (name, found) => found(null, contexts.get(name)) },
    answer(({ socket }) => (socket instanceof TLSSocket ? `tls_${String(socket.servername)[0]}` : "")),
  ).on("secureConnection", () => (connections += 1));
  const securePort = await listening(t, secure);
  const backends = {
    plain_a: { kind: "static", address: await plain("plain_a"), tls: false },
    plain_b: { kind: "static", address: await plain("plain_b"), tls: false },
    tls_a: { kind: "static", address: `a.up.example:${securePort}`, tls: true },
    tls_b: { kind: "static", address: `b.up.example:${securePort}`, tls: true },
  } as const;
  const edges = HOSTS.map((host, n): Edge =>
    httpsEdge(
      `edghts_${n}`,
      [`${host}:${port}`],
      [
        ...UPSTREAMS.map((name) => ({
          id: `edghtsrt_${n}${name.replace("_", "")}`,
          match_type: "exact_path" as const,
          match: `/${name}`,
          backend: { backend_id: upstreamFor(host, name) },
        })),
        // From 3.0 on, HAProxy reads the path `*` of HTTP/2 as `/`.
        ...["/closed", "/"].map((match) => ({
          id: `edghtsrt_${n}closed${match.length}`,
          match_type: "exact_path" as const,
          match,
          backend: { backend_id: "plain_a" },
          ip_restriction: { ip_policy_ids: [] },
        })),
        {
          id: `edghtsrt_${n}rest`,
          match_type: "path_prefix",
          match: "/",
          backend: { backend_id: "plain_a" },
        },
      ],
    ),
  );
  const { settings, problems, arrangement } = await serve(
    t,
    { edges, backends },
    {
      certificateFor: () => serverCertificate(pem, HOSTS),
      resolve: () => ["127.0.0.1"],
      upstreamRoots: root.cert,
    },
  );
  assert.deepEqual(problems, []);
  return { port, settings, arrangement, backends, seen, connections: () => connections };
}

/** The response to a request over a kept connection of HTTP/1.1. */
function overOne(agent: Agent, port: number, host: string, path: string): Promise<string> {
  const options = { host: "127.0.0.1", port, servername: host, path, headers: { host }, agent };
  return new Promise((resolve, reject) => {
    request(options, async (response) => resolve(Buffer.concat(await response.toArray()).toString()))
      .on("error", reject)
      .end();
  });
}

async function overTwo(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
): Promise<{ status: number; text: string }> {
  const stream = session.request(headers);
  let status = 0;
  stream.on("response", (found) => (status = found[":status"] ?? 0)).on("error", () => {});
  stream.end();
  let text = "";
  stream.on("data", (piece: Buffer) => (text += piece.toString()));
  await new Promise<void>((resolve) => stream.on("close", () => resolve()));
  return { status, text };
}

function session(
  t: { after: (hook: () => void) => void },
  port: number,
  servername: string,
): ClientHttp2Session {
  const opened = connectHttp2(`https://127.0.0.1:${port}`, { servername, rejectUnauthorized: false });
  opened.on("error", () => {});
  t.after(() => opened.destroy());
  return opened;
}

test("no request on a reused connection reaches the upstream of another edge or route", async (t) => {
  const { port, settings, arrangement, backends, connections } = await served(t);
  const agents = new Map(
    HOSTS.map((host) => [host, new Agent({ keepAlive: true, maxSockets: 3, rejectUnauthorized: false })]),
  );
  t.after(() => agents.forEach((agent) => agent.destroy()));
  const sessions = new Map(HOSTS.map((host) => [host, session(t, port, host)]));
  const asked = async (n: number): Promise<void> => {
    const host = HOSTS[n % 2] ?? HOSTS[0];
    const path = UPSTREAMS[(n >> 1) % 4] ?? UPSTREAMS[0];
    const [agent, http2] = [agents.get(host), sessions.get(host)];
    assert.ok(agent && http2);
    const text =
      n % 3 === 0
        ? (await overTwo(http2, { ":path": `/${path}`, ":authority": host })).text
        : await overOne(agent, port, host, `/${path}`);
    assert.equal(text, upstreamFor(host, path), `request ${n}: ${host}/${path}`);
  };
  const queue = Array.from({ length: 900 }, (_, n) => n);
  const client = async () => {
    for (let n = queue.pop(); n !== undefined; n = queue.pop()) await asked(n);
  };
  await Promise.all(Array.from({ length: 9 }, client));
  t.diagnostic(`900 requests on ${connections()} connections to upstreams`);
  assert.ok(connections() < 300, `${connections()} connections: they are reused`);

  // The next request after a change, on connections that have been in use.
  const [agent, http2] = [agents.get(HOSTS[0]), sessions.get(HOSTS[0])];
  assert.ok(agent && http2);
  for (let round = 0; round < 20; round++) {
    const name = round % 2 === 0 ? "plain_b" : "plain_a";
    const [address, own] = backends[name].address.split(":");
    const file = join(settings.directory, "routes/exact");
    const key = `${arrangement.names.tables.get("edghts_0")}/%2Fplain_a`;
    await ask(
      join(settings.sockets, "admin"),
      `set map ${file} ${key} edghtsrt_0plaina~open~http_any~${address}~${own}~`,
    );
    assert.equal(await overOne(agent, port, HOSTS[0], "/plain_a"), name);
    assert.equal((await overTwo(http2, { ":path": "/plain_a", ":authority": HOSTS[0] })).text, name);
  }
});

test("no form of a request reaches a restricted path, or the upstream with the host of another edge", async (t) => {
  const { port, seen } = await served(t);
  const raw = async (...lines: string[]): Promise<string> => {
    const options = { host: "127.0.0.1", port, servername: HOSTS[0], rejectUnauthorized: false };
    const socket = connectTls({ ...options, ALPNProtocols: ["http/1.1"] }).on("error", () => {});
    socket.setTimeout(5000, () => socket.destroy());
    socket.write([...lines, "", ""].join("\r\n"));
    const [data] = await once(socket, "data");
    socket.destroy();
    return String(data).slice(9, 12);
  };
  const one = `Host: ${HOSTS[0]}`;
  assert.equal(await raw("GET /x HTTP/1.1", one), "200");
  assert.equal(await raw("GET /closed HTTP/1.1", one), "403");
  for (const target of [
    "/closed?x",
    `https://${HOSTS[0]}/closed`,
    `HTTPS://${HOSTS[0]}/closed?`,
    `http://${HOSTS[0]}/closed`,
  ])
    assert.match(await raw(`GET ${target} HTTP/1.1`, one), /^(?:4\d\d)$/, target);
  const disguises = [
    "//closed",
    "/%63losed",
    "/%2fclosed",
    "/%2F/%63%6Cosed?x",
    "/./closed",
    "/x/../closed",
    "/%2e/closed",
    "/x/%2E%2e/closed",
    "/x/..%2Fclosed",
    "/closed/.",
    "/closed%00",
    "/closed/x/..",
  ];
  for (const target of disguises)
    assert.match(await raw(`GET ${target} HTTP/1.1`, one), /^(?:400|403)$/, target);
  // Upstreams could drop what follows a number sign.
  assert.match(await raw("GET /closed#x HTTP/1.1", one), /^(?:400|403)$/);
  const upgrade = [
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  assert.equal(await raw("GET /closed HTTP/1.1", one, ...upgrade), "403");
  for (const target of ["*", "127.0.0.1:22", `${HOSTS[0]}:443`, "closed", `${HOSTS[0]}/closed`, ""])
    for (const method of ["OPTIONS", "CONNECT", "GET", "PRI"])
      assert.match(await raw(`${method} ${target} HTTP/1.1`, one), /^4\d\d$/, `${method} ${target}`);
  for (const host of [
    HOSTS[1],
    `${HOSTS[1]}:${port}`,
    `${HOSTS[0]}@${HOSTS[1]}`,
    `${HOSTS[1]}#${HOSTS[0]}`,
    `${HOSTS[0]}, ${HOSTS[1]}`,
    `${HOSTS[0]}:${HOSTS[1]}`,
    `${HOSTS[0]}:80:${HOSTS[1]}`,
    `${HOSTS[0]}:@${HOSTS[1]}`,
    `${HOSTS[0]}:80@${HOSTS[1]}`,
    `[${HOSTS[0]}]${HOSTS[1]}`,
    `${HOSTS[0]} ${HOSTS[1]}`,
    "",
  ])
    assert.match(await raw("GET /x HTTP/1.1", `Host: ${host}`), /^4\d\d$/, `Host: ${host}`);
  for (const host of [HOSTS[0], `${HOSTS[0]}:${port}`, `${HOSTS[0]}:`, `${HOSTS[0].toUpperCase()}.:443`])
    assert.equal(await raw("GET /x HTTP/1.1", `Host: ${host}`), "200", host);
  for (const target of [
    `https://${HOSTS[1]}/x`,
    `https://${HOSTS[0]}@${HOSTS[1]}/x`,
    `https://${HOSTS[0]}:@${HOSTS[1]}/x`,
  ])
    assert.match(await raw(`GET ${target} HTTP/1.1`, one), /^4\d\d$/, target);
  assert.match(await raw("GET /x HTTP/1.1", one, `Host: ${HOSTS[1]}`), /^4\d\d$/);
  assert.match(await raw("GET /x HTTP/1.1", `Host: ${HOSTS[1]}`, one), /^4\d\d$/);

  // Some of these end the connection.
  const two = async (headers: OutgoingHttpHeaders) =>
    (await overTwo(session(t, port, HOSTS[0]), headers)).status;
  assert.equal(await two({ ":path": "/x", ":authority": HOSTS[0] }), 200);
  assert.equal(await two({ ":path": "/closed", ":authority": HOSTS[0] }), 403);
  assert.notEqual(await two({ ":path": "/closed#x", ":authority": HOSTS[0] }), 200);
  for (const authority of [HOSTS[1], `${HOSTS[0]}@${HOSTS[1]}`, `${HOSTS[0]}, ${HOSTS[1]}`])
    assert.notEqual(await two({ ":path": "/x", ":authority": authority }), 200, authority);
  for (const path of ["*", "closed", "//", ...disguises])
    assert.notEqual(await two({ ":path": path, ":authority": HOSTS[0] }), 200, path);
  await two({ ":path": "/both", ":authority": HOSTS[0], host: HOSTS[1] });
  await two({ ":path": "/scheme", ":authority": HOSTS[0], ":scheme": "http" });
  assert.notEqual(await two({ ":method": "CONNECT", ":authority": "127.0.0.1:22" }), 200);

  assert.ok(seen.length >= 3);
  assert.deepEqual(
    seen.filter(({ host, url }) => !/^one\.example\.?(?::\d*)?$/i.test(host) || /closed|two/.test(url)),
    [],
  );
});
