import type { Context, Hono } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import type { App } from "../env.ts";
import * as errors from "./errors/errors.ts";
import { answer } from "./errors/response.ts";
import { SENDABLE } from "./responses/cors.ts";
import { respond } from "./responses/respond.ts";

/**
 * Answers what no route of `app` takes: a preflight, else 405 with what the path does take, else 404. Not as middleware,
 * which every request would pass.
 */
export function unrouted(app: Hono<App>): (c: Context<App, string>) => Promise<Response> {
  const refuseMethod = methodNotAllowed({
    app,
    onMethodNotAllowed: (c, methods) => answer(c, errors.methodNotAllowed(methods)),
  });
  return async (c) => {
    // Any other OPTIONS is a method like others.
    if (c.req.method === "OPTIONS" && c.req.header("Access-Control-Request-Method") !== undefined)
      return respond(c, 204, null, SENDABLE);
    // It looks at a 404, and puts a 405 in its place where the path takes another method.
    c.res = answer(c, errors.noSuchPath());
    await refuseMethod(c, () => Promise.resolve());
    return c.res;
  };
}
