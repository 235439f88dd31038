import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { until } from "../support/wait.ts";
import { type Agent, type AgentOptions, startAgent } from "./agent.ts";
import { type Certificate, certificatesIn } from "./certificates.ts";
import { type Answer, curl, type CurlOptions } from "./clients.ts";
import { givenBy, type Service, startService } from "./service.ts";
import { stopUpstreams } from "./upstreams.ts";

/*
 * The environment of traffic tests: the service, an agent with HAProxy, and certificates. Upstreams and clients are on loopback.
 */

interface Problem {
  object: string;
  code: string;
  msg: string;
}

/** The parts of an agent's status that the tests use. */
interface AgentRecord {
  applied_version: number | null;
  ok: boolean;
  error: string | null;
  problems: Problem[];
}

export interface World {
  service: Service;
  given: ReturnType<typeof givenBy>;
  agent: Agent;
  /** Starts another agent with the same certificates. */
  anotherAgent: (options: Partial<AgentOptions> & { name: string }) => Promise<Agent>;
  make: ReturnType<typeof certificatesIn>;
  /** The authority that signed the server certificates. */
  authority: Certificate;
  /** Creates a server certificate for host names in the folder of the agents. */
  certificateFor: (...hosts: string[]) => Certificate;
  /** Waits until the agent has applied every change so far, and returns its status. @throws if it could not */
  applied: (name?: string) => Promise<AgentRecord>;
  /** Sends a request with curl, which trusts the server certificates. */
  get: (url: string, options?: CurlOptions) => Promise<Answer>;
  stop: () => Promise<void>;
}

const LOOPBACK = "127.0.0.0/8";

/** Starts a separate world, which the caller stops. */
export async function startWorld(options: Partial<AgentOptions> = {}): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "edge-traffic-"));
  const served = join(folder, "certificates");
  mkdirSync(served, { mode: 0o700 });
  const make = certificatesIn(folder);
  const authority = make.authority("authority-of-servers");
  const service = await startService();
  const agents: Agent[] = [];
  const start = async (more: Partial<AgentOptions> & { name: string }): Promise<Agent> => {
    const key = await service.call("POST", "/api_keys", { role: "agent" });
    const agent = startAgent({
      origin: service.origin,
      key: tokenOf(key),
      certificates: served,
      allowUpstream: [LOOPBACK],
      more: ["--upstream-roots", authority.certificate],
      ...more,
    });
    agents.push(agent);
    return agent;
  };
  const agent = await start({ name: "edge-1", ...options });

  const applied = async (name = agent.name): Promise<AgentRecord> => {
    const { version } = Object(await service.call("GET", "/snapshot"));
    const record = await until(
      `version ${version} is applied\n${agents
        .find((one) => one.name === name)
        ?.output()
        .slice(-4_000)}`,
      async (): Promise<AgentRecord | undefined> => {
        const found = await service.call("GET", `/agents/${name}`).catch(() => undefined);
        const { applied_version = 0 } = Object(found);
        return applied_version >= version ? Object(found) : undefined;
      },
    );
    assert.ok(record.ok && record.error === null, JSON.stringify(record));
    return record;
  };

  return {
    service,
    given: givenBy(service),
    agent,
    anotherAgent: start,
    make,
    authority,
    certificateFor: (...hosts) => certificatesIn(served).server(authority, hosts),
    applied,
    get: (url, more) => curl(url, { authority, ...more }),
    stop: async () => {
      const ended = await Promise.allSettled([...agents.map((one) => one.stop()), service.stop()]);
      rmSync(folder, { recursive: true, force: true });
      for (const one of ended) if (one.status === "rejected") throw one.reason;
    },
  };
}

function tokenOf(key: unknown): string {
  const { token } = Object(key);
  if (typeof token !== "string") throw new Error("a key without a token");
  return token;
}

let shared: Promise<World> | undefined;

/** The world that all test files share, because they run in one process. It is stopped after the last test. */
export function sharedWorld(): Promise<World> {
  shared ??= startWorld();
  return shared;
}

// This module is loaded before any suite begins, so this runs after all suites.
after(async () => {
  await stopUpstreams();
  await (await shared)?.stop();
});
