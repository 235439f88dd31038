import type { Context } from "hono";
import { type KeyRing, keyRingOf, placeOf, seal } from "../db/seals.ts";
import { secretOf } from "./auth.ts";
import type { App } from "./env.ts";
import { unavailable } from "./errors.ts";
import { logFault } from "./log.ts";

/** The key ring that seals secrets. @throws 503 if the operator has not set a valid one */
export async function keyRingFor(c: Context<App>): Promise<KeyRing> {
  const text = secretOf(c, "SEALING_KEYS");
  const ring = await keyRingOf(text);
  if (ring) return ring;
  if (text !== undefined) {
    const malformed = "SEALING_KEYS is malformed: set it with `wrangler secret put SEALING_KEYS`.";
    logFault(c.get("request").operationId, malformed, undefined, "alert");
  }
  throw unavailable("Secrets cannot be stored: the service has no valid sealing keys.");
}

/**
 * Seals the secrets of the object `id`. `member` is the column that contains them; each secret's path in it is appended.
 *
 * @throws 503 as {@link keyRingFor}, only if there is a secret
 */
export const sealFor =
  (c: Context<App>, id: string, member: string) =>
  async (secret: string, path: string): Promise<string> =>
    seal(await keyRingFor(c), secret, placeOf(id, `${member}.${path}`));
