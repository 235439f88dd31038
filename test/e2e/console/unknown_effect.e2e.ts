import assert from "node:assert/strict";
import { test } from "node:test";
import { applied, opened, panel, type Plan, planned, saysWhatTheServiceSays, textOf } from "./plans.ts";
import { choose, must, open, signedIn, world } from "./world.ts";

/*
 * An effect that is not known, or not shown in full, is never shown as none.
 */

/** Makes a policy with many rules, and returns its id. */
async function largePolicy(rules: number): Promise<string> {
  const { api } = await world();
  const { id } = must(await api.POST("/ip_policies", { body: { description: "Large" } }));
  const body = {
    rules: Array.from({ length: rules }, (_, n) => ({
      cidr: `10.${n >> 8}.${n & 255}.0/24`,
      action: "allow" as const,
    })),
  };
  must(await api.PUT("/ip_policies/{id}/rules", { params: { path: { id } }, body }));
  return id;
}

/** A plan that affects nobody, and whose page a test changes. */
async function quiet(): Promise<Plan> {
  const { api } = await world();
  const { id } = must(await api.POST("/ip_policies", { body: { description: "Quiet" } }));
  return planned([{ method: "PATCH", path: `/ip_policies/${id}`, body: { description: "Still quiet" } }]);
}

/** Opens the page of a plan as if the service had returned something else for it. */
async function openedAs(plan: Plan) {
  const reader = await signedIn();
  await reader.page.route(`**/plans/${plan.id}`, (route) =>
    route.fulfill({ json: plan, headers: { ETag: '"changed"' } }),
  );
  await open(reader, `#/plans/${plan.id}`);
  await reader.page.locator(".lead").waitFor();
  return { ...reader, apply: reader.page.getByRole("button", { name: "Apply" }) };
}

test("too many rows to compute who gets in: the page says that it is not known, and asks", async () => {
  const policies = [await largePolicy(7000), await largePolicy(7000), await largePolicy(7000)];
  const plan = await planned(
    policies.map((ip_policy_id) => ({
      method: "POST",
      path: "/ip_policy_rules",
      body: { ip_policy_id, cidr: "192.0.2.1/32", action: "allow" },
    })),
  );
  assert.equal(plan.totals, null);
  assert.deepEqual(
    plan.warnings.map(({ code }) => code),
    ["effect_unknown"],
  );
  const { page, close, apply } = await opened(plan);
  await saysWhatTheServiceSays(page, plan, 1);
  assert.match(
    await textOf(panel(page, "Who is affected")),
    /^Who is affected not known More than 20000 rows/,
  );
  assert.doesNotMatch(await textOf(page.locator("main")), /nobody|no source|no item/i);
  assert.equal(await apply.isDisabled(), true);
  await page.getByRole("checkbox").check();
  await apply.click();
  await applied(page);
  await close();
});

test("too many ends of rules: who is affected later is not known, with the reason", async () => {
  const plan = await quiet();
  const later_omitted = "Too many rules expire to compute what changes then.";
  const { page, close, apply } = await openedAs({
    ...plan,
    summary: "What changes when rules expire is not known.",
    warnings: [{ code: "effect_unknown", msg: `Not known. ${later_omitted}`, confirm: true }],
    totals: plan.totals && { ...plan.totals, later_newly_allowed: null },
    later: null,
    later_omitted,
  });
  assert.equal(await textOf(panel(page, "Later")), `Later not known ${later_omitted}`);
  assert.equal(await panel(page, "Who is affected").count(), 0);
  assert.equal(await apply.isDisabled(), true);
  await close();
});

test("a plan that an earlier version made shows the service's words, and is refreshed", async () => {
  const plan = await quiet();
  const why = "An earlier version of the service made the plan. Refresh it.";
  const { page, close, apply } = await openedAs({
    ...plan,
    summary: `Who gets in afterwards is not known. ${why}`,
    warnings: [{ code: "effect_unknown", msg: `Who gets in afterwards is not known. ${why}`, confirm: true }],
    totals: null,
    access: null,
    later: null,
    problems: null,
    access_omitted: why,
  });
  assert.match(await textOf(panel(page, "Who is affected")), /not known An earlier version/);
  assert.equal(await apply.isDisabled(), true);
  await page.unroute(`**/plans/${plan.id}`);
  await choose(page, "More", /^Refresh/);
  await page.getByText("This is the effect on the current configuration.").waitFor();
  await saysWhatTheServiceSays(page, plan, 0);
  assert.equal(await apply.isDisabled(), false);
  await close();
});

test("an effect that is too long says how much of it is shown", async () => {
  const plan = await quiet();
  const [change] = plan.changes;
  assert.ok(change && plan.totals);
  const networks = {
    newly_allowed: ["203.0.113.0/24"],
    newly_refused: [],
    count_allowed: { ipv4: "256", ipv6: "0" },
    count_refused: { ipv4: "0", ipv6: "0" },
    truncated: false,
  };
  const { method, path, status, object } = change;
  const places = Array.from({ length: 10 }, (_, n) => ({
    hostport: `long-${n}.example.com:443`,
    match: { match_type: "exact_path" as const, match: "/login" },
    object: { id: "$0", uri: null, description: "Long" },
    instead_of: null,
  }));
  const { page, close } = await openedAs({
    ...plan,
    operations: [...plan.operations, ...plan.operations],
    truncated: true,
    shown: { access: 1, later: 0, changes: 1, problems: 0 },
    changes: [{ method, path, status, object, truncated: true }],
    totals: {
      ...plan.totals,
      places_newly_allowed: 2600,
      later_newly_allowed: 3,
      problems_added: 4,
      operations: 2,
    },
    access: [
      {
        ...networks,
        places,
        places_more: 50,
        from_everyone: false,
        to_everyone: false,
        to_nobody: false,
        no_longer: [],
        newly: ["traffic_policy"],
        changed: [],
        also: ["mutual_tls"],
      },
    ],
  });
  const affected = await textOf(panel(page, "Who is affected"));
  assert.match(
    affected,
    /long-0\.example\.com:443 at \/login .*long-9\.example\.com:443 at \/login Long and 50 more/,
  );
  assert.match(affected, /Newly checked Traffic policy Checked as before Client certificates/);
  assert.match(affected, /Places where sources newly get in: 60 of 2,600 shown/);
  assert.match(await textOf(panel(page, "Later")), /: 0 of 3 shown/);
  assert.match(await textOf(panel(page, "Problems")), /Problems that appear: 0 of 4 shown/);
  const main = await textOf(page.locator("main"));
  assert.match(main, /Review 2 changes/);
  assert.match(main, /Operations: 1 of 2 shown/);
  assert.match(main, /too long to show which fields change/);
  assert.doesNotMatch(main, /Nothing changes/);
  await close();
});
