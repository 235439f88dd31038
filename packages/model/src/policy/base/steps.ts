/*
 * Computations that can pause. What they yield is the work since the last time, in characters that were read: whoever runs them decides
 * when to let something else run.
 */

/** A computation in steps, and its result. */
export type Steps<Result> = Generator<number, Result, undefined>;

/** Runs a computation without pausing. */
export function withoutPauses<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
