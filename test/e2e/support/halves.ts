// Runs test files in two processes at the same time, each with half of the files: `node halves.ts [options of node --test] FILES`.
import { spawn } from "node:child_process";
import { once } from "node:events";

/*
 * The files of a process share what is expensive to start, so they run one after the other. While one process waits for a page, the other
 * one computes.
 */

const [, , ...given] = process.argv;

/** Resolves to whether all tests of a half have passed. Prints its output at once when it ends, so that the halves do not mix. */
async function half(which: number): Promise<boolean> {
  const options = ["--test", "--test-force-exit", "--test-isolation=none", `--test-shard=${which}/2`];
  const child = spawn(process.execPath, [...options, ...given], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const stop = (): unknown => child.kill("SIGTERM");
  process.once("SIGTERM", stop).once("SIGINT", stop);
  const [code] = (await once(child, "close")) as [number | null];
  process.stdout.write(output);
  return code === 0;
}

const passed = await Promise.all([half(1), half(2)]);
process.exitCode = passed.every(Boolean) ? 0 : 1;
