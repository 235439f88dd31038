import { type Fields, isFields } from "../base/json.ts";
import type { RuleInput } from "../base/networks.ts";
import { ruleChanges, ruleKey } from "./diff.ts";
import { requestOf, withoutNulls } from "./request.ts";

/*
 * Merging: what somebody else changed in the meantime, and what the reader wants to change.
 */

const isSameRule = (a: RuleInput | undefined, b: RuleInput | undefined): boolean =>
  ruleChanges(a ? [a] : [], b ? [b] : []).size === 0;

/** The keys ({@link ruleKey}) of the rules that both sides changed differently. Removing a rule is a change, too. */
export function ruleConflicts(base: RuleInput[], theirs: RuleInput[], mine: RuleInput[]): string[] {
  const other = ruleChanges(base, theirs);
  return [...ruleChanges(base, mine)].flatMap(([key, { after }]) => {
    const change = other.get(key);
    return change === undefined || isSameRule(change.after, after) ? [] : [key];
  });
}

/** Their rules with my changes. @param left the keys ({@link ruleKey}) of my changes that are left out */
export function mergeRules(
  base: RuleInput[],
  theirs: RuleInput[],
  mine: RuleInput[],
  left: readonly string[] = [],
): RuleInput[] {
  const merged = new Map(theirs.map((rule) => [ruleKey(rule), rule]));
  for (const [key, { after }] of ruleChanges(base, mine)) {
    if (left.includes(key)) continue;
    if (after) merged.set(key, after);
    else merged.delete(key);
  }
  return [...merged.values()];
}

const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

/** A text that is the same for equivalent values. The order of keys and of ids does not matter; null means "left out". */
const meaningOf = (value: unknown): string =>
  JSON.stringify(value ?? null, (name, part: unknown): unknown => {
    if (Array.isArray(part) && name.endsWith("_ids")) return part.map(String).toSorted(byText);
    return isFields(part) ? Object.fromEntries(Object.entries(withoutNulls(part)).toSorted(byText)) : part;
  });

const isSameValue = (a: unknown, b: unknown): boolean => meaningOf(a) === meaningOf(b);

/**
 * The fields in my change that somebody else has set to a different value.
 *
 * @param base the object as the service returned it before
 * @param theirs the object as the service returns it now
 * @param mine the body of a request
 */
export function conflicts(base: Fields, theirs: Fields, mine: Fields): string[] {
  const [before, now] = [requestOf(base), requestOf(theirs)];
  return Object.keys(mine).filter(
    (name) => !isSameValue(before[name], now[name]) && !isSameValue(now[name], mine[name]),
  );
}

/** My change without the fields that already have the new value. */
export function remaining(theirs: Fields, mine: Fields): Fields {
  const now = requestOf(theirs);
  return Object.fromEntries(Object.entries(mine).filter(([name, value]) => !isSameValue(now[name], value)));
}
