import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { dashboardQueries } from "../../../scripts/dashboard.ts";
import { end } from "../support/children.ts";
import { freePort } from "../support/ports.ts";
import { eventually } from "../support/wait.ts";
import { startUpstream } from "./upstreams.ts";
import { startWorld } from "./world.ts";

/*
 * Prometheus itself scrapes the service, an agent and its HAProxy, and gets something for every query of the dashboard.
 */

const HOST = "shop.monitoring.test";
const missing = spawnSync("prometheus", ["--version"]).error !== undefined;

/** Starts Prometheus. @returns the function that asks it, and the results */
async function startPrometheus(
  t: TestContext,
  targets: { job: string; address: string; key?: string }[],
): Promise<(query: string) => Promise<unknown[]>> {
  const folder = mkdtempSync(join(tmpdir(), "edge-prometheus-"));
  const port = await freePort();
  const jobs = targets.map(({ job, address, key }) => ({
    job_name: job,
    ...(key !== undefined && { authorization: { credentials: key } }),
    static_configs: [{ targets: [address] }],
  }));
  // JSON is YAML.
  writeFileSync(
    join(folder, "prometheus.yml"),
    JSON.stringify({ global: { scrape_interval: "500ms" }, scrape_configs: jobs }),
    { mode: 0o600 },
  );
  const child = spawn(
    "prometheus",
    [
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: "ignore" },
  );
  t.after(async () => {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  });
  return async (query) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`);
    const { status, error, data } = Object(await response.json());
    assert.equal(status, "success", `${query}: ${error}`);
    return data.result;
  };
}

test(
  "every query of the dashboard returns something",
  { skip: missing && "prometheus is missing: install Debian's package prometheus", timeout: 90_000 },
  async (t) => {
    const [own, proxy, port] = [await freePort(), await freePort(), await freePort()];
    const world = await startWorld({
      name: "monitored",
      more: ["--metrics", `127.0.0.1:${own}`, "--haproxy-metrics", `127.0.0.1:${proxy}`],
    });
    t.after(() => world.stop());
    const { service, given, certificateFor } = world;
    certificateFor(HOST);
    const { address } = await startUpstream("monitored");
    const { id } = await given.httpsEdge({ hostports: [`${HOST}:${port}`] });
    await given.route(id, { match: "/", backend: { backend_id: (await given.staticBackend(address)).id } });
    const destination = await service.call("POST", "/event_destinations", {
      target: { webhook: { url: "https://hooks.example.com/" } },
    });
    await service.call("POST", "/event_subscriptions", {
      destination_ids: [Object(destination).id],
      sources: [{ type: "tcp_edge_created.v0" }],
    });
    await world.applied();
    const key = String(Object(await service.call("POST", "/api_keys", { role: "metrics" })).token);

    const text = async (at: number): Promise<string> =>
      (await fetch(`http://127.0.0.1:${at}/metrics`)).text();
    const local = await text(own);
    assert.match(local, /^edge_local_proxy_running 1$/m);
    assert.match(local, /^edge_local_reloads_total\{result="success"\} [1-9]/m);
    assert.match(local, /^edge_local_polls_total\{result="failure"\} \d+$/m);
    assert.match(local, /^edge_local_certificate_expiry_timestamp_seconds\{file=".+\.pem"\} \d+$/m);
    assert.match(await text(proxy), /^haproxy_process_uptime_seconds /m);
    for (const at of [own, proxy]) assert.equal((await fetch(`http://127.0.0.1:${at}/`)).status, 404);
    const checked = spawnSync("promtool", ["check", "metrics"], { input: local, encoding: "utf8" });
    assert.equal(checked.status, 0, checked.stderr);

    const ask = await startPrometheus(t, [
      { job: "edge_configuration", address: new URL(service.origin).host, key },
      { job: "edge_agent", address: `127.0.0.1:${own}` },
      { job: "haproxy", address: `127.0.0.1:${proxy}` },
    ]);
    const queries = dashboardQueries();
    assert.ok(queries.length > 15);
    for (const query of queries) {
      await world.get(`https://${HOST}:${port}/`);
      await eventually(async () => assert.ok((await ask(query)).length > 0, query), 15_000);
    }
  },
);

test("the agent does not listen for Prometheus unless it is told to, and reserves the ports", async (t) => {
  const taken = await freePort();
  const world = await startWorld({ name: "edge-1", more: ["--metrics", `127.0.0.1:${taken}`] });
  t.after(() => world.stop());
  const { given } = world;
  const { address } = await startUpstream("reserved");
  const { id: backend_id } = await given.staticBackend(address);
  const edge = await world.service.call("POST", "/edges/tcp", {
    hostports: [`127.0.0.1:${taken}`],
    backend: { backend_id },
  });
  const { problems } = await world.applied();
  assert.deepEqual(
    problems.map(({ object, code }) => [object, code]),
    [[Object(edge).id, "metrics_port"]],
  );
});
