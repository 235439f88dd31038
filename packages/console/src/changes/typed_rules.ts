import { parseRules, type Parsed, type RuleInput } from "../base/networks.ts";
import { ruleKey } from "./diff.ts";

/*
 * The rules of a new IP policy, as people write them: one per line.
 */

/**
 * The rules in a text, each once, and the lines with errors. By default, a rule allows.
 *
 * @param known rules whose ends and metadata are kept, because lines do not contain them
 */
export function rulesOnce(text: string, known: RuleInput[] = []): Parsed {
  const { rules, errors } = parseRules(text, "allow");
  const earlier = new Map(known.map(({ description: _, ...rule }) => [ruleKey(rule), rule]));
  const once = new Map(rules.map((rule) => [ruleKey(rule), { ...earlier.get(ruleKey(rule)), ...rule }]));
  return { rules: [...once.values()], errors };
}

/** An error message for the first line that cannot be read; undefined if all can. */
export const faultOfRules = ({ errors: [first] }: Parsed): string | undefined =>
  first && `Line ${first.line}: ${first.msg}.`;

/** Rules as text. */
export const rulesText = (rules: RuleInput[]): string =>
  rules
    .map(({ cidr, action, description = "" }) => `${cidr}, ${action}, ${description}`.replace(/, $/, ""))
    .join("\n");
