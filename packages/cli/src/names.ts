import { getField, isObject, textOf } from "./json.ts";
import { isRouteId, kindOfId } from "./kinds.ts";
import type { ServiceObject } from "./service_objects.ts";

/*
 * Titles of objects: their names in the file, or summaries of objects without a name.
 */

/** The title for an id: "static_backends.shop", "https_edges.front route path_prefix /"; undefined if unknown. */
export type TitleOf = (id: string) => string | undefined;

/** "static_backends.shop"; with the id in place of the name for an object that is not in the file. */
export const titleOf = (id: string, name: string = id): string =>
  `${kindOfId(id)?.section ?? "objects"}.${name}`;

/** Titles of named objects, and of the routes of edges. @param names ids by name */
export function titles(names: ReadonlyMap<string, string>, objects: readonly ServiceObject[] = []): TitleOf {
  const byId = new Map([...names].map(([name, id]) => [id, titleOf(id, name)]));
  for (const { id, children } of objects)
    for (const child of children)
      if (isRouteId(child.id)) byId.set(child.id, `${byId.get(id) ?? titleOf(id)} ${routeTitle(child.body)}`);
  return (id) => byId.get(id);
}

/** "route path_prefix /" */
export const routeTitle = (route: unknown): string =>
  `route ${textOf(getField(route, "match_type"))} ${textOf(getField(route, "match"))}`;

/** The longest name of an operation. */
const LONGEST = 64;

/**
 * The name of an operation that creates an object, from which {@link nameInLabel} finds the name in the file again: whoever approves a
 * plan may have another copy of the file. Such names have no hyphen.
 */
export function labelOf(name: string, index: number): string {
  const label = `n_${name.replaceAll("_", "_0").replaceAll("-", "_1")}`;
  return label.length <= LONGEST ? label : `o${index}`;
}

/** The name in the file of an object that an operation creates. */
export const nameInLabel = (label: string): string | undefined =>
  label.startsWith("n_") ? label.slice(2).replace(/_[01]/g, (one) => (one === "_0" ? "_" : "-")) : undefined;

/** An id, or a `$name` in a transaction. */
const ID = /(?<![0-9A-Za-z_$])(?:[a-z]{2,8}_[0-9A-Za-z]{1,64}|\$o\d+|\$n_[0-9A-Za-z_]+)(?![0-9A-Za-z_])/g;

/** The ids in a string. */
export const idsIn = (text: string): string[] => text.match(ID) ?? [];

/** Adds names to the ids in a message. @param areIdsShown false if the ids are not those of the service */
export const withNames = (text: string, titleOf: TitleOf, areIdsShown = true): string =>
  text.replace(ID, (id) => {
    const title = titleOf(id);
    if (title === undefined) return id;
    return id.startsWith("$") || !areIdsShown ? title : `${title} (${id})`;
  });

/** A summary that identifies an object without a name: its description, or else its most telling field. */
export function summaryOf(body: unknown): string {
  const description = textOf(getField(body, "description"));
  if (description !== "") return JSON.stringify(description);
  const hostports = getField(body, "hostports");
  if (Array.isArray(hostports) && hostports.length > 0) return hostports.map(String).join(", ");
  const address = textOf(getField(body, "address"));
  if (address !== "") return address;
  const subject = textOf(getField(body, "subject_common_name"));
  if (subject !== "") return subject;
  const status = getField(body, "status_code");
  if (typeof status === "number") return `status ${status}`;
  const target = getField(body, "target");
  const [kind] = isObject(target) ? Object.keys(target).filter((name) => target[name] !== null) : [];
  if (kind !== undefined) return kind;
  const created = textOf(getField(body, "created_at"));
  return created === "" ? "" : `created ${created}`;
}
