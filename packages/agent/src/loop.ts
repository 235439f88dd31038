import { setTimeout as sleep } from "node:timers/promises";
import { elapsed } from "./base/clock.ts";
import type { Context } from "./context.ts";
import { ConverterClient } from "./converter_client.ts";
import { Deployment } from "./deployment.ts";
import type { ServedNow } from "./exporter.ts";
import { Issuing } from "./issuing.ts";
import { log, ProblemLog } from "./log.ts";
import { Machine } from "./machine.ts";
import { Poller } from "./poller.ts";
import { reasonOf, Refusal } from "./refusal.ts";
import { Reporter } from "./reporter.ts";
import { Retry } from "./retry.ts";
import { SavedSnapshots } from "./saved_snapshots.ts";
import type { Fetched, Status } from "./service.ts";
import { Supervisor } from "./supervisor.ts";
import { Timer } from "./timer.ts";
import { Traffic } from "./traffic.ts";
import { Upstreams } from "./traffic/upstreams.ts";
import { BETWEEN_VERDICTS, MachineFailure, RejectedOnce } from "./verdict.ts";

const CERTIFICATES_EVERY = 2000;
const ADDRESSES_EVERY = 30_000;
const LISTENERS_EVERY = 10_000;
const CONVERTER_EVERY = 10_000;
/** When a snapshot that cannot be applied is tried again if nothing changes and the machine is not the reason. */
const RETRY_AFTER = 30_000;

/** How often it is looked whether a rule has ended: the wall clock can be set forward at any time. */
const ENDED_EVERY = 500;
/** When rules that have ended are removed again if that fails. */
const ENDED_AGAIN_AFTER = 2000;

/** Beside a turn that takes longer, HAProxy is watched. */
const LONG_TURN = 5000;
/** A turn that takes longer is reported while it lasts. */
const SLOW_TURN = 60_000;

const SLOW = `It has taken more than ${SLOW_TURN / 1000} seconds to apply the newest configuration. HAProxy may be hanging, or busy with loading or checking it.`;

/** How long the agent counts before it stops HAProxy. */
const LAST_STEP = 2_000;

/** A response without news that took this long was delayed by the service: by 10 seconds at least if it is not asked for less. */
const HAS_WAITED = 5_000;

/** Between two new snapshots there are at least this many milliseconds, and several times what the last one took to apply. */
const SHORTEST_PAUSE = 200;
const PAUSE_FACTOR = 5;

/**
 * Follows the service: polls the snapshot, makes HAProxy serve it, and reports the result. After any failure, HAProxy keeps
 * serving the last configuration.
 */
export class Loop {
  readonly #context: Context;
  readonly #machine: Machine;
  readonly #supervisor: Supervisor;
  readonly #converter: ConverterClient;
  readonly #deployment: Deployment;
  readonly #poller: Poller;
  readonly #reporter: Reporter;
  readonly #traffic: Traffic;
  readonly #stop = new AbortController();
  /** Whether the poller has a snapshot that the next turn applies. */
  #isNew = false;
  /** Ends the pause before the next turn. */
  #wake = new AbortController();
  /** When the turn began that is not over yet. */
  #turnBegan = Infinity;
  /** How long the last new snapshot took, in milliseconds. */
  #applyTime = 0;

  readonly #saved: SavedSnapshots;
  /** Why the newest snapshot is not served. */
  #error: string | undefined;
  /** Why rules that have ended are still served. */
  #endedError: string | undefined;

  readonly #certificatesLog = new ProblemLog();
  readonly #certificatesTimer = new Timer(CERTIFICATES_EVERY);
  readonly #addressesTimer = new Timer(ADDRESSES_EVERY);
  readonly #listenersTimer = new Timer(LISTENERS_EVERY);
  readonly #converterTimer = new Timer(CONVERTER_EVERY);
  readonly #retry = new Retry();
  /** Undefined if the options forbid it. */
  readonly #issuing: Issuing | undefined;
  /** The issuers with which the last snapshot was rendered. */
  #issuersRevision = 0;

  constructor(context: Context) {
    const { options, state, proxy, service, counters } = context;
    this.#context = context;
    this.#saved = new SavedSnapshots(state);
    this.#machine = new Machine(context);
    this.#supervisor = new Supervisor(proxy, state);
    this.#converter = new ConverterClient(state.sockets);
    this.#deployment = new Deployment(context, this.#machine, this.#supervisor, this.#converter);
    this.#poller = new Poller(service, counters);
    this.#reporter = new Reporter(service, options.name);
    this.#traffic = new Traffic(context, new Upstreams(() => this.#newest()?.snapshot));
    proxy.lastWords.hear = (pid, stats) => this.#traffic.hear(pid, stats);
    this.#issuing = options.issues ? new Issuing(context, this.#machine) : undefined;
  }

  /** Runs until `stop()`, then ends HAProxy, unless the options say to leave it running. */
  async run(): Promise<void> {
    const { options, proxy } = this.#context;
    await this.#traffic.begin();
    // The first report waits for what the service answers about issuers.
    const beside = [this.#issue(), this.#removeEnded()];
    void this.#traffic.run(this.#stop.signal).catch(logStack);
    try {
      await this.#recover();
    } catch (error) {
      log(`Cannot use the saved state: ${reasonOf(error)}`);
    }
    this.#isNew = await this.#poller.poll(this.#newest(), this.#stop.signal);
    beside.push(this.#follow());
    while (!this.#stop.signal.aborted) {
      this.#wake = new AbortController();
      const isNew = this.#isNew;
      this.#isNew = false;
      try {
        const begin = elapsed();
        await this.#turn(isNew);
        if (isNew) this.#applyTime = elapsed() - begin;
      } catch (error) {
        // For example, the disk is full. HAProxy keeps running.
        this.#error = `The agent failed: ${reasonOf(error)}`;
        this.#retry.failed();
        logStack(error);
      }
      this.#certificatesLog.note(this.#machine.certificates.problems());
      this.#reporter.report(this.#status());
      await this.#pause(this.#interval(), this.#wake.signal);
    }
    await Promise.all(beside);
    await Promise.race([this.#traffic.step(), sleep(LAST_STEP, undefined, { ref: false })]);
    if (!options.leaveProxy) {
      await proxy.stop();
      await this.#converter.stop();
    }
    await Promise.race([
      this.#traffic.stop(!options.leaveProxy),
      sleep(LAST_STEP, undefined, { ref: false }),
    ]);
  }

  /** What is served now, for metrics. */
  served(): ServedNow {
    return {
      version: this.#deployment.version,
      isRunning: this.#supervisor.isRunning,
      certificates: this.#machine.certificates.expiries(),
      clockOffset: this.#context.service.clockOffset,
      ...this.#traffic.counted,
    };
  }

  /** Ends the run. A second call, from a caller for whom this takes too long, ends HAProxy immediately. */
  async stop(): Promise<void> {
    const isAskedAgain = this.#stop.signal.aborted;
    this.#stop.abort();
    const { options, proxy } = this.#context;
    if (isAskedAgain && !options.leaveProxy) await proxy.kill();
  }

  /** Asks for new snapshots until `stop()`, concurrently with the turns: the service delays its response until something changes. */
  async #follow(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const begin = elapsed();
      const { waitSeconds } = this.#context.options;
      if (await this.#poller.poll(this.#newest(), this.#stop.signal, waitSeconds)) {
        this.#isNew = true;
        this.#wake.abort();
        // Most changes are applied by then. Before, the time is that of the last one, and a start takes long.
        await this.#pause(Math.min(SHORTEST_PAUSE, this.#interval()));
        await this.#pause(Math.min(PAUSE_FACTOR * this.#applyTime - SHORTEST_PAUSE, this.#interval()));
      } else await this.#pause(this.#untilNextPoll(elapsed() - begin));
    }
  }

  /** When to ask again after a request without news, in milliseconds from now. @param taken how long that request took */
  #untilNextPoll(taken: number): number {
    const { backoff } = this.#poller;
    if (backoff > 0) return backoff;
    const { waitSeconds } = this.#context.options;
    const hasWaited = waitSeconds > 0 && taken >= Math.min(waitSeconds * 1000, HAS_WAITED);
    return hasWaited ? 0 : this.#interval() - taken;
  }

  /** Has certificates issued until `stop()`, concurrently with the turns. */
  async #issue(): Promise<void> {
    await this.#issuing?.run(
      this.#stop.signal,
      () => this.#deployment.challengedHosts,
      () => this.#newest()?.snapshot,
      () => {
        this.#certificatesTimer.expire();
        this.#wake.abort();
      },
    );
  }

  /** Removes expired rules until `stop()`, concurrently with the turns, which can take long. */
  async #removeEnded(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const { serving } = this.#deployment;
      try {
        await serving.removeEnded();
        this.#endedError = undefined;
      } catch (error) {
        const message = `Cannot remove rules that have ended: ${reasonOf(error)}`;
        if (message !== this.#endedError) log(message);
        this.#endedError = message;
      }
      await this.#watchTurn();
      const { untilNextEnd } = serving;
      const soon = untilNextEnd > 0 ? Math.min(untilNextEnd, ENDED_EVERY) : ENDED_EVERY;
      await this.#pause(this.#endedError === undefined ? soon : ENDED_AGAIN_AFTER);
    }
  }

  /** Reports a turn that takes long, and starts HAProxy again if it ends meanwhile. */
  async #watchTurn(): Promise<void> {
    if (elapsed() - this.#turnBegan > LONG_TURN)
      await this.#deployment.revive().catch((error: unknown) => logStack(error));
    if (this.#isSlow) this.#reporter.report(this.#status());
  }

  /** A random interval around that of the options, in milliseconds, so that agents do not ask at the same time. */
  #interval(): number {
    return this.#context.options.pollSeconds * 1000 * (0.8 + Math.random() * 0.4);
  }

  /** Takes over from an earlier agent: its state, and HAProxy if it runs. */
  async #recover(): Promise<void> {
    const { state } = this.#context;
    state.tidy();
    this.#saved.load();
    const found = await this.#supervisor.adopt(this.#stop.signal);
    const snapshots = [this.#saved.next, this.#saved.good].flatMap((each) => each?.snapshot ?? []);
    this.#deployment.serving.restore(snapshots);
    if (found) log(`HAProxy is already running: taking over process ${found.master}.`);
    const [newest] = snapshots;
    if (!newest) return;
    // HAProxy is served first: the service and DNS can take long.
    if (this.#machine.addresses.knows(newest)) this.#addressesTimer.consume();
    await this.#turn(true);
    this.#addressesTimer.expire();
  }

  async #turn(isNew: boolean): Promise<void> {
    this.#turnBegan = elapsed();
    try {
      await this.#applyChanges(isNew);
    } finally {
      this.#turnBegan = Infinity;
    }
  }

  /** Checks what has changed, and applies it. */
  async #applyChanges(isNew: boolean): Promise<void> {
    const candidate = this.#newest();
    const processes = await this.#supervisor.check();
    if (!candidate) return;
    const { snapshot } = candidate;
    const { certificates, addresses, listeners } = this.#machine;
    const others = [
      this.#certificatesTimer.consume() && certificates.refresh(),
      (this.#addressesTimer.consume() || !addresses.knows(snapshot)) &&
        (await this.#machine.refreshAddresses(snapshot)),
      await this.#machine.refreshKeySets(snapshot),
      this.#listenersTimer.consume() && (await listeners.hasChanged(processes?.current ?? [])),
      this.#retry.isDue,
      this.#deployment.isSearchDue,
      this.#deployment.isPostponed &&
        processes !== undefined &&
        !(await this.#supervisor.isReloadTooSoon(processes)),
      this.#supervisor.isStartDue(),
      this.#haveIssuersChanged(),
    ];
    if (isNew || others.some(Boolean)) await this.#applyNewest(candidate);
    if (this.#converter.isNeeded && this.#converterTimer.consume()) await this.#converter.listen();
  }

  #haveIssuersChanged(): boolean {
    const { revision } = this.#machine.issuers;
    const hasChanged = revision !== this.#issuersRevision;
    this.#issuersRevision = revision;
    return hasChanged;
  }

  #newest(): Fetched | undefined {
    return this.#poller.latest ?? this.#saved.next ?? this.#saved.good;
  }

  /** Applies the newest snapshot. If that fails, applies the last good one with other changes since. */
  async #applyNewest(newest: Fetched): Promise<void> {
    this.#saved.keep(newest);
    const failure = await this.#tryApply(newest);
    if (this.#deployment.isPostponed) return;
    if (failure === undefined) {
      if (this.#error !== undefined) log("The newest configuration is now applied.");
      this.#error = undefined;
      this.#retry.succeeded();
      this.#saved.succeeded(newest);
      return;
    }
    const error = messageOf(newest, failure);
    if (error !== this.#error) log(error);
    this.#error = error;
    // Only a refusal says something about the configuration. Anything else is, for example, a full disk.
    const isMachine = failure instanceof MachineFailure || !(failure instanceof Refusal);
    this.#retry.failed(
      isMachine ? undefined : failure instanceof RejectedOnce ? BETWEEN_VERDICTS : RETRY_AFTER,
    );
    // A machine in trouble would not do the same for the other one.
    const { good } = this.#saved;
    if (isMachine || !good || good === newest || this.#deployment.version === newest.snapshot.version) return;
    const second = await this.#tryApply(good);
    const fallback = second && messageOf(good, second);
    if (fallback !== undefined && fallback !== error)
      log(`The previous configuration cannot be applied again either. ${fallback}`);
  }

  /** Resolves to the error if a snapshot is not served. */
  async #tryApply({ snapshot }: Fetched): Promise<Error | undefined> {
    try {
      await this.#deployment.apply(snapshot);
      return undefined;
    } catch (error) {
      if (!(error instanceof Refusal)) logStack(error);
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  get #isSlow(): boolean {
    return elapsed() - this.#turnBegan > SLOW_TURN;
  }

  #status(): Status {
    const { isRunning } = this.#supervisor;
    const { coverage, certificates } = this.#deployment;
    const slowness = this.#isSlow ? SLOW : undefined;
    const error =
      this.#endedError ?? slowness ?? this.#error ?? this.#supervisor.error ?? this.#poller.rejection ?? null;
    return {
      applied_version: this.#deployment.version ?? null,
      ok: error === null && isRunning,
      error,
      problems: [
        ...this.#deployment.problems,
        ...this.#machine.certificates.problems(),
        ...this.#converter.problems(),
        ...this.#poller.problems(),
        ...(this.#issuing?.problems() ?? []),
        ...this.#context.service.clockProblems(),
        ...this.#traffic.problems(),
      ],
      ...(coverage && { edges: coverage }),
      ...certificates,
      proxy: isRunning ? `HAProxy ${this.#context.haproxy.text}` : null,
    };
  }

  async #pause(milliseconds: number, wake?: AbortSignal): Promise<void> {
    if (milliseconds <= 0) return;
    const signal = wake ? AbortSignal.any([this.#stop.signal, wake]) : this.#stop.signal;
    await sleep(milliseconds, undefined, { signal }).catch(() => {});
  }
}

const messageOf = ({ snapshot: { version } }: Fetched, error: Error): string =>
  `Version ${version} cannot be applied: ${reasonOf(error)}`;

const logStack = (error: unknown): void =>
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
