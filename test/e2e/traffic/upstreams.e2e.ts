import assert from "node:assert/strict";
import { networkInterfaces } from "node:os";
import { after, before, describe, test } from "node:test";
import { freePort } from "../support/ports.ts";
import { eventually } from "../support/wait.ts";
import { seenIn } from "./clients.ts";
import { startUpstream } from "./upstreams.ts";
import { sharedWorld, startWorld, type World } from "./world.ts";

/*
 * Which upstream servers the agent may call, and how their TLS certificates are verified.
 */

describe("an upstream server with TLS", { concurrency: true }, () => {
  let world: World;
  const cases = [
    ["localhost", "of its name", true],
    ["other.test", "of another name", false],
    ["localhost", "signed by nobody who is trusted", false],
    ["localhost", "that is plain", false],
  ] as const;
  const urls = new Map<string, string[]>();
  let failover: number;

  before(async () => {
    world = await sharedWorld();
    const { given, make, authority } = world;
    const strange = make.authority("authority-of-strangers");
    const backends: string[] = [];
    for (const [host, what] of cases) {
      const certificate =
        what === "that is plain"
          ? undefined
          : make.server(what.includes("nobody") ? strange : authority, [host]);
      const upstream = await startUpstream(what, certificate);
      const { id: backend_id } = await given.staticBackend(`localhost:${upstream.port}`, true);
      backends.unshift(backend_id);
      const [tcpPort, port] = [await freePort(), await freePort()];
      await given.tcpEdge({ hostports: [`127.0.0.1:${tcpPort}`], backend: { backend_id } });
      const name = `${urls.size}.upstreams.test`;
      world.certificateFor(name);
      const { id } = await given.httpsEdge({ hostports: [`${name}:${port}`] });
      await given.route(id, { backend: { backend_id } });
      urls.set(what, [`http://127.0.0.1:${tcpPort}/`, `https://${name}:${port}/`]);
    }
    failover = await freePort();
    const { id: backend_id } = await given.failover(backends);
    await given.tcpEdge({ hostports: [`127.0.0.1:${failover}`], backend: { backend_id } });
    await world.applied();
  });

  test("is called by a failover backend, in whose list those with other certificates come first", () =>
    eventually(async () =>
      assert.equal((await world.get(`http://127.0.0.1:${failover}/`)).upstream, "of its name"),
    ));

  for (const [host, what, isGood] of cases)
    test(`is ${isGood ? "called" : "not called"} with a certificate ${what}`, async () => {
      for (const url of isGood ? (urls.get(what) ?? []) : []) {
        const { upstream, tls } = seenIn(
          await eventually(async () => {
            const answer = await world.get(url);
            seenIn(answer);
            return answer;
          }),
        );
        assert.equal(upstream, what);
        assert.equal(tls?.servername, host, "the server name");
        assert.equal(tls.client, undefined);
      }
      // HAProxy retries for three seconds.
      const refusing = (isGood ? [] : (urls.get(what) ?? [])).map(async (url) => {
        const { status, upstream } = await world.get(url);
        assert.equal(upstream, undefined, url);
        assert.equal(status, url.startsWith("https:") ? 503 : 0, url);
      });
      await Promise.all(refusing);
    });
});

describe("an upstream server on the agent's machine or network", () => {
  let world: World;

  before(async () => {
    world = await startWorld({ allowUpstream: [] });
  });

  after(async () => {
    await world.stop();
  });

  test("is only called if that is allowed", async () => {
    const { given, applied, get, service } = world;
    const upstream = await startUpstream("forbidden");
    const own = Object.values(networkInterfaces())
      .flat()
      .filter((one) => one?.family === "IPv4" && !one.internal)
      .map((one) => one?.address ?? "");
    const hosts = [
      "127.0.0.1",
      "127.255.255.254",
      "localhost",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "0.0.0.0",
      "[::]",
      "169.254.169.254",
      "[fe80::1]",
      "[::ffff:a9fe:a9fe]",
      ...own,
    ];
    const fixed = await given.fixedResponse({ body: "fixed" });
    const refused: { host: string; id: string; port: number }[] = [];
    for (const host of hosts) {
      const port = await freePort();
      const { id: backend_id } = await given.staticBackend(`${host}:${upstream.port}`);
      const { id } = await given.tcpEdge({ hostports: [`127.0.0.1:${port}`], backend: { backend_id } });
      refused.push({ host, id: backend_id, port });
      assert.ok(id);
    }
    // The same agent still serves fixed responses, and the other children of a failover backend.
    const [twinPort, restPort] = [await freePort(), await freePort()];
    await given.tcpEdge({ hostports: [`127.0.0.1:${twinPort}`], backend: { backend_id: fixed.id } });
    const failover = await given.failover([refused[0]?.id ?? "", fixed.id]);
    await given.tcpEdge({ hostports: [`127.0.0.1:${restPort}`], backend: { backend_id: failover.id } });
    const { problems } = await applied();
    await eventually(async () => assert.equal((await get(`http://127.0.0.1:${twinPort}/`)).text, "fixed"));
    assert.equal((await get(`http://127.0.0.1:${restPort}/`)).text, "fixed");
    for (const { host, id, port } of refused) {
      assert.equal((await get(`http://127.0.0.1:${port}/`)).status, 0, host);
      assert.ok(
        problems.some((problem) => problem.object === id),
        `a problem of ${host} ${id}: ${JSON.stringify(problems)}`,
      );
    }
    assert.deepEqual(upstream.seen, []);

    // Once it is allowed, it is called.
    await world.agent.stop();
    await world.anotherAgent({ name: "edge-2", allowUpstream: ["127.0.0.1/32"] });
    await eventually(async () =>
      assert.equal((await get(`http://127.0.0.1:${refused[0]?.port}/`)).upstream, "forbidden"),
    );
    assert.equal((await get(`http://127.0.0.1:${refused[1]?.port}/`)).status, 0);
    assert.ok(service.origin);
  });
});
