import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { before, describe, test } from "node:test";
import { freePort } from "../support/ports.ts";
import { eventually } from "../support/wait.ts";
import { type Answer, type CurlOptions, seenIn } from "./clients.ts";
import { startTcpUpstream, startUpstream, type Upstream } from "./upstreams.ts";
import { OPCODES, openWebsocket } from "./websocket.ts";
import { sharedWorld, type World } from "./world.ts";

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
});

test("a circuit breaker counts an unreachable upstream server as failing", async () => {
  const site = await givenSite("gone");
  const { backend, upstream } = await givenBackend("gone");
  const circuit_breaker = {
    tripped_duration: 2,
    rolling_window: 30,
    volume_threshold: 5,
    error_threshold_percentage: 1,
  };
  await world.given.route(site.id, { match: "/guarded", backend, circuit_breaker });
  await world.given.route(site.id, { match: "/other", backend });
  await world.applied();
  await eventually(async () => assert.equal((await site.get("/other")).status, 200));
  await upstream.stop();
  const answers = await Promise.all(Array.from({ length: 6 }, () => site.get("/guarded")));
  for (const { status } of answers) assert.equal(status, 503);
  await upstream.start();
  const { length } = upstream.seen;
  assert.equal((await site.get("/guarded")).status, 503);
  assert.equal(upstream.seen.length, length);
  await eventually(async () => assert.equal((await site.get("/guarded")).status, 200));
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
