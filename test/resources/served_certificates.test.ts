import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clock, timestamp } from "../../packages/model/src/clock.ts";
import { everyMinute } from "../../src/background.ts";
import { del, get, outcome, put } from "../support/api.ts";
import * as given from "../support/given.ts";
import type { Json } from "../support/json.ts";
import { skipEvents } from "../support/stored.ts";

/*
 * The inventory of certificates: what agents report, and what people see of it.
 */

const DAY = 86_400_000;
const realNow = clock.now;
const start = Math.floor(Date.now() / 1000) * 1000;
const at = (days: number): string => timestamp(start + days * DAY);
let key: Json = {};

beforeEach(async () => {
  clock.now = () => start;
  for (const table of [
    "tcp_edges",
    "tls_edges",
    "https_edges",
    "uses",
    "agents",
    "agent_certificates",
    "certificate_notices",
  ])
    await env.DB.prepare(`delete from ${table}`).run();
  key = await given.key({ role: "agent" });
  await env.DB.prepare("delete from events where seq < (select max(seq) from events)").run();
  await skipEvents();
});
afterEach(() => {
  clock.now = realNow;
});

/** A certificate that ends in so many days, and lasts 90. */
const certificate = (left: number, given: Json = {}): Json => ({
  hosts: ["shop.example.com"],
  not_before: at(left - 90),
  not_after: at(left),
  issuer: "C=US, O=Let's Encrypt, CN=R11",
  serial: `0${Math.abs(Math.round(left * 10))}`,
  source: "file",
  used: true,
  ...given,
});

const send = (name: string, fields: Json, { token } = key) =>
  put(`/agents/${name}/status`, { applied_version: 1, ok: true, ...fields }, { token });

async function report(name: string, certificates: Json[], fields: Json = {}): Promise<void> {
  const { status, text } = await send(name, { certificates, ...fields });
  expect(status, text).toBe(200);
}

const list = async (query = ""): Promise<Json[]> => (await get(`/certificates${query}`)).body["certificates"];
const hosts = async (query = ""): Promise<string[]> => (await list(query)).map(({ host }) => host);
const states = async (): Promise<Json> =>
  Object.fromEntries((await list()).map(({ host, state }) => [host, state]));
const ofHost = async (host: string): Promise<Json> => (await list(`?host=${host}`))[0] ?? {};

test("an edge's host is listed with the certificates that agents have for it", async () => {
  const edge = await given.httpsEdge();
  await report("lisbon-1", [certificate(60)]);
  await report("lisbon-2", [certificate(50)]);
  expect(await list()).toEqual([
    {
      host: "shop.example.com",
      edges: [{ id: edge["id"], uri: edge["uri"] }],
      source: "file",
      issuer: null,
      issued_by: "C=US, O=Let's Encrypt, CN=R11",
      state: "valid",
      not_after: at(50),
      renews_at: null,
      last_error: null,
      next_attempt_at: null,
      agents: [
        { name: "lisbon-2", serial: "0500", not_after: at(50) },
        { name: "lisbon-1", serial: "0600", not_after: at(60) },
      ],
      agent_count: 2,
    },
  ]);
});

describe("the state of a host", () => {
  test("is that of the certificate that ends first", async () => {
    await given.httpsEdge();
    await report("lisbon-1", [certificate(60)]);
    await report("lisbon-2", [certificate(22.6)]);
    expect(await states()).toEqual({ "shop.example.com": "valid" });
    await report("lisbon-2", [certificate(22.5)]);
    expect(await states()).toEqual({ "shop.example.com": "ending" });
    await report("lisbon-2", [certificate(-1)]);
    expect(await ofHost("shop.example.com")).toMatchObject({ state: "ending", not_after: at(-1) });
  });

  test("is missing if an edge terminates TLS for it, and no agent has a valid certificate", async () => {
    await given.httpsEdge();
    const backend = { backend_id: (await given.staticBackend())["id"] };
    await given.tlsEdge({ backend, tls_termination: { terminate_at: "edge" } });
    await given.tlsEdge({
      hostports: ["passed.example.com:443"],
      backend,
      tls_termination: { terminate_at: "upstream" },
    });
    await given.tlsEdge({ hostports: ["plain.example.com:443"], backend });
    await given.tcpEdge({ hostports: ["tcp.example.com:22"] });
    await report("lisbon-1", []);
    expect(await states()).toEqual({ "shop.example.com": "missing", "tls.example.com": "missing" });
    await report("lisbon-1", [certificate(-1), certificate(200, { hosts: ["tls.example.com"] })]);
    expect(await states()).toEqual({ "shop.example.com": "missing", "tls.example.com": "missing" });
    expect(await ofHost("shop.example.com")).toMatchObject({ not_after: at(-1), agent_count: 1 });
    await report("lisbon-2", [certificate(40, { hosts: ["tls.example.com"] })]);
    expect(await states()).toMatchObject({ "tls.example.com": "valid" });
  });

  test("is unknown if no agent reports, or one does not report everything", async () => {
    await given.httpsEdge();
    expect(await states()).toEqual({ "shop.example.com": "unknown" });
    await report("lisbon-1", []);
    expect(await states()).toEqual({ "shop.example.com": "missing" });
    await send("older", {});
    expect(await states()).toEqual({ "shop.example.com": "unknown" });
    await del("/agents/older");
    await report("lisbon-2", [], { certificates_left_out: 1 });
    expect(await states()).toEqual({ "shop.example.com": "unknown" });
    await report("lisbon-2", [certificate(60)], { certificates_left_out: 1 });
    expect(await states()).toEqual({ "shop.example.com": "valid" });
    clock.now = () => start + 200_000;
    expect(await states()).toEqual({ "shop.example.com": "unknown" });
  });

  test("allows for clocks that differ", async () => {
    await given.httpsEdge();
    await report("lisbon-1", [certificate(60, { not_before: timestamp(start + 240_000) })]);
    expect(await states()).toEqual({ "shop.example.com": "valid" });
    await report("lisbon-1", [certificate(60, { not_before: timestamp(start + 400_000) })]);
    expect(await states()).toEqual({ "shop.example.com": "missing" });
  });
});

test("an agent that stops reporting certificates, or is deleted, has none", async () => {
  await given.httpsEdge();
  await report("lisbon-1", [certificate(60)]);
  await send("lisbon-1", {});
  expect(await ofHost("shop.example.com")).toMatchObject({ state: "unknown", agent_count: 0 });
  await report("lisbon-1", [certificate(60)]);
  await del("/agents/lisbon-1");
  expect(await env.DB.prepare("select count(*) as n from agent_certificates").first("n")).toBe(0);
});

test("a key cannot report certificates under the name of another key", async () => {
  await given.httpsEdge();
  await report("lisbon-1", [certificate(60)]);
  const other = await given.key({ role: "agent" });
  for (const fields of [{ certificates: [certificate(1)] }, {}]) {
    expect(outcome(await send("lisbon-1", fields, other))).toBe("403 ERR_FORBIDDEN");
    expect(await ofHost("shop.example.com")).toMatchObject({ state: "valid", agent_count: 1 });
  }
});

test("a wildcard covers one label; as agents do, the exact name is preferred, and a valid certificate first of all", async () => {
  for (const host of ["example.com", "a.example.com", "a.b.example.com", "192.0.2.7", "[2001:DB8::1]"])
    await given.httpsEdge({ hostports: [`${host}:443`] });
  const wildcard = certificate(80, { hosts: ["*.example.com"] });
  const addresses = certificate(70, { hosts: ["192.0.2.7", "2001:db8::1"] });
  await report("lisbon-1", [wildcard, addresses]);
  expect(await states()).toEqual({
    "*.example.com": "valid",
    "192.0.2.7": "valid",
    "2001:db8::1": "valid",
    "a.b.example.com": "missing",
    "a.example.com": "valid",
    "example.com": "missing",
  });
  await report("lisbon-1", [wildcard, certificate(30, { hosts: ["a.example.com"] })]);
  expect(await ofHost("a.example.com")).toMatchObject({ not_after: at(30) });
  await report("lisbon-1", [wildcard, certificate(-1, { hosts: ["a.example.com"] })]);
  expect(await ofHost("A.EXAMPLE.COM")).toMatchObject({ not_after: at(80), state: "valid" });
  expect((await ofHost("*.example.com"))["edges"]).toEqual([]);
});

test("hosts are listed in pages, by state or by name", async () => {
  await given.httpsEdge({ hostports: ["d.example.com:443", "d.example.com:8443"] });
  await report("lisbon-1", [
    certificate(60, { hosts: ["c.example.com", "a.example.com", "a.example.com"] }),
    certificate(10, { hosts: ["b.example.com"] }),
  ]);
  expect(await hosts()).toEqual(["a", "b", "c", "d"].map((one) => `${one}.example.com`));
  const { body } = await get("/certificates?limit=2");
  expect(body["certificates"].map(({ host }: Json) => host)).toEqual(["a.example.com", "b.example.com"]);
  expect(body["next_page_uri"]).toBe("https://api.test/certificates?after=b.example.com&limit=2");
  expect(await hosts("?after=b.example.com&limit=2")).toEqual(["c.example.com", "d.example.com"]);
  const valid = await get("/certificates?state=valid&limit=1");
  expect(valid.body["next_page_uri"]).toContain("state=valid");
  expect(await hosts("?state=valid&after=a.example.com")).toEqual(["c.example.com"]);
  expect(await hosts("?state=ending")).toEqual(["b.example.com"]);
  expect(await hosts("?state=missing")).toEqual(["d.example.com"]);
  expect(await hosts("?host=nowhere.example.com")).toEqual([]);
  for (const query of [
    "?state=renewing",
    "?host=",
    "?host=a:443",
    "?host=a%0a",
    "?after=%3Cb%3E",
    "?limit=101",
  ])
    expect((await get(`/certificates${query}`)).status, query).toBe(400);
});

describe("a report", () => {
  test("of an issuer with characters that nobody sees is kept without them", async () => {
    await given.httpsEdge();
    const issuer = 'CN=<img src=x onerror="alert(1)">\u001B[31m\u202E\n\u0000';
    await report("lisbon-1", [certificate(60, { issuer })]);
    expect((await ofHost("shop.example.com"))["issued_by"]).toBe(
      'CN=<img src=x onerror="alert(1)">\u{FFFD}[31m\u{FFFD}\u{FFFD}\u{FFFD}',
    );
    await report("lisbon-1", [certificate(60, { issuer: "" })]);
    expect((await ofHost("shop.example.com"))["issued_by"]).toBe("");
  });

  test.each([
    { issuer: "x".repeat(10_000) },
    { issuer: "\uD800" },
    { hosts: ["Shop.example.com"] },
    { hosts: ["a.*.example.com"] },
    { hosts: ["<b>"] },
    { hosts: ["a".repeat(254)] },
    { hosts: Array.from({ length: 101 }, (_, i) => `h${i}.example.com`) },
    { not_after: "2026-02-30T00:00:00Z" },
    { not_after: "never" },
    { not_after: "9999-12-31T23:59:59-01:00" },
    { not_before: 0 },
    { serial: "" },
    { serial: "XYZ" },
    { serial: "0".repeat(65) },
    { source: "vault" },
    { used: "yes" },
    { key: "-----BEGIN PRIVATE KEY-----" },
  ])("with %j is rejected, and changes nothing", async (wrong) => {
    await report("lisbon-1", [certificate(60)]);
    const answer = await send("lisbon-1", { certificates: [certificate(10, wrong)] });
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain("PRIVATE KEY-----");
    expect(await ofHost("shop.example.com")).toMatchObject({ state: "valid" });
  });

  test("has at most 100 certificates and 32 kB, in addition to the rest of the status", async () => {
    const many = (count: number, hosts: string[] = []) => ({
      certificates: Array.from({ length: count }, (_, i) => certificate(60, { hosts, serial: `${i}` })),
    });
    const problems = Array.from({ length: 35 }, () => ({ object: "x", code: "x", msg: "ü".repeat(900) }));
    expect((await send("lisbon-1", { ...many(100), problems })).status).toBe(200);
    expect((await send("lisbon-1", many(101))).status).toBe(400);
    expect((await send("lisbon-1", many(100, ["a".repeat(200)]))).status).toBe(400);
  });

  test("of strange but possible certificates is accepted", async () => {
    await report("lisbon-1", [
      certificate(60, { not_before: "0000-01-01T00:00:00Z", not_after: "9999-12-31T23:59:59Z" }),
      certificate(60, { hosts: [] }),
      certificate(60, { hosts: ["backwards.example.com"], not_before: at(1), not_after: at(-1) }),
      certificate(60, { hosts: ["xn--bcher-kva.example", "_dmarc.example.com"], serial: "-0a" }),
    ]);
    expect(await states()).toEqual({
      "_dmarc.example.com": "valid",
      "backwards.example.com": "ending",
      "shop.example.com": "valid",
      "xn--bcher-kva.example": "valid",
    });
  });
});

describe("a certificate that ends", () => {
  const problems = async (): Promise<Json[]> =>
    (await get("/problems")).body["problems"].filter(({ code }: Json) => code === "certificate_ending");

  test("is a problem of the edges that need it", async () => {
    const edge = await given.httpsEdge({ hostports: ["shop.example.com:443", "other.example.com:443"] });
    await given.httpsEdge({ hostports: ["fine.example.com:443"] });
    const both = [certificate(10), certificate(60, { hosts: ["*.example.com"] })];
    await report("lisbon-1", both);
    await report("lisbon-2", both);
    expect(await problems()).toEqual([
      {
        object: edge["id"],
        code: "certificate_ending",
        msg: `Less than a quarter of the life of a certificate is left: that for shop.example.com ends at ${at(10)} on lisbon-1 and 1 more. Renew it.`,
        effect: "warning",
      },
    ]);
    await report("lisbon-1", [certificate(60)]);
    await report("lisbon-2", [certificate(10, { used: false }), certificate(60)]);
    expect(await problems()).toEqual([]);
  });

  /** The events of certificates so far, oldest first. */
  const events = async (): Promise<Json[]> =>
    (await get("/events?type=certificate_ending.v0")).body["events"].toReversed();
  const left = async (): Promise<string[]> =>
    (await events()).map(({ object }) => `${object.host} ${object.serial} ${object.within_days}`);

  /** Agents report, and the minute's run happens, this many days before the certificate's end. */
  async function passes(days: number, ...certificates: Json[]): Promise<void> {
    clock.now = () => start + (100 - days) * DAY;
    for (const name of ["lisbon-1", "lisbon-2"]) await report(name, certificates);
    await everyMinute(env, clock.now());
    await everyMinute(env, clock.now() + 1000);
  }

  test("makes one event for each of 14, 7, 3 and 1 days, whichever agents have it", async () => {
    await given.httpsEdge();
    const own = certificate(100, { serial: "0a" });
    await passes(14.1, own);
    expect(await left()).toEqual([]);
    for (const days of [14, 13, 7, 5, 3, 1, 0.5, -1]) await passes(days, own);
    expect(await left()).toEqual([14, 7, 3, 1].map((days) => `shop.example.com 0a ${days}`));
    const [first] = await events();
    expect(first).toMatchObject({
      event_type: "certificate_ending.v0",
      principal: { id: "system", subject: "certificates", source: "System", credential: null },
      object: {
        id: "crt_0a",
        uri: "https://api.test/certificates?host=shop.example.com",
        host: "shop.example.com",
        serial: "0a",
        issued_by: "C=US, O=Let's Encrypt, CN=R11",
        not_after: at(100),
        within_days: 14,
      },
    });
  });

  test("makes none outside of the last quarter of its life", async () => {
    await given.httpsEdge();
    const short = certificate(100, { not_before: at(94), serial: "0b" });
    for (const days of [3, 1.6, 1.4, 1])
      await passes(days, short, certificate(102, { used: true, hosts: [] }));
    expect(await left()).toEqual(["shop.example.com 0b 1"]);
  });

  test("makes none if it is not used, or no edge has its host", async () => {
    await given.tcpEdge({ hostports: ["shop.example.com:443"] });
    await passes(6, certificate(100), certificate(100, { used: false }));
    expect(await left()).toEqual([]);
    await given.httpsEdge({ hostports: ["shop.example.com.:8443"] });
    await passes(6, certificate(100, { hosts: ["shop.example.com", "www.example.com", "*.example.com"] }));
    expect(await left()).toEqual(["*.example.com 01000 7", "shop.example.com 01000 7"]);
  });

  test("makes at most 20 events in a run, the others in the next", async () => {
    const names = Array.from({ length: 30 }, (_, i) => `*.h${i}.example.com`);
    clock.now = () => start + 95 * DAY;
    await report("lisbon-1", [certificate(100, { hosts: names })]);
    await everyMinute(env, clock.now());
    expect(await left()).toHaveLength(20);
    await everyMinute(env, clock.now());
    expect(await left()).toHaveLength(30);
  });

  test("makes events for each key's agents in turn, however many another key's agents report", async () => {
    await given.httpsEdge();
    clock.now = () => start + 95 * DAY;
    const other = await given.key({ role: "agent" });
    const own = certificate(100);
    await report("lisbon-1", [own]);
    const hosts = Array.from({ length: 30 }, (_, i) => `*.h${i}.example.com`);
    const certificates = [certificate(96, { hosts }), own];
    expect((await send("porto-1", { certificates }, other)).status).toBe(200);
    await everyMinute(env, clock.now());
    expect(await left()).toContain("shop.example.com 01000 7");
    expect(await left()).toHaveLength(20);
  });

  test("is forgotten a day after its end", async () => {
    await given.httpsEdge();
    await passes(6, certificate(100));
    const remembered = () => env.DB.prepare("select count(*) as n from certificate_notices").first("n");
    expect(await remembered()).toBe(1);
    await everyMinute(env, start + 101 * DAY + 1000);
    expect(await remembered()).toBe(0);
  });
});

test("agents learn from GET /issuing that certificates are accepted", async () => {
  expect((await get("/issuing", { token: key["token"] })).body).toEqual({ issuers: [] });
});

describe("in rows,", () => {
  test("a status with certificates that did not change writes as much as one without", async () => {
    const plain = { applied_version: 1, ok: true };
    await send("lisbon-1", plain);
    const without = (await send("lisbon-1", plain)).cost;
    const certificates = Array.from({ length: 100 }, (_, i) => certificate(60, { serial: `${i}` }));
    const first = (await send("lisbon-1", { certificates })).cost;
    // The row, and its place in the index of those that end.
    expect(first.rowsWritten).toBe(without.rowsWritten + 2);
    const again = (await send("lisbon-1", { certificates })).cost;
    expect(again).toEqual({ ...without, rowsRead: without.rowsRead + 1 });
    expect(again.roundTrips).toBe(1);
  });

  test("the list reads three rows for each agent, in one round trip if the configuration is known", async () => {
    await given.httpsEdge();
    for (let i = 0; i < 5; i += 1) await report(`lisbon-${i}`, [certificate(60)]);
    await list();
    const { cost } = await get("/certificates");
    expect(cost.roundTrips).toBe(1);
    expect(cost.rowsRead).toBeLessThanOrEqual(3 * 5 + 10);
  });

  test("problems and the minute's run read no certificates while none ends", async () => {
    await given.httpsEdge();
    await get("/problems");
    const before = (await get("/problems")).cost;
    for (let i = 0; i < 5; i += 1) await report(`lisbon-${i}`, [certificate(60)]);
    expect((await get("/problems")).cost).toEqual(before);
  });
});

describe("with many agents,", { tags: "large" }, () => {
  /** Reports of so many agents, each with 100 certificates of its own, of about so many bytes. */
  async function many(agents: number, bytes: number): Promise<void> {
    const issuer = "x".repeat(Math.floor(bytes / 100) - 180);
    await env.DB.prepare(
      `with recursive n (i) as (select 0 union all select i + 1 from n where i < ? - 1)
       insert into agents (name, key_id, last_seen, applied_version, ok, problems) select printf('a%04d', i), 'root', ?, 1, 1, '[]' from n`,
    )
      .bind(agents, start)
      .run();
    for (let i = 0; i < agents; i += 1) {
      const name = `a${String(i).padStart(4, "0")}`;
      const certificates = Array.from({ length: 100 }, (_, j) =>
        certificate(60, { hosts: [`h${j}.${name}.example.com`], issuer, serial: `${j}` }),
      );
      await env.DB.prepare(
        "insert into agent_certificates (agent, digest, left_out, ends_at, ending_from, certificates) values (?, ?, 0, ?, ?, ?)",
      )
        .bind(name, name, start, start, JSON.stringify(certificates))
        .run();
    }
  }

  test("100 of which have 100 certificates each, all of them are listed", async () => {
    await many(100, 21_000);
    const begin = performance.now();
    const answer = await get("/certificates?state=valid&after=h98");
    const took = performance.now() - begin;
    expect(answer.body["certificates"]).toHaveLength(100);
    expect(answer.body["certificates"][0].host).toBe("h98.a0000.example.com");
    expect(answer.cost.rowsRead).toBeLessThanOrEqual(8 * 100);
    expect(answer.text.length).toBeLessThan(100_000);
    expect(took).toBeLessThan(2_000);
  });

  test("more than 4 MB of reports are not read, and hosts without a certificate are unknown", async () => {
    await given.httpsEdge();
    await many(1_000, 32_000);
    const answer = await get("/certificates?state=unknown");
    expect(answer.body["certificates"].map(({ host }: Json) => host)).toEqual(["shop.example.com"]);
    expect((await get("/problems")).status).toBe(200);
  });
});
