import document from "../../contract/files.json" with { type: "json" };
import { getField, isObject, type Json, type Path, textOf } from "./json.ts";
import type { Children, Kind } from "./kinds.ts";

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
  /** An additional field that objects have in files: the list of their children. */
  children?: string;
}

/** Replaces every secret, so all secrets are equal. */
export const SECRET = "(secret)";

const isSchemas = (value: unknown): value is Record<string, Schema> => isObject(value);

function schemasOf(value: unknown): Record<string, Schema> {
  if (!isSchemas(value)) throw new Error("schemas.json holds no schemas");
  return value;
}

const schemas = schemasOf(document);

function named(name: string): Schema {
  const schema = schemas[name];
  if (!schema) throw new Error(`schemas.json has no ${name}`);
  return schema;
}

const nameIn = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);

/** Resolves a schema's reference, and removes the alternative null, which means that a field is omitted. */
export function resolved(schema: Schema): Schema {
  if (schema.$ref !== undefined) return resolved(named(nameIn(schema.$ref)));
  const [only] = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  return only ? resolved(only) : schema;
}

const propertiesOf = (schema: Schema): Record<string, Schema> => resolved(schema).properties ?? {};

/** The schema of a kind's objects in a file, without their children. */
export const schemaOf = ({ schema, children }: Kind): Schema => ({
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

/** True for a field that can only be removed by a DELETE of its own path. */
export const isModule = (schema: Schema, name: string): boolean =>
  propertiesOf(schema)[name]?.$ref?.endsWith("ModuleMutate") ?? false;

/** Default values, by `field` or `object.field`. */
const defaults: Record<string, Json> = {
  enabled: true,
  "tls.enabled": false,
  tls: {},
  terminate_at: "edge",
  format: "json",
  status_code: 200,
  tripped_duration: 10,
  rolling_window: 10,
  num_buckets: 10,
  volume_threshold: 20,
  error_threshold_percentage: 0.5,
  "object_storage.compression": true,
  max_file_size: 5 * 1024 ** 2,
  max_file_age: 300,
};

export const defaultOf = (path: Path): Json | undefined =>
  defaults[`${path.at(-2)}.${path.at(-1)}`] ?? defaults[String(path.at(-1))];

/** The value in a PATCH that clears a field. */
export function cleared(schema: Schema, name: string): Json {
  const value = resolved(propertiesOf(schema)[name] ?? {});
  if (name === "tls") return { enabled: false };
  if (Object.hasOwn(defaults, name)) return defaults[name] ?? null;
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
