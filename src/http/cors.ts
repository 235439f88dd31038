import { createMiddleware } from "hono/factory";
import type { App } from "../env.ts";
import { respond } from "./respond.ts";

const ALLOWED = {
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

/**
 * Answers preflights (https://fetch.spec.whatwg.org/#cors-preflight-request); any other OPTIONS is a method like others.
 * That any origin may read is said with every response.
 */
export const preflight = createMiddleware<App>((c, next) =>
  c.req.method === "OPTIONS" && c.req.header("Access-Control-Request-Method") !== undefined
    ? Promise.resolve(respond(c, 204, null, ALLOWED))
    : next(),
);
