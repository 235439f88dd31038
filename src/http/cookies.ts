import type { Context } from "hono";
import type { App, RequestState } from "./env.ts";

/*
 * The cookies of people who sign in. The prefix `__Host-` binds a cookie to this host: no other host, and no page over plain
 * HTTP, can set or receive it. Browsers accept such cookies on `http://localhost` too.
 */

export const SESSION_COOKIE = "__Host-edge_session";
export const LOGIN_COOKIE = "__Host-edge_login";

/** The value of a cookie in the request; undefined without it. If it was sent twice, the first one counts. */
export function cookieOf(c: Context<App>, name: string): string | undefined {
  const sent = c.req.header("Cookie");
  if (sent === undefined) return undefined;
  for (const pair of sent.split(";")) {
    const end = pair.indexOf("=");
    if (end !== -1 && pair.slice(0, end).trim() === name) return pair.slice(end + 1).trim();
  }
  return undefined;
}

/** A `Set-Cookie` header. No script can read the cookie. */
export const setCookie = (name: string, value: string, seconds: number): string =>
  `${name}=${value}; Max-Age=${seconds}; Path=/; Secure; HttpOnly; SameSite=Lax`;

/** A `Set-Cookie` header that deletes the cookie. */
export const deleteCookie = (name: string): string => setCookie(name, "", 0);

/** The session's token, if a cookie authenticates the request: with `Authorization`, the cookie is ignored. */
export const sessionTokenOf = (c: Context<App>): string | undefined =>
  c.req.header("Authorization") === undefined ? cookieOf(c, SESSION_COOKIE) : undefined;

/** The one route that accepts a key in the body and sets a cookie. */
const SIGN_IN = "/auth/key";

/**
 * True for a request that a browser sends for another page (CSRF): with a cookie, everything except GET and HEAD must come from a page of
 * this origin. Other ports of the same host are other origins. Applies to every route.
 */
export function isForged(c: Context<App>, { route, origin }: RequestState): boolean {
  const { method } = c.req;
  if (method === "GET" || method === "HEAD" || method === "OPTIONS") return false;
  return (sessionTokenOf(c) !== undefined || route?.path === SIGN_IN) && !isSameOrigin(c, origin);
}

/** True if the browser says that a page of this origin sent the request. Browsers set both headers; scripts cannot. */
function isSameOrigin(c: Context<App>, own: string): boolean {
  const site = c.req.header("Sec-Fetch-Site");
  if (site !== undefined) return site === "same-origin";
  const origin = c.req.header("Origin");
  return origin !== undefined && (origin === own || origin === new URL(c.req.url).origin);
}
