import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { until } from "../support/wait.ts";
import {
  applyPlan,
  choose,
  comeBack,
  keyWith,
  must,
  open,
  type Reader,
  reviewed,
  signedIn,
  signedInAlone,
  world,
} from "./world.ts";

/*
 * Pending changes that depend on each other, and what happens to them when somebody else changes, applies or deletes something.
 */

/** Makes a policy with rules, and returns its id. */
async function givenPolicy(description: string, ...rules: string[]): Promise<string> {
  const { api } = await world();
  const { id } = must(await api.POST("/ip_policies", { body: { description } }));
  await setRules(id, ...rules.map((cidr) => ({ cidr })));
  return id;
}

/** Replaces the rules of a policy, as somebody else. */
async function setRules(id: string, ...rules: { cidr: string; description?: string }[]): Promise<void> {
  const { api } = await world();
  const body = { rules: rules.map((rule) => ({ ...rule, action: "allow" as const })) };
  must(await api.PUT("/ip_policies/{id}/rules", { params: { path: { id } }, body }));
}

async function rulesOf(id: string): Promise<string[]> {
  const { api } = await world();
  const { rules } = must(await api.GET("/ip_policies/{id}/rules", { params: { path: { id } } }));
  return rules.map(({ cidr, description = "" }) => `${cidr} ${description}`.trim());
}

/** Makes an HTTPS edge with a route, and returns both ids. */
async function givenEdge(name: string): Promise<{ edge: string; route: string }> {
  const { api } = await world();
  const hostports = [`${name.toLowerCase().replaceAll(" ", "-")}.example.com:443`];
  const edge = must(await api.POST("/edges/https", { body: { description: name, hostports } })).id;
  const body = { match: "/a", match_type: "path_prefix" as const, description: `${name} route` };
  const params = { path: { edge_id: edge } };
  return { edge, route: must(await api.POST("/edges/https/{edge_id}/routes", { params, body })).id };
}

const bar = (page: Page) => page.getByRole("region", { name: "Changes" });
/** Adds the creation of a policy to the pending changes. */
async function addPolicy(reader: Reader, name: string): Promise<void> {
  const { page } = reader;
  await open(reader, "#/policies");
  await page.getByRole("button", { name: /^New/ }).first().click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Keep for review" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

const review = (page: Page): Promise<void> => bar(page).getByRole("link", { name: "Review" }).click();

/** Renames the object of the open page. */
async function rename({ page }: Reader, hash: string, name: string): Promise<void> {
  await open({ page, complaints: [], close: () => Promise.resolve() }, hash);
  await page.getByRole("button", { name: "Edit", exact: false }).first().click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Keep for review" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

/** Marks the object of a page for deletion. */
async function remove(reader: Reader, hash: string): Promise<void> {
  const { page } = reader;
  await open(reader, hash);
  await choose(page, "More", "Delete…");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

/** Adds a rule to a policy. */
async function addRule(reader: Reader, id: string, text: string): Promise<void> {
  const { page } = reader;
  await open(reader, `#/policies/${id}`);
  await page.getByRole("button", { name: /^Add rules/ }).click();
  await page.getByLabel("Rules, one per line").fill(text);
  await page.getByRole("dialog").locator("button[type=submit]").click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

/** Counts the plans that a page makes. */
function countPlans(page: Page): { number: number } {
  const made = { number: 0 };
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/plans")) made.number += 1;
  });
  return made;
}

/** A duplicate of a tab. */
async function copyOf(page: Page): Promise<Page> {
  const kept = await page.evaluate<string>("JSON.stringify(sessionStorage)");
  const copy = await page.context().newPage();
  await copy.goto(page.url());
  await copy.evaluate(`Object.assign(sessionStorage, ${kept})`);
  await copy.reload();
  return copy;
}

test("a route and its edge are changed in one plan, whichever was edited first", async () => {
  const { api } = await world();
  const { edge, route } = await givenEdge("Route first");
  const other = must(
    await api.POST("/edges/https/{edge_id}/routes", {
      params: { path: { edge_id: edge } },
      body: { match: "/b", match_type: "path_prefix" },
    }),
  ).id;
  const reader = await signedIn();
  const { page, close } = reader;
  await rename(reader, `#/edges/${edge}?route=${route}`, "Route renamed");
  await remove(reader, `#/edges/${edge}?route=${other}`);
  await rename(reader, `#/edges/${edge}`, "Edge renamed");
  const made = countPlans(page);
  await review(page);
  await applyPlan(page);
  assert.equal(made.number, 1);
  const found = must(await api.GET("/edges/https/{id}", { params: { path: { id: edge } } }));
  assert.deepEqual(
    [found.description, found.routes.map(({ description }) => description)],
    ["Edge renamed", ["Route renamed"]],
  );
  await close();
});

test("deleting an edge drops the changes to its routes, and another change takes the deletion back", async () => {
  const { api } = await world();
  const { edge, route } = await givenEdge("Whole");
  const reader = await signedIn();
  const { page, close } = reader;
  await remove(reader, `#/edges/${edge}?route=${route}`);
  await open(reader, `#/edges/${edge}`);
  await page.getByRole("button", { name: "Add route" }).first().click();
  await page.getByLabel("Path").fill("/new");
  await page.getByRole("button", { name: "Keep for review" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await bar(page).getByText("2 changes").waitFor();
  await remove(reader, `#/edges/${edge}`);
  await bar(page).getByText("1 change").waitFor();
  await page.getByText("Your other changes to Whole were dropped").waitFor();
  await open(reader, `#/edges/${edge}?route=${route}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByText("Whole is marked for deletion").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await review(page);
  await applyPlan(page);
  const { response } = await api.GET("/edges/https/{id}", { params: { path: { id: edge } } });
  assert.equal(response.status, 404);
  await close();
});

test("lists mark the objects that will be deleted", async () => {
  const { api } = await world();
  const policy = await givenPolicy("Listed policy");
  await givenPolicy("Other policy");
  const body = { description: "Listed backend", address: "listed.example.com:80" };
  const backend = must(await api.POST("/backends/static", { body })).id;
  const reader = await signedIn();
  const { page, close } = reader;
  const mark = page.getByText("Will be deleted", { exact: true });
  for (const [list, id, name] of [
    ["policies", policy, "Listed policy"],
    ["backends", backend, "Listed backend"],
  ] as const) {
    await open(reader, `#/${list}`);
    assert.equal(await mark.count(), 0);
    await remove(reader, `#/${list}/${id}`);
    await open(reader, `#/${list}`);
    await page.getByRole("row", { name }).getByText("Will be deleted", { exact: true }).waitFor();
    assert.equal(await mark.count(), 1);
  }
  await open(reader, `#/backends/${backend}`);
  await page.getByText("will be deleted", { exact: true }).waitFor();
  await bar(page).getByRole("button", { name: "Discard…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
  await page.getByText("will be deleted", { exact: true }).waitFor({ state: "detached" });
  await close();
});

test("an object that is marked for deletion has to be kept before it is edited", async () => {
  const id = await givenPolicy("Marked");
  const reader = await signedIn();
  const { page, close } = reader;
  await remove(reader, `#/policies/${id}`);
  await page.getByText("will be deleted").waitFor();
  await page.getByRole("button", { name: "Keep Marked" }).click();
  await bar(page).waitFor({ state: "detached" });
  await remove(reader, `#/policies/${id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Keep Marked" }).click();
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await bar(page).waitFor({ state: "detached" });
  await remove(reader, `#/policies/${id}`);
  await addRule(reader, id, "10.0.0.0/8");
  await page.getByText("Marked will not be deleted, because you changed it.").waitFor();
  await bar(page).getByText("1 change").waitFor();
  await close();
});

test("a review that is rejected repeatedly makes at most two plans, and shows the reason", async () => {
  const id = await givenPolicy("Rejected");
  const reader = await signedIn();
  const { page, close } = reader;
  const made = countPlans(page);
  const msg = "The object has changed.";
  await page.route("**/plans", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 412, json: { status_code: 412, error_code: "ERR_CHANGED", msg } })
      : route.continue(),
  );
  await addRule(reader, id, "10.0.0.0/8");
  await review(page);
  await page.getByRole("alert").getByText(msg).waitFor();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  assert.equal(made.number, 2);
  await close();
});

test("changes made after a plan stay pending when the plan is applied", async () => {
  const [a, b] = [await givenPolicy("In the plan"), await givenPolicy("Not in the plan")];
  const reader = await signedIn();
  const { page, close } = reader;
  await addRule(reader, a, "10.1.0.0/16");
  await review(page);
  await reviewed(page);
  assert.equal(await bar(page).count(), 0);
  const { hash } = new URL(page.url());
  await addRule(reader, b, "10.2.0.0/16");
  await addRule(reader, a, "10.3.0.0/16");
  await open(reader, hash);
  await page.getByText("You have edited your changes since this plan was made").waitFor();
  await bar(page).getByText("3 changes").waitFor();
  await applyPlan(page);
  assert.deepEqual(await rulesOf(a), ["10.1.0.0/16"]);
  await bar(page).waitFor();
  await review(page);
  await applyPlan(page);
  assert.deepEqual([await rulesOf(a), await rulesOf(b)], [["10.1.0.0/16", "10.3.0.0/16"], ["10.2.0.0/16"]]);
  assert.equal(await bar(page).count(), 0);
  await close();
});

test("a planner who asks for approval keeps changes that are not in the plan", async () => {
  const [a, b] = [await givenPolicy("Asked for"), await givenPolicy("Not asked for")];
  const reader = await signedIn(1440, "light", await keyWith("planner"));
  const { page, close } = reader;
  await addRule(reader, a, "10.1.0.0/16");
  await review(page);
  await reviewed(page);
  const { hash } = new URL(page.url());
  await addRule(reader, b, "10.2.0.0/16");
  await open(reader, hash);
  await page.getByRole("button", { name: "Ask for approval" }).click();
  await page.getByText("Send this address").waitFor();
  await bar(page).getByText("1 change").waitFor();
  await bar(page).getByText("Not asked for").waitFor();
  await close();
});

test("references to an object that a plan has created get its id", async () => {
  const { api } = await world();
  const { edge, route } = await givenEdge("Refers");
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, "#/policies");
  await page.getByRole("button", { name: /^New/ }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("Created first");
  await page.getByRole("button", { name: "Keep for review" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await review(page);
  await reviewed(page);
  const { hash } = new URL(page.url());
  await open(reader, `#/edges/${edge}?route=${route}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel(/^Created first/).check();
  await page.getByRole("button", { name: "Keep for review" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await open(reader, hash);
  await applyPlan(page);
  await review(page);
  await applyPlan(page);
  const { routes } = must(await api.GET("/edges/https/{id}", { params: { path: { id: edge } } }));
  assert.equal(routes[0]?.ip_restriction?.ip_policies?.length, 1);
  await close();
});

test("a plan that somebody else applies or withdraws is no longer pending, nor are its copies in other tabs", async () => {
  const { api } = await world();
  const reader = await signedIn();
  const { page, close } = reader;
  await addPolicy(reader, "Only once");
  const copy = await copyOf(page);
  await bar(copy).getByText("1 change").waitFor();
  await review(page);
  await reviewed(page);
  await review(copy);
  await reviewed(copy);
  const id = page.url().split("plans/")[1] ?? "";
  const params = { path: { id } };
  const { response } = await api.GET("/plans/{id}", { params });
  const header = { "If-Match": response.headers.get("ETag") ?? "" };
  must(await api.POST("/plans/{id}/apply", { params: { ...params, header } }));
  await comeBack(page);
  await page.getByRole("heading", { level: 1, name: /^Applied/ }).waitFor();
  assert.equal(await page.getByText("Not applied yet").count(), 0);
  await comeBack(copy);
  await copy.getByRole("heading", { level: 1, name: /^Withdrawn/ }).waitFor();
  for (const each of [page, copy]) {
    await each.evaluate("location.hash = '#/policies'");
    await each.getByRole("heading", { level: 1, name: /^IP policies/ }).waitFor();
    assert.equal(await bar(each).count(), 0);
  }
  const policy = await givenPolicy("Withdrawn elsewhere");
  await addRule(reader, policy, "10.1.0.0/16");
  await review(page);
  await reviewed(page);
  await api.DELETE("/plans/{id}", { params: { path: { id: page.url().split("plans/")[1] ?? "" } } });
  await comeBack(page);
  await page.getByRole("heading", { level: 1, name: /^Withdrawn/ }).waitFor();
  await bar(page).getByText("1 change").waitFor();
  await copy.close();
  await close();
});

test("deleting an object that somebody else changed needs a choice, and is never dropped silently", async () => {
  const { api } = await world();
  for (const choice of ["Yours: delete it anyway", "Now: keep it"]) {
    const [id, other] = [await givenPolicy("Deleted"), await givenPolicy("Beside it")];
    const params = { path: { id } };
    const reader = await signedIn();
    const { page, close } = reader;
    await remove(reader, `#/policies/${id}`);
    await addRule(reader, other, "10.1.0.0/16");
    must(await api.PATCH("/ip_policies/{id}", { params, body: { description: "Renamed" } }));
    await review(page);
    await page.getByText("The same objects were changed in the meantime").waitFor();
    await page.getByText("keep it as it is now (changed: Name)").waitFor();
    await page.getByLabel(choice).check();
    await page.getByRole("button", { name: "Review again" }).click();
    await applyPlan(page);
    const { response } = await api.GET("/ip_policies/{id}", { params });
    assert.equal(response.status, choice.startsWith("Yours") ? 404 : 200);
    assert.deepEqual(await rulesOf(other), ["10.1.0.0/16"]);
    await close();
  }
});

test("changes to objects that somebody else deleted are left out, and the page reports it", async () => {
  const { api } = await world();
  const [gone, deleted, there] = [
    await givenPolicy("Gone"),
    await givenPolicy("Gone too"),
    await givenPolicy("Still there"),
  ];
  const reader = await signedIn();
  const { page, close } = reader;
  await addRule(reader, gone, "10.1.0.0/16");
  await remove(reader, `#/policies/${deleted}`);
  await addRule(reader, there, "10.2.0.0/16");
  for (const id of [gone, deleted]) await api.DELETE("/ip_policies/{id}", { params: { path: { id } } });
  await review(page);
  for (const title of ["Gone", "Gone too"])
    await page
      .getByText(`${title} was deleted in the meantime, so your changes to it are left out.`)
      .waitFor();
  await applyPlan(page);
  assert.deepEqual(await rulesOf(there), ["10.2.0.0/16"]);
  await close();
});

test("taking back a new backend only takes back the fields that refer to it", async () => {
  const { api } = await world();
  const { id } = must(
    await api.POST("/edges/tcp", { body: { description: "Uses it", hostports: ["uses.example.com:9100"] } }),
  );
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, "#/backends");
  await page
    .getByRole("button", { name: /^New backend/ })
    .first()
    .click();
  await page.getByLabel("Name", { exact: true }).fill("Fresh");
  await page.getByRole("textbox", { name: "Address" }).fill("10.1.1.1:80");
  await page.getByRole("button", { name: "Keep for review" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await open(reader, `#/edges/${id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Uses nothing");
  await page.getByLabel("Goes to").selectOption({ label: "Fresh (not applied yet)" });
  await page.getByRole("button", { name: "Keep for review" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await open(reader, "#/backends");
  await page.getByRole("button", { name: "Take back Fresh" }).click();
  await page.getByText("Uses it: changes that refer to Fresh were taken back.").waitFor();
  await bar(page).getByText("1 change").waitFor();
  await review(page);
  await applyPlan(page);
  const edge = must(await api.GET("/edges/tcp/{id}", { params: { path: { id } } }));
  assert.deepEqual([edge.description, edge.backend], ["Uses nothing", null]);
  await close();
});

test("the same change by somebody else is not a conflict, but the removal of a rule is", async () => {
  const { api } = await world();
  const policy = await givenPolicy("Same policy");
  const { id } = must(
    await api.POST("/edges/tcp", { body: { description: "Same", hostports: ["same.example.com:9101"] } }),
  );
  const edited = await givenPolicy("Both edit", "10.1.0.0/16", "10.2.0.0/16");
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, `#/edges/${id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Same policy", { exact: true }).check();
  await page.getByRole("button", { name: "Keep for review" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  must(
    await api.PATCH("/edges/tcp/{id}", {
      params: { path: { id } },
      body: { ip_restriction: { enabled: true, ip_policy_ids: [policy] } },
    }),
  );
  await addRule(reader, edited, "10.1.0.0/16, allow, vendor");
  await setRules(edited, { cidr: "10.2.0.0/16" });
  await review(page);
  await page.getByText("The same fields were changed in the meantime").waitFor();
  assert.equal(await page.locator("fieldset.merge").count(), 1);
  await page.getByText("Both edit: 10.1.0.0/16 allow").waitFor();
  await page.getByText("Same already has your changes.").waitFor();
  await page.getByLabel(/^Yours: “vendor”/).check();
  await page.getByRole("button", { name: "Review again" }).click();
  await applyPlan(page);
  assert.deepEqual(await rulesOf(edited), ["10.1.0.0/16 vendor", "10.2.0.0/16"]);
  await close();
});

test("a secret that a reload removed is entered again before the review, or its change is left out", async () => {
  const reader = await signedIn();
  const { page, close } = reader;
  for (const name of ["Signed hook", "Unsigned hook"]) {
    await open(reader, "#/deliveries");
    await page
      .getByRole("button", { name: /^New destination/ })
      .first()
      .click();
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByLabel("URL").fill("https://hooks.example.com/x");
    await page.getByRole("button", { name: "Make a new secret" }).click();
    await page.getByRole("button", { name: "Keep for review" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
  await page.reload();
  await page.getByRole("link", { name: "Enter its secret again" }).first().click();
  await page.getByText("Enter the secrets again").waitFor();
  await page.getByRole("button", { name: "Leave out Unsigned hook" }).click();
  await page.getByRole("button", { name: "Make a new secret" }).click();
  assert.match(await page.getByLabel("Signed hook: secret").inputValue(), /^whsec_/);
  await page.getByLabel("Signed hook: secret").fill("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
  // The driver does not see the body of a streamed request.
  await page.evaluate(`{
    const send = fetch;
    globalThis.fetch = async (request) => {
      if (request.method === "POST") globalThis.sent = await request.clone().text();
      return send(request);
    };
  }`);
  await page.getByRole("button", { name: "Continue" }).click();
  await reviewed(page);
  const { operations } = JSON.parse(await page.evaluate<string>("globalThis.sent")) as {
    operations: { body: unknown }[];
  };
  assert.equal(operations.length, 1);
  assert.match(JSON.stringify(operations[0]?.body), /"secret":"whsec_A/);
  await close();
});

test("if changes are too large to store, the page warns that a reload loses them, and a reload asks first", async () => {
  const id = await givenPolicy("Too large");
  const reader = await signedIn();
  const { page, close } = reader;
  await addRule(reader, id, "10.1.0.0/16");
  await page.evaluate(
    "for (let size = 6e6; size > 1; size /= 2) try { sessionStorage.filled = (sessionStorage.filled ?? '') + 'x'.repeat(size) } catch {}",
  );
  assert.equal(await page.getByText("A reload would lose them").count(), 0);
  await addRule(reader, id, "10.2.0.0/16");
  await page.getByText("A reload would lose them").waitFor();
  const asked = page.waitForEvent("dialog");
  await page.evaluate("setTimeout(() => location.reload())");
  const dialog = await asked;
  assert.equal(dialog.type(), "beforeunload");
  await dialog.dismiss();
  await page.evaluate("sessionStorage.removeItem('filled')");
  await addRule(reader, id, "10.3.0.0/16");
  await page.getByText("A reload would lose them").waitFor({ state: "detached" });
  await close();
});

test("an object that is edited after its plan was made is created once, and then changed", async () => {
  const { api } = await world();
  const reader = await signedIn();
  const { page, close } = reader;
  const dialog = page.getByRole("dialog");
  await open(reader, "#/policies");
  await page.getByRole("button", { name: "New policy" }).first().click();
  await dialog.getByLabel("Name", { exact: true }).fill("Made before");
  await dialog.getByLabel("Rules, one per line").fill("10.0.0.0/8\n192.0.2.0/24, allow, Kept");
  await dialog.getByRole("button", { name: "Keep for review" }).click();
  await dialog.waitFor({ state: "detached" });
  await review(page);
  await reviewed(page);
  const plan = page.url();
  await open(reader, "#/policies");
  await page.getByRole("button", { name: "Edit Made before" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Made after");
  await dialog.getByLabel("Rules, one per line").fill("192.0.2.0/24, allow, Kept\n198.51.100.0/24");
  await dialog.getByRole("button", { name: "Keep for review" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.goto(plan);
  await page.getByText("Only the changes shown here are applied.").waitFor();
  await page.getByRole("button", { name: /^Apply/ }).click();
  await page.getByRole("heading", { level: 1, name: /^Applied/ }).waitFor();
  // A new name, an added rule and a removed rule.
  await bar(page).getByText("3 changes").waitFor();
  await review(page);
  await applyPlan(page);
  const { ip_policies: all } = must(await api.GET("/ip_policies"));
  const made = all.filter(({ description }) => /^Made (?:before|after)$/.test(description ?? ""));
  assert.deepEqual(
    made.map(({ description }) => description),
    ["Made after"],
  );
  const params = { path: { id: made[0]?.id ?? "" } };
  const { rules } = must(await api.GET("/ip_policies/{id}/rules", { params }));
  assert.deepEqual(
    rules.map(({ cidr, description }) => [cidr, description]),
    [
      ["192.0.2.0/24", "Kept"],
      ["198.51.100.0/24", undefined],
    ],
  );
  await close();
});

test("what refers to a new object gets its id, even if somebody else applies the plan", async () => {
  const { api } = await world();
  const { id } = must(
    await api.POST("/edges/tcp", { body: { description: "Refers", hostports: ["refers.example.com:4447"] } }),
  );
  const reader = await signedIn();
  const { page, close } = reader;
  const dialog = page.getByRole("dialog");
  await addPolicy(reader, "Referred to");
  await review(page);
  await reviewed(page);
  const params = { path: { id: page.url().split("plans/")[1] ?? "" } };
  await open(reader, `#/edges/${id}`);
  await choose(page, "Add a step", /^Who gets in/);
  await page.getByLabel("Referred to (not applied yet)").check();
  await dialog.getByRole("button", { name: "Keep for review" }).click();
  await dialog.waitFor({ state: "detached" });
  const { response } = await api.GET("/plans/{id}", { params });
  const header = { "If-Match": response.headers.get("ETag") ?? "" };
  must(await api.POST("/plans/{id}/apply", { params: { ...params, header } }));
  await comeBack(page);
  await bar(page).getByText("1 change").waitFor();
  await review(page);
  await applyPlan(page);
  const edge = must(await api.GET("/edges/tcp/{id}", { params: { path: { id } } }));
  const policies = must(await api.GET("/ip_policies")).ip_policies;
  assert.deepEqual(
    edge.ip_restriction?.ip_policies?.map((one) => one.id),
    policies.filter(({ description }) => description === "Referred to").map((one) => one.id),
  );
  await close();
});

test("a plan offers to take back only its own new objects", async () => {
  const reader = await signedIn();
  const { page, close } = reader;
  await addPolicy(reader, "Taken back");
  await review(page);
  await reviewed(page);
  const plan = page.url();
  await open(reader, "#/policies");
  await page.getByRole("button", { name: "Take back Taken back" }).click();
  await addPolicy(reader, "Another object");
  await page.goto(plan);
  await page.getByText("You have edited your changes since this plan was made").waitFor();
  assert.equal(await page.getByRole("button", { name: /^Take back/ }).count(), 0);
  await page.getByRole("button", { name: "Discard" }).click();
  await close();
});

test("a tab follows a sign-in in another tab, and says whose changes are pending", async () => {
  const reader = await signedInAlone();
  const { page, context } = reader;
  await addRule(reader, await givenPolicy("Of the first"), "10.2.0.0/16");
  const other = await context.newPage();
  await other.goto(page.url());
  await other.evaluate(`fetch("/auth/key", { method: "POST", headers: {
    "Content-Type": "application/json", "Service-Version": "2" }, body: ${JSON.stringify(
      JSON.stringify({ token: await keyWith("viewer") }),
    )} }).then(({ status }) => status)`);
  await other.reload();
  await comeBack(page);
  await page.getByText(/^The pending changes were made by .*\. You are signed in as /).waitFor();
  assert.equal(await page.getByRole("button", { name: /^Add rules/ }).count(), 0);
  await bar(page).getByText("1 change").waitFor();
  await reader.close();
});

/** Signs in with a key in another tab, or again in the same one. */
async function signInWith(page: Page, token: string): Promise<void> {
  const body = JSON.stringify(JSON.stringify({ token }));
  await page.evaluate(`fetch("/auth/key", { method: "POST", headers: {
    "Content-Type": "application/json", "Service-Version": "2" }, body: ${body} }).then(({ status }) => status)`);
  await page.reload();
}

test("the page names who made the pending changes, not who signed in last", async () => {
  const { service } = await world();
  const reader = await signedInAlone();
  const { page } = reader;
  const message = page.getByText("The pending changes were made by");
  await addRule(reader, await givenPolicy("Rules of root"), "10.2.0.0/16");
  const root = await page.locator(".who b").innerText();
  const viewer = await keyWith("viewer");
  for (let visit = 0; visit < 2; visit += 1) {
    await signInWith(page, viewer);
    await page.getByText(`The pending changes were made by ${root}. You are signed in as`).waitFor();
  }
  await signInWith(page, service.key);
  await bar(page).getByText("1 change").waitFor();
  assert.equal(await message.count(), 0);
  await bar(page).getByRole("button", { name: "Discard" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
  // Later changes belong to whoever makes them.
  const planner = await keyWith("planner");
  await signInWith(page, planner);
  await addRule(reader, await givenPolicy("Rules of a planner"), "10.3.0.0/16");
  await page.reload();
  await bar(page).getByText("1 change").waitFor();
  assert.equal(await message.count(), 0);
  await reader.close();
});

test("a sign-in in another tab keeps unfinished input and secrets, and nothing is sent as somebody else", async () => {
  const { service } = await world();
  const id = await givenPolicy("Kept from others");
  const reader = await signedInAlone();
  const { page, context } = reader;
  const notice = page.getByRole("dialog", { name: "Somebody else has signed in" });
  const adding = page.getByRole("dialog", { name: "Add rules" });
  await open(reader, `#/policies/${id}`);
  await page.getByRole("button", { name: /^Add rules/ }).click();
  await page.getByLabel("Rules, one per line").fill("10.2.0.0/16");
  const other = await context.newPage();
  await other.goto(page.url());
  await signInWith(other, await keyWith("editor"));
  await notice.getByRole("button", { name: "Stay" }).click();
  assert.equal(await page.getByLabel("Rules, one per line").inputValue(), "10.2.0.0/16");
  const sent: string[] = [];
  page.on("request", (request) => {
    if (!request.url().includes("/console/")) sent.push(request.url());
  });
  const add = adding.getByRole("button", { name: "Add 1 rule" });
  await add.click();
  await adding.getByText("Nothing was sent: somebody else has signed in. Reload the page.").waitFor();
  assert.deepEqual(sent, []);
  const root = await page.locator(".who b").innerText();
  await signInWith(other, service.key);
  await other.locator(".who b", { hasText: root }).waitFor();
  // The browser tells this tab about it later.
  await until("the rule is kept", async () => {
    if ((await adding.count()) === 0) return true;
    await add.click({ timeout: 1000 }).catch(() => undefined);
    return undefined;
  });
  await review(page);
  await reviewed(page);

  await open(reader, "#/deliveries");
  await page
    .getByRole("button", { name: /^New destination/ })
    .first()
    .click();
  await page.getByLabel("Name", { exact: true }).fill("Secret hook");
  await page.getByLabel("URL").fill("https://hooks.example.com/x");
  await page.getByRole("button", { name: "Make a new secret" }).click();
  await page.getByRole("button", { name: "Keep for review" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await signInWith(other, await keyWith("viewer"));
  await notice.waitFor();
  assert.equal(await page.getByText("Enter its secret again").count(), 0);
  await notice.getByRole("button", { name: "Reload" }).click();
  await page.getByText("Enter its secret again").waitFor();
  await page.getByText(/^The pending changes were made by /).waitFor();
  await reader.close();
});
