import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { render } from "../../../packages/agent/src/render/render.ts";
import { changeBetween } from "../../../packages/agent/src/running_change.ts";
import type { Snapshot } from "../../../packages/model/src/traffic/snapshot.ts";
import { until } from "../support/wait.ts";
import { body, fixed, serving, type World } from "./agent.ts";
import { freePort, restricted, settings, snapshot, tcpEdge } from "./proxy.ts";

/*
 * Lines in HAProxy's memory to which no line leads any more.
 */

/** A policy that lets in loopback and a number of networks that begin with a byte. */
const policy = (byte: number, count: number): Snapshot["ip_policies"] => ({
  ipp_1: {
    allow: ["127.0.0.0/8", ...Array.from({ length: count }, (_, n) => `${byte}.0.${n}.0/24`)],
    deny: [],
  },
});

/** How many lines the map of allowances has in the memory of HAProxy's worker. */
async function linesOf(here: World): Promise<number> {
  const maps = await here.master("@1 show map");
  const [, count] = /\/nets\/allow\) .*entry_cnt=(\d+)/.exec(maps) ?? [];
  return Number(count);
}

test("they are deleted a second later; if there are many, they stay until a reload and are counted", async (t) => {
  const other = await freePort();
  const { here, port, edge } = await serving(t, "in", { ip_policies: policy(10, 30) });
  const publish = (given: Partial<Snapshot>) => here.service.applied(here.service.publish(given));
  const unused = (): unknown => JSON.parse(readFileSync(join(here.state, "applied.json"), "utf8")).unused;
  assert.equal(await linesOf(here), 31);
  // More deletions than are made in place, so the set gets a new name.
  await publish({ ip_policies: policy(11, 150) });
  assert.equal(await body(port), "in");
  await until("the old set is deleted", async () => (await linesOf(here)) === 151);
  assert.equal(unused(), 0);
  await publish({ ip_policies: policy(12, 20) });
  await until("the state is saved", () => unused() === 151);
  assert.equal(await linesOf(here), 151 + 21);
  assert.doesNotMatch(here.log(), /reloaded/);

  await publish({ edges: [edge, tcpEdge("edgtcp_2", [`127.0.0.1:${other}`], "bkdhr_1")] });
  assert.match(here.log(), /reloaded/);
  assert.equal(unused(), 0);
  assert.equal(await linesOf(here), 21);
});

test("a change that would leave too many is a reload", () => {
  const rendered = (byte: number, before?: ReturnType<typeof render>) =>
    render(
      snapshot({
        edges: [restricted(tcpEdge("edgtcp_1", ["127.0.0.1:8443"], "bkdhr_1"))],
        backends: { bkdhr_1: fixed("in") },
        ip_policies: policy(byte, 150),
      }),
      settings(),
      before?.arrangement,
    );
  const before = rendered(10);
  const after = rendered(11, before);
  assert.equal(changeBetween(before, after, 100_000 - 151)?.maps.unreferenced.length, 151);
  assert.equal(changeBetween(before, after, 100_000 - 150), undefined);
});
