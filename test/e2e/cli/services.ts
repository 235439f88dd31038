import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { commandNode, edgeProgram } from "../support/commands.ts";
import { migrate, workerBundle } from "../support/prepared.ts";
import { startWorker } from "../support/workerd.ts";
import { callsOf, type Proxy, startProxy } from "./proxy.ts";

/*
 * The built command, and services to use it on: the Worker in workerd, each with its own database.
 */

const KEY = "key-of-the-tests-of-the-command";
const SEALING_KEYS = `cli:${Buffer.alloc(32, "cli").toString("base64")}`;

/** The folder of a test file, deleted at the end. */
export const folder = mkdtempSync(join(tmpdir(), "edge-cli-"));

/** A service behind its proxy. */
export interface TestService extends Proxy {
  url: string;
  key: string;
  call: ReturnType<typeof callsOf>;
}

let started = 0;

/** Starts a service without objects. */
export async function emptyService(): Promise<TestService> {
  const persist = join(folder, `service-${(started += 1)}`);
  migrate(persist);
  const worker = await startWorker({
    bundle: workerBundle(),
    persist,
    bindings: { ROOT_API_KEY: KEY, SEALING_KEYS },
  });
  const proxy = await startProxy(worker.origin);
  return {
    ...proxy,
    url: proxy.origin,
    key: KEY,
    call: callsOf(proxy.origin, KEY),
    stop: async () => {
      await proxy.stop();
      await worker.dispose();
      rmSync(persist, { recursive: true, force: true });
    },
  };
}

/** Starts an empty service for each function before the tests of a file, and stops the services afterwards. */
export function withServices(...uses: ((service: TestService) => void)[]): void {
  const services: TestService[] = [];
  before(async () => {
    edgeProgram();
    for (const use of uses) {
      const service = await emptyService();
      services.push(service);
      use(service);
    }
  });
  after(async () => {
    for (const service of services) await service.stop();
    cleanUp();
  });
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
  /** The input at a terminal, for each question or for the only one; if undefined, there is no terminal. */
  typed?: string | string[];
}

/** Confirms every warning that can have to be confirmed. */
export const ACCEPT_ALL =
  "--accept=effect_unknown,effect_truncated,opens_to_everyone,newly_allowed,check_removed,check_changed,taken_over,later_newly_allowed";

/** Runs the command on a service. With `typed`, it runs at a terminal, and `stdout` includes stderr. */
export function edge(
  service: Pick<TestService, "url" | "key"> | undefined,
  args: string[],
  { env = {}, cwd = folder, typed }: RunOptions = {},
): Promise<Outcome> {
  const { PATH = "" } = process.env;
  const environment = {
    PATH,
    TERM: "xterm",
    XDG_CONFIG_HOME: join(folder, "config"),
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
    const answers = typeof typed === "string" ? [typed] : (typed ?? []);
    let answered = 0;
    if (typed === undefined) child.stdin.end();
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
      // The terminal echoes the prompt again with some answers, so only its first appearance counts.
      const asked = new Set(stdout.match(/[^\n]*\? \(y\/N\)/g)).size;
      while (answered < Math.min(asked, answers.length)) child.stdin.write(answers[answered++] ?? "");
    });
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.once("error", failed);
    child.once("close", (code) => done({ code, stdout, stderr }));
  });
}

/** Runs the command, which must fail with this error. */
export async function fails(
  service: Parameters<typeof edge>[0],
  args: string[],
  error: RegExp,
  options: RunOptions = {},
): Promise<void> {
  const { code, stderr } = await edge(service, args, options);
  assert.equal(code, 1, stderr);
  assert.match(stderr, error);
}

/** The path of a file in the test folder. */
export const pathIn = (name: string): string => join(folder, name);
export const textOf = (name: string): string => readFileSync(pathIn(name), "utf8");

/** The id of a name on a service, from the ids file of a file. */
export function idIn(file: string, name: string, { url }: TestService): string {
  const ids = JSON.parse(textOf(`${file}.ids.json`)) as Record<string, Record<string, string>>;
  return ids[url]?.[name] ?? assert.fail(name);
}

export const cleanUp = (): void => rmSync(folder, { recursive: true, force: true });

/** Values for the secrets in the seed data. */
export const secrets = {
  EVENTS_TO_STREAM_CLOUD_SECRET_ACCESS_KEY: "secret-of-the-stream",
  EVENTS_TO_MONITORING_API_KEY: "secret-of-monitoring",
  EVENTS_TO_SIEM_CLIENT_SECRET: "secret-of-the-siem",
  EVENTS_TO_HOOK_SECRET: `whsec_${Buffer.alloc(32, "webhook").toString("base64")}`,
  SHOP_OVER_HTTPS_WEBHOOKS_PAYMENTS_SECRET: "secret-of-payments",
};
