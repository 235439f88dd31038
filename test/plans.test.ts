import { beforeEach, expect, test } from "vitest";
import { type Answer, get, post } from "./support/api.ts";
import { givenIpPolicy, givenTcpEdge } from "./support/given.ts";
import type { Json } from "./support/json.ts";
import { empty } from "./support/stored.ts";

/*
 * Plans: proposed operations with their effect.
 */

beforeEach(() => empty());

const plan = (operations: Json[], more: Json = {}): Promise<Answer> =>
  post("/plans", { operations, ...more });
const apply = (answer: Answer): Promise<Answer> =>
  post(`/plans/${answer.body["id"]}/apply`, undefined, {
    headers: { "If-Match": answer.headers.get("ETag") ?? "" },
  });

test("a plan shows what a new rule changes, and applying it makes the change", async () => {
  const policy = await givenIpPolicy();
  await givenTcpEdge({ ip_restriction: { ip_policy_ids: [policy["id"]] } });
  const made = await plan([
    {
      method: "POST",
      path: "/ip_policy_rules",
      body: { ip_policy_id: policy["id"], cidr: "203.0.113.0/24", action: "allow" },
    },
  ]);
  expect(made.status, made.text).toBe(201);
  expect((await get(`/ip_policy_rules`)).body["ip_policy_rules"]).toEqual([]);
  const applied = await apply(made);
  expect(applied.status, applied.text).toBe(200);
  expect((await get(`/ip_policy_rules`)).body["ip_policy_rules"]).toHaveLength(1);
  const again = await apply(made);
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
});
