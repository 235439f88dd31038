import type { Context, Handler } from "hono";
import { matchedRoutes } from "hono/route";
import type { App } from "../env.ts";
import { type Operation, operationOf } from "./operation.ts";

/** The route that takes a request. */
export interface Route {
  /** Its pattern, `/edges/tcp/:id`. */
  path: string;
  operation: Operation | undefined;
  /** What answers it, once its operation has checked it. */
  handler: Handler;
}

/** Routes by what the router knows them as: the last thing that a request comes to, its handler. */
const known = new WeakMap<object, Route>();

/** The route that takes this request; undefined when there is none: 404 or 405. Found once. */
export function routeOf(c: Context<App>): Route | undefined {
  const state = c.get("request");
  if (state.route === undefined) state.route = find(c);
  return state.route ?? undefined;
}

function find(c: Context<App>): Route | null {
  const matched = matchedRoutes(c);
  const last = matched.findLast(({ method }) => method !== "ALL");
  if (!last) return null;
  let route = known.get(last);
  if (!route) {
    const operation = matched.map(({ handler }) => operationOf(handler)).find(Boolean);
    route = { path: last.path, operation, handler: last.handler };
    known.set(last, route);
  }
  return route;
}
