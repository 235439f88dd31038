import { type Fields, isFields } from "../base/json.ts";
import type { RuleInput } from "../base/networks.ts";
import { ruleChanges, ruleKey } from "./diff.ts";
import { requestOf, withoutNulls } from "./request.ts";

/*
 * Merging: what somebody else changed in the meantime, and what the reader wants to change.
 */

const isSameRule = (a: RuleInput | undefined, b: RuleInput | undefined): boolean =>
  ruleChanges(a ? [a] : [], b ? [b] : []).size === 0;

type Rules = Map<string, RuleInput>;

const byKey = (rules: RuleInput[]): Rules => new Map(rules.map((rule) => [ruleKey(rule), rule]));

/** The fields of a rule that can change. */
const FIELDS = ["description", "metadata", "expires_at"] as const;

/** The value of a field of a rule, of which both sides can have changed one. Undefined if both changed it differently. */
function merged(base: string, theirs: string, mine: string): string | undefined {
  if (theirs === base || theirs === mine) return mine;
  return mine === base ? theirs : undefined;
}

/** A rule with the changes of both sides, and whether both changed a field differently: then it has my value. */
function mergedRule(base: RuleInput | undefined, theirs: RuleInput, mine: RuleInput) {
  const { cidr, action } = mine;
  const rule: RuleInput = { cidr, action };
  let isConflict = false;
  for (const name of FIELDS) {
    const value = merged(base?.[name] ?? "", theirs[name] ?? "", mine[name] ?? "");
    isConflict ||= value === undefined;
    const text = value ?? mine[name] ?? "";
    if (text !== "") rule[name] = text;
  }
  return { rule, isConflict };
}

/** The keys ({@link ruleKey}) of the rules of which both sides changed the same field differently. Removing a rule is a change, too. */
export function ruleConflicts(base: RuleInput[], theirs: RuleInput[], mine: RuleInput[]): string[] {
  const [before, now] = [byKey(base), byKey(theirs)];
  const other = ruleChanges(base, theirs);
  return [...ruleChanges(base, mine)].flatMap(([key, { after }]) => {
    const change = other.get(key);
    if (change === undefined || isSameRule(change.after, after)) return [];
    const current = now.get(key);
    return current && after && !mergedRule(before.get(key), current, after).isConflict ? [] : [key];
  });
}

/** Their rules with my changes. @param left the keys ({@link ruleKey}) of my changes that are left out */
export function mergeRules(
  base: RuleInput[],
  theirs: RuleInput[],
  mine: RuleInput[],
  left: readonly string[] = [],
): RuleInput[] {
  const [before, result] = [byKey(base), byKey(theirs)];
  for (const [key, { after }] of ruleChanges(base, mine)) {
    if (left.includes(key)) continue;
    const current = result.get(key);
    if (!after) result.delete(key);
    else result.set(key, current ? mergedRule(before.get(key), current, after).rule : after);
  }
  return [...result.values()];
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
