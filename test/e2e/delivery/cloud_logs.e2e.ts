import assert from "node:assert/strict";
import { test } from "node:test";
import { cloudLogs } from "../../../src/delivery/cloud_logs.ts";
import { contextFor, creds, DESTINATION, keys, outgoing } from "./given.ts";
import { json, jsonError, startCloud, type Verified } from "./receivers/aws.ts";
import type { Answer } from "./receivers/http.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const target = { auth: creds, log_group_arn: "arn:aws:logs:us-east-1:123456789012:log-group:events" };

interface Batch {
  logGroupName: string;
  logStreamName: string;
  logEvents: { timestamp: number; message: string }[];
}
const batchIn = ({ body }: Verified): Batch => JSON.parse(String(body));
const actionOf = ({ headers }: Verified): string => String(headers["x-amz-target"]).replace(/.*\./, "");

/** The requests for events of these ages, in hours. The events are numbered from 1. */
async function sent(hours: number[], answer: (request: Verified, index: number) => Answer = () => json({})) {
  const cloud = await startCloud({ keys, answer });
  const now = Date.now();
  const events = hours.map((hour, index) => outgoing(index + 1, { at: now - Math.round(hour * HOUR) }));
  const receipt = await cloudLogs.send(target, events, contextFor({ cloud_logs: cloud.url }));
  await cloud.close();
  assert.deepEqual(cloud.complaints, []);
  const puts = cloud.requests.filter((request) => actionOf(request) === "PutLogEvents").map(batchIn);
  for (const { logEvents } of puts) {
    const times = logEvents.map(({ timestamp }) => timestamp);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
      "the oldest event comes first",
    );
    assert.ok((times.at(-1) ?? 0) - (times[0] ?? 0) < DAY, "within a day");
    assert.ok((times[0] ?? 0) > now - 14 * DAY, "not too old");
  }
  const byMessage = new Map(events.map(({ text, seq }) => [text, seq]));
  return {
    receipt,
    actions: cloud.requests.map(actionOf),
    puts,
    batches: puts.map(({ logEvents }) => logEvents.map(({ message }) => byMessage.get(message))),
    now,
  };
}

test("the stream is named after the destination", async () => {
  const { puts } = await sent([0]);
  assert.equal(puts[0]?.logStreamName, DESTINATION);
  assert.equal(puts[0].logGroupName, "events");
});

test("the oldest event comes first", async () => {
  assert.deepEqual((await sent([1, 3, 2, 3])).batches, [[2, 4, 3, 1]]);
});

test("there is a request for each day", async () => {
  const { batches, receipt } = await sent([100, 99, 77, 75.9, 30, 10, 0]);
  assert.deepEqual(batches, [[1, 2, 3], [4], [5, 6], [7]]);
  assert.deepEqual(receipt, { again: [], rejected: [] });
});

test("exactly 24 hours are two requests", async () => {
  assert.deepEqual((await sent([24, 0])).batches, [[1], [2]]);
  assert.deepEqual((await sent([23.999, 0])).batches, [[1, 2]]);
});

test("events older than 13 days carry the time of sending", async () => {
  const { puts, batches, now } = await sent([24 * 40, 24 * 13 + 0.1, 24 * 13 - 0.1, 1]);
  assert.deepEqual(batches, [[3], [4, 1, 2]]);
  assert.equal(puts[0]?.logEvents[0]?.timestamp, now - 13 * DAY + 0.1 * HOUR);
  for (const { timestamp } of puts[1]?.logEvents.slice(1) ?? []) assert.ok(Math.abs(timestamp - now) < 5000);
});

test("nothing is sent after a failure", async () => {
  const { receipt, actions } = await sent([80, 50, 20, 0], (_, index) =>
    index === 1 ? jsonError("ThrottlingException") : json({}),
  );
  assert.equal(actions.length, 2);
  assert.equal(receipt.failure, undefined);
  assert.deepEqual(
    receipt.again.map(({ seq }) => seq),
    [2, 3, 4],
  );
  assert.equal(receipt.againError?.code, "ThrottlingException");
  const first = await sent([50, 0], () => jsonError("ThrottlingException"));
  assert.equal(first.actions.length, 1);
  assert.equal(first.receipt.failure?.class, "retry");
  assert.deepEqual(first.receipt.again, []);
});

const MISSING = jsonError("ResourceNotFoundException");

test("a missing stream is created once", async () => {
  for (const made of [{ body: "" }, json({}), jsonError("ResourceAlreadyExistsException")]) {
    const { actions, receipt } = await sent([0], (_, index) => [MISSING, made][index] ?? json({}));
    assert.deepEqual(actions, ["PutLogEvents", "CreateLogStream", "PutLogEvents"]);
    assert.deepEqual(receipt, { again: [], rejected: [] });
  }
});

test("a missing group is an error", async () => {
  const { actions, receipt } = await sent([0], () => MISSING);
  assert.deepEqual(actions, ["PutLogEvents", "CreateLogStream"]);
  assert.equal(receipt.failure?.class, "configuration");
  assert.equal(receipt.failure.error.code, "ResourceNotFoundException");
});

test("a stream that must not be created is an error", async () => {
  const { receipt } = await sent([0], (_, index) =>
    index === 0 ? MISSING : jsonError("AccessDeniedException"),
  );
  assert.equal(receipt.failure?.class, "configuration");
  assert.match(receipt.failure.error.msg, /logs:CreateLogStream/);
});

test("a new stream that is not available yet is retried", async () => {
  const { actions, receipt } = await sent([0], (_, index) => (index === 1 ? json({}) : MISSING));
  assert.equal(actions.length, 3);
  assert.equal(receipt.failure?.class, "retry");
});
