import { computed, effect, signal } from "@preact/signals";
import { type Fields, isFields } from "../api/client.ts";
import { isText, isTextOrNull, kept } from "../base/kept.ts";
import type { RuleInput } from "../base/networks.ts";
import { isSecret, ruleChanges } from "./diff.ts";
import { refersTo, withId } from "./references.ts";

/*
 * Changes that are not applied yet. They belong to this tab, and survive a reload without their secrets.
 */

interface Kept {
  path: string;
  title: string;
  /** {@link keep} sets a new value whenever the change is edited. */
  revision?: string;
}

/** A change of one object. A new IP policy comes with its rules. */
export type PendingChange = Kept &
  (
    | { type: "update"; etag: string; base: Fields; body: Fields }
    | { type: "create"; name: string; body: Fields; rules?: RuleInput[] }
    | { type: "delete"; etag: string; base?: Fields }
    | { type: "rules"; etag: string; base: RuleInput[]; rules: RuleInput[] }
  );

/** The creation of an object. */
export type PendingCreation = PendingChange & { type: "create" };

/** An ETag that no object has, so the review merges the change with the object's current state. */
export const STALE = '"0"';

const KEY = "pending changes";

/** Changes by key: the object's path, and for a new object its collection and its name. */
export const pending = signal<Record<string, PendingChange>>(stored());

/** The plan that was made of the pending changes. */
export const pendingPlan = kept("pending plan", null, isTextOrNull);

/** The revisions of the changes in {@link pendingPlan}, separated by spaces. */
export const planned = kept("planned changes", "", isText);

/** Whether the changes survive a reload. */
export const isStored = signal(true);

/** Messages about automatic edits of the pending changes, until the user closes them. */
export const told = signal<string[]>([]);

/** Adds a message to {@link told}. */
export const tell = (text: string): void => {
  if (!told.value.includes(text)) told.value = [...told.value, text];
};

/** The id of the undo plan on the current page, until the plan is applied or sent for approval. */
export const undoPlan = kept("undo plan", null, isTextOrNull);

/** True if a plan waits for approval. The user's own plan, which is still being reviewed, does not. */
export const isAwaitingApproval = ({ id, state }: { id: string; state: string }): boolean =>
  state === "open" && id !== pendingPlan.value && id !== undoPlan.value;

/** The number of changes: each rule and each object counts. */
export const pendingCount = computed(() =>
  Object.values(pending.value).reduce((sum, change) => {
    if (change.type === "rules") return sum + ruleChanges(change.base, change.rules).size;
    return sum + 1 + (change.type === "create" ? (change.rules?.length ?? 0) : 0);
  }, 0),
);

/** The revisions of changes, separated by spaces. */
export const revisionsOf = (changes: PendingChange[]): string =>
  changes.map(({ revision }) => revision).join(" ");

/** Whether the plan contains exactly the pending changes, as they are now. */
export const isPlanCurrent = computed(() => revisionsOf(Object.values(pending.value)) === planned.value);

/** The changes whose secrets were lost in a reload. Each secret has an id, which ends with the secret's name. */
export const incomplete = computed(() =>
  Object.entries(pending.value).flatMap(([key, change]) => {
    const lost: string[] = [];
    if ("body" in change) withSecrets(change.body, key, (id) => void lost.push(id));
    return lost.length > 0 ? [{ key, title: change.title, lost }] : [];
  }),
);

/** Adds lost secrets to their changes again. @param secrets the secrets by their ids in {@link incomplete} */
export function enterSecrets(secrets: Record<string, string>): void {
  for (const [key, change] of Object.entries(pending.value))
    if ("body" in change) keep(key, { ...change, body: withSecrets(change.body, key, (id) => secrets[id]) });
}

effect(() => {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(pending.value, withoutSecret));
    isStored.value = true;
  } catch (error) {
    // If the storage is full, the changes remain in memory.
    if (!(error instanceof DOMException)) throw error;
    isStored.value = false;
  }
});

/** Whether the changes have secrets, which a reload loses. */
export const hasSecrets = (): boolean =>
  JSON.stringify(pending.value) !== JSON.stringify(pending.value, withoutSecret);

addEventListener("beforeunload", (event) => {
  if (!isStored.value && pendingCount.value > 0) event.preventDefault();
});

// Functions that run while this module is loaded are declared, because constants below do not exist yet.
/** A value, or a placeholder for a secret. The service rejects the placeholder, so no object is created without its secret. */
function withoutSecret(name: string, value: unknown): unknown {
  return isSecret(name) && typeof value === "string" ? { lost: true } : value;
}

/** A body with a value for each lost secret. */
function withSecrets(body: Fields, prefix: string, valueFor: (id: string) => unknown): Fields {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const id = `${prefix} ${name}`;
      if (!isFields(value)) return [name, value];
      return [name, value["lost"] === true ? (valueFor(id) ?? value) : withSecrets(value, id, valueFor)];
    }),
  );
}

function stored(): Record<string, PendingChange> {
  try {
    return changesIn(JSON.parse(sessionStorage.getItem(KEY) ?? "{}"));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {};
  }
}

function changesIn(value: unknown): Record<string, PendingChange> {
  if (!isFields(value)) return {};
  return Object.fromEntries(
    Object.entries(value)
      .filter((entry): entry is [string, PendingChange] => isChange(entry[1]))
      // An earlier version of the console did not store revisions.
      .map(([key, change]) => [key, { ...change, revision: change.revision ?? crypto.randomUUID() }]),
  );
}

function isChange(value: unknown): value is PendingChange {
  return isFields(value) && typeof value["type"] === "string";
}

/**
 * A name for a new object. With a dollar sign before it, other changes refer to the object, which has no id yet. A name is never used again,
 * not even in another tab, because plans that were made earlier still contain it.
 */
export const newName = (): string => `n${crypto.randomUUID().slice(0, 8)}`;

/** The creation of an object. @param rules the rules of an IP policy, each once */
export const creation = (
  path: string,
  title: string,
  body: Fields,
  name = newName(),
  rules: RuleInput[] = [],
): PendingCreation => ({
  type: "create",
  path,
  name,
  title,
  body,
  ...(rules.length > 0 && { rules }),
});

/** The key of a creation. */
export const keyOfNew = ({ path, name }: PendingCreation): string => `${path} ${name}`;

/** Adds the creation of an object: see {@link creation}. */
export function keepNew(...parts: Parameters<typeof creation>): void {
  const change = creation(...parts);
  keep(keyOfNew(change), change);
}

/** The title of a new object that is not applied yet, by its reference in changes, such as `$n1`. */
export const titleOfNew = (id: string): string | undefined =>
  Object.values(pending.value).find((change) => change.type === "create" && id === `$${change.name}`)?.title;

/** The new objects of a collection, such as `/backends/static`. */
export const newIn = (path: string): PendingCreation[] =>
  Object.values(pending.value).filter(
    (change): change is PendingCreation => change.type === "create" && change.path === path,
  );

/** The pending deletion of the object at a path, or of the edge of a route. */
export const deletionOf = (path: string): PendingChange | undefined =>
  Object.values(pending.value).find(
    (change) => change.type === "delete" && `${path}/`.startsWith(`${change.path}/`),
  );

/**
 * Adds a change, or replaces the change with the same key. A deletion drops the other changes to its object. A change to an object that is
 * marked for deletion takes the deletion back. In both cases, the user gets a message.
 */
export function keep(key: string, change: PendingChange): void {
  const isNothing =
    (change.type === "rules" && ruleChanges(change.base, change.rules).size === 0) ||
    (change.type === "update" && Object.keys(change.body).length === 0);
  if (isNothing) return discard(key);
  const deletion = deletionOf(change.path);
  if (change.type === "delete") {
    // Deleting an edge deletes its routes.
    if (deletion && deletion.path !== change.path) return;
    dropUnder(change);
  } else if (deletion) {
    discard(deletion.path);
    tell(`${deletion.title} will not be deleted, because you changed it.`);
  }
  pending.value = { ...pending.value, [key]: { ...change, revision: crypto.randomUUID() } };
}

/** Drops the other changes to a deleted object and its parts. */
function dropUnder({ path, title }: PendingChange): void {
  const under = Object.entries(pending.value).filter(
    ([, other]) =>
      `${other.path}/`.startsWith(`${path}/`) && (other.path !== path || other.type !== "delete"),
  );
  if (under.length === 0) return;
  tell(`Your other changes to ${title} were dropped, because it is marked for deletion.`);
  takeOut(under.map(([key]) => key));
}

/** Removes a change and all references to the object that it creates. Without a key, removes all changes. */
export function discard(key?: string): void {
  if (key !== undefined) return takeOut([key]);
  pending.value = {};
}

/**
 * Removes changes. Other changes can refer to an object that a removed change creates. If `ids` has its id, they get the id. Otherwise, the
 * changed fields and the new objects that refer to it are taken back, and the user gets a message.
 *
 * @param ids the ids of created objects, by the names of their changes
 */
export function takeOut(keys: string[], ids: Record<string, string> = {}): void {
  const entries = Object.entries(pending.value);
  pending.value = Object.fromEntries(entries.filter(([key]) => !keys.includes(key)));
  for (const [key, change] of entries)
    if (change.type === "create" && keys.includes(key)) resolve(change, ids[change.name]);
}

/** Replaces or removes the references to a new object that is no longer pending. */
function resolve({ name, title }: PendingCreation, id: string | undefined): void {
  if (id !== undefined) {
    pending.value = changesIn(withId(pending.value, name, id));
    return;
  }
  for (const [key, change] of Object.entries(pending.value)) {
    if (!refersTo(change, name)) continue;
    tell(`${change.title}: changes that refer to ${title} were taken back.`);
    if (change.type !== "update") discard(key);
    else {
      const others = Object.entries(change.body).filter((field) => !refersTo(field, name));
      keep(key, { ...change, body: Object.fromEntries(others) });
    }
  }
}
