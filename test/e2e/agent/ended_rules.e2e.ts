import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { EndedRules } from "../../../packages/agent/src/ended_rules.ts";
import { State } from "../../../packages/agent/src/state.ts";
import { endsIn } from "../../../packages/model/src/traffic/ends.ts";
import type { Edge, Policy } from "../../../packages/model/src/traffic/snapshot.ts";
import { drawn } from "../support/random.ts";
import { until } from "../support/wait.ts";
import { body, fixed, type Test, world, type World } from "./agent.ts";
import { Clocks } from "./clocks.ts";
import { certificate, folder, freePort, httpsEdge, snapshot, tcpEdge } from "./proxy.ts";

/*
 * Rules end by the agent's own clock, within a second, whether or not the service answers.
 */

const draw = drawn();

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
  here.start();
  await here.service.applied(publish({ [HERE]: inMs(HOUR), "10.0.0.0/8": null }));
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

test("a clock that was ahead ends the rules of that time, which is reported, and no rule that is created later", async (t) => {
  const { here, clocks, publish, isIn } = await restricted(t);
  here.start();
  const end = inMs(HOUR / 2);
  await here.service.applied(publish({ [HERE]: null }, { [HERE]: end }));
  clocks.jump(HOUR);
  await until("the deny rule has ended", isIn);
  clocks.jump(-HOUR);
  const { problems } = await here.service.reported((status) =>
    status.problems.some(({ code }) => code === "clock_set_back"),
  );
  const problem = problems.find(({ code }) => code === "clock_set_back");
  assert.equal(problem?.object, "ipp_1");
  assert.ok(problem?.msg.includes(`deny ${HERE} (${end})`), problem?.msg);
  const later = await here.service.applied(publish({ [HERE]: null }, { [HERE]: inMs(HOUR / 4) }));
  assert.ok(!(await isIn()), "a new deny rule that ends before the clock was, at most");
  assert.deepEqual(later.problems, []);
});

test("a rule ends within a second while HAProxy checks another configuration, and that one is without it", async (t) => {
  const { here, clocks, port, publish, isIn } = await restricted(t);
  const [flag, done] = [join(here.directory, "slow"), join(here.directory, "done")];
  const wait = `touch ${flag}.seen; until [ -e ${done} ]; do sleep 0.1; done`;
  const slow = `if [ "$1" = -c ] && [ -e ${flag} ]; then ${wait}; fi`;
  here.start(["--haproxy", here.wrapper(slow)]);
  const rules = { [HERE]: inMs(HOUR / 2), "10.0.0.0/8": null };
  await here.service.applied(publish(rules));
  writeFileSync(flag, "");
  const other = tcpEdge("edgtcp_2", [`127.0.0.1:${await freePort()}`], "bkdhr_1");
  const version = here.service.publish({ edges: [...here.service.snapshot.edges, other] });
  await until("HAProxy checks it", () => existsSync(`${flag}.seen`));
  assert.ok(await isIn());
  const begin = Date.now();
  clocks.jump(HOUR);
  await until("the rule has ended", async () => !(await isIn()));
  const took = Date.now() - begin;
  assert.ok(took < 1500, `${took} ms`);
  let wasIn = false;
  const probing = until("it is applied", async () => {
    wasIn ||= (await body(port)) === "in";
    return here.service.statuses.some(({ applied_version }) => applied_version === version);
  });
  writeFileSync(done, "");
  await probing;
  for (let tries = 0; tries < 20; tries++) wasIn ||= (await body(port)) === "in";
  assert.ok(!wasIn);
});

test("a rule ends within a second while HAProxy loads another configuration, and that one is soon without it", async (t) => {
  const { here, clocks, port, publish, isIn } = await restricted(t);
  const [flag, done] = [join(here.directory, "slow"), join(here.directory, "done")];
  const wait = `touch ${flag}.seen; until [ -e ${done} ]; do sleep 0.1; done`;
  // The master keeps its name, so that a reload runs this too.
  const slow = `if [ "$1" != -c ] && [ -e ${flag} ]; then ${wait}; fi; exec -a "$0" haproxy "$@"`;
  here.start(["--haproxy", here.wrapper(slow, "/bin/bash")]);
  await here.service.applied(publish({ [HERE]: inMs(HOUR / 2), "10.0.0.0/8": null }));
  writeFileSync(flag, "");
  const other = tcpEdge("edgtcp_2", [`127.0.0.1:${await freePort()}`], "bkdhr_1");
  const version = here.service.publish({ edges: [...here.service.snapshot.edges, other] });
  await until("HAProxy is loading it", () => existsSync(`${flag}.seen`));
  assert.ok(await isIn());
  const begin = Date.now();
  clocks.jump(HOUR);
  await until("the rule has ended", async () => !(await isIn()));
  const took = Date.now() - begin;
  assert.ok(took < 1500, `${took} ms`);
  writeFileSync(done, "");
  await here.service.applied(version);
  for (let tries = 0; tries < 20; tries++) assert.equal(await body(port), "");
  assert.doesNotMatch(readFileSync(join(here.state, "current", "nets", "allow"), "utf8"), /7F000001/);
});

test("a rule ends within a second although HAProxy's master does not answer", async (t) => {
  const { here, clocks, publish, isIn } = await restricted(t);
  here.start();
  await here.service.applied(publish({ [HERE]: inMs(HOUR / 2), "10.0.0.0/8": null }));
  const [master = 0] = await here.pids();
  process.kill(master, "SIGSTOP");
  try {
    const begin = Date.now();
    clocks.jump(HOUR);
    await until("the rule has ended", async () => !(await isIn()));
    const took = Date.now() - begin;
    assert.ok(took < 1500, `${took} ms`);
  } finally {
    process.kill(master, "SIGCONT");
  }
});

test("after a restart of the machine, HAProxy is not started with files that may not have reached the disk", async (t) => {
  const { here, port, publish } = await restricted(t);
  here.start();
  await here.service.applied(publish({ "127.0.0.0/8": null }, { [HERE]: null }));
  await here.service.stop();
  await here.end("SIGKILL");
  for (const pid of await here.pids()) process.kill(pid, "SIGKILL");
  const applied = join(here.state, "applied.json");
  writeFileSync(applied, JSON.stringify({ ...JSON.parse(readFileSync(applied, "utf8")), boot: "another" }));
  writeFileSync(join(here.state, "current", "nets", "deny"), "");
  here.start();
  await until("HAProxy is started", () => here.log().match(/: started HAProxy in /g)?.length === 2);
  assert.equal(await body(port), "");
  assert.match(readFileSync(join(here.state, "current", "nets", "deny"), "utf8"), /7F000001/);
});

/** A HAProxy whose checks of configurations are killed, from `failChecks` on. */
function checksThatFail(here: World) {
  const flag = join(here.directory, "fail");
  return {
    program: here.wrapper(`if [ "$1" = -c ] && [ -e ${flag} ]; then kill -9 $$; fi`),
    failChecks: () => writeFileSync(flag, ""),
  };
}

test("a rule ends although an agent that took over cannot apply anything", async (t) => {
  const { here, clocks, publish, isIn } = await restricted(t);
  const { program, failChecks } = checksThatFail(here);
  here.start(["--haproxy", program]);
  await here.service.applied(publish({ [HERE]: inMs(HOUR / 2) }));
  failChecks();
  await here.end("SIGKILL");
  // Another configuration, so HAProxy has to check it.
  here.start(["--haproxy", program, "--upstream-timeout=30"]);
  await here.service.reported(({ ok }) => !ok);
  assert.ok(await isIn());
  clocks.jump(HOUR);
  await until("the rule has ended", async () => !(await isIn()));
});

test("if the running HAProxy refuses to remove a rule that has ended, it is reloaded without a check", async (t) => {
  const { here, clocks, port, publish, isIn } = await restricted(t);
  const { program, failChecks } = checksThatFail(here);
  here.start(["--haproxy", program]);
  await here.service.applied(publish({ [HERE]: inMs(HOUR / 2), "10.0.0.0/8": null }));
  const worker = await here.worker();
  failChecks();
  // Something else than the agent has changed the map.
  const allowed = join(here.state, "releases", "1", "nets", "allow");
  await here.master(`@1 clear map ${allowed}`);
  await here.master(`@1 add map ${allowed} other 1`);
  clocks.jump(HOUR);
  await until("HAProxy is reloaded", async () => (await here.worker()) !== worker);
  assert.equal(await body(port), "");
  assert.ok(!(await isIn()));
});

test("rules end although nothing can be written, and that is tried again", async (t) => {
  const { here, clocks, publish, isIn } = await restricted(t);
  const agent = here.start();
  await here.service.applied(publish({ [HERE]: inMs(HOUR / 2), "10.0.0.0/8": null }));
  const worker = await here.worker();
  const limitFiles = (bytes: string) =>
    execFileSync("prlimit", ["--pid", String(agent.pid), `--fsize=${bytes}:unlimited`]);
  limitFiles("0");
  clocks.jump(HOUR);
  await until("the rule has ended", async () => !(await isIn()));
  assert.equal(await here.worker(), worker, "no reload");
  limitFiles("unlimited");
  await here.service.applied(publish({ "10.1.0.0/16": null }));
  assert.doesNotMatch(readFileSync(join(here.state, "current", "nets", "allow"), "utf8"), /7F000001/);
});

test("a rule ends although another change could not begin, because nothing can be written", async (t) => {
  const { here, clocks, publish, isIn } = await restricted(t);
  const pem = join(here.certificates, "b.pem");
  for (const name of ["a", "b"])
    copyFileSync(certificate(folder(t), [`${name}.example.com`]).pem, join(here.certificates, `${name}.pem`));
  const named = await freePort();
  publish({ [HERE]: inMs(HOUR / 2), "10.0.0.0/8": null });
  const { edges, backends } = here.service.snapshot;
  const https = (name: string): Edge =>
    httpsEdge(
      `edghts_${name}`,
      [`${name}.example.com:${named}`],
      [{ id: `edghtsrt_${name}`, match_type: "path_prefix", match: "/", backend: { backend_id: "bkdhr_1" } }],
    );
  const agent = here.start();
  await here.service.applied(here.service.publish({ edges: [...edges, https("a"), https("b")], backends }));
  assert.ok(await isIn());
  execFileSync("prlimit", ["--pid", String(agent.pid), "--fsize=0:unlimited"]);
  rmSync(pem);
  await here.service.reported(({ error }) => error?.includes("too large") === true);
  // It is tried again within this time, which no status shows.
  await sleep(6_000);
  clocks.jump(HOUR);
  await until("the rule has ended", async () => !(await isIn()));
});

test("a rule of one of many policies ends while agent and HAProxy are away", async (t) => {
  const { here, clocks, port } = await restricted(t);
  here.start();
  const ids = Array.from({ length: 6 }, (_, index) => `ipp_${index}`);
  const ip_policies = Object.fromEntries(
    ids.map((id) => [id, { allow: [`10.0.0.${id.slice(4)}/32`], deny: [] }]),
  );
  const end = inMs(HOUR / 2);
  const version = here.service.publish({
    edges: [
      {
        ...tcpEdge("edgtcp_1", [`127.0.0.1:${port}`], "bkdhr_1"),
        ip_restriction: { ip_policy_ids: ids },
      },
    ],
    backends: { bkdhr_1: fixed("in") },
    ip_policies: {
      ...ip_policies,
      ipp_3: { allow: [HERE, "10.1.0.0/16"], deny: [], expires_at: { allow: { [HERE]: end }, deny: {} } },
    },
  });
  await here.service.applied(version);
  assert.equal(await body(port), "in");
  await here.service.stop();
  await here.end("SIGKILL");
  for (const pid of await here.pids()) process.kill(pid, "SIGKILL");
  clocks.jump(HOUR);
  here.start();
  await until("HAProxy is started", () => here.log().includes("started HAProxy again"));
  assert.equal(await body(port), "");
  const allowed = readFileSync(join(here.state, "current", "nets", "allow"), "utf8");
  assert.match(allowed, /0A01/);
  assert.doesNotMatch(allowed, /7F000001/);
});

test("a change that could not be written to the disk stays in force when a rule ends", async (t) => {
  const { here, clocks, publish, isIn } = await restricted(t);
  const { program, failChecks } = checksThatFail(here);
  here.start(["--haproxy", program]);
  const ending = { "10.0.0.0/8": inMs(HOUR / 2) };
  await here.service.applied(publish({ ...ending, [HERE]: null }));
  assert.ok(await isIn());
  // As on a full disk. Nothing else can be loaded either.
  const nets = join(here.state, "current", "nets");
  renameSync(nets, `${nets}.away`);
  writeFileSync(nets, "");
  failChecks();
  publish(ending);
  await here.service.reported(({ ok }) => !ok);
  assert.ok(!(await isIn()));
  const map = join(here.state, "releases", "1", "nets", "allow");
  assert.match(await here.master(`@1 show map ${map}`), /\/4\/0A /);
  clocks.jump(HOUR);
  await until("the rule has ended", async () => !/\/4\/0A /.test(await here.master(`@1 show map ${map}`)));
  assert.ok(!(await isIn()));
  const status = await here.service.reported(({ ok }) => !ok);
  assert.notEqual(status.error, null);
});

test("a rule ends even if no new configuration can be applied", async (t) => {
  const { here, clocks, publish, isIn } = await restricted(t);
  const { program, failChecks } = checksThatFail(here);
  here.start(["--haproxy", program]);
  await here.service.applied(publish({ [HERE]: inMs(HOUR / 2) }));
  failChecks();
  here.service.publish({
    backends: { bkdhr_1: fixed("new") },
    ip_policies: { ipp_1: { allow: [HERE], deny: [] } },
  });
  await here.service.reported(({ ok }) => !ok);
  assert.ok(await isIn());
  clocks.jump(HOUR);
  await until("the rule has ended", async () => !(await isIn()));
});

test("after random changes of rules, clocks and agents, exactly the rules that have ended are left out", (t) => {
  for (let round = 0; round < 50; round++) {
    const state = new State(folder(t));
    const [FIRST, SECONDS] = [Date.parse("2026-01-01T00:00:00Z"), 6];
    t.mock.timers.enable({ apis: ["Date"], now: FIRST });
    const endAt = (second: number): string =>
      `${new Date(FIRST + second * 1000).toISOString().slice(0, 19)}Z`;
    const listOf = (): Map<string, number> =>
      new Map(
        draw.some(["10.0.0.0/8", "10.1.0.0/16", HERE], 0.7).map((range) => [range, draw.below(SECONDS + 2)]),
      );
    // The last end means none.
    const policyOf = (allow: Map<string, number>, deny: Map<string, number>): Policy => {
      const ends = (list: Map<string, number>) =>
        Object.fromEntries(
          [...list].filter(([, end]) => end <= SECONDS).map(([range, end]) => [range, endAt(end)]),
        );
      const expires_at = { allow: ends(allow), deny: ends(deny) };
      const isEnding = Object.keys(expires_at.allow).length + Object.keys(expires_at.deny).length > 0;
      return { allow: [...allow.keys()], deny: [...deny.keys()], ...(isEnding && { expires_at }) };
    };
    const given = Array.from({ length: 4 }, () => {
      const lists = ["ipp_1", "ipp_2"].map((id) => ({ id, allow: listOf(), deny: listOf() }));
      const policies = lists.map(({ id, allow, deny }) => [id, policyOf(allow, deny)] as const);
      return { lists, snapshot: snapshot({ ip_policies: Object.fromEntries(policies) }) };
    });
    const over = new Set<string>();
    let ended = new EndedRules(state);
    let now = 0;
    for (let step = 0; step < 40; step++) {
      if (draw.chance(0.4)) now = draw.below(SECONDS + 1);
      t.mock.timers.setTime(FIRST + now * 1000);
      if (draw.chance(0.1)) ended = new EndedRules(state);
      const one = draw.pick(given);
      const expected = one.lists.map(({ id, ...lists }) => {
        const left = (list: "allow" | "deny") =>
          new Map(
            [...lists[list]].filter(([range, end]) => {
              const rule = `${id} ${list} ${range} ${end}`;
              if (end <= now) over.add(rule);
              return !over.has(rule);
            }),
          );
        return [id, policyOf(left("allow"), left("deny"))] as const;
      });
      const { rest, next } = ended.without(one.snapshot);
      assert.deepEqual(rest.ip_policies, Object.fromEntries(expected));
      const ends = endsIn(Object.values(rest.ip_policies)).map((end) => Date.parse(end));
      assert.equal(next, Math.min(Infinity, ...ends));
      assert.equal(ended.without(one.snapshot).rest, rest);
    }
    t.mock.timers.reset();
  }
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
