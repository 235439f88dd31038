import { hash } from "node:crypto";
import { derivedMap, differingKeys, differingMembers } from "../../../model/src/traffic/derived.ts";
import type { IpRestriction, Policy, Snapshot } from "../../../model/src/traffic/snapshot.ts";
import { quote } from "../base/quote.ts";
import { rejectingFor, rejectionBy, type RuleKind, scopeOf, setter } from "../base/rules.ts";
import type { NamedPolicies } from "./contract.ts";
import { type MapEntry, NETS, type RuleKeys } from "./layout.ts";
import { ENTRY_FIELDS, type Maps } from "./maps.ts";
import { networkKeys } from "./networks.ts";
import type { Output } from "./output.ts";

/** The most policies that are looked up one by one. More are merged into one, because every request passes all lookups. */
const MOST_POLICIES = 4;
/** Lets everybody in. */
export const OPEN = "open";
const NOBODY = "nobody";
/** The leading digits of `::ffff:0:0/96`. */
const MAPPED = "00000000000000000000FFFF";

/**
 * The restriction of an entry: a source is let in if a rule in any of the policies allows it and no rule denies it. The rules are in
 * the maps `nets/allow` and `nets/deny`.
 */
export function restrictionOf(module: IpRestriction | undefined, output: Output): MapEntry["restriction"] {
  if (!module) return OPEN;
  const ids = [...new Set(module.ip_policy_ids)].toSorted();
  if (ids.length === 0) return NOBODY;
  const names = ids.length <= MOST_POLICIES ? ids : [mergedName(ids)];
  for (const name of names) output.rules.set(name, ids.length <= MOST_POLICIES ? [name] : ids);
  output.mostSets = Math.max(output.mostSets, names.length);
  return names;
}

/**
 * The rules that reject a source which the restriction of an entry does not let in. The entry is in the variable `entry`. Without
 * an entry, every source is rejected.
 *
 * @param mostSets the most sets of rules of one restriction, which they look up at least
 */
export function restrictionRules(rule: RuleKind, mostSets: number, maps: Maps): readonly string[] {
  const [scope, set, rejection] = [scopeOf(rule), setter(rule), rejectionBy(rule, 403)];
  const listed = (list: keyof RuleKeys) =>
    `{ ${quote(maps.lookup(`var(${scope}.key)`, NETS[list], "map_beg"))} -m found }`;
  // In steps, so that a second policy needs no reload.
  const count = mostSets === 0 ? 0 : mostSets <= 2 ? 2 : MOST_POLICIES;
  const lookups = Array.from({ length: count }, (_, index) => [
    set(
      "key",
      `var(${scope}.restriction),word(${index + 1},|),concat(/,${scope}.family,/),concat(,${scope}.src)`,
    ),
    `${rejection} if ${listed("deny")}`,
    set("allowed", "bool(true)", ` if ${listed("allow")}`),
  ]);
  const family = [
    set("src", "src,hex"),
    // An IPv4-mapped address is read as IPv4.
    set("src", `var(${scope}.src),bytes(24)`, ` if { var(${scope}.src) -m beg ${MAPPED} }`),
    set("family", "str(6)"),
    set("family", "str(4)", ` if { var(${scope}.src),length eq 8 }`),
  ];
  const rules = [
    set("restriction", `var(${scope}.entry),field(${ENTRY_FIELDS.restriction},~)`),
    set("allowed", "bool(false)"),
    ...(mostSets === 0 ? [] : family),
    ...lookups.flat(),
    `${rejection} unless { var(${scope}.restriction) -m str ${OPEN} } || { var(${scope}.allowed) -m bool }`,
  ];
  // HAProxy logs no connection that it rejects so early. It counts them.
  return rule === "tcp-request connection" ? rules : rejectingFor(rule, "ip_restriction", rules);
}

type Policies = Snapshot["ip_policies"];

/** What sets were made of. */
const origins = new WeakMap<ReadonlyMap<string, RuleKeys>, { named: NamedPolicies; policies: Policies }>();

/**
 * The sets of rules that entries name. A missing policy has no rules.
 *
 * @param before sets that were made earlier: only those that differ are made again
 */
export function setsOf(
  named: NamedPolicies,
  { ip_policies: policies }: Pick<Snapshot, "ip_policies">,
  before?: ReadonlyMap<string, RuleKeys>,
): ReadonlyMap<string, RuleKeys> {
  const origin = before && origins.get(before);
  const [from, names] =
    before && origin
      ? [
          before,
          [
            ...differingKeys(origin.named, named),
            ...namesWith(differingMembers(origin.policies, policies), named),
          ],
        ]
      : [new Map<string, RuleKeys>(), named.keys()];
  const others = new Map<string, RuleKeys | undefined>();
  for (const name of names) {
    const ids = named.get(name);
    others.set(name, ids && setFor(ids, policies));
  }
  const sets = derivedMap(from, others);
  origins.set(sets, { named, policies });
  return sets;
}

/** The names of sets with some policies. */
function namesWith(policies: readonly string[], named: NamedPolicies): string[] {
  if (policies.length === 0) return [];
  const ids = new Set(policies);
  return [
    ...policies.filter((id) => named.has(id)),
    ...mergedIn(named).filter((name) => named.get(name)?.some((id) => ids.has(id))),
  ];
}

const merged = new WeakMap<NamedPolicies, string[]>();

/** The names of sets with several policies. */
function mergedIn(named: NamedPolicies): string[] {
  const known = merged.get(named);
  if (known) return known;
  const found: string[] = [];
  for (const [name, { length }] of named) if (length > 1) found.push(name);
  merged.set(named, found);
  return found;
}

function setFor(ids: readonly string[], policies: Policies): RuleKeys {
  const [first, ...others] = ids.flatMap((id) => policies[id] ?? []);
  return first && others.length === 0 ? setOf(first) : unionOf(first ? [first, ...others] : []);
}

/** The sets of policies that were rendered before: of many, few change, and those that do are other objects. */
const setOfPolicy = new WeakMap<Policy, RuleKeys>();

function setOf(policy: Policy): RuleKeys {
  const known = setOfPolicy.get(policy);
  if (known) return known;
  const set = unionOf([policy]);
  setOfPolicy.set(policy, set);
  return set;
}

const unionOf = (policies: readonly Policy[]): RuleKeys => ({
  allow: networkKeys(policies.flatMap(({ allow }) => allow)),
  deny: networkKeys(policies.flatMap(({ deny }) => deny)),
});

/** The name of several policies as one. No id has a dot. */
const mergedName = (ids: readonly string[]): string => `merged.${hash("sha256", ids.join(" ")).slice(0, 32)}`;
