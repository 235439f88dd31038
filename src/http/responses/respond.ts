import type { Context } from "hono";
import type { App } from "../../env.ts";
import { READABLE } from "./cors.ts";

/** One year, and this host only: its subdomains may belong to somebody else. */
const HSTS = "max-age=31536000";

/**
 * Builds every response of the service in one step: setting headers one by one, or copying a response to add some, is what
 * costs most in a small response.
 *
 * @param json the body; null for none
 */
export function respond(
  c: Context<App>,
  status: number,
  json: string | null,
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
  if (c.req.header("Origin") !== undefined) Object.assign(headers, READABLE);
  return new Response(json, { status, headers: Object.assign(headers, others) });
}
