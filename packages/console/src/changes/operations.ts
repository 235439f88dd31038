import { queryClient } from "../api/cache.ts";
import { api, bodyOf, done, type Schemas } from "../api/client.ts";
import { failureOf } from "../api/errors.ts";
import { modules } from "./modules.ts";
import { pending, type PendingChange, pendingPlan } from "./pending.ts";

/*
 * From pending changes to plans.
 */

type Operation = Schemas["TransactionOperationRequest"];

/** The operations that make a change. The first one is conditional: the others follow it in the same transaction. */
function operationsOf(change: PendingChange): Operation[] {
  const { path } = change;
  if (change.type === "create") return [{ method: "POST", path, body: change.body, name: change.name }];
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

/**
 * The place of a change: new objects come first, because others refer to them. A new route changes the version of its edge, so it comes after
 * changes of the edge.
 */
function placeOf({ type, path }: PendingChange): number {
  if (type === "create") return /^\/edges\/https\/[^$]/.test(path) ? 3 : 0;
  return { rules: 1, update: 2, delete: 4 }[type];
}

/** The operations of changes. The rules of a policy come before its fields: they need the version that other changes of it raise. */
function operationsFor(changes: PendingChange[]): Operation[] {
  const ordered = changes.toSorted((a, b) => placeOf(a) - placeOf(b));
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

/**
 * Asks the service whether a change would be accepted together with those that are pending. Nothing is kept.
 *
 * @throws RequestFailure with the rejected fields of this change, by JSON pointers into its body
 */
export async function check(key: string, change: PendingChange): Promise<void> {
  const all = { ...pending.value, [key]: change };
  const operations = operationsFor(Object.values(all));
  const own = operationsOf(change);
  try {
    await bodyOf(api.POST("/previews", { body: { operations } }));
  } catch (error) {
    const failure = failureOf(error);
    const at = Number(
      /^\/operations\/(\d+)/.exec(failure.fields[0]?.path ?? "")?.[1] ?? failure.details["operation"],
    );
    const isOwn = own.some((one) => JSON.stringify(one) === JSON.stringify(operations[at]));
    // What somebody else changed in between is merged in the review.
    if (!isOwn || failure.status === 412) return;
    throw failure.within(`/operations/${at}/body`);
  }
}

/** Withdraws a plan. @throws RequestFailure */
export async function withdraw(id: string): Promise<void> {
  await done(api.DELETE("/plans/{id}", { params: { path: { id } } }));
  await queryClient.invalidateQueries({ queryKey: ["plans"] });
}
