import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { end } from "./children.ts";
import { databaseFolder, migrate, workerBundle } from "./prepared.ts";
import { quiet } from "./quiet.ts";
import type { ServeOptions } from "./serve.ts";

/** The service in a process of its own, on its own port. */
export interface Service {
  /** `http://localhost:PORT` */
  origin: string;
  key: string;
  /** Folder of the database's files. */
  state: string;
  /** What the service has logged: a line of JSON for each request. */
  lines: string[];
  stop: () => Promise<void>;
}

const KEY = "key-of-the-end-to-end-tests";
const SEALING_KEYS = `e2e:${Buffer.alloc(32, "e2e").toString("base64")}`;
const READY_WITHIN_MILLISECONDS = 480_000;

/**
 * Starts the service; the caller must stop it.
 * @param given the folder of the database's files, which is kept. By default, a new folder is created, and deleted at the end
 * @param variables variables in addition to those in wrangler.toml
 * @param more other options of the Worker
 */
export async function startService(
  given?: string,
  variables: Record<string, string> = {},
  more: Pick<ServeOptions, "isDirect"> = {},
): Promise<Service> {
  const state = given ?? mkdtempSync(join(tmpdir(), "edge-configuration-"));
  if (!existsSync(databaseFolder(state))) migrate(state);
  execFileSync(process.execPath, [join("scripts", "build.ts")], { stdio: "inherit" });
  const options: ServeOptions = {
    bundle: workerBundle(),
    persist: state,
    bindings: { ROOT_API_KEY: KEY, SEALING_KEYS, ...variables },
    ...more,
  };
  const program = join("test", "e2e", "support", "serve.ts");
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    env: quiet,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stop = async (): Promise<void> => {
    await end(child);
    if (given === undefined) rmSync(state, { recursive: true, force: true });
  };
  const lines: string[] = [];
  if (child.stdout) createInterface(child.stdout).on("line", (line) => lines.push(line));
  try {
    return { origin: await ready(child), key: KEY, state, lines, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function ready(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    const timer = setTimeout(
      () => reject(new Error(`not ready in time: ${output}`)),
      READY_WITHIN_MILLISECONDS,
    );
    const listen = (chunk: Buffer): void => {
      output += chunk.toString();
      const [, port] = /Ready on port (\d+)/.exec(output) ?? [];
      if (port === undefined) return;
      clearTimeout(timer);
      resolve(`http://localhost:${port}`);
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
    child.once("exit", (code) => reject(new Error(`the service ended with ${code}: ${output}`)));
  });
}
