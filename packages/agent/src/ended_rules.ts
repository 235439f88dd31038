import { derivedRecord, differingMembers } from "../../model/src/traffic/derived.ts";
import { endsIn, withoutEnded } from "../../model/src/traffic/ends.ts";
import type { Problem } from "../../model/src/traffic/problems.ts";
import type { Policy, Snapshot } from "../../model/src/traffic/snapshot.ts";
import { instantIn, textOfInstant, wallClock } from "./base/clock.ts";
import { log } from "./log.ts";
import { reasonOf } from "./refusal.ts";
import type { State } from "./state.ts";
import { clockFile } from "./state_files.ts";

/*
 * Rules that end. The agent removes them itself, by the machine's clock, and keeps in memory and on disk which rules have ended: they
 * stay ended when the clock is set back. Other rules follow the clock as it is then.
 */

const CLOCK = "clock.json";
/** With more, those that no policy has are forgotten. */
const MOST_KNOWN = 10_000;

type Policies = Snapshot["ip_policies"];

/** What is left of a policy or a snapshot, until the next rule ends. */
interface Rest<Of> {
  rest: Of;
  /** When the next rule ends, in milliseconds since 1970; Infinity if none does. */
  next: number;
}

export class EndedRules {
  readonly #state: State;
  /** The rules that have ended: policy, list, range and end of each. */
  readonly #ended: Set<string>;
  /** Whether `#ended` is on disk. */
  #isSaved = true;
  /** Why it could not be written. */
  #error: string | undefined;
  /** What was found since the last rule ended. */
  #policies = new WeakMap<Policy, Rest<Policy>>();
  #snapshots = new WeakMap<Snapshot, Rest<Snapshot>>();
  /** The policies with rules that end, of some snapshots and of the last one. */
  readonly #ending = new WeakMap<Policies, ReadonlyMap<string, Policy>>();
  #last: Policies = {};

  constructor(state: State) {
    this.#state = state;
    this.#ended = new Set(state.read(CLOCK, clockFile)?.ended);
  }

  /**
   * A snapshot without rules that have ended. Until the next rule ends, `rest` is the same object for the same snapshot; it is the
   * snapshot itself if no rule has ended.
   */
  without(snapshot: Snapshot): Rest<Snapshot> {
    const known = this.#snapshots.get(snapshot);
    if (known && wallClock() < known.next) return known;
    const before = this.#ended.size;
    const rests = Array.from(this.#endingIn(snapshot.ip_policies), ([id, policy]) => ({
      id,
      policy,
      ...this.#restOf(id, policy),
    }));
    const changed = rests.filter(({ policy, rest }) => rest !== policy);
    const policies = new Map(changed.map(({ id, rest }) => [id, rest]));
    const rest =
      changed.length === 0
        ? snapshot
        : { ...snapshot, ip_policies: derivedRecord(snapshot.ip_policies, policies) };
    const found = { rest, next: rests.reduce((soonest, { next }) => Math.min(soonest, next), Infinity) };
    if (this.#ended.size > before) {
      // Earlier forms of a policy can have the same rule.
      this.#policies = new WeakMap();
      this.#snapshots = new WeakMap();
    }
    this.#snapshots.set(snapshot, found);
    this.#save(snapshot);
    return found;
  }

  /** The policies with rules that end. */
  #endingIn(policies: Policies): ReadonlyMap<string, Policy> {
    const known = this.#ending.get(policies);
    if (known) return known;
    const ending = new Map(this.#ending.get(this.#last));
    for (const id of differingMembers(this.#last, policies)) {
      const policy = policies[id];
      if (policy?.expires_at) ending.set(id, policy);
      else ending.delete(id);
    }
    this.#ending.set(policies, ending);
    this.#last = policies;
    return ending;
  }

  #restOf(id: string, policy: Policy): Rest<Policy> {
    const known = this.#policies.get(policy);
    if (known && wallClock() < known.next) return known;
    const now = thisSecond();
    const rest = withoutEnded(policy, (list, range, end) => {
      const rule = keyOf(id, list, range, end);
      if (end <= now && !this.#ended.has(rule)) {
        this.#ended.add(rule);
        this.#isSaved = false;
      }
      return this.#ended.has(rule);
    });
    const [next] = endsIn([rest]).toSorted();
    const found = { rest, next: next === undefined ? Infinity : instantIn(next) };
    this.#policies.set(policy, found);
    return found;
  }

  /** Rules of a snapshot that ended before the clock was set back: by the clock as it is now, they have not ended. */
  problems({ ip_policies }: Snapshot): Problem[] {
    const now = thisSecond();
    return [...this.#endingIn(ip_policies)].flatMap(([id, { expires_at }]) => {
      if (!expires_at) return [];
      const rules = LISTS.flatMap((list) =>
        Object.entries(expires_at[list]).flatMap(([range, end]) =>
          end > now && this.#ended.has(keyOf(id, list, range, end)) ? [`${list} ${range} (${end})`] : [],
        ),
      );
      const [first] = rules;
      if (first === undefined) return [];
      const others = rules.length === 1 ? "" : ` and ${rules.length - 1} more`;
      const msg = `This machine's clock was set back. By it, rules end in the future that had ended already: ${first}${others}. They stay ended. Replace them with other ends if they should not.`;
      return [{ object: id, code: "clock_set_back", msg }];
    });
  }

  /** Writes down which rules have ended. If that fails, they end nevertheless, and it is tried again. */
  #save({ ip_policies }: Snapshot): void {
    if (this.#isSaved) return;
    const hasPolicy = (rule: string): boolean => Object.hasOwn(ip_policies, rule.slice(0, rule.indexOf(" ")));
    if (this.#ended.size > MOST_KNOWN)
      for (const rule of this.#ended) if (!hasPolicy(rule)) this.#ended.delete(rule);
    try {
      this.#state.write(CLOCK, { ended: [...this.#ended] });
      this.#isSaved = true;
    } catch (error) {
      if (this.#error !== reasonOf(error))
        log(`Cannot write down which rules have ended: ${reasonOf(error)}`);
      this.#error = reasonOf(error);
    }
  }
}

const LISTS = ["allow", "deny"] as const;

const keyOf = (policy: string, list: string, range: string, end: string): string =>
  `${policy} ${list} ${range} ${end}`;

/** Now, as the ends of rules are written. */
const thisSecond = (): string => `${textOfInstant(wallClock()).slice(0, 19)}Z`;
