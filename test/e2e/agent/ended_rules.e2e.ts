import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { body, fixed, type Test, until, world } from "./agent.ts";
import { Clocks } from "./clocks.ts";
import { freePort, tcpEdge } from "./proxy.ts";

/*
 * Rules end by the agent's own clock, within a second, whether or not the service answers.
 */

const HOUR = 3_600_000;
const HERE = "127.0.0.1/32";

/** An instant as in snapshots, some milliseconds from now. */
const inMs = (milliseconds: number): string =>
  `${new Date(Date.now() + milliseconds).toISOString().slice(0, 19)}Z`;

/** An agent whose clock the test sets, with an edge that has a policy. */
async function restricted(t: Test) {
  const here = await world(t);
  const clocks = new Clocks(here);
  const port = await freePort();
  const edge = {
    ...tcpEdge("edgtcp_1", [`127.0.0.1:${port}`], "bkdhr_1"),
    ip_restriction: { ip_policy_ids: ["ipp_1"] },
  };
  return {
    here,
    clocks,
    port,
    /** Publishes rules, each list with the ends of its ranges. */
    publish: (allow: Record<string, string | null>, deny: Record<string, string | null> = {}): number => {
      const endsOf = (list: Record<string, string | null>): Record<string, string> =>
        Object.fromEntries(
          Object.entries(list).flatMap(([range, end]) => (end === null ? [] : [[range, end]])),
        );
      return here.service.publish({
        edges: [edge],
        backends: { bkdhr_1: fixed("in") },
        ip_policies: {
          ipp_1: {
            allow: Object.keys(allow),
            deny: Object.keys(deny),
            expires_at: { allow: endsOf(allow), deny: endsOf(deny) },
          },
        },
      });
    },
    isIn: async (): Promise<boolean> => (await body(port)) === "in",
  };
}

test("an allow rule that ends is removed within a second without the service, and without a reload", async (t) => {
  const { here, port, publish } = await restricted(t);
  // The real clock.
  here.start(["--poll=60", "--wait=0"]);
  const end = inMs(6_000);
  await here.service.applied(publish({ [HERE]: end, "10.0.0.0/8": null }));
  const worker = await here.worker();
  await here.service.stop();
  assert.equal(await body(port), "in");
  await until("it has ended", async () => (await body(port)) === "");
  const late = Date.now() - Date.parse(end);
  t.diagnostic(`removed ${late} ms after its end`);
  assert.ok(late >= 0 && late < 1000, `${late} ms`);
  assert.equal(await here.worker(), worker);
});

test("a deny rule that ends lets in, and a clock that is set forward ends rules too", async (t) => {
  const { here, clocks, publish, isIn } = await restricted(t);
  here.start();
  await here.service.applied(publish({ [HERE]: inMs(2 * HOUR) }, { [HERE]: inMs(HOUR / 2) }));
  assert.ok(!(await isIn()));
  clocks.jump(HOUR);
  await until("the deny rule has ended", isIn);
  clocks.jump(2 * HOUR);
  await until("the allow rule has ended", async () => !(await isIn()));
});

test("an ended rule stays ended when the clock is set back, even after a restart", async (t) => {
  const { here, clocks, publish, isIn } = await restricted(t);
  here.start();
  const end = inMs(HOUR / 2);
  await here.service.applied(publish({ [HERE]: end }));
  assert.ok(await isIn());
  clocks.jump(HOUR);
  await until("the rule has ended", async () => !(await isIn()));
  clocks.jump(-HOUR);
  await here.service.applied(publish({ [HERE]: end, "10.0.0.0/8": null }));
  assert.ok(!(await isIn()));

  await here.end("SIGKILL");
  here.start();
  await here.service.applied(publish({ [HERE]: end, "10.1.0.0/16": null }));
  assert.ok(!(await isIn()));
  assert.ok(existsSync(join(here.state, "clock.json")));
});

test("a rule that ended while agent and HAProxy were away is never served again, without the service", async (t) => {
  const { here, clocks, port, publish } = await restricted(t);
  here.start();
  await here.service.applied(publish({ [HERE]: inMs(HOUR / 2), "10.0.0.0/8": null }));
  await here.service.stop();
  await here.end("SIGKILL");
  for (const pid of await here.pids()) process.kill(pid, "SIGKILL");
  clocks.jump(HOUR);
  let wasIn = false;
  here.start();
  await until("HAProxy is started", async () => {
    wasIn ||= (await body(port)) === "in";
    return here.log().includes("started HAProxy again");
  });
  for (let tries = 0; tries < 20; tries++) wasIn ||= (await body(port)) === "in";
  assert.ok(!wasIn);
  assert.doesNotMatch(readFileSync(join(here.state, "current", "nets", "allow"), "utf8"), /7F000001/);
});

test("a rule ends even if no new configuration can be applied", async (t) => {
  const { here, clocks, publish, isIn } = await restricted(t);
  const flag = join(here.directory, "fail");
  const program = here.wrapper(`if [ "$1" = -c ] && [ -e ${flag} ]; then kill -9 $$; fi`);
  here.start(["--haproxy", program]);
  await here.service.applied(publish({ [HERE]: inMs(HOUR / 2) }));
  writeFileSync(flag, "");
  here.service.publish({
    backends: { bkdhr_1: fixed("new") },
    ip_policies: { ipp_1: { allow: [HERE], deny: [] } },
  });
  await here.service.reported(({ ok }) => !ok);
  assert.ok(await isIn());
  clocks.jump(HOUR);
  await until("the rule has ended", async () => !(await isIn()));
});

test("a clock that differs from the service's is reported and measured", async (t) => {
  const { here, clocks, publish } = await restricted(t);
  const metrics = await freePort();
  here.start([`--metrics=127.0.0.1:${metrics}`]);
  await here.service.applied(publish({ [HERE]: null }));
  const offset = async (): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
    return Number(/^edge_local_clock_offset_seconds (.*)$/m.exec(text)?.[1] ?? NaN);
  };
  assert.ok(Math.abs(await offset()) < 2, `${await offset()} s`);
  for (const [jump, told] of [
    [-HOUR, /clock is 3\d{3} seconds behind the service's/],
    [2 * HOUR, /clock is 3\d{3} seconds ahead of the service's/],
  ] as const) {
    clocks.jump(jump);
    const { ok } = await here.service.reported(({ problems }) =>
      problems.some(({ code, msg }) => code === "clock_offset" && told.test(msg)),
    );
    assert.ok(ok);
    assert.ok(Math.abs(Math.abs(await offset()) - 3_600) < 3);
  }
  clocks.jump(-HOUR);
  here.service.statuses.length = 0;
  await here.service.reported(({ problems }) => problems.length === 0);
});
