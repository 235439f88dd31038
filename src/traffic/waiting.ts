import { clock } from "../../packages/model/src/clock.ts";

/*
 * Requests that wait for the next change of the snapshot. Of those that wait in an isolate, one reads the number of the newest change,
 * and the others look at what it has read. They share no promise: when a client disconnects, the promises of its request never
 * resolve, and its `finally` never runs. So a reader that is gone is replaced, and each waiter counts until its deadline.
 */

/** Limits of waiting. Tests replace the values. */
export const waits = {
  /** Requests that wait in an isolate. */
  inIsolate: 1000,
  /** Requests that wait in an isolate with one key. */
  ofKey: 20,
};

/** The longest wait, in seconds. */
export const LONGEST_WAIT = 25;

const READ_EVERY = 250;
const LOOK_EVERY = 50;
/** After this time without a result, the reader is gone, and another request reads. */
const READER_GONE_AFTER = 1000;
/** A request reads at most this often: on the free plan, it may send 50 statements. A single request then waits ten seconds. */
const MOST_READS = 40;

/** Whoever waits: with which key, and until when. Milliseconds since the Unix epoch. */
let waiting: { key: string; until: number }[] = [];

/** The newest change that was read; when a request began to read it, and when that was done. */
const newest = { version: 0, begunAt: 0, readAt: 0 };

/** Whether it is time to read again. */
function isDue(now: number): boolean {
  const isReading = newest.begunAt > newest.readAt;
  return isReading ? now - newest.begunAt >= READER_GONE_AFTER : now - newest.readAt >= READ_EVERY;
}

/**
 * Waits until there is a newer version than `known`, or until the time is over. Does not wait if too many requests do. Resolves to the
 * newest version that was read; `known` if none was.
 *
 * @param key the id of the caller's key
 * @param seconds how long to wait at most
 * @param read reads the number of the newest change
 */
export async function newerVersion(
  key: string,
  known: number,
  seconds: number,
  read: () => Promise<number>,
): Promise<number> {
  const now = clock.now();
  waiting = waiting.filter(({ until }) => until > now);
  const ofKey = waiting.filter((one) => one.key === key);
  if (waiting.length >= waits.inIsolate || ofKey.length >= waits.ofKey) return known;
  const own = { key, until: now + seconds * 1000 };
  waiting.push(own);
  let [reads, seen] = [0, now];
  try {
    while (clock.now() < own.until) {
      await scheduler.wait(LOOK_EVERY);
      if (isDue(clock.now())) {
        if (reads === MOST_READS) return known;
        reads += 1;
        newest.begunAt = clock.now();
        newest.version = await read();
        newest.readAt = clock.now();
      }
      if (newest.readAt <= seen) continue;
      seen = newest.readAt;
      if (newest.version > known) return newest.version;
    }
    return known;
  } finally {
    waiting = waiting.filter((one) => one !== own);
  }
}
