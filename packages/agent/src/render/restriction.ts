import { createHash } from "node:crypto";
import type { IpRestriction } from "../../../traffic/src/snapshot.ts";
import { quote } from "../quote.ts";
import { BASE, type Output } from "./output.ts";

/** A section's rule that rejects a source, in TCP mode and in HTTP mode. */
const REJECTIONS = {
  content: "tcp-request content reject",
  http: "http-request deny deny_status 403",
} as const;

/**
 * Returns the `defaults` section that enforces a restriction on the `backend` sections that build on it. It lets in a source if a rule
 * in any of the policies allows it and no rule denies it. Its rules run before the backend section's own rules.
 *
 * Sections with the same policies share it. HAProxy reads an ACL file again wherever it is named: 10,000 sections with files of
 * 1,000 rules each took half a minute to load.
 *
 * HAProxy compares addresses across families: `10.0.0.0/8` would also match `2002:a00::1` (6to4) and `::10.0.0.1`, and `::/0` would
 * match every IPv4 address. So each policy has a file per family, and a source is only compared with the file of its family. HAProxy
 * matches `::ffff:0:0/96` with IPv4 addresses and IPv4-mapped addresses only, which identifies the family.
 */
export function restricted(
  kind: keyof typeof REJECTIONS,
  module: IpRestriction | undefined,
  output: Output,
): string {
  if (!module) return BASE;
  const ids = [...new Set(module.ip_policy_ids)].toSorted();
  const name = `${kind}_${policiesName(ids)}`;
  output.defaults(name, () => [
    `mode ${kind === "http" ? "http" : "tcp"}`,
    ...rules(REJECTIONS[kind], ids, output),
  ]);
  return name;
}

/**
 * The lines of a frontend in TCP mode that reject a connection before any data is read. HAProxy 2.6 ignores such rules in a
 * `defaults` section.
 */
export const connectionRules = (module: IpRestriction | undefined, output: Output): string[] =>
  module ? rules("tcp-request connection reject", module.ip_policy_ids, output) : [];

/** A short name, even for many ids. */
function policiesName(ids: readonly string[]): string {
  const [first = "nobody"] = ids;
  return ids.length < 2 ? first : createHash("sha256").update(ids.join(" ")).digest("hex").slice(0, 32);
}

function rules(refusal: string, ids: readonly string[], output: Output): string[] {
  if (ids.length === 0) return [refusal];
  const acls = ids.flatMap((id) => {
    const { allow, deny } = policyFiles(id, output);
    return [
      `acl allowed_v4 src -f ${allow.v4}`,
      `acl allowed_v6 src -f ${allow.v6}`,
      `acl denied_v4 src -f ${deny.v4}`,
      `acl denied_v6 src -f ${deny.v6}`,
    ];
  });
  return [
    "acl from_v4 src ::ffff:0:0/96",
    ...acls,
    `${refusal} if from_v4 denied_v4`,
    `${refusal} if !from_v4 denied_v6`,
    `${refusal} if from_v4 !allowed_v4`,
    `${refusal} if !from_v4 !allowed_v6`,
  ];
}

function policyFiles(id: string, output: Output) {
  // A missing policy has no rules.
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
