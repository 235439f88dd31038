import { createMiddleware } from "hono/factory";
import { clock } from "../clock.ts";
import { openDatabase } from "../db/database.ts";
import type { App } from "../env.ts";
import { newOperationId } from "../kinds.ts";
import { logRequest } from "./log.ts";
import { routeOf } from "./route.ts";

/** Gives every request its operation id and what handlers need, every response its headers, the log its line. */
export const everyRequest = createMiddleware<App>(async (c, next) => {
  const started = clock.now();
  const operationId = newOperationId();
  c.set("operationId", operationId);
  c.set("db", openDatabase(c.env.DB));
  c.set("origin", c.env.BASE_URL?.replace(/\/+$/, "") || originOf(c.req.url));
  await next();
  c.res.headers.set("Service-Operation-Id", operationId);
  if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", "no-store");
  c.res.headers.set("X-Content-Type-Options", "nosniff");
  logRequest({
    operation_id: operationId,
    method: c.req.method,
    route: routeOf(c),
    status: c.res.status,
    duration_ms: clock.now() - started,
  });
});

/** `scheme://host[:port]` of an absolute URL. */
const originOf = (url: string): string => url.slice(0, url.indexOf("/", url.indexOf("://") + 3));
