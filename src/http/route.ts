import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import type { App } from "../env.ts";
import { type Operation, operationOf } from "./operation.ts";

/** The route that takes a request. */
export interface Route {
  /** Its pattern, `/edges/tcp/:id`. */
  path: string;
  operation: Operation | undefined;
}

/** The route that takes this request; undefined when there is none: 404 or 405. Found once. */
export function routeOf(c: Context<App>): Route | undefined {
  const known = c.get("route");
  if (known !== undefined) return known ?? undefined;
  const routes = matchedRoutes(c).filter(({ method }) => method !== "ALL");
  const path = routes.at(-1)?.path;
  const declared = routes.map(({ handler }) => operationOf(handler)).find(Boolean);
  const route = path === undefined ? null : { path, operation: declared };
  c.set("route", route);
  return route ?? undefined;
}
