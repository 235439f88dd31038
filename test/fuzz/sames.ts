import type { Json } from "../support/json.ts";
import { deref } from "./document.ts";
import { countKind } from "./run.ts";
import { mapIn } from "./values.ts";

/*
 * Equivalent forms of the same request: each must get the same response as the plain one.
 */

interface Same {
  what?: string;
  raw?: string;
  headers?: Record<string, string | undefined>;
  /** Appended to the path. */
  path?: string;
}

const BODY_BYTES = 1_048_576;

const escaped = (text: string): string =>
  Array.from(
    { length: text.length },
    (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`,
  ).join("");

/**
 * JSON text; `string` writes strings and names, `number` numbers. With `first`, each field occurs twice, first with
 * that value.
 */
function written(
  value: unknown,
  string: (text: string) => string,
  number: (value: number) => string,
  first?: string,
): string {
  if (typeof value === "string") return string(value);
  if (typeof value === "number") return number(value);
  if (Array.isArray(value)) return `[${value.map((item) => written(item, string, number, first)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([name, member]) => [
    ...(first === undefined ? [] : [`${string(name)}:${first}`]),
    `${string(name)}:${written(member, string, number, first)}`,
  ]);
  return `{${members.join(",")}}`;
}

/** A body with null for every field that it leaves out and for unknown fields, at every depth. */
function withNulls(schema: Json, value: unknown): unknown {
  const { properties, type } = deref(schema);
  if (type !== "object" || typeof value !== "object" || value === null) return value;
  const mapOf = mapIn(deref(schema));
  if (mapOf) {
    const entries = Object.entries(value).map(([name, of]) => [name, withNulls(mapOf.values, of)]);
    return Object.fromEntries([...entries, ["X-Left-Out", null], ["__proto__x", null], ["left out", null]]);
  }
  const given = new Map(Object.entries(value));
  const members = Object.entries<Json>(properties).map(([name, of]) => [
    name,
    given.has(name) ? withNulls(of, given.get(name)) : null,
  ]);
  return { ...Object.fromEntries(members), nonsense: null, constructor: null };
}

const quoted = (text: string): string => JSON.stringify(text);
const decimal = (value: number): string => JSON.stringify(value);

/** One of the equivalent forms, selected by `pick`. */
export function sameOtherwise(schema: Json, body: Json, pick: number): Same {
  const text = JSON.stringify(body);
  const ways: (() => Same)[] = [
    () => ({ what: "nulls for members that are left out", raw: JSON.stringify(withNulls(schema, body)) }),
    () => ({
      what: "every character escaped",
      raw: written(body, (value) => `"${escaped(value)}"`, decimal),
    }),
    () => ({
      what: "numbers with exponents",
      raw: written(body, quoted, (value) => (Number.isInteger(value) ? `${value}.0E+0` : decimal(value))),
    }),
    () => ({
      what: "each member twice, of which the last one counts",
      raw: written(body, quoted, decimal, '["first"]'),
    }),
    () => ({ what: "each member twice, first with null", raw: written(body, quoted, decimal, "null") }),
    () => ({
      what: "white space and a byte order mark",
      raw: `\ufeff \t\r\n${JSON.stringify(body, null, "\t")}\n `,
    }),
    () => ({
      what: "exactly 1 MiB",
      raw: text + " ".repeat(BODY_BYTES - new TextEncoder().encode(text).byteLength),
    }),
    () => ({ what: "a charset", headers: { "Content-Type": "APPLICATION/json ; charset=utf-8" } }),
    () => ({ what: "a trailing slash", path: "/" }),
    () => ({ what: "a question mark", path: "?" }),
    () => ({
      what: "members in reverse order",
      raw: JSON.stringify(Object.fromEntries(Object.entries(body).toReversed())),
    }),
  ];
  const same = ways[pick % ways.length]?.() ?? {};
  // With a long list, another form can be too large.
  if ((same.raw?.length ?? 0) > BODY_BYTES) return { what: "the same form", raw: text };
  countKind(`the same with ${same.what}`);
  return same;
}
