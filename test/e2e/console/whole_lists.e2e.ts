import assert from "node:assert/strict";
import { test } from "node:test";
import { must, open, signedIn, world } from "./world.ts";

/*
 * Pages read lists to their end: what is not served is shown, however much there is of it. This file is the last, because what it
 * creates slows the others down.
 */

const MANY = 230;

test("nothing beyond the first page is shown as served, or left out", async () => {
  const { api } = await world();
  const backend = must(await api.POST("/backends/http_response", { body: { status_code: 200 } }));
  // A fixed response needs TLS termination, which these edges do not have.
  const body = { backend: { backend_id: backend.id } };
  const operations = Array.from({ length: MANY }, (_, n) => ({
    method: "POST" as const,
    path: "/edges/tls",
    body: { ...body, description: `Edge ${n}`, hostports: [`e${n}.many.example.com:443`] },
  }));
  must(await api.POST("/transactions", { body: { operations } }));
  must(
    await api.POST("/edges/https", { body: { description: "Routeless", hostports: ["r.example.com:443"] } }),
  );
  must(await api.POST("/edges/tcp", { body: { description: "Hostless" } }));
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, "#/");
  const heading = await page
    .getByRole("heading", { level: 1, name: /not served as configured/ })
    .textContent();
  const [bad = 0, all = 0] = (heading ?? "").replaceAll(",", "").match(/\d+/g)?.map(Number) ?? [];
  assert.ok(bad >= MANY && all > MANY, heading ?? "");
  await page
    .getByRole("link", { name: /^and \d+ more$/ })
    .first()
    .click();
  await page.getByRole("heading", { level: 1, name: "Edges" }).waitFor();
  await page.getByRole("button", { name: /^Needs attention/, pressed: true }).waitFor();
  await open(reader, "#/map");
  await page.getByLabel("Host, address, name or id").fill("many.example.com");
  await page.getByText(`e${MANY - 1}.many.example.com:443`).waitFor({ state: "attached" });
  assert.equal(await page.getByText("TLS · Served").count(), 0);

  await open(reader, "#/edges");
  const filter = page.getByLabel("Name, host, path, policy or backend");
  for (const [name, state] of [
    ["Routeless", "No route"],
    ["Hostless", "No host"],
    ["Edge 0", "Not served"],
  ] as const) {
    await filter.fill(name);
    const row = page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
    await row.getByText(state).waitFor();
  }

  await filter.fill("");
  await page.getByRole("button", { name: "Kind: all" }).click();
  await page.getByRole("menuitemradio", { name: /^TCP, / }).click();
  await page.getByRole("button", { name: "Kind: TCP" }).waitFor();
  await page.getByRole("link", { name: "Hostless", exact: true }).waitFor();
  assert.equal(await page.getByRole("link", { name: /^Edge \d+$/ }).count(), 0);

  await open(reader, `#/backends/${backend.id}`);
  await page
    .getByText(`used by ${MANY}`, { exact: false })
    .or(page.getByText("Edge 0", { exact: true }))
    .first()
    .waitFor();
  await open(reader, "#/");
  await page.getByLabel("IP address").fill("192.0.2.1");
  await page.keyboard.press("Enter");
  const answers = page.locator("[aria-live] .row b").getByText("Not served", { exact: true });
  await answers.nth(MANY - 1).waitFor();
  await close();
});
