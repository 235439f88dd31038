import type { Values } from "../../db/statements.ts";
import { type Recorded, refusal } from "./recorded.ts";
import { hasExpired } from "./restoring.ts";

/*
 * The rules of a policy before some changes of them.
 */

/** The fields in which rules can be told apart. */
const keyOf = ({ cidr, action, description, metadata, expires_at }: Values): string =>
  JSON.stringify([cidr, action, description ?? null, metadata ?? null, expires_at ?? null]);

/**
 * The rules of a policy before changes, without those that have expired since.
 *
 * @param now the rules after the changes, which need not have ids
 * @param changes oldest first
 * @throws 409 if the log does not have enough
 */
export function rulesBefore(now: Values[], changes: Recorded[]): Values[] {
  const keyFor = now.some(({ id }) => id === undefined) ? keyOf : ({ id }: Values) => String(id);
  const rules = Map.groupBy(now, keyFor);
  const add = (rule: Values) => void rules.set(keyFor(rule), [...(rules.get(keyFor(rule)) ?? []), rule]);
  const remove = ({ event, row }: Recorded) => {
    const key = keyFor(row);
    const [found, ...others] = rules.get(key) ?? [];
    if (!found) throw refusal(event, `${String(row["id"])} has changed since.`);
    rules.set(key, others);
  };
  for (const change of changes.toReversed()) {
    const { event, verb, row, previous } = change;
    if (verb === "updated" && !previous) throw refusal(event, "no earlier event of the rule is kept.");
    if (previous && verb === "updated" && hasExpired(previous) && !hasExpired(row))
      throw refusal(event, "the rule as it was before has expired.");
    if (verb !== "deleted") remove(change);
    if (verb === "deleted") add(row);
    if (previous && verb === "updated") add(previous);
  }
  return [...rules.values()].flat().filter((rule) => !hasExpired(rule));
}
