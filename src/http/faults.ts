import type { Context } from "hono";
import type { App } from "../env.ts";
import { ApiError, answer, internal, tooLarge, unavailable } from "./errors.ts";
import { logFault, rootCause } from "./log.ts";

/** D1 cannot answer now, and may in a moment. Matched in the middle of the message: the ends differ by platform. */
const PASSING =
  /Network connection lost|storage caused object to be reset|reset because its code was updated|transient issue|overloaded|timed? ?out|too many requests/i;

/** A row past D1's 2 MB: each request was small enough, the object that they add up to is not. */
const ROW_TOO_BIG = /constraint failed: fits_in_a_row|string or blob too big/i;

/**
 * Answers whatever was thrown: refusals as they are, a store that cannot answer now with 503, anything else with a
 * 500 that tells nothing. Causes go to the log without the statement's parameters.
 */
export function answerError(error: Error, c: Context<App>): Response {
  if (error instanceof ApiError) return answer(c, error);
  const cause = rootCause(error);
  if (ROW_TOO_BIG.test(cause))
    return answer(c, tooLarge("The object would be larger than the 1.9 MB that one object may hold in all."));
  if (PASSING.test(cause)) {
    logFault(c.var.operationId, "The database could not answer.", cause);
    return answer(c, unavailable("The service cannot answer now. Try again."));
  }
  logFault(c.var.operationId, "Unexpected error.", cause);
  return answer(c, internal());
}
