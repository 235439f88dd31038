import {
  differenceForClients,
  everyone,
  FAMILIES,
  intersection,
  isEmpty,
  nobody,
  type Sources,
  unionOf,
} from "../../../packages/model/src/traffic/networks.ts";
import type { Values } from "../../db/statements.ts";
import { getOrMake, type World } from "./rows_in_memory.ts";
import { type AroundInstant, networksOfRules, Rules, RuleSet, type StepBudget } from "./rule_sets.ts";

/*
 * Whom entrances admit before and after some writes, now and whenever a rule expires.
 */

/** Whom an entrance admits: all, none, or those whom the rules of some policies admit. */
export type Admitted = "everybody" | "nobody" | string[];

/** Sources that get in or are shut out from an instant on, compared with what would happen without the writes. */
export interface AccessEnd {
  at: string;
  allowed: Sources;
  refused: Sources;
  /** True if some of the allowed sources would not get in without the writes. */
  isNew: boolean;
  /** True if some of the allowed sources also get in right before the instant, so they stay in. */
  isStay: boolean;
}

const keyOf = (admitted: Admitted): string => (typeof admitted === "string" ? admitted : admitted.join());

/** A rule's content: other columns do not decide who gets in. */
const contentOf = ({ cidr, action, expires_at }: Values): string =>
  `${String(cidr)} ${String(action)} ${typeof expires_at === "string" ? expires_at : ""}`;

/** Rows whose content is not among that of others as often. */
function rowsMissingIn(rows: Values[], others: Values[]): Values[] {
  const left = new Map<string, number>();
  for (const row of others) left.set(contentOf(row), (left.get(contentOf(row)) ?? 0) + 1);
  return rows.filter((row) => {
    const count = left.get(contentOf(row)) ?? 0;
    left.set(contentOf(row), count - 1);
    return count <= 0;
  });
}

/** The same rows, not only rows with the same content. */
const areSameRows = (rows: Values[], others: Values[]): boolean =>
  rows.length === others.length && rows.every((row, i) => row === others[i]);

/** One state of the configuration: before or after the writes. */
class Side {
  readonly world: World;
  readonly #now: string;
  readonly #steps: StepBudget;
  /** The state before: the sets of policies that stay as they are need not be made again. */
  readonly #earlier: Side | undefined;
  readonly #sets = new Map<string, RuleSet>();
  readonly #rules = new Map<string, Rules>();
  readonly #answers = new Map<string, boolean>();

  constructor(world: World, now: string, steps: StepBudget, earlier?: Side) {
    this.world = world;
    this.#now = now;
    this.#steps = steps;
    this.#earlier = earlier;
  }

  rulesOf(policies: string[]): Rules {
    const sets = () => policies.map((id) => this.#setOf(id));
    return getOrMake(this.#rules, keyOf(policies), () => new Rules(sets(), this.#steps));
  }

  #setOf(policy: string): RuleSet {
    return getOrMake(this.#sets, policy, () => {
      const rows = this.world.rulesOf(policy);
      const earlier = this.#earlier;
      const isSame = earlier && areSameRows(rows, earlier.world.rulesOf(policy));
      return isSame ? earlier.#setOf(policy) : new RuleSet(rows);
    });
  }

  /** Which of some sources are admitted: right before an instant, and from it on. */
  within(sources: Sources, admitted: Admitted): (at: string) => AroundInstant {
    if (typeof admitted !== "string") return this.rulesOf(admitted).within(sources);
    const those = admitted === "everybody" ? sources : nobody;
    return () => ({ before: those, from: those });
  }

  isEverybody(admitted: Admitted): boolean {
    if (typeof admitted === "string") return admitted === "everybody";
    return getOrMake(this.#answers, `all ${keyOf(admitted)}`, () => {
      const rules = this.rulesOf(admitted);
      if (!rules.canAdmitAll(this.#now)) return false;
      return isEmpty(differenceForClients(everyone, rules.within(everyone)(this.#now).from));
    });
  }

  isNobody(admitted: Admitted): boolean {
    if (typeof admitted === "string") return admitted === "nobody";
    return getOrMake(
      this.#answers,
      `none ${keyOf(admitted)}`,
      () => !this.rulesOf(admitted).admitAny(this.#now),
    );
  }

  /** Nobody is admitted, now and when rules expire. */
  isNobodyEver(admitted: Admitted): boolean {
    if (typeof admitted === "string") return admitted === "nobody";
    return getOrMake(this.#answers, `never ${keyOf(admitted)}`, () => !this.rulesOf(admitted).admitAny());
  }
}

/** How whom an entrance admits differs between before and after. */
export interface AdmissionDifference {
  was: Admitted;
  is: Admitted;
  allowed: Sources;
  refused: Sources;
  /** Where they can differ, now or later. */
  window: Sources;
  fromEveryone: boolean;
  toEveryone: boolean;
  toNobody: boolean;
}

/** Compares whom entrances admit before and after some writes. Many entrances share their policies: each pair is compared once. */
export class Admission {
  readonly #before: Side;
  readonly #after: Side;
  readonly #now: string;
  readonly #steps: StepBudget;
  readonly #compared = new Map<string, AdmissionDifference>();
  readonly #differing = new Map<string, Values[]>();
  readonly #ends = new Map<AdmissionDifference, Promise<AccessEnd[]>>();

  /** @param now RFC 3339, UTC */
  constructor(before: World, after: World, now: string, steps: StepBudget) {
    this.#before = new Side(before, now, steps);
    this.#after = new Side(after, now, steps, this.#before);
    this.#now = now;
    this.#steps = steps;
  }

  /** Compares two sorts of entrances now. @throws TooManySteps */
  compare(was: Admitted, is: Admitted): AdmissionDifference {
    return getOrMake(this.#compared, `${keyOf(was)} ${keyOf(is)}`, () => this.#compare(was, is));
  }

  #compare(was: Admitted, is: Admitted): AdmissionDifference {
    const [before, after] = [this.#before, this.#after];
    const window = this.#windowOf(was, is);
    const from = before.within(window, was)(this.#now).from;
    const to = after.within(window, is)(this.#now).from;
    const allowed = differenceForClients(to, from);
    const refused = differenceForClients(from, to);
    return {
      was,
      is,
      allowed,
      refused,
      window,
      fromEveryone: isEmpty(allowed) && before.isEverybody(was),
      toEveryone: isEmpty(refused) && after.isEverybody(is),
      toNobody: isEmpty(to) && after.isNobody(is),
    };
  }

  /** Somebody is admitted before, and somebody afterwards: now, or when rules expire. @throws TooManySteps */
  isUsed({ was, is }: AdmissionDifference): boolean {
    return !this.#before.isNobodyEver(was) && !this.#after.isNobodyEver(is);
  }

  /** The sources for which something can differ: those in the networks of the rules that differ. */
  #windowOf(was: Admitted, is: Admitted): Sources {
    if (typeof was === "string" || typeof is === "string") return was === is ? nobody : everyone;
    const rows = [...new Set([...was, ...is])].flatMap((id) => {
      this.#steps.take(1);
      if (was.includes(id) && is.includes(id)) return this.#rowsThatDiffer(id);
      return (was.includes(id) ? this.#before : this.#after).world.rulesOf(id);
    });
    this.#steps.take(rows.length);
    return networksOfRules(rows);
  }

  /** The rules of a policy that it only has before, or only afterwards. */
  #rowsThatDiffer(policy: string): Values[] {
    return getOrMake(this.#differing, policy, () => {
      const [old, next] = [this.#before.world.rulesOf(policy), this.#after.world.rulesOf(policy)];
      this.#steps.take(old.length + next.length);
      return areSameRows(old, next) ? [] : [...rowsMissingIn(old, next), ...rowsMissingIn(next, old)];
    });
  }

  /**
   * What the writes change whenever a rule expires, before or after them, in order of time. Ends that they do not touch are left out.
   *
   * @throws TooManySteps
   */
  endsOf(compared: AdmissionDifference): Promise<AccessEnd[]> {
    return getOrMake(this.#ends, compared, () => this.#endsOf(compared));
  }

  async #endsOf(compared: AdmissionDifference): Promise<AccessEnd[]> {
    const { was, is, window } = compared;
    const instants = new Map<string, Sources>();
    const note = (side: Side, admitted: Admitted) => {
      if (typeof admitted === "string" || isEmpty(window)) return;
      for (const [at, { 32: ipv4, 128: ipv6 }] of side.rulesOf(admitted).endsWithin(window)) {
        const all = instants.get(at) ?? { 32: [], 128: [] };
        for (const range of ipv4) all[32].push(range);
        for (const range of ipv6) all[128].push(range);
        instants.set(at, all);
      }
    };
    note(this.#before, was);
    note(this.#after, is);
    const ends: AccessEnd[] = [];
    for (const at of [...instants.keys()].filter((end) => end > this.#now).toSorted()) {
      await this.#steps.turn();
      const concerned = intersection(unionOf(instants.get(at) ?? nobody), window);
      const without = this.#before.within(concerned, was)(at);
      const withThem = this.#after.within(concerned, is)(at);
      const end = endAt(at, without, withThem, compared);
      if (!isEmpty(end.allowed) || !isEmpty(end.refused)) ends.push(end);
    }
    return ends;
  }
}

/**
 * Allowed from an instant on: sources that get in only with the writes, and sources that the writes shut out until then. Refused is the
 * mirror image. The effect that begins immediately is not repeated: sources that get in now, or at a place that opens to everybody, and
 * stay in; and sources that stay out at a place that closes.
 */
function endAt(
  at: string,
  without: AroundInstant,
  withThem: AroundInstant,
  now: AdmissionDifference,
): AccessEnd {
  const gained = differenceForClients(withThem.before, without.before);
  const lost = differenceForClients(without.before, withThem.before);
  const isOpened = now.toEveryone && !now.fromEveryone;
  const known = isOpened ? withThem.before : intersection(withThem.before, now.allowed);
  const isIn = differenceForClients(
    differenceForClients(differenceForClients(withThem.from, without.from), gained),
    known,
  );
  const notIn = differenceForClients(differenceForClients(without.from, withThem.from), lost);
  const isOut = now.toNobody && !isEmpty(now.refused) ? intersection(notIn, withThem.before) : notIn;
  return {
    at,
    allowed: together(isIn, intersection(withThem.from, lost)),
    refused: together(isOut, differenceForClients(gained, withThem.from)),
    isNew: !isEmpty(isIn),
    isStay: !isEmpty(intersection(isIn, withThem.before)),
  };
}

const together = (a: Sources, b: Sources): Sources =>
  unionOf({ 32: [...a[32], ...b[32]], 128: [...a[128], ...b[128]] });

/** True for sets of the same sources. */
export const areSame = (a: Sources, b: Sources): boolean =>
  FAMILIES.every(
    (family) =>
      a[family].length === b[family].length &&
      a[family].every(({ first, last }, i) => first === b[family][i]?.first && last === b[family][i]?.last),
  );
