import { clock } from "../clock.ts";
import type { Session } from "../db/database.ts";
import { advance, LEASE_MILLISECONDS, type Progress, type Taken, takeLease } from "../db/deliveries.ts";
import type { StoredEvent } from "../db/event_log.ts";
import type { StoredTarget } from "../db/stored.ts";
import { callerWithin, OUT_OF_CALLS } from "./call.ts";
import { OUT_OF_TIME, type Outcome, outgoing } from "./send_all.ts";
import type { DeliverySettings, Envelope, Failure, SendContext } from "./sender.ts";
import { senderFor } from "./senders.ts";

/*
 * Delivers events: for each destination that is due, in order, from where its cursor is.
 */

/** Destinations delivered to at once: the platform opens six connections at a time. */
const AT_ONCE = 6;

/** Calls of receivers in one run. */
const CALLS = 500;

/** No batch is sent unless so much of the lease is left, in milliseconds: two calls, one for a token, take 30 seconds at most. */
const LEASE_LEFT = 35_000;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A destination that fails for so long is suspended. */
const GIVE_UP = 72 * HOUR;
/** The pause after the first failure is at most twice this. */
const FIRST_PAUSE = 5_000;

/** What a run needs to know. */
export interface Delivery {
  session: Session;
  settings: DeliverySettings;
  /** An event as it is sent. */
  show: (event: StoredEvent) => Envelope;
  /** A target with its secrets opened. @throws if no key opens them */
  open: (target: StoredTarget, destinationId: string) => Promise<StoredTarget>;
  /** Milliseconds since the Unix epoch: no batch is begun after that. */
  until: number;
}

/** What a run has done, for its line in the log. */
export interface Delivered {
  destinations: number;
  events: number;
  dead_letters: number;
  failures: number;
  calls: number;
}

/** Delivers to destinations, six at a time. One that fails, or is slow, delays no other. @param ids of the destinations */
export async function deliver(delivery: Delivery, ids: string[]): Promise<Delivered> {
  const sum: Delivered = { destinations: 0, events: 0, dead_letters: 0, failures: 0, calls: 0 };
  const isLeft = () => sum.calls < CALLS;
  const call = callerWithin(isLeft);
  const counted: SendContext["call"] = (url, init) => {
    sum.calls += 1;
    return call(url, init);
  };
  const waiting = [...ids];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next && clock.now() < delivery.until; next = waiting.shift())
      await deliverTo(delivery, next, counted, sum);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return sum;
}

/** Delivers to one destination until nothing is left, something fails or the time is over. */
async function deliverTo(
  { session, settings, show, open, until }: Delivery,
  destinationId: string,
  call: SendContext["call"],
  sum: Delivered,
): Promise<void> {
  const lease = crypto.randomUUID();
  const context: SendContext = { destinationId, settings, call };
  sum.destinations += 1;
  for (let before: Progress | undefined; ;) {
    const { statements, read } = takeLease(destinationId, lease);
    const leaseEnds = clock.now() + LEASE_MILLISECONDS;
    const written = before ? advance(destinationId, lease, before, true) : [];
    const rows = await session.batch([...written, ...statements]);
    const taken = read(rows.slice(written.length));
    if (!taken) return;
    const sent = await send(taken, context, show, open, Math.min(until, leaseEnds - LEASE_LEFT));
    before = progressOf(taken, sent);
    sum.events += before.delivered;
    sum.dead_letters += before.dead.length;
    const failure = isHeld(sent) ? undefined : sent.failure;
    // The lease may have been too short for all that was read.
    const isStopped = isHeld(sent) || (failure !== undefined && failure.error.code !== OUT_OF_TIME);
    if (!isStopped && clock.now() < until && (taken.isMore || failure)) continue;
    if (failure && !isStop(failure)) sum.failures += 1;
    await session.batch(advance(destinationId, lease, before, false));
    return;
  }
}

/** What became of what was read: an {@link Outcome}, or how many milliseconds to wait for more. */
type Sent = Outcome | { wait: number };

const isHeld = (sent: Sent): sent is { wait: number } => "wait" in sent;

/** True if the rest was not sent because the run had to end: no failure of the destination. */
const isStop = ({ error }: Failure): boolean => error.code === OUT_OF_TIME || error.code === OUT_OF_CALLS;

/** Sends what was read. */
async function send(
  { target, events, isFull }: Taken,
  context: SendContext,
  show: Delivery["show"],
  open: Delivery["open"],
  until: number,
): Promise<Sent> {
  const nothing = { taken: 0, dealtWith: undefined, again: [], refused: [] };
  if (events.length === 0) return nothing;
  const opened = await open(target, context.destinationId).catch(() => undefined);
  const sender = opened && senderFor(opened);
  if (!sender) return { ...nothing, failure: opened ? NO_SENDER : CANNOT_OPEN };
  const all = events.map((event) => outgoing(event.seq, event.at, show(event)));
  const { holds } = sender;
  if (holds && !isFull && all.reduce((bytes, event) => bytes + event.bytes, 0) < holds.bytes) {
    const wait = (all[0]?.at ?? 0) + holds.milliseconds - clock.now();
    if (wait > 0) return { wait };
  }
  return sender.sendAll(all, context, until);
}

const CANNOT_OPEN: Failure = {
  class: "configuration",
  error: {
    code: "secrets",
    status: null,
    msg: "The secrets of the target cannot be opened: the operator has to restore the key that sealed them, or the target has to be set again.",
  },
};
const NO_SENDER: Failure = {
  class: "configuration",
  error: { code: "target", status: null, msg: "The target has no member that events can be sent to." },
};

/** How a run leaves the cursor after what it has sent. */
function progressOf(taken: Taken, sent: Sent): Progress {
  const { low, lookedAt, holes, failures, failing_since, last_error, events } = taken;
  const now = clock.now();
  const unchanged = {
    failures,
    failing_since,
    last_error,
    suspended: false,
    delivered: 0,
    dead: [],
    isAttempt: false,
  };
  if (isHeld(sent))
    return { ...unchanged, position: low, holes, next_attempt_at: now + Math.min(sent.wait, MINUTE) };
  if (events.length === 0) return { ...unchanged, position: lookedAt, holes: [], next_attempt_at: 0 };
  const { failure, again, refused, dealtWith } = sent;
  const untouched = new Set(
    events.filter(({ seq }) => dealtWith === undefined || seq > dealtWith).map(({ seq }) => seq),
  );
  const read = new Set(events.map(({ seq }) => seq));
  const isAgain = holes.some((seq) => read.has(seq));
  const progress = {
    ...unchanged,
    position: isAgain ? low : failure && untouched.size > 0 ? (dealtWith ?? low) : lookedAt,
    holes: [...holes.filter((seq) => !read.has(seq) || untouched.has(seq)), ...again.map(({ seq }) => seq)],
    delivered: sent.taken,
    dead: refused.map(({ event, error }) => ({ seq: event.seq, error })),
    isAttempt: true,
    next_attempt_at: 0,
  };
  if (failure && isStop(failure))
    return sent.taken > 0 ? { ...progress, ...SOUND } : { ...progress, isAttempt: false };
  if (!failure) return { ...progress, ...SOUND };
  const since = sent.taken > 0 ? now : (failing_since ?? now);
  const count = sent.taken > 0 ? 1 : failures + 1;
  return {
    ...progress,
    failures: count,
    failing_since: since,
    suspended: failure.class === "suspend" || now - since >= GIVE_UP,
    last_error: { ...failure.error, at: now },
    next_attempt_at: now + pauseAfter(failure, count),
  };
}

/** A destination after a success. */
const SOUND = { failures: 0, failing_since: null, last_error: null };

/** Milliseconds until the next attempt, after `count` failures. */
function pauseAfter({ class: kind, retryAfter = 0 }: Failure, count: number): number {
  if (kind === "configuration") return HOUR;
  const pause = Math.random() * Math.min(HOUR, FIRST_PAUSE * 2 ** count);
  return Math.ceil(Math.max(pause, Math.min(retryAfter, HOUR)));
}
