import { env } from "cloudflare:workers";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { clock, timestamp } from "../../packages/model/src/clock.ts";
import { everyMinute } from "../../src/background.ts";
import { del, get, outcome, patch, post, put } from "../support/api.ts";
import { FakeAuthority, newRequest } from "../support/authority.ts";
import * as given from "../support/given.ts";
import type { Json } from "../support/json.ts";
import { empty } from "../support/stored.ts";

/*
 * What agents request from certificate issuers. The authority is in memory; test/e2e/certificates has a real one.
 */

const HOST = "shop.example.com";
const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

const realNow = clock.now;
const realFetch = globalThis.fetch;
let ahead = 0;
const pass = (milliseconds: number): void => {
  ahead += milliseconds;
};

let authority: FakeAuthority;
let issuer: Json;
let key: Json;
let edge: Json;
let number = 0;

beforeEach(async () => {
  await empty();
  for (const table of ["agents", "agent_certificates", "certificate_orders"])
    await env.DB.prepare(`delete from ${table}`).run();
  pass(HOUR);
  clock.now = () => realNow() + ahead;
  // Directories are cached by their URLs.
  const current = new FakeAuthority(`https://acme-${++number}.example.com`);
  current.now = clock.now;
  authority = current;
  globalThis.fetch = (input, init) => current.answer(new Request(input, init));
  key = await given.key({ role: "agent" });
  await report("lisbon");
  edge = await given.httpsEdge({ hostports: [`${HOST}:443`] });
  issuer = await given.issuer({ directory_url: `${authority.origin}/dir`, hosts: [HOST] });
});
afterAll(() => {
  clock.now = realNow;
  globalThis.fetch = realFetch;
});

const report = (name: string, fields: Json = {}, { token } = key) =>
  put(`/agents/${name}/status`, { applied_version: 1, ok: true, ...fields }, { token });

const ask = (csr: string, name = "lisbon", host = HOST, { token } = key) =>
  put(`/agents/${name}/certificate_requests/${host}`, { csr }, { token });

/** Repeats a request until it is in one of some states, as an agent does. */
async function until(states: string[], csr: string, name = "lisbon", host = HOST): Promise<Json> {
  for (let i = 0; i < 30; i++) {
    const { body, status, text } = await ask(csr, name, host);
    expect(status, text).toBe(200);
    if (states.includes(body["state"])) return body;
    pass(body["retry_after"] * SECOND);
  }
  throw new Error("too many steps");
}

/** Repeats a request until the authority has rejected it so often. */
async function rejected(csr: string, times: number): Promise<void> {
  for (let i = 0; i < 10 && ((await rowOf())["failures"] ?? 0) < times; i++) {
    pass(((await ask(csr)).body["retry_after"] + 1) * SECOND);
  }
  expect(await rowOf()).toMatchObject({ failures: times });
}

const shown = async (host = HOST): Promise<Json> =>
  (await get(`/certificates?host=${host}`)).body["certificates"][0];
const rowOf = async (agent = "lisbon", host = HOST): Promise<Json> =>
  (await env.DB.prepare("select * from certificate_orders where agent = ? and host = ?")
    .bind(agent, host)
    .first<Json>()) ?? {};
const eventsOf = async (type: string): Promise<Json[]> =>
  (await get("/events")).body["events"].filter((event: Json) => event["event_type"] === type);
const problem = (detail: string): Json => ({ type: "urn:ietf:params:acme:error:connection", detail });

describe("an order", () => {
  test("becomes a certificate, in steps, and is recorded once", async () => {
    const { csr } = await newRequest(HOST);
    const seen: string[] = [];
    for (;;) {
      const before = authority.got.length;
      const { body } = await ask(csr);
      seen.push([...new Set(authority.got.slice(before).map(({ path }) => path.split("/")[1]))].join());
      if (body["state"] === "issued") break;
      expect(body).toMatchObject({ state: "pending", chain: null, last_error: null, renews_at: null });
      pass(SECOND);
    }
    expect(seen.map((paths) => paths.replace(/^(?:dir|nonce),?/, ""))).toEqual([
      expect.stringMatching(/new-order$/),
      "order,authorization,challenge",
      "order,finalize",
      "order,certificate",
    ]);
    const { body } = await ask(csr);
    const chain: string = body["chain"];
    expect(chain).toMatch(/^-----BEGIN CERTIFICATE-----\n/);
    const row = await rowOf();
    expect(body).toEqual({
      state: "issued",
      retry_after: 600,
      chain,
      last_error: null,
      renews_at: timestamp(row["not_before"] + ((row["not_after"] - row["not_before"]) / 3) * 2),
    });
    const events = await eventsOf("certificate_issued.v0");
    expect(events.map(({ object, principal }) => [object, principal.id])).toEqual([
      [
        {
          id: `crt_${row["serial"]}`,
          uri: expect.stringContaining(`/certificates?host=${HOST}`),
          host: HOST,
          agent: "lisbon",
          serial: row["serial"],
          certificate_issuer_id: issuer["id"],
          not_after: timestamp(row["not_after"]),
        },
        key["id"],
      ],
    ]);
    expect(JSON.stringify(events)).not.toContain("BEGIN CERTIFICATE");
    expect(await shown()).toMatchObject({
      source: "issued",
      state: "unknown",
      issuer: { id: issuer["id"] },
      renews_at: body["renews_at"],
      next_attempt_at: null,
    });
    expect((await get(issuer["uri"])).body).toMatchObject({
      account_uri: `${authority.origin}/account/1`,
      caa: `0 issue "fake.example; accounturi=${authority.origin}/account/1; validationmethods=http-01"`,
    });
    expect(authority.count(/new-account/)).toBe(1);
  });

  test("costs one round trip without a step, and three with one", async () => {
    const root = { token: env.ROOT_API_KEY };
    await report("root", {}, root);
    const { csr } = await newRequest(HOST);
    const costs: Json[] = [];
    for (let i = 0; i < 4; i++) {
      costs.push((await ask(csr, "root", HOST, root)).cost);
      pass(2 * SECOND);
    }
    expect(await rowOf("root")).toMatchObject({ state: "issued" });
    const idle = [await ask(csr, "root", HOST, root), await ask(csr, "root", HOST, root)];
    expect(costs.map(({ roundTrips }) => roundTrips)).toEqual([3, 3, 3, 3]);
    expect(idle.map(({ cost }) => [cost.roundTrips, cost.rowsWritten])).toEqual([
      [1, 0],
      [1, 0],
    ]);
    // Each step claims its row and writes its result, with an entry of the index; the last one records the event.
    expect(costs.map(({ rowsWritten }) => rowsWritten)).toEqual([5, 3, 3, 5]);
    for (const { rowsRead } of costs) expect(rowsRead).toBeLessThan(40);
  });

  test("needs no challenge if its authorization is valid already, from an earlier order", async () => {
    authority.instead = ({ path }) => {
      const [, number] = /^\/authorization\/(\d+)$/.exec(path) ?? [];
      const order = authority.orders[Number(number)];
      if (order) Object.assign(order, { authorization: "valid", status: "ready" });
      return undefined;
    };
    await until(["issued"], (await newRequest(HOST)).csr);
    expect(authority.count(/challenge/)).toBe(0);
  });

  test("that the authority calls not ready at its finalization is read again, and does not count as rejected", async () => {
    let isFirst = true;
    authority.instead = ({ path }) => {
      if (!isFirst || !path.startsWith("/finalize/")) return undefined;
      isFirst = false;
      return authority.error(403, "orderNotReady");
    };
    const { state } = await until(["issued", "failing"], (await newRequest(HOST)).csr);
    expect(state).toBe("issued");
    expect(authority.count(/finalize/)).toBe(2);
    expect(authority.count(/new-order/)).toBe(1);
  });

  test("has no step before its time, and continues if the authority is down", async () => {
    const { csr } = await newRequest(HOST);
    authority.instead = ({ path }) =>
      path === "/new-order"
        ? authority.error(503, "serverInternal", "later", { "Retry-After": "120" })
        : undefined;
    const { body } = await ask(csr);
    expect(body).toMatchObject({
      state: "pending",
      retry_after: 120,
      last_error: expect.stringContaining("later"),
    });
    const calls = authority.got.length;
    await ask(csr);
    expect(outcome(await post(`/certificates/${HOST}/renew`))).toBe("204");
    await ask(csr);
    expect(authority.got).toHaveLength(calls);
    authority.instead = () => undefined;
    pass(2 * MINUTE);
    expect(await until(["issued", "failing", "paused"], csr)).toMatchObject({
      state: "issued",
      last_error: null,
    });
  });

  test("has no step for ten seconds if the authority is down, even if it says less", async () => {
    const { csr } = await newRequest(HOST);
    authority.instead = () => authority.error(503, "serverInternal", "later", { "Retry-After": "1" });
    expect((await ask(csr)).body).toMatchObject({ state: "pending", retry_after: 10 });
  });

  test("is paused after five rejections, with the authority's words and the address that it tried", async () => {
    const { csr } = await newRequest(HOST);
    authority.refusal = problem("Connection\u202E refused");
    for (const [index, minutes] of [1, 10, 60, 360].entries()) {
      await rejected(csr, index + 1);
      const row = await rowOf();
      const wait = Math.round((row["next_attempt_at"] - row["lease_until"]) / SECOND);
      expect([row["state"], wait]).toEqual(["failing", minutes * 60]);
      const calls = authority.got.length;
      pass(row["next_attempt_at"] - clock.now() - 5 * SECOND);
      expect((await ask(csr)).body).toMatchObject({
        state: "failing",
        retry_after: 5,
        last_error:
          "The authority rejected the challenge: connection: Connection\uFFFD refused (tried 192.0.2.80)",
      });
      expect(authority.got).toHaveLength(calls);
    }
    await rejected(csr, 5);
    const calls = authority.got.length;
    pass(DAY);
    expect((await ask(csr)).body).toMatchObject({ state: "paused", retry_after: 300 });
    expect(authority.got).toHaveLength(calls);
    expect(await rowOf()).toMatchObject({ state: "paused", failures: 5 });
    expect(await shown()).toMatchObject({ state: "paused", next_attempt_at: null, source: "issued" });
  });
});

/** A request that is paused. */
async function paused(csr: string): Promise<void> {
  authority.refusal = problem("refused");
  await ask(csr);
  await env.DB.prepare("update certificate_orders set failures = 4").run();
  await rejected(csr, 5);
  expect(await rowOf()).toMatchObject({ state: "paused" });
  authority.refusal = undefined;
  pass(MINUTE);
}

describe("a paused request is resumed", () => {
  test.each([
    ["a change of its issuer", () => patch(issuer["uri"], { description: "again" })],
    ["a change of the edge", () => patch(edge["uri"], { description: "again" })],
    ["a renewal", () => post(`/certificates/${HOST}/renew`)],
  ])("by %s", async (_, resume) => {
    const { csr } = await newRequest(HOST);
    await paused(csr);
    expect((await ask(csr)).body["state"]).toBe("paused");
    expect((await resume()).status).toBeLessThan(300);
    pass(SECOND);
    expect((await ask(csr)).body["state"]).toBe("pending");
    expect(await until(["issued"], csr)).toMatchObject({ last_error: null });
    expect(await rowOf()).toMatchObject({ failures: 0 });
  });

  test("by nothing that the service notes about the issuer, nor by another key", async () => {
    const { csr } = await newRequest(HOST);
    await paused(csr);
    await env.DB.prepare("update certificate_issuers set account_uri = null").run();
    await post(`/certificates/other.example.com/renew`);
    const { body } = await ask((await newRequest(HOST)).csr);
    expect(body["state"]).toBe("paused");
  });
});

describe("who may ask, and for what", () => {
  const status = async (...given: Parameters<typeof ask>) => outcome(await ask(...given));

  test("an agent asks for a host of an edge that an issuer is for", async () => {
    const { csr } = await newRequest(HOST);
    const other = await given.key({ role: "agent" });
    await report("porto", {}, other);
    expect(await status(csr, "faro")).toBe("404 ERR_NOT_FOUND");
    expect(await status(csr, "porto")).toBe("403 ERR_FORBIDDEN");
    expect(await status(csr, "lisbon", "other.example.com")).toBe("400 ERR_INVALID_REQUEST /csr");
    expect(await status("AAAA")).toBe("400 ERR_INVALID_REQUEST /csr");
    const others = await newRequest("other.example.com");
    expect(await status(others.csr, "lisbon", "other.example.com")).toBe("404 ERR_NOT_FOUND");
    await given.httpsEdge({ hostports: ["other.example.com:8443"] });
    expect(await status(others.csr, "lisbon", "other.example.com")).toBe("404 ERR_NOT_FOUND");
    await patch(issuer["uri"], { hosts: ["*"], agents: ["porto"] });
    expect(await status(csr)).toBe("404 ERR_NOT_FOUND");
    await patch(issuer["uri"], { agents: ["porto", "lisbon"] });
    expect(await status(others.csr, "lisbon", "Other.Example.COM")).toBe("200");
    expect(await status(csr)).toBe("200");
  });

  test.each([
    ["a TCP edge", () => given.tcpEdge({ hostports: ["plain.example.com:443"] }), 404],
    [
      "a TLS edge that passes TLS on",
      () =>
        given.tlsEdge({
          hostports: ["plain.example.com:443"],
          tls_termination: { terminate_at: "upstream" },
        }),
      404,
    ],
    [
      "a TLS edge that terminates TLS",
      () =>
        given.tlsEdge({ hostports: ["plain.example.com:443"], tls_termination: { terminate_at: "edge" } }),
      200,
    ],
    [
      "a longer host",
      () => given.httpsEdge({ hostports: ["aplain.example.com:443", "plain.example.com.au:443"] }),
      404,
    ],
    ["a final dot", () => given.httpsEdge({ hostports: ["plain.example.com.:443"] }), 200],
  ])("%s", async (_, make, expected) => {
    await make();
    await patch(issuer["uri"], { hosts: ["*"] });
    const { csr } = await newRequest("plain.example.com");
    expect((await ask(csr, "lisbon", "plain.example.com")).status).toBe(expected);
  });

  test("names for which no certificate is ordered are failing, without an order", async () => {
    await given.httpsEdge({ hostports: ["db.internal:443"] });
    await patch(issuer["uri"], { hosts: ["*"] });
    const { csr } = await newRequest("db.internal");
    const calls = authority.got.length;
    for (let i = 0; i < 2; i++) {
      const { body, cost } = await ask(csr, "lisbon", "db.internal");
      expect(body).toMatchObject({ state: "failing", last_error: expect.stringMatching(/private networks/) });
      if (i === 1) expect(cost.rowsWritten).toBe(0);
      pass(SECOND);
    }
    expect(authority.got).toHaveLength(calls);
    expect(await shown("db.internal")).toMatchObject({ state: "failing", next_attempt_at: null });
    await patch(issuer["uri"], { hosts: ["*", "db.internal"] });
    expect(await until(["issued"], csr, "lisbon", "db.internal")).toMatchObject({ last_error: null });
  });
});

describe("the next certificate", () => {
  test("is ordered when it is due, and replaces the last one", async () => {
    const day = (days: number) => new Date(clock.now() + days * DAY).toISOString();
    authority.window = {
      body: { suggestedWindow: { start: day(20), end: day(30) } },
      headers: { "Retry-After": "21600" },
    };
    // The directory is cached.
    pass(HOUR);
    const first = await newRequest(HOST);
    const { renews_at } = await until(["issued"], first.csr);
    pass(SECOND);
    const asked = await ask(first.csr);
    expect(authority.count(/renewal/)).toBe(1);
    expect(asked.body["renews_at"]).not.toBe(renews_at);
    expect(Date.parse(asked.body["renews_at"]) - clock.now()).toBeGreaterThan(19 * DAY);
    expect(Date.parse(asked.body["renews_at"]) - clock.now()).toBeLessThan(31 * DAY);
    pass(HOUR);
    await ask(first.csr);
    expect(authority.count(/renewal/)).toBe(1);
    // A window that has passed means now.
    authority.window.body = { suggestedWindow: { start: day(-2), end: day(-1) } };
    pass(6 * HOUR);
    expect(Date.parse((await ask(first.csr)).body["renews_at"])).toBeLessThan(clock.now());
    expect(authority.count(/renewal/)).toBe(2);
    const id = JSON.parse((await rowOf())["ari"]).id;
    expect(id).toMatch(/^AQIDBA\.[\w-]+$/);
    const second = await newRequest(HOST);
    authority.replaced.add(id);
    const { chain } = await until(["issued"], second.csr);
    const orders = authority.got
      .filter(({ path }) => path === "/new-order")
      .map(({ payload }) => payload["replaces"]);
    // The second order was made again, because that certificate was replaced already.
    expect(orders).toEqual([undefined, id, undefined]);
    expect(await eventsOf("certificate_issued.v0")).toHaveLength(2);
    expect((await ask(second.csr)).body["chain"]).toBe(chain);
  });

  test("of another issuer replaces nothing, and the issuer is asked nothing about the last one", async () => {
    const inDays = (days: number) => new Date(clock.now() + days * DAY).toISOString();
    authority.window = { body: { suggestedWindow: { start: inDays(20), end: inDays(30) } } };
    pass(HOUR);
    const first = await newRequest(HOST);
    await until(["issued"], first.csr);
    await ask(first.csr);
    expect(authority.count(/renewal/)).toBe(1);
    expect(JSON.parse((await rowOf())["ari"]).id).toMatch(/^AQIDBA\./);
    const other = await given.issuer({ directory_url: `${authority.origin}/dir`, hosts: [HOST] });
    await patch(issuer["uri"], { hosts: ["other.example.com"] });
    pass(DAY);
    expect((await ask(first.csr)).body).toMatchObject({ state: "issued" });
    expect(await rowOf()).toMatchObject({ issuer_id: other["id"], ari: null });
    expect(authority.count(/renewal/)).toBe(1);
    pass(40 * DAY);
    await until(["issued"], (await newRequest(HOST)).csr);
    const orders = authority.got.filter(({ path }) => path === "/new-order");
    expect(orders.map(({ payload }) => payload["replaces"])).toEqual([undefined, undefined]);
  });

  test("is ordered without a hint that the authority rejects, for instance because its account is another one", async () => {
    authority.window = {
      body: { suggestedWindow: { start: "2020-01-01T00:00:00Z", end: "2020-01-02T00:00:00Z" } },
    };
    pass(HOUR);
    await until(["issued"], (await newRequest(HOST)).csr);
    authority.instead = ({ path, payload }) =>
      path === "/new-order" && payload["replaces"] !== undefined
        ? authority.error(403, "unauthorized", "another account's")
        : undefined;
    pass(HOUR);
    await ask((await newRequest(HOST)).csr);
    await post(`/certificates/${HOST}/renew`);
    await until(["issued"], (await newRequest(HOST)).csr);
    expect(await rowOf()).toMatchObject({ failures: 0, replaces: null });
  });

  test("is ordered before the last tenth of the life, even if the authority suggests to wait until it has ended", async () => {
    authority.window = {
      body: { suggestedWindow: { start: "9999-01-01T00:00:00Z", end: "9999-01-02T00:00:00Z" } },
    };
    pass(HOUR);
    const { csr } = await newRequest(HOST);
    await until(["issued"], csr);
    const { renews_at } = (await ask(csr)).body;
    const { not_before, not_after } = await rowOf();
    expect(Date.parse(renews_at)).toBe(
      Math.floor((not_after - (not_after - not_before) / 10) / SECOND) * SECOND,
    );
  });

  const [earlier, later] = ["2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z"];

  test.each<[string, Json]>([
    ["ends before it starts", { suggestedWindow: { start: later, end: earlier } }],
    ["ends as it starts", { suggestedWindow: { start: earlier, end: earlier } }],
    ["has a start only", { suggestedWindow: { start: earlier } }],
    ["has no instants", { suggestedWindow: { start: "yesterday", end: later } }],
    ["is missing", {}],
  ])("is ordered as usual if the authority's window %s", async (_, body) => {
    authority.window = { body };
    pass(HOUR);
    const { csr } = await newRequest(HOST);
    const { renews_at } = await until(["issued"], csr);
    expect((await ask(csr)).body["renews_at"]).toBe(renews_at);
    expect(authority.count(/renewal/)).toBe(1);
    pass(7 * HOUR);
    expect((await ask(csr)).body["renews_at"]).toBe(renews_at);
    expect(authority.count(/renewal/)).toBe(2);
  });

  test("is not asked about any more once it is due", async () => {
    authority.window = { body: { suggestedWindow: { start: earlier, end: later } } };
    pass(HOUR);
    const { csr } = await newRequest(HOST);
    await until(["issued"], csr);
    await ask(csr);
    pass(7 * HOUR);
    expect((await ask(csr)).body).toMatchObject({ state: "issued" });
    expect(authority.count(/renewal/)).toBe(1);
  });

  test("of another key is not ordered before, except once a day or when an editor renews it", async () => {
    const first = await newRequest(HOST);
    await until(["issued"], first.csr);
    const second = await newRequest(HOST);
    const calls = authority.got.length;
    const { body } = await ask(second.csr);
    expect(body).toMatchObject({
      state: "pending",
      chain: null,
      last_error: expect.stringMatching(/less than a day ago/),
    });
    expect((await ask(first.csr)).body["state"]).toBe("issued");
    expect(authority.got).toHaveLength(calls);
    expect(outcome(await post(`/certificates/${HOST}/renew`))).toBe("204");
    expect(Date.parse((await ask(first.csr)).body["renews_at"])).toBeLessThanOrEqual(clock.now());
    await until(["issued"], second.csr);
    pass(DAY);
    await until(["issued"], (await newRequest(HOST)).csr);
    expect(await eventsOf("certificate_issued.v0")).toHaveLength(3);
    expect(outcome(await post("/certificates/none.example.com/renew"))).toBe("404 ERR_NOT_FOUND");
  });

  test("of another key is ordered a day after the last one was issued, whenever its renewal was asked about", async () => {
    const inDays = (days: number) => new Date(clock.now() + days * DAY).toISOString();
    authority.window = { body: { suggestedWindow: { start: inDays(20), end: inDays(30) } } };
    pass(HOUR);
    const { csr } = await newRequest(HOST);
    await until(["issued"], csr);
    pass(20 * HOUR);
    await ask(csr);
    expect(authority.count(/renewal/)).toBe(1);
    const another = (await newRequest(HOST)).csr;
    expect((await ask(another)).body["last_error"]).toMatch(/less than a day ago/);
    pass(5 * HOUR);
    await until(["issued"], another);
  });

  test("is not ordered for a certificate that the agent reports, although its row was lost", async () => {
    const { csr } = await newRequest(HOST);
    await until(["issued"], csr);
    const row = await rowOf();
    const served = {
      hosts: [HOST],
      not_before: timestamp(row["not_before"]),
      not_after: timestamp(row["not_after"]),
      issuer: "CN=Fake authority",
      serial: row["serial"],
      source: "issued",
      used: true,
    };
    await report("lisbon", { certificates: [served] });
    await env.DB.prepare("delete from certificate_orders").run();
    const calls = authority.got.length;
    const { body } = await ask(csr);
    expect(body).toMatchObject({ state: "issued", chain: null, renews_at: timestamp(row["renews_at"]) });
    expect((await ask(csr)).body).toEqual(body);
    expect(authority.got).toHaveLength(calls);
    expect(await shown()).toMatchObject({ state: "valid", source: "issued", issuer: { id: issuer["id"] } });
    // Later, it is renewed with the key that the agent sends then, even if that is the same request.
    pass(61 * DAY);
    await report("lisbon", { certificates: [served] });
    await until(["issued"], csr);
    expect(await rowOf()).toMatchObject({ chain: expect.stringContaining("BEGIN") });
  });
});

describe("an authority costs a bounded number of requests, whatever it says", () => {
  /** What an agent does in so many hours: it makes a new key for each renewal, and repeats its request until then. */
  async function agentFor(hours: number): Promise<Json> {
    let { csr } = await newRequest(HOST);
    const end = clock.now() + hours * HOUR;
    let body: Json = {};
    while (clock.now() < end) {
      ({ body } = await ask(csr));
      if (body["renews_at"] !== null && Date.parse(body["renews_at"]) <= clock.now())
        ({ csr } = await newRequest(HOST));
      pass(body["retry_after"] * SECOND);
    }
    return body;
  }
  const own = (path: string): string => `${authority.origin}${path}`;

  test.each<[string, (path: string) => Response | undefined]>([
    [
      "is always at work, and asks to be asked at once",
      (path) =>
        path.startsWith("/order/")
          ? Response.json({ status: "processing" }, { headers: { "Retry-After": "0" } })
          : undefined,
    ],
    [
      "never decides on a challenge",
      (path) => (path.startsWith("/challenge/") ? Response.json({ status: "pending" }) : undefined),
    ],
    [
      "is always ready",
      (path) =>
        path.startsWith("/order/")
          ? Response.json({ status: "ready", finalize: own("/finalize/0") })
          : path.startsWith("/finalize/")
            ? authority.error(403, "orderNotReady")
            : undefined,
    ],
  ])("%s", async (_, answer) => {
    authority.instead = ({ path }) => answer(path);
    const { state, last_error } = await agentFor(6);
    expect([state, last_error]).toEqual(["failing", "The authority has not finished the order."]);
    expect(authority.got.length).toBeLessThan(250);
    // An announcement makes the authority validate again.
    expect(authority.count(/challenge/)).toBeLessThan(12);
  });

  test("loses each account again", async () => {
    let account = 1;
    authority.instead = ({ path }) => {
      if (path === "/new-order") return authority.error(400, "accountDoesNotExist");
      return path === "/new-account"
        ? Response.json({}, { headers: { Location: own(`/account/${++account}`) } })
        : undefined;
    };
    expect(await agentFor(8)).toMatchObject({ state: "paused" });
    expect(account).toBeLessThan(8);
  });

  test("always wants to have the certificate renewed now", async () => {
    const [start, end] = ["2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z"];
    authority.window = { body: { suggestedWindow: { start, end } } };
    pass(HOUR);
    await agentFor(23);
    // The first renewal is at once.
    expect(await eventsOf("certificate_issued.v0")).toHaveLength(2);
    await agentFor(12);
    expect(await eventsOf("certificate_issued.v0")).toHaveLength(3);
  });

  test("issues certificates of a second", async () => {
    authority.lie = {
      get from() {
        return clock.now() - SECOND;
      },
      get until() {
        return clock.now() + SECOND;
      },
    };
    expect(await agentFor(8)).toMatchObject({ state: "paused" });
    expect(authority.count(/new-order/)).toBe(5);
  });
});

describe("rows", () => {
  test("a step is made once, however many requests there are at the same time", async () => {
    const { csr } = await newRequest(HOST);
    for (let i = 0; i < 8; i++) {
      const answers = await Promise.all(Array.from({ length: 4 }, () => ask(csr)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      pass(6 * SECOND);
    }
    expect(authority.count(/new-order/)).toBe(1);
    expect(authority.count(/finalize/)).toBe(1);
    expect(await eventsOf("certificate_issued.v0")).toHaveLength(1);
  });

  test("agents have their orders for a host one after another", async () => {
    await report("porto");
    const requests = [
      { agent: "lisbon", ...(await newRequest(HOST)) },
      { agent: "porto", ...(await newRequest(HOST)) },
    ];
    let open = 0;
    for (let i = 0; i < 20; i++) {
      await Promise.all(requests.map(({ csr, agent }) => ask(csr, agent)));
      const rows = await env.DB.prepare(
        "select count(*) as n from certificate_orders where order_url is not null",
      ).first<Json>();
      open = Math.max(open, rows?.["n"]);
      pass(6 * SECOND);
    }
    expect(open).toBe(1);
    for (const { csr, agent } of requests) expect((await ask(csr, agent)).body["state"]).toBe("issued");
  });

  test("a step that was never finished is made again after its lease", async () => {
    const { csr } = await newRequest(HOST);
    await ask(csr);
    await env.DB.prepare("update certificate_orders set lease = 'lost', lease_until = ?, next_attempt_at = 0")
      .bind(clock.now() + MINUTE)
      .run();
    const calls = authority.got.length;
    expect((await ask(csr)).body).toMatchObject({ state: "pending", retry_after: 60 });
    expect(authority.got).toHaveLength(calls);
    pass(MINUTE);
    await until(["issued"], csr);
  });

  test("note once a minute that their agents still ask", async () => {
    const { csr } = await newRequest(HOST);
    await ask(csr);
    await env.DB.prepare("update certificate_orders set next_attempt_at = ?")
      .bind(clock.now() + HOUR)
      .run();
    const { asked_at: first } = await rowOf();
    pass(59 * SECOND);
    await ask(csr);
    expect(await rowOf()).toMatchObject({ asked_at: first });
    pass(SECOND);
    await ask(csr);
    const { asked_at: second } = await rowOf();
    expect(second).toBeGreaterThanOrEqual(first + MINUTE);
  });

  test("are deleted with the agent, the edge and the issuer", async () => {
    const { csr } = await newRequest(HOST);
    await ask(csr);
    expect(outcome(await del("/agents/lisbon"))).toBe("204");
    expect(await rowOf()).toEqual({});
    await report("lisbon");
    await ask(csr);
    await patch(edge["uri"], { hostports: ["other.example.com:443"] });
    expect(outcome(await ask(csr))).toBe("404 ERR_NOT_FOUND");
    expect(await rowOf()).toEqual({});
    await patch(edge["uri"], { hostports: [`${HOST}:443`] });
    await ask(csr);
    expect(await rowOf()).toMatchObject({ state: "pending" });
    await del(issuer["uri"]);
    expect(outcome(await ask(csr))).toBe("404 ERR_NOT_FOUND");
    expect(await rowOf()).toEqual({});
  });

  test("keep the key of an order in progress, so that its certificate is recorded and counts", async () => {
    for (let i = 0; i < 8; i++) {
      const { body } = await ask((await newRequest(HOST)).csr);
      pass((body["retry_after"] + 1) * SECOND);
    }
    expect(await rowOf()).toMatchObject({ state: "issued", failures: 0 });
    expect(await eventsOf("certificate_issued.v0")).toHaveLength(1);
  });

  test("are not continued for a key that was deleted", async () => {
    const other = await given.key({ role: "agent" });
    await report("porto", {}, other);
    const { csr } = await newRequest(HOST);
    await ask(csr, "porto", HOST, other);
    expect(await rowOf("porto")).toMatchObject({ state: "pending" });
    await del(other["uri"]);
    pass(11 * MINUTE);
    for (let i = 0; i < 4; i++) await everyMinute(env, clock.now());
    expect(await rowOf("porto")).toEqual({});
    expect(await eventsOf("certificate_issued.v0")).toEqual([]);
  });

  test("are not continued for names for which no certificate is ordered, even if an editor renews them", async () => {
    await patch(issuer["uri"], { hosts: ["*"] });
    await given.httpsEdge({ hostports: ["shop.internal:443"] });
    const { csr } = await newRequest("shop.internal");
    await ask(csr, "lisbon", "shop.internal");
    await post("/certificates/shop.internal/renew", undefined);
    pass(11 * MINUTE);
    for (let i = 0; i < 4; i++) await everyMinute(env, clock.now());
    expect(await rowOf("lisbon", "shop.internal")).toEqual({});
    expect(await eventsOf("certificate_issued.v0")).toEqual([]);
  });

  test("of an issuer whose key cannot be opened do not keep the others from their steps", async () => {
    const hosts = ["a", "b", "c"].map((name) => `${name}.broken.example.com`);
    const broken = await given.issuer({ directory_url: `${authority.origin}/dir`, hosts });
    for (const host of hosts) {
      await given.httpsEdge({ hostports: [`${host}:443`] });
      await ask((await newRequest(host)).csr, "lisbon", host);
    }
    pass(SECOND);
    await ask((await newRequest(HOST)).csr);
    await env.DB.prepare("update certificate_issuers set account_key = 'x' where id = ?")
      .bind(broken["id"])
      .run();
    pass(11 * MINUTE);
    for (let i = 0; i < 3; i++) await everyMinute(env, clock.now());
    expect(await rowOf()).toMatchObject({ state: "issued" });
  });

  test("are left for the next minute when a run has taken its time", async () => {
    const hosts = Array.from({ length: 8 }, (_, index) => `slow-${index}.example.com`);
    await patch(issuer["uri"], { hosts });
    await given.httpsEdge({ hostports: hosts.map((host) => `${host}:443`) });
    for (const host of hosts) await ask((await newRequest(host)).csr, "lisbon", host);
    pass(11 * MINUTE);
    const before = authority.count(/authorization/);
    authority.instead = ({ path }) => {
      if (path.startsWith("/authorization/")) pass(MINUTE);
      return undefined;
    };
    await everyMinute(env, clock.now());
    const steps = authority.count(/authorization/) - before;
    expect(steps).toBeGreaterThan(0);
    // Three begin at the same time.
    expect(steps).toBeLessThan(4);
  });

  test("that wait for another agent's order do not keep that order from its step", async () => {
    await ask((await newRequest(HOST)).csr);
    const first = await rowOf();
    expect(first).toMatchObject({ order_url: expect.any(String) });
    const columns = Object.keys(first).filter(
      (name) => name !== "agent" && name !== "order_url" && name !== "next_attempt_at",
    );
    for (let i = 0; i < 20; i++) {
      const name = `waiting-${i}`;
      await env.DB.prepare(
        "insert into agents select ? as name, key_id, last_seen, applied_version, ok, error, problems, proxy, edges from agents where name = 'lisbon'",
      )
        .bind(name)
        .run();
      await env.DB.prepare(
        `insert into certificate_orders (agent, order_url, next_attempt_at, ${columns.join()}) select ?, null, 1, ${columns.join()} from certificate_orders where agent = 'lisbon'`,
      )
        .bind(name)
        .run();
    }
    pass(11 * MINUTE);
    for (let i = 0; i < 3; i++) await everyMinute(env, clock.now());
    expect(await rowOf()).toMatchObject({ state: "issued" });
  });

  test("the minute's run continues those for which nobody asks, and deletes those that nobody needs", async () => {
    const run = () => everyMinute(env, clock.now());
    const { csr } = await newRequest(HOST);
    await ask(csr);
    pass(9 * MINUTE);
    await run();
    expect(await rowOf()).toMatchObject({ state: "pending", order_url: expect.any(String) });
    pass(2 * MINUTE);
    for (let i = 0; i < 3; i++) await run();
    expect(await rowOf()).toMatchObject({ state: "issued" });
    const [event] = await eventsOf("certificate_issued.v0");
    expect(event?.["principal"]).toMatchObject({ id: "system", subject: "certificates" });
    pass(8 * DAY);
    await run();
    expect(await rowOf()).toEqual({});
    await ask(csr);
    pass(11 * MINUTE);
    await del(edge["uri"]);
    await run();
    expect(await rowOf()).toEqual({});
    await given.httpsEdge({ hostports: [`${HOST}:443`] });
    await ask(csr);
    await patch(issuer["uri"], { agents: ["porto"] });
    pass(11 * MINUTE);
    await run();
    expect(await rowOf()).toEqual({});
    await patch(issuer["uri"], { agents: ["*"] });
    await ask(csr);
    const before = authority.count(/order/);
    await patch(issuer["uri"], { hosts: ["other.example.com"] });
    await given.issuer({ directory_url: `${authority.origin}/dir`, hosts: [HOST] });
    pass(11 * MINUTE);
    await run();
    expect(await rowOf()).toEqual({});
    expect(authority.count(/order/)).toBe(before);
  });
});

describe("the account", () => {
  test("is registered again with the same key if the authority lost it, which is a problem until somebody changes the issuer", async () => {
    const { csr } = await newRequest(HOST);
    await ask(csr);
    const [[jwk = "", first = 0] = []] = authority.accounts;
    authority.accounts.clear();
    authority.accounts.set("another", 1);
    authority.accounts.set(jwk, first + 1);
    authority.accounts.delete("another");
    pass(SECOND);
    await until(["issued"], csr);
    expect(authority.accounts.size).toBe(1);
    expect((await get(issuer["uri"])).body).toMatchObject({
      account_uri: `${authority.origin}/account/2`,
      last_error: expect.stringMatching(/CAA/),
    });
    const problems = async (): Promise<Json[]> =>
      (await get("/problems")).body["problems"].filter(({ code }: Json) => code === "issuer_account_changed");
    expect(await problems()).toEqual([expect.objectContaining({ object: issuer["id"] })]);
    await patch(issuer["uri"], { description: "CAA record changed" });
    expect(await problems()).toEqual([]);
    const registered = authority.count(/new-account/);
    await patch(issuer["uri"], { description: "once more" });
    await ask(csr);
    expect(authority.count(/new-account/)).toBe(registered);
  });

  test("is not registered again when its external account is set", async () => {
    await ask((await newRequest(HOST)).csr);
    expect(authority.count(/new-account/)).toBe(1);
    const external_account = { key_id: "kid-1", hmac_key: "ZXhhbXBsZS1rZXk" };
    await patch(issuer["uri"], { external_account });
    // It is registered later than the first one would be.
    const other = await given.issuer({ directory_url: `${authority.origin}/dir`, hosts: ["*.example.com"] });
    await expect.poll(async () => (await get(other["uri"])).body["account_uri"]).not.toBeNull();
    expect(authority.count(/new-account/)).toBe(2);
  });

  test("has a CAA record with the first valid name of the authority", async () => {
    const directory = await (await authority.answer(new Request(`${authority.origin}/dir`))).json<Json>();
    const caaIdentities = ['x"; issue "', 7, "", "first.example", "second.example"];
    authority.instead = ({ path }) =>
      path === "/names" ? Response.json({ ...directory, meta: { caaIdentities } }) : undefined;
    const { uri } = await given.issuer({
      directory_url: `${authority.origin}/names`,
      hosts: ["*.example.com"],
    });
    await expect
      .poll(async () => (await get(uri)).body["caa"])
      .toMatch(/^0 issue "first\.example; accounturi=/);
  });

  test("that is rejected fails the request, and the issuer says why", async () => {
    authority.accounts.clear();
    await env.DB.prepare("update certificate_issuers set account_uri = null").run();
    authority.instead = ({ path }) =>
      path === "/new-account" ? authority.error(403, "unauthorized", "no such customer") : undefined;
    const { csr } = await newRequest(HOST);
    const { body } = await ask(csr);
    expect(body).toMatchObject({ state: "failing", last_error: expect.stringContaining("no such customer") });
    expect((await get(issuer["uri"])).body["last_error"]).toContain("no such customer");
    authority.instead = () => undefined;
    pass(2 * MINUTE);
    await until(["issued"], csr);
    expect((await get(issuer["uri"])).body).toMatchObject({
      last_error: null,
      account_uri: expect.any(String),
    });
  });

  test("is not registered again and again by an authority that finds it and does not know it", async () => {
    const { csr } = await newRequest(HOST);
    await ask(csr);
    authority.instead = ({ path }) =>
      path.startsWith("/order") ? authority.error(400, "accountDoesNotExist") : undefined;
    pass(SECOND);
    const { body } = await ask(csr);
    expect(body).toMatchObject({
      state: "failing",
      retry_after: 60,
      last_error: "The authority rejects its own account.",
    });
    expect((await get(issuer["uri"])).body["last_error"]).toBeNull();
  });

  test("is registered later if the authority is down: the request says so, and the issuer has no error", async () => {
    await env.DB.prepare("update certificate_issuers set account_uri = null").run();
    authority.instead = ({ path }) =>
      path === "/new-account" ? authority.error(500, "serverInternal", "later") : undefined;
    const { body } = await ask((await newRequest(HOST)).csr);
    expect(body).toMatchObject({ state: "pending", last_error: expect.stringContaining("later") });
    expect((await get(issuer["uri"])).body).toMatchObject({ account_uri: null, last_error: null });
  });
});

test("a URL of an account that would break the CAA record is rejected", async () => {
  await env.DB.prepare("update certificate_issuers set account_uri = null").run();
  authority.instead = ({ path }) =>
    path === "/new-account"
      ? Response.json({}, { headers: { Location: `${authority.origin}/1"; issue "` } })
      : undefined;
  const { body } = await ask((await newRequest(HOST)).csr);
  expect(body).toMatchObject({ state: "failing", last_error: "The authority names no account URL." });
  expect((await get(issuer["uri"])).body).toMatchObject({ account_uri: null, caa: null });
});

describe("an authority that lies is rejected, and nothing of it is passed on", () => {
  const redirect = () =>
    new Response(null, { status: 302, headers: { Location: "https://elsewhere.example.com" } });
  const endless = () =>
    new Response(
      new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(0x20)) }),
    );
  test.each<[string, string, (path: string) => Response | Promise<Response> | undefined, RegExp]>([
    [
      "another origin for orders",
      "dir",
      () =>
        Response.json({
          newNonce: `${authority.origin}/nonce`,
          newAccount: `${authority.origin}/new-account`,
          newOrder: "https://elsewhere.example.com/",
        }),
      /newOrder URL has another origin/,
    ],
    ["no URLs", "dir", () => Response.json({}), /names no newNonce URL/],
    ["no JSON", "dir", () => new Response("<html>"), /not a JSON object/],
    ["a redirect", "dir", redirect, /redirect/],
    ["an endless directory", "dir", endless, /longer than 100000 bytes/],
    ["an endless order", "order", endless, /longer than 100000 bytes/],
    ["an endless chain", "certificate", endless, /longer than 100000 bytes/],
    [
      "an order elsewhere",
      "new-order",
      () =>
        new Response("{}", { status: 201, headers: { Location: "https://elsewhere.example.com/order/0" } }),
      /order URL has another origin/,
    ],
    ["an order nowhere", "new-order", () => new Response("{}", { status: 201 }), /names no order URL/],
    ["an unknown status", "order", () => Response.json({ status: "later" }), /unknown status/],
    [
      "an authorization elsewhere",
      "order",
      () => Response.json({ status: "pending", authorizations: ["https://elsewhere.example.com/"] }),
      /authorization URL has another origin/,
    ],
    [
      "an authorization of another name",
      "authorization",
      () => Response.json({ status: "pending", identifier: { type: "dns", value: "other.example.com" } }),
      /another name/,
    ],
    [
      "no challenge",
      "authorization",
      () =>
        Response.json({
          status: "pending",
          identifier: { type: "dns", value: HOST },
          challenges: [{ type: "dns-01" }, 7, null],
        }),
      /no http-01 challenge/,
    ],
    [
      "an order that is gone",
      "order",
      () => authority.error(404, "malformed", "No such order"),
      /No such order/,
    ],
  ])("%s", async (_, where, answer, reason) => {
    const { csr } = await newRequest(HOST);
    if (where === "dir") await patch(issuer["uri"], { hosts: ["other.example.com"] });
    const own = authority;
    if (where === "dir") {
      own.instead = ({ path }) => (path === "/dir2" ? answer(path) : undefined);
      await given.issuer({ directory_url: `${own.origin}/dir2`, hosts: [HOST] });
    } else own.instead = ({ path }) => (path.split("/")[1] === where ? answer(path) : undefined);
    const body = await until(["failing"], csr);
    expect(body).toMatchObject({ chain: null, last_error: expect.stringMatching(reason) });
    own.instead = () => undefined;
  });

  test.each<[string, () => void, RegExp]>([
    ["another name", () => (authority.lie = { hosts: ["other.example.com"] }), /not for exactly this host/],
    [
      "two names",
      () => (authority.lie = { hosts: [HOST, "other.example.com"] }),
      /not for exactly this host/,
    ],
    [
      "an expired certificate",
      () => (authority.lie = { from: clock.now() - 2 * DAY, until: clock.now() - DAY }),
      /not valid now/,
    ],
    [
      "a future certificate",
      () => (authority.lie = { from: clock.now() + DAY, until: clock.now() + 2 * DAY }),
      /not valid now/,
    ],
    ["no certificate", () => (authority.lie = { chain: "-----BEGIN PRIVATE KEY-----" }), /no certificate/],
  ])("%s", async (_, lie, reason) => {
    lie();
    const { csr } = await newRequest(HOST);
    const body = await until(["failing"], csr);
    expect(body).toMatchObject({ chain: null, last_error: expect.stringMatching(reason) });
    expect(await eventsOf("certificate_issued.v0")).toEqual([]);
  });

  test("another key", async () => {
    authority.lie = { key: [...(await newRequest(HOST)).key] };
    const body = await until(["failing"], (await newRequest(HOST)).csr);
    expect(body).toMatchObject({ chain: null, last_error: expect.stringMatching(/key of the request/) });
  });

  test("nonces that are never accepted end after some repetitions", async () => {
    const { csr } = await newRequest(HOST);
    authority.instead = ({ path }) => (path === "/new-order" ? authority.error(400, "badNonce") : undefined);
    const { body } = await ask(csr);
    expect(body).toMatchObject({ state: "pending", last_error: expect.stringMatching(/badNonce/) });
    expect(authority.count(/new-order/)).toBe(6);
    expect(
      new Set(authority.got.filter(({ path }) => path === "/new-order").map((got) => got.protected["nonce"]))
        .size,
    ).toBe(6);
  });
});
