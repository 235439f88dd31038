import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "../../../../packages/agent/src/processes.ts";
import { checkConfiguration, MachineFailure } from "../../../../packages/agent/src/verdict.ts";
import type { Edge, Snapshot } from "../../../../packages/model/src/traffic/snapshot.ts";
import { until } from "../../support/wait.ts";
import { body, fixed, type Test, world } from "../agent.ts";
import { Clocks } from "../clocks.ts";
import { folder, freePort, tcpEdge } from "../proxy.ts";

/*
 * A machine in trouble says nothing about a configuration, and what HAProxy serves stays.
 */

/** What a check does instead of checking, by name. `$3` is the configuration. */
const troubles = {
  killed: "kill -9 $$",
  elsewhere: "exit 127",
  memory: 'echo "[ALERT] (1) : config : parsing [$3:7] : out of memory." >&2; exit 1',
  unnamed: 'echo "[ALERT] (1) : config : Cannot create the worker." >&2; exit 1',
  verdict: 'echo "[ALERT] (1) : config : parsing [$3:7] : no" >&2; exit 1',
  // Until the next way.
  slow: 'touch "$(dirname "$0")/seen"; while [ -e "$(dirname "$0")/mode" ]; do sleep 0.1; done',
  // Rejects what contains a word.
  word: 'if grep -rq refused-word "$(dirname "$3")"; then echo "[ALERT] (1) : config : parsing [$3:7] : no" >&2; exit 1; fi',
};

async function started(t: Test) {
  const here = await world(t);
  const clocks = new Clocks(here);
  const [port, second] = [await freePort(), await freePort()];
  const mode = join(here.directory, "mode");
  const cases = Object.entries(troubles).map(([name, lines]) => `${name}) ${lines} ;;`);
  // A limit of the agent's files ends a process that exceeds it, which a full disk does not.
  const program = here.wrapper(
    `ulimit -S -f unlimited; if [ "$1" = -c ]; then echo >> ${mode}.checks; case "$(cat ${mode} 2>/dev/null)" in ${cases.join("\n")} esac; fi`,
  );
  const first = tcpEdge("edgtcp_1", [`127.0.0.1:${port}`], "bkdhr_1");
  const other = tcpEdge("edgtcp_2", [`127.0.0.1:${second}`], "bkdhr_2");
  const publish = (text: string, edges: Edge[] = [first], others = "fine"): number =>
    here.service.publish({ edges, backends: { bkdhr_1: fixed(text), bkdhr_2: fixed(others) } });
  here.start(["--haproxy", program]);
  await here.service.applied(publish("old"));
  return {
    here,
    clocks,
    port,
    second,
    program,
    publish,
    edges: [first, other],
    /** Makes checks fail in a way, or no longer. */
    fail: (name?: keyof typeof troubles) =>
      name === undefined ? rmSync(mode, { force: true }) : writeFileSync(mode, name),
    checks: () => readFileSync(`${mode}.checks`, "utf8").length,
  };
}

test("a check that fails because of the machine changes nothing, is reported, and is retried", async (t) => {
  const { here, port, program, publish, fail } = await started(t);
  const worker = await here.worker();
  for (const [name, words] of [
    ["killed", /could not check the configuration: it was ended by SIGKILL/],
    ["elsewhere", /could not check the configuration: exit status 127: it printed nothing/],
    ["memory", /could not check the configuration: exit status 1: .*out of memory/],
    ["unnamed", /could not check the configuration: exit status 1: .*Cannot create the worker/],
  ] as const) {
    const before = await body(port);
    fail(name);
    const version = publish(name);
    const status = await here.service.reported(({ error }) => words.test(error ?? ""));
    assert.ok(!status.ok && status.applied_version === version - 1);
    assert.deepEqual(status.problems, []);
    assert.equal(await body(port), before);
    fail();
    assert.ok((await here.service.applied(version)).ok);
    assert.equal(await body(port), name);
  }
  assert.notEqual(await here.worker(), worker);

  // HAProxy is upgraded: for a moment there is none.
  renameSync(program, `${program}.away`);
  const version = publish("upgraded");
  const status = await here.service.reported(({ error }) => /ENOENT/.test(error ?? ""));
  assert.deepEqual([status.ok, status.applied_version], [false, version - 1]);
  assert.equal(await body(port), "unnamed");
  renameSync(`${program}.away`, program);
  await here.service.applied(version);
  assert.equal(await body(port), "upgraded");
  assert.doesNotMatch(here.log(), /rejects/);
});

test("a check that takes minutes is reported while it lasts", async (t) => {
  const { here, port, publish, fail, clocks } = await started(t);
  fail("slow");
  const version = publish("new");
  await until("HAProxy checks it", () => existsSync(join(here.directory, "seen")));
  clocks.pass(61_000);
  const { applied_version } = await here.service.reported(({ error }) =>
    /more than 60 seconds to apply/.test(error ?? ""),
  );
  assert.equal(applied_version, version - 1);
  // Meanwhile, HAProxy ends.
  for (const pid of await here.pids()) process.kill(pid, "SIGKILL");
  await until("HAProxy is started again", async () => (await body(port)) === "old");
  fail();
  await here.service.applied(version);
  assert.equal(await body(port), "new");
});

test("a version that comes while nothing can be written is applied once it can", async (t) => {
  const { here, port, publish } = await started(t);
  const pid = String(here.agent?.pid);
  execFileSync("prlimit", ["--pid", pid, "--fsize=0:unlimited"]);
  const version = publish("new");
  await here.service.reported(({ ok }) => !ok);
  execFileSync("prlimit", ["--pid", pid, "--fsize=unlimited:unlimited"]);
  assert.ok((await here.service.applied(version)).ok);
  assert.equal(await body(port), "new");
});

test("a version that takes access away stays in force if its release cannot be rewritten", async (t) => {
  const { here, port, edges } = await started(t);
  const restricted = { ...edges[0], ip_restriction: { ip_policy_ids: ["ipp_1"] } } as Edge;
  const rules = (...allow: string[]): Partial<Snapshot> => ({
    edges: [restricted],
    ip_policies: { ipp_1: { allow, deny: [] } },
  });
  await here.service.applied(here.service.publish(rules("127.0.0.1/32", "10.0.0.0/8")));
  assert.equal(await body(port), "old");
  const nets = join(here.state, "current", "nets");
  renameSync(nets, `${nets}.away`);
  writeFileSync(nets, "");
  const version = here.service.publish(rules("10.0.0.0/8"));
  await until("access is taken away", async () => (await body(port)) === "");
  let wasIn = false;
  await until("it is written", async () => {
    wasIn ||= (await body(port)) !== "";
    return here.service.statuses.some(({ applied_version, ok }) => applied_version === version && ok);
  });
  assert.ok(!wasIn);
});

test("an agent without file descriptors for a while does not take HAProxy for ended", async (t) => {
  const { here, port, publish } = await started(t);
  const pid = String(here.agent?.pid);
  const before = await here.pids();
  execFileSync("prlimit", ["--pid", pid, "--nofile=3:"]);
  const version = publish("new");
  // Several turns, each of which looks at HAProxy.
  await sleep(3000);
  assert.equal(await body(port), "old");
  execFileSync("prlimit", ["--pid", pid, "--nofile=512:"]);
  await here.service.applied(version);
  assert.equal((await here.pids())[0], before[0]);
  assert.equal(await body(port), "new");
});

test("a worker that hangs is replaced, and an old one that hangs gets no more connections", async (t) => {
  const { here, clocks, port, edges, publish } = await started(t);
  const first = await here.worker();
  process.kill(first, "SIGSTOP");
  // A reload: another edge. The old worker still listens on the port.
  await here.service.applied(publish("new", edges));
  await until("it is killed", () => !isAlive(first));
  for (let tries = 0; tries < 20; tries++) assert.equal(await body(port), "new");
  const second = await here.worker();
  process.kill(second, "SIGSTOP");
  await here.service.reported(({ error }) => {
    clocks.pass(500);
    return /worker has not responded|exited unexpectedly/.test(error ?? "");
  });
  await until("it serves again", async () => (await body(port)) === "new");
  assert.ok(!isAlive(second));
});

test("a worker that hangs and whose master is killed does not keep its ports", async (t) => {
  const { here, port, publish } = await started(t);
  const worker = await here.worker();
  const [master = 0] = await here.pids();
  process.kill(worker, "SIGSTOP");
  process.kill(master, "SIGKILL");
  await until("HAProxy is started again", async () => (await body(port)) === "old");
  assert.ok(!isAlive(worker));
  const { problems } = await here.service.applied(publish("new"));
  assert.deepEqual(problems, []);
});

test("HAProxy that is started while nothing can be written is known to the agent", async (t) => {
  const { here, port, publish } = await started(t);
  const pid = String(here.agent?.pid);
  execFileSync("prlimit", ["--pid", pid, "--fsize=0:unlimited"]);
  for (const each of await here.pids()) process.kill(each, "SIGKILL");
  await until("HAProxy is started again", async () => (await body(port)) === "old");
  const master = await until("its master answers", async () => (await here.pids())[0]);
  execFileSync("prlimit", ["--pid", pid, "--fsize=unlimited:unlimited"]);
  const { problems } = await here.service.applied(publish("new"));
  assert.deepEqual(
    problems.filter(({ code }) => code === "port_taken"),
    [],
  );
  assert.equal(await body(port), "new");
  assert.equal((await here.pids())[0], master);
});

test("a check that does not end is a failure of the machine", async (t) => {
  const program = join(folder(t), "haproxy");
  writeFileSync(program, "#!/bin/sh\nexec sleep 60\n", { mode: 0o755 });
  await assert.rejects(
    checkConfiguration(program, "/x/haproxy.cfg", 200),
    (error) => error instanceof MachineFailure && /did not finish within 0.2 s/.test(error.message),
  );
});

test("what a user writes does not pass for a failure of the machine", async (t) => {
  const file = join(folder(t), "haproxy.cfg");
  writeFileSync(file, "global\n    'out of memory.'\n");
  const { ok, message } = await checkConfiguration("haproxy", file);
  assert.ok(!ok && /out of memory/.test(message), message);
});

test("if HAProxy exits while checks fail, the agent restarts it with the last configuration, and so does a new agent", async (t) => {
  const { here, port, program, publish, fail, checks } = await started(t);
  fail("killed");
  publish("new");
  await here.service.reported(({ ok }) => !ok);
  const killed = async () => {
    const pids = await here.pids();
    assert.equal(pids.length, 2);
    for (const pid of pids) process.kill(pid, "SIGKILL");
  };
  await killed();
  await until("HAProxy is started again", () => here.log().includes("started HAProxy again"));
  assert.equal(await body(port), "old");

  await here.end("SIGKILL");
  await killed();
  await until("nothing is served", async () => (await body(port)) === "");
  await here.service.stop();
  const before = checks();
  here.start(["--haproxy", program]);
  await until("it is served again", async () => (await body(port)) === "old");
  assert.equal(checks(), before, "without a check");
});

test("a configuration that is rejected once is not searched for culprits", async (t) => {
  const { here, port, publish, fail, edges, checks } = await started(t);
  fail("verdict");
  const before = checks();
  const version = publish("new", edges);
  const status = await here.service.reported(({ error }) => /The agent checks it again/.test(error ?? ""));
  assert.deepEqual([status.ok, status.applied_version], [false, version - 1]);
  assert.equal(await body(port), "old");
  fail();
  assert.deepEqual((await here.service.applied(version)).problems, []);
  assert.equal(await body(port), "new");
  assert.ok(checks() - before <= 3, `${checks() - before} checks`);
});

test("if HAProxy rejects every edge, or a configuration without edges, the last good configuration stays", async (t) => {
  const { here, port, publish, fail } = await started(t);
  const worker = await here.worker();
  fail("word");
  publish("refused-word");
  await here.service.reported(({ error }) => /HAProxy rejects every edge.*stays/.test(error ?? ""));
  assert.equal(await body(port), "old");
  assert.equal(await here.worker(), worker);
  assert.equal(readdirSync(join(here.state, "releases")).length, 1, "what was rejected is not kept");
  await here.service.applied(publish("new"));
  fail("verdict");
  publish("newer");
  await here.service.reported(({ error }) =>
    /rejects the configuration even without edges/.test(error ?? ""),
  );
  assert.equal(await body(port), "new");
});

test("what HAProxy rejects is left out, and tried again after ten minutes", async (t) => {
  const { here, clocks, port, second, publish, fail, edges } = await started(t);
  fail("word");
  const version = publish("new", edges, "refused-word");
  const { problems } = await here.service.applied(version);
  assert.deepEqual(
    problems.map(({ object, code }) => [object, code]),
    [["edgtcp_2", "refused_by_haproxy"]],
  );
  assert.equal(await body(port), "new");
  const worker = await here.worker();
  const searches = () => here.log().match(/Left out because HAProxy rejects them: edgtcp_2\./g)?.length ?? 0;
  const before = searches();
  clocks.pass(600_000);
  await until("it was looked for again", () => searches() > before);
  assert.equal(await here.worker(), worker, "found again: no reload");
  assert.equal(await body(port), "new");
  fail();
  clocks.pass(600_000);
  await until("it is served", async () => (await body(second)) === "refused-word");
  await here.service.reported((status) => status.ok && status.problems.length === 0);
});
