import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { type Failure, failureOf, isRouteTooBig, isRowTooBig, rootCause } from "../../db/failures.ts";
import type { App } from "../../env.ts";
import { logFault } from "../log.ts";
import { malformedJson } from "../operations/body.ts";
import { ApiError, internal, tooLarge, unavailable } from "./errors.ts";
import { answer } from "./response.ts";

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
export async function answerError(error: Error, c: Context<App, string>): Promise<Response> {
  if (error instanceof ApiError) return answer(c, error);
  // Hono's validator throws this only for malformed JSON.
  if (error instanceof HTTPException) return answer(c, await malformedJson(c.req));
  if (isRowTooBig(error))
    return answer(c, tooLarge("The object would be larger than 1.9 MB, the most that one object may hold."));
  if (isRouteTooBig(error))
    return answer(
      c,
      tooLarge(
        "The route would be larger than the 64 KiB that one route may hold in all (1.9 MB if it is managed elsewhere).",
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
