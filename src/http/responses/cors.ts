/*
 * What pages of other origins may do (https://fetch.spec.whatwg.org/#http-cors-protocol). Any origin may read, without
 * credentials: the key is a header, never ambient.
 */

const origin = { "Access-Control-Allow-Origin": "*" };

/** Headers of every response to a page: what it may read. */
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

/** Headers of the answer to a preflight: what a page may send. */
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
