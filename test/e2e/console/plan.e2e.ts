import assert from "node:assert/strict";
import { test } from "node:test";
import {
  applied,
  effectOf,
  opened,
  panel,
  type Plan,
  planned,
  saysWhatTheServiceSays,
  textOf,
} from "./plans.ts";
import { choose, comeBack, keyWith, must, open, reviewed, signedIn, violationsOn, world } from "./world.ts";

/*
 * The page of a plan shows what the service says about who gets in, adds nothing, and asks for each warning that needs it.
 */

/** Makes a backend, and returns its Ref. */
async function backend(): Promise<{ backend_id: string }> {
  const { api } = await world();
  const body = { description: "Of plans", address: "plans.example.com:80" };
  return { backend_id: must(await api.POST("/backends/static", { body })).id };
}

/** Makes a policy with rules, and returns its id. */
async function policy(rules: { cidr: string; action: "allow" | "deny" }[]): Promise<string> {
  const { api } = await world();
  const { id } = must(await api.POST("/ip_policies", { body: { description: "Of plans" } }));
  must(await api.PUT("/ip_policies/{id}/rules", { params: { path: { id } }, body: { rules } }));
  return id;
}

/** Makes a policy that denies a network, with an edge that uses it. Returns the id of the rule. */
async function givenDenied(cidr: string, hostport: string): Promise<string> {
  const { api } = await world();
  const id = await policy([
    { cidr: "0.0.0.0/0", action: "allow" },
    { cidr, action: "deny" },
  ]);
  const ip_restriction = { ip_policy_ids: [id] };
  must(
    await api.POST("/edges/tcp", {
      body: { description: "Guarded", hostports: [hostport], ip_restriction, backend: await backend() },
    }),
  );
  const { rules } = must(await api.GET("/ip_policies/{id}/rules", { params: { path: { id } } }));
  return rules.find((rule) => rule.cidr === cidr)?.id ?? "";
}

/** Makes an edge with an open route `/` and a restricted route `/admin`. Returns the path of the latter. */
async function givenShadowed(host: string): Promise<string> {
  const { api } = await world();
  const { id } = must(
    await api.POST("/edges/https", { body: { description: "Shop", hostports: [`${host}:443`] } }),
  );
  const to = await backend();
  const params = { path: { edge_id: id } };
  const ip_restriction = { ip_policy_ids: [await policy([{ cidr: "203.0.113.0/24", action: "allow" }])] };
  const match_type = "path_prefix";
  must(
    await api.POST("/edges/https/{edge_id}/routes", {
      params,
      body: { description: "Open shop", match: "/", match_type, backend: to },
    }),
  );
  const admin = must(
    await api.POST("/edges/https/{edge_id}/routes", {
      params,
      body: { description: "Administration", match: "/admin", match_type, backend: to, ip_restriction },
    }),
  );
  return `/edges/https/${id}/routes/${admin.id}`;
}

test("a plan that affects nobody says so in the service's words and asks nothing", async () => {
  const id = await policy([{ cidr: "192.0.2.0/24", action: "allow" }]);
  const plan = await planned([
    { method: "PATCH", path: `/ip_policies/${id}`, body: { description: "Quiet" } },
  ]);
  const { page, close, apply } = await opened(plan);
  await saysWhatTheServiceSays(page, plan, 0);
  for (const title of ["Who is affected", "Later", "Problems"])
    assert.equal(await panel(page, title).count(), 0, title);
  await apply.click();
  await applied(page);
  await close();
});

test("a deny rule that will soon end: who gets in later is shown, and must be ticked", async () => {
  const rule = await givenDenied("198.51.100.0/24", "ends.example.com:9301");
  const expires_at = new Date(Date.now() + 60_000).toISOString().replace(/\.\d+/, "");
  const plan = await planned([{ method: "PATCH", path: `/ip_policy_rules/${rule}`, body: { expires_at } }]);
  assert.deepEqual(
    plan.warnings.map(({ code }) => code),
    ["later_newly_allowed"],
  );
  const { page, close, apply } = await opened(plan);
  await saysWhatTheServiceSays(page, plan, 1);
  assert.equal(await panel(page, "Who is affected").count(), 0);
  const later = await textOf(panel(page, "Later"));
  assert.match(later, /ends\.example\.com:9301/);
  assert.match(later, /In from then on 256 IPv4 addresses 198\.51\.100\.0\/24/);
  assert.match(later, new RegExp(`${expires_at.slice(11, 19)} UTC`));
  assert.equal(await apply.isDisabled(), true);
  assert.equal(await page.locator(".warnings.bad").count(), 1);
  await page.getByRole("checkbox").check();
  await page.getByText("1 of 1 confirmed").waitFor();
  await apply.click();
  await applied(page);
  // Screen readers announce it. The title and the state show it already.
  await page.getByRole("status").getByText("Applied.").waitFor({ state: "attached" });
  assert.equal(await page.locator(".notice").count(), 0);
  // What was confirmed is still shown, without boxes, and no longer alarms anybody.
  assert.match(await effectOf(page), /More sources get in when rules expire/);
  assert.equal(await page.locator(".warnings.bad").count(), 0);
  assert.deepEqual(await violationsOn(page), []);
  assert.equal(await page.getByRole("checkbox").count(), 0);
  await close();
});

test("deleting a restricted route that an open one shadows: each warning is ticked before Apply is enabled", async () => {
  const path = await givenShadowed("shadowed.example.com");
  const plan = await planned([{ method: "DELETE", path }]);
  assert.deepEqual(
    plan.warnings.map(({ code }) => code),
    ["opens_to_everyone", "taken_over"],
  );
  const { page, close, apply } = await opened(plan);
  await saysWhatTheServiceSays(page, plan, 2);
  const affected = await textOf(panel(page, "Who is affected"));
  assert.match(affected, /shadowed\.example\.com:443 under \/admin Open shop instead of Administration/);
  assert.match(affected, /Newly allowed Everybody 4,294,967,040 IPv4, 2128 IPv6 addresses/);
  assert.deepEqual(await violationsOn(page), []);
  // The shortcut does not bypass the boxes either.
  await page.keyboard.press("Control+Enter");
  assert.equal(await apply.isDisabled(), true);
  const [first, second] = await page.getByRole("checkbox").all();
  await first?.check();
  assert.equal(await apply.isDisabled(), true, "one of two is ticked");
  await second?.check();
  assert.equal(await apply.isDisabled(), false);
  // A refreshed plan is another one: it is confirmed again.
  await choose(page, "More", /^Refresh/);
  await page.getByText("0 of 2 confirmed").waitFor();
  assert.equal(await apply.isDisabled(), true);
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  await page.keyboard.press("Control+Enter");
  await applied(page);
  const { api } = await world();
  const [edge_id = "", id = ""] = path.split("/").filter((part) => part.includes("_"));
  const { response } = await api.GET("/edges/https/{edge_id}/routes/{id}", {
    params: { path: { edge_id, id } },
  });
  assert.equal(response.status, 404);
  await close();
});

test("client certificates are no longer asked for: the check that ends must be ticked", async () => {
  const { api } = await world();
  const [authority] = must(await api.GET("/certificate_authorities")).certificate_authorities;
  const mutual_tls = { certificate_authority_ids: [authority?.id ?? ""] };
  const { id } = must(
    await api.POST("/edges/tls", {
      body: {
        description: "Devices",
        hostports: ["checked.example.com:9302"],
        backend: await backend(),
        tls_termination: { terminate_at: "edge" },
        mutual_tls,
      },
    }),
  );
  const body = { mutual_tls: { ...mutual_tls, enabled: false } };
  const plan = await planned([{ method: "PATCH", path: `/edges/tls/${id}`, body }]);
  assert.deepEqual(
    plan.warnings.map(({ code }) => code),
    ["check_removed"],
  );
  const { page, close, apply } = await opened(plan);
  await saysWhatTheServiceSays(page, plan, 1);
  assert.match(
    await textOf(panel(page, "Who is affected")),
    /checked\.example\.com:9302 Devices No longer checked Client certificates/,
  );
  assert.equal(await apply.isDisabled(), true);
  await page.getByRole("checkbox", { name: /^Something is no longer checked/ }).check();
  await apply.click();
  await applied(page);
  await close();
});

test("a new edge: a problem has no box, and a planner is asked nothing", async () => {
  const plan = await planned([
    { method: "POST", path: "/edges/tcp", body: { description: "New", hostports: ["new.example.com:9303"] } },
  ]);
  const reader = await opened(plan);
  await saysWhatTheServiceSays(reader.page, plan, 0);
  assert.match(await effectOf(reader.page), /A problem appears: backend not set/);
  assert.match(await textOf(panel(reader.page, "Problems")), /Appears New The edge/);
  assert.equal(await reader.apply.isDisabled(), false);
  await reader.close();
  const key = await keyWith("planner");
  const { service } = await world();
  const answer = await fetch(`${service.origin}/plans`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Service-Version": "2", "Content-Type": "application/json" },
    body: JSON.stringify({
      operations: [{ method: "DELETE", path: await givenShadowed("planned.example.com") }],
    }),
  });
  const planner = await opened(await answer.json<Plan>(), key);
  assert.match(await effectOf(planner.page), /Everybody newly gets in at 1 place/);
  assert.equal(await planner.page.getByRole("checkbox").count(), 0);
  await planner.close();
});

test("the objects that a plan creates have names, before and after it is applied", async () => {
  const plan = await planned([
    { method: "POST", path: "/backends/static", name: "n1", body: { address: "10.0.0.1:80" } },
    { method: "POST", path: "/edges/https", name: "n2", body: { hostports: ["named.example.com:443"] } },
    {
      method: "POST",
      path: "/edges/https/$n2/routes",
      name: "n3",
      body: { match: "/", match_type: "path_prefix", backend: { backend_id: "$n1" } },
    },
    { method: "POST", path: "/ip_policies", name: "n5", body: { description: "Where people work" } },
    {
      method: "POST",
      path: "/ip_policy_rules",
      body: {
        ip_policy_id: "$n5",
        cidr: "10.0.0.0/8",
        action: "allow",
        expires_at: "2030-01-01T00:00:00Z",
      },
    },
    {
      method: "POST",
      path: "/event_destinations",
      body: {
        target: {
          webhook: {
            url: "https://hooks.example.com/x",
            secret: "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz",
          },
        },
      },
    },
  ]);
  const { page, close, apply } = await opened(plan);
  assert.equal(await textOf(panel(page, "Who is affected").locator("header")), "Who is affected 1 place");
  const changes = await textOf(panel(page, "What changes"));
  assert.match(changes, /created allow 10\.0\.0\.0\/8 IP policy rule/);
  assert.match(
    changes,
    /Edge new HTTPS edge named\.example\.com:443 .*Path \/ .*Goes to new backend 10\.0\.0\.1:80/,
  );
  assert.match(changes, /IP policy Where people work .*Ends 1 Jan 2030, 00:00:00 UTC/);
  assert.match(changes, /URL https:\/\/hooks\.example\.com\/x .*Signing secret set/);
  assert.doesNotMatch(changes, /—|together/);
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  assert.doesNotMatch(await page.locator("main").innerText(), /\$\w|of operation/);
  await apply.click();
  await applied(page);
  assert.doesNotMatch(await page.locator("main").innerText(), /\$\w|of operation/);
  await page.locator(".op").getByRole("link", { name: "named.example.com:443" }).click();
  await page.getByRole("heading", { level: 1, name: "named.example.com:443" }).waitFor();
  await close();
});

test("a change of a module has one label, and a removed rule has its description", async () => {
  const { api } = await world();
  const id = await policy([]);
  const rules = [{ cidr: "192.0.2.0/24", action: "allow" as const, description: "temporary guest" }];
  must(await api.PUT("/ip_policies/{id}/rules", { params: { path: { id } }, body: { rules } }));
  const other = await policy([]);
  const ip_restriction = { ip_policy_ids: [id] };
  const body = { hostports: ["labels.example.com:9310"], ip_restriction, backend: await backend() };
  const { id: edge } = must(await api.POST("/edges/tcp", { body }));
  const plan = await planned([
    { method: "PATCH", path: `/edges/tcp/${edge}`, body: { ip_restriction: { ip_policy_ids: [other] } } },
    { method: "PUT", path: `/ip_policies/${id}/rules`, body: { rules: [] } },
  ]);
  const { page, close } = await opened(plan);
  const changes = panel(page, "What changes");
  await changes.getByText("temporary guest").waitFor();
  assert.deepEqual(await changes.locator(".k").allInnerTexts(), ["Who gets in", "Who gets in", "allow"]);
  const [label, value] = await Promise.all(
    [".k", ".v"].map((part) => changes.locator(part).first().boundingBox()),
  );
  assert.ok(label && value && value.x - label.x - label.width >= 8, "a gap");
  await close();
});

test("a plan that is outdated cannot be applied until it is refreshed", async () => {
  const { api } = await world();
  const id = await policy([{ cidr: "192.0.2.0/24", action: "allow" }]);
  const plan = await planned([{ method: "PATCH", path: `/ip_policies/${id}`, body: { description: "Old" } }]);
  const { page, close, apply } = await opened(plan);
  must(await api.PATCH("/ip_policies/{id}", { params: { path: { id } }, body: { metadata: "theirs" } }));
  await apply.click();
  const alert = page.getByRole("alert");
  await alert.getByText("The plan's effect may have changed: “Of plans” changed.").waitFor();
  assert.equal(await apply.isDisabled(), true);
  await alert.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("This is the effect on the current configuration.").waitFor();
  await apply.click();
  await applied(page);
  await close();
});

test("a plan that waits is withdrawn after a question", async () => {
  const { api } = await world();
  const operations = [{ method: "POST" as const, path: "/ip_policies", body: { description: "Withdrawn" } }];
  const { id } = must(await api.POST("/plans", { body: { operations } }));
  const reader = await signedIn();
  const { page } = reader;
  await open(reader, `#/plans/${id}`);
  await page.getByRole("button", { name: "Withdraw…" }).click();
  const dialog = page.getByRole("dialog", { name: "Withdraw this plan?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  assert.equal(must(await api.GET("/plans/{id}", { params: { path: { id } } })).state, "open");
  await page.getByRole("button", { name: "Withdraw…" }).click();
  await dialog.getByRole("button", { name: "Withdraw" }).click();
  await page.locator("h1 + .state", { hasText: "Withdrawn" }).waitFor();
  await page.getByRole("button", { name: "Make it again" }).click();
  await reviewed(page);
  await reader.close();
});

test("a plan with a deleted object names the object, and can be made again", async () => {
  const { api } = await world();
  const id = await policy([]);
  const other = await policy([]);
  const plan = await planned([
    { method: "PATCH", path: `/ip_policies/${other}`, body: { description: "Stays" } },
    { method: "PATCH", path: `/ip_policies/${id}`, body: { description: "Goes" } },
  ]);
  await api.DELETE("/ip_policies/{id}", { params: { path: { id } } });
  const { page, close, apply } = await opened(plan);
  await apply.click();
  const alert = page.getByRole("alert");
  await alert.getByText("The plan's effect may have changed: “Goes” changed.").waitFor();
  await alert.getByRole("button", { name: "Refresh" }).click();
  await alert.getByRole("button", { name: "Make it again" }).waitFor();
  assert.match(await textOf(alert), /^Goes: /);
  assert.doesNotMatch(await textOf(alert), /[Oo]peration/);
  await alert.getByRole("button", { name: "Make it again" }).click();
  await alert.getByText("Goes: It was deleted in the meantime.").waitFor();
  await close();
});

test("a plan that cannot be refreshed is made again, with new objects, rules and conflicts", async () => {
  const { api } = await world();
  const id = await policy([{ cidr: "192.0.2.0/24", action: "allow" }]);
  const gone = await policy([]);
  const params = { path: { id } };
  const { response } = await api.GET("/ip_policies/{id}", { params });
  const if_match = response.headers.get("ETag") ?? "";
  const secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz";
  const plan = await planned([
    { method: "PATCH", path: `/ip_policies/${id}`, if_match, body: { description: "Planned" } },
    { method: "POST", path: "/ip_policies", name: "restored_1", body: { description: "Again" } },
    {
      method: "POST",
      path: "/ip_policy_rules",
      body: { ip_policy_id: "$restored_1", cidr: "10.0.0.0/8", action: "allow" },
    },
    { method: "POST", path: "/ip_policies", name: "restored_2", body: { description: "With rules" } },
    {
      method: "PUT",
      path: "/ip_policies/$restored_2/rules",
      body: { rules: [{ cidr: "10.1.0.0/16", action: "allow" }] },
    },
    { method: "PATCH", path: `/ip_policies/${gone}`, body: { description: "Gone" } },
    {
      method: "POST",
      path: "/event_destinations",
      body: { description: "Hook", target: { webhook: { url: "https://hooks.example.com/x", secret } } },
    },
  ]);
  must(await api.PATCH("/ip_policies/{id}", { params, body: { description: "Theirs" } }));
  await api.DELETE("/ip_policies/{id}", { params: { path: { id: gone } } });
  const { page, close } = await opened(plan);
  await choose(page, "More", /^Refresh/);
  await page.getByText("Somebody changed the same objects").waitFor();
  await page.getByRole("button", { name: "Make it again" }).click();
  const alert = page.getByRole("alert");
  await alert.getByText("Hook: Its secret must be entered again.").waitFor();
  assert.match(await alert.innerText(), /It was deleted in the meantime/);
  await alert.getByRole("link", { name: "Review the rest" }).click();
  const again = page.getByRole("button", { name: "Review again" });
  await again.waitFor();
  assert.equal(await again.isDisabled(), true, "nothing is chosen at the start");
  assert.match(await page.locator(".merge").innerText(), /: Name\s/);
  await page.getByLabel("Yours: Planned").check();
  await again.click();
  await reviewed(page);
  await page.getByRole("button", { name: "Apply 5 changes" }).click();
  await applied(page);
  const all = must(await api.GET("/ip_policies")).ip_policies.map(({ description }) => description);
  assert.ok(
    ["Planned", "Again", "With rules"].every((name) => all.includes(name)),
    all.join(),
  );
  await close();
});

test("an object is deleted after the objects that use it; the review can take a change back; an error names the object", async () => {
  const { api } = await world();
  const to = await backend();
  const { id } = must(
    await api.POST("/edges/tcp", {
      body: { description: "User", hostports: ["user.example.com:9311"], backend: to },
    }),
  );
  const reader = await signedIn();
  const { page, close } = reader;
  const remove = async (hash: string): Promise<void> => {
    await open(reader, hash);
    await choose(page, "More", "Delete…");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  };
  await remove(`#/backends/${to.backend_id}`);
  await page.getByRole("link", { name: "Review" }).click();
  const alert = page.getByRole("alert");
  await alert.waitFor();
  assert.match(await textOf(alert), /^Of plans: .*User/);
  assert.doesNotMatch(await textOf(alert), /[Oo]peration|bkdsc_|edgtcp_/);
  await remove(`#/edges/${id}`);
  await page.getByRole("link", { name: "Review" }).click();
  await reviewed(page);
  await page.getByRole("heading", { level: 1, name: "Review 2 changes" }).waitFor();
  await page.getByRole("button", { name: "Take back Of plans" }).click();
  await page.getByRole("heading", { level: 1, name: "Review 1 change" }).waitFor();
  await reviewed(page);
  // Changes made after the plan are not applied with it, so they have to be reviewed, too.
  const { hash } = new URL(page.url());
  await remove(`#/backends/${to.backend_id}`);
  await open(reader, hash);
  await page.getByText("You have edited your changes since this plan was made").waitFor();
  await page.getByRole("link", { name: "Review all changes" }).click();
  await page.getByRole("heading", { level: 1, name: "Review 2 changes" }).waitFor();
  await reviewed(page);
  await page.getByRole("button", { name: "Take back Of plans" }).click();
  await page.getByRole("heading", { level: 1, name: "Review 1 change" }).waitFor();
  await reviewed(page);
  await page.getByRole("button", { name: "Take back User" }).click();
  await page.getByText("There are no changes to review.").waitFor();
  assert.equal((await api.GET("/edges/tcp/{id}", { params: { path: { id } } })).response.status, 200);
  await close();
});

test("discarding asks first, and keeps the focus on the page", async () => {
  const id = await policy([{ cidr: "192.0.2.0/24", action: "allow" }]);
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, `#/policies/${id}`);
  await page.getByRole("button", { name: "Remove 192.0.2.0/24" }).click();
  await page.getByRole("button", { name: "Discard…" }).click();
  const dialog = page.getByRole("dialog", { name: "Discard 1 change?" });
  assert.match(await dialog.innerText(), /Of plans/);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("1 change not applied yet").waitFor();
  await page.getByRole("button", { name: "Discard…" }).click();
  await dialog.getByRole("button", { name: "Discard" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.waitForFunction("document.activeElement?.tagName === 'H1'");
  assert.equal(await page.getByText("not applied yet").count(), 0);
  await close();
});

test("a viewer sees which role a plan needs, and an undo that was only viewed does not wait for approval", async () => {
  const id = await policy([]);
  const plan = await planned([
    { method: "PATCH", path: `/ip_policies/${id}`, body: { description: "Seen" } },
  ]);
  const viewer = await signedIn(1440, "light", await keyWith("viewer"));
  await open(viewer, `#/plans/${plan.id}`);
  await viewer.page.getByText("It needs the role planner").waitFor();
  await viewer.page.getByRole("navigation", { name: "Breadcrumbs" }).getByText("Plans").waitFor();
  await viewer.close();
  const { page, close, apply } = await opened(plan);
  await page
    .getByRole("navigation", { name: "Pages" })
    .locator("a", { hasText: "Plans" })
    .locator("i.warn")
    .waitFor();
  await open({ page, complaints: [], close }, "#/plans");
  const row = page.getByRole("row").filter({ has: page.locator(`a[href="#/plans/${plan.id}"]`) });
  await row.getByText(plan.summary).waitFor();
  await open({ page, complaints: [], close }, `#/plans/${plan.id}`);
  await page.locator(".lead").waitFor();
  await apply.click();
  await applied(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await reviewed(page);
  await page.getByText("Not applied yet").waitFor();
  const undo = /pln_\w+/.exec(page.url())?.[0] ?? "";
  // Even after a reload, the undo is withdrawn when its page is left.
  await page.reload();
  await page.getByText("Not applied yet").waitFor();
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Undo" }).waitFor();
  const { api } = await world();
  const stateOf = async () => must(await api.GET("/plans/{id}", { params: { path: { id: undo } } })).state;
  for (let tries = 0; (await stateOf()) === "open" && tries < 50; tries += 1) await page.waitForTimeout(100);
  assert.equal(await stateOf(), "withdrawn");
  await close();
});

test("a plan that is made again does not overwrite a pending change of the same object", async () => {
  const { api } = await world();
  const ip_restriction = { ip_policy_ids: [await policy([{ cidr: "192.0.2.0/24", action: "allow" }])] };
  const edge = { description: "Mine first", hostports: ["mine-first.example.com:4448"], ip_restriction };
  const { id } = must(await api.POST("/edges/tcp", { body: { ...edge, backend: await backend() } }));
  const plan = await planned([
    { method: "DELETE", path: `/edges/tcp/${id}/ip_restriction`, if_match: await etagOf(id) },
  ]);
  must(await api.PATCH("/edges/tcp/{id}", { params: { path: { id } }, body: { metadata: "changed" } }));
  const reader = await opened(plan);
  const { page, close } = reader;
  await page.evaluate(`location.hash = "#/edges/${id}"`);
  await page.getByRole("button", { name: /^Edit/ }).first().click();
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Mine");
  await page.getByRole("dialog").getByRole("button", { name: "Keep for review" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.evaluate(`location.hash = "#/plans/${plan.id}"`);
  await choose(page, "More", /^Refresh/);
  await page.getByRole("button", { name: "Make it again" }).click();
  await page.getByRole("alert").getByText("It is already in your changes.").waitFor();
  await page.getByText("1 change not applied yet").waitFor();
  await close();
});

/** The ETag of a TCP edge. */
async function etagOf(id: string): Promise<string> {
  const { api } = await world();
  const { response } = await api.GET("/edges/tcp/{id}", { params: { path: { id } } });
  return response.headers.get("ETag") ?? "";
}

test("a deleted policy can be removed from a pending change", async () => {
  const { api } = await world();
  const { id: gone } = must(await api.POST("/ip_policies", { body: { description: "Deleted soon" } }));
  const { id } = must(await api.POST("/edges/tcp", { body: { description: "Refers to a deleted one" } }));
  const reader = await signedIn();
  const { page, close } = reader;
  const dialog = page.getByRole("dialog");
  await open(reader, `#/edges/${id}`);
  await choose(page, "Add a step", /^Who gets in/);
  await dialog.getByLabel("Deleted soon").check();
  await dialog.getByRole("button", { name: "Keep for review" }).click();
  await dialog.waitFor({ state: "detached" });
  await api.DELETE("/ip_policies/{id}", { params: { path: { id: gone } } });
  await comeBack(page);
  await page.getByRole("button", { name: /^Edit/ }).first().click();
  const deleted = dialog.getByLabel(`${gone} (deleted)`);
  assert.equal(await deleted.isChecked(), true);
  await deleted.click();
  await deleted.waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Keep for review" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("not applied yet").waitFor({ state: "detached" });
  await close();
});
