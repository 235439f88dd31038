import {
  difference,
  clientAddresses,
  FAMILIES,
  type Family,
  intersection,
  isEmpty,
  type Range,
  rangeIn,
  type Sources,
  unionOf,
} from "../../../packages/model/src/traffic/networks.ts";
import type { Values } from "../../db/statements.ts";

/*
 * The rules of policies as ranges of addresses that end. A set answers which of its rules concern some sources without looking at
 * all of them, because a change of one rule in a policy of thousands only concerns the sources in its network.
 */

/** After every instant (RFC 3339, UTC). */
const NEVER = "~";

interface Rule extends Range {
  isAllow: boolean;
  /** The instant from which it no longer counts; {@link NEVER} if it does not expire. */
  end: string;
  /** The position of the smallest rule that contains it; -1 without one. */
  parent: number;
}

/** The effect would take too many steps to compute. */
export class TooMuchToCompare extends Error {}

/** After so many steps, other requests of the isolate get their turn. */
const STEPS_PER_TURN = 50_000;

/** Counts the steps of a computation: ranges that are looked at. The clock of the platform stands still while code runs. */
export class StepBudget {
  #left: number;
  #untilTurn = STEPS_PER_TURN;

  constructor(most: number) {
    this.#left = most;
  }

  /** @throws TooManySteps */
  take(count: number): void {
    this.#left -= count;
    this.#untilTurn -= count;
    if (this.#left < 0) throw new TooMuchToCompare();
  }

  /** Allows so many steps from here on. */
  renew(most: number): void {
    this.#left = most;
  }

  /** Lets other requests run if there have been many steps since they last did. */
  async turn(): Promise<void> {
    if (this.#untilTurn > 0) return;
    this.#untilTurn = STEPS_PER_TURN;
    await scheduler.wait(0);
  }
}

/** A rule's row: with a network, an action, and the instant of its end. */
const ruleOf = ({ cidr, action, expires_at }: Values): Rule & { family: Family } => ({
  ...rangeIn(String(cidr)),
  isAllow: action === "allow",
  end: typeof expires_at === "string" ? expires_at : NEVER,
  parent: -1,
});

const byFirst = (a: Range, b: Range): number =>
  a.first === b.first ? (a.last > b.last ? -1 : Number(a.last < b.last)) : a.first < b.first ? -1 : 1;

/** The rules of one policy. */
export class RuleSet {
  /** By their first address, a containing network before those in it. Two networks overlap only if one contains the other. */
  readonly #rules: Record<Family, Rule[]> = { 32: [], 128: [] };

  constructor(rows: Values[]) {
    for (const row of rows) {
      const { family, ...rule } = ruleOf(row);
      this.#rules[family].push(rule);
    }
    for (const family of FAMILIES) {
      const rules = this.#rules[family].toSorted(byFirst);
      this.#rules[family] = rules;
      const open: number[] = [];
      for (const [i, rule] of rules.entries()) {
        while (open.length > 0 && (rules[open.at(-1) ?? 0]?.last ?? 0n) < rule.first) open.pop();
        rule.parent = open.at(-1) ?? -1;
        open.push(i);
      }
    }
  }

  /** All rules of a family. */
  all(family: Family): Rule[] {
    return this.#rules[family];
  }

  /** The rules that concern some of the sources. */
  concerning(sources: Sources, family: Family, steps: StepBudget): Rule[] {
    const rules = this.#rules[family];
    const ranges = sources[family];
    if (ranges.length >= rules.length) {
      steps.take(rules.length);
      return rules;
    }
    const found = new Set<Rule>();
    for (const range of ranges) {
      let next = firstAfter(rules, range.first);
      for (let at = next - 1; at >= 0; at = rules[at]?.parent ?? -1) {
        const rule = rules[at];
        if (rule && rule.last >= range.first) found.add(rule);
      }
      for (let rule = rules[next]; rule && rule.first <= range.last; rule = rules[++next]) found.add(rule);
    }
    steps.take(ranges.length + found.size);
    return [...found];
  }
}

/** The position of the first range that begins after an address. */
function firstAfter(ranges: Range[], address: bigint): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.first ?? 0n) <= address) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The networks of some rules, as a set of sources. */
export function networksOfRules(rows: Values[]): Sources {
  const ranges: Sources = { 32: [], 128: [] };
  for (const row of rows) {
    const { family, first, last } = rangeIn(String(row["cidr"]));
    ranges[family].push({ first, last });
  }
  return unionOf(ranges);
}

/** The sources that some rules admit right before an instant, and from it on. */
export interface AroundInstant {
  before: Sources;
  from: Sources;
}

/** The rules of several policies, which form one set. */
export class Rules {
  readonly #sets: RuleSet[];
  readonly #steps: StepBudget;

  constructor(sets: RuleSet[], steps: StepBudget) {
    this.#sets = sets;
    this.#steps = steps;
  }

  /** The rules of all policies that concern some of the sources. */
  #concerning(sources: Sources): Record<Family, Rule[]> {
    const of = (family: Family) => this.#sets.flatMap((set) => set.concerning(sources, family, this.#steps));
    return { 32: of(32), 128: of(128) };
  }

  /** Those of some sources that the rules admit, as a function of an instant (RFC 3339, UTC). */
  within(sources: Sources): (at: string) => AroundInstant {
    const rules = this.#concerning(sources);
    const admitted = (counts: (end: string) => boolean): Sources => {
      const those = (isAllow: boolean): Sources => {
        const of = (family: Family) =>
          rules[family].filter((rule) => rule.isAllow === isAllow && counts(rule.end));
        return unionOf({ 32: of(32), 128: of(128) });
      };
      this.#steps.take(rules[32].length + rules[128].length);
      return intersection(difference(those(true), those(false)), sources);
    };
    return (at) => ({ before: admitted((end) => end >= at), from: admitted((end) => end > at) });
  }

  /** False if the rules certainly do not admit every source at an instant: some deny, or they allow too few. */
  canAdmitAll(at: string): boolean {
    return FAMILIES.every((family) => {
      let size = 0n;
      for (const set of this.#sets)
        for (const { isAllow, end, first, last } of set.all(family)) {
          this.#steps.take(1);
          if (end <= at) continue;
          if (!isAllow) return false;
          size += last - first + 1n;
        }
      return size >= clientAddresses(family);
    });
  }

  /**
   * Whether the rules admit any source at an instant, or at any time. A source that a rule allows is most likely to be admitted
   * right before the rule ends, because rules that deny end, too, and none begins.
   *
   * @param at RFC 3339, UTC; undefined for any time until the last rule has ended
   */
  admitAny(at?: string): boolean {
    return this.#sets.some((set) =>
      FAMILIES.some((family) =>
        set.all(family).some(({ isAllow, end, first, last }) => {
          this.#steps.take(1);
          if (!isAllow || (at !== undefined && end <= at)) return false;
          const own: Sources = { 32: [], 128: [] };
          own[family].push({ first, last });
          const { before, from } = this.within(own)(at ?? end);
          return !isEmpty(at === undefined ? before : from);
        }),
      ),
    );
  }

  /** The rules that end, and concern some of the sources, by the instant: the networks that they share with the sources. */
  endsWithin(sources: Sources): Map<string, Sources> {
    const rules = this.#concerning(sources);
    const ends = new Map<string, Sources>();
    for (const family of FAMILIES)
      for (const rule of rules[family]) {
        if (rule.end === NEVER) continue;
        const ranges = ends.get(rule.end) ?? { 32: [], 128: [] };
        ranges[family].push(rule);
        ends.set(rule.end, ranges);
      }
    return ends;
  }
}
