import { type Fields, isFields } from "../base/json.ts";
import { textOf } from "./diff.ts";
import { modules } from "./modules.ts";

/*
 * From the shape of responses to that of requests.
 */

const idsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter(isFields).map(({ id }) => textOf(id)) : [];

/** The lists of references in modules, with their names in requests. */
const lists: Record<string, string> = {
  ip_policies: "ip_policy_ids",
  certificate_authorities: "certificate_authority_ids",
};

/** A module as requests have it: with ids in place of references. */
export const asRequest = (name: string, module: Fields): Fields =>
  Object.fromEntries(
    Object.entries(module).map(([field, value]) => {
      if (name === "backend" && field === name) return ["backend_id", isFields(value) ? value["id"] : value];
      const list = lists[field];
      return list === undefined ? [field, value] : [list, idsIn(value)];
    }),
  );

/** An object in the form that requests use. */
export const requestOf = (object: Fields): Fields =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => {
      if (isFields(value) && name in modules) return [name, asRequest(name, value)];
      if (name === "destinations") return ["destination_ids", idsIn(value)];
      if (name !== "target") return [name, value];
      const { name: of, settings } = targetIn(object);
      return [name, { [of]: settings }];
    }),
  );

/** A destination's only target: its name and its settings, without secrets. */
export function targetIn({ target }: Fields): { name: string; settings: Fields } {
  const [name, settings] =
    Object.entries(isFields(target) ? target : {}).find(([, value]) => isFields(value)) ?? [];
  return { name: name ?? "", settings: isFields(settings) ? withoutNulls(settings) : {} };
}

/** Fields without null values, at any depth. */
export const withoutNulls = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === null ? [] : [[name, isFields(value) ? withoutNulls(value) : value]],
    ),
  );
