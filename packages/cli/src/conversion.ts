import { isObject, type Json, member, type Path, toJson } from "./json.ts";
import { needsNoSecret, prefixesIn, resolved, type Schema, SECRET } from "./schema.ts";

/*
 * Converts the service's responses to values of files, and these to requests.
 */

/** An object of a response in the form of requests: with ids in place of Refs, and {@link SECRET} in place of secrets. */
export function fromShown(given: Schema, shown: unknown): Json | undefined {
  if (shown === null || shown === undefined) return undefined;
  const { items, properties } = resolved(given);
  if (items && Array.isArray(shown)) return shown.map((item) => fromShown(items, item) ?? null);
  if (!properties || !isObject(shown)) return toJson(shown);
  const entries = Object.entries(properties).flatMap(([name, property]): [string, Json][] => {
    const value = resolved(property).writeOnly ? secretIn(shown, name) : shownAs(property, shown, name);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

const secretIn = (shown: unknown, name: string): string | undefined =>
  isObject(shown) && Object.hasOwn(shown, name) && !needsNoSecret(shown) ? SECRET : undefined;

/** A field of a request from a response: `backend_id` from `backend`, `ip_policy_ids` from `ip_policies`. */
function shownAs(property: Schema, shown: unknown, name: string): Json | undefined {
  if (isObject(shown) && Object.hasOwn(shown, name)) return fromShown(property, shown[name]);
  const [, one, many] = /^(.*)_id(s?)$/.exec(name) ?? [];
  if (one === undefined) return undefined;
  if (many === "") return toJson(member(member(shown, one), "id"));
  const refs = member(shown, one.endsWith("y") ? `${one.slice(0, -1)}ies` : `${one}s`);
  return Array.isArray(refs) ? refs.flatMap((ref) => toJson(member(ref, "id")) ?? []) : undefined;
}

/** A value in the form of a request. @param idOf the id, or `$name`, that a name stands for @param secretAt a secret's value */
export function toRequest(
  given: Schema,
  value: Json,
  idOf: (name: string) => string,
  secretAt: (within: Path) => string,
  within: Path = [],
): Json {
  const schema = resolved(given);
  const inner = (schema: Schema, value: Json, part: string | number): Json =>
    toRequest(schema, value, idOf, secretAt, [...within, part]);
  if (schema.writeOnly) return secretAt(within);
  if (typeof value === "string") return prefixesIn(schema) ? idOf(value) : value;
  const { items, properties, propertyNames = {}, additionalProperties } = schema;
  if (Array.isArray(value)) return items ? value.map((item, index) => inner(items, item, index)) : value;
  if (!isObject(value)) return value;
  const isById = prefixesIn(propertyNames) !== undefined;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]): [string, Json] => {
      const property =
        properties?.[name] ?? (typeof additionalProperties === "object" ? additionalProperties : {});
      return [isById ? idOf(name) : name, inner(property, item, name)];
    }),
  );
}
