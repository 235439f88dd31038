import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { elapsed } from "./base/clock.ts";
import { codeOf } from "./refusal.ts";

/*
 * Processes of this machine, HAProxy's in particular.
 */

/** The processes of HAProxy. */
export interface Processes {
  master: number;
  /** Workers that accept new connections: normally one. */
  current: number[];
  /** Workers from before a reload that still have connections. */
  old: number[];
  /** Failed reloads since the last successful one. */
  failed: number;
  reloads: number;
}

/** Parses the response to `show proc`. @throws if it is something else */
export function processesIn(answer: string): Processes {
  const found: Processes = { master: 0, current: [], old: [], failed: 0, reloads: 0 };
  let workers = found.current;
  for (const line of answer.split("\n")) {
    if (line.startsWith("# old workers")) workers = found.old;
    const [, pid, kind, reloads, failed] =
      /^(\d+)\s+(master|worker)\s+(\d+)(?: \[failed: (\d+)\])?/.exec(line) ?? [];
    if (kind === "worker") workers.push(Number(pid));
    if (kind !== "master") continue;
    found.master = Number(pid);
    found.reloads = Number(reloads);
    found.failed = Number(failed ?? 0);
  }
  if (found.master === 0)
    throw new Error(`Unexpected response from HAProxy's master: ${JSON.stringify(answer.slice(0, 100))}.`);
  return found;
}

/** Sends a signal to a process, if it still runs. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

/** Whether a process runs. A zombie does not. */
export function isAlive(pid: number): boolean {
  const status = readProcess(pid, "status");
  // Whatever cannot be read, for example without a file descriptor, may run.
  return status === undefined || (status !== "" && !/^State:\s+[ZX]/m.test(status));
}

/** The command line of a process; "" if there is none, undefined if it cannot be read. */
export const commandLine = (pid: number): string | undefined => readProcess(pid, "cmdline");

/** The processes whose command line contains a text. */
export const processesWith = (text: string): number[] =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && commandLine(pid)?.includes(text) === true);

function readProcess(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch (error) {
    return /^(?:ENOENT|ESRCH)$/.test(codeOf(error) ?? "") ? "" : undefined;
  }
}

/** Resolves to whether all of these have ended in time. */
export async function haveEnded(pids: readonly number[], milliseconds: number): Promise<boolean> {
  const end = elapsed() + milliseconds;
  while (pids.some(isAlive)) {
    if (elapsed() > end) return false;
    await sleep(50);
  }
  return true;
}
