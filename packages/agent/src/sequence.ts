/** Steps that must not overlap: each begins when the one before it has ended, whether or not that failed. */
export class Sequence {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs a step in its turn. Resolves to its result. */
  run<Result>(step: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(step);
    this.#last = result.catch(() => {});
    return result;
  }
}
