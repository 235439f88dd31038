import fc from "fast-check";
import { expect, test } from "vitest";
import { get, patch, post } from "../api.ts";
import { SECRET } from "../given.ts";
import type { Json } from "../json.ts";
import { eventTarget } from "./collections.ts";

const RUNS = { numRuns: 100 };

/** Secrets that cannot occur in a response by chance. */
const secret = fc.stringMatching(/^[0-9a-f]{24}$/).map((digits) => `secret-${digits}`);

/** Every string in a body that looks like a secret. */
const secretsIn = (body: unknown): string[] => JSON.stringify(body).match(/secret-[0-9a-f]{24}/g) ?? [];

const path = "/event_destinations";

test("no secret is in any response to accepted requests", async () => {
  await fc.assert(
    fc.asyncProperty(eventTarget(secret), eventTarget(secret), async (target, other) => {
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
        for (const value of secretsIn([target, other])) expect(text).not.toContain(value);
      }
    }),
    RUNS,
  );
});

/** Replaces one value anywhere in a body, or adds a member; `choices` selects the path to it. */
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

test("no secret is in any response to refused requests, wherever they are invalid", async () => {
  await fc.assert(
    fc.asyncProperty(
      eventTarget(secret),
      fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 5 }),
      // Never a string: it would be stored and shown if the member is not a secret.
      fc.oneof(
        fc.constant(1),
        fc.constant([]),
        fc.record({ [SECRET]: secret }),
        fc.array(secret, { minLength: 1 }),
      ),
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
          for (const leaked of secretsIn(body)) expect(text).not.toContain(leaked);
      },
    ),
    RUNS,
  );
});
