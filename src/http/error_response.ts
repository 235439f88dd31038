import type { Context, Hono } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import * as z from "zod";
import { schema } from "../../packages/model/src/values/request_schemas.ts";
import { type Failure, failureOf, isRouteTooBig, isRowTooBig, rootCause } from "../db/failures.ts";
import type { App } from "./env.ts";
import { errorCodes } from "./error_codes.ts";
import * as errors from "./errors.ts";
import { ApiError, internal, MEMBER_ERRORS_SHOWN, tooLarge, unavailable } from "./errors.ts";
import { logFault } from "./log.ts";
import { respond, SENDABLE } from "./respond.ts";

/** The body of every error response. */
export const ErrorResponse = schema("Error", () => ({
  description: "The body of every error response.",
  examples: [
    {
      error_code: "ERR_INVALID_REQUEST",
      status_code: 400,
      msg: "The request is invalid. /target/cloud_logs/auth: Set exactly one of role or creds.",
      details: { operation_id: "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX" },
      errors: [{ path: "/target/cloud_logs/auth", msg: "Set exactly one of role or creds." }],
    },
  ],
  type: z.strictObject({
    error_code: z.enum(Object.keys(errorCodes)).describe("A code for programs to act on."),
    status_code: z.int().describe("The status code of the response."),
    msg: z
      .string()
      .describe(
        "The error, for people. If fields were rejected, it states how many, and the problem with the first.",
      ),
    details: z
      .record(z.string(), z.string())
      .describe(
        "Further information. Always includes `operation_id`, which is also in the header `Service-Operation-Id`. If an object cannot be deleted, `used_by` lists the objects that use it.",
      ),
    errors: z
      .array(
        z.strictObject({
          path: z
            .string()
            .describe(
              "A JSON Pointer into the request body (RFC 6901), or the name of a query parameter or header.",
            ),
          msg: z.string().describe("The problem, or what is expected."),
        }),
      )
      .max(MEMBER_ERRORS_SHOWN)
      .describe("Every rejected field, parameter and header. Omitted if there are none.")
      .optional(),
  }),
}));

/** The body of an error response: no other place defines its shape. */
export const errorBody = (
  { code, message, extras: { errors, details } }: ApiError,
  operationId: string,
): z.output<typeof ErrorResponse> => ({
  error_code: code,
  status_code: errorCodes[code].status,
  msg: message,
  details: { operation_id: operationId, ...details },
  ...(errors && { errors: errors.slice(0, MEMBER_ERRORS_SHOWN) }),
});

/** Builds the response for an error. */
export function answer(c: Context<App>, error: ApiError): Response {
  const body = errorBody(error, c.get("request").operationId);
  return respond(c, body.status_code, JSON.stringify(body), error.extras.headers);
}

/** The log line for each kind of failure, and the `Retry-After` in seconds. */
const handling = {
  transient: { level: "error", msg: "The database is unavailable.", seconds: 1 },
  overloaded: { level: "error", msg: "The database is overloaded.", seconds: 1 },
  quota: {
    level: "alert",
    msg: "The database has exceeded a quota: free up space or raise the limit.",
    seconds: 60,
  },
  unexpected: { level: "error", msg: "Unexpected error.", seconds: undefined },
} as const satisfies Record<Failure, object>;

/**
 * Turns anything thrown into a response: an `ApiError` into its own status, a database that is unavailable, overloaded or
 * over quota into 503, anything else into a 500 without details. Causes are logged without the statement's parameters.
 */
export function answerError(error: Error, c: Context<App, string>): Response {
  if (error instanceof ApiError) return answer(c, error);
  if (isRowTooBig(error))
    return answer(c, tooLarge("The object would be larger than 1.9 MB, the maximum size of an object."));
  if (isRouteTooBig(error))
    return answer(
      c,
      tooLarge(
        "The route would be larger than 64 KiB, the maximum size of a route (1.9 MB if it is managed elsewhere).",
      ),
    );
  const failure = failureOf(error);
  const { level, msg, seconds } = handling[failure];
  logFault(c.get("request").operationId, msg, rootCause(error), level);
  return answer(
    c,
    seconds ? unavailable("The service is temporarily unavailable. Try again.", seconds) : internal(),
  );
}

/**
 * Responds if no route of `app` matches: to a preflight request, otherwise with 405 and the methods that the path supports,
 * otherwise with 404. It is not middleware, because that would run for every request.
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
