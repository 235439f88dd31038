import { elapsed } from "./base/clock.ts";

const SHORTEST = 500;
const LONGEST = 30_000;

/** When something that failed is tried again: after half a second, then after twice as long each time, up to 30 seconds. */
export class Retry {
  #failures = 0;
  #at = Infinity;

  get isDue(): boolean {
    return elapsed() >= this.#at;
  }

  /** @param after milliseconds, instead of the backoff */
  failed(after?: number): void {
    this.#at = elapsed() + (after ?? Math.min(SHORTEST * 2 ** Math.min(this.#failures, 10), LONGEST));
    this.#failures = after === undefined ? this.#failures + 1 : 0;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#at = Infinity;
  }
}
