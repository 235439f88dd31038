import type { Schemas } from "../api/client.ts";
import { type Named, nameOf, useNames } from "../api/names.ts";
import type { Plan } from "../api/queries.ts";
import { textOf } from "../changes/diff.ts";

/*
 * The names of objects in plans, with those of the objects that a plan creates.
 */

/** A text with the names of objects in place of their ids. */
export const withNames = (text: string, names: (id: string) => Named): string =>
  text.replaceAll(/\b[a-z]+_[0-9A-Za-z]{27}\b/g, (id) => names(id).name);

/** What is created at a path, in words. */
export function kindAt(path: string): string {
  if (path.endsWith("/routes")) return "route";
  const [, collection = "", kind] = path.split("/");
  const one = collection.replaceAll("_", " ").replace(/ies$/, "y").replace(/s$/, "").replace("ip ", "IP ");
  return collection === "edges" ? `${kind?.toUpperCase()} edge` : one;
}

type Change = Schemas["PlanChange"];

/** What a new object is called: without a name, by what tells it apart. Empty if nothing does. */
export function nameOfNew({ object, after, before, path }: Change): string {
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

/** The change that creates an object. Another operation names the object with a dollar sign and its name, or the operation's number. */
function creationOf({ changes, operations }: Plan, id: string): Change | undefined {
  const name = id.slice(1);
  const at = operations.findIndex((operation) => operation.method === "POST" && operation.name === name);
  return changes.find(({ object }) => object?.id === id) ?? changes[at === -1 ? Number(name) : at];
}

/** Finds the names of objects of a plan by their ids; of new objects by what stands for an id. */
export function usePlanNames(plan: Plan | undefined): (id: string) => Named {
  const names = useNames();
  return (id) => {
    const change = id.startsWith("$") && plan ? creationOf(plan, id) : undefined;
    if (!change) {
      const known = names(id);
      // The plan remembers what an object that is gone was called.
      const gone = known.name === id ? plan?.changes.find(({ object }) => object?.id === id) : undefined;
      return gone ? { ...known, name: gone.object?.description || id } : known;
    }
    const kind = `new ${kindAt(change.path)}`;
    const name = change.object?.description || `${kind} ${nameOfNew(change)}`.trim();
    return { name, kind, href: undefined };
  };
}

/** A text of the service about a plan, with names in place of what stands for new objects. */
export const withNewNames = (text: string, plan: Plan, names: (id: string) => Named): string =>
  text.replaceAll(/the object of operation (\d+)/g, (_, n: string) => {
    const object = plan.changes[Number(n)]?.object;
    const { name, kind } = names(object?.id ?? `$${n}`);
    return object?.description ? `the ${kind} “${name}”` : `the ${name}`;
  });
