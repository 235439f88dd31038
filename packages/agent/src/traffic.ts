import { lstatSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker as Thread } from "node:worker_threads";
import type { Problem } from "../../model/src/traffic/problems.ts";
import { elapsed, NEVER, wallClock } from "./base/clock.ts";
import type { LogSettings } from "./base/log_line.ts";
import type { Context } from "./context.ts";
import { log } from "./log.ts";
import { isAlive } from "./processes.ts";
import { RECEIVER } from "./programs.ts";
import { reasonOf } from "./refusal.ts";
import { ServiceError } from "./service.ts";
import { addRejected, Ledger } from "./traffic/ledger.ts";
import { Losses } from "./traffic/losses.ts";
import { COUNTING, LISTENING, type ReceivedCounts, type Question } from "./traffic/receiver.ts";
import { savedReports, savedTraffic } from "./traffic/saved.ts";
import { Tallies } from "./traffic/tallies.ts";
import type { Upstreams } from "./traffic/upstreams.ts";
import {
  SERVER_COMMAND,
  serversIn,
  STAT_COMMANDS,
  statsIn,
  type WorkerStats,
} from "./traffic/worker_stats.ts";

/*
 * Counts traffic by HAProxy's log, and reports it to the service. A thread reads the log. This side asks it for what it has counted, adds
 * that to the intervals, and writes it down. A failure here changes nothing of what is served.
 */

const ANSWER_WITHIN = 20_000;
const BEGINS_WITHIN = 1_000;
const STEP = 10_000;
/** Until the time is known, and while the thread does not run. */
const SHORT_STEP = 1_000;
/** Reports are sent at different times of the minute, so that agents do not send them all at once. */
const SENT_WITHIN = 8_000;
const RETRY_AFTER = 15_000;
/** How long a service without `/agents/{name}/traffic` gets no reports. */
const WITHOUT_REPORTS = 600_000;
const RESTART_AFTER = 1_000;
/** How long a line can take to arrive: HAProxy connects again after the agent has restarted. */
const ARRIVES_WITHIN = 5_000;
const [COUNTED, WAITING] = ["traffic.json", "traffic_reports.json"];
const MINUTE = 60_000;

/** The socket of HAProxy's log. */
const socketOf = (sockets: string): string => join(sockets, "log");

/** What HAProxy logs with some options; undefined if it logs nothing. */
export function logSettings({ options, state }: Pick<Context, "options" | "state">): LogSettings | undefined {
  const { traffic, accessLog } = options;
  if (traffic === "off" && accessLog === "off") return undefined;
  return { socket: socketOf(state.sockets), addresses: traffic === "sources", paths: accessLog === "all" };
}

export class Traffic {
  readonly #context: Context;
  readonly #ledger: Ledger;
  readonly #losses = new Losses();
  readonly #upstreams: Upstreams;
  /** What is in no interval yet: before the first response of the service, it is not known what time it is. */
  #pending = new Tallies();
  #pendingLost = 0;
  /** Everything since the start of the agent, for metrics. */
  readonly #all = new Tallies();
  #allLost = 0;
  #thread: Thread | undefined;
  #startedAt = NEVER;
  /** Resolves once the thread listens. */
  #listening: Promise<void> = Promise.resolve();
  /** When the thread was last asked. */
  #askedAt = NEVER;
  #answered: ((answer: ReceivedCounts) => void) | undefined;
  /** Whether the agent ends. */
  #isLast = false;
  #error: string | undefined;
  /** Final counts of processes that end, since the last step. */
  readonly #heard = new Map<number, WorkerStats>();
  /** What was logged since counting last worked. */
  readonly #logged = new Set<string>();
  /** The reports that were last written down. */
  #written: unknown;
  #sendAt = NEVER;
  #sendError: string | undefined;
  #isSending = false;

  constructor(context: Context, upstreams: Upstreams) {
    this.#context = context;
    this.#upstreams = upstreams;
    const saved = this.#isCounting ? context.state.read(COUNTED, savedTraffic) : undefined;
    const waiting = this.#isCounting ? context.state.read(WAITING, savedReports) : undefined;
    if (saved) this.#losses.restore(saved.workers);
    this.#ledger = Ledger.restored(saved, waiting);
    this.#written = this.#ledger.waiting;
  }

  get #isCounting(): boolean {
    return this.#context.options.traffic !== "off";
  }

  get #isReading(): boolean {
    return logSettings(this.#context) !== undefined;
  }

  /**
   * Starts the thread, and asks what an HAProxy that is already running has counted, before another one can be started: it finds the
   * socket.
   */
  async begin(): Promise<void> {
    if (!this.#isReading) return;
    this.#keepThread();
    await Promise.race([this.#listening, sleep(BEGINS_WITHIN)]);
    if (!this.#isCounting) return;
    const { proxy } = this.#context;
    const processes = await proxy.processes(BEGINS_WITHIN);
    const running = processes ? [...processes.current, ...processes.old] : [];
    if (processes || !proxy.isMasterAlive())
      addRejected(this.#pending, this.#losses.note(await this.#stats(running), isAlive));
  }

  /** Reads the log until `ended`. */
  async run(ended: AbortSignal): Promise<void> {
    if (!this.#isReading) return;
    while (!ended.aborted) {
      this.#keepThread();
      await this.step();
      await sleep(this.#untilNextStep(), undefined, { signal: ended }).catch(() => {});
    }
  }

  /** Writes down what was counted, and ends the thread. @param isOver whether HAProxy has ended, after the last step */
  async stop(isOver: boolean): Promise<void> {
    this.#isLast = true;
    if (isOver) {
      // Takes HAProxy's final counts. All lines have arrived by then.
      await this.step();
      this.#askedAt = NEVER;
    }
    await this.step();
    await this.#thread?.terminate();
  }

  /** That traffic is not counted, or not logged. */
  problems(): Problem[] {
    return this.#error === undefined
      ? []
      : [{ object: "agent", code: "traffic_not_counted", msg: this.#error }];
  }

  /** Everything that was counted since the start of the agent. */
  get counted(): { tallies: Tallies; lost: number } {
    return { tallies: this.#all, lost: this.#allLost };
  }

  /** Asks HAProxy and the thread for what they have counted. Another step that has not ended yet does that. */
  step(): Promise<void> {
    if (!this.#isCounting) return Promise.resolve();
    this.#running ??= this.#step()
      .catch((error: unknown) => this.#fail(`Traffic is not counted: ${reasonOf(error)}`))
      .finally(() => (this.#running = undefined));
    return this.#running;
  }

  #running: Promise<void> | undefined;

  async #step(): Promise<void> {
    const { proxy, service } = this.#context;
    const processes = await proxy.processes();
    const running = processes ? [...processes.current, ...processes.old] : [];
    const stats = await this.#stats(running);
    // What HAProxy writes from now on is not in what it has just said.
    const answer = await this.#ask({ cut: wallClock() });
    const isLate = elapsed() - this.#askedAt > ARRIVES_WITHIN;
    this.#askedAt = elapsed();
    const tallies = new Tallies();
    tallies.add(answer);
    const lost = this.#losses.settle(answer.lines, isLate);
    // A master that is silent says nothing about which processes run.
    if (processes || !proxy.isMasterAlive()) {
      addRejected(tallies, this.#losses.note(stats, isAlive));
      for (const [pid, heard] of this.#heard) if (stats.get(pid) === heard) this.#heard.delete(pid);
    }
    this.#upstreams.reach(tallies.reached, service.now);
    this.#all.add(tallies);
    this.#allLost += lost;
    this.#pending.add(tallies);
    this.#pendingLost += lost;
    await this.#checkServers(processes?.current ?? []);
    // What is counted before the time is known, and written down in the end, belongs to what an earlier agent has counted last.
    const now = service.isTimeKnown
      ? service.now
      : this.#isLast
        ? (this.#ledger.begun ?? service.now)
        : undefined;
    if (now !== undefined) {
      this.#ledger.add(this.#pending, this.#pendingLost, now, () => this.#upstreams.servers);
      this.#pending = new Tallies();
      this.#pendingLost = 0;
      void this.#send();
      if (!this.#save()) return;
    }
    this.#error = undefined;
    this.#logged.clear();
  }

  /** Takes the counts of a process that ends. */
  hear(pid: number, stats: WorkerStats): void {
    this.#heard.set(pid, stats);
  }

  /** The counts of each process that answers, or that ends. */
  async #stats(pids: readonly number[]): Promise<Map<number, WorkerStats>> {
    const found = await Promise.all(
      pids.map(async (pid): Promise<[number, WorkerStats][]> => {
        const text = await this.#context.proxy.ask(pid, STAT_COMMANDS);
        return text === undefined ? [] : [[pid, statsIn(text)]];
      }),
    );
    const stats = new Map(found.flat());
    // A process can have said more on its own than it had counted when it was asked.
    for (const [pid, heard] of this.#heard)
      if (heard.lines >= (stats.get(pid)?.lines ?? 0)) stats.set(pid, heard);
    return stats;
  }

  /** Asks the state of the servers that HAProxy checks, when a minute ends. */
  async #checkServers(current: readonly number[]): Promise<void> {
    const { proxy, service } = this.#context;
    const [pid] = current;
    if (pid === undefined || service.now % MINUTE > STEP) return;
    const text = await proxy.ask(pid, [SERVER_COMMAND]);
    if (text !== undefined) this.#upstreams.check(serversIn(text), service.now);
  }

  /** Resolves to what the thread has counted since the last question. @throws if it does not answer */
  #ask(question: Question): Promise<ReceivedCounts> {
    const thread = this.#thread;
    if (!thread) return Promise.reject(new Error("The reader of HAProxy's log does not run."));
    return new Promise((resolve, reject) => {
      const fail = (): void => reject(new Error("The reader of HAProxy's log does not answer."));
      const timer = setTimeout(fail, ANSWER_WITHIN);
      thread.once("exit", fail);
      this.#answered = (answer) => {
        clearTimeout(timer);
        thread.off("exit", fail);
        resolve(answer);
      };
      thread.postMessage(question);
    });
  }

  /** Starts the thread if it does not run, or if its socket is gone. */
  #keepThread(): void {
    const { options, state } = this.#context;
    const socket = socketOf(state.sockets);
    const age = elapsed() - this.#startedAt;
    if (this.#thread && (age < STEP || isSocket(socket))) return;
    if (age < RESTART_AFTER) return;
    void this.#thread?.terminate();
    this.#startedAt = elapsed();
    const [, program = ""] = process.argv;
    const argv = [RECEIVER, socket, options.accessLog, ...(this.#isCounting ? [COUNTING] : [])];
    const thread = new Thread(program, { argv });
    this.#thread = thread;
    this.#listening = new Promise((resolve) => {
      thread.on("message", (message: ReceivedCounts | typeof LISTENING) => {
        if (message === LISTENING) {
          this.#error = undefined;
          resolve();
        } else this.#answered?.(message);
      });
    });
    thread.on("error", (error) => this.#fail(`The reader of HAProxy's log has failed: ${reasonOf(error)}`));
    thread.on("exit", () => {
      if (this.#thread === thread) this.#thread = undefined;
    });
    thread.unref();
  }

  #fail(message: string): void {
    if (!this.#logged.has(message)) log(message);
    this.#logged.add(message);
    this.#error = message;
  }

  /** Milliseconds until the next step: at the end of a minute, or earlier. */
  #untilNextStep(): number {
    const { now, isTimeKnown } = this.#context.service;
    if (!isTimeKnown || !this.#thread) return SHORT_STEP;
    return Math.max(100, Math.min(STEP, MINUTE - (now % MINUTE)));
  }

  /** Writes down what the next agent needs. Returns false if that is not possible, for example because the disk is full. */
  #save(): boolean {
    const { state } = this.#context;
    const { waiting } = this.#ledger;
    try {
      state.write(COUNTED, { workers: this.#losses.saved, open: this.#ledger.saved });
      if (waiting !== this.#written) state.write(WAITING, waiting);
      this.#written = waiting;
      return true;
    } catch (error) {
      this.#fail(`Traffic is counted, but cannot be written down, so a restart loses it: ${reasonOf(error)}`);
      try {
        // The next agent must not go on with what is too old.
        state.remove(COUNTED);
      } catch {
        // It stays.
      }
      return false;
    }
  }

  /** Sends the reports that wait, oldest first. */
  async #send(): Promise<void> {
    if (this.#isSending || this.#ledger.waiting.length === 0) return;
    this.#isSending = true;
    if (this.#sendAt === NEVER) this.#sendAt = elapsed() + Math.random() * SENT_WITHIN;
    try {
      await sleep(Math.max(0, this.#sendAt - elapsed()), undefined, { ref: false });
      for (let [report] = this.#ledger.waiting; report; [report] = this.#ledger.waiting) {
        await this.#context.service
          .reportTraffic(this.#context.options.name, report.body)
          .catch((error: unknown) => {
            // The service will not accept it later either.
            if (!(error instanceof ServiceError && (error.status === 400 || error.status === 413)))
              throw error;
            log(`The service rejects a report of traffic: ${error.message}`);
          });
        this.#ledger.forget(report);
      }
      this.#sendError = undefined;
      this.#sendAt = NEVER;
    } catch (error) {
      const isOld = error instanceof ServiceError && error.status === 404;
      this.#sendAt = elapsed() + (isOld ? WITHOUT_REPORTS : RETRY_AFTER * (0.5 + Math.random()));
      const reason = isOld
        ? "The service is an older one, which does not accept reports of traffic."
        : `Cannot report traffic to the service: ${reasonOf(error)}`;
      if (reason !== this.#sendError) log(reason);
      this.#sendError = reason;
    } finally {
      // The next step writes down which reports still wait.
      this.#isSending = false;
    }
  }
}

/** Whether there is a socket at a path. */
const isSocket = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true;
