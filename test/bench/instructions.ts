import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import * as z from "zod";
import { freePort } from "../e2e/support/ports.ts";
import { ask } from "./cold.ts";
import type { Sent } from "./load.ts";

/** The workerd that Miniflare runs: the executable itself, because valgrind would count the script that starts it. */
const { default: workerd } = z
  .object({ default: z.string() })
  .parse(createRequire(createRequire(import.meta.url).resolve("miniflare"))("workerd"));

/**
 * The instructions that workerd executes from the start of its process to the first response, which repeat to 2 % on any machine.
 *
 * @param config path of a workerd configuration
 * @throws if the response is not a success, or valgrind is missing
 */
export async function instructionsOfStart(config: string, sent: Sent): Promise<number> {
  const port = await freePort();
  const child = spawn(
    "valgrind",
    [
      "--tool=cachegrind",
      "--cache-sim=no",
      "--cachegrind-out-file=/dev/null",
      "--smc-check=all-non-file",
      workerd,
      "serve",
      config,
      `--socket-addr=http=127.0.0.1:${port}`,
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const output: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text: string) => void output.push(text));
  const ended = new Promise((resolve, reject) => child.once("exit", resolve).once("error", reject));
  const status = await Promise.race([ask(port, sent, child), ended.then(() => "")]);
  child.kill("SIGTERM");
  await ended;
  if (!status.startsWith("HTTP/1.1 20")) throw new Error(`${config}: ${status}\n${output.join("")}`);
  const [, count = ""] = /I\s+refs:\s+([\d,]+)/.exec(output.join("")) ?? [];
  return Number(count.replaceAll(",", ""));
}
