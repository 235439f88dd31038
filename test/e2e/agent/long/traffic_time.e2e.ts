import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { TrafficReport } from "../../../../packages/model/src/traffic/counts.ts";
import { until } from "../../support/wait.ts";
import type { World } from "../agent.ts";
import { Clocks } from "../clocks.ts";
import { HOUR, MINUTE, route, served, written } from "../traffic_world.ts";

/*
 * Intervals of traffic, while clocks are set and the service is down. The agent knows the service's time from its responses.
 */

/** The service's clock. */
const now = (here: World): number => Date.now() + here.service.ahead;

/** How many requests the reports of an interval's length have. @throws if an interval is reported twice */
function reported({ service: { reports } }: World, resolution: TrafficReport["resolution"]): number {
  const all = reports.filter((report) => report.resolution === resolution);
  const begins = all.map(({ at }) => at);
  assert.deepEqual(begins, [...new Set(begins)].toSorted());
  return all.reduce((sum, { totals }) => sum + totals.requests, 0);
}

/** The minute that is not over, as the agent has written it down last; undefined if it has not yet. */
const minuteOf = (here: World) =>
  existsSync(join(here.state, "traffic.json"))
    ? written(here).open.find(({ resolution }) => resolution === 60)
    : undefined;

// They wait for the agent, which looks every ten seconds at what was counted.
describe("the time of traffic", { concurrency: true }, () => {
  test("a service that was down for over an hour gets the last 59 minutes, and the hour that is over", async (t) => {
    let clocks: Clocks | undefined;
    const { here, get } = await served(t, [route("plain")], [], (one) => {
      clocks = new Clocks(one);
      return [];
    });
    // The next look at what was counted is ten seconds after this one.
    await until("the agent counts", () => minuteOf(here));
    here.service.fault = (_request, response) => response.writeHead(503).end("{}");
    // At half past, at five to, and at twenty past.
    for (let times = 0; times < 3; times++) {
      assert.equal(await get("/plain"), 200);
      clocks?.pass(25 * MINUTE);
      here.service.ahead += 25 * MINUTE;
      const minute = Math.floor(now(here) / MINUTE) * MINUTE;
      await until("a minute has begun", () => (minuteOf(here)?.at ?? 0) >= minute);
    }
    here.service.fault = undefined;
    // The minute of the first request is too old, but its hour is not.
    await until("what waits is reported", () => reported(here, 60) === 2 && reported(here, 3600) === 2);
    const ends = here.service.reports.map(({ at, resolution }) => Date.parse(at) + resolution * 1000);
    assert.ok(now(here) - Math.min(...ends) < HOUR);
  });

  test("after the service's clock was set by an hour, forward or back, each request is reported once", async (t) => {
    const { here, get } = await served(t, [route("plain")]);
    for (const ahead of [0, HOUR, -HOUR]) {
      here.service.ahead += ahead;
      const polls = here.service.polls.length;
      await until("the agent knows the time", () => here.service.polls.length > polls + 1);
      const { total } = minuteOf(here) ?? {};
      await get("/plain");
      await until(
        "the request is counted",
        () => JSON.stringify(minuteOf(here)?.total) !== JSON.stringify(total),
      );
    }
    // The interval that was open when the clock was set back is over once the clock has passed its end again.
    here.service.ahead += HOUR + 6 * MINUTE;
    await until("all are reported", () => reported(here, 300) === 3);
  });
  test("with a service that does not say what time it is, the machine's clock counts", async (t) => {
    const { here, get } = await served(t, [route("plain")], [], (one) => {
      one.service.saysTime = false;
      return [];
    });
    await get("/plain");
    await until("the request is counted", () => minuteOf(here)?.total[0] === 1 || reported(here, 60) === 1);
  });

  test("a response without the time changes nothing once the service has said what time it is", async (t) => {
    const { here, get } = await served(t, [route("plain")], [], (one) => {
      // This machine's clock shows another hour.
      one.service.ahead += 3 * HOUR;
      return [];
    });
    await until("the agent counts", () => minuteOf(here));
    here.service.saysTime = false;
    await get("/plain");
    await until("the request is counted", () => minuteOf(here)?.total[0] === 1 || reported(here, 60) === 1);
    const { at = 0 } = minuteOf(here) ?? {};
    assert.ok(Math.abs(now(here) - at) < 2 * MINUTE, new Date(at).toISOString());
  });
});
