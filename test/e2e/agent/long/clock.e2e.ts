import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../../support/wait.ts";
import { body, fixed, serving, world } from "../agent.ts";
import { listening } from "../calls.ts";
import { Clocks } from "../clocks.ts";
import { freePort, tcpEdge } from "../proxy.ts";

/*
 * The wall clock of the machine is set back or forward by an hour while the agent is in the middle of something.
 */

const HOUR = 3_600_000;

for (const [direction, jump] of [
  ["back", -HOUR],
  ["forward", HOUR],
] as const) {
  test(`a clock that is set ${direction} while HAProxy checks or starts delays nothing`, async (t) => {
    const { here, port, publish } = await serving(t, "one", {}, (here) => {
      // Each call of HAProxy sets the clock further.
      const calls = join(here.directory, "calls");
      const set = new Clocks(here).jumpInShell(0);
      const shell = set.replace('"wall":0', `"wall":'$((${jump} * $(wc -l < ${calls})))'`);
      return ["--haproxy", here.wrapper(`if [ "$1" != -v ]; then echo >> ${calls}; ${shell}; fi`)];
    });
    await here.service.applied(publish("two"));
    assert.equal(await body(port), "two");

    for (const pid of await here.pids()) process.kill(pid, "SIGKILL");
    await here.service.reported(({ error }) => /HAProxy exited unexpectedly/.test(error ?? ""));
    await until("it is served again", async () => (await body(port)) === "two");
    const { ok } = await here.service.applied(publish("three"));
    assert.equal(await body(port), "three");
    assert.ok(!ok, "the status says that HAProxy ended");
  });

  test(`a clock that is set ${direction} while the agent waits ends no wait early or late`, async (t) => {
    const here = await world(t);
    const clocks = new Clocks(here);
    const port = await freePort();
    const echo = createServer((socket) => socket.on("error", () => {}).pipe(socket));
    const to = await listening(t, echo);
    const passing = await freePort();
    const publish = (text: string) =>
      here.service.publish({
        edges: [
          tcpEdge("edgtcp_1", [`127.0.0.1:${port}`], "bkdhr_1"),
          tcpEdge("edgtcp_2", [`127.0.0.1:${passing}`], "bkdsc_1"),
        ],
        backends: {
          bkdhr_1: fixed(text),
          bkdsc_1: { kind: "static", address: `127.0.0.1:${to}`, tls: false },
        },
      });
    here.start();
    await here.service.applied(publish("one"));

    // An old worker, for which the next reload waits.
    const client = connect(passing, "127.0.0.1");
    t.after(() => client.destroy());
    client.write("x");
    await once(client, "data");
    await here.service.applied(publish("two"));
    publish("three");
    clocks.jump(jump);
    await until("the reload comes", async () => (await body(port)) === "three");

    // The service is away, and the agent waits before it asks again.
    here.service.fault = (_, response) => response.writeHead(503).end('{"msg":"away"}');
    await until("it has asked in vain", () => here.log().includes("503: away"));
    clocks.jump(jump);
    here.service.fault = undefined;
    const asked = here.service.polls.length;
    await until("it asks again", () => here.service.polls.length > asked);

    // The agent waits until it looks at certificates and at HAProxy again.
    writeFileSync(join(here.certificates, "none.pem"), "");
    clocks.jump(jump);
    await here.service.reported(({ problems }) => problems.some(({ object }) => object === "none.pem"));
    for (const pid of await here.pids()) process.kill(pid, "SIGKILL");
    clocks.jump(jump);
    await until("it is served again", async () => (await body(port)) === "three");
    clocks.jump(jump);
    await here.service.applied(publish("four"));
    assert.equal(await body(port), "four");
  });
}
