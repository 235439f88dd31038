import { clock } from "../clock.ts";
import { type Cost, newCost } from "../db/calls.ts";
import { Session } from "../db/database.ts";
import { type Due, dueDestinations, wantedTypes } from "../db/deliveries.ts";
import { rootCause } from "../db/failures.ts";
import { keyRingOf, placeOf, unseal } from "../db/seals.ts";
import type { StoredTarget } from "../db/stored.ts";
import { deliver, type Delivered } from "../delivery/run.ts";
import type { DeliverySettings } from "../delivery/sender.ts";
import { settingsOf } from "../delivery/settings.ts";
import { takeRecorded } from "../delivery/wake.ts";
import type { Bindings } from "../env.ts";
import { logDelivery, logFault } from "../http/log.ts";
import { mapSecrets } from "./event_targets.ts";
import { toEnvelope } from "./events.ts";

/*
 * Runs that deliver events: one after a change, for a latency of about a second, and one each minute, for whatever that one
 * did not do.
 */

/** How long a run after a response may begin to send, in milliseconds: the platform ends it after 30 seconds. */
const SOON_MILLISECONDS = 20_000;

/** How long it is remembered which types of events some destination wants. A change here of a subscription ends it. */
const REMEMBERED_MILLISECONDS = 20_000;

/** The most destinations of one run. */
const DESTINATIONS = 500;

/** How long a run waits for a destination that another run has, and how often. */
const PAUSE_MILLISECONDS = 1_000;
const PAUSES = 3;

/** The start of URIs in what is sent for no request: the operator's, or a name that says what to set. */
const NO_ORIGIN = "https://base-url.not-set.invalid";

/** The operator's settings; undefined if a variable is malformed, which the log then says. */
export function settingsFor(env: Bindings, operationId: string, origin?: string): DeliverySettings | undefined {
  const { settings, problems } = settingsOf(env, env.BASE_URL?.replace(/\/+$/, "") || origin || NO_ORIGIN);
  for (const problem of problems ?? []) logFault(operationId, problem, undefined, "alert");
  return settings;
}

/** Opens the secrets of a destination's target. @throws if there is no key ring, or none of its keys opens them */
export const opener =
  (env: Bindings) =>
  async (target: StoredTarget, destinationId: string): Promise<StoredTarget> => {
    const ring = await keyRingOf(env.SEALING_KEYS);
    if (!ring) throw new Error("there are no sealing keys");
    return mapSecrets(target, (secret, member) => unseal(ring, secret, placeOf(destinationId, `target.${member}`)));
  };

/**
 * Delivers to destinations that are due, and logs what was done, if anything was.
 *
 * @param until milliseconds since the Unix epoch: nothing is begun after that
 */
export async function deliverTo(env: Bindings, session: Session, cost: Cost, due: Due[], until: number, why: string): Promise<void> {
  const settings = due.length > 0 ? settingsFor(env, why) : undefined;
  if (!settings) return;
  const done: Delivered = await deliver(
    {
      session,
      settings,
      show: (event) => toEnvelope(event, env.BASE_URL?.replace(/\/+$/, "") || event.origin, env.ACCOUNT_ID),
      open: opener(env),
      until,
    },
    due,
  );
  logDelivery(why, done, cost);
}

let wanted: { types: Set<string>; until: number } | undefined;
let running: Promise<void> | undefined;

/**
 * Delivers what this isolate's requests have recorded, if some destination wants it: for `waitUntil`, after a response. One
 * run at a time.
 */
export async function deliverSoon(env: Bindings): Promise<void> {
  if (running) return running;
  running = soon(env).finally(() => {
    running = undefined;
  });
  return running;
}

async function soon(env: Bindings): Promise<void> {
  const cost = newCost();
  const session = new Session(env.DB, undefined, cost);
  const until = clock.now() + SOON_MILLISECONDS;
  try {
    let pauses = 0;
    for (let types = takeRecorded(); types.length > 0 && clock.now() < until; types = takeRecorded()) {
      if (!(await areWanted(session, types))) continue;
      let due = await session.fromPrimary(dueDestinations(DESTINATIONS));
      await deliverTo(env, session, cost, due, until, "change");
      for (; due.some(({ isLeased }) => isLeased) && pauses < PAUSES; pauses++) {
        await scheduler.wait(PAUSE_MILLISECONDS);
        due = await session.fromPrimary(dueDestinations(DESTINATIONS));
        await deliverTo(env, session, cost, due, until, "change");
      }
    }
  } catch (error) {
    // The run of the next minute delivers what this one did not.
    logFault("change", "A delivery failed.", rootCause(error));
  }
}

async function areWanted(session: Session, types: string[]): Promise<boolean> {
  const isSubscriptionChanged = types.some((type) => type.startsWith("event_subscription_"));
  if (isSubscriptionChanged || !wanted || wanted.until <= clock.now())
    wanted = {
      types: new Set(await session.fromPrimary(wantedTypes())),
      until: clock.now() + REMEMBERED_MILLISECONDS,
    };
  const { types: known } = wanted;
  return types.some((type) => known.has(type));
}
