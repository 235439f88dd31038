import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** How long a process may take to end. */
const SECONDS = 30;

/**
 * Ends a process that a test has started. One that does not end in time is killed.
 *
 * @returns whether it ended in time, or had ended before
 */
export async function end(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<boolean> {
  let isInTime = true;
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, "exit");
    child.kill(signal);
    isInTime = await Promise.race([exit.then(() => true), sleep(SECONDS * 1000, false, { ref: false })]);
    if (!isInTime) {
      child.kill("SIGKILL");
      await exit;
    }
  }
  // What it has started can hold the pipes open, and this process would wait for them.
  child.stdout?.destroy();
  child.stderr?.destroy();
  return isInTime;
}

/**
 * Kills the processes that have a file of a test's own folder among their arguments: HAProxy outlives an agent that is killed, and a
 * master that is just starting names no workers. Without the agent, HAProxy 2.6 tries to connect to it thousands of times a second.
 */
export async function killThoseOf(folder: string): Promise<void> {
  for (;;) {
    const found = readdirSync("/proc").filter(
      (pid) => /^\d+$/.test(pid) && argumentsOf(pid).includes(`${folder}/`),
    );
    if (found.length === 0) return;
    for (const pid of found)
      try {
        process.kill(Number(pid), "SIGKILL");
      } catch {
        // It has ended.
      }
    await sleep(10);
  }
}

/** The arguments of a process; "" once it has ended. */
function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
