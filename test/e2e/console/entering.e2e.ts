import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { parsed } from "../../../packages/agent/src/args.ts";
import {
  choose,
  clientWith,
  comeBack,
  keyWith,
  must,
  open,
  picture,
  signedIn,
  signedInAlone,
  violationsOn,
  world,
} from "./world.ts";

/*
 * Input is checked at its field, and is not lost.
 */

/** Waits until the field with the label has the focus. */
const focused = (page: Page, label: string): Promise<void> =>
  page.getByLabel(label, { exact: true }).and(page.locator(":focus")).waitFor();

/** The error message of the field with the label. */
const fault = (page: Page, label: string) =>
  page.locator(".field", { has: page.getByLabel(label, { exact: true }) }).locator("> .error");

/** The overview of a service without edges. */
async function firstSteps(width?: number) {
  const reader = await signedInAlone(width);
  await reader.page.route(/\/edges\/(?:https|tls|tcp)(?:\?|$)/, (route) => {
    const [, kind = ""] = /edges\/(\w+)/.exec(route.request().url()) ?? [];
    if (route.request().method() !== "GET") return route.continue();
    return route.fulfill({ json: { [`${kind}_edges`]: [], uri: "", next_page_uri: null } });
  });
  await open(reader, "#/");
  // The side bar has already read the lists.
  await reader.page.reload();
  await reader.page.getByRole("heading", { level: 1, name: "Serve your first host" }).waitFor();
  return reader;
}

/** Makes the browser block copying. */
const forbidCopying = (page: Page): Promise<unknown> =>
  page.evaluate(`Object.defineProperty(navigator, "clipboard", {
    value: { writeText: () => Promise.reject(new DOMException("no", "NotAllowedError")) },
  })`);

test("an agent accepts the options that the console shows, and a key that cannot be copied is made once", async () => {
  const { api, service } = await world();
  const keys = async () =>
    must(await api.GET("/api_keys")).keys.filter(({ description }) => description === "machine-7");
  const reader = await firstSteps();
  const { page } = reader;
  for (const { name } of must(await api.GET("/agents")).agents)
    await api.DELETE("/agents/{name}", { params: { path: { name } } });
  await forbidCopying(page);
  const name = page.getByLabel("Name of the machine");
  const command = page.locator(".cmd", { hasText: "agent.env" });
  await name.fill("-edge");
  await name.blur();
  await page.getByText("Expected a lower-case letter or a digit").waitFor();
  assert.equal(await command.count(), 0);
  await name.fill("Machine-7");
  await page.getByRole("button", { name: "Make a key, and copy" }).click();
  await page.getByText("The text is selected").waitFor();
  const [, key = ""] = /EDGE_AGENT_KEY=(\S+)/.exec(await command.innerText()) ?? [];
  assert.match(key, /^\w{20,}/);
  assert.match(
    await page.evaluate<string>("getSelection().toString()"),
    new RegExp(`^sudo [^]*${key}[^]*END$`),
  );
  await command.getByRole("button", { name: "Copy" }).click();
  await page.getByText("The text is selected").waitFor();
  assert.equal((await keys()).length, 1);
  assert.ok((await command.innerText()).includes(key));
  const [, options = ""] = /EDGE_AGENT_OPTIONS=(.*)/.exec(await command.innerText()) ?? [];
  const accepted = parsed(options.split(" "), { EDGE_AGENT_KEY: key });
  assert.ok(typeof accepted !== "string");
  assert.deepEqual(
    [accepted.service, accepted.name, accepted.certificates],
    [service.origin, "machine-7", "/etc/edge-agent/certificates"],
  );
  await page.getByRole("link", { name: "Set up a machine" }).waitFor();
  assert.deepEqual(await violationsOn(page), []);
  await picture(page, "first-steps-key");
  await reader.close();
});

test("a new machine gets a name that no other has, and the option that a message names can be copied", async (t) => {
  const { api, service } = await world();
  const machine = clientWith(await keyWith("agent"), service.origin);
  const path = { params: { path: { name: "edge-1" } } };
  t.after(() => api.DELETE("/agents/{name}", path));
  const problem = {
    object: "backends",
    code: "upstream_not_allowed",
    msg: "127.0.0.1:8080 is not used. To allow it, start the agent with --allow-upstream 127.0.0.1/32.",
  };
  must(await machine.PUT("/agents/{name}/status", { ...path, body: { ok: true, problems: [problem] } }));
  const reader = await signedIn();
  const { page } = reader;
  await open(reader, "#/agents");
  const name = page.getByLabel("Name of the machine");
  await page.getByText("edge-1", { exact: true }).first().waitFor();
  assert.equal(await name.inputValue(), "edge-2");
  await name.fill("edge-1");
  await page.getByText("Another machine has this name.").waitFor();
  await page.getByRole("button", { name: "Copy --allow-upstream 127.0.0.1/32", exact: true }).waitFor();
  await reader.close();
});

test("first steps show errors in hosts and addresses at the field, and only an edge completes the step", async () => {
  const reader = await firstSteps();
  const { page } = reader;
  const review = page.getByRole("button", { name: "Review the edge" });
  await review.click();
  await fault(page, "Host").getByText("Enter a host, such as www.example.com.").waitFor();
  await focused(page, "Host");
  for (const [label, wrong, said] of [
    ["Host", "https://shop.example.test/", "Leave out https:// and the path: shop.example.test."],
    [
      "Host",
      "bad host!!",
      "“bad host!!” is not a host, such as www.example.com. Separate hosts with commas.",
    ],
    ["Host", "2001:db8::1", "Put the IPv6 address in brackets, and add a port: [2001:db8::1]:443."],
    ["Host", "*.example.test", "Wildcards are not supported. Enter each host, such as www.example.com."],
    ["Goes to", "foo bar", "“foo bar” is not a host and a port, such as 10.0.4.12:8080."],
    ["Goes to", "http://10.0.0.1:80/x", "Leave out https:// and the path: 10.0.0.1:80."],
    ["Goes to", "10.0.0.1", "Add the port: 10.0.0.1:443."],
    ["Goes to", "10.0.0.1:70000", "70000 is not a port. Enter 1 to 65535."],
  ] as const) {
    await page.getByLabel("Host", { exact: true }).fill("shop.example.test");
    await page.getByLabel("Goes to", { exact: true }).fill("10.0.4.12:8080");
    await page.getByLabel(label, { exact: true }).fill(wrong);
    await review.click();
    assert.equal(await fault(page, label).innerText(), said);
    await focused(page, label);
  }
  await picture(page, "first-steps-wrong");
  // A change that creates no edge leaves the step as it is.
  await open(reader, "#/policies");
  await page.getByRole("button", { name: "New policy" }).click();
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Not an edge");
  await page.getByRole("dialog").getByRole("button", { name: "Keep for review" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await open(reader, "#/");
  assert.equal(await page.locator(".steps .no.done").count(), 0);
  await page.getByLabel("Host", { exact: true }).fill("shop.example.test");
  await page.getByLabel("Goes to", { exact: true }).fill("[2001:db8::1]:8080");
  await review.click();
  await page.getByRole("heading", { level: 1, name: "Review 4 changes" }).waitFor();
  await open(reader, "#/");
  await page.locator(".steps .no.done").waitFor({ state: "attached" });
  await reader.close();
});

test("the wizard keeps its answers and its step during a visit to another page and after a reload, until it is cancelled", async () => {
  const reader = await signedInAlone(390);
  const { page } = reader;
  const title = (name: string) => page.getByRole("heading", { level: 2, name }).waitFor();
  const next = page.getByRole("button", { name: /^Next/ });
  await page.route("**/certificate_authorities*", (route) =>
    route.fulfill({ json: { certificate_authorities: [], uri: "", next_page_uri: null } }),
  );
  await open(reader, "#/edges");
  await open(reader, "#/new_edge?step=4");
  await title("Which host");
  await page.getByText("Step 1 of 5").waitFor();
  await next.click();
  await fault(page, "Host").getByText("Enter a host").waitFor();
  await page.getByLabel("Host", { exact: true }).fill("kept.example.test, 192.0.2.1");
  await next.click();
  await title("Where does");
  await page.getByLabel("Address", { exact: true }).fill("10.0.0.1");
  await next.click();
  await fault(page, "Address").getByText("Add the port").waitFor();
  await page.getByLabel("Address", { exact: true }).fill("10.0.0.1:80");
  await next.click();
  await title("Who gets in?");
  await page.getByText("Step 3 of 5").waitFor();
  await page.getByLabel("Only addresses that I enter").check();
  const networks = page.getByLabel("Networks, one per line");
  await networks.fill("not an address");
  await next.click();
  await page
    .locator(".field > .error")
    .getByText("Line 1: “not an address” is not a network, such as 203.0.113.0/24.")
    .waitFor();
  await networks.fill("192.0.2.0/24, deny");
  await page.locator(".field > .error").getByText("at least one network or address to let in").waitFor();
  await networks.fill("10.0.0.0/8, allow, office\n192.0.2.0/24, deny");
  assert.equal(await page.locator(".field > .error").count(), 0);
  await page.getByText("1 network, except 1").waitFor();
  await page.getByLabel("Also ask for a client certificate").check();
  await picture(page, "wizard-authorities-390");
  assert.deepEqual(await violationsOn(page), []);
  await page.getByRole("link", { name: "Add one under Authorities" }).click();
  await page.getByRole("heading", { level: 1, name: /uthorities/ }).waitFor();
  await page.goBack();
  await page.reload();
  await title("Who gets in?");
  assert.equal(await networks.inputValue(), "10.0.0.0/8, allow, office\n192.0.2.0/24, deny");
  await page.goBack();
  await title("Where does");
  assert.equal(await page.getByLabel("Address", { exact: true }).inputValue(), "10.0.0.1:80");
  await page.goForward();
  await page.getByLabel("Also ask for a client certificate").uncheck();
  await page.getByRole("button", { name: "Next: certificate" }).click();
  await page.getByText("Not possible: it issues certificates only for full domain names").waitFor();
  assert.ok(await page.getByLabel("Issued by Let's Encrypt").isDisabled());
  await page.getByText("/etc/edge-agent/certificates").waitFor();
  await page.getByLabel("A file on each machine").and(page.locator(":checked")).waitFor();
  await page.getByRole("link", { name: "Back", exact: true }).click();
  await title("Who gets in?");
  await page.getByRole("link", { name: "Cancel" }).click();
  await open(reader, "#/new_edge");
  assert.equal(await page.getByLabel("Host", { exact: true }).inputValue(), "");
  assert.deepEqual(reader.complaints, []);
  await reader.close();
});

/** Answers the wizard's first two steps: a host, and a new server or the backend with the name. */
async function toWho(page: Page, host: string, backend?: string): Promise<void> {
  await page.getByLabel("Host", { exact: true }).fill(host);
  await page.getByRole("button", { name: "Next: backend" }).click();
  if (backend === undefined) await page.getByLabel("Address", { exact: true }).fill("10.0.0.1:80");
  else {
    await page.getByLabel("An existing backend").check();
    const option = page.locator("option", { hasText: backend });
    await page.getByLabel("Backend", { exact: true }).selectOption(await option.getAttribute("value"));
  }
  await page.getByRole("button", { name: "Next: who gets in" }).click();
}

/** The part of what will be served that a step of the wizard decides. */
const served = (page: Page, step: number, text: string): Promise<void> =>
  page.locator(`.flow li:nth-child(${step})`, { hasText: text }).waitFor();

test("what will be served follows from the answers, without those that no longer count", async () => {
  const { api } = await world();
  must(await api.POST("/backends/static", { body: { description: "Shown", address: "10.0.0.9:80" } }));
  const reader = await signedInAlone();
  const { page } = reader;
  await open(reader, "#/new_edge");
  await toWho(page, "shown.example.com");
  await served(page, 2, "Everybody");
  assert.equal(await page.locator(".flow li:nth-child(2)").innerText(), "Everybody");
  await page.getByLabel("Only addresses that I enter").check();
  await page.getByLabel("Networks, one per line").fill("192.0.2.0/24");
  await served(page, 2, "by address");
  await page.getByLabel("Also ask for a client certificate").check();
  await page.getByLabel("Signs the shop's devices").check();
  await served(page, 2, "with a certificate");
  await page.getByRole("link", { name: "Back", exact: true }).click();
  await page.getByLabel("Encrypt the traffic to it").check();
  await served(page, 4, "encrypted");
  await page.getByRole("link", { name: "Back", exact: true }).click();
  await page.getByRole("button", { name: "TCP", exact: true }).click();
  await toWho(page, "shown.example.com:5432", "Shown");
  await served(page, 2, "by address");
  assert.deepEqual(await page.locator(".flow li").allInnerTexts(), [
    "shown.example.com:5432\nTCP",
    "1 network\nby address",
    "Shown",
  ]);
  assert.deepEqual(reader.complaints, []);
  await reader.close();
});

test("the wizard leaves out what somebody else deleted, and says so", async () => {
  const { api } = await world();
  const policy = async (description: string): Promise<string> =>
    must(await api.POST("/ip_policies", { body: { description } })).id;
  const [first, second] = [await policy("Chosen first"), await policy("Chosen second")];
  const body = { description: "Chosen server", address: "10.0.0.8:80" };
  const backend = must(await api.POST("/backends/static", { body })).id;
  const reader = await signedInAlone();
  const { page } = reader;
  await open(reader, "#/new_edge");
  await toWho(page, "left-out.example.com", "Chosen server");
  await page.getByLabel("Addresses of IP policies").check();
  await page.getByLabel("Chosen first").check();
  await page.getByLabel("Chosen second").check();
  await page.getByRole("button", { name: "Next: certificate" }).click();
  await served(page, 2, "Chosen first or Chosen second");
  assert.equal(await page.getByRole("alert").count(), 0);

  await api.DELETE("/ip_policies/{id}", { params: { path: { id: first } } });
  await page.reload();
  const alert = page.getByRole("alert").getByText("Something you chose was deleted");
  await alert.waitFor();
  assert.match(await page.locator(".flow li:nth-child(2)").innerText(), /^Chosen second\n/);
  // Its step is the last that can be reached, because its answer is missing.
  await api.DELETE("/ip_policies/{id}", { params: { path: { id: second } } });
  await page.reload();
  await page.getByRole("heading", { level: 2, name: "Who gets in?" }).waitFor();
  await alert.waitFor();
  await page.getByRole("button", { name: "Next: certificate" }).click();
  await page.locator(".field > .error").getByText("Choose at least one IP policy.").waitFor();
  await page.getByLabel("Where people work").check();
  await alert.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Next: certificate" }).click();
  await api.DELETE("/backends/static/{id}", { params: { path: { id: backend } } });
  await comeBack(page);
  await page.getByRole("heading", { level: 2, name: "Where does its traffic go?" }).waitFor();
  await alert.waitFor();
  assert.equal(await page.getByLabel("Backend", { exact: true }).inputValue(), "");
  assert.deepEqual(reader.complaints, []);
  await reader.close();
});

test("the wizard does not finish before it knows the issuers, and asks for no certificate that none issues", async () => {
  const reader = await signedInAlone();
  const { page } = reader;
  const issuers = /\/certificate_issuers\?/;
  const issuer = { id: "ci_1", description: "Own authority", hosts: ["issued.example.com"] };
  await page.route(issuers, (route) =>
    route.fulfill({ json: { certificate_issuers: [issuer], uri: "", next_page_uri: null } }),
  );
  await open(reader, "#/new_edge");
  await toWho(page, "issued.example.com");
  await page.getByRole("button", { name: "Next: certificate" }).click();
  await page.getByLabel("Issued by Own authority").and(page.locator(":checked")).waitFor();
  await served(page, 3, "Issued automatically");
  await page.route(issuers, (route) => route.fulfill({ status: 500 }));
  await page.reload();
  const again = page.locator("form").getByRole("button", { name: "Try again" });
  await again.waitFor();
  await served(page, 3, "Not chosen");
  await page.getByRole("button", { name: "Review", exact: true }).click();
  await page.getByRole("alert").getByText("The issuers have not been read yet.").waitFor();
  await page.unroute(issuers);
  await again.click();
  // No real issuer covers the host.
  await page.getByLabel("Issued by Let's Encrypt").and(page.locator(":checked")).waitFor();
  await served(page, 3, "Let's Encrypt");
  await reader.close();
});

test("stored answers of another type are ignored", async () => {
  const reader = await signedInAlone();
  const { page } = reader;
  await open(reader, "#/new_edge");
  await page.getByLabel("Host", { exact: true }).fill("typed.example.com");
  for (const wrong of ["hosts: 5", "policies: 'ipp_1'", "policies: [5]", "agreed: null"]) {
    await page.evaluate(`sessionStorage.setItem("new edge",
      JSON.stringify({ ...JSON.parse(sessionStorage.getItem("new edge")), hosts: "typed.example.com", ${wrong} }))`);
    await page.reload();
    assert.equal(await page.getByLabel("Host", { exact: true }).inputValue(), "", wrong);
  }
  assert.deepEqual(reader.complaints, []);
  await reader.close();
});

test("the dialog for new rules shows which are new, and which change existing rules", async () => {
  const { api } = await world();
  const { id } = must(await api.POST("/ip_policies", { body: { description: "Compared" } }));
  const rule = { ip_policy_id: id, action: "allow", metadata: "ticket 8" } as const;
  must(await api.POST("/ip_policy_rules", { body: { ...rule, cidr: "192.0.2.0/24", description: "Audit" } }));
  must(
    await api.POST("/ip_policy_rules", { body: { ...rule, cidr: "198.51.100.0/24", description: "Same" } }),
  );
  const reader = await signedInAlone();
  const { page } = reader;
  await open(reader, `#/policies/${id}`);
  await page.getByRole("button", { name: "Add rules" }).click();
  const lines = page.getByLabel("Rules, one per line");
  const dialog = page.getByRole("dialog");
  await lines.fill("198.51.100.0/24, allow, Same");
  await dialog.getByText("Already in the policy: 1 rule.").waitFor();
  assert.ok(await dialog.getByRole("button", { name: "Add", exact: true }).isDisabled());
  await lines.fill("not an address\n10.0.0.0/8, perhaps");
  await dialog.getByText("Line 1: “not an address” is not a network, such as 203.0.113.0/24").waitFor();
  await dialog.getByText("Line 2: “perhaps” is neither allow nor deny").waitFor();
  await lines.fill("10.0.0.0/8\n10.1.0.0/16\n192.0.2.0/24, allow, Office\n198.51.100.0/24, allow, Same");
  await dialog.getByText("2 new rules.").waitFor();
  await dialog.getByText("1 existing rule changes").waitFor();
  await dialog.getByText("descriptions and ends of these lines: 192.0.2.0/24 allow").waitFor();
  await picture(page, "add-rules");
  assert.deepEqual(await violationsOn(page), []);
  // Input is not lost by accident.
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Discard what you entered?" }).waitFor();
  await picture(page, "discard");
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Keep editing" }).click();
  assert.match(await lines.inputValue(), /Office/);
  await dialog.getByRole("button", { name: "Add 2 rules, change 1 rule" }).click();
  await page.getByText("3 changes not applied yet").waitFor();
  await page.getByRole("button", { name: "Add rules" }).click();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Add rules" }).click();
  await lines.fill("10.0.0.0/8");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.getByRole("button", { name: "Discard" }).click();
  await dialog.waitFor({ state: "detached" });
  await reader.close();
});

test("an invalid address is reported once, at its field, and an invalid field gets the focus", async () => {
  const { api } = await world();
  const policy = must(await api.POST("/ip_policies", { body: { description: "Of the whole edge" } }));
  const { id } = must(await api.POST("/edges/https", { body: { hostports: ["entered.example.com:443"] } }));
  const whole = {
    match_type: "path_prefix" as const,
    match: "/",
    ip_restriction: { ip_policy_ids: [policy.id] },
  };
  must(await api.POST("/edges/https/{edge_id}/routes", { params: { path: { edge_id: id } }, body: whole }));
  const reader = await signedInAlone();
  const { page } = reader;
  await open(reader, `#/edges/${id}`);
  await page.getByLabel("IP address").fill("10.0.0");
  await page.getByRole("button", { name: "Ask" }).click();
  const said = page.getByText("“10.0.0” is not an IP address, such as 198.51.100.24.");
  await said.waitFor();
  assert.equal(await said.count(), 1);
  assert.equal(await page.getByRole("alert").count(), 0);
  await focused(page, "IP address");
  await page.getByLabel("IP address").fill("192.0.2.1");
  await page.getByRole("button", { name: "Ask" }).click();
  await page.getByText("Refused").first().waitFor();
  assert.equal(await said.count(), 0);
  // A new route starts with the IP policies of the whole edge, and shows them.
  await page.getByRole("button", { name: "Add route" }).first().click();
  const dialog = page.getByRole("dialog");
  const labels = await dialog.locator("label, legend").allInnerTexts();
  assert.deepEqual(
    labels.filter((label) => /^(?:Path|Requests|Who gets in|Goes to)$/.test(label)),
    ["Path", "Requests", "Who gets in", "Goes to"],
  );
  assert.ok(await dialog.getByLabel("Of the whole edge").isChecked());
  await dialog.getByText("Only clients that the chosen policies allow").waitFor();
  await dialog.getByLabel("Of the whole edge").uncheck();
  await dialog.getByText("No policy is chosen, so everybody gets in").waitFor();
  await dialog.getByLabel("Path").fill("/");
  await dialog.getByRole("button", { name: "Keep for review" }).click();
  await fault(page, "Path").getByText("Another route of this edge").waitFor();
  await focused(page, "Path");
  await picture(page, "new-route-taken");
  assert.deepEqual(await violationsOn(page), []);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Keep editing" }).click();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.getByRole("button", { name: "Discard" }).click();
  await api.DELETE("/edges/https/{id}", { params: { path: { id } } });
  await reader.close();
});

test("headers, expressions, event types and terms are checked in their forms", async () => {
  const { api } = await world();
  const { id } = must(await api.POST("/edges/https", { body: { description: "Typed", hostports: [] } }));
  const params = { path: { edge_id: id } };
  const match = { match_type: "path_prefix", match: "/", description: "Typed route" } as const;
  const route = must(await api.POST("/edges/https/{edge_id}/routes", { params, body: match }));
  const webhook = {
    url: "https://hooks.example.com/typed",
    secret: `whsec_${Buffer.alloc(24, "typed").toString("base64")}`,
  };
  const { id: destination } = must(
    await api.POST("/event_destinations", { body: { description: "Typed", target: { webhook } } }),
  );
  const reader = await signedInAlone();
  const { page } = reader;
  const dialog = page.getByRole("dialog");
  const keeping = dialog.getByRole("button", { name: "Keep for review" });
  const discard = async (): Promise<void> => {
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.getByRole("button", { name: "Discard" }).click();
    await dialog.waitFor({ state: "detached" });
  };
  await open(reader, `#/edges/${id}?route=${route.id}`);
  await choose(page, "Add a step", /^Request headers/);
  await dialog.getByRole("heading", { name: "Request headers: Typed route" }).waitFor();
  for (const [wrong, said] of [
    ["nocolon", "“nocolon” has no colon. Write name and value, such as X-Team: shop."],
    ["X-A: 1\nx-a: 2", "x-a appears twice. A header can have only one value."],
  ] as const) {
    await dialog.getByLabel("Add", { exact: true }).fill(wrong);
    await keeping.click();
    await fault(page, "Add").getByText(said).waitFor();
    await focused(page, "Add");
  }
  await discard();
  await choose(page, "Add a step", /^User agents/);
  await dialog.getByLabel("Deny", { exact: true }).fill("(?i)bot\n(");
  await dialog.getByText("“(” is not a regular expression (RE2)").waitFor();
  await dialog.getByLabel("Deny", { exact: true }).fill("(?i)bot\n(?P<name>x)");
  await dialog.getByText("“(” is not").waitFor({ state: "detached" });
  await discard();
  await choose(page, "Add a step", /^Webhook verification/);
  await dialog
    .getByText("No machine checks signatures yet: while this is enabled, the route answers 503")
    .waitFor();
  await page.keyboard.press("Escape");
  await choose(page, "Add a step", /^Who gets in/);
  await dialog.getByText("No policy is chosen, so nobody gets in").waitFor();
  await page.keyboard.press("Escape");

  await open(reader, `#/deliveries/${destination}`);
  await page.getByRole("button", { name: "Add a subscription" }).click();
  await dialog.getByLabel("All", { exact: true }).waitFor();
  await keeping.click();
  await page.locator(".field > .error").getByText("Choose at least one.").waitFor();
  await focused(page, "All");
  await dialog.getByLabel("All", { exact: true }).check();
  await picture(page, "new-subscription");
  await keeping.click();
  await page.getByText("1 change not applied yet").waitFor();

  await open(reader, "#/certificates");
  await page.getByRole("button", { name: "New issuer" }).first().click();
  await dialog.getByLabel("ACME directory").fill("https://acme.example.com/directory");
  await keeping.click();
  const terms = dialog.getByLabel("We agree to the authority's terms of service");
  await focused(page, "We agree to the authority's terms of service");
  const [box, footer] = [await terms.boundingBox(), await dialog.locator("footer").boundingBox()];
  assert.ok(box && footer && box.y + box.height <= footer.y, JSON.stringify([box, footer]));
  await picture(page, "new-issuer");
  await terms.check();
  await reader.close();
});

test("a key that cannot be copied does not block its dialog, and roles are described by what they can read", async () => {
  const reader = await signedInAlone();
  const { page } = reader;
  await open(reader, "#/keys");
  await forbidCopying(page);
  await page.getByRole("button", { name: "New key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("but not keys, people or plans").waitFor();
  await dialog.getByLabel("What is it for?").fill("Not copied");
  // An error without a field also receives the focus, so screen readers announce it.
  await page.route("**/api_keys", (route) =>
    route.fulfill({ status: 409, json: { error_code: "ERR_CONFLICT", msg: "There are too many keys." } }),
  );
  await dialog.getByRole("button", { name: "Create the key" }).click();
  await dialog.getByRole("alert").and(page.locator(":focus")).getByText("There are too many keys.").waitFor();
  await page.unroute("**/api_keys");
  await dialog.getByRole("button", { name: "Create the key" }).click();
  await dialog.getByRole("button", { name: "Copy the key" }).click();
  await dialog.getByText("The text is selected").waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
  await dialog.getByText("Copy the key first. It is shown only once.").waitFor();
  await picture(page, "new-key");
  await dialog.getByRole("button", { name: "I have copied it" }).click();
  await dialog.waitFor({ state: "detached" });
  await reader.close();
});

test("an edited traffic policy is not discarded without a question", async () => {
  const { api } = await world();
  const { id } = must(await api.POST("/edges/tls", { body: { description: "Written", hostports: [] } }));
  const reader = await signedInAlone();
  const { page } = reader;
  await open(reader, `#/traffic_policies/${id}`);
  await page.getByLabel("Traffic policy").fill("on_tcp_connect: []");
  await page.getByRole("link", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Keep editing" }).click();
  assert.equal(await page.getByLabel("Traffic policy").inputValue(), "on_tcp_connect: []");
  await page.getByRole("link", { name: "Cancel" }).click();
  await page.getByRole("link", { name: "Discard" }).click();
  await page.getByRole("heading", { level: 1, name: "Written" }).waitFor();
  await reader.close();
});

test("rules are only added to rules that can be read, and what was entered stays until they can", async () => {
  const { api } = await world();
  const { id } = must(await api.POST("/ip_policies", { body: { description: "Unreadable" } }));
  const rule = { ip_policy_id: id, action: "allow" } as const;
  must(await api.POST("/ip_policy_rules", { body: { ...rule, cidr: "192.0.2.0/24" } }));
  const reader = await signedInAlone();
  const { page } = reader;
  const dialog = page.getByRole("dialog");
  const add = page.getByRole("button", { name: /^Add rules/ });
  const rules = new RegExp(`/ip_policies/${id}/rules`);
  const fail = () => page.route(rules, (route) => route.fulfill({ status: 500 }));
  await fail();
  await open(reader, `#/policies/${id}`);
  await page.getByText("Try again").first().waitFor();
  assert.ok(await add.isDisabled());
  await page.unroute(rules);
  await page.getByText("Try again").first().click();
  await page.getByRole("button", { name: "Remove 192.0.2.0/24" }).waitFor();
  await add.click();
  await page.getByLabel("Rules, one per line").fill("198.51.100.0/24");
  // Somebody else's rule makes another read necessary.
  await fail();
  must(await api.POST("/ip_policy_rules", { body: { ...rule, cidr: "203.0.113.0/24" } }));
  await comeBack(page);
  await page.getByRole("button", { name: "Remove 203.0.113.0/24" }).waitFor();
  await dialog.getByRole("button", { name: "Add 1 rule" }).click();
  await dialog.getByRole("alert").waitFor();
  assert.equal(await page.getByLabel("Rules, one per line").inputValue(), "198.51.100.0/24");
  await page.unroute(rules);
  await dialog.getByRole("button", { name: "Add 1 rule" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Take back 198.51.100.0/24" }).waitFor();
  await reader.close();
});

/** Goes back, as the browser's button does. The address stays if the page holds on to it. */
const goBack = (page: Page): Promise<unknown> => page.evaluate("history.back()");

/** Reloads the page, and keeps it when the browser asks. Resolves to the type of the browser's question. */
async function refuseReload(page: Page): Promise<string> {
  const asked = page.waitForEvent("dialog");
  await page.evaluate("setTimeout(() => location.reload())");
  const question = await asked;
  await question.dismiss();
  return question.type();
}

test("the Back button and a reload ask before they discard a dialog's input", async () => {
  const { api } = await world();
  const { id } = must(await api.POST("/ip_policies", { body: { description: "Held" } }));
  const reader = await signedIn();
  const { page } = reader;
  const text = page.getByLabel("Rules, one per line");
  const question = page.getByRole("dialog", { name: "Discard what you entered?" });
  await open(reader, "#/backends");
  await open(reader, `#/policies/${id}`);
  await page.getByRole("button", { name: "Add rules" }).click();
  // Nothing is entered yet.
  await goBack(page);
  await page.getByRole("heading", { level: 1, name: "Backends" }).waitFor();
  await open(reader, `#/policies/${id}`);
  await page.getByRole("button", { name: "Add rules" }).click();
  await text.fill("192.0.2.0/24");
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await goBack(page);
    await question.getByRole("button", { name: "Keep editing" }).click();
    await question.waitFor({ state: "detached" });
    assert.ok(page.url().endsWith(`#/policies/${id}`), page.url());
    assert.equal(await text.inputValue(), "192.0.2.0/24");
  }
  assert.equal(await refuseReload(page), "beforeunload");
  assert.equal(await text.inputValue(), "192.0.2.0/24");
  await goBack(page);
  await question.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("heading", { level: 1, name: "Backends" }).waitFor();
  assert.ok(page.url().endsWith("#/backends"), page.url());
  await reader.close();
});

test("Back and a reload do not discard a new key before it is copied", async () => {
  const reader = await signedIn();
  const { page } = reader;
  const dialog = page.getByRole("dialog", { name: "The new key" });
  await open(reader, "#/backends");
  await open(reader, "#/keys");
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("What is it for?").fill("Held key");
  await page.getByRole("button", { name: "Create the key" }).click();
  await dialog.waitFor();
  assert.equal(await refuseReload(page), "beforeunload");
  for (const leave of [() => goBack(page), () => page.keyboard.press("Escape")]) {
    await leave();
    await dialog.getByRole("alert").getByText("Copy the key first.").waitFor();
    assert.ok(page.url().endsWith("#/keys"), page.url());
  }
  await page.context().grantPermissions(["clipboard-write"]);
  await dialog.getByRole("button", { name: "Copy the key" }).click();
  await dialog.getByText("Copied", { exact: true }).waitFor();
  await goBack(page);
  await page.getByRole("heading", { level: 1, name: "Backends" }).waitFor();
  await reader.close();
});

test("input that is not typed is not discarded without a question", async () => {
  const { api } = await world();
  const { id } = must(await api.POST("/ip_policies", { body: { description: "Dropped" } }));
  const ids: string[] = [];
  for (const description of ["First in order", "Second in order"])
    ids.push(must(await api.POST("/backends/static", { body: { description, address: "10.0.0.1:443" } })).id);
  const fallback = must(
    await api.POST("/backends/failover", { body: { description: "In order", backends: ids } }),
  );
  const reader = await signedIn();
  const { page } = reader;
  const question = page.getByRole("dialog", { name: "Discard what you entered?" });
  const asks = async (): Promise<void> => {
    await page.keyboard.press("Escape");
    await question.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  };
  await open(reader, `#/policies/${id}`);
  await page.getByRole("button", { name: "Add rules" }).click();
  await page.getByLabel("Rules, one per line").evaluate((field) => {
    const { DataTransfer, DragEvent, File } = globalThis as unknown as Record<
      "DataTransfer" | "DragEvent" | "File",
      new (...given: unknown[]) => { items: { add: (file: unknown) => void } }
    >;
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["192.0.2.0/24, deny"], "rules.txt"));
    const drop: unknown = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
    (field as unknown as { dispatchEvent: (event: unknown) => void }).dispatchEvent(drop);
  });
  await page.getByRole("button", { name: "Add 1 rule" }).waitFor();
  await asks();
  for (const button of ["Up Second in order", "Remove First in order"]) {
    await open(reader, `#/backends/${fallback.id}`);
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByRole("button", { name: button }).click();
    await asks();
  }
  await open(reader, "#/deliveries");
  await page.getByRole("button", { name: "New destination" }).first().click();
  await page.getByRole("button", { name: "Make a new secret" }).click();
  await asks();
  // A click alone enters nothing.
  await page.getByRole("button", { name: "New destination" }).first().click();
  await page.getByLabel("URL").click();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await reader.close();
});

test("the focus stays near what is moved or removed", async () => {
  const { api } = await world();
  const ids: string[] = [];
  for (const description of ["Near one", "Near two", "Near three"])
    ids.push(must(await api.POST("/backends/static", { body: { description, address: "10.0.0.1:443" } })).id);
  const fallback = must(
    await api.POST("/backends/failover", { body: { description: "Near", backends: ids } }),
  );
  const reader = await signedIn();
  const { page } = reader;
  const hasFocus = (name: string): Promise<void> =>
    page.getByRole("button", { name }).and(page.locator(":focus")).waitFor();
  await open(reader, `#/backends/${fallback.id}`);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const press = async (name: string): Promise<void> => {
    await page.getByRole("button", { name }).focus();
    await page.keyboard.press("Enter");
  };
  await press("Up Near three");
  await hasFocus("Up Near three");
  await page.keyboard.press("Enter");
  await hasFocus("Up Near three");
  assert.equal(
    await page.getByRole("button", { name: "Up Near three" }).getAttribute("aria-disabled"),
    "true",
  );
  await page.keyboard.press("Enter");
  await press("Remove Near one");
  await hasFocus("Remove Near two");
  await page.keyboard.press("Enter");
  await page.getByLabel("Add a backend").and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard" }).click();
  await open(reader, "#/policies");
  for (const name of ["Taken first", "Taken last"]) {
    await page.getByRole("button", { name: /^New policy/ }).click();
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByRole("button", { name: "Keep for review" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
  await press("Take back Taken first");
  await hasFocus("Take back Taken last");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1 }).and(page.locator(":focus")).waitFor();
  await reader.close();
});

test("a key and a bot are created once, even if the response to the first attempt is lost", async () => {
  const { api } = await world();
  const reader = await signedIn();
  const { page } = reader;
  const dialog = page.getByRole("dialog");
  // The service carries it out, but the page gets an error.
  const loseOne = (path: string) =>
    page.route(
      path,
      async (route) => {
        await route.fetch();
        await route.fulfill({ status: 500, json: { error_code: "ERR_INTERNAL", msg: "Lost on the way." } });
      },
      { times: 1 },
    );
  await open(reader, "#/keys");
  await loseOne("**/api_keys");
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("What is it for?").fill("Made once");
  const create = dialog.getByRole("button", { name: "Create the key" });
  await create.click();
  await dialog.getByText("Lost on the way.").waitFor();
  await create.click();
  await page.getByRole("dialog", { name: "The token is lost" }).getByText("Delete the key").waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Delete… Made once" }).waitFor();
  const { keys } = must(await api.GET("/api_keys"));
  assert.equal(keys.filter(({ description }) => description === "Made once").length, 1);
  await loseOne("**/bot_users");
  await page.getByRole("button", { name: "New bot" }).click();
  await page.getByLabel("Name", { exact: true }).fill("made-once");
  await dialog.getByRole("button", { name: "Create the bot" }).click();
  await dialog.getByText("Lost on the way.").waitFor();
  await dialog.getByRole("button", { name: "Create the bot" }).click();
  await dialog.waitFor({ state: "detached" });
  const bots = must(await api.GET("/bot_users")).bot_users;
  assert.equal(bots.filter(({ name }) => name === "made-once").length, 1);
  await reader.close();
});
