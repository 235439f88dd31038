import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { clock, timestamp } from "../../packages/model/src/clock.ts";
import { type Access, isForPrograms } from "../../packages/model/src/roles.ts";
import { networkOf } from "../../packages/model/src/values/ip.ts";
import { rootCause } from "../db/failures.ts";
import { keyWorks, sessionWorks } from "../db/key_statements.ts";
import type { Condition } from "../db/statements.ts";
import { sessionTokenOf } from "./cookies.ts";
import { type App, type Caller, ROOT } from "./env.ts";
import {
  addressNotAllowed,
  type ApiError,
  rateLimited,
  unauthenticated,
  unavailable,
  unsupportedVersion,
} from "./errors.ts";
import {
  callerOf,
  type Holder,
  isFamiliar,
  isOutdated,
  isUseToBeNoted,
  noteUse,
  rememberedCaller,
} from "./keys.ts";
import { inBackground, logFault } from "./log.ts";
import { isLoopback } from "./request.ts";
import { isVersioned } from "./route.ts";
import { keyIdOf, sameDigest, sha256 } from "./tokens.ts";

/** The values in `.dev.vars.example`, which are public. */
export const EXAMPLES = {
  ROOT_API_KEY: "local-development-key",
  SEALING_KEYS: "local:bG9jYWwgZGV2ZWxvcG1lbnQgc2VhbGluZyBrZXkgISE=",
} as const;

/** The example sealing key without its id: it is rejected under any id and next to any other keys. */
const EXAMPLE_SEALING_KEY = EXAMPLES.SEALING_KEYS.slice("local:".length);

const isExample = {
  ROOT_API_KEY: (value: string) => value === EXAMPLES.ROOT_API_KEY,
  SEALING_KEYS: (value: string) => value.includes(EXAMPLE_SEALING_KEY),
};

/**
 * A secret set by the operator. Undefined if it is unset or empty, or if it is a public example and the request's host is
 * not loopback; the log then says what to set.
 */
export function secretOf(c: Context<App>, name: keyof typeof EXAMPLES): string | undefined {
  const { operationId, url } = c.get("request");
  const value = c.env[name];
  const isPublic = value !== undefined && isExample[name](value) && !isLoopback(url);
  if (value && !isPublic) return value;
  const problem = isPublic
    ? "is the public example from .dev.vars.example: set another"
    : "is not set: set it";
  logFault(operationId, `${name} ${problem} with \`wrangler secret put ${name}\`.`, undefined, "alert");
  return undefined;
}

const SUPPORTED_VERSION = "2";

/**
 * Lets requests with a valid key, or the cookie of a session, and a supported version pass. Requests that match no route pass too, to get 404 or 405:
 * these reveal nothing that the documentation does not.
 *
 * @throws 401 for a missing or invalid key; 429 over the rate limits; 400 for the version; 503 if no root key is
 * configured, or only the public example
 */
export const gate = createMiddleware<App>(async (c, next) => {
  const state = c.get("request");
  const { route } = state;
  if (!route) return next();
  // The transaction itself has already passed.
  if (state.part) return next();
  const { operation } = route;
  await admit(c, operation?.access, () => {
    const needsVersion = operation === undefined || isVersioned(operation);
    if (needsVersion && c.req.header("Service-Version") !== SUPPORTED_VERSION)
      throw unsupportedVersion(SUPPORTED_VERSION);
    return next();
  });
});

/**
 * Authenticates the caller, counts the request, and lets it pass.
 *
 * @param access as {@link authenticate} takes it
 * @throws as {@link gate} does
 */
export async function admit<Result>(
  c: Context<App>,
  access: Access | "program" | undefined,
  next: () => Promise<Result>,
): Promise<Result> {
  const state = c.get("request");
  const caller = await authenticate(c, access);
  state.caller = caller;
  await keepWithin(c, c.env.KEY_LIMIT, caller.keyId, c.env.KEY_LIMIT_POLICY);
  const result = await next();
  if (isUseToBeNoted(caller)) inBackground(c, noteUse(state.session, caller.keyId));
  return result;
}

/**
 * As in RFC 6750 §2.1, but with any characters, because an operator may choose any key. The scheme is case-insensitive
 * (RFC 9110 §11.1).
 */
const BEARER = /^Bearer +(\S.*)$/i;

/**
 * Authenticates the caller. An isolate caches the keys that it has seen recently, except for operations that need the role
 * `admin`: for these, a revoked key must stop working immediately.
 *
 * @param access who may call the operation; `program` for any caller with a key
 * @throws 401 for a missing or invalid key; 403 for an address that the restriction of the API rejects; 429 for a network with too
 * many failures; 503 if no root key is configured
 */
async function authenticate(c: Context<App>, access: Access | "program" | undefined): Promise<Caller> {
  const root = secretOf(c, "ROOT_API_KEY");
  if (root === undefined) throw unavailable("The service is not configured yet.");
  const isRemembered = access !== "admin";
  const [, token] = BEARER.exec(c.req.header("Authorization") ?? "") ?? [];
  if (token !== undefined) return callerWithKey(c, token, root, isRemembered);
  const cookie = access === "program" || isForPrograms(access) ? undefined : sessionTokenOf(c);
  const id = cookie === undefined ? undefined : keyIdOf(cookie, "session");
  if (cookie !== undefined && id !== undefined) {
    const caller = await holderOf(c, "session", cookie, id, isRemembered, await digestOf(root));
    if (caller) return letIn(c, caller);
  } else await countFailure(c);
  throw unauthenticated();
}

/**
 * The caller with an API key.
 *
 * @throws 401 for an invalid key; 403 for an address that the restriction of the API rejects; 429 for a network with too many
 * failures
 */
async function callerWithKey(
  c: Context<App>,
  token: string,
  root: string,
  isRemembered: boolean,
): Promise<Caller> {
  // The whole token is compared with one that this isolate has accepted, so its form and checksum need no check.
  const known = isRemembered ? rememberedCaller(token, "api_key", c.get("request").address) : undefined;
  if (known && (known.isLetIn || !isRestrictionOn(c))) return known;
  const keyId = keyIdOf(token);
  const caller =
    keyId === undefined
      ? await rootCaller(token, root)
      : await holderOf(c, "api_key", token, keyId, isRemembered);
  if (caller) return letIn(c, caller);
  // For a well-formed token, the lookup was counted before it was made.
  if (keyId === undefined) await countFailure(c);
  throw unauthenticated();
}

/**
 * The caller with an API key that somebody signs in with, never taken from the cache.
 *
 * @returns the digest of the root key for that key, otherwise null
 * @throws as {@link gate} does for a key
 */
export async function signingIn(
  c: Context<App>,
  token: string,
): Promise<{ caller: Caller; rootDigest: string | null }> {
  const root = secretOf(c, "ROOT_API_KEY");
  if (root === undefined) throw unavailable("The service is not configured yet.");
  const caller = await callerWithKey(c, token, root, false);
  return { caller, rootDigest: caller.keyId === ROOT ? await digestOf(root) : null };
}

async function holderOf(
  c: Context<App>,
  holder: Holder,
  token: string,
  id: string,
  isRemembered: boolean,
  rootDigest?: string,
): Promise<Caller | undefined> {
  const { session, address } = c.get("request");
  const known = isRemembered ? rememberedCaller(token, holder, address, rootDigest) : undefined;
  const isRestricted = isRestrictionOn(c);
  if (known && (known.isLetIn || !isRestricted)) return known;
  // Anyone can make up well-formed tokens, or call with a stolen one from many addresses, and each would cost a query on the primary.
  if (!isFamiliar(token, holder, address, isRestricted, rootDigest)) await countFailure(c);
  return known ?? callerOf(session, token, id, address, isRemembered, rootDigest);
}

/** Whether the restriction of the API by address is in force. */
export const isRestrictionOn = (c: Context<App>): boolean => c.env.API_RESTRICTION !== "off";

/** The caller, if the restriction of the API lets in the request's address. @throws 403 otherwise */
function letIn(c: Context<App>, caller: Caller): Caller {
  if (caller.isLetIn || !isRestrictionOn(c)) return caller;
  throw rejected(c, caller);
}

/** The error for a caller whose address the restriction of the API rejects, which is recorded. */
export function rejected(c: Context<App>, caller: Caller): ApiError {
  const state = c.get("request");
  state.rejected = caller;
  return addressNotAllowed(state.address);
}

/**
 * Authenticates again if what was known about the caller when the request's headers arrived may be out of date: the
 * body took long to arrive, or a key was revoked.
 */
export async function confirmCaller(c: Context<App>, access: Access | "program"): Promise<void> {
  const state = c.get("request");
  // An operation of a transaction has no separate key. The transaction's key was confirmed after its body had arrived.
  if (state.part) return;
  if (state.caller && isOutdated(state.caller)) state.caller = await authenticate(c, access);
}

/**
 * Counts a step of signing in from the client's network.
 *
 * @param step each has a limit of its own, so that one sign-in counts once
 * @throws 429 over the limit
 */
export function countSignIn(c: Context<App>, step: "begin" | "complete" | "personal key"): Promise<void> {
  const network = networkOf(c.get("request").address || "unknown");
  return keepWithin(c, c.env.LOGIN_LIMIT, `${step} ${network}`, c.env.LOGIN_LIMIT_POLICY);
}

/** Counts a request of `who`. If the rate limiter fails, the request is let through. @throws 429 over the limit */
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

/** Counts a failed authentication from the client's network. @throws 429 over the limit */
export function countFailure(c: Context<App>): Promise<void> {
  const network = networkOf(c.get("request").address || "unknown");
  return keepWithin(c, c.env.FAILED_AUTHENTICATION_LIMIT, network, c.env.FAILED_AUTHENTICATION_LIMIT_POLICY);
}

/** Digests of root keys, computed once per isolate. */
const rootDigests = new Map<string, Promise<string>>();

function digestOf(root: string): Promise<string> {
  const known = rootDigests.get(root) ?? sha256(root);
  rootDigests.set(root, known);
  return known;
}

/** The caller for the root key: an admin without a row. Compares digests, in constant time. */
async function rootCaller(token: string, root: string): Promise<Caller | undefined> {
  const [given, expected] = await Promise.all([sha256(token), digestOf(root)]);
  if (!sameDigest(given, expected)) return undefined;
  return {
    keyId: ROOT,
    subject: ROOT,
    role: "admin",
    ownerId: null,
    expiresAt: null,
    session: null,
    knownUntil: Number.POSITIVE_INFINITY,
    revocations: 0,
    isLetIn: true,
  };
}

/*
 * An operation that needs the role `admin` requires a key that is valid when the statement runs: it may have been revoked
 * since the request's headers arrived.
 */

/** {@link validity} for an operation that only an admin may call; no condition for others. */
export const authority = (c: Context<App>): Condition =>
  c.get("request").route?.operation?.access === "admin" ? validity(c) : undefined;

/** The caller's key or session is valid when the statement runs. No condition for the root key, which has no row. */
export function validity(c: Context<App>): Condition {
  const { caller } = c.get("request");
  if (!caller) throw unauthenticated();
  const now = timestamp(clock.now());
  if (caller.session) return sessionWorks(caller.session.id, now);
  return caller.keyId === ROOT ? undefined : keyWorks(caller.keyId, now);
}
