// @module-tag thorough
import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { clock } from "../packages/model/src/clock.ts";
import { newCost } from "../src/db/session.ts";
import { create, patch, post } from "./support/api.ts";
import { counted } from "./support/counted.ts";
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
  logged,
  MINUTE,
  minute,
  newest,
  open,
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
  stopClock,
  subscribe,
  UPDATED,
} from "./support/delivering.ts";
import { intercepted } from "./support/intercepted.ts";
import type { Json } from "./support/json.ts";

beforeEach(fresh);
afterEach(() => vi.restoreAllMocks());
afterAll(restoreAll);

/** A promise, and the function that resolves it. */
function gate() {
  let release: () => void = () => {};
  const passed = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { release, passed };
}

const LOST = "D1_ERROR: Network connection lost.";
const isAdvance = (queries: string[]) =>
  queries.some((query) => /update "cursors" set position = max\(/.test(query));

/** Calls end after some milliseconds instead of 15 seconds. */
const impatient = (milliseconds: number) =>
  vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException("too late", "TimeoutError")), milliseconds);
    return controller.signal;
  });

/** Waits until receivers have got this many requests: as long as a test may take, because the machine may be busy. */
const areReceived = (count: number): Promise<void> =>
  vi.waitFor(() => expect(received).toHaveLength(count), { timeout: 50_000 });

/** Does not respond until the call is aborted. */
const hang = (signal: AbortSignal | null): Promise<Response> =>
  new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));

describe("leases", () => {
  test("concurrent runs send each event once", async () => {
    const hooks = [await givenWebhook(), await givenWebhook()];
    await subscribe(hooks, CREATED);
    for (let i = 0; i < 5; i++) await change();
    answering(async () => {
      await scheduler.wait(2);
      return status(204);
    });
    await Promise.all([minute(), minute(), sent("POST", "/ip_policies", {}), minute()]);
    await minute();
    for (const hook of hooks) expect(sentTo(hook)).toEqual([...new Set(sentTo(hook))]);
    expect(received).toHaveLength(12);
  });

  test("events that were sent before a crash are sent again once the lease has expired", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    const id = await change();
    const DB = intercepted(env.DB, ({ queries, send }) => {
      if (isAdvance(queries)) throw new Error("the machine stopped");
      return send();
    });
    const { lines } = await logged(() => minute({ DB }));
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: "error",
        msg: "delivery",
        why: "minute",
        events: 1,
        cause: "Error: the machine stopped",
      }),
    );
    expect(await delivery(hook)).toMatchObject({ state: "delivering", pending: 1, delivered: 0 });
    await minute();
    expect(sentTo(hook)).toEqual([id]);
    pass(MINUTE);
    await minute();
    expect(sentTo(hook)).toEqual([id, id]);
    expect(await delivery(hook)).toMatchObject({ state: "idle", delivered: 1 });
  });

  test.each([204, 400, 503])(
    "a late run writes nothing after another run has taken over: the target responds with %d",
    async (code) => {
      const hook = await givenWebhook();
      await subscribe([hook], CREATED);
      const id = await change();
      let isFirst = true;
      answering(async () => {
        if (!isFirst) return status(204);
        isFirst = false;
        pass(MINUTE + SECOND);
        await minute();
        return status(code);
      });
      await minute();
      expect(sentTo(hook)).toEqual([id, id]);
      expect(await delivery(hook)).toMatchObject({
        state: "idle",
        delivered: 1,
        dead_letters: 0,
        consecutive_failures: 0,
        last_error: null,
      });
    },
  );

  test("a call is made only if enough of the lease is left, and the lease is renewed for it", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    await change();
    await repeated(40);
    const left: number[] = [];
    answering(async () => {
      left.push((await cursorOf(hook))?.["leased_until"] - clock.now());
      pass(SECOND);
      return status(204);
    });
    await minute();
    expect(received).toHaveLength(41);
    expect(Math.min(...left)).toBeGreaterThan(34 * SECOND);
    expect(await delivery(hook)).toMatchObject({ state: "idle", delivered: 41 });
  });

  test("a run ends when its time is over, and the next run continues from there", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    await change();
    await repeated(30);
    answering(() => {
      pass(3 * SECOND);
      return status(204);
    });
    await minute();
    expect(received).toHaveLength(15);
    expect(await cursorOf(hook)).toMatchObject({ delivered: 15, lease: null, leased_until: 0, failures: 0 });
    await minute();
    expect(received).toHaveLength(30);
    expect(new Set(received.map(({ id }) => id)).size).toBe(30);
  });
});

describe("many destinations", () => {
  beforeEach(stopClock);

  test("one that does not respond delays no later change for others", async () => {
    const [hanging, sound] = [await givenWebhook(), await givenWebhook()];
    await subscribe([hanging, sound], CREATED);
    const { release, passed } = gate();
    answering(async ({ host }) => {
      if (host === hanging.name) await passed;
      return status(204);
    });
    const first = await request("POST", "/ip_policies", {});
    await areReceived(2);
    const second = await request("POST", "/ip_policies", {});
    await areReceived(3);
    expect(sentTo(sound)).toEqual([first.body["id"], second.body["id"]]);
    release();
    await Promise.all([first.done, second.done]);
  });

  test("those that never respond delay no others, and six are called concurrently", async () => {
    const hooks = await Promise.all(Array.from({ length: 14 }, () => givenWebhook()));
    await subscribe(hooks, CREATED);
    const id = await change();
    const dead = new Set(hooks.slice(0, 12).map(({ name }) => name));
    impatient(100);
    answering(({ host, signal }) => (dead.has(host) ? hang(signal) : status(204)));
    const { lines } = await logged(() => minute());
    for (const hook of hooks.slice(12)) expect(sentTo(hook)).toEqual([id]);
    expect(open.most).toBe(6);
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: "delivery", destinations: 14, events: 2, failures: 12, calls: 14 }),
    );
    expect((await delivery(hooks[0] ?? { id: "" }))["last_error"]).toMatchObject({
      code: "timeout",
      status: null,
    });
  });

  test("those that never respond do not starve others from run to run", async () => {
    const hooks = await Promise.all(Array.from({ length: 13 }, () => givenWebhook()));
    const [alive] = hooks;
    await subscribe(hooks, CREATED);
    answering(({ host }) => {
      if (host === alive?.name) return status(204);
      // Six concurrent calls of 15 seconds: the run is over.
      pass(8 * SECOND);
      return status(503);
    });
    for (let i = 0; i < 3; i++) {
      const id = await change();
      await minute();
      await minute();
      await minute();
      expect(alive && sentTo(alive).at(-1), `change ${i}`).toBe(id);
      pass(MINUTE);
    }
    // Destinations that have never had a turn come first.
    expect(new Set(received.map(({ host }) => host)).size).toBe(13);
  });

  test("the destination that has waited longest comes first", async () => {
    const hooks = await Promise.all(Array.from({ length: 9 }, () => givenWebhook()));
    await subscribe(hooks, CREATED);
    await change();
    const byId = hooks.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const longest = byId.slice(6);
    for (const hook of byId.slice(0, 6)) await setCursor(hook, `last_attempt_at = ${clock.now()}`);
    answering(() => {
      // The run is over.
      pass(HOUR);
      return status(204);
    });
    await minute();
    const first = received.map(({ host }) => host);
    expect(first.length).toBeLessThanOrEqual(6);
    expect(first).toEqual(expect.arrayContaining(longest.map(({ name }) => name)));
  });

  test("those with many events take turns with the others", async () => {
    const hooks = await Promise.all(Array.from({ length: 8 }, () => givenWebhook()));
    await subscribe(hooks, CREATED);
    await change();
    await repeated(99);
    answering(() => {
      pass(SECOND / 2);
      return status(204);
    });
    await minute();
    // 45 seconds, and the last call of each.
    expect(received.length).toBeGreaterThan(80);
    expect(received.length).toBeLessThan(110);
    // Destinations that had a turn have another one.
    expect(Math.min(...hooks.map((hook) => sentTo(hook).length))).toBeGreaterThan(4);
    const firsts = hooks.map(({ name }) => received.findIndex(({ host }) => host === name));
    expect(Math.min(...firsts)).toBe(0);
    // A turn is 5 seconds: ten calls, and the last call of each.
    expect(Math.max(...firsts)).toBeLessThan(25);
  });

  test("a run sends fewer statements and calls than the platform allows; the next run continues with the others", async () => {
    const hooks = await Promise.all(Array.from({ length: 110 }, () => givenWebhook()));
    await subscribe(hooks, CREATED);
    await change();
    let statements = 0;
    const DB = intercepted(env.DB, ({ queries, send }) => {
      statements += queries.length;
      return send();
    });
    await minute({ DB });
    expect(statements).toBeLessThan(600);
    expect(received.length).toBeGreaterThan(50);
    expect(received.length).toBeLessThan(110);
    await minute({ DB });
    expect(received.map(({ host }) => host).toSorted()).toEqual(hooks.map(({ name }) => name).toSorted());
  });

  test("running out of calls does not count as a failure of a destination", async () => {
    const hooks = [await givenWebhook(), await givenWebhook()];
    await subscribe(hooks, CREATED);
    await change();
    await repeated(120);
    answering(({ host }) =>
      host === "dns"
        ? Response.json({
            Status: 0,
            Answer: [
              { type: 1, data: "8.8.8.8" },
              { type: 28, data: "2606:4700::1" },
            ],
          })
        : status(204),
    );
    // Each event takes two calls to the resolver and one to the webhook.
    await minute({ RESOLVER: "https://dns.example.com/dns-query" });
    expect(received).toHaveLength(500);
    for (const hook of hooks)
      expect(await delivery(hook)).toMatchObject({
        state: "delivering",
        consecutive_failures: 0,
        last_error: null,
        next_attempt_at: null,
      });
  });

  test("an event that cannot be shown is a logged failure, and stops no other destination", async () => {
    const [bad, good] = [await givenWebhook(), await givenWebhook()];
    await subscribe([bad], CREATED);
    await subscribe([good], UPDATED);
    const id = await change();
    await env.DB.prepare("update events set object = '{' where type = ?").bind(CREATED).run();
    await patch(`/ip_policies/${id}`, { description: "x" });
    const { lines } = await logged(() => minute());
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: "error",
        msg: "delivery",
        events: 1,
        failures: 1,
        cause: "SyntaxError",
      }),
    );
    expect(sentTo(good)).toEqual([id]);
    expect(await delivery(bad)).toMatchObject({
      state: "retrying",
      pending: 1,
      last_error: { code: "internal", status: null },
    });
  });

  test("an internal error at one destination stops no other", async () => {
    const hooks = [await givenWebhook(), await givenWebhook(), await givenWebhook()];
    await subscribe(hooks, CREATED);
    const id = await change();
    const [bad] = hooks;
    await env.DB.prepare("update event_destinations set target = ? where id = ?").bind("{}", bad?.id).run();
    let isFirst = true;
    const DB = intercepted(env.DB, ({ queries, send }) => {
      if (isFirst && isAdvance(queries)) {
        isFirst = false;
        throw new Error("lost");
      }
      return send();
    });
    await logged(() => minute({ DB }));
    for (const hook of hooks.slice(1)) expect(sentTo(hook)).toEqual([id]);
    pass(2 * HOUR);
    await minute();
    expect((await delivery(bad ?? { id: "" }))["last_error"]).toMatchObject({ code: "target" });
  });
});

describe("the run after a response", () => {
  test("runs alone, and delivers events that are recorded while it runs", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    const { release, passed } = gate();
    answering(async () => {
      await passed;
      return status(204);
    });
    const first = await request("POST", "/ip_policies", {});
    await areReceived(1);
    const second = await sent("POST", "/ip_policies", {});
    expect(received).toHaveLength(1);
    release();
    await first.done;
    expect(sentTo(hook)).toEqual([first.body["id"], second.body["id"]]);
    expect(open.most).toBe(1);
  });

  test("does not block later runs if the platform has ended it", async () => {
    const [ended, other] = [await givenWebhook(), await givenWebhook()];
    await subscribe([ended], CREATED);
    const { release, passed } = gate();
    answering(async ({ host }) => {
      if (host === ended.name) await passed;
      return status(204);
    });
    const first = await request("POST", "/ip_policies", {});
    await areReceived(1);
    await subscribe([other], UPDATED);
    pass(40 * SECOND);
    await sent("PATCH", `/ip_policies/${first.body["id"]}`, { description: "later" });
    expect(sentTo(other)).toEqual([first.body["id"]]);
    release();
    await first.done;
  });

  test("does not let another run start beside its successor if it ends late", async () => {
    const [slow, other] = [await givenWebhook(), await givenWebhook()];
    await subscribe([slow], CREATED);
    await subscribe([other], UPDATED);
    const [first, second] = [gate(), gate()];
    answering(async ({ host }) => {
      await (host === slow.name ? first : second).passed;
      return status(204);
    });
    const one = await request("POST", "/ip_policies", {});
    await areReceived(1);
    pass(40 * SECOND);
    const path = `/ip_policies/${one.body["id"]}`;
    const two = await request("PATCH", path, { description: "second" });
    await areReceived(2);
    first.release();
    await one.done;
    const roundTrips = newCost();
    await sent("PATCH", path, { description: "third" }, { DB: counted(env.DB, roundTrips) });
    expect(roundTrips.roundTrips).toBe(1);
    second.release();
    await two.done;
    expect(sentTo(other)).toHaveLength(2);
  });

  test("the wanted types are cached for 20 seconds; a change that nobody wants costs no more than itself", async () => {
    const hook = await givenWebhook();
    const subscription = await subscribe([hook], UPDATED);
    await sent("GET", "/ip_policies");
    const trips = async (): Promise<number> => {
      const cost = newCost();
      await sent("POST", "/ip_policies", {}, { DB: counted(env.DB, cost) });
      return cost.roundTrips;
    };
    const now = clock.now();
    clock.now = () => now;
    expect(await trips()).toBe(2);
    expect(await trips()).toBe(1);
    clock.now = () => now + 19_999;
    expect(await trips()).toBe(1);
    clock.now = () => now + 20_000;
    // The database's epoch has expired too, which takes no round trip.
    expect(await trips()).toBe(2);
    expect(received).toEqual([]);
    // A change of a subscription invalidates the cache.
    await sent("POST", `/event_subscriptions/${subscription["id"]}/sources`, { type: CREATED });
    const { body } = await sent("POST", "/ip_policies", {});
    expect(sentTo(hook)).toEqual([body["id"]]);
    await sent("DELETE", `/event_subscriptions/${subscription["id"]}/sources/${CREATED}`);
    // The subscription's own run has read the wanted types.
    expect(await trips()).toBe(1);
  });

  test("a change of a subscription is noticed even if a change of a destination is recorded with it", async () => {
    // Caches that nothing is wanted.
    await sent("POST", "/ip_policies", {});
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    await sent("GET", "/ip_policies");
    const { body } = await sent("POST", "/ip_policies", {});
    expect(sentTo(hook)).toEqual([body["id"]]);
  });

  test("only destinations that want a change's type are checked for it", async () => {
    const hook = await givenWebhook();
    const others = await Promise.all(Array.from({ length: 5 }, () => givenWebhook()));
    await subscribe([hook], CREATED);
    await subscribe(others, UPDATED);
    await sent("GET", "/ip_policies");
    const cost = newCost();
    const { body } = await sent("POST", "/ip_policies", {}, { DB: counted(env.DB, cost) });
    expect(sentTo(hook)).toEqual([body["id"]]);
    // The change, the wanted types, the destinations that are due, the lease, the advance.
    expect(cost.roundTrips).toBe(5);
  });

  test("a destination whose backoff is over is retried after any change", async () => {
    const [hook, other] = [await givenWebhook(), await givenWebhook()];
    await subscribe([hook], UPDATED);
    await subscribe([other], CREATED);
    const id = await change();
    await patch(`/ip_policies/${id}`, { description: "x" });
    answering(() => status(503));
    await minute();
    // No destination is left to be checked.
    await sent("GET", "/ip_policies");
    answering();
    pass(HOUR);
    await sent("POST", "/ip_policies", {});
    expect(sentTo(hook)).toEqual([id, id]);
  });

  test("waits briefly for a destination that another run is about to release", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    await setCursor(hook, "lease = 'another', leased_until = 9000000000000");
    const pause = vi.spyOn(scheduler, "wait");
    const running = sent("POST", "/ip_policies", {});
    // The run has gathered changes, found the destination leased, and waits before it checks again.
    await vi.waitFor(() => expect(pause).toHaveBeenCalledTimes(2));
    expect(received).toEqual([]);
    await setCursor(hook, "lease = null, leased_until = 0");
    const { body } = await running;
    expect(sentTo(hook)).toEqual([body["id"]]);
  });

  test("an idempotent replay and a rejected request start no run", async () => {
    await sent("GET", "/ip_policies");
    const cost = newCost();
    const given = { DB: counted(env.DB, cost) };
    await sent("PATCH", "/ip_policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX", { description: "x" }, given);
    // The change, and the reason why it had no effect.
    expect(cost.roundTrips).toBe(2);
  });

  test("a creation with an Idempotency-Key is sent right after its response", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    // No destination is left to be checked.
    await sent("GET", "/ip_policies");
    const { body } = await post("/ip_policies", {}, { headers: { "Idempotency-Key": "once" } });
    await sent("GET", "/ip_policies");
    expect(sentTo(hook)).toEqual([body["id"]]);
    await post("/ip_policies", {}, { headers: { "Idempotency-Key": "once" } });
    await sent("GET", "/ip_policies");
    expect(received).toHaveLength(1);
  });

  test("a database failure is logged, and the run of the minute delivers", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    let calls = 0;
    const DB = intercepted(env.DB, ({ send }) => {
      calls += 1;
      if (calls > 1) throw new Error("the database is away");
      return send();
    });
    const { lines } = await logged(() => sent("POST", "/ip_policies", {}, { DB }));
    expect(lines).toContainEqual({
      level: "error",
      operation_id: "change",
      msg: "A delivery failed.",
      cause: "Error: the database is away",
    });
    expect(received).toEqual([]);
    await minute();
    expect(received).toHaveLength(1);
  });
});

describe("the run of each minute", () => {
  test("takes one round trip, and writes nothing, if there is nothing to do", async () => {
    const hooks = [await givenWebhook(), await givenWebhook(), await givenWebhook()];
    await subscribe(hooks, CREATED);
    await change();
    await repeated(50);
    await minute();
    received.length = 0;
    const cost = newCost();
    const { lines } = await logged(() => minute({ DB: counted(env.DB, cost) }));
    expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    // Ten of these rows are for the destinations. The others are what D1 counts for empty index ranges.
    expect(cost.rowsRead).toBeLessThan(80);
    expect(received).toEqual([]);
    expect(lines.map(({ msg }) => msg)).toEqual(["sweep"]);
  });

  test("deletes old events, many at a time, but never the newest", async () => {
    await change();
    await repeated(450);
    const last = await newest();
    pass(29 * DAY);
    await minute();
    expect((await env.DB.prepare("select count(*) as n from events").first<number>("n")) ?? 0).toBe(451);
    pass(DAY);
    const { lines } = await logged(() => minute());
    expect(lines).toContainEqual(expect.objectContaining({ msg: "sweep", events: 450, d1_round_trips: 3 }));
    const { results } = await env.DB.prepare("select seq from events").all();
    expect(results).toEqual([{ seq: last }]);
    await change();
    expect(await newest()).toBe(last + 1);
  });

  test("EVENT_RETENTION_DAYS sets the retention; a malformed value is logged and ignored", async () => {
    await change();
    await change();
    pass(2 * DAY);
    const { lines } = await logged(() => minute({ EVENT_RETENTION_DAYS: "two" }));
    expect(lines).toContainEqual(expect.objectContaining({ level: "alert" }));
    const count = () => env.DB.prepare("select count(*) as n from events").first<number>("n");
    expect(await count()).toBe(2);
    await minute({ EVENT_RETENTION_DAYS: "2" });
    expect(await count()).toBe(1);
  });

  test("counts wanted but undelivered events as lost, including holes, and deletes their dead letters", async () => {
    const [hook, other, healthy] = [await givenWebhook(), await givenWebhook(), await givenWebhook()];
    await change();
    await subscribe([hook, healthy], CREATED);
    await subscribe([other], UPDATED);
    await change();
    await change();
    answering(() => status(400));
    await minute();
    answering();
    const first = await newest();
    await setCursor(hook, `suspended = 1, holes = '${JSON.stringify([first - 1])}'`);
    const id = await change();
    await patch(`/ip_policies/${id}`, { description: "not wanted" });
    await repeated(300, CREATED);
    await minute();
    expect(await delivery(healthy)).toMatchObject({ delivered: 301, dead_letters: 2 });
    pass(3 * DAY);
    await change();
    await logged(() => minute({ EVENT_RETENTION_DAYS: "2" }));
    // One hole, one after it and 300 more: the newest event is still there.
    expect(await delivery(hook)).toMatchObject({
      state: "suspended",
      lost: 302,
      pending: 1,
      dead_letters: 0,
      position: null,
    });
    expect(await cursorOf(hook)).toMatchObject({ holes: null });
    expect(await delivery(other)).toMatchObject({ lost: 0 });
    expect(await delivery(healthy)).toMatchObject({ lost: 0, dead_letters: 0, delivered: 302 });
  });

  test("the expiry does not touch a hole that is kept", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    await change();
    await repeated(3);
    pass(3 * DAY);
    await change();
    const last = await newest();
    await change();
    await setCursor(hook, `suspended = 1, position = ${last + 1}, holes = '[${last - 1},${last}]'`);
    await minute({ EVENT_RETENTION_DAYS: "2" });
    expect(await cursorOf(hook)).toMatchObject({ holes: `[${last}]`, lost: 1, position: last + 1 });
  });

  test("loses nothing, wherever the database fails", async () => {
    for (let nth = 1; nth <= 8; nth++) {
      await fresh();
      const hooks = [await givenWebhook(), await givenWebhook()];
      await subscribe(hooks, CREATED);
      const ids = [await change(), await change(), await change()];
      for (const isEffective of [false, true]) {
        let calls = 0;
        const DB = intercepted(env.DB, async ({ send }) => {
          calls += 1;
          if (calls !== nth) return send();
          if (isEffective) await send();
          throw new Error("the database is away");
        });
        const { lines } = await logged(() => minute({ DB }).catch(() => undefined));
        if (calls >= nth)
          expect(lines, `call ${nth}`).toContainEqual(
            expect.objectContaining({ level: "error", cause: "Error: the database is away" }),
          );
        pass(MINUTE);
        await minute();
        for (const hook of hooks) {
          expect([...new Set(sentTo(hook))], `call ${nth}`).toEqual(ids);
          expect(await delivery(hook)).toMatchObject({ state: "idle", delivered: ids.length });
        }
        ids.push(await change());
      }
    }
  });

  test("retries the writes after its deliveries, so that no event is sent twice because of a lost connection", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    const id = await change();
    for (const isEffective of [false, true]) {
      let isFirst = true;
      const DB = intercepted(env.DB, async ({ queries, send }) => {
        if (!isFirst || !isAdvance(queries)) return send();
        isFirst = false;
        if (isEffective) await send();
        throw new Error(LOST);
      });
      await minute({ DB });
      expect(isFirst).toBe(false);
      expect(await cursorOf(hook)).toMatchObject({ lease: null, position: await newest() });
      if (!isEffective) await change();
    }
    expect(sentTo(hook)).toHaveLength(2);
    expect(sentTo(hook)[0]).toBe(id);
    expect(await delivery(hook)).toMatchObject({ delivered: 2 });
  });

  test("delivers to the end although the expiry fails", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    await change();
    await repeated(300);
    const old = await newest();
    pass(3 * DAY);
    const id = await change();
    await setCursor(hook, `position = ${old}`);
    const { release, passed } = gate();
    let sweeps = 0;
    const DB = intercepted(env.DB, ({ queries, send }) => {
      const isSweep = queries.some((query) => query.includes('delete from "events"'));
      if (isSweep) sweeps += 1;
      if (!isSweep || sweeps < 2) return send();
      release();
      throw new Error("the database is away");
    });
    answering(async () => {
      await passed;
      return status(204);
    });
    const { lines } = await logged(() =>
      expect(minute({ DB, EVENT_RETENTION_DAYS: "2" })).rejects.toThrow("the database is away"),
    );
    expect(sentTo(hook)).toEqual([id]);
    expect(await delivery(hook)).toMatchObject({ state: "idle", delivered: 1 });
    expect(lines.map(({ msg, level }) => [msg, level])).toEqual([
      ["delivery", "info"],
      ["sweep", "error"],
    ]);
  });

  test("logs what it did", async () => {
    const [hook, failing] = [await givenWebhook(), await givenWebhook()];
    await subscribe([hook, failing], CREATED);
    await change();
    const bad = await change();
    answering(({ host, body }) =>
      status(host === failing.name ? 500 : body["object"].id === bad ? 400 : 204),
    );
    const { lines } = await logged(() => minute());
    const line = lines.find(({ msg }) => msg === "delivery");
    expect(line).toEqual({
      level: "info",
      msg: "delivery",
      why: "minute",
      destinations: 2,
      events: 1,
      dead_letters: 1,
      failures: 1,
      calls: 3,
      d1_round_trips: 4,
      d1_rows_read: expect.any(Number),
      d1_rows_written: expect.any(Number),
    });
  });

  test("sends nothing while the operator's settings are malformed, and logs that", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    const id = await change();
    const { lines } = await logged(() => minute({ TARGET_ENDPOINTS: "nonsense" }));
    expect(lines).toContainEqual(expect.objectContaining({ level: "alert", operation_id: "minute" }));
    expect(received).toEqual([]);
    await minute();
    expect(sentTo(hook)).toEqual([id]);
  });
});

describe("secrets", () => {
  const secret = `whsec_${btoa("s3cr3t-s3cr3t-s3cr3t-s3cr3t")}`;
  const givenSealed = async (): Promise<{ id: string; name: string }> => {
    const target = { webhook: { url: "https://sealed.example.com/in?token=in-the-url", secret } };
    const { id } = await create("/event_destinations", { target });
    return { id, name: "sealed" };
  };

  test("are only opened to send", async () => {
    const hook = await givenSealed();
    await subscribe([hook], CREATED);
    const opening = vi.spyOn(crypto.subtle, "decrypt");
    await setCursor(hook, "position = 0");
    await minute();
    expect(opening).not.toHaveBeenCalled();
    await change();
    await minute();
    expect(opening).toHaveBeenCalledTimes(1);
  });

  test("when another key sealed them, nothing is sent, and the delivery is retried soon", async () => {
    const SEALING_KEYS = `other:${btoa("3".repeat(32))}`;
    const hook = await givenSealed();
    await subscribe([hook], CREATED);
    await change();
    await minute({ SEALING_KEYS });
    expect(received).toEqual([]);
    expect(await delivery(hook)).toMatchObject({
      state: "retrying",
      last_error: { code: "secrets", status: null },
      pending: 1,
    });
    const { body } = await sent("POST", `/event_destinations/${hook.id}/test`, {}, { SEALING_KEYS });
    expect(body).toMatchObject({ delivered: false, error: { code: "secrets" } });
    pass(10 * SECOND);
    await minute();
    expect(received).toHaveLength(1);
  });

  test.each([undefined, "", "malformed"])(
    "without sealing keys (%s) nothing is sent, the operator is alerted, and no destination counts as failed",
    async (SEALING_KEYS) => {
      const hook = await givenSealed();
      await subscribe([hook], CREATED);
      await change();
      const { lines } = await logged(() => minute({ SEALING_KEYS }));
      expect(lines).toContainEqual(
        expect.objectContaining({
          level: "alert",
          msg: "No events are delivered: SEALING_KEYS is missing or malformed.",
        }),
      );
      expect(await delivery(hook)).toMatchObject({ state: "delivering", last_error: null, pending: 1 });
      await minute();
      expect(received).toHaveLength(1);
    },
  );

  test("neither they nor a receiver's responses are in the log, in errors or in dead letters", async () => {
    const hook = await givenSealed();
    await subscribe([hook], CREATED);
    const { text } = await logged(async () => {
      for (const code of [400, 503, 301, 410]) {
        await change();
        answering(
          () =>
            new Response(`${secret} internal-host`, {
              status: code,
              headers: { Location: "https://internal-host/" },
            }),
        );
        pass(2 * HOUR);
        await minute();
        await sent("POST", `/event_destinations/${hook.id}/test`, {});
      }
    });
    const { results: cursors } = await env.DB.prepare("select * from cursors").all();
    const { results: letters } = await env.DB.prepare("select * from dead_letters").all();
    expect(letters).toHaveLength(1);
    const all = [
      text,
      JSON.stringify(cursors),
      JSON.stringify(letters),
      JSON.stringify(await delivery(hook)),
    ].join();
    for (const hidden of [secret, "s3cr3t", "internal-host", "in-the-url"]) expect(all).not.toContain(hidden);
  });
});

describe("costs", () => {
  test("a change costs its request the same, however many destinations receive it", async () => {
    const cost = async () => {
      await post("/ip_policies", {});
      return (await post("/ip_policies", {})).cost;
    };
    const alone = await cost();
    const hooks = [await givenWebhook()];
    await subscribe(hooks, CREATED);
    expect(await cost()).toEqual(alone);
    for (let i = 0; i < 9; i++) hooks.push(await givenWebhook());
    await subscribe(hooks, CREATED, UPDATED);
    expect(await cost()).toEqual(alone);
  });

  test("a success takes two round trips, and writes the cursor twice", async () => {
    const hook = await givenWebhook();
    await subscribe([hook], CREATED);
    await change();
    const { lines } = await logged(() => minute());
    const line: Json = lines.find(({ msg }) => msg === "delivery") ?? {};
    expect(line).toMatchObject({ d1_round_trips: 2, d1_rows_written: 2 });
    expect(line["d1_rows_read"]).toBeLessThan(40);
  });
});
