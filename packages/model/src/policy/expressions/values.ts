import type { AddressVariable, Bool, Int, Lines, Need, Phase, Text } from "../base/program.ts";
import type { Node } from "./parse.ts";

/** What a variable of `set-vars` is, by its name, and the values of lists in the order of their assignments. */
export type VarType = { type: "string" | "int" | "bool" } | { type: "list"; values: (string | number)[][] };

/** Where an expression is, and what it can refer to. */
export interface ExpressionScope {
  phase: Phase;
  vars: Map<string, VarType>;
  /** Kept by earlier actions. */
  kept: Set<Kept>;
  /** What the edge must do for this program: filled in. */
  needs: Set<Need>;
  /** Counts the program's patterns. @throws Wrong if there are too many */
  addPattern(source: string, at: number): string;
  /** Counts lines that an expression is rendered to at least. @throws Wrong if the program has too many */
  addLines(lines: number, at: number): void;
  /** Parses an expression. @throws Wrong */
  parse(text: string): Node;
}

/** Results that actions keep for later rules. */
export type Kept = "restrict_ips.action" | "rate_limit.limited" | "basic_auth.credentials.authorized";

/** A part of an expression, with its type. */
export type ExpressionValue =
  | { type: "bool"; bool: Bool }
  | { type: "string"; text: Text }
  | { type: "int"; int: Int }
  | { type: "address"; address: AddressVariable }
  /** A list of all lines of a header. */
  | { type: "lines"; of: Lines }
  /** A list of which only the first value can be asked. */
  | { type: "first"; text: Text }
  | { type: "cookies"; name: string }
  | { type: "cookie"; name: string }
  | { type: "map"; of: "header" | "response_header" | "query_param" | "cookie" }
  | { type: "literal"; value: string | number | boolean }
  | { type: "literals"; values: (string | number)[] }
  | { type: "var_list"; name: string; values: (string | number)[][] }
  | { type: "now" }
  | { type: "time"; seconds: number };

/** What a type is called in messages. */
export const typeNames: Record<ExpressionValue["type"], string> = {
  bool: "a condition",
  string: "a string",
  int: "a number",
  address: "an IP address",
  lines: "a list of strings",
  first: "a list of strings",
  cookies: "a list of cookies",
  cookie: "a cookie",
  map: "a map",
  literal: "a literal",
  literals: "a list of literals",
  var_list: "a list",
  now: "the time",
  time: "a time",
};
