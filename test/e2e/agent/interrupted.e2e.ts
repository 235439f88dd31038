import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../support/wait.ts";
import { body, fixed, type Test, world } from "./agent.ts";
import { freePort, restricted, tcpEdge } from "./proxy.ts";

/*
 * An agent that is killed while it applies a version goes on with that version, also without the service: HAProxy may serve it
 * already, and the version before can be open.
 */

const HERE = "127.0.0.1/32";

/** An agent with an edge that a version closes, without a reload or with one. */
async function opened(t: Test) {
  const here = await world(t);
  const [port, other] = [await freePort(), await freePort()];
  const edge = restricted(tcpEdge("edgtcp_1", [`127.0.0.1:${port}`], "bkdhr_1"));
  const publish = (allow: string, withReload: boolean): number =>
    here.service.publish({
      edges: [edge, ...(withReload ? [tcpEdge("edgtcp_2", [`127.0.0.1:${other}`], "bkdhr_1")] : [])],
      backends: { bkdhr_1: fixed("in") },
      ip_policies: { ipp_1: { allow: [allow, "10.0.0.0/8"], deny: [] } },
    });
  return { here, port, publish };
}

for (const withReload of [false, true])
  test(`killed after a ${withReload ? "reload" : "runtime change"}, before the agent has noted it, nothing is open again`, async (t) => {
    const { here, port, publish } = await opened(t);
    here.start();
    await here.service.applied(publish(HERE, false));
    const [good, next] = [join(here.state, "snapshot.json"), join(here.state, "next.json")];
    const before = `${good}.before`;
    copyFileSync(good, before);
    await here.service.applied(publish("10.1.0.0/16", withReload));
    assert.equal(await body(port), "");
    await here.end("SIGKILL");
    await here.service.stop();
    // As they were before the last step.
    renameSync(good, next);
    renameSync(before, good);
    here.start();
    let wasIn = false;
    await until("the agent has noted it", async () => {
      wasIn ||= (await body(port)) === "in";
      return !existsSync(next);
    });
    for (let tries = 0; tries < 20; tries++) wasIn ||= (await body(port)) === "in";
    assert.ok(!wasIn);
    assert.match(readFileSync(good, "utf8"), /10\.1\.0\.0/);
  });

test("killed while HAProxy checks a version, the next agent applies that version without the service", async (t) => {
  const { here, port, publish } = await opened(t);
  const flag = join(here.directory, "kill");
  const program = here.wrapper(`if [ "$1" = -c ] && [ -e ${flag} ]; then kill -9 $PPID; sleep 1; exit 1; fi`);
  const agent = here.start(["--haproxy", program]);
  await here.service.applied(publish(HERE, false));
  assert.equal(await body(port), "in");
  writeFileSync(flag, "");
  publish("10.1.0.0/16", true);
  await until("the agent is killed", () => agent.signalCode === "SIGKILL");
  await here.service.stop();
  rmSync(flag);
  here.start(["--haproxy", program]);
  await until("the version is served", async () => (await body(port)) === "");
  await until("it was reloaded", () => here.log().includes("Version 2: reloaded HAProxy"));
});
