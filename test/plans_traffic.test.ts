import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { clock, timestamp } from "../packages/model/src/clock.ts";
import { everyMinute } from "../src/background.ts";
import { type Answer, get, post } from "./support/api.ts";
import { counts } from "./support/counts.ts";
import * as given from "./support/given.ts";
import type { Json } from "./support/json.ts";
import { toDelete, toPatch, toPost, toPut } from "./support/operations.ts";
import { empty } from "./support/stored.ts";
import { agent, at, HOUR, MINUTE, report } from "./support/traffic.ts";

/*
 * How much traffic a plan touches.
 */

const realNow = clock.now;

beforeEach(() => empty());
afterEach(() => {
  clock.now = realNow;
});

const lastFive = { resolution: 300, at: timestamp(HOUR - 5 * MINUTE) };
const some = counts({ requests: 1200, connections: 90, ip_restriction: 30, user_agent_filter: 4 });
const traffic = {
  requests_last_hour: 1200,
  connections_last_hour: 90,
  denied_last_hour: 34,
  is_complete: false,
};

const shutOut = (edge: Json, policy: Json) =>
  toPut(`/edges/tcp/${edge["id"]}/ip_restriction`, { ip_policy_ids: [policy["id"]] });

/** An edge that lets everybody in. */
async function servingEdge(): Promise<Json> {
  const { id } = await given.staticBackend();
  return given.tcpEdge({ backend: { backend_id: id } });
}

/** Of each change, and of each place, the traffic. */
const shown = ({ body }: Answer): { changes: Json[]; places: Json[] } => ({
  changes: body["changes"].map(({ traffic: of }: Json) => of),
  places: body["access"].flatMap(({ places }: Json) => places.map(({ traffic: of }: Json) => of)),
});

test("a plan, a preview and a refreshed plan show the traffic of the edges that change", async () => {
  const key = await agent("plans");
  const [edge, policy] = [await servingEdge(), await given.ipPolicy()];
  at(HOUR + MINUTE);
  await report("plans", key, { ...lastFive, objects: [{ id: edge["id"], ...some }] });
  const operations = [
    shutOut(edge, policy),
    toPatch(`/ip_policies/${policy["id"]}`, { description: "none" }),
  ];
  const all = { changes: [traffic, undefined], places: [traffic] };
  const made = await post("/plans", { operations });
  expect(shown(made)).toEqual(all);
  expect(shown(await post("/previews", { operations }))).toEqual(all);
  const path = `/plans/${made.body["id"]}`;
  const before = await get(path);
  expect(shown(before)).toEqual(all);
  await report("plans", key, {
    ...lastFive,
    objects: [{ id: edge["id"], ...counts({ requests: 7 }) }],
  });
  const later = { requests_last_hour: 7, connections_last_hour: 0, denied_last_hour: 0, is_complete: false };
  const after = await get(path);
  expect(shown(after)).toEqual({ changes: [later, undefined], places: [later] });
  // Traffic does not make a plan another one, or outdated.
  expect(after.headers.get("ETag")).toBe(before.headers.get("ETag"));
  const refreshed = await post(`${path}/refresh`);
  expect(shown(refreshed)).toEqual({ changes: [later, undefined], places: [later] });
  const headers = { "If-Match": refreshed.headers.get("ETag") ?? "" };
  expect((await post(`${path}/apply`, undefined, { headers })).status).toBe(200);
});

test("an edge that is deleted has its traffic at the place that it leaves to a new one", async () => {
  const key = await agent("plans");
  const [edge, { id }] = [await servingEdge(), await given.staticBackend()];
  at(HOUR + MINUTE);
  const busy = counts({ connections: 12, ip_restriction: 2 });
  await report("plans", key, { ...lastFive, objects: [{ id: edge["id"], ...busy }] });
  const made = await post("/plans", {
    operations: [
      toDelete(`/edges/tcp/${edge["id"]}`),
      toPost("/edges/tcp", {
        hostports: edge["hostports"],
        backend: { backend_id: id },
      }),
    ],
  });
  const had = { requests_last_hour: 0, connections_last_hour: 12, denied_last_hour: 2, is_complete: false };
  expect(made.status, made.text).toBe(201);
  expect(shown(made).changes).toEqual([had, undefined]);
  // The place was served by the edge that is deleted.
  expect(shown(made).places).toEqual([had]);
});

/** Reports the twelve intervals of the last hour. */
async function reportHour(name: string, key: Json, more: Json = {}): Promise<void> {
  for (let back = 1; back <= 12; back++)
    await report(name, key, { resolution: 300, at: timestamp(HOUR - back * 5 * MINUTE), ...more });
}

test("no traffic is 0 only if every agent has reported the whole hour, and counted all edges one by one", async () => {
  const [edge, policy] = [await servingEdge(), await given.ipPolicy()];
  const operations = [shutOut(edge, policy)];
  const seen = async () => shown(await post("/previews", { operations })).changes;
  const none = { requests_last_hour: 0, connections_last_hour: 0, denied_last_hour: 0, is_complete: true };
  at(HOUR + MINUTE);
  expect(await seen()).toEqual([undefined]);
  const first = await agent("plans-1");
  await report("plans-1", first, lastFive);
  expect(await seen()).toEqual([undefined]);
  at(HOUR - 50 * MINUTE);
  await report("plans-1", first, { resolution: 300, at: timestamp(HOUR - 60 * MINUTE) });
  at(HOUR - MINUTE);
  await reportHour("plans-1", first);
  at(HOUR + MINUTE);
  await report("plans-1", first, lastFive);
  expect(await seen()).toEqual([none]);
  // One that reports nothing may serve it.
  const second = await agent("plans-2");
  expect(await seen()).toEqual([undefined]);
  at(HOUR - MINUTE);
  await reportHour("plans-2", second);
  at(HOUR + MINUTE);
  await report("plans-2", second, lastFive);
  expect(await seen()).toEqual([none]);
  await report("plans-2", second, { ...lastFive, objects: [{ id: edge["id"], ...counts({ requests: 5 }) }] });
  expect(await seen()).toEqual([{ ...none, requests_last_hour: 5 }]);
  await report("plans-2", second, { ...lastFive, other: some });
  expect(await seen()).toEqual([undefined]);
});

test("what an edge had in earlier hours says nothing about the last one", async () => {
  const [edge, policy, key] = [await servingEdge(), await given.ipPolicy(), await agent("plans-1")];
  at(HOUR + MINUTE);
  const hour = { resolution: 3600, at: timestamp(HOUR - 60 * MINUTE) };
  await report("plans-1", key, { ...hour, objects: [{ id: edge["id"], ...some }] });
  at(HOUR + 3 * MINUTE);
  await everyMinute(env, clock.now());
  at(HOUR + 10 * MINUTE);
  await report("plans-1", key, { ...lastFive, other: some });
  expect(shown(await post("/previews", { operations: [shutOut(edge, policy)] })).changes).toEqual([
    undefined,
  ]);
});

test("a plan that was applied or withdrawn has no traffic: it would be that of now", async () => {
  const [edge, key] = [await servingEdge(), await agent("plans-1")];
  at(HOUR + MINUTE);
  await report("plans-1", key, { ...lastFive, objects: [{ id: edge["id"], ...some }] });
  const made = await post("/plans", { operations: [toDelete(`/edges/tcp/${edge["id"]}`)] });
  expect(shown(made).changes).toEqual([traffic]);
  const path = `/plans/${made.body["id"]}`;
  await post(`${path}/apply`, undefined, { headers: { "If-Match": made.headers.get("ETag") ?? "" } });
  expect(shown(await get(path)).changes).toEqual([undefined]);
});

test("with more than 20 agents, it is that of the last whole hour", async () => {
  const [edge, policy] = [await servingEdge(), await given.ipPolicy()];
  const [busy, other] = [await agent("plans-1"), await agent("plans-2")];
  at(HOUR + MINUTE);
  const hour = { resolution: 3600, at: timestamp(HOUR - 60 * MINUTE) };
  await report("plans-1", busy, { ...hour, objects: [{ id: edge["id"], ...some }] });
  await report("plans-2", other, { ...hour, other: some });
  const idle = await servingEdge();
  for (let n = 3; n <= 21; n++) {
    await agent(`plans-${n}`);
  }
  at(HOUR + 3 * MINUTE);
  await everyMinute(env, clock.now());
  at(HOUR + 6 * MINUTE);
  const preview = await post("/previews", { operations: [shutOut(edge, policy), shutOut(idle, policy)] });
  expect(shown(preview).changes).toEqual([traffic, undefined]);
});
