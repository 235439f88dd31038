import { quote } from "../quote.ts";
import type { IpRestriction } from "../snapshot.ts";
import type { Output } from "./output.ts";

/**
 * Conditions under which a source is refused, as `if …` or `` (always), in the order of the rules; with the `acl` lines
 * that they need. A source is let in by a rule that allows it in any of the policies and by none that denies it.
 *
 * HAProxy compares addresses across families: `10.0.0.0/8` would also match `2002:a00::1` (6to4) and `::10.0.0.1`, and `::/0`
 * every IPv4 address. So each policy has a file for each family, and only the family of the source is asked. It is told by
 * `::ffff:0:0/96`, which HAProxy matches with IPv4 addresses and IPv4-mapped ones, and no others.
 */
export function restriction(
  { ip_policy_ids }: IpRestriction,
  output: Output,
): { acls: string[]; refused: string[] } {
  if (ip_policy_ids.length === 0) return { acls: [], refused: [""] };
  const acls = ip_policy_ids.flatMap((id) => {
    const { allow, deny } = policyFiles(id, output);
    return [
      `acl allowed_v4 src -f ${allow.v4}`,
      `acl allowed_v6 src -f ${allow.v6}`,
      `acl denied_v4 src -f ${deny.v4}`,
      `acl denied_v6 src -f ${deny.v6}`,
    ];
  });
  return {
    acls: ["acl from_v4 src ::ffff:0:0/96", ...acls],
    refused: [
      "if from_v4 denied_v4",
      "if !from_v4 denied_v6",
      "if from_v4 !allowed_v4",
      "if !from_v4 !allowed_v6",
    ],
  };
}

/** The lines that apply `action` to whoever is refused. */
export function restrictionLines(
  action: string,
  module: IpRestriction | undefined,
  output: Output,
): string[] {
  if (!module) return [];
  const { acls, refused } = restriction(module, output);
  return [...acls, ...refused.map((condition) => `${action} ${condition}`.trimEnd())];
}

function policyFiles(id: string, output: Output) {
  // A policy that is not there has no rules.
  const { allow, deny } = output.snapshot.ip_policies[id] ?? { allow: [], deny: [] };
  const file = (name: string, rules: readonly string[], isWanted: (rule: string) => boolean) =>
    quote(output.acl(`acl/${id}.${name}`, () => rules.filter(isWanted)));
  return {
    allow: { v4: file("allow.v4", allow, isV4), v6: file("allow.v6", allow, isV6) },
    deny: { v4: file("deny.v4", deny, isV4), v6: file("deny.v6", deny, isV6) },
  };
}

const isV6 = (rule: string) => rule.includes(":");
const isV4 = (rule: string) => !isV6(rule);
