import { clock } from "../../packages/model/src/clock.ts";
import {
  type BatchLimits,
  type OutgoingEvent,
  type SendContext,
  type Sender,
  type SendError,
  type SendFailure,
  sendFailure,
} from "./sender.ts";

/** The outcome of sending events. Events after `doneUpTo` were not sent. */
export interface SendOutcome {
  /** How many events were accepted. */
  accepted: number;
  /** Every event up to this `seq` is done, except those in `again`; undefined if no event is done. */
  doneUpTo: number | undefined;
  /** Events to send again, before any later event. */
  again: OutgoingEvent[];
  rejected: { event: OutgoingEvent; error: SendError }[];
  /** How many of them were rejected, each in a request of its own, since an event was accepted. */
  rejectedInARow: number;
  /** The reason why the remaining events were not sent, or why the events in `again` were not accepted. */
  failure?: SendFailure;
}

/** The failure for events that were not sent because the run had to end. */
export const outOfTime = sendFailure("retry", "out_of_time", "The run ended before the event was sent.");

const notAccepted = sendFailure("retry", "not_taken", "The target did not accept some of the events.");

/** After so many rejections in a row, the target or its configuration is more likely to be wrong than the next event. */
const MOST_IN_A_ROW = 10;

/**
 * Sends events in order, in batches within the limits of the target. A rejected batch is halved until one event is left, which
 * is then rejected for good. Stops at the first failure. If the target has rejected ten events in a row, the next rejection is a
 * failure, too.
 *
 * @param rejectedInARow how many events the target has rejected since it last accepted one
 * @param target with its secrets opened
 * @param until no batch is started after this (milliseconds since the Unix epoch)
 */
export async function sendAll<Target>(
  sender: Sender<Target>,
  target: Target,
  events: OutgoingEvent[],
  context: SendContext,
  until: number,
  rejectedInARow: number,
): Promise<SendOutcome> {
  const limits = sender.limits(target);
  const outcome: SendOutcome = { accepted: 0, doneUpTo: undefined, again: [], rejected: [], rejectedInARow };
  const batches = inBatches(
    events.map((event) => fitting(event, limits)),
    limits,
  );
  for (let batch = batches.shift(); batch; batch = batches.shift()) {
    if (clock.now() >= until) return { ...outcome, failure: outOfTime };
    const { failure, again, againError, rejected } = await sender.send(target, batch, context);
    const [first, ...others] = batch;
    if (failure?.class === "batch" && first) {
      if (others.length > 0) {
        const middle = Math.ceil(batch.length / 2);
        batches.unshift(batch.slice(0, middle), batch.slice(middle));
        continue;
      }
      if (outcome.rejectedInARow >= MOST_IN_A_ROW) return { ...outcome, failure: rejectsAll(failure.error) };
      outcome.rejectedInARow += 1;
      outcome.rejected.push({ event: first, error: failure.error });
    } else if (failure) return { ...outcome, failure };
    else {
      const accepted = batch.length - again.length - rejected.length;
      outcome.accepted += accepted;
      if (accepted > 0) outcome.rejectedInARow = 0;
      outcome.again.push(...again);
      outcome.rejected.push(...rejected);
    }
    outcome.doneUpTo = batch.at(-1)?.seq;
    if (again.length > 0)
      return { ...outcome, failure: againError ? { class: "retry", error: againError } : notAccepted };
  }
  return outcome;
}

const rejectsAll = (error: SendError): SendFailure => ({
  class: "retry",
  error: {
    ...error,
    msg: `${error.msg} The target has rejected ${MOST_IN_A_ROW} events in a row, so no more are given up: they wait until it accepts one.`,
  },
});

/** Splits events, in order, into batches that fit in one request. */
function inBatches(events: OutgoingEvent[], limits: BatchLimits): OutgoingEvent[][] {
  const batches: OutgoingEvent[][] = [];
  let last: OutgoingEvent[] = [];
  let bytes = 0;
  for (const event of events) {
    const more = event.bytes + limits.overhead;
    if (last.length > 0 && (last.length >= limits.events || bytes + more > limits.bytes)) {
      batches.push(last);
      last = [];
      bytes = 0;
    }
    last.push(event);
    bytes += more;
  }
  return last.length > 0 ? [...batches, last] : batches;
}

const encoder = new TextEncoder();

/** An event as it is sent. */
export function outgoing(seq: number, at: number, envelope: OutgoingEvent["envelope"]): OutgoingEvent {
  const text = JSON.stringify(envelope);
  return { seq, at, envelope, text, bytes: encoder.encode(text).byteLength };
}

/** The event, with its object cut to id and URI if it is larger than the target accepts. */
function fitting(event: OutgoingEvent, { largest }: BatchLimits): OutgoingEvent {
  if (event.bytes <= largest) return event;
  const { seq, at, envelope } = event;
  const { id, uri } = envelope.object;
  return outgoing(seq, at, { ...envelope, object: { id, uri }, truncated: true });
}
