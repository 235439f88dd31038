import { elapsed, NEVER } from "./base/clock.ts";

/** Limits how often something happens. */
export class Timer {
  #next = NEVER;
  readonly #interval: number;

  /** @param interval milliseconds */
  constructor(interval: number) {
    this.#interval = interval;
  }

  /** Whether the interval has passed. If so, the next one begins. */
  consume(): boolean {
    if (elapsed() < this.#next) return false;
    this.#next = elapsed() + this.#interval;
    return true;
  }

  /** Ends the current interval. */
  expire(): void {
    this.#next = NEVER;
  }
}
