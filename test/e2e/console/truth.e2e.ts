import assert from "node:assert/strict";
import { test } from "node:test";
import { agentStatus } from "../../support/agent_status.ts";
import {
  applyPlan,
  choose,
  clientWith,
  comeBack,
  keyWith,
  must,
  open,
  signedIn,
  signedInAlone,
  world,
} from "./world.ts";

/*
 * Pages are correct, even after a change that does not send an event.
 */

/** A policy without rules. */
async function givenPolicy(description: string): Promise<string> {
  const { api } = await world();
  return must(await api.POST("/ip_policies", { body: { description } })).id;
}

test("on a phone, changes can be reviewed wherever they were made", async () => {
  const id = await givenPolicy("Of a phone");
  const { api } = await world();
  must(
    await api.POST("/ip_policy_rules", { body: { ip_policy_id: id, cidr: "192.0.2.0/24", action: "deny" } }),
  );
  const reader = await signedIn(390);
  const { page, close } = reader;
  await open(reader, `#/policies/${id}`);
  await page.getByRole("button", { name: "Remove 192.0.2.0/24" }).click();
  for (const hash of [`#/policies/${id}`, "#/edges", "#/keys", "#/changes", "#/"]) {
    await open(reader, hash);
    const review = page.getByRole("link", { name: "Review" });
    await review.click({ trial: true });
    // A page has one primary button.
    const ground = (name: string) =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll("${name}")].map((one) => getComputedStyle(one).backgroundColor)`,
      );
    const [primary] = await ground(".pend .btn.p");
    assert.ok(!(await ground(".head .btn.p")).includes(primary ?? ""), hash);
  }
  await page.getByRole("button", { name: "Discard" }).click({ trial: true });
  await close();
});

test("a policy counts the addresses of both families, but not the addresses of expired rules", async () => {
  const { api } = await world();
  const end = Date.now() + 2500;
  const ended = await givenPolicy("Of a rule that ends");
  const ending = { cidr: "10.0.0.0/8", action: "allow", expires_at: new Date(end).toISOString() } as const;
  must(await api.POST("/ip_policy_rules", { body: { ip_policy_id: ended, ...ending } }));
  const [six, both] = [await givenPolicy("Of one family"), await givenPolicy("Of two families")];
  for (const [ip_policy_id, cidr] of [
    [six, "2001:db8::/32"],
    [both, "2001:db8::/32"],
    [both, "192.0.2.0/24"],
  ] as const)
    must(await api.POST("/ip_policy_rules", { body: { ip_policy_id, cidr, action: "allow" } }));
  const reader = await signedIn();
  const { page, close } = reader;
  const facts = page.locator(".facts");
  await open(reader, `#/policies/${ended}`);
  await facts.getByText("Lets in 16,777,216 IPv4 addresses").waitFor();
  await open(reader, `#/policies/${six}`);
  await facts.getByText("Lets in 296 IPv6 addresses").waitFor();
  await open(reader, `#/policies/${both}`);
  await facts.getByText("Lets in 256 IPv4 and 296 IPv6 addresses").waitFor();
  await page.getByRole("button", { name: "Remove 192.0.2.0/24" }).click();
  await facts.getByText("Will let in 296 IPv6 addresses").waitFor();
  // The service can list the rule for a minute after its end.
  await page.waitForTimeout(Math.max(0, end + 1000 - Date.now()));
  await open(reader, `#/policies/${ended}`);
  await facts.getByText("Lets nobody in").waitFor();
  await close();
});

test("two rules that are removed in quick succession are both removed, even while the rules are being read again", async () => {
  const { api } = await world();
  const id = await givenPolicy("Of a hurry");
  const rule = { ip_policy_id: id, action: "allow" } as const;
  for (const cidr of ["192.0.2.0/24", "198.51.100.0/24"])
    must(await api.POST("/ip_policy_rules", { body: { ...rule, cidr } }));
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, `#/policies/${id}`);
  await page.getByRole("button", { name: "Remove 192.0.2.0/24" }).waitFor();
  // The page learns of another rule from an event, which does not contain the ETag.
  must(await api.POST("/ip_policy_rules", { body: { ...rule, cidr: "203.0.113.0/24" } }));
  await comeBack(page);
  await page.getByRole("button", { name: "Remove 203.0.113.0/24" }).waitFor();
  const { promise: bothClicked, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/rules?*", async (route) => {
    await bothClicked;
    await route.continue();
  });
  await page.getByRole("button", { name: "Remove 192.0.2.0/24" }).click();
  await page.getByRole("button", { name: "Remove 198.51.100.0/24" }).click();
  answer();
  await page.getByText("2 changes not applied yet").waitFor();
  await close();
});

test("the traffic policies of two routes are never mistaken for each other, and an unfinished text is kept", async () => {
  const { api } = await world();
  const { id } = must(await api.POST("/edges/https", { body: { hostports: ["two-texts.example.com:443"] } }));
  const params = { path: { edge_id: id } };
  const routes: string[] = [];
  for (const match of ["/a", "/b"]) {
    const value = `on_http_request:\n  - name: of ${match}\n    actions: [{ type: deny }]\n`;
    const body = { match_type: "path_prefix", match, traffic_policy: { value } } as const;
    routes.push(must(await api.POST("/edges/https/{edge_id}/routes", { params, body })).id);
  }
  const reader = await signedIn();
  const { page, close } = reader;
  const field = page.getByLabel("Traffic policy", { exact: true });
  const shown = (text: string) => page.locator(".code pre", { hasText: text }).waitFor();
  const [a, b] = routes.map((route) => `#/traffic_policies/${id}?route=${route}`);
  await open(reader, a ?? "");
  await shown("of /a");
  await open(reader, b ?? "");
  await shown("of /b");
  await field.fill("on_http_request: []");
  await open(reader, "#/edges");
  await page.goBack();
  await shown("on_http_request: []");
  await page.reload();
  await shown("on_http_request: []");
  await page.getByRole("link", { name: "Cancel" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Discard" }).click();
  await page.getByRole("heading", { level: 1, name: "/b", exact: true }).waitFor();
  await open(reader, b ?? "");
  await shown("of /b");
  await close();
});

/** A TLS edge with a traffic policy, and the page of the policy. */
async function givenText(description: string) {
  const { api } = await world();
  const text = (name: string): string =>
    `on_tcp_connect:\n  - name: ${name}\n    actions: [{ type: deny }]\n`;
  const body = { description, hostports: [], traffic_policy: { value: text("first") } };
  const { id } = must(await api.POST("/edges/tls", { body }));
  const params = { path: { id } };
  const change = async (value: string): Promise<void> => {
    must(await api.PATCH("/edges/tls/{id}", { params, body: { traffic_policy: { value } } }));
  };
  const policy = async () => must(await api.GET("/edges/tls/{id}", { params })).traffic_policy;
  return { hash: `#/traffic_policies/${id}`, text, change, policy };
}

test("a text that was not edited in the end is not kept, and a draft is said to be one", async () => {
  const { hash, text, change } = await givenText("Typed and deleted");
  const reader = await signedInAlone();
  const { page, close } = reader;
  const field = page.getByLabel("Traffic policy", { exact: true });
  const isDraft = page.locator(".facts").getByText("unfinished, not kept yet");
  await open(reader, hash);
  assert.equal(await field.inputValue(), text("first"));
  assert.equal(await isDraft.count(), 0);
  await field.press("x");
  await isDraft.waitFor();
  await field.press("Backspace");
  await isDraft.waitFor({ state: "detached" });
  await open(reader, "#/edges");
  await change(text("second"));
  await open(reader, hash);
  await page.locator(".code pre", { hasText: "second" }).waitFor();
  // Only the tick.
  await page.getByLabel("Enabled").uncheck();
  await page.reload();
  await isDraft.waitFor();
  assert.ok(!(await page.getByLabel("Enabled").isChecked()));
  assert.equal(await field.inputValue(), text("second"));
  await page.getByLabel("Enabled").check();
  await isDraft.waitFor({ state: "detached" });
  await close();
});

test("a draft of a traffic policy does not overwrite what somebody else changed after it was begun", async () => {
  const { hash, text, change, policy } = await givenText("Begun before");
  const reader = await signedInAlone();
  const { page, close } = reader;
  await open(reader, hash);
  await page.getByLabel("Traffic policy", { exact: true }).fill(text("mine"));
  await open(reader, "#/edges");
  await change(text("theirs"));
  await page.reload();
  await open(reader, hash);
  await page.locator(".code pre", { hasText: "mine" }).waitFor();
  await page.getByRole("button", { name: "Keep for review" }).click();
  await page.getByRole("link", { name: "Review" }).click();
  await page.getByText("The same fields were changed in the meantime").waitFor();
  assert.equal((await policy())?.value, text("theirs"));
  await page.getByLabel(/^Yours:/).check();
  await page.getByRole("button", { name: "Review again" }).click();
  await applyPlan(page);
  assert.equal((await policy())?.value, text("mine"));
  await close();
});

test("an edge has the state of its worst route, in the list and on its page", async () => {
  const { api } = await world();
  const { id } = must(
    await api.POST("/edges/https", {
      body: { description: "Of a bad route", hostports: ["bad-route.example.com:443"] },
    }),
  );
  const params = { path: { edge_id: id } };
  const body = { match_type: "path_prefix", match: "/", description: "Without a backend" } as const;
  must(await api.POST("/edges/https/{edge_id}/routes", { params, body }));
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, `#/edges/${id}`);
  await page.locator(".head").getByText("Answers 503").waitFor();
  await page.locator(".notice").getByRole("link", { name: "Without a backend" }).waitFor();
  await page.getByLabel("IP address").fill("192.0.2.1");
  await page.getByRole("button", { name: "Ask" }).click();
  const answer = page.getByRole("search").locator("xpath=..").locator("[aria-live] .row").last();
  await answer.getByText("Answered with 503").waitFor();
  assert.doesNotMatch(await answer.innerText(), /Gets in/);
  await open(reader, "#/edges");
  const row = page.getByRole("row", { name: /Of a bad route/ });
  await row.getByText("Answers 503").waitFor();
  await close();
});

test("a machine that falls silent while the page is open is no longer counted", async () => {
  const reader = await signedInAlone();
  const { page, close } = reader;
  const last_seen = new Date(Date.now() - 120_000).toISOString();
  const agent = { ...agentStatus, name: "falls-silent", last_seen };
  await page.route("**/agents?*", (route) =>
    route.fulfill({ json: { agents: [agent], uri: "", next_page_uri: null } }),
  );
  await page.clock.install();
  // The page has already read the agents from the service.
  await page.reload();
  await open(reader, "#/edges");
  await page.getByRole("row").getByText("Served", { exact: true }).first().waitFor();
  // The page takes the time from responses. Without any, its own clock goes on.
  await page.route("**/*", (route) => route.abort());
  await page.clock.fastForward(70_000);
  await page.locator(".facts").getByText("no machine reports").waitFor();
  await close();
});

test("an edge with a traffic policy is not shown as open to everybody", async () => {
  const { api } = await world();
  const value = `on_tcp_connect:\n  - expressions: ["conn.client_ip != '203.0.113.7'"]\n    actions: [{ type: deny }]\n`;
  const body = {
    description: "By its traffic policy",
    hostports: ["by-policy.example.com:4444"],
    traffic_policy: { value },
  };
  const { id } = must(await api.POST("/edges/tcp", { body }));
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, "#/edges");
  const row = page.getByRole("row", { name: /By its traffic policy/ });
  await row.getByText("If the traffic policy allows it: Everybody").waitFor();
  await open(reader, `#/edges/${id}`);
  await page.getByLabel("IP address").fill("198.51.100.24");
  await page.keyboard.press("Enter");
  await page.locator(".row", { hasText: "if the traffic policy allows it · no IP restriction" }).waitFor();
  await close();
});

test("signing out asks before it discards changes", async () => {
  const id = await givenPolicy("Of somebody who leaves");
  const reader = await signedInAlone();
  const { page, close } = reader;
  await open(reader, `#/policies/${id}`);
  await page.getByRole("button", { name: "Add rules" }).click();
  await page.getByLabel("Rules, one per line").fill("192.0.2.0/24");
  await page.getByRole("button", { name: "Add 1 rule" }).click();
  await page.getByText("1 change not applied yet").waitFor();
  const leave = async (): Promise<void> => {
    await page.getByRole("button", { name: "Account, theme, sign out" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("dialog").getByText("Signing out discards 1 change not applied yet.").waitFor();
  };
  await leave();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("1 change not applied yet").waitFor();
  await close();
});

test("signing out asks before it discards answers and drafts", async () => {
  const { hash, text } = await givenText("Of somebody who leaves a draft");
  // The session of the other tests must not end.
  const reader = await signedIn(undefined, undefined, await keyWith("editor"));
  const { page, close } = reader;
  const leave = async (): Promise<void> => {
    await page.getByRole("button", { name: "Account, theme, sign out" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
  };
  const discarded = page.getByRole("dialog").getByText("Signing out discards");
  await open(reader, "#/new_edge");
  await page.getByLabel("Host", { exact: true }).fill("unfinished.example.com");
  // The overview does not load the scripts of the wizard.
  await open(reader, "#/");
  await page.reload();
  await leave();
  assert.equal(await discarded.innerText(), "Signing out discards the answers in New edge.");
  await page.getByRole("button", { name: "Cancel" }).click();
  await open(reader, hash);
  await page.getByLabel("Traffic policy", { exact: true }).fill(text("draft"));
  await leave();
  assert.equal(
    await discarded.innerText(),
    "Signing out discards unfinished traffic policies and the answers in New edge.",
  );
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByLabel("Traffic policy", { exact: true }).fill(text("first"));
  await open(reader, "#/new_edge");
  await page.getByRole("link", { name: "Cancel" }).click();
  await leave();
  await page.getByRole("heading", { name: "Sign in" }).or(page.getByLabel("API key")).first().waitFor();
  await close();
});

test("the steps of an edge show changes that are not applied, and the log exports the events that are shown", async () => {
  const { api } = await world();
  const { id } = must(
    await api.POST("/edges/tcp", {
      body: { description: "Of steps", hostports: ["steps.example.com:4445"] },
    }),
  );
  const policy = await givenPolicy("Chosen for a step");
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, `#/edges/${id}`);
  await page.getByRole("button", { name: "Add a step" }).click();
  await page.getByRole("menuitem", { name: /^Who gets in/ }).click();
  await page.getByLabel("Chosen for a step").check();
  await page.getByRole("button", { name: "Keep for review" }).click();
  const step = page.locator(".step", { hasText: "Chosen for a step" });
  await step.getByText("not applied yet").waitFor();
  await open(reader, `#/changes?filter=${policy}`);
  await page.getByText("Chosen for a step").waitFor();
  await page.getByRole("button", { name: "Export" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "As JSON" }).click(),
  ]);
  const text = await (await download.createReadStream()).toArray();
  const events = JSON.parse(Buffer.concat(text).toString()) as { object: { id: string } }[];
  assert.deepEqual(
    events.map(({ object }) => object.id),
    [policy],
  );
  await close();
});

test("leaving a review while its plan is being made does not lead back to it", async () => {
  const { api } = await world();
  const id = await givenPolicy("Of somebody in a hurry");
  must(
    await api.POST("/ip_policy_rules", { body: { ip_policy_id: id, cidr: "192.0.2.0/24", action: "deny" } }),
  );
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, `#/policies/${id}`);
  await page.getByRole("button", { name: "Remove 192.0.2.0/24" }).click();
  const { promise: hasLeft, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/plans", async (route) => {
    await hasLeft;
    await route.continue();
  });
  const asked = page.waitForRequest((request) => request.url().endsWith("/plans"));
  const planned = page.waitForResponse((response) => response.url().endsWith("/plans"));
  await page.getByRole("link", { name: "Review" }).click();
  await page.getByRole("heading", { level: 1, name: "Review 1 change" }).waitFor();
  // The page asks for the plan only after it has been painted.
  await asked;
  await open(reader, "#/policies");
  answer();
  await (await planned).finished();
  // The plan exists now, but its page is still not shown.
  await page.getByRole("link", { name: "Of somebody in a hurry" }).waitFor();
  await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)))");
  assert.match(page.url(), /#\/policies$/);
  await close();
});

test("the form of an edge shows who gets in: nobody without policies, and everybody while the restriction is off", async () => {
  const { api } = await world();
  const backend = must(await api.POST("/backends/static", { body: { address: "10.9.8.7:443" } }));
  const made = async (description: string, port: number, modules: object): Promise<string> => {
    const hostports = [`form.example.com:${port}`];
    return must(await api.POST("/edges/tcp", { body: { description, hostports, ...modules } })).id;
  };
  const closed = await made("Closed to all", 4446, { ip_restriction: { enabled: true, ip_policy_ids: [] } });
  const off = await made("Off for now", 4447, {
    backend: { enabled: false, backend_id: backend.id },
  });
  const reader = await signedIn();
  const { page, close } = reader;
  const edit = async (id: string): Promise<void> => {
    await open(reader, `#/edges/${id}`);
    await page.locator(".head").getByRole("button", { name: "Edit" }).click();
  };
  await edit(closed);
  await page.getByText("No policy is chosen, so nobody gets in").waitFor();
  await page.keyboard.press("Escape");
  await edit(off);
  await page.getByText("No policy is chosen, so everybody gets in").waitFor();
  await page.getByText("It is off, whatever is chosen here.").waitFor();
  await close();
});

/** Pages that show more than one list: the request that fails, and what would be said of an empty list. */
const unread: [hash: string, request: RegExp, falsehood: RegExp, truth: string][] = [
  ["#/policies", /\/edges\/tcp\?/, /^nothing$/, "not known"],
  ["#/backends", /\/edges\/https\?/, /^nothing$/, "not known"],
  ["#/authorities", /\/edges\/tls\?/, /^nothing$/, "not known"],
  ["#/", /\/certificates\?/, /no certificate needs attention/, "Try again"],
];

test("a list that cannot be read is not said to be empty", async () => {
  const { api } = await world();
  const [edge] = must(await api.GET("/edges/tls")).tls_edges;
  const reader = await signedInAlone();
  const { page, close } = reader;
  const isSaid = async (falsehood: RegExp): Promise<boolean> => (await page.getByText(falsehood).count()) > 0;
  for (const [hash, request, falsehood, truth] of unread) {
    await page.route(request, (route) => route.fulfill({ status: 500 }));
    await open(reader, hash);
    await page.reload();
    await page.getByText(truth).first().waitFor();
    assert.ok(!(await isSaid(falsehood)), `${hash}: ${falsehood}`);
    await page.unroute(request);
  }
  await page.reload();
  for (const [hash, , , truth] of unread) {
    await open(reader, hash);
    await page.getByText(truth).first().waitFor({ state: "detached" });
  }

  const policies = /\/ip_policies\?/;
  await page.route(policies, (route) => route.fulfill({ status: 500 }));
  await open(reader, `#/edges/${edge?.id}`);
  await page.reload();
  await choose(page, "Add a step", /^Who gets in/);
  await page.getByRole("dialog").getByText("Try again").waitFor();
  assert.ok(!(await isSaid(/No IP policies/)));
  await page.unroute(policies);
  await page.getByRole("dialog").getByText("Try again").click();
  await page.getByRole("dialog").getByRole("checkbox").first().waitFor();
  await close();
});

test("the log says who changed what, and which fields, in a sentence", async () => {
  const { api } = await world();
  const policy = await givenPolicy("Told about");
  const rule = { ip_policy_id: policy, cidr: "192.0.2.0/24", action: "allow" } as const;
  must(await api.POST("/ip_policy_rules", { body: rule }));
  const body = { description: "Told", hostports: ["told.example.com:4446"] };
  const { id } = must(await api.POST("/edges/tcp", { body }));
  const params = { path: { id } };
  const restriction = { ip_policy_ids: [policy] };
  must(
    await api.PATCH("/edges/tcp/{id}", {
      params,
      body: { description: "Told again", ip_restriction: restriction },
    }),
  );
  await api.DELETE("/edges/tcp/{id}", { params });
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, "#/changes?filter=told");
  const rows = page.getByRole("row").filter({ hasNot: page.getByRole("columnheader") });
  await rows.getByText("deleted the").waitFor();
  await open(reader, "#/changes");
  const sentences = await rows.getByRole("cell", { name: /Told|192\.0\.2\.0/ }).allInnerTexts();
  assert.deepEqual(sentences.slice(0, 5), [
    "deleted the TCP edge Told again",
    "changed the TCP edge Told again: name, who gets in",
    "created the TCP edge Told",
    "created the rule 192.0.2.0/24 of Told about",
    "created the IP policy Told about",
  ]);
  await close();
});

test("the log gives nobody the changes of others, nor the changes of routes to their edge", async () => {
  const { api, service } = await world();
  const other = clientWith(await keyWith("editor"), service.origin);
  const body = { description: "Of two people", hostports: ["two-people.example.com:443"] };
  const { id } = must(await api.POST("/edges/https", { body }));
  const route = { match_type: "path_prefix", match: "/" } as const;
  must(await api.POST("/edges/https/{edge_id}/routes", { params: { path: { edge_id: id } }, body: route }));
  const params = { path: { id } };
  const authorities = { certificate_authority_ids: [] };
  must(await other.PUT("/edges/https/{id}/mutual_tls", { params, body: authorities }));
  must(await api.PATCH("/edges/https/{id}", { params, body: { description: "Of nobody else" } }));
  const url = "https://hooks.example.com/secret";
  const target = (secret: string) => ({ webhook: { url, secret } });
  const destination = must(
    await api.POST("/event_destinations", {
      body: { description: "With a secret", target: target("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA") },
    }),
  );
  must(
    await api.PATCH("/event_destinations/{id}", {
      params: { path: { id: destination.id } },
      body: { target: target("whsec_BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB") },
    }),
  );
  const reader = await signedIn();
  const { page, close } = reader;
  const sentences = async (query: string): Promise<string[]> => {
    await open(reader, `#/changes?${query}`);
    const cells = page.getByRole("cell", { name: /changed the/ });
    await cells.first().waitFor();
    return (await cells.allInnerTexts()).filter((text) => /Of nobody else|With a secret/.test(text));
  };
  const own = must(await api.GET("/whoami")).id;
  assert.deepEqual(await sentences(`object=${id}`), [
    "changed the HTTPS edge Of nobody else: name",
    "changed the HTTPS edge Of nobody else: client certificates",
  ]);
  assert.deepEqual((await sentences(`by=${own}`)).slice(0, 2), [
    "changed the event destination With a secret: signing secret",
    "changed the HTTPS edge Of nobody else",
  ]);
  await page.getByRole("link", { name: "With a secret" }).first().click();
  await page.getByText("Signing secret").waitFor();
  await close();
});

test("while the bots cannot be read, a bot's key does not belong to a person, and no new key is made for nobody", async () => {
  const { api } = await world();
  const bot = must(await api.POST("/bot_users", { body: { name: "unread-bot" } }));
  must(await api.POST("/api_keys", { body: { description: "Of a bot", role: "viewer", owner_id: bot.id } }));
  const reader = await signedInAlone();
  const { page, close } = reader;
  await page.route("**/bot_users?*", (route) => route.fulfill({ status: 500 }));
  await open(reader, "#/keys");
  const row = page.getByRole("row", { name: "Of a bot" });
  await row.getByText("a bot", { exact: true }).waitFor();
  await page.getByRole("button", { name: "New key" }).click();
  const again = page.getByRole("dialog").getByRole("button", { name: "Try again" });
  await again.waitFor();
  await page.unroute("**/bot_users?*");
  await again.click();
  await page.getByRole("dialog").getByLabel("Belongs to").selectOption({ label: "unread-bot" });
  await page.keyboard.press("Escape");
  await row.getByText("unread-bot").waitFor();
  await close();
});

test("“Who gets in?” of an unused policy says that nothing uses it", async () => {
  const id = await givenPolicy("Of nobody");
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, `#/policies/${id}`);
  await page.getByLabel("IP address").fill("192.0.2.7");
  await page.getByRole("button", { name: "Ask" }).click();
  const panel = page.locator(".panel", { hasText: "Who gets in?" });
  await panel.getByText("No edge or route uses this policy.").waitFor();
  await close();
});

test("a plan that was applied although the request failed no longer shows the error", async () => {
  const id = await givenPolicy("Of a lost answer");
  const reader = await signedInAlone();
  const { page, close } = reader;
  await open(reader, `#/policies/${id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Of an answer");
  await page.getByRole("dialog").getByRole("button", { name: "Keep for review" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Review" }).click();
  await page.locator(".lead").waitFor();
  await page.route("**/plans/*/apply", async (route) => {
    await route.fetch();
    await route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" });
  });
  // The log does not tell the page either.
  await page.route("**/events?*", (route) => route.abort());
  const answered = page.waitForResponse("**/plans/*/apply");
  await page.getByRole("button", { name: /^Apply/ }).click();
  await answered;
  await page.getByRole("heading", { level: 1, name: "Applied 1 change" }).waitFor();
  await page.getByRole("alert").waitFor({ state: "detached" });
  await page.unroute("**/events?*");

  // What fails afterwards is shown.
  await page.route("**/plans", (route) => route.fulfill({ status: 502, contentType: "text/html", body: "" }));
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("alert").waitFor();
  await close();
});
