import { afterEach, describe, expect, test } from "vitest";
import { clock } from "../packages/model/src/clock.ts";
import { outgoing, outOfTime, sendAll } from "../src/delivery/send_all.ts";
import {
  allAccepted,
  type BatchLimits,
  failed,
  type SendFailure,
  type OutgoingEvent,
  type Receipt,
  type Sender,
} from "../src/delivery/sender.ts";

/*
 * How events are put into batches, and what happens to events that the target does not accept. Most targets accept
 * batches; webhooks do not.
 */

const realNow = clock.now;
afterEach(() => {
  clock.now = realNow;
});

const event = (seq: number, length = 0): OutgoingEvent =>
  outgoing(seq, 0, {
    event_id: `ev_${seq}`,
    event_type: "ip_policy_created.v0",
    event_timestamp: "2026-01-02T03:04:05Z",
    account_id: "ac_default",
    principal: null,
    object: Object.assign({ id: `ipp_${seq}`, uri: `https://api.test/${seq}` }, { text: "é".repeat(length) }),
    operation_id: "op",
  });
const some = (count: number): OutgoingEvent[] => Array.from({ length: count }, (_, i) => event(i + 1));
const seqs = (events: OutgoingEvent[]): number[] => events.map(({ seq }) => seq);

const wide: BatchLimits = { events: 500, bytes: 1e9, overhead: 0, largest: 1e9 };
const error = { code: "code", status: 400, msg: "msg" };
const batch: SendFailure = { class: "batch", error };
const retry: SendFailure = { class: "retry", error: { ...error, status: 503 }, retryAfter: 5 };

const context = {
  destinationId: "ed_1",
  settings: {
    endpoints: {},
    allowedHosts: [],
    resolver: undefined,
    cloudKey: undefined,
    externalId: undefined,
    origin: "https://api.test",
  },
  call: () => Promise.reject(new Error("nothing is called")),
};

/** The outcome for the events, and the batches in which they were sent. */
async function outcomeOf(
  events: OutgoingEvent[],
  limits: Partial<BatchLimits>,
  receipt: (events: OutgoingEvent[]) => Receipt,
  until = Number.POSITIVE_INFINITY,
  rejectedInARow = 0,
) {
  const batches: OutgoingEvent[][] = [];
  const sender: Sender<undefined> = {
    limits: () => ({ ...wide, ...limits }),
    send(_, sent) {
      batches.push(sent);
      return Promise.resolve(receipt(sent));
    },
  };
  const outcome = await sendAll(sender, undefined, events, context, until, rejectedInARow);
  const { again, rejected, ...rest } = outcome;
  return {
    ...rest,
    again: seqs(again),
    rejected: rejected.map((one) => one.event.seq),
    batches: batches.map(seqs),
    sent: batches.flat(),
  };
}

describe("batches", () => {
  test("hold no more events than the target accepts, in order", async () => {
    const { batches, accepted, doneUpTo } = await outcomeOf(some(5), { events: 2 }, () => allAccepted);
    expect(batches).toEqual([[1, 2], [3, 4], [5]]);
    expect({ accepted, doneUpTo }).toEqual({ accepted: 5, doneUpTo: 5 });
  });

  test("hold no more bytes than the target accepts, including each event's overhead", async () => {
    const { bytes } = event(1);
    const overhead = 26;
    const exact = await outcomeOf(some(4), { bytes: 2 * (bytes + overhead), overhead }, () => allAccepted);
    expect(exact.batches).toEqual([
      [1, 2],
      [3, 4],
    ]);
    const less = await outcomeOf(some(3), { bytes: 2 * (bytes + overhead) - 1, overhead }, () => allAccepted);
    expect(less.batches).toEqual([[1], [2], [3]]);
  });

  test("an event that is larger than the target accepts, in bytes, is reduced to the id and URI of its object", async () => {
    const events = [event(1, 100), event(2, 101)];
    const largest = events[0]?.bytes ?? 0;
    expect(largest).toBeGreaterThan(events[0]?.text.length ?? 0);
    const { sent } = await outcomeOf(events, { largest }, () => allAccepted);
    expect(sent[0]).toEqual(events[0]);
    expect(JSON.parse(sent[1]?.text ?? "")).toEqual({
      ...events[1]?.envelope,
      object: { id: "ipp_2", uri: "https://api.test/2" },
      truncated: true,
    });
    expect(sent[1]?.bytes).toBe(sent[1]?.text.length);
  });
});

describe("events that are not accepted", () => {
  test("a rejected batch is halved until one event is left, which is rejected for good; all others are accepted", async () => {
    const bad = new Set([3, 7]);
    const { batches, accepted, rejected, failure, doneUpTo } = await outcomeOf(some(8), {}, (events) =>
      events.some(({ seq }) => bad.has(seq)) ? failed(batch) : allAccepted,
    );
    expect(batches).toEqual([
      [1, 2, 3, 4, 5, 6, 7, 8],
      [1, 2, 3, 4],
      [1, 2],
      [3, 4],
      [3],
      [4],
      [5, 6, 7, 8],
      [5, 6],
      [7, 8],
      [7],
      [8],
    ]);
    expect({ accepted, rejected, failure, doneUpTo }).toEqual({
      accepted: 6,
      rejected: [3, 7],
      failure: undefined,
      doneUpTo: 8,
    });
  });

  test("a failure leaves that batch and those after it, and sets the time of the retry", async () => {
    const { batches, accepted, failure, doneUpTo } = await outcomeOf(some(5), { events: 2 }, ([first]) =>
      first?.seq === 3 ? failed(retry) : allAccepted,
    );
    expect(batches).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect({ accepted, failure, doneUpTo }).toEqual({ accepted: 2, failure: retry, doneUpTo: 2 });
  });

  test("a failure after one half was rejected leaves the other half", async () => {
    const { accepted, rejected, doneUpTo, failure } = await outcomeOf(some(2), {}, (events) =>
      events.length > 1 || events[0]?.seq === 1 ? failed(batch) : failed(retry),
    );
    expect({ accepted, rejected, doneUpTo, failure }).toEqual({
      accepted: 0,
      rejected: [1],
      doneUpTo: 1,
      failure: retry,
    });
  });

  test.each([
    ["with the target's error", error, error],
    [
      "with our own message if the target sends none",
      undefined,
      expect.objectContaining({ code: "not_taken" }),
    ],
  ])("part of a batch is retried before any later event, %s", async (_, againError, message) => {
    const { batches, accepted, again, rejected, failure, doneUpTo } = await outcomeOf(
      some(6),
      { events: 4 },
      (events) => ({
        again: events.filter(({ seq }) => seq === 2),
        rejected: events.flatMap((one) => (one.seq === 3 ? [{ event: one, error }] : [])),
        ...(againError && { againError }),
      }),
    );
    expect(batches).toEqual([[1, 2, 3, 4]]);
    expect({ accepted, again, rejected, doneUpTo }).toEqual({
      accepted: 2,
      again: [2],
      rejected: [3],
      doneUpTo: 4,
    });
    expect(failure).toEqual({ class: "retry", error: message });
  });

  test("no batch is started after the time is over", async () => {
    let now = 0;
    clock.now = () => now;
    const { batches, accepted, failure, doneUpTo } = await outcomeOf(
      some(3),
      { events: 1 },
      () => {
        now += 10;
        return allAccepted;
      },
      20,
    );
    expect(batches).toEqual([[1], [2]]);
    expect({ accepted, doneUpTo }).toEqual({ accepted: 2, doneUpTo: 2 });
    expect(failure?.error.code).toBe(outOfTime.error.code);
  });
});

describe("after ten rejections in a row", () => {
  const batch: SendFailure = { class: "batch", error: { ...error, status: 400, msg: "No." } };
  const rejecting =
    (...accepted: number[]) =>
    ([first]: OutgoingEvent[]): Receipt =>
      accepted.includes(first?.seq ?? 0) ? allAccepted : failed(batch);

  test("the next one is a failure, and its event is not given up", async () => {
    const outcome = await outcomeOf(some(12), { events: 1 }, rejecting());
    expect(outcome.rejected).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(outcome).toMatchObject({ doneUpTo: 10, rejectedInARow: 10, failure: { class: "retry" } });
    expect(outcome.failure?.error.msg).toMatch(/^No\. The target has rejected 10 events in a row/);
  });

  test("those of earlier runs count, and an accepted event ends the row", async () => {
    const first = await outcomeOf(some(3), { events: 1 }, rejecting(), Infinity, 10);
    expect(first).toMatchObject({ rejected: [], doneUpTo: undefined, failure: { class: "retry" } });
    const next = await outcomeOf(some(3), { events: 1 }, rejecting(1), Infinity, 10);
    expect(next).toMatchObject({ accepted: 1, rejected: [2, 3], rejectedInARow: 2 });
    expect(next.failure).toBeUndefined();
  });
});
