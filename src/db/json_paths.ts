const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** The value at a JSON path such as `$.a.b`, of which each step is the name of a field; undefined if there is none. */
export const valueAt = (value: unknown, path: string): unknown =>
  namesIn(path).reduce<unknown>(
    (outer, name) => (isObject(outer) ? Reflect.get(outer, name) : undefined),
    value,
  );

/** The names in a JSON path. */
const namesIn = (path: string): string[] => path.split(".").slice(1);

/** The JSON Pointer of a JSON path in a column. */
export const pointerTo = (column: string, path: string): string => `/${[column, ...namesIn(path)].join("/")}`;

/** Sets the value at a JSON path. Does nothing if the path's last name would not be in an object. */
export function setAt(value: object, path: string, set: unknown): void {
  const end = path.lastIndexOf(".");
  const outer = valueAt(value, path.slice(0, end));
  if (isObject(outer)) Reflect.set(outer, path.slice(end + 1), set);
}
