import type { Json } from "../../json.ts";
import type { Action, HeaderParts, TextPart, Phase } from "../base/program.ts";
import { aString, type PolicyFields, type Findings, pointer } from "../base/reader.ts";
import { invalid, notEnforced } from "../base/wrong.ts";
import type { RangeOf } from "../expressions/compare.ts";
import { hasExpression, templateOf } from "../expressions/templates.ts";
import type { ExpressionScope } from "../expressions/values.ts";

/** What the compiler of an action gets. */
export interface ActionContext {
  config: PolicyFields;
  scope: ExpressionScope;
  rangeOf: RangeOf;
  findings: Findings;
  /** Whether the action's rule has expressions. */
  isConditional: boolean;
}

/** A type of action. */
export interface ActionType {
  phases: readonly Phase[];
  terminates: "always" | "sometimes" | "never";
  /** Undefined if something is wrong, which is reported. */
  compile(context: ActionContext): Action | undefined;
}

export const Q = ["on_http_request"] as const;
export const QS = ["on_http_request", "on_http_response"] as const;
export const CQ = ["on_tcp_connect", "on_http_request"] as const;
export const CQS = ["on_tcp_connect", "on_http_request", "on_http_response"] as const;

export const MOST_BODY = 65_536;
const MOST_HEADERS = 10;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$/;
const FRAMING =
  /^(?:connection|content-length|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|http2-settings)$/;

/** A string with expressions, at most {@link MOST_BODY} bytes as written. */
export const template =
  ({ scope, rangeOf }: ActionContext) =>
  (value: Json): TextPart[] =>
    templateOf(aString(MOST_BODY)(value), scope, rangeOf);

/** The name of a header that a policy can change, in lower case. @throws Wrong */
export function headerName(name: string, kind: "added" | "removed" | "response"): string {
  if (!TOKEN.test(name)) invalid(`${JSON.stringify(name)} is not a header name.`);
  const lower = name.toLowerCase();
  if (FRAMING.test(lower)) notEnforced(`The header "${lower}" belongs to the proxy.`);
  if (kind !== "response" && lower === "user-agent")
    notEnforced('The header "user-agent" cannot be changed.');
  if (kind === "removed" && lower === "host") notEnforced('The header "host" cannot be removed.');
  return lower;
}

/** Reads an object of header names and values with expressions. */
export const headersOf =
  (context: ActionContext, kind: "added" | "response", least: number) =>
  (value: Json, path: string): HeaderParts => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return invalid("Expected an object of header names and values.");
    const entries = Object.entries(value);
    if (entries.length < least) return invalid(`Expected at least ${least}.`);
    if (entries.length > MOST_HEADERS)
      return notEnforced(`More than ${MOST_HEADERS} headers are not enforced.`);
    const seen = new Set<string>();
    return entries.flatMap(([name, text]) => {
      const read = context.findings.try(pointer(path, name), () => {
        const header = headerName(name, kind);
        if (seen.has(header)) invalid("Header names are case-insensitive: this one is there twice.");
        seen.add(header);
        return oneHeader(context, header, text);
      });
      return read ? [read] : [];
    });
  };

function oneHeader(context: ActionContext, header: string, text: Json): [string, TextPart[]] {
  const value = aString(8192)(text);
  if (/\p{Cc}/u.test(value)) invalid("A header value has no control characters.");
  if (value !== value.trim()) notEnforced("A header value that begins or ends with a space is not enforced.");
  return [header, templateOf(value, context.scope, context.rangeOf)];
}

/** A string without expressions. @throws Wrong */
export const constantText =
  (most: number) =>
  (value: Json): string => {
    const text = aString(most)(value);
    return hasExpression(text) ? notEnforced("Expressions are not enforced here.", text.indexOf("${")) : text;
  };
