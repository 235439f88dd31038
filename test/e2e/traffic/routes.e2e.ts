import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { setDefaultCACertificates } from "node:tls";
import { gunzipSync } from "node:zlib";
import { type Answer, type CurlOptions, seenIn } from "./clients.ts";
import { freePort } from "./ports.ts";
import { startTcpUpstream, startUpstream, type Upstream } from "./upstreams.ts";
import { OPCODES, openWebsocket } from "./websocket.ts";
import { eventually, sharedWorld, type World } from "./world.ts";

let world: World;

before(async () => {
  world = await sharedWorld();
});

interface Site {
  id: string;
  host: string;
  port: number;
  /** A request for a path. */
  get: (path: string, options?: CurlOptions) => Promise<Answer>;
}

/** An HTTPS edge with a unique name. */
async function givenSite(name: string, port?: number): Promise<Site> {
  const host = `${name}.routes.test`;
  const own = port ?? (await freePort());
  world.certificateFor(host);
  const { id } = await world.given.httpsEdge({ hostports: [`${host}:${own}`] });
  return { id, host, port: own, get: (path, options) => world.get(`https://${host}:${own}${path}`, options) };
}

async function givenBackend(name: string): Promise<{ upstream: Upstream; backend: { backend_id: string } }> {
  const upstream = await startUpstream(name);
  return { upstream, backend: { backend_id: (await world.given.staticBackend(upstream.address)).id } };
}

const answered = (site: Site, path: string): Promise<Answer> =>
  eventually(async () => {
    const answer = await site.get(path);
    assert.notEqual(answer.status, 0, answer.said);
    return answer;
  });

describe("a route", () => {
  test("is selected by its exact path, then by the longest prefix", async () => {
    const site = await givenSite("chosen");
    const matches = [
      ["path_prefix", "/"],
      ["path_prefix", "/api"],
      ["path_prefix", "/api/v2"],
      ["exact_path", "/api/v2/health"],
      ["exact_path", "/api"],
      ["path_prefix", "/a b".replace(" ", "%20")],
      ["path_prefix", "/odd'\"\\$HOME#x".replace("#", "~")],
      ["path_prefix", "/Case"],
    ] as const;
    for (const [match_type, match] of matches) {
      const { backend } = await givenBackend(`${match_type} ${match}`.replace(/[^\x21-\x7e ]/g, ""));
      await world.given.route(site.id, { match_type, match, backend });
    }
    await world.applied();
    await answered(site, "/");
    for (const [path, expected] of [
      ["/", "path_prefix /"],
      ["/x", "path_prefix /"],
      ["/api", "exact_path /api"],
      ["/api?x=/api/v2", "exact_path /api"],
      ["/api/", "path_prefix /api"],
      ["/apix", "path_prefix /api"],
      ["/api/v1", "path_prefix /api"],
      ["/api/v2", "path_prefix /api/v2"],
      ["/api/v20", "path_prefix /api/v2"],
      ["/api/v2/health", "exact_path /api/v2/health"],
      ["/api/v2/health?x", "exact_path /api/v2/health"],
      ["/api/v2/health/", "path_prefix /api/v2"],
      ["/API", "path_prefix /"],
      ["/Case", "path_prefix /Case"],
      ["/case", "path_prefix /"],
      ["/a%20b", "path_prefix /a%20b"],
      ["/odd'\"\\$HOME~x/y", "path_prefix /odd'\"\\$HOME~x"],
    ])
      assert.equal(seenIn(await site.get(path ?? "")).upstream, expected, path);
    assert.equal(seenIn(await site.get("/api/v2/x?a=%27&b=1")).url, "/api/v2/x?a=%27&b=1");
  });

  test("is required: the response is 404 if no route matches the path", async () => {
    const site = await givenSite("none");
    const { backend } = await givenBackend("some");
    await world.given.route(site.id, { match: "/some", backend });
    const empty = await givenSite("empty", site.port);
    await world.applied();
    assert.equal((await answered(site, "/some")).upstream, "some");
    for (const path of ["/", "/som", "/other/some"]) assert.equal((await site.get(path)).status, 404, path);
    for (const path of ["/", "/some"]) assert.equal((await empty.get(path)).status, 404, path);
  });

  test("belongs to the host of its edge: the response is 421 for the Host of another edge", async () => {
    const one = await givenSite("one");
    const two = await givenSite("two", one.port);
    for (const site of [one, two])
      await world.given.route(site.id, { backend: (await givenBackend(site.host)).backend });
    await world.applied();
    for (const site of [one, two]) assert.equal((await answered(site, "/")).upstream, site.host);
    for (const more of [["--http1.1"], ["--http2"]]) {
      const { status, upstream } = await one.get("/", { headers: [`Host: ${two.host}:${two.port}`], more });
      assert.deepEqual([status, upstream], [421, undefined], more.join());
      assert.equal((await one.get("/", { headers: ["Host: nobody.test"], more })).status, 421);
      assert.equal(
        (await one.get("/", { headers: [`Host: ${one.host.toUpperCase()}`], more })).upstream,
        one.host,
      );
      assert.equal((await one.get("/", { more })).upstream, one.host);
    }
  });

  test("accepts bodies, HTTP/1.1 and HTTP/2, and several requests per connection", async () => {
    const site = await givenSite("bodies");
    const { backend, upstream } = await givenBackend("bodies");
    await world.given.route(site.id, { backend });
    await world.applied();
    await answered(site, "/");
    const body = randomBytes(60_000).toString("hex");
    for (const version of ["--http1.1", "--http2"])
      assert.equal(seenIn(await site.get("/", { more: [version, "--data-binary", body] })).body, body);
    upstream.padding = "x".repeat(2_000_000);
    assert.equal((await site.get("/")).text.startsWith(upstream.padding), true);
  });

  test("can be changed, moved to another backend, and deleted", async () => {
    const site = await givenSite("moved");
    const [first, second] = [await givenBackend("before"), await givenBackend("after")];
    await world.given.route(site.id, { match: "/", backend: first.backend });
    const { id } = await world.given.route(site.id, { match: "/x", backend: first.backend });
    await world.applied();
    assert.equal((await answered(site, "/x")).upstream, "before");
    const path = { params: { path: { edge_id: site.id, id } } };
    const { api } = world.service;
    await api.PATCH("/edges/https/{edge_id}/routes/{id}", { ...path, body: { backend: second.backend } });
    await world.applied();
    await eventually(async () => assert.equal((await site.get("/x")).upstream, "after"));
    await api.PATCH("/edges/https/{edge_id}/routes/{id}", { ...path, body: { match: "/y" } });
    await world.applied();
    await eventually(async () => assert.equal((await site.get("/y")).upstream, "after"));
    assert.equal((await site.get("/x")).upstream, "before");
    await api.DELETE("/edges/https/{edge_id}/routes/{id}", path);
    await world.applied();
    await eventually(async () => assert.equal((await site.get("/y")).upstream, "before"));
  });

  test("without a backend responds with 503, and no other route gets the request", async () => {
    const site = await givenSite("closed");
    const { backend } = await givenBackend("behind");
    await world.given.route(site.id, { match: "/", backend });
    await world.given.route(site.id, { match: "/closed" });
    await world.given.route(site.id, { match: "/policy", backend, traffic_policy: { value: "nonsense" } });
    await world.applied();
    assert.equal((await answered(site, "/")).upstream, "behind");
    for (const path of ["/closed", "/closed/x", "/policy"]) {
      const { status, upstream } = await site.get(path);
      assert.deepEqual([status, upstream], [503, undefined], path);
    }
  });
});

describe("headers", () => {
  const ODD = `%[src] 'single' "double" \\ $HOME \${HOME} # é`;

  test("of requests are added and removed", async () => {
    const site = await givenSite("requests");
    const { backend } = await givenBackend("requests");
    const request_headers = {
      add: { "X-Added": "added", "X-Odd": ODD, "X-Both": "ours" },
      remove: ["X-Secret", "x-both", "User-Agent"],
    };
    await world.given.route(site.id, { match: "/on", backend, request_headers });
    await world.given.route(site.id, {
      match: "/off",
      backend,
      request_headers: { ...request_headers, enabled: false },
    });
    await world.applied();
    await answered(site, "/on");
    const headers = ["X-Secret: 1", "X-Secret: 2", "X-Both: theirs", "X-Kept: kept"];
    for (const more of [["--http1.1"], ["--http2"]]) {
      const { headers: on } = seenIn(await site.get("/on", { headers, more }));
      assert.equal(on["x-added"], "added");
      assert.equal(Buffer.from(String(on["x-odd"]), "latin1").toString(), ODD);
      assert.equal(on["x-both"], "ours");
      assert.equal(on["x-kept"], "kept");
      assert.equal(on["x-secret"], undefined);
      assert.equal(on["user-agent"], undefined);
      const { headers: off } = seenIn(await site.get("/off", { headers, more }));
      assert.equal(off["x-added"], undefined);
      assert.equal(off["x-both"], "theirs");
      assert.equal(off["x-secret"], "1, 2");
      assert.match(String(off["user-agent"]), /^curl/);
    }
  });

  test("of responses are added and removed", async () => {
    const site = await givenSite("responses");
    const { backend, upstream } = await givenBackend("responses");
    upstream.headers = { "x-powered-by": "node", "x-both": "theirs", "x-kept": "kept" };
    const fixed = await world.given.fixedResponse({
      body: "fixed",
      headers: { "x-powered-by": "fixed", "x-kept": "fixed" },
    });
    const response_headers = {
      add: { "X-Frame-Options": "DENY", "X-Odd": ODD, "X-Both": "ours" },
      remove: ["X-Powered-By", "x-both"],
    };
    await world.given.route(site.id, { match: "/on", backend, response_headers });
    await world.given.route(site.id, { match: "/off", backend });
    await world.given.route(site.id, {
      match: "/fixed",
      backend: { backend_id: fixed.id },
      response_headers,
    });
    await world.applied();
    await answered(site, "/on");
    for (const more of [["--http1.1"], ["--http2"]])
      for (const [path, kept] of [
        ["/on", "kept"],
        ["/fixed", "fixed"],
      ]) {
        const { headers } = await site.get(path ?? "", { more });
        assert.equal(headers["x-frame-options"], "DENY", path);
        assert.equal(Buffer.from(headers["x-odd"] ?? "", "latin1").toString(), ODD, path);
        assert.equal(headers["x-both"], "ours", path);
        assert.equal(headers["x-powered-by"], undefined, path);
        assert.equal(headers["x-kept"], kept, path);
      }
    const { headers } = await site.get("/off");
    assert.equal(headers["x-powered-by"], "node");
    assert.equal(headers["x-frame-options"], undefined);
  });

  test("tell the upstream server the address of the client", async () => {
    const site = await givenSite("whose");
    const { backend } = await givenBackend("whose");
    await world.given.route(site.id, { backend });
    await world.applied();
    await answered(site, "/");
    const { headers } = seenIn(await site.get("/", { from: "127.0.0.9" }));
    assert.equal(headers["host"], `${site.host}:${site.port}`);
  });
});

test("compression depends on the route and on the encodings that the client accepts", async () => {
  const site = await givenSite("compressed");
  const { backend, upstream } = await givenBackend("compressed");
  upstream.padding = "0123456789".repeat(1_000);
  await world.given.route(site.id, { match: "/on", backend, compression: {} });
  await world.given.route(site.id, { match: "/off", backend });
  await world.applied();
  await answered(site, "/on");
  const headers = ["Accept-Encoding: gzip"];
  for (const more of [["--http1.1"], ["--http2"]]) {
    const on = await site.get("/on", { headers, more });
    assert.equal(on.headers["content-encoding"], "gzip");
    assert.ok(on.body.length < upstream.padding.length / 2);
    assert.ok(gunzipSync(on.body).toString().startsWith(upstream.padding));
    assert.equal((await site.get("/on", { more })).headers["content-encoding"], undefined);
    assert.equal((await site.get("/off", { headers, more })).headers["content-encoding"], undefined);
  }
});

test("a user agent filter: allow overrides deny, and a missing header counts as an empty string", async () => {
  const site = await givenSite("agents");
  const { backend } = await givenBackend("agents");
  const both = { allow: ["(?i)^acme-monitor/", "good bot"], deny: ["(?i)bot", "^evil$"] };
  await world.given.route(site.id, { match: "/both", backend, user_agent_filter: both });
  await world.given.route(site.id, { match: "/deny", backend, user_agent_filter: { deny: ["(?i)bot"] } });
  await world.given.route(site.id, {
    match: "/empty",
    backend,
    user_agent_filter: { allow: ["^$"], deny: ["bot"] },
  });
  await world.given.route(site.id, {
    match: "/off",
    backend,
    user_agent_filter: { ...both, enabled: false },
  });
  await world.applied();
  await answered(site, "/off");
  for (const [path, agent, isIn] of [
    ["/both", "ACME-Monitor/1.0", true],
    ["/both", "acme-monitor/bot", true],
    ["/both", "a good bot", true],
    ["/both", "a Good Robot", false],
    ["/both", "GoogleBot", false],
    ["/both", "evil", false],
    ["/both", undefined, false],
    ["/deny", "curl/8", true],
    ["/deny", "a bot", false],
    ["/deny", undefined, false],
    ["/empty", undefined, true],
    ["/empty", "robot", false],
    ["/off", "robot", true],
    ["/off", undefined, true],
  ] as const)
    for (const version of ["--http1.1", "--http2"]) {
      const { status, upstream } = await site.get(path, {
        headers: [`User-Agent:${agent === undefined ? "" : ` ${agent}`}`],
        more: [version],
      });
      assert.deepEqual(
        [status, upstream],
        isIn ? [200, "agents"] : [403, undefined],
        `${path} ${agent} ${version}`,
      );
    }
});

describe("a circuit breaker", () => {
  const times = async (n: number, site: Site, path: string): Promise<string> => {
    const said: (number | string)[] = [];
    for (let i = 0; i < n; i += 1) {
      const { status } = await site.get(path);
      said.push(status);
    }
    return said.join(" ");
  };

  /** A route with a circuit breaker, and an upstream server whose failures the test controls. */
  const given = async (name: string, circuit_breaker: Record<string, number>) => {
    const site = await givenSite(name);
    const { backend, upstream } = await givenBackend(name);
    await world.given.route(site.id, { match: "/guarded", backend, circuit_breaker });
    await world.given.route(site.id, { match: "/other", backend });
    await world.applied();
    await eventually(async () => assert.equal((await site.get("/other")).status, 200));
    return { site, upstream };
  };

  test("trips by the share of failures, responds with 503, recovers, and does not trip again without failures", async () => {
    const { site, upstream } = await given("percentage", {
      tripped_duration: 3,
      rolling_window: 4,
      volume_threshold: 6,
      error_threshold_percentage: 0.5,
    });
    upstream.behaviour = "fail";
    const first = await times(10, site, "/guarded");
    assert.match(first, /^(500 ){5,7}503 /, first);
    assert.match(first, /503$/, first);
    const { length } = upstream.seen;
    assert.equal(await times(3, site, "/guarded"), "503 503 503");
    assert.equal(upstream.seen.length, length, "the upstream server is left alone");
    assert.equal((await site.get("/other")).status, 500, "other routes go on");
    upstream.behaviour = "answer";
    const since = Date.now();
    await eventually(async () => assert.equal((await site.get("/guarded")).status, 200));
    const took = Date.now() - since;
    assert.ok(took > 1_000, `open for ${took} ms`);
    // Failures before the trip no longer count.
    const until = Date.now() + 4_000;
    while (Date.now() < until) {
      assert.equal((await site.get("/guarded")).status, 200);
      await sleep(100);
    }
  });

  test("does not trip below the share or the volume", async () => {
    const { site, upstream } = await given("below", {
      tripped_duration: 10,
      rolling_window: 30,
      volume_threshold: 10,
      error_threshold_percentage: 0.5,
    });
    upstream.behaviour = "fail";
    assert.equal(await times(4, site, "/guarded"), "500 500 500 500");
    upstream.behaviour = "answer";
    assert.doesNotMatch(await times(12, site, "/guarded"), /503/);
    upstream.behaviour = "fail";
    // 4 of 16 have failed; with eight more, 12 of 24.
    assert.match(await times(11, site, "/guarded"), /^(500 ){7,9}503 .*503$/);
  });

  test("counts an unreachable upstream server as failing", async () => {
    const { site, upstream } = await given("gone", {
      tripped_duration: 2,
      rolling_window: 30,
      volume_threshold: 5,
      error_threshold_percentage: 1,
    });
    await upstream.stop();
    const statuses = await Promise.all(Array.from({ length: 6 }, () => times(1, site, "/guarded")));
    assert.deepEqual(new Set(statuses), new Set(["503"]));
    await upstream.start();
    const { length } = upstream.seen;
    assert.equal((await site.get("/guarded")).status, 503);
    assert.equal(upstream.seen.length, length);
    await eventually(async () => assert.equal((await site.get("/guarded")).status, 200));
  });

  test("trips again if the upstream server still fails", async () => {
    const { site, upstream } = await given("again", {
      tripped_duration: 1,
      rolling_window: 5,
      volume_threshold: 3,
      error_threshold_percentage: 0.5,
    });
    upstream.behaviour = "fail";
    assert.match(await times(6, site, "/guarded"), /503$/);
    await eventually(async () => assert.equal((await site.get("/guarded")).status, 500));
    assert.match(await times(6, site, "/guarded"), /503$/);
  });
});

describe("a websocket that is converted to TCP", () => {
  const given = async (name: string, greeting: string) => {
    const site = await givenSite(name);
    const tcp = await startTcpUpstream(greeting);
    const backend = { backend_id: (await world.given.staticBackend(tcp.address)).id };
    await world.given.route(site.id, { match: "/ws", backend, websocket_tcp_converter: {} });
    await world.applied();
    const open = () =>
      eventually(async () => {
        const client = await openWebsocket(
          { host: site.host, port: site.port, path: "/ws" },
          world.authority,
        );
        assert.equal(client.status, 101);
        return client;
      });
    return { site, tcp, open };
  };

  const flipped = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0xff));

  test("passes bytes of any value in both directions, in messages of any size", async () => {
    const { tcp, open } = await given("converted", "");
    const client = await open();
    const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const sent = [all, randomBytes(200), randomBytes(70_000), randomBytes(300_000)];
    for (const bytes of sent) client.send(OPCODES.binary, bytes);
    const expected = Buffer.concat(sent.map(flipped));
    await eventually(() => assert.equal(client.bytes().length, expected.length));
    assert.ok(client.bytes().equals(expected));
    assert.ok(client.frames.every(({ opcode }) => opcode === OPCODES.binary));
    // A message in fragments, with a ping between them.
    client.send(OPCODES.binary, Buffer.from("in "), false);
    client.send(OPCODES.ping, Buffer.from("ping"));
    client.send(OPCODES.continuation, Buffer.from("fragments"));
    await eventually(() =>
      assert.equal(flipped(client.bytes().subarray(expected.length)).toString(), "in fragments"),
    );
    await eventually(() =>
      assert.ok(
        client.frames.some(({ opcode, payload }) => opcode === OPCODES.pong && String(payload) === "ping"),
      ),
    );
    const { ended } = tcp;
    client.send(OPCODES.close, Buffer.from([0x03, 0xe8]));
    await client.ended;
    assert.ok(client.frames.some(({ opcode }) => opcode === OPCODES.close));
    await eventually(() => assert.ok(tcp.ended > ended, "the TCP connection ends too"));
  });

  test("ends when the TCP server ends the connection, after its last bytes", async () => {
    const { open } = await given("closing", "hello");
    const client = await open();
    await eventually(() => assert.equal(String(client.bytes()), "hello"));
    client.send(OPCODES.binary, Buffer.from("bye"));
    await client.ended;
    assert.ok(client.frames.some(({ opcode }) => opcode === OPCODES.close));
  });

  test("works with the WebSocket client of Node.js", async () => {
    const port = await freePort();
    world.certificateFor("localhost");
    const { id } = await world.given.httpsEdge({ hostports: [`localhost:${port}`] });
    const tcp = await startTcpUpstream("hello");
    const backend = { backend_id: (await world.given.staticBackend(tcp.address)).id };
    await world.given.route(id, { match: "/ws", backend, websocket_tcp_converter: {} });
    await world.applied();
    setDefaultCACertificates([world.authority.pem]);
    const opened = await eventually(async () => {
      const socket = new WebSocket(`wss://localhost:${port}/ws?x`);
      socket.binaryType = "arraybuffer";
      const chunks: Buffer[] = [];
      socket.addEventListener("message", ({ data }) => chunks.push(Buffer.from(data)));
      await once(socket, "open");
      return { socket, chunks };
    });
    const sent = randomBytes(100_000);
    opened.socket.send(sent);
    const expected = Buffer.concat([Buffer.from("hello"), flipped(sent)]);
    await eventually(() => assert.ok(Buffer.concat(opened.chunks).equals(expected)));
    const closed = once(opened.socket, "close");
    opened.socket.close(1000);
    assert.equal(Object((await closed)[0]).code, 1000);
    // Requests without an upgrade are rejected, and so are text frames.
    const { status } = await world.get(`https://localhost:${port}/ws`);
    assert.ok(status >= 400 && status < 500, `${status}`);
  });

  test("is rejected if the TCP server is unreachable", async () => {
    const { tcp, site, open } = await given("unreachable", "hello");
    (await open()).cut();
    await tcp.stop();
    const client = await openWebsocket({ host: site.host, port: site.port, path: "/ws" }, world.authority);
    if (client.status === 101) await client.ended;
    assert.equal(client.bytes().length, 0);
    await tcp.start();
    await eventually(async () => {
      const again = await open();
      await eventually(() => assert.equal(String(again.bytes()), "hello"), 500);
      again.cut();
    }, 8_000);
  });
});

test("a websocket that is not converted is passed to the upstream server unchanged", async () => {
  const site = await givenSite("unconverted");
  const { backend, upstream } = await givenBackend("unconverted");
  await world.given.route(site.id, { backend });
  await world.applied();
  await answered(site, "/");
  upstream.upgrades = true;
  const client = await openWebsocket({ host: site.host, port: site.port, path: "/any" }, world.authority);
  assert.equal(client.status, 101);
  await eventually(() => assert.equal(String(client.bytes()), "hi"));
  client.cut();
  const seen = upstream.seen.at(-1);
  assert.equal(seen?.headers["upgrade"], "websocket");
  assert.equal(seen?.url, "/any");
});
