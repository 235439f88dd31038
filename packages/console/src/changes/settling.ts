import { type Fields, isFields } from "../api/client.ts";
import type { Plan } from "../api/queries.ts";
import { isText } from "../base/kept.ts";
import type { RuleInput } from "../base/networks.ts";
import { isEqual, rulesIn } from "./diff.ts";
import { modules } from "./modules.ts";
import { withdraw } from "./operations.ts";
import { keep, pending, type PendingCreation, pendingPlan, planned, STALE, takeOut } from "./pending.ts";
import { withId } from "./references.ts";

/*
 * Settling a plan: its changes are removed from the pending changes of this tab and of its copies.
 */

/** The objects that a plan has created, by the names of its operations: their ids, and the fields and the rules that were sent, without secrets. */
type Created = Record<string, { id: string; body: Fields; rules: RuleInput[] }>;

/** The key in local storage, which all tabs share, for the last settled plan. */
const SETTLED = "settled plan";

/** The keys of the changes with these revisions. A change that was edited afterwards has a new revision. */
const keysOf = (revisions: string): string[] =>
  Object.entries(pending.value).flatMap(([key, { revision }]) =>
    revision !== undefined && revisions.includes(revision) ? [key] : [],
  );

/** What an applied plan has created. @param ids the ids of its operations' objects, in order; undefined for other operations */
export const createdIn = (
  { operations }: Plan,
  ids: unknown[] = operations.map(({ object_id }) => object_id),
): Created =>
  Object.fromEntries(
    operations.flatMap(({ name, body }, i) => {
      const id = ids[i];
      if (name === undefined || !isText(id)) return [];
      const rules = rulesIn(operations.find(({ path }) => path === `/ip_policies/$${name}/rules`)?.body);
      return [[name, { id, body: body ?? {}, rules }]];
    }),
  );

/** Forgets the plan of the pending changes, and the changes in it. @param created what the plan has created */
export function settlePlan(created: Created = {}): void {
  const [plan, revisions] = [pendingPlan.value, planned.value];
  forgetPlan();
  settle(revisions, created);
  localStorage.setItem(SETTLED, JSON.stringify({ plan, revisions, created }));
}

/** Forgets the plan of the pending changes, but keeps the changes. */
export function forgetPlan(): void {
  pendingPlan.value = null;
  planned.value = "";
}

/** Removes the changes that were applied. What was edited since stays: the creation of an object that exists now becomes an update. */
function settle(revisions: string, created: Created): void {
  const ids = Object.fromEntries(Object.entries(created).map(([name, { id }]) => [name, id]));
  takeOut(keysOf(revisions), ids);
  for (const name of Object.keys(created)) {
    const entry = Object.entries(pending.value).find(
      (one): one is [string, PendingCreation] => one[1].type === "create" && one[1].name === name,
    );
    if (!entry) continue;
    const [key, { path: collection, title, body, rules = [] }] = entry;
    takeOut([key], ids);
    let base: unknown = created[name]?.body;
    for (const [other, id] of Object.entries(ids)) base = withId(base, other, id);
    const path = `${collection}/${ids[name]}`;
    if (isFields(base))
      keep(path, { type: "update", path, title, etag: STALE, base, body: edits(base, body) });
    if (collection === "/ip_policies")
      keep(`${path}/rules`, {
        type: "rules",
        path: `${path}/rules`,
        title,
        etag: STALE,
        base: created[name]?.rules ?? [],
        rules,
      });
  }
}

/** The fields of a body that differ from those that were sent, and empty values for those that are left out now. */
const edits = (sent: Fields, body: Fields): Fields =>
  Object.fromEntries(
    [...new Set([...Object.keys(sent), ...Object.keys(body)])]
      .filter((name) => !isEqual(sent[name] ?? null, body[name] ?? null))
      .map((name) => [name, body[name] ?? (name in modules || !isText(sent[name]) ? null : "")]),
  );

function isCreated(value: unknown): value is Created {
  return isFields(value) && Object.values(value).every((one) => isFields(one) && isText(one["id"]));
}

/** Another tab has settled its plan. If this tab is a copy, it can have the same changes, perhaps in another plan. */
addEventListener("storage", ({ key: name, newValue }) => {
  if (name !== SETTLED) return;
  const settled: unknown = JSON.parse(newValue ?? "null");
  if (!isFields(settled) || !isText(settled["revisions"])) return;
  const { plan: other, revisions, created } = settled;
  const plan = pendingPlan.value;
  const isInPlan = keysOf(revisions).some((key) =>
    planned.value.includes(pending.value[key]?.revision ?? " "),
  );
  settle(revisions, isCreated(created) ? created : {});
  if (plan === null || !isInPlan) return;
  forgetPlan();
  if (plan !== other) void withdraw(plan).catch(() => undefined);
});
