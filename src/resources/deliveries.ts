import { clock } from "../clock.ts";
import { newCost } from "../db/calls.ts";
import { Session } from "../db/database.ts";
import { type Due, dueDestinations, wantedTypes } from "../db/deliveries.ts";
import { rootCause } from "../db/failures.ts";
import { keyRingOf, placeOf, unseal } from "../db/seals.ts";
import type { StoredTarget } from "../db/stored.ts";
import { deliver } from "../delivery/run.ts";
import type { DeliverySettings } from "../delivery/sender.ts";
import { settingsOf } from "../delivery/settings.ts";
import { isAwaited, takeNotes } from "../delivery/wake.ts";
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
export const DESTINATIONS = 500;

/** How long a run waits for a destination that another run has, and how often. */
const PAUSE_MILLISECONDS = 1_000;
const PAUSES = 3;

/** The start of URIs in what is sent for no request: the operator's, or a name that says what to set. */
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
    if (!ring) throw new Error("there are no sealing keys");
    return mapSecrets(target, (secret, member) =>
      unseal(ring, secret, placeOf(destinationId, `target.${member}`)),
    );
  };

/**
 * Delivers to destinations that are due, and logs what was sent.
 *
 * @param until milliseconds since the Unix epoch: nothing is begun after that
 * @param why for the log
 */
export async function deliverDue(env: Bindings, due: Due[], until: number, why: string): Promise<void> {
  const free = due.filter(({ isLeased }) => !isLeased);
  const settings = free.length > 0 ? settingsFor(env, why) : undefined;
  if (!settings) return;
  const cost = newCost();
  const done = await deliver(
    {
      session: new Session(env.DB, undefined, cost),
      settings,
      show: (event) => toEnvelope(event, baseUrl(env) || event.origin, env.ACCOUNT_ID),
      open: opener(env),
      until,
    },
    free.map(({ destination_id }) => destination_id),
  );
  if (done.calls > 0 || done.failures > 0) logDelivery(why, done, cost);
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
  const session = new Session(env.DB, undefined, newCost());
  const until = clock.now() + SOON_MILLISECONDS;
  try {
    let pauses = 0;
    while (isAwaited() && clock.now() < until) {
      const { types, isResumed } = takeNotes();
      if (!isResumed && !(await areWanted(session, types))) continue;
      let due = await session.fromPrimary(dueDestinations(DESTINATIONS));
      await deliverDue(env, due, until, "change");
      for (; due.some(({ isLeased }) => isLeased) && pauses < PAUSES; pauses++) {
        await scheduler.wait(PAUSE_MILLISECONDS);
        due = await session.fromPrimary(dueDestinations(DESTINATIONS));
        await deliverDue(env, due, until, "change");
      }
    }
  } catch (error) {
    // The run of the next minute delivers what this one did not.
    logFault("change", "A delivery failed.", rootCause(error));
  }
}

async function areWanted(session: Session, types: string[]): Promise<boolean> {
  if (types.some((type) => type.startsWith("event_destination_"))) return true;
  if (types.some((type) => type.startsWith("event_subscription_")) || !wanted || wanted.until <= clock.now())
    wanted = {
      types: new Set(await session.fromPrimary(wantedTypes())),
      until: clock.now() + REMEMBERED_MILLISECONDS,
    };
  const { types: known } = wanted;
  return types.some((type) => known.has(type));
}
