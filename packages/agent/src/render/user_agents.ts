import type { Route } from "../../../traffic/src/snapshot.ts";
import { argument, isQuotable, quote } from "../quote.ts";
import type { Output } from "./output.ts";

/** Bytes of the longest header that is looked at: browsers send a few hundred. */
const LONGEST = 1024;
/**
 * Steps for all patterns of a route together, at each place in the header, after which PCRE gives up: it tries alternatives one
 * after another, and some patterns would keep it busy for hours. HAProxy aborts itself, with all that it serves, when one request
 * takes over two seconds; with these bounds the worst that were found take a tenth of one.
 */
const STEPS = 4000;
/** Patterns that may need more than a few steps: with more of them, each would have too few. */
const MOST = 100;
const isCostly = (pattern: string) => /[*+?{(]/.test(pattern);

/**
 * A pattern that is given up after some steps. The empty group keeps settings at the beginning of a user's pattern, such as
 * `(*NO_JIT)`, from being read as such: PCRE2 then refuses the pattern.
 */
const bounded = (steps: number, pattern: string, before = "") =>
  `(*LIMIT_MATCH=${steps})${before}(?:)${pattern}`;

/**
 * A converter that gives another text if PCRE comes to an end with the pattern, which HAProxy does not tell from "does not match":
 * it also ends without an answer when it has made too many steps or has no stack left, which the client can bring about. The
 * end of the text always matches, but is looked at only after all that comes before it.
 */
const proof = (steps: number, pattern: string) =>
  `regsub(${argument(bounded(steps, pattern, String.raw`\z|`))},${argument("\n")})`;

/**
 * Rules of a `user_agent_filter`. A request is let in if a pattern of `allow` matches, or certainly none of `deny` does. One without the
 * header (or with an empty one) is refused unless `allow` matches the empty text; one that is too long is refused. The first header
 * counts, if there are several.
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
  const costly = [...allow, ...deny].filter(isCostly).length;
  if (costly > MOST) {
    output.problem(
      id,
      "too_many_patterns",
      `The path is answered with 503: user_agent_filter has ${costly} patterns with groups or repetitions, which may take long, and ${MOST} are possible. Write some without these.`,
    );
    return undefined;
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
        // Half the steps: where the match itself would be given up, so is this.
        `http-request deny deny_status 403 if { ${quote(`var(txn.user_agent),${proof(Math.floor(steps / 2), pattern)},strcmp(txn.user_agent)`)} eq 0 }${unlessAllowed}`,
    ),
    ...(deny.length > 0 ? [`http-request deny deny_status 403 if user_agent_denied${unlessAllowed}`] : []),
  ];
}
