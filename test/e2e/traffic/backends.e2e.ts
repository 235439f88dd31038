import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { exchange } from "./clients.ts";
import { freePort } from "./ports.ts";
import { startTcpUpstream, startUpstream, type Upstream } from "./upstreams.ts";
import { eventually, sharedWorld, type World } from "./world.ts";

let world: World;

before(async () => {
  world = await sharedWorld();
});

/** A TCP edge and a route with the same backend: their URLs. */
async function servedBy(backend_id: string, name: string): Promise<string[]> {
  const { given } = world;
  const [tcpPort, port] = [await freePort(), await freePort()];
  await given.tcpEdge({ hostports: [`127.0.0.1:${tcpPort}`], backend: { backend_id } });
  world.certificateFor(`${name}.backends.test`);
  const { id } = await given.httpsEdge({ hostports: [`${name}.backends.test:${port}`] });
  await given.route(id, { backend: { backend_id } });
  return [`http://127.0.0.1:${tcpPort}/`, `https://${name}.backends.test:${port}/`];
}

test("failover uses the first backend that is up, and returns to it", async () => {
  const { given, get, applied } = world;
  const [first, second] = [await startUpstream("first"), await startUpstream("second")];
  const sorry = await given.fixedResponse({
    status_code: 503,
    body: "Back in a minute",
    headers: { "Retry-After": "60" },
  });
  const { id } = await given.failover([
    (await given.staticBackend(first.address)).id,
    (await given.staticBackend(second.address)).id,
    sorry.id,
  ]);
  const urls = await servedBy(id, "failover");
  await applied();
  const answers = (expected: string): Promise<void> =>
    eventually(async () => {
      for (const url of urls) {
        const { upstream, text, status } = await get(url);
        assert.equal(upstream ?? text, expected, `${url} ${status}`);
      }
    }, 8_000);
  await answers("first");
  assert.equal(second.seen.length, 0, "the second is not asked while the first is up");
  await first.stop();
  await answers("second");
  await second.stop();
  await answers("Back in a minute");
  for (const url of urls) {
    const { status, headers } = await get(url);
    assert.equal(status, 503);
    assert.equal(headers["retry-after"], "60");
  }
  await second.start();
  await answers("second");
  await first.start();
  await answers("first");
});

test("failover loses no connection that another backend can accept", async () => {
  const { given, get, applied } = world;
  const [first, second] = [await startUpstream("first-of-two"), await startUpstream("second-of-two")];
  const { id } = await given.failover([
    (await given.staticBackend(first.address)).id,
    (await given.staticBackend(second.address)).id,
  ]);
  const urls = await servedBy(id, "lossless");
  await applied();
  await eventually(async () => {
    for (const url of urls) assert.equal((await get(url)).upstream, "first-of-two");
  });
  await first.stop();
  for (let n = 0; n < 10; n += 1)
    for (const url of urls) assert.equal((await get(url)).upstream, "second-of-two", `${n} ${url}`);
});

test("connections are divided by weight", async () => {
  const { given, applied, get } = world;
  const weights = { ten: 10_000, two: 2_000, small: 500, none: 0 };
  const names = ["ten", "two", "small", "none"] as const;
  const members: [string, number][] = [];
  const upstreams: Upstream[] = [];
  for (const name of names) {
    const upstream = await startUpstream(name);
    upstreams.push(upstream);
    members.push([(await given.staticBackend(upstream.address)).id, weights[name]]);
  }
  const { id } = await given.weighted(Object.fromEntries(members));
  const urls = await servedBy(id, "weighted");
  await applied();
  for (const url of urls) await eventually(async () => assert.ok((await get(url)).upstream, url));
  const REQUESTS = 250;
  for (const url of urls) {
    for (const upstream of upstreams) upstream.seen.length = 0;
    const { hostname, port } = new URL(url);
    // One curl opens several connections, which is many times faster than a process for each.
    await get(url, {
      more: [
        "--output",
        "/dev/null",
        "--header",
        "Connection: close",
        "--http1.1",
        ...Array.from({ length: REQUESTS }, (_, n) => [
          "--output",
          "/dev/null",
          `${new URL(url).protocol}//${hostname}:${port}/${n}`,
        ]).flat(),
      ],
    });
    const counts = Object.fromEntries(upstreams.map(({ name, seen }) => [name, seen.length]));
    const sum = Object.values(counts).reduce((total, count) => total + count, 0);
    assert.ok(sum >= REQUESTS, `${url} ${JSON.stringify(counts)}`);
    for (const name of names) {
      const share = (counts[name] ?? 0) / sum;
      const expected = weights[name] / 12_500;
      assert.ok(
        Math.abs(share - expected) <= Math.max(0.01, expected * 0.1),
        `${url}: ${name} gets ${share} of ${sum}, ${expected} expected: ${JSON.stringify(counts)}`,
      );
    }
    assert.equal(counts["none"], 0);
  }
});

test("a failover backend moves on from a weighted backend to the next one", async () => {
  const { given, applied, get } = world;
  const [left, right, spare] = [
    await startUpstream("left"),
    await startUpstream("right"),
    await startUpstream("spare"),
  ];
  const weighted = await given.weighted({
    [(await given.staticBackend(left.address)).id]: 1,
    [(await given.staticBackend(right.address)).id]: 1,
  });
  const { id } = await given.failover([weighted.id, (await given.staticBackend(spare.address)).id]);
  const urls = await servedBy(id, "nested");
  await applied();
  const namesAt = async (url: string): Promise<string> => {
    const names = new Set<string | undefined>();
    for (let n = 0; n < 6; n += 1) names.add((await get(url)).upstream);
    return [...names].toSorted().join();
  };
  const are = (expected: string) =>
    eventually(async () => {
      for (const url of urls) assert.equal(await namesAt(url), expected, url);
    }, 10_000);
  await are("left,right");
  await left.stop();
  await are("right");
  await right.stop();
  await are("spare");
  await left.start();
  await are("left");
});

describe("a fixed response", () => {
  const cases = {
    plain: { status_code: 200, headers: { "content-type": "text/plain" }, body: "OK\n" },
    odd: {
      status_code: 418,
      headers: {
        "x-odd": `%[src] 'single' "double" \\ $HOME \${HOME} #`,
        "content-type": "text/html; charset=utf-8",
      },
      body: `<p>%[src] %% '"\\\\ \\n $HOME \${HOME} # é 日本 𝄞</p>\r\n\ttab\n`,
    },
    long: { status_code: 404, headers: {}, body: "0123456789".repeat(1_500) },
    empty: { status_code: 204, headers: { "x-empty": "yes" }, body: "" },
    redirect: { status_code: 302, headers: { location: "https://example.com/?a=1&b=2#c" }, body: "" },
    unnamed: { status_code: 599, headers: { "x-a": "1", "x-b": "2" }, body: "599" },
  } as const;

  for (const [name, { status_code, headers, body }] of Object.entries(cases))
    test(`is sent unchanged: ${name}`, async () => {
      const { given, applied, get } = world;
      const { id } = await given.fixedResponse({ status_code, headers, body });
      const urls = await servedBy(id, `fixed-${name}`);
      const port = await freePort();
      world.certificateFor(`fixed-${name}-tls.backends.test`);
      await given.tlsEdge({
        hostports: [`fixed-${name}-tls.backends.test:${port}`],
        backend: { backend_id: id },
        tls_termination: { terminate_at: "edge" },
      });
      urls.push(`https://fixed-${name}-tls.backends.test:${port}/`);
      await applied();
      for (const url of urls) {
        const answer = await eventually(async () => {
          const got = await get(`${url}any/path?x`);
          assert.equal(got.status, status_code, `${url} ${got.said}`);
          return got;
        });
        assert.deepEqual(answer.body, Buffer.from(body), url);
        for (const [header, value] of Object.entries(headers))
          assert.equal(
            Buffer.from(answer.headers[header] ?? "", "latin1").toString(),
            value,
            `${url} ${header}`,
          );
        assert.equal((await get(url, { more: ["--request", "POST", "--data", "x=1"] })).status, status_code);
        if (status_code === 200) assert.equal((await get(url, { more: ["--head"] })).body.length, 0);
      }
    });

  test("can be changed while it is served", async () => {
    const { given, applied, get, service } = world;
    const { id } = await given.fixedResponse({ body: "before" });
    const urls = await servedBy(id, "fixed-changed");
    await applied();
    for (const url of urls) await eventually(async () => assert.equal((await get(url)).text, "before"));
    await service.api.PATCH("/backends/http_response/{id}", {
      params: { path: { id } },
      body: { body: "after" },
    });
    await applied();
    for (const url of urls) await eventually(async () => assert.equal((await get(url)).text, "after"));
  });
});

test("a TCP edge passes bytes unchanged in both directions", async () => {
  const { given, applied } = world;
  const upstream = await startTcpUpstream("hello\n");
  const port = await freePort();
  await given.tcpEdge({
    hostports: [`127.0.0.1:${port}`],
    backend: { backend_id: (await given.staticBackend(upstream.address)).id },
  });
  await applied();
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  await eventually(async () =>
    assert.deepEqual(
      await exchange(port, bytes),
      Buffer.concat([Buffer.from("hello\n"), Buffer.from(bytes.map((byte: number) => byte ^ 0xff))]),
    ),
  );
});

test("an upstream server that hangs only delays its own requests", async () => {
  const { given, applied, get } = world;
  const [slow, sound] = [await startUpstream("slow"), await startUpstream("sound")];
  const [slowUrls, soundUrls] = [
    await servedBy((await given.staticBackend(slow.address)).id, "slow"),
    await servedBy((await given.staticBackend(sound.address)).id, "sound"),
  ];
  await applied();
  for (const url of [...slowUrls, ...soundUrls])
    await eventually(async () => assert.ok((await get(url)).upstream));
  slow.behaviour = "hang";
  const hanging = slowUrls.map((url) => get(url, { more: ["--max-time", "2"] }));
  await sleep(200);
  for (const url of soundUrls) assert.equal((await get(url)).upstream, "sound");
  for (const answer of await Promise.all(hanging)) assert.equal(answer.upstream, undefined);
});
