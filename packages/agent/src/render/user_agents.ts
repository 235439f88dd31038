import type { Route } from "../../../model/src/traffic/snapshot.ts";
import { argument, isQuotable, quote } from "../base/quote.ts";
import type { Output } from "./output.ts";

/** The longest header that is accepted, in bytes. Browsers send a few hundred. */
const LONGEST = 1024;
/**
 * The steps that PCRE can take for all patterns of a route together, at each position in the header. PCRE backtracks, and some
 * patterns would take hours. HAProxy aborts, with everything that it serves, if a request takes over two seconds. With this limit,
 * the worst patterns found take a tenth of a second.
 */
const STEPS = 4000;
/** The most patterns that can need more than a few steps. With more patterns, each would get too few steps. */
const MOST = 100;
const isCostly = (pattern: string) => /[*+?{(]/.test(pattern);

/**
 * A pattern with a step limit. Because of the empty group, PCRE2 rejects settings such as `(*NO_JIT)` at the beginning of a user's
 * pattern.
 */
const bounded = (steps: number, pattern: string, before = "") =>
  `(*LIMIT_MATCH=${steps})${before}(?:)${pattern}`;

/**
 * A converter that changes the string if PCRE completes the pattern. HAProxy does not distinguish "does not match" from a search that
 * ran out of steps or stack, which a client can cause. The end of the string always matches, but PCRE only gets there after every
 * earlier position.
 */
const proof = (steps: number, pattern: string) =>
  `regsub(${argument(bounded(steps, pattern, String.raw`\z|`))},${argument("\n")})`;

/**
 * The rules of a `user_agent_filter`; undefined if a pattern cannot be rendered. A request is let in if a pattern of `allow` matches, or
 * if it is certain that no pattern of `deny` does. A missing or empty header is denied unless `allow` matches the empty string. A
 * header that is too long is denied. Only the first of several headers counts.
 */
export function userAgentLines(
  { id, user_agent_filter: filter }: Pick<Route, "id" | "user_agent_filter">,
  output: Output,
): string[] | undefined {
  if (!filter) return [];
  const allow = filter.allow ?? [];
  const deny = filter.deny ?? [];
  if (![...allow, ...deny].every(isQuotable)) {
    return output.problem(
      id,
      "pattern_refused",
      String.raw`The route returns 503: a pattern in user_agent_filter contains a NUL character. Write \x00 instead.`,
    );
  }
  const costly = [...allow, ...deny].filter(isCostly).length;
  if (costly > MOST) {
    return output.problem(
      id,
      "too_many_patterns",
      `The route returns 503: user_agent_filter has ${costly} patterns with groups or repetitions, which can be slow. At most ${MOST} are supported. Rewrite some without groups and repetitions.`,
    );
  }
  const steps = Math.floor(STEPS / Math.max(1, costly));
  const acls = (name: string, patterns: readonly string[]) =>
    patterns.map((pattern) => `acl ${name} var(txn.user_agent) -m reg -- ${quote(bounded(steps, pattern))}`);
  const unlessAllowed = allow.length > 0 ? " !user_agent_allowed" : "";
  return [
    ...acls("user_agent_allowed", allow),
    ...acls("user_agent_denied", deny),
    "http-request set-var(txn.user_agent) str()",
    "http-request set-var(txn.user_agent) req.fhdr(user-agent,1) if { req.fhdr(user-agent) -m found }",
    `http-request deny deny_status 403 if { var(txn.user_agent),length gt ${LONGEST} }`,
    `http-request deny deny_status 403 if { var(txn.user_agent) -m len 0 }${unlessAllowed}`,
    ...deny.map(
      (pattern) =>
        // Half the steps, so that this also runs out of steps if the match itself would.
        `http-request deny deny_status 403 if { ${quote(`var(txn.user_agent),${proof(Math.floor(steps / 2), pattern)},strcmp(txn.user_agent)`)} eq 0 }${unlessAllowed}`,
    ),
    ...(deny.length > 0 ? [`http-request deny deny_status 403 if user_agent_denied${unlessAllowed}`] : []),
  ];
}
