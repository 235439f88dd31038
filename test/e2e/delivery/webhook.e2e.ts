import assert from "node:assert/strict";
import { test } from "node:test";
import type { OutgoingEvent } from "../../../src/delivery/sender.ts";
import { webhook } from "../../../src/delivery/webhook.ts";
import { type Answer, type Received, startReceiver } from "./receivers/http.ts";
import { verified } from "./receivers/webhook.ts";
import { contextOf, eventOf, eventsOf } from "./world.ts";

/*
 * Webhooks against a receiver that verifies them with the official library.
 */

const secretOf = (fill: string): string => `whsec_${btoa(fill.repeat(32))}`;
const SECRET = secretOf("s");
const target = { url: "https://hooks.example.com/edge/hook?tenant=a%20b", secret: SECRET };

const HOUR = 3_600_000;

/** Sends events to a receiver that responds like this. */
async function sent(
  answer: Answer | ((request: Received, index: number) => Answer),
  events: OutgoingEvent[] = [eventOf(1)],
  changed: Partial<typeof target & { previous: { secret: string; until: number } }> = {},
) {
  const receiver = await startReceiver(typeof answer === "function" ? answer : () => answer);
  try {
    const context = contextOf({ endpoints: { webhook: receiver.url } });
    const receipt = await webhook.send({ ...target, ...changed }, events, context);
    return { receipt, requests: receiver.requests };
  } finally {
    await receiver.close();
  }
}

test("each event is POSTed to the URL's path, signed according to Standard Webhooks", async () => {
  const events = eventsOf(3, "😀");
  const { receipt, requests } = await sent({ status: 204 }, events);
  assert.deepEqual(receipt, { again: [], rejected: [] });
  assert.equal(requests.length, 3);
  for (const [i, request] of requests.entries()) {
    const { method, path, headers, body } = request;
    assert.equal(`${method} ${path}`, "POST /edge/hook?tenant=a%20b");
    assert.equal(headers["content-type"], "application/json");
    assert.equal(headers["webhook-id"], events[i]?.envelope.event_id);
    assert.match(String(headers["webhook-signature"]), /^v1,[A-Za-z0-9+/]{43}=$/);
    assert.ok(Math.abs(Number(headers["webhook-timestamp"]) - Date.now() / 1000) < 5);
    assert.equal(body.toString(), events[i]?.text);
    assert.deepEqual(verified(SECRET, request), events[i]?.envelope);
    assert.throws(() => verified(secretOf("t"), request), /No matching signature/);
    assert.equal(headers["cookie"], undefined);
  }
});

test("the timestamp is that of the attempt, so repeated events are verified, too", async () => {
  const event = { ...eventOf(1), at: Date.now() - 24 * HOUR };
  const { requests } = await sent({ status: 500 }, [event]);
  const [request] = requests;
  assert.ok(request && verified(SECRET, request));
});

test("for a day after a change of the secret, both secrets sign", async () => {
  const old = secretOf("o");
  const during = await sent({}, undefined, { previous: { secret: old, until: Date.now() + HOUR } });
  const [request] = during.requests;
  assert.ok(request);
  assert.match(String(request.headers["webhook-signature"]), /^v1,\S+ v1,\S+$/);
  for (const secret of [SECRET, old]) assert.ok(verified(secret, request));
  const after = await sent({}, undefined, { previous: { secret: old, until: Date.now() - 1 } });
  const [later] = after.requests;
  assert.ok(later && verified(SECRET, later));
  assert.throws(() => verified(old, later), /No matching signature/);
});

test("secrets of any allowed length are decoded like the library decodes them", async () => {
  for (const bytes of [24, 25, 26, 63, 64]) {
    const secret = `whsec_${Buffer.alloc(bytes, "\u00fe~").toString("base64")}`;
    const { requests } = await sent({}, undefined, { secret });
    assert.ok(requests[0] && verified(secret, requests[0]));
  }
});

const outcomes: [answer: Answer, outcome: string, retryAfter?: number][] = [
  [{ status: 200 }, "taken"],
  [{ status: 202, body: "x".repeat(1_000_000) }, "taken"],
  [{ status: 299 }, "taken"],
  [{ status: 301, headers: { Location: "/elsewhere" } }, "configuration http_301"],
  [{ status: 302, headers: { Location: "http://169.254.169.254/" } }, "configuration http_302"],
  [{ status: 307, headers: { Location: "/elsewhere" } }, "configuration http_307"],
  [{ status: 400 }, "batch http_400"],
  [{ status: 401 }, "configuration http_401"],
  [{ status: 404 }, "configuration http_404"],
  [{ status: 408 }, "retry http_408"],
  [{ status: 410 }, "suspend http_410"],
  [{ status: 413 }, "batch http_413"],
  [{ status: 418 }, "configuration http_418"],
  [{ status: 429 }, "retry http_429", 60_000],
  [{ status: 429, headers: { "Retry-After": "5" } }, "retry http_429", 60_000],
  [{ status: 429, headers: { "Retry-After": "600" } }, "retry http_429", 600_000],
  [{ status: 429, headers: { "Retry-After": "999999" } }, "retry http_429", 3_600_000],
  [{ status: 500 }, "retry http_500"],
  [{ status: 502 }, "retry http_502", 60_000],
  [{ status: 503, headers: { "Retry-After": "5" } }, "retry http_503", 5_000],
  [{ status: 504 }, "retry http_504", 60_000],
  ["reset", "retry network"],
];

for (const [answer, outcome, retryAfter] of outcomes)
  test(`${JSON.stringify(answer).slice(0, 80)}: ${outcome}`, async () => {
    const { receipt, requests } = await sent(answer);
    assert.equal(requests.length, 1, "no redirect is followed");
    const { failure } = receipt;
    assert.equal(failure ? `${failure.class} ${failure.error.code}` : "taken", outcome);
    assert.equal(failure?.retryAfter, retryAfter);
    assert.deepEqual([receipt.again, receipt.rejected], [[], []]);
  });

test("a receiver that does not respond is abandoned after 15 seconds", async () => {
  const started = Date.now();
  const { receipt } = await sent("hang");
  assert.equal(receipt.failure?.error.code, "timeout");
  assert.ok(Date.now() - started < 17_000);
});

test("the error does not contain the receiver's response", async () => {
  const { receipt } = await sent({ status: 500, body: "told by the receiver" });
  assert.doesNotMatch(JSON.stringify(receipt), /told by the receiver|whsec_/);
});

test("events after a failed event are not sent, and are retried in order", async () => {
  const events = eventsOf(4);
  const { receipt, requests } = await sent((_, index) => ({ status: index === 2 ? 503 : 200 }), events);
  assert.equal(requests.length, 3);
  assert.equal(receipt.failure, undefined);
  assert.deepEqual(receipt.again, events.slice(2));
  assert.equal(receipt.againError?.code, "http_503");
});

test("a request contains one event", () => {
  assert.equal(webhook.limits(target).events, 1);
});
