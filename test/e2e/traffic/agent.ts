import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentProgram } from "../support/commands.ts";

/*
 * The built agent as a process of its own.
 */

export interface AgentOptions {
  origin: string;
  key: string;
  name: string;
  /** Folder with the server certificates. */
  certificates: string;
  /** Networks of upstreams that may be called besides public ones. */
  allowUpstream?: string[];
  more?: string[];
  env?: Record<string, string>;
}

export interface Agent {
  name: string;
  /** Folder that it keeps its state in. */
  state: string;
  pid: () => number | undefined;
  /** What it has printed. */
  output: () => string;
  /** Ends the process, and starts another one with the same state. */
  restart: (signal?: NodeJS.Signals) => Promise<void>;
  stop: () => Promise<void>;
}

/** It lets connections end for ten seconds. */
const ENDED_WITHIN_MILLISECONDS = 15_000;

export function startAgent(options: AgentOptions): Agent {
  // Short, as the paths of sockets are bounded.
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
      rmSync(state, { recursive: true, force: true });
    },
  };
}

function ended(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`the agent does not end on ${signal}`));
    }, ENDED_WITHIN_MILLISECONDS);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill(signal);
  });
}
