import type { Cost } from "../db/calls.ts";
import { rootCause } from "../db/failures.ts";

/**
 * Writes one structured line about something that an operator has to look at. Never give it request data.
 *
 * @param level `alert` for what stays broken until somebody does something about it
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
 * Writes the one structured line of a handled request. What it may hold is named here, and nothing of it is chosen by the
 * caller: no body, no path, no token, no parameter of a statement.
 */
export function logRequest(line: {
  operation_id: string;
  /** The key's id or `root`; left out when nobody was let in. */
  key_id: string | undefined;
  method: string;
  /** Pattern of the route, `/edges/tcp/:id`; left out when no route matched. */
  route: string | undefined;
  status: number;
  duration_ms: number;
  d1_round_trips: number;
  d1_rows_read: number;
  d1_rows_written: number;
}): void {
  console.info(JSON.stringify({ level: "info", msg: "request", ...line }));
}

/**
 * Writes one line about what the cron trigger did: how many records of idempotency keys it deleted, what that cost, and
 * what stopped it, if anything did.
 */
export function logSweep(records: number, cost: Cost, error: unknown): void {
  const line = {
    idempotency_records: records,
    d1_round_trips: cost.roundTrips,
    d1_rows_read: cost.rowsRead,
    d1_rows_written: cost.rowsWritten,
  };
  if (error === undefined) console.info(JSON.stringify({ level: "info", msg: "sweep", ...line }));
  else console.error(JSON.stringify({ level: "error", msg: "sweep", ...line, cause: rootCause(error) }));
}
