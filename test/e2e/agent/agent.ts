// The agent as a process of its own, following a small service of the test that answers as the real one, or fails.
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Status } from "../../../packages/agent/src/service.ts";
import type { TrafficReport } from "../../../packages/model/src/traffic/counts.ts";
import type { Snapshot } from "../../../packages/model/src/traffic/snapshot.ts";
import { end, killThoseOf } from "../support/children.ts";
import { agentProgram, assertNoCrash, commandNode } from "../support/commands.ts";
import { until } from "../support/wait.ts";
import { freePort, snapshot, tcpEdge } from "./proxy.ts";

export type Test = { after: (hook: () => unknown) => void };

export const KEY = "key-of-the-test";

/** `GET /snapshot` and `PUT /agents/{name}/status` over real HTTP. */
export class TestService {
  snapshot: Snapshot = snapshot({ version: 0 });
  readonly statuses: Status[] = [];
  /** Reports of traffic. */
  readonly reports: TrafficReport[] = [];
  /** How many milliseconds its clock is ahead. */
  ahead = 0;
  /** Whether it says what time it is. */
  saysTime = true;
  /** Requests for the snapshot, by status answered. */
  readonly polls: number[] = [];
  /** Answers in its place while it is set. */
  fault: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  server: Server | undefined;
  port = 0;

  async start(): Promise<void> {
    this.server = createServer((request, response) => {
      response.sendDate = false;
      if (this.saysTime) response.setHeader("Date", new Date(Date.now() + this.ahead).toUTCString());
      const isKnown =
        request.headers.authorization === `Bearer ${KEY}` && request.headers["service-version"] === "2";
      if (this.fault) this.fault(request, response);
      else if (!isKnown) response.writeHead(401).end("{}");
      else if (request.url === "/snapshot") this.answer(request, response);
      // An older service.
      else if (request.url?.startsWith("/snapshot/") === true) response.writeHead(404).end("{}");
      else this.take(request, response);
    });
    this.server.listen(this.port, "127.0.0.1");
    await once(this.server, "listening");
    this.port = (this.server.address() as AddressInfo).port;
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const etag = `"1.1.${this.snapshot.version}"`;
    const isKnown = request.headers["if-none-match"] === etag;
    this.polls.push(isKnown ? 304 : 200);
    response.writeHead(isKnown ? 304 : 200, { etag, "content-type": "application/json" });
    response.end(isKnown ? undefined : JSON.stringify(this.snapshot));
  }

  /** Takes a status or a report of traffic. Answers everything else as an older service. */
  take(request: IncomingMessage, response: ServerResponse): void {
    if (request.method !== "PUT") {
      response.writeHead(404).end("{}");
      return;
    }
    let text = "";
    request.on("data", (piece: Buffer) => (text += piece.toString()));
    request.on("end", () => {
      if (request.url?.endsWith("/traffic") === true) {
        this.reports.push(JSON.parse(text));
        response.writeHead(200).end("{}");
        return;
      }
      const isSmall = Buffer.byteLength(text) <= 64 * 1024;
      if (isSmall) this.statuses.push(JSON.parse(text));
      response.writeHead(isSmall ? 200 : 413, { "content-type": "application/json" }).end("{}");
    });
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    this.server?.close();
    if (this.server?.listening) await once(this.server, "close");
  }

  /** The next version. */
  publish(given: Partial<Snapshot>): number {
    this.snapshot = snapshot({ ...this.snapshot, ...given, version: this.snapshot.version + 1 });
    return this.snapshot.version;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The first status from now on, or the last, that is as wanted. */
  reported(isWanted: (status: Status) => boolean): Promise<Status> {
    return until(`a status is reported: ${String(isWanted)}`, () => this.statuses.findLast(isWanted));
  }

  applied(version: number): Promise<Status> {
    return this.reported(({ applied_version }) => applied_version === version);
  }
}

export class World {
  readonly service = new TestService();
  readonly directory = mkdtempSync(join(tmpdir(), "ea"));
  readonly state = join(this.directory, "st");
  readonly certificates = mkdtempSync(join(tmpdir(), "ec"));
  agent: ChildProcess | undefined;
  /** Variables of the agent's environment. */
  readonly environment: Record<string, string> = {};

  /** Starts the agent, and resolves at once. */
  start(given: string[] = []): ChildProcess {
    const log = openSync(join(this.directory, "log"), "a");
    const args = [
      `--service=${this.service.url}`,
      "--name=test",
      "--poll=0.1",
      `--state=${this.state}`,
      `--certificates=${this.certificates}`,
      "--allow-upstream=127.0.0.0/8",
      "--allow-listen=127.0.0.0/8",
      ...given,
    ];
    this.agent = spawn(commandNode, [agentProgram(), ...args], {
      stdio: ["ignore", log, log],
      env: { ...process.env, EDGE_AGENT_KEY: KEY, ...this.environment },
    });
    closeSync(log);
    return this.agent;
  }

  log(): string {
    return readFileSync(join(this.directory, "log"), "utf8");
  }

  /** Ends the agent by a signal; resolves to its exit status. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const { agent } = this;
    if (!agent) return null;
    assert.ok(await end(agent, signal), `the agent does not end on ${signal}`);
    return agent.exitCode;
  }

  /** Answer of HAProxy's master. */
  master(command = "show proc"): Promise<string> {
    return told(join(this.state, "run", "master.sock"), command);
  }

  /** Processes of HAProxy: the master, then workers. */
  async pids(): Promise<number[]> {
    const answer = await this.master().catch(() => "");
    return [...answer.matchAll(/^(\d+)\s+(?:master|worker)/gm)].map(([, pid]) => Number(pid));
  }

  async worker(): Promise<number> {
    const [, worker = 0] = await this.pids();
    return worker;
  }

  async close(): Promise<void> {
    await this.end("SIGKILL");
    await told(join(this.state, "run", "converters"), "[]").catch(() => {});
    await killThoseOf(this.directory);
    await this.service.stop();
    const log = this.agent ? this.log() : "";
    if (process.env["SHOW_LOG"]) process.stderr.write(log);
    for (const path of [this.directory, this.certificates]) rmSync(path, { recursive: true, force: true });
    assertNoCrash(log);
  }

  /** A program in place of HAProxy: HAProxy, after lines of shell that see its arguments. */
  wrapper(lines: string, shell = "/bin/sh"): string {
    const file = join(this.directory, "wrapper");
    writeFileSync(file, `#!${shell}\n${lines}\nexec haproxy "$@"\n`, { mode: 0o755 });
    return file;
  }
}

export async function world(test: Test): Promise<World> {
  const made = new World();
  test.after(() => made.close());
  await made.service.start();
  return made;
}

/**
 * An agent that serves a text at a TCP edge, which the policy `ipp_1` restricts if `given` has it. `publish` changes the text, and
 * what else it is given.
 *
 * @param optionsIn the agent's options, and what else must be ready before it starts
 */
export async function serving(
  test: Test,
  text: string,
  given: Partial<Snapshot> = {},
  optionsIn: (here: World) => string[] = () => [],
) {
  const here = await world(test);
  const port = await freePort();
  const restriction = given.ip_policies && { ip_restriction: { ip_policy_ids: ["ipp_1"] } };
  const edge = { ...tcpEdge("edgtcp_1", [`127.0.0.1:${port}`], "bkdhr_1"), ...restriction };
  const publish = (text: string, more: Partial<Snapshot> = {}): number =>
    here.service.publish({ edges: [edge], ...more, backends: { bkdhr_1: fixed(text) } });
  const version = publish(text, given);
  here.start(optionsIn(here));
  return { here, port, edge, publish, status: await here.service.applied(version) };
}

/** Sends a line to a unix socket; resolves to all that comes back. */
export async function told(path: string, line: string): Promise<string> {
  const socket = connect(path);
  let text = "";
  socket.on("data", (piece: Buffer) => (text += piece.toString()));
  socket.setTimeout(5000, () => socket.destroy());
  socket.end(`${line}\n`);
  const ended = Promise.withResolvers<string>();
  socket.on("error", ended.reject);
  socket.on("close", () => ended.resolve(text));
  return ended.promise;
}

/** A fixed response on a TCP edge, by the text that it answers. */
export const fixed = (body: string) =>
  ({ kind: "http_response", status_code: 200, headers: {}, body }) as const;

/** The body that a port answers a request with; an empty text if it refuses. */
export async function body(port: number): Promise<string> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      headers: { connection: "close" },
      signal: AbortSignal.timeout(3000),
    });
    return await response.text();
  } catch {
    return "";
  }
}
