import { RequestFailure } from "../api/errors.ts";
import { labelOf } from "./labels.ts";
import { operationsFor } from "./order.ts";
import type { PendingChange } from "./pending.ts";

/** A readable error for changes that cannot be planned: `message` names the object, and `fields` have labels instead of paths. */
export function explained(failure: RequestFailure, changes: PendingChange[]): RequestFailure {
  const ordered = operationsFor(changes);
  const paths = failure.fields.map(({ path }) => /^\/operations\/(\d+)\/?(?:body\/)?(.*)$/.exec(path));
  const at = paths[0]?.[1] ?? failure.details["operation"];
  const change = at === undefined ? undefined : ordered[Number(at)]?.change;
  if (!change) return failure;
  const { message } = failure.within("");
  return new RequestFailure(
    {
      error_code: failure.code,
      msg: `${change.title}: ${message}`,
      details: failure.details,
      errors: failure.fields.map(({ path, msg }, i) => {
        const [, n, rest = ""] = paths[i] ?? [];
        const one = n === undefined ? undefined : ordered[Number(n)]?.change;
        return { path: one ? `${one.title}, ${labelAt(one, rest.split("/"))}` : path, msg };
      }),
    },
    failure.status,
  );
}

/** The label of a changed field; for a rule, its network. */
function labelAt(change: PendingChange, [first = "", ...rest]: string[]): string {
  if ("rules" in change && first === "rules") return change.rules?.[Number(rest[0])]?.cidr ?? "rules";
  return labelOf(change.path, [first, ...rest].join("."));
}
