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
  | { type: "create"; name: string; body: Fields }
  | { type: "delete"; etag: string }
  | { type: "rules"; etag: string; base: RuleInput[]; rules: RuleInput[] }
);

const KEY = "pending changes";

/** Changes by key: the object's path, and for a new object its collection and its name. */
export const pending = signal<Record<string, PendingChange>>(stored());

/** The plan that was made of the pending changes. */
export const pendingPlan = signal<string | null>(sessionStorage.getItem("pending plan"));

/** The changes that the plan was made of; null after a reload. */
export const plannedChanges = signal<Record<string, PendingChange> | null>(null);

/** The plan of an undo that somebody looks at, until it is applied or sent to somebody. */
export const undoPlan = signal<string | null>(null);

/** Whether a plan waits for somebody else: not one that the reader is looking at. */
export const isAwaitingApproval = ({ id, state }: { id: string; state: string }): boolean =>
  state === "open" && id !== pendingPlan.value && id !== undoPlan.value;

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
  const isSecret = /^(?:secret|api_key|client_secret|cloud_secret_access_key|hmac_key)$/.test(name);
  return isSecret && typeof value === "string" ? undefined : value;
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

/** A name for a new object. With a dollar sign before it, other changes refer to the object, which has no id yet. */
export function newName(): string {
  const numbers = Object.values(pending.value).map((change) =>
    change.type === "create" ? Number(change.name.slice(1)) : 0,
  );
  return `n${Math.max(0, ...numbers) + 1}`;
}

/** Adds the creation of an object. */
export function keepNew(path: string, title: string, body: Fields, name = newName()): void {
  keep(`${path} ${name}`, { type: "create", path, name, title, body });
}

/** The new objects of a collection, such as `/backends/static`. */
export const newIn = (path: string): (PendingChange & { type: "create" })[] =>
  Object.values(pending.value).filter(
    (change): change is PendingChange & { type: "create" } =>
      change.type === "create" && change.path === path,
  );

/** Adds a change, or replaces the one with the same key. */
export function keep(key: string, change: PendingChange): void {
  const isNothing =
    (change.type === "rules" && ruleChanges(change.base, change.rules).size === 0) ||
    (change.type === "update" && Object.keys(change.body).length === 0);
  if (isNothing) discard(key);
  else pending.value = { ...pending.value, [key]: change };
}

/** Removes a change, with the changes that refer to the object that it creates; or all of them. */
export function discard(key?: string): void {
  if (key === undefined) {
    pending.value = {};
    return;
  }
  const change = pending.value[key];
  const others = Object.entries(pending.value).filter(([name]) => name !== key);
  pending.value = Object.fromEntries(others);
  if (change?.type !== "create") return;
  const reference = new RegExp(`\\$${change.name}(?!\\w)`);
  for (const [name, other] of others) if (reference.test(JSON.stringify(other))) discard(name);
}
