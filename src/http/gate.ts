import { createMiddleware } from "hono/factory";
import type { App } from "../env.ts";
import { unauthenticated, unavailable, unsupportedVersion } from "./errors.ts";
import { logFault } from "./log.ts";
import { routeOf } from "./route.ts";

const SUPPORTED_VERSION = "2";

/** RFC 6750 §2.1, with any key that an operator may have set; the scheme is case-insensitive (RFC 9110 §11.1). */
const BEARER = /^Bearer +(\S.*)$/i;

/**
 * Lets a request pass that carries a valid key and a supported version. Paths and methods that do not exist pass
 * too, to be answered 404 or 405: whoever has no key learns nothing from them that the documentation does not say.
 *
 * @throws 401 for a missing, malformed or unknown key; 400 for the version; 503 when no root key is configured.
 */
export const gate = createMiddleware<App>(async (c, next) => {
  if (routeOf(c)) {
    if (!c.env.ROOT_API_KEY) {
      logFault(c.var.operationId, "ROOT_API_KEY is not set: set it with `wrangler secret put ROOT_API_KEY`.");
      throw unavailable("The service is not configured yet.");
    }
    const [, key] = BEARER.exec(c.req.header("Authorization") ?? "") ?? [];
    if (!key || !(await sameText(key, c.env.ROOT_API_KEY))) throw unauthenticated();
    if (c.req.header("Service-Version") !== SUPPORTED_VERSION) throw unsupportedVersion(SUPPORTED_VERSION);
  }
  await next();
});

/** Compares in a time that depends on neither text: the digests are always of one length. */
async function sameText(a: string, b: string): Promise<boolean> {
  const [digestA, digestB] = await Promise.all([digest(a), digest(b)]);
  return crypto.subtle.timingSafeEqual(digestA, digestB);
}

const encoder = new TextEncoder();
const digest = (value: string): Promise<ArrayBuffer> =>
  crypto.subtle.digest("SHA-256", encoder.encode(value));
