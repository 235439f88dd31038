import * as z from "zod";
import { string } from "./request_schemas.ts";

/*
 * Secrets in requests. Errors never quote them.
 */

const CONTROLS = String.raw`\u0000-\u001f\u007f-\u009f`;

/** No control characters, and no white space at either end: these come from copying a secret from a file. */
const CLEAN = new RegExp(`^[^\\s${CONTROLS}](?:[^${CONTROLS}]*[^\\s${CONTROLS}])?$`);

/** Printable ASCII without spaces. */
const VISIBLE = /^[\x21-\x7e]+$/;

/** A secret that someone else has given out. */
export const secret = () => matching(CLEAN);

/** A {@link secret} that is sent in a header. */
export const headerSecret = () => matching(VISIBLE);

const matching = (pattern: RegExp) =>
  string()
    .regex(pattern, { error: ({ input }) => problemWith(String(input), pattern) })
    .meta({ minLength: 1 });

const NAMES: Record<string, string> = {
  "\n": "a line feed",
  "\r": "a carriage return",
  "\t": "a tab",
  " ": "a space",
  "\0": "a null character",
};

/** Says which character is wrong. Only control characters and white space are named. */
function problemWith(text: string, pattern: RegExp): string {
  if (text === "") return "Must not be empty.";
  const characters = Array.from(text);
  const last = characters.length - 1;
  // White space between other characters is allowed if the pattern allows it there.
  const at = characters.findIndex(
    (one, index) => !pattern.test(index === 0 || index === last ? one : `a${one}a`),
  );
  const wrong = characters[at] ?? "";
  const place = at === last ? "The last character" : at === 0 ? "The first character" : `Character ${at + 1}`;
  if (!/[\s\p{Cc}]/u.test(wrong)) return `${place} is not printable ASCII, as it must be in a header.`;
  const code = `U+${(wrong.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  const name = NAMES[wrong] === undefined ? code : `${NAMES[wrong]} (${code})`;
  return `${place} is ${name}. Leave it out: it is probably not part of the secret.`;
}

/*
 * Secrets of webhooks, in the format of Standard Webhooks 1.0: `whsec_` and 24 to 64 bytes in base64, with padding (RFC 4648
 * §4).
 */

const PREFIX = "whsec_";

/** The length of a generated secret, in bytes. */
const NEW_BYTES = 32;

/** 8 to 21 groups of 3 bytes, then the remaining bytes. Unused bits of the last character must be 0. */
const SECRET =
  /^whsec_(?:[A-Za-z0-9+/]{4}){8,20}(?:[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|(?:[A-Za-z0-9+/]{4})?(?:[A-Za-z0-9+/][AQgw]==)?)$/;

/** The secret of a webhook in requests. */
export const webhookSecret = () =>
  z.string().regex(SECRET, "Expected whsec_ and 24 to 64 bytes in base64, with padding.");

/** A new secret. */
export function newWebhookSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(NEW_BYTES));
  return PREFIX + btoa(String.fromCharCode(...bytes));
}

/** The signing key in a secret. */
export const keyOfWebhookSecret = (secret: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(secret.slice(PREFIX.length)), (char) => char.charCodeAt(0));
