import { urlPartsOf } from "../../model/src/traffic/simulation.ts";
import { addressOf } from "../../model/src/values/cidrs.ts";
import { getField, isJsonObject, isObject, type Json, type JsonObject, type Path, textOf } from "./json.ts";
import { kinds } from "./kinds.ts";
import { read, type Reading } from "./read.ts";
import type { Schema } from "./schema.ts";

/*
 * The tests of a file: requests that are never sent, and their expected outcome.
 */

/** What must become of a request. All that is given must be true. */
export interface Expected {
  /** The name or id of the edge that gets the request. */
  edge?: string;
  /** The `match` of the route that gets it. */
  route?: string;
  /** The status that the client gets. */
  status?: number;
  /** True if the connection is closed without a response. */
  closed?: boolean;
  /** The name of a rule of the traffic policy that holds. */
  rule?: string;
  /** The name or id of the backend that gets the request, or an address that it can be sent to. */
  upstream?: string;
  /** Headers that the upstream gets, by lower-case name; null for one that it must not get. */
  request_headers?: Record<string, string | null>;
  /** Headers that the client gets, likewise. */
  response_headers?: Record<string, string | null>;
}

export interface FileTest {
  path: Path;
  name: string;
  method?: string;
  url: string;
  from: string;
  headers: [string, string][];
  /** Without it, the client has no certificate. */
  client_certificate?: { common_name: string };
  response: { status_code?: number; headers: [string, string][] };
  /** RFC 3339 */
  at?: string;
  counts: Record<string, number>;
  jwt_signatures?: "valid" | "invalid";
  expect: Expected;
}

const MOST_TESTS = 1_000;

const text: Schema = { type: "string", maxLength: 16_384 };
const texts: Schema = { type: "object", additionalProperties: text };
const status: Schema = { type: "integer", minimum: 100, maximum: 599 };

const EXPECTED: Schema = {
  properties: {
    edge: text,
    route: text,
    status,
    closed: { type: "boolean" },
    rule: text,
    upstream: text,
    request_headers: texts,
    response_headers: texts,
  },
};

/** The schema of a test in a file. */
export const TEST: Schema = {
  required: ["name", "request", "from", "expect"],
  properties: {
    name: { type: "string", maxLength: 255 },
    request: text,
    from: text,
    headers: texts,
    client_certificate: {
      required: ["common_name"],
      properties: { common_name: { ...text, maxLength: 256 } },
    },
    response: { properties: { status: { ...status, minimum: 200 }, headers: texts } },
    at: text,
    counts: { type: "object", additionalProperties: { type: "integer", minimum: 0, maximum: 2 ** 32 - 1 } },
    jwt_signatures: { type: "string", enum: ["valid", "invalid"] },
    expect: EXPECTED,
  },
};

const prefixesOf = (sections: RegExp): string[] =>
  kinds.flatMap(({ section, prefix }) => (sections.test(section) ? [prefix] : []));
const EDGES = prefixesOf(/_edges$/);
const BACKENDS = prefixesOf(/_backends$/);

/** A method, which can be left out, and a URL. */
const REQUEST = /^(?:([!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}) +)?(\S+)$/;

/** RFC 3339 with an offset. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Reads the tests of a file. Errors are reported to `reading`. */
export function testsOf(value: Json | undefined, reading: Reading): FileTest[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    reading.problem(["tests"], "Expected a list.");
    return [];
  }
  if (value.length > MOST_TESTS) reading.problem(["tests"], `Contains more than ${MOST_TESTS} tests.`);
  const names = new Set<string>();
  return value.flatMap((item, index) => {
    const path = ["tests", index];
    const test = testOf(item, reading, path);
    if (test && names.has(test.name))
      reading.problem([...path, "name"], "There is already a test with this name.");
    if (test) names.add(test.name);
    return test ?? [];
  });
}

function testOf(item: Json, reading: Reading, path: Path): FileTest | undefined {
  const own = read(TEST, item ?? {}, reading, path);
  if (!isJsonObject(own)) return undefined;
  const [, method, url = ""] = REQUEST.exec(textOf(own["request"])) ?? [];
  const from = textOf(own["from"]);
  const at = own["at"];
  if (own["request"] !== undefined && !urlPartsOf(url))
    reading.problem(
      [...path, "request"],
      "Expected a method and a URL, such as GET https://host/path, tcp://host:port or tls://host:port.",
    );
  if (own["from"] !== undefined && !addressOf(from))
    reading.problem([...path, "from"], "Expected an IPv4 or IPv6 address.");
  if (at !== undefined && !(INSTANT.test(textOf(at)) && Number.isFinite(Date.parse(textOf(at)))))
    reading.problem([...path, "at"], "Expected a time such as 2026-01-02T03:04:05Z.");
  const response = objectIn(own, "response");
  const { status: answered } = response;
  const signatures = own["jwt_signatures"];
  const { common_name: name } = objectIn(own, "client_certificate");
  return {
    path,
    name: textOf(own["name"]),
    ...(method !== undefined && { method }),
    url,
    from,
    headers: linesIn(own),
    ...(name !== undefined && { client_certificate: { common_name: textOf(name) } }),
    response: {
      ...(typeof answered === "number" && { status_code: answered }),
      headers: linesIn(response),
    },
    ...(at !== undefined && { at: textOf(at) }),
    counts: numbersIn(objectIn(own, "counts")),
    ...((signatures === "valid" || signatures === "invalid") && { jwt_signatures: signatures }),
    expect: expectedIn(getField(item, "expect"), objectIn(own, "expect"), reading, [...path, "expect"]),
  };
}

/** @param given the value in the file, which can have nulls */
function expectedIn(given: unknown, own: JsonObject, reading: Reading, path: Path): Expected {
  const refer = (name: string, prefixes: string[]): string | undefined => {
    const value = own[name];
    return value === undefined ? undefined : reading.reference(textOf(value), prefixes, [...path, name]);
  };
  const edge = refer("edge", EDGES);
  const address = textOf(own["upstream"]);
  const upstream = address.includes(":") ? address : refer("upstream", BACKENDS);
  const headersIn = (name: string): Record<string, string | null> | undefined => {
    const headers = getField(given, name);
    if (!isObject(headers)) return undefined;
    return Object.fromEntries(
      Object.entries(headers).map(([key, value]) => [
        key.toLowerCase(),
        value === null ? null : textOf(value),
      ]),
    );
  };
  const { route, status: code, closed, rule } = own;
  const [request_headers, response_headers] = [headersIn("request_headers"), headersIn("response_headers")];
  const expected: Expected = {
    ...(edge !== undefined && { edge }),
    ...(route !== undefined && { route: textOf(route) }),
    ...(typeof code === "number" && { status: code }),
    ...(typeof closed === "boolean" && { closed }),
    ...(rule !== undefined && { rule: textOf(rule) }),
    ...(upstream !== undefined && { upstream }),
    ...(request_headers && { request_headers }),
    ...(response_headers && { response_headers }),
  };
  if (isObject(given) && Object.keys(expected).length === 0)
    reading.problem(path, `Expected at least one of ${Object.keys(EXPECTED.properties ?? {}).join(", ")}.`);
  return expected;
}

const objectIn = (own: JsonObject, name: string): JsonObject => {
  const value = own[name];
  return isJsonObject(value) ? value : {};
};

const linesIn = (own: JsonObject): [string, string][] =>
  Object.entries(objectIn(own, "headers")).map(([name, value]) => [name, textOf(value)]);

const numbersIn = (own: JsonObject): Record<string, number> =>
  Object.fromEntries(Object.entries(own).map(([name, value]) => [name, Number(value)]));
