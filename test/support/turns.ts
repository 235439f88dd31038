import { env } from "cloudflare:workers";
import { intercepted } from "./intercepted.ts";

/*
 * How long an isolate computes without letting other requests run.
 */

/**
 * The longest time, in milliseconds, in which no timer ran while `work` was being done.
 *
 * @param work gets a database: the time of its calls does not count. The database of the tests works in the same process, and that of
 *   the platform elsewhere.
 */
async function longestGap(work: (DB: D1Database) => Promise<unknown>): Promise<number> {
  const end = new AbortController();
  let [longest, calls] = [0, 0];
  let last = performance.now();
  const note = (): void => {
    const now = performance.now();
    if (calls === 0) longest = Math.max(longest, now - last);
    last = now;
  };
  const DB = intercepted(env.DB, async ({ send }) => {
    note();
    calls += 1;
    try {
      return await send();
    } finally {
      note();
      calls -= 1;
    }
  });
  const ticking = async (): Promise<void> => {
    while (!end.signal.aborted) {
      await scheduler.wait(1);
      note();
    }
  };
  const ticks = ticking();
  try {
    await work(DB);
  } finally {
    note();
    end.abort();
    await ticks;
  }
  return longest;
}

/**
 * The shortest of the longest gaps of several attempts, because another process can slow down some of them.
 *
 * @param work does the same work in each attempt: nothing may be cached from the attempt before
 * @param enough stops after an attempt whose longest gap is shorter, in milliseconds
 * @param prepare runs before each attempt
 */
export async function gapOf(
  work: (attempt: number, DB: D1Database) => Promise<unknown>,
  enough: number,
  prepare: () => Promise<void> = async () => {},
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && least >= enough; attempt++) {
    await prepare();
    least = Math.min(least, await longestGap((DB) => work(attempt, DB)));
  }
  return least;
}
