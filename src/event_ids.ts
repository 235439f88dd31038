import { base62, numberOf } from "./base62.ts";
import { kinds } from "./kinds.ts";
import { KSUID_LENGTH } from "./ksuid.ts";

/*
 * Ids of events. They have the layout of other ids: 4 bytes of seconds since 1400000000; then 6 bytes of the event's number
 * in the log, by which it is found without an index, and 10 random ones. So text order is the order of commits.
 */

const EPOCH_SECONDS = 1_400_000_000;
const WORD_BITS = 32n;
const LOW_WORD = 0xff_ff_ff_ffn;

/** Bytes of the random part, as hexadecimal digits. */
const SALT_DIGITS = 20;

/** Parts of the id of a place in the log of which nothing more is known. */
export const NO_INSTANT = EPOCH_SECONDS * 1000;
export const NO_SALT = "0".repeat(SALT_DIGITS);

/** The form of an event's id. */
export const EVENT_ID = new RegExp(`^${kinds.event.prefix}[0-9A-Za-z]{${KSUID_LENGTH}}$`);

/** What an event's id is made of. */
export interface EventKey {
  /** The event's number in the log. */
  seq: number;
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** 20 hexadecimal digits, upper-case. */
  salt: string;
}

/** The id of an event; the fraction of its second is not in it. */
export function eventId({ seq, at, salt }: EventKey): string {
  const words = Uint32Array.of(
    Math.floor(at / 1000) - EPOCH_SECONDS,
    Math.floor(seq / 2 ** 16),
    (seq % 2 ** 16) * 2 ** 16 + Number.parseInt(salt.slice(0, 4), 16),
    Number.parseInt(salt.slice(4, 12), 16),
    Number.parseInt(salt.slice(12, SALT_DIGITS), 16),
  );
  return kinds.event.prefix + base62(words, KSUID_LENGTH);
}

/** The number in the log of the event with this id; undefined for a text of another form. */
export function seqOf(id: string): number | undefined {
  if (!EVENT_ID.test(id)) return undefined;
  const value = numberOf(id.slice(kinds.event.prefix.length));
  const high = Number((value >> (3n * WORD_BITS)) & LOW_WORD);
  const low = Number((value >> (2n * WORD_BITS)) & LOW_WORD);
  return high * 2 ** 16 + Math.floor(low / 2 ** 16);
}
