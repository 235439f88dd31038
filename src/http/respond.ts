import type { Context } from "hono";
import type { App } from "../env.ts";

/** What pages of other origins may read of the headers, said to pages. */
const EXPOSED = [
  "Allow",
  "ETag",
  "Idempotent-Replayed",
  "RateLimit-Policy",
  "Retry-After",
  "Service-Bookmark",
  "Service-Operation-Id",
  "WWW-Authenticate",
].join(",");

/** Headers of every response. Any origin may read it, without credentials: the key is a header, never ambient. */
const ALWAYS = {
  "Access-Control-Allow-Origin": "*",
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
  "X-Content-Type-Options": "nosniff",
};

/**
 * Every response of the service is made here, at once: headers that are set one by one, and responses that are copied to
 * set more, are what a small response costs most.
 *
 * @param json the body; null for none
 */
export function respond(
  c: Context<App>,
  status: number,
  json: string | null,
  headers: Record<string, string> = {},
): Response {
  const { operationId, session, sentBookmark } = c.get("request");
  const bookmark = session.bookmark() ?? sentBookmark;
  return new Response(json, {
    status,
    headers: {
      ...ALWAYS,
      "Service-Operation-Id": operationId,
      ...(bookmark !== undefined && { "Service-Bookmark": bookmark }),
      ...(json !== null && { "Content-Type": "application/json" }),
      ...(c.req.header("Origin") !== undefined && { "Access-Control-Expose-Headers": EXPOSED }),
      ...headers,
    },
  });
}
