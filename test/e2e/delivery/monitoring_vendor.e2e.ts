import assert from "node:assert/strict";
import { test } from "node:test";
import { monitoringVendor } from "../../../src/delivery/monitoring_vendor.ts";
import type { OutgoingEvent } from "../../../src/delivery/sender.ts";
import { type Answer, startReceiver } from "./receivers/http.ts";
import { entriesOf, startVendor } from "./receivers/monitoring_vendor.ts";
import { batchesOf, contextOf, eventOf, eventOfBytes, eventsOf } from "./world.ts";

/*
 * Datadog logs against a receiver with the documented limits.
 */

const KEY = "key-of-the-vendor";
const target = { api_key: KEY, tags: "team:edge,env:é", service: "edge" };

/** Sends to the simulated vendor. */
async function taken(events: OutgoingEvent[], changed: Partial<typeof target> = {}) {
  const vendor = await startVendor(KEY);
  try {
    const context = contextOf({ endpoints: { monitoring_vendor: vendor.url } });
    const receipt = await monitoringVendor.send({ ...target, ...changed }, events, context);
    return { receipt, requests: vendor.requests };
  } finally {
    await vendor.close();
  }
}

test("events are entries of one compressed request, with the vendor's fields", async () => {
  const events = eventsOf(3);
  const { receipt, requests } = await taken(events);
  assert.deepEqual(receipt, { again: [], rejected: [] });
  assert.equal(requests.length, 1);
  const [request] = requests;
  assert.ok(request);
  assert.equal(request.headers["content-type"], "application/json");
  assert.deepEqual(
    entriesOf(request),
    events.map(({ envelope }) => ({
      message: `tcp_edge_updated.v0 ${envelope.object.id}`,
      ddsource: "edge-configuration",
      ddtags: "team:edge,env:é",
      service: "edge",
      hostname: "api.example.com",
      ...envelope,
    })),
  );
});

test("tags and service are omitted if they are not set", async () => {
  const vendor = await startVendor(KEY);
  const context = contextOf({ endpoints: { monitoring_vendor: vendor.url } });
  await monitoringVendor.send({ api_key: KEY, tags: null }, [eventOf(1)], context);
  await vendor.close();
  const [request] = vendor.requests;
  assert.ok(request);
  const [entry = {}] = entriesOf(request);
  assert.ok(!("ddtags" in entry) && !("service" in entry));
});

test("no request within the limits is too large for the vendor", async () => {
  const long = { api_key: KEY, tags: "é\n".repeat(15_000), service: "edge" };
  for (const vendorTarget of [target, long]) {
    const limits = monitoringVendor.limits(vendorTarget);
    for (const events of [
      eventsOf(2_500),
      Array.from({ length: 8 }, (_, i) => eventOfBytes(i, limits.largest)),
      Array.from({ length: 300 }, (_, i) => eventOfBytes(i, 40_000 + i)),
    ]) {
      const batches = batchesOf(events, limits);
      const receipts = await Promise.all(batches.map((batch) => taken(batch, vendorTarget)));
      for (const { receipt } of receipts) assert.deepEqual(receipt, { again: [], rejected: [] });
    }
  }
});

test("tags that leave no room for events must be shortened", async () => {
  const { receipt, requests } = await taken([eventOf(1)], { tags: "x".repeat(100_001) });
  assert.equal(receipt.failure?.class, "configuration");
  assert.match(receipt.failure.error.msg, /shorten/);
  assert.equal(requests.length, 0);
  assert.ok(monitoringVendor.limits({ ...target, tags: "x".repeat(2_000_000) }).largest > 0);
});

const outcomes: [answer: Answer, outcome: string, retryAfter?: number][] = [
  [{ status: 202, body: "{}" }, "taken"],
  [{ status: 400 }, "batch http_400"],
  [{ status: 401 }, "configuration http_401"],
  [{ status: 403 }, "configuration http_403"],
  [{ status: 404 }, "configuration http_404"],
  [{ status: 408 }, "retry http_408"],
  [{ status: 413 }, "batch http_413"],
  [{ status: 429, headers: { "Retry-After": "7" } }, "retry http_429", 7_000],
  [{ status: 500 }, "retry http_500"],
  [{ status: 503 }, "retry http_503"],
  [{ status: 302, headers: { Location: "/" } }, "configuration http_302"],
  ["reset", "retry network"],
  ["hang", "retry timeout"],
];

for (const [answer, outcome, retryAfter] of outcomes)
  test(`${JSON.stringify(answer)}: ${outcome}`, async () => {
    const receiver = await startReceiver(() => answer);
    const context = contextOf({ endpoints: { monitoring_vendor: receiver.url } });
    const { failure } = await monitoringVendor.send(target, eventsOf(2), context);
    await receiver.close();
    assert.equal(failure ? `${failure.class} ${failure.error.code}` : "taken", outcome);
    assert.equal(failure?.retryAfter, retryAfter);
    assert.equal(receiver.requests.length, 1);
    assert.doesNotMatch(JSON.stringify(failure ?? {}), new RegExp(KEY));
  });

test("a key that cannot be in a header needs human action", async () => {
  const { receipt, requests } = await taken([eventOf(1)], { api_key: "a\nb" });
  assert.equal(receipt.failure?.class, "configuration");
  assert.match(receipt.failure.error.msg, /^Nothing was sent: api_key has a character/);
  assert.equal(requests.length, 0);
});
