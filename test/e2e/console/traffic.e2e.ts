import assert from "node:assert/strict";
import { test } from "node:test";
import { counts } from "../../support/counts.ts";
import { clientWith, keyWith, must, open, picture, signedIn, violationsOn, world } from "./world.ts";

/*
 * Traffic that agents report, on the pages of what it came to.
 */

const FIVE_MINUTES = 300_000;

test("the traffic of an edge is on its page, in the list, and in a plan that deletes it", async (t) => {
  const { api, service } = await world();
  const backend = must(await api.POST("/backends/static", { body: { address: "10.9.8.7:443" } }));
  const edge = must(
    await api.POST("/edges/tcp", {
      body: {
        hostports: ["busy.example.com:9443"],
        description: "Busy",
        backend: { backend_id: backend.id },
      },
    }),
  );
  const quiet = must(await api.POST("/edges/tcp", { body: { description: "Quiet" } }));
  const idle = must(await api.POST("/edges/https", { body: { description: "Idle" } }));
  const agent = clientWith(await keyWith("agent"), service.origin);
  const path = { params: { path: { name: "seen-1" } } };
  t.after(async () => {
    for (const { id } of [edge, quiet]) await api.DELETE("/edges/tcp/{id}", { params: { path: { id } } });
    await api.DELETE("/edges/https/{id}", { params: { path: { id: idle.id } } });
    await api.DELETE("/backends/static/{id}", { params: { path: { id: backend.id } } });
    await api.DELETE("/agents/{name}", path);
  });
  must(await agent.PUT("/agents/{name}/status", { ...path, body: { ok: true } }));
  const end = Math.floor(Date.now() / FIVE_MINUTES) * FIVE_MINUTES;
  const report = async (resolution: 60 | 300, at: number, more: object = {}) => {
    const body = { resolution, at: new Date(at).toISOString(), totals: counts(), objects: [], lost: 0 };
    const { error } = await agent.PUT("/agents/{name}/traffic", { ...path, body: { ...body, ...more } });
    assert.equal(error, undefined, JSON.stringify(error));
  };
  for (const back of [1, 2, 4]) {
    const of = counts({ connections: 400, upstream_errors: 2, ip_restriction: 30 });
    const objects = [
      { id: edge.id, ...of },
      { id: idle.id, ...counts() },
    ];
    await report(300, end - back * FIVE_MINUTES, { totals: of, objects, other: counts() });
  }
  await report(60, Math.floor(Date.now() / 60_000) * 60_000 - 60_000, {
    upstreams: [
      { backend_id: backend.id, address: "10.9.8.7:443", up: false, since: new Date(end).toISOString() },
    ],
  });
  const { id: plan } = must(
    await api.POST("/plans", { body: { operations: [{ method: "DELETE", path: `/edges/tcp/${edge.id}` }] } }),
  );
  const figures = /^Connections 1,200 Failed 0\.5 % ?6 Bytes 0 Denied 90 ?7\.5 %$/;
  for (const [width, colorScheme] of [
    [1440, "light"],
    [1440, "dark"],
    [390, "light"],
  ] as const) {
    const reader = await signedIn(width, colorScheme);
    const { page, close, complaints } = reader;
    const found: string[] = [];
    const look = async (name: string): Promise<void> => {
      await picture(page, `traffic-${name}-${colorScheme}-${width}`);
      found.push(...(await violationsOn(page)));
      if (await page.evaluate("document.documentElement.scrollWidth > innerWidth"))
        found.push(`${name}: wider than the window`);
    };
    await open(reader, `#/edges/${edge.id}`);
    await page.locator(".stats").waitFor();
    const shown = (await page.locator(".stats").innerText()).replace(/\s+/g, " ");
    assert.match(shown, figures);
    await page
      .getByRole("img", {
        name: "Traffic of Busy in the last 24 hours. 1,200 connections, 90 denied, 6 failed.",
      })
      .waitFor();
    await look("edge");
    await page.getByRole("button", { name: "As a table" }).click();
    const cells = await page.locator(".outcomes").getByRole("cell").allInnerTexts();
    const sums = [0, 1, 2].map((column) =>
      cells.reduce((sum, text, index) => sum + (index % 3 === column ? Number(text.replace(",", "")) : 0), 0),
    );
    assert.deepEqual(sums, [1104, 90, 6]);
    await look("table");
    await page.getByRole("button", { name: "As a chart" }).click();
    await open(reader, `#/edges/${quiet.id}`);
    await page.getByText("No traffic reported in the last 24 hours.").waitFor();
    await open(reader, `#/edges/${idle.id}`);
    await page.locator(".stats").getByText("Requests").waitFor();
    await open(reader, `#/backends/${backend.id}`);
    await page.getByText("from seen-1").waitFor();
    await page.getByText("Down", { exact: true }).waitFor();
    await look("backend");
    await open(reader, `#/plans/${plan}`);
    await page.getByText("at least 1,200 connections in the last hour, 90 denied").first().waitFor();
    await look("plan");
    await open(reader, "#/edges");
    await page.getByRole("row").filter({ hasText: "Busy" }).waitFor();
    if (width > 720) {
      const row = page.getByRole("row").filter({ hasText: "Busy" });
      await row.getByText("0.5 %").waitFor();
      assert.match(await row.innerText(), /1,200/);
    }
    await look("edges");
    await open(reader, "#/");
    await page.getByRole("img", { name: /^Traffic of all edges in the last 24 hours\. 1,200 / }).waitFor();
    await look("overview");
    assert.deepEqual([...found, ...complaints], []);
    await close();
  }
});
