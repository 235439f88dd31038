import { base62 } from "../../packages/model/src/ids.ts";
import { kinds } from "../../packages/model/src/kinds.ts";

/**
 * The form of the token of a key or a session: the 27 characters of its id, `_`, 160 random bits as 27 base62 digits, and 6 digits
 * of checksum over everything before. Secret scanners can match it.
 */
const TOKEN = /^([0-9A-Za-z]{27})_[0-9A-Za-z]{27}([0-9A-Za-z]{6})$/;

/** Characters of a token. */
export const TOKEN_LENGTH = 27 + 1 + 27 + 6;

/** A new token for the key or the session `id`. It is shown once and never stored. */
export function newToken(id: string): string {
  const random = base62(crypto.getRandomValues(new Uint32Array(5)), 27);
  const text = `${id.slice(id.indexOf("_") + 1)}_${random}`;
  return text + checksum(text);
}

/**
 * The id of the key, or of the session, that `token` is for; undefined for a string that is not a token, which is detected
 * without a query.
 */
export function keyIdOf(token: string, kind: "api_key" | "session" = "api_key"): string | undefined {
  const [, id, sum] = TOKEN.exec(token) ?? [];
  return id !== undefined && checksum(token.slice(0, -6)) === sum ? kinds[kind].prefix + id : undefined;
}

/** CRC-32 (ISO 3309, the one of zlib) of an ASCII string, as 6 base62 digits. */
function checksum(text: string): string {
  let crc = 0xff_ff_ff_ff;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0);
  }
  return base62(Uint32Array.of(~crc), 6);
}

const encoder = new TextEncoder();

/** The SHA-256 of a string in hexadecimal: 64 characters. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", encoder.encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Compares two digests in constant time. */
export const sameDigest = (a: string, b: string): boolean =>
  a.length === b.length && crypto.subtle.timingSafeEqual(encoder.encode(a), encoder.encode(b));
