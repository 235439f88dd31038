import { expect } from "vitest";
import { type Answer, get, post } from "./api.ts";
import type { Json } from "./json.ts";

/*
 * Plans that undo changes.
 */

export const undoing = (undo: Json): Promise<Answer> => post("/plans", { undo });

export const operationOf = ({ headers }: Answer): string => headers.get("Service-Operation-Id") ?? "";

/** Undoes events or a request, and returns the operations of the plan. */
export async function undone(what: Answer | string[]): Promise<Json[]> {
  const made = await undoing(Array.isArray(what) ? { events: what } : { operation_id: operationOf(what) });
  expect(made.status, made.text).toBe(201);
  const headers = { "If-Match": made.headers.get("ETag") ?? "" };
  const applied = await post(`/plans/${made.body["id"]}/apply`, undefined, { headers });
  expect(applied.status, applied.text).toBe(200);
  return made.body["operations"];
}

/** Expects that a request cannot be undone, and returns the message. */
export async function refused(what: Answer | string[]): Promise<string> {
  const answer = await undoing(Array.isArray(what) ? { events: what } : { operation_id: operationOf(what) });
  expect([answer.status, answer.body["error_code"]], answer.text).toEqual([409, "ERR_CANNOT_UNDO"]);
  return answer.body["msg"];
}

/** The newest events, newest first. */
export const newest = async (limit = 1): Promise<Json[]> =>
  (await get(`/events?limit=${limit}`)).body["events"];

/** The rules of a policy as strings. */
export const rulesOf = async (policy: Json): Promise<string[]> =>
  (await get(`/ip_policy_rules?ip_policy_id=${policy["id"]}`)).body["ip_policy_rules"]
    .map(({ cidr, action, description, expires_at }: Json) =>
      [cidr, action, description, expires_at ?? ""].join(" "),
    )
    .toSorted();
