import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { connect as connectHttp2, constants } from "node:http2";
import { get } from "node:https";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { featuresOf, knows } from "../../../packages/agent/src/features.ts";
import { DROP_TRAILERS } from "../../../packages/agent/src/render/global.ts";
import { render } from "../../../packages/agent/src/render/render.ts";
import { State } from "../../../packages/agent/src/state.ts";
import { MachineFailure } from "../../../packages/agent/src/verdict.ts";
import { call, listening } from "./calls.ts";
import {
  certificate,
  folder,
  freePort,
  httpsEdge,
  serve,
  serverCertificate,
  settings,
  snapshot,
  VERSION,
} from "./proxy.ts";

/*
 * How long an upstream can be silent (`--upstream-timeout`), and what depends on the version of HAProxy.
 */

const HOST = "x.example";

/** Serves an upstream that can be silent for a second. Returns the port. */
async function served(t: TestContext, upstream: RequestListener): Promise<number> {
  const server = createHttpServer(upstream);
  t.after(() => server.closeAllConnections());
  const address = `127.0.0.1:${await listening(t, server)}`;
  const port = await freePort();
  const { pem } = certificate(folder(t), [HOST]);
  await serve(
    t,
    {
      edges: [
        httpsEdge(
          "edghts_1",
          [`${HOST}:${port}`],
          [{ id: "edghtsrt_1", match_type: "path_prefix", match: "/", backend: { backend_id: "bkdsc_1" } }],
        ),
      ],
      backends: { bkdsc_1: { kind: "static", address, tls: false } },
    },
    { certificateFor: () => serverCertificate(pem), upstreamTimeout: 1 },
  );
  return port;
}

/** The status and body of a GET over HTTP/2, and whether the stream was reset. */
function overHttp2(port: number, path: string): Promise<{ status: string; body: string; isReset: boolean }> {
  const session = connectHttp2(`https://${HOST}:${port}`, {
    lookup: (_host, { all }, done) =>
      all ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4),
    rejectUnauthorized: false,
  });
  return new Promise((resolve, reject) => {
    const stream = session.request({ ":path": path, ":authority": HOST });
    let status = "";
    let body = "";
    session.on("error", reject);
    stream.on("response", (headers) => (status = String(headers[":status"])));
    stream.on("data", (data: Buffer) => (body += data.toString()));
    stream.on("error", () => {});
    stream.on("close", () => {
      const isReset = stream.rstCode !== constants.NGHTTP2_NO_ERROR;
      session.destroy();
      resolve({ status, body, isReset });
    });
  });
}

/** How the response to a GET over HTTP/1.1 ends: the code of the error, or `end`. */
const endOverHttp1 = (port: number, path: string): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, servername: HOST, path, headers: { host: HOST } };
    get({ ...options, rejectUnauthorized: false, agent: false }, (response) => {
      response.resume();
      response.on("end", () => resolve("end"));
      response.on("error", (error: NodeJS.ErrnoException) => resolve(error.code));
    }).on("error", reject);
  });

test("an upstream that is silent for longer than the limit is cut off, before its response and within it", async (t) => {
  const port = await served(t, (request, response) => {
    if (request.url === "/silent") return;
    if (request.url === "/stream") response.write("part");
    else response.writeHead(200, { "content-length": 8 }).write("part");
  });
  assert.equal((await call(port, HOST, "/silent")).status, 504);
  assert.equal((await overHttp2(port, "/silent")).status, "504");
  // Over HTTP/1.1, the connection ends before the body does, so clients notice.
  assert.equal(await endOverHttp1(port, "/stream"), "ECONNRESET");
  // HAProxy 2.6 ends the stream as if it were complete: only a Content-Length shows the client that something is missing.
  const { isReset, ...rest } = await overHttp2(port, "/stream");
  assert.deepEqual(rest, { status: "200", body: "part" });
  if (VERSION !== "2.6") assert.ok(isReset);
  assert.deepEqual(await overHttp2(port, "/length"), { status: "200", body: "part", isReset: true });
});

test("the limit is 60 seconds by default, and trailers are dropped where HAProxy can", () => {
  const configuration = (given: Parameters<typeof settings>[0]): string =>
    render(snapshot({}), settings(given)).files.get("haproxy.cfg") ?? "";
  const usual = configuration({});
  assert.match(usual, /^ {4}timeout server 60s$/m);
  assert.doesNotMatch(usual, /trailers/);
  assert.match(configuration({ upstreamTimeout: 3600 }), /^ {4}timeout server 3600s$/m);
  assert.ok(configuration({ dropsTrailers: true }).includes(`\n    ${DROP_TRAILERS}\n`));
});

test("HAProxy is asked which options it knows, and a failure of the machine is no answer", async (t) => {
  assert.equal(await knows("haproxy", "option http-ignore-probes"), true);
  assert.equal(await knows("haproxy", "option http-drop-nothing"), false);
  await assert.rejects(knows("/nonexistent/haproxy", "option http-ignore-probes"), MachineFailure);
  const other = join(folder(t), "haproxy");
  writeFileSync(
    other,
    '#!/bin/sh\necho "[ALERT] (1) : config : parsing [$3:5] : no such user." >&2\nexit 1\n',
    {
      mode: 0o755,
    },
  );
  await assert.rejects(knows(other, "option http-ignore-probes"), MachineFailure);
  const killed = join(folder(t), "haproxy");
  writeFileSync(killed, "#!/bin/sh\nkill -9 $$\n", { mode: 0o755 });
  const state = new State(folder(t));
  await assert.rejects(featuresOf(killed, "2.6.1", state), MachineFailure);
  const features = await featuresOf("haproxy", "2.6.1", state);
  assert.deepEqual(features, { dropsTrailers: await knows("haproxy", DROP_TRAILERS) });
  // It has answered, so it is not asked again. Another version is.
  assert.deepEqual(await featuresOf(killed, "2.6.1", state), features);
  await assert.rejects(featuresOf(killed, "2.6.2", state), MachineFailure);
});
