import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Options, parsed } from "./args.ts";
import { check } from "./check.ts";
import { Counters, startExporter } from "./exporter.ts";
import { featuresOf } from "./features.ts";
import { lock } from "./lock.ts";
import { lineOf, log } from "./log.ts";
import { Loop } from "./loop.ts";
import { Proxy, type Version, versionOf } from "./proxy.ts";
import { Refusal } from "./refusal.ts";
import { Service } from "./service.ts";
import { State } from "./state.ts";

/*
 * The agent: from its arguments to its exit status.
 */

const FAILED = 1;
const PROBLEMS = 2;

/** Runs the agent. Resolves to the exit status of the command. */
export async function runAgent(args: string[]): Promise<number> {
  try {
    return await run(args);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    log(error.message);
    return FAILED;
  }
}

async function run(args: string[]): Promise<number> {
  const options = parsed(args, process.env);
  if (typeof options === "string") {
    process.stdout.write(`${options}\n`);
    return 0;
  }
  process.umask(0o077);
  const version = await versionOf(options.haproxy);
  const service = new Service(options.service, options.key);
  if (options.check) return printProblems(options, version, service);
  const state = new State(options.state);
  const release = await lock(join(state.directory, "lock"));
  const haproxy = { ...version, ...(await featuresOf(options.haproxy, version.text, state)) };
  const proxy = new Proxy(options.haproxy, state);
  const counters = new Counters();
  const loop = new Loop({ options, state, proxy, service, haproxy, counters });
  if (options.metrics) await startExporter(options.metrics, counters, () => loop.served());
  let isEnding = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => {
      const stopped = loop.stop();
      // The second one does not wait for what the first one began.
      if (isEnding) void stopped.finally(() => process.exit(0));
      isEnding = true;
    });
  // The agent keeps running when its terminal closes.
  process.on("SIGHUP", () => {});
  await loop.run();
  release();
  return 0;
}

/** Resolves to the exit status of `--check`. */
async function printProblems(options: Options, version: Version, service: Service): Promise<number> {
  const directory = mkdtempSync("/tmp/edge-agent-");
  try {
    const state = new State(directory);
    const haproxy = { ...version, ...(await featuresOf(options.haproxy, version.text, state)) };
    const proxy = new Proxy(options.haproxy, state);
    const problems = await check({ options, state, proxy, service, haproxy, counters: new Counters() });
    for (const problem of problems) log(lineOf(problem));
    return problems.length === 0 ? 0 : PROBLEMS;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
