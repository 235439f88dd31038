import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { connect as connectHttp2, constants } from "node:http2";
import { join } from "node:path";
import { test } from "node:test";
import { connect as connectTls } from "node:tls";
import type { Action } from "../../../packages/model/src/policy/base/program.ts";
import { LATENCY_BUCKETS, PLACES } from "../../../packages/model/src/traffic/counts.ts";
import type { Edge } from "../../../packages/model/src/traffic/snapshot.ts";
import { eventually, until } from "../support/wait.ts";
import { told, type World } from "./agent.ts";
import { exchange, read, readOverTls } from "./calls.ts";
import { freePort, restricted, tcpEdge } from "./proxy.ts";
import { HOST, MINUTE, policy, route, saved, served, written } from "./traffic_world.ts";

/*
 * What the agent counts of the traffic, and what it writes to its access log. Ending the agent makes it write down what it has counted.
 */

/** The JSON lines of the access log. */
const accessLog = (here: World): Record<string, unknown>[] =>
  here
    .log()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line): Record<string, unknown> => JSON.parse(line));

test("requests are counted by edge and route, by status and by what denied them", async (t) => {
  const limit: Action = { do: "rate_limit", name: "n", capacity: 2, seconds: 3600, key: [], enforce: true };
  const deny: Action = { do: "deny", status: 403 };
  const respond: Action = { do: "respond", status: 418, type: "text/plain", body: ["tea"], headers: [] };
  const circuit = {
    tripped_duration: 600,
    rolling_window: 60,
    num_buckets: 10,
    volume_threshold: 2,
    error_threshold_percentage: 0.5,
  };
  const { get, counted, port } = await served(t, [
    route("plain"),
    route("fixed", { backend: { backend_id: "bkdhr_1" } }),
    route("closed", { ip_restriction: { ip_policy_ids: ["ipp_2"] } }),
    route("agents", { user_agent_filter: { allow: null, deny: ["evil"] } }),
    route("policy", policy(deny)),
    route("respond", policy(respond)),
    route("limited", policy(limit)),
    route("circuit", { circuit_breaker: circuit }),
    route("down", { backend: { backend_id: "bkdsc_down" } }),
  ]);
  for (const path of ["/plain", "/plain/404", "/plain/500", "/plain/302"]) await get(path);
  assert.equal(await get("/fixed"), 200);
  assert.equal(await get("/closed"), 403);
  assert.equal(await get("/agents", { "user-agent": "evil" }), 403);
  assert.equal(await get("/agents", { "user-agent": "good" }), 200);
  assert.equal(await get("/policy"), 403);
  assert.equal(await get("/respond"), 418);
  assert.deepEqual([await get("/limited"), await get("/limited"), await get("/limited")], [200, 200, 429]);
  for (const status of [500, 500, 503]) assert.equal(await get("/circuit/500"), status);
  assert.equal(await get("/down"), 503);
  assert.equal(await get("/nowhere"), 404);
  assert.equal(await get("/plain", { host: "b.example.com" }), 421);
  // For a certificate with an RSA key.
  await assert.rejects(
    readOverTls({ port, servername: HOST, maxVersion: "TLSv1.2", ciphers: "AES128-SHA256" }),
  );
  const { of, total, lost } = await counted();
  assert.deepEqual(of("edghtsrt_plain"), { requests: 4, "2xx": 1, "3xx": 1, "4xx": 1, "5xx": 1 });
  assert.deepEqual(of("edghtsrt_fixed"), { requests: 1, "2xx": 1 });
  assert.deepEqual(of("edghtsrt_closed"), { requests: 1, "4xx": 1, ip_restriction: 1 });
  assert.deepEqual(of("edghtsrt_agents"), { requests: 2, "2xx": 1, "4xx": 1, user_agent_filter: 1 });
  assert.deepEqual(of("edghtsrt_policy"), { requests: 1, "4xx": 1, traffic_policy: 1 });
  assert.deepEqual(of("edghtsrt_respond"), { requests: 1, "4xx": 1 });
  assert.deepEqual(of("edghtsrt_limited"), { requests: 3, limited: 1, "2xx": 2, "4xx": 1 });
  assert.deepEqual(of("edghtsrt_circuit"), { requests: 3, circuit_open: 1, "5xx": 3 });
  assert.deepEqual(of("edghtsrt_down"), { requests: 1, upstream_errors: 1, "5xx": 1 });
  assert.equal(of("edghts_1").requests, 19);
  assert.equal(of("edghts_1").tls_failures, 1);
  assert.deepEqual([total.requests, total.connections, lost], [19, 20, 0]);
});

test("connections are counted: over TCP, denied before they begin, and with TLS that is passed through or terminated", async (t) => {
  const [tcp, denied, tls, hidden] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const tlsEdge = (id: string, port: number): Edge => ({
    kind: "tls",
    id,
    hostports: [`${HOST}:${port}`],
    backend: { backend_id: "bkdsc_text" },
    tls_termination: { min_version: "1.2" },
  });
  const edges: Edge[] = [
    tcpEdge("edgtcp_open", [`127.0.0.1:${tcp}`], "bkdsc_text"),
    restricted(tcpEdge("edgtcp_denied", [`127.0.0.1:${denied}`], "bkdsc_text"), ["ipp_2"]),
    tlsEdge("edgtls_ended", tls),
    restricted(tlsEdge("edgtls_hidden", hidden), ["ipp_2"]),
  ];
  const { counted } = await served(t, [route("plain")], ["--allow-port=1"], () => edges);
  for (let times = 0; times < 3; times += 1) assert.equal(await read(tcp), "text");
  for (let times = 0; times < 2; times += 1) assert.equal(await read(denied), "");
  assert.equal((await readOverTls({ port: tls, servername: HOST })).text, "text");
  await assert.rejects(readOverTls({ port: hidden, servername: HOST }));
  // Of no edge.
  await assert.rejects(readOverTls({ port: hidden, servername: "other.example.com" }));
  // No ClientHello at all.
  assert.equal(await exchange({ port: tls, host: "127.0.0.1" }, "GET / HTTP/1.0\r\n\r\n"), "");
  const { of, total, lost } = await counted();
  assert.deepEqual(of("edgtcp_open"), { connections: 3 });
  assert.deepEqual(of("edgtcp_denied"), { connections: 2, ip_restriction: 2 });
  assert.deepEqual(of("edgtls_ended"), { connections: 1 });
  assert.deepEqual(of("edgtls_hidden"), { connections: 1, ip_restriction: 1 });
  assert.deepEqual([total.connections, total["ip_restriction"], lost], [9, 3, 0]);
});

test("nothing is lost through a reload, an agent that stands still, and one that is killed", async (t) => {
  const { here, get, publish, start, counted } = await served(t, [route("plain")]);
  const over = new AbortController();
  let answered = 0;
  const clients = Array.from({ length: 4 }, async () => {
    while (!over.signal.aborted) {
      assert.equal(await get("/plain"), 200);
      answered += 1;
    }
  });
  const more = async (count: number): Promise<void> => {
    const goal = answered + count;
    await until(`${count} more requests`, () => answered >= goal);
  };
  await more(100);
  await here.service.applied(publish([tcpEdge("edgtcp_1", [`127.0.0.1:${await freePort()}`], "bkdsc_text")]));
  await more(100);
  here.agent?.kill("SIGSTOP");
  await more(200);
  here.agent?.kill("SIGCONT");
  await eventually(() => assert.ok((saved(here).of("edghtsrt_plain").requests ?? 0) >= 400));
  const before = saved(here).of("edghtsrt_plain").requests ?? 0;
  await here.end("SIGKILL");
  await more(100);
  start();
  await more(100);
  // HAProxy 3 connects again after some seconds.
  await until(
    "lines are counted again",
    () => (saved(here).of("edghtsrt_plain").requests ?? 0) > before + 100,
  );
  over.abort();
  await Promise.all(clients);
  await until("all connections have ended", async () => {
    const rows = (await told(join(here.state, "run/admin"), "show stat -1 1 -1")).split("\n");
    return rows.filter((row) => row.startsWith("port_")).every((row) => row.split(",")[4] === "0");
  });
  const { of, total, lost } = await counted();
  const seen = of("edghtsrt_plain").requests ?? 0;
  t.diagnostic(`${answered} answered, ${seen} counted, ${lost} lost, ${before} before the kill`);
  // What had arrived before the kill, and was not written down, is lost, and counted as that. Each request has a connection.
  assert.equal((total.requests ?? 0) + (total.connections ?? 0) + lost, 2 * answered);
  assert.ok(seen > before + 100);
});

test("what a worker serves after it was replaced, or while HAProxy ends, is counted or lost, but not forgotten", async (t) => {
  const { here, get, publish, counted, waiting, upstream } = await served(t, [route("plain")]);
  const asked: string[] = [];
  upstream.on("request", ({ url = "" }) => void (url.includes("never") && asked.push(url)));
  const answer = async (request: Promise<number>): Promise<void> => {
    waiting.pop()?.end("answer");
    assert.equal(await request, 200);
  };
  const replaced = get("/plain/later");
  await until("a request waits", () => waiting.length === 1);
  await here.service.applied(publish([tcpEdge("edgtcp_1", [`127.0.0.1:${await freePort()}`], "bkdsc_text")]));
  await answer(replaced);
  const last = get("/plain/later");
  await until("a request waits", () => waiting.length === 1);
  const endless = get("/plain/never");
  await until("the upstream is asked", () => asked.length === 1);
  const end = counted();
  // With the one that is cut off.
  let answered = 3;
  await until("no connection is accepted", () =>
    get("/plain").then(
      () => {
        answered += 1;
        return false;
      },
      () => true,
    ),
  );
  await answer(last);
  // This one is cut off.
  await assert.rejects(endless);
  const { total, lost } = await end;
  const { requests = 0, connections = 0 } = total;
  t.diagnostic(`${requests} requests, ${connections} connections, ${lost} lost`);
  // Each request has a connection.
  assert.equal(requests + connections + lost, 2 * answered);
});

test("the access log has what failed, without queries, headers and addresses", async (t) => {
  const routes = [route("plain"), route("closed", { ip_restriction: { ip_policy_ids: ["ipp_2"] } })];
  const { here, get, counted } = await served(t, routes);
  const secrets = {
    cookie: "session=secret-cookie",
    authorization: "Bearer secret-token",
    "x-secret": "secret-header",
  };
  await get("/plain/200?token=secret-query", secrets);
  await get("/plain/500/secret-path?token=secret-query", secrets);
  await get("/closed?token=secret-query", secrets);
  await counted();
  const lines = accessLog(here);
  assert.deepEqual(
    lines.map(({ at, ms, bytes, upstream, ...others }) => {
      assert.match(String(at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.ok(Number(ms) >= 0 && Number(bytes) > 0);
      return others;
    }),
    [
      { kind: "request", edge: "edghts_1", route: "edghtsrt_plain", status: 500, state: "--", method: "GET" },
      {
        kind: "request",
        edge: "edghts_1",
        route: "edghtsrt_closed",
        status: 403,
        rejected_by: "ip_restriction",
        state: "PR",
        method: "GET",
      },
    ],
  );
  assert.doesNotMatch(here.log(), /secret/);
});

test("the access log has all requests with paths, and addresses of clients, only if it is asked to", async (t) => {
  const { here, get, counted } = await served(t, [route("plain")], ["--access-log=all", "--traffic=sources"]);
  await get(String.raw`/plain/200/x"\%0a{}?token=secret-query`);
  await counted();
  const lines = accessLog(here).filter(({ kind }) => kind === "request");
  assert.deepEqual(
    lines.map(({ path, source, method }) => ({ path, source, method })),
    [{ path: String.raw`/plain/200/x#22\%0a{}`, source: "127.0.0.1", method: "GET" }],
  );
  assert.doesNotMatch(here.log(), /secret/);
});

test("with both options off, HAProxy logs nothing", async (t) => {
  const { here, get } = await served(t, [route("plain")], ["--access-log=off", "--traffic=off"]);
  assert.equal(await get("/plain/500"), 500);
  await here.end("SIGTERM");
  assert.doesNotMatch(readFileSync(join(here.state, "current/haproxy.cfg"), "utf8"), /^ring |log-format/m);
  assert.doesNotMatch(here.log(), /edghts_1/);
});

test("a websocket is a request with a status of 1xx, and has no latency", async (t) => {
  const { here, port, upstream, counted } = await served(t, [route("socket")]);
  const head = ["GET /socket HTTP/1.1", `Host: ${HOST}`, "Connection: Upgrade", "Upgrade: websocket"];
  upstream.on("upgrade", (_request, socket) => {
    socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n",
    );
    socket.on("data", (data: Buffer) => socket.end(`echo ${data.toString()}`));
  });
  const client = connectTls({ port, host: "127.0.0.1", servername: HOST, rejectUnauthorized: false });
  let text = "";
  client.on("data", (data: Buffer) => {
    if (text === "") client.write("hello");
    text += data.toString();
  });
  client.write(
    `${head.join("\r\n")}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  );
  await once(client, "close");
  assert.match(text, /^HTTP\/1.1 101 [^]*echo hello$/);
  const { of, total, lost } = await counted();
  assert.deepEqual(of("edghtsrt_socket"), { requests: 1, "1xx": 1 });
  assert.deepEqual([total.requests, total.connections, lost], [1, 1, 0]);
  const hour = written(here).open.find(({ resolution }) => resolution === 3600);
  assert.ok(hour?.total.slice(PLACES.latency).every((number) => number === 0));
});

test("a request over HTTP/2 that the client resets is aborted", async (t) => {
  const { port, counted, upstream } = await served(t, [route("plain")]);
  const session = connectHttp2(`https://${HOST}:${port}`, {
    rejectUnauthorized: false,
    lookup: (_host, _options, found) => found(null, [{ address: "127.0.0.1", family: 4 }]),
  });
  session.on("error", () => {});
  const request = session.request({ ":path": "/plain/never" });
  request.on("error", () => {});
  request.end();
  const [, waiting] = await once(upstream, "request");
  request.close(constants.NGHTTP2_CANCEL);
  await once(waiting, "close");
  session.destroy();
  const { of } = await counted();
  assert.equal(of("edghtsrt_plain").aborted, 1);
});

test("each minute is reported once it is over, by the service's clock, with servers and metrics", async (t) => {
  const metrics = await freePort();
  const { here, get } = await served(
    t,
    [
      route("plain"),
      route("down", { backend: { backend_id: "bkdsc_down" } }),
      route("first", { backend: { backend_id: "bkdfo_1" } }),
    ],
    ["--traffic=sources", `--metrics=127.0.0.1:${metrics}`],
  );
  await get("/plain");
  await get("/down");
  // Five seconds before the next minute: the agent looks at least each second until it knows the time.
  const next = MINUTE - ((Date.now() + here.service.ahead) % MINUTE);
  here.service.ahead += next - 5_000;
  // Another minute can have begun during the test.
  const minutes = await until("both requests are reported", () => {
    const all = here.service.reports.filter(({ resolution }) => resolution === 60);
    return all.reduce((sum, { totals }) => sum + totals.requests, 0) === 2 ? all : undefined;
  });
  const plain = minutes.flatMap(({ objects }) => objects).find(({ id }) => id === "edghtsrt_plain");
  for (const { at, lost } of minutes) assert.deepEqual([Date.parse(at) % MINUTE, lost], [0, 0]);
  assert.deepEqual(plain?.top_sources, [{ source: "127.0.0.1", requests: 1 }]);
  assert.equal(plain.requests, 1);
  assert.equal(plain.latency.length, LATENCY_BUCKETS);
  const servers = minutes.at(-1)?.upstreams?.map(({ backend_id, up, since }) => {
    assert.ok(Math.abs(Date.parse(since) - Date.now() - here.service.ahead) < 2 * MINUTE, since);
    return [backend_id, up];
  });
  assert.deepEqual(servers?.toSorted(), [
    ["bkdsc_closed", false],
    ["bkdsc_down", false],
    ["bkdsc_text", true],
    ["bkdsc_up", true],
  ]);
  const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
  for (const expected of [
    'edge_local_traffic_total{object="edghtsrt_plain",class="requests"} 1',
    'edge_local_responses_total{object="edghtsrt_down",class="5xx"} 1',
    'edge_local_failures_total{object="edghtsrt_down",class="upstream"} 1',
    "edge_local_lost_lines_total 0",
  ])
    assert.ok(text.split("\n").includes(expected), `${expected}\n${text}`);
});

/** A directory, with something in it, where the agent wants a file of its state. */
function obstruct(here: World, name: string): string {
  const path = join(here.state, name);
  mkdirSync(join(path, "inner"), { recursive: true, mode: 0o700 });
  return path;
}

test("an agent whose log cannot be read serves, says so, ends in time, and counts once it can be read", async (t) => {
  let path = "";
  const { here, get, start, counted } = await served(t, [route("plain")], [], (one) => {
    path = obstruct(one, "run/log");
    return [];
  });
  const isCounting = (expected: boolean) =>
    here.service.reported(
      ({ problems }) => problems.every(({ code }) => code !== "traffic_not_counted") === expected,
    );
  await isCounting(false);
  assert.equal(await get("/plain"), 200);
  const begin = performance.now();
  await here.end("SIGTERM");
  assert.ok(performance.now() - begin < 8_000, "the agent ends in time");
  start();
  here.service.statuses.length = 0;
  await isCounting(false);
  rmSync(path, { recursive: true });
  here.service.statuses.length = 0;
  await isCounting(true);
  assert.equal(await get("/plain"), 200);
  await eventually(() => assert.equal(saved(here).of("edghtsrt_plain").requests, 1));
  assert.equal((await counted()).of("edghtsrt_plain").requests, 1);
});

test("an agent that cannot write down what it has counted reports it all the same", async (t) => {
  const { here, get } = await served(t, [route("plain")], [], (one) => {
    obstruct(one, "traffic.json");
    obstruct(one, "traffic_reports.json");
    return [];
  });
  await get("/plain");
  here.service.ahead += MINUTE - ((Date.now() + here.service.ahead) % MINUTE) - 5_000;
  await until("the request is reported", () =>
    here.service.reports.some(({ resolution, totals }) => resolution === 60 && totals.requests === 1),
  );
  await here.service.reported(({ problems }) => problems.some(({ code }) => code === "traffic_not_counted"));
  assert.equal(await get("/plain"), 200);
});
