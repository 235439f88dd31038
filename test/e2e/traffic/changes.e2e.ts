import assert from "node:assert/strict";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../support/ports.ts";
import { eventually } from "../support/wait.ts";
import { type Load, startLoad } from "./load.ts";
import { startUpstream, type Upstream } from "./upstreams.ts";
import { startWorld, type World } from "./world.ts";

/*
 * Changes under continuous requests, none of which may fail. The service and the agent are stopped and started again.
 */

const HOST = "shop.changes.test";
const TERMINATED = "ended.changes.test";
const PASSED = "passed.changes.test";
/** A client that no rule allows at first. */
const GUEST = "127.0.0.77";
/** Rounds of 15 changes each. */
const ROUNDS = 4;

describe("under load", () => {
  let world: World;
  let upstreams: Upstream[];
  let backends: string[];
  let urls: string[];
  let port: number;
  let tcpPort: number;
  const ids = { policy: "", moving: "", weighted: "", failover: "", edge: "", route: "", authority: "" };

  before(async () => {
    world = await startWorld();
    const { given, make, authority, certificateFor } = world;
    upstreams = await Promise.all(["a", "b", "c"].map((name) => startUpstream(name)));
    backends = await Promise.all(
      upstreams.map(async ({ address }) => (await given.staticBackend(address)).id),
    );
    const passing = await startUpstream("passing", make.server(authority, [PASSED]));
    [port, tcpPort] = [await freePort(), await freePort()];

    ids.policy = (await given.policy()).id;
    await given.rule(ids.policy, "allow", "127.0.0.1/32");
    await given.rule(ids.policy, "deny", "192.0.2.0/24");
    const ip_restriction = { ip_policy_ids: [ids.policy] };
    ids.moving = (await given.staticBackend(upstreams[0]?.address ?? "")).id;
    const [first = "", second = "", third = ""] = backends;
    ids.weighted = (await given.weighted({ [first]: 1, [second]: 3 })).id;
    ids.failover = (await given.failover([second, third])).id;
    ids.authority = (await given.authority(make.authority("authority-of-nobody").pem)).id;

    certificateFor(HOST);
    certificateFor(TERMINATED);
    ids.edge = (await given.httpsEdge({ hostports: [`${HOST}:${port}`] })).id;
    ids.route = (
      await given.route(ids.edge, {
        match: "/moving",
        backend: { backend_id: ids.moving },
        ip_restriction,
        response_headers: { add: { "X-Version": "0" } },
      })
    ).id;
    await given.route(ids.edge, { match: "/weighted", backend: { backend_id: ids.weighted } });
    await given.route(ids.edge, { match: "/failover", backend: { backend_id: ids.failover } });
    await given.tcpEdge({
      hostports: [`127.0.0.1:${tcpPort}`],
      backend: { backend_id: ids.moving },
      ip_restriction,
    });
    await given.tlsEdge({
      hostports: [`${TERMINATED}:${port}`],
      backend: { backend_id: ids.weighted },
      tls_termination: { terminate_at: "edge" },
      ip_restriction,
    });
    await given.tlsEdge({
      hostports: [`${PASSED}:${port}`],
      backend: { backend_id: (await given.staticBackend(passing.address)).id },
      tls_termination: { terminate_at: "upstream" },
    });
    urls = [
      `https://${HOST}:${port}/moving`,
      `https://${HOST}:${port}/weighted`,
      `https://${HOST}:${port}/failover`,
      `http://127.0.0.1:${tcpPort}/`,
      `https://${TERMINATED}:${port}/`,
      `https://${PASSED}:${port}/`,
    ];
    await world.applied();
    for (const url of urls) await eventually(async () => assert.ok((await world.get(url)).upstream, url));
  });

  after(async () => {
    await world.stop();
  });

  /** Runs `change` under load: every request must get the expected response. */
  async function withoutFailures(change: (load: Load) => Promise<void>): Promise<void> {
    const load = startLoad(urls, world.authority);
    try {
      await change(load);
      // By now, failures of the last change would be visible.
      await sleep(500);
    } finally {
      await load.stop();
    }
    assert.ok(load.done() > 200, `only ${load.done()} requests`);
    console.info(`      ${load.done()} requests, ${load.failures.length} failures`);
    assert.deepEqual(load.failures.slice(0, 10), [], `${load.failures.length} failures`);
  }

  test("no request fails during changes of every kind", async () => {
    const { given, service, applied, certificateFor, make } = world;
    const { api } = service;
    const [first = "", second = "", third = ""] = backends;
    const place = certificateFor(HOST).both;
    let changes = 0;
    const change = async (what: string, make: () => Promise<unknown>): Promise<void> => {
      const result: { error?: unknown } = Object(await make());
      assert.equal(result.error, undefined, what);
      changes += 1;
    };
    const settled = async (): Promise<void> => {
      assert.deepEqual((await applied()).problems, []);
    };
    const served = (url: string, expected: string | number, options = {}): Promise<void> =>
      eventually(async () => {
        const { upstream, status } = await world.get(url, options);
        assert.equal(typeof expected === "number" ? status : upstream, expected, url);
      });
    const [moving = "", , failover = ""] = urls;
    await withoutFailures(async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const own = await freePort();
        const host = `site-${round}.changes.test`;
        const onRoute = { params: { path: { edge_id: ids.edge, id: ids.route } } };

        const rule = { id: "" };
        await change("rule added", async () => {
          rule.id = (await given.rule(ids.policy, "allow", `${GUEST}/32`)).id;
        });
        await settled();
        await served(moving, 200, { from: GUEST });
        await change("rule deleted", () =>
          api.DELETE("/ip_policy_rules/{id}", { params: { path: { id: rule.id } } }),
        );
        await settled();
        await served(moving, 403, { from: GUEST });

        const added = { tcp: "", https: "", route: "" };
        certificateFor(host);
        await change("TCP edge added", async () => {
          const body = { hostports: [`127.0.0.1:${own}`], backend: { backend_id: first } };
          added.tcp = (await given.tcpEdge(body)).id;
        });
        await change("HTTPS edge added on the port of others", async () => {
          added.https = (await given.httpsEdge({ hostports: [`${host}:${port}`] })).id;
        });
        await change("its route added", () => given.route(added.https, { backend: { backend_id: second } }));
        await change("route added", async () => {
          const body = { match: `/round-${round}`, backend: { backend_id: third } };
          added.route = (await given.route(ids.edge, body)).id;
        });
        await settled();
        await served(`http://127.0.0.1:${own}/`, "a");
        await served(`https://${host}:${port}/`, "b");
        await served(`https://${HOST}:${port}/round-${round}`, "c");

        await change("address of a backend", () =>
          api.PATCH("/backends/static/{id}", {
            params: { path: { id: ids.moving } },
            body: { address: upstreams[(round + 1) % 3]?.address ?? "" },
          }),
        );
        await change("weights", () =>
          api.PATCH("/backends/weighted/{id}", {
            params: { path: { id: ids.weighted } },
            body: { backends: { [first]: 1 + round, [third]: 7 } },
          }),
        );
        await change("order of a failover backend", () =>
          api.PATCH("/backends/failover/{id}", {
            params: { path: { id: ids.failover } },
            body: { backends: round % 2 === 0 ? [third, second] : [second, third] },
          }),
        );
        await change("headers", () =>
          api.PUT("/edges/https/{edge_id}/routes/{id}/response_headers", {
            ...onRoute,
            body: { add: { "X-Version": String(round + 1) } },
          }),
        );
        await change("mutual TLS of another edge", () =>
          api.PUT("/edges/https/{id}/mutual_tls", {
            params: { path: { id: added.https } },
            body: { certificate_authority_ids: [ids.authority] },
          }),
        );
        // A renewed certificate replaces the old file, as with certbot.
        await change("certificate", async () => {
          const renewed = make.server(world.authority, [HOST]);
          writeFileSync(`${place}.new`, readFileSync(renewed.both), { mode: 0o600 });
          renameSync(`${place}.new`, place);
        });
        await settled();
        await served(moving, "abc"[(round + 1) % 3] ?? "");
        await served(failover, round % 2 === 0 ? "c" : "b");
        await eventually(async () =>
          assert.equal((await world.get(moving)).headers["x-version"], String(round + 1)),
        );
        await served(`https://${host}:${port}/`, 0);

        await change("route deleted", () =>
          api.DELETE("/edges/https/{edge_id}/routes/{id}", {
            params: { path: { edge_id: ids.edge, id: added.route } },
          }),
        );
        await change("HTTPS edge deleted", () =>
          api.DELETE("/edges/https/{id}", { params: { path: { id: added.https } } }),
        );
        await change("TCP edge deleted", () =>
          api.DELETE("/edges/tcp/{id}", { params: { path: { id: added.tcp } } }),
        );
        await settled();
        await served(`https://${HOST}:${port}/round-${round}`, 404);
        await served(`http://127.0.0.1:${own}/`, 0);
      }
    });
    console.info(`      ${changes} changes`);
    assert.ok(changes >= 50, `${changes} changes`);
  });

  test("a port that another process uses is reported, and everything else is served", async () => {
    const { given, service, applied, get } = world;
    const other = await startUpstream("another process");
    await withoutFailures(async () => {
      const { id } = await given.tcpEdge({
        hostports: [`127.0.0.1:${other.port}`],
        backend: { backend_id: backends[0] ?? "" },
      });
      const { problems } = await applied();
      assert.deepEqual(
        problems.map(({ object, code }) => [object, code]),
        [[id, "port_taken"]],
      );
      assert.equal((await get(`http://127.0.0.1:${other.port}/`)).upstream, "another process");
      await other.stop();
      // The agent looks at such ports every ten seconds.
      await given.route(ids.edge, { match: "/taken", backend: { backend_id: backends[1] ?? "" } });
      await eventually(
        async () => assert.equal((await get(`http://127.0.0.1:${other.port}/`)).upstream, "a"),
        45_000,
      );
      await service.api.DELETE("/edges/tcp/{id}", { params: { path: { id } } });
      assert.deepEqual((await applied()).problems, []);
    });
  });

  test("traffic continues after the service and the agent are killed", async () => {
    const { service, agent, get, given, applied } = world;
    await withoutFailures(async () => {
      await service.kill();
      await sleep(2_000);
    });
    await agent.restart();
    for (const url of urls) await eventually(async () => assert.ok((await get(url)).upstream, url), 10_000);
    assert.equal((await get(urls[3] ?? "", { from: GUEST })).upstream, undefined, "with its restrictions");
    await agent.restart("SIGKILL");
    for (const url of urls) await eventually(async () => assert.ok((await get(url)).upstream, url), 10_000);
    assert.equal((await get(urls[3] ?? "", { from: GUEST })).upstream, undefined, "with its restrictions");

    await service.restart();
    await given.rule(ids.policy, "allow", `${GUEST}/32`);
    await applied();
    await eventually(async () => assert.ok((await get(urls[3] ?? "", { from: GUEST })).upstream));
  });
});

test("an agent that seldom polls learns of changes immediately, because it waits for them", async (t) => {
  // It waits for a second, and then asks again.
  const world = await startWorld({ name: "waiting", more: ["--poll", "600", "--wait", "1"] });
  t.after(() => world.stop());
  const { given, agent } = world;
  const upstream = await startUpstream("waited");
  const port = await freePort();
  const policy = (await given.policy()).id;
  await given.tcpEdge({
    hostports: [`127.0.0.1:${port}`],
    backend: { backend_id: (await given.staticBackend(upstream.address)).id },
    ip_restriction: { ip_policy_ids: [policy] },
  });
  await world.applied();
  const taken: number[] = [];
  for (let n = 1; n <= 5; n++) {
    await sleep(n * 300);
    const begin = Date.now();
    await given.rule(policy, "allow", `127.0.0.${n}/32`);
    await eventually(async () =>
      assert.equal((await world.get(`http://127.0.0.1:${port}/`, { from: `127.0.0.${n}` })).status, 200),
    );
    taken.push(Date.now() - begin);
  }
  t.diagnostic(`milliseconds from the request until a rule is served: ${taken.join(", ")}`);
  assert.doesNotMatch(agent.output(), /reading everything again/i);
});
