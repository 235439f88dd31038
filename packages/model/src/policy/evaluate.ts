import type { AddressVariable, Bool, Int, Lines, TextPart, Text, TextTest } from "./base/program.ts";
import type { Matching } from "./regex.ts";

/*
 * What expressions are on a request. Strings are bytes: a character from U+0000 to U+00FF stands for a byte. Undefined is an
 * error.
 */

/** A header line: its name in lower case, and its value in bytes. */
export type HeaderLine = [name: string, value: string];

/** An address, and every network that contains it, in canonical form. */
interface Peer {
  ip: string;
  networks: readonly string[];
  port: number;
}

interface Tls {
  sni: string;
  version: string;
  alpn: string;
  clientCommonName: string | undefined;
}

/** What expressions are asked of. Actions change it. */
export interface Situation {
  method: string;
  /** Path and query, as sent. */
  target: string;
  headers: HeaderLine[];
  client: Peer;
  server: Peer;
  tls: Tls | undefined;
  response: { status: number; headers: HeaderLine[] } | undefined;
  /** Seconds since the Unix epoch. */
  now: number;
  vars: Map<string, string | number | boolean>;
  kept: { limited?: boolean; authorized?: boolean; restrictIpsAction?: string };
  matching: Matching;
}

const encoder = new TextEncoder();

/** The bytes of a string in UTF-8, as characters. */
export const bytesOf = (text: string): string =>
  Array.from(encoder.encode(text), (byte) => String.fromCharCode(byte)).join("");

/** The string that bytes are in UTF-8. */
export const textOf = (bytes: string): string =>
  new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));

/** Decodes escapes. Undefined if one is incomplete, or not hexadecimal. */
export const unescaped = (bytes: string): string | undefined =>
  /%(?![0-9a-fA-F]{2})/.test(bytes)
    ? undefined
    : bytes.replaceAll(/%([0-9a-fA-F]{2})/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );

/** The same without NUL, which is an error. */
const decoded = (bytes: string): string | undefined => (bytes.includes("%00") ? undefined : unescaped(bytes));

/** A byte as an escape in a URL. */
export const escapeOf = (byte: string): string =>
  `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

/** Without spaces and tabs at both ends. A pattern for the end would be tried at each space inside. */
export function trimmed(text: string): string {
  const isBlank = (at: number): boolean => text[at] === " " || text[at] === "\t";
  let [start, end] = [0, text.length];
  while (start < end && isBlank(start)) start++;
  while (end > start && isBlank(end - 1)) end--;
  return text.slice(start, end);
}

/** The values of the lines of a header. */
export const linesOf = ({ headers, response }: Situation, { from, name }: Lines): string[] =>
  (from === "header" ? headers : (response?.headers ?? []))
    .filter(([each]) => each === name)
    .map(([, value]) => value);

const queryOf = ({ target }: Situation): string => {
  const at = target.indexOf("?");
  return at === -1 ? "" : target.slice(at + 1);
};

const rawPathOf = ({ target }: Situation): string => target.split("?", 1)[0] ?? "";

/** The parameters of a query. Undefined if a name is encoded: it could hide one. */
function parametersOf(query: string): [string, string][] | undefined {
  const pairs = query.split("&").map((pair): [string, string] => {
    const at = pair.indexOf("=");
    return at === -1 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
  });
  return pairs.some(([name]) => /[%+]/.test(name)) ? undefined : pairs;
}

function parameter(situation: Situation, wanted: string): string | undefined {
  const query = queryOf(situation);
  const found = query === "" ? undefined : parametersOf(query)?.find(([name]) => name === wanted);
  return found && !query.includes("%00") ? decoded(found[1].replaceAll("+", " ")) : undefined;
}

const cookiesOf = (line: string): [string, string][] =>
  line
    .split(";")
    .filter((pair) => pair.includes("="))
    .map((pair) => [trimmed(pair.slice(0, pair.indexOf("="))), trimmed(pair.slice(pair.indexOf("=") + 1))]);

function cookie(situation: Situation, wanted: string): string | undefined {
  const lines = linesOf(situation, { from: "header", name: "cookie" });
  const [line] = lines;
  situation.matching.read(line?.length ?? 0);
  if (line === undefined || lines.length > 1) return undefined;
  const [found, ...more] = cookiesOf(line).filter(([name]) => name === wanted);
  return more.length > 0 ? undefined : found?.[1];
}

/** A string of a request. Undefined is an error. @throws TooManySteps */
export function textIn(situation: Situation, text: Text): string | undefined {
  const { target, matching } = situation;
  if (text.from === "path" || text.from === "query_param") matching.read(target.length);
  const found = lookedUp(situation, text);
  matching.read(found?.length ?? 0);
  return found;
}

function lookedUp(situation: Situation, text: Text): string | undefined {
  const first = (name: string): string | undefined => linesOf(situation, { from: "header", name })[0];
  switch (text.from) {
    case "method":
      return situation.method;
    case "path":
      return decoded(rawPathOf(situation));
    case "raw_path":
      return rawPathOf(situation);
    case "query":
      return queryOf(situation);
    case "uri":
      return situation.target;
    case "host":
      return first("host");
    case "user_agent":
      return first("user-agent") ?? "";
    case "content_type": {
      const [type] = first("content-type")?.split(";", 1) ?? [];
      return type === undefined ? undefined : lower(trimmed(type));
    }
    case "sni":
      return situation.tls?.sni ?? "";
    case "tls_version":
      return situation.tls?.version ?? "";
    case "alpn":
      return situation.tls?.alpn ?? "";
    case "client_common_name":
      return situation.tls?.clientCommonName;
    case "line":
      return linesOf(situation, text.of)[text.index];
    case "query_param":
      return parameter(situation, text.name);
    case "cookie":
      return cookie(situation, text.name);
    case "var": {
      const value = situation.vars.get(text.name);
      return typeof value === "string" ? value : undefined;
    }
    case "restrict_ips_action":
      return situation.kept.restrictIpsAction;
    case "lower":
    case "upper": {
      const of = textIn(situation, text.of);
      if (of === undefined) return undefined;
      return text.from === "lower" ? lower(of) : upper(of);
    }
  }
}

const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text);

/** Changes ASCII letters only. */
const lower = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
const upper = (text: string): string => text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());

/** A number of a request. Undefined is an error. */
function intIn(situation: Situation, int: Int): number | undefined {
  switch (int.from) {
    case "content_length": {
      const [line] = linesOf(situation, { from: "header", name: "content-length" });
      return line !== undefined && /^\d{1,15}$/.test(line) ? Number(line) : undefined;
    }
    case "client_port":
      return situation.client.port;
    case "server_port":
      return situation.server.port;
    case "status_code":
      return situation.response?.status;
    case "count":
      return linesOf(situation, int.of).length;
    case "size": {
      const of = textIn(situation, int.of);
      return of !== undefined && isAscii(of) ? of.length : undefined;
    }
    case "var": {
      const value = situation.vars.get(int.name);
      return typeof value === "number" ? value : undefined;
    }
  }
}

const peerOf = (situation: Situation, address: AddressVariable): Peer =>
  address === "client_ip" ? situation.client : situation.server;

function passes(situation: Situation, test: TextTest, text: string, value: string): boolean {
  if (test === "matches") return situation.matching.matches(value, text);
  const wanted = literal(situation, value);
  if (test === "contains") situation.matching.read(text.length);
  switch (test) {
    case "is":
      return text === wanted;
    case "begins":
      return text.startsWith(wanted);
    case "ends":
      return text.endsWith(wanted);
    case "contains":
      return text.includes(wanted);
  }
}

const orders = {
  "==": (a: number, b: number) => a === b,
  "<": (a: number, b: number) => a < b,
  "<=": (a: number, b: number) => a <= b,
  ">": (a: number, b: number) => a > b,
  ">=": (a: number, b: number) => a >= b,
};

/** A condition on a request. Undefined is an error. */
export function holds(situation: Situation, bool: Bool): boolean | undefined {
  switch (bool.op) {
    case "const":
      return bool.value;
    case "error":
      return undefined;
    case "not": {
      const of = holds(situation, bool.of);
      return of === undefined ? undefined : !of;
    }
    case "and":
    case "or": {
      // False ends a conjunction and true a disjunction, whatever the rest is.
      const ending = bool.op === "or";
      const all = new Set(bool.of.map((each) => holds(situation, each)));
      if (all.has(ending)) return ending;
      return all.has(undefined) ? undefined : !ending;
    }
    case "if": {
      const condition = holds(situation, bool.if);
      return condition === undefined ? undefined : holds(situation, condition ? bool.yes : bool.no);
    }
    case "text": {
      const text = textIn(situation, bool.text);
      return text === undefined
        ? undefined
        : bool.values.some((value) => passes(situation, bool.test, text, value));
    }
    case "same": {
      const [a, b] = [textIn(situation, bool.a), textIn(situation, bool.b)];
      return a === undefined || b === undefined ? undefined : a === b;
    }
    case "line":
      return linesOf(situation, bool.of).some((line) =>
        bool.values.some((value) => passes(situation, bool.test, line, value)),
      );
    case "int": {
      const int = intIn(situation, bool.int);
      return int === undefined ? undefined : orders[bool.order](int, bool.value);
    }
    case "address":
      return bool.in.some((range) => peerOf(situation, bool.address).networks.includes(range));
    case "has":
      return has(situation, bool.map, bool.name);
    case "time":
      return orders[bool.order](situation.now, bool.value);
    case "var": {
      const value = situation.vars.get(bool.name);
      return typeof value === "boolean" ? value : undefined;
    }
    case "kept":
      return situation.kept[bool.name];
  }
}

function has(situation: Situation, map: "query_param" | "cookie", wanted: string): boolean | undefined {
  const { target, matching } = situation;
  if (map === "cookie")
    return linesOf(situation, { from: "header", name: "cookie" }).some((line) => {
      matching.read(line.length);
      return cookiesOf(line).some(([name]) => name === wanted);
    });
  matching.read(target.length);
  return parametersOf(queryOf(situation))?.some(([name]) => name === wanted);
}

/** A value as a part of a string. An error is nothing. */
function partIn(situation: Situation, part: TextPart): string {
  if (typeof part === "string") return literal(situation, part);
  if ("address" in part) return peerOf(situation, part.address).ip;
  const value =
    "text" in part
      ? textIn(situation, part.text)
      : "int" in part
        ? intIn(situation, part.int)
        : holds(situation, part.bool);
  return value === undefined ? "" : String(value);
}

/** A literal string, in bytes. */
function literal({ matching }: Situation, text: string): string {
  matching.read(text.length);
  return bytesOf(text);
}

/** Control characters as they are sent: encoded. */
export const encodedControls = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\u0080-\u009F]/gu, escapeOf);

/** The string that parts make, in bytes, as it is kept. */
export const keptText = (situation: Situation, parts: TextPart[]): string =>
  parts.map((part) => partIn(situation, part)).join("");

/** The string that parts make, in bytes, as it is sent. */
export const composed = (situation: Situation, parts: TextPart[]): string =>
  parts
    .map((part) =>
      typeof part === "string" ? literal(situation, part) : encodedControls(partIn(situation, part)),
    )
    .join("");
