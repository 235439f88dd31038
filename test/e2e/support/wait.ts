import { setTimeout as sleep } from "node:timers/promises";

/*
 * Waiting for events elsewhere. The limits are for events that never happen, and long enough for a busy machine.
 */

const EVERY_MILLISECONDS = 20;

/** Waits until a probe returns something, which it returns. @throws after the limit */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
  seconds = 120,
): Promise<NonNullable<T>> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (performance.now() > end) throw new Error(`Not within ${seconds} s: ${what}`);
    await sleep(EVERY_MILLISECONDS);
  }
}

/** Calls a probe until it does not throw. @throws its last error after the limit */
export async function eventually<T>(probe: () => Promise<T> | T, milliseconds = 60_000): Promise<T> {
  const end = performance.now() + milliseconds;
  for (;;)
    try {
      return await probe();
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(EVERY_MILLISECONDS);
    }
}
