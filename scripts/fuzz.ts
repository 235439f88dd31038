// Fuzzes the API with the given number of requests: npm run fuzz -- --runs 100000 [--seed 1] [--path 12] [--only TcpEdgesCreate]
// A failure prints the seed, path and test name that reproduce it.
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";

const USAGE = "Usage: npm run fuzz -- --runs 100000 [--seed 1] [--path 12] [--only TcpEdgesCreate]";

const {
  values: { help: isHelp, ...options },
} = parseArgs({
  options: {
    /** The approximate number of requests. */
    runs: { type: "string", default: "20000" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
    /** Start at this run instead of the first. */
    path: { type: "string" },
    /** Run only this test, given by its full name. */
    only: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

if (isHelp) {
  console.info(USAGE);
  process.exit();
}

for (const [name, value] of Object.entries(options))
  if (name !== "only" && !/^-?\d+$/.test(value)) throw new Error(`--${name} must be a whole number`);

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
