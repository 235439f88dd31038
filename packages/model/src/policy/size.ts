import {
  type Action,
  type Bool,
  type Int,
  type TextPart,
  phases,
  type Program,
  type Text,
} from "./base/program.ts";

/*
 * How many lines of a proxy's configuration a program takes at most. Tests compare this with what is rendered.
 */

const TEXT: Record<Exclude<Text["from"], "lower" | "upper">, number> = {
  method: 1,
  path: 1,
  raw_path: 1,
  query: 2,
  uri: 1,
  host: 2,
  user_agent: 4,
  content_type: 3,
  sni: 2,
  tls_version: 2,
  alpn: 2,
  client_common_name: 1,
  line: 2,
  query_param: 4,
  cookie: 2,
  var: 0,
  restrict_ips_action: 0,
};

/** One more line keeps what rules for responses ask of the request. */
const ofText = (text: Text): number =>
  text.from === "lower" || text.from === "upper" ? ofText(text.of) + 1 : TEXT[text.from] + 1;

const ofInt = (int: Int): number => (int.from === "size" ? 1 + ofText(int.of) : 1);

/** Lines that keep a condition in a variable: one for each alternative. */
const KEPT = 2;

/** One line, or one for each 20 values and one for an empty string. */
const ofValues = ({ length }: string[]): number => (length <= 6 ? KEPT : 2 + Math.ceil(length / 20));

function ofBool(bool: Bool): number {
  switch (bool.op) {
    case "const":
    case "error":
    case "var":
    case "kept":
    case "time":
      return KEPT;
    case "line":
      return ofValues(bool.values);
    case "has":
      return KEPT + 3;
    case "not":
      return ofBool(bool.of);
    case "and":
    case "or":
      return bool.of.reduce((sum, each) => sum + ofBool(each) + 3, -3);
    case "if":
      return ofBool(bool.if) + ofBool(bool.yes) + ofBool(bool.no) + 4;
    case "text":
      return ofText(bool.text) + (bool.test === "matches" ? 2 + KEPT : ofValues(bool.values));
    case "same":
      return ofText(bool.a) + ofText(bool.b) + 4;
    case "int":
      return ofInt(bool.int) + (bool.int.from === "size" ? KEPT : 0);
    case "address":
      return 3 + Math.ceil(bool.in.length / 20);
  }
}

function ofPart(part: TextPart): number {
  if (typeof part === "string" || "address" in part) return 1;
  if ("text" in part) return ofText(part.text) + 2;
  return "int" in part ? ofInt(part.int) + 2 : ofBool(part.bool) + 3;
}

const ofParts = (parts: TextPart[]): number => parts.reduce((sum, part) => sum + ofPart(part), 2);
const ofHeaders = (headers: [string, TextPart[]][]): number =>
  headers.reduce((sum, [, value]) => sum + ofParts(value) + 1, 0);

function ofAction(action: Action): number {
  switch (action.do) {
    case "respond":
      return 2 + ofParts(action.body) + ofHeaders(action.headers);
    case "redirect":
    case "rewrite":
      return (
        12 +
        ("to" in action.to ? ofParts(action.to.to) : 1) +
        ("headers" in action ? ofHeaders(action.headers) : 0)
      );
    case "add_headers":
      return ofHeaders(action.headers) * 2;
    case "rate_limit":
      return 6 + action.key.reduce((sum, part) => sum + ofPart(part) + 5, 0);
    case "jwt":
      return 30 + action.key_urls.length * action.algorithms.length * 20;
    case "set_vars":
      return action.vars.reduce((sum, { value }) => sum + ("text" in value ? ofParts(value.text) : 1), 0);
    case "restrict_ips":
      return 10 + Math.ceil((action.allow.length + action.deny.length) / 20) * 4;
    case "basic_auth":
      return 8 + action.credentials.length * 2;
    case "remove_headers":
      return action.names.length;
    case "deny":
    case "close":
    case "compress":
    case "log":
      return 1;
  }
}

/** The most lines that a program is rendered to. */
export const linesOf = ({ rules }: Program): number =>
  phases
    .flatMap((phase) => rules[phase])
    .reduce(
      (sum, { expressions, actions }) =>
        sum +
        4 +
        expressions.reduce((all, bool) => all + ofBool(bool), 0) +
        actions.reduce((all, action) => all + ofAction(action), 0),
      0,
    );
