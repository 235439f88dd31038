import { isObject } from "../../packages/model/src/json.ts";
import { jsonPointer } from "../http/member_errors.ts";

/*
 * The places of ids in operations: transactions accept names there, and undoing changes replaces the ids of restored objects there.
 */

/** Fields of a body, by name: `true` for an id, a list of ids, or a map with ids as its keys. */
interface Places {
  [name: string]: true | Places;
}

/** The fields of bodies that contain ids. */
const IDS: Places = {
  backend_id: true,
  ip_policy_id: true,
  ip_policy_ids: true,
  certificate_authority_ids: true,
  destination_ids: true,
  backends: true,
  backend: { backend_id: true },
  ip_restriction: { ip_policy_ids: true },
  mutual_tls: { certificate_authority_ids: true },
};

/** Returns what replaces an id. @param pointer where the id is in the body (JSON Pointer) */
type Replace = (id: string, pointer: string) => string;

/** A body with each id in it replaced, and nothing else. */
export const withIds = (body: unknown, replace: Replace): unknown => replacedAt(body, replace, IDS, "");

/** A path with each of its segments replaced. */
export const withIdsInPath = (path: string, replace: (segment: string) => string): string =>
  path.split("/").map(replace).join("/");

function replacedAt(
  value: unknown,
  replace: Replace,
  places: true | Places | undefined,
  pointer: string,
): unknown {
  if (places === undefined) return value;
  if (places !== true && !isObject(value)) return value;
  if (typeof value === "string") return replace(value, pointer);
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    return items.map((item, i) => (typeof item === "string" ? replace(item, `${pointer}/${i}`) : item));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const at = `${pointer}${jsonPointer([name])}`;
      if (places === true) return [replace(name, at), member];
      return [name, replacedAt(member, replace, Object.hasOwn(places, name) ? places[name] : undefined, at)];
    }),
  );
}
