import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";
import type { App } from "../env.ts";

const allow = cors({
  origin: "*",
  allowMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
  allowHeaders: [
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Service-Bookmark",
    "Service-Version",
  ],
  exposeHeaders: [
    "Service-Operation-Id",
    "Service-Bookmark",
    "Idempotent-Replayed",
    "Retry-After",
    "RateLimit-Policy",
    "ETag",
    "Allow",
    "WWW-Authenticate",
  ],
  maxAge: 86_400,
});

/**
 * Lets pages of any origin call and read, without credentials: the key is a header, never ambient. Answers preflights
 * (https://fetch.spec.whatwg.org/#cors-preflight-request); any other OPTIONS is a method like others.
 */
export const anyOrigin = createMiddleware<App>((c, next) => {
  const isPlainOptions = c.req.method === "OPTIONS" && !c.req.header("Access-Control-Request-Method");
  return isPlainOptions ? next() : allow(c, next);
});
