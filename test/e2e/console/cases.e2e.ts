import assert from "node:assert/strict";
import { test } from "node:test";
import { must, newReader, open, reviewed, signedIn, signedInAlone, signIn, world } from "./world.ts";

/*
 * Many rules, hostile names, and a service that is busy, unreachable or replaced.
 */

const MANY = 10_000;

test("10,000 rules with three bad lines are pasted, corrected, reviewed and applied; few rows are in the page", async () => {
  const { api } = await world();
  const { id } = must(await api.POST("/ip_policies", { body: { description: "Many" } }));
  const reader = await signedInAlone();
  const { page, context } = reader;
  await open(reader, `#/policies/${id}`);
  const lines = Array.from({ length: MANY }, (_, n) => `10.${n >> 8}.${n & 255}.0/24, deny`);
  const wrong = lines.with(7, "10.0.7.1/24").with(99, "nonsense").with(500, "10.1.244.0/24, maybe");
  await page.getByRole("button", { name: "Add rules" }).click();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const field = page.getByLabel("Rules, one per line");
  // Typing so many lines takes Chromium minutes.
  const paste = async (some: string[]): Promise<void> => {
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(some.join("\n"))})`);
    await field.press("Control+A");
    await field.press("Control+V");
  };
  await paste(wrong);
  await page.getByText("3 lines cannot be read").waitFor();
  for (const line of [8, 100, 501]) await page.getByText(`Line ${line}:`).waitFor();
  await paste(lines);
  await page.getByRole("button", { name: "Add 10,000 rules" }).click();
  await page.getByText("10,000 changes not applied yet").waitFor();
  const rows = page.getByRole("table", { name: "Rules" }).locator("[role=row]:not(.h)");
  assert.ok((await rows.count()) <= 80);
  await page.getByLabel("Network, an address in it, or description").fill("10.39.15.200");
  await page.getByText("10.39.15.0/24").waitFor();
  assert.equal(await rows.count(), 1);
  await page.getByRole("link", { name: "Review" }).click();
  await reviewed(page);
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("heading", { level: 1, name: /^Applied/ }).waitFor({ timeout: 30_000 });
  const { rules } = must(
    await api.GET("/ip_policies/{id}/rules", { params: { path: { id }, query: { limit: MANY } } }),
  );
  assert.deepEqual(
    rules.map(({ cidr, action }) => `${cidr}, ${action}`),
    lines,
  );
  await context.close();
});

test("names of users are shown as text, whatever they contain", async () => {
  const { api } = await world();
  const description = "<img src=x onerror=alert(1)> \u202Edcba 🦊";
  const { id } = must(await api.POST("/ip_policies", { body: { description } }));
  const reader = await signedIn();
  await open(reader, `#/policies/${id}`);
  assert.equal(await reader.page.getByRole("heading", { level: 1 }).textContent(), description);
  assert.equal(await reader.page.locator("main img").count(), 0);
  assert.deepEqual(reader.complaints, []);
  await reader.close();
});

test("a busy service is asked again as it says, and a lost answer makes one plan only", async () => {
  const { api } = await world();
  const { id } = must(await api.POST("/ip_policies", { body: { description: "Busy" } }));
  const reader = await signedIn();
  const { page, close } = reader;
  let refusals = 2;
  await page.route("**/ip_policies/*/rules*", (route) => {
    refusals -= 1;
    return refusals >= 0 ? route.fulfill({ status: 503, headers: { "Retry-After": "1" } }) : route.continue();
  });
  await page.evaluate(`location.hash = "#/policies/${id}"`);
  await page.getByText("The service asks to wait").waitFor();
  await page.getByText("This policy has no rules").waitFor();
  await page.getByRole("button", { name: "Add rules" }).click();
  await page.getByLabel("Rules, one per line").fill("192.0.2.0/24");
  await page.getByRole("button", { name: "Add 1 rule" }).click();
  const before = must(await api.GET("/plans")).plans.length;
  let isLost = false;
  await page.route("**/plans", async (route) => {
    if (isLost || route.request().method() !== "POST") return route.continue();
    isLost = true;
    await route.fetch();
    return route.abort();
  });
  await page.getByRole("link", { name: "Review" }).click();
  await reviewed(page);
  assert.ok(isLost);
  assert.equal(must(await api.GET("/plans")).plans.length, before + 1);
  await close();
});

test("a page whose script is gone asks for a reload, after which the changes are still there", async () => {
  const { api } = await world();
  const { id } = must(await api.POST("/ip_policies", { body: { description: "Reloaded" } }));
  must(
    await api.POST("/ip_policy_rules", { body: { ip_policy_id: id, cidr: "192.0.2.0/24", action: "deny" } }),
  );
  const reader = await newReader();
  const { page, context } = reader;
  await page.route("**/console/assets/operation-*", (route) => route.fulfill({ status: 404 }));
  await signIn(reader);
  await open(reader, `#/policies/${id}`);
  await page.getByRole("button", { name: "Remove 192.0.2.0/24" }).click();
  await page.evaluate('location.hash = "#/agents"');
  await page.getByText("A new version is here").waitFor();
  await page.unroute("**/console/assets/operation-*");
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByRole("heading", { level: 1, name: "Agents" }).waitFor();
  await page.getByText("1 change not applied yet").waitFor();
  await context.close();
});

test("without a connection, a bar says so, and what is known stays; five seconds after it is back, so is the page", async () => {
  const reader = await signedInAlone();
  const { page, context } = reader;
  await page.clock.install();
  await page.reload();
  await open(reader, "#/edges");
  await page.getByText("Shop front").waitFor();
  await context.setOffline(true);
  await page.clock.fastForward(6000);
  await page.getByText("Offline").waitFor({ timeout: 8000 });
  await page.getByText("Shop front").waitFor();
  await context.setOffline(false);
  await page.clock.fastForward(6000);
  await page.locator(".live").getByText(/^Live/).waitFor({ timeout: 8000 });
  await context.close();
});

test("the picture of all IPv4 addresses shows who gets in, down to single addresses", async () => {
  const { api } = await world();
  const { id } = must(await api.POST("/ip_policies", { body: { description: "Pictured" } }));
  const body = { ip_policy_id: id, cidr: "0.0.0.0/8", action: "allow" as const };
  must(await api.POST("/ip_policy_rules", { body }));
  must(await api.POST("/ip_policy_rules", { body: { ...body, cidr: "0.0.0.0/30", action: "deny" } }));
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, `#/policies/${id}`);
  await page.getByText("0.4 % get in").waitFor();
  await page.getByText("a square is a /8").waitFor();
  // The first cell is at the top left, at every level.
  const first = page.locator("canvas.hilbert");
  const expected = ["0.0.0.0/12 · in part", "0.0.0.0/24 · in part", "0.0.0.0/32 · refused"];
  for (const [level, text] of expected.entries()) {
    await first.hover({ position: { x: 2, y: 2 } });
    await page.getByText(text).waitFor();
    if (level < 2) await first.click({ position: { x: 2, y: 2 } });
  }
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Back" }).click();
  assert.equal(await page.getByRole("button", { name: "Back" }).count(), 0);
  await page.getByRole("table", { name: "IPv4 networks that get in" }).getByText("0.0.0.4/30").waitFor();
  await close();
});

test("a dialog has the focus as soon as it is there, not only after the browser has painted it", async () => {
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, "#/certificates");
  const opened = async (): Promise<string> =>
    page.getByRole("button", { name: "New issuer" }).evaluate(async (button) => {
      (button as unknown as { click: () => void }).click();
      // Preact renders in a microtask.
      for (let i = 0; i < 10; i++) await Promise.resolve();
      const { document } = globalThis as unknown as {
        document: { activeElement: { closest: (selector: string) => unknown; tagName: string } };
      };
      return document.activeElement.closest("dialog") === null ? "outside" : document.activeElement.tagName;
    });
  await opened();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.equal(await opened(), "INPUT");
  await close();
});

test("a request that is not answered fails, and can be sent again", async () => {
  const reader = await signedIn();
  const { page, close } = reader;
  const dialog = page.getByRole("dialog");
  /** Leaves the next request to a path without a response, and lets it time out. */
  const hang = (path: string) =>
    page.route(path, () => page.evaluate("dispatchEvent(new Event('timeout'))"), { times: 1 });
  await page.addInitScript(`AbortSignal.timeout = (milliseconds) => {
    if (milliseconds !== 30_000) throw new Error(milliseconds + " milliseconds");
    const controller = new AbortController();
    addEventListener("timeout", () => controller.abort(new DOMException("Too late", "TimeoutError")));
    return controller.signal;
  }`);
  await page.reload();
  await open(reader, "#/policies");
  await hang("**/previews");
  await page.getByRole("button", { name: /^New policy/ }).click();
  await page.getByLabel("Name", { exact: true }).fill("Unanswered");
  await page.getByRole("button", { name: "Keep for review" }).click();
  await dialog.getByText("The service did not respond within 30 seconds. Try again.").waitFor();
  await page.getByRole("button", { name: "Keep for review" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Edit Unanswered" }).waitFor();
  await open(reader, "#/keys");
  await hang("**/bot_users");
  await page.getByRole("button", { name: "New bot" }).click();
  await page.getByLabel("Name", { exact: true }).fill("unanswered-bot");
  await dialog.getByRole("button", { name: "Create the bot" }).click();
  await dialog.getByText("The service did not respond within 30 seconds. Try again.").waitFor();
  await dialog.getByRole("button", { name: "Create the bot" }).click();
  await dialog.waitFor({ state: "detached" });
  await close();
});
