import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { end, killThoseOf } from "../support/children.ts";
import { agentProgram, assertNoCrash } from "../support/commands.ts";

/*
 * Runs the built agent as a separate process.
 */

export interface AgentOptions {
  origin: string;
  key: string;
  name: string;
  /** Folder with the server certificates. */
  certificates: string;
  /** Networks of upstreams that the agent can call, in addition to public ones. */
  allowUpstream?: string[];
  more?: string[];
  env?: Record<string, string>;
}

export interface Agent {
  name: string;
  /** The folder of the agent's state. */
  state: string;
  pid: () => number | undefined;
  /** The output so far. */
  output: () => string;
  /** Ends the process, and starts another one with the same state. */
  restart: (signal?: NodeJS.Signals) => Promise<void>;
  stop: () => Promise<void>;
}

export function startAgent(options: AgentOptions): Agent {
  // Short, because the length of a socket path is limited.
  const state = mkdtempSync(join(tmpdir(), "ea-"));
  let output = "";
  const start = (): ChildProcess => {
    const child = spawn(
      process.execPath,
      [
        agentProgram(),
        "--service",
        options.origin,
        "--name",
        options.name,
        "--state",
        state,
        "--certificates",
        options.certificates,
        "--poll",
        "0.2",
        "--allow-listen",
        "127.0.0.0/8",
        "--allow-listen",
        "::1",
        ...(options.allowUpstream ?? []).flatMap((network) => ["--allow-upstream", network]),
        ...(options.more ?? []),
      ],
      {
        env: { ...process.env, EDGE_AGENT_KEY: options.key, ...options.env },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    const keep = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    process.once("exit", () => child.kill("SIGTERM"));
    return child;
  };
  let child = start();
  return {
    name: options.name,
    state,
    pid: () => child.pid,
    output: () => output,
    restart: async (signal) => {
      await ended(child, signal);
      child = start();
    },
    stop: async () => {
      await ended(child);
      await killThoseOf(state);
      rmSync(state, { recursive: true, force: true });
      assertNoCrash(output);
    },
  };
}

/** Ends the agent. @throws if it does not end by itself */
async function ended(child: ChildProcess, signal?: NodeJS.Signals): Promise<void> {
  if (!(await end(child, signal))) throw new Error(`the agent does not end on ${signal ?? "SIGTERM"}`);
}
