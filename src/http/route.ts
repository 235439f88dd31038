import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import { type Operation, operationOf } from "./operation.ts";

/** The pattern of the route that takes this request, `/edges/tcp/:id`; undefined when there is none: 404 or 405. */
export const routeOf = (c: Context): string | undefined =>
  matchedRoutes(c).findLast(({ method }) => method !== "ALL")?.path;

/** The operation that takes this request. */
export function operationFor(c: Context): Operation | undefined {
  for (const { handler } of matchedRoutes(c)) {
    const operation = operationOf(handler);
    if (operation) return operation;
  }
  return undefined;
}
