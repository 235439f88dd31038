import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "../../../packages/agent/src/processes.ts";
import { until } from "../support/wait.ts";
import { body, fixed, serving, world, type World } from "./agent.ts";
import { listening } from "./calls.ts";
import { Clocks } from "./clocks.ts";
import { freePort, restricted, tcpEdge } from "./proxy.ts";

/*
 * The agent follows the service, and what it serves survives whatever else fails.
 */

const on = (port: number) => [`127.0.0.1:${port}`];

test("serves what the service says, follows changes and reports them", async (t) => {
  const { here, port, publish, status } = await serving(t, "one");
  assert.equal(await body(port), "one");
  assert.deepEqual([status.ok, status.error, status.problems], [true, null, []]);
  assert.match(status.proxy ?? "", /^HAProxy \d/);

  const begin = Date.now();
  publish("two");
  await until("the change is served", async () => (await body(port)) === "two");
  t.diagnostic(`served ${Date.now() - begin} ms after the change, polling every 100 ms`);
  await until("it polls with If-None-Match", () => here.service.polls.at(-1) === 304);
});

test("prints its own lines and connections, and not what HAProxy says of itself", async (t) => {
  const { here, port, edge, publish } = await serving(t, "one", {}, () => ["--access-log=all"]);
  await body(port);
  const refused = tcpEdge("edgtcp_2", ["127.0.0.1:25"], "bkdhr_1");
  await here.service.applied(publish("two", { edges: [edge, refused] }));
  await here.end("SIGTERM");
  const lines = here.log().trim().split("\n");
  assert.doesNotMatch(here.log(), /\[(?:NOTICE|WARNING|ALERT)\]/);
  assert.doesNotMatch(here.log(), /^Proxy /m);
  for (const expected of [
    /^edge-agent: edgtcp_2: port_refused: /,
    /^edge-agent: Version 1: started HAProxy in/,
    /^\{"at":".*","kind":"connection","edge":"edgtcp_1",/,
    /^edge-agent: Version 2: reloaded HAProxy in/,
  ])
    assert.equal(lines.filter((line) => expected.test(line)).length, 1, `${expected}\n${here.log()}`);
});

test("writes files and directories that only its user reads, and keeps few releases", async (t) => {
  const { here, publish } = await serving(t, "round 0");
  for (let round = 1; round <= 4; round++) await here.service.applied(publish(`round ${round}`));
  const entries = readdirSync(here.state, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777;
    assert.equal(mode & 0o077, 0, `${entry.name} has mode ${mode.toString(8)}`);
  }
  assert.ok(readdirSync(join(here.state, "releases")).length <= 3);
  assert.doesNotMatch(here.log(), /key-of-the-test/);
  for (const pid of await here.pids())
    assert.doesNotMatch(readFileSync(`/proc/${pid}/environ`, "latin1"), /key-of-the-test/);
});

test("a master that does not answer for a while is not ended", async (t) => {
  const { here, port, publish } = await serving(t, "one");
  const [master = 0] = await here.pids();
  process.kill(master, "SIGSTOP");
  try {
    publish("two");
    await here.service.reported(({ error }) => /HAProxy does not respond/.test(error ?? ""));
    assert.equal(await body(port), "one");
  } finally {
    process.kill(master, "SIGCONT");
  }
  assert.equal((await here.pids())[0], master);
});

test("a master that does not answer for half a minute is replaced, and an agent that takes over waits as long", async (t) => {
  let clocks: Clocks | undefined;
  const { here, port, publish } = await serving(t, "one", {}, (here) => {
    clocks = new Clocks(here);
    return [];
  });
  await here.end("SIGKILL");
  const [master = 0] = await here.pids();
  process.kill(master, "SIGSTOP");
  const version = publish("two");
  here.start();
  let passed = 0;
  await until("it is replaced", () => {
    clocks?.pass(100);
    passed += 100;
    return !isAlive(master);
  });
  assert.ok(passed >= 29_000, `${passed} ms`);
  const { problems } = await here.service.applied(version);
  assert.ok(!problems.some(({ code }) => code === "port_taken"));
  assert.equal(await body(port), "two");
});

test("HAProxy whose sockets were deleted is restarted", async (t) => {
  const { here, port, publish } = await serving(t, "one");
  const [master] = await here.pids();
  // As by a program that cleans up /tmp.
  rmSync(join(here.state, "run"), { recursive: true });
  const version = publish("two");
  await here.service.reported(({ error }) => /HAProxy does not respond/.test(error ?? ""));
  await here.service.applied(version);
  assert.equal(await body(port), "two");
  assert.notEqual((await here.pids())[0], master);
});

test("a configuration that passes the check and does not come up is taken back", async (t) => {
  let flag = "";
  const { here, port, publish } = await serving(t, "old", {}, (here) => {
    flag = join(here.directory, "break");
    // What a check cannot see: the file is broken once it was checked.
    const check = `if [ "$1" = -c ]; then haproxy "$@" || exit 1; [ -e ${flag} ] && for last; do :; done && [ -e ${flag} ] && echo broken >> "$last"; exit 0; fi`;
    return ["--haproxy", here.wrapper(check)];
  });
  writeFileSync(flag, "");
  publish("new");
  const status = await here.service.reported(({ ok }) => !ok);
  assert.match(status.error ?? "", /HAProxy did not reload: .*unknown keyword 'broken'/);
  assert.equal(await body(port), "old");
  // HAProxy's master does not wait any longer for a good configuration.
  assert.match(await here.master(), /\[failed: 0\]/);
});

test("addresses that this machine lacks, low ports and other hostports are left out and reported", async (t) => {
  const here = await world(t);
  const port = await freePort();
  const version = here.service.publish({
    edges: [
      tcpEdge("edgtcp_1", on(port), "bkdhr_1"),
      tcpEdge("edgtcp_2", [`203.0.113.9:${port}`], "bkdhr_1"),
      tcpEdge("edgtcp_3", ["127.0.0.1:25"], "bkdhr_1"),
    ],
    backends: { bkdhr_1: fixed("here") },
  });
  here.start();
  const status = await here.service.applied(version);
  assert.deepEqual(
    status.problems.map(({ object, code }) => [object, code]),
    [
      ["edgtcp_3", "port_refused"],
      ["edgtcp_2", "address_missing"],
    ],
  );
  assert.equal(await body(port), "here");
});

test("10,000 rules change in the running HAProxy, and are on disk", async (t) => {
  const others = Array.from({ length: 10_000 }, (_, index) => `10.${index >> 8}.${index & 255}.0/24`);
  const rules = (allow: string[], deny: string[] = []) => ({ ip_policies: { ipp_1: { allow, deny } } });
  const { here, port } = await serving(t, "in", rules(["127.0.0.1/32"]));
  assert.equal(await body(port), "in");
  const worker = await here.worker();

  const begin = Date.now();
  const without = here.service.publish(rules(others));
  await here.service.applied(without);
  t.diagnostic(
    `reported ${Date.now() - begin} ms after the change; ${/updated \d+ maps?.*/.exec(here.log())?.[0]}`,
  );
  assert.equal(await body(port), "");
  const within = here.service.publish(rules([...others, "127.0.0.0/8"]));
  await here.service.applied(within);
  assert.equal(await body(port), "in");
  const denied = here.service.publish(rules([...others, "127.0.0.0/8"], ["127.0.0.1/32"]));
  await here.service.applied(denied);
  assert.equal(await body(port), "");
  assert.equal(await here.worker(), worker, "the rules did not cost a reload");

  // The rules from before the restart, without the service.
  await here.service.stop();
  await here.end("SIGTERM");
  here.start();
  await until("HAProxy runs again", async () => (await here.pids()).length > 1);
  assert.equal(await body(port), "");
  await here.service.start();
  const last = here.service.publish(rules(["127.0.0.1/32"]));
  await here.service.applied(last);
  assert.equal(await body(port), "in");
});

test("rules that changed only in memory are not taken for the previous rules", async (t) => {
  const nobody = { ip_policies: { ipp_1: { allow: [], deny: [] } } };
  const { here, port } = await serving(t, "in", nobody);
  assert.equal(await body(port), "");
  // The files cannot be written: as on a full disk.
  const nets = join(here.state, "current", "nets");
  renameSync(nets, `${nets}.away`);
  writeFileSync(nets, "");
  here.service.publish({ ip_policies: { ipp_1: { allow: ["127.0.0.0/8"], deny: [] } } });
  await here.service.reported(({ ok }) => !ok);
  await here.service.applied(here.service.publish(nobody));
  assert.equal(await body(port), "");
});

/** What a process of HAProxy has in memory of the addresses that are allowed. */
async function rulesOf(here: World, process: string): Promise<string> {
  const maps = await here.master(`${process} show map`);
  const [, id = "none"] = /^(\d+) \(\/[^)]*\/nets\/allow\)/m.exec(maps) ?? [];
  return here.master(`${process} show map #${id}`);
}

test("an open stream continues in an old worker while rules change in the current one", async (t) => {
  const here = await world(t);
  const [port, other] = [await freePort(), await freePort()];
  const upstream = createServer((socket) => socket.on("error", () => {}).pipe(socket));
  const to = await listening(t, upstream);
  const edge = restricted(tcpEdge("edgtcp_1", on(port), "bkdsc_1"));
  const first = here.service.publish({
    edges: [edge],
    backends: { bkdsc_1: { kind: "static", address: `127.0.0.1:${to}`, tls: false } },
    ip_policies: { ipp_1: { allow: ["127.0.0.0/8"], deny: [] } },
  });
  here.start();
  await here.service.applied(first);
  const client = connect(port, "127.0.0.1");
  t.after(() => client.destroy());
  client.write("x");
  await once(client, "data");
  const before = await here.worker();
  await here.service.applied(
    here.service.publish({ edges: [edge, tcpEdge("edgtcp_2", on(other), "bkdsc_1")] }),
  );
  assert.notEqual(await here.worker(), before);
  const changed = here.service.publish({ ip_policies: { ipp_1: { allow: ["10.9.0.0/16"], deny: [] } } });
  await here.service.applied(changed);
  const rules = await rulesOf(here, "@1");
  assert.match(rules, /ipp_1\.\d+\/4\/0A09 /);
  assert.doesNotMatch(rules, /\/4\/7F /);
  client.write("y");
  await once(client, "data");
});

test("no request fails while it reloads", async (t) => {
  const here = await world(t);
  const [port, ...others] = [await freePort(), await freePort(), await freePort()];
  // A response that a reload changes is not available on connections from before.
  const publish = (round: number) =>
    here.service.publish({
      edges: [
        tcpEdge("edgtcp_1", on(port), "bkdhr_1"),
        tcpEdge("edgtcp_2", on(others[round % 2] ?? 0), "bkdhr_1"),
      ],
      backends: { bkdhr_1: fixed("in") },
    });
  here.start();
  await here.service.applied(publish(0));
  let [requests, failures] = [0, 0];
  const end = new AbortController();
  const client = async () => {
    while (!end.signal.aborted) {
      const text = await body(port);
      requests += 1;
      if (text !== "in") failures += 1;
    }
  };
  const clients = [client(), client(), client(), client()];
  for (let round = 1; round <= 10; round++) await here.service.applied(publish(round));
  end.abort();
  await Promise.all(clients);
  t.diagnostic(`${requests} requests during 10 reloads`);
  assert.equal(failures, 0);
  assert.ok(requests > 100, `${requests} requests`);
  assert.equal(here.log().match(/: reloaded HAProxy/g)?.length, 10);
});

test("goes on without the service, after being killed, and after HAProxy was ended too", async (t) => {
  const { here, port, publish } = await serving(t, "kept");
  const pids = await here.pids();
  await here.service.stop();

  await here.end("SIGKILL");
  assert.equal(await body(port), "kept", "HAProxy outlives the agent");
  here.start();
  await until("the agent finds HAProxy", () => here.log().includes("HAProxy is already running"));
  await until("it has tried the service", () => here.log().includes("Cannot reach"));
  assert.deepEqual(await here.pids(), pids, "the same processes go on");

  assert.equal(await here.end("SIGTERM"), 0);
  assert.equal(await body(port), "");
  for (const pid of pids) assert.ok(!isAlive(pid), `process ${pid} has ended`);
  here.start();
  await until("it is served again", async () => (await body(port)) === "kept");

  // What it missed meanwhile.
  await here.service.start();
  const next = publish("next");
  await here.service.applied(next);
  assert.equal(await body(port), "next");
});

test("killed at any moment, it goes on with what is newest", async (t) => {
  const rules = (round: number) => ({
    ip_policies: { ipp_1: { allow: [`10.${round}.0.0/16`, "127.0.0.0/8"], deny: [] } },
  });
  const { here, port, publish } = await serving(t, "round 0", rules(0));
  for (let round = 1; round <= 8; round++) {
    const version = publish(`round ${round >> 1}`, rules(round));
    await sleep(60 * round);
    await here.end("SIGKILL");
    assert.notEqual(await body(port), "", "it is served all the time");
    here.start();
    await here.service.applied(version);
    assert.equal(await body(port), `round ${round >> 1}`);
    const loaded = await rulesOf(here, "@1");
    const keyOf = (second: number) => `/4/0A${second.toString(16).padStart(2, "0").toUpperCase()} `;
    assert.ok(loaded.includes(keyOf(round)) && !loaded.includes(keyOf(round - 1)), loaded);
  }
});

test("SIGTERM with --leave-proxy leaves HAProxy", async (t) => {
  const { here, port } = await serving(t, "left", {}, () => ["--leave-proxy"]);
  assert.equal(await here.end("SIGTERM"), 0);
  assert.equal(await body(port), "left");
});

test("an HAProxy that exits is restarted, and that is reported", async (t) => {
  const { here, port } = await serving(t, "again");
  for (const which of [1, 0]) {
    const pids = await here.pids();
    here.service.statuses.length = 0;
    process.kill(pids[which] ?? 0, "SIGKILL");
    await here.service.reported(({ error }) => /HAProxy exited unexpectedly/.test(error ?? ""));
    await until("it is served again", async () => {
      const now = await here.pids();
      return now.length > 1 && now[0] !== pids[0] && (await body(port)) === "again";
    });
  }
});

test("a second agent on one state directory refuses to start; after a crash the next one does not", async (t) => {
  const here = await world(t);
  here.start();
  const version = here.service.publish({});
  await here.service.applied(version);
  const first = here.agent;
  const second = here.start();
  await once(second, "exit");
  assert.equal(second.exitCode, 1);
  assert.match(here.log(), /Another agent uses this state directory/);
  assert.equal(first?.exitCode, null);
  first?.kill("SIGKILL");
  here.start();
  await here.service.applied(here.service.publish({}));
});

test("a redirect is not followed, and what is no snapshot changes nothing", async (t) => {
  const { here, port } = await serving(t, "kept");
  let leaked = "";
  const thief = createHttpServer((request, response) => {
    leaked += request.headers.authorization ?? "asked";
    response.end();
  });
  const elsewhere = `http://127.0.0.1:${await listening(t, thief)}/snapshot`;
  const faults: [RegExp, NonNullable<typeof here.service.fault>][] = [
    [/redirect/, (_, response) => response.writeHead(302, { location: elsewhere }).end()],
    [/is not valid JSON/, (_, response) => response.writeHead(200).end("<html>")],
    [/edges: Expected a list/, (_, response) => response.writeHead(200).end('{"version":1}')],
    [/responded with 503: later/, (_, response) => response.writeHead(503).end('{"msg":"later"}')],
    [
      /larger than 67108864/,
      (_, response) => void response.writeHead(200).end(Buffer.alloc(65 * 1024 * 1024, 32)),
    ],
    [/UND_ERR_SOCKET|ECONNRESET/, (request) => request.socket.destroy()],
  ];
  for (const [told, fault] of faults) {
    here.service.fault = fault;
    await until(`the log has ${told}`, () => told.test(here.log()));
    here.service.fault = undefined;
    here.service.polls.length = 0;
    await until("it polls again", () => here.service.polls.length > 0);
  }
  assert.equal(leaked, "");
  assert.equal(await body(port), "kept");
  assert.equal(here.agent?.exitCode, null);
});
