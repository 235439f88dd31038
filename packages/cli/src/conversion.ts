import { getField, isObject, type Json, type Path, toJson } from "./json.ts";
import { needsNoSecret, prefixesIn, resolved, type Schema, SECRET } from "./schema.ts";

/*
 * Converts objects from responses to the form that files use, and from there to requests.
 */

/** Converts an object in a response to the form of a request: ids replace Refs, and {@link SECRET} replaces secrets. */
export function fromResponse(given: Schema, value: unknown): Json | undefined {
  if (value === null || value === undefined) return undefined;
  const { items, properties } = resolved(given);
  if (items && Array.isArray(value)) return value.map((item) => fromResponse(items, item) ?? null);
  if (!properties || !isObject(value)) return toJson(value);
  const entries = Object.entries(properties).flatMap(([name, property]): [string, Json][] => {
    const field = resolved(property).writeOnly ? secretOf(value, name) : responseField(property, value, name);
    return field === undefined ? [] : [[name, field]];
  });
  return Object.fromEntries(entries);
}

const secretOf = (value: unknown, name: string): string | undefined =>
  isObject(value) && Object.hasOwn(value, name) && !needsNoSecret(value) ? SECRET : undefined;

/** Finds a request's field in a response: `backend_id` in `backend`, `ip_policy_ids` in `ip_policies`. */
function responseField(property: Schema, value: unknown, name: string): Json | undefined {
  if (isObject(value) && Object.hasOwn(value, name)) return fromResponse(property, value[name]);
  const [, one, many] = /^(.*)_id(s?)$/.exec(name) ?? [];
  if (one === undefined) return undefined;
  if (many === "") return toJson(getField(getField(value, one), "id"));
  const refs = getField(value, one.endsWith("y") ? `${one.slice(0, -1)}ies` : `${one}s`);
  return Array.isArray(refs) ? refs.flatMap((ref) => toJson(getField(ref, "id")) ?? []) : undefined;
}

/**
 * Converts a value of a file to the form of a request.
 *
 * @param idOf returns the id of a name, or its `$name`
 * @param secretAt returns the value of a secret
 */
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
