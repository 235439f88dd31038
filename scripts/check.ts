// Runs all static checks, as many at a time as there are cores, and prints the output of those that fail: npm run check
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import * as z from "zod";

const run = promisify(execFile);

const Package = z.object({ scripts: z.record(z.string(), z.string()) });

/** The scripts in package.json whose names begin with `check:`, slowest first. */
const checks = Object.keys(Package.parse(JSON.parse(readFileSync("package.json", "utf8"))).scripts).filter(
  (name) => name.startsWith("check:"),
);

const Failure = z.object({ stdout: z.string(), stderr: z.string() });

const started = performance.now();
const waiting = [...checks];

async function work(): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    try {
      await run(process.execPath, ["--run", name], { maxBuffer: 2 ** 26 });
    } catch (error) {
      const { stdout, stderr } = Failure.parse(error);
      console.error(`npm run ${name} failed:\n${stdout}${stderr}`);
      process.exitCode = 1;
    }
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
const seconds = ((performance.now() - started) / 1000).toFixed(0);
if (!process.exitCode) console.info(`All ${checks.length} checks pass (${seconds} s).`);
