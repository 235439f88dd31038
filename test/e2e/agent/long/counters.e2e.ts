import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { createServer } from "node:http";
import { get } from "node:https";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Action } from "../../../../packages/model/src/policy/base/program.ts";
import type { Edge, Snapshot } from "../../../../packages/model/src/traffic/snapshot.ts";
import { world } from "../agent.ts";
import { listening } from "../calls.ts";
import { certificate, folder, freePort, httpsEdge, tcpEdge, VERSION } from "../proxy.ts";
import { StubbornClient } from "../stubborn_client.ts";

/*
 * What rate limits and circuit breakers have counted stays when HAProxy is reloaded.
 */

const HOST = "a.example.com";
const DAY = 86_400;
/** After a start, HAProxy waits so long for counters from elsewhere. Only then it hands over its own. */
const HANDOVER = 11_000;

type Route = Extract<Edge, { kind: "https" }>["routes"][number];

const limited = (path: string, capacity: number, others: Action[] = []): Route => ({
  id: `edghtsrt_${path.slice(1)}`,
  match_type: "path_prefix",
  match: path,
  backend: { backend_id: "bkdsc_1" },
  traffic_policy: {
    value: "",
    program: {
      needs: [],
      rules: {
        on_tcp_connect: [],
        on_http_request: [
          {
            name: "",
            expressions: [],
            actions: [
              ...others,
              { do: "rate_limit", name: "daily", capacity, seconds: DAY, key: [], enforce: true },
            ],
          },
        ],
        on_http_response: [],
      },
    },
  },
});

/** A route whose circuit opens for some seconds after so many responses, if half of them are failures. */
const breaking = (tripped_duration: number, volume_threshold: number): Route => ({
  id: "edghtsrt_broken",
  match_type: "path_prefix",
  match: "/broken",
  backend: { backend_id: "bkdsc_1" },
  circuit_breaker: {
    tripped_duration,
    rolling_window: 10,
    num_buckets: 10,
    volume_threshold,
    error_threshold_percentage: 0.5,
  },
});

async function served(t: TestContext, routes: Route[], upstream: (url: string) => number = () => 200) {
  const here = await world(t);
  const port = await freePort();
  copyFileSync(certificate(folder(t), [HOST]).pem, join(here.certificates, "a.pem"));
  const server = createServer(({ url = "" }, response) => response.writeHead(upstream(url)).end());
  const address = `127.0.0.1:${await listening(t, server)}`;
  const backends: Snapshot["backends"] = { bkdsc_1: { kind: "static", address, tls: false } };
  const edge = (of: Route[]): Edge => httpsEdge("edghts_1", [`${HOST}:${port}`], of);
  here.start();
  await here.service.applied(here.service.publish({ edges: [edge(routes)], backends }));
  const others = [await freePort(), await freePort()];
  let reloads = 0;
  return {
    here,
    /** A connection over HTTP/2. */
    connected: async () => {
      const client = await StubbornClient.connect(port, HOST);
      t.after(() => client.close());
      return client;
    },
    status: (path: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const all = {
          host: "127.0.0.1",
          port,
          path,
          agent: false,
          servername: HOST,
          headers: { host: HOST },
        };
        get({ ...all, rejectUnauthorized: false }, (response) => {
          response.resume().on("end", () => resolve(response.statusCode ?? 0));
        }).on("error", reject);
      }),
    /** Reloads: another edge gets another port. */
    reload: async (of = routes) => {
      reloads += 1;
      const other = tcpEdge("edgtcp_1", [`127.0.0.1:${others[reloads % 2]}`], "bkdsc_1");
      await here.service.applied(here.service.publish({ edges: [edge(of), other] }));
    },
  };
}

test("12 reloads lose at most one count for each key and reload", async (t) => {
  const [CAPACITY, RELOADS] = [1500, 12];
  const paths = ["/a", "/b", "/c"];
  const { here, status, reload } = await served(
    t,
    paths.map((path) => limited(path, CAPACITY)),
  );
  const worker = await here.worker();
  await sleep(HANDOVER);
  const over = new AbortController();
  const passed = paths.map(async (path) => {
    let count = 0;
    for (let next = await status(path); next === 200 || !over.signal.aborted; next = await status(path)) {
      if (next === 200) count += 1;
      else assert.equal(next, 429);
      await sleep(4);
    }
    return count;
  });
  for (let count = 0; count < RELOADS; count++) {
    await reload();
    await sleep(1200);
  }
  over.abort();
  assert.notEqual(await here.worker(), worker);
  assert.equal(here.log().match(/: reloaded HAProxy/g)?.length, RELOADS);
  const counts = await Promise.all(passed);
  t.diagnostic(`${counts.join(", ")} of ${CAPACITY} with ${RELOADS} reloads`);
  for (const count of counts)
    assert.ok(count >= CAPACITY && count <= CAPACITY + RELOADS, `${count} requests`);
});

test("a reload waits until counters are handed over, unless it takes access away", async (t) => {
  const routes = [limited("/a", 1)];
  const { here, status, reload } = await served(t, routes);
  assert.equal(await status("/a"), 200);
  const begin = performance.now();
  const reloaded = reload();
  await here.service.reported(({ ok }) => ok);
  await reloaded;
  const took = performance.now() - begin;
  // HAProxy 3.0 hands them over at once.
  if (VERSION === "2.6") assert.ok(took > 5000, `${took} ms`);
  assert.equal(await status("/a"), 429);

  for (const pid of await here.pids()) process.kill(pid, "SIGKILL");
  await here.service.reported(({ error }) => error !== null);
  const again = performance.now();
  await reload([{ ...limited("/a", 1), ip_restriction: { ip_policy_ids: [] } }]);
  assert.ok(performance.now() - again < 5000, `${performance.now() - again} ms`);
});

test("after a reload, limits and open circuits are as before, and connections from before get neither of their own", async (t) => {
  let hits = 0;
  const circuit = breaking(600, 3);
  const { reload, status, connected } = await served(
    t,
    [limited("/a", 3), limited("/b", 3), circuit],
    (url) => {
      if (!url.startsWith("/broken")) return 200;
      hits += 1;
      return 500;
    },
  );
  await sleep(HANDOVER);
  const client = await connected();
  const several = async (path: string): Promise<number[]> => {
    const statuses: number[] = [];
    for (let tries = 0; tries < 6; tries++) statuses.push((await client.get(path).done).status);
    return statuses;
  };
  assert.deepEqual(await several("/a"), [200, 200, 200, 429, 429, 429]);
  assert.deepEqual([await status("/b"), await status("/b")], [200, 200]);
  assert.equal((await several("/broken")).at(-1), 503);
  const before = hits;
  await reload();
  for (const status of [...(await several("/a")), ...(await several("/broken"))]) assert.equal(status, 421);
  assert.deepEqual([await status("/a"), await status("/broken")], [429, 503]);
  const changed = limited("/b", 3, [{ do: "remove_headers", names: ["x-other"] }]);
  await reload([limited("/a", 3), changed, circuit]);
  assert.deepEqual([await status("/b"), await status("/b")], [200, 429], "although its policy has changed");
  assert.equal(await status("/broken"), 503);
  assert.equal(hits, before);
});

test("reloads do not prolong an open circuit", async (t) => {
  let isBroken = true;
  const circuit = breaking(14, 2);
  const { reload, status } = await served(t, [circuit], () => (isBroken ? 500 : 200));
  await sleep(HANDOVER);
  while ((await status("/broken")) !== 503);
  const tripped = performance.now();
  isBroken = false;
  await sleep(2000);
  await reload();
  const first = performance.now() - tripped;
  await reload();
  while ((await status("/broken")) === 503) await sleep(50);
  const open = performance.now() - tripped;
  t.diagnostic(`open for ${Math.round(open)} ms, with a reload after ${Math.round(first)} ms`);
  // If a reload began the time again, it would be longer by the time before the reload.
  assert.ok(open > 13_500 && open < 14_000 + first, `${open} ms`);
});
