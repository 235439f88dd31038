import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "./refusal.ts";

const PATIENCE = 3000;

/**
 * Holds a file's lock as long as this process lives. Node has no flock(2), so a child holds it, `cat`, which ends when the pipe
 * to this process closes: also when this process is killed. Resolves to a function that gives the lock up.
 *
 * @throws Refusal if another process holds it
 */
export async function lock(file: string): Promise<() => void> {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const release = await tryLock(file);
    if (release) return release;
    // The child of an agent that was killed just now may not have ended yet.
    if (Date.now() > end)
      throw new Refusal(
        `Another agent uses this state directory: ${file} is locked. Give --state another one.`,
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
  // Whoever gets its byte back has the lock.
  const held = once(child.stdout, "data").then(() => true);
  const failedToLock = once(child, "exit").then(() => false);
  child.stdin.on("error", () => {});
  child.stdin.write("?");
  const isHeld = await Promise.race([held, failedToLock, failed]);
  if (!isHeld) return undefined;
  child.unref();
  return () => child.stdin.end();
}
