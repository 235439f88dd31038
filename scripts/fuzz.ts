// Fuzzes the API for as many requests as are asked for: npm run fuzz -- --runs 100000 [--seed 1] [--path 12] [--only TcpEdgesCreate]
// A failure names the seed, the path and the test that run it again. Ends by itself.
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";

const { values: options } = parseArgs({
  options: {
    /** Requests in all, more or less. */
    runs: { type: "string", default: "20000" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
    /** Start at this run instead of the first. */
    path: { type: "string" },
    /** The one test to run, by its whole name. */
    only: { type: "string" },
  },
});

for (const [name, value] of Object.entries(options))
  if (name !== "only" && !/^-?\d+$/.test(value)) throw new Error(`--${name} takes a whole number`);

console.info(`Seed ${options.seed}, about ${options.runs} requests.`);
const only =
  options.only === undefined
    ? []
    : ["--testNamePattern", `^${options.only.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`];
const child = spawn("vitest", ["run", "test/fuzz", "--silent=false", ...only], {
  env: {
    ...process.env,
    FUZZ_REQUESTS: options.runs,
    FUZZ_SEED: options.seed,
    ...(options.path !== undefined && { FUZZ_PATH: options.path }),
  },
  stdio: "inherit",
  shell: process.platform === "win32",
});
child.on("exit", (code) => {
  process.exitCode = code ?? 1;
});
