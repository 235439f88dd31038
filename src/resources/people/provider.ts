import type { Context } from "hono";
import { keyRingOf, placeOf, seal, unseal } from "../../db/seals.ts";
import { parsedAs } from "../../db/unchecked.ts";
import { secretOf } from "../../http/auth.ts";
import { cookieOf, LOGIN_COOKIE, setCookie } from "../../http/cookies.ts";
import type { App } from "../../http/env.ts";
import { signInExpired, unavailable, wayNotConfigured } from "../../http/errors.ts";
import { logFault } from "../../http/log.ts";
import { isLoopback } from "../../http/request.ts";
import { keyRingFor } from "../../http/sealing_keys.ts";
import type { Begun, Provider } from "./oidc_client.ts";

/*
 * The operator's settings for signing in with an identity provider, and what a browser keeps while it is at the provider.
 */

const DEFAULT_SCOPE = "openid email profile";

/** True if people can sign in with an identity provider. */
export const hasProvider = ({ env }: Context<App>): boolean =>
  Boolean(env.OIDC_ISSUER && env.OIDC_CLIENT_ID && env.OIDC_CLIENT_SECRET);

/** @throws 404 if none is configured; 503 for an issuer that is not an HTTPS URL */
export function providerOf(c: Context<App>): Provider {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = c.env;
  if (!issuer || !clientId || !clientSecret) throw wayNotConfigured();
  const { origin, operationId } = c.get("request");
  const isLocal = isLoopback(`${issuer}/`);
  if (!URL.canParse(issuer) || !(issuer.startsWith("https://") || isLocal)) {
    logFault(operationId, "OIDC_ISSUER must be an https:// URL.", undefined, "alert");
    throw unavailable("Signing in is not configured yet.", 60);
  }
  const scope = c.env.OIDC_SCOPE || DEFAULT_SCOPE;
  return { issuer, clientId, clientSecret, redirectUri: `${origin}/auth/callback`, scope, isLocal };
}

/** How long a sign-in may take, in seconds. */
export const LOGIN_SECONDS = 600;

/** What the login cookie holds. */
interface Login extends Begun {
  return_to: string;
  /** Milliseconds since the Unix epoch. */
  expires_at: number;
}

/** Additional data of its own, so that no other sealed text is accepted as a login cookie, and the other way around. */
const PLACE = placeOf("cookie", LOGIN_COOKIE);

/** The `Set-Cookie` header that keeps a sign-in. @throws 503 without sealing keys */
export const keepLogin = async (c: Context<App>, login: Login): Promise<string> =>
  setCookie(LOGIN_COOKIE, await seal(await keyRingFor(c), JSON.stringify(login), PLACE), LOGIN_SECONDS);

/** The sign-in that this browser has begun. @throws 400 if it has begun none, too long ago, or the cookie was altered */
export async function loginOf(c: Context<App>, now: number): Promise<Login> {
  const sealed = cookieOf(c, LOGIN_COOKIE);
  const ring = await keyRingOf(secretOf(c, "SEALING_KEYS"));
  if (!sealed || !ring) throw signInExpired();
  const opened = await unseal(ring, sealed, PLACE).catch(() => undefined);
  if (opened === undefined) throw signInExpired();
  const login = parsedAs<Login>(opened);
  if (login.expires_at <= now) throw signInExpired();
  return login;
}

const HOME = "/console";

/** The longest path that fits into the login cookie, in characters: browsers keep cookies of up to 4,096 bytes (RFC 6265 §6.1). */
const LONGEST_RETURN = 2_000;

/**
 * Where to go after a sign-in: a path of this origin under `/console`, with its query and fragment; the console itself for
 * any other address, and for one of more than {@link LONGEST_RETURN} characters.
 */
export function returnPath(text: string | undefined, origin: string): string {
  if (text === undefined || !URL.canParse(text, origin)) return HOME;
  const url = new URL(text, origin);
  const isOurs = url.origin === new URL(origin).origin && /^\/console(?:\/|$)/.test(url.pathname);
  const path = url.pathname + url.search + url.hash;
  return isOurs && path.length <= LONGEST_RETURN ? path : HOME;
}
