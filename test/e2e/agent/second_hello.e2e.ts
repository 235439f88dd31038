import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { test } from "node:test";
import { connect as connectTls, type SecureVersion } from "node:tls";
import type { Edge, Route } from "../../../packages/model/src/traffic/snapshot.ts";
import { listening } from "./calls.ts";
import { certificate, folder, freePort, serve, serverCertificate } from "./proxy.ts";
import { saidToBoth } from "./two_hellos.ts";

/*
 * Clients whose name in the completed handshake is not the one that the listener of the port has read: after a HelloRetryRequest, or
 * with a session of another name. All names have the same certificate, so the internal listeners know each of them.
 */

/** The policy `ipp_1` allows the first of these addresses. */
const [ALLOWED, REJECTED] = ["127.0.0.2", "127.0.0.3"] as const;
const restricted = { ip_restriction: { ip_policy_ids: ["ipp_1"] } };
const STREAMS = ["open", "other", "closed", "mutual", "passed", "literal"];
const PATHS = ["shop", "inner", "hmutual"];
const hostOf = (name: string) => `${name}.example`;

/** Serves an edge at each name, and one at 127.0.0.1, for clients without a name. Each upstream says the name of its edge. */
async function served(t: Parameters<typeof serve>[0]): Promise<number> {
  const port = await freePort();
  const path = folder(t);
  const authority = readFileSync(certificate(path, ["Authority"]).cert, "utf8");
  const names = [...STREAMS, ...PATHS].map(hostOf);
  const { pem } = certificate(path, names);
  const mutual_tls = { certificate_authority_ids: ["ca_1"] };
  const at = (name: string) => [name === "literal" ? `127.0.0.1:${port}` : `${hostOf(name)}:${port}`];
  const tls_termination = { min_version: "1.2" } as const;
  const stream = (name: string): Edge => ({
    kind: "tls",
    id: `edgtls_${name}`,
    hostports: at(name),
    backend: { backend_id: `bkdsc_${name}` },
    ...(name !== "passed" && { tls_termination }),
    ...(name === "mutual" && { mutual_tls }),
    ...(["closed", "passed"].includes(name) && restricted),
  });
  const route = (name: string): Route => ({
    id: `edghtsrt_${name}`,
    match_type: "path_prefix",
    match: "/",
    backend: { backend_id: `bkdsc_${name}` },
    ...(name === "inner" && restricted),
  });
  const https = (name: string): Edge => ({
    kind: "https",
    id: `edghts_${name}`,
    hostports: at(name),
    tls_termination,
    routes: [route(name)],
    ...(name === "hmutual" && { mutual_tls }),
  });
  const backends = [...STREAMS, ...PATHS].map(async (name) => {
    const server = PATHS.includes(name)
      ? createServer((_, response) => response.end(name))
      : createTcpServer((socket) => socket.on("error", () => {}).end(name));
    const address = `127.0.0.1:${await listening(t, server)}`;
    return [`bkdsc_${name}`, { kind: "static", address, tls: false }] as const;
  });
  const { problems } = await serve(
    t,
    {
      edges: [...STREAMS.map(stream), ...PATHS.map(https)],
      ip_policies: { ipp_1: { allow: [`${ALLOWED}/32`], deny: [] } },
      certificate_authorities: { ca_1: authority },
      backends: Object.fromEntries(await Promise.all(backends)),
    },
    { certificateFor: () => serverCertificate(pem, names) },
  );
  assert.deepEqual(problems, []);
  return port;
}

const request = (name: string) => `GET / HTTP/1.1\r\nhost: ${hostOf(name)}\r\nconnection: close\r\n\r\n`;
/** The body of a response with the status 200; otherwise the status. */
const outcome = (text: string) =>
  text.startsWith("HTTP/1.1 200") ? text.split("\r\n\r\n")[1] : text.slice(9, 12);

test("after a HelloRetryRequest, the edge of the second name counts, with its restriction", async (t) => {
  const port = await served(t);
  const said = async (first: string, second: string, localAddress: string = REJECTED, sent?: string) => {
    const [one, two] = [first, second].map((name) => (name === "" ? undefined : hostOf(name)));
    const { text, isRetried } = await saidToBoth({
      port,
      first: one,
      second: two,
      localAddress,
      ...(sent !== undefined && { sent }),
    });
    return `${text}${isRetried ? "" : " (not retried)"}`;
  };
  assert.equal(await said("open", "open"), "open");
  assert.equal(await said("open", "other"), "other");
  assert.equal(await said("closed", "closed", ALLOWED), "closed");
  assert.equal(await said("open", "closed", ALLOWED), "closed");
  assert.equal(await said("closed", "open", ALLOWED), "open");
  assert.equal(await said("", ""), "literal");
  // Past the restriction, to another listener's edge, and to no edge.
  assert.equal(await said("open", "closed"), "");
  for (const second of ["mutual", "hmutual", "passed", "shop", "inner", "nobody", ""])
    assert.equal(await said("open", second), "", `open, then ${second}`);
  for (const second of ["closed", "mutual", "open"]) assert.equal(await said("", second), "literal", second);
  for (const first of ["closed", "nobody"])
    assert.equal(await said(first, "open"), " (not retried)", `${first}, then open`);

  const got = async (first: string, second: string, host: string, from: string = REJECTED) =>
    outcome(await said(first, second, from, request(host)));
  assert.equal(await got("shop", "shop", "shop"), "shop");
  assert.equal(await got("shop", "inner", "inner", ALLOWED), "inner");
  assert.equal(await got("shop", "inner", "inner"), "403");
  assert.equal(await got("inner", "shop", "shop"), "shop");
  for (const [second, host] of [
    ["inner", "shop"],
    ["shop", "inner"],
    ["hmutual", "hmutual"],
    ["hmutual", "shop"],
    ["shop", "hmutual"],
    ["open", "open"],
    ["open", "shop"],
    ["closed", "inner"],
  ] as const)
    assert.equal(await got("shop", second, host), "421", `shop, then ${second}, host ${host}`);
});

test("a ClientHello in many records leads to the edge of its name, or nowhere", async (t) => {
  const port = await served(t);
  for (const recordSize of [1, 10, 60, 100, 16_384])
    for (const name of ["open", "closed"]) {
      const both = { first: hostOf(name), second: hostOf(name) };
      const { text } = await saidToBoth({ port, localAddress: REJECTED, recordSize, ...both });
      const isWhole = recordSize === 16_384 && name === "open";
      const allowed = isWhole ? ["open"] : ["", "literal", ...(name === "open" ? ["open"] : [])];
      assert.ok(allowed.includes(text), `${name} in records of ${recordSize}: ${text}`);
    }
});

interface Resumed {
  text: string;
  isResumed: boolean;
  session?: Buffer;
}

/** Connects by a name, with a session if given. */
async function resumed(
  port: number,
  name: string,
  version: SecureVersion,
  { session, from, sent }: { session?: Buffer; from: string; sent?: string },
): Promise<Resumed> {
  const options = { host: "127.0.0.1", port, servername: hostOf(name), rejectUnauthorized: false };
  const versions = { minVersion: version, maxVersion: version };
  // The types of Node.js lack the option `localAddress`, which it passes on to the connection.
  const own = { localAddress: from };
  const socket = connectTls({ ...options, ...versions, ...own, ...(session && { session }) });
  const found: Resumed = { text: "", isResumed: false };
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.on("secureConnect", () => {
    found.isResumed = socket.isSessionReused();
    if (sent !== undefined) socket.write(sent);
  });
  socket.on("session", (ticket) => (found.session = ticket));
  socket.on("data", (data: Buffer) => (found.text += data.toString()));
  socket.on("error", () => resolve()).on("close", () => resolve());
  socket.setTimeout(8000, () => socket.destroy());
  await promise;
  return found;
}

test("a session of another name leads past no restriction, and to no other edge", async (t) => {
  const port = await served(t);
  for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
    const said = (name: string, from: string, session?: Buffer) =>
      resumed(port, name, version, { ...(session && { session }), from });
    const got = async (name: string, host: string, from: string, session?: Buffer) => {
      const sent = request(host);
      const found = await resumed(port, name, version, { ...(session && { session }), from, sent });
      return { ...found, text: outcome(found.text) };
    };
    const ofOpen = await said("open", REJECTED);
    const ofClosed = await said("closed", ALLOWED);
    assert.deepEqual([ofOpen.text, ofClosed.text], ["open", "closed"], version);
    const again = await said("open", REJECTED, ofOpen.session);
    assert.deepEqual([again.text, again.isResumed], ["open", true], version);
    const allowed = await said("closed", ALLOWED, ofClosed.session);
    assert.deepEqual([allowed.text, allowed.isResumed], ["closed", true], version);
    assert.equal((await said("closed", REJECTED, ofOpen.session)).text, "", version);
    assert.equal((await said("closed", REJECTED, ofClosed.session)).text, "", version);
    // The session of TLS 1.2 has its name; that of TLS 1.3 has none.
    const crossed = await said("open", REJECTED, ofClosed.session);
    assert.ok(crossed.text === "open" || (version === "TLSv1.2" && crossed.text === ""), crossed.text);

    const ofShop = await got("shop", "shop", REJECTED);
    const ofInner = await got("inner", "inner", ALLOWED);
    assert.deepEqual([ofShop.text, ofInner.text], ["shop", "inner"], version);
    assert.equal((await got("inner", "inner", ALLOWED, ofInner.session)).text, "inner", version);
    for (const [name, session] of [
      ["inner", ofShop.session],
      ["inner", ofInner.session],
      ["shop", ofInner.session],
    ] as const)
      assert.match((await got(name, "inner", REJECTED, session)).text ?? "", /^(?:403|421)$/, version);
  }
});
