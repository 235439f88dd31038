import { withdraw } from "./operations.ts";
import { pending, pendingPlan, planned, takeOut } from "./pending.ts";

/*
 * The end of a plan: what it contains is no longer pending, neither here nor in a copy of this tab.
 */

/** The key of the last settled plan in the storage that all tabs share: its id and its revisions. */
const SETTLED = "settled plan";

/** The keys of the changes with one of the revisions. A change that was edited since has another one. */
const keysOf = (revisions: string): string[] =>
  Object.entries(pending.value).flatMap(([key, { revision }]) =>
    revision !== undefined && revisions.includes(revision) ? [key] : [],
  );

/** Forgets the plan of the pending changes, and the changes that it contains. @param ids of created objects, by their names in the plan */
export function settlePlan(ids: Record<string, string> = {}): void {
  const [plan, revisions] = [pendingPlan.value, planned.value];
  forgetPlan();
  takeOut(keysOf(revisions), ids);
  localStorage.setItem(SETTLED, `${plan},${revisions}`);
}

/** Forgets the plan of the pending changes, which stay. */
export function forgetPlan(): void {
  pendingPlan.value = null;
  planned.value = "";
}

/** Another tab has settled its plan. If this tab was copied from it, some changes are here, too, and maybe in another plan. */
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
