import { queryClient } from "../api/cache.ts";
import { api, bodyOf, done, type Schemas } from "../api/client.ts";
import { modules } from "./modules.ts";
import { type PendingChange, pendingPlan } from "./pending.ts";

/*
 * From pending changes to plans.
 */

type Operation = Schemas["TransactionOperationRequest"];

/** The operations that make a change. The first one is conditional: the others follow it in the same transaction. */
function operationsOf(change: PendingChange): Operation[] {
  const { path } = change;
  if (change.type === "create") return [{ method: "POST", path, body: change.body }];
  const if_match = change.etag;
  if (change.type === "delete") return [{ method: "DELETE", path, if_match }];
  if (change.type === "rules") return [{ method: "PUT", path, if_match, body: { rules: change.rules } }];
  // In a body, null means "left out": a module is removed by an operation of its own.
  const fields = Object.entries(change.body);
  const removed = fields.filter(([name, value]) => value === null && name in modules);
  const body = Object.fromEntries(fields.filter((field) => !removed.includes(field)));
  const operations: Operation[] = removed.map(([name]) => ({ method: "DELETE", path: `${path}/${name}` }));
  if (Object.keys(body).length > 0) operations.push({ method: "PATCH", path, body });
  return operations.map((operation, i) => (i === 0 ? { ...operation, if_match } : operation));
}

/** The operations of changes. The rules of a policy come first: they need the version that other changes of the policy raise. */
function operationsFor(changes: PendingChange[]): Operation[] {
  const ordered = changes.toSorted((a, b) => Number(a.type !== "rules") - Number(b.type !== "rules"));
  const policies = new Set(ordered.filter(({ type }) => type === "rules").map(({ path }) => path));
  return ordered.flatMap((change) => {
    const operations = operationsOf(change);
    if (change.type === "rules" || !policies.has(`${change.path}/rules`)) return operations;
    return operations.map(({ if_match: _, ...unconditional }) => unconditional);
  });
}

/** Makes a plan and returns its id. If the response is lost, the request is repeated with the same key. @throws RequestFailure */
export async function makePlan(body: Schemas["PlanCreate"]): Promise<string> {
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  const { id } = await bodyOf(api.POST("/plans", { body, headers }));
  return id;
}

/** Makes a plan of all pending changes, and withdraws the plan that it replaces. @throws RequestFailure */
export async function planPending(changes: PendingChange[], description: string): Promise<string> {
  const previous = pendingPlan.value;
  const operations = operationsFor(changes);
  const id = await makePlan(description === "" ? { operations } : { operations, description });
  pendingPlan.value = id;
  if (previous !== null) await withdraw(previous).catch(() => undefined);
  return id;
}

/** Withdraws a plan. @throws RequestFailure */
export async function withdraw(id: string): Promise<void> {
  await done(api.DELETE("/plans/{id}", { params: { path: { id } } }));
  await queryClient.invalidateQueries({ queryKey: ["plans"] });
}
