import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
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
