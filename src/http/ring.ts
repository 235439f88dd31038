import type { Context } from "hono";
import { type Ring, ringOf } from "../db/seals.ts";
import type { App } from "../env.ts";
import { unavailable } from "./errors.ts";
import { logFault } from "./log.ts";

/** The ring that seals secrets. @throws 503 when the operator has not set a valid one */
export async function ringFor(c: Context<App>): Promise<Ring> {
  const ring = await ringOf(c.env.SEALING_KEYS);
  if (ring) return ring;
  const missing = "SEALING_KEYS is missing or malformed: set it with `wrangler secret put SEALING_KEYS`.";
  logFault(c.get("request").operationId, missing, undefined, "alert");
  throw unavailable("Secrets cannot be kept now: the service lacks its sealing keys.");
}
