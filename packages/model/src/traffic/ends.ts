import type { Policy } from "./snapshot.ts";

/*
 * Rules that end. A policy has the ranges of its rules, and for those whose rules all end, when the last of them does.
 */

const LISTS = ["allow", "deny"] as const;
type List = (typeof LISTS)[number];

/** When ranges end, by range: RFC 3339 in UTC with whole seconds, so that text sorts by time. */
type Ends = Record<string, string>;

/** The ends of both lists of a policy. Absent if no range ends. */
export interface WithEnds {
  expires_at?: Record<List, Ends>;
}

/** Ranges, each with its end; undefined if it does not end. */
export type EndingRanges = Map<string, string | undefined>;

/** Adds a rule: if several have the same range, the last end counts. */
export function addRule(ranges: EndingRanges, range: string, end: string | undefined): void {
  const known = ranges.get(range) ?? "";
  if (!ranges.has(range) || end === undefined || (known !== "" && end > known)) ranges.set(range, end);
}

/** The ranges of a list of a policy. @param name of a range */
export function endingRanges(
  policy: { allow: string[]; deny: string[] } & WithEnds,
  list: List,
  name = (range: string): string => range,
): EndingRanges {
  const ranges: EndingRanges = new Map();
  const ends = policy.expires_at?.[list];
  for (const range of policy[list]) addRule(ranges, name(range), ends?.[range]);
  return ranges;
}

/** Two lists as a policy has them. */
export function withEnds(
  allow: EndingRanges,
  deny: EndingRanges,
): { allow: string[]; deny: string[] } & WithEnds {
  const endsOf = (ranges: EndingRanges): Ends =>
    Object.fromEntries([...ranges].flatMap(([range, end]) => (end === undefined ? [] : [[range, end]])));
  const expires_at = { allow: endsOf(allow), deny: endsOf(deny) };
  return {
    allow: [...allow.keys()],
    deny: [...deny.keys()],
    ...(endsIn([{ expires_at }]).length > 0 && { expires_at }),
  };
}

/** All ends in policies. */
export const endsIn = (policies: readonly WithEnds[]): string[] =>
  policies.flatMap(({ expires_at }) =>
    expires_at ? [...Object.values(expires_at.allow), ...Object.values(expires_at.deny)] : [],
  );

/** Whether a range has ended. @param end RFC 3339 in UTC with whole seconds */
export type HasEnded = (list: List, range: string, end: string) => boolean;

/** A policy without the ranges that have ended; the same object if none has. */
export function withoutEnded(policy: Policy, hasEnded: HasEnded): Policy {
  const rest = (list: List): EndingRanges =>
    new Map(
      [...endingRanges(policy, list)].filter(
        ([range, end]) => end === undefined || !hasEnded(list, range, end),
      ),
    );
  const [allow, deny] = [rest("allow"), rest("deny")];
  const isSame = allow.size === policy.allow.length && deny.size === policy.deny.length;
  return isSame ? policy : withEnds(allow, deny);
}
