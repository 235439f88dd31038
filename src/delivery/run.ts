import { clock } from "../../packages/model/src/clock.ts";
import type { StoredTarget } from "../db/column_types.ts";
import type { StoredEvent } from "../db/event_reads.ts";
import { rootCause } from "../db/failures.ts";
import { type Session, withRetries } from "../db/session.ts";
import { CALL_MILLISECONDS, callerWithin, outOfCalls } from "./call.ts";
import {
  advance,
  LEASE_MILLISECONDS,
  type CursorState,
  type ClaimedEvents,
  acquireLease,
} from "./cursors.ts";
import { type SendOutcome, outgoing, outOfTime } from "./send_all.ts";
import {
  type DeliverySettings,
  type Envelope,
  isFailure,
  type SendContext,
  type SendFailure,
  sendFailure,
} from "./sender.ts";
import { type BoundSender, senderFor } from "./senders.ts";

/*
 * Delivers events to each destination that is due: in order, starting at its cursor.
 */

/** Destinations delivered to concurrently: the platform opens six connections at a time. */
const AT_ONCE = 6;

/**
 * How long a run delivers to one destination while others wait, in milliseconds. The destination then goes to the back of the
 * queue.
 */
const TURN = 5_000;

/** The lease time required to send a batch, in milliseconds: two calls, one of them for a token, take at most 30 seconds. */
const LEASE_LEFT = 35_000;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A destination that fails for this long is suspended. */
const GIVE_UP = 72 * HOUR;
/** The backoff after the first failure is at most twice this, in milliseconds. */
const FIRST_BACKOFF = 5_000;

/**
 * The remaining calls to receivers, and database statements, of an invocation of the Worker. The platform allows a thousand of
 * each; the budget starts lower.
 */
export interface Budget {
  calls: number;
  statements: number;
}

export const newBudget = (): Budget => ({ calls: 500, statements: 500 });

/** True if nothing new may be started. */
export const isSpent = ({ calls, statements }: Budget): boolean => calls <= 0 || statements <= 0;

/** The parameters of a run. */
export interface Delivery {
  session: Session;
  settings: DeliverySettings;
  /** Converts an event to the form in which it is sent. */
  show: (event: StoredEvent) => Envelope;
  /** Opens the secrets of a target. @throws if no key opens them */
  open: (target: StoredTarget, destinationId: string) => Promise<StoredTarget>;
  /** No batch is started after this (milliseconds since the Unix epoch). */
  until: number;
  /** Decreases as it is used. */
  budget: Budget;
}

/** The results of a run, for its log line. */
export interface Delivered {
  /** Destinations with events to read. */
  destinations: number;
  events: number;
  dead_letters: number;
  /** Failed destinations. */
  failures: number;
  calls: number;
  /** The reason for an internal error, if there was one. */
  cause?: string;
}

/**
 * Delivers to destinations in their order, six at a time, and in turns if that takes long. If a destination fails or is slow,
 * or the database fails, only the delivery to that destination stops. Never throws.
 *
 * @param ids of the destinations
 */
export async function deliver(delivery: Delivery, ids: string[]): Promise<Delivered> {
  const { budget, until } = delivery;
  const sum: Delivered = { destinations: 0, events: 0, dead_letters: 0, failures: 0, calls: 0 };
  const call = callerWithin(() => {
    if (budget.calls <= 0) return false;
    budget.calls -= 1;
    sum.calls += 1;
    return true;
  });
  const waiting = [...ids];
  const served = new Set<string>();
  const work = async (): Promise<void> => {
    while (clock.now() < until && !isSpent(budget)) {
      const id = waiting.shift();
      if (id === undefined) return;
      try {
        const turn = await deliverTo(delivery, id, call, () => waiting.length > 0, sum);
        if (turn !== "nothing") served.add(id);
        if (turn === "more") waiting.push(id);
      } catch (error) {
        sum.cause ??= rootCause(error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { ...sum, destinations: served.size };
}

/**
 * Delivers to one destination until nothing is left, something fails, or its turn or the run is over.
 *
 * @param isWaiting true if other destinations are waiting
 * @returns `more` if it needs another turn, `nothing` if another run delivers to it
 */
async function deliverTo(
  delivery: Delivery,
  destinationId: string,
  call: SendContext["call"],
  isWaiting: () => boolean,
  sum: Delivered,
): Promise<"nothing" | "more" | "done"> {
  const { session, settings, until, budget } = delivery;
  const lease: Lease = { id: crypto.randomUUID(), ends: 0 };
  const context: SendContext = {
    destinationId,
    settings,
    // Some senders make several calls. None may outlast the lease, or another run would send the same events.
    call: (...request) =>
      clock.now() < lease.ends - CALL_MILLISECONDS ? call(...request) : Promise.resolve(outOfTime),
  };
  let turnEnds: number | undefined;
  for (let before: CursorState | undefined; ;) {
    const claimed = await claimNext(delivery, destinationId, lease, before);
    if (!claimed) return before ? "done" : "nothing";
    turnEnds ??= clock.now() + TURN;
    const ends = Math.min(until, lease.ends - LEASE_LEFT, isWaiting() ? turnEnds : until);
    const sent = await sendClaimed(delivery, claimed, context, ends, sum);
    before = progressOf(claimed, sent);
    sum.events += before.delivered;
    sum.dead_letters += before.dead.length;
    const isMore = isLeft(claimed, sent);
    const isTurnOver = isWaiting() && clock.now() >= turnEnds;
    if (isMore && !isTurnOver && clock.now() < until && !isSpent(budget)) continue;
    const failure = failureOf(sent);
    if (failure && !isStop(failure)) sum.failures += 1;
    const last = advance(destinationId, lease.id, before, false);
    budget.statements -= last.length;
    // This ends the lease, so if the statements took effect, repeating them has no effect.
    await withRetries(() => session.batch(last));
    return isMore ? "more" : "done";
  }
}

/** Gives one run exclusive access to a destination. */
interface Lease {
  id: string;
  /** Milliseconds since the Unix epoch. */
  ends: number;
}

/**
 * Renews the lease and reads the next events, in one batch with the statements that record the outcome of the previous ones.
 *
 * @returns undefined if another run has the lease, or nothing is due
 */
async function claimNext(
  { session, budget }: Delivery,
  destinationId: string,
  lease: Lease,
  before: CursorState | undefined,
): Promise<ClaimedEvents | undefined> {
  const { statements, read } = acquireLease(destinationId, lease.id);
  lease.ends = clock.now() + LEASE_MILLISECONDS;
  const written = before ? advance(destinationId, lease.id, before, true) : [];
  budget.statements -= written.length + statements.length;
  const rows = await session.batch([...written, ...statements]);
  return read(rows.slice(written.length));
}

/** Sends the events. Never throws: an error within the service is a failure too. */
async function sendClaimed(
  { show, open, budget }: Delivery,
  claimed: ClaimedEvents,
  context: SendContext,
  ends: number,
  sum: Delivered,
): Promise<Sent> {
  const outcome: Sent = await send(claimed, context, show, open, ends).catch((error: unknown) => {
    sum.cause ??= rootCause(error);
    return { ...nothingSent(claimed), failure: INTERNAL };
  });
  // With no calls left, the failure may come from a call that was not made, even if the sender reports another error.
  const isOut = budget.calls <= 0 && !isHeld(outcome) && outcome.failure !== undefined;
  return isOut ? { ...outcome, failure: outOfCalls } : outcome;
}

/** True if more can be sent immediately. A turn or a lease can be too short to send all events that were read. */
function isLeft({ isMore }: ClaimedEvents, sent: Sent): boolean {
  const failure = failureOf(sent);
  const isStopped = isHeld(sent) || (failure !== undefined && failure.error.code !== outOfTime.error.code);
  return !isStopped && (isMore || failure !== undefined);
}

/** The result of sending: an {@link SendOutcome}, or how many milliseconds to wait for more events. */
type Sent = SendOutcome | { wait: number };

const isHeld = (sent: Sent): sent is { wait: number } => "wait" in sent;

const failureOf = (sent: Sent): SendFailure | undefined => (isHeld(sent) ? undefined : sent.failure);

/** True if the remaining events were not sent because the run had to end, which is not a failure of the destination. */
const isStop = ({ error }: SendFailure): boolean =>
  [outOfTime, outOfCalls].some((stop) => stop.error.code === error.code);

/** The outcome of an attempt that sent nothing. */
const nothingSent = ({ rejected_in_a_row: rejectedInARow }: ClaimedEvents): SendOutcome => ({
  accepted: 0,
  doneUpTo: undefined,
  again: [],
  rejected: [],
  rejectedInARow,
});

/** Sends the events. */
async function send(
  claimed: ClaimedEvents,
  context: SendContext,
  show: Delivery["show"],
  open: Delivery["open"],
  until: number,
): Promise<Sent> {
  const { target, events, isFull, rejected_in_a_row } = claimed;
  if (events.length === 0) return nothingSent(claimed);
  const sender = await senderOf(target, context.destinationId, open);
  if (isFailure(sender)) return { ...nothingSent(claimed), failure: sender };
  const all = events.map((event) => outgoing(event.seq, event.at, show(event)));
  const { holds } = sender;
  if (holds && !isFull && all.reduce((bytes, event) => bytes + event.bytes, 0) < holds.bytes) {
    const wait = (all[0]?.at ?? 0) + holds.milliseconds - clock.now();
    if (wait > 0) return { wait };
  }
  return sender.sendAll(all, context, until, rejected_in_a_row);
}

/** The sender for a destination's target, with its secrets opened, or the reason why there is none. */
export async function senderOf(
  target: StoredTarget,
  destinationId: string,
  open: Delivery["open"],
): Promise<BoundSender | SendFailure> {
  const opened = await open(target, destinationId).catch(() => undefined);
  return opened ? (senderFor(opened) ?? NO_SENDER) : CANNOT_OPEN;
}

/** Most likely an error of the operator, who can fix it at any time, so delivery is retried. */
const CANNOT_OPEN = sendFailure(
  "retry",
  "secrets",
  "The secrets of the target cannot be opened: the operator must restore the key that sealed them, or the target must be set again.",
);
const NO_SENDER = sendFailure(
  "configuration",
  "target",
  "The target has no field that events can be sent to.",
);
const INTERNAL = sendFailure(
  "retry",
  "internal",
  "The service could not send the events. The reason is in its log.",
);

/** The new state of the cursor, given the result of sending. */
function progressOf(claimed: ClaimedEvents, sent: Sent): CursorState {
  const { low, lookedAt, events, isAgain, unread, failures, failing_since, last_error, rejected_in_a_row } =
    claimed;
  const now = clock.now();
  const unchanged = {
    failures,
    failing_since,
    last_error,
    suspended: false,
    delivered: 0,
    dead: [],
    rejected_in_a_row,
    isAttempt: false,
  };
  if (isHeld(sent))
    return { ...unchanged, position: low, holes: [], next_attempt_at: now + Math.min(sent.wait, MINUTE) };
  if (events.length === 0) return { ...unchanged, position: lookedAt, holes: [], next_attempt_at: 0 };
  const { failure, again, rejected, doneUpTo } = sent;
  const untouched = events.filter(({ seq }) => doneUpTo === undefined || seq > doneUpTo);
  const missed = isAgain ? [...again, ...untouched] : again;
  const progress = {
    ...unchanged,
    position: isAgain ? low : untouched.length > 0 ? (doneUpTo ?? low) : lookedAt,
    holes: [...missed.map(({ seq }) => seq), ...unread],
    delivered: sent.accepted,
    rejected_in_a_row: sent.rejectedInARow,
    dead: rejected.map(({ event, error }) => ({ seq: event.seq, error })),
    isAttempt: true,
    next_attempt_at: 0,
  };
  if (failure && isStop(failure))
    return sent.accepted > 0 ? { ...progress, ...SOUND } : { ...progress, isAttempt: false };
  if (!failure) return { ...progress, ...SOUND };
  const since = sent.accepted > 0 ? now : (failing_since ?? now);
  const count = sent.accepted > 0 ? 1 : failures + 1;
  return {
    ...progress,
    failures: count,
    failing_since: since,
    suspended: failure.class === "suspend" || now - since >= GIVE_UP,
    last_error: { ...failure.error, at: now },
    next_attempt_at: now + backoffAfter(failure, count),
  };
}

/** The columns of a destination after a success. */
const SOUND = { failures: 0, failing_since: null, last_error: null };

/** Milliseconds until the next attempt, after `count` failures. */
function backoffAfter({ class: kind, retryAfter = 0 }: SendFailure, count: number): number {
  if (kind === "configuration") return HOUR;
  const backoff = Math.random() * Math.min(HOUR, FIRST_BACKOFF * 2 ** count);
  return Math.ceil(Math.max(backoff, Math.min(retryAfter, HOUR)));
}
