import { execFile, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { keptMaster } from "./kept.ts";
import { log } from "./log.ts";
import { reasonOf, Refusal } from "./refusal.ts";
import { stepsBetween } from "./rules.ts";
import type { State } from "./state.ts";

/*
 * HAProxy: one master process, which runs detached and outlives the agent, and its workers. Commands go through unix sockets.
 */

const CHECK_TIMEOUT = 180_000;
const COMMAND_TIMEOUT = 5000;
/** A large configuration takes seconds to load. */
const LOAD_TIMEOUT = 180_000;
/** How long a new worker is watched after it has started. */
const PROBATION = 300;
const DRAIN_TIMEOUT = 10_000;
const LARGEST_ANSWER = 256 * 1024 * 1024;
/** HAProxy cuts commands at its buffer's size, which is 16 KiB unless configured, and runs what is left. */
const LARGEST_COMMAND = 12_000;

export interface Processes {
  master: number;
  /** Workers that take new connections: normally one. */
  current: number[];
  /** Workers of before a reload that still have connections. */
  old: number[];
  /** Attempts to reload that failed since the last that did not. */
  failed: number;
  reloads: number;
}

export interface Checked {
  ok: boolean;
  /** What HAProxy said, without warnings, on one line. */
  message: string;
}

/** Runs `haproxy -v`. @throws Refusal if there is no HAProxy 2.6 or later */
export async function versionOf(program: string): Promise<{ text: string; numbers: [number, number] }> {
  let output: string;
  try {
    output = (await promisify(execFile)(program, ["-v"], { timeout: 10_000, env: environment() })).stdout;
  } catch (error) {
    throw new Refusal(`Cannot run ${program}: ${error instanceof Error ? error.message : "unknown"}.`);
  }
  const [, text = "", major, minor] = /version ((\d+)\.(\d+)[^\s]*)/.exec(output) ?? [];
  const numbers: [number, number] = [Number(major), Number(minor)];
  if (!(numbers[0] > 2 || (numbers[0] === 2 && numbers[1] >= 6)))
    throw new Refusal(`HAProxy 2.6 or later is required. The version of ${program} is ${text || "unknown"}.`);
  return { text, numbers };
}

/** The agent's environment without its key, which no other program needs. */
function environment(): NodeJS.ProcessEnv {
  const { EDGE_AGENT_KEY: _key, ...others } = process.env;
  return others;
}

export class Proxy {
  readonly #program: string;
  readonly #state: State;
  readonly #masterSocket: string;
  /** What HAProxy prints of itself since it was last started or reloaded: each step, and each proxy that stops. */
  readonly #messages: string;

  constructor(program: string, state: State) {
    this.#program = program;
    this.#state = state;
    this.#masterSocket = join(state.sockets, "master.sock");
    this.#messages = join(state.directory, "haproxy.messages");
  }

  /** Reads a configuration as a start would, without listening. */
  async check(configuration: string): Promise<Checked> {
    try {
      await promisify(execFile)(this.#program, ["-c", "-f", configuration], {
        timeout: CHECK_TIMEOUT,
        maxBuffer: LARGEST_ANSWER,
        env: environment(),
      });
    } catch (error) {
      const said = error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
      return { ok: false, message: alertsIn(said) };
    }
    return { ok: true, message: "" };
  }

  /** Master and workers; undefined if the master does not answer. */
  async processes(): Promise<Processes | undefined> {
    try {
      return processesIn(await ask(this.#masterSocket, "show proc"));
    } catch {
      return undefined;
    }
  }

  /** Whether the master that was started here last still runs, though it may not answer now. */
  isMasterAlive(): boolean {
    const pid = this.#startedMaster();
    return pid !== undefined && isAlive(pid);
  }

  /** Starts HAProxy with the current release. Resolves to whether a worker lives. */
  async start(): Promise<boolean> {
    await this.#endLeftOver();
    writeFileSync(this.#messages, "", { mode: 0o600 });
    const messages = openSync(this.#messages, "a");
    const child = spawn(
      this.#program,
      [
        "-W",
        "-S",
        `${this.#masterSocket},mode,600,level,admin`,
        "-f",
        join(this.#state.current, "haproxy.cfg"),
      ],
      // It logs connections to what the agent logs to, which outlives the agent.
      { detached: true, stdio: ["ignore", 2, messages], cwd: "/", env: environment() },
    );
    closeSync(messages);
    let hasEnded = false;
    child.once("error", (error) => {
      hasEnded = true;
      log(`Cannot start HAProxy: ${error.message}.`);
    });
    child.once("exit", (code, signal) => {
      hasEnded = true;
      log(`HAProxy exited (${signal ?? `exit status ${code}`}).`);
    });
    child.unref();
    if (child.pid !== undefined) this.#state.write("haproxy.json", { pid: child.pid });
    return this.#workerLives(
      (found) => found.current.length > 0,
      () => hasEnded,
    );
  }

  /** Makes HAProxy read the current release. Resolves to whether a worker of it lives; otherwise those of before go on. */
  async reload(before: Processes): Promise<boolean> {
    writeFileSync(this.#messages, "", { mode: 0o600 });
    try {
      await ask(this.#masterSocket, "reload");
    } catch {
      // The master replaces itself and may not say goodbye.
    }
    const isOver = (found: Processes): boolean => found.failed > before.failed || hasReloaded(found, before);
    const seen = await this.#workerLives(isOver, () => !isAlive(before.master));
    const after = seen ? await this.processes() : undefined;
    return after !== undefined && hasReloaded(after, before);
  }

  /** Why HAProxy has ended or could not be started or reloaded, as far as it said so; otherwise an empty text. */
  complaint(): string {
    try {
      const said = readFileSync(this.#messages, "utf8");
      return said.includes("[ALERT]") ? alertsIn(said) : "";
    } catch {
      return "";
    }
  }

  /** Ends HAProxy: connections may end by themselves first. */
  async stop(): Promise<void> {
    const found = await this.processes();
    if (!found) return this.#endLeftOver();
    const all = [found.master, ...found.current, ...found.old];
    signal(found.master, "SIGUSR1");
    if (await haveEnded(all, DRAIN_TIMEOUT)) return;
    signal(found.master, "SIGTERM");
    if (await haveEnded(all, 3000)) return;
    for (const pid of all) signal(pid, "SIGKILL");
  }

  /**
   * Replaces what ACL files hold in the memory of every worker that lives. No worker sees half of a file.
   *
   * @param release number of the release that current workers have read
   * @param before what the files hold there now
   * @param files content by path within the release
   * @throws Refusal if a current worker does not have them all
   */
  async setAcls(
    release: number,
    before: ReadonlyMap<string, string>,
    files: ReadonlyMap<string, string>,
  ): Promise<void> {
    const steps = stepsBetween(before, files);
    const replaceAll = async (pid: number, ids: ReadonlyMap<string, string>): Promise<void> => {
      for (const step of steps) await this.#replace(pid, named(ids, step, this.#state));
    };
    const found = await this.processes();
    if (!found || found.current.length === 0) throw new Refusal("HAProxy does not respond.");
    for (const pid of found.current) {
      const ids = await this.#aclIds(pid);
      for (const path of files.keys())
        if (!ids.has(join(this.#state.release(release), path)))
          throw new Refusal(`HAProxy process ${pid} has no ACL ${path}.`);
      await replaceAll(pid, ids);
    }
    for (const pid of found.old)
      await this.#aclIds(pid)
        .then((ids) => replaceAll(pid, ids))
        .catch((error: unknown) =>
          log(`The old HAProxy process ${pid} keeps its previous rules until it exits: ${reasonOf(error)}`),
        );
  }

  /** Ids of the ACLs of a worker by the path of the file that they were read from. */
  async #aclIds(pid: number): Promise<Map<string, string>> {
    const answer = await ask(this.#masterSocket, `@!${pid} show acl`);
    return new Map(
      [...answer.matchAll(/^(\d+) \((\/[^)]*)\)/gm)].map(([, id = "", path = ""]) => [path, id]),
    );
  }

  async #replace(pid: number, contents: ReadonlyMap<string, string>): Promise<void> {
    const run = await this.#runner(pid);
    const commits: string[] = [];
    for (const [id, content] of contents) {
      const entries = content.split("\n").filter((line) => line !== "");
      const prepared = (await run([`prepare acl #${id}`])).join("");
      const [, version] = /created: (\d+)/.exec(prepared) ?? [];
      if (version === undefined) throw new Refusal(`prepare acl: ${prepared.trim()}`);
      await run(entries.map((entry) => `add acl @${version} #${id} ${entry}`));
      // Commands that fail do so without a word to those that follow: count, and commit the whole or nothing.
      const shown = (await run([`show acl @${version} #${id}`])).join("");
      const count = shown.split("\n").filter((line) => line.startsWith("0x")).length;
      if (count !== entries.length) {
        await run([`clear acl @${version} #${id}`]);
        throw new Refusal(`HAProxy accepted only ${count} of ${entries.length} rules.`);
      }
      commits.push(`commit acl @${version} #${id}`);
    }
    const said = (await run(commits)).join("").trim();
    if (said !== "") throw new Refusal(`commit acl: ${said}`);
  }

  /**
   * Sends commands to a worker, several in each message. Its own socket is ten times faster than the master's, which asks
   * the worker anew for each command, but only the current worker listens on it.
   */
  async #runner(pid: number): Promise<(commands: readonly string[]) => Promise<string[]>> {
    const own = join(this.#state.sockets, "admin");
    const info = await ask(own, "show info").catch(() => "");
    const isOwn = new RegExp(`^Pid: ${pid}$`, "m").test(info);
    const [socket, prefix] = isOwn ? [own, ""] : [this.#masterSocket, `@!${pid} `];
    return async (commands) => {
      const answers: string[] = [];
      for (const message of messages(commands.map((command) => prefix + command)))
        answers.push(await ask(socket, message));
      return answers;
    };
  }

  /** Waits until `isDone`, and whether what was done still stands a little later. */
  async #workerLives(isDone: (found: Processes) => boolean, hasEnded: () => boolean): Promise<boolean> {
    const end = Date.now() + LOAD_TIMEOUT;
    while (Date.now() < end && !hasEnded()) {
      const found = await this.processes();
      if (found && isDone(found)) {
        await sleep(PROBATION);
        const after = await this.processes();
        return !hasEnded() && after !== undefined && after.current.length > 0 && after.current.every(isAlive);
      }
      await sleep(20);
    }
    return false;
  }

  /** Ends a master that was started here before and answers no more. */
  async #endLeftOver(): Promise<void> {
    const pid = this.#startedMaster();
    if (pid === undefined) return;
    signal(pid, "SIGTERM");
    if (!(await haveEnded([pid], 3000))) signal(pid, "SIGKILL");
    await haveEnded([pid], 3000);
  }

  /** The process that was started here last, if it is still HAProxy's master: numbers are used again. */
  #startedMaster(): number | undefined {
    const pid = this.#state.read("haproxy.json", keptMaster)?.pid;
    return pid !== undefined && commandLine(pid).includes(this.#masterSocket) ? pid : undefined;
  }
}

const hasReloaded = (found: Processes, before: Processes): boolean =>
  found.reloads > before.reloads &&
  found.failed === 0 &&
  found.current.some((pid) => !before.current.includes(pid) && !before.old.includes(pid));

/** Content of ACL files by the id that a worker has for them, whichever release it has read. */
function named(
  ids: ReadonlyMap<string, string>,
  files: ReadonlyMap<string, string>,
  state: State,
): Map<string, string> {
  const contents = new Map<string, string>();
  const within = `${state.releases}/`;
  for (const [path, id] of ids) {
    if (!path.startsWith(within)) continue;
    const content = files.get(path.slice(path.indexOf("/", within.length) + 1));
    if (content !== undefined) contents.set(id, content);
  }
  return contents;
}

/** Commands joined by semicolons, each message as long as may be. */
function messages(commands: readonly string[]): string[] {
  const joined: string[] = [];
  let message = "";
  for (const command of commands) {
    if (message !== "" && message.length + command.length >= LARGEST_COMMAND) {
      joined.push(message);
      message = "";
    }
    message += message === "" ? command : `;${command}`;
  }
  return message === "" ? joined : [...joined, message];
}

/** Sends a line to a socket of HAProxy; resolves to the answer. @throws if there is none in time */
function ask(path: string, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    const pieces: Buffer[] = [];
    let length = 0;
    const timer = setTimeout(() => socket.destroy(new Error(`${path} does not respond.`)), COMMAND_TIMEOUT);
    socket.on("data", (piece: Buffer) => {
      pieces.push(piece);
      length += piece.length;
      if (length > LARGEST_ANSWER) socket.destroy(new Error(`The response from ${path} is too large.`));
    });
    socket.once("error", reject);
    socket.once("end", () => resolve(Buffer.concat(pieces).toString("utf8")));
    socket.once("close", () => {
      clearTimeout(timer);
      reject(new Error(`${path} closed the connection.`));
    });
    socket.end(`${command}\n`);
  });
}

/** The answer to `show proc`. @throws if it is none */
function processesIn(answer: string): Processes {
  const found: Processes = { master: 0, current: [], old: [], failed: 0, reloads: 0 };
  let workers = found.current;
  for (const line of answer.split("\n")) {
    if (line.startsWith("# old workers")) workers = found.old;
    const [, pid, kind, reloads, failed] =
      /^(\d+)\s+(master|worker)\s+(\d+)(?: \[failed: (\d+)\])?/.exec(line) ?? [];
    if (kind === "worker") workers.push(Number(pid));
    if (kind !== "master") continue;
    found.master = Number(pid);
    found.reloads = Number(reloads);
    found.failed = Number(failed ?? 0);
  }
  if (found.master === 0)
    throw new Error(`Unexpected response from HAProxy's master: ${JSON.stringify(answer.slice(0, 100))}.`);
  return found;
}

function alertsIn(said: string): string {
  const lines = said.split("\n").filter((line) => line.includes("[ALERT]"));
  const text = (lines.length > 0 ? lines : said.split("\n")).slice(0, 5).join(" ");
  return text.replace(/\[ALERT\]\s*\(\d+\) : /g, "").trim();
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

/** Whether a process runs: one that has ended and was not waited for by its parent does not. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

async function haveEnded(pids: readonly number[], milliseconds: number): Promise<boolean> {
  const end = Date.now() + milliseconds;
  while (pids.some(isAlive)) {
    if (Date.now() > end) return false;
    await sleep(50);
  }
  return true;
}
