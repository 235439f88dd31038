import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { rootCause } from "../db/errors.ts";
import type { App } from "../env.ts";
import { sameDigest, sha256 } from "../tokens.ts";
import { networkOf } from "../values/ip.ts";
import { type Caller, callerOf, isUseToBeNoted, noteUse, rememberedCaller } from "./callers.ts";
import { type ApiError, rateLimited, unauthenticated, unavailable, unsupportedVersion } from "./errors.ts";
import { later } from "./later.ts";
import { logFault } from "./log.ts";
import { routeOf } from "./route.ts";

const SUPPORTED_VERSION = "2";

/** RFC 6750 §2.1, with any key that an operator may have set; the scheme is case-insensitive (RFC 9110 §11.1). */
const BEARER = /^Bearer +(\S.*)$/i;

/**
 * Lets a request pass that carries a valid key and a supported version. Paths and methods that do not exist pass
 * too, to be answered 404 or 405: whoever has no key learns nothing from them that the documentation does not say.
 *
 * @throws 401 for a missing or invalid key; 429 past the rate limits; 400 for the version; 503 when no root key is configured.
 */
export const gate = createMiddleware<App>(async (c, next) => {
  const route = routeOf(c);
  if (!route) return next();
  const state = c.get("request");
  const root = c.env.ROOT_API_KEY;
  if (!root) {
    logFault(state.operationId, "ROOT_API_KEY is not set: set it with `wrangler secret put ROOT_API_KEY`.");
    throw unavailable("The service is not configured yet.");
  }
  const isAdministration = route.operation?.access === "admin";
  const [, token] = BEARER.exec(c.req.header("Authorization") ?? "") ?? [];
  const caller =
    token === undefined
      ? undefined
      : ((isAdministration ? undefined : rememberedCaller(token)) ??
        (await callerOf(state.session, token, !isAdministration)) ??
        (await rootCaller(token, root)));
  if (!caller) throw await refusal(c);
  state.caller = caller;
  await keepWithin(c, c.env.KEY_LIMIT, caller.keyId, c.env.KEY_LIMIT_POLICY);
  if (c.req.header("Service-Version") !== SUPPORTED_VERSION) throw unsupportedVersion(SUPPORTED_VERSION);
  await next();
  if (isUseToBeNoted(caller.keyId)) later(c, noteUse(state.session.primary, caller.keyId));
});

const ROOT = "root";

/** 401, or 429 for an address that fails too often. */
async function refusal(c: Context<App>): Promise<ApiError> {
  const network = networkOf(c.req.header("CF-Connecting-IP") ?? "unknown");
  await keepWithin(c, c.env.FAILED_AUTHENTICATION_LIMIT, network, c.env.FAILED_AUTHENTICATION_LIMIT_POLICY);
  return unauthenticated();
}

/** Counts a request of `who`; a limiter that fails limits nobody. @throws 429 when that was one too many */
async function keepWithin(
  c: Context<App>,
  limit: RateLimit | undefined,
  who: string,
  policy = "",
): Promise<void> {
  if (!limit) return;
  const { success } = await limit.limit({ key: who }).catch((error: unknown) => {
    logFault(c.get("request").operationId, "A rate limiter failed.", rootCause(error));
    return { success: true };
  });
  if (!success) throw rateLimited(policy);
}

/** Digests of root keys: an isolate makes each once. */
const rootDigests = new Map<string, Promise<string>>();

/** The root key's caller: an admin that is no row. Compares digests, in a time that depends on neither text. */
async function rootCaller(token: string, root: string): Promise<Caller | undefined> {
  const known = rootDigests.get(root) ?? sha256(root);
  rootDigests.set(root, known);
  const [given, expected] = await Promise.all([sha256(token), known]);
  return sameDigest(given, expected) ? { keyId: ROOT, role: "admin" } : undefined;
}
