import { isObject, type Json } from "../../model/src/json.ts";

export { isObject, type Json };

export interface JsonObject {
  [field: string]: Json;
}

/** The path of a value: field names and item indexes, from the outside in. */
export type Path = readonly (string | number)[];

export const isJsonObject = (value: Json | undefined): value is JsonObject => isObject(value);

/** A field of an object; undefined for other values and inherited fields. `__proto__` is an ordinary name. */
export const getField = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** A string unchanged; an empty string for any other value. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The JSON Pointer (RFC 6901) of a path. */
export const pointer = (path: Path): string =>
  path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** The path of a JSON Pointer. All its parts are strings. */
export const pathOf = (text: string): string[] =>
  text
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

/** True if values are equal, ignoring the order of fields. */
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

/** Compares by UTF-16 code units, so the order is the same in every locale. */
export const compareStrings = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Types a parsed JSON value; undefined for values that JSON does not have. */
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
