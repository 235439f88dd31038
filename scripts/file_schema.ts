import { TEST } from "../packages/cli/src/file_tests.ts";
import { type FileKind, kinds } from "../packages/cli/src/kinds.ts";
import { TESTS } from "../packages/cli/src/objects.ts";
import { prefixesIn } from "../packages/cli/src/schema.ts";
import { isObject } from "../packages/model/src/json.ts";

/*
 * The schemas of the files that the command `edge` reads, for the command and for editors. Both are made from the schemas of requests.
 */

type Json = Record<string, unknown>;

/** The names of objects: see `nameProblem` in packages/cli/src/objects.ts. */
const NAME = "^[A-Za-z][A-Za-z0-9_-]{0,63}$";
const SECRET = "^\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$";

const NULL = { type: "null" };
const orNull = (schema: unknown): Json => ({ anyOf: [schema, NULL] });

/** A name, or an id of an object that is not in the file. */
function reference(pattern: string, description: unknown): Json {
  const prefixes = prefixesIn({ pattern }) ?? [];
  const sections = kinds.filter(({ prefix }) => prefixes.includes(prefix)).map(({ section }) => section);
  return {
    type: "string",
    description: `${typeof description === "string" ? `${description} ` : ""}A name in ${sections.join(", ")}, or an id.`,
    pattern: `${NAME}|${pattern}`,
  };
}

/** A schema of a request, as it is in files. */
function inFile(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inFile);
  if (!isObject(value)) return value;
  const { pattern, writeOnly, description, $ref } = value;
  if (typeof $ref === "string") return { $ref: `#/$defs/${$ref.slice($ref.lastIndexOf("/") + 1)}` };
  if (writeOnly === true)
    return {
      type: "string",
      pattern: SECRET,
      description: "The name of an environment variable with the secret, as in ${NAME}.",
    };
  if (typeof pattern === "string" && prefixesIn({ pattern })) return reference(pattern, description);
  const required = Array.isArray(value["required"]) ? value["required"] : [];
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== "examples")
      .map(([name, item]) =>
        name === "properties" && isObject(item)
          ? [
              name,
              Object.fromEntries(
                Object.entries(item).map(([field, schema]) => [
                  field,
                  // In a file, null means that a field is left out.
                  required.includes(field) ? inFile(schema) : orNull(inFile(schema)),
                ]),
              ),
            ]
          : [name, inFile(item)],
      ),
  );
}

/** The schema without a field. */
function without({ properties, required, ...rest }: Json, field: string | undefined): Json {
  const kept = isObject(properties) ? Object.entries(properties).filter(([name]) => name !== field) : [];
  const needed = Array.isArray(required) ? required.filter((name) => name !== field) : [];
  return { ...rest, properties: Object.fromEntries(kept), ...(needed.length > 0 && { required: needed }) };
}

/** Closes the objects of a schema of tests, which states only their properties. */
function closed(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { properties, ...rest } = value;
  if (!isObject(properties)) return value;
  return {
    type: "object",
    ...rest,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, orNull(closed(schema))]),
    ),
    additionalProperties: false,
  };
}

/** The schemas in an OpenAPI document. */
function schemasIn(document: string): Json {
  const parsed: unknown = JSON.parse(document);
  const components = isObject(parsed) && isObject(parsed["components"]) ? parsed["components"] : {};
  return isObject(components["schemas"]) ? components["schemas"] : {};
}

/**
 * The JSON Schema of files, for editors and validators, as JSON. References can be names, secrets are the names of environment
 * variables, and rules and routes are lists within their owner.
 *
 * @param document the OpenAPI document, as JSON
 */
export function fileSchema(document: string): string {
  const schemas = schemasIn(document);
  const defs = new Map<string, unknown>();
  const define = (name: string): string => {
    if (!defs.has(name)) {
      const schema = inFile(schemas[name]);
      defs.set(name, schema);
      defineAllIn(schema);
    }
    return `#/$defs/${name}`;
  };
  const defineAllIn = (schema: unknown): void => {
    for (const [, name = ""] of JSON.stringify(schema).matchAll(/"#\/\$defs\/(\w+)"/g)) define(name);
  };
  const objectOf = ({ schema, children }: FileKind): Json => {
    define(schema);
    const own = defs.get(schema);
    if (!children || !isObject(own)) return { $ref: define(schema) };
    define(children.schema);
    const child = defs.get(children.schema);
    const items = without(isObject(child) ? child : {}, children.owner);
    const fields = isObject(own["properties"]) ? own["properties"] : {};
    return { ...own, properties: { ...fields, [children.field]: orNull({ type: "array", items }) } };
  };
  const sections = kinds.map((kind): [string, Json] => [
    kind.section,
    orNull({
      type: "object",
      description: `${kind.noun} by name. The file then has all objects of this kind.`,
      propertyNames: { pattern: NAME },
      additionalProperties: orNull(objectOf(kind)),
    }),
  ]);
  const tests = orNull({ type: "array", maxItems: 1_000, items: closed(TEST) });
  return `${JSON.stringify(
    {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: "Configuration of the Edge Configuration API in a file",
      description: "What `edge diff` and `edge apply` read.",
      type: "object",
      properties: Object.fromEntries([...sections, [TESTS, tests]]),
      additionalProperties: false,
      $defs: Object.fromEntries(defs),
    },
    null,
    2,
  )}\n`;
}

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

/**
 * The schemas of requests that create what can be in files, and all schemas that they refer to, for the command, as JSON.
 *
 * @param document the OpenAPI document, as JSON
 */
export function schemasOfFiles(document: string): string {
  const schemas = schemasIn(document);
  const found = new Map<string, unknown>();
  const add = (name: string): void => {
    if (found.has(name)) return;
    const schema = bare(schemas[name]);
    found.set(name, schema);
    for (const [, other] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      add(String(other));
  };
  for (const { schema, children } of kinds) {
    add(schema);
    if (children) add(children.schema);
  }
  return `${JSON.stringify(Object.fromEntries(found), null, 2)}\n`;
}
