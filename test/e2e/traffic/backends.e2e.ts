import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../support/ports.ts";
import { exchange } from "./clients.ts";
import { startTcpUpstream, startUpstream } from "./upstreams.ts";
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

  test("is sent unchanged by every kind of edge", async () => {
    const { given, applied, get } = world;
    const urls = new Map<string, keyof typeof cases>();
    for (const name of ["plain", "odd", "long", "empty", "redirect", "unnamed"] as const) {
      const { id } = await given.fixedResponse(cases[name]);
      for (const url of await servedBy(id, `fixed-${name}`)) urls.set(url, name);
      const [host, port] = [`fixed-${name}-tls.backends.test`, await freePort()];
      world.certificateFor(host);
      await given.tlsEdge({
        hostports: [`${host}:${port}`],
        backend: { backend_id: id },
        tls_termination: { terminate_at: "edge" },
      });
      urls.set(`https://${host}:${port}/`, name);
    }
    await applied();
    for (const [url, name] of urls) {
      const { status_code, headers, body } = cases[name];
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
