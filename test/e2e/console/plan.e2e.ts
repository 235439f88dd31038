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
import { choose, keyWith, must, violationsOn, world } from "./world.ts";

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
  assert.match(later, /Newly allowed 256 IPv4 addresses 198\.51\.100\.0\/24/);
  assert.match(later, new RegExp(`${expires_at.slice(11, 19)} UTC`));
  assert.equal(await apply.isDisabled(), true);
  await page.getByRole("checkbox").check();
  await page.getByText("1 of 1 confirmed").waitFor();
  await apply.click();
  await applied(page);
  // What was confirmed is still shown, without boxes.
  assert.match(await effectOf(page), /More sources get in when rules expire/);
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
  assert.match(affected, /Newly allowed Everybody 4\.3B IPv4, 2128 IPv6 addresses/);
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
  assert.match(await effectOf(reader.page), /A problem appears: backend_not_set/);
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
