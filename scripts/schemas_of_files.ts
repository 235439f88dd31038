import { kinds } from "../packages/cli/src/kinds.ts";

/** Names of the schemas in `components` that files of the command `edge` need, in addition to referenced schemas. */
const names = kinds.flatMap(({ schema, children }) => [schema, ...(children ? [children.schema] : [])]);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The end of a field's description that states its default. The document has no `default`, which generators would make callers send. */
const DEFAULT = /\b[Dd]efaults to `([^`]+)`\.$/;

/** Removes the parts for people: examples, and descriptions that are strings. A default that a description states is kept. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== "examples")
      .flatMap(([name, item]): [string, unknown][] => {
        if (name !== "description" || typeof item !== "string") return [[name, bare(item)]];
        const [, stated] = DEFAULT.exec(item) ?? [];
        return stated === undefined ? [] : [["default", JSON.parse(stated)]];
      }),
  );
}

/** The schemas of `names` and all schemas that they refer to, as JSON. @param document the OpenAPI document, as JSON */
export function schemasOfFiles(document: string): string {
  const parsed: unknown = JSON.parse(document);
  const components = isObject(parsed) && isObject(parsed["components"]) ? parsed["components"] : {};
  const schemas = isObject(components["schemas"]) ? components["schemas"] : {};
  const found = new Map<string, unknown>();
  const add = (name: string): void => {
    if (found.has(name)) return;
    const schema = bare(schemas[name]);
    found.set(name, schema);
    for (const [, other] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      add(String(other));
  };
  for (const name of names) add(name);
  return `${JSON.stringify(Object.fromEntries(found), null, 2)}\n`;
}
