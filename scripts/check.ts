// Runs all static checks, two at a time, and prints what those that fail say: npm run check
import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import * as z from "zod";

const run = promisify(execFile);

/** Slowest first. */
const commands = [
  "oxlint",
  "node scripts/contract.ts --check",
  "node scripts/bundle_limit.ts",
  "knip",
  "tsc",
  "tsc -p scripts",
  "tsc -p packages/cli",
  "tsc -p packages/agent",
  "oxfmt --check",
];

const Failure = z.object({ stdout: z.string(), stderr: z.string() });

const started = performance.now();
const waiting = [...commands];

async function work(): Promise<void> {
  for (let command = waiting.shift(); command !== undefined; command = waiting.shift()) {
    const [program = "", ...given] = command.split(" ");
    try {
      await run(program === "node" ? process.execPath : program, given, { maxBuffer: 2 ** 26 });
    } catch (error) {
      const { stdout, stderr } = Failure.parse(error);
      console.error(`${command} failed:\n${stdout}${stderr}`);
      process.exitCode = 1;
    }
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
const seconds = ((performance.now() - started) / 1000).toFixed(0);
if (!process.exitCode) console.info(`All ${commands.length} checks pass (${seconds} s).`);
