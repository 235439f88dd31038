import * as z from "zod";
import { clock, timestamp } from "./clock.ts";
import { type Kind, kinds } from "./kinds.ts";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Digits per pass of long division: a double represents 62³ times 2³² exactly, and the quotient well enough to be rounded down. */
const AT_ONCE = 3;
const DIVISOR = 62 ** AT_ONCE;

/**
 * Encodes the big-endian number in `words` as `length` base62 digits, which sort like the number; 27 digits encode 160 bits.
 * Overwrites `words`.
 */
export function base62(words: Uint32Array, length: number): string {
  let text = "";
  for (let left = length; left > 0; left -= AT_ONCE) {
    let rest = 0;
    for (let i = 0; i < words.length; i++) {
      const dividend = rest * 2 ** 32 + (words[i] ?? 0);
      const quotient = Math.floor(dividend / DIVISOR);
      words[i] = quotient;
      // A remainder of doubles takes many times as long.
      rest = dividend - quotient * DIVISOR;
    }
    for (let i = Math.min(left, AT_ONCE); i > 0; i--) {
      text = DIGITS.charAt(rest % 62) + text;
      rest = Math.floor(rest / 62);
    }
  }
  return text;
}

/** Decodes base62 digits. */
function numberOf(digits: string): bigint {
  let value = 0n;
  for (const digit of digits) value = value * 62n + BigInt(DIGITS.indexOf(digit));
  return value;
}

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
 * A new identifier: 27 base62 characters. Identifiers sort in the order of their creation.
 *
 * The layout is that of a KSUID (https://github.com/segmentio/ksuid): 4 bytes of seconds since 1400000000, then 16 bytes. The
 * first two of these 16 bytes are the fraction of the second, so the first six bytes are a counter of 1/65536 s; the rest is
 * random. The counter always increases. An identifier of this isolate never sorts before an earlier one, even if the clock stands
 * still, as it does in a Worker between two I/O calls, or is set back.
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

const pathOfPrefix = new Map<string, string>(Object.values(kinds).map(({ prefix, path }) => [prefix, path]));

/** The first fields of a new object: a new id of its kind, the same instant in RFC 3339, and its first version. */
export function stamp(kind: Kind): { id: string; created_at: string; version: number } {
  const now = clock.now();
  return { id: kinds[kind].prefix + ksuid(now), created_at: timestamp(now), version: 1 };
}

/** A new id of a request, `op_` and 27 characters, which the caller and the log receive. @param now see {@link ksuid} */
export const newOperationId = (now: number): string => `op_${ksuid(now)}`;

/** The part of an id after its prefix. It has 27 characters in ids of this service; other ids can have fewer or more. */
const OPAQUE = "[0-9A-Za-z]{1,64}";
const opaque = new RegExp(`^${OPAQUE}$`);

/** True if `id` has the form of an id of `kind`: its prefix, then 1 to 64 letters and digits. */
export const isIdOf = (kind: Kind, id: string): boolean =>
  id.startsWith(kinds[kind].prefix) && opaque.test(id.slice(kinds[kind].prefix.length));

/** The prefix of an id, with its underscore; "" for a string without one. */
export const prefixOf = (id: string): string => id.slice(0, id.indexOf("_") + 1);

/**
 * The absolute URI of the object `id`, found by its prefix. `origin` has no trailing slash.
 *
 * @param edge_id for a route, its edge
 */
export function uriOf(origin: string, id: string, edge_id = ""): string {
  const path = pathOfPrefix.get(prefixOf(id)) ?? "";
  if (id === API_RESTRICTION) return origin + path;
  return `${origin}${edge_id === "" ? path : path.replace("{edge_id}", edge_id)}/${id}`;
}

/** A reference to an object in a response (spec: `Ref`). */
export const Ref = z.lazy(() =>
  z
    .strictObject({
      id: z.string().describe("Id of the object."),
      uri: z.string().describe("URI of the object."),
    })
    .meta({ id: "Ref", description: "A reference to another object." }),
);

/** The id of the API restriction: there is one at most, and its URI has no id. */
export const API_RESTRICTION = `${kinds.api_restriction.prefix}default`;

/**
 * The Ref for an id. It depends only on the id, so it needs no query, and does not change if the object is deleted.
 *
 * @param edge_id for a route, its edge
 */
export const ref = (origin: string, id: string, edge_id = ""): z.output<typeof Ref> => ({
  id,
  uri: uriOf(origin, id, edge_id),
});

/** The Refs for a list of ids, in order; null for a list that is not set. */
export const refs = (origin: string, ids: string[] | null): z.output<typeof Ref>[] | null =>
  ids?.map((id) => ref(origin, id)) ?? null;

/** An id and a Ref of `kind` for examples. */
export const exampleId = (kind: Kind): string => `${kinds[kind].prefix}2fCzyKyxGFFQjbGvSPXiVOWCOkX`;
export const exampleRef = (kind: Kind): z.output<typeof Ref> => ref(EXAMPLE_ORIGIN, exampleId(kind));
export const EXAMPLE_ORIGIN = "https://api.example.com";

/** An unanchored pattern of the ids of some kinds. */
export const idPattern = (...allowed: Kind[]): string =>
  `(?:${allowed.map((kind) => kinds[kind].prefix).join("|")})${OPAQUE}`;

/**
 * An id in a request, of one of the kinds `allowed`. It only checks the form; `db/references.ts` checks whether the object
 * exists.
 */
export function idSchema(...allowed: [Kind, ...Kind[]]): z.ZodString {
  const { pattern, expected } = idForm(...allowed);
  return z.string().regex(pattern, expected);
}

/** The pattern of an id of one of the kinds `allowed`, and the error for any other string. */
export function idForm(...allowed: [Kind, ...Kind[]]): { pattern: RegExp; expected: string } {
  const prefixes = allowed.map((kind) => kinds[kind].prefix);
  return {
    pattern: new RegExp(`^${idPattern(...allowed)}$`),
    expected: `Expected an id that starts with ${prefixes.join(" or ")}, followed by 1 to 64 letters and digits.`,
  };
}

/*
 * Ids of events, with the layout of other ids: 4 bytes of seconds since 1400000000, 6 bytes of the event's number in the log, and
 * 10 random bytes. The number finds the event without an index, and events sort in the order of their commits.
 */

const EPOCH_SECONDS = 1_400_000_000;
const WORD_BITS = 32n;
const LOW_WORD = 0xff_ff_ff_ffn;

/** The length of the random part, in hexadecimal digits. */
const SALT_DIGITS = 20;

/** The instant and the salt in the id of a position in the log at which no event is known. */
export const NO_INSTANT = EPOCH_SECONDS * 1000;
export const NO_SALT = "0".repeat(SALT_DIGITS);

/** The form of an event's id. */
export const EVENT_ID = new RegExp(`^${kinds.event.prefix}[0-9A-Za-z]{${KSUID_LENGTH}}$`);

/** The parts of an event's id. */
export interface EventKey {
  /** The event's number in the log. */
  seq: number;
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** 20 hexadecimal digits, upper-case. */
  salt: string;
}

/** The id of an event. It contains whole seconds. */
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

/** The start of the second in which an id of a request was made, in milliseconds since the Unix epoch. */
export const instantOf = (operationId: string): number =>
  EPOCH_MILLISECONDS + Number(numberOf(operationId.slice(operationId.indexOf("_") + 1)) >> 128n) * 1000;

/** The number in the log of the event with this id; undefined for a string of another form. */
export function seqOf(id: string): number | undefined {
  if (!EVENT_ID.test(id)) return undefined;
  const value = numberOf(id.slice(kinds.event.prefix.length));
  const high = Number((value >> (3n * WORD_BITS)) & LOW_WORD);
  const low = Number((value >> (2n * WORD_BITS)) & LOW_WORD);
  return high * 2 ** 16 + Math.floor(low / 2 ** 16);
}
