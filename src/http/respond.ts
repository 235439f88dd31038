import { createMiddleware } from "hono/factory";
import { clock } from "../clock.ts";
import { openDatabase } from "../db/database.ts";
import { metered, noCost } from "../db/metered.ts";
import type { App } from "../env.ts";
import { newOperationId } from "../kinds.ts";
import { logRequest } from "./log.ts";
import { routeOf } from "./route.ts";

/** Gives every request its operation id and what handlers need, every response its headers, the log its line. */
export const everyRequest = createMiddleware<App>(async (c, next) => {
  const started = clock.now();
  const operationId = newOperationId();
  const cost = noCost();
  c.set("operationId", operationId);
  c.set("db", openDatabase(metered(c.env.DB, cost)));
  c.set("origin", c.env.BASE_URL?.replace(/\/+$/, "") || originOf(c.req.url));
  await next();
  const { headers } = c.res;
  headers.set("Service-Operation-Id", operationId);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  headers.set("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
  logRequest({
    operation_id: operationId,
    key_id: c.var.caller?.keyId,
    method: c.req.method,
    route: routeOf(c),
    status: c.res.status,
    duration_ms: clock.now() - started,
    d1_round_trips: cost.roundTrips,
    d1_rows_read: cost.rowsRead,
    d1_rows_written: cost.rowsWritten,
  });
});

/** `scheme://host[:port]` of an absolute URL. */
const originOf = (url: string): string => url.slice(0, url.indexOf("/", url.indexOf("://") + 3));
