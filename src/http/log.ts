import type { Context } from "hono";
import { rootCause } from "../db/failures.ts";
import type { Cost } from "../db/session.ts";
import type { App } from "./env.ts";

/**
 * Logs one structured line about a problem that needs an operator's attention. Never pass request data to it.
 *
 * @param level `alert` for a problem that lasts until someone acts on it
 */
export function logFault(
  operationId: string,
  msg: string,
  cause?: string,
  level: "error" | "alert" = "error",
): void {
  console.error(JSON.stringify({ level, operation_id: operationId, msg, cause }));
}

/**
 * Logs one line about a sweep by the cron trigger: how many idempotency records, plans, expired rules and events it deleted, what that
 * cost, and the error that stopped it, if any.
 */
export function logSweep(
  swept: { idempotency_records: number; plans: number; ip_policy_rules: number; events: number },
  cost: Cost,
  error: unknown,
): void {
  const line = { ...swept, ...costOf(cost) };
  if (error === undefined) console.info(JSON.stringify({ level: "info", msg: "sweep", ...line }));
  else console.error(JSON.stringify({ level: "error", msg: "sweep", ...line, cause: rootCause(error) }));
}

/**
 * Logs one line about a run that delivered events: the number of destinations and events, the cost and, if the service itself
 * failed, the cause.
 *
 * @param why `change` after a response, `minute` by the cron trigger
 */
export function logDelivery(why: string, done: { cause?: string }, cost: Cost): void {
  const line = { msg: "delivery", why, ...done, ...costOf(cost) };
  if (done.cause === undefined) console.info(JSON.stringify({ level: "info", ...line }));
  else console.error(JSON.stringify({ level: "error", ...line }));
}

const costOf = ({ roundTrips, rowsRead, rowsWritten }: Cost) => ({
  d1_round_trips: roundTrips,
  d1_rows_read: rowsRead,
  d1_rows_written: rowsWritten,
});

/** Runs work after the response is sent. Failures are logged; nothing waits for it. */
export function inBackground(c: Context<App>, work: Promise<void>): void {
  const { operationId } = c.get("request");
  c.executionCtx.waitUntil(
    work.catch((error: unknown) => logFault(operationId, "Background work failed.", rootCause(error))),
  );
}
