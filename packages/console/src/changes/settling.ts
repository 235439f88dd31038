import { withdraw } from "./operations.ts";
import { pending, pendingPlan, planned, takeOut } from "./pending.ts";

/*
 * Settling a plan: its changes are no longer pending, either in this tab or in copies of it.
 */

/** The key in local storage, which all tabs share, for the id and the revisions of the last settled plan. */
const SETTLED = "settled plan";

/** The keys of the changes with these revisions. A change that was edited afterwards has a new revision. */
const keysOf = (revisions: string): string[] =>
  Object.entries(pending.value).flatMap(([key, { revision }]) =>
    revision !== undefined && revisions.includes(revision) ? [key] : [],
  );

/** Forgets the plan of the pending changes, and the changes in it. @param ids the ids of created objects, by their names in the plan */
export function settlePlan(ids: Record<string, string> = {}): void {
  const [plan, revisions] = [pendingPlan.value, planned.value];
  forgetPlan();
  takeOut(keysOf(revisions), ids);
  localStorage.setItem(SETTLED, `${plan},${revisions}`);
}

/** Forgets the plan of the pending changes, but keeps the changes. */
export function forgetPlan(): void {
  pendingPlan.value = null;
  planned.value = "";
}

/** Another tab has settled its plan. If this tab is a copy, it can have the same changes, perhaps in another plan. */
addEventListener("storage", ({ key: name, newValue }) => {
  if (name !== SETTLED) return;
  const [settled, revisions = ""] = newValue?.split(",") ?? [];
  const keys = keysOf(revisions);
  const plan = pendingPlan.value;
  const isInPlan = keys.some((key) => planned.value.includes(pending.value[key]?.revision ?? " "));
  takeOut(keys);
  if (plan === null || !isInPlan) return;
  forgetPlan();
  if (plan !== settled) void withdraw(plan).catch(() => undefined);
});
