import { clock, timestamp } from "../clock.ts";
import { newCost } from "../db/calls.ts";
import { Session } from "../db/database.ts";
import { EVENTS_SWEPT_AT_ONCE, skipUnwanted, sweepEvents } from "../db/deliveries.ts";
import { type Cause, eventType } from "../db/events.ts";
import { RECORDS_SWEPT_AT_ONCE, sweepRecords } from "../db/idempotency.ts";
import { RULES_SWEPT_AT_ONCE, sweepRules } from "../db/ip_rule_statements.ts";
import { newBudget } from "../delivery/run.ts";
import { noteRecorded } from "../delivery/wake.ts";
import type { Bindings } from "../env.ts";
import { logFault, logSweep } from "../http/log.ts";
import { newOperationId } from "../ids.ts";
import { deliverDue, deliverSoon, dueNow, NO_ORIGIN } from "./deliveries.ts";

/** How long a run may begin to send, in milliseconds. */
const RUN_MILLISECONDS = 45_000;

const DAY_MILLISECONDS = 86_400_000;
const DEFAULT_RETENTION_DAYS = 30;

/** Batches of one sweep, 12,000 rows of each kind: their statements and those of the delivery are as many as an invocation may send. */
const SWEEPS = 60;

/** Who deletes rules that have ended: the service itself. */
const expiry = (at: number): Cause => ({
  at,
  operation_id: newOperationId(),
  principal: { id: "system", subject: "expiry", source: "System", credential: null },
  origin: NO_ORIGIN,
});

/**
 * What is done each minute: expired idempotency records, rules that have ended and old events are deleted, and events are
 * delivered that wait for a destination. One round trip if there is nothing to do.
 *
 * @throws what stopped it, so that the platform shows the run as failed
 */
export async function everyMinute(env: Bindings, now: number): Promise<void> {
  const cost = newCost();
  const session = new Session(env.DB, undefined, cost);
  const swept = { idempotency_records: 0, ip_policy_rules: 0, events: 0 };
  const before = now - retentionDays(env) * DAY_MILLISECONDS;
  const cause = expiry(now);
  // Of each kind, the last statement returns a row for each row that was deleted.
  const rules = sweepRules(timestamp(now), cause);
  const sweeps = () => [sweepRecords(now), ...rules, ...sweepEvents(before)];
  /** Counts what a batch of sweeps has deleted; true if there may be more. */
  const count = (found: object[][]): boolean => {
    const [records = 0, ended = 0, events = 0] = [found[0], found[rules.length], found.at(-1)].map(
      (rows) => rows?.length,
    );
    swept.idempotency_records += records;
    swept.ip_policy_rules += ended;
    swept.events += events;
    return records >= RECORDS_SWEPT_AT_ONCE || ended >= RULES_SWEPT_AT_ONCE || events >= EVENTS_SWEPT_AT_ONCE;
  };
  let error: unknown;
  try {
    const waiting = dueNow();
    const [, due = [], ...first] = await session.batch([skipUnwanted(), waiting, ...sweeps()]);
    const until = clock.now() + RUN_MILLISECONDS;
    const run = { until, budget: newBudget() };
    const delivering = deliverDue(env, due.map(waiting.decode), run, "minute");
    try {
      let isMore = count(first);
      for (let i = 1; isMore && i < SWEEPS && clock.now() < until; i++)
        isMore = count(await session.batch(sweeps()));
      if (swept.ip_policy_rules > 0) await deliverEnds(env);
    } finally {
      await delivering;
    }
  } catch (thrown) {
    error = thrown;
  }
  logSweep(swept, cost, error);
  if (error !== undefined) throw error;
}

/** Delivers that rules were deleted: it was not known yet when the run asked which destinations are due. */
function deliverEnds(env: Bindings): Promise<void> {
  noteRecorded([eventType("ip_policy_rule", "deleted")]);
  return deliverSoon(env);
}

/** `EVENT_RETENTION_DAYS`, or 30 days if it is unset or no whole number above 0. */
function retentionDays({ EVENT_RETENTION_DAYS: text }: Bindings): number {
  if (!text) return DEFAULT_RETENTION_DAYS;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  logFault("minute", "EVENT_RETENTION_DAYS must be a whole number of days.", undefined, "alert");
  return DEFAULT_RETENTION_DAYS;
}
