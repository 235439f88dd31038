import assert from "node:assert/strict";
import { test } from "node:test";
import type { OutgoingEvent } from "../../../src/delivery/sender.ts";
import { contextFor, keys, several, subjects } from "./given.ts";
import { json, startCloud } from "./receivers/aws.ts";

/*
 * Responses with status 200 that list events which were not accepted.
 */

const numbers = (events: OutgoingEvent[]): number[] => events.map(({ seq }) => seq);

const sender = (name: string) => {
  const found = subjects().find(({ member }) => member === name);
  assert.ok(found);
  return found;
};

/** The receipt for events 1 to 4 if the target returns this. */
async function receiptFor(member: string, body: object) {
  const cloud = await startCloud({ keys, answer: () => json(body) });
  try {
    const { failure, again, againError, rejected } = await sender(member).send(
      several(4),
      contextFor({ [member]: cloud.url }),
    );
    return {
      failure: failure && `${failure.class} ${failure.error.code}`,
      again: numbers(again),
      againError: againError?.code,
      rejected: rejected.map(({ event, error }) => `${event.seq} ${error.code}`),
    };
  } finally {
    await cloud.close();
  }
}

const none = { failure: undefined, again: [], againError: undefined, rejected: [] };

for (const [member, list, busy] of [
  ["cloud_stream", "Records", "ProvisionedThroughputExceededException"],
  ["cloud_delivery_stream", "RequestResponses", "ServiceUnavailableException"],
] as const) {
  const ok = { RecordId: "1", SequenceNumber: "1", ErrorCode: null };
  const failing = (ErrorCode: string) => ({ ErrorCode, ErrorMessage: "own words" });

  test(`${member}: throttled records are sent again, and others are rejected`, async () => {
    assert.deepEqual(await receiptFor(member, { [list]: [ok, ok, ok, ok] }), none);
    assert.deepEqual(
      await receiptFor(member, {
        FailedRecordCount: 3,
        FailedPutCount: 3,
        [list]: [failing(busy), ok, failing("InternalFailure"), failing("Own words")],
      }),
      { ...none, again: [1, 3], againError: "InternalFailure", rejected: ["4 refused"] },
    );
  });

  test(`${member}: a batch without any accepted event is a failure`, async () => {
    const { failure, again } = await receiptFor(member, {
      [list]: Array.from({ length: 4 }, () => failing(busy)),
    });
    assert.equal(failure, `retry ${busy}`);
    assert.deepEqual(again, []);
  });

  test(`${member}: the number of results differs from the number of records`, async () => {
    for (const length of [0, 3, 5])
      assert.equal(
        (await receiptFor(member, { [list]: Array.from({ length }, () => ok) })).failure,
        "retry unreadable_response",
      );
  });

  test(`${member}: the longest response is read`, async () => {
    const message = { ErrorCode: busy, ErrorMessage: "x".repeat(400), RecordId: "x".repeat(300) };
    const cloud = await startCloud({
      keys,
      answer: () =>
        json({ [list]: Array.from({ length: 500 }, (_, index) => (index === 499 ? ok : message)) }),
    });
    const { again } = await sender(member).send(several(500), contextFor({ [member]: cloud.url }));
    await cloud.close();
    assert.equal(again.length, 499);
  });
}

test("cloud_logs: events that are too old, too new or expired", async () => {
  for (const [rejectedLogEventsInfo, expected] of [
    [undefined, {}],
    [{}, {}],
    [{ tooOldLogEventEndIndex: 2 }, { rejected: ["1 too_old", "2 too_old"] }],
    [{ expiredLogEventEndIndex: 1 }, { rejected: ["1 expired"] }],
    [{ tooNewLogEventStartIndex: 3 }, { again: [4], againError: "too_new" }],
    [
      { expiredLogEventEndIndex: 1, tooOldLogEventEndIndex: 2, tooNewLogEventStartIndex: 3 },
      { rejected: ["1 expired", "2 too_old"], again: [4], againError: "too_new" },
    ],
    [{ tooNewLogEventStartIndex: 0 }, { failure: "retry too_new" }],
    [{ tooOldLogEventEndIndex: 4 }, { rejected: ["1 too_old", "2 too_old", "3 too_old", "4 too_old"] }],
  ] as const)
    assert.deepEqual(await receiptFor("cloud_logs", { nextSequenceToken: "1", rejectedLogEventsInfo }), {
      ...none,
      ...expected,
    });
});
