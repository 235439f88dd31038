import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { createServer } from "node:net";
import { test } from "node:test";
import { connect as connectTls, createServer as createTlsServer, type ConnectionOptions } from "node:tls";
import type { Edge, Snapshot } from "../../../packages/model/src/traffic/snapshot.ts";
import { call, exchange, listening, readOverTls } from "./calls.ts";
import { certificate, folder, freePort, serve, serverCertificate } from "./proxy.ts";

const tls = (id: string, hostports: string[], rest: object = {}) =>
  ({
    kind: "tls",
    id,
    hostports,
    backend: { backend_id: "bkdsc_1" },
    tls_termination: { min_version: "1.2" },
    ...rest,
  }) as Edge;

const https = (id: string, hostports: string[], rest: object = {}) =>
  ({
    kind: "https",
    id,
    hostports,
    tls_termination: { min_version: "1.2" },
    routes: [
      { id: `rt_${id}`, match_type: "path_prefix", match: "/", backend: { backend_id: `bkdhr_${id}` } },
    ],
    ...rest,
  }) as Edge;

/** A fixed response for each HTTPS edge, which tells the edge's id. */
const responses = (edges: readonly Edge[]): Snapshot["backends"] =>
  Object.fromEntries(
    edges
      .filter(({ kind }) => kind === "https")
      .map(({ id }) => [
        `bkdhr_${id}`,
        { kind: "http_response", status_code: 200, headers: {}, body: id } as const,
      ]),
  );

test("edges of one port are told apart by SNI, or by address without one", async (t) => {
  const path = folder(t);
  const port = await freePort();
  const plain = await listening(
    t,
    createServer((socket) => socket.end("terminated")),
  );
  const own = certificate(path, ["pass.example"]);
  const passed = await listening(
    t,
    createTlsServer({ cert: readFileSync(own.cert), key: readFileSync(own.key) }, (socket) =>
      socket.end("passed"),
    ),
  );
  const files = new Map(
    ["term.example", "shop.example", "mtls.example", "127.0.0.1", "127.0.0.2"].map((name) => [
      name,
      certificate(path, [name]).pem,
    ]),
  );
  const restriction = { ip_restriction: { ip_policy_ids: ["ipp_local", "ipp_two"] } };
  const edges = [
    tls("edgtls_pass", [`pass.example:${port}`], {
      tls_termination: undefined,
      backend: { backend_id: "bkdsc_pass" },
    }),
    tls("edgtls_term", [`term.example:${port}`, `127.0.0.1:${port}`]),
    tls("edgtls_refused", [`refused.example:${port}`], { ip_restriction: { ip_policy_ids: [] } }),
    tls("edgtls_passrefused", [`passrefused.example:${port}`], {
      tls_termination: undefined,
      backend: { backend_id: "bkdsc_pass" },
      ip_restriction: { ip_policy_ids: [] },
    }),
    tls("edgtls_denied", [`denied.example:${port}`], restriction),
    tls("edgtls_passdenied", [`passdenied.example:${port}`], {
      tls_termination: undefined,
      backend: { backend_id: "bkdsc_pass" },
      ...restriction,
    }),
    https("edghts_shop", [`shop.example:${port}`]),
    https("edghts_ip", [`127.0.0.2:${port}`]),
  ];
  const { problems } = await serve(
    t,
    {
      edges,
      ip_policies: {
        ipp_local: { allow: ["127.0.0.0/8"], deny: [] },
        ipp_two: { allow: [], deny: ["127.0.0.2/32"] },
      },
      backends: {
        bkdsc_1: { kind: "static", address: `127.0.0.1:${plain}`, tls: false },
        bkdsc_pass: { kind: "static", address: `127.0.0.1:${passed}`, tls: false },
        ...responses(edges),
      },
    },
    { certificateFor: (host) => serverCertificate(files.get(host) ?? files.get("term.example") ?? "") },
  );
  assert.deepEqual(problems, []);
  const said = async (servername: string, options: ConnectionOptions = {}) =>
    (await readOverTls({ port, servername, ...options })).text;
  assert.equal(await said("pass.example"), "passed");
  assert.equal(await said("PASS.example"), "passed");
  assert.equal(await said("term.example"), "terminated");
  assert.equal(await said("Term.Example"), "terminated");
  assert.equal(await said(""), "terminated");
  assert.equal(await said("denied.example"), "terminated");
  assert.equal(await said("passdenied.example"), "passed");
  assert.equal(
    await said("denied.example", { localAddress: "127.0.0.3" } as ConnectionOptions),
    "terminated",
  );
  await assert.rejects(said("denied.example", { localAddress: "127.0.0.2" } as ConnectionOptions));
  assert.equal(
    await said("passdenied.example", { localAddress: "127.0.0.3" } as ConnectionOptions),
    "passed",
  );
  await assert.rejects(said("passdenied.example", { localAddress: "127.0.0.2" } as ConnectionOptions));
  await assert.rejects(said("refused.example"));
  await assert.rejects(said("passrefused.example"));
  await assert.rejects(said("nobody.example"));
  assert.equal((await call(port, "shop.example", "/")).body.toString(), "edghts_shop");
  const ip = { host: "127.0.0.2", headers: { host: `127.0.0.2:${port}` } };
  assert.equal((await call(port, "", "/", ip)).body.toString(), "edghts_ip");
  assert.equal((await call(port, "", "/", { ...ip, headers: { host: "shop.example" } })).status, 421);
  assert.equal(await exchange({ port, host: "127.0.0.1" }, "GET / HTTP/1.0\r\n\r\n"), "");
});

test("no form of a request names another host or protocol than its route is for", async (t) => {
  const port = await freePort();
  const upstream = createServer((socket) => {
    socket
      .on("error", () => {})
      .once("data", (data) => {
        socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${data.length}\r\n\r\n${data.toString()}`);
      });
  });
  const { pem } = certificate(folder(t), ["x.example"]);
  await serve(
    t,
    {
      edges: [https("edghts_x", [`x.example:${port}`])],
      backends: {
        bkdhr_edghts_x: { kind: "static", address: `127.0.0.1:${await listening(t, upstream)}`, tls: false },
      },
    },
    { certificateFor: () => serverCertificate(pem) },
  );
  const said = async (target: string, ...headers: string[]): Promise<string> => {
    const socket = connectTls({
      host: "127.0.0.1",
      port,
      servername: "x.example",
      rejectUnauthorized: false,
    });
    socket.write([`GET ${target} HTTP/1.1`, ...headers, "", ""].join("\r\n"));
    const [answer] = (await once(socket, "data")) as [Buffer];
    socket.destroy();
    return answer.toString();
  };
  // From 3.0 on, HAProxy itself rejects a target whose host is not that of the header.
  const misdirected = /^HTTP\/1.1 (?:400|421) /;
  assert.match(await said("/", "Host: x.example"), /^HTTP\/1.1 200 /);
  assert.match(await said("https://x.example/", "Host: x.example"), /^HTTP\/1.1 200 /);
  assert.match(await said("/"), /^HTTP\/1.1 400 /);
  assert.match(await said("https://y.example/"), misdirected);
  assert.match(await said("https://y.example/", "Host: y.example"), misdirected);
  assert.match(await said("/", "Host: y.example,x.example"), misdirected);
  const upgrade = (...headers: string[]) => said("/", "Host: x.example", "Connection: Upgrade", ...headers);
  const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
  assert.match(await upgrade("Upgrade: WebSocket", key), /^upgrade: WebSocket/m);
  assert.doesNotMatch(
    await upgrade("Upgrade: h2c", "HTTP2-Settings: AAMAAABk"),
    /h2c|http2-settings|^upgrade/im,
  );
  assert.doesNotMatch(await upgrade("Upgrade: websocket, h2c", key), /h2c/);
  assert.doesNotMatch(await upgrade("Upgrade: websocket", "Upgrade: h2c", key), /h2c/);
});

test("mutual TLS: certificates of the edge's own authorities, and no session of another edge", async (t) => {
  const path = folder(t);
  const port = await freePort();
  const plain = await listening(
    t,
    createServer((socket) => socket.end("ok")),
  );
  const [one, two] = [certificate(path, ["Authority one"]), certificate(path, ["Authority two"])];
  const three = certificate(path, ["Intermediate"], one, "CA:TRUE");
  const ofThree = certificate(path, ["client.three"], three);
  const third = { cert: readFileSync(ofThree.cert), key: readFileSync(ofThree.key) };
  const clients = [certificate(path, ["client.one"], one), certificate(path, ["client.two"], two)].map(
    ({ cert, key }) => ({ cert: readFileSync(cert), key: readFileSync(key) }),
  );
  const { pem } = certificate(path, ["any.example"]);
  const mutual_tls = (id: string) => ({ mutual_tls: { certificate_authority_ids: [id] } });
  const edges = [
    tls("edgtls_open", [`open.example:${port}`]),
    tls("edgtls_one", [`one.example:${port}`], mutual_tls("ca_1")),
    tls("edgtls_two", [`two.example:${port}`], mutual_tls("ca_2")),
    tls("edgtls_both", [`both.example:${port}`], {
      mutual_tls: { certificate_authority_ids: ["ca_1", "ca_2"] },
    }),
    tls("edgtls_three", [`three.example:${port}`], mutual_tls("ca_3")),
    tls("edgtls_chain", [`chain.example:${port}`], {
      mutual_tls: { certificate_authority_ids: ["ca_3", "ca_1"] },
    }),
    https("edghts_open", [`hopen.example:${port}`]),
    https("edghts_one", [`hone.example:${port}`], mutual_tls("ca_1")),
  ];
  const { problems } = await serve(
    t,
    {
      edges,
      certificate_authorities: {
        ca_3: readFileSync(three.cert, "utf8"),
        ca_1: readFileSync(one.cert, "utf8"),
        ca_2: readFileSync(two.cert, "utf8"),
      },
      backends: {
        bkdsc_1: { kind: "static", address: `127.0.0.1:${plain}`, tls: false },
        ...responses(edges),
      },
    },
    { certificateFor: () => serverCertificate(pem) },
  );
  assert.deepEqual(
    problems.map(({ object, code }) => `${object} ${code}`),
    ["edgtls_three certificate_authority_without_root"],
  );
  for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
    const said = async (servername: string, options: ConnectionOptions = {}) =>
      (await readOverTls({ port, servername, minVersion: version, maxVersion: version, ...options })).text;
    const [first, second] = clients;
    assert.equal(await said("open.example"), "ok");
    assert.equal(await said("one.example", first), "ok");
    assert.equal(await said("two.example", second), "ok");
    assert.equal(await said("both.example", first), "ok");
    assert.equal(await said("both.example", second), "ok");
    await assert.rejects(said("one.example"));
    await assert.rejects(said("three.example", third));
    assert.equal(await said("chain.example", third), "ok");
    await assert.rejects(said("one.example", second));
    await assert.rejects(said("two.example", first));
    assert.equal((await call(port, "hone.example", "/", first)).body.toString(), "edghts_one");
    await assert.rejects(call(port, "hone.example", "/"));
    assert.equal((await call(port, "hopen.example", "/", { headers: { host: "hone.example" } })).status, 421);

    const session = await sessionOf({
      port,
      servername: "open.example",
      minVersion: version,
      maxVersion: version,
    });
    const resumed = await readOverTls({ port, servername: "open.example", session, maxVersion: version });
    assert.equal(resumed.isResumed, true, "a session resumes at its own edge");
    await assert.rejects(said("one.example", { session }), `${version}: a session without a certificate`);
    const ofOne = await sessionOf({ port, servername: "one.example", maxVersion: version, ...first });
    assert.equal(await said("one.example", { session: ofOne, ...first }), "ok");
    await assert.rejects(
      said("two.example", { session: ofOne }),
      `${version}: a session of another authority`,
    );
    await assert.rejects(said("two.example", { session: ofOne, ...first }));
  }
});

test("HTTP/2: routes, and 421 for another host on the same connection", async (t) => {
  const port = await freePort();
  const { pem } = certificate(folder(t), ["any.example"]);
  const edges = [https("edghts_one", [`one.example:${port}`]), https("edghts_two", [`two.example:${port}`])];
  await serve(t, { edges, backends: responses(edges) }, { certificateFor: () => serverCertificate(pem) });
  const session = connectHttp2(`https://127.0.0.1:${port}`, {
    servername: "one.example",
    rejectUnauthorized: false,
  });
  t.after(() => session.destroy());
  const status = async (authority: string) => {
    const stream = session.request({ ":authority": authority, ":path": "/" });
    const [headers] = (await once(stream, "response")) as [Record<string, unknown>];
    stream.resume();
    return headers[":status"];
  };
  assert.equal(await status(`one.example:${port}`), 200);
  assert.equal(await status(`two.example:${port}`), 421);
  assert.equal(await status("one.example"), 200);
});

/** The first session that a server gives. */
async function sessionOf(options: ConnectionOptions): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const { connect } = await import("node:tls");
  const socket = connect({ host: "127.0.0.1", rejectUnauthorized: false, ...options });
  socket.on("session", resolve);
  socket.on("error", () => {});
  socket.resume();
  return promise;
}
