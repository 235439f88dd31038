/** A value that JSON can express. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** The value of a JSON text; undefined if it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True for a JSON object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value at a JSON path such as `$.a.b`, whose steps are names of fields; undefined if there is none. */
export const valueAt = (value: unknown, path: string): unknown =>
  namesIn(path).reduce((outer, name) => (isObject(outer) ? outer[name] : undefined), value);

/** The names in a JSON path. */
const namesIn = (path: string): string[] => path.split(".").slice(1);

/** The JSON Pointer of a JSON path in a column. */
export const pointerTo = (column: string, path: string): string => `/${[column, ...namesIn(path)].join("/")}`;

/** Sets the value at a JSON path. Does nothing if the path's last name would not be in an object. */
export function setAt(value: object, path: string, set: unknown): void {
  const end = path.lastIndexOf(".");
  const outer = valueAt(value, path.slice(0, end));
  if (isObject(outer)) outer[path.slice(end + 1)] = set;
}
