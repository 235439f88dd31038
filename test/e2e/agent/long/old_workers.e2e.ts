import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readdirSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Agent, request } from "node:https";
import { syncBuiltinESMExports } from "node:module";
import { connect, createServer as createTcpServer, type Socket } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import timers from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { OldWorkers } from "../../../../packages/agent/src/old_workers.ts";
import { State } from "../../../../packages/agent/src/state.ts";
import { takesAccessAway } from "../../../../packages/agent/src/stricter.ts";
import type { Edge, HttpsEdge, Snapshot } from "../../../../packages/model/src/traffic/snapshot.ts";
import { until } from "../../support/wait.ts";
import { world } from "../agent.ts";
import { listening } from "../calls.ts";
import { Clocks } from "../clocks.ts";
import { certificate, folder, freePort, snapshot, tcpEdge } from "../proxy.ts";
import { StubbornClient } from "../stubborn_client.ts";

/*
 * What a worker that was replaced by a reload still serves, on connections that were open before.
 */

const HOUR = 3_600_000;
const HOST = "a.example.com";
const ALLOWED = { ipp_1: { allow: ["127.0.0.0/8"], deny: [] } };
const DENIED = { ipp_1: { allow: ["127.0.0.0/8"], deny: ["127.0.0.1/32"] } };

const httpsEdge = (port: number): HttpsEdge => ({
  kind: "https",
  id: "edghts_1",
  hostports: [`${HOST}:${port}`],
  tls_termination: { min_version: "1.2" },
  routes: [
    {
      id: "edghtsrt_1",
      match_type: "path_prefix",
      match: "/",
      backend: { backend_id: "bkdsc_1" },
      ip_restriction: { ip_policy_ids: ["ipp_1"] },
    },
  ],
});

/** An agent that serves an edge, with connections that are open. */
async function served(
  t: TestContext,
  upstream: (request: IncomingMessage, response: ServerResponse) => void,
) {
  const here = await world(t);
  const clocks = new Clocks(here);
  const [port, other] = [await freePort(), await freePort()];
  copyFileSync(certificate(folder(t), [HOST]).pem, join(here.certificates, "a.pem"));
  const address = `127.0.0.1:${await listening(t, createServer(upstream))}`;
  const first: Partial<Snapshot> = {
    edges: [httpsEdge(port)],
    ip_policies: ALLOWED,
    backends: { bkdsc_1: { kind: "static", address, tls: false } },
  };
  here.start();
  await here.service.applied(here.service.publish(first));
  const client = await StubbornClient.connect(port, HOST);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => {
    client.close();
    agent.destroy();
  });
  /** A reload: an edge on another port. */
  const reloadedWith = (given: Partial<Snapshot>) =>
    here.service.applied(
      here.service.publish({
        edges: [httpsEdge(port), tcpEdge("edgtcp_1", [`127.0.0.1:${other}`], "bkdsc_1")],
        ...given,
      }),
    );
  const overOne = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const all = { host: "127.0.0.1", port, agent, servername: HOST, headers: { host: HOST } };
      request({ ...all, rejectUnauthorized: false }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode ?? 0));
      })
        .on("error", reject)
        .end();
    });
  const overTwo = async () => (await client.get().done).status;
  return { here, clocks, port, client, overOne, overTwo, reloadedWith };
}

test("once a version that takes access away is applied, no open connection is served by the rules before", async (t) => {
  const { here, client, overOne, overTwo, reloadedWith } = await served(t, (_, response) =>
    response.end("ok"),
  );
  assert.deepEqual([await overTwo(), await overOne()], [200, 200]);
  await reloadedWith({ ip_policies: DENIED });
  assert.match(here.log(), /reloaded HAProxy/);
  assert.ok(client.isToldToGo);
  assert.equal(await overTwo(), 421);
  assert.notEqual(await overOne(), 200);
});

test("a version that takes nothing away costs no request over HTTP/1.1, and ends those over HTTP/2 some seconds later", async (t) => {
  const { overOne, overTwo, reloadedWith } = await served(t, (_, response) => response.end("ok"));
  assert.deepEqual([await overTwo(), await overOne()], [200, 200]);
  await reloadedWith({});
  const begin = performance.now();
  assert.equal(await overTwo(), 200);
  await until("the old worker answers 421", async () => (await overTwo()) === 421);
  const took = performance.now() - begin;
  assert.ok(took > 3000, `${took} ms`);
  assert.equal(await overOne(), 200);
});

test("a runtime change that takes nothing away costs an old worker no request over HTTP/1.1", async (t) => {
  const { here, overOne, reloadedWith } = await served(t, (_, response) => response.end("ok"));
  assert.equal(await overOne(), 200);
  await reloadedWith({});
  const worker = await here.worker();
  const address = `127.0.0.1:${await listening(
    t,
    createServer((_, response) => response.end("other")),
  )}`;
  const backends: Snapshot["backends"] = { bkdsc_1: { kind: "static", address, tls: false } };
  await here.service.applied(here.service.publish({ backends }));
  assert.equal(await overOne(), 200);
  assert.equal(await here.worker(), worker, "no reload");
});

test("a runtime change that takes access away ends an old worker's requests", async (t) => {
  const { here, overOne, reloadedWith } = await served(t, (_, response) => response.end("ok"));
  assert.equal(await overOne(), 200);
  await reloadedWith({});
  const worker = await here.worker();
  await here.service.applied(here.service.publish({ ip_policies: DENIED }));
  assert.equal(await overOne(), 421);
  assert.equal(await here.worker(), worker, "no reload");
});

test("requests in progress continue", async (t) => {
  const responses: ServerResponse[] = [];
  const { client, overTwo, reloadedWith } = await served(t, ({ url }, response) => {
    response.write("begin");
    if (url === "/download") responses.push(response);
    else response.end();
  });
  const download = client.get("/download");
  await until("the download begins", () => download.response.text !== "");
  await reloadedWith({ ip_policies: DENIED });
  assert.equal(await overTwo(), 421);
  responses[0]?.end(" end");
  assert.equal((await download.done).text, "begin end");
});

test("a connection from before a reload gets no fixed response of the version after", async (t) => {
  const { here, client, port } = await served(t, (_, response) => response.end("ok"));
  const edge = httpsEdge(port);
  const routes = edge.routes.map((route) => ({ ...route, backend: { backend_id: "bkdhr_1" } }));
  const fixed = (body: string): Partial<Snapshot> => ({
    edges: [{ ...edge, routes }],
    backends: { bkdhr_1: { kind: "http_response", status_code: 200, headers: {}, body } },
  });
  await here.service.applied(here.service.publish(fixed("one")));
  const other = await StubbornClient.connect(port, HOST);
  t.after(() => other.close());
  assert.equal((await other.get().done).text, "one");
  await here.service.applied(here.service.publish(fixed("two")));
  for (let tries = 0; tries < 10; tries++) {
    const { status, text } = await other.get().done.catch(() => ({ status: 0, text: "" }));
    assert.notEqual(text, "two", String(status));
  }
  const next = await StubbornClient.connect(port, HOST);
  t.after(() => next.close());
  assert.equal((await next.get().done).text, "two");
  client.close();
  const sockets = readdirSync(join(here.state, "run")).filter((name) => name.startsWith("bkdhr_"));
  assert.equal(sockets.length, 1, sockets.join());
});

test("a handshake that ends after access was taken away leads nowhere", async (t) => {
  const here = await world(t);
  const [port, other] = [await freePort(), await freePort()];
  copyFileSync(certificate(folder(t), [HOST]).pem, join(here.certificates, "a.pem"));
  let accepted = 0;
  const upstream = await listening(
    t,
    createTcpServer((socket) => {
      accepted += 1;
      socket.on("error", () => {});
      socket.end("in");
    }),
  );
  const edge: Edge = {
    kind: "tls",
    id: "edgtls_1",
    hostports: [`${HOST}:${port}`],
    tls_termination: { min_version: "1.2" },
    backend: { backend_id: "bkdsc_1" },
    ip_restriction: { ip_policy_ids: ["ipp_1"] },
  };
  const backends: Snapshot["backends"] = {
    bkdsc_1: { kind: "static", address: `127.0.0.1:${upstream}`, tls: false },
  };
  here.start();
  await here.service.applied(here.service.publish({ edges: [edge], ip_policies: ALLOWED, backends }));
  // Holds whatever the client sends after its ClientHello.
  const held: Buffer[] = [];
  let goOn = (): void => {};
  const relay = await listening(
    t,
    createTcpServer((client) => {
      const server = connect(port, "127.0.0.1");
      let isFirst = true;
      client.on("error", () => server.destroy());
      server.on("error", () => client.destroy()).on("close", () => client.destroy());
      server.pipe(client);
      client.on("data", (data: Buffer) => {
        if (isFirst) server.write(data);
        else held.push(data);
        isFirst = false;
      });
      goOn = () => void server.write(Buffer.concat(held));
    }),
  );
  const asked = (at: number): Promise<string> =>
    new Promise((resolve) => {
      const options = { host: "127.0.0.1", port: at, servername: HOST, rejectUnauthorized: false };
      let text = "";
      connectTls(options)
        .on("data", (data: Buffer) => (text += data.toString()))
        .on("error", () => {})
        .on("close", () => resolve(text));
    });
  assert.equal(await asked(port), "in");
  const stalled = asked(relay);
  await until("the handshake is stalled", () => held.length > 0);
  const edges = [edge, tcpEdge("edgtcp_1", [`127.0.0.1:${other}`], "bkdsc_1")];
  await here.service.applied(
    here.service.publish({ edges, ip_policies: { ipp_1: { allow: [], deny: [] } } }),
  );
  const before = accepted;
  goOn();
  assert.equal(await stalled, "");
  assert.equal(accepted, before);
});

test("a worker that is being told by one caller is waited for by every caller", async (t) => {
  const worker = spawn("sleep", ["60"]);
  const asked = Promise.withResolvers<Socket>();
  const master = createTcpServer({ allowHalfOpen: true }, asked.resolve);
  t.after(() => {
    worker.kill();
    master.close();
  });
  const path = join(folder(t), "master");
  await new Promise<void>((done) => master.listen(path, done));
  const workers = new OldWorkers(path, new State(folder(t)));
  let isTold = false;
  const ends = [1, 2].map(async () => {
    await workers.end([worker.pid ?? 0], true);
    return isTold;
  });
  const socket = await asked.promise;
  isTold = true;
  socket.end("# id (file) description\n");
  assert.deepEqual(await Promise.all(ends), [true, true]);
});

test("a worker that ends before it is told fails nothing later", async (t) => {
  const worker = spawn("true");
  await once(worker, "exit");
  // Time limits are over at once. A rejection that nobody handles fails this test, and would end the agent.
  const { mock } = t.mock.method(timers, "setTimeout", () => Promise.resolve());
  syncBuiltinESMExports();
  t.after(() => {
    mock.restore();
    syncBuiltinESMExports();
  });
  const workers = new OldWorkers(join(folder(t), "master"), new State(folder(t)));
  await workers.end([worker.pid ?? 0], true);
  await new Promise(setImmediate);
});

test("a worker that cannot be told is ended", async (t) => {
  const { here, overTwo, reloadedWith } = await served(t, (_, response) => response.end("ok"));
  assert.equal(await overTwo(), 200);
  const old = await here.worker();
  process.kill(old, "SIGSTOP");
  t.after(() => {
    try {
      process.kill(old, "SIGKILL");
    } catch {
      // It has ended.
    }
  });
  const applied = reloadedWith({ ip_policies: DENIED });
  await until("the agent ends the worker", () =>
    here.log().includes(`Ending the old HAProxy process ${old},`),
  );
  process.kill(old, "SIGCONT");
  await applied;
  await until("the worker has ended", async () => !(await here.pids()).includes(old));
});

test("while the master does not answer, a rule that ends is not served to open connections either", async (t) => {
  const end = new Date(Date.now() + HOUR / 2).toISOString().slice(0, 19);
  const policy = {
    allow: ["127.0.0.0/8", "10.0.0.0/8"],
    deny: [],
    expires_at: { allow: { "127.0.0.0/8": `${end}Z` }, deny: {} },
  };
  const { here, clocks, overTwo, reloadedWith } = await served(t, (_, response) => response.end("ok"));
  await here.service.applied(here.service.publish({ ip_policies: { ipp_1: policy } }));
  await reloadedWith({});
  assert.equal(await overTwo(), 200);
  const [master = 0] = await here.pids();
  process.kill(master, "SIGSTOP");
  try {
    clocks.jump(HOUR);
    await until("nothing is served", async () => (await overTwo().catch(() => 0)) !== 200, 5);
  } finally {
    process.kill(master, "SIGCONT");
  }
});

test("an agent that takes over a running HAProxy ends the requests of its old workers at once", async (t) => {
  const { here, overTwo, reloadedWith } = await served(t, (_, response) => response.end("ok"));
  await reloadedWith({});
  assert.equal(await overTwo(), 200);
  await here.end("SIGKILL");
  here.start();
  await until("the old worker answers 421", async () => (await overTwo()) === 421);
});

test("a version in which a route is no longer served takes access away", async (t) => {
  const { here, overTwo, reloadedWith } = await served(t, (_, response) => response.end("ok"));
  assert.equal(await overTwo(), 200);
  const { problems } = await reloadedWith({
    backends: { bkdsc_1: { kind: "static", address: "169.254.169.254:80", tls: false } },
  });
  assert.deepEqual(new Set(problems.map(({ code }) => code)), new Set(["upstream_refused"]));
  assert.match(here.log(), /reloaded HAProxy/);
  assert.equal(await overTwo(), 421);
});

test("a reload that takes access away does not wait until old workers have ended", async (t) => {
  const { here, port, reloadedWith } = await served(t, (_, response) => response.end("ok"));
  const [own] = here.service.snapshot.edges;
  assert.ok(own);
  const WORKERS = 4;
  const edges: Edge[] = [own];
  for (let count = 1; count <= WORKERS; count++) {
    const client = await StubbornClient.connect(port, HOST);
    t.after(() => client.close());
    edges.push(tcpEdge(`edgtcp_${count}`, [`127.0.0.1:${await freePort()}`], "bkdsc_1"));
    await reloadedWith({ edges: [...edges] });
  }
  const old = (await here.pids()).length - 2;
  assert.equal(old, WORKERS);
  const begin = performance.now();
  const last = tcpEdge("edgtcp_0", [`127.0.0.1:${await freePort()}`], "bkdsc_1");
  await reloadedWith({ edges: [...edges, last], ip_policies: DENIED });
  const took = performance.now() - begin;
  // Others wait for 250 ms times the square of the number of old workers.
  assert.ok(took < 250 * WORKERS ** 2, `${took} ms`);
});

test("a version takes access away, unless that is certainly not so", () => {
  const backends: Snapshot["backends"] = { bkdsc_1: { kind: "static", address: "192.0.2.1:80", tls: false } };
  const before = snapshot({ edges: [httpsEdge(443)], ip_policies: ALLOWED, backends });
  const with1 = (given: object): Snapshot => ({ ...before, edges: [{ ...httpsEdge(443), ...given }] });
  const route = { id: "edghtsrt_1", match_type: "path_prefix", match: "/" } as const;
  const restriction = { ip_restriction: { ip_policy_ids: ["ipp_1"] } };
  const backend = { backend: { backend_id: "bkdsc_1" } };
  const access = (of: Snapshot) => ({ snapshot: of, problems: [], keys: {} });
  const versions: [Snapshot, boolean][] = [
    [before, false],
    [{ ...before, backends: {} }, false],
    [{ ...before, edges: [...before.edges, tcpEdge("edgtcp_1", ["a:1"], "bkdsc_1")] }, false],
    [with1({ hostports: [`${HOST}:443`, "b.example.com:443"] }), false],
    [with1({ routes: [{ ...route, backend: { backend_id: "bkdsc_2" }, ...restriction }] }), false],
    [with1({ routes: [{ ...route, ...restriction }] }), true],
    [with1({ routes: [{ ...route, ...backend, ip_restriction: { ip_policy_ids: [] } }] }), true],
    [with1({ routes: [] }), true],
    [with1({ hostports: ["b.example.com:443"] }), true],
    [with1({ mutual_tls: { certificate_authority_ids: ["ca_1"] } }), true],
    [with1({ tls_termination: { min_version: "1.3" } }), true],
    [{ ...before, edges: [] }, true],
    [{ ...before, ip_policies: DENIED }, true],
    [{ ...before, certificate_authorities: { ca_1: "x" } }, true],
  ];
  for (const [after, expected] of versions)
    assert.equal(takesAccessAway(access(before), access(after)), expected, JSON.stringify(after.edges));
  const problem = { object: "edghtsrt_1", code: "upstream_refused", msg: "Not served." } as const;
  assert.ok(takesAccessAway(access(before), { ...access(before), problems: [problem] }));
  assert.ok(!takesAccessAway({ ...access(before), problems: [problem] }, access(before)));
  assert.ok(takesAccessAway(access(before), { ...access(before), keys: { "https://id.example/keys": [] } }));
});
