import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { objectStorage } from "../../../src/delivery/object_storage.ts";
import type { BatchLimits, OutgoingEvent, SendContext } from "../../../src/delivery/sender.ts";
import { contextFor, creds, outgoing, PLAIN_BYTES, REGION, type Subject, subjects } from "./given.ts";

/*
 * Batches that are as full as a sender's limits allow are within the target's limits.
 */

const MIB = 1_048_576;

/** An event with exactly this many bytes; with `odd`, it contains characters of one to four bytes. */
function ofBytes(seq: number, bytes: number, odd: boolean): OutgoingEvent {
  const room = Math.max(bytes - PLAIN_BYTES, 0);
  const foreign = odd ? "é日𝄞".repeat(Math.floor(room / 9)) : "";
  const event = outgoing(seq, {
    note: foreign.padEnd(foreign.length + room - Buffer.byteLength(foreign), "x"),
  });
  assert.equal(event.bytes, Math.max(bytes, PLAIN_BYTES));
  return event;
}

/** The first events that fit into one request, as chosen by callers of senders. */
function batchOf(events: OutgoingEvent[], limits: BatchLimits): OutgoingEvent[] {
  const batch: OutgoingEvent[] = [];
  let left = limits.bytes;
  for (const event of events) {
    left -= event.bytes + limits.overhead;
    if (batch.length === limits.events || left < 0) break;
    batch.push(event);
  }
  return batch;
}

/** The bodies of the requests for some events. */
async function bodiesOf(
  send: (events: OutgoingEvent[], context: SendContext) => Promise<unknown>,
  events: OutgoingEvent[],
): Promise<Buffer[]> {
  const bodies: Buffer[] = [];
  await send(events, {
    ...contextFor({}),
    call: async (_, { body }) => {
      assert.ok(body instanceof Uint8Array);
      bodies.push(Buffer.from(body));
      return { status: 200, headers: new Headers(), text: "{}" };
    },
  });
  return bodies;
}

interface Records {
  Records: { Data: string; PartitionKey: string }[];
}
const sum = (numbers: number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** The limits of each target. */
const checks: Record<string, (body: Buffer) => void> = {
  cloud_stream(body) {
    const sizes = (JSON.parse(String(body)) as Records).Records.map(({ Data, PartitionKey }) => {
      assert.ok(PartitionKey.length >= 1 && PartitionKey.length <= 256);
      return Buffer.from(Data, "base64").length + Buffer.byteLength(PartitionKey);
    });
    assert.ok(sizes.length <= 500);
    for (const size of sizes) assert.ok(size <= MIB);
    assert.ok(sum(sizes) <= 5 * MIB);
  },
  cloud_delivery_stream(body) {
    const sizes = (JSON.parse(String(body)) as Records).Records.map(
      ({ Data }) => Buffer.from(Data, "base64").length,
    );
    assert.ok(sizes.length <= 500);
    for (const size of sizes) assert.ok(size <= 1000 * 1024);
    assert.ok(sum(sizes) <= 4_000_000);
  },
  cloud_logs(body) {
    const { logEvents } = JSON.parse(String(body)) as { logEvents: { message: string }[] };
    assert.ok(logEvents.length <= 10_000);
    assert.ok(sum(logEvents.map(({ message }) => Buffer.byteLength(message) + 26)) <= 1_048_576);
    for (const { message } of logEvents) assert.ok(Buffer.byteLength(message) <= 1_000_000);
  },
  object_storage(body) {
    assert.ok(gunzipSync(body).length <= 5_242_880);
  },
};

/** Sends a batch, and checks its requests and that all events are sent. */
async function check({ member, limits, send }: Subject, events: OutgoingEvent[]): Promise<number> {
  const batch = batchOf(events, limits);
  assert.ok(batch.length > 0);
  for (const body of await bodiesOf(send, batch)) checks[member]?.(body);
  return batch.length;
}

for (const subject of subjects()) {
  const { member, limits } = subject;

  test(`${member}: an event with the maximum size`, async () => {
    const { largest } = limits;
    assert.ok(member === "object_storage" || largest + limits.overhead <= limits.bytes);
    if (member === "object_storage") return;
    for (const odd of [false, true])
      assert.ok((await check(subject, [ofBytes(1, largest, odd), ofBytes(2, largest, odd)])) >= 1);
  });

  test(`${member}: the maximum number of events`, async () => {
    const many = Array.from({ length: limits.events + 1 }, (_, seq) => outgoing(seq));
    const fit = Math.floor(limits.bytes / (PLAIN_BYTES + limits.overhead));
    assert.equal(await check(subject, many), Math.min(limits.events, fit));
  });

  test(`${member}: batches full to the last byte`, async () => {
    const bytes = Math.min(Math.floor(limits.bytes / 4), limits.largest);
    const parts: OutgoingEvent[] = [];
    let left = limits.bytes - limits.overhead;
    for (; left > bytes; left -= bytes + limits.overhead)
      parts.push(ofBytes(parts.length, bytes, parts.length === 1));
    const full = [...parts, ofBytes(parts.length, left, false)];
    assert.equal(await check(subject, [...full, ofBytes(full.length, 0, false)]), full.length);
  });

  test(`${member}: any sizes`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(
            fc.oneof(
              fc.nat(2000),
              fc.nat(Math.min(limits.largest, MIB)),
              fc.constant(Math.min(limits.largest, MIB)),
            ),
            fc.boolean(),
          ),
          { minLength: 1, maxLength: 12 },
        ),
        async (sizes) => {
          const limited = sizes.map(([size, odd], seq) => ofBytes(seq, Math.min(size, limits.largest), odd));
          await check(subject, limited);
        },
      ),
      { numRuns: 30 },
    );
  });
}

test("object_storage: an event larger than max_file_size has its own file", async () => {
  const target = {
    auth: creds,
    bucket_arn: "arn:aws:s3:::events-of-edges",
    region: REGION,
    object_prefix: "",
    compression: false,
    max_file_size: 1024,
    max_file_age: 300,
  };
  const large = ofBytes(1, 1_900_000, false);
  assert.ok(large.bytes <= objectStorage.limits(target).largest);
  const bodies = await bodiesOf((events, context) => objectStorage.send(target, events, context), [large]);
  assert.equal(String(bodies[0]), `${large.text}\n`);
});
