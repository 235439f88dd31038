/** Limits how often something happens. */
export class Timer {
  #next = 0;
  readonly #interval: number;

  /** @param interval milliseconds */
  constructor(interval: number) {
    this.#interval = interval;
  }

  /** Whether the interval has passed. If so, the next one begins. */
  consume(): boolean {
    if (Date.now() < this.#next) return false;
    this.#next = Date.now() + this.#interval;
    return true;
  }

  /** Ends the current interval. */
  expire(): void {
    this.#next = 0;
  }
}
