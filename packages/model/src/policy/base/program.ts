/*
 * A compiled policy: typed JSON without CEL, YAML or defaults. The service compiles policies, agents render programs, and the
 * evaluator runs them.
 */

export const phases = ["on_tcp_connect", "on_http_request", "on_http_response"] as const;
export type Phase = (typeof phases)[number];

export const plainTexts = [
  "method",
  "path",
  "raw_path",
  "query",
  "uri",
  "host",
  "user_agent",
  "content_type",
  "sni",
  "tls_version",
  "alpn",
  "client_common_name",
] as const;
export const plainInts = ["content_length", "client_port", "server_port", "status_code"] as const;
export const addresses = ["client_ip", "server_ip"] as const;
export const textTests = ["is", "begins", "ends", "contains", "matches"] as const;
export const orders = ["==", "<", "<=", ">", ">="] as const;
export const keptFlags = ["limited", "authorized"] as const;

/** All lines of a header. */
export interface Lines {
  from: "header" | "response_header";
  /** In lower case. */
  name: string;
}

/** A string that a request, a connection or a variable has, or an error. */
export type Text =
  | { from: (typeof plainTexts)[number] }
  | { from: "line"; of: Lines; index: number }
  | { from: "query_param" | "cookie" | "var"; name: string }
  | { from: "restrict_ips_action" }
  | { from: "lower" | "upper"; of: Text };

/** A number, or an error. */
export type Int =
  | { from: (typeof plainInts)[number] }
  | { from: "count"; of: Lines }
  | { from: "size"; of: Text }
  | { from: "var"; name: string };

export type AddressVariable = (typeof addresses)[number];
export type TextTest = (typeof textTests)[number];
export type Order = (typeof orders)[number];

/** A condition: true, false, or an error. */
export type Bool =
  | { op: "const"; value: boolean }
  | { op: "error" }
  | { op: "not"; of: Bool }
  | { op: "and"; of: Bool[] }
  | { op: "or"; of: Bool[] }
  | { op: "if"; if: Bool; yes: Bool; no: Bool }
  /** True if the test holds for at least one of the values. `matches` has one value: a pattern. */
  | { op: "text"; text: Text; test: TextTest; values: string[] }
  | { op: "same"; a: Text; b: Text }
  /** True if the test, which is not `matches`, holds for at least one line and one value. */
  | { op: "line"; of: Lines; test: TextTest; values: string[] }
  | { op: "int"; int: Int; order: Order; value: number }
  | { op: "address"; address: AddressVariable; in: string[] }
  | { op: "has"; map: "query_param" | "cookie"; name: string }
  /** Compares the time, in whole seconds since the Unix epoch. */
  | { op: "time"; order: Order; value: number }
  | { op: "var"; name: string }
  | { op: "kept"; name: (typeof keptFlags)[number] };

/** A part of a string that is composed for each request: constant, or a value, which is empty if it is an error. */
export type TextPart = string | { text: Text } | { int: Int } | { address: AddressVariable } | { bool: Bool };

/** A new URL: composed, or made from the old URL by replacing every match of a pattern. `$1` is the first group. */
export type To = { to: TextPart[] } | { pattern: string; replacement: (string | number)[] };

export type HeaderParts = [name: string, value: TextPart[]][];

export type VarValue = { text: TextPart[] } | { int: number } | { bool: boolean };

export type Action =
  | { do: "deny"; status: number }
  | { do: "close" }
  | { do: "respond"; status: number; type: string; body: TextPart[]; headers: HeaderParts }
  | { do: "redirect"; status: number; to: To; headers: HeaderParts }
  | { do: "rewrite"; to: To }
  | { do: "add_headers"; headers: HeaderParts }
  | { do: "remove_headers"; names: string[] }
  | { do: "restrict_ips"; allow: string[]; deny: string[]; enforce: boolean }
  | { do: "rate_limit"; name: string; capacity: number; seconds: number; key: TextPart[]; enforce: boolean }
  | {
      do: "basic_auth";
      credentials: { user: string; sha256: string }[];
      realm: string;
      enforce: boolean;
    }
  | {
      do: "jwt";
      header: string;
      prefix: string;
      issuers: string[];
      audiences: string[];
      algorithms: string[];
      key_urls: string[];
    }
  | { do: "set_vars"; vars: { name: string; value: VarValue }[] }
  | { do: "compress"; algorithms: string[] }
  | { do: "log" };

export interface Rule {
  name: string | null;
  expressions: Bool[];
  actions: Action[];
}

/** What a program needs of its edge. */
export const needs = ["tls_termination", "mutual_tls"] as const;
export type Need = (typeof needs)[number];

export interface Program {
  needs: Need[];
  rules: Record<Phase, Rule[]>;
}
