import { quote } from "../base/quote.ts";
import { scopeOf, setter } from "../base/rules.ts";
import { ENTRY_FIELDS } from "./maps.ts";
import type { Output } from "./output.ts";
import type { SectionSet, Tier } from "./parts.ts";
import { serverWeights } from "./weights.ts";

/*
 * The sections of backends with servers of their own. They are rendered once all are known, because they share a limit.
 */

/**
 * Renders the sections of backends with servers of their own. The largest get no servers if there are too many. Returns the most
 * sections of one backend.
 */
export function serverSections(all: readonly SectionSet[], output: Output): number {
  const { servers, sets } = limitFor(all.map(({ tiers }) => serverCount(tiers)));
  let taken = 0;
  let mostTiers = 1;
  for (const set of all) {
    const count = serverCount(set.tiers);
    const isLast = count === servers + 1 && taken < sets;
    if (isLast) taken += 1;
    const fits = count <= servers || isLast;
    if (!fits)
      output.problem(
        set.backendId,
        "too_many_servers",
        `Some edges or routes with this backend have no servers: it has ${count} servers, and all edges and routes together need more than ${MOST_SERVERS}. Those that need fewer come first. Use fewer servers.`,
      );
    const sections = output.once(output.known.serverSections, set.name, [set, fits], (own) =>
      sectionsOf(fits ? set : { ...set, tiers: [] }, own),
    );
    mostTiers = Math.max(mostTiers, sections);
  }
  return mostTiers;
}

/** Renders the sections of one backend. Returns how many there are. */
function sectionsOf({ name, mode, backendId, tiers: all, modules }: SectionSet, output: Output): number {
  const [first = [], ...others] = inSections(all);
  const mustCheck = others.length > 0 || serverCount(first) > 1;
  for (const [index, tiers] of [first, ...others].entries()) {
    output.section("backend", index === 0 ? name : tierName(name, index + 1), [
      `mode ${mode}`,
      ...modules,
      ...serverLines(backendId, tiers, mustCheck, output),
    ]);
  }
  return others.length + 1;
}

function serverLines(
  backendId: string,
  tiers: readonly Tier[],
  mustCheck: boolean,
  output: Output,
): string[] {
  const names = new Map<string, number>();
  return tiers.flatMap((tier, index) => {
    const { weights, distorted } = serverWeights(
      tier.leaves.map(({ servers, weight }) => ({ weight, servers: servers.length })),
    );
    if (distorted) {
      output.problem(
        backendId,
        "weight_distorted",
        "Served, but some shares of traffic differ from the weights by more than 5 %: HAProxy only supports weights from 1 to 256. Keep the largest weight within 256 times the smallest.",
      );
    }
    return tier.leaves.flatMap(({ servers }, leaf) =>
      servers.map(({ name, target }, place) => {
        const nth = (names.get(name) ?? 0) + 1;
        names.set(name, nth);
        const weight = tier.leaves.length > 1 ? ` weight ${weights[leaf]}` : "";
        // The addresses of a single leaf are tried in order.
        const isBackup = index > 0 || (tier.leaves.length === 1 && place > 0);
        return `server ${quote(nth === 1 ? name : `${name}__${nth}`)} ${target}${weight}${mustCheck ? " check" : ""}${isBackup ? " backup" : ""}`;
      }),
    );
  });
}

/**
 * The most servers in a configuration. HAProxy needs a file descriptor and a check each second for every server. It does not start
 * if descriptors run out, and checking a configuration does not detect that.
 */
const MOST_SERVERS = 10_000;

/** How many servers a set of sections can have. */
interface ServerLimit {
  /** Every set with at most this many servers fits. */
  servers: number;
  /** Of the sets with one server more, this many fit: the first ones. */
  sets: number;
}

const UNLIMITED: ServerLimit = { servers: Infinity, sets: 0 };

/** The limit that keeps the total at `MOST_SERVERS` by leaving out the largest sets. */
function limitFor(counts: readonly number[]): ServerLimit {
  let sum = 0;
  const first = counts.toSorted((a, b) => a - b).find((count) => (sum += count) > MOST_SERVERS);
  if (first === undefined) return UNLIMITED;
  const smaller = counts.filter((count) => count < first).reduce((total, count) => total + count, 0);
  return { servers: first - 1, sets: Math.floor((MOST_SERVERS - smaller) / first) };
}

/** Groups tiers into sections: a weighted tier begins a section, and leaves after it are its backups. */
function inSections(tiers: readonly Tier[]): Tier[][] {
  const sections: Tier[][] = [];
  for (const tier of tiers) {
    const last = sections.at(-1);
    if (!last || tier.leaves.length > 1) sections.push([tier]);
    else last.push(tier);
  }
  return sections;
}

const serverCount = (tiers: readonly Tier[]) =>
  tiers.reduce((sum, { leaves }) => sum + leaves.reduce((sum, { servers }) => sum + servers.length, 0), 0);

const tierName = (section: string, number: number) => `${section}__${number}`;

/**
 * A frontend's rules that choose the section of the entry in the variable `entry`, or the next of its sections while one has no
 * usable server. @param mostTiers the most sections of one backend
 */
export function chosenSection(rule: "http-request" | "tcp-request content", mostTiers: number): string[] {
  const [scope, set] = [scopeOf(rule), setter(rule)];
  const others = Array.from({ length: mostTiers - 1 }, (_, index) => {
    const next = `var(${scope}.section),concat(${tierName("", index + 2)})`;
    // `nbsrv` finds nothing if there is no such section.
    return set("to", next, ` if { var(${scope}.to),nbsrv eq 0 } { ${quote(`${next},nbsrv`)} ge 0 }`);
  });
  return [
    set("section", `var(${scope}.entry),field(${ENTRY_FIELDS.section},~)`),
    ...(others.length === 0 ? [] : [set("to", `var(${scope}.section)`), ...others]),
    `use_backend %[var(${scope}.${others.length === 0 ? "section" : "to"})]`,
  ];
}
