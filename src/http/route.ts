import type { Context } from "hono";
import { matchedRoutes } from "hono/route";

/** The pattern of the route that takes this request, `/edges/tcp/:id`; undefined when there is none: 404 or 405. */
export const routeOf = (c: Context): string | undefined =>
  matchedRoutes(c).findLast(({ method }) => method !== "ALL")?.path;
