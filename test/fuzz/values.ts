import fc from "fast-check";
import { readMatch } from "../../packages/model/src/traffic/paths.ts";
import { caPem } from "../laws/certificates.ts";
import { codePoint } from "../laws/text.ts";
import { prefixesIn } from "../support/document.ts";
import type { Json } from "../support/json.ts";
import { toDelete, toPatch, toPost } from "../support/operations.ts";
import { bodyAt, deref, nameOf } from "./document.ts";
import { canonical } from "./model.ts";

/*
 * Generates values that the service must accept from JSON Schema. Rules that the document states only in prose (CIDRs,
 * hostports, certificates, bytes instead of characters, rules between fields) are written here, by name of the field
 * or schema.
 */

/** Part of every secret that is sent. No response may contain it. */
export const MARK = "zQ5ecreTzQ";

/** A placeholder for an id with one of `prefixes`, until objects exist: see {@link withIds}. */
const placeholder = (prefixes: string[], pick: number): string => `<an id of ${prefixes.join("|")} ${pick}>`;

/**
 * Marks the placeholders in a list that can contain each id only once: several placeholders can become the same object.
 */
const ONCE = " once>";
const isOnce = (value: unknown): boolean => typeof value === "string" && value.endsWith(ONCE);

/** A value with every placeholder replaced by an id from `choose`. */
export function withIds<T>(value: T, choose: (prefixes: string[], pick: number) => string): T {
  return mapped(value, choose) as T;
}

function mapped(value: unknown, choose: (prefixes: string[], pick: number) => string): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => mapped(item, choose));
    return value.some(isOnce) ? [...new Set(items)] : items;
  }
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [mapped(name, choose), mapped(item, choose)]),
    );
  if (typeof value !== "string") return value;
  const [, prefixes = "", pick = ""] = /^<an id of ([\w|]+) (\d+)(?: once)?>$/.exec(value) ?? [];
  return prefixes === "" ? value : choose(prefixes.split("|"), Number(pick));
}

/** Characters of one to four bytes in UTF-8. */
export const LETTERS = ["a", "é", "€", "😀"];

const encoder = new TextEncoder();

/** A string of exactly `bytes` bytes in UTF-8, made of `letter` as far as possible. */
export function textOf(letter: string, bytes: number): string {
  const width = encoder.encode(letter).byteLength;
  return letter.repeat(Math.floor(bytes / width)) + "a".repeat(bytes % width);
}

/** Strings that often cause problems: control characters, combining and bidirectional marks, quotes, code. */
const odd = fc.constantFrom(
  "\0",
  "a\0b",
  "\u0001",
  "\u007f",
  "e\u0301\u0323",
  "\u202eabc",
  "\ufeff",
  "\u2028",
  "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
  "\u{10ffff}",
  " ",
  "'; drop table tcp_edges; --",
  '"\\/\b\f\n\r\t',
  "null",
  "__proto__",
  "%00%ff",
  "${1}{{2}}",
);

/** A well-formed string of at most `maxBytes` bytes, often exactly as many. */
const text = (maxBytes: number): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.string({ unit: codePoint, maxLength: 12 }), weight: 4 },
    { arbitrary: odd, weight: 2 },
    { arbitrary: fc.constantFrom(...LETTERS).map((letter) => textOf(letter, maxBytes)), weight: 1 },
    { arbitrary: fc.constant(""), weight: 1 },
  );

/** The longest string, in bytes, if the schema sets no limit. */
const LONG = 5_000;
/** The longest list, in characters. Two such lists fit into a body. */
const LIST_CHARACTERS = 350_000;

const network = (bytes: number[], length: number): number[] =>
  bytes.map((byte, i) => byte & (0xff << Math.max(0, Math.min(8, 8 * (i + 1) - length))) & 0xff);

const hextets = (bytes: number[]): string[] =>
  Array.from({ length: 8 }, (_, i) => ((bytes[2 * i] ?? 0) * 256 + (bytes[2 * i + 1] ?? 0)).toString(16));

const bytes = (count: number) =>
  fc.array(fc.oneof(fc.constantFrom(0, 255), fc.integer({ min: 0, max: 255 })), {
    minLength: count,
    maxLength: count,
  });

const cidr = fc.oneof(
  fc
    .tuple(bytes(4), fc.integer({ min: 0, max: 32 }))
    .map(([ip, length]) => `${network(ip, length).join(".")}/${length}`),
  bytes(4).map((ip) => ip.join(".")),
  fc
    .tuple(bytes(16), fc.integer({ min: 0, max: 128 }), fc.boolean())
    .map(
      ([ip, length, isUpper]) =>
        `${isUpper ? hextets(network(ip, length)).join(":").toUpperCase() : hextets(network(ip, length)).join(":")}/${length}`,
    ),
  fc.ipV6(),
);

/** A client's address. IPv4 addresses can be written as IPv6. */
const ip = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.ipV4().map((address) => `::ffff:${address}`),
  fc.constantFrom("0.0.0.0", "255.255.255.255", "::", "2001:DB8::1", "0:0:0:0:0:ffff:c000:0201"),
);

const label = fc.oneof(
  fc.stringMatching(/^[a-zA-Z_]([a-z0-9_-]{0,10}[a-z0-9])?$/),
  fc.constant("a".repeat(63)),
);
const host = fc.oneof(
  fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join(".")),
  fc.ipV4(),
  fc.ipV6().map((ip) => `[${ip}]`),
  fc.constantFrom("a.example.", "xn--bcher-kva.example", `${"a.".repeat(126)}b`, "[::FFFF:192.0.2.1]"),
);
const port = fc.oneof(fc.constantFrom(1, 65_535), fc.integer({ min: 1, max: 65_535 }));
const hostport = fc.tuple(host, port).map(([name, number]) => `${name}:${number}`);

const instant = fc
  .tuple(
    fc.date({ min: new Date("2050-01-01"), max: new Date("9998-12-31"), noInvalidDate: true }),
    fc.constantFrom("Z", ".5Z", ".999999999Z", "+00:00", "-00:00", "+14:00", "-23:59"),
  )
  .map(([date, zone]) => date.toISOString().slice(0, 19) + zone);

/** A request path that can be read. It begins with a slash, and has at most 512 bytes. */
const match = fc.oneof(
  fc.constantFrom("/", "//", "/a/", "/%61", "/...", "/%25zz", "/%FF", "/\u{10ffff}"),
  text(511)
    .map((rest) => `/${rest.replace(/[?#% \p{Cc}]/gu, "")}`)
    .filter((path) => readMatch({ match_type: "exact_path", match: path }) !== undefined),
);

/** A URL of a public host, on a port that webhooks can have. */
const url = fc
  .tuple(
    fc.array(label, { maxLength: 2 }),
    fc.constantFrom("", ":443", ":1024", ":8443", ":65535"),
    fc.constantFrom("", "/", "/a/b", "/a%20b/é?c=d&e", "?", "/../a", "/%zz"),
    fc.constantFrom("https://", "HTTPS://"),
  )
  .map(([labels, port, rest, scheme]) => `${scheme}${[...labels, "example", "com"].join(".")}${port}${rest}`);

/** A webhook secret that contains the mark: 24 to 64 bytes in base64. */
const webhookSecret = fc
  .integer({ min: 24, max: 64 })
  .map((bytes) => `whsec_${btoa(atob(`${MARK}aa`).padEnd(bytes, "x"))}`);

const secret = fc
  .tuple(
    fc.oneof(text(200), fc.string({ maxLength: 10 }), fc.constant("")),
    fc.constantFrom("", "x".repeat(500)),
  )
  .map(([start, end]) => start + MARK + end);

/**
 * Strings that the document describes only in prose, by the name of the field or of the list that contains them.
 * Invalid ones are in `WRONG_TEXTS` of breakages.ts.
 */
const byName = {
  ca_pem: caPem,
  cidr,
  hostports: hostport,
  hostport,
  address: hostport,
  expires_at: instant,
  from: fc.oneof(instant, fc.stringMatching(/^ev_[0-9A-Za-z]{27}$/)),
  match,
  url,
  directory_url: url,
  ip,
};
export type Named = keyof typeof byName;

export const isNamed = (name: string): name is Named => name in byName;

/** Accepted by patterns that exclude only a few characters, which is how they are recognized. */
const WIDE = "a b é😀";

/** True for an instant that "" clears. Others have a format. */
export const isClearable = (schema: Json, name: string): boolean =>
  name === "expires_at" && schema["format"] === undefined;

function string(schema: Json, name: string): fc.Arbitrary<string> {
  if (isClearable(schema, name)) return fc.oneof({ weight: 3, arbitrary: instant }, fc.constant(""));
  if (isNamed(name)) return byName[name];
  if (schema["writeOnly"] === true)
    return schema["pattern"].startsWith("^whsec_")
      ? webhookSecret
      : secret.filter((value) => isText(schema, value));
  const prefixes = prefixesIn(schema["pattern"]);
  if (prefixes) return fc.nat({ max: 1_000_000 }).map((pick) => placeholder(prefixes, pick));
  const fits = (value: string): boolean => isText(schema, value);
  const any = text(schema["maxLength"] ?? LONG);
  if (!schema["pattern"]) return any.filter(fits);
  if (fits(WIDE)) return any.map((value) => value.replace(/[\r\n\0]/g, "")).filter(fits);
  const known = ["__proto__", "constructor", "X-A", "0"].filter(fits);
  const matching = fc.stringMatching(new RegExp(schema["pattern"], "u")).filter(fits);
  return known.length > 0 ? fc.oneof(fc.constantFrom(...known), matching) : matching;
}

/** True for a string that its schema allows, apart from rules in prose. */
export const isText = ({ minLength = 0, maxLength = Infinity, pattern, enum: options }: Json, text: string) =>
  text.length >= minLength &&
  text.length <= maxLength &&
  (pattern === undefined || new RegExp(pattern, "u").test(text)) &&
  (options === undefined || options.includes(text));

/** The schemas of a map's names and values. */
export interface MapOf {
  names: Json;
  values: Json;
  /** True for a map of headers. No two of its names may differ only in case, which the document states in prose. */
  isOfHeaders: boolean;
}

/** The pattern of a header name: `token` in RFC 9110. */
const HEADER_NAME = "^[!#$%&'*+\\-.^_`|~0-9A-Za-z]+$";

/** The schemas of a map's names and values; undefined if `schema` is for an object with fixed fields. */
export function mapIn({ propertyNames, additionalProperties, patternProperties }: Json): MapOf | undefined {
  const [pattern, ofPattern] = Object.entries<Json>(patternProperties ?? {})[0] ?? [];
  const values = ofPattern ?? additionalProperties;
  if (typeof values !== "object") return undefined;
  const names = { type: "string", ...deref(propertyNames ?? {}), ...(pattern !== undefined && { pattern }) };
  return { names, values, isOfHeaders: names.pattern === HEADER_NAME };
}

/** A map with few entries. */
const map = (schema: Json, { names, values, isOfHeaders }: MapOf, name: string): fc.Arbitrary<Json> =>
  fc
    .uniqueArray(fc.tuple(valid(names, "") as fc.Arbitrary<string>, valid(values, name)), {
      selector: ([key]) => (isOfHeaders ? key.toLowerCase() : key),
      minLength: schema["minProperties"] ?? 0,
      maxLength: Math.min(schema["maxProperties"] ?? 4, 4),
    })
    .map((entries) => Object.fromEntries(entries));

function object(schema: Json, name: string): fc.Arbitrary<Json> {
  const mapOf = mapIn(schema);
  if (mapOf) return map(schema, mapOf, name);
  const members = Object.entries<Json>(schema["properties"]).map(
    ([member, of]) => [member, valid(of, member)] as const,
  );
  if (schema["maxProperties"] === 1)
    return fc.oneof(...members.map(([member, of]) => fc.record({ [member]: of })));
  return fc.record(Object.fromEntries(members), { requiredKeys: schema["required"] ?? [] });
}

/** A short list, or rarely one of the maximum length, unless its items are long. */
const list = (schema: Json, name: string): fc.Arbitrary<unknown[]> => {
  const item = valid(schema["items"], name);
  if (schema["uniqueItems"])
    return fc
      .uniqueArray(item, {
        minLength: schema["minItems"] ?? 0,
        maxLength: 4,
        selector: (value) => JSON.stringify(value),
      })
      .map((items) => items.map((value) => (typeof value === "string" ? value.replace(/>$/, ONCE) : value)));
  const most = (value: unknown) =>
    Math.min(schema["maxItems"], Math.floor(LIST_CHARACTERS / JSON.stringify(value).length));
  return fc.oneof(
    { arbitrary: fc.array(item, { maxLength: 4 }), weight: 200 },
    { arbitrary: item.map((value) => Array.from({ length: most(value) }, () => value)), weight: 1 },
  );
};

/** Rules between fields that the document states only in prose: changes a body so that it follows them. */
const kept: Record<string, (value: Json) => Json> = {
  TlsTerminationModuleMutate: ({ min_version, ...rest }) =>
    rest["terminate_at"] === "upstream" || min_version === undefined ? rest : { ...rest, min_version },
  // A secret is required except for `sns`, which rejects it.
  WebhookVerificationModuleMutate: ({ provider, secret, ...rest }) =>
    secret === undefined || /^sns$/i.test(provider)
      ? { ...rest, provider: "sns" }
      : { ...rest, provider, secret },
  TlsEdgeCreate: withoutConflict,
  TlsEdgeUpdate: withoutConflict,
  // Each CIDR and action only once, in any spelling.
  IpPolicyRulesReplaceRequest: ({ rules }) => ({
    rules: [
      ...new Map(rules.map((rule: Json) => [`${canonical(rule["cidr"])} ${rule["action"]}`, rule])).values(),
    ],
  }),
  // 16 KiB in total, as JSON.
  AgentStatusRequest: (status) => shortenedStatus(status),
  // Both fields or none.
  ExternalAccountMutate: (account) => (Object.keys(account).length === 2 ? account : {}),
  WeightedBackendCreate: withWeight,
  WeightedBackendUpdate: withWeight,
};

/**
 * Not all weights are 0. The last weight is not 0, which also counts if its id turns out to be the same as an earlier
 * one.
 */
function withWeight({ backends, ...rest }: Json): Json {
  const [id, weight] = Object.entries(backends ?? {}).at(-1) ?? [];
  if (id === undefined) return backends ? { ...rest, backends } : rest;
  return { ...rest, backends: { ...backends, [id]: weight || 1 } };
}

function shortenedStatus({ error, problems, ...rest }: Json): Json {
  const texts = Object.fromEntries(Object.entries({ error }).filter(([, value]) => value !== undefined));
  return {
    ...rest,
    ...(shortened(texts) as Json),
    ...(problems && { problems: problems.slice(0, 1).map(shortened) }),
  };
}

function withoutConflict(edge: Json): Json {
  return edge["mutual_tls"] && edge["tls_termination"]?.terminate_at === "upstream"
    ? { ...edge, mutual_tls: { ...edge["mutual_tls"], enabled: false } }
    : edge;
}

/**
 * Operations that can follow each other: they create, change, use and delete objects with names that end in a number.
 */
const operations = (): fc.Arbitrary<(n: number) => Json[]> =>
  fc
    .record({
      policy: validBody(bodyAt("POST", "/ip_policies")),
      cidr,
      action: fc.constantFrom("allow", "deny"),
      length: fc.integer({ min: 1, max: 5 }),
    })
    .map(({ policy, cidr, action, length }) => (n) => {
      const name = `policy_${n}`;
      return [
        toPost("/ip_policies", policy, { name }),
        toPost("/ip_policy_rules", { ip_policy_id: `$${name}`, cidr, action }),
        toPatch(`/ip_policies/$${name}`, { description: `$${name}` }, { if_match: "*" }),
        toPost("/edges/tcp", { ip_restriction: { ip_policy_ids: [`$${name}`] } }),
        toDelete(`/ip_policies/$${name}`),
      ].slice(0, length);
    });

/**
 * Rules that the document states only in words: which paths operations can have, and where a name can replace an id.
 */
const transaction = (): fc.Arbitrary<Json> =>
  fc
    .record(
      { dry_run: fc.boolean(), parts: fc.array(operations(), { minLength: 1, maxLength: 4 }) },
      { requiredKeys: ["parts"] },
    )
    .map(({ parts, ...rest }) => ({ ...rest, operations: parts.flatMap((part, n) => part(n)) }));

/** A value that the service must accept for `schema`; `name` is the field's. Ids in it are placeholders. */
function valid(schema: Json, name: string): fc.Arbitrary<unknown> {
  if (nameOf(schema) === "TransactionCreate") return transaction();
  const rule = kept[nameOf(schema)];
  return rule ? object(deref(schema), name).map(rule) : plain(deref(schema), name);
}

/** A body that the service must accept for `schema`. Ids in it are placeholders. */
export const validBody = (schema: Json): fc.Arbitrary<Json> => valid(schema, "") as fc.Arbitrary<Json>;

/** Parameters that any list accepts. All others are filters, of which a list accepts one at a time. */
const isOfPages = ({ name }: Json): boolean => name === "limit" || name === "before_id";
/**
 * Parameters whose valid values depend on what exists: `before_edge_id` is only accepted with the id of a route as
 * `before_id`, and `after` and `after_id` must be in the list.
 */
const isOfPosition = ({ name }: Json): boolean => ["before_edge_id", "after", "after_id"].includes(name);

/** Query parameters that the service must accept. Each can be omitted unless it is required. */
export const validQuery = (parameters: Json[]): fc.Arbitrary<Record<string, string | undefined>> => {
  const arbitraries = (some: Json[]) =>
    Object.fromEntries(
      some.map(({ name, schema }) => [name, valid(schema, name).map((value) => String(value))]),
    );
  const drawn = (some: Json[]) => fc.record(arbitraries(some), { requiredKeys: [] });
  const required = parameters.filter((one) => one["required"]);
  if (required.length > 0) return fc.record(arbitraries(required));
  const filters = parameters.filter((one) => !isOfPages(one) && !isOfPosition(one));
  return fc
    .tuple(
      drawn(parameters.filter(isOfPages)),
      fc.oneof(drawn([]), ...filters.map((filter) => drawn([filter]))),
    )
    .map(([page, filtered]) => ({ ...page, ...filtered }));
};

function plain(schema: Json, name: string): fc.Arbitrary<unknown> {
  if ("const" in schema) return fc.constant(schema["const"]);
  if (schema["enum"]) return fc.constantFrom(...schema["enum"]);
  if (schema["anyOf"]) return fc.oneof(...schema["anyOf"].map((branch: Json) => valid(branch, name)));
  const { minimum: min, maximum: max } = schema;
  switch (schema["type"]) {
    case "object":
      return object(schema, name);
    case "array":
      return list(schema, name);
    case "string":
      return string(schema, name);
    case "integer":
      return fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max }));
    case "number":
      return fc.oneof(fc.constantFrom(min, max, -0), fc.double({ min, max, noNaN: true }));
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      throw new Error(`No value is known for ${JSON.stringify(schema)}`);
  }
}

/** The most characters in a string, and the most items in a list, in a module of a {@link fitting} body. */
const SHORT = 250;
const FEW = 4;

/** `value` with every list and every string in it shortened to a few kilobytes in total. */
function shortened(value: unknown): unknown {
  if (typeof value === "string") return value.length > 1_000 ? [...value].slice(0, SHORT).join("") : value;
  if (Array.isArray(value)) return value.slice(0, FEW).map(shortened);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]));
}

/** A body with shortened modules and lists. A route has at most 64 KB, which the document states in no schema. */
export const fitting = (body: Json): Json =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, typeof value === "string" ? value : shortened(value)]),
  );
