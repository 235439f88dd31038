import { api, bodyOf, done, type Schemas } from "../api/client.ts";
import { queryClient } from "../api/queries.ts";
import { type Change, pendingPlan } from "./pending.ts";

/*
 * From pending changes to plans.
 */

type Operation = Schemas["TransactionOperationRequest"];

/** The operation that makes a change. */
function operationFor(change: Change): Operation {
  const { path } = change;
  if (change.type === "create") return { method: "POST", path, body: change.body };
  if (change.type === "delete") return { method: "DELETE", path, if_match: change.etag };
  if (change.type === "rules")
    return { method: "PUT", path, if_match: change.etag, body: { rules: change.rules } };
  return { method: "PATCH", path, if_match: change.etag, body: change.body };
}

/** The operations of changes. The rules of a policy come first: they need the version that other changes of the policy raise. */
function operationsFor(changes: Change[]): Operation[] {
  const ordered = changes.toSorted((a, b) => Number(a.type !== "rules") - Number(b.type !== "rules"));
  const policies = new Set(ordered.filter(({ type }) => type === "rules").map(({ path }) => path));
  return ordered.map((change) => {
    const operation = operationFor(change);
    if (change.type === "rules" || !policies.has(`${change.path}/rules`)) return operation;
    const { if_match: _, ...unconditional } = operation;
    return unconditional;
  });
}

/** Makes a plan and returns its id. It is repeated with the same key if the answer is lost. @throws Failure */
export async function makePlan(body: Schemas["PlanCreate"]): Promise<string> {
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  const { id } = await bodyOf(api.POST("/plans", { body, headers }));
  return id;
}

/** Makes the plan of all pending changes, and withdraws the one that it replaces. @throws Failure */
export async function planPending(changes: Change[], description: string): Promise<string> {
  const previous = pendingPlan.value;
  const operations = operationsFor(changes);
  const id = await makePlan(description === "" ? { operations } : { operations, description });
  pendingPlan.value = id;
  if (previous !== null) await withdraw(previous).catch(() => undefined);
  return id;
}

/** Withdraws a plan. @throws Failure */
export async function withdraw(id: string): Promise<void> {
  await done(api.DELETE("/plans/{id}", { params: { path: { id } } }));
  await queryClient.invalidateQueries({ queryKey: ["plans"] });
}
