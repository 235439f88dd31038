import type { Context, Hono } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import type { App } from "../env.ts";
import * as errors from "./errors/errors.ts";
import { answer } from "./errors/response.ts";
import { SENDABLE } from "./responses/cors.ts";
import { respond } from "./responses/respond.ts";

/**
 * Responds where no route of `app` matches: to a preflight, else 405 with the methods that the path supports, else 404. Not
 * middleware, which would run for every request.
 */
export function unrouted(app: Hono<App>): (c: Context<App, string>) => Promise<Response> {
  const refuseMethod = methodNotAllowed({
    app,
    onMethodNotAllowed: (c, methods) => answer(c, errors.methodNotAllowed(methods)),
  });
  return async (c) => {
    // Without that header, OPTIONS is a method like any other.
    if (c.req.method === "OPTIONS" && c.req.header("Access-Control-Request-Method") !== undefined)
      return respond(c, 204, null, SENDABLE);
    // Hono's middleware replaces a 404 with a 405 if the path supports other methods.
    c.res = answer(c, errors.noSuchPath(c.get("request").origin));
    await refuseMethod(c, () => Promise.resolve());
    return c.res;
  };
}
