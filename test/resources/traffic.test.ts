import { env } from "cloudflare:workers";
import { afterEach, expect, test } from "vitest";
import { clock, timestamp } from "../../packages/model/src/clock.ts";
import { PLACES } from "../../packages/model/src/traffic/counts.ts";
import { everyMinute } from "../../src/background.ts";
import { del, get } from "../support/api.ts";
import { counts } from "../support/counts.ts";
import * as given from "../support/given.ts";
import type { Json } from "../support/json.ts";
import { agent, at, HOUR, MINUTE, report } from "../support/traffic.ts";

/*
 * Traffic, as agents report it.
 */

const realNow = clock.now;

afterEach(() => {
  clock.now = realNow;
});

test("the counts of agents add up for an object, and for all traffic", async () => {
  const [first, second] = [await agent("adds-1"), await agent("adds-2")];
  const { id } = await given.tcpEdge();
  at(HOUR + 3 * MINUTE);
  const instant = timestamp(HOUR + MINUTE);
  const one = counts({ connections: 3, bytes: 100, ip_restriction: 1 });
  const two = counts({ connections: 4, bytes: 50, aborted: 2 });
  expect(
    (await report("adds-1", first, { at: instant, totals: one, objects: [{ id, ...one }], lost: 2 })).status,
  ).toBe(204);
  expect(
    (await report("adds-2", second, { at: instant, totals: two, objects: [{ id, ...two }] })).status,
  ).toBe(204);
  const { body } = await get(`/traffic?edge_id=${id}`);
  const both = { connections: 7, bytes: 150, aborted: 2, agents: 2, lost: 2, p50: null };
  expect(body).toMatchObject({
    object_id: id,
    resolution: 60,
    top_sources: null,
    totals: both,
  });
  expect(body["series"]).toMatchObject([{ at: instant, ...both, denied: { ip_restriction: 1 } }]);
  const all = await get("/traffic");
  expect(all.body).toMatchObject({ object_id: null, totals: both });
  const alone = await get(`/traffic?edge_id=${id}&agent=adds-1`);
  expect(alone.body["totals"]).toMatchObject({ connections: 3, agents: 1 });
});

test("an interval of which nothing is known is missing; one without traffic has zeros", async () => {
  const key = await agent("gaps");
  const { id } = await given.tcpEdge();
  at(HOUR + 6 * MINUTE);
  const busy = counts({ connections: 9 });
  await report("gaps", key, { at: timestamp(HOUR), objects: [{ id, ...busy }] });
  // The others had some traffic, perhaps this one.
  await report("gaps", key, { at: timestamp(HOUR + MINUTE), other: busy });
  await report("gaps", key, { at: timestamp(HOUR + 3 * MINUTE) });
  const { series } = (await get(`/traffic?edge_id=${id}&agent=gaps`)).body;
  expect(series.map(({ at: begin, connections }: Json) => [begin, connections])).toEqual([
    [timestamp(HOUR), 9],
    [timestamp(HOUR + 3 * MINUTE), 0],
  ]);
});

test("latencies are interpolated from buckets of minutes, and are those of the slowest agent in longer intervals", async () => {
  const [first, second] = [await agent("slow-1"), await agent("slow-2")];
  const { id } = await given.httpsEdge();
  at(HOUR + 61 * MINUTE);
  const withLatencies = (...latencies: [bucket: number, times: number][]): Json => {
    const all = counts({ requests: latencies.reduce((sum, [, times]) => sum + times, 0) });
    for (const [bucket, times] of latencies) all["latency"][bucket] = times;
    return all;
  };
  const [fast, slow] = [withLatencies([4, 100]), withLatencies([4, 90], [11, 10])];
  const hour = { resolution: 3600, at: timestamp(HOUR) };
  await report("slow-1", first, { ...hour, objects: [{ id, ...slow }] });
  await report("slow-2", second, { ...hour, objects: [{ id, ...fast }] });
  const minute = { at: timestamp(HOUR + 59 * MINUTE) };
  await report("slow-1", first, { ...minute, objects: [{ id, ...fast }] });
  await report("slow-2", second, { ...minute, objects: [{ id, ...slow }] });
  const { totals: minutes } = (await get(`/traffic?edge_id=${id}`)).body;
  // 95 of 190 in 8 to 16 ms; 10 of 200 are slower than a second.
  expect(minutes).toMatchObject({ requests: 200, p50: 12.2, p95: 16, p99: 1843.2 });
  at(HOUR + 63 * MINUTE);
  await everyMinute(env, clock.now());
  const { totals: hours } = (await get(`/traffic?edge_id=${id}&resolution=3600`)).body;
  expect(hours).toMatchObject({ requests: 200, p50: 12.4, p99: 1945.6 });
});

test("only editors see the most frequent sources", async () => {
  const key = await agent("sources");
  const { id } = await given.tcpEdge();
  at(HOUR + 2 * MINUTE);
  const top_sources = [
    { source: "192.0.2.1", requests: 7 },
    { source: "2001:db8::1", requests: 9 },
  ];
  const busy = { id, ...counts({ connections: 16 }), top_sources };
  await report("sources", key, { at: timestamp(HOUR), objects: [busy] });
  await report("sources", key, { at: timestamp(HOUR + MINUTE), objects: [busy] });
  const path = `/traffic?edge_id=${id}`;
  const seenBy = async (role: string): Promise<unknown> =>
    (await get(path, await given.key({ role }))).body["top_sources"];
  for (const role of ["viewer", "planner"]) expect(await seenBy(role), role).toBe(null);
  const all = [
    { source: "2001:db8::1", requests: 18 },
    { source: "192.0.2.1", requests: 14 },
  ];
  for (const role of ["editor", "admin"]) expect(await seenBy(role), role).toEqual(all);
});

test("a backend has the servers that agents last reported", async () => {
  const key = await agent("servers");
  const { id } = await given.staticBackend();
  at(HOUR + 3 * MINUTE);
  const server = { backend_id: id, address: "10.0.0.1:80", up: false, since: timestamp(HOUR) };
  await report("servers", key, { at: timestamp(HOUR), upstreams: [{ ...server, up: true }] });
  await report("servers", key, { at: timestamp(HOUR + MINUTE), upstreams: [server] });
  const { body } = await get(`/traffic/servers?backend_id=${id}`);
  const { backend_id: _id, ...shown } = server;
  expect(body).toEqual({
    backend_id: id,
    servers: [{ agent: "servers", ...shown }],
  });
  // A report that is too old says nothing about now.
  at(HOUR + 10 * MINUTE);
  expect((await get(`/traffic/servers?backend_id=${id}`)).body["servers"]).toEqual([]);
});

test("the summary has the last hour and day of all objects", async () => {
  const key = await agent("sums");
  const [{ id: tcp }, { id: https }] = [await given.tcpEdge(), await given.httpsEdge()];
  // Other tests report later hours.
  at(HOUR + 31 * MINUTE);
  const five = { resolution: 300, at: timestamp(HOUR + 25 * MINUTE) };
  const first = counts({ connections: 5, upstream_errors: 2, ip_restriction: 1 });
  const second = counts({ requests: 10, "5xx": 3, upstream_errors: 3, connections: 4, user_agent_filter: 2 });
  await report("sums", key, {
    ...five,
    objects: [
      { id: tcp, ...first },
      { id: https, ...second },
    ],
  });
  await report("sums", key, {
    resolution: 3600,
    at: timestamp(HOUR - 60 * MINUTE),
    objects: [{ id: tcp, ...first }],
  });
  at(HOUR + 3 * MINUTE);
  await everyMinute(env, clock.now());
  at(HOUR + 31 * MINUTE);
  const { objects, resolution } = (await get("/traffic/summary")).body;
  expect(resolution).toBe(300);
  const of = (id: string): Json => objects.find(({ object_id }: Json) => object_id === id);
  const trend = (last: number): (number | null)[] => [...Array<null>(11).fill(null), last];
  expect(of(tcp)).toEqual({
    object_id: tcp,
    hour: { requests: 0, connections: 5, errors: 2, denied: 1 },
    // An hour, and five minutes after it.
    day: { requests: 0, connections: 10, errors: 4, denied: 2 },
    trend: trend(5),
  });
  expect(of(https)).toEqual({
    object_id: https,
    hour: { requests: 10, connections: 4, errors: 3, denied: 2 },
    day: { requests: 10, connections: 4, errors: 3, denied: 2 },
    trend: trend(10),
  });
});

test("a report is written once for each interval: a repeated one replaces it, and one of an earlier round does not", async () => {
  const key = await agent("rounds");
  at(HOUR + 62 * MINUTE);
  const send = (instant: number, connections: number) =>
    report("rounds", key, { at: timestamp(instant), totals: counts({ connections }) });
  const shown = async (): Promise<number[]> =>
    (await get("/traffic?agent=rounds")).body["series"].map(({ connections }: Json) => connections);
  await send(HOUR + 60 * MINUTE, 1);
  await send(HOUR + 60 * MINUTE, 2);
  expect(await shown()).toEqual([2]);
  // The clock was set back by an hour: these have the same place in the ring.
  at(HOUR + 2 * MINUTE);
  expect((await send(HOUR, 3)).status).toBe(204);
  at(HOUR + 62 * MINUTE);
  expect(await shown()).toEqual([2]);
  const rows = await env.DB.prepare("select count(*) as n from traffic where agent = 'rounds'").first("n");
  expect(rows).toBe(1);
});

test("intervals are accepted from 59 minutes back to a minute ahead", async () => {
  const key = await agent("window");
  at(HOUR);
  const status = async (begin: number): Promise<number> =>
    (await report("window", key, { at: timestamp(begin) })).status;
  expect(await status(HOUR - 60 * MINUTE)).toBe(204);
  expect(await status(HOUR)).toBe(204);
  const late = await report("window", key, { at: timestamp(HOUR - 61 * MINUTE) });
  expect(late.status).toBe(400);
  expect(late.body["errors"]).toEqual([
    {
      path: "/at",
      msg: "The interval must have ended within the last 59 minutes. The service's clock shows 2031-01-02T03:00:00Z.",
    },
  ]);
  expect(await status(HOUR + MINUTE)).toBe(400);
});

test.each([
  ["a fraction", { totals: counts({ requests: 0.5 }) }, "/totals/requests"],
  ["a negative count", { totals: counts({ bytes: -1 }) }, "/totals/bytes"],
  ["a count above 2^40", { lost: 2 ** 40 + 1 }, "/lost"],
  ["too few buckets", { totals: { ...counts(), latency: [1] } }, "/totals/latency"],
  ["another length", { resolution: 61 }, "/resolution"],
  ["an instant within an interval", { at: "2031-01-02T03:00:01Z" }, "/at"],
  ["an object of another kind", { objects: [{ id: "ipp_1", ...counts() }] }, "/objects/0/id"],
  [
    "no address",
    { objects: [{ id: "edgtcp_1", ...counts(), top_sources: [{ source: "x", requests: 1 }] }] },
    "/objects/0/top_sources/0/source",
  ],
  [
    "26 objects",
    { objects: Array.from({ length: 26 }, (_, n) => ({ id: `edgtcp_${n}`, ...counts() })) },
    "/objects",
  ],
])("a report with %s is rejected", async (_what, more, path) => {
  const key = await agent("wrong");
  at(HOUR + MINUTE);
  const { status, body } = await report("wrong", key, { at: timestamp(HOUR), ...more });
  expect(status).toBe(400);
  expect(body["errors"].map((one: Json) => one["path"])).toContain(path);
});

test("a key reports only under its own name, and a deleted agent takes its counts with it", async () => {
  const [own, other] = [await agent("own"), await agent("other")];
  at(HOUR + MINUTE);
  const sent = { at: timestamp(HOUR), totals: counts({ requests: 1 }) };
  expect((await report("own", other, sent)).status).toBe(403);
  expect((await report("nobody", own, sent)).status).toBe(403);
  expect((await report("own", own, sent)).status).toBe(204);
  await del("/agents/own");
  expect((await get("/traffic?agent=own")).body["series"]).toEqual([]);
});

test("only objects that exist have traffic, and a route is asked for with its edge", async () => {
  const key = await agent("exists");
  const { id } = await given.tcpEdge();
  at(HOUR + MINUTE);
  await report("exists", key, { at: timestamp(HOUR), objects: [{ id, ...counts() }] });
  await del(`/edges/tcp/${id}`);
  expect((await get(`/traffic?edge_id=${id}`)).status).toBe(404);
  const edge = await given.httpsEdge();
  const route = await given.route({ edge_id: edge["id"] });
  expect((await get(`/traffic?route_id=${route["id"]}`)).status).toBe(400);
  expect((await get(`/traffic?route_id=${route["id"]}&edge_id=${edge["id"]}`)).status).toBe(200);
  expect((await get(`/traffic?route_id=edghtsrt_1&edge_id=${edge["id"]}`)).status).toBe(404);
  expect((await get("/traffic/servers?backend_id=bkdsc_1")).status).toBe(404);
});

test("reports make no events, and leave the snapshot's version", async () => {
  const key = await agent("quiet");
  const newest = async (): Promise<unknown> => (await get("/events?limit=1")).body["events"][0]?.id;
  const before = [await newest(), (await get("/snapshot")).body["version"]];
  await report("quiet", key, { at: timestamp(Math.floor(clock.now() / MINUTE) * MINUTE - MINUTE) });
  expect([await newest(), (await get("/snapshot")).body["version"]]).toEqual(before);
});

test("a report writes one row in one round trip, and a GET reads a row for each interval", async () => {
  const key = await agent("cost");
  const { id } = await given.tcpEdge();
  at(HOUR + 6 * MINUTE);
  const busy = { id, ...counts({ connections: 1 }) };
  for (const minute of [0, 1, 2, 3, 4]) {
    const { cost } = await report("cost", key, { at: timestamp(HOUR + minute * MINUTE), objects: [busy] });
    // The first request with a key looks it up.
    if (minute > 0) expect(cost).toEqual({ roundTrips: 1, rowsRead: 2, rowsWritten: 1 });
  }
  const { cost, body } = await get(`/traffic?edge_id=${id}&agent=cost`);
  expect(body["series"]).toHaveLength(5);
  // And the object, the agent, and a row for each agent that is counted.
  const agents = (await get("/agents?limit=100")).body["agents"].length;
  expect(cost).toEqual({ roundTrips: 1, rowsRead: 7 + agents, rowsWritten: 0 });
});

test("a report names each object once", async () => {
  const key = await agent("twice");
  const { id } = await given.tcpEdge();
  at(HOUR + 2 * MINUTE);
  const twice = [counts({ connections: 1 }), counts({ connections: 2 })].map((of) => ({ id, ...of }));
  const { status, body } = await report("twice", key, { at: timestamp(HOUR), objects: twice });
  expect([status, body["errors"]]).toEqual([400, [{ path: "/objects", msg: "Send each id once." }]]);
});

test("a report as large as an agent can make it has room", async () => {
  const key = await agent("largest");
  at(HOUR + MINUTE);
  const all = Object.fromEntries(Object.keys(PLACES).map((name) => [name, 2 ** 40]));
  const most = { ...counts(all), latency: Array<number>(20).fill(2 ** 40) };
  const source = { source: "2001:0db8:ffff:ffff:ffff:ffff:ffff:ffff", requests: 2 ** 40 };
  const id = (prefix: string, number: number): string => `${prefix}_${String(number).padStart(27, "0")}`;
  const sent = {
    at: timestamp(HOUR),
    totals: most,
    objects: Array.from({ length: 25 }, (_, n) => ({
      id: id("edghtsrt", n),
      ...most,
      top_sources: Array.from({ length: 8 }, () => source),
    })),
    other: most,
    upstreams: Array.from({ length: 150 }, (_, n) => ({
      backend_id: id("bkdsc", n),
      address: "[2001:db8:ffff:ffff:ffff:ffff:ffff:ffff]:65535",
      up: false,
      since: timestamp(HOUR),
    })),
  };
  expect((await report("largest", key, sent)).status).toBe(204);
});
