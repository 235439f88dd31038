import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { Answer } from "../support/api.ts";
import { certificate, pem } from "../support/certificates.ts";
import { isAnyText, prefixesIn } from "../support/document.ts";
import type { Json } from "../support/json.ts";
import { toDelete, toPatch, toPost } from "../support/operations.ts";
import { deref, type Documented, documentedCollections, isModule, methodsOf, nameOf } from "./document.ts";
import { ask, countKind } from "./run.ts";
import {
  isClearable,
  isNamed,
  isText,
  LETTERS,
  type MapOf,
  mapIn,
  MARK,
  type Named,
  textOf,
} from "./values.ts";

/*
 * Every way to make one valid request invalid, with the expected error.
 */

/** The parts of a request that differ from the valid one. */
interface Draft {
  method?: string;
  /** Path and query. */
  path?: string;
  headers?: Record<string, string | undefined>;
  /** The bytes of the body. */
  raw?: string | Uint8Array;
  token?: string;
}

/** A way to make a request invalid, and the expected response. */
export interface Breakage {
  /** The kind of error, for counts and reports. */
  kind: string;
  /** Built only when it is sent, because some bodies are large. */
  draft: () => Draft;
  status: number;
  code: string;
  /** Each `path` that must be in `errors`, possibly among others. [] if there must be no `errors`. */
  blamed?: string[];
  /** What the response must say. */
  said?: string;
}

/** @param answer such as `404 ERR_NOT_FOUND` */
function breakage(
  kind: string,
  answer: string,
  draft: () => Draft,
  more: Pick<Breakage, "blamed" | "said"> & { code?: string } = {},
): Breakage {
  const [status, code = ""] = answer.split(" ");
  return { kind, draft, status: Number(status), code, ...more };
}

/** The valid request. */
export interface Valid {
  operation: Documented;
  /** The path with its ids; no query. */
  path: string;
  body: Json | undefined;
  /** Tokens of a viewer and of an editor. */
  tokens: { viewer: string; editor: string };
  /** True if the object in the path was created by this service. */
  isManaged: boolean;
}

const split = (texts: string): string[] => texts.split("|");

const BODY_BYTES = 1_048_576;
const ITEMS = 10_000;
/** Prefixes of the objects that must exist if they are referred to: all except certificate authorities. */
const MANAGED = new Set(
  documentedCollections.map(({ prefix }) => prefix).filter((prefix) => prefix !== "ca_"),
);
/** The cursor of a list, whose object need not exist. */
const CURSOR = "before_id";

type Path = (string | number)[];

/** An invalid field: its path, and the JSON text to put there; undefined removes the field. */
interface Wrong {
  kind: string;
  at: Path;
  json: () => string | undefined;
  /** The path in the error, if it is not `at`. */
  blamed?: Path;
  code?: string;
  /** What the error says. */
  said?: string;
}

const invalidAt = (
  kind: string,
  at: Path,
  json: () => string | undefined,
  more: Pick<Wrong, "blamed" | "code" | "said"> = {},
): Wrong => ({ kind, at, json, ...more });

const pointer = (path: Path): string =>
  path.map((name) => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** `value` as JSON text, with `json` in place of the value at a path. */
function jsonWith(value: unknown, [first, ...rest]: Path, json: string | undefined): string {
  const inner = (child: unknown): string | undefined =>
    rest.length > 0 ? jsonWith(child, rest, json) : json;
  if (first === undefined) return json ?? "";
  if (Array.isArray(value))
    return `[${value.map((item, i) => (i === first ? inner(item) : JSON.stringify(item))).join(",")}]`;
  const entries = new Map(Object.entries(value ?? {}));
  if (!entries.has(String(first))) entries.set(String(first), {});
  const members = [...entries].flatMap(([name, member]) => {
    const text = name === first ? inner(member) : JSON.stringify(member);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(",")}}`;
}

const json = (value: unknown) => () => JSON.stringify(value);

const WRONG_TYPES: Record<string, string[]> = {
  object: ['"{}"', "1", "true", "[]", "[{}]"],
  array: ['"a"', "1", "true", "{}", '{"0":"a","length":1}'],
  string: ["1", "true", "[]", "{}", '["a"]', '{"toString":"a"}'],
  integer: ['"1"', "true", "[]", "{}", "1.5", "1e400", "-1e400", "0.1e-7", '""'],
  number: ['"0.5"', "true", "[]", "{}", "1e400", '""'],
  boolean: ['"true"', "0", "1", '""', "[]", "{}"],
};

const WRONG_HOSTPORTS = [
  ...split("|a|a:|:1|a:0|a:65536|a:01|a:+1|a:1.0|a: 1| a:1|a:1 |a:1\n|a b:1|-a:1|a-:1|a..b:1|.a:1|a:1:2"),
  ...split("::1:80|[::1]|[::1]:0|[::1]:65536|[1.2.3.4]:1|[fe80::1%eth0]:1|[]:1|1.2.3.256:1|1.2.3:80"),
  ...split(
    "http://a:1|a:1/|a/b:1|bücher.example:1|a:٣|a\0:1|a:44é|*.a:1|1.2.3.01:1|[::1:1|[::ffff:1.2.3.01]:1",
  ),
  `${"a".repeat(64)}:1`,
  `${[63, 63, 63, 62].map((length) => "a".repeat(length)).join(".")}:1`,
  `${"a.".repeat(127)}b:1`,
];

const WRONG_URLS = [
  ...split(
    "|x|hooks.example.com|//hooks.example.com|http://hooks.example.com|ftp://hooks.example.com|https:",
  ),
  ...split(
    "https://|https:///a|https://a b.example.com| https://a.example.com|https://a.example.com\n|https:\\\\a.example.com",
  ),
  ...split(
    "https://u@a.example.com|https://u:p@a.example.com|https://:p@a.example.com|https://@a.example.com|https://:@a.example.com|https:///a.example.com|https://a.example.com#|https://a.example.com/#b",
  ),
  ...split(
    "https://a.example.com:80|https://a.example.com:1023|https://a.example.com:65536|https://a.example.com:x",
  ),
  ...split(
    "https://127.0.0.1|https://2130706433|https://0x7f.1|https://0177.0.0.1|https://127.1|https://[::1]",
  ),
  ...split("https://192.0.2.1.|https://[::ffff:192.0.2.1]|https://[64:ff9b::1]|https://１２７.0.0.1"),
  ...split(
    "https://localhost|https://LOCALHOST:8443|https://a.localhost|https://localhost.|https://a.example.com.",
  ),
  ...split(
    "https://hooks|https://a.local|https://a.internal|https://a.home.arpa|https://a.LAN|https://a.default.svc|https://a.test|https://a..example.com",
  ),
  `https://${"a".repeat(64)}.example.com`,
  `https://a.example.com/${"a".repeat(2_048)}`,
];

/** Invalid certificates, CIDRs, hostports, addresses and future timestamps, by the field's name. */
const WRONG_TEXTS: Record<Named, string[]> = {
  ca_pem: [
    ...split("|x|-----BEGIN CERTIFICATE-----|-----END CERTIFICATE-----"),
    ...[certificate({ rest: [] }), certificate().slice(1), [...certificate(), 0], []].map((der) => pem(der)),
    ...["PRIVATE KEY", "CERTIFICATE REQUEST", "certificate"].map((label) => pem(certificate(), { label })),
    pem(certificate()).slice(0, -30),
    pem(certificate()).replaceAll("\n", ""),
    pem(certificate()).replace("\n", `\n${MARK}: 1\n\n`),
    pem(certificate()).repeat(2),
    pem([...new TextEncoder().encode(MARK)]),
    `-----BEGIN PRIVATE KEY-----\n${MARK}\n-----END PRIVATE KEY-----`,
  ],
  cidr: [
    ...split("|x|/24|192.0.2.1/24|192.0.2.0/33|192.0.2.0/-1|192.0.2.0/|192.0.2.0/024|192.0.2.0/24/1"),
    ...split(" 192.0.2.0/24|192.0.2.0/24\n|192.0.2.0 /24|256.0.0.0|1.2.3|01.2.3.4|0x1.2.3.4|1.2.3.4.5"),
    ...split("2001:db8::1/32|2001:db8::/129|:::|::1::|fe80::1%eth0|[::1]|::ffff:1.2.3.256|::ffff:01.2.3.4"),
    ...split(
      "::ffff:0xc0.0250.01.1|64:ff9b::0x7f.0.0.1|::1.2.3|::1.2.3.4:5|1.2.3.4::|1:2:3:4:5:6:7:1.2.3.4|g::1",
    ),
    ...split("0300.0.2.1|3221225985|1::2::3|example.com|192.0.2.0-192.0.2.255|١.٢.٣.٤|1.2.3.4\0"),
  ],
  ip: [
    ...split("|x|10.0.0|10.0.0.0/8|010.0.0.1|10.0.0.256|0x0a.0.0.1|167772161|[::1]|fe80::1%eth0|:::|1::2::3"),
    ...split(" 10.0.0.1|10.0.0.1 |10.0.0.1\n|::ffff:10.0.0.256|::1/128|10.0.0.1,10.0.0.2|localhost|١.٢.٣.٤"),
  ],
  hostports: WRONG_HOSTPORTS,
  hostport: WRONG_HOSTPORTS,
  address: WRONG_HOSTPORTS,
  url: WRONG_URLS,
  directory_url: WRONG_URLS,
  match: [
    ...split("|a|a/|/?|/a?b|/#| /|/ |/a b|/\n|/\0|/\t|/\u007f|/\u0085|/%|/%zz|/%00|/a/../b|/%2e/a"),
    `/${"a".repeat(512)}`,
  ],
  expires_at: [
    ...split("2020-01-01T00:00:00Z|2050-13-01T00:00:00Z|2050-02-30T00:00:00Z|2050-01-01|2050-01-01T00:00:00"),
    ...split("2050-01-01 00:00:00Z|2050-01-01T24:00:00Z|10000-01-01T00:00:00Z|9999-12-31T23:59:59-23:59"),
    ...split("|never|+2050-01-01T00:00:00Z|2050-01-01T00:00:00+24:00|4102444800|2050-1-1T00:00:00Z"),
  ],
  from: [
    ...split("2050-13-01T00:00:00Z|2050-01-01|2050-01-01T00:00:00|2050-1-1T00:00:00Z|4102444800|never|"),
    `ev_${"a".repeat(26)}`,
    `ev_${"a".repeat(28)}`,
    `ed_${"a".repeat(27)}`,
    `ev_${"a".repeat(26)}-`,
  ],
};

/** Secrets that no webhook can have: too short, too long, without padding, not base64, or in another form. */
const WRONG_WEBHOOK_SECRETS = [
  MARK,
  `whsec_${MARK}`,
  `whsec_${btoa(MARK.padEnd(23, "x"))}`,
  `whsec_${btoa(MARK.padEnd(65, "x"))}`,
  `whsec_${btoa(MARK.padEnd(25, "x")).slice(0, -2)}`,
  `whsec_${btoa(MARK.padEnd(25, "x")).replace("eA==", "eB==")}`,
  `whsec_${btoa(MARK.padEnd(24, "x")).replace(/^./, "-")}`,
  btoa(MARK.padEnd(24, "x")),
  ` whsec_${btoa(MARK.padEnd(24, "x"))}`,
];

/** Text that JSON can express but UTF-8 cannot. */
const LONE_SURROGATES = ['"\\ud800"', '"a\\udfffb"', '"\\udc00\\ud800"', '"\\ud83d \\ude00"'];

function* wrongStrings(schema: Json, name: string, at: Path): Generator<Wrong> {
  for (const text of LONE_SURROGATES) yield invalidAt("a lone surrogate", at, () => text);
  for (const text of isNamed(name) ? WRONG_TEXTS[name] : [])
    if (text !== "" || !isClearable(schema, name)) yield invalidAt(`an invalid ${name}`, at, json(text));
  // The error for an invalid secret must not quote it.
  if (schema["writeOnly"] === true)
    for (const text of [`["${MARK}"]`, `{"${MARK}":"${MARK}"}`, `"${MARK}\\ud800"`])
      yield invalidAt("an invalid secret", at, () => text);
  if (schema["pattern"]?.startsWith("^whsec_"))
    for (const text of WRONG_WEBHOOK_SECRETS) yield invalidAt("an invalid secret", at, json(text));
  if (schema["minLength"] === 1)
    yield invalidAt("an empty string", at, json(""), { said: "Must not be empty." });
  const bytes: number | undefined = schema["maxLength"];
  if (bytes !== undefined)
    for (const letter of LETTERS)
      yield invalidAt("one byte too long", at, () => JSON.stringify(textOf(letter, bytes + 1)), {
        ...(isAnyText(schema) && !isNamed(name) && { said: `Longer than ${bytes} bytes in UTF-8.` }),
      });
  const prefixes = prefixesIn(schema["pattern"]);
  if (prefixes) yield* wrongIds(prefixes, name, at);
  const options: string[] | undefined = schema["enum"] ?? (schema["const"] && [schema["const"]]);
  for (const option of options ?? [])
    for (const text of [`${option} `, `${option}\0`, option.toUpperCase(), `${option},${option}`, ""])
      if (!options?.includes(text)) yield invalidAt("not an option", at, json(text));
  // The pattern of header names, or of their values.
  if (schema["pattern"] && !prefixes && !schema["format"])
    for (const text of ["a\nb", "a\r", "\0", "a b", "a:", "é", ""])
      if (!new RegExp(schema["pattern"], "u").test(text))
        yield invalidAt("a string that does not match the pattern", at, json(text));
}

function* wrongIds(prefixes: string[], name: string, at: Path): Generator<Wrong> {
  for (const prefix of prefixes)
    for (const id of [
      prefix,
      `${prefix}a b`,
      `${prefix}a\0`,
      `${prefix}a\n`,
      `${prefix}é`,
      `${prefix}a_b`,
      prefix + "1".repeat(65),
    ])
      yield invalidAt("a malformed id", at, json(id));
  const own = prefixes[0] ?? "";
  const other = prefixes.includes("ipp_") ? "bot_1" : "ipp_1";
  for (const id of ["", "zz_1", other, "1", `x${own}1`, `${own.toUpperCase()}1`, "__proto__"])
    yield invalidAt("an id of another kind", at, json(id));
  for (const prefix of prefixes)
    if (MANAGED.has(prefix) && name !== CURSOR)
      for (const id of ["0", "000000000000000000000000000", "zzzzzzzzzzzzzzzzzzzzzzzzzzz", "1".repeat(64)])
        yield invalidAt("an unknown reference", at, json(prefix + id), { code: "ERR_UNKNOWN_REFERENCE" });
}

/** The JSON type that a schema requires, apart from null. */
const typeOf = (schema: Json): string =>
  deref(schema)["anyOf"]?.find((one: Json) => one["type"] !== "null").type ?? deref(schema)["type"];

/** Every way to make the value of `schema` at `at` invalid. */
function* wrongValues(schema: Json, name: string, value: unknown, at: Path): Generator<Wrong> {
  const whole = deref(schema);
  if (whole["anyOf"]) {
    const branch = whole["anyOf"].find((one: Json) => one["type"] !== "null");
    yield* wrongValues(branch, name, value, at);
    return;
  }
  const type: string = whole["type"];
  for (const text of WRONG_TYPES[type] ?? [])
    yield invalidAt(`a wrong type instead of ${type}`, at, () => text);
  if (type === "string") yield* wrongStrings(whole, name, at);
  if (type === "integer" || type === "number") {
    const near = type === "number" ? Number.EPSILON : 1;
    for (const number of [whole["minimum"] - near, whole["maximum"] + near, -1e300, 1e300, 2 ** 53])
      yield invalidAt("a number out of bounds", at, json(number));
  }
  if (type === "array") yield* wrongItems(whole, name, value, at);
  if (type !== "object") return;
  const mapOf = mapIn(whole);
  yield* mapOf ? wrongMap(whole, mapOf, value, at) : wrongMembers(whole, nameOf(schema), value, at);
}

function* wrongItems(schema: Json, name: string, value: unknown, at: Path): Generator<Wrong> {
  // Only a few of them, so that one more does not exceed the limit.
  const items: unknown[] = Array.isArray(value) ? value.slice(0, 3) : [];
  const appended = (text: string) => () =>
    `[${[...items.map((item) => JSON.stringify(item)), text].join(",")}]`;
  const { type: itemType } = deref(schema["items"]);
  const right: unknown = itemType === "object" ? JSON.parse(sample(schema["items"])) : undefined;
  for (const wrong of wrongValues(schema["items"], name, right, []))
    yield invalidAt(
      `an item with ${wrong.kind}`,
      at,
      () => appended(jsonWith(right, wrong.at, wrong.json()) || "null")(),
      {
        blamed: [...at, items.length, ...(wrong.blamed ?? wrong.at)],
        ...(wrong.code && { code: wrong.code }),
        ...(wrong.said !== undefined && { said: wrong.said }),
      },
    );
  if (schema["uniqueItems"] && items.length > 0)
    yield invalidAt("an item twice", at, appended(JSON.stringify(items[0])), {
      blamed: [...at, items.length],
    });
  yield invalidAt("a null item", at, appended("null"), { blamed: [...at, items.length] });
  const most: number | undefined = schema["maxItems"];
  if (most !== undefined)
    yield invalidAt(
      "one item too many",
      at,
      () => `[${Array.from({ length: most + 1 }, () => sample(schema["items"])).join(",")}]`,
      most < 1_000 ? {} : { said: `Contains more than ${most} items.` },
    );
  yield invalidAt("10,001 items", at, () => JSON.stringify(Array.from({ length: ITEMS + 1 }, () => "a")));
}

/** Names that some maps accept and others do not. */
const NAMES = ["", " ", "a b", "a:", "é", "a\n", "\0", "a/b", "(a)", "😀", "a", "A", "1", "__proto__"];

function* wrongMap(
  schema: Json,
  { names, values, isOfHeaders }: MapOf,
  value: unknown,
  at: Path,
): Generator<Wrong> {
  const [[name, given] = []] = Object.entries(value ?? {});
  const right = given === undefined ? () => sample(values) : json(given);
  if (name !== undefined) {
    for (const wrong of wrongValues(values, "", given, [...at, name]))
      yield { ...wrong, kind: `a value in a map with ${wrong.kind}` };
    const other = name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase();
    if (isOfHeaders && other !== name)
      yield invalidAt("a header name twice in different case", [...at, other], right);
  }
  const wrongNames = new Map<string, { code?: string | undefined }>();
  for (const text of NAMES) if (!isText(names, text)) wrongNames.set(text, {});
  for (const { json: text, code } of wrongStrings(names, "", [])) {
    const wrong: string = JSON.parse(text() ?? '""');
    if (wrong.isWellFormed()) wrongNames.set(wrong, { code });
  }
  for (const [wrong, { code }] of wrongNames)
    yield {
      kind: `an invalid name in a map${code === undefined ? "" : ", an unknown reference"}`,
      at: [...at, wrong],
      json: right,
      // A long name is not quoted.
      blamed: wrong.length > 100 ? at : [...at, wrong],
      ...(code !== undefined && { code }),
    };
  const most = schema["maxProperties"] ?? ITEMS;
  // A small value, so that the body does not become too large.
  const small = sample(values);
  const entries = () =>
    Array.from({ length: most + 1 }, (_, i) => `${JSON.stringify(nameAt(names, i))}:${small}`);
  yield invalidAt("more entries than a map may have", at, () => `{${entries().join(",")}}`);
}

/** One of many different names that a map accepts. */
function nameAt(names: Json, i: number): string {
  const digits = Array.from({ length: 4 }, (_, place) => Math.floor(i / 26 ** place) % 26);
  const letters = String.fromCharCode(...digits.map((digit) => 97 + digit));
  const [prefix = "a"] = prefixesIn(names["pattern"]) ?? [];
  // An enum has too few options to exceed the limit.
  if (names["enum"]) return names["enum"][i] ?? letters;
  const name = [`${prefix}${i}`, letters, `x-${letters}`].find((some) => isText(names, some));
  if (name === undefined) throw new Error(`No name is known for ${JSON.stringify(names)}`);
  return name;
}

function* wrongMembers(schema: Json, title: string, value: unknown, at: Path): Generator<Wrong> {
  const properties: Record<string, Json> = schema["properties"];
  const present: Json = typeof value === "object" && value !== null ? value : {};
  const isExactlyOne = schema["maxProperties"] === 1;
  const isSet = Object.keys(present).length > 0;
  for (const name of [
    "nonsense",
    "__proto__",
    "constructor",
    "toString",
    "",
    "a/b~c",
    "😀",
    "\0",
    "Description",
  ])
    yield invalidAt("an unknown field", [...at, name], json(MARK), { said: "Unknown; accepted: " });
  yield invalidAt("an unknown field with a long name", [...at, "n".repeat(101)], json(1), {
    blamed: at,
    said: "Unknown; accepted: ",
  });
  for (const name of schema["required"] ?? []) {
    const required = { kind: "a required field left out", at: [...at, name], said: "Required." };
    for (const text of [undefined, "null"]) yield { ...required, json: () => text };
  }
  for (const [name, of] of Object.entries(properties)) {
    if (isExactlyOne && isSet && !(name in present)) {
      yield invalidAt("two fields where exactly one is allowed", [...at, name], () => sample(of), {
        blamed: at,
      });
      continue;
    }
    if (isExactlyOne) {
      yield invalidAt("no field where exactly one is required", [...at, name], () => undefined, {
        blamed: at,
      });
      yield invalidAt("no field where exactly one is required", [...at, name], () => "null", { blamed: at });
    }
    yield* wrongValues(of, name, present[name], [...at, name]);
  }
  yield* againstRules(title, at);
}

const POLICY = toPost("/ip_policies");

/** Operations of transactions that are rejected together. */
const WRONG_OPERATIONS: { kind: string; operations: Json[]; blamed: Path }[] = [
  { kind: "none", operations: [], blamed: [] },
  { kind: "501", operations: Array.from({ length: 501 }, () => POLICY), blamed: [] },
  ...[
    ...split(
      "/|/api_keys|/bot_users|/events|/transactions|/sealed_secrets/reseal|/event_types|/health|/agents/a",
    ),
    ...split(
      "//api_keys|/edges/../api_keys|/edges/%2e%2e/api_keys|/event_destinations/ed_1/replay|/event_destinations/ed_1/resume",
    ),
    ...split(
      "/ip_policies?x=1|/ip_policies?|/ip_policies#x|/ip_policies#|/ip_policies/ipp_1?dry_run=true|//ip_policies|/ip_policies/../api_keys|/ip_policies//|/IP_policies",
    ),
    "/ip_policies/ipp_1/access",
    "/event_destinations/ed_1/test",
  ].map((path) => ({
    kind: "not a configuration path",
    operations: [POLICY, { ...POLICY, path }],
    blamed: [1, "path"],
  })),
  ...["$nobody", "$", "$later"].map((id) => ({
    kind: "an unknown name",
    operations: [toDelete(`/ip_policies/${id}`), { ...POLICY, name: "later" }],
    blamed: [0, "path"],
  })),
  {
    kind: "a name twice",
    operations: [
      { ...POLICY, name: "a" },
      { ...POLICY, name: "a" },
    ],
    blamed: [1, "name"],
  },
  {
    kind: "a name for an operation that creates nothing",
    operations: [{ ...POLICY, name: "a" }, toDelete("/ip_policies/$a", { name: "b" })],
    blamed: [1, "name"],
  },
  {
    kind: "a method that the path does not have",
    operations: [POLICY, { ...POLICY, method: "PUT" }],
    blamed: [1, "method"],
  },
  {
    kind: "an unknown field in a body",
    operations: [{ ...POLICY, body: { nonsense: 1 } }],
    blamed: [0, "body", "nonsense"],
  },
  ...["\r\n", '"1"\n', "\0", "\u007f", "é", "\ud800", "x".repeat(8_193), '"x",'.repeat(101)].map(
    (if_match) => ({
      kind: "an if_match that no header can have",
      operations: [POLICY, toPatch("/ip_policies/ipp_1", {}, { if_match })],
      blamed: [1, "if_match"],
    }),
  ),
  {
    kind: "an if_match that is not supported",
    operations: [POLICY, { ...POLICY, if_match: "*" }],
    blamed: [1, "if_match"],
  },
  {
    kind: "no body where one is required",
    operations: [POLICY, { method: "POST", path: "/ip_policy_rules" }],
    blamed: [1, "body"],
  },
];

/** Violations of rules between fields, which the document states in prose only. */
function* againstRules(title: string, at: Path): Generator<Wrong> {
  if (title === "TlsTerminationModuleMutate")
    yield invalidAt("min_version with upstream", at, json({ terminate_at: "upstream", min_version: "1.2" }), {
      blamed: [...at, "min_version"],
    });
  if (title.startsWith("WeightedBackend"))
    for (const weights of [{ bkdhr_1: 0 }, { bkdsc_1: 0, bkdhr_1: 0 }, { bkdhr_1: null, bkdsc_1: 0 }])
      yield invalidAt("all weights 0", [...at, "backends"], json(weights));
  if (title === "IpPolicyRulesReplaceRequest")
    for (const [one, other] of [
      ["192.0.2.0/24", "192.0.2.0/24"],
      ["192.0.2.1", "192.0.2.1/32"],
      ["2001:DB8::/32", "2001:db8:0::/32"],
    ])
      yield invalidAt(
        "a CIDR and action twice",
        [...at, "rules"],
        json([one, other].map((cidr) => ({ cidr, action: "allow" }))),
        { blamed: [...at, "rules", 1] },
      );
  if (title === "TransactionCreate")
    for (const { kind, operations, blamed } of WRONG_OPERATIONS)
      yield invalidAt(`operations: ${kind}`, [...at, "operations"], json(operations), {
        blamed: [...at, "operations", ...blamed],
      });
  if (title === "WebhookVerificationModuleMutate")
    for (const value of [{ provider: "github" }, { provider: "SNS", secret: MARK }])
      yield invalidAt(
        `${value.secret === undefined ? "no" : "a"} secret for ${value.provider}`,
        at,
        json(value),
        { blamed: [...at, "secret"] },
      );
  if (title.startsWith("TlsEdge"))
    for (const mutual of [{}, { enabled: true }, { enabled: null }])
      yield invalidAt(
        "mutual_tls with upstream",
        at,
        json({ mutual_tls: mutual, tls_termination: { terminate_at: "upstream" } }),
        { blamed: [...at, "mutual_tls"] },
      );
}

/** A small value of a schema, as JSON. */
function sample(schema: Json): string {
  const {
    type,
    properties = {},
    required = [],
    maxProperties,
    pattern,
    maximum,
    enum: options,
  } = deref(schema);
  if (options) return JSON.stringify(options[0]);
  // Of weights, not all may be 0.
  if (type === "integer" || type === "number") return JSON.stringify(maximum ?? 1);
  if (type === "boolean") return "true";
  if (type === "array") return "[]";
  const names: string[] = maxProperties === 1 ? Object.keys(properties).slice(0, 1) : required;
  if (type === "object") return `{${names.map((name) => `"${name}":${sample(properties[name])}`).join(",")}}`;
  const [prefix] = prefixesIn(pattern) ?? [];
  return JSON.stringify(prefix === undefined ? MARK : `${prefix}1`);
}

/** Every way to make a value of a schema invalid, as the whole JSON text, and the error's code. */
export const wrongJson = (schema: Json, value: unknown): { kind: string; raw: string; code: string }[] =>
  [...wrongValues(schema, "", value, [])].map(({ kind, at, json, code = invalid.code }) => ({
    kind,
    raw: jsonWith(value, at, json()),
    code,
  }));

const invalid = { status: 400, code: "ERR_INVALID_REQUEST" };

function* bodies(path: string, body: Json, schema: Json): Generator<Breakage> {
  for (const { kind, at, json, blamed = at, code, said } of wrongValues(schema, "", body, []))
    if (at.length > 0 || blamed.length > 0)
      yield breakage(kind, "400 ERR_INVALID_REQUEST", () => ({ raw: jsonWith(body, at, json()) }), {
        blamed: [pointer(blamed)],
        ...(code && { code }),
        ...(said !== undefined && { said }),
      });
  const wrong = Object.entries<Json>(deref(schema)["properties"])
    .slice(0, 3)
    .map(([name, of]) => [name, JSON.parse(WRONG_TYPES[typeOf(of)]?.[1] ?? "1")] as const);
  yield breakage(
    "several errors at once",
    "400 ERR_INVALID_REQUEST",
    () => ({
      raw: JSON.stringify({ ...body, ...Object.fromEntries(wrong), nonsense: 1 }),
      path: `${path}${path.includes("?") ? "&" : "?"}nonsense=1`,
    }),
    { blamed: [...wrong.map(([name]) => `/${name}`), "/nonsense", "nonsense"] },
  );
  const text = JSON.stringify(body);
  const start = text.slice(0, -1) + (text === "{}" ? "" : ",");
  for (const raw of [
    ...split('| |\n\t|[]|null|1|true|"{}"|{}{}|{} x|{,}|{a:1}|{\'a\':1}|{"a":01}|{"a":NaN}|{"a":+1}'),
    `[${text}]`,
    `${text},`,
    text.slice(0, -1),
    text.slice(0, Math.ceil(text.length / 2)),
    `${start}"x":"\u0001"}`,
    `${start}"x":"\\x41"}`,
    `${start}"${MARK}`,
    `${start}"x":${MARK}}`,
    `/**/${text}`,
    `\u00a0${text}`,
    "[".repeat(100_000),
    `{"a":${"[".repeat(50_000)}`,
    `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`,
  ])
    yield breakage("not a JSON object", "400 ERR_INVALID_REQUEST", () => ({ raw }), { blamed: [] });
  yield breakage(
    "more than 10,000 fields",
    "400 ERR_INVALID_REQUEST",
    () => ({
      raw: JSON.stringify(Object.fromEntries(Array.from({ length: ITEMS + 1 }, (_, i) => [`n${i}`, 1]))),
    }),
    { blamed: [""] },
  );
  for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]])
    yield breakage(
      "invalid UTF-8",
      "400 ERR_INVALID_REQUEST",
      () => ({ raw: bytesOf(`${start}"x":"`, bytes, '"}') }),
      { blamed: [] },
    );
  yield breakage(
    "UTF-16",
    "400 ERR_INVALID_REQUEST",
    () => ({
      raw: Uint8Array.from([0xff, 0xfe, ...[...text].flatMap((c) => [c.charCodeAt(0) & 255, 0])]),
    }),
    { blamed: [] },
  );
  for (const length of [undefined, "2", "1048576"])
    yield breakage("one byte over 1 MiB", "413 ERR_TOO_LARGE", () => ({
      raw: bytesOf(text, [], " ".repeat(BODY_BYTES + 1 - bytesOf(text, [], "").byteLength)),
      headers: { "Content-Length": length },
    }));
  const types =
    "|text/plain|application/jsonx|application/ld+json|text/json|*/*|application/x-www-form-urlencoded";
  for (const type of [undefined, ...types.split("|")])
    yield breakage("another media type", "415 ERR_UNSUPPORTED_MEDIA_TYPE", () => ({
      headers: { "Content-Type": type },
    }));
  yield breakage(
    "a compressed body",
    "415 ERR_UNSUPPORTED_MEDIA_TYPE",
    () => ({ raw: GZIP, headers: { "Content-Encoding": "gzip" } }),
    { said: "Content-Encoding" },
  );
}

/** An empty object. */
const GZIP = Uint8Array.of(31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 171, 174, 5, 0, 67, 191, 166, 163, 2, 0, 0, 0);

const encoder = new TextEncoder();

const bytesOf = (before: string, bytes: number[], after: string): Uint8Array =>
  Uint8Array.from([...encoder.encode(before), ...bytes, ...encoder.encode(after)]);

/** Values of optional headers that are rejected, and what the error says. */
const WRONG_HEADERS: Record<string, { values: string[]; said: string }> = {
  "Service-Bookmark": {
    values: [
      ...split("|x|first-primary|first-unconstrained"),
      "0".repeat(68),
      ["0".repeat(8), "0".repeat(8), "0".repeat(8), "0".repeat(32)].join("-"),
      MARK,
    ],
    said: "Expected ",
  },
  "Idempotency-Key": {
    values: ["", "x".repeat(256), MARK.repeat(50), "a\tb", "\u00ff\u00fe"],
    said: "Expected 1 to 255 ASCII characters.",
  },
  "If-Match": {
    values: ["1", "e8a0f3ff-1", '"1" "2"', '"1', "*, *", MARK],
    said: "Expected * or ETags in quotation marks, such as ",
  },
};

/** Preconditions (RFC 9110 §13.1), with a value that a caller might send. */
const PRECONDITIONS: Record<string, string> = {
  "If-Match": '"1"',
  "If-None-Match": "*",
  "If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT",
  "If-Unmodified-Since": "Sun, 06 Nov 1994 08:49:37 GMT",
  "If-Range": '"1"',
};

/** True for a precondition that browsers and caches send automatically to save a transfer. */
export const isHarmless = (method: string, name: string): boolean =>
  method === "GET" && !/^If-(?:Match|Unmodified-Since)$/.test(name);

function* headers({ operation, tokens }: Valid): Generator<Breakage> {
  for (const [name, value] of Object.entries(PRECONDITIONS))
    if (!operation.headers.has(name) && !isHarmless(operation.method, name))
      yield breakage(
        "a precondition that is not supported",
        "400 ERR_INVALID_REQUEST",
        () => ({ headers: { "Sec-Fetch-Site": "same-origin", [name]: value } }),
        { blamed: [name], said: `This operation does not support ${name}. ` },
      );
  if (operation.role === undefined) return;
  for (const [name, { values, said }] of Object.entries(WRONG_HEADERS))
    for (const value of operation.headers.has(name) ? values : [])
      yield breakage(
        `an invalid ${name}`,
        "400 ERR_INVALID_REQUEST",
        () => ({ headers: { [name]: value } }),
        { blamed: [name], said },
      );
  if (operation.headers.has("If-Match"))
    for (const tags of ['"0"', '"1"', '"00000000-1"', '"x", "1000"', "", `"${MARK}"`])
      yield breakage("If-Match that does not match", "412 ERR_PRECONDITION_FAILED", () => ({
        headers: { "If-Match": tags },
      }));
  if (operation.method === "PATCH")
    yield breakage("If-None-Match that matches", "412 ERR_PRECONDITION_FAILED", () => ({
      headers: { "If-None-Match": "*" },
    }));
  // Browsers and Prometheus cannot send a version.
  const isVersioned = operation.headers.has("Service-Version");
  for (const version of isVersioned ? [undefined, ...split("|1|3|2.0|02|2, 2|two|0x2"), MARK] : [])
    yield breakage(
      "an unsupported version",
      "400 ERR_UNSUPPORTED_VERSION",
      () => ({ headers: { "Service-Version": version } }),
      { said: "Supported versions: 2." },
    );
  const root = env.ROOT_API_KEY ?? "";
  const others = [MARK, `${root} x`, root.slice(0, -1)].map((key) => `Bearer ${key}`);
  for (const Authorization of [undefined, "", "Bearer", ...others, `Basic ${MARK}`, `Basic ${root}`, MARK])
    yield breakage("no valid key", "401 ERR_UNAUTHENTICATED", () => ({ headers: { Authorization } }));
  for (const [role, token] of Object.entries(tokens))
    if (operation.role === "admin" || (operation.role === "editor" && role === "viewer"))
      yield breakage("an insufficient role", "403 ERR_FORBIDDEN", () => ({ token }));
}

/** Values of a query parameter that are rejected. */
function wrongParameters(name: string, schema: Json): string[] {
  if (schema["type"] === "integer")
    return [
      String(schema["minimum"] - 1),
      String(schema["maximum"] + 1),
      ...split(" 1|1 |+1|01|1e1|1.0|1.5|-1|0x1|x|١|null||1,1|9007199254740993"),
    ];
  if (isNamed(name)) return WRONG_TEXTS[name];
  const [prefix] = prefixesIn(schema["pattern"]) ?? [];
  if (prefix !== undefined)
    return [
      ...split("|x|zz_1|null|nobody_123|\0"),
      MARK,
      prefix === "bot_" ? "ipp_1" : "bot_1",
      ...["", "%", "!", "a b", "1".repeat(65)].map((end) => prefix + end),
    ];
  if (!isAnyText(deref(schema)) || schema["format"] === "date-time")
    return [MARK, ...split("|x|zz_1|null|ev_1|a/b|.|2026-01-02|2026-01-02T03:04:05|2026-02-30T03:04:05Z")];
  return ["", ...LETTERS.map((letter) => textOf(letter, schema["maxLength"] + 1))];
}

/** A value of a query parameter that is accepted. */
function rightParameter(name: string, schema: Json): string {
  if (schema["type"] === "integer") return "5";
  if (schema["type"] === "boolean") return "true";
  if (name === "hostport") return "a:1";
  if (name === "ip") return "192.0.2.1";
  if (schema["examples"]) return schema["examples"][0];
  if (schema["format"] === "date-time") return "2030-01-02T03:04:05Z";
  return `${prefixesIn(schema["pattern"])?.[0] ?? ""}1`;
}

/** The path of a valid request with `query` and the required parameters, except those in `without`. */
function withQuery({ operation, path }: Valid, without: string[], query = ""): string {
  const required = operation.query
    .filter((one) => one["required"] && !without.includes(one["name"]))
    .map(({ name, schema }) => `${name}=${encodeURIComponent(rightParameter(name, schema))}`);
  const all = [...required, ...(query === "" ? [] : [query])];
  return all.length === 0 ? path : `${path}?${all.join("&")}`;
}

function* queries(valid: Valid): Generator<Breakage> {
  const { operation, path } = valid;
  const broken = (query: string, blamed: string, kind: string, said?: string): Breakage => ({
    kind,
    draft: () => ({ path: withQuery(valid, [blamed], query) }),
    ...invalid,
    blamed: [blamed],
    ...(said !== undefined && { said }),
  });
  const unknown = `Unknown; accepted: ${operation.query.map(({ name }) => name).join(", ") || "none"}.`;
  for (const name of ["nonsense", "Limit", "limit[]", "__proto__", "constructor", "id", "é"])
    yield broken(`${encodeURIComponent(name)}=${MARK}`, name, "an unknown parameter", unknown);
  for (const query of ["=1", "=", "a=b?&=1"]) yield broken(query, "", "a parameter without a name");
  for (const { name, schema } of operation.query) {
    // An agent's name can be almost anything.
    const isWrong = (value: string) =>
      schema["pattern"] === undefined || !new RegExp(schema["pattern"]).test(value);
    const { type, minimum, maximum, maxLength } = schema;
    const saidOf = (value: string) =>
      type === "integer"
        ? `Expected a whole number from ${minimum} to ${maximum}.`
        : isNamed(name) || name === "after" || !isAnyText(deref(schema))
          ? undefined
          : value === ""
            ? "Must not be empty."
            : `Longer than ${maxLength} bytes in UTF-8.`;
    for (const value of wrongParameters(name, schema).filter(isWrong))
      yield broken(`${name}=${encodeURIComponent(value)}`, name, `an invalid ${name}`, saidOf(value));
    yield broken(name, name, `an invalid ${name}`);
    const right = `${name}=${encodeURIComponent(rightParameter(name, schema))}`;
    for (const query of [`${right}&${right}`, `${right}&${name}=6`, `${name}&a%20&${name}&${name}`])
      yield broken(query, name, "a repeated parameter", "Send this parameter only once.");
  }
  for (const { name } of operation.query.filter((one) => one["required"]))
    yield broken("", name, "a required parameter left out");
  // The log's filters can be combined, and so can the parameters of these.
  const filters = [
    "/events",
    "/problems",
    "/access",
    "/plans",
    "/serving",
    "/certificates",
    "/snapshot/changes",
    "/traffic",
  ].includes(operation.path)
    ? []
    : operation.query.filter(({ name }) => !/^(?:limit$|after$|before_)/.test(name));
  for (const [i, one] of filters.entries())
    for (const other of filters.slice(i + 1))
      yield breakage(
        "two filters",
        "400 ERR_INVALID_REQUEST",
        () => {
          const both = [one, other].map(({ name, schema }) => [name, rightParameter(name, schema)]);
          return { path: `${path}?${new URLSearchParams(both).toString()}` };
        },
        {
          blamed: [one["name"], other["name"]],
          said: "Only one filter is accepted at a time: send one of ",
        },
      );
}

function* paths(valid: Valid): Generator<Breakage> {
  const { operation, path, isManaged } = valid;
  const segments = path.split("/");
  for (const [place, name] of operation.path.split("/").entries()) {
    const { prefix = "" } = operation.ids.find((id) => name === `{${id.name}}`) ?? {};
    if (prefix === "") continue;
    const atSegment = (segment: string) => ({
      path: withQuery({ ...valid, path: segments.with(place, segment).join("/") }, []),
    });
    const at = (id: string) => atSegment(encodeURIComponent(id));
    for (const id of [
      "x",
      prefix,
      `${prefix}!`,
      prefix + "1".repeat(65),
      `${prefix}\0`,
      `${prefix}a\n`,
      "😀",
      "' or 1=1--",
      MARK,
      "zz_1",
      prefix === "bot_" ? "ipp_1" : "bot_1",
      `${prefix}a-`,
      "a".repeat(5_000),
    ])
      yield breakage("a malformed id in the path", "404 ERR_NOT_FOUND", () => at(id));
    const own = segments[place] ?? "";
    for (const id of [own.toUpperCase(), ` ${own}`, `${own} `, `${own}/`, `${own}%`])
      yield breakage("a malformed id in the path", "404 ERR_NOT_FOUND", () => at(id));
    yield breakage("an id that is not UTF-8 in the path", "404 ERR_NOT_FOUND", () => atSegment(`${own}%ff`));
    // The modules of an unknown HTTPS edge, and of its routes, are assumed to be managed elsewhere.
    const mayBeElsewhere = prefix === "edghts_" && isModule(operation);
    if (isManaged && !mayBeElsewhere)
      yield breakage("an unknown id in the path", "404 ERR_NOT_FOUND", () =>
        at(`${prefix}000000000000000000000000000`),
      );
  }
  if (operation.path.endsWith("/{type}"))
    for (const type of [
      path.endsWith("/ip_policy_deleted.v0") ? "ip_policy_created.v0" : "ip_policy_deleted.v0",
      "nothing",
      MARK,
      "%00",
      "%ff",
      "a".repeat(5_000),
    ])
      yield breakage("a source that does not exist", "404 ERR_NOT_FOUND", () => ({
        path: path.replace(/[^/]*$/, type),
      }));
  for (const other of [
    `${path}//`,
    `${path}/x/y/z`,
    `/${path}`,
    path.replace(/^\/\w/, (start) => start.toUpperCase()),
  ])
    yield breakage("no such path", "404 ERR_NO_SUCH_PATH", () => ({ path: other }));
}

function* methods({ operation }: Valid): Generator<Breakage> {
  const allowed = methodsOf(operation.path);
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "PURGE"])
    if (!allowed.includes(method))
      yield breakage("another method", "405 ERR_METHOD_NOT_ALLOWED", () => ({ method }));
}

/** The order in which requests are checked. */
const ORDER = [
  "ERR_NO_SUCH_PATH",
  "ERR_METHOD_NOT_ALLOWED",
  "ERR_UNAUTHENTICATED",
  "ERR_UNSUPPORTED_VERSION",
  "ERR_FORBIDDEN",
  "ERR_UNSUPPORTED_MEDIA_TYPE",
  "ERR_TOO_LARGE",
  "ERR_INVALID_REQUEST",
  "ERR_NOT_FOUND",
  "ERR_UNKNOWN_REFERENCE",
  "ERR_PRECONDITION_FAILED",
];

/** The parts that the valid request sends, in which drafts can differ from it. */
const SENT: Record<string, unknown> = { "Content-Type": "application/json", "Service-Version": "2" };

/** The parts of a request that a draft states, by name. */
const partsOf = ({ method, path, raw, token, headers = {} }: Draft): [name: string, value: unknown][] => [
  ...Object.entries({ method, path, raw, Authorization: token }).filter(([, value]) => value !== undefined),
  ...Object.entries(headers),
];

/**
 * A request that is invalid in two ways, with the error of the first check. Undefined if both state the same part with
 * different values, because only one of them could be sent.
 */
export function both(one: Breakage, other: Breakage): Breakage | undefined {
  if (one.code === other.code) return undefined;
  const [first, second] = ORDER.indexOf(one.code) < ORDER.indexOf(other.code) ? [one, other] : [other, one];
  const [a, b] = [first.draft(), second.draft()];
  const stated = new Map(partsOf(a));
  if (partsOf(b).some(([name, value]) => stated.has(name) && stated.get(name) !== value)) return undefined;
  return {
    ...first,
    kind: "two ways combined",
    draft: () => ({ ...b, ...a, headers: { ...b.headers, ...a.headers } }),
  };
}

/**
 * A breakage whose draft must state what differs from the valid request. Otherwise another breakage could add what the
 * draft only omits, and nothing would be broken.
 */
function stated(valid: Valid, { draft, ...rest }: Breakage): Breakage {
  const sent: Record<string, unknown> = {
    ...SENT,
    method: valid.operation.method,
    path: pathOf(valid),
    raw: valid.body && JSON.stringify(valid.body),
  };
  return {
    ...rest,
    draft() {
      const given = draft();
      if (!partsOf(given).some(([name, value]) => name === "Authorization" || sent[name] !== value))
        throw new Error(`the draft of "${rest.kind}" does not differ from the valid request`);
      return given;
    },
  };
}

/** The path of the valid request, with the query that it needs. */
export const pathOf = (valid: Valid): string => withQuery(valid, []);

/** Every way to make one valid request invalid. */
export const breakagesOf = (valid: Valid): Breakage[] =>
  [
    ...(valid.operation.body && valid.body ? bodies(pathOf(valid), valid.body, valid.operation.body) : []),
    ...headers(valid),
    ...queries(valid),
    ...paths(valid),
    ...methods(valid),
  ].map((breakage) => stated(valid, breakage));

/** Sends an invalid request and checks that it is rejected with the expected error. */
export async function expectRejected(valid: Valid, breakage: Breakage): Promise<Answer> {
  const { operation, body } = valid;
  const { kind, draft, status, code, blamed, said } = breakage;
  const { method = operation.method, path = pathOf(valid), raw, headers, token } = draft();
  const sent = method === "GET" ? undefined : (raw ?? (body && JSON.stringify(body)));
  countKind(kind);
  const answer = await ask(operation.id, method, path, undefined, {
    ...(headers && { headers }),
    ...(token !== undefined && { token }),
    ...(sent !== undefined && { raw: sent }),
  });
  const shown = typeof sent === "string" ? sent.slice(0, 2_000) : "";
  const what = `${kind}: ${method} ${path.slice(0, 200)} ${shown}\n${answer.text}`;
  expect(`${answer.status} ${answer.body.error_code}`, what).toBe(`${status} ${code}`);
  if (said !== undefined) expect(answer.text, what).toContain(said);
  // The use of a key is recorded even if the request is rejected.
  if (token === undefined) expect(answer.cost.rowsWritten, what).toBe(0);
  const named = answer.body["errors"]?.map((error: Json) => error["path"]);
  if (blamed) expect(named, what).toEqual(blamed.length > 0 ? expect.arrayContaining(blamed) : undefined);
  if (status === 401) expect(answer.headers.get("WWW-Authenticate"), what).toBe("Bearer");
  if (status === 405) {
    const allow = answer.headers.get("Allow")?.split(", ").toSorted();
    expect(allow, what).toEqual(methodsOf(operation.path).toSorted());
  }
  return answer;
}
