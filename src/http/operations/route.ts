import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import type { App } from "../../env.ts";
import { type Operation, operationOf } from "./operation.ts";

/** The route that matches a request. */
export interface MatchedRoute {
  /** Its pattern, `/edges/tcp/:id`. */
  path: string;
  operation: Operation | undefined;
}

/** Routes by the router's entry for their handler, the last one that a request reaches. */
const known = new WeakMap<object, MatchedRoute>();

/** The route that matches this request; undefined if there is none (404 or 405). */
export function routeOf(c: Context<App>): MatchedRoute | undefined {
  const matched = matchedRoutes(c);
  const last = matched.findLast(({ method }) => method !== "ALL");
  if (!last) return undefined;
  let route = known.get(last);
  if (!route) {
    const operation = matched.map(({ handler }) => operationOf(handler)).find(Boolean);
    route = { path: last.path, operation };
    known.set(last, route);
  }
  return route;
}
