import { suggestionFor } from "../../model/src/suggestion.ts";
import { cidr } from "../../model/src/values/cidrs.ts";
import { hostport } from "../../model/src/values/hostports.ts";
import { clearableInstant } from "../../model/src/values/instants.ts";
import { compareStrings, equal, getField, isObject, type Json, type JsonObject, type Path } from "./json.ts";
import { needsNoSecret, prefixesIn, resolved, type Schema, SECRET } from "./schema.ts";

/*
 * Checks a value against a schema and normalizes it in one pass, so that equivalent values are equal: defaults and empty values
 * are omitted, fields are in the schema's order, and names replace ids.
 *
 * For example, with the schema of TCP edges,
 *
 *     { backend: { enabled: true, backend_id: "bkdsc_2fCz…" }, hostports: ["db.example.com:5432"], metadata: "" }
 *
 * becomes { hostports: ["db.example.com:5432"], backend: { backend_id: "shop" } }, if "shop" is the name of that backend in the file.
 */

/** The parts of reading that depend on where a value comes from: a file or the service. */
export interface Reading {
  /** Returns the name of the object that `text` refers to; undefined to omit the reference. */
  reference: (text: string, prefixes: string[], path: Path) => string | undefined;
  /** Receives each secret. `within` is its path within its object. */
  secret: (value: Json, path: Path, within: Path) => void;
  problem: (path: Path, msg: string, atKey?: boolean) => void;
}

type Form = ReturnType<typeof cidr> | ReturnType<typeof hostport> | ReturnType<typeof clearableInstant>;

/** Schemas that convert strings to the form in which the service returns them, by field name. */
const forms = new Map<string | undefined, Form>([
  ["cidr", cidr()],
  ["address", hostport()],
  ["hostports", hostport()],
  ["expires_at", clearableInstant()],
]);

/** Formats a certificate like the service does: one block, lines of 64 characters. Returns any other string unchanged. */
function canonicalPem(text: string): string {
  const [, base64 = ""] =
    /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]*)-----END CERTIFICATE-----/.exec(text) ?? [];
  const lines = base64.replace(/\s/g, "").match(/.{1,64}/g);
  return lines ? `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n` : text;
}

const listed = (items: readonly string[]): string => items.join(", ") || "none";

/** The type of a value in an error message: "a number". */
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

/** True if a value has the type of a schema. */
function isOfType(value: Json, type: string): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  return type === "object" ? isObject(value) : typeof value === type;
}

/**
 * Normalizes a value. Errors are reported to `reading`. Returns undefined if the value is omitted or invalid.
 *
 * @param path the value's path in the file
 * @param within the value's path within its object
 * @param name the field that contains the value or a list of it; undefined in a map, whose names are free
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
  const problem = textProblem(schema, text);
  if (problem !== undefined) reading.problem(path, problem);
  if (text === "") return undefined;
  if (name === "ca_pem") return canonicalPem(text);
  const form = forms.get(name)?.safeParse(text);
  if (form?.success) return form.data ?? undefined;
  if (form && problem === undefined) reading.problem(path, form.error.issues[0]?.message ?? "Malformed.");
  return text;
}

/** What patterns of the schema mean. */
const meanings: Record<string, string> = {
  "^/[^?# ]*$": "Expected a path: it begins with /, and has no ?, # or space.",
  "^[!#$%&'*+\\-.^_`|~0-9A-Za-z]+$": "Expected the name of a header: letters, digits and hyphens.",
  "^[^\\r\\n\\u0000]*$": "Expected a value without line breaks and NUL characters.",
};

function textProblem(schema: Schema, text: string): string | undefined {
  const { enum: choices, const: only, minLength = 0, maxLength = Infinity, pattern } = schema;
  if (!text.isWellFormed()) return "Not well-formed Unicode: it contains a lone surrogate.";
  if (only !== undefined && text !== only) return `Expected ${only}.`;
  if (choices && !choices.includes(text)) return `Expected one of ${listed(choices)}.`;
  if (text.length < minLength) return "Must not be empty.";
  if (Buffer.byteLength(text) > maxLength) return `Longer than ${maxLength} bytes in UTF-8.`;
  if (pattern !== undefined && text !== "" && !new RegExp(pattern, "u").test(text))
    return meanings[pattern] ?? `Expected a string that matches ${pattern}.`;
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
    const wrong = prefixes ? undefined : textProblem(propertyNames, key);
    if (wrong !== undefined) reading.problem(at, wrong, true);
    const isTwice = !prefixes && seen.has(key.toLowerCase());
    if (isTwice) reading.problem(at, "Duplicate name: header names are case-insensitive.", true);
    seen.add(key.toLowerCase());
    const name = prefixes ? reading.reference(key, prefixes, at) : isLowerCase ? key.toLowerCase() : key;
    const value = read(values, item, reading, at, [...within, key]);
    if (name !== undefined && entries.has(name) && !isTwice) reading.problem(at, "Already in the map.", true);
    // Unlike other strings, a header can be empty.
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
  const free = accepted.filter((name) => !Object.hasOwn(object, name));
  const meant = new Set<string>();
  for (const name of Object.keys(object)) {
    if (Object.hasOwn(properties, name)) continue;
    const suggestion = suggestionFor(name, free);
    if (suggestion !== undefined) meant.add(suggestion);
    const instead =
      suggestion === undefined ? `accepted: ${listed(accepted)}.` : `did you mean ${suggestion}?`;
    reading.problem([...path, name], `Unknown; ${instead}`, true);
  }
  for (const name of required)
    if ((getField(object, name) ?? null) === null && !meant.has(name))
      reading.problem(path, `${name} is missing.`);
  const given = Object.keys(object).filter((name) => getField(object, name) !== null);
  if (given.length < minProperties || given.length > maxProperties)
    reading.problem(path, `Set exactly one of ${listed(Object.keys(properties))}.`);
  checkWebhookSecret(properties, object, reading, path);
  const entries = Object.entries(properties).flatMap(([name, property]): [string, Json][] => {
    const value = read(property, valueOf(object, name), reading, [...path, name], [...within, name], name);
    return value === undefined || equal(value, property.default) ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

const valueOf = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Requires secrets of webhooks: the service would otherwise create one, and return it only in a response that nobody sees. */
function checkWebhookSecret(
  properties: Record<string, Schema>,
  object: JsonObject,
  reading: Reading,
  path: Path,
): void {
  if (!properties["secret"]?.writeOnly) return;
  const has = (getField(object, "secret") ?? null) !== null;
  if (has && needsNoSecret(object))
    reading.problem([...path, "secret"], "The provider sns does not use a secret: leave it out.");
  if (!has && !needsNoSecret(object)) reading.problem(path, "secret is missing.");
}
