import assert from "node:assert/strict";
import { createServer as createHttpServer } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { test, type TestContext } from "node:test";
import { connect as connectTls } from "node:tls";
import fc from "fast-check";
import {
  encodedPath,
  type Match,
  matchProblems,
  readTarget,
  RoutesByPlace,
} from "../../../packages/model/src/traffic/paths.ts";
import type { Backend, Route } from "../../../packages/model/src/traffic/snapshot.ts";
import { oddRoute, oddTarget, respelled } from "../../support/odd_paths.ts";
import { listening } from "./calls.ts";
import { certificate, folder, freePort, httpsEdge, serve, serverCertificate } from "./proxy.ts";

/*
 * HAProxy reads paths as `packages/model/src/traffic/paths.ts` does, over HTTP/1.1 and HTTP/2.
 */

const HOST = "x.example";
const seed = Number(process.env["PATHS_SEED"] ?? 1);
const TARGETS = Number(process.env["PATHS"] ?? 4000);

/** Serves routes of one edge, each with a fixed response that names the route. Routes with an upstream have it instead. */
async function served(t: TestContext, routes: (Match & Partial<Route>)[], upstream?: string) {
  const port = await freePort();
  const { pem } = certificate(folder(t), [HOST]);
  const backends: Record<string, Backend> = upstream
    ? { bkdsc_up: { kind: "static", address: upstream, tls: false } }
    : {};
  const all = routes.map((route, index): Route => {
    const backend_id = upstream ? "bkdsc_up" : `bkdhr_${index}`;
    if (!upstream)
      backends[backend_id] = { kind: "http_response", status_code: 200, headers: {}, body: String(index) };
    return { id: `edghtsrt_${index}`, backend: { backend_id }, ...route };
  });
  const { problems } = await serve(
    t,
    {
      edges: [httpsEdge("edghts_1", [`${HOST}:${port}`], all)],
      backends,
    },
    { certificateFor: () => serverCertificate(pem) },
  );
  return { port, problems, routes: all };
}

/** Sends requests one after another, on as few connections as HAProxy permits. Returns status and body of each. */
async function overHttp1(port: number, targets: string[]): Promise<string[]> {
  const open = () =>
    connectTls({
      port,
      host: "127.0.0.1",
      servername: HOST,
      rejectUnauthorized: false,
      ALPNProtocols: ["http/1.1"],
    }).on("error", () => undefined);
  let socket = open();
  const answers: string[] = [];
  for (const target of targets) {
    if (socket.destroyed || socket.readableEnded || !socket.writable) socket = open();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    let text = "";
    const own = socket;
    const read = (data: Buffer): void => {
      text += data.toString("latin1");
      const [head = "", ...rest] = text.split("\r\n\r\n");
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? -1);
      const body = rest.join("\r\n\r\n");
      if (length >= 0 && body.length === length) {
        // HAProxy closes the connection after an error that its own parser found.
        if (/^connection: close/im.test(head)) own.destroy();
        resolve(`${head.slice(9, 12)} ${body}`);
      }
    };
    const end = (): void => {
      if (/^HTTP\/1\.. 400/.test(text)) resolve("400 ");
      else reject(new Error(`No answer to ${JSON.stringify(target)}: ${JSON.stringify(text)}`));
    };
    own.on("data", read).on("close", end).on("error", end);
    own.write(Buffer.from(`GET ${target} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`, "latin1"));
    answers.push(await promise);
    own.off("data", read).off("close", end).off("error", end);
  }
  socket.destroy();
  return answers;
}

/** The same over HTTP/2, at once. A request that HAProxy's parser rejects ends in a reset stream: here, 400. */
async function overHttp2(port: number, targets: string[]): Promise<string[]> {
  const session = connectHttp2(`https://${HOST}:${port}`, {
    lookup: (_host, { all }, done) =>
      all ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4),
    rejectUnauthorized: false,
  });
  const answers: string[] = [];
  for (const target of targets) {
    const { promise, resolve } = Promise.withResolvers<string>();
    const stream = session.request({ ":path": target, ":authority": HOST });
    let status = "";
    let body = "";
    stream.on("response", (headers) => (status = String(headers[":status"])));
    stream.on("data", (data: Buffer) => (body += data.toString("latin1")));
    stream.on("error", () => undefined);
    stream.on("close", () => resolve(status === "" ? "400 " : `${status} ${body}`));
    answers.push(await promise);
  }
  session.destroy();
  return answers;
}

test(`${TARGETS} paths lead to the routes that the model names, over HTTP/1.1 and HTTP/2`, async (t) => {
  const drawn = fc.sample(oddRoute, { numRuns: 90, seed });
  const faults = matchProblems(drawn.map((route, index) => ({ ...route, id: String(index) })));
  const routes = drawn.filter((_, index) => !faults.has(String(index)));
  assert.ok(routes.length > 25, String(routes.length));
  const { port, problems } = await served(t, routes);
  assert.deepEqual(problems, []);
  const table = new RoutesByPlace(routes.map((route, index) => ({ ...route, index })));
  const target = fc.oneof(
    oddTarget,
    fc.constantFrom(...routes).chain(({ match }) => respelled(match)),
  );
  const targets = fc.sample(target, { numRuns: TARGETS, seed });
  const expected = targets.map((target) => {
    const path = readTarget(target);
    if (path === undefined) return "400";
    const route = table.at({ match_type: "exact_path", path });
    return route ? `200 ${route.index}` : "404";
  });
  const counts = Object.groupBy(expected, (each) => each.slice(0, 3));
  for (const status of ["200", "400", "404"])
    assert.ok((counts[status]?.length ?? 0) > TARGETS / 20, `${status}: ${counts[status]?.length}`);
  for (const send of [overHttp1, overHttp2]) {
    const answers = await send(port, targets);
    for (const [index, target] of targets.entries()) {
      const answer = answers[index] ?? "";
      const got = answer.startsWith("200") ? answer : answer.slice(0, 3);
      assert.equal(got, expected[index], `${send.name} ${JSON.stringify(target)}`);
    }
  }
});

test("every byte of a reading has the form of url_enc, and long paths have prefixes", async (t) => {
  const bytes = Array.from({ length: 256 }, (_, code) => code).filter(
    (code) => ![0, 10, 13, 46].includes(code),
  );
  const escaped = bytes.map((code) => `/x%${code.toString(16).padStart(2, "0")}`);
  // The service limits edges to 100 routes, the proxy does not.
  const { port, problems } = await served(
    t,
    [...escaped, `/${"%FF".repeat(170)}`].map((match, index) => ({
      match_type: index === escaped.length ? ("path_prefix" as const) : ("exact_path" as const),
      match,
    })),
  );
  assert.deepEqual(problems, []);
  assert.deepEqual(
    await overHttp1(port, escaped),
    escaped.map((_, index) => `200 ${index}`),
  );
  const long = `/${"%FF".repeat(5000)}`;
  assert.deepEqual(await overHttp1(port, [long]), [`200 ${escaped.length}`]);
  assert.equal(encodedPath("/a b\u00ff~_-."), "%2Fa%20b%FF~_-.");
});

test("the upstream gets the path as it was sent", async (t) => {
  const upstream = createHttpServer((request, response) => response.end(request.url));
  const { port } = await served(
    t,
    [
      { match_type: "path_prefix", match: "/a/b" },
      { match_type: "exact_path", match: "/é\\'\"$%25{}" },
    ],
    `127.0.0.1:${await listening(t, upstream)}`,
  );
  const sent = [
    "/a/b",
    "//a///b",
    "/a/%62?x=//..",
    "/%61%2fb/..;/\\",
    "/%C3%A9\\'\"$%25{}",
    "/%c3%a9%5c'%22$%25{}",
  ];
  assert.deepEqual(
    await overHttp1(port, sent),
    sent.map((target) => `200 ${target}`),
  );
});

test("requests without a path, and those that HAProxy alone would pass on, get a 400", async (t) => {
  const { port } = await served(t, [{ match_type: "path_prefix", match: "/" }]);
  const statuses = async (lines: string[]): Promise<string[]> => {
    const found: string[] = [];
    for (const line of lines) {
      const socket = connectTls({ port, host: "127.0.0.1", servername: HOST, rejectUnauthorized: false });
      socket.write(Buffer.from(`${line} HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`, "latin1"));
      let text = "";
      socket.on("error", () => {});
      for await (const data of socket) text += String(data);
      found.push(text.slice(9, 12));
    }
    return found;
  };
  assert.deepEqual(
    await statuses([
      "GET /",
      "OPTIONS *",
      "CONNECT x.example:443",
      "GET /\u007f",
      "GET /?\u007f",
      "GET /a%0ab",
      "GET /%",
    ]),
    ["200", "400", "400", "400", "400", "400", "400"],
  );
  const answers = await overHttp2(port, ["/", "*", "/ü", "/?ü", "/\u007f"]);
  const [path, asterisk = "", ...others] = answers.map((answer) => answer.slice(0, 3));
  // HAProxy 3.0 makes `*` a slash, and the upstream gets that.
  assert.match(asterisk, /^(?:400|200)$/);
  assert.deepEqual([path, ...others], ["200", "400", "400", "400"]);
});

test("routes of an older service that are read as the same path, or not at all, return 503 in place of a shorter route", async (t) => {
  const { port, problems } = await served(t, [
    { match_type: "path_prefix", match: "/" },
    { match_type: "exact_path", match: "/über" },
    { match_type: "exact_path", match: "/%C3%BCber" },
    { match_type: "path_prefix", match: "/cut%2" },
    { match_type: "exact_path", match: "/x/../admin" },
  ]);
  assert.deepEqual(
    problems.map(({ object, code }) => `${object} ${code}`),
    [
      "edghtsrt_1 match_taken",
      "edghtsrt_2 match_taken",
      "edghtsrt_3 match_unreadable",
      "edghtsrt_4 match_unreadable",
    ],
  );
  const paths = ["/", "/%c3%bcber", "//%C3%BCber", "/cut%20", "/cut%2dx", "/x/../admin", "/admin"];
  const answers = await overHttp1(port, paths);
  assert.deepEqual(
    answers.map((answer) => answer.slice(0, 3)),
    ["200", "503", "503", "503", "503", "400", "200"],
  );
});
