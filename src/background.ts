import { clock, timestamp } from "../packages/model/src/clock.ts";
import { eventType } from "./db/event_writes.ts";
import { rootCause } from "./db/failures.ts";
import { RECORDS_SWEPT_AT_ONCE, sweepRecords } from "./db/idempotency.ts";
import { keyRingOf } from "./db/seals.ts";
import { newCost, Session } from "./db/session.ts";
import {
  type Due,
  dueDestinations,
  EVENTS_SWEPT_AT_ONCE,
  skipUnwanted,
  sweepEvents,
  wantedTypes,
} from "./delivery/cursors.ts";
import { isAwaited, noteRecorded, type Notes, takeNotes } from "./delivery/notes.ts";
import { ownCause } from "./delivery/own_cause.ts";
import { deliver, type Delivery, isSpent, newBudget } from "./delivery/run.ts";
import { baseUrl, settingsFor } from "./delivery/settings.ts";
import { opener } from "./delivery/targets.ts";
import type { Bindings } from "./http/env.ts";
import { logDelivery, logFault, logSweep } from "./http/log.ts";
import { makeDueSteps } from "./issuing/due_steps.ts";
import { type DueOrder, dueOrders, forgetAbandoned } from "./issuing/order_statements.ts";
import { toEnvelope } from "./resources/events/events.ts";
import { sweepSessions } from "./resources/people/session_statements.ts";
import { PLANS_SWEPT_AT_ONCE, sweepPlans } from "./resources/plan_rows.ts";
import { RULES_SWEPT_AT_ONCE, sweepRules } from "./resources/policies/rule_statements.ts";
import { notifyOfEnds } from "./resources/traffic/certificate_statements.ts";
import { addUpHours } from "./resources/traffic/traffic_hours.ts";

/*
 * Runs that deliver events: one after a change, for a latency of about a second, and one each minute, for the events that
 * remain.
 */

/**
 * How long a run after a response may start sending, in milliseconds: the platform ends the run 30 seconds after the response,
 * and a call can take 15. Events of an interrupted call would be sent again.
 */
const SOON_MILLISECONDS = 13_000;

/** A run that has not ended after this time, in milliseconds, was ended by the platform. */
const ENDED_MILLISECONDS = 35_000;

/**
 * How long a run after a response waits before it starts, in milliseconds: otherwise it would delay that response, and several
 * changes in a row would be delivered separately.
 */
const GATHERING_MILLISECONDS = 100;

/** How long the event types that destinations want are cached. A change of a subscription on this isolate clears the cache. */
const REMEMBERED_MILLISECONDS = 20_000;

/** How often a run that delivers looks whether there is more to deliver, in milliseconds. */
const POLL_MILLISECONDS = 250;

/** How long a run waits for a destination that another run has leased, and how often. */
const PAUSE_MILLISECONDS = 1_000;
const PAUSES = 3;

/**
 * Delivers to destinations that are due, and logs what was sent and what failed. Never throws.
 *
 * @param run when it ends and what it may still do
 * @param why for the log
 */
async function deliverDue(
  env: Bindings,
  due: Due[],
  run: Pick<Delivery, "until" | "budget">,
  why: string,
): Promise<void> {
  const free = due.filter(({ isLeased }) => !isLeased);
  const settings = free.length > 0 ? settingsFor(env, why) : undefined;
  if (!settings) return;
  if (!(await keyRingOf(env.SEALING_KEYS))) {
    // The fault is the service's own, so it does not count as a failure of any destination.
    logFault(why, "No events are delivered: SEALING_KEYS is missing or malformed.", undefined, "alert");
    return;
  }
  const cost = newCost();
  const done = await deliver(
    {
      ...run,
      session: new Session(env.DB, undefined, cost),
      settings,
      show: (event) => toEnvelope(event, baseUrl(env) || event.origin, env.ACCOUNT_ID),
      open: opener(env),
    },
    free.map(({ destination_id }) => destination_id),
  );
  if (done.calls > 0 || done.failures > 0 || done.cause !== undefined) logDelivery(why, done, cost);
}

let wanted: { types: Set<string>; until: number } | undefined;
/** Until when the run of this isolate counts as running; 0 if there is none. */
let runningUntil = 0;

/**
 * Delivers the events that this isolate's requests have recorded, if any destination wants them: for `waitUntil`, after a
 * response. There is one run at a time. It also delivers events recorded in the meantime, to destinations that are free.
 */
export async function deliverSoon(env: Bindings): Promise<void> {
  if (clock.now() < runningUntil) return;
  const session = new Session(env.DB, undefined, newCost());
  const run = { until: clock.now() + SOON_MILLISECONDS, budget: newBudget() };
  const own = clock.now() + ENDED_MILLISECONDS;
  runningUntil = own;
  const delivering = new Set<Promise<void>>();
  try {
    await scheduler.wait(GATHERING_MILLISECONDS);
    let pauses = 0;
    let again: string[] | "all" | undefined;
    while (clock.now() < run.until && !isSpent(run.budget)) {
      const types: string[] | "all" | undefined = isAwaited()
        ? await typesToLookAt(session, takeNotes())
        : again;
      again = undefined;
      if (types) {
        const statements = [
          ...(types === "all" ? [skipUnwanted()] : []),
          dueDestinations(types === "all" ? undefined : types),
        ];
        run.budget.statements -= statements.length;
        const rows = (await session.batch(statements)).at(-1) ?? [];
        const due = rows.map(dueDestinations().decode);
        const work = deliverDue(env, due, run, "change");
        delivering.add(work);
        void work.finally(() => delivering.delete(work));
        // Another run has them, and may have read what it delivers before this change.
        if (due.some(({ isLeased }) => isLeased) && pauses < PAUSES) {
          pauses += 1;
          again = types;
        }
      }
      if (delivering.size === 0 && again === undefined && !isAwaited()) break;
      // A receiver that does not respond does not hold up other destinations.
      if (again === undefined) await Promise.race([...delivering, scheduler.wait(POLL_MILLISECONDS)]);
      else await scheduler.wait(PAUSE_MILLISECONDS);
    }
  } catch (error) {
    // The run of the next minute delivers what this one did not.
    logFault("change", "A delivery failed.", rootCause(error));
  } finally {
    // Later changes do not wait for calls that are still in progress.
    if (runningUntil === own) runningUntil = 0;
    await Promise.all(delivering);
  }
}

const isOfDestination = (type: string): boolean => type.startsWith("event_destination_");
const isOfSubscription = (type: string): boolean => type.startsWith("event_subscription_");

/** The event types whose destinations should be checked; undefined if no destination wants any of them. */
async function typesToLookAt(
  session: Session,
  { types, isResumed }: Notes,
): Promise<string[] | "all" | undefined> {
  if (types.some(isOfSubscription)) wanted = undefined;
  // A resumed or changed destination may want any event.
  if (isResumed || types.some(isOfDestination)) return "all";
  if (!wanted || wanted.until <= clock.now())
    wanted = {
      types: new Set(await session.fromPrimary(wantedTypes())),
      until: clock.now() + REMEMBERED_MILLISECONDS,
    };
  const { types: known } = wanted;
  return types.some((type) => known.has(type)) ? types : undefined;
}

/** How long a run may start sending, in milliseconds. */
const RUN_MILLISECONDS = 45_000;

const DAY_MILLISECONDS = 86_400_000;
const DEFAULT_RETENTION_DAYS = 30;

/**
 * Batches per sweep, which delete 8,400 rows of each kind. Together with delivery and steps of orders they use all statements of an
 * invocation.
 */
const SWEEPS = 42;

/**
 * Runs each minute: records events of certificates that end, deletes expired idempotency records, expired rules and old events,
 * delivers waiting events, and continues orders of certificates for which nobody asks. One round trip if there is nothing to do.
 *
 * @throws the error that stopped it, so that the platform shows the run as failed
 */
export async function everyMinute(env: Bindings, now: number): Promise<void> {
  const cost = newCost();
  const session = new Session(env.DB, undefined, cost);
  const swept = { idempotency_records: 0, plans: 0, ip_policy_rules: 0, events: 0 };
  const before = now - retentionDays(env) * DAY_MILLISECONDS;
  // Of each kind, the last statement returns a row for each row that was deleted.
  const rules = sweepRules(timestamp(now), ownCause(now, "expiry"));
  const ends = notifyOfEnds(now, ownCause(now, "certificates"));
  const sweeps = () => [
    sweepRecords(now),
    sweepPlans(now),
    ...rules,
    sweepSessions(timestamp(now)),
    ...sweepEvents(before),
  ];
  /** Counts what a batch of sweeps has deleted; true if there may be more. */
  const count = (found: object[][]): boolean => {
    const counted = [found[0], found[1], found[rules.length + 1], found.at(-1)];
    const [records = 0, plans = 0, ended = 0, events = 0] = counted.map((rows) => rows?.length);
    swept.idempotency_records += records;
    swept.plans += plans;
    swept.ip_policy_rules += ended;
    swept.events += events;
    if (plans >= PLANS_SWEPT_AT_ONCE) return true;
    return records >= RECORDS_SWEPT_AT_ONCE || ended >= RULES_SWEPT_AT_ONCE || events >= EVENTS_SWEPT_AT_ONCE;
  };
  let error: unknown;
  try {
    const [waiting, unasked] = [dueDestinations(), dueOrders(now)];
    const [, due = [], , noticed = [], , , orders = [], ...first] = await session.batch([
      skipUnwanted(),
      waiting,
      ...ends,
      forgetAbandoned(now),
      unasked,
      ...sweeps(),
    ]);
    const until = clock.now() + RUN_MILLISECONDS;
    const run = { until, budget: newBudget() };
    const delivering = Promise.all([
      deliverDue(env, due.map(waiting.decode), run, "minute"),
      continueOrders(env, orders.map(unasked.decode), until),
      addUpTraffic(session, now),
    ]);
    try {
      let isMore = count(first);
      for (let i = 1; isMore && i < SWEEPS && clock.now() < until; i++)
        isMore = count(await session.batch(sweeps()));
      const types = [
        ...(swept.ip_policy_rules > 0 ? [eventType("ip_policy_rule", "deleted")] : []),
        ...(noticed.length > 0 ? [eventType("certificate", "ending")] : []),
      ];
      if (types.length > 0) await deliverRecorded(env, types);
    } finally {
      await delivering;
    }
  } catch (thrown) {
    error = thrown;
  }
  logSweep(swept, cost, error);
  if (error !== undefined) throw error;
}

/** Continues orders of certificates. Never throws. */
async function continueOrders(env: Bindings, due: DueOrder[], until: number): Promise<void> {
  const settings = due.length > 0 ? settingsFor(env, "minute") : undefined;
  if (!settings) return;
  const session = new Session(env.DB, undefined, newCost());
  await makeDueSteps({ env, session, settings, cause: ownCause(clock.now(), "certificates") }, due, until);
  if (isAwaited()) await deliverSoon(env);
}

/** Adds up the traffic of hours that are over. Never throws: it is tried again in the same hour. */
async function addUpTraffic(session: Session, now: number): Promise<void> {
  const statements = addUpHours(now);
  if (statements.length === 0) return;
  try {
    await session.batch(statements);
  } catch (error) {
    logFault("minute", "Traffic was not added up.", rootCause(error));
  }
}

/** Delivers events of the run, which did not exist yet when it read the due destinations. */
function deliverRecorded(env: Bindings, types: string[]): Promise<void> {
  noteRecorded(types);
  return deliverSoon(env);
}

/** `EVENT_RETENTION_DAYS`, or 30 days if it is unset or not a whole number above 0. */
function retentionDays({ EVENT_RETENTION_DAYS: text }: Bindings): number {
  if (!text) return DEFAULT_RETENTION_DAYS;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  logFault("minute", "EVENT_RETENTION_DAYS must be a whole number of days.", undefined, "alert");
  return DEFAULT_RETENTION_DAYS;
}
