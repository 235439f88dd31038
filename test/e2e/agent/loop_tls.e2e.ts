import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { WebSocket } from "ws";
import type { Route, Snapshot } from "../../../packages/model/src/traffic/snapshot.ts";
import { agentProgram, commandNode } from "../support/commands.ts";
import { until } from "../support/wait.ts";
import { fixed, told, world } from "./agent.ts";
import { call, listening } from "./calls.ts";
import { certificate, httpsEdge, VERSION } from "./proxy.ts";
import { https, shown, startedWithCertificates } from "./served_certificates.ts";

/*
 * Certificates, websockets, and edges and routes that HAProxy refuses, in the running agent.
 */

const route = (id: string, match: string, given: Partial<Route> = {}): Route => ({
  id,
  match_type: "path_prefix",
  match,
  backend: { backend_id: "bkdhr_1" },
  ...given,
});

const backends: Snapshot["backends"] = { bkdhr_1: fixed("ok") };

// A name is listened on at all addresses; an address among the hosts of an edge would be enough to be reached here.
const hosts = (port: number) => [`a.example.com:${port}`];

test("an expired certificate is served and reported", async (t) => {
  const { here, path, port, publish } = await startedWithCertificates(t);
  const { key } = certificate(path, ["a.example.com"]);
  writeFileSync(join(path, "names"), "subjectAltName=DNS:a.example.com\n");
  const request = `req -new -key ${key} -subj /CN=a -out ${path}/request`;
  // Its end is the moment at which it is made.
  const sign = `x509 -req -in ${path}/request -signkey ${key} -days 0 -extfile ${path}/names -out ${path}/expired`;
  for (const command of [request, sign]) execFileSync("openssl", command.split(" "), { stdio: "pipe" });
  const pem = readFileSync(join(path, "expired"), "utf8") + readFileSync(key, "utf8");
  writeFileSync(join(here.certificates, "old.pem"), pem);
  here.start();
  const { problems } = await publish(https("1", `a.example.com:${port}`));
  assert.ok(problems.some(({ object, code }) => object === "old.pem" && code === "certificate_expired"));
  assert.notEqual(await shown(port, "a.example.com"), "");
});

test("edges and routes that HAProxy refuses alone are left out, and the rest is served", async (t) => {
  const { here, port, put } = await startedWithCertificates(t);
  put("wild.pem", ["*.example.com"]);
  const bad = { user_agent_filter: { allow: null, deny: ["("] } };
  const edges = Array.from({ length: 20 }, (_, index) =>
    httpsEdge(
      `edghts_${index}`,
      [`h${index}.example.com:${port}`],
      [
        route(`edghtsrt_${index}a`, "/a"),
        route(`edghtsrt_${index}b`, "/b", index === 7 || index === 13 ? bad : {}),
      ],
    ),
  );
  // No certificate authority: the edge is refused whole.
  const authority = { certificate_authority_ids: ["ca_1"] };
  const mutual = {
    ...httpsEdge("edghts_x", [`x.example.com:${port}`], [route("edghtsrt_x", "/")]),
    mutual_tls: authority,
  };
  const version = here.service.publish({
    edges: [...edges, mutual],
    backends,
    certificate_authorities: { ca_1: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n" },
  });
  here.start();
  const status = await here.service.applied(version);
  assert.deepEqual(status.problems.map(({ object, code }) => [object, code]).toSorted(), [
    ["edghts_x", "refused_by_haproxy"],
    ["edghtsrt_13b", "refused_by_haproxy"],
    ["edghtsrt_7b", "refused_by_haproxy"],
  ]);
  assert.match(
    status.problems.find(({ object }) => object === "edghtsrt_7b")?.msg ?? "",
    /missing closing parenthesis/,
  );
  assert.equal((await call(port, "h7.example.com", "/a")).body.toString(), "ok");
  assert.equal((await call(port, "h7.example.com", "/b")).status, 503);
  assert.equal((await call(port, "h8.example.com", "/b")).status, 200);
  assert.equal(await shown(port, "x.example.com"), "");

  // What was found once is not looked for again, and HAProxy is not reloaded.
  const pids = await here.pids();
  await here.end("SIGKILL");
  here.service.statuses.length = 0;
  here.start();
  assert.equal((await here.service.applied(version)).problems.length, 3);
  assert.deepEqual(await here.pids(), pids);

  const repaired = here.service.publish({ edges });
  await here.service.applied(repaired);
  const mended = here.service.publish({
    edges: edges.map((edge) =>
      edge.kind === "https"
        ? { ...edge, routes: edge.routes.map(({ id, match }) => route(id, match)) }
        : edge,
    ),
  });
  assert.deepEqual((await here.service.applied(mended)).problems, []);
  assert.equal((await call(port, "h7.example.com", "/b")).status, 200);
});

test("websockets become TCP and back, and outlive the agent", async (t) => {
  const { here, port, put } = await startedWithCertificates(t);
  put("own.pem", ["a.example.com"]);
  const upstream = createServer((socket) => {
    socket.on("error", () => {});
    socket.pipe(socket);
  });
  const to = await listening(t, upstream);
  const version = here.service.publish({
    edges: [
      httpsEdge("edghts_1", hosts(port), [
        route("edghtsrt_1", "/ws", { backend: { backend_id: "bkdsc_1" }, websocket_tcp_converter: {} }),
      ]),
    ],
    backends: { bkdsc_1: { kind: "static", address: `127.0.0.1:${to}`, tls: false } },
  });
  here.start();
  const status = await here.service.applied(version);
  assert.deepEqual(status.problems, []);

  assert.equal((await call(port, "a.example.com", "/ws")).status, 426, "not a websocket");
  const first = await Client.open(port);
  const large = Buffer.alloc(3_000_000, "x");
  for (let at = 0; at < large.length; at += 500_000) first.socket.send(large.subarray(at, at + 500_000));
  await until("all came back", () => first.bytes === large.length);

  await here.end("SIGKILL");
  first.socket.send(Buffer.from("after"));
  await until("the connection goes on", () => first.bytes === large.length + 5);
  here.start();
  const next = here.service.publish({});
  await here.service.applied(next);
  first.socket.send(Buffer.from("again"));
  await until("it still goes on", () => first.bytes === large.length + 10);
  const second = await Client.open(port);
  second.socket.send(Buffer.alloc(2_000_000));
  // HAProxy 3.0 drops the last bytes of a response if the upstream stops reading: the client sees the connection end.
  const codes = VERSION === "3.0" ? [1006, 1009] : [1009];
  const code = await second.closed;
  assert.ok(codes.includes(code), `a message over 1 MiB ends the connection with ${code}`);
  first.socket.close();
  await first.closed;
  upstream.close();

  // Nothing to convert: the process ends.
  const control = join(here.state, "run", "converters");
  await told(control, "?");
  await here.service.applied(here.service.publish({ edges: [], backends: {} }));
  await until("the converter has ended", () =>
    told(control, "?").then(
      () => false,
      () => true,
    ),
  );
});

test("a converter whose state directory is gone ends", async (t) => {
  const here = await world(t);
  const sockets = join(here.directory, "s");
  mkdirSync(sockets);
  const child = spawn(commandNode, [agentProgram(), "--converter", sockets], { stdio: "ignore" });
  t.after(() => child.kill("SIGKILL"));
  const control = join(sockets, "converters");
  await until("it listens", () =>
    told(control, "?").then(
      () => true,
      () => false,
    ),
  );
  const wanted = [{ socket: join(sockets, "one"), upstream: join(sockets, "none") }];
  assert.equal(await told(control, JSON.stringify(wanted)), "ok\n");
  assert.ok(existsSync(join(sockets, "one")));
  rmSync(sockets, { recursive: true });
  await until("it has ended", () => child.exitCode === 0);
});

class Client {
  readonly socket: WebSocket;
  bytes = 0;
  readonly closed: Promise<number>;

  private constructor(port: number) {
    this.socket = new WebSocket(`wss://127.0.0.1:${port}/ws`, {
      servername: "a.example.com",
      headers: { host: "a.example.com" },
      rejectUnauthorized: false,
    });
    this.socket.on("message", (data: Buffer) => (this.bytes += data.length));
    this.socket.on("error", () => {});
    this.closed = new Promise((resolve) => this.socket.on("close", resolve));
  }

  static async open(port: number): Promise<Client> {
    const client = new Client(port);
    await Promise.race([
      new Promise((resolve) => client.socket.on("open", resolve)),
      client.closed.then((code) => Promise.reject(new Error(`closed: ${code}`))),
    ]);
    return client;
  }
}
