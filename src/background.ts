import { clock, timestamp } from "./clock.ts";
import { type Cause, eventType } from "./db/events.ts";
import { rootCause } from "./db/failures.ts";
import { RECORDS_SWEPT_AT_ONCE, sweepRecords } from "./db/idempotency.ts";
import { keyRingOf, placeOf, unseal } from "./db/seals.ts";
import { newCost, Session } from "./db/session.ts";
import type { Statement } from "./db/statements.ts";
import type { StoredTarget } from "./db/stored.ts";
import {
  type Due,
  dueDestinations,
  EVENTS_SWEPT_AT_ONCE,
  skipUnwanted,
  sweepEvents,
  wantedTypes,
} from "./delivery/cursors.ts";
import { deliver, type Delivery, isSpent, newBudget } from "./delivery/run.ts";
import type { DeliverySettings } from "./delivery/sender.ts";
import { settingsOf } from "./delivery/settings.ts";
import type { Bindings } from "./env.ts";
import { logDelivery, logFault, logSweep } from "./http/log.ts";
import { newOperationId } from "./ids.ts";
import { mapSecrets } from "./resources/events/event_targets.ts";
import { toEnvelope } from "./resources/events/events.ts";
import { RULES_SWEPT_AT_ONCE, sweepRules } from "./resources/policies/rule_statements.ts";
import { isAwaited, noteRecorded, type Notes, takeNotes } from "./wake.ts";

/*
 * Runs that deliver events: one after a change, for a latency of about a second, and one each minute, for whatever that one
 * did not do.
 */

/**
 * How long a run after a response may begin to send, in milliseconds: the platform ends it 30 seconds after the response, and
 * a call may take 15. What is cut off would be sent again.
 */
const SOON_MILLISECONDS = 13_000;

/** A run that has not ended after so long, in milliseconds, was ended by the platform. */
const ENDED_MILLISECONDS = 35_000;

/**
 * How long a run after a response waits before it begins, in milliseconds: otherwise it would delay that response, and take
 * each of several changes alone.
 */
const GATHERING_MILLISECONDS = 100;

/** How long it is remembered which types of events some destination wants. A change here of a subscription ends it. */
const REMEMBERED_MILLISECONDS = 20_000;

/** The most destinations of one run. */
const DESTINATIONS = 500;

/** The destinations that are due in a run: see {@link dueDestinations}. */
const dueNow = (types?: string[]): Statement<Due> => dueDestinations(DESTINATIONS, types);

/** How often a run that delivers looks whether there is more to deliver, in milliseconds. */
const POLL_MILLISECONDS = 250;

/** How long a run waits for a destination that another run has, and how often. */
const PAUSE_MILLISECONDS = 1_000;
const PAUSES = 3;

/** The start of URIs in what no request caused: the operator's, or a name that says what to set. */
const NO_ORIGIN = "https://base-url.not-set.invalid";

/** The operator's origin, if one is set. */
const baseUrl = ({ BASE_URL }: Bindings): string | undefined => BASE_URL?.replace(/\/+$/, "");

/** The operator's settings; undefined if a variable is malformed, which the log then says. */
export function settingsFor(
  env: Bindings,
  operationId: string,
  origin?: string,
): DeliverySettings | undefined {
  const { settings, problems } = settingsOf(env, baseUrl(env) || origin || NO_ORIGIN);
  for (const problem of problems ?? []) logFault(operationId, problem, undefined, "alert");
  return settings;
}

/** Opens the secrets of a destination's target. @throws if there is no key ring, or none of its keys opens them */
export const opener =
  (env: Bindings) =>
  async (target: StoredTarget, destinationId: string): Promise<StoredTarget> => {
    const ring = await keyRingOf(env.SEALING_KEYS);
    if (!ring) throw new Error("there are no valid sealing keys");
    return mapSecrets(target, (secret, member) =>
      unseal(ring, secret, placeOf(destinationId, `target.${member}`)),
    );
  };

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
    // The fault is the service's own: no destination counts it as one of its failures.
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
 * Delivers what this isolate's requests have recorded, if some destination wants it: for `waitUntil`, after a response. One
 * run at a time: it also delivers what is recorded meanwhile, to others than those that it still delivers to.
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
          dueNow(types === "all" ? undefined : types),
        ];
        run.budget.statements -= statements.length;
        const rows = (await session.batch(statements)).at(-1) ?? [];
        const due = rows.map(dueNow().decode);
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
      // A receiver that does not answer holds up nobody but itself.
      if (again === undefined) await Promise.race([...delivering, scheduler.wait(POLL_MILLISECONDS)]);
      else await scheduler.wait(PAUSE_MILLISECONDS);
    }
  } catch (error) {
    // The run of the next minute delivers what this one did not.
    logFault("change", "A delivery failed.", rootCause(error));
  } finally {
    // What is still on its way is no reason for later changes to wait.
    if (runningUntil === own) runningUntil = 0;
    await Promise.all(delivering);
  }
}

const isOfDestination = (type: string): boolean => type.startsWith("event_destination_");
const isOfSubscription = (type: string): boolean => type.startsWith("event_subscription_");

/** The types of events whose destinations are to be looked at; undefined if no destination wants any. */
async function typesToLookAt(
  session: Session,
  { types, isResumed }: Notes,
): Promise<string[] | "all" | undefined> {
  if (types.some(isOfSubscription)) wanted = undefined;
  // What was resumed or changed may want anything.
  if (isResumed || types.some(isOfDestination)) return "all";
  if (!wanted || wanted.until <= clock.now())
    wanted = {
      types: new Set(await session.fromPrimary(wantedTypes())),
      until: clock.now() + REMEMBERED_MILLISECONDS,
    };
  const { types: known } = wanted;
  return types.some((type) => known.has(type)) ? types : undefined;
}

/** How long a run may begin to send, in milliseconds. */
const RUN_MILLISECONDS = 45_000;

const DAY_MILLISECONDS = 86_400_000;
const DEFAULT_RETENTION_DAYS = 30;

/** Batches of one sweep, 12,000 rows of each kind: their statements and those of the delivery are as many as an invocation may send. */
const SWEEPS = 60;

/** Who deletes rules that have ended: the service itself. */
const expiry = (at: number): Cause => ({
  at,
  operation_id: newOperationId(clock.now()),
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
