import { createHash } from "node:crypto";
import type { IpRestriction, Policy, Snapshot } from "../../../traffic/src/snapshot.ts";
import { argument, quote } from "../quote.ts";
import type { NamedPolicies } from "./contract.ts";
import { type Entry, NETS, type RuleSet } from "./layout.ts";
import { ENTRY_FIELDS, type Maps } from "./maps.ts";
import { networkKeys } from "./networks.ts";

/** The most policies that are looked up one by one. More are merged into one, because every request passes all lookups. */
const MOST_POLICIES = 4;
/** Lets everybody in. */
export const OPEN = "open";
const NOBODY = "nobody";
/** The leading digits of `::ffff:0:0/96`. */
const MAPPED = "00000000000000000000FFFF";

/** The kinds of rules that enforce restrictions: their variables' scope, and how they reject a source. */
const KINDS = {
  "tcp-request connection": { scope: "sess", rejection: "tcp-request connection reject" },
  "tcp-request content": { scope: "sess", rejection: "tcp-request content reject" },
  "http-request": { scope: "txn", rejection: "http-request deny deny_status 403" },
} as const;

/**
 * Restrictions on source addresses. A source is let in if a rule in any of the policies allows it and no rule denies it. The rules
 * are in the maps `nets/allow` and `nets/deny`.
 */
export class Restrictions {
  readonly #maps: Maps;
  readonly #named: Map<string, readonly string[]> = new Map();
  /** The most policies of one restriction. */
  #most = 0;

  constructor(maps: Maps) {
    this.#maps = maps;
  }

  /** The restriction of an entry. */
  of(module: IpRestriction | undefined): Entry["restriction"] {
    if (!module) return OPEN;
    const ids = [...new Set(module.ip_policy_ids)].toSorted();
    if (ids.length === 0) return NOBODY;
    const policies = ids.length <= MOST_POLICIES ? ids : [mergedName(ids)];
    if (ids.length <= MOST_POLICIES) for (const id of ids) this.#named.set(id, [id]);
    else this.#named.set(mergedName(ids), ids);
    this.#most = Math.max(this.#most, policies.length);
    return policies;
  }

  /**
   * The rules that reject a source which the restriction of an entry does not let in. The entry is in the variable `entry`. Without
   * an entry, every source is rejected. Render them after all edges: they look up at least as many policies as a restriction has at most.
   */
  rules(kind: keyof typeof KINDS): string[] {
    const { scope, rejection } = KINDS[kind];
    const set = (name: string, fetch: string, condition = "") =>
      `${kind} set-var(${scope}.${name}) ${quote(fetch)}${condition}`;
    const listed = (list: keyof RuleSet) =>
      `{ ${quote(`var(${scope}.key),map_beg(${argument(this.#maps.path(NETS[list]))})`)} -m found }`;
    // In steps, so that a second policy needs no reload.
    const count = this.#most === 0 ? 0 : this.#most <= 2 ? 2 : MOST_POLICIES;
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
    return [
      set("restriction", `var(${scope}.entry),field(${ENTRY_FIELDS.restriction},~)`),
      set("allowed", "bool(false)"),
      ...(this.#most === 0 ? [] : family),
      ...lookups.flat(),
      `${rejection} unless { var(${scope}.restriction) -m str ${OPEN} } || { var(${scope}.allowed) -m bool }`,
    ];
  }

  /** The sets of rules that entries name: the ids of one or more policies, by name. */
  get named(): NamedPolicies {
    return this.#named;
  }
}

/** The sets of rules that entries name. A missing policy has no rules. */
export const setsOf = (
  named: NamedPolicies,
  { ip_policies }: Pick<Snapshot, "ip_policies">,
): Map<string, RuleSet> =>
  new Map(
    [...named].map(([name, ids]) => {
      const policies = ids.flatMap((id) => ip_policies[id] ?? []);
      const [first, ...others] = policies;
      return [name, first && others.length === 0 ? setOf(first) : unionOf(policies)];
    }),
  );

/** The sets of policies that were rendered before: of many, few change, and those that do are other objects. */
const kept = new WeakMap<Policy, RuleSet>();

function setOf(policy: Policy): RuleSet {
  const set = kept.get(policy) ?? unionOf([policy]);
  kept.set(policy, set);
  return set;
}

const unionOf = (policies: readonly Policy[]): RuleSet => ({
  allow: networkKeys(policies.flatMap(({ allow }) => allow)),
  deny: networkKeys(policies.flatMap(({ deny }) => deny)),
});

/** The name of several policies as one. No id has a dot. */
const mergedName = (ids: readonly string[]): string =>
  `merged.${createHash("sha256").update(ids.join(" ")).digest("hex").slice(0, 32)}`;
