import type { Context } from "hono";
import { sessionTokenOf } from "./cookies.ts";
import type { App } from "./env.ts";
import { preconditionFailed } from "./errors.ts";

/** A body that was encoded once is sent many times. */
type Body = string | Uint8Array;

/** One year, and this host only: its subdomains may belong to others. */
const HSTS = "max-age=31536000";

/**
 * Builds every response of the service in one step: for a small response, the most expensive part would be setting headers
 * one by one, or copying the response to add some.
 *
 * @param json the body, a string or its UTF-8; null for none
 */
export function respond(
  c: Context<App>,
  status: number,
  json: Body | null,
  others?: Record<string, string>,
): Response {
  const { operationId, url, session } = c.get("request");
  const headers: Record<string, string> = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Service-Operation-Id": operationId,
    "X-Content-Type-Options": "nosniff",
  };
  // RFC 6797 §7.2: never over plain HTTP.
  if (url.startsWith("https:")) headers["Strict-Transport-Security"] = c.env.HSTS || HSTS;
  const bookmark = session.bookmark();
  if (bookmark !== null) headers["Service-Bookmark"] = bookmark;
  if (json !== null) headers["Content-Type"] = "application/json";
  // A page of another origin must not read what a cookie shows.
  if (c.req.header("Origin") !== undefined && sessionTokenOf(c) === undefined)
    Object.assign(headers, READABLE);
  return new Response(json, { status, headers: Object.assign(headers, others) });
}

/*
 * Conditional requests (RFC 9110 §13). An object's ETag is, in quotes, the epoch of the database and the object's version;
 * a module has the ETag of its edge or route. The epoch is read in the same statement or batch as the version that is
 * compared, so no ETag from before a restore matches, even if its version has been used again.
 * The service itself only sends strong ETags. A weak ETag comes from a proxy that compresses responses. It stands for the
 * same version and counts as equal, in If-Match too.
 */

/** The ETag of a version that the request's session read or wrote last. */
export const etagOf = (c: Context<App>, version: number): string =>
  `"${c.get("request").session.epoch}-${version}"`;

/** One ETag (RFC 9110 §8.8.3). */
const TAG = /(?:W\/)?"([^"]*)"/g;

/** A comma-separated list whose ETags are written as `~`; it can have empty elements (RFC 9110 §5.6.1.2). */
const LIST = /^[\s,]*(?:~\s*(?:,[\s,]*|$))*$/;

/** Whether an If-Match or If-None-Match is `*` or a list of ETags, which can be empty. */
export const areTags = (header: string): boolean =>
  header.trim() === "*" || (!header.replace(TAG, "").includes("~") && LIST.test(header.replace(TAG, "~")));

/** The opaque tags in an If-Match or If-None-Match; "any" for `*`, undefined if the header is absent. Malformed, it has none. */
export function tagsOf(header: string | undefined): string[] | "any" | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === "*") return "any";
  return areTags(header) ? Array.from(header.matchAll(TAG), ([, tag = ""]) => tag) : [];
}

/** True if a header's tags include `etag`; `*` matches anything that exists. */
const names = (tags: string[] | "any", etag: string): boolean =>
  tags === "any" || tags.includes(etag.slice(1, -1));

/** True if If-None-Match matches: the client already has this representation. */
export function isKnown(c: Context<App>, etag: string): boolean {
  const tags = tagsOf(c.req.header("If-None-Match"));
  return tags !== undefined && names(tags, etag);
}

/**
 * Responds to a GET with a representation and its ETag: 304 if the client has it. @throws 412 if If-Match does not match
 */
export const show = (c: Context<App>, version: number, body: object): Response =>
  showTagged(c, etagOf(c, version), () => JSON.stringify(body));

/** {@link show} with an ETag that does not belong to an object. */
export function showTagged(c: Context<App>, etag: string, json: () => Body): Response {
  const wanted = tagsOf(c.req.header("If-Match"));
  if (wanted && !names(wanted, etag)) throw preconditionFailed();
  const headers = { ETag: etag };
  return isKnown(c, etag) ? respond(c, 304, null, headers) : respond(c, 200, json(), headers);
}

/*
 * CORS (https://fetch.spec.whatwg.org/#http-cors-protocol). Any origin may read responses, without credentials: the key is
 * in a header that no browser sends on its own.
 */

const origin = { "Access-Control-Allow-Origin": "*" };

/** Headers of every response to a cross-origin request: which headers a page may read. */
const READABLE = {
  ...origin,
  "Access-Control-Expose-Headers": [
    "Allow",
    "ETag",
    "Idempotent-Replayed",
    "Location",
    "RateLimit-Policy",
    "Retry-After",
    "Service-Bookmark",
    "Service-Operation-Id",
    "WWW-Authenticate",
  ].join(","),
};

/** Headers of the response to a preflight: what a page may send. */
export const SENDABLE = {
  ...origin,
  "Access-Control-Allow-Methods": "GET,HEAD,POST,PUT,PATCH,DELETE",
  "Access-Control-Allow-Headers": [
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "MCP-Protocol-Version",
    "Mcp-Method",
    "Mcp-Name",
    "Service-Bookmark",
    "Service-Version",
  ].join(","),
  "Access-Control-Max-Age": "86400",
};
