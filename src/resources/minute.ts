import { clock } from "../clock.ts";
import { newCost } from "../db/calls.ts";
import { Session } from "../db/database.ts";
import { EVENTS_SWEPT_AT_ONCE, skipUnwanted, sweepEvents } from "../db/deliveries.ts";
import { RECORDS_SWEPT_AT_ONCE, sweepRecords } from "../db/idempotency.ts";
import { newBudget } from "../delivery/run.ts";
import type { Bindings } from "../env.ts";
import { logFault, logSweep } from "../http/log.ts";
import { deliverDue, dueNow } from "./deliveries.ts";

/** How long a run may begin to send, in milliseconds. */
const RUN_MILLISECONDS = 45_000;

const DAY_MILLISECONDS = 86_400_000;
const DEFAULT_RETENTION_DAYS = 30;

/** Batches of one sweep, 20,000 rows of each kind: their statements and those of the delivery are as many as an invocation may send. */
const SWEEPS = 100;

/**
 * What is done each minute: expired idempotency records and old events are deleted, and events are delivered that wait for a
 * destination. One round trip if there is nothing to do.
 *
 * @throws what stopped it, so that the platform shows the run as failed
 */
export async function everyMinute(env: Bindings, now: number): Promise<void> {
  const cost = newCost();
  const session = new Session(env.DB, undefined, cost);
  const swept = { idempotency_records: 0, events: 0 };
  const before = now - retentionDays(env) * DAY_MILLISECONDS;
  const sweeps = () => [sweepRecords(now), ...sweepEvents(before)];
  /** Counts what a batch has deleted; true if there may be more. */
  const count = (records: object[] = [], events: object[] = []): boolean => {
    swept.idempotency_records += records.length;
    swept.events += events.length;
    return records.length >= RECORDS_SWEPT_AT_ONCE || events.length >= EVENTS_SWEPT_AT_ONCE;
  };
  let error: unknown;
  try {
    const waiting = dueNow();
    const [, due = [], ...first] = await session.batch([skipUnwanted(), waiting, ...sweeps()]);
    const until = clock.now() + RUN_MILLISECONDS;
    const run = { until, budget: newBudget() };
    const delivering = deliverDue(env, due.map(waiting.decode), run, "minute");
    try {
      let isMore = count(first[0], first.at(-1));
      for (let i = 1; isMore && i < SWEEPS && clock.now() < until; i++) {
        const rows = await session.batch(sweeps());
        isMore = count(rows[0], rows.at(-1));
      }
    } finally {
      await delivering;
    }
  } catch (thrown) {
    error = thrown;
  }
  logSweep(swept, cost, error);
  if (error !== undefined) throw error;
}

/** `EVENT_RETENTION_DAYS`, or 30 days if it is unset or no whole number above 0. */
function retentionDays({ EVENT_RETENTION_DAYS: text }: Bindings): number {
  if (!text) return DEFAULT_RETENTION_DAYS;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  logFault("minute", "EVENT_RETENTION_DAYS must be a whole number of days.", undefined, "alert");
  return DEFAULT_RETENTION_DAYS;
}
