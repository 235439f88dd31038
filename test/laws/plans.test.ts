// @module-tag thorough
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { clock } from "../../packages/model/src/clock.ts";
import { type Answer, get, post } from "../support/api.ts";
import { runs } from "../support/effort.ts";
import type { Json } from "../support/json.ts";
import { build, drawn, requested, world } from "../support/random_world.ts";
import { empty } from "../support/stored.ts";

/*
 * The effect that a plan shows is what the API shows once the plan is applied: its fields and its problems. Who gets in is in
 * plan_places.test.ts.
 */

const now = clock.now;
afterEach(() => {
  clock.now = now;
});

const problemsNow = async (): Promise<Json[]> => (await get("/problems")).body["problems"];
const inOrder = (problems: Json[]): string[] => problems.map((one) => JSON.stringify(one)).toSorted();

const pathOf = ({ id, uri }: Json, ids: Map<string, string>): string => {
  const known = uri ?? ids.get(id) ?? "";
  return new URL(known).pathname;
};

/** The result of each operation whose effect the plan shows by `$N`, by that label. */
const createdIn = (applied: Answer): Map<string, string> =>
  new Map(
    applied.body["results"].flatMap(({ body }: Json, i: number) => (body ? [[`$${i}`, body.uri]] : [])),
  );

test("what a plan shows is what the API shows once the plan is applied", async () => {
  let plans = 0;
  await fc.assert(
    fc.asyncProperty(world, fc.array(drawn, { minLength: 1, maxLength: 5 }), async (given, all) => {
      await empty("events");
      const ids = await build(given);
      const operations = requested(all, ids);
      fc.pre(operations.length > 0);
      // New objects show when they were created: all three do it in the same second.
      const at = now();
      clock.now = () => at;
      const previewed = await post("/previews", { operations });
      const made = await post("/plans", { operations });
      const tried = await post("/transactions", { operations, dry_run: true });
      clock.now = now;
      if (made.status !== 201) {
        for (const { status, body } of [made, previewed])
          expect([status, body["error_code"], body["msg"]]).toEqual([
            tried.status,
            tried.body["error_code"],
            tried.body["msg"],
          ]);
        // Another world is drawn.
        fc.pre(false);
      }
      plans++;
      const { problems, changes, ...rest }: Json = made.body;
      const { summary, warnings, totals, access, later, truncated } = rest;
      expect(previewed.body).toEqual({
        summary,
        warnings,
        totals,
        access,
        problems,
        changes,
        later,
        truncated,
      });
      const problemsBefore = await problemsNow();
      const applied = await post(`/plans/${made.body["id"]}/apply`, undefined, {
        headers: { "If-Match": made.headers.get("ETag") ?? "" },
      });
      expect(applied.status, applied.text).toBe(200);

      const gone = new Set(inOrder(problems.removed));
      const kept = inOrder(problemsBefore).filter((one) => !gone.has(one));
      const labels = createdIn(applied);
      const named = (text: string) =>
        text.replace(/\$\d+/g, (label) => labels.get(label)?.split("/").at(-1) ?? label);
      expect([...kept, ...inOrder(problems.added).map(named)].toSorted()).toEqual(
        inOrder(await problemsNow()),
      );

      const ownersDeleted = changes.some(
        ({ method, path }: Json) => method === "DELETE" && /^\/(?:ip_policies|edges\/https)\/\w+$/.test(path),
      );
      const last = new Map<string, Json>(
        changes.flatMap((change: Json) => (change.object ? [[pathOf(change.object, labels), change]] : [])),
      );
      for (const [path, { after: fields, before: old }] of last) {
        const { status, body } = await get(path);
        // Rules and routes are deleted with what they belong to.
        if (status === 404 && ownersDeleted && /rule|route/.test(path)) continue;
        expect(status, path).toBe(fields === null ? 404 : 200);
        if (fields !== null && old !== undefined)
          expect(body).toMatchObject(JSON.parse(named(JSON.stringify(fields))));
      }
    }),
    runs(40),
  );
  expect(plans).toBeGreaterThan(5);
});
