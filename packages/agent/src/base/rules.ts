import type { Denial } from "../../../model/src/traffic/counts.ts";
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

/** What can reject a request or a connection, as it is logged. */
export type RejectionReason = Denial | "rate_limit" | "circuit_breaker";

/** The action that says why the rule after it rejects, and the one that says that it does not. */
export const saying = (reason: RejectionReason): string => `set-var(txn.why) str(${reason})`;
export const SAYING_NOTHING = "unset-var(txn.why)";

/** Rules of a module that can reject. The one that does ends the rules, so the log has the reason. */
export const rejectingFor = (
  rule: "tcp-request content" | "http-request" | "http-response",
  reason: RejectionReason,
  rules: readonly string[],
): readonly string[] =>
  rules.length === 0 ? rules : [`${rule} ${saying(reason)}`, ...rules, `${rule} ${SAYING_NOTHING}`];

/** The rule of a kind that rejects a request, with a status, or a connection. */
export const rejectionBy = (rule: RuleKind, status: 403 | 503): string =>
  rule === "http-request" ? `http-request deny deny_status ${status}` : `${rule} reject`;
