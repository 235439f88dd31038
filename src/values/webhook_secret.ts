import * as z from "zod";

/*
 * Webhook secrets, in the format of Standard Webhooks 1.0: `whsec_` and 24 to 64 bytes in base64, with padding (RFC 4648
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
