// @module-tag thorough
import fc from "fast-check";
import { expect, test } from "vitest";
import { bodyAt } from "../fuzz/document.ts";
import { MARK, validBody } from "../fuzz/values.ts";
import { get, patch, post } from "../support/api.ts";
import { runs } from "../support/effort.ts";
import * as given from "../support/given.ts";
import type { Json } from "../support/json.ts";

const RUNS = runs(100);

const path = "/event_destinations";

/** Targets of every kind, each of whose secrets contains the mark. */
const eventTarget: fc.Arbitrary<Json> = validBody(bodyAt("POST", path)).map(({ target }) => target);

test("no secret is in any response to accepted requests", async () => {
  await fc.assert(
    fc.asyncProperty(eventTarget, eventTarget, async (target, other) => {
      const created = await post(path, { target });
      const url = `${path}/${created.body.id}`;
      for (const { status, text } of [
        created,
        await get(url),
        await get(`${path}?limit=100`),
        await patch(url, { description: "x" }),
        await patch(url, { target: other }),
        await get(url),
      ]) {
        expect(status).toBeLessThan(300);
        expect(text).not.toContain(MARK);
      }
    }),
    RUNS,
  );
});

/** Replaces one value anywhere in a body, or adds a field. `choices` selects the path to it. */
function broken(body: Json, choices: number[], value: unknown): Json {
  const copy: Json = structuredClone(body);
  let at: Json = copy;
  for (const choice of choices) {
    const names = Object.keys(at);
    const name = names[choice % (names.length + 1)] ?? "unknown";
    const next: unknown = at[name];
    if (typeof next === "object" && next !== null && choices.at(-1) !== choice) at = next;
    else {
      at[name] = value;
      return copy;
    }
  }
  return copy;
}

test("no secret is in any response to rejected requests, wherever they are invalid", async () => {
  await fc.assert(
    fc.asyncProperty(
      eventTarget,
      fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 5 }),
      // Never a string, which would be kept and shown if the field is not a secret.
      fc.oneof(fc.constant(1), fc.constant([]), fc.constant({ [given.SECRET]: MARK }), fc.constant([MARK])),
      fc.nat(),
      async (target, choices, value, cut) => {
        const body = broken({ target, description: "x" }, choices, value);
        const raw = JSON.stringify(body);
        for (const { text } of [
          await post(path, body),
          await post(path, undefined, { raw: raw.slice(0, cut % raw.length) }),
          await post(path, undefined, { raw, headers: { "Content-Type": "text/plain" } }),
          await post("/bot_users", body),
          await post(`${path}?x=1`, body),
        ])
          expect(text).not.toContain(MARK);
      },
    ),
    RUNS,
  );
});
