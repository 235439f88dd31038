import type { Context } from "hono";
import { rootCause } from "../../db/failures.ts";
import type { App } from "../../env.ts";
import type { Access } from "../../roles.ts";
import { keyIdOf, sameDigest, sha256 } from "../../tokens.ts";
import { networkOf } from "../../values/ip.ts";
import { rateLimited, unauthenticated, unavailable } from "../errors/errors.ts";
import { logFault } from "../log.ts";
import { type Caller, ROOT } from "./caller.ts";
import { callerOf, isFamiliar, isOutdated, rememberedCaller } from "./keys.ts";
import { secretOf } from "./operator_secrets.ts";

/** RFC 6750 §2.1, with any key that an operator may have set; the scheme is case-insensitive (RFC 9110 §11.1). */
const BEARER = /^Bearer +(\S.*)$/i;

/**
 * Who sends the request. A key that this isolate has seen lately is remembered, but for what needs the role `admin`: that
 * a revoked key does not do even for a moment.
 *
 * @param access what the operation needs
 * @throws 401 for a missing or invalid key; 429 for a network that sends too many of these; 503 when no root key is
 * configured
 */
export async function authenticate(c: Context<App>, access: Access | undefined): Promise<Caller> {
  const root = secretOf(c, "ROOT_API_KEY");
  if (root === undefined) throw unavailable("The service is not configured yet.");
  const [, token] = BEARER.exec(c.req.header("Authorization") ?? "") ?? [];
  const keyId = token === undefined ? undefined : keyIdOf(token);
  const caller =
    token === undefined
      ? undefined
      : keyId === undefined
        ? await rootCaller(token, root)
        : await keyCaller(c, token, keyId, access !== "admin");
  if (caller) return caller;
  // The look-up of what could have been a key was counted before it was made.
  if (keyId === undefined) await countFailure(c);
  throw unauthenticated();
}

async function keyCaller(
  c: Context<App>,
  token: string,
  keyId: string,
  isRemembered: boolean,
): Promise<Caller | undefined> {
  const known = isRemembered ? rememberedCaller(token) : undefined;
  if (known) return known;
  // Anybody can make up tokens of the right form: each would cost the primary a query.
  if (!isFamiliar(token)) await countFailure(c);
  return callerOf(c.get("request").session, token, keyId, isRemembered);
}

/**
 * Authenticates again if what was known of the caller when the request's headers arrived may have changed: the body may
 * have taken long, or a key was revoked.
 */
export async function confirmCaller(c: Context<App>, access: Access): Promise<void> {
  const state = c.get("request");
  if (state.caller && isOutdated(state.caller)) state.caller = await authenticate(c, access);
}

/** Counts a request of `who`; a limiter that fails limits nobody. @throws 429 when that was one too many */
export async function keepWithin(
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

/** Counts a failed authentication of the client's network. @throws 429 past the limit */
function countFailure(c: Context<App>): Promise<void> {
  const network = networkOf(c.req.header("CF-Connecting-IP") ?? "unknown");
  return keepWithin(c, c.env.FAILED_AUTHENTICATION_LIMIT, network, c.env.FAILED_AUTHENTICATION_LIMIT_POLICY);
}

/** Digests of root keys: an isolate makes each once. */
const rootDigests = new Map<string, Promise<string>>();

/** The root key's caller: an admin that is no row. Compares digests, in a time that depends on neither text. */
async function rootCaller(token: string, root: string): Promise<Caller | undefined> {
  const known = rootDigests.get(root) ?? sha256(root);
  rootDigests.set(root, known);
  const [given, expected] = await Promise.all([sha256(token), known]);
  if (!sameDigest(given, expected)) return undefined;
  return {
    keyId: ROOT,
    role: "admin",
    ownerId: null,
    expiresAt: null,
    knownUntil: Number.POSITIVE_INFINITY,
    revocations: 0,
  };
}
