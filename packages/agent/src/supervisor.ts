import { setTimeout as sleep } from "node:timers/promises";
import { elapsed, NEVER } from "./base/clock.ts";
import { log } from "./log.ts";
import { type Processes, signal } from "./processes.ts";
import type { Proxy } from "./proxy.ts";
import { because, Refusal } from "./refusal.ts";
import type { State } from "./state.ts";
import { MachineFailure } from "./verdict.ts";

/** How long a running master may stay silent before it is ended, and how long without its socket. */
const LONGEST_SILENCE = 30_000;
const LONGEST_UNREACHABLE = 3000;
/** How long a worker may stay silent before it is killed: HAProxy ends a worker itself that computes for seconds. */
const LONGEST_WORKER_SILENCE = 15_000;
/** How long an agent that takes over waits for an answer, and then until it asks again. */
const ADOPTED_AGAIN_AFTER = 1000;
/**
 * Each old worker holds memory until its connections end. The next reload waits this many milliseconds times the square of their
 * number: a few changes in a row are served immediately, and no more than about a dozen workers add up.
 */
const RELOAD_PAUSE = 250;
/** A worker hands its counters over once it has asked for those of earlier ones. After a start, it gives that up after ten seconds. */
const LONGEST_HANDOVER = 15_000;
/** HAProxy that lived this long has started successfully. */
const STABLE_AFTER = 60_000;

/** Starts and reloads HAProxy, and notices when it ends. */
export class Supervisor {
  readonly #proxy: Proxy;
  readonly #state: State;
  #isRunning = false;
  #error: string | undefined;
  #answeredAt = NEVER;
  /** When the worker last answered. */
  #workedAt = NEVER;
  #isWorkerSilent = false;
  #reloadedAt = NEVER;
  #startedAt = NEVER;
  #startFailures = 0;
  #startNotBefore = NEVER;

  constructor(proxy: Proxy, state: State) {
    this.#proxy = proxy;
    this.#state = state;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** That HAProxy ended unexpectedly, until it has been running for a while. */
  get error(): string | undefined {
    return this.#error;
  }

  /** Takes over an HAProxy that is already running, which can be loading a release. Resolves to its processes. */
  async adopt(stop: AbortSignal): Promise<Processes | undefined> {
    const begin = elapsed();
    let found = await this.#proxy.processes(ADOPTED_AGAIN_AFTER);
    while (!found && this.#isBusy(begin) && !stop.aborted) {
      await sleep(ADOPTED_AGAIN_AFTER);
      found = await this.#proxy.processes(ADOPTED_AGAIN_AFTER);
    }
    this.#isRunning = found !== undefined;
    // What has changed since they were replaced is not known.
    if (found) await this.#proxy.oldWorkers.end(found.old, true);
    return found;
  }

  /** Checks whether HAProxy is alive. Resolves to its processes if it is. */
  async check(): Promise<Processes | undefined> {
    const processes = await this.#proxy.processes();
    const isAlive = processes !== undefined && processes.current.length > 0;
    if (isAlive) this.#answeredAt = elapsed();
    if (this.#isRunning && !isAlive && !this.#isBusy(this.#answeredAt)) {
      const fault = this.#proxy.isMasterAlive() ? "does not respond" : "exited unexpectedly";
      this.#error = `HAProxy ${fault} and is being restarted${because(this.#proxy.complaint())}`;
      log(this.#error);
      this.#isRunning = false;
      this.#startFailures = elapsed() - this.#startedAt > STABLE_AFTER ? 0 : this.#startFailures + 1;
      this.#startNotBefore = elapsed() + (this.#startFailures === 0 ? 0 : backoff(this.#startFailures));
    } else if (isAlive && this.#error !== undefined && elapsed() - this.#startedAt > STABLE_AFTER) {
      this.#error = undefined;
    }
    if (isAlive) await this.#checkWorker(processes);
    return isAlive ? processes : undefined;
  }

  /** Kills a worker that hangs. Then the master ends, too, and HAProxy is started again. */
  async #checkWorker({ current }: Processes): Promise<void> {
    if (await this.#proxy.doesWorkerAnswer()) {
      this.#workedAt = elapsed();
      this.#isWorkerSilent = false;
      return;
    }
    // It may have been busy with something else until now.
    if (!this.#isWorkerSilent) this.#workedAt = elapsed();
    this.#isWorkerSilent = true;
    if (elapsed() - this.#workedAt < LONGEST_WORKER_SILENCE) return;
    this.#error = `HAProxy's worker has not responded for ${LONGEST_WORKER_SILENCE / 1000} seconds, and is being restarted.`;
    log(this.#error);
    for (const pid of current) signal(pid, "SIGKILL");
  }

  /** Whether the master, which does not answer, may still do so: being busy is not a reason to end it. @param since it is silent */
  #isBusy(since: number): boolean {
    const patience = this.#proxy.hasMasterSocket ? LONGEST_SILENCE : LONGEST_UNREACHABLE;
    return this.#proxy.isMasterAlive() && elapsed() - since < patience;
  }

  /** The processes, if HAProxy should be running. @throws MachineFailure if it should be, but does not answer */
  async processes(): Promise<Processes | undefined> {
    const running = this.#isRunning ? await this.#proxy.processes() : undefined;
    if (this.#isRunning && !running) throw new MachineFailure("HAProxy does not respond.");
    return running;
  }

  /** Whether HAProxy is not running and should be started now. */
  isStartDue(): boolean {
    return !this.#isRunning && elapsed() >= this.#startNotBefore;
  }

  /** Whether a reload must wait for old workers to end, or for the current one to get its counters from them. */
  async isReloadTooSoon({ old }: Processes): Promise<boolean> {
    const since = elapsed() - this.#reloadedAt;
    if (since < old.length ** 2 * RELOAD_PAUSE) return true;
    return since < LONGEST_HANDOVER && !(await this.#proxy.canHandOver());
  }

  /**
   * Loads a release into HAProxy; falls back to the previous one if HAProxy does not come up with it.
   *
   * @param running HAProxy's processes; undefined starts it
   * @param canFallBack whether HAProxy has served the previous release
   * @throws Refusal if the release is not served
   */
  async load(release: number, running: Processes | undefined, canFallBack: boolean): Promise<void> {
    const previous = this.#state.currentRelease();
    if (release !== previous) this.#state.switchTo(release);
    const isUp = running ? await this.#proxy.reload(running) : await this.#proxy.start();
    if (isUp) {
      this.#reloadedAt = elapsed();
      this.#answeredAt = elapsed();
      if (!running) this.#startedAt = elapsed();
      this.#isRunning = true;
      return;
    }
    const reason = because(this.#proxy.complaint());
    if (previous !== undefined && previous !== release) this.#state.switchTo(previous);
    const now = await this.#proxy.processes();
    // Old workers keep running; the master leaves wait mode once it has loaded a valid configuration.
    if (now && canFallBack) await this.#proxy.reload(now);
    else {
      this.#isRunning = now !== undefined;
      this.#startNotBefore = elapsed() + backoff(this.#startFailures++);
    }
    throw new Refusal(`HAProxy did not ${running ? "reload" : "start"}${reason}`);
  }
}

const backoff = (failures: number): number => 500 * 2 ** Math.min(failures, 6);
