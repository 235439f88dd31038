import { api, bodyOf, type Fields, isFields } from "../api/client.ts";
import type { Plan } from "../api/queries.ts";
import { isText } from "../base/kept.ts";
import { isEqual } from "./diff.ts";
import { modules } from "./modules.ts";
import { withdraw } from "./operations.ts";
import { keep, pending, type PendingCreation, pendingPlan, planned, STALE, takeOut } from "./pending.ts";
import { withId } from "./references.ts";

/*
 * Settling a plan: its changes are removed from the pending changes of this tab and of its copies.
 */

/** The objects that a plan has created, by the names of its operations: their ids, and the fields that were sent, without secrets. */
type Created = Record<string, { id: string; body: Fields }>;

/** The key in local storage, which all tabs share, for the last settled plan. */
const SETTLED = "settled plan";

/** The keys of the changes with these revisions. A change that was edited afterwards has a new revision. */
const keysOf = (revisions: string): string[] =>
  Object.entries(pending.value).flatMap(([key, { revision }]) =>
    revision !== undefined && revisions.includes(revision) ? [key] : [],
  );

/** What a plan has created. @param ids the ids of its operations' objects, in order; undefined for other operations */
export const createdIn = ({ operations }: Plan, ids: unknown[]): Created =>
  Object.fromEntries(
    operations.flatMap(({ name, body }, i) => {
      const id = ids[i];
      return name === undefined || !isText(id) ? [] : [[name, { id, body: body ?? {} }]];
    }),
  );

/** Reads from the log what an applied plan has created. @throws RequestFailure */
export async function readCreated(plan: Plan): Promise<Created> {
  const query = { object_id: plan.id, type: "plan_applied.v0", limit: 1 } as const;
  const { events: start } = await bodyOf(api.GET("/events", { params: { query } }));
  const paths: string[] = [];
  let after = start[0]?.event_id;
  while (after !== undefined) {
    const page = { limit: 100, after_id: after };
    const { events } = await bodyOf(api.GET("/events", { params: { query: page } }));
    const own = events.filter(({ operation_id }) => operation_id === plan.operation_id);
    for (const { event_type, object } of own)
      if (event_type.includes("_created.")) paths.push(new URL(object.uri).pathname);
    after = own.length === 0 ? undefined : events.at(-1)?.event_id;
  }
  const known = new Map<string, string>();
  const ids = plan.operations.map(({ method, path, name = "" }) => {
    const collection = path.replaceAll(/\$(\w+)/g, (text, one: string) => known.get(one) ?? text);
    const at = method === "POST" ? paths.findIndex((one) => one.replace(/\/[^/]+$/, "") === collection) : -1;
    const id = at === -1 ? undefined : paths.splice(at, 1)[0]?.split("/").at(-1);
    if (id !== undefined) known.set(name, id);
    return id;
  });
  return createdIn(plan, ids);
}

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
    const [key, { path: collection, title, body }] = entry;
    takeOut([key], ids);
    let base: unknown = created[name]?.body;
    for (const [other, id] of Object.entries(ids)) base = withId(base, other, id);
    const path = `${collection}/${ids[name]}`;
    if (isFields(base))
      keep(path, { type: "update", path, title, etag: STALE, base, body: edits(base, body) });
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
