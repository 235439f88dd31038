import type { Context } from "hono";
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
 * The answer to a preflight (https://fetch.spec.whatwg.org/#cors-preflight-request); undefined for any other request:
 * OPTIONS is else a method like others. That any origin may read is said with each response to a page.
 */
export const preflight = (c: Context<App>): Response | undefined =>
  c.req.method === "OPTIONS" && c.req.header("Access-Control-Request-Method") !== undefined
    ? respond(c, 204, null, ALLOWED)
    : undefined;
