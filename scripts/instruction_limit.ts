// Fails if a start of the Worker executes more instructions than its limit: npm run test:start (Linux, `valgrind`)
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "../test/bench/bundle.ts";
import { EMPTY } from "../test/bench/cold.ts";
import { memoryKey, MEMORY_SERVICE } from "../test/bench/cpu.ts";
import { configure, instructionsOfStart } from "../test/bench/instructions.ts";
import { operations, requestOf } from "../test/bench/operations.ts";

/**
 * Millions of instructions from the start of workerd to the response to the first GET of an edge, minus those of an empty Worker.
 * Lower it when a start gets cheaper. Raise it only with a reason in the commit message.
 */
const LIMIT = 361;

const folder = mkdtempSync(join(tmpdir(), "start-"));
try {
  const { bindings, headers } = await memoryKey();
  const get = operations.find(({ name }) => name === "get_edge");
  if (!get) throw new Error("no operation get_edge");
  const count = async (name: string, text: string): Promise<number> => {
    const worker = await bundle({ text });
    return instructionsOfStart(configure(folder, name, worker.text, bindings), requestOf(get, headers)(1));
  };
  const millions = ((await count("service", MEMORY_SERVICE)) - (await count("empty", EMPTY))) / 1e6;
  console.info(`${millions.toFixed(1)} million instructions over an empty Worker; the limit is ${LIMIT}.`);
  if (!(millions <= LIMIT)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
