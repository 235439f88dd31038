import { base62 } from "./base62.ts";

/** Characters of an identifier. */
export const KSUID_LENGTH = 27;
const EPOCH_MILLISECONDS = 1_400_000_000_000;
const TICKS_PER_SECOND = 65_536;

let lastTick = 0;

/** Random words, generated many at a time. */
const drawn = new Uint32Array(256);
let used = drawn.length;

function randomWord(): number {
  if (used === drawn.length) {
    crypto.getRandomValues(drawn);
    used = 0;
  }
  return drawn[used++] ?? 0;
}

/** The identifier being built: 160 bits. */
const words = new Uint32Array(5);

/**
 * A new 27-character base62 identifier whose text order is its creation order.
 *
 * The layout is KSUID's (https://github.com/segmentio/ksuid): 4 bytes of seconds since 1400000000, then 16
 * bytes. The first two of those hold the fraction of the second, so that the first six bytes are one counter of
 * 1/65536 s; the rest is random. The counter always increases: no identifier of this isolate sorts before an
 * earlier one, even when the clock stands still (as it does in a Worker between two I/O calls) or is set back.
 *
 * @param now milliseconds since the Unix epoch
 */
export function ksuid(now: number): string {
  lastTick = Math.max(Math.floor(((now - EPOCH_MILLISECONDS) / 1000) * TICKS_PER_SECOND), lastTick + 1);
  words[0] = Math.floor(lastTick / TICKS_PER_SECOND);
  words[1] = (lastTick % TICKS_PER_SECOND) * 2 ** 16 + (randomWord() % 2 ** 16);
  for (let i = 2; i < words.length; i++) words[i] = randomWord();
  return base62(words, KSUID_LENGTH);
}
