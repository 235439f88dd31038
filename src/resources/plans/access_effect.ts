import {
  countOf,
  isEmpty,
  largestNetworks,
  type Sources,
} from "../../../packages/model/src/traffic/networks.ts";
import type { Snapshot } from "../../../packages/model/src/traffic/snapshot.ts";
import { Admission, areSame, type AdmissionDifference, type AccessEnd } from "./admission.ts";
import type { AccessChange, LaterChange, Totals } from "./effect_schemas.ts";
import { CHECKS, type Transition, transitionsBetween, transitionsElsewhere } from "./places.ts";
import { getOrMake, type World } from "./rows_in_memory.ts";
import { StepBudget, TooMuchToCompare } from "./rule_sets.ts";

/*
 * Who newly gets in by some writes, who is shut out, and what is no longer checked, for each place. For each policy whose rules
 * change, also who newly gets in or is shut out by a restriction with only this policy.
 */

/** The most networks of each sort, and the most places, that an item names. */
const NETWORKS = 50;
const PLACES = 10;

/** The most steps for what changes now, and again for what changes when rules expire. */
const STEPS = 2_000_000;

type Places = Pick<LaterChange, "places" | "places_more">;
type Networks = Omit<LaterChange, "at" | keyof Places>;
/** The number of addresses of each family, in decimal. */
type Count = Networks["count_allowed"];

/** Sums that the words about an effect need, but its items do not show. */
interface EffectNotes {
  /** Places open to everybody that were served before. */
  opened: number;
  /** Places with a check that was not made before. */
  checks_added: number;
  /** Places that another object serves than before. */
  taken_over: number;
  /** Pairs of a place and an instant at which sources get in that would not without the writes. */
  later_new: number;
  /** True if sources that are let in stay in when rules expire, but would not without the writes. */
  later_stay: boolean;
}

export interface AccessEffect {
  access: AccessChange[];
  /** Null if there are too many ends of rules to compute. */
  later: LaterChange[] | null;
  sums: Omit<Totals, "problems_added" | "operations">;
  notes: EffectNotes;
}

/** The order of items: places that were served before, new places, policies. */
const RANK = { served: 0, new: 1, policy: 2 } as const;

/** An item while places are added to it. */
interface Item<Shown> {
  shown: Shown;
  allowed: Sources;
  refused: Sources;
  rank: number;
}

/** Items by what they show. Of long lists, only the largest networks are shown, so the sources are compared, too. */
class Items<Content extends Networks> {
  readonly #byText = new Map<string, Item<Content & Places>[]>();

  /** The item with some content, which may be new. */
  of(
    content: Content,
    { allowed, refused, rank }: Omit<Item<Content>, "shown">,
    isTakenOver = false,
  ): Content & Places {
    const key = `${rank} ${isTakenOver} ${JSON.stringify(content)}`;
    const all = getOrMake(this.#byText, key, () => []);
    const found = all.find((item) => areSame(item.allowed, allowed) && areSame(item.refused, refused));
    if (found) return found.shown;
    const shown = { places: [], places_more: 0, ...content };
    all.push({ shown, allowed, refused, rank });
    return shown;
  }

  get all(): Item<Content & Places>[] {
    return [...this.#byText.values()].flat();
  }
}

const counted = (sources: Sources): Count => {
  const { ipv4, ipv6 } = countOf(sources);
  return { ipv4: String(ipv4), ipv6: String(ipv6) };
};

function networksIn({ allowed, refused }: Pick<AccessEnd, "allowed" | "refused">): Networks {
  const [newlyAllowed, newlyRefused] = [
    largestNetworks(allowed, NETWORKS),
    largestNetworks(refused, NETWORKS),
  ];
  return {
    newly_allowed: newlyAllowed.networks,
    newly_refused: newlyRefused.networks,
    count_allowed: counted(allowed),
    count_refused: counted(refused),
    truncated: newlyAllowed.isMore || newlyRefused.isMore,
  };
}

/** What is checked differently, if anybody is admitted before and afterwards. */
function checksThatDiffer({ was, is }: Transition): Pick<AccessChange, "no_longer" | "newly" | "changed"> {
  const [old, next] = [was?.checks ?? {}, is?.checks ?? {}];
  return {
    no_longer: CHECKS.filter((check) => old[check] !== undefined && next[check] === undefined),
    newly: CHECKS.filter((check) => old[check] === undefined && next[check] !== undefined),
    changed: CHECKS.filter(
      (check) => old[check] !== undefined && next[check] !== undefined && old[check] !== next[check],
    ),
  };
}

const NO_CHECKS = { no_longer: [], newly: [], changed: [] };

/** The share of all addresses of a family that a number of addresses is, the larger one. */
export const shareOf = ({ ipv4, ipv6 }: Count): number =>
  Math.max(Number(ipv4) / 2 ** 32, Number(ipv6) / 2 ** 128);

/** Newly allowed before checks that end or change, these before newly refused; larger shares first. */
const orderOf = ({ shown, allowed, rank }: Item<AccessChange>): [number, number, number] => {
  if (!isEmpty(allowed)) return [rank, 0, -shareOf(shown.count_allowed)];
  if (shown.no_longer.length > 0) return [rank, 1, 0];
  if (shown.changed.length > 0) return [rank, 1, 1];
  return [rank, 2, -shareOf(shown.count_refused)];
};

/** A list in the order of the tuples of its items. */
function ordered<T>(items: T[], tupleOf: (item: T) => readonly (number | string)[]): T[] {
  return items
    .map((item) => ({ item, tuple: tupleOf(item) }))
    .toSorted((a, b) => {
      const i = a.tuple.findIndex((value, n) => value !== b.tuple[n]);
      return i === -1 ? 0 : (a.tuple[i] ?? 0) < (b.tuple[i] ?? 0) ? -1 : 1;
    })
    .map(({ item }) => item);
}

/** Collects what changes. */
class Collecting {
  readonly #admission: Admission;
  readonly #steps: StepBudget;
  readonly #items = new Items<Omit<AccessChange, keyof Places>>();
  readonly #later = new Items<Omit<LaterChange, keyof Places>>();
  readonly #networks = new Map<AdmissionDifference, Networks>();
  readonly #itemsOfEnds = new Map<AccessEnd, Map<number, LaterChange>>();
  readonly #ends: { transition: Transition; compared: AdmissionDifference; rank: number }[] = [];
  readonly sums: AccessEffect["sums"] = {
    places_newly_allowed: 0,
    places_to_everyone: 0,
    places_newly_refused: 0,
    places_to_nobody: 0,
    checks_removed: 0,
    checks_changed: 0,
    later_newly_allowed: 0,
  };
  readonly notes: EffectNotes = {
    opened: 0,
    checks_added: 0,
    taken_over: 0,
    later_new: 0,
    later_stay: false,
  };

  constructor(admission: Admission, steps: StepBudget) {
    this.#admission = admission;
    this.#steps = steps;
  }

  /** What changes now at places. @throws TooManySteps */
  add(transition: Transition, isPolicy = false): void {
    this.#steps.take(1);
    const { was, is } = transition;
    const admission = this.#admission;
    const compared = admission.compare(was?.admitted ?? "nobody", is?.admitted ?? "nobody");
    const rank = isPolicy ? RANK.policy : was ? RANK.served : RANK.new;
    this.#ends.push({ transition, compared, rank });
    const isOther = was !== undefined && is !== undefined && was.name !== is.name;
    const differing = was && is ? checksThatDiffer(transition) : NO_CHECKS;
    const { no_longer, newly, changed } = differing;
    const isChecked = no_longer.length + newly.length + changed.length > 0;
    const isUsed = (isOther || isChecked) && admission.isUsed(compared);
    const checks = isUsed ? differing : NO_CHECKS;
    const hasChange = !isEmpty(compared.allowed) || !isEmpty(compared.refused);
    if (!hasChange && !isUsed) return;
    const others = CHECKS.filter((check) => is?.checks[check] !== undefined);
    const content = {
      ...this.#networksOf(compared),
      from_everyone: compared.fromEveryone,
      to_everyone: compared.toEveryone,
      to_nobody: compared.toNobody,
      ...checks,
      also: others.filter((check) => !isUsed || (!newly.includes(check) && !changed.includes(check))),
    };
    addPlaces(this.#items.of(content, { ...compared, rank }, isOther), transition);
    if (!isPolicy) this.#count(transition, compared, content, isOther && isUsed);
  }

  /** Many places have the same sources. */
  #networksOf(compared: AdmissionDifference): Networks {
    return getOrMake(this.#networks, compared, () => {
      for (const { 32: ipv4, 128: ipv6 } of [compared.allowed, compared.refused])
        this.#steps.take(ipv4.length + ipv6.length);
      return networksIn(compared);
    });
  }

  #count(
    { hostports, was }: Transition,
    { allowed, refused, fromEveryone }: AdmissionDifference,
    { to_everyone, to_nobody, no_longer, newly, changed }: Omit<AccessChange, keyof Places>,
    isTakenOver: boolean,
  ): void {
    const places = Math.max(1, hostports.length);
    const { sums, notes } = this;
    if (!isEmpty(allowed)) sums.places_newly_allowed += places;
    if (!isEmpty(refused)) sums.places_newly_refused += places;
    if (to_everyone && !fromEveryone) {
      sums.places_to_everyone += places;
      if (was) notes.opened += places;
    }
    if (to_nobody && !isEmpty(refused)) sums.places_to_nobody += places;
    if (no_longer.length > 0) sums.checks_removed += places;
    if (changed.length > 0) sums.checks_changed += places;
    if (newly.length > 0) notes.checks_added += places;
    if (isTakenOver) notes.taken_over += places;
  }

  /** What changes when rules expire. @throws TooManySteps */
  async addEnds(): Promise<void> {
    let count = 0;
    for (const { transition, compared, rank } of this.#ends) {
      await this.#steps.turn();
      for (const end of await this.#admission.endsOf(compared)) {
        this.#steps.take(1);
        addPlaces(this.#laterItem(end, rank), transition);
        const places = rank === RANK.policy ? 0 : Math.max(1, transition.hostports.length);
        if (!isEmpty(end.allowed)) count += places;
        if (end.isNew) this.notes.later_new += places;
        if (places > 0) this.notes.later_stay ||= end.isStay;
      }
    }
    this.sums.later_newly_allowed = count;
  }

  /** Many places share their policies, and so the ends of rules. */
  #laterItem(end: AccessEnd, rank: number): LaterChange {
    const byRank = getOrMake(this.#itemsOfEnds, end, () => new Map<number, LaterChange>());
    const content = () => ({ at: end.at, ...networksIn(end) });
    return getOrMake(byRank, rank, () => this.#later.of(content(), { ...end, rank }));
  }

  get access(): AccessChange[] {
    return ordered(this.#items.all, orderOf).map(({ shown }) => shown);
  }

  /** The largest first, because a long list is cut from its end. */
  get later(): LaterChange[] {
    return ordered(this.#later.all, ({ shown, rank, allowed }) => [
      rank === RANK.policy ? 1 : 0,
      isEmpty(allowed) ? 1 : 0,
      -shareOf(isEmpty(allowed) ? shown.count_refused : shown.count_allowed),
      shown.at,
    ]).map(({ shown }) => shown);
  }
}

/** Adds the places of a transition to an item. */
function addPlaces(item: Places, { hostports, match, was, is }: Transition): void {
  const object = is?.name ?? was?.name ?? "";
  const instead_of = was && is && was.name !== is.name ? was.name : null;
  const all = hostports.length === 0 ? [null] : hostports;
  const first = all.slice(0, PLACES - item.places.length);
  item.places.push(...first.map((hostport) => ({ hostport, match, object, instead_of })));
  item.places_more += all.length - first.length;
}

/** A world, and what is served of it. */
export interface ServedWorld {
  world: World;
  snapshot: Snapshot;
}

/**
 * Who newly gets in or is shut out by some writes, now and when rules expire.
 *
 * @param policies the policies whose rules the writes change
 * @param now RFC 3339, UTC
 * @returns undefined if it would take too many steps
 */
export async function accessEffect(
  before: ServedWorld,
  after: ServedWorld,
  policies: Iterable<string>,
  now: string,
): Promise<AccessEffect | undefined> {
  const steps = new StepBudget(STEPS);
  const collecting = new Collecting(new Admission(before.world, after.world, now, steps), steps);
  const transitions = [
    ...transitionsBetween(before.snapshot, after.snapshot),
    ...transitionsElsewhere(before.world, after.world),
  ];
  try {
    for (const transition of transitions) {
      collecting.add(transition);
      await steps.turn();
    }
    for (const id of policies) {
      const [was, is] = [before.world, after.world].map((world) =>
        world.get("ip_policy", id) ? { name: id, admitted: [id], checks: {} } : undefined,
      );
      collecting.add({ hostports: [], match: null, was, is }, true);
      await steps.turn();
    }
  } catch (error) {
    if (error instanceof TooMuchToCompare) return undefined;
    throw error;
  }
  const { access, notes, sums } = collecting;
  steps.renew(STEPS);
  try {
    await collecting.addEnds();
  } catch (error) {
    if (!(error instanceof TooMuchToCompare)) throw error;
    return { access, later: null, sums: { ...sums, later_newly_allowed: null }, notes };
  }
  return { access, later: collecting.later, sums, notes };
}
