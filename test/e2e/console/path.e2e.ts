import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import {
  applyPlan,
  choose,
  keyWith,
  must,
  newReader,
  open,
  reviewed,
  signedIn,
  signedInAlone,
  signIn,
  world,
} from "./world.ts";

/*
 * The path from signing in to undoing, and what each role can do.
 */

/** Makes a policy with a rule, and returns its id. */
async function givenPolicy(description: string): Promise<string> {
  const { api } = await world();
  const { id } = must(await api.POST("/ip_policies", { body: { description } }));
  must(
    await api.POST("/ip_policy_rules", { body: { ip_policy_id: id, cidr: "192.0.2.0/24", action: "allow" } }),
  );
  return id;
}

/** The rules of a policy, as the service lists them. */
async function rulesOf(id: string): Promise<string[]> {
  const { api } = await world();
  const { rules } = must(await api.GET("/ip_policies/{id}/rules", { params: { path: { id } } }));
  return rules.map(({ cidr, action, description = "" }) => `${cidr} ${action} ${description}`.trim());
}

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    const focused = await page.evaluate<string>("document.activeElement.textContent.trim()");
    if (focused.startsWith(name)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${name}.`);
}

const heading = (page: Page, name: RegExp) => page.getByRole("heading", { level: 1, name });

test("by keyboard alone: sign in, find a policy, paste three rules, review, apply, undo", async () => {
  const { service } = await world();
  const id = await givenPolicy("Keyboard");
  const { page, context, complaints } = await newReader();
  await page.goto(`${service.origin}/console`);
  await page.getByLabel("API key").waitFor();
  await page.keyboard.type(service.key);
  await page.keyboard.press("Enter");
  await heading(page, /place/).waitFor();
  await tabTo(page, "IP policies");
  await page.keyboard.press("Enter");
  await heading(page, /^IP policies/).waitFor();
  await page.locator(".list .name a").first().waitFor();
  await page.keyboard.press("f");
  await page.keyboard.type("Keyb");
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await heading(page, /^Keyboard/).waitFor();
  await page.getByRole("button", { name: "Remove 192.0.2.0/24" }).waitFor();
  await page.keyboard.press("n");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.insertText(
    "203.0.113.0/24, allow, Porto\n# a comment\n198.51.100.77, deny\n2001:db8::/32",
  );
  await page.getByRole("button", { name: "Add 3 rules" }).waitFor();
  await tabTo(page, "Add 3 rules");
  await page.keyboard.press("Enter");
  await page.getByText("3 changes not applied yet").waitFor();
  assert.deepEqual(await rulesOf(id), ["192.0.2.0/24 allow"]);
  await page.keyboard.press("Control+Enter");
  await reviewed(page);
  // The bar and the plan count the same.
  await heading(page, /^Review 3 changes/).waitFor();
  await page.getByText("203.0.113.0/24 Porto").waitFor();
  await page.keyboard.press("Control+Enter");
  await heading(page, /^Applied 3 changes/).waitFor();
  assert.deepEqual(await rulesOf(id), [
    "192.0.2.0/24 allow",
    "198.51.100.77/32 deny",
    "203.0.113.0/24 allow Porto",
    "2001:db8::/32 allow",
  ]);
  await page.getByRole("button", { name: "Undo" }).waitFor();
  await page.keyboard.press("u");
  await reviewed(page);
  await page.getByRole("button", { name: "Apply" }).waitFor();
  await page.keyboard.press("Control+Enter");
  await heading(page, /^Applied/).waitFor();
  assert.deepEqual(await rulesOf(id), ["192.0.2.0/24 allow"]);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("a viewer's pages have no control that writes", async () => {
  const id = await givenPolicy("Viewed");
  const reader = await signedIn(1440, "light", await keyWith("viewer"));
  const { page, close } = reader;
  for (const hash of ["#/", "#/policies", `#/policies/${id}`]) {
    await open(reader, hash);
    const names = await page.locator("main button").allTextContents();
    const reading = /^(?:|Ask|All[\d,]*|Allow|Deny|Ending|IPv4|IPv6)$/;
    assert.deepEqual(
      names.filter((name) => !reading.test(name)),
      [],
    );
  }
  await close();
});

test("a planner proposes, an editor sees the address in another browser and applies", async () => {
  const id = await givenPolicy("Proposed");
  const planner = await signedIn(1440, "light", await keyWith("planner"));
  await open(planner, `#/policies/${id}`);
  await planner.page.getByRole("button", { name: "Remove 192.0.2.0/24" }).click();
  await planner.page.getByRole("link", { name: "Review" }).click();
  await reviewed(planner.page);
  assert.equal(await planner.page.getByRole("button", { name: "Apply" }).count(), 0);
  await planner.page.getByRole("button", { name: "Ask for approval" }).click();
  await planner.page.getByText("Send this address").waitFor();
  await planner.page.getByRole("button", { name: "Copy the address" }).waitFor();
  const { hash } = new URL(planner.page.url());
  const { api } = await world();
  // A change in between makes the plan outdated.
  must(
    await api.POST("/ip_policy_rules", { body: { ip_policy_id: id, cidr: "10.0.0.0/8", action: "deny" } }),
  );
  const editor = await signedIn(1440, "light", await keyWith("editor"));
  await open(editor, hash);
  const apply = editor.page.getByRole("button", { name: "Apply" });
  await apply.click();
  await editor.page
    .getByRole("alert")
    .getByText(/changed|outdated/i)
    .waitFor();
  assert.deepEqual(await rulesOf(id), ["10.0.0.0/8 deny", "192.0.2.0/24 allow"]);
  await Promise.all([planner.close(), editor.close()]);
});

test("no key is left in the address, the storage or the page, and signing out ends the session", async () => {
  const { service } = await world();
  const reader = await newReader();
  await signIn(reader);
  const { page, context } = reader;
  const kept = await page.evaluate<string>(
    "JSON.stringify([{ ...localStorage }, { ...sessionStorage }]) + document.cookie + location.href + document.body.innerHTML",
  );
  assert.ok(!kept.includes(service.key));
  await choose(page, "Account, theme, sign out", "Sign out");
  await page.getByLabel("API key").waitFor();
  assert.equal((await context.request.get(`${service.origin}/whoami`)).status(), 401);
  await context.close();
});

test("a session that ends in the middle of work can be renewed, and the changes are kept", async () => {
  const { service } = await world();
  const id = await givenPolicy("Interrupted");
  const reader = await signedInAlone();
  const { page, context } = reader;
  await open(reader, `#/policies/${id}`);
  await page.getByRole("button", { name: "Remove 192.0.2.0/24" }).click();
  await context.clearCookies();
  await page.getByRole("link", { name: "Review" }).click();
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await dialog.getByLabel("API key").fill(service.key);
  await page.keyboard.press("Enter");
  await reviewed(page);
  await context.close();
});

test("if somebody else changed the same policy, the review merges both changes", async () => {
  const { api } = await world();
  const id = await givenPolicy("Merged");
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, `#/policies/${id}`);
  await page.getByRole("button", { name: "Remove 192.0.2.0/24" }).click();
  must(
    await api.POST("/ip_policy_rules", { body: { ip_policy_id: id, cidr: "10.0.0.0/8", action: "deny" } }),
  );
  await page.getByRole("link", { name: "Review" }).click();
  await reviewed(page);
  await page.getByRole("button", { name: "Apply" }).click();
  await heading(page, /^Applied/).waitFor();
  assert.deepEqual(await rulesOf(id), ["10.0.0.0/8 deny"]);
  await close();
});

test("a change by somebody else is shown within six seconds", async () => {
  const { api } = await world();
  const id = await givenPolicy("Live");
  const reader = await signedIn();
  await open(reader, `#/policies/${id}`);
  await reader.page.getByRole("button", { name: "Remove 192.0.2.0/24" }).waitFor();
  must(
    await api.POST("/ip_policy_rules", { body: { ip_policy_id: id, cidr: "10.0.0.0/8", action: "deny" } }),
  );
  await reader.page.getByText("10.0.0.0/8").waitFor({ timeout: 6500 });
  await reader.close();
});

test("an edge's backend and restriction are edited, reviewed with their effect, applied, and undone from the log", async () => {
  const { api } = await world();
  const policy = await givenPolicy("One network");
  const { id } = must(
    await api.POST("/edges/tcp", { body: { description: "Edited", hostports: ["edited.example.com:9000"] } }),
  );
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, `#/edges/${id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Goes to").selectOption({ label: "Back in a minute · Fixed response" });
  await page.getByLabel("One network").check();
  await page.getByRole("button", { name: "Keep for review" }).click();
  await page.getByRole("link", { name: "Review" }).click();
  await reviewed(page);
  const apply = page.getByRole("button", { name: "Apply" });
  assert.equal(await apply.isDisabled(), true, "the warnings must be ticked first");
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  await apply.click();
  await heading(page, /^Applied/).waitFor();
  const edge = must(await api.GET("/edges/tcp/{id}", { params: { path: { id } } }));
  assert.deepEqual(
    edge.ip_restriction?.ip_policies?.map((ref) => ref.id),
    [policy],
  );
  assert.ok(edge.backend?.enabled);
  const [event] = must(await api.GET("/events", { params: { query: { object_id: id } } })).events;
  await open(reader, `#/changes/${event?.event_id}`);
  await page.getByRole("button", { name: /^Undo…/ }).click();
  await reviewed(page);
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  await apply.click();
  await heading(page, /^Applied/).waitFor();
  const restored = must(await api.GET("/edges/tcp/{id}", { params: { path: { id } } }));
  assert.deepEqual([restored.ip_restriction, restored.backend], [null, null]);
  await close();
});

test("two browsers edit one edge: the second is told, chooses, and both edits stand", async () => {
  const { api } = await world();
  const { id } = must(
    await api.POST("/edges/tcp", {
      body: { description: "Contested", hostports: ["contested.example.com:9001"] },
    }),
  );
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, `#/edges/${id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Mine");
  await page.getByLabel("Goes to").selectOption({ label: "Back in a minute · Fixed response" });
  await page.getByRole("button", { name: "Keep for review" }).click();
  const params = { path: { id } };
  must(
    await api.PATCH("/edges/tcp/{id}", {
      params,
      body: { description: "Theirs", hostports: ["contested.example.com:9002"] },
    }),
  );
  await page.getByRole("link", { name: "Review" }).click();
  await page.getByText("The same fields were changed in the meantime").waitFor();
  await page.getByLabel("Yours: Mine").check();
  await page.getByRole("button", { name: "Review again" }).click();
  await applyPlan(page);
  const edge = must(await api.GET("/edges/tcp/{id}", { params }));
  assert.deepEqual([edge.description, edge.hostports], ["Mine", ["contested.example.com:9002"]]);
  assert.ok(edge.backend?.enabled);
  await close();
});

test("the palette finds a page, an object and an address by keyboard", async () => {
  const id = await givenPolicy("Found by the palette");
  const reader = await signedIn();
  const { page, close } = reader;
  for (const [text, expected] of [
    ["auth", /^Authorities/],
    ["found by the pal", /^Found by the palette/],
    ["db.example.com", /^Reporting database/],
    [id, /^Found by the palette/],
  ] as const) {
    await open(reader, "#/changes");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Page, name, id or address" }).fill(text);
    await page.getByRole("dialog").getByRole("option").first().waitFor();
    await page.keyboard.press("Enter");
    await heading(page, expected).waitFor();
  }
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Page, name, id or address" }).fill("198.51.100.24");
  await page.keyboard.press("Enter");
  await page.getByText("Gets in", { exact: true }).first().waitFor();
  await close();
});

test("a policy that nobody needs is deleted by a reviewed change", async () => {
  const { api } = await world();
  const id = await givenPolicy("Not needed");
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, `#/policies/${id}`);
  await choose(page, "More", "Delete…");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("link", { name: "Review" }).click();
  await reviewed(page);
  await page.getByRole("button", { name: "Apply" }).click();
  await heading(page, /^Applied/).waitFor();
  const { response } = await api.GET("/ip_policies/{id}", { params: { path: { id } } });
  assert.equal(response.status, 404);
  await close();
});

test("a new key's token is shown once, in a dialog that closes only after it was copied", async () => {
  const { service } = await world();
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, "#/keys");
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("What is it for?").fill("Shown once");
  await page.getByRole("button", { name: "Create the key" }).click();
  const token = await page.getByRole("dialog").locator(".cmd code").innerText();
  const headers = { Authorization: `Bearer ${token}`, "Service-Version": "2" };
  assert.equal((await fetch(`${service.origin}/whoami`, { headers })).status, 200);
  await page.keyboard.press("Escape");
  assert.equal(await page.getByRole("dialog").count(), 1);
  await page.context().grantPermissions(["clipboard-write"]);
  await page.getByRole("button", { name: "Copy the key" }).click();
  await page.getByText("Copied", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.ok(!(await page.content()).includes(token));
  await close();
});

test("only an admin is offered to forget an agent, and can", async () => {
  const { service } = await world();
  const reported = await fetch(`${service.origin}/agents/gone/status`, {
    method: "PUT",
    headers: {
      Authorization: `Bearer ${await keyWith("agent")}`,
      "Service-Version": "2",
      "Content-Type": "application/json",
    },
    body: JSON.stringify({ applied_version: 1, ok: true, problems: [], proxy: "HAProxy" }),
  });
  assert.equal(reported.status, 200);
  for (const [role, offered] of [
    ["editor", 0],
    ["admin", 1],
  ] as const) {
    const reader = await signedIn(1440, "light", await keyWith(role));
    await open(reader, "#/agents");
    const row = reader.page.getByRole("article").filter({ hasText: "gone" });
    await row.waitFor();
    const forget = row.getByRole("button", { name: "Forget" });
    assert.equal(await forget.count(), offered, role);
    if (offered > 0) {
      await forget.click();
      await reader.page.getByRole("dialog").getByRole("button", { name: "Forget" }).click();
      await row.waitFor({ state: "detached" });
    }
    await reader.close();
  }
});

test("somebody changes the edge after the plan was made: Refresh fails, and the page leads to a merge", async () => {
  const { api } = await world();
  const params = {
    path: {
      id: must(
        await api.POST("/edges/tcp", {
          body: { description: "Raced", hostports: ["raced.example.com:9003"] },
        }),
      ).id,
    },
  };
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, `#/edges/${params.path.id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Mine");
  await page.getByRole("button", { name: "Keep for review" }).click();
  await page.getByRole("link", { name: "Review" }).click();
  await reviewed(page);
  must(await api.PATCH("/edges/tcp/{id}", { params, body: { metadata: "theirs" } }));
  await choose(page, "More", /^Refresh/);
  await page.getByRole("link", { name: "Merge the changes" }).click();
  await reviewed(page);
  await page.getByRole("button", { name: "Apply" }).click();
  await heading(page, /^Applied/).waitFor();
  const { description, metadata } = must(await api.GET("/edges/tcp/{id}", { params }));
  assert.deepEqual([description, metadata], ["Mine", "theirs"]);
  await close();
});

test("the focus goes back to where it was when a dialog or the palette closes", async () => {
  const id = await givenPolicy("Focus");
  const reader = await signedIn();
  const { page, close } = reader;
  const focused = () => page.evaluate<string>("document.activeElement.textContent.trim()");
  await open(reader, `#/policies/${id}`);
  for (const name of ["Add rules", "Edit"]) {
    const button = page.locator(".head").getByRole("button", { name });
    await button.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.ok((await focused()).startsWith(name), `${name}: ${await focused()}`);
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.ok((await focused()).startsWith(name), `palette: ${await focused()}`);
  }
  await close();
});

test("a policy's page asks only for the entrances that use it", async () => {
  const { api } = await world();
  const id = await givenPolicy("Narrow");
  const body = {
    description: "Narrow edge",
    hostports: ["narrow.example.com:9004"],
    ip_restriction: { ip_policy_ids: [id] },
  };
  must(await api.POST("/edges/tcp", { body }));
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, `#/policies/${id}`);
  await page.getByLabel("IP address").fill("192.0.2.7");
  await page.getByRole("button", { name: "Ask" }).click();
  const asked = page.locator(".panel", { has: page.getByRole("heading", { name: "Who gets in?" }) });
  const answers = asked.locator(".row");
  await answers.first().waitFor();
  const texts = await answers.allInnerTexts();
  assert.equal(texts.length, 1, texts.join());
  assert.match(texts[0] ?? "", /Narrow edge/);
  await close();
});
