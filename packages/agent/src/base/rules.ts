import { quote } from "./quote.ts";

/** The start of a line that is a rule for requests or connections. */
export type RuleKind = "tcp-request connection" | "tcp-request content" | "http-request";

/** The scope of the variables in rules. Before a request, there is no transaction. */
export const scopeOf = (rule: RuleKind): "sess" | "txn" => (rule === "http-request" ? "txn" : "sess");

/** Returns a function that makes rules that set variables. @param rule the kind of these rules */
export const setter =
  (rule: RuleKind) =>
  (name: string, fetch: string, condition = ""): string =>
    `${rule} set-var(${scopeOf(rule)}.${name}) ${quote(fetch)}${condition}`;

/** The rule of a kind that rejects a request, with a status, or a connection. */
export const rejectionBy = (rule: RuleKind, status: 403 | 503): string =>
  rule === "http-request" ? `http-request deny deny_status ${status}` : `${rule} reject`;
