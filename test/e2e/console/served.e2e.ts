import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { coverageOf, type Exception } from "../../../packages/model/src/traffic/coverage.ts";
import { clientWith, keyWith, must, open, signedIn, world } from "./world.ts";

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

test("without machines that report, the list of edges says so", async () => {
  const { api } = await world();
  for (const { name } of must(await api.GET("/agents")).agents)
    await api.DELETE("/agents/{name}", { params: { path: { name } } });
  const reader = await signedIn();
  await open(reader, "#/edges");
  await reader.page.getByText("no machine reports", { exact: true }).waitFor();
  await reader.close();
});
