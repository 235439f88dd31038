import { queryClient } from "../api/cache.ts";
import { api, bodyOf, done, type Schemas } from "../api/client.ts";
import { failureOf } from "../api/errors.ts";
import { operationsFor } from "./order.ts";
import {
  discard,
  pending,
  type PendingChange,
  pendingPlan,
  planned,
  revisionsOf,
  undoPlan,
} from "./pending.ts";

/*
 * From pending changes to plans.
 */

/** Makes a plan and returns its id. If the response is lost, the request is repeated with the same key. @throws RequestFailure */
export async function makePlan(body: Schemas["PlanCreate"]): Promise<string> {
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  const { id } = await bodyOf(api.POST("/plans", { body, headers }));
  if (body.undo) undoPlan.value = id;
  return id;
}

/** Makes a plan of all pending changes, and withdraws the plan that it replaces. @throws RequestFailure */
export async function planPending(changes: PendingChange[], description: string): Promise<string> {
  const previous = pendingPlan.value;
  const operations = operationsFor(changes).map(({ operation }) => operation);
  const id = await makePlan(description === "" ? { operations } : { operations, description });
  pendingPlan.value = id;
  planned.value = revisionsOf(changes);
  if (previous !== null) await withdraw(previous).catch(() => undefined);
  return id;
}

/**
 * Asks the service whether a change would be accepted together with those that are pending. Nothing is kept.
 *
 * @throws RequestFailure with the rejected fields of this change, by JSON pointers into its body; or if the service could not check
 */
export async function check(key: string, change: PendingChange): Promise<void> {
  const all = { ...pending.value, [key]: change };
  const ordered = operationsFor(Object.values(all));
  if (ordered.length === 0) return;
  try {
    const operations = ordered.map(({ operation }) => operation);
    await bodyOf(api.POST("/previews", { body: { operations } }));
  } catch (error) {
    const failure = failureOf(error);
    const at = Number(
      /^\/operations\/(\d+)/.exec(failure.fields[0]?.path ?? "")?.[1] ?? failure.details["operation"],
    );
    // What somebody else changed in between is merged in the review.
    if (failure.status === 412) return;
    const rejected = ordered[at]?.change;
    if (!rejected) throw failure;
    if (rejected !== change) return;
    throw failure.within(`/operations/${at}/body`);
  }
}

/** Withdraws a plan. @throws RequestFailure */
export async function withdraw(id: string): Promise<void> {
  await done(api.DELETE("/plans/{id}", { params: { path: { id } } }));
  await queryClient.invalidateQueries({ queryKey: ["plans"] });
}

/** Discards all pending changes, and withdraws their plan. */
export function discardAll(): void {
  const plan = pendingPlan.value;
  discard();
  pendingPlan.value = null;
  if (plan !== null) void withdraw(plan).catch(() => undefined);
}
