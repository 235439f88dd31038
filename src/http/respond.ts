import { createMiddleware } from "hono/factory";
import { clock } from "../clock.ts";
import { noCost } from "../db/calls.ts";
import { BOOKMARK, openSession } from "../db/database.ts";
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
  const sent = c.req.header("Service-Bookmark");
  const asked = sent !== undefined && BOOKMARK.test(sent) ? sent : undefined;
  const session = openSession(c.env.DB, asked, cost);
  c.set("session", session);
  c.set("db", session.db);
  c.set("sent", {});
  c.set("origin", c.env.BASE_URL?.replace(/\/+$/, "") || originOf(c.req.url));
  await next();
  const { headers } = c.res;
  headers.set("Service-Operation-Id", operationId);
  const bookmark = session.bookmark() ?? asked;
  if (bookmark !== undefined) headers.set("Service-Bookmark", bookmark);
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
