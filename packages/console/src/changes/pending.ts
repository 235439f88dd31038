import { computed, effect, signal } from "@preact/signals";
import { type Fields, isFields } from "../api/client.ts";
import type { RuleInput } from "../base/networks.ts";
import { ruleChanges } from "./diff.ts";

/*
 * Changes that are not applied yet. They belong to this tab, and survive a reload without their secrets.
 */

/** A change of one object. */
export type PendingChange = { path: string; title: string } & (
  | { type: "update"; etag: string; base: Fields; body: Fields }
  | { type: "create"; body: Fields }
  | { type: "delete"; etag: string }
  | { type: "rules"; etag: string; base: RuleInput[]; rules: RuleInput[] }
);

const KEY = "pending changes";

/** Changes by key: the object's path, and a number for a new object. */
export const pending = signal<Record<string, PendingChange>>(stored());

/** The plan that was made of the pending changes. */
export const pendingPlan = signal<string | null>(sessionStorage.getItem("pending plan"));

/** The number of changes: each rule and each object counts. */
export const pendingCount = computed(() =>
  Object.values(pending.value).reduce(
    (sum, change) => sum + (change.type === "rules" ? ruleChanges(change.base, change.rules).size : 1),
    0,
  ),
);

effect(() => {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(pending.value, withoutSecrets));
    if (pendingPlan.value === null) sessionStorage.removeItem("pending plan");
    else sessionStorage.setItem("pending plan", pendingPlan.value);
  } catch (error) {
    // If the storage is full, the changes remain in memory.
    if (!(error instanceof DOMException)) throw error;
  }
});

// Functions that run while this module is loaded are declared, because constants below do not exist yet.
function withoutSecrets(name: string, value: unknown): unknown {
  return name === "secret" && typeof value === "string" ? undefined : value;
}

function stored(): Record<string, PendingChange> {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
    if (!isFields(value)) return {};
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, PendingChange] => isChange(entry[1])),
    );
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {};
  }
}

function isChange(value: unknown): value is PendingChange {
  return isFields(value) && typeof value["type"] === "string";
}

/** Adds a change, or replaces the one with the same key. */
export function keep(key: string, change: PendingChange): void {
  const isNothing =
    (change.type === "rules" && ruleChanges(change.base, change.rules).size === 0) ||
    (change.type === "update" && Object.keys(change.body).length === 0);
  if (isNothing) discard(key);
  else pending.value = { ...pending.value, [key]: change };
}

/** Removes a change, or all of them. */
export function discard(key?: string): void {
  pending.value =
    key === undefined
      ? {}
      : Object.fromEntries(Object.entries(pending.value).filter(([name]) => name !== key));
}
