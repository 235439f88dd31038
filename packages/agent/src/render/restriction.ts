import { createHash } from "node:crypto";
import type { IpRestriction, Policy, Snapshot } from "../../../traffic/src/snapshot.ts";
import { argument, quote } from "../quote.ts";
import type { NamedPolicies } from "./contract.ts";
import { ENTRY_FIELDS } from "./maps.ts";
import { networkKeys } from "./networks.ts";
import { mapFile, type Output } from "./output.ts";

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
  readonly #output: Output;
  readonly #named: Map<string, readonly string[]> = new Map();
  /** The most policies of one restriction. */
  #most = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  /** The field RESTRICTION of an entry. The maps get the rules of its policies. */
  of(module: IpRestriction | undefined): string {
    if (!module) return OPEN;
    const ids = [...new Set(module.ip_policy_ids)].toSorted();
    if (ids.length === 0) return NOBODY;
    const policies = ids.length <= MOST_POLICIES ? ids : [mergedName(ids)];
    if (ids.length <= MOST_POLICIES) for (const id of ids) this.#named.set(id, [id]);
    else this.#named.set(mergedName(ids), ids);
    this.#most = Math.max(this.#most, policies.length);
    return policies.join("|");
  }

  /**
   * The rules that reject a source which the restriction of an entry does not let in. The entry is in the variable `entry`. Without
   * an entry, every source is rejected. Render them after all edges: they look up at least as many policies as a restriction has at most.
   */
  rules(kind: keyof typeof KINDS): string[] {
    const { scope, rejection } = KINDS[kind];
    const set = (name: string, fetch: string, condition = "") =>
      `${kind} set-var(${scope}.${name}) ${quote(fetch)}${condition}`;
    const listed = (list: List) =>
      `{ ${quote(`var(${scope}.key),map_beg(${argument(this.#output.path(pathOf(list)))})`)} -m found }`;
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

  /** Adds the maps. */
  finish(): NamedPolicies {
    for (const [path, content] of netMaps(this.#named, this.#output.snapshot))
      this.#output.map(path, content);
    return this.#named;
  }
}

const LISTS = ["deny", "allow"] as const;
type List = (typeof LISTS)[number];
const pathOf = (list: List): string => `nets/${list}`;

/** The maps with the rules of all policies, by path. A missing policy has no rules. */
export function netMaps(named: NamedPolicies, { ip_policies }: Pick<Snapshot, "ip_policies">) {
  const contentOf = (list: List): string =>
    [...named]
      .map(([name, ids]) =>
        linesIn(
          name,
          ids.flatMap((id) => ip_policies[id] ?? []),
          list,
        ),
      )
      .join("");
  return new Map(LISTS.map((list) => [pathOf(list), contentOf(list)]));
}

/** The names of policies in a map of rules. */
export const policiesIn = (content: string): string[] => [
  ...new Set([...content.matchAll(/^[^/\n]+/gm)].map(([name]) => name)),
];

function linesIn(name: string, policies: readonly Policy[], list: List): string {
  const [policy, ...others] = policies;
  return policy && others.length === 0 ? keptLines(name, policy, list) : linesOf(name, policies, list);
}

/** The lines of a policy's rules. The name of the policy is in each, so no other policy has the same. */
const linesOf = (name: string, policies: readonly Policy[], list: List): string =>
  mapFile(
    networkKeys(
      name,
      policies.flatMap((policy) => policy[list]),
    ).map((key) => [key, "1"]),
  );

/** The lines of policies that were rendered before: of many, few change, and those that do are other objects. */
const kept = new WeakMap<Policy, Partial<Record<List, { name: string; lines: string }>>>();

function keptLines(name: string, policy: Policy, list: List): string {
  const known = kept.get(policy) ?? {};
  kept.set(policy, known);
  const found = known[list]?.name === name ? known[list] : { name, lines: linesOf(name, [policy], list) };
  known[list] = found;
  return found.lines;
}

/** The name of several policies as one. No id has a dot. */
const mergedName = (ids: readonly string[]): string =>
  `merged.${createHash("sha256").update(ids.join(" ")).digest("hex").slice(0, 32)}`;
