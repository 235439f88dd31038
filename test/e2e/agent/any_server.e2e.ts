import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { join } from "node:path";
import { test } from "node:test";
import { ask } from "../../../packages/agent/src/admin_socket.ts";
import type { Edge } from "../../../packages/model/src/traffic/snapshot.ts";
import { body } from "./agent.ts";
import { call, listening } from "./calls.ts";
import { certificate, folder, freePort, httpsEdge, serve, serverCertificate, tcpEdge } from "./proxy.ts";

/*
 * Sections for any upstream prove the destination in the entry: without one, HAProxy would call its own loopback, and without a name it
 * would accept any certificate. Every wrong entry names the port of a server on loopback that would answer.
 */

/** Parts of an entry that are no address and no port. */
const ADDRESSES = [
  "",
  "localhost",
  "127.0.0.x",

  "unix",
  "0",
  "1",
  "fd@1",

  "[127.0.0.1]",
];
const PORTS = ["", "0", "65536", "4294967376", "-1", "x"];

async function served(t: Parameters<typeof serve>[0]) {
  const [tcp, other, port] = [await freePort(), await freePort(), await freePort()];
  const path = folder(t);
  const root = certificate(path, ["Root"]);
  const leaf = certificate(path, ["up.example"], root);
  const { pem } = certificate(path, ["x.example"]);
  const plain = await listening(
    t,
    createServer((_, response) => response.end("plain")),
  );
  const keys = { cert: readFileSync(leaf.cert), key: readFileSync(leaf.key) };
  const secure = await listening(
    t,
    createHttpsServer(keys, (_, response) => response.end("secure")),
  );
  const edge: Edge = httpsEdge(
    "edghts_1",
    [`x.example:${port}`],
    ["plain", "secure"].map((name) => ({
      id: `edghtsrt_${name}`,
      match_type: "exact_path",
      match: `/${name}`,
      backend: { backend_id: `bkdsc_${name}` },
    })),
  );
  const { settings, arrangement } = await serve(
    t,
    {
      edges: [
        tcpEdge("edgtcp_plain", [`127.0.0.1:${tcp}`], "bkdsc_plain"),
        tcpEdge("edgtcp_secure", [`127.0.0.1:${other}`], "bkdsc_secure"),
        edge,
      ],
      backends: {
        bkdsc_plain: { kind: "static", address: `127.0.0.1:${plain}`, tls: false },
        bkdsc_secure: { kind: "static", address: `up.example:${secure}`, tls: true },
      },
    },
    { certificateFor: () => serverCertificate(pem), resolve: () => ["127.0.0.1"], upstreamRoots: root.cert },
  );
  const set = async (id: string, entry: string): Promise<void> => {
    const [map, key] = id.startsWith("edgtcp_")
      ? ["entries", id]
      : ["routes/exact", `${arrangement.names.tables.get(edge.id)}/%2F${id.slice("edghtsrt_".length)}`];
    const said = await ask(
      join(settings.sockets, "admin"),
      `set map ${join(settings.directory, map)} ${key} ${id}~${entry}`,
    );
    assert.equal(said.trim(), "");
  };
  const get = async (path: string) => {
    const { status, body } = await call(port, "x.example", path);
    return status === 200 ? body.toString() : status;
  };
  return { plain, secure, set, get, ports: { plain: tcp, secure: other } };
}

test("a connection whose entry has no address or no port is closed", async (t) => {
  const { plain, secure, set, ports } = await served(t);
  const said = async (id: "plain" | "secure", entry: string): Promise<string> => {
    await set(`edgtcp_${id}`, entry);
    return body(ports[id]);
  };
  assert.equal(await said("plain", `open~tcp_any~127.0.0.1~${plain}~`), "plain");
  for (const address of ADDRESSES)
    assert.equal(await said("plain", `open~tcp_any~${address}~${plain}~`), "", `address ${address}`);
  for (const bad of PORTS)
    assert.equal(await said("plain", `open~tcp_any~127.0.0.1~${bad}~`), "", `port ${bad}`);
  for (const restriction of ["", "nobody", "OPEN", "ipp_gone", "open|open"])
    assert.equal(await said("plain", `${restriction}~tcp_any~127.0.0.1~${plain}~`), "", restriction);
  assert.equal(await said("plain", "open"), "");
  assert.equal(await said("secure", `open~tcp_any_tls~127.0.0.1~${secure}~up.example`), "secure");
  for (const name of ["", "other.example"])
    assert.equal(await said("secure", `open~tcp_any_tls~127.0.0.1~${secure}~${name}`), "", `name ${name}`);
});

test("a request whose entry has no address, no port or no name for TLS gets a 503", async (t) => {
  const { plain, secure, set, get } = await served(t);
  const said = async (id: "plain" | "secure", entry: string) => {
    await set(`edghtsrt_${id}`, entry);
    return get(`/${id}`);
  };
  assert.equal(await said("plain", `open~http_any~127.0.0.1~${plain}~`), "plain");
  for (const address of ADDRESSES)
    assert.equal(await said("plain", `open~http_any~${address}~${plain}~`), 503, `address ${address}`);
  for (const bad of PORTS)
    assert.equal(await said("plain", `open~http_any~127.0.0.1~${bad}~`), 503, `port ${bad}`);
  assert.equal(await said("plain", "open"), 503);
  assert.equal(await said("secure", `open~http_any_tls~127.0.0.1~${secure}~up.example`), "secure");
  for (const name of ["", "other.example"])
    assert.equal(await said("secure", `open~http_any_tls~127.0.0.1~${secure}~${name}`), 503, `name ${name}`);
  assert.equal(await said("secure", `open~http_any_tls~~${secure}~up.example`), 503);
});
