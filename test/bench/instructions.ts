import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createConnection } from "node:net";
import { join } from "node:path";
import * as z from "zod";
import { freePort } from "../e2e/support/ports.ts";
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

/** Writes a workerd configuration for one Worker; returns its path. */
export function configure(
  folder: string,
  name: string,
  text: string,
  bindings: Record<string, string>,
): string {
  const file = name.replaceAll(/\W+/g, "_");
  writeFileSync(join(folder, `${file}.js`), text);
  const values = Object.entries(bindings).map(
    ([name, value]) => `(name = ${JSON.stringify(name)}, text = ${JSON.stringify(value)})`,
  );
  writeFileSync(
    join(folder, `${file}.capnp`),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker", esModule = embed "${file}.js")],
    compatibilityDate = "2026-11-01",
    bindings = [${values.join(", ")}],
  ))],
  sockets = [(name = "http", http = (), service = "main")],
);`,
  );
  return join(folder, `${file}.capnp`);
}

/** The first line of the response to a request. Retries until a server listens on the port. @throws if `child` ends */
async function ask(port: number, sent: Sent, child: ChildProcess): Promise<string> {
  const { method, path, headers, body = "" } = sent;
  const length = String(Buffer.byteLength(body));
  const head = Object.entries({ Host: "localhost", ...headers, "Content-Length": length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  while (child.exitCode === null) {
    const line = await new Promise<string>((resolve) => {
      const socket = createConnection(port, "127.0.0.1", () =>
        socket.write(`${method} ${path} HTTP/1.1\r\n${head.join("")}\r\n${body}`),
      );
      socket.once("error", () => resolve(""));
      socket.once("data", (data) => {
        resolve(data.toString().split("\r\n")[0] ?? "");
        socket.destroy();
      });
    });
    if (line !== "") return line;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  throw new Error("workerd ended");
}
