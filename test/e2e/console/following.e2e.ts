import assert from "node:assert/strict";
import { after, before, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { paths } from "edge-configuration-client";
import type { Client } from "openapi-fetch";
import type { Page, Request, Response } from "playwright-core";
import { type Service, startService } from "../support/service.ts";
import { clientWith, must, reviewed, world } from "./world.ts";

/*
 * Changes made elsewhere: an open page shows them, and reads little for each change, however long the lists are. This file has its own
 * service, because its many objects would slow down other tests.
 */

const [MOST_REQUESTS, MOST_ROWS] = [3, 100];
/** More than two pages of a list. */
const MANY = 250;

let service: Service;
let api: Client<paths>;
let page: Page;
/** The responses to the page that a change causes. */
const responses: Response[] = [];
let backend = "";
let policy = "";
let edge = "";
let https = "";

/** The page reads these every few seconds in any case. */
const isPeriodic = (url: URL): boolean => /^\/(serving|agents)$/.test(url.pathname);

before(
  async () => {
    service = await startService(undefined, {}, { isDirect: true });
    api = clientWith(service.key, service.origin);
    await createMany();
    const { browser } = await world();
    page = await browser.newPage();
    page.setDefaultTimeout(15_000);
    await page.clock.install();
    page.on("request", (request) => pending.add(request));
    page.on("requestfinished", (request) => pending.delete(request));
    page.on("requestfailed", (request) => pending.delete(request));
    page.on("response", (response) => {
      if (!isPeriodic(new URL(response.url()))) responses.push(response);
    });
    await page.goto(`${service.origin}/console`);
    await page.getByLabel("API key").fill(service.key);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: /place/ }).waitFor();
  },
  { timeout: 90_000 },
);
after(async () => {
  await page.close();
  await service.stop();
});

async function createMany(): Promise<void> {
  backend = await created("/backends/static", {
    description: "The origin",
    address: "origin.example.com:443",
  });
  policy = await created("/ip_policies", { description: "The office" });
  const numbers = Array.from({ length: MANY }, (_, n) => n);
  const module = { backend: { backend_id: backend } };
  await inTransaction("/edges/tls", (n) => ({
    ...module,
    description: `Edge ${n}`,
    hostports: [`e${n}.example.com:443`],
    tls_termination: { terminate_at: "edge" },
  }));
  await inTransaction("/backends/static", (n) => ({
    description: `Backend ${n}`,
    address: `b${n}.example.com:443`,
  }));
  const rules = numbers.map((n) => ({ cidr: `10.0.${n}.0/24`, action: "allow" as const }));
  must(await api.PUT("/ip_policies/{id}/rules", { params: { path: { id: policy } }, body: { rules } }));
  edge = await created("/edges/tls", {
    ...module,
    description: "The edge",
    hostports: ["edge.example.com:443"],
  });
  https = await created("/edges/https", { description: "The shop", hostports: ["shop.example.com:443"] });
}

/** Creates many objects at once. */
async function inTransaction(path: string, body: (n: number) => object): Promise<void> {
  const operations = Array.from({ length: MANY }, (_, n) => ({
    method: "POST" as const,
    path,
    body: { ...body(n) },
  }));
  must(await api.POST("/transactions", { body: { operations } }));
}

/** Sends a change from elsewhere; resolves to the response's body. */
async function send(method: string, path: string, body?: object): Promise<{ id: string }> {
  const response = await fetch(service.origin + path, {
    method,
    headers: {
      Authorization: `Bearer ${service.key}`,
      "Service-Version": "2",
      "Content-Type": "application/json",
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.ok(response.ok, text);
  return text === "" ? { id: "" } : (JSON.parse(text) as { id: string });
}

const created = async (path: string, body: object): Promise<string> => (await send("POST", path, body)).id;

/** Requests of the page that have not ended. */
const pending = new Set<Request>();

/** Lets six seconds pass on the page, in which it reads the log, and waits until it has what it asked for. */
async function sixSeconds(): Promise<void> {
  await page.clock.fastForward(6000);
  // One response can cause the next request.
  for (let idle = 0; idle < 4; idle = pending.size === 0 ? idle + 1 : 0) await sleep(30);
}

async function open(hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await page.locator("h1").waitFor();
  await page.locator(".skeleton").first().waitFor({ state: "detached" });
}

/** The requests that a change has caused, except for reads of the log without new events. */
async function caused(): Promise<{ path: string; rows: number }[]> {
  const all = await Promise.all(
    responses.splice(0).map(async (response) => {
      const { pathname, search } = new URL(response.url());
      if (pathname === "/events" && (await response.text()).includes('"events":[]')) return [];
      const operation = (await response.allHeaders())["service-operation-id"] ?? "none";
      const line = service.lines.find((one) => one.includes(operation) && one.includes("d1_rows_read"));
      const rows = Number(/"d1_rows_read":(\d+)/.exec(line ?? "")?.[1] ?? NaN);
      return [{ path: pathname + search, rows }];
    }),
  );
  return all.flat();
}

/** Something that happens elsewhere, and what the open page shows then. */
interface Step {
  name: string;
  change: () => Promise<unknown>;
  /** Shown afterwards; after a deletion, no longer shown. */
  text: string | RegExp;
  isGone?: boolean;
}

async function follow(t: TestContext, hash: string, steps: Step[]): Promise<void> {
  await open(hash);
  await sixSeconds();
  await sixSeconds();
  for (const { name, change, text, isGone = false } of steps) {
    await caused();
    await change();
    await sixSeconds();
    const found = page.locator("main").getByText(text).first();
    await found.waitFor({ state: isGone ? "detached" : "visible" });
    // Problems are read at most every five seconds.
    await sixSeconds();
    const requests = await caused();
    const rows = requests.filter(({ path }) => !path.startsWith("/problems"));
    const total = rows.reduce((sum, each) => sum + each.rows, 0);
    const all = requests.map(({ path, rows: read }) => `${path} ${read}`).join("\n");
    t.diagnostic(`${hash} ${name}: ${requests.length} requests, ${total} rows\n${all}`);
    assert.ok(requests.length > 0 && requests.length <= MOST_REQUESTS, `${name}: ${all}`);
    assert.ok(total <= MOST_ROWS, `${name}: ${total} rows: ${all}`);
  }
}

/** Steps that create, change and delete an object of a collection. */
function lifeOf(
  path: string,
  body: object,
  change: { description: string },
  text = change.description,
): Step[] {
  let id = "";
  return [
    {
      name: `POST ${path}`,
      change: async () => {
        id = await created(path, body);
      },
      text: "description" in body ? String(body.description) : text,
    },
    { name: `PATCH ${path}`, change: () => send("PATCH", `${path}/${id}`, change), text },
    { name: `DELETE ${path}`, change: () => send("DELETE", `${path}/${id}`), text, isGone: true },
  ];
}

const newEdge = { description: "New edge", hostports: ["new.example.com:9000"] };
const newRoute = { match_type: "exact_path", match: "/cart", description: "The cart" };

test("edges without problems are not said to be served while no machine reports", async () => {
  const backends = { backend: { backend_id: backend } };
  const route = await created(`/edges/https/${https}/routes`, { ...newRoute, ...backends });
  assert.deepEqual(must(await api.GET("/problems")).problems, []);
  await open("#/edges");
  await sixSeconds();
  await page.getByText("no machine reports", { exact: true }).waitFor();
  assert.equal(await page.getByText(/need attention|all served/).count(), 0);
  await send("DELETE", `/edges/https/${https}/routes/${route}`);
  await sixSeconds();
});

test("the map shows edges and routes that are changed elsewhere", async (t) => {
  await follow(
    t,
    "#/map?filter=cart",
    lifeOf(`/edges/https/${https}/routes`, newRoute, { description: "The cart of all" }),
  );
  await follow(t, "#/map?filter=9000", lifeOf("/edges/tcp", newEdge, { description: "Other edge" }));
});

test("lists show objects that are changed elsewhere", async (t) => {
  await follow(t, "#/edges?filter=9000", lifeOf("/edges/tcp", newEdge, { description: "Other edge" }));
  const address = "new.example.com:443";
  await follow(
    t,
    "#/backends",
    lifeOf("/backends/static", { description: "New backend", address }, { description: "Other backend" }),
  );
  await follow(
    t,
    "#/policies",
    lifeOf("/ip_policies", { description: "New policy" }, { description: "Other policy" }),
  );
});

test("the page of an object shows its changes, and those of what it consists of", async (t) => {
  const nameOf = (path: string, description: string): Step => ({
    name: `PATCH ${path}`,
    change: () => send("PATCH", path, { description }),
    text: description,
  });
  await follow(t, `#/edges/${edge}`, [nameOf(`/edges/tls/${edge}`, "The renamed edge")]);
  await follow(
    t,
    `#/edges/${https}`,
    lifeOf(`/edges/https/${https}/routes`, newRoute, { description: "The cart of all" }),
  );
  await follow(t, `#/backends/${backend}`, [
    nameOf(`/backends/static/${backend}`, "The renamed origin"),
    {
      name: "another user",
      change: () =>
        created("/edges/tcp", {
          description: "Another user",
          hostports: ["user.example.com:9100"],
          backend: { backend_id: backend },
        }),
      text: "Another user",
    },
  ]);
  const rule = { ip_policy_id: policy, cidr: "192.0.2.0/24", action: "deny", description: "New rule" };
  await follow(t, `#/policies/${policy}`, [nameOf(`/ip_policies/${policy}`, "The renamed office")]);
  await follow(
    t,
    `#/policies/${policy}?filter=rule`,
    lifeOf("/ip_policy_rules", rule, { description: "Other rule" }),
  );
});

test("the overview and the log show what happens elsewhere", async (t) => {
  await follow(t, "#/", lifeOf("/edges/tcp", newEdge, { description: "Other edge" }).slice(0, 2));
  await follow(
    t,
    "#/changes",
    lifeOf("/ip_policies", { description: "New policy" }, { description: "Other policy" }).slice(0, 2),
  );
});

test("many changes at once, with objects that are part of others, are followed as one is", async () => {
  await open("#/edges?filter=bulk");
  await sixSeconds();
  await caused();
  const operations = Array.from({ length: 150 }, (_, n) => ({
    method: "POST" as const,
    path: "/edges/https",
    body: { description: `Bulk ${n}`, hostports: [`bulk${n}.example.com:443`] },
  }));
  must(await api.POST("/transactions", { body: { operations } }));
  await sixSeconds();
  await page.getByText("Bulk 149", { exact: true }).waitFor();
  // A table has only the rows in view.
  await open("#/edges?filter=bulk0.example");
  await page.getByText("Bulk 0", { exact: true }).waitFor();
  const shop = await created("/edges/https", { description: "Bulk shop" });
  const route = await created(`/edges/https/${shop}/routes`, {
    ...newRoute,
    backend: { backend_id: backend },
  });
  await open(`#/backends/${backend}`);
  await sixSeconds();
  await page.locator(`a[href*="${route}"]`).waitFor();
  await send("DELETE", `/edges/https/${shop}`);
  await sixSeconds();
  await page.locator(`a[href*="${route}"]`).waitFor({ state: "detached" });
  const requests = await caused();
  assert.deepEqual(
    requests.filter(({ path }) => path.startsWith("/edges")).map(({ path }) => path),
    [],
  );
});

test("an object that is too long for the log is read by itself, and everything only after a gap in the log", async () => {
  await open("#/policies");
  await sixSeconds();
  await page.route(/\/events\?.*after_id/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { events: { object: object; truncated?: boolean }[] };
    for (const event of body.events) {
      const { id, uri } = { id: "", uri: "", ...event.object };
      Object.assign(event, { object: { id, uri }, truncated: true });
    }
    await route.fulfill({ response, json: body });
  });
  const id = await created("/ip_policies", { description: "Long policy" });
  await caused();
  await sixSeconds();
  await page.getByText("Long policy").waitFor();
  const read = await caused();
  assert.deepEqual(
    read.filter(({ path }) => path.startsWith("/ip_policies")).map(({ path }) => path),
    [`/ip_policies/${id}`],
  );
  await page.unrouteAll();

  await page.route(
    /\/events\?.*after_id/,
    (route) => route.fulfill({ status: 410, json: { error_code: "ERR_GONE" } }),
    {
      times: 1,
    },
  );
  await send("PATCH", `/ip_policies/${id}`, { description: "Policy after the gap" });
  await sixSeconds();
  await page.getByText("Policy after the gap").waitFor();
  const all = await caused();
  assert.ok(all.filter(({ path }) => path.startsWith("/edges/tls?")).length > 1, "lists are read again");
  await send("PATCH", `/ip_policies/${id}`, { description: "Policy of later" });
  await sixSeconds();
  await page.getByText("Policy of later").waitFor();
});

test("a link to an object that was created a moment ago shows it", async () => {
  const address = "linked.example.com:443";
  const target = { webhook: { url: "https://linked.example.com/hook" } };
  const heading = page.getByRole("heading", { level: 1, name: /^(Linked|There is no such)/ });
  // Destinations are not updated from the log, which is read sooner.
  await page.route("**/event_destinations?*", async (route) => {
    await sleep(300);
    await route.continue();
  });
  for (const [path, body, view] of [
    ["/edges/tcp", { hostports: ["linked.example.com:9000"] }, "edges"],
    ["/backends/static", { address }, "backends"],
    ["/ip_policies", {}, "policies"],
    ["/event_destinations", { format: "json", target }, "deliveries"],
  ] as const) {
    // The page has read the list.
    await open(`#/${view}`);
    const id = await created(path, { ...body, description: "Linked" });
    await open(`#/${view}/${id}`);
    assert.equal(await heading.innerText(), "Linked");
    await open(`#/${view}/${id}x`);
    await page.getByRole("heading", { level: 1, name: /^There is no such/ }).waitFor();
  }
  await page.unrouteAll();
});

test("while the log cannot be read, it is not known whether an object exists", async () => {
  await open("#/policies");
  const log = /\/events\?.*after_id/;
  await page.route(log, (route) => route.fulfill({ status: 500, json: { error_code: "ERR_INTERNAL" } }));
  await page.evaluate("location.hash = '#/policies/ipp_unknown'");
  const again = page.getByRole("alert").getByRole("button", { name: "Try again" });
  await page.getByRole("heading", { level: 1, name: "This IP policy cannot be shown" }).waitFor();
  await again.waitFor();
  assert.equal(await page.getByText("There is no such").count(), 0);
  await page.unroute(log);
  await again.click();
  await page.getByRole("heading", { level: 1, name: "There is no such IP policy" }).waitFor();
});

test("rules that somebody else has changed can be edited at once, without a conflict", async () => {
  const own = await created("/ip_policies", { description: "Shared" });
  const rule = { ip_policy_id: own, action: "allow" };
  await created("/ip_policy_rules", { ...rule, cidr: "198.51.100.0/24" });
  await open(`#/policies/${own}`);
  await page.getByRole("button", { name: "Remove 198.51.100.0/24" }).waitFor();
  await created("/ip_policy_rules", { ...rule, cidr: "192.0.2.0/24" });
  await sixSeconds();
  // In the order of networks.
  const removers = page.getByRole("button", { name: /^Remove \d/ });
  await removers.nth(1).waitFor();
  assert.match(
    (await removers.first().getAttribute("aria-label")) ?? (await removers.first().innerText()),
    /192\.0\.2\.0/,
  );
  await page.getByRole("button", { name: "Remove 198.51.100.0/24" }).click();
  await page.getByRole("link", { name: "Review" }).click();
  await reviewed(page);
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("heading", { level: 1, name: /^Applied/ }).waitFor();
  const { rules } = must(await api.GET("/ip_policies/{id}/rules", { params: { path: { id: own } } }));
  assert.deepEqual(
    rules.map(({ cidr }) => cidr),
    ["192.0.2.0/24"],
  );
});

test("an object that somebody else deletes keeps its page while it is edited, so that no input is lost", async () => {
  const https = await created("/edges/https", { hostports: ["gone.example.com:443"] });
  const route = await created(`/edges/https/${https}/routes`, { match: "/gone", match_type: "path_prefix" });
  for (const [list, collection, body, query] of [
    ["edges", "/edges/tcp", { hostports: ["gone.example.com:9000"] }, ""],
    ["backends", "/backends/static", { address: "gone.example.com:443" }, ""],
    ["policies", "/ip_policies", {}, ""],
    ["edges", "/edges/https", undefined, `?route=${route}`],
  ] as const) {
    const id = body ? await created(collection, body) : https;
    await open(`#/${list}/${id}${query}`);
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Entered before");
    await send("DELETE", body ? `${collection}/${id}` : `/edges/https/${id}/routes/${route}`);
    await sixSeconds();
    assert.equal(await dialog.getByLabel("Name", { exact: true }).inputValue(), "Entered before", collection);
    await dialog.getByRole("button", { name: "Keep for review" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("heading", { level: 1, name: /^There is no such/ }).waitFor();
  }
  const tcp = await created("/edges/tcp", { hostports: ["gone.example.com:9001"] });
  await open(`#/traffic_policies/${tcp}`);
  const text = page.getByRole("textbox", { name: "Traffic policy" });
  await text.fill("on_tcp_connect:");
  await send("DELETE", `/edges/tcp/${tcp}`);
  await sixSeconds();
  assert.equal(await text.inputValue(), "on_tcp_connect:");
  await page.getByRole("button", { name: "Keep for review" }).click();
  await page.getByRole("heading", { level: 1, name: /^There is no such/ }).waitFor();
  await page.getByRole("link", { name: "Review" }).click();
  await page.getByText("was deleted in the meantime, so your changes to it are left out").waitFor();
  await page.getByText("There are no changes to review.").waitFor();
});

test("an answer about an address says that the configuration has changed, and is asked for again", async () => {
  await open("#/");
  await page.getByLabel("IP address").fill("192.0.2.1");
  await page.keyboard.press("Enter");
  const panel = page.locator(".panel", { has: page.getByRole("heading", { name: "Who gets in?" }) });
  await panel.locator(".row").first().waitFor();
  await send("PATCH", `/edges/tls/${edge}`, { description: "Edge of the answer" });
  await sixSeconds();
  await panel.getByText("The configuration has changed since").waitFor();
  await panel.getByRole("button", { name: "Ask again" }).click();
  await panel.getByText("The configuration has changed since").waitFor({ state: "detached" });
});
