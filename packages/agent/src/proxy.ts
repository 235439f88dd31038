import { execFile, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { ask } from "./admin_socket.ts";
import { elapsed } from "./base/clock.ts";
import type { CertificateSteps } from "./certificate_steps.ts";
import { LastWords } from "./last_words.ts";
import { log } from "./log.ts";
import type { MapLine } from "./map_files.ts";
import type { MapSteps } from "./map_steps.ts";
import { OldWorkers } from "./old_workers.ts";
import {
  commandLine,
  haveEnded,
  isAlive,
  type Processes,
  processesIn,
  processesWith,
  signal,
} from "./processes.ts";
import { codeOf, reasonOf, Refusal } from "./refusal.ts";
import { addCertificates, removeCertificates } from "./runtime_certificates.ts";
import { changeMaps, deleteUnreferenced } from "./runtime_maps.ts";
import { Sequence } from "./sequence.ts";
import type { State } from "./state.ts";
import { masterFile } from "./state_files.ts";
import { alertsIn, type Checked, checkConfiguration, environment, errorsByLine } from "./verdict.ts";
import { Worker } from "./worker.ts";

/** A large configuration takes seconds to load. */
const LOAD_TIMEOUT = 180_000;
/** How long the master may take to name old workers, if they are to end. */
const MASTER_PATIENCE = 1000;
/** How long a new worker is watched after it has started. */
const PROBATION = 300;
const TIMEOUTS = ["connect", "client", "server"].map((which) => `    timeout ${which} 1s`);
/** How long connections may take to end, and then HAProxy itself. Together, the agent ends within five seconds. */
const DRAIN_TIMEOUT = 4000;
const END_TIMEOUT = 500;
/** How long a request takes through the maps, at most. */
const IN_USE_FOR = 1000;
/** More lines than that stay in memory until the next reload: HAProxy 2.6 searches a list for each line that it deletes. */
const MOST_UNREFERENCED = 100;

/** A version of HAProxy. */
export interface Version {
  text: string;
  /** Major, minor. */
  numbers: readonly [number, number];
}

/** Runs `haproxy -v`. @throws Refusal if there is no HAProxy 2.6 or later */
export async function versionOf(program: string): Promise<Version> {
  let output: string;
  try {
    output = (await promisify(execFile)(program, ["-v"], { timeout: 10_000, env: environment() })).stdout;
  } catch (error) {
    if (codeOf(error) === "ENOENT")
      throw new Refusal(
        `The program ${program} was not found: install HAProxy 2.6 or later, or set its path with --haproxy PATH.`,
      );
    throw new Refusal(`Cannot run ${program}: ${error instanceof Error ? error.message : "unknown"}.`);
  }
  const [, text = "", major, minor] = /version ((\d+)\.(\d+)[^\s]*)/.exec(output) ?? [];
  const numbers: [number, number] = [Number(major), Number(minor)];
  if (!(numbers[0] > 2 || (numbers[0] === 2 && numbers[1] >= 6)))
    throw new Refusal(`HAProxy 2.6 or later is required. The version of ${program} is ${text || "unknown"}.`);
  return { text, numbers };
}

/** HAProxy: one master process, which runs detached and outlives the agent, and its workers. */
export class Proxy {
  readonly #program: string;
  readonly #state: State;
  readonly #masterSocket: string;
  readonly lastWords: LastWords;
  /** The file of what HAProxy has printed since it was last started or reloaded. */
  readonly #messages: string;
  readonly oldWorkers: OldWorkers;
  readonly #deletions = new Sequence();
  /** The processes of the workers, as the master has named them last. */
  #seen: ReadonlySet<number> = new Set();
  /** The master that this agent started last. */
  #started: number | undefined;
  /** Why HAProxy could not even be run. */
  #startError = "";

  constructor(program: string, state: State) {
    this.#program = program;
    this.#state = state;
    this.#masterSocket = join(state.sockets, "master.sock");
    this.lastWords = new LastWords(join(state.sockets, "admin"));
    this.oldWorkers = new OldWorkers(this.#masterSocket, state);
    this.#messages = join(state.directory, "haproxy.messages");
  }

  /** Has HAProxy check a configuration. @throws MachineFailure if there is no verdict */
  check(configuration: string): Promise<Checked> {
    return checkConfiguration(this.#program, configuration);
  }

  /** Resolves to the certificates that HAProxy rejects, each with its reason. @throws MachineFailure if there is no verdict */
  async tryCertificates(contents: readonly string[]): Promise<Map<string, string>> {
    const name = (index: number): string => `${index}.pem`;
    const files = new Map(contents.map((content, index) => [name(index), content]));
    return this.#state.withFiles(files, async (directory) => {
      const bind = (index: number): string =>
        `    bind unix@${directory}/socket ssl crt ${directory}/${name(index)}`;
      const lines = ["defaults", "    mode tcp", ...TIMEOUTS, "frontend trial"];
      const configuration = join(directory, "haproxy.cfg");
      writeFileSync(configuration, [...lines, ...contents.map((_, index) => bind(index)), ""].join("\n"));
      const errors = await errorsByLine(this.#program, configuration);
      return new Map(
        contents.flatMap((content, index) => {
          const error = errors.get(lines.length + index + 1);
          return error === undefined ? [] : [[content, withoutPlace(error)] as const];
        }),
      );
    });
  }

  /** Resolves to undefined if the master does not answer in time, which is in milliseconds. */
  async processes(timeout?: number): Promise<Processes | undefined> {
    try {
      const found = processesIn(await ask(this.#masterSocket, "show proc", timeout));
      this.#seen = new Set([...found.current, ...found.old]);
      return found;
    } catch {
      return undefined;
    }
  }

  /**
   * The processes of workers that were replaced by a reload. If the master does not answer, these are the ones that it has named and
   * that still run, except the current one.
   *
   * @throws Refusal if no worker answers either
   */
  async oldProcesses(): Promise<number[]> {
    const found = await this.processes(MASTER_PATIENCE);
    if (found) return found.old;
    const current = await Worker.current(this.#state);
    if (!current) throw new Refusal("HAProxy does not respond.");
    return [...this.#seen].filter((pid) => pid !== current.pid && this.#isOwn(pid) && isAlive(pid));
  }

  /** Resolves to the response of a process to commands; undefined if there is none. */
  async ask(pid: number, commands: readonly string[]): Promise<string | undefined> {
    try {
      return await (await Worker.connect(pid, this.#masterSocket, this.#state)).run(commands);
    } catch {
      return undefined;
    }
  }

  /** Whether the master that an agent started last still runs, even if it does not answer now. */
  isMasterAlive(): boolean {
    const pid = this.#startedMaster();
    return pid !== undefined && isAlive(pid);
  }

  /** Resolves to whether the worker that accepts connections responds. */
  async doesWorkerAnswer(): Promise<boolean> {
    return (await Worker.current(this.#state)) !== undefined;
  }

  /** Whether the master's socket exists, so that it can answer. */
  get hasMasterSocket(): boolean {
    return existsSync(this.#masterSocket);
  }

  /** Starts HAProxy, which does not run, with the current release. Resolves to whether it stays up. */
  async start(): Promise<boolean> {
    // Whoever cleans up directories for temporary files can have removed that of the sockets.
    this.#state.makeDirectories();
    this.#startError = "";
    const messages = this.#openMessages();
    const child = spawn(
      this.#program,
      [
        "-W",
        "-S",
        `${this.#masterSocket},mode,600,level,admin`,
        "-f",
        join(this.#state.current, "haproxy.cfg"),
      ],
      // HAProxy logs connections to the standard error of the agent, which stays open after the agent has ended.
      { detached: true, stdio: ["ignore", 2, messages], cwd: "/", env: environment() },
    );
    if (typeof messages === "number") closeSync(messages);
    let hasEnded = false;
    child.once("error", (error) => {
      hasEnded = true;
      this.#startError = error.message;
      log(`Cannot start HAProxy: ${error.message}.`);
    });
    child.once("exit", (code, signal) => {
      hasEnded = true;
      log(`HAProxy exited (${signal ?? `exit status ${code}`}).`);
    });
    child.unref();
    this.#started = child.pid;
    if (child.pid !== undefined) this.#keepStarted(child.pid);
    return this.#staysUp(
      (found) => found.current.length > 0,
      () => hasEnded,
    );
  }

  /**
   * Makes HAProxy load the current release. Resolves to whether a worker with it stays up; if not, the old workers keep running.
   *
   * @param before the processes now
   */
  async reload(before: Processes): Promise<boolean> {
    const replaced = await this.lastWords.hold(before.current[0]);
    this.#forgetMessages();
    try {
      await ask(this.#masterSocket, "reload");
    } catch {
      // The master replaces itself, and can close the connection without a response.
    }
    const isOver = (found: Processes): boolean => found.failed > before.failed || hasReloaded(found, before);
    const seen = await this.#staysUp(isOver, () => !isAlive(before.master));
    const after = seen ? await this.processes() : undefined;
    const isReplaced = after !== undefined && hasReloaded(after, before);
    replaced(isReplaced);
    return isReplaced;
  }

  /** Why HAProxy was last not started or reloaded, as it printed it or the system said it; "" if neither did. */
  complaint(): string {
    if (this.#startError !== "") return this.#startError;
    try {
      const said = readFileSync(this.#messages, "utf8");
      return said.includes("[ALERT]") ? alertsIn(said) : "";
    } catch {
      return "";
    }
  }

  /** Ends HAProxy, after giving connections some time to end. */
  async stop(): Promise<void> {
    const found = await this.processes();
    if (!found) return this.endLeftOver();
    const all = [found.master, ...found.current, ...found.old];
    const ended = await this.lastWords.hold(found.current[0]);
    const begin = elapsed();
    signal(found.master, "SIGUSR1");
    ended(true);
    await this.lastWords.end(DRAIN_TIMEOUT);
    if (await haveEnded(all, DRAIN_TIMEOUT - (elapsed() - begin))) return;
    signal(found.master, "SIGTERM");
    if (await haveEnded(all, END_TIMEOUT)) return;
    for (const pid of all) signal(pid, "SIGKILL");
  }

  /** Ends a master that no longer answers, and its workers, which hold its ports: also those that hang, or that no master knows any more. */
  async endLeftOver(): Promise<void> {
    const all = processesWith(this.#masterSocket);
    for (const pid of all) signal(pid, "SIGTERM");
    if (await haveEnded(all, 3000)) return;
    for (const pid of all.filter(isAlive)) signal(pid, "SIGKILL");
    await haveEnded(all, 3000);
  }

  /** Ends HAProxy and its connections immediately. */
  async kill(): Promise<void> {
    const found = await this.processes();
    const master = found?.master ?? this.#startedMaster();
    for (const pid of [master, ...(found?.current ?? []), ...(found?.old ?? [])])
      if (pid !== undefined) signal(pid, "SIGKILL");
  }

  /**
   * Changes maps and certificates in the memory of current workers. New connections only reach these, so old ones keep their
   * certificates. The master is only asked if no worker answers.
   *
   * @param release number of the release that the current workers have loaded
   * @throws Refusal if a current worker does not have what is new
   */
  async change(release: number, steps: MapSteps, certificates: CertificateSteps): Promise<void> {
    const directory = this.#state.release(release);
    for (const worker of await this.#current()) {
      // Maps only refer to names that have a certificate.
      await addCertificates(worker, directory, certificates);
      await changeMaps(worker, directory, steps);
      await removeCertificates(worker, directory, certificates);
    }
  }

  /**
   * Deletes lines to which no line leads any more, once no request is on its way through them. Returns how many stay in memory until the
   * next reload, because there are many.
   */
  deleteLater(release: number, lines: MapLine[]): number {
    if (lines.length > MOST_UNREFERENCED) return lines.length;
    if (lines.length === 0) return 0;
    const step = () => this.#deleteUnreferenced(release, lines);
    setTimeout(() => void this.#deletions.run(step).catch(() => {}), IN_USE_FOR).unref();
    return 0;
  }

  async #deleteUnreferenced(release: number, lines: MapLine[]): Promise<void> {
    for (const worker of await this.#current())
      await deleteUnreferenced(worker, this.#state.release(release), lines);
  }

  /** The workers that accept connections: normally one. @throws Refusal if none answers */
  async #current(): Promise<Worker[]> {
    const worker = await Worker.current(this.#state);
    if (worker) return [worker];
    const { current = [] } = (await this.processes()) ?? {};
    if (current.length === 0) throw new Refusal("HAProxy does not respond.");
    return Promise.all(current.map((pid) => Worker.connect(pid, this.#masterSocket, this.#state)));
  }

  /** Whether the current worker would hand its stick tables to the one that replaces it. */
  async canHandOver(): Promise<boolean> {
    const [pid] = (await this.processes())?.current ?? [];
    if (pid === undefined) return true;
    try {
      const worker = await Worker.connect(pid, this.#masterSocket, this.#state);
      return haveTables(await worker.run(["show peers"]));
    } catch {
      return true;
    }
  }

  /** Waits until `isDone`. Resolves to whether the workers are still alive a moment later. */
  async #staysUp(isDone: (found: Processes) => boolean, hasEnded: () => boolean): Promise<boolean> {
    const end = elapsed() + LOAD_TIMEOUT;
    while (elapsed() < end && !hasEnded()) {
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

  /** The file for what HAProxy prints from now on; `ignore` if there can be none, for example because the disk is full. */
  #openMessages(): number | "ignore" {
    this.#forgetMessages();
    try {
      return openSync(this.#messages, "a", 0o600);
    } catch {
      return "ignore";
    }
  }

  #forgetMessages(): void {
    try {
      writeFileSync(this.#messages, "", { mode: 0o600 });
    } catch {
      // It keeps what HAProxy printed before.
    }
  }

  /** Writes down which process is the master, for an agent that finds it silent. HAProxy serves even if that fails. */
  #keepStarted(pid: number): void {
    try {
      this.#state.write("haproxy.json", { pid });
    } catch (error) {
      log(`Cannot write down HAProxy's process id: ${reasonOf(error)}`);
    }
  }

  /** The process that an agent started last, if it is still HAProxy's master: the system reuses process ids. */
  #startedMaster(): number | undefined {
    const pid = this.#started ?? this.#state.read("haproxy.json", masterFile)?.pid;
    return pid !== undefined && this.#isOwn(pid) ? pid : undefined;
  }

  /** Whether a process is a master or a worker of this HAProxy, or cannot be looked at. */
  #isOwn(pid: number): boolean {
    return commandLine(pid)?.includes(this.#masterSocket) ?? true;
  }
}

/** HAProxy's reason, without where it found it. */
const withoutPlace = (error: string): string =>
  error
    .replace(/^.*in section '\w+' : /, "")
    .replace(/ '?\/[^ ']*'?/g, "")
    .replace(/\.$/, "");

/** Whether all of a worker's peers sections, if it has any, have asked the worker before it and all others: bits of `flags`. */
const haveTables = (peers: string): boolean =>
  [...peers.matchAll(/^0x\S+ .*\bflags=(0x[0-9a-f]+)/gm)].every(([, flags]) => (Number(flags) & 3) === 3);

const hasReloaded = (found: Processes, before: Processes): boolean =>
  found.reloads > before.reloads &&
  found.failed === 0 &&
  found.current.some((pid) => !before.current.includes(pid) && !before.old.includes(pid));
