import { isFields } from "../api/client.ts";
import type { Field } from "./fields.ts";
import { forms, kindOfPath } from "./forms.ts";
import { fieldsOf, modules } from "./modules.ts";
import { targets } from "./targets.ts";

/*
 * The labels of fields, which are the same on pages and in forms.
 */

/** The form field for a value. @param path the object's path @param name such as `target.webhook.url` */
export function fieldAt(path: string, name: string): Field | undefined {
  const kind = kindOfPath(path);
  const fields = [...(kind ? forms[kind].fields : []), ...Object.values(targets).flatMap((of) => of.fields)];
  return fields.find((field) => field.name === name);
}

/** A module's main field. Its label is the module's title. */
const MAIN = /^(?:backend|ip_polic(?:y_id|ie)s|certificate_authorit(?:y_id|ie)s|backend_id|value)\b/;

/** Labels of fields that are not in any form. */
const LABELS: Record<string, string> = {
  description: "Name",
  cidr: "Network",
  ip_policy: "IP policy",
  ip_policy_id: "IP policy",
  edge_id: "Edge",
  expires_at: "Ends",
  match_type: "Requests",
};

/** The label of a field. @param path the object's path @param name such as `ip_restriction.ip_policy_ids` */
export function labelOf(path: string, name: string): string {
  const [first = "", ...rest] = name.split(".");
  const inner = rest.join(".");
  const module = modules[first];
  if (module !== undefined) {
    if (inner === "" || MAIN.test(inner)) return module;
    const field = fieldsOf(first, path).find((one) => one.name === rest[0]);
    return `${module}: ${field?.label ?? wordsOf(inner)}`;
  }
  // An item of a list has the label of the list.
  const label = fieldAt(path, name)?.label ?? LABELS[name];
  if (label !== undefined || rest.length === 0) return label ?? wordsOf(name);
  return /^\d+$/.test(rest.at(-1) ?? "") ? labelOf(path, name.replace(/\.\d+$/, "")) : wordsOf(name);
}

function wordsOf(name: string): string {
  const words = name.replaceAll(/[._]/g, " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** The required secret fields of the target in a body. The service does not return their values. */
export function secretsIn(path: string, body: Record<string, unknown> | undefined): Field[] {
  const target = body?.["target"];
  const names = isFields(target) ? Object.keys(target).filter((name) => isFields(target[name])) : [];
  return kindOfPath(path) === "destination"
    ? names.flatMap((name) => targets[name]?.fields ?? []).filter(isRequiredSecret)
    : [];
}

const isRequiredSecret = ({ type, isRequired }: Field): boolean =>
  (type === "secret" || type === "made") && isRequired === true;
