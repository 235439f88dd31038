import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import type { Json } from "../../support/json.ts";
import { certificatesIn } from "../traffic/certificates.ts";
import {
  applyPlan,
  choose,
  comeBack,
  crampedOn,
  keyWith,
  must,
  open,
  picture,
  type Reader,
  reviewed,
  signedIn,
  signedInAlone,
  violationsOn,
  world,
} from "./world.ts";

/*
 * Everything can be made, changed and deleted in the console.
 */

/** Keeps what a dialog has, and waits until the service has accepted it. */
async function keep(page: Page): Promise<void> {
  await page.getByRole("dialog").getByRole("button", { name: "Keep for review" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

/** Reviews and applies what is pending. */
async function apply(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Review" }).click();
  await applyPlan(page);
}

const field = (page: Page, label: string) => page.getByRole("dialog").getByLabel(label, { exact: true });

/** Opens the dialog that makes an object, on the page of a list. */
async function begin(reader: Reader, hash: string, button: string): Promise<void> {
  await open(reader, hash);
  await reader.page.getByRole("button", { name: button }).first().click();
  await reader.page.getByRole("dialog").waitFor();
}

/** The newest object of a list. */
async function newest(path: string, list: string): Promise<Json> {
  const { service } = await world();
  const headers = { Authorization: `Bearer ${service.key}`, "Service-Version": "2" };
  const response = await fetch(`${service.origin}${path}?limit=1`, { headers });
  const body = await response.json<Json>();
  return body[list][0] ?? {};
}

test("the wizard leads from a host to an edge with a server, a policy, rules and an issuer", async () => {
  const { api } = await world();
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, "#/edges");
  await page.keyboard.press("n");
  await page.getByRole("heading", { level: 1, name: "New edge" }).waitFor();
  await page.getByLabel("Host", { exact: true }).fill("wizard.example.com");
  await page.getByLabel("Name", { exact: true }).fill("Wizard");
  await page.keyboard.press("Enter");
  await page.getByLabel("Address", { exact: true }).fill("10.0.4.12:8080");
  await page.keyboard.press("Enter");
  await page.getByLabel("Only addresses that I enter").check();
  await page
    .getByLabel("Networks, one per line")
    .fill("203.0.113.0/24, allow, Porto\n198.51.100.7\n198.51.100.7/32");
  await picture(page, "wizard-who");
  assert.deepEqual(await violationsOn(page), []);
  await page.getByRole("button", { name: "Next: certificate" }).click();
  await page.getByRole("button", { name: "Review", exact: true }).click();
  await page.getByText("issues certificates only to those who agree").waitFor();
  await page.getByLabel("We agree to the terms").check();
  await page.getByRole("button", { name: "Review", exact: true }).click();
  await reviewed(page);
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { level: 1, name: "Edges" }).waitFor();
  await page.getByRole("button", { name: "Edit Wizard", exact: true }).waitFor();
  await page.getByRole("link", { name: "Review" }).click();
  await applyPlan(page);
  const edge = must(await api.GET("/edges/https", { params: { query: { limit: 1 } } })).https_edges[0];
  assert.deepEqual([edge?.description, edge?.hostports], ["Wizard", ["wizard.example.com:443"]]);
  const [route] = edge?.routes ?? [];
  assert.equal(route?.match, "/");
  const backend = await newest("/backends/static", "backends");
  assert.deepEqual([backend["address"], backend["id"]], ["10.0.4.12:8080", route?.backend?.backend.id]);
  const policy = route?.ip_restriction?.ip_policies?.[0]?.id ?? "";
  const { rules } = must(await api.GET("/ip_policies/{id}/rules", { params: { path: { id: policy } } }));
  assert.deepEqual(rules.map(({ cidr }) => cidr).toSorted(), ["198.51.100.7/32", "203.0.113.0/24"]);
  const issuer = await newest("/certificate_issuers", "certificate_issuers");
  assert.deepEqual(issuer["hosts"], ["wizard.example.com"]);
  assert.deepEqual(reader.complaints, []);
  await close();
});

test("an edge that is not applied yet gets routes and steps, so that it is never open without them", async () => {
  const { api } = await world();
  const reader = await signedIn(390);
  const { page, close } = reader;
  await open(reader, "#/new_edge");
  await page.getByLabel("Host", { exact: true }).fill("whole.example.com");
  await page.getByLabel("Name", { exact: true }).fill("Whole");
  await page.keyboard.press("Enter");
  await page.getByLabel("Address", { exact: true }).fill("10.0.4.13:8080");
  await page.keyboard.press("Enter");
  await page.getByLabel("Only addresses that I enter").check();
  await page.getByLabel("Networks, one per line").fill("203.0.113.0/24");
  await page.getByRole("button", { name: "Next: certificate" }).click();
  await page.getByLabel("A file on each machine").check();
  await page.getByRole("button", { name: "Review", exact: true }).click();
  await reviewed(page);
  await open(reader, "#/edges");
  await choose(page, "Add to Whole", /^Route/);
  await field(page, "Path").fill("/admin");
  // As the route for every path.
  assert.equal(await page.getByLabel("Clients of Whole (not applied yet)").isChecked(), true);
  await field(page, "Name").fill("Admin");
  await keep(page);
  await choose(page, "Add to Admin", /^User agents/);
  await field(page, "Deny").fill("(?i)scanner");
  await keep(page);
  await choose(page, "Add to Admin", /^Traffic policy/);
  const policy = field(page, "Traffic policy");
  await policy.fill("on_http_request:\n  - actions:\n      - type: deyn");
  await page.getByRole("dialog").getByRole("button", { name: "Use deny" }).click();
  await page.getByRole("dialog").getByText("Enforced", { exact: true }).waitFor();
  await picture(page, "added-policy-390");
  await keep(page);
  await choose(page, "Add to Whole, every path", /^Compression/);
  await keep(page);
  await page.getByRole("button", { name: "Add to Whole, every path" }).click();
  await page.getByRole("menuitem", { name: "Compression On" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await choose(page, "Add to Whole", /^Client certificates/);
  await page.getByRole("dialog").getByRole("button", { name: "Keep for review" }).click();
  await page.getByRole("dialog").getByText("Choose at least one.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await choose(page, "Add to Whole", /^TLS/);
  await field(page, "Minimum version").selectOption({ label: "TLS 1.3 or later" });
  await keep(page);
  assert.deepEqual([await violationsOn(page), await crampedOn(page)], [[], []]);
  await picture(page, "added-edge-390");
  await apply(page);
  const edge = must(await api.GET("/edges/https", { params: { query: { limit: 1 } } })).https_edges[0];
  assert.deepEqual([edge?.description, edge?.tls_termination?.min_version], ["Whole", "1.3"]);
  const routes = new Map(edge?.routes.map((route) => [route.match, route]));
  const [whole, admin] = [routes.get("/"), routes.get("/admin")];
  assert.deepEqual(admin?.user_agent_filter?.deny, ["(?i)scanner"]);
  assert.match(admin?.traffic_policy?.value ?? "", /deny/);
  assert.equal(whole?.compression, null);
  assert.equal(admin?.ip_restriction?.ip_policies?.[0]?.id, whole?.ip_restriction?.ip_policies?.[0]?.id);
  assert.notEqual(admin?.ip_restriction?.ip_policies?.[0]?.id, undefined);
  await close();
});

test("a new route starts with the restriction that the route for every path will have, unless that is off", async () => {
  const { api } = await world();
  const body = { description: "Restricted", hostports: ["restricted.example.com:443"] };
  const { id } = must(await api.POST("/edges/https", { body }));
  must(await api.POST("/ip_policies", { body: { description: "Restricting" } }));
  const route = must(
    await api.POST("/edges/https/{edge_id}/routes", {
      params: { path: { edge_id: id } },
      body: { match: "/", match_type: "path_prefix" },
    }),
  );
  const reader = await signedIn();
  const { page, close } = reader;
  const starts = async (): Promise<boolean> => {
    await begin(reader, `#/edges/${id}`, "Add route");
    const isChosen = await page.getByRole("dialog").getByLabel("Restricting").isChecked();
    await page.keyboard.press("Escape");
    return isChosen;
  };
  assert.equal(await starts(), false);
  await open(reader, `#/edges/${id}?route=${route.id}`);
  await choose(page, "Add a step", /^Who gets in/);
  await field(page, "Restricting").check();
  await keep(page);
  assert.equal(await starts(), true);
  await open(reader, `#/edges/${id}?route=${route.id}`);
  await page.getByRole("button", { name: "Change Who gets in" }).click();
  await field(page, "Enabled").uncheck();
  await keep(page);
  assert.equal(await starts(), false);
  // A secret that is not applied yet is not shown.
  await open(reader, `#/edges/${id}?route=${route.id}`);
  await choose(page, "Add a step", /^Webhook verification/);
  await field(page, "Provider").fill("github");
  await field(page, "Signing secret").fill("topsecret");
  await keep(page);
  await page.getByText("secret not shown").waitFor();
  assert.doesNotMatch(await page.locator("body").innerText(), /topsecret/);
  await close();
});

test("subscriptions without a destination, and those that are not applied yet, are on a page", async () => {
  const { api } = await world();
  const sources = [{ type: "ip_policy_created.v0" as const }];
  const body = { description: "Sends nowhere", sources, destination_ids: [] };
  const { id } = must(await api.POST("/event_subscriptions", { body }));
  const target = { webhook: { url: "https://hooks.example.com/unsent" } };
  const to = must(await api.POST("/event_destinations", { body: { description: "Unsent", target } }));
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, "#/deliveries");
  await choose(page, "More about Sends nowhere", "Edit");
  await field(page, "Unsent").check();
  await keep(page);
  await apply(page);
  const { destinations } = must(await api.GET("/event_subscriptions/{id}", { params: { path: { id } } }));
  assert.deepEqual(
    destinations?.map((one) => one.id),
    [to.id],
  );
  await begin(reader, `#/deliveries/${to.id}`, "Add a subscription");
  await field(page, "Name").fill("Added later");
  await field(page, "All").check();
  await keep(page);
  await page.getByRole("button", { name: "Edit Added later" }).waitFor();
  await close();
});

test("the wizard offers new objects that are not applied yet", async () => {
  const { api } = await world();
  const folder = mkdtempSync(join(tmpdir(), "edge-console-"));
  const { pem } = certificatesIn(folder).authority("offered-authority");
  rmSync(folder, { recursive: true });
  const reader = await signedIn();
  const { page, close } = reader;
  await begin(reader, "#/policies", "New policy");
  await field(page, "Name").fill("Offered policy");
  await keep(page);
  await begin(reader, "#/backends", "New backend");
  await field(page, "Name").fill("Offered server");
  await field(page, "Address").fill("10.0.0.7:80");
  await keep(page);
  await open(reader, "#/new_edge");
  await page.getByLabel("Host", { exact: true }).fill("offered.example.com");
  await page.keyboard.press("Enter");
  await page.getByLabel("An existing backend").check();
  await page
    .getByLabel("Backend", { exact: true })
    .selectOption({ label: "Offered server (not applied yet)" });
  await page.getByRole("button", { name: "Next: who gets in" }).click();
  await page.getByLabel("Addresses of IP policies").check();
  await page.getByLabel("Offered policy (not applied yet)").check();
  await page.getByLabel("Also ask for a client certificate").check();
  await begin(reader, "#/authorities", "New authority");
  await field(page, "Name").fill("Offered authority");
  await field(page, "Certificate").fill(pem);
  await keep(page);
  await open(reader, "#/new_edge?step=3");
  await page.getByLabel("Offered authority (not applied yet)").check();
  await page.reload();
  await page.locator(".flow li", { hasText: "Offered policy" }).waitFor();
  await page.getByRole("button", { name: "Next: certificate" }).click();
  await page.getByLabel("A file on each machine").check();
  await page.getByRole("button", { name: "Review", exact: true }).click();
  await applyPlan(page);
  const edge = must(await api.GET("/edges/https", { params: { query: { limit: 1 } } })).https_edges[0];
  const ids = async (path: string, list: string) => (await newest(path, list))["id"];
  assert.deepEqual(
    edge?.mutual_tls?.certificate_authorities?.map(({ id }) => id),
    [await ids("/certificate_authorities", "certificate_authorities")],
  );
  const [route] = edge?.routes ?? [];
  assert.equal(route?.backend?.backend.id, await ids("/backends/static", "backends"));
  assert.deepEqual(
    route?.ip_restriction?.ip_policies?.map(({ id }) => id),
    [await ids("/ip_policies", "ip_policies")],
  );
  await close();
});

test("the wizard does not mistake a new object for an earlier one, which was taken back", async () => {
  const reader = await signedIn();
  const { page, close } = reader;
  const make = async (name: string): Promise<void> => {
    await begin(reader, "#/policies", "New policy");
    await field(page, "Name").fill(name);
    await keep(page);
  };
  await make("Taken back");
  await open(reader, "#/new_edge");
  await page.getByLabel("Host", { exact: true }).fill("mistaken.example.com");
  await page.keyboard.press("Enter");
  await page.getByLabel("Address", { exact: true }).fill("10.0.4.12:8080");
  await page.keyboard.press("Enter");
  await page.getByLabel("Addresses of IP policies").check();
  await page.getByLabel("Taken back (not applied yet)").check();
  await page.getByRole("button", { name: "Discard" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Discard/ })
    .click();
  await make("Has the same name in plans");
  await open(reader, "#/new_edge?step=3");
  await page.getByText("Something you chose was deleted or applied in the meantime.").waitFor();
  assert.ok(!(await page.getByLabel("Has the same name in plans (not applied yet)").isChecked()));
  await close();
});

test("the wizard's buttons stay in place while its lists are read, and it says which cannot be read", async () => {
  const reader = await signedInAlone();
  const { page, close } = reader;
  const issuers = /\/certificate_issuers\?/;
  let answer = (): void => undefined;
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  await page.route(issuers, async (route) => {
    await isAnswered;
    await route.fulfill({ status: 500 });
  });
  const toCertificate = async (): Promise<void> => {
    await open(reader, "#/new_edge");
    await page.getByLabel("Host", { exact: true }).fill("held.example.com");
    await page.keyboard.press("Enter");
    await page.getByLabel("Address", { exact: true }).fill("10.0.4.12:8080");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Next: certificate" }).click();
  };
  await toCertificate();
  await page.locator("form").getByRole("button", { name: "Review", exact: true }).waitFor();
  assert.equal(await page.getByRole("radio").count(), 0, "What can be chosen is not known yet.");
  answer();
  const again = page.locator("form").getByRole("button", { name: "Try again" });
  await again.waitFor();
  await page.unroute(issuers);
  await again.click();
  const agree = page.getByLabel("We agree to the terms");
  await agree.waitFor();

  // What was read before appears with its step, so the button never moves from under the pointer.
  await page.getByRole("link", { name: "Cancel" }).click();
  await page.evaluate(`new MutationObserver(() => {
    const button = document.querySelector("form button[type=submit]");
    if (button?.textContent === "Review") (window.placed ??= []).push(button.getBoundingClientRect().y);
  }).observe(document.body, { childList: true, subtree: true, characterData: true })`);
  await toCertificate();
  await agree.waitFor();
  const placed = await page.evaluate<number[]>("window.placed");
  assert.equal(new Set(placed).size, 1, placed.join(", "));
  await close();
});

test("backends of each kind are made, and one that is not applied yet can be chosen", async () => {
  const { api } = await world();
  const reader = await signedIn();
  const { page, close } = reader;
  await begin(reader, "#/backends", "New backend");
  await field(page, "Name").fill("Made server");
  await field(page, "Address").fill("made.example.com");
  await page.getByRole("dialog").getByRole("button", { name: "Keep for review" }).click();
  await page.getByText("Expected").waitFor();
  assert.equal(await field(page, "Address").getAttribute("aria-invalid"), "true");
  assert.match(await page.evaluate<string>("document.activeElement.placeholder"), /8080/);
  assert.deepEqual(await violationsOn(page), []);
  await field(page, "Address").fill("made.example.com:443");
  await page.getByLabel("Encrypt the traffic to it (TLS)").check();
  await keep(page);

  await begin(reader, "#/backends", "New backend");
  await page.getByRole("button", { name: "Fixed response" }).click();
  await field(page, "Name").fill("Made response");
  await field(page, "Status").fill("503");
  await field(page, "Headers, one Name: value per line").fill("Retry-After: 60");
  await field(page, "Body").fill("Back soon");
  await keep(page);

  await begin(reader, "#/backends", "New backend");
  await page.getByRole("button", { name: "Weighted split" }).click();
  await field(page, "Name").fill("Made split");
  await page.getByLabel("Add a backend").selectOption({ label: "Made server (not applied yet)" });
  await page.getByLabel("Weight of Made server").fill("9");
  await page.getByLabel("Add a backend").selectOption({ label: "Made response (not applied yet)" });
  await picture(page, "new-weighted-backend");
  await keep(page);

  await begin(reader, "#/backends", "New backend");
  await page.getByRole("button", { name: "Fallback" }).click();
  await field(page, "Name").fill("Made fallback");
  await page.getByLabel("Add a backend").selectOption({ label: "Made response (not applied yet)" });
  await page.getByLabel("Add a backend").selectOption({ label: "Made server (not applied yet)" });
  await page.getByRole("button", { name: "Up Made server" }).click();
  await keep(page);
  await apply(page);

  const [server] = must(await api.GET("/backends/static")).backends;
  const [response] = must(await api.GET("/backends/http_response")).backends;
  const [split] = must(await api.GET("/backends/weighted")).backends;
  const [fallback] = must(await api.GET("/backends/failover")).backends;
  assert.deepEqual([server?.address, server?.tls.enabled], ["made.example.com:443", true]);
  assert.deepEqual(
    [response?.status_code, response?.headers, response?.body],
    [503, { "retry-after": "60" }, "Back soon"],
  );
  assert.deepEqual(split?.backends, { [server?.id ?? ""]: 9, [response?.id ?? ""]: 1 });
  assert.deepEqual(fallback?.backends, [server?.id, response?.id]);

  await open(reader, `#/backends/${split?.id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Weight of Made server").fill("1");
  await keep(page);
  await apply(page);
  const changed = must(await api.GET("/backends/weighted")).backends[0];
  assert.deepEqual(changed?.backends, { [server?.id ?? ""]: 1, [response?.id ?? ""]: 1 });
  // The address that was rejected.
  assert.equal(reader.complaints.length, 1, reader.complaints.join());
  await close();
});

test("what is entered for one kind of backend stays with this kind, and so do its errors", async () => {
  const reader = await signedIn(390);
  const { page, close } = reader;
  await begin(reader, "#/backends", "New backend");
  const kind = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });
  await field(page, "Name").fill("First name");
  await field(page, "Address").fill("kinds.example.com");
  await page.getByRole("dialog").getByRole("button", { name: "Keep for review" }).click();
  const error = page.getByRole("dialog").getByText("Expected");
  await error.waitFor();
  await kind("Fixed response").click();
  await field(page, "Status").fill("404");
  await field(page, "Name").fill("Second name");
  assert.equal(await page.getByRole("dialog").locator(".error").count(), 0);
  await kind("Server").click();
  assert.equal(await field(page, "Address").inputValue(), "kinds.example.com");
  assert.equal(await field(page, "Name").inputValue(), "Second name");
  await error.waitFor();
  await kind("Fixed response").click();
  assert.equal(await field(page, "Status").inputValue(), "404");
  await close();
});

test("what is entered for one target of a destination stays with this target", async () => {
  const reader = await signedIn();
  const { page, close } = reader;
  await begin(reader, "#/deliveries", "New destination");
  await field(page, "URL").fill("https://hooks.example.com/kept");
  await field(page, "Events are sent to").selectOption({ label: "Bucket" });
  await field(page, "Region").fill("eu-west-1");
  await field(page, "Events are sent to").selectOption({ label: "Webhook" });
  assert.equal(await field(page, "URL").inputValue(), "https://hooks.example.com/kept");
  await field(page, "Events are sent to").selectOption({ label: "Bucket" });
  assert.equal(await field(page, "Region").inputValue(), "eu-west-1");
  await close();
});

test("the form of an edge says how to correct a host without a port", async () => {
  const { api } = await world();
  const body = { description: "Without a port", hostports: ["with.example.com:443"] };
  const { id } = must(await api.POST("/edges/https", { body }));
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, `#/edges/${id}`);
  await page.getByRole("button", { name: "Edit" }).first().click();
  await field(page, "Hosts and ports").fill("with.example.com:443, new.example.com");
  await page.getByRole("dialog").getByRole("button", { name: "Keep for review" }).click();
  await page.getByRole("dialog").getByText("Add the port: new.example.com:443.").waitFor();
  await field(page, "Hosts and ports").fill("with.example.com:443, new.example.com:443");
  await keep(page);
  await page.getByText("1 change not applied yet").waitFor();
  assert.deepEqual(reader.complaints, []);
  await close();
});

test("lists call targets, and subscriptions call objects, as the forms do", async () => {
  const { api } = await world();
  const secret = `whsec_${Buffer.alloc(24, "named").toString("base64")}`;
  const target = { webhook: { url: "https://hooks.example.com/named", secret } };
  const { id } = must(await api.POST("/event_destinations", { body: { description: "Named", target } }));
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, "#/deliveries");
  await page.getByRole("row", { name: /Named/ }).getByText("Webhook", { exact: true }).waitFor();
  await begin(reader, `#/deliveries/${id}`, "Add a subscription");
  for (const name of ["Server", "Fallback", "Fixed response", "Weighted split", "Bot"])
    await page.getByRole("dialog").getByLabel(name, { exact: true }).waitFor();
  await close();
});

test("the history of an object says “changed”, as the log does", async () => {
  const { api } = await world();
  const { id } = must(await api.POST("/ip_policies", { body: { description: "Before" } }));
  must(await api.PATCH("/ip_policies/{id}", { params: { path: { id } }, body: { description: "After" } }));
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, `#/policies/${id}`);
  await page.getByRole("link", { name: "IP policy changed" }).waitFor();
  await close();
});

test("a route, a policy with rules, and an authority are made and used", async () => {
  const { api } = await world();
  const folder = mkdtempSync(join(tmpdir(), "edge-console-"));
  const { pem } = certificatesIn(folder).authority("made-authority");
  rmSync(folder, { recursive: true });
  const { id } = must(
    await api.POST("/edges/https", {
      body: { description: "Routed", hostports: ["routed.example.com:443"] },
    }),
  );
  const reader = await signedIn(390);
  const { page, close } = reader;
  await begin(reader, "#/policies", "New policy");
  await field(page, "Name").fill("Made policy");
  await field(page, "Rules, one per line").fill("203.0.113.7/24, deny");
  await page.getByRole("button", { name: "Keep for review" }).click();
  await page.getByText("Line 1: 203.0.113.7/24 has address bits after /24").waitFor();
  await field(page, "Rules, one per line").fill("203.0.113.0/24, allow, Porto\n198.51.100.7, deny, Test");
  await picture(page, "new-policy-390");
  await keep(page);
  await page.getByRole("button", { name: "Edit Made policy" }).click();
  const rules = "203.0.113.0/24, allow, Porto\n198.51.100.7/32, deny, Test";
  assert.equal(await field(page, "Rules, one per line").inputValue(), rules);
  await field(page, "Rules, one per line").fill(`${rules}\n2001:db8::/32`);
  await keep(page);
  await page.getByRole("region", { name: "Changes" }).getByText("4 changes").waitFor();
  // Beside its buttons, the name would be cut.
  const isWhole = `[...document.querySelectorAll(".added bdi")].every((one) => one.scrollWidth <= one.clientWidth)`;
  assert.equal(await page.evaluate(isWhole), true);
  await begin(reader, "#/authorities", "New authority");
  await field(page, "Name").fill("Made authority");
  await field(page, "Certificate").fill(pem);
  await keep(page);
  await begin(reader, `#/edges/${id}`, "Add route");
  await field(page, "Path").fill("/made");
  await page.getByLabel("Made policy (not applied yet)").check();
  await picture(page, "new-route-390");
  assert.deepEqual(await violationsOn(page), []);
  await keep(page);
  await page.getByRole("button", { name: "Edit /made" }).click();
  assert.equal(await page.getByLabel("Made policy (not applied yet)").isChecked(), true);
  await keep(page);
  await page.getByText("Not applied yet", { exact: true }).waitFor();
  await choose(page, "Add a step", /^Client certificates/);
  await page.getByLabel("Made authority (not applied yet)").check();
  await keep(page);
  await apply(page);
  const edge = must(await api.GET("/edges/https/{id}", { params: { path: { id } } }));
  const authority = await newest("/certificate_authorities", "certificate_authorities");
  const policy = await newest("/ip_policies", "ip_policies");
  assert.deepEqual(
    edge.mutual_tls?.certificate_authorities?.map((one) => one.id),
    [authority["id"]],
  );
  assert.deepEqual(
    edge.routes.map((route) => [route.match, route.ip_restriction?.ip_policies?.[0]?.id]),
    [["/made", policy["id"]]],
  );
  const params = { path: { id: String(policy["id"]) } };
  const made = must(await api.GET("/ip_policies/{id}/rules", { params })).rules;
  assert.deepEqual(made.map(({ cidr, action, description }) => [cidr, action, description]).toSorted(), [
    ["198.51.100.7/32", "deny", "Test"],
    ["2001:db8::/32", "allow", undefined],
    ["203.0.113.0/24", "allow", "Porto"],
  ]);
  await open(reader, "#/authorities");
  await choose(page, "More about Made authority", "Delete…");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("row", { name: "Made authority" }).getByText("Will be deleted").waitFor();
  assert.deepEqual(await crampedOn(page), []);
  assert.deepEqual(reader.complaints, []);
  await close();
});

test("a rule can be edited in place, and the overview shows when it ends", async () => {
  const { api } = await world();
  const { id } = must(await api.POST("/ip_policies", { body: { description: "Edited rules" } }));
  const rule = { ip_policy_id: id, action: "allow", metadata: "ticket 7" } as const;
  must(await api.POST("/ip_policy_rules", { body: { ...rule, cidr: "192.0.2.0/24", description: "Audit" } }));
  must(await api.POST("/ip_policy_rules", { body: { ...rule, cidr: "198.51.100.0/24" } }));
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, `#/policies/${id}`);
  await page.getByRole("button", { name: "Edit 192.0.2.0/24" }).click();
  await picture(page, "edit-rule");
  assert.deepEqual(await violationsOn(page), []);
  const keeping = page.getByRole("dialog").getByRole("button", { name: "Keep for review" });
  for (const [label, wrong, said] of [
    ["Network", "192.0.2.1/24", "192.0.2.1/24 has address bits after /24; use 192.0.2.0/24 or 192.0.2.1."],
    ["Network", "198.51.100.0/24", "This policy already has a rule to allow 198.51.100.0/24."],
    ["End (UTC)", "2020-01-02T03:04", "This time has passed. Choose a later time."],
  ] as const) {
    const before = await field(page, label).inputValue();
    await field(page, label).fill(wrong);
    await keeping.click();
    await page.getByRole("dialog").getByText(said).waitFor();
    await field(page, label).fill(before);
  }
  const end = new Date(Date.now() + 3.5 * 86_400_000).toISOString().slice(0, 16);
  await field(page, "End (UTC)").fill(end);
  await keep(page);
  await page.getByText("1 change not applied yet").waitFor();
  // A changed rule can be edited again. With another action, it is another rule.
  await page.getByRole("button", { name: "Edit 198.51.100.0/24" }).click();
  await field(page, "Action").selectOption("deny");
  await keep(page);
  await page.getByText("3 changes not applied yet").waitFor();
  await apply(page);
  const { rules } = must(await api.GET("/ip_policies/{id}/rules", { params: { path: { id } } }));
  assert.deepEqual(
    rules.map(({ cidr, action, description, metadata, expires_at }) => [
      cidr,
      action,
      description,
      metadata,
      expires_at,
    ]),
    [
      ["192.0.2.0/24", "allow", "Audit", "ticket 7", `${end}:00Z`],
      ["198.51.100.0/24", "deny", undefined, "ticket 7", undefined],
    ],
  );
  await open(reader, "#/");
  const row = page
    .locator(".panel", { has: page.getByRole("heading", { name: "Coming up" }) })
    .locator(".row", { hasText: "Edited rules" });
  assert.match(
    (await row.innerText()).replaceAll("\n", " "),
    /^Rule of Edited rules ends allows 192\.0\.2\.0\/24 until then · Audit in 3 days$/,
  );
  await picture(page, "coming-up");
  await api.DELETE("/ip_policies/{id}", { params: { path: { id } } });
  await row.waitFor({ state: "detached" });
  assert.deepEqual(reader.complaints, []);
  await close();
});

test("an issuer is made, changed and deleted", async () => {
  const reader = await signedIn();
  const { page, close } = reader;
  await begin(reader, "#/certificates", "New issuer");
  await field(page, "Name").fill("Made issuer");
  await field(page, "ACME directory").fill("https://acme.example.com/directory");
  await field(page, "Hosts").fill("made.example.com, *.made.example.com");
  await page.getByLabel("We agree to the authority's terms of service").check();
  await keep(page);
  await apply(page);
  const path = "/certificate_issuers";
  const made = await newest(path, "certificate_issuers");
  assert.deepEqual(made["hosts"], ["made.example.com", "*.made.example.com"]);
  await open(reader, "#/certificates");
  await choose(page, "More about Made issuer", "Edit");
  await field(page, "Hosts").fill("made.example.com");
  await keep(page);
  await apply(page);
  assert.deepEqual((await newest(path, "certificate_issuers"))["hosts"], ["made.example.com"]);
  await open(reader, "#/certificates");
  await choose(page, "More about Made issuer", "Delete…");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await apply(page);
  assert.notEqual((await newest(path, "certificate_issuers"))["id"], made["id"]);
  await close();
});

test("a destination with a subscription is made and changed", async () => {
  const { api } = await world();
  const reader = await signedIn();
  const { page, close } = reader;
  await begin(reader, "#/deliveries", "New destination");
  await field(page, "Name").fill("Made destination");
  await field(page, "URL").fill("https://hooks.example.com/made");
  await page.getByRole("button", { name: "Make a new secret" }).click();
  const secret = await field(page, "Signing secret").inputValue();
  assert.match(secret, /^whsec_/);
  await keep(page);
  // What is not applied yet can be edited, with all that was entered.
  await page.getByRole("button", { name: "Edit Made destination" }).click();
  assert.equal(await field(page, "Signing secret").inputValue(), secret);
  assert.equal(await field(page, "URL").inputValue(), "https://hooks.example.com/made");
  await field(page, "URL").fill("https://hooks.example.com/edited");
  await field(page, "Name").fill("Edited destination");
  await keep(page);
  await page.getByRole("button", { name: "Edit Edited destination" }).waitFor();
  assert.equal(await page.getByRole("button", { name: /^Take back/ }).count(), 1);
  await apply(page);
  const made = await newest("/event_destinations", "event_destinations");
  assert.deepEqual(
    [made["description"], made["target"].webhook.url],
    ["Edited destination", "https://hooks.example.com/edited"],
  );
  await open(reader, `#/deliveries/${made["id"]}`);
  await page.getByRole("button", { name: "Add a subscription" }).click();
  await field(page, "Name").fill("Made subscription");
  await page.getByRole("dialog").getByLabel("IP policy", { exact: true }).check();
  await keep(page);
  await apply(page);
  await page.locator(".op").getByText("IP policy (changed, created, deleted)").waitFor();
  const params = { query: { destination_id: String(made["id"]) } };
  const [subscription] = must(await api.GET("/event_subscriptions", { params })).event_subscriptions;
  assert.deepEqual(
    subscription?.sources?.map(({ type }) => type),
    ["ip_policy_created.v0", "ip_policy_deleted.v0", "ip_policy_updated.v0"],
  );
  await open(reader, `#/deliveries/${made["id"]}`);
  await page.getByText("Made subscription").waitFor();
  await page.getByRole("button", { name: "Edit" }).click();
  await field(page, "Name").fill("Renamed destination");
  await keep(page);
  await apply(page);
  const renamed = await newest("/event_destinations", "event_destinations");
  assert.equal(renamed["description"], "Renamed destination");
  await close();
});

test("a key with an end and a bot are made", async () => {
  const { api } = await world();
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, "#/keys");
  await page.getByRole("button", { name: "New bot" }).click();
  await field(page, "Name").fill("made-bot");
  await page.getByRole("button", { name: "Create the bot" }).click();
  await page.getByRole("button", { name: "Rename made-bot" }).click();
  await field(page, "Name").fill("renamed-bot");
  await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await page.getByText("renamed-bot", { exact: true }).first().waitFor();
  await page.getByRole("button", { name: "New key" }).click();
  await field(page, "What is it for?").fill("Made key");
  await page.getByRole("dialog").getByLabel("Belongs to").selectOption({ label: "renamed-bot" });
  await page.getByRole("button", { name: "30 days" }).click();
  await page.getByRole("button", { name: "Create the key" }).click();
  await page.context().grantPermissions(["clipboard-write"]);
  await page.getByRole("button", { name: "Copy the key" }).click();
  await page.getByText("Copied", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const { keys } = must(await api.GET("/api_keys"));
  const key = keys.find(({ description }) => description === "Made key");
  const days = (Date.parse(key?.expires_at ?? "") - Date.now()) / 86_400_000;
  assert.ok(days > 29.9 && days < 30.1, `${days}`);
  assert.match(key?.owner_id ?? "", /^bot_/);
  // By a clock that is ahead of the page's.
  const expires_at = new Date(Date.now() + 30 * 86_400_000 + 8000).toISOString();
  must(
    await api.POST("/api_keys", { body: { role: "viewer", description: "Key of a fast clock", expires_at } }),
  );
  await open(reader, "#/");
  await comeBack(page);
  await page.locator(".row", { hasText: "Key Key of a fast clock expires" }).waitFor();
  // Other keys can end on the same day.
  await page.getByRole("heading", { name: "Coming up" }).waitFor();
  await page.locator(".row", { hasText: "Key Made key expires" }).getByText("in 30 days").waitFor();
  await close();
});

test("roles that may not plan are offered nothing that makes or changes", async () => {
  const { api } = await world();
  const [edge] = must(await api.GET("/edges/https")).https_edges;
  const reader = await signedIn(1440, "light", await keyWith("viewer"));
  const { page, close } = reader;
  for (const hash of [
    "#/edges",
    "#/backends",
    "#/policies",
    "#/authorities",
    "#/deliveries",
    "#/certificates",
    "#/agents",
    `#/edges/${edge?.id}`,
    `#/edges/${edge?.id}?route=${edge?.routes[0]?.id}`,
  ]) {
    await open(reader, hash);
    const names = await page.locator("main :is(button, a.btn)").allInnerTexts();
    assert.doesNotMatch(names.join("\n"), /New|Add|Edit|Change|Delete|Forget|Try now|Send/, hash);
  }
  await open(reader, "#/new_edge");
  await page.getByRole("heading", { level: 1, name: "You cannot see this page" }).waitFor();
  await close();
});

test("a subscription is attached to destinations and detached, and its deletion names those it also sends to", async () => {
  const { api, receiver } = await world();
  receiver.status = 204;
  const url = "https://hooks.example.com/shared";
  const make = async (description: string): Promise<string> =>
    must(await api.POST("/event_destinations", { body: { description, target: { webhook: { url } } } })).id;
  const ids = [await make("Shared first"), await make("Shared second"), await make("Shared third")];
  const sources = [{ type: "ip_policy_created.v0" as const }];
  const body = { description: "Shared subscription", sources, destination_ids: ids.slice(0, 1) };
  const { id } = must(await api.POST("/event_subscriptions", { body }));
  const sentTo = async (): Promise<string[]> => {
    const subscription = must(await api.GET("/event_subscriptions/{id}", { params: { path: { id } } }));
    return (subscription.destinations ?? []).map((one) => one.id).toSorted();
  };
  const reader = await signedIn();
  const { page, close } = reader;
  const edit = async (): Promise<void> => {
    await open(reader, `#/deliveries/${ids[1]}`);
    await open(reader, `#/deliveries/${ids[0]}`);
    await choose(page, "More about Shared subscription", "Edit");
    await page.getByRole("dialog").getByLabel("Shared first").waitFor();
  };
  await edit();
  await field(page, "Shared second").check();
  await field(page, "Shared third").check();
  await keep(page);
  await page.getByRole("link", { name: "Review" }).click();
  await page.locator(".op", { hasText: "Shared second" }).getByText("Destinations").first().waitFor();
  await applyPlan(page);
  assert.deepEqual(await sentTo(), ids.toSorted());
  await edit();
  await field(page, "Shared third").uncheck();
  await keep(page);
  await apply(page);
  assert.deepEqual(await sentTo(), ids.slice(0, 2).toSorted());
  await open(reader, `#/deliveries/${ids[0]}`);
  await choose(page, "More about Shared subscription", /^Delete/);
  await page.getByText("Its events are then not sent to Shared second either.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Review" }).click();
  const removed = page.locator(".op", { hasText: "Shared subscription" });
  await removed.getByText("Shared second").waitFor();
  assert.doesNotMatch(await removed.innerText(), /ed_/);
  await applyPlan(page);
  await close();
});

test("metadata is the last field of a form, and is set, shown and removed", async () => {
  const { api } = await world();
  const reader = await signedIn();
  const { page, close } = reader;
  for (const [hash, button] of [
    ["#/policies", "New policy"],
    ["#/authorities", "New authority"],
    ["#/deliveries", "New destination"],
    ["#/certificates", "New issuer"],
    ["#/backends", "New backend"],
  ] as const) {
    await begin(reader, hash, button);
    const last = page.getByRole("dialog").locator("input, textarea, select").last();
    assert.equal(await field(page, "Metadata").and(last).count(), 1, hash);
    await page.keyboard.press("Escape");
  }
  const { id } = must(
    await api.POST("/backends/http_response", { body: { description: "Annotated", status_code: 200 } }),
  );
  const stored = async () =>
    must(await api.GET("/backends/http_response/{id}", { params: { path: { id } } })).metadata;
  for (const text of ["team=shop", ""]) {
    await open(reader, `#/backends/${id}`);
    await page.getByRole("button", { name: "Edit" }).click();
    await field(page, "Metadata").fill(text);
    await keep(page);
    await page.getByRole("link", { name: "Review" }).click();
    await page.locator(".op .diff", { hasText: "team=shop" }).getByText("Metadata").waitFor();
    await applyPlan(page);
    assert.equal((await stored()) ?? "", text);
  }
  await close();
});

test("an admin renames a key", async () => {
  const { api } = await world();
  const { id } = must(await api.POST("/api_keys", { body: { description: "Old purpose", role: "viewer" } }));
  for (const width of [1440, 390]) {
    const reader = await signedIn(width);
    const { page, close } = reader;
    await open(reader, "#/keys");
    const name = width === 390 ? "Last purpose" : "New purpose";
    const before = width === 390 ? "New purpose" : "Old purpose";
    await page.getByRole("button", { name: `Rename ${before}` }).click();
    await field(page, "What is it for?").fill(name);
    await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
    await page.getByRole("button", { name: `Rename ${name}` }).waitFor();
    assert.deepEqual(await crampedOn(page), []);
    await close();
    const key = must(await api.GET("/api_keys/{id}", { params: { path: { id } } }));
    assert.equal(key.description, name);
  }
});

test("on a phone, “Used by” shortens the longest names", async () => {
  const { api } = await world();
  const { id } = must(
    await api.POST("/backends/http_response", { body: { description: "Used far", status_code: 200 } }),
  );
  const description = "x".repeat(255);
  const edge = must(
    await api.POST("/edges/https", { body: { description, hostports: ["used-far.example.com:443"] } }),
  );
  const params = { path: { edge_id: edge.id } };
  const route = { description, match_type: "path_prefix", match: "/", backend: { backend_id: id } } as const;
  must(await api.POST("/edges/https/{edge_id}/routes", { params, body: route }));
  const reader = await signedIn(390);
  const { page, close } = reader;
  await open(reader, `#/backends/${id}`);
  await page.locator(".row", { hasText: "route of" }).waitFor();
  assert.deepEqual(await crampedOn(page), []);
  await close();
  await api.DELETE("/edges/https/{id}", { params: { path: { id: edge.id } } });
});

test("a conflict over the destinations of a subscription names them", async () => {
  const { api } = await world();
  const target = { webhook: { url: "https://hooks.example.com/conflict" } };
  const make = async (description: string): Promise<string> =>
    must(await api.POST("/event_destinations", { body: { description, target } })).id;
  const ids = [await make("Disputed first"), await make("Disputed second"), await make("Disputed third")];
  const body = { description: "Disputed", destination_ids: ids.slice(0, 1) };
  const sources = [{ type: "ip_policy_created.v0" as const }];
  const { id } = must(await api.POST("/event_subscriptions", { body: { ...body, sources } }));
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, `#/deliveries/${ids[0]}`);
  await choose(page, "More about Disputed", "Edit");
  await field(page, "Disputed second").check();
  await keep(page);
  const params = { path: { id } };
  must(await api.PATCH("/event_subscriptions/{id}", { params, body: { destination_ids: [ids[2] ?? ""] } }));
  await page.getByRole("link", { name: "Review" }).click();
  await page.getByLabel("Now: Disputed third").check();
  await page.getByLabel(/^Yours: Disputed (?:first, Disputed second|second, Disputed first)$/).waitFor();
  await close();
});
