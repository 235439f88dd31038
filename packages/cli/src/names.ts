import { isObject, member, textOf } from "./json.ts";
import { isRouteId, kindOfId } from "./kinds.ts";
import type { Shown } from "./world.ts";

/*
 * What people call objects: names of the file, and what the service shows of objects that have no name.
 */

/** What people call the object with an id: "static_backends.shop", "https_edges.front route path_prefix /"; undefined if unknown. */
export type TitleOf = (id: string) => string | undefined;

/** "static_backends.shop"; with the id in place of the name for an object that is not in the file. */
export const titleOf = (id: string, name: string = id): string =>
  `${kindOfId(id)?.section ?? "objects"}.${name}`;

/** Titles of named objects, and of the routes of edges. @param names ids by names */
export function titles(names: ReadonlyMap<string, string>, shown: readonly Shown[] = []): TitleOf {
  const byId = new Map([...names].map(([name, id]) => [id, titleOf(id, name)]));
  for (const { id, children } of shown)
    for (const child of children)
      if (isRouteId(child.id)) byId.set(child.id, `${byId.get(id) ?? titleOf(id)} ${routeTitle(child.body)}`);
  return (id) => byId.get(id);
}

/** "route path_prefix /" */
export const routeTitle = (route: unknown): string =>
  `route ${textOf(member(route, "match_type"))} ${textOf(member(route, "match"))}`;

/** An id, or what stands for one within a transaction. */
const ID = /(?<![0-9A-Za-z_$])(?:[a-z]{2,8}_[0-9A-Za-z]{1,64}|\$o\d+)(?![0-9A-Za-z_])/g;

/** The ids in a text. */
export const idsIn = (text: string): string[] => text.match(ID) ?? [];

/** A message of the service with the names of the objects, followed by their ids. */
export const withNames = (text: string, titleOf: TitleOf): string =>
  text.replace(ID, (id) => {
    const title = titleOf(id);
    if (title === undefined) return id;
    return id.startsWith("$") ? title : `${title} (${id})`;
  });

/** What tells an object without a name from others: its description, or else what it is for. */
export function summaryOf(body: unknown): string {
  const description = textOf(member(body, "description"));
  if (description !== "") return JSON.stringify(description);
  const hostports = member(body, "hostports");
  if (Array.isArray(hostports) && hostports.length > 0) return hostports.map(String).join(", ");
  const address = textOf(member(body, "address"));
  if (address !== "") return address;
  const subject = textOf(member(body, "subject_common_name"));
  if (subject !== "") return subject;
  const status = member(body, "status_code");
  if (typeof status === "number") return `status ${status}`;
  const target = member(body, "target");
  const [kind] = isObject(target) ? Object.keys(target).filter((name) => target[name] !== null) : [];
  if (kind !== undefined) return kind;
  const created = textOf(member(body, "created_at"));
  return created === "" ? "" : `created ${created}`;
}
