import { env } from "cloudflare:workers";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { clock } from "../packages/model/src/clock.ts";
import { eventId } from "../packages/model/src/ids.ts";
import { create, del, get, patch, post, outcome } from "./support/api.ts";
import {
  answering,
  change,
  CREATED,
  cursorOf,
  DAY,
  delivery,
  fresh,
  givenWebhook,
  HOUR,
  MINUTE,
  minute,
  newest,
  pass,
  received,
  repeated,
  request,
  restoreAll,
  SECOND,
  sent,
  sentTo,
  setCursor,
  status,
  subscribe,
  UPDATED,
} from "./support/delivering.ts";
import * as given from "./support/given.ts";
import type { Json } from "./support/json.ts";

beforeEach(fresh);
afterAll(restoreAll);

const ids = (all: Json): string[] => all["dead_letters"].map(({ event_id }: Json) => event_id);
const lettersOf = async ({ id }: { id: string }): Promise<string[]> =>
  ids((await get(`/event_destinations/${id}/dead_letters`)).body);

describe("events that are sent", () => {
  test("a change is sent right after its response, as GET /events shows it", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    const { body } = await sent("POST", "/ip_policies", { description: "office" });
    expect(sentTo(hook)).toEqual([body["id"]]);
    const [first] = (await get(`/events?object_id=${body["id"]}`)).body["events"];
    expect(received[0]?.body).toEqual(first);
    expect(await delivery(hook)).toMatchObject({
      state: "idle",
      position: first.event_id,
      pending: 0,
      delivered: 1,
      consecutive_failures: 0,
      next_attempt_at: null,
      last_error: null,
    });
  });

  test("an event is sent once to a destination, however many subscriptions name it", async () => {
    const hook = await givenWebhook();
    const other = await givenWebhook();
    await subscribe([hook, other], CREATED);
    await subscribe([hook], CREATED, UPDATED);
    const id = await change();
    await minute();
    await minute();
    expect(sentTo(hook)).toEqual([id]);
    expect(sentTo(other)).toEqual([id]);
  });

  test("neither events from before a subscription nor the creation of the subscription itself are sent", async () => {
    const hook = await givenWebhook();
    await change();
    await subscribe([hook], CREATED, "event_subscription_created.v0");
    const later = await change();
    const other = await subscribe([await givenWebhook()], UPDATED);
    await minute();
    expect(sentTo(hook)).toEqual([later, other["id"]]);
  });

  test("a new source or destination gets no events from before it was added, although other events are waiting", async () => {
    const hook = await givenWebhook();
    const added = await givenWebhook();
    const subscription = await subscribe([hook], CREATED);
    const first = await change();
    await patch(`/ip_policies/${first}`, { description: "before" });
    await post(`/event_subscriptions/${subscription["id"]}/sources`, { type: UPDATED });
    await patch(`/ip_policies/${first}`, { description: "between" });
    await patch(`/event_subscriptions/${subscription["id"]}`, { destination_ids: [hook.id, added.id] });
    await patch(`/ip_policies/${first}`, { description: "after" });
    await minute();
    const descriptionsSentTo = ({ name }: { name: string }) =>
      received.filter(({ host }) => host === name).map(({ body }) => body["object"].description ?? null);
    expect(descriptionsSentTo(hook)).toEqual([null, "between", "after"]);
    expect(descriptionsSentTo(added)).toEqual(["after"]);
  });

  test("with two subscriptions, a type counts from the earlier one on", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    const first = await change();
    await subscribe([hook], CREATED);
    const second = await change();
    await minute();
    expect(sentTo(hook)).toEqual([first, second]);
  });

  test("events of a removed source are no longer sent, even if they are already waiting", async () => {
    const hook = await givenWebhook();
    const { id } = await subscribe([hook], CREATED, UPDATED);
    const policy = await change();
    await patch(`/ip_policies/${policy}`, { description: "waits" });
    await del(`/event_subscriptions/${id}/sources/${CREATED}`);
    await change();
    await minute();
    expect(received.map(({ type }) => type)).toEqual([UPDATED]);
  });

  test("a source that is added again starts from its latest addition", async () => {
    const hook = await givenWebhook();
    const { id } = await subscribe([hook], CREATED, UPDATED);
    const before = await change();
    await del(`/event_subscriptions/${id}/sources/${CREATED}`);
    await change();
    await post(`/event_subscriptions/${id}/sources`, { type: CREATED });
    const after = await change();
    await minute();
    expect(sentTo(hook)).toEqual([after]);
    expect(sentTo(hook)).not.toContain(before);
  });

  test("a destination that is added again starts from its latest addition", async () => {
    const hook = await givenWebhook();
    const { id } = await subscribe([hook], CREATED);
    await change();
    await patch(`/event_subscriptions/${id}`, { destination_ids: [] });
    await change();
    await patch(`/event_subscriptions/${id}`, { destination_ids: [hook.id] });
    const after = await change();
    await minute();
    expect(sentTo(hook)).toEqual([after]);
  });

  test("a change of a subscription's description skips no events", async () => {
    const hook = await givenWebhook();
    const { id } = await subscribe([hook], CREATED);
    const waits = await change();
    await patch(`/event_subscriptions/${id}`, { description: "all of it", sources: [{ type: CREATED }] });
    await minute();
    expect(sentTo(hook)).toEqual([waits]);
  });

  test("a subscription that earlier code stored gets every event there is, also after a change of the subscription", async () => {
    const id = await change();
    const hook = await givenWebhook();
    const subscription = await subscribe([hook], CREATED);
    await env.DB.batch([
      env.DB.prepare("update event_subscriptions set since = null"),
      env.DB.prepare("delete from cursors"),
    ]);
    const { queries = [] } = env.MIGRATIONS.find(({ name }) => name === "0012_cursors.after.sql") ?? {};
    await env.DB.batch(queries.map((query) => env.DB.prepare(query)));
    await patch(`/event_subscriptions/${subscription["id"]}`, { description: "all of it" });
    await minute();
    expect(sentTo(hook)).toEqual([id]);
  });

  test("nothing is sent for a deleted subscription", async () => {
    const hook = await givenWebhook();
    const { id } = await subscribe([hook], CREATED);
    await change();
    await del(`/event_subscriptions/${id}`);
    await change();
    await minute();
    expect(received).toEqual([]);
    expect(await delivery(hook)).toMatchObject({ state: "unsubscribed", pending: 0 });
    expect((await cursorOf(hook))?.["position"]).toBe(await newest());
  });

  test("deleting a destination deletes its cursor and its dead letters", async () => {
    const hook = await givenWebhook();
    const other = await givenWebhook();
    const { id } = await subscribe([hook], CREATED);
    await subscribe([other], CREATED);
    await change();
    answering(() => status(400));
    await minute();
    await del(`/event_subscriptions/${id}`);
    expect((await del(`/event_destinations/${hook.id}`)).status).toBe(204);
    const tables = ["cursors", "dead_letters"];
    for (const table of tables) {
      const { results } = await env.DB.prepare(`select destination_id from ${table}`).all();
      expect(results, table).toEqual([{ destination_id: other.id }]);
    }
    expect(outcome(await get(`/event_destinations/${hook.id}/delivery`))).toBe("404 ERR_NOT_FOUND");
  });

  test("a destination in use keeps its cursor and its dead letters when its deletion is rejected", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    await change();
    answering(() => status(400));
    await minute();
    expect(outcome(await del(`/event_destinations/${hook.id}`))).toBe("409 ERR_IN_USE");
    expect(await cursorOf(hook)).not.toBeNull();
    expect(await lettersOf(hook)).toHaveLength(1);
  });
});

describe("order and position", () => {
  test("more events than one read returns are sent in order, each once", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    await change();
    await repeated(700);
    const { results } = await env.DB.prepare(
      "select seq, at, hex(salt) as salt from events where type = ? order by seq",
    )
      .bind(CREATED)
      .all<{ seq: number; at: number; salt: string }>();
    // A run makes at most 500 calls.
    await minute();
    expect(received).toHaveLength(500);
    expect(await delivery(hook)).toMatchObject({ state: "delivering", pending: 201, delivered: 500 });
    await minute();
    expect(received.map(({ id }) => id)).toEqual(results.map(eventId));
    expect(await delivery(hook)).toMatchObject({ state: "idle", pending: 0, delivered: 701 });
  });

  test("events of more than 4 MB in total, and one of 1.9 MB, are sent in order; an event that is too large is truncated", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    const id = await change();
    const sizes = [1_890_000, 400_000, 400_000, 400_000, 400_000, 1_890_000, 1_000];
    for (const bytes of sizes) await repeated(1, CREATED, bytes);
    await minute();
    expect(received).toHaveLength(sizes.length + 1);
    expect(received.map(({ id }) => id)).toEqual(received.map(({ id }) => id).toSorted());
    expect(received.map(({ body }) => body["truncated"] ?? false)).toEqual([
      false,
      ...sizes.map((bytes) => bytes > 1_000_000),
    ]);
    expect(received[1]?.body["object"]).toEqual({ id, uri: `https://api.test/ip_policies/${id}` });
    expect(received[2]?.text.length).toBeGreaterThan(400_000);
    expect(await delivery(hook)).toMatchObject({ state: "idle", delivered: 8, pending: 0 });
  });

  test("one read returns no more than about 4 MB", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    await change();
    await repeated(10, CREATED, 600_000);
    const { acquireLease } = await import("../src/delivery/cursors.ts");
    const { Session } = await import("../src/db/session.ts");
    const session = new Session(env.DB, undefined, { roundTrips: 0, rowsRead: 0, rowsWritten: 0 });
    const { statements, read } = acquireLease(hook.id, "lease");
    const claimed = read(await session.batch(statements));
    // Each event can be three times as long in storage as when it is sent.
    expect(claimed?.events.map(({ object }) => object.length)).toEqual([
      expect.any(Number),
      600_000,
      600_000,
    ]);
    expect(claimed).toMatchObject({ isFull: true, isMore: true, lookedAt: claimed?.events.at(-1)?.seq });
  });

  test("many events without subscribers are skipped, and the events after them are sent", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], UPDATED);
    const id = await change();
    await repeated(25_000);
    await patch(`/ip_policies/${id}`, { description: "after" });
    expect(await delivery(hook)).toMatchObject({ pending: 0 });
    await minute();
    expect(sentTo(hook)).toEqual([id]);
    expect((await cursorOf(hook))?.["position"]).toBe(await newest());
  });

  test("a cursor without events to send advances without a run, however many destinations exist", async () => {
    const hooks = [await givenWebhook(), await givenWebhook(), await givenWebhook()];
    await subscribe(hooks, UPDATED);
    await setCursor(hooks[1] ?? { id: "" }, "leased_until = 9e15, lease = 'another'");
    const before = await newest();
    await change();
    await minute();
    const [first, leased, last] = await Promise.all(hooks.map(cursorOf));
    expect(first).toMatchObject({ position: await newest(), lease: null, last_attempt_at: null });
    expect(leased).toMatchObject({ position: before, lease: "another" });
    expect(last?.["position"]).toBe(await newest());
  });

  test("retried events come first, except those that are no longer wanted", async () => {
    const hook = await givenWebhook();
    const { id } = await subscribe([hook], CREATED, UPDATED);
    const [a, b, c, d] = [await change(), await change(), await change(), await change()];
    await patch(`/ip_policies/${a}`, { description: "unwanted by then" });
    const last = await newest();
    const seqs = Array.from({ length: 5 }, (_, i) => last - 4 + i);
    await setCursor(
      hook,
      `position = ${last}, holes = '${JSON.stringify([seqs[0], seqs[2], seqs[4], 9_999])}'`,
    );
    expect(await delivery(hook)).toMatchObject({ pending: 4 });
    await del(`/event_subscriptions/${id}/sources/${UPDATED}`);
    const later = await change();
    await minute();
    expect(sentTo(hook)).toEqual([a, c, later]);
    expect([b, d]).not.toContain(sentTo(hook)[1]);
    expect(await cursorOf(hook)).toMatchObject({ holes: null, delivered: 3, position: await newest() });
  });

  test("a failure among the retried events leaves the others, and later events", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    const [a, b, c, d] = [await change(), await change(), await change(), await change()];
    const last = await newest();
    await setCursor(
      hook,
      `position = ${last - 1}, holes = '${JSON.stringify([last - 3, last - 2, last - 1])}'`,
    );
    answering(({ body }) => status(body["object"].id === b ? 503 : 204));
    await minute();
    expect(sentTo(hook)).toEqual([a, b]);
    expect(await cursorOf(hook)).toMatchObject({
      position: last - 1,
      holes: JSON.stringify([last - 2, last - 1]),
    });
    answering();
    pass(MINUTE);
    await minute();
    expect(sentTo(hook)).toEqual([a, b, b, c, d]);
  });

  test("a long list of events to retry is sent in parts", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    await change();
    await repeated(8, CREATED, 600_000);
    const last = await newest();
    const seqs = Array.from({ length: 8 }, (_, i) => last - 7 + i);
    await setCursor(hook, `position = ${last}, holes = '${JSON.stringify(seqs)}'`);
    await minute();
    expect(received.map(({ id }) => id)).toEqual(received.map(({ id }) => id).toSorted());
    expect(received).toHaveLength(8);
    expect(await cursorOf(hook)).toMatchObject({ holes: null, delivered: 8 });
  });

  test("an event that is rejected for its content becomes a dead letter; the others are sent", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    const [a, bad, c] = [await change(), await change(), await change()];
    answering(({ body }) => status(body["object"].id === bad ? 413 : 204));
    await minute();
    expect(sentTo(hook)).toEqual([a, bad, c]);
    const { body } = await get(`/event_destinations/${hook.id}/dead_letters`);
    expect(body["dead_letters"]).toEqual([
      {
        event_id: received[1]?.id,
        error: { code: "http_413", status: 413, msg: "The event is too large for the webhook (413)." },
        at: expect.any(String),
      },
    ]);
    expect(await delivery(hook)).toMatchObject({
      state: "idle",
      delivered: 2,
      dead_letters: 1,
      last_error: null,
    });
    await minute();
    expect(received).toHaveLength(3);
  });

  test("a target that rejects every event is retried after ten of them, and loses no more", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    for (let count = 0; count < 13; count++) await change();
    answering(() => status(400));
    await minute();
    expect(received).toHaveLength(11);
    const failing = await delivery(hook);
    expect(failing).toMatchObject({
      state: "retrying",
      delivered: 0,
      dead_letters: 10,
      pending: 3,
      consecutive_failures: 1,
      last_error: { code: "http_400", status: 400 },
    });
    expect(failing["last_error"].msg).toContain("rejected 10 events in a row");
    expect((await get("/problems")).body["problems"]).toMatchObject([
      {
        object: hook.id,
        code: "deliveries_lost",
        effect: "warning",
        msg: expect.stringContaining(": 10. GET"),
      },
    ]);
    received.length = 0;
    pass(HOUR);
    await minute();
    expect(received).toHaveLength(1);
    expect(await delivery(hook)).toMatchObject({ dead_letters: 10, pending: 3, consecutive_failures: 2 });

    answering(() => status(204));
    pass(2 * HOUR);
    await minute();
    expect(await delivery(hook)).toMatchObject({
      state: "idle",
      delivered: 3,
      dead_letters: 10,
      last_error: null,
    });
    expect(await cursorOf(hook)).toMatchObject({ rejected: 10, rejected_in_a_row: 0 });
  });

  test("dead letters are listed newest first, in pages", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    for (let i = 0; i < 3; i++) await change();
    answering(() => status(400));
    await minute();
    const all = received.map(({ id }) => id).toReversed();
    const first = await get(`/event_destinations/${hook.id}/dead_letters?limit=2`);
    expect(ids(first.body)).toEqual(all.slice(0, 2));
    const second = await get(first.body["next_page_uri"]);
    expect(ids(second.body)).toEqual(all.slice(2));
    expect(second.body["next_page_uri"]).toBeNull();
  });
});

describe("failures", () => {
  test("the backoff after a failure is random, up to twice the previous one, and at most an hour", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    await change();
    answering(() => status(503));
    const bounds = [10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600].map((s) => s * SECOND);
    for (const [i, bound] of bounds.entries()) {
      const before = clock.now();
      await minute();
      expect(received).toHaveLength(i + 1);
      const cursor = await cursorOf(hook);
      expect(cursor?.["failures"]).toBe(i + 1);
      const pause = cursor?.["next_attempt_at"] - before;
      expect(pause).toBeGreaterThan(0);
      // The time that the run took is less than a second.
      expect(pause).toBeLessThanOrEqual(bound + SECOND);
      expect(Number.isInteger(cursor?.["next_attempt_at"])).toBe(true);
      await minute();
      expect(received, "not before it is due").toHaveLength(i + 1);
      pass(bound + SECOND);
    }
    expect(await delivery(hook)).toMatchObject({
      state: "retrying",
      pending: 1,
      delivered: 0,
      consecutive_failures: 11,
      last_delivered_at: null,
      last_error: { code: "http_503", status: 503, msg: "The target responded with status 503." },
    });
  });

  test("backoffs differ", async () => {
    const hooks = await Promise.all(Array.from({ length: 5 }, () => givenWebhook()));
    await subscribe(hooks, CREATED);
    await change();
    answering(() => status(500));
    await minute();
    const next = (await Promise.all(hooks.map(cursorOf))).map((cursor) => cursor?.["next_attempt_at"]);
    expect(new Set(next).size).toBeGreaterThan(1);
  });

  test.each([
    ["in seconds", () => "900", 15 * MINUTE],
    ["as a date", () => new Date(clock.now() + 15 * MINUTE).toUTCString(), 15 * MINUTE],
    ["of more than an hour", () => "86400", HOUR],
    ["of more than a number holds", () => "9".repeat(400), HOUR],
  ])("Retry-After %s is honoured, up to an hour", async (_, value, pause) => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    await change();
    answering(() => status(429, { "Retry-After": value() }));
    const before = clock.now();
    await minute();
    const next = (await cursorOf(hook))?.["next_attempt_at"] - before;
    expect(next).toBeGreaterThan(pause - 2 * SECOND);
    expect(next).toBeLessThan(pause + 5 * SECOND);
  });

  test("a configuration error waits an hour from its first occurrence on", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    await change();
    answering(() => status(401));
    const before = clock.now();
    await minute();
    const { next_attempt_at, last_error } = await delivery(hook);
    expect(Date.parse(next_attempt_at) - before).toBeGreaterThan(HOUR - SECOND);
    expect(last_error).toMatchObject({ code: "http_401", status: 401 });
  });

  test("a missing response is a failure like any other", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    await change();
    answering(() => {
      throw new TypeError("connect ECONNREFUSED 10.0.0.1:443");
    });
    await minute();
    expect((await delivery(hook))["last_error"]).toMatchObject({
      code: "network",
      status: null,
      msg: "The target could not be reached, or closed the connection.",
    });
  });

  describe("where TARGET_ENDPOINTS replaces the target's origin", () => {
    const to = (origin: string) => ({ TARGET_ENDPOINTS: JSON.stringify({ webhook: origin }) });

    test("the error of a failed delivery names the loopback origin that was called", async () => {
      const hook = await givenWebhook();
      await subscribe([hook], CREATED);
      await change();
      answering(() => status(503));
      await minute(to("http://127.0.0.1:4000"));
      const msg = "The target responded with status 503. TARGET_ENDPOINTS sent it to http://127.0.0.1:4000.";
      expect(await delivery(hook)).toMatchObject({ last_error: { code: "http_503", msg } });
      const tested = await request(
        "POST",
        `/event_destinations/${hook.id}/test`,
        {},
        to("http://[::1]:4000"),
      );
      expect(tested.body["error"].msg).toMatch(/ TARGET_ENDPOINTS sent it to http:\/\/\[::1\]:4000\.$/);
    });

    test("the error of an event that the target rejected also names it", async () => {
      const hook = await givenWebhook();
      await subscribe([hook], CREATED);
      await change();
      answering(() => status(400));
      await minute(to("http://127.0.0.1:4000"));
      const { body } = await get(`/event_destinations/${hook.id}/dead_letters`);
      expect(body["dead_letters"][0].error.msg).toMatch(
        / TARGET_ENDPOINTS sent it to http:\/\/127\.0\.0\.1:4000\.$/,
      );
    });

    test("any other origin is not shown to callers", async () => {
      const hook = await givenWebhook();
      await subscribe([hook], CREATED);
      await change();
      answering(() => status(503));
      await minute(to("https://events.corp.internal"));
      const { last_error } = await delivery(hook);
      expect(last_error.msg).toBe(
        "The target responded with status 503. TARGET_ENDPOINTS sent it to an origin other than the target's.",
      );
    });
  });

  test("410 suspends a destination until it is resumed", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    const first = await change();
    answering(() => status(410));
    await minute();
    expect(await delivery(hook)).toMatchObject({ state: "suspended", pending: 1, next_attempt_at: null });
    answering();
    pass(2 * HOUR);
    const second = await change();
    await minute();
    expect(received).toHaveLength(1);
    const { status: code } = await sent("POST", `/event_destinations/${hook.id}/resume`, {});
    expect(code).toBe(202);
    expect(sentTo(hook)).toEqual([first, first, second]);
  });

  test("72 hours without a success suspend a destination; after a change, it continues from where it was", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    const id = await change();
    answering(() => status(503));
    await minute();
    pass(72 * HOUR - 5 * SECOND);
    await minute();
    expect(await delivery(hook)).toMatchObject({ state: "retrying", consecutive_failures: 2 });
    pass(2 * HOUR);
    await minute();
    expect(await delivery(hook)).toMatchObject({ state: "suspended", consecutive_failures: 3, pending: 1 });
    answering();
    await minute();
    expect(received).toHaveLength(3);
    await sent("PATCH", `/event_destinations/${hook.id}`, { description: "fixed" });
    expect(sentTo(hook)).toEqual([id, id, id, id]);
    expect(await delivery(hook)).toMatchObject({ state: "idle", delivered: 1, failing_since: null });
  });

  test("after a success, the backoff and the 72 hours start again", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    await change();
    answering(() => status(503));
    await minute();
    pass(40 * HOUR);
    await minute();
    const bad = await change();
    answering(({ body }) => status(body["object"].id === bad ? 503 : 204));
    pass(40 * HOUR);
    await minute();
    expect(await delivery(hook)).toMatchObject({ state: "retrying", consecutive_failures: 1, delivered: 1 });
    pass(40 * HOUR);
    await minute();
    expect(await delivery(hook)).toMatchObject({ state: "retrying", consecutive_failures: 2 });
  });
});

describe("operations on a delivery", () => {
  const resume = (hook: { id: string }) => post(`/event_destinations/${hook.id}/resume`);
  const replay = (hook: { id: string }, from: string) =>
    post(`/event_destinations/${hook.id}/replay`, { from });

  test.each(["resume", "replay", "patch", "patch of the target"])(
    "%s ends the run in progress, whose later writes have no effect",
    async (what) => {
      const hook = await givenWebhook();
      await subscribe([hook], CREATED);
      const [a, b] = [await change(), await change()];
      const first = (await get(`/events?object_id=${a}`)).body["events"][0].event_id;
      let isDone = false;
      answering(async () => {
        if (isDone) return status(204);
        isDone = true;
        if (what === "resume") await resume(hook);
        else if (what === "replay") await replay(hook, first);
        else if (what === "patch") await patch(`/event_destinations/${hook.id}`, { description: "new" });
        else {
          const target = { webhook: { url: `https://moved-${hook.name}.example.com/` } };
          await patch(`/event_destinations/${hook.id}`, { target });
        }
        return status(503);
      });
      await minute();
      // The failure of the run that was ended is not stored.
      expect(await cursorOf(hook)).toMatchObject({
        failures: 0,
        next_attempt_at: 0,
        lease: null,
        suspended: 0,
      });
      await minute();
      const again = what === "patch of the target" ? { name: `moved-${hook.name}` } : hook;
      expect(sentTo(again).slice(-2)).toEqual([a, b]);
      expect(await delivery(hook)).toMatchObject({ state: "idle", delivered: 2 });
    },
  );

  test("a run that was ended after it sent an event keeps the position that a replay has set", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    const [a, b] = [await change(), await change()];
    await minute();
    const first = received[0]?.id ?? "";
    const third = await change();
    let isDone = false;
    answering(async () => {
      if (!isDone) {
        isDone = true;
        expect((await replay(hook, first)).status).toBe(202);
      }
      return status(204);
    });
    await minute();
    expect((await cursorOf(hook))?.["position"]).toBeLessThan(await newest());
    await minute();
    expect(sentTo(hook).slice(2)).toEqual([third, a, b, third]);
  });

  test("a replay moves back or forward to an event or a time", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    const policies = [];
    for (let i = 0; i < 4; i++) {
      policies.push(await change());
      pass(MINUTE);
    }
    await minute();
    const [first, second, third] = received.map(({ id }) => id);
    const times = received.map(({ body }) => body["event_timestamp"]);
    received.length = 0;

    const { body, status: code } = await sent("POST", `/event_destinations/${hook.id}/replay`, {
      from: third,
    });
    expect(code).toBe(202);
    expect(body).toMatchObject({ state: "delivering", position: second, pending: 2 });
    expect(sentTo(hook)).toEqual(policies.slice(2));
    received.length = 0;

    await sent("POST", `/event_destinations/${hook.id}/replay`, { from: times[1] });
    expect(sentTo(hook)).toEqual(policies.slice(1));
    received.length = 0;

    await sent("POST", `/event_destinations/${hook.id}/replay`, { from: "2020-01-01T00:00:00Z" });
    expect(sentTo(hook)).toEqual(policies);
    received.length = 0;

    // Forward: the events in between are skipped.
    await replay(hook, first ?? "");
    await sent("POST", `/event_destinations/${hook.id}/replay`, { from: third });
    expect(sentTo(hook)).toEqual(policies.slice(2));
  });

  test("a replay from before the subscription, from the start of the log or from after its end skips no later event", async () => {
    const hook = await givenWebhook();
    await change();
    await subscribe([hook], CREATED);
    const [a] = [await change()];
    const far = [
      eventId({ seq: 0, at: clock.now(), salt: "0".repeat(20) }),
      eventId({ seq: 1, at: clock.now(), salt: "0".repeat(20) }),
    ];
    for (const from of far) {
      received.length = 0;
      await sent("POST", `/event_destinations/${hook.id}/replay`, { from });
      expect(sentTo(hook)).toEqual([a]);
    }
    received.length = 0;
    const beyond = [
      eventId({ seq: 2 ** 47, at: clock.now(), salt: "0".repeat(20) }),
      new Date(clock.now() + DAY).toISOString(),
    ];
    for (const from of beyond) {
      expect((await replay(hook, from)).status).toBe(202);
      expect((await cursorOf(hook))?.["position"]).toBe(await newest());
      const later = await change();
      await minute();
      expect(sentTo(hook)).toEqual([later]);
      received.length = 0;
    }
  });

  test("a replay discards the dead letters and the events to retry from its position on", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    for (let i = 0; i < 3; i++) await change();
    answering(() => status(400));
    await minute();
    const [first, second] = received.map(({ id }) => id);
    const last = await newest();
    await setCursor(hook, `holes = '${JSON.stringify([last - 1])}'`);
    await replay(hook, second ?? "");
    expect(await lettersOf(hook)).toEqual([first]);
    received.length = 0;
    answering();
    await minute();
    expect(received).toHaveLength(2);
    expect(await cursorOf(hook)).toMatchObject({ holes: null });
  });

  test.each(["yesterday", "ev_123", "2026-02-30T00:00:00Z", "", "ip_2fCzyKyxGFFQjbGvSPXiVOWCOkX", 5])(
    "a replay from %j is rejected with 400",
    async (from) => {
      const hook = await givenWebhook();
      await subscribe([hook], CREATED);
      expect(outcome(await post(`/event_destinations/${hook.id}/replay`, { from }))).toBe(
        "400 ERR_INVALID_REQUEST /from",
      );
    },
  );

  test("a destination without subscriptions can be neither replayed nor resumed", async () => {
    const hook = await givenWebhook();
    expect(outcome(await resume(hook))).toBe("409 ERR_CONFLICT");
    const { id } = await subscribe([hook], CREATED);
    expect((await resume(hook)).status).toBe(202);
    await del(`/event_subscriptions/${id}`);
    const before = await cursorOf(hook);
    expect(outcome(await replay(hook, "2020-01-01T00:00:00Z"))).toBe("409 ERR_CONFLICT");
    expect((await resume(hook)).body["msg"]).toContain("No event subscription");
    expect(await cursorOf(hook)).toEqual(before);
  });

  test("a test event is sent immediately and moves nothing; if it is accepted, a waiting destination is retried", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    const id = await change();
    answering(() => status(401));
    await minute();
    const before = await cursorOf(hook);
    const failing = await sent("POST", `/event_destinations/${hook.id}/test`, {});
    expect(failing.body).toMatchObject({
      delivered: false,
      status: 401,
      error: { code: "http_401", status: 401 },
    });
    expect(await cursorOf(hook)).toEqual(before);
    received.length = 0;
    answering();
    const { body } = await sent("POST", `/event_destinations/${hook.id}/test`, {});
    expect(body).toEqual({ delivered: true, status: 204, error: null, duration_ms: expect.any(Number) });
    expect(received.map(({ type }) => type)).toEqual(["test.v0", CREATED]);
    expect(received[0]?.body).toMatchObject({
      object: { id: hook.id, uri: `https://api.test/event_destinations/${hook.id}` },
      principal: { id: "root", source: "API", credential: null },
    });
    expect(sentTo(hook)).toEqual([hook.id, id]);
  });

  test("a destination that has not been sent any event can be tested", async () => {
    const hook = await givenWebhook();
    const { body } = await sent("POST", `/event_destinations/${hook.id}/test`, {});
    expect(body["delivered"]).toBe(true);
    expect(await cursorOf(hook)).toBeNull();
  });

  test("a test of a target that the operator does not allow reports that, and calls no server", async () => {
    const hook = await givenWebhook();
    const given = { BASE_URL: `https://${hook.name}.example.com` };
    const { body } = await sent("POST", `/event_destinations/${hook.id}/test`, {}, given);
    expect(body).toMatchObject({
      delivered: false,
      status: null,
      error: { code: "refused_url", status: null },
    });
    expect(received).toEqual([]);
  });

  test("a test reports the status of the target's own response, not that of the resolver", async () => {
    const hook = await givenWebhook();
    answering(() => Response.json({ Status: 0, Answer: [{ type: 1, data: "10.0.0.1" }] }));
    const given = { RESOLVER: "https://dns.example.com/dns-query" };
    const { body } = await sent("POST", `/event_destinations/${hook.id}/test`, {}, given);
    expect(received.map(({ host }) => host)).toEqual(["dns", "dns"]);
    expect(body).toMatchObject({ delivered: false, status: null, error: { code: "refused_url" } });
  });

  test("unknown destinations are not found", async () => {
    const path = "/event_destinations/ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX";
    expect(outcome(await get(`${path}/delivery`))).toBe("404 ERR_NOT_FOUND");
    expect(outcome(await get(`${path}/dead_letters`))).toBe("404 ERR_NOT_FOUND");
    expect(outcome(await post(`${path}/test`))).toBe("404 ERR_NOT_FOUND");
    expect(outcome(await post(`${path}/resume`))).toBe("404 ERR_NOT_FOUND");
    expect(outcome(await post(`${path}/replay`, { from: "2020-01-01T00:00:00Z" }))).toBe("404 ERR_NOT_FOUND");
    expect(received).toEqual([]);
  });

  test("only an admin moves the position of a destination that gets events of API keys, so nobody else can withhold them", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], "api_key_created.v0");
    const path = `/event_destinations/${hook.id}`;
    const { token } = await given.key({ role: "editor" });
    const before = await cursorOf(hook);
    expect(outcome(await post(`${path}/replay`, { from: "2099-01-01T00:00:00Z" }, { token }))).toBe(
      "403 ERR_FORBIDDEN",
    );
    expect(outcome(await post(`${path}/resume`, {}, { token }))).toBe("403 ERR_FORBIDDEN");
    expect(await cursorOf(hook)).toEqual(before);
    expect((await post(`${path}/replay`, { from: "2020-01-01T00:00:00Z" })).status).toBe(202);
    expect((await post(`${path}/resume`, {})).status).toBe(202);
  });

  test("a destination that never had a subscription is idle and unsubscribed", async () => {
    const hook = await givenWebhook();
    expect(await delivery(hook)).toMatchObject({ state: "unsubscribed", position: null, delivered: 0 });
    await create("/event_subscriptions", { destination_ids: [hook.id] });
    expect(await delivery(hook)).toMatchObject({ state: "unsubscribed" });
  });
});
