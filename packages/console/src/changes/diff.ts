import { type Fields, isFields } from "../base/json.ts";
import type { RuleInput } from "../base/networks.ts";

/*
 * Differences: between the rules of a policy, and between the fields of an object.
 */

/** A rule without its id. */
export function ruleInput(rule: RuleInput): RuleInput {
  const { cidr, action, description, metadata, expires_at } = rule;
  return {
    cidr,
    action,
    ...(description !== undefined && { description }),
    ...(metadata !== undefined && { metadata }),
    ...(expires_at !== undefined && { expires_at }),
  };
}

/** What identifies a rule within its policy. */
export const ruleKey = ({ cidr, action }: RuleInput): string => `${cidr} ${action}`;

const isSame = (a: RuleInput, b: RuleInput): boolean =>
  (a.description ?? "") === (b.description ?? "") &&
  (a.metadata ?? "") === (b.metadata ?? "") &&
  (a.expires_at ?? "") === (b.expires_at ?? "");

const isRule = (value: unknown): value is RuleInput =>
  isFields(value) && "cidr" in value && "action" in value;

/** The rules in the body of a request, or in a plan. */
export const rulesIn = (body: Fields | null | undefined): RuleInput[] => {
  const rules = body?.["rules"];
  return Array.isArray(rules) ? rules.filter(isRule) : [];
};

/** A rule that differs: `before` is missing if it is added, `after` if it is removed. */
export interface RuleChange {
  before?: RuleInput;
  after?: RuleInput;
}

/** How `after` differs from `before`, by {@link ruleKey}. Added rules come first. */
export function ruleChanges(before: RuleInput[], after: RuleInput[]): Map<string, RuleChange> {
  const old = new Map(before.map((rule) => [ruleKey(rule), rule]));
  const changes = new Map<string, RuleChange>();
  const kept = new Set<string>();
  for (const rule of after) {
    const key = ruleKey(rule);
    const previous = old.get(key);
    kept.add(key);
    if (previous === undefined) changes.set(key, { after: rule });
    else if (!isSame(previous, rule)) changes.set(key, { before: previous, after: rule });
  }
  for (const [key, rule] of old) if (!kept.has(key)) changes.set(key, { before: rule });
  return changes;
}

/** A field that differs, with its path. A side without the field is undefined. */
export interface FieldDifference {
  name: string;
  before: unknown;
  after: unknown;
}

/** True if two JSON values are equal. */
export const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A value as a field shows it: a string or a number, otherwise nothing. */
export const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

/** True for fields whose value is never shown. */
export const isSecret = (name: string): boolean =>
  /^(?:secret|api_key|client_secret|cloud_secret_access_key|hmac_key)$/.test(name);

/** A value in words: a Ref as its id, a list with commas, a secret only as such. */
export function inWords(value: unknown, nameOf: (id: string) => string = (id) => id): string {
  if (value === undefined || value === null || value === "") return "—";
  if (typeof value === "string") return nameOf(value);
  if (Array.isArray(value))
    return value.length === 0 ? "none" : value.map((item) => inWords(item, nameOf)).join(", ");
  if (isFields(value)) {
    if (typeof value["id"] === "string") return nameOf(value["id"]);
    return Object.entries(value)
      .map(([name, item]) => `${nameOf(name)}: ${isSecret(name) ? "not shown" : inWords(item, nameOf)}`)
      .join(", ");
  }
  return JSON.stringify(value);
}
