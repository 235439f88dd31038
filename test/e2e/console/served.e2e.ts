import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { coverageOf, type Exception } from "../../../packages/model/src/traffic/coverage.ts";
import { agentStatus } from "../../support/agent_status.ts";
import {
  clientWith,
  crampedOn,
  keyWith,
  must,
  open,
  picture,
  signedIn,
  signedInAlone,
  world,
} from "./world.ts";

/*
 * The state of an edge, according to the machines that report.
 */

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const without = (code: string, msg: string): Exception => ({ effect: "not_served", code, msg });

test("machines that leave an edge out on purpose are not counted, and are no reason", async (t) => {
  const { api, service } = await world();
  const agent = clientWith(await keyWith("agent"), service.origin);
  const backend = must(await api.POST("/backends/static", { body: { address: "10.9.8.6:443" } }));
  const edge = must(
    await api.POST("/edges/tcp", {
      body: {
        hostports: ["counted.example.com:9555"],
        description: "Counted",
        backend: { backend_id: backend.id },
      },
    }),
  );
  const machines = ["counted-1", "counted-2", "counted-3"];
  t.after(async () => {
    await api.DELETE("/edges/tcp/{id}", { params: { path: { id: edge.id } } });
    await api.DELETE("/backends/static/{id}", { params: { path: { id: backend.id } } });
    for (const name of machines) await api.DELETE("/agents/{name}", { params: { path: { name } } });
  });
  const snapshot = must(await api.GET("/snapshot"));
  assert.ok("edges" in snapshot, "it is not in another format");
  const { version, edges: known } = snapshot;
  const all = known.map(({ id }) => id).toSorted();
  const report = async (name: string, exception?: Exception): Promise<void> => {
    const edges = coverageOf(all, new Map(exception ? [[edge.id, exception]] : []), sha256);
    const body = { applied_version: version, ok: true, proxy: "HAProxy", edges };
    must(await agent.PUT("/agents/{name}/status", { params: { path: { name } }, body }));
  };
  await report("counted-1");
  await report("counted-2", without("not_wanted", "It is not in --only."));
  await report("counted-3", without("port_refused", "Port 9555 is taken."));
  const reader = await signedIn();
  const { page } = reader;
  await open(reader, `#/edges/${edge.id}`);
  await page.getByText("Served on 1 of 2").first().waitFor();
  await page.getByText("Port 9555 is taken.").first().waitFor();
  assert.equal(await page.locator(".notice").getByText("It is not in --only.").count(), 0);
  for (const [name, state] of [
    ["counted-1", "Served"],
    ["counted-2", "Left out"],
    ["counted-3", "Not served"],
  ] as const)
    await page.locator(".row", { hasText: name }).getByText(state, { exact: true }).waitFor();

  await report("counted-3");
  await page.reload();
  await open(reader, "#/edges");
  const row = page.getByRole("row").filter({ hasText: "Counted" });
  await row.getByText("Served", { exact: true }).waitFor();
  assert.deepEqual(reader.complaints, []);
  await reader.close();
});

test("machines whose edges are not known are said neither to serve them, nor not to, nor to be silent", async (t) => {
  const { api } = await world();
  const { id: backend_id } = must(await api.POST("/backends/static", { body: { address: "10.9.8.7:443" } }));
  const hostport = "unsure.example.com:9556";
  const edge = must(
    await api.POST("/edges/tcp", {
      body: { hostports: [hostport], description: "Unsure", backend: { backend_id } },
    }),
  );
  t.after(async () => {
    await api.DELETE("/edges/tcp/{id}", { params: { path: { id: edge.id } } });
    await api.DELETE("/backends/static/{id}", { params: { path: { id: backend_id } } });
  });
  let agents: object[] = [];
  let serving: object[] = [];
  const reader = await signedInAlone();
  const { page } = reader;
  for (const [path, json] of [
    ["edges/https", () => ({ https_edges: [] })],
    ["edges/tls", () => ({ tls_edges: [] })],
    ["edges/tcp", () => ({ tcp_edges: [edge] })],
    ["problems", () => ({ problems: [] })],
    ["agents", () => ({ agents })],
    ["serving", () => ({ serving })],
  ] as const)
    await page.route(`**/${path}?*`, (route) =>
      route.fulfill({ json: { ...json(), uri: "", next_page_uri: null } }),
    );
  /** Opens a page, if machines report this, and one of them does not serve the edge. */
  const given = async (reports: object[], name: string, code: string): Promise<void> => {
    agents = reports.map((report) => ({ ...agentStatus, last_seen: new Date().toISOString(), ...report }));
    const not_serving = [{ agent: name, code, msg: "The agent does not report it." }];
    const numbers = { serving: reports.length - 1, of: reports.length, left_out: 0 };
    const object = { id: edge.id, uri: "" };
    serving = [{ object, hostports: [hostport], agents: numbers, not_serving, partly: [] }];
    await page.reload();
  };
  const title = (text: string): Promise<void> =>
    page.getByRole("heading", { level: 1, name: text }).waitFor();
  const old = { name: "old", edges: null };

  await given([old], "old", "unknown");
  await open(reader, "#/");
  await title("1 place is configured, and it is not known whether all machines serve it");
  await page.getByText("1 of 1 machine reports").waitFor();
  await open(reader, "#/edges");
  await page.locator(".facts").getByText("1 not known", { exact: true }).waitFor();
  assert.equal(await page.getByText("no machine reports").count(), 0);

  await given([old, { name: "fine" }], "old", "unknown");
  await page.getByRole("row").getByText("Not known on 1 of 2", { exact: true }).waitFor();
  assert.deepEqual(await crampedOn(page), []);
  await picture(page, "unsure-list");
  await open(reader, `#/edges/${edge.id}`);
  await page.locator(".head").getByText("Not known on 1 of 2", { exact: true }).waitFor();
  for (const [name, state] of [
    ["old", "Not known"],
    ["fine", "Served"],
  ] as const)
    await page.locator(".row", { hasText: name }).getByText(state, { exact: true }).waitFor();
  assert.equal(await page.locator(".notice").count(), 0);
  await open(reader, "#/");
  await title("1 place is configured, and it is not known whether all machines serve it");
  assert.deepEqual(await crampedOn(page), []);
  await picture(page, "unsure-overview");

  await given([{ name: "new" }], "new", "behind");
  await title("The only place is being applied");

  const restored = { name: "restored", applied_version: 9 };
  await given([restored, old, { name: "empty", applied_version: null }], "restored", "unknown");
  await open(reader, "#/agents");
  for (const [name, meta, state] of [
    [
      "restored",
      /^reported .* · configuration from before the service was restored · HAProxy$/,
      "Edges unknown",
    ],
    [
      "old",
      /^does not report what it serves · reported .* · newest configuration · HAProxy$/,
      "Edges unknown",
    ],
    ["empty", /^reported .* · no configuration yet · HAProxy$/, "Serves nothing"],
  ] as const) {
    const row = page.locator(".machine").filter({ has: page.getByText(name, { exact: true }) });
    await row.locator(".meta", { hasText: meta }).waitFor();
    await row.getByText(state, { exact: true }).waitFor();
  }
  await picture(page, "unsure-agents");
  assert.deepEqual(reader.complaints, []);
  await reader.close();
});

test("without machines that report, the list of edges says so", async () => {
  const { api } = await world();
  for (const { name } of must(await api.GET("/agents")).agents)
    await api.DELETE("/agents/{name}", { params: { path: { name } } });
  const reader = await signedIn();
  await open(reader, "#/edges");
  await reader.page.getByText("no machine reports", { exact: true }).waitFor();
  await reader.close();
});
