/** A JSON value. */
export type Json = string | number | boolean | null | Json[] | JsonObject;

export interface JsonObject {
  [member: string]: Json;
}

/** Where a value is: names of fields and numbers of items, from the outside in. */
export type Path = readonly (string | number)[];

export const isObject = (value: unknown): value is { [member: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isJsonObject = (value: Json | undefined): value is JsonObject => isObject(value);

/** An own field of an object; undefined for any other value. `__proto__` is a name like any other. */
export const member = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** A string as it is; any other value as an empty string. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** A JSON Pointer (RFC 6901). */
export const pointer = (path: Path): string =>
  path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** The path of a JSON Pointer; all its parts are strings. */
export const pathOf = (text: string): string[] =>
  text
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

/** True for values that are equal, whatever the order of their fields. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => equal(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && equal(a[name], b[name]))
  );
}

/** By UTF-16 code units: the same in every locale. */
export const compareStrings = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** A value that was read as JSON, typed. */
export function toJson(value: unknown): Json | undefined {
  if (value === undefined) return undefined;
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  if (Array.isArray(value)) return value.map((item) => toJson(item) ?? null);
  if (!isObject(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]): [string, Json][] => {
      const json = toJson(item);
      return json === undefined ? [] : [[name, json]];
    }),
  );
}
