import type { Fields } from "../api/client.ts";
import type { RuleInput } from "../base/networks.ts";
import { isEqual, ruleChanges, ruleKey } from "./diff.ts";

/*
 * Merging: what somebody else changed in the meantime, and what the reader wants to change.
 */

/** Their rules with my changes. Where both changed a rule, mine counts. */
export function mergeRules(base: RuleInput[], theirs: RuleInput[], mine: RuleInput[]): RuleInput[] {
  const merged = new Map(theirs.map((rule) => [ruleKey(rule), rule]));
  for (const [key, { after }] of ruleChanges(base, mine)) {
    if (after) merged.set(key, after);
    else merged.delete(key);
  }
  return [...merged.values()];
}

/** The fields of my change that somebody else changed too, to another value. */
export const conflicts = (base: Fields, theirs: Fields, mine: Fields): string[] =>
  Object.keys(mine).filter(
    (name) => !isEqual(base[name], theirs[name]) && !isEqual(theirs[name], mine[name]),
  );
