import { cidr } from "../../../src/values/cidrs.ts";
import { hostport } from "../../../src/values/hostports.ts";
import { clearableInstant } from "../../../src/values/instants.ts";
import { compareStrings, equal, isObject, type Json, type JsonObject, member, type Path } from "./json.ts";
import { defaultOf, needsNoSecret, prefixesIn, resolved, type Schema, SECRET } from "./schema.ts";

/*
 * Checks a value against a schema and normalizes it in one pass, so that equivalent values are equal: defaults and empty values
 * are left out, fields have the order of the schema, names stand for ids.
 */

/** The parts of reading that depend on where a value comes from: a file or the service. */
export interface Reading {
  /** The name of the object that `text` refers to; undefined to leave the reference out. */
  reference: (text: string, prefixes: string[], path: Path) => string | undefined;
  /** Is called with each secret. `within` is its path in the object that has it. */
  secret: (value: Json, path: Path, within: Path) => void;
  problem: (path: Path, msg: string, atKey?: boolean) => void;
}

type Form = ReturnType<typeof cidr> | ReturnType<typeof hostport> | ReturnType<typeof clearableInstant>;

/** The form in which the service shows a string, by name of the field; its check says what is wrong. */
const forms = new Map<string | undefined, Form>([
  ["cidr", cidr()],
  ["address", hostport()],
  ["hostports", hostport()],
  ["expires_at", clearableInstant()],
]);

/** A certificate as the service encodes it: one block, lines of 64 characters. Any other string is returned unchanged. */
function canonicalPem(text: string): string {
  const [, base64 = ""] =
    /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]*)-----END CERTIFICATE-----/.exec(text) ?? [];
  const lines = base64.replace(/\s/g, "").match(/.{1,64}/g);
  return lines ? `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n` : text;
}

const listed = (items: readonly string[]): string => items.join(", ") || "none";

/** "a number", for what JSON has instead of what was expected. */
function typeOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

const expected: Record<string, string> = {
  string: "a string",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
  array: "a list",
  object: "an object",
};

/** Whether a value has the type of a schema. */
function isOfType(value: Json, type: string): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  return type === "object" ? isObject(value) : typeof value === type;
}

/**
 * A value, normalized; undefined if it is left out, or wrong, which is reported to `reading`.
 *
 * @param path where it is, for reports to `reading`; `within` is its path in its object
 * @param name of the field that has it, or has a list of it; undefined in a map, whose names are free
 */
export function read(
  given: Schema,
  value: Json | undefined,
  reading: Reading,
  path: Path,
  within: Path = [],
  name?: string,
): Json | undefined {
  if (value === undefined || value === null) return undefined;
  const schema = resolved(given);
  if (schema.writeOnly) {
    reading.secret(value, path, within);
    return SECRET;
  }
  const type = schema.type ?? "object";
  if (!isOfType(value, type)) {
    const quote = type === "string" && typeof value !== "object" ? ": write it in quotes" : "";
    reading.problem(path, `Expected ${expected[type] ?? type}, not ${typeOf(value)}${quote}.`);
    return undefined;
  }
  if (typeof value === "string") return readText(schema, value, reading, path, name);
  if (typeof value === "number") return readNumber(schema, value, reading, path);
  if (Array.isArray(value)) return readList(schema, value, reading, path, within, name);
  if (isObject(value))
    return typeof schema.additionalProperties === "object"
      ? readMap(schema, schema.additionalProperties, value, reading, path, within)
      : readObject(schema, value, reading, path, within);
  return value;
}

function readText(
  schema: Schema,
  text: string,
  reading: Reading,
  path: Path,
  name: string | undefined,
): string | undefined {
  const prefixes = prefixesIn(schema);
  if (prefixes) return reading.reference(text, prefixes, path);
  const problem = whatIsWrong(schema, text);
  if (problem !== undefined) reading.problem(path, problem);
  if (text === "") return undefined;
  if (name === "ca_pem") return canonicalPem(text);
  const form = forms.get(name)?.safeParse(text);
  if (form?.success) return form.data ?? undefined;
  if (form && problem === undefined) reading.problem(path, form.error.issues[0]?.message ?? "Malformed.");
  return text;
}

function whatIsWrong(schema: Schema, text: string): string | undefined {
  const { enum: choices, const: only, minLength = 0, maxLength = Infinity, pattern } = schema;
  if (!text.isWellFormed()) return "Not well-formed Unicode: it contains a lone surrogate.";
  if (only !== undefined && text !== only) return `Expected ${only}.`;
  if (choices && !choices.includes(text)) return `Expected one of ${listed(choices)}.`;
  if (text.length < minLength) return "Must not be empty.";
  if (Buffer.byteLength(text) > maxLength) return `Longer than ${maxLength} bytes in UTF-8.`;
  if (pattern !== undefined && text !== "" && !new RegExp(pattern, "u").test(text))
    return `Expected a string that matches ${pattern}.`;
  return undefined;
}

function readNumber(schema: Schema, value: number, reading: Reading, path: Path): number {
  const { minimum = -Infinity, maximum = Infinity } = schema;
  if (!(value >= minimum && value <= maximum))
    reading.problem(path, `Expected a number from ${minimum} to ${maximum}.`);
  return value;
}

function readList(
  { items = {}, maxItems = Infinity, uniqueItems }: Schema,
  list: Json[],
  reading: Reading,
  path: Path,
  within: Path,
  name: string | undefined,
): Json[] | undefined {
  if (list.length > maxItems) reading.problem(path, `Contains more than ${maxItems} items.`);
  const result: Json[] = [];
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    const at = [...path, index];
    if (item === null) reading.problem(at, "Expected a value, not null.");
    const value = read(items, item, reading, at, [...within, index], name);
    if (value === undefined) continue;
    const text = JSON.stringify(value);
    if (uniqueItems && seen.has(text)) reading.problem(at, "Already in the list.");
    seen.add(text);
    result.push(value);
  }
  return result.length === 0 ? undefined : result;
}

function readMap(
  { propertyNames = {}, maxProperties = Infinity }: Schema,
  values: Schema,
  map: JsonObject,
  reading: Reading,
  path: Path,
  within: Path,
): JsonObject | undefined {
  const entries = new Map<string, Json>();
  const isLowerCase = path.at(-1) === "headers";
  const seen = new Set<string>();
  for (const [key, item] of Object.entries(map)) {
    const at = [...path, key];
    const prefixes = prefixesIn(propertyNames);
    const wrong = prefixes ? undefined : whatIsWrong(propertyNames, key);
    if (wrong !== undefined) reading.problem(at, wrong, true);
    const isTwice = !prefixes && seen.has(key.toLowerCase());
    if (isTwice) reading.problem(at, "Duplicate name: header names are case-insensitive.", true);
    seen.add(key.toLowerCase());
    const name = prefixes ? reading.reference(key, prefixes, at) : isLowerCase ? key.toLowerCase() : key;
    const value = read(values, item, reading, at, [...within, key]);
    if (name !== undefined && entries.has(name) && !isTwice) reading.problem(at, "Already in the map.", true);
    // A header can be empty, unlike other strings.
    if (name !== undefined && item !== null) entries.set(name, value ?? "");
  }
  if (entries.size > maxProperties) reading.problem(path, `Contains more than ${maxProperties} names.`);
  const sorted = [...entries].toSorted(([a], [b]) => compareStrings(a, b));
  return sorted.length === 0 ? undefined : Object.fromEntries(sorted);
}

function readObject(
  schema: Schema,
  object: JsonObject,
  reading: Reading,
  path: Path,
  within: Path,
): JsonObject | undefined {
  const { properties = {}, required = [], minProperties = 0, maxProperties = Infinity } = schema;
  const accepted = [...Object.keys(properties), ...(schema.children === undefined ? [] : [schema.children])];
  for (const name of Object.keys(object))
    if (!Object.hasOwn(properties, name))
      reading.problem([...path, name], `Unknown; accepted: ${listed(accepted)}.`, true);
  for (const name of required)
    if ((member(object, name) ?? null) === null) reading.problem(path, `${name} is missing.`);
  const given = Object.keys(object).filter((name) => member(object, name) !== null);
  if (given.length < minProperties || given.length > maxProperties)
    reading.problem(path, `Set exactly one of ${listed(Object.keys(properties))}.`);
  checkSecretOfWebhooks(properties, object, reading, path);
  const entries = Object.entries(properties).flatMap(([name, property]): [string, Json][] => {
    const value = read(property, valueOf(object, name), reading, [...path, name], [...within, name], name);
    return value === undefined || equal(value, defaultOf([...within, name])) ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

const valueOf = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** The service creates a secret for a webhook that has none, and shows it only in its response, which nobody would see. */
function checkSecretOfWebhooks(
  properties: Record<string, Schema>,
  object: JsonObject,
  reading: Reading,
  path: Path,
): void {
  if (!properties["secret"]?.writeOnly) return;
  const has = (member(object, "secret") ?? null) !== null;
  if (has && needsNoSecret(object))
    reading.problem([...path, "secret"], "The provider sns does not use a secret: leave it out.");
  if (!has && !needsNoSecret(object)) reading.problem(path, "secret is missing.");
}
