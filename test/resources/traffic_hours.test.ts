import { env } from "cloudflare:workers";
import { afterEach, expect, test } from "vitest";
import { clock, timestamp } from "../../packages/model/src/clock.ts";
import { everyMinute } from "../../src/background.ts";
import { del, get, put } from "../support/api.ts";
import { counts } from "../support/counts.ts";
import * as given from "../support/given.ts";
import type { Json } from "../support/json.ts";
import { agent, at, HOUR, MINUTE, report } from "../support/traffic.ts";

/*
 * Hours of traffic, which the minute's run adds up for any number of agents.
 */

const realNow = clock.now;

afterEach(async () => {
  clock.now = realNow;
  await env.DB.prepare("delete from traffic_hours").run();
  for (const { name } of (await get("/agents?limit=100")).body["agents"]) await del(`/agents/${name}`);
});

/** Sets the clock to a minute after the hour, and does what is done each minute. */
async function runAt(minute: number): Promise<void> {
  at(HOUR + minute * MINUTE);
  await everyMinute(env, clock.now());
}

/** Agents, each with its key. A key can own ten names. */
async function agents(count: number): Promise<[name: string, key: Json][]> {
  const all: [string, Json][] = [];
  let key: Json = {};
  for (let n = 0; n < count; n++) {
    if (n % 10 === 0) key = await given.key({ role: "agent" });
    const name = `fleet-${n}`;
    await put(`/agents/${name}/status`, { ok: true }, key);
    all.push([name, key]);
  }
  return all;
}

const lastHour = { resolution: 3600, at: timestamp(HOUR - 60 * MINUTE) };
const hours = async (id?: string): Promise<Json> =>
  (await get(`/traffic?resolution=3600${id === undefined ? "" : `&edge_id=${id}`}`)).body;

test("an hour is added up three minutes after its end, and again for reports that came late", async () => {
  const [first, second] = [await agent("early"), await agent("late")];
  const { id } = await given.tcpEdge();
  const busy = counts({ connections: 3, bytes: 10, ip_restriction: 1 });
  at(HOUR + MINUTE);
  await report("early", first, { ...lastHour, totals: busy, objects: [{ id, ...busy }], lost: 2 });
  expect((await hours(id))["series"]).toEqual([]);
  await runAt(3);
  const one = {
    at: lastHour.at,
    connections: 3,
    bytes: 10,
    agents: 1,
    lost: 2,
    denied: { ip_restriction: 1 },
  };
  expect((await hours(id))["series"]).toMatchObject([one]);
  expect((await hours())["series"]).toMatchObject([one]);
  at(HOUR + 58 * MINUTE);
  expect(
    (await report("late", second, { ...lastHour, totals: busy, objects: [{ id, ...busy }] })).status,
  ).toBe(204);
  await runAt(59);
  expect((await hours(id))["series"]).toMatchObject([one]);
  await runAt(63);
  const both = { ...one, connections: 6, bytes: 20, agents: 2, denied: { ip_restriction: 2 } };
  expect((await hours(id))["series"]).toMatchObject([both]);
  at(HOUR + 61 * MINUTE);
  await report("early", first, { ...lastHour, at: timestamp(HOUR), objects: [{ id, ...busy }] });
  await runAt(70);
  // In the two hours, two agents have counted.
  expect((await hours(id))["totals"]).toMatchObject({ connections: 9, agents: 2 });
});

test("an hour says how many agents it knows an object's traffic of", async () => {
  const [[a, keyA] = [], [b, keyB] = [], [c, keyC] = []] = await agents(3);
  const [{ id: busy }, { id: quiet }, { id: idle }] = [
    await given.tcpEdge(),
    await given.tcpEdge(),
    await given.tcpEdge(),
  ];
  const some = counts({ connections: 1 });
  at(HOUR + MINUTE);
  await report(String(a), keyA ?? {}, { ...lastHour, objects: [{ id: busy, ...some }], other: some });
  await report(String(b), keyB ?? {}, {
    ...lastHour,
    objects: [
      { id: busy, ...some },
      { id: quiet, ...some },
    ],
  });
  await report(String(c), keyC ?? {}, lastHour);
  await runAt(3);
  const known = async (id: string) =>
    (await hours(id))["series"].map(({ connections, agents: number }: Json) => [connections, number]);
  // The first agent had some traffic that it did not count by object.
  expect(await known(busy)).toEqual([[2, 3]]);
  expect(await known(quiet)).toEqual([[1, 2]]);
  expect(await known(idle)).toEqual([[0, 2]]);
  at(HOUR + 30 * MINUTE);
  await report(String(b), keyB ?? {}, { ...lastHour, other: some });
  await report(String(c), keyC ?? {}, { ...lastHour, other: some });
  await runAt(30);
  expect(await known(busy)).toEqual([[1, 1]]);
  // Which is not known of the others, although it was for a while.
  expect(await known(idle)).toEqual([]);
});

test("with more than 20 agents, all are in the hours and in the summary, and minutes say how many are not read", async () => {
  const all = await agents(23);
  const { id } = await given.httpsEdge();
  const busy = counts({ requests: 10, "5xx": 1, user_agent_filter: 2 });
  at(HOUR + MINUTE);
  for (const [name, key] of all) {
    await report(name, key, { ...lastHour, totals: busy, objects: [{ id, ...busy }] });
    await report(name, key, { at: timestamp(HOUR), totals: busy, objects: [{ id, ...busy }] });
    await report(name, key, {
      resolution: 300,
      at: timestamp(HOUR - 5 * MINUTE),
      objects: [{ id, ...busy }],
    });
  }
  await runAt(3);
  at(HOUR + 5 * MINUTE);
  // Five minutes of so many agents are not read.
  for (const [name, key] of all)
    await report(name, key, { resolution: 300, at: timestamp(HOUR), objects: [{ id, ...busy }] });
  const whole = { resolution: 3600, agents_left_out: 0, totals: { requests: 230, agents: 23 } };
  for (const query of [`?edge_id=${id}`, `?edge_id=${id}&resolution=3600`, "", "?resolution=3600"])
    expect((await get(`/traffic${query}`)).body, query).toMatchObject(whole);
  expect((await get("/traffic?resolution=60")).body).toMatchObject({
    resolution: 60,
    agents_left_out: 3,
    totals: { requests: 200, agents: 20 },
  });
  expect((await get("/traffic?agent=fleet-22")).body).toMatchObject({
    resolution: 60,
    agents_left_out: 0,
    totals: { requests: 10, agents: 1 },
  });
  const sums = { requests: 230, connections: 0, errors: 23, denied: 46 };
  expect((await get("/traffic/summary")).body).toEqual({
    resolution: 3600,
    objects: [{ object_id: id, hour: sums, day: sums, trend: [...Array<null>(11).fill(null), 230] }],
  });
  // A day later, nothing is known.
  at(HOUR + 25 * 60 * MINUTE);
  expect((await get("/traffic/summary")).body["objects"]).toEqual([]);
});

/** Reports a connection in the hour before `hour`, once that is over. */
async function reportHour(name: string, key: Json, id: string, hour: number): Promise<void> {
  at(HOUR + hour * 60 * MINUTE + MINUTE);
  await report(name, key, {
    resolution: 3600,
    at: timestamp(HOUR + (hour - 1) * 60 * MINUTE),
    objects: [{ id, ...counts({ connections: 1 }) }],
  });
}

test("hours of a day for which nothing ran are added up later", async () => {
  const key = await agent("gap");
  const { id } = await given.tcpEdge();
  for (let hour = 0; hour < 5; hour++) {
    await reportHour("gap", key, id, hour);
  }
  await runAt(4 * 60 + 3);
  expect((await hours(id))["totals"]).toMatchObject({ connections: 5 });
});

test("a day of the summary has 24 hours that are over, also when the last one was just added up", async () => {
  const key = await agent("days");
  const { id } = await given.tcpEdge();
  for (let hour = 0; hour < 26; hour++) {
    await reportHour("days", key, id, hour);
    await runAt(hour * 60 + 3);
  }
  for (const minute of [4, 6]) {
    at(HOUR + 25 * 60 * MINUTE + minute * MINUTE);
    expect((await get("/traffic/summary")).body["objects"][0]["day"]).toMatchObject({ connections: 24 });
  }
});

test("hours are kept for 30 days, and a row is written only if it differs", async () => {
  const key = await agent("kept");
  const { id } = await given.tcpEdge();
  at(HOUR + MINUTE);
  await report("kept", key, { ...lastHour, objects: [{ id, ...counts({ connections: 1 }) }] });
  await runAt(3);
  const rows = async () => (await env.DB.prepare("select count(*) as n from traffic_hours").first("n")) ?? 0;
  expect(await rows()).toBe(2);
  const days = 24 * 60;
  await runAt(29 * days + 3);
  expect(await rows()).toBe(2);
  expect((await hours(id))["series"]).toHaveLength(1);
  await runAt(30 * days - 57 + 60);
  expect(await rows()).toBe(0);
});
