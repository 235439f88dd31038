import { isIP } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Problem, Snapshot } from "../../traffic/src/snapshot.ts";
import type { Options } from "./args.ts";
import { Certificates } from "./certificates.ts";
import { Converters } from "./converters.ts";
import { isThisMachine, listenerGuard, upstreamGuard } from "./guard.ts";
import { keptApplied, keptNames, keptSnapshot } from "./kept.ts";
import { log } from "./log.ts";
import { Names } from "./names.ts";
import type { Processes, Proxy } from "./proxy.ts";
import { reasonOf, Refusal } from "./refusal.ts";
import { findRefused, type Refused, structureOf } from "./refused.ts";
import { parseHostport } from "./render/hostport.ts";
import { type Converter, type Listener, render, type Rendered, type Settings } from "./render/render.ts";
import { type Fetched, type Service, ServiceError, SnapshotRejected, type Status } from "./service.ts";
import type { State } from "./state.ts";
import { unavailability } from "./try_bind.ts";

/*
 * Follows the service: asks for the snapshot, makes HAProxy serve it, tells how that went. Whatever fails, what is served
 * stays as it is.
 */

const CERTIFICATES_EVERY = 2000;
const NAMES_EVERY = 30_000;
const LISTENERS_EVERY = 10_000;
const CONVERTERS_EVERY = 10_000;
/** How often what could not be applied is tried again though nothing has changed. */
const RETRY_EVERY = 60_000;
const REPORT_EVERY = 60_000;
const REPORT_RETRY = 5000;
const LONGEST_PAUSE = 30_000;
/** A master that runs and does not answer is ended after this time. */
const LONGEST_SILENCE = 30_000;
/**
 * Each old worker holds memory until its connections end. The next reload waits this long times the square of their number: a few
 * changes in a row are served at once, and no more than about a dozen workers add up.
 */
const PAUSE = 250;
/** Problems that are logged at once. */
const MOST_LINES = 10;
/** HAProxy that lived this long has not failed at once. */
const STABLE_AFTER = 60_000;

/** What HAProxy serves, or would after a start. */
interface Applied {
  release: number;
  version: number;
  files: Map<string, string>;
  listeners: Listener[];
  /** False once a change of rules was cut short: HAProxy may have other rules in memory than `files` says. */
  isWhole: boolean;
}

export interface Context {
  options: Options;
  state: State;
  proxy: Proxy;
  service: Service;
  haproxy: { text: string; numbers: readonly [number, number] };
}

/** Happens at most once in a while. */
class Timer {
  #next = 0;
  readonly #every: number;

  constructor(every: number) {
    this.#every = every;
  }

  isDue(): boolean {
    if (Date.now() < this.#next) return false;
    this.#next = Date.now() + this.#every;
    return true;
  }

  again(): void {
    this.#next = 0;
  }
}

export class Loop {
  readonly #context: Context;
  readonly #certificates: Certificates;
  readonly #names: Names;
  readonly #converters: Converters;
  readonly #stop = new AbortController();

  /** The newest that the service gave, and the newest that was applied. */
  #latest: Fetched | undefined;
  #good: Fetched | undefined;
  #applied: Applied | undefined;
  /** Why listeners cannot be bound, by `address port`. */
  #unavailable = new Map<string, string>();
  #refused: { structure: string; found: Map<string, Refused> } = { structure: "", found: new Map() };
  #problems: Problem[] = [];
  #conversions: Converter[] = [];
  #converterError: string | undefined;

  /** Why the newest snapshot is not what is served; and what else is wrong. */
  #applyError: string | undefined;
  #proxyError: string | undefined;
  #serviceError: string | undefined;
  #snapshotError: string | undefined;

  #isRunning = false;
  #answeredAt = 0;
  #reloadedAt = 0;
  /** Whether a configuration waits for old workers to end. */
  #isPostponed = false;
  #startedAt = 0;
  #startFailures = 0;
  #startNotBefore = 0;
  #pollNotBefore = 0;
  #pollFailures = 0;

  readonly #certificatesTimer = new Timer(CERTIFICATES_EVERY);
  readonly #namesTimer = new Timer(NAMES_EVERY);
  readonly #listenersTimer = new Timer(LISTENERS_EVERY);
  readonly #convertersTimer = new Timer(CONVERTERS_EVERY);
  readonly #retryTimer = new Timer(RETRY_EVERY);

  /** Statuses as JSON: the last that the service took, and the last that was sent. */
  #reported = "";
  #lastTried = "";
  #reportError = "";
  #reportedAt = 0;
  #isReporting = false;

  constructor(context: Context) {
    this.#context = context;
    const { options, state } = context;
    this.#certificates = new Certificates(options.certificates, state.certificates);
    const { hostname } = new URL(options.service);
    const host = isIP(hostname.replace(/^\[|\]$/g, "")) === 0 ? hostname : undefined;
    this.#names = new Names(state.read("names.json", keptNames) ?? {}, host);
    this.#converters = new Converters(state.sockets);
  }

  /** Runs until `stop()`, then ends HAProxy unless it is to be left. */
  async run(): Promise<void> {
    const { options, proxy } = this.#context;
    try {
      await this.#recover();
    } catch (error) {
      log(`What was kept cannot be used: ${reasonOf(error)}`);
    }
    while (!this.#stop.signal.aborted) {
      try {
        const isNew = await this.#poll();
        await this.#turn(isNew);
      } catch (error) {
        // Such as a full disk: what is served goes on.
        this.#applyError = `The agent failed: ${reasonOf(error)}`;
        log(error instanceof Error ? (error.stack ?? error.message) : String(error));
      }
      this.#report();
      await this.#pause(options.pollSeconds * 1000 * (0.8 + Math.random() * 0.4));
    }
    if (options.leaveProxy) return;
    await proxy.stop();
    await this.#converters.listenOn([]).catch(() => {});
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Takes up what was kept, and HAProxy if it runs. */
  async #recover(): Promise<void> {
    const { state, proxy } = this.#context;
    state.tidy();
    this.#good = state.read("snapshot.json", keptSnapshot);
    const found = await proxy.processes();
    this.#isRunning = found !== undefined;
    const applied = state.read("applied.json", keptApplied);
    // Otherwise it was killed between two steps: HAProxy may have something else in memory.
    if (applied?.isWhole && applied.release === state.currentRelease() && this.#good) {
      const { release, listeners, refused } = applied;
      const structure = structureOf(this.#good.snapshot);
      if (refused.structure === structure)
        this.#refused = { structure, found: new Map(Object.entries(refused.found)) };
      this.#applied = {
        release,
        version: this.#good.snapshot.version,
        files: state.filesOf(release),
        listeners,
        isWhole: true,
      };
    }
    if (found) log(`Going on with HAProxy, process ${found.master}.`);
    // Before the service and DNS are asked, which may take long.
    if (!this.#good) return;
    if (this.#names.knows(this.#good.snapshot)) this.#namesTimer.isDue();
    await this.#turn(true);
    this.#namesTimer.again();
  }

  /** Asks for the snapshot. Resolves to whether there is another. */
  async #poll(): Promise<boolean> {
    if (Date.now() < this.#pollNotBefore) return false;
    const { service } = this.#context;
    const etag = (this.#latest ?? this.#good)?.etag ?? null;
    try {
      const fetched = await service.snapshot(etag, this.#stop.signal);
      if (this.#serviceError !== undefined) log("The service answers again.");
      this.#serviceError = undefined;
      this.#snapshotError = undefined;
      this.#pollFailures = 0;
      if (!fetched) return false;
      this.#latest = fetched;
      return true;
    } catch (error) {
      if (this.#stop.signal.aborted) return false;
      const reason = reasonOf(error);
      if (reason !== this.#serviceError) log(reason);
      this.#serviceError = reason;
      if (error instanceof SnapshotRejected) this.#snapshotError = reason;
      const asked = error instanceof ServiceError ? (error.retryAfter ?? 0) * 1000 : 0;
      const backOff = 500 * 2 ** Math.min(this.#pollFailures++, 10);
      this.#pollNotBefore =
        Date.now() + Math.min(Math.max(asked, backOff * (0.5 + Math.random())), LONGEST_PAUSE);
      return false;
    }
  }

  /** Looks what has changed, and has it applied. */
  async #turn(isNew: boolean): Promise<void> {
    const candidate = this.#latest ?? this.#good;
    const processes = await this.#look();
    if (!candidate) return;
    const reasons = [
      isNew,
      this.#certificatesTimer.isDue() && this.#certificates.refresh(),
      (this.#namesTimer.isDue() || !this.#names.knows(candidate.snapshot)) &&
        (await this.#refreshNames(candidate)),
      this.#listenersTimer.isDue() && (await this.#hasListenerChanged(processes)),
      this.#applyError !== undefined && this.#retryTimer.isDue(),
      this.#isPostponed && processes !== undefined && !this.#isTooSoon(processes),
      !this.#isRunning && Date.now() >= this.#startNotBefore,
    ];
    if (reasons.some(Boolean)) await this.#applyNewest();
    if (this.#conversions.length > 0 && this.#convertersTimer.isDue()) await this.#convert([]);
  }

  /** Whether HAProxy lives. */
  async #look(): Promise<Processes | undefined> {
    const { proxy } = this.#context;
    const processes = await proxy.processes();
    const lives = processes !== undefined && processes.current.length > 0;
    if (lives) this.#answeredAt = Date.now();
    // A master that is busy is no reason to end it.
    const isSilent = !lives && proxy.isMasterAlive() && Date.now() - this.#answeredAt < LONGEST_SILENCE;
    if (this.#isRunning && !lives && !isSilent) {
      this.#proxyError = `HAProxy ended by itself and is started again${because(proxy.complaint())}`;
      log(this.#proxyError);
      this.#isRunning = false;
      this.#startFailures = Date.now() - this.#startedAt > STABLE_AFTER ? 0 : this.#startFailures + 1;
      const pause = this.#startFailures === 0 ? 0 : 500 * 2 ** Math.min(this.#startFailures, 6);
      this.#startNotBefore = Date.now() + pause;
    } else if (lives && this.#proxyError !== undefined && Date.now() - this.#startedAt > STABLE_AFTER) {
      this.#proxyError = undefined;
    }
    return lives ? processes : undefined;
  }

  async #refreshNames({ snapshot }: Fetched): Promise<boolean> {
    const hasChanged = await this.#names.refresh(snapshot);
    if (hasChanged) this.#context.state.write("names.json", this.#names.kept());
    return hasChanged;
  }

  /** Whether a listener that could not be bound now can be, or fails otherwise. */
  async #hasListenerChanged(processes: Processes | undefined): Promise<boolean> {
    for (const [key, code] of this.#unavailable) {
      const [address = "", port = ""] = key.split(" ");
      const listener = { address, port: Number(port), v6only: address.includes(":") };
      if ((await unavailability(listener, processes?.current ?? [])) !== code) {
        this.#unavailable.delete(key);
        return true;
      }
    }
    return false;
  }

  /** Applies the newest snapshot; if that cannot be, what was applied last, with what else has changed since. */
  async #applyNewest(): Promise<void> {
    const { state } = this.#context;
    const newest = this.#latest ?? this.#good;
    if (!newest) return;
    this.#isPostponed = false;
    const error = await this.#tryApply(newest);
    if (this.#isPostponed) return;
    if (error === undefined) {
      if (this.#applyError !== undefined) log("The newest configuration is applied now.");
      this.#applyError = undefined;
      if (newest !== this.#good) state.write("snapshot.json", newest);
      this.#good = newest;
      return;
    }
    if (error !== this.#applyError) log(error);
    this.#applyError = error;
    this.#retryTimer.isDue();
    if (this.#good && this.#good !== newest) {
      const fallback = await this.#tryApply(this.#good);
      if (fallback !== undefined && fallback !== error) log(`The configuration of before: ${fallback}`);
    }
  }

  async #tryApply({ snapshot }: Fetched): Promise<string | undefined> {
    try {
      await this.#apply(snapshot);
      return undefined;
    } catch (error) {
      if (!(error instanceof Refusal))
        log(error instanceof Error ? (error.stack ?? error.message) : String(error));
      return `Version ${snapshot.version} is not served: ${reasonOf(error)}`;
    }
  }

  /** @throws if HAProxy does not serve it */
  async #apply(snapshot: Snapshot): Promise<void> {
    const { state } = this.#context;
    this.#certificates.refresh();
    const structure = structureOf(snapshot);
    if (structure !== this.#refused.structure) this.#refused = { structure, found: new Map() };
    const running = await this.#processesIfRunning();
    if (this.#isRunning && !running) throw new Refusal("HAProxy does not answer.");

    if (this.#applied && running) {
      const rendered = await this.#bindable(snapshot, state.release(this.#applied.release), running);
      if (await this.#applyRules(snapshot, rendered)) return;
    }
    if (running && this.#isTooSoon(running)) {
      this.#isPostponed = true;
      return;
    }
    const release = state.newestRelease() + 1;
    try {
      const rendered = await this.#acceptable(snapshot, release, running);
      await this.#convert(rendered.converters);
      await this.#switch(snapshot, release, rendered, running);
      this.#settle(snapshot, rendered);
    } catch (error) {
      if (state.currentRelease() !== release) state.removeRelease(release);
      throw error;
    }
    await this.#convert([]);
  }

  #isTooSoon({ old }: Processes): boolean {
    return Date.now() - this.#reloadedAt < old.length ** 2 * PAUSE;
  }

  /** Applies what differs if that is nothing, or rules alone. Resolves to whether it could. */
  async #applyRules(snapshot: Snapshot, rendered: Rendered): Promise<boolean> {
    const { state, proxy } = this.#context;
    const applied = this.#applied;
    if (!applied?.isWhole) return false;
    const acls = new Set(rendered.acls);
    const changed = new Map(
      [...rendered.files].filter(([path, content]) => applied.files.get(path) !== content),
    );
    const isSame = [...rendered.files.keys()].every((path) => applied.files.has(path));
    if (!isSame || ![...changed.keys()].every((path) => acls.has(path))) return false;
    if (changed.size > 0) {
      const begin = Date.now();
      applied.isWhole = false;
      this.#keep();
      try {
        await proxy.setAcls(applied.release, applied.files, changed);
      } catch (error) {
        log(`Rules could not be changed in the running HAProxy, which is reloaded: ${reasonOf(error)}`);
        return false;
      }
      state.rewrite(applied.release, changed);
      for (const [path, content] of changed) applied.files.set(path, content);
      applied.isWhole = true;
      log(
        `Version ${snapshot.version}: changed the rules of ${changed.size} lists in ${Date.now() - begin} ms.`,
      );
    }
    this.#settle(snapshot, rendered);
    return true;
  }

  #settle(snapshot: Snapshot, rendered: Rendered): void {
    if (!this.#applied) return;
    this.#applied.version = snapshot.version;
    this.#conversions = rendered.converters;
    const before = new Set(this.#problems.map(lineOf));
    this.#problems = [...rendered.problems, ...this.#ownProblems(snapshot)];
    const lines = this.#problems.map(lineOf).filter((line) => !before.has(line));
    for (const line of lines.slice(0, MOST_LINES)) log(line);
    if (lines.length > MOST_LINES)
      log(`${lines.length - MOST_LINES} more problems: the agent's status has them.`);
    this.#keep();
  }

  /** Notes what HAProxy serves: before rules change too, so that a reload follows if that is cut short. */
  #keep(): void {
    if (!this.#applied) return;
    const { release, version, listeners, isWhole } = this.#applied;
    const { structure, found } = this.#refused;
    const refused = { structure, found: Object.fromEntries(found) };
    this.#context.state.write("applied.json", { release, version, listeners, refused, isWhole });
  }

  async #processesIfRunning(): Promise<Processes | undefined> {
    return this.#isRunning ? this.#context.proxy.processes() : undefined;
  }

  /** Renders without the listeners that cannot be bound. */
  async #bindable(snapshot: Snapshot, directory: string, running: Processes | undefined): Promise<Rendered> {
    for (;;) {
      const rendered = render(snapshot, this.#settings(directory));
      const known = this.#unavailable.size;
      const held = new Set(running ? this.#applied?.listeners.map(keyOf) : []);
      let isComplete = true;
      for (const listener of rendered.listeners) {
        if (held.has(keyOf(listener))) continue;
        const code = await unavailability(listener, running?.current ?? []);
        if (code === undefined) continue;
        this.#unavailable.set(keyOf(listener), code);
        isComplete = false;
      }
      if (isComplete) return rendered;
      if (this.#unavailable.size === known)
        throw new Refusal(`Cannot listen on ${[...this.#unavailable.keys()].join(", ")}.`);
    }
  }

  /** Writes a release that HAProxy takes, without the edges and routes that it does not. @throws Refusal if there is none */
  async #acceptable(snapshot: Snapshot, release: number, running: Processes | undefined): Promise<Rendered> {
    const { state, proxy } = this.#context;
    const directory = state.release(release);
    const check = async (refused: ReadonlySet<string>) => {
      const rendered = render(snapshot, { ...this.#settings(directory), refused });
      state.writeRelease(release, rendered.files);
      return proxy.check(join(directory, "haproxy.cfg"));
    };
    const rendered = await this.#bindable(snapshot, directory, running);
    state.writeRelease(release, rendered.files);
    const checked = await proxy.check(join(directory, "haproxy.cfg"));
    if (checked.ok) return rendered;
    log(`HAProxy refuses version ${snapshot.version}: ${checked.message}`);
    const found = await findRefused(snapshot, check);
    if (!found) throw new Refusal(`HAProxy refuses it: ${checked.message}`);
    this.#refused.found = found;
    const rest = await this.#bindable(snapshot, directory, running);
    state.writeRelease(release, rest.files);
    const again = await proxy.check(join(directory, "haproxy.cfg"));
    if (!again.ok) throw new Refusal(`HAProxy refuses it: ${again.message}`);
    return rest;
  }

  /** Makes HAProxy read a release; if it does not come up with it, that of before. @throws Refusal */
  async #switch(
    snapshot: Snapshot,
    release: number,
    rendered: Rendered,
    running: Processes | undefined,
  ): Promise<void> {
    const { state, proxy } = this.#context;
    const before = state.currentRelease();
    const begin = Date.now();
    state.switchTo(release);
    const isUp = running ? await proxy.reload(running) : await proxy.start();
    if (isUp) {
      this.#reloadedAt = Date.now();
      this.#answeredAt = Date.now();
      if (!running) this.#startedAt = Date.now();
      this.#isRunning = true;
      const { files, listeners } = rendered;
      this.#applied = { release, version: snapshot.version, files, listeners, isWhole: true };
      log(
        `Version ${snapshot.version}: ${running ? "reloaded" : "started"} HAProxy in ${Date.now() - begin} ms.`,
      );
      state.prune([release]);
      return;
    }
    const reason = because(proxy.complaint());
    if (before !== undefined) state.switchTo(before);
    const now = await proxy.processes();
    // Workers of before go on; the master leaves its state of waiting once it has read a good configuration.
    if (now && this.#applied) await proxy.reload(now);
    else {
      this.#isRunning = now !== undefined;
      this.#startNotBefore = Date.now() + 500 * 2 ** Math.min(this.#startFailures++, 6);
    }
    throw new Refusal(`HAProxy did not ${running ? "reload" : "start"} with it${reason}`);
  }

  /** Has the converter listen for these too, and for those of what is served. */
  async #convert(more: readonly Converter[]): Promise<void> {
    const all = new Map([...this.#conversions, ...more].map((conversion) => [conversion.socket, conversion]));
    try {
      await this.#converters.listenOn([...all.values()]);
      this.#converterError = undefined;
    } catch (error) {
      const reason = `The websocket converter does not run: ${reasonOf(error)}`;
      if (reason !== this.#converterError) log(reason);
      this.#converterError = reason;
    }
  }

  #settings(directory: string): Settings {
    const { options, state, haproxy } = this.#context;
    return {
      directory,
      sockets: state.sockets,
      certificateFor: (host) => this.#certificates.fileFor(host),
      resolve: this.#names.addresses,
      isUpstreamAllowed: upstreamGuard(options.allowUpstreams),
      objectionTo: listenerGuard({ ...options, servicePort: this.#servicePort() }),
      isWanted: (hostport) => isInScope(options, hostport) && this.#obstacle(hostport) === undefined,
      ignoreTrafficPolicies: options.ignoreTrafficPolicies,
      refused: new Set(this.#refused.found.keys()),
      haproxy: haproxy.numbers,
      ...(options.upstreamRoots !== undefined && { upstreamRoots: options.upstreamRoots }),
      ipv6: !NO_IPV6.has(this.#noIpv6()),
    };
  }

  /** The port of the service if it is on this machine. */
  #servicePort(): number | undefined {
    const { protocol, hostname, port } = new URL(this.#context.options.service);
    if (!isThisMachine(hostname, this.#names.addresses)) return undefined;
    return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
  }

  #noIpv6(): string {
    return (
      [...this.#unavailable].find(([key, code]) => key.startsWith(":: ") && NO_IPV6.has(code))?.[1] ?? ""
    );
  }

  /** Why a hostport cannot be listened on now: its listener and the code of the system's error. */
  #obstacle(hostport: string): { key: string; code: string } | undefined {
    const { address, port } = parseHostport(hostport);
    const addresses = address === undefined ? ["0.0.0.0", "::"] : [address];
    for (const one of addresses) {
      const key = `${one} ${port}`;
      const code = this.#unavailable.get(key);
      if (code !== undefined && !(one === "::" && NO_IPV6.has(code))) return { key, code };
    }
    return undefined;
  }

  /** What is not served, or not as it should be, for reasons of this machine. */
  #ownProblems(snapshot: Snapshot): Problem[] {
    const { options } = this.#context;
    const listeners = snapshot.edges.flatMap(({ id, hostports }) =>
      hostports
        .filter((hostport) => isInScope(options, hostport))
        .flatMap((hostport) => {
          const obstacle = this.#obstacle(hostport);
          return obstacle ? [{ object: id, ...listenerProblem(hostport, obstacle) }] : [];
        })
        .slice(0, 1),
    );
    const refused = [...this.#refused.found].map(([object, { message, kind }]) => ({
      object,
      code: "refused_by_haproxy",
      msg: `HAProxy refuses this ${kind}, which is ${kind === "edge" ? "not served" : "answered with 503"}: ${message}`,
    }));
    return [...listeners, ...refused];
  }

  /** Tells the service how it stands, if that is new or a minute old. Never waits for it. */
  #report(): void {
    const { options, service, haproxy } = this.#context;
    const error = this.#applyError ?? this.#proxyError ?? this.#snapshotError ?? null;
    const status: Status = {
      applied_version: this.#applied?.version ?? null,
      ok: error === null && this.#isRunning,
      error,
      problems: [...this.#problems, ...this.#certificates.problems(), ...this.#converterProblem()],
      proxy: this.#isRunning ? `HAProxy ${haproxy.text}` : null,
    };
    const text = JSON.stringify(status);
    const pause = text === this.#reported ? REPORT_EVERY : REPORT_RETRY;
    const isNew = text !== this.#lastTried;
    if (this.#isReporting || (!isNew && Date.now() - this.#reportedAt < pause)) return;
    this.#isReporting = true;
    this.#reportedAt = Date.now();
    this.#lastTried = text;
    service
      .report(options.name, status)
      .then(() => {
        this.#reported = text;
      })
      .catch((reason: unknown) => {
        const line = `Cannot tell the service how it stands: ${reasonOf(reason)}`;
        if (line !== this.#reportError) log(line);
        this.#reportError = line;
      })
      .finally(() => {
        this.#isReporting = false;
      });
  }

  #converterProblem(): Problem[] {
    if (this.#converterError === undefined) return [];
    const [first] = this.#conversions;
    return [{ object: first?.route ?? "agent", code: "converter_down", msg: this.#converterError }];
  }

  async #pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#stop.signal }).catch(() => {});
  }

  /** Fetches, renders and checks once; changes nothing that is served. Resolves to the problems. @throws Refusal */
  async check(): Promise<Problem[]> {
    const { service, state, proxy } = this.#context;
    const fetched = await service.snapshot(null);
    if (!fetched) throw new Refusal("The service gave no snapshot.");
    this.#certificates.refresh();
    await this.#names.refresh(fetched.snapshot);
    const directory = state.release(1);
    const rendered = render(fetched.snapshot, this.#settings(directory));
    state.writeRelease(1, rendered.files);
    const checked = await proxy.check(join(directory, "haproxy.cfg"));
    if (!checked.ok)
      throw new Refusal(`HAProxy refuses version ${fetched.snapshot.version}: ${checked.message}`);
    return [...fetched.snapshot.problems, ...rendered.problems, ...this.#certificates.problems()];
  }
}

/** Codes of a machine without IPv6 when it is to listen on `::`. */
const NO_IPV6: ReadonlySet<string> = new Set(["EAFNOSUPPORT", "EADDRNOTAVAIL"]);

/** A problem as it is logged. */
export const lineOf = ({ object, code, msg }: Problem): string => `${object}: ${code}: ${msg}`;

const because = (reason: string): string => (reason === "" ? "." : `: ${reason}`);

const keyOf = ({ address, port }: Listener): string => `${address} ${port}`;

const isInScope = ({ only }: Options, hostport: string): boolean =>
  only.size === 0 || only.has(hostport) || only.has(hostport.slice(hostport.lastIndexOf(":")));

function listenerProblem(hostport: string, { key, code }: { key: string; code: string }) {
  const where = key.replace(" ", " port ");
  switch (code) {
    case "EADDRINUSE":
      return {
        code: "port_taken",
        msg: `${hostport} is not served: another process listens on ${where}. End it, or use another port.`,
      };
    case "EADDRNOTAVAIL":
      return {
        code: "address_missing",
        msg: `${hostport} is not served: this machine does not have its address.`,
      };
    case "EACCES":
      return {
        code: "port_forbidden",
        msg: `${hostport} is not served: the agent's user may not listen on ${where}. Give it CAP_NET_BIND_SERVICE.`,
      };
    default:
      return {
        code: "port_unavailable",
        msg: `${hostport} is not served: cannot listen on ${where} (${code}).`,
      };
  }
}
