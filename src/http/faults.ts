import type { Context } from "hono";
import { isPassing, isRowTooBig, rootCause } from "../db/errors.ts";
import type { App } from "../env.ts";
import { ApiError, answer, internal, invalidMembers, tooLarge, unavailable } from "./errors.ts";
import { logFault } from "./log.ts";

/**
 * Answers whatever was thrown: refusals as they are, a store that cannot answer now with 503, anything else with a
 * 500 that tells nothing. Causes go to the log without the statement's parameters.
 */
export function answerError(error: Error, c: Context<App>): Response {
  if (error instanceof ApiError) return answer(c, error);
  if (isRowTooBig(error))
    return answer(c, tooLarge("The object would be larger than the 1.9 MB that one object may hold in all."));
  // A bookmark of the right form that this database never gave.
  if (c.req.header("Service-Bookmark") !== undefined && /bookmark/i.test(rootCause(error)))
    return answer(c, invalidMembers([{ path: "Service-Bookmark", msg: "Not known here." }]));
  if (isPassing(error)) {
    logFault(c.get("request").operationId, "The database could not answer.", rootCause(error));
    return answer(c, unavailable("The service cannot answer now. Try again."));
  }
  logFault(c.get("request").operationId, "Unexpected error.", rootCause(error));
  return answer(c, internal());
}
