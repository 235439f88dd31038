import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { test } from "node:test";
import { isAlive } from "../../../packages/agent/src/processes.ts";
import { until } from "../support/wait.ts";
import { body, world, type Test } from "./agent.ts";
import { listening } from "./calls.ts";
import { freePort, tcpEdge } from "./proxy.ts";

/*
 * How the agent ends while a client has an open connection.
 */

async function connected(t: Test) {
  const here = await world(t);
  const port = await freePort();
  const echo = createServer((socket) => socket.on("error", () => {}).pipe(socket));
  const address = `127.0.0.1:${await listening(t, echo)}`;
  const version = here.service.publish({
    edges: [tcpEdge("edgtcp_1", [`127.0.0.1:${port}`], "bkdsc_1")],
    backends: { bkdsc_1: { kind: "static", address, tls: false } },
  });
  here.start();
  await here.service.applied(version);
  const client = connect(port, "127.0.0.1").on("error", () => {});
  t.after(() => client.destroy());
  const answered = async (text: string): Promise<boolean> => {
    client.write(text);
    return String((await once(client, "data"))[0]) === text;
  };
  assert.ok(await answered("x"));
  const isDraining = () => until("no connection is accepted", async () => (await body(port)) === "");
  return { here, answered, isDraining, pids: await here.pids(), closed: once(client, "close") };
}

test("SIGTERM ends agent and HAProxy within five seconds, which connections have to end", async (t) => {
  const { here, answered, isDraining, pids, closed } = await connected(t);
  const begin = Date.now();
  const ended = here.end("SIGTERM");
  await isDraining();
  assert.ok(await answered("y"), "the connection is still served");
  assert.equal(await ended, 0);
  const taken = Date.now() - begin;
  await closed;
  assert.ok(taken > 3000 && taken < 5000, `${taken} ms`);
  for (const pid of pids) assert.ok(!isAlive(pid), `process ${pid} has ended`);
});

test("a second SIGTERM ends agent and HAProxy at once", async (t) => {
  const { here, answered, isDraining, pids, closed } = await connected(t);
  const { agent } = here;
  const ended = here.end("SIGTERM");
  await isDraining();
  assert.ok(await answered("y"), "one alone leaves the connection");
  const begin = Date.now();
  agent?.kill("SIGTERM");
  assert.equal(await ended, 0);
  await closed;
  await until("HAProxy has ended", () => !pids.some(isAlive));
  const taken = Date.now() - begin;
  assert.ok(taken < 2000, `${taken} ms`);
});
