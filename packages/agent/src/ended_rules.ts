import { endsIn, withoutEnded } from "../../traffic/src/ends.ts";
import type { Policy, Snapshot } from "../../traffic/src/snapshot.ts";
import { instantIn, textOfInstant, wallClock } from "./clock.ts";
import type { State } from "./state.ts";
import { clockFile } from "./state_files.ts";

/*
 * Rules that end. The agent removes them itself, by a clock that never goes back: the latest instant that it has seen is kept in memory
 * and on disk, so that a rule that has ended stays ended.
 */

const CLOCK = "clock.json";

export class EndedRules {
  readonly #state: State;
  #latest: number;
  /** What is on disk. */
  #saved: number;
  #next = Infinity;
  /** Policies without what had ended, and the first end in the rest. */
  readonly #known = new WeakMap<Policy, { rest: Policy; until: string | undefined }>();

  constructor(state: State) {
    this.#state = state;
    this.#saved = state.read(CLOCK, clockFile)?.latest ?? 0;
    this.#latest = this.#saved;
  }

  /** Now, in milliseconds since 1970, or the latest instant seen if the clock was set back. */
  now(): number {
    this.#latest = Math.max(this.#latest, wallClock());
    return this.#latest;
  }

  /** When the next rule of the last snapshot ends, in milliseconds since 1970; Infinity if none does. */
  get next(): number {
    return this.#next;
  }

  /** A snapshot without rules that have ended. The same object if there are none. */
  without(snapshot: Snapshot): Snapshot {
    const now = `${textOfInstant(this.now()).slice(0, 19)}Z`;
    const changed: [string, Policy][] = [];
    let [next, lastEnded] = ["", ""];
    for (const [id, policy] of Object.entries(snapshot.ip_policies)) {
      if (policy.expires_at === undefined) continue;
      const { rest, until } = this.#restOf(policy, now);
      if (rest !== policy) changed.push([id, rest]);
      if (until !== undefined && (next === "" || until < next)) next = until;
      for (const end of endsIn([policy])) if (end <= now && end > lastEnded) lastEnded = end;
    }
    this.#next = next === "" ? Infinity : instantIn(next);
    // Before the rule goes: afterwards nothing must bring it back.
    if (lastEnded !== "" && instantIn(lastEnded) > this.#saved) this.#save();
    if (changed.length === 0) return snapshot;
    return { ...snapshot, ip_policies: { ...snapshot.ip_policies, ...Object.fromEntries(changed) } };
  }

  #restOf(policy: Policy, now: string): { rest: Policy; until: string | undefined } {
    const known = this.#known.get(policy);
    if (known && (known.until === undefined || known.until > now)) return known;
    const rest = withoutEnded(policy, now);
    const found = { rest, until: endsIn([rest]).toSorted()[0] };
    this.#known.set(policy, found);
    return found;
  }

  #save(): void {
    this.#saved = this.#latest;
    this.#state.write(CLOCK, { latest: this.#saved });
  }
}
