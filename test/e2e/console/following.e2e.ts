import assert from "node:assert/strict";
import { after, before, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { paths } from "edge-configuration-client";
import type { Client } from "openapi-fetch";
import type { Page, Request, Response } from "playwright-core";
import { type Service, startService } from "../support/service.ts";
import { clientWith, must, world } from "./world.ts";

/*
 * Changes made elsewhere: an open page shows them, and reads little for each, however long the lists are. The service is this file's own,
 * because its many objects would slow others down.
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
    service = await startService();
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
    await page.getByRole("heading", { level: 1, name: /entrances/ }).waitFor();
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
  do await sleep(300);
  while (pending.size > 0);
}

async function open(hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await page.locator("h1").waitFor();
  await page.locator(".skeleton").first().waitFor({ state: "detached" });
}

/** A request that a change has caused, without reads of the log that had no news. */
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
