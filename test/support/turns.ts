/*
 * How long an isolate computes without letting other requests run.
 */

/** The longest time, in milliseconds, in which no timer ran while `work` was being done. */
async function longestGap(work: () => Promise<unknown>): Promise<number> {
  const end = new AbortController();
  let longest = 0;
  let last = performance.now();
  const note = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const ticking = async (): Promise<void> => {
    while (!end.signal.aborted) {
      await scheduler.wait(1);
      note();
    }
  };
  const ticks = ticking();
  try {
    await work();
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
  work: (attempt: number) => Promise<unknown>,
  enough: number,
  prepare: () => Promise<void> = async () => {},
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && least >= enough; attempt++) {
    await prepare();
    least = Math.min(least, await longestGap(() => work(attempt)));
  }
  return least;
}
