import type { Schemas } from "../api/client.ts";
import { type Named, nameOf, useNames } from "../api/names.ts";
import type { Plan } from "../api/queries.ts";
import { textOf } from "../changes/diff.ts";

/*
 * The names of objects in plans, including the objects that a plan creates.
 */

/** The type of the objects that are created at a path, in words. */
export function kindAt(path: string): string {
  if (path.endsWith("/routes")) return "route";
  const [, collection = "", kind] = path.split("/");
  const one = collection.replaceAll("_", " ").replace(/ies$/, "y").replace(/s$/, "").replace("ip ", "IP ");
  return collection === "edges" ? `${kind?.toUpperCase()} edge` : one;
}

type Change = Schemas["PlanChange"];

/** The name of a new object. Without a description, it is a distinctive field; empty if there is none. */
export function nameInPlan({ object, after, before, path }: Change): string {
  const { hostports, match, address, status_code, cidr, action, subject_common_name } = after ?? before ?? {};
  if (path.startsWith("/ip_policy_rules") && !object?.description)
    return `${textOf(action)} ${textOf(cidr)}`.trim();
  return nameOf({
    id: "",
    description: object?.description ?? "",
    ...(Array.isArray(hostports) && { hostports: hostports.map(String) }),
    match: textOf(match),
    address: textOf(address),
    ...(typeof status_code === "number" && { status_code }),
    subject_common_name: textOf(subject_common_name),
  });
}

/** The operation that creates an object. References to the object are a dollar sign with the operation's name or number. */
function creationOf({ changes, operations }: Plan, id: string) {
  const name = id.slice(1);
  const named = operations.findIndex((operation) => operation.method === "POST" && operation.name === name);
  const at = named === -1 ? Number(name) : named;
  return {
    change: changes.find(({ object }) => object?.id === id) ?? changes[at],
    id: operations[at]?.object_id,
  };
}

/** Finds the names of a plan's objects by their ids, and of new objects by their references. */
export function usePlanNames(plan: Plan | undefined): (id: string) => Named {
  const names = useNames();
  return (reference) => {
    const isNew = reference.startsWith("$") && plan !== undefined;
    const { change, id = reference } = isNew ? creationOf(plan, reference) : {};
    const known = names(id);
    if (!change || known.name !== id) {
      // The plan still contains the names of deleted objects.
      const gone = known.name === id ? plan?.changes.find(({ object }) => object?.id === id) : undefined;
      return gone ? { ...known, name: gone.object?.description || id } : known;
    }
    const kind = `new ${kindAt(change.path)}`;
    const name = change.object?.description || `${kind} ${nameInPlan(change)}`.trim();
    return { name, kind, href: undefined };
  };
}

/** Replaces the references to new objects in a text from the service with their names. */
export const withNewNames = (text: string, plan: Plan, names: (id: string) => Named): string =>
  text.replaceAll(/the object of operation (\d+)/g, (_, n: string) => {
    const object = plan.changes[Number(n)]?.object;
    const { name, kind } = names(object?.id ?? `$${n}`);
    return object?.description ? `the ${kind} “${name}”` : `the ${name}`;
  });
