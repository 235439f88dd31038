// @module-tag thorough
import fc from "fast-check";
import { expect, test } from "vitest";
import { post } from "../support/api.ts";
import { runs } from "../support/effort.ts";
import { acceptedOf, buildPlaces, placedChange, placedWorld } from "../support/placed_world.ts";
import { empty } from "../support/stored.ts";

/*
 * A plan that can still be applied after other changes has the effect that it showed: `reads` names everything that the effect
 * depends on.
 */

test("after any change, a plan is outdated or has the same effect", async () => {
  const outcomes = { outdated: 0, rejected: 0, same: 0 };
  await fc.assert(
    fc.asyncProperty(
      placedWorld,
      fc.array(placedChange, { minLength: 1, maxLength: 3 }),
      fc.array(placedChange, { minLength: 1, maxLength: 2 }),
      async (given, planned, between) => {
        await empty("events");
        const built = await buildPlaces(given);
        const operations = await acceptedOf(planned, built);
        const others = await acceptedOf(between, built);
        fc.pre(operations.length > 0 && others.length > 0);
        const made = await post("/plans", { operations });
        expect(made.status, made.text).toBe(201);
        const changed = await post("/transactions", { operations: others });
        expect(changed.status, changed.text).toBe(200);
        const now = await post("/previews", { operations });
        const applied = await post(`/plans/${made.body["id"]}/apply`, undefined, {
          headers: { "If-Match": made.headers.get("ETag") ?? "" },
        });
        if (applied.status !== 200) {
          outcomes[applied.body["error_code"] === "ERR_PLAN_OUTDATED" ? "outdated" : "rejected"]++;
          return;
        }
        outcomes.same++;
        const { access, later, totals, problems } = made.body;
        const what = JSON.stringify({ operations, others });
        expect(now.status, now.text).toBe(200);
        expect({ access, later, totals, problems }, what).toEqual({
          access: now.body["access"],
          later: now.body["later"],
          totals: now.body["totals"],
          problems: now.body["problems"],
        });
      },
    ),
    { ...runs(120), endOnFailure: true },
  );
  expect(outcomes.same).toBeGreaterThan(5);
  expect(outcomes.outdated).toBeGreaterThan(5);
}, 600_000);
