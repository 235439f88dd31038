import type { Steps } from "../../packages/model/src/policy/base/steps.ts";

/*
 * Long computations let other requests of the isolate have a turn. The platform's clock stands still while code runs, so the work is
 * counted: one unit is about what it takes to read a character of a policy, a few microseconds.
 */

/** The work between two turns. */
const MOST_WORK = 20_000;

/** The work that the isolate has done since the last turn, for any request. */
let work = 0;

/** Runs a computation that can pause. After enough work, lets other requests run first. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    work += value;
    if (work < MOST_WORK) continue;
    work = 0;
    await scheduler.wait(0);
  }
}
