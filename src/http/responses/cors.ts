/*
 * CORS (https://fetch.spec.whatwg.org/#http-cors-protocol). Any origin may read responses, without credentials: the key is
 * in a header that no browser sends by itself.
 */

const origin = { "Access-Control-Allow-Origin": "*" };

/** Headers of every response to a cross-origin request: which headers a page may read. */
export const READABLE = {
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
    "Service-Bookmark",
    "Service-Version",
  ].join(","),
  "Access-Control-Max-Age": "86400",
};
