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

/** Milliseconds of {@link fixedWork} on a machine of two gigahertz that does nothing else. */
const QUIET = 8;

/** Computes the same each time. @returns the milliseconds it took */
function fixedWork(): number {
  const started = performance.now();
  let sum = 0;
  for (let i = 0; i < 5_000_000; i++) sum = (Math.imul(sum, 31) + i) | 0;
  // The sum is used, so that the loop is not optimized away.
  return performance.now() - started + (sum === 1 ? 1 : 0);
}

// The first runs are slower, until the engine has optimized the loop.
for (let i = 0; i < 3; i++) fixedWork();

/** How many times longer this machine takes now than {@link QUIET}: at least 1. */
const slowness = (): number => Math.max(1, (fixedWork() + fixedWork() + fixedWork()) / (3 * QUIET));

/**
 * The shortest of the longest gaps of several attempts, because another process can slow down some of them. Each is divided by the
 * machine's slowness before or after it.
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
    const before = slowness();
    const gap = await longestGap((DB) => work(attempt, DB));
    least = Math.min(least, gap / Math.max(before, slowness()));
  }
  return least;
}
