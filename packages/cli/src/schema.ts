import document from "../../contract/files.json" with { type: "json" };
import { getField, isObject, type Json, textOf } from "./json.ts";
import type { Children, FileKind } from "./kinds.ts";

/*
 * The schemas of objects in files. They are the schemas of the requests that create the objects, from openapi.json.
 */

/** The subset of JSON Schema that requests use. */
export interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  items?: Schema;
  anyOf?: Schema[];
  pattern?: string;
  enum?: string[];
  const?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minProperties?: number;
  maxProperties?: number;
  writeOnly?: boolean;
  /** The value of an omitted field in a new object or in a module. */
  default?: Json;
  /** An additional field that objects have in files: the list of their children. */
  children?: string;
}

/** Replaces every secret, so all secrets are equal. */
export const SECRET = "(secret)";

const isSchemas = (value: unknown): value is Record<string, Schema> => isObject(value);

function schemasOf(value: unknown): Record<string, Schema> {
  if (!isSchemas(value)) throw new Error("files.json contains no schemas");
  return value;
}

const schemas = schemasOf(document);

function named(name: string): Schema {
  const schema = schemas[name];
  if (!schema) throw new Error(`files.json has no ${name}`);
  return schema;
}

/** Resolves a schema's reference, and removes the alternative null, which means that a field is omitted. */
export function resolved(schema: Schema): Schema {
  const { $ref } = schema;
  if ($ref !== undefined) return resolved(named($ref.slice($ref.lastIndexOf("/") + 1)));
  const [only] = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  return only ? resolved(only) : schema;
}

const propertiesOf = (schema: Schema): Record<string, Schema> => resolved(schema).properties ?? {};

/** The schema of a kind's objects in a file, without their children. */
export const schemaOf = ({ schema, children }: FileKind): Schema => ({
  ...named(schema),
  ...(children && { children: children.field }),
});

/** The schema of a child in a file. The fields of its key come first. */
export function childSchemaOf({ schema, owner, key }: Children): Schema {
  const { properties = {}, required = [], ...rest } = named(schema);
  const place = (name: string): number => (key.includes(name) ? key.indexOf(name) : key.length);
  return {
    ...rest,
    properties: Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => name !== owner)
        .toSorted(([a], [b]) => place(a) - place(b)),
    ),
    required: required.filter((name) => name !== owner),
  };
}

/** The names of a schema's fields, in order. */
export const fieldsOf = (schema: Schema): string[] => Object.keys(propertiesOf(schema));

/** True for a field that can only be removed by a DELETE of its path. */
export const isModule = (schema: Schema, name: string): boolean =>
  propertiesOf(schema)[name]?.$ref?.endsWith("ModuleMutate") ?? false;

/** The value in a PATCH that clears a field. */
export function cleared(schema: Schema, name: string): Json {
  const property = propertiesOf(schema)[name] ?? {};
  if (property.default !== undefined) return property.default;
  const value = resolved(property);
  if (value.type === "array") return [];
  return value.type === "object" ? {} : "";
}

/** The id prefixes that a schema accepts; undefined if it is not a schema of ids. */
export function prefixesIn({ pattern }: Schema): string[] | undefined {
  const [, prefixes] = /^\^\(\?:([a-z_|]+)\)\[0-9A-Za-z\]\{1,64\}\$$/.exec(pattern ?? "") ?? [];
  return prefixes?.split("|");
}

/** Amazon SNS signs with certificates that it publishes, so its webhooks need no secret. */
export const needsNoSecret = (object: unknown): boolean =>
  textOf(getField(object, "provider")).toLowerCase() === "sns";
