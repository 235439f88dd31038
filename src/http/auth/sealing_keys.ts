import type { Context } from "hono";
import { type KeyRing, keyRingOf } from "../../db/seals.ts";
import type { App } from "../../env.ts";
import { unavailable } from "../errors/errors.ts";
import { logFault } from "../log.ts";
import { secretOf } from "./operator_secrets.ts";

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
