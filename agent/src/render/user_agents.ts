import { isQuotable, quote } from "../quote.ts";
import type { Route } from "../snapshot.ts";
import type { Output } from "./output.ts";

/**
 * Steps after which PCRE gives up on a pattern, which then counts as one that does not match. PCRE tries alternatives one after
 * another, and some patterns would keep it busy for hours. The empty group keeps settings at the beginning of a user's pattern,
 * such as `(*NO_JIT)`, from being read as such: PCRE2 then refuses the pattern.
 */
const BOUNDED = "(*LIMIT_MATCH=20000)(?:)";

/**
 * Rules of a `user_agent_filter`. A request is let in if a pattern of `allow` matches, or none of `deny` does. One without the
 * header (or with an empty one) is refused unless `allow` matches the empty text. The first header counts, if there are several.
 * Undefined if a pattern cannot be written.
 */
export function userAgentLines(
  { id, user_agent_filter: filter }: Pick<Route, "id" | "user_agent_filter">,
  output: Output,
): string[] | undefined {
  if (!filter) return [];
  const allow = filter.allow ?? [];
  const deny = filter.deny ?? [];
  if (![...allow, ...deny].every(isQuotable)) {
    output.problem(
      id,
      "pattern_refused",
      String.raw`The path is answered with 503: a pattern of user_agent_filter has the character NUL. Write \x00 instead.`,
    );
    return undefined;
  }
  const acls = (name: string, patterns: readonly string[]) =>
    patterns.map((pattern) => `acl ${name} var(txn.user_agent) -m reg -- ${quote(BOUNDED + pattern)}`);
  const unlessAllowed = allow.length > 0 ? " !user_agent_allowed" : "";
  return [
    ...acls("user_agent_allowed", allow),
    ...acls("user_agent_denied", deny),
    "http-request set-var(txn.user_agent) str()",
    "http-request set-var(txn.user_agent) req.fhdr(user-agent,1) if { req.fhdr(user-agent) -m found }",
    `http-request deny deny_status 403 if { var(txn.user_agent) -m len 0 }${unlessAllowed}`,
    ...(deny.length > 0 ? [`http-request deny deny_status 403 if user_agent_denied${unlessAllowed}`] : []),
  ];
}
