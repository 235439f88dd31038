import type { Schemas } from "../api/client.ts";
import type { RuleInput } from "../base/networks.ts";
import { modules } from "./modules.ts";
import type { PendingChange } from "./pending.ts";
import { refersTo } from "./references.ts";

/*
 * The operations of pending changes, in an order in which the service accepts them.
 */

type Operation = Schemas["TransactionOperationRequest"];

/** An operation and its pending change. */
export interface OrderedOperation {
  change: PendingChange;
  operation: Operation;
}

/** The operations for a change. Only the first is conditional, because the others follow in the same transaction. */
function operationsOf(change: PendingChange): Operation[] {
  const { path } = change;
  if (change.type === "create") {
    const { body, name, rules: own = [] } = change;
    return [
      { method: "POST", path, body, name },
      ...(own.length > 0 ? [rulesOperation(`${path}/$${name}/rules`, own)] : []),
    ];
  }
  const if_match = change.etag;
  if (change.type === "delete") return [{ method: "DELETE", path, if_match }];
  if (change.type === "rules") return [{ ...rulesOperation(path, change.rules), if_match }];
  // In a body, null means "left out", so removing a module is a separate operation.
  const fields = Object.entries(change.body);
  const removed = fields.filter(([name, value]) => value === null && name in modules);
  const body = Object.fromEntries(fields.filter((field) => !removed.includes(field)));
  const operations: Operation[] = removed.map(([name]) => ({ method: "DELETE", path: `${path}/${name}` }));
  if (Object.keys(body).length > 0) operations.push({ method: "PATCH", path, body });
  return operations.map((operation, i) => (i === 0 ? { ...operation, if_match } : operation));
}

/** Replaces the rules of a policy. The service rejects expired rules, and deletes them anyway. */
const rulesOperation = (path: string, rules: RuleInput[]): Operation => ({
  method: "PUT",
  path,
  body: { rules: rules.filter((rule) => !hasEnded(rule)) },
});

const hasEnded = ({ expires_at: end }: RuleInput): boolean => Date.parse(end ?? "") <= Date.now();

/** Paths of objects that use other objects, in order of deletion. {@link placeOf} handles edges and routes itself. */
const USERS = ["/event_subscriptions/", "/backends/failover/", "/backends/weighted/"];

/** True for the path of a route of an existing edge, or of all its routes. */
const isRoute = (path: string): boolean => /^\/edges\/https\/[^$/]+\/routes/.test(path);

/**
 * The position of a change. Edges are deleted first, because new edges can reuse their hosts. New objects come next, because other objects
 * can refer to them. Changes to routes raise the version of their edge, so they come after changes to the edge. A route is deleted before
 * another route gets its path, and new routes come last. An object is deleted after the changes that remove references to it.
 */
function placeOf({ type, path }: PendingChange): number {
  if (isRoute(path)) return { delete: 4, rules: 5, update: 5, create: 6 }[type];
  if (type === "create") return 1;
  if (type !== "delete") return type === "rules" ? 2 : 3;
  if (path.startsWith("/edges/")) return 0;
  const rank = USERS.findIndex((user) => path.startsWith(user));
  return 7 + (rank === -1 ? USERS.length : rank);
}

/** Puts deletions of newer objects first: they can use older objects of the same type, such as failover backends. Ids grow with time. */
const newestFirst = (a: PendingChange, b: PendingChange): number =>
  a.type === "delete" && b.type === "delete" ? (a.path < b.path ? 1 : -1) : 0;

/** Moves the creation of an object before the creations of objects that refer to it. The order is otherwise kept. */
function referencedFirst(changes: PendingChange[]): PendingChange[] {
  const placed = new Set<PendingChange>();
  const creations = changes.filter((change) => change.type === "create");
  // A set, so that objects that refer to each other end, too.
  const begun = new Set<PendingChange>();
  const place = (change: PendingChange): void => {
    if (begun.has(change)) return;
    begun.add(change);
    for (const other of creations) if (other !== change && refersTo(change, other.name)) place(other);
    placed.add(change);
  };
  changes.forEach(place);
  return [...placed];
}

/**
 * The operations for changes. A policy's rules come before its fields, because other changes to the policy raise the version that the
 * rules need. Changes to parts of a deleted object are left out.
 */
export function operationsFor(changes: PendingChange[]): OrderedOperation[] {
  const deleted = changes.filter(({ type }) => type === "delete").map(({ path }) => `${path}/`);
  const ordered = referencedFirst(
    changes
      .filter(({ path }) => !deleted.some((start) => path.startsWith(start)))
      .toSorted((a, b) => placeOf(a) - placeOf(b) || newestFirst(a, b)),
  );
  const policies = new Set(ordered.filter(({ type }) => type === "rules").map(({ path }) => path));
  return ordered.flatMap((change) => {
    const isFree = change.type !== "rules" && policies.has(`${change.path}/rules`);
    return operationsOf(change).map(({ if_match, ...operation }) => ({
      change,
      operation: isFree || if_match === undefined ? operation : { ...operation, if_match },
    }));
  });
}
