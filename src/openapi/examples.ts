import { exampleId } from "../../packages/model/src/ids.ts";
import { kinds } from "../../packages/model/src/kinds.ts";

/*
 * Examples in the OpenAPI document that are not part of a schema.
 */

export const exampleOperationId = `op_${exampleId("ip_policy").slice(kinds.ip_policy.prefix.length)}`;

/** The parts of a JSON Schema from which an example is built. */
interface Exemplified {
  $ref?: string | undefined;
  examples?: unknown;
  items?: unknown;
  anyOf?: unknown;
  properties?: Record<string, unknown> | undefined;
}

const isSchema = (value: unknown): value is Exemplified => typeof value === "object" && value !== null;

/**
 * The first example of a JSON Schema, or one built from the first examples of its fields.
 *
 * @param definition finds the schema that a `$ref` names
 * @throws if the schema has no example
 */
export function exampleOf(schema: unknown, definition: (name: string) => unknown): unknown {
  if (!isSchema(schema)) throw new Error(`${JSON.stringify(schema)} is not a schema`);
  const { $ref, examples, items, anyOf, properties } = schema;
  if (Array.isArray(examples)) return examples[0];
  if ($ref !== undefined) return exampleOf(definition($ref.slice($ref.lastIndexOf("/") + 1)), definition);
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0], definition);
  if (items !== undefined) return [exampleOf(items, definition)];
  if (properties === undefined)
    throw new Error(`This schema has no example; add one: ${JSON.stringify(schema)}`);
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, exampleOf(field, definition)]),
  );
}
