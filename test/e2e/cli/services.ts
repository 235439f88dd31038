import { execFile, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandNode, edgeProgram } from "../support/commands.ts";
import { buildWorker, migrate, startWorker } from "../support/workerd.ts";
import { callsOf, type Front, frontOf } from "./front.ts";

/*
 * The command as it is built, and services that it is used on: the Worker in workerd, each with a database of its own.
 */

const KEY = "key-of-the-tests-of-the-command";
const SEALING_KEYS = `cli:${Buffer.alloc(32, "cli").toString("base64")}`;

/** A folder of its own for each file of tests, deleted at the end. */
export const folder = mkdtempSync(join(tmpdir(), "edge-cli-"));
const bundle = join(folder, "worker");
const migrated = join(folder, "migrated");

/** Builds the command and the Worker, and an empty database to copy. */
export function prepare(): void {
  edgeProgram();
  buildWorker(bundle);
  migrate(migrated);
}

/** A service and its front. */
export interface TestService extends Front {
  url: string;
  key: string;
  call: ReturnType<typeof callsOf>;
}

let started = 0;

/** A service without any object. */
export async function emptyService(): Promise<TestService> {
  const persist = join(folder, `service-${(started += 1)}`);
  cpSync(migrated, persist, { recursive: true });
  const worker = await startWorker({ bundle, persist, bindings: { ROOT_API_KEY: KEY, SEALING_KEYS } });
  const front = await frontOf(worker.origin);
  return {
    ...front,
    url: front.origin,
    key: KEY,
    call: callsOf(front.origin, KEY),
    stop: async () => {
      await front.stop();
      await worker.dispose();
      rmSync(persist, { recursive: true, force: true });
    },
  };
}

/** Fills a service with the data of `npm run seed`. */
export const seed = async ({ url, key }: TestService): Promise<void> => {
  await new Promise<void>((done, failed) => {
    execFile(process.execPath, [join("scripts", "seed.ts"), "--url", url, "--key", key], (error) =>
      error ? failed(error) : done(),
    );
  });
};

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface RunOptions {
  env?: Record<string, string>;
  cwd?: string;
  /** What is typed; without it, there is no terminal. */
  typed?: string;
}

/** Runs the command on a service. With `typed`, at a terminal: then all that is seen is in `stdout`. */
export function edge(
  service: Pick<TestService, "url" | "key"> | undefined,
  args: string[],
  { env = {}, cwd = folder, typed }: RunOptions = {},
): Promise<Outcome> {
  const { PATH = "" } = process.env;
  const environment = {
    PATH,
    TERM: "xterm",
    ...(service && { API: service.url, API_KEY: service.key }),
    ...env,
  };
  const command = [edgeProgram(), ...args];
  const quoted = [commandNode, ...command].map((part) => `'${part}'`).join(" ");
  const [file, list] =
    typed === undefined ? [commandNode, command] : ["script", ["-qec", quoted, "/dev/null"]];
  return new Promise((done, failed) => {
    const child = spawn(file, list, { cwd, env: environment, stdio: ["pipe", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    let isAnswered = typed === undefined;
    if (typed === undefined) child.stdin.end();
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
      if (isAnswered || !stdout.includes("(y/N)")) return;
      isAnswered = true;
      child.stdin.write(typed ?? "");
    });
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.once("error", failed);
    child.once("close", (code) => done({ code, stdout, stderr }));
  });
}

/** A file in the folder of the tests. */
export const pathIn = (name: string): string => join(folder, name);
export const textOf = (name: string): string => readFileSync(pathIn(name), "utf8");

export const cleanUp = (): void => rmSync(folder, { recursive: true, force: true });

/** Values for the secrets of the seeded world. */
export const secrets = {
  DESTINATION_2_CLOUD_SECRET_ACCESS_KEY: "secret-of-the-stream",
  DESTINATION_4_API_KEY: "secret-of-monitoring",
  DESTINATION_5_CLIENT_SECRET: "secret-of-the-siem",
  DESTINATION_7_SECRET: `whsec_${Buffer.alloc(32, "webhook").toString("base64")}`,
  HTTPS_EDGE_1_WEBHOOKS_PAYMENTS_SECRET: "secret-of-payments",
};
