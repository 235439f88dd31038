import type { Schemas } from "../api/client.ts";
import type { RuleInput } from "../base/networks.ts";
import { modules } from "./modules.ts";
import type { PendingChange } from "./pending.ts";

/*
 * The operations of pending changes, in an order in which the service accepts them.
 */

type Operation = Schemas["TransactionOperationRequest"];

/** An operation, and the change that it makes. */
export interface OrderedOperation {
  change: PendingChange;
  operation: Operation;
}

/** The operations that make a change. The first one is conditional: the others follow it in the same transaction. */
function operationsOf(change: PendingChange): Operation[] {
  const { path } = change;
  if (change.type === "create") return [{ method: "POST", path, body: change.body, name: change.name }];
  const if_match = change.etag;
  if (change.type === "delete") return [{ method: "DELETE", path, if_match }];
  // The service accepts no rule that has ended, and deletes it in any case.
  const rules = change.type === "rules" ? change.rules.filter((rule) => !hasEnded(rule)) : [];
  if (change.type === "rules") return [{ method: "PUT", path, if_match, body: { rules } }];
  // In a body, null means "left out": a module is removed by an operation of its own.
  const fields = Object.entries(change.body);
  const removed = fields.filter(([name, value]) => value === null && name in modules);
  const body = Object.fromEntries(fields.filter((field) => !removed.includes(field)));
  const operations: Operation[] = removed.map(([name]) => ({ method: "DELETE", path: `${path}/${name}` }));
  if (Object.keys(body).length > 0) operations.push({ method: "PATCH", path, body });
  return operations.map((operation, i) => (i === 0 ? { ...operation, if_match } : operation));
}

const hasEnded = ({ expires_at: end }: RuleInput): boolean => Date.parse(end ?? "") <= Date.now();

/** Deletions of what other objects use, those that use the most others first. All other objects use nothing that can be deleted. */
const USERS = ["/event_subscriptions/", "/backends/failover/", "/backends/weighted/"];

/** Whether a path is that of a route, or of the routes, of an edge that exists. */
const isRoute = (path: string): boolean => /^\/edges\/https\/[^$/]+\/routes/.test(path);

/**
 * The place of a change. Edges are deleted first, because new ones can have their hosts. New objects come next, because others refer to
 * them. Routes change the version of their edge, so they come after changes of the edge: one is deleted before another gets its path, and
 * a new one comes last. What an object used to refer to is deleted after the change of the object.
 */
function placeOf({ type, path }: PendingChange): number {
  if (isRoute(path)) return { delete: 4, rules: 5, update: 5, create: 6 }[type];
  if (type === "create") return 1;
  if (type !== "delete") return type === "rules" ? 2 : 3;
  if (path.startsWith("/edges/")) return 0;
  const rank = USERS.findIndex((user) => path.startsWith(user));
  return 7 + (rank === -1 ? USERS.length : rank);
}

/** Of deletions, newer objects come first: they can use older ones of the same kind, such as failover backends. Ids grow with time. */
const newestFirst = (a: PendingChange, b: PendingChange): number =>
  a.type === "delete" && b.type === "delete" ? (a.path < b.path ? 1 : -1) : 0;

/**
 * The operations of changes. The rules of a policy come before its fields: they need the version that other changes of it raise. What
 * belongs to a deleted object goes with it.
 */
export function operationsFor(changes: PendingChange[]): OrderedOperation[] {
  const deleted = changes.filter(({ type }) => type === "delete").map(({ path }) => `${path}/`);
  const ordered = changes
    .filter(({ path }) => !deleted.some((start) => path.startsWith(start)))
    .toSorted((a, b) => placeOf(a) - placeOf(b) || newestFirst(a, b));
  const policies = new Set(ordered.filter(({ type }) => type === "rules").map(({ path }) => path));
  return ordered.flatMap((change) => {
    const isFree = change.type !== "rules" && policies.has(`${change.path}/rules`);
    return operationsOf(change).map(({ if_match, ...operation }) => ({
      change,
      operation: isFree || if_match === undefined ? operation : { ...operation, if_match },
    }));
  });
}
