import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { connect as connectTls } from "node:tls";
import type { Route } from "../../../packages/model/src/traffic/snapshot.ts";
import { listening } from "./calls.ts";
import { certificate, folder, freePort, httpsEdge, serve, serverCertificate } from "./proxy.ts";

/*
 * Headers that a client must not control, on the wire. An upstream shows the head of the request that it got.
 */

const HOST = "x.example";

/** Serves a route to an upstream that responds with what it got. Returns a function that sends bytes and reads the response. */
async function served(t: TestContext, modules: Partial<Route> = {}) {
  const sockets = new Set<Socket>();
  const upstream = createServer((socket) => {
    sockets.add(socket);
    let text = "";
    socket.on("error", () => undefined);
    socket.on("data", (data: Buffer) => {
      text += data.toString("latin1");
      const end = text.indexOf("\r\n\r\n");
      if (end === -1) return;
      const head = text.slice(0, end);
      const isUpgrade = /^upgrade:/im.test(head);
      const status = isUpgrade
        ? "101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
        : "200 OK";
      socket.write(
        Buffer.from(
          isUpgrade
            ? `HTTP/1.1 ${status}\r\n\r\n${head}`
            : `HTTP/1.1 ${status}\r\nContent-Length: ${head.length}\r\n\r\n${head}`,
          "latin1",
        ),
      );
      if (isUpgrade) socket.end();
      text = "";
    });
  });
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  const address = `127.0.0.1:${await listening(t, upstream)}`;
  const port = await freePort();
  const { pem } = certificate(folder(t), [HOST]);
  const { problems } = await serve(
    t,
    {
      edges: [
        httpsEdge(
          "edghts_1",
          [`${HOST}:${port}`],
          [
            {
              id: "edghtsrt_1",
              match_type: "path_prefix",
              match: "/",
              backend: { backend_id: "bkdsc_1" },
              ...modules,
            },
          ],
        ),
      ],
      backends: { bkdsc_1: { kind: "static", address, tls: false } },
    },
    { certificateFor: () => serverCertificate(pem) },
  );
  assert.deepEqual(problems, []);
  /** The status, and the lines that the upstream got. */
  const send = (lines: string[], start = "GET / HTTP/1.1"): Promise<{ status: string; got: string[] }> =>
    new Promise((resolve, reject) => {
      const socket = connectTls(
        { port, host: "127.0.0.1", servername: HOST, rejectUnauthorized: false },
        () => socket.write(Buffer.from(`${[start, ...lines].join("\r\n")}\r\n\r\n`, "latin1")),
      );
      let text = "";
      socket.on("error", reject);
      socket.on("data", (data: Buffer) => {
        text += data.toString("latin1");
        const [head = "", ...rest] = text.split("\r\n\r\n");
        const body = rest.join("\r\n\r\n");
        const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? -1);
        if (length >= 0 && body.length >= length && !/close/i.test(lines.join())) socket.destroy();
      });
      socket.on("close", () => {
        const [head = "", body = ""] = text.split("\r\n\r\n");
        resolve({ status: head.slice(9, 12), got: body.split("\r\n").slice(1) });
      });
    });
  return send;
}

test("Connection names no header that the next server removes", async (t) => {
  const send = await served(t, { request_headers: { add: { "X-Add": "edge" }, remove: null } });
  const { got } = await send([
    `Host: ${HOST}`,
    "Connection: X-Forwarded-For, X-Add, Host, Keep-Alive",
    "Keep-Alive: timeout=5",
    "Proxy-Connection: keep-alive",
    "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
  ]);
  assert.deepEqual(got, [
    `host: ${HOST}`,
    "x-forwarded-for: 127.0.0.1",
    "x-forwarded-proto: https",
    "x-add: edge",
  ]);
  // The client's own `close` is obeyed: the connection ends without the client's help.
  const closed = await send([`Host: ${HOST}`, "Connection: close, X-Add"]);
  assert.deepEqual(closed, { status: "200", got: got });
});

test("a websocket is the only upgrade, and Connection names nothing else", async (t) => {
  const send = await served(t);
  const websocket = await send([
    `Host: ${HOST}`,
    "Connection: Upgrade, X-Forwarded-For",
    "Upgrade: websocket",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ]);
  assert.equal(websocket.status, "101");
  assert.deepEqual(
    websocket.got.filter((line) => /^(?:connection|upgrade|x-forwarded-for):/.test(line)).toSorted(),
    ["connection: upgrade", "upgrade: websocket", "x-forwarded-for: 127.0.0.1"],
  );
  const other = await send([`Host: ${HOST}`, "Connection: Upgrade", "Upgrade: h2c"]);
  assert.equal(other.status, "200");
  assert.deepEqual(
    other.got.filter((line) => /^(?:connection|upgrade):/.test(line)),
    [],
  );
});

test("headers that the edge sets or removes have no other spelling", async (t) => {
  const send = await served(t, {
    request_headers: { add: { "X-Add": "edge", x_under: "edge" }, remove: ["X-Secret-Key", "x.y-z"] },
  });
  const { got } = await send([
    `Host: ${HOST}`,
    ...[
      "X_Forwarded_For",
      "x-forwarded_for",
      "x_forwarded-proto",
      "X_FORWARDED_HOST",
      "x_add",
      "X-Under",
      "x_secret_key",
    ].map((name) => `${name}: client`),
    ...["x-secret_key", "X-SECRET-KEY", "x.y_z", "x-add", "x_under"].map((name) => `${name}: client`),
    ...["x-forwarded-host", "x-y-z", "xx_add", "x_add_more", "x_other"].map((name) => `${name}: kept`),
  ]);
  assert.deepEqual(got.toSorted(), [
    `host: ${HOST}`,
    "x-add: edge",
    "x-forwarded-for: 127.0.0.1",
    "x-forwarded-host: kept",
    "x-forwarded-proto: https",
    "x-y-z: kept",
    "x_add_more: kept",
    "x_other: kept",
    "x_under: edge",
    "xx_add: kept",
  ]);
});

test("requests that the next server could read differently get a 400", async (t) => {
  const send = await served(t);
  for (let code = 0; code < 256; code++) {
    const character = String.fromCharCode(code);
    const isValid = code === 9 || (code >= 0x20 && code !== 0x7f);
    // A line break begins another header.
    if (character === "\n") continue;
    const { status, got } = await send([`Host: ${HOST}`, `X-A: a${character}b`]);
    assert.equal(status, isValid ? "200" : "400", `0x${code.toString(16)}`);
    if (isValid) assert.ok(got.includes(`x-a: a${character}b`), `0x${code.toString(16)}`);
  }
  assert.equal((await send(["X-A: b"])).status, "400");
  assert.equal((await send(["X-A: b"], "GET / HTTP/1.0")).status, "200");
  assert.equal(
    (await send([`Host: ${HOST}`, "Transfer-Encoding: chunked", "", "0"], "POST / HTTP/1.0")).status,
    "400",
  );
  assert.equal((await send([`Host: ${HOST}`, "Content-Length: 0"], "POST / HTTP/1.0")).status, "200");
  for (const version of ["0.9", "1.2", "1.9", "2.0", "3.0", "9.9"])
    for (const lines of [
      [`Host: ${HOST}`],
      ["X-A: b"],
      [`Host: ${HOST}`, "Transfer-Encoding: chunked", "", "0"],
    ])
      assert.equal((await send(lines, `POST / HTTP/${version}`)).status, "400", version);
});

test("CONNECT is rejected in every form, so nothing passes the rules in a tunnel", async (t) => {
  const send = await served(t);
  for (const target of [
    "/",
    `https://${HOST}/`,
    `https://${HOST}:443/x`,
    `http://${HOST}:80/`,
    `${HOST}:443`,
  ])
    for (const host of [HOST, `${HOST}:443`, `${HOST}:80`])
      for (const version of ["1.1", "1.0"]) {
        const { status } = await send([`Host: ${host}`], `CONNECT ${target} HTTP/${version}`);
        assert.equal(status, "400", `${target} ${host}`);
      }
});
