/** Pseudo-random numbers from a seed, so that a failure can be repeated (xorshift32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (Math.imul(seed, 2654435761) >>> 0) + 1;
  }

  /** From 0 to 1. */
  next(): number {
    this.#state ^= this.#state << 13;
    this.#state >>>= 0;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    this.#state >>>= 0;
    return this.#state / 2 ** 32;
  }

  /** An integer from 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("There is nothing to pick.");
    return item;
  }

  /** Each of the items with this probability. */
  some<Item>(items: readonly Item[], probability: number): Item[] {
    return items.filter(() => this.chance(probability));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }
}

/**
 * The random values of a test file. In CI they are the same for the same commit. Elsewhere each run draws others, and a run that
 * fails prints the seed with which it can be repeated.
 */
export function drawn(): Random {
  const given = process.env["SEED"] ?? (process.env["CI"] === "true" ? "20261123" : undefined);
  const seed = given === undefined ? Date.now() % 1_000_000 : Number(given);
  process.on("exit", (status) => {
    if (status !== 0) process.stderr.write(`SEED=${seed} repeats the random values of this run.\n`);
  });
  return new Random(seed);
}
