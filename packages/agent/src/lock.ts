import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { elapsed } from "./base/clock.ts";
import { Refusal } from "./refusal.ts";

const PATIENCE = 3000;

/**
 * Locks a file for as long as this process lives. Node has no flock(2), so a child process holds the lock: `cat`, which ends when
 * its pipe from this process closes, even if this process is killed. Resolves to a function that releases the lock.
 *
 * @throws Refusal if another process holds it
 */
export async function lock(file: string): Promise<() => void> {
  const end = elapsed() + PATIENCE;
  for (;;) {
    const release = await tryLock(file);
    if (release) return release;
    // If an agent was killed just now, its child process can still be ending.
    if (elapsed() > end)
      throw new Refusal(
        `Another agent uses this state directory: ${file} is locked. Use another directory with --state.`,
      );
    await sleep(100);
  }
}

async function tryLock(file: string): Promise<(() => void) | undefined> {
  const child = spawn("flock", ["-n", file, "cat"], {
    stdio: ["pipe", "pipe", "ignore"],
    env: { PATH: process.env["PATH"] },
    detached: true,
  });
  const failed = once(child, "error").then(([error]) => {
    throw new Refusal(
      `Cannot run flock (util-linux): ${error instanceof Error ? error.message : "unknown"}.`,
    );
  });
  // `cat` only runs, and returns the byte, once flock has the lock.
  const held = once(child.stdout, "data").then(() => true);
  const failedToLock = once(child, "exit").then(() => false);
  child.stdin.on("error", () => {});
  child.stdin.write("?");
  const isHeld = await Promise.race([held, failedToLock, failed]);
  if (!isHeld) return undefined;
  child.unref();
  return () => child.stdin.end();
}
