import { join } from "node:path";
import { isSameButRules } from "../../traffic/src/changes.ts";
import type { Problem, Snapshot } from "../../traffic/src/snapshot.ts";
import { type Applied, restored, save } from "./applied.ts";
import { keepCertificates, tryCertificates } from "./certificate_trial.ts";
import { elapsed } from "./clock.ts";
import type { Context } from "./context.ts";
import type { ConverterClient } from "./converter_client.ts";
import { EndedRules } from "./ended_rules.ts";
import { keyOf } from "./listeners.ts";
import { log } from "./log.ts";
import type { Machine } from "./machine.ts";
import { mapFiles } from "./map_steps.ts";
import type { Processes } from "./processes.ts";
import { reasonOf, Refusal } from "./refusal.ts";
import { findRejected, Rejections } from "./rejected.ts";
import { render, type Rendered, renderRules, type Settings, withRules } from "./render/render.ts";
import { changeBetween, partsOf } from "./running_change.ts";
import { type Access, takesAccessAway } from "./stricter.ts";
import type { Supervisor } from "./supervisor.ts";
import type { Checked } from "./verdict.ts";
import { BETWEEN_VERDICTS, RejectedOnce, Verdicts } from "./verdicts.ts";

/** Problems that are logged at a time. */
const MOST_LINES = 10;

interface Parts {
  machine: Machine;
  supervisor: Supervisor;
  converter: ConverterClient;
}

/** How long a rendered configuration is used again if only rules change. A certificate can expire, or become valid. */
const RENDERED_FOR = 60_000;

/** Makes HAProxy serve snapshots. */
export class Deployment {
  readonly #context: Context;
  readonly #machine: Machine;
  readonly #supervisor: Supervisor;
  readonly #converter: ConverterClient;
  #applied: Applied | undefined;
  /** What was rendered and applied, as long as nothing on this machine has changed since `at`. */
  #rendered: { snapshot: Snapshot; rendered: Rendered; at: number } | undefined;
  /** What is served, as it was rendered last. */
  #settled: Rendered | undefined;
  /** What decides which requests are rejected; undefined if this agent has applied nothing yet. */
  #access: Access | undefined;
  readonly #ended: EndedRules;
  /** When the next rule that is served ends, in milliseconds since 1970. */
  #nextEnd = Infinity;
  readonly #rejections: Rejections;
  readonly #verdicts = new Verdicts();
  #isPostponed = false;

  constructor(context: Context, { machine, supervisor, converter }: Parts) {
    this.#context = context;
    this.#machine = machine;
    this.#supervisor = supervisor;
    this.#converter = converter;
    this.#ended = new EndedRules(context.state);
    this.#rejections = new Rejections((edge) => machine.certificatesOf(edge));
  }

  /** The version of the snapshot that is served. */
  get version(): number | undefined {
    return this.#applied?.version;
  }

  get problems(): readonly Problem[] {
    return this.#access?.problems ?? [];
  }

  /** Whether the last `apply` put off a reload until old workers have ended. */
  get isPostponed(): boolean {
    return this.#isPostponed;
  }

  /** Whether it is time to look again for what HAProxy rejects. */
  get isSearchDue(): boolean {
    return this.#rejections.areOutdated;
  }

  /** Restores what an earlier agent has applied. @param snapshot the one that it applied last, if it is known */
  restore(snapshot: Snapshot | undefined): void {
    this.#applied = restored(this.#context.state, this.#rejections, snapshot);
  }

  /**
   * Makes HAProxy serve a snapshot, or postpones that.
   *
   * @param isMachineSame whether certificates, addresses, keys and ports are those of the last call
   * @throws if HAProxy does not serve it
   */
  async apply(given: Snapshot, isMachineSame = false): Promise<void> {
    this.#isPostponed = false;
    const snapshot = this.#ended.without(given);
    if (this.#machine.certificates.refresh() || !isMachineSame) this.#rendered = undefined;
    if (!(await this.#applyRules(snapshot))) {
      this.#rejections.turnTo(snapshot);
      await this.#deploy(snapshot, await this.#running());
    }
    // Rules can end while the next one cannot be applied.
    if (this.#applied && !this.#isPostponed) {
      this.#applied.snapshot = given;
      this.#nextEnd = this.#ended.next;
    }
  }

  /** Milliseconds until a rule that is served ends; Infinity if none does. */
  get untilNextEnd(): number {
    return this.#nextEnd === Infinity ? Infinity : this.#nextEnd - this.#ended.now();
  }

  /** Removes rules that have ended from what is served. Resolves to whether that was possible without a reload. */
  async removeEnded(): Promise<boolean> {
    const [applied, rendered] = [this.#applied, this.#settled];
    if (!applied || !rendered || !(await this.#supervisor.processes())) return false;
    const snapshot = this.#ended.without(applied.snapshot);
    const { next } = this.#ended;
    const isRemoved = await this.#applyRunning(
      snapshot,
      renderRules(rendered, snapshot, applied.arrangement),
    );
    if (isRemoved) this.#nextEnd = next;
    return isRemoved;
  }

  /** Rewrites the rules of the release on disk without those that have ended, before HAProxy is started with them. */
  #rewriteRules(applied: Applied): void {
    const { state } = this.#context;
    const snapshot = this.#ended.without(applied.snapshot);
    const { named } = render(snapshot, this.#settings(state.release(applied.release)));
    const arrangement = withRules(applied.arrangement, named, snapshot);
    if (!arrangement) return;
    const maps = [...mapFiles(arrangement)];
    const changed = new Map(maps.filter(([path, content]) => applied.files.get(path) !== content));
    if (changed.size === 0) return;
    applied.isOnDisk = false;
    state.rewrite(applied.release, changed, []);
    for (const [path, content] of changed) applied.files.set(path, content);
    applied.arrangement = arrangement;
    applied.isOnDisk = true;
  }

  /**
   * HAProxy's processes. If HAProxy has ended, it is started again with what it served, without a check: nothing else can be served
   * sooner. Resolves to undefined if that is not possible.
   */
  async #running(): Promise<Processes | undefined> {
    const running = await this.#supervisor.processes();
    const applied = this.#applied;
    if (running || !applied?.isOnDisk) return running;
    if (!(await this.#machine.listeners.areBindable(applied.listeners, []))) return undefined;
    try {
      this.#rewriteRules(applied);
      await this.#converter.listen();
      await this.#loadRelease(applied.release, undefined);
    } catch (error) {
      log(`Cannot restart HAProxy with version ${applied.version}: ${reasonOf(error)}`);
      return undefined;
    }
    log(`Version ${applied.version}: started HAProxy again.`);
    applied.isWhole = true;
    applied.unused = 0;
    return this.#supervisor.processes();
  }

  /** Makes HAProxy serve a snapshot, without a reload if possible. */
  async #deploy(snapshot: Snapshot, running: Processes | undefined): Promise<void> {
    const { state } = this.#context;
    if (this.#applied && running) {
      const rendered = await this.#renderBindable(snapshot, state.release(this.#applied.release), running);
      this.#refuseEmpty(rendered);
      if (await this.#applyRunning(snapshot, rendered)) return;
    }
    if (running && this.#supervisor.isReloadTooSoon(running)) {
      this.#isPostponed = true;
      return;
    }
    const release = state.newestRelease() + 1;
    try {
      const rendered = await this.#renderBindable(snapshot, state.release(release), running);
      const checked = await this.#writeChecked(release, rendered);
      if (!checked.ok) await this.#findCulprits(snapshot, release, rendered, checked.message);
      else {
        this.#verdicts.accepted();
        await this.#converter.listen(rendered.conversions);
        await this.#load(snapshot, release, rendered, running);
        this.#settle(snapshot, rendered);
        await this.#converter.listen();
        return;
      }
    } finally {
      if (state.currentRelease() !== release) state.removeRelease(release);
    }
    // Without the culprits, it can be what HAProxy serves already.
    await this.#deploy(snapshot, running);
  }

  /** Applies a snapshot in which only rules have changed, without rendering the rest. Resolves to false if that is not possible. */
  async #applyRules(snapshot: Snapshot): Promise<boolean> {
    const [applied, last] = [this.#applied, this.#rendered];
    if (!applied || !last || elapsed() - last.at >= RENDERED_FOR || !isSameButRules(last.snapshot, snapshot))
      return false;
    if (!(await this.#supervisor.processes())) return false;
    const rendered = renderRules(last.rendered, snapshot, applied.arrangement);
    if (!(await this.#applyRunning(snapshot, rendered))) return false;
    this.#rendered = last;
    return true;
  }

  /**
   * Applies a snapshot without a reload. Resolves to false if it differs in more than maps and certificates, or HAProxy does not accept
   * these.
   */
  async #applyRunning(snapshot: Snapshot, rendered: Rendered): Promise<boolean> {
    const { state, proxy } = this.#context;
    const applied = this.#applied;
    if (!applied?.isWhole) return false;
    const begin = elapsed();
    const change = changeBetween(applied, rendered, applied.unused);
    if (!change) return false;
    const { changed, deleted, maps, certificates } = change;
    if (changed.size + deleted.length > 0) {
      applied.isWhole = false;
      this.#save();
      try {
        await proxy.change(applied.release, maps, certificates);
      } catch (error) {
        this.#context.counters.count("edge_local_runtime_changes_total", "failure");
        log(`Cannot change the running HAProxy, so HAProxy is reloaded: ${reasonOf(error)}`);
        return false;
      }
      applied.isOnDisk = false;
      state.rewrite(applied.release, changed, deleted);
      for (const [path, content] of changed) applied.files.set(path, content);
      for (const path of deleted) applied.files.delete(path);
      applied.isWhole = true;
      applied.isOnDisk = true;
      applied.arrangement = rendered.arrangement;
      applied.unused += proxy.deleteLater(applied.release, maps.left);
      this.#context.counters.count("edge_local_runtime_changes_total", "success");
      log(`Version ${snapshot.version}: updated ${partsOf(change)} in ${elapsed() - begin} ms.`);
    }
    this.#settle(snapshot, rendered);
    return true;
  }

  /** Renders without the certificates that HAProxy rejects. */
  async #renderUsable(snapshot: Snapshot, directory: string): Promise<Rendered> {
    const { certificates } = this.#machine;
    for (;;) {
      const rendered = render(snapshot, this.#settings(directory), this.#applied?.arrangement);
      const served = this.#applied?.files ?? new Map<string, string>();
      if (!(await tryCertificates(rendered.files, served, certificates, this.#context.proxy)))
        return rendered;
    }
  }

  /** Renders without the listeners that cannot be bound. */
  async #renderBindable(
    snapshot: Snapshot,
    directory: string,
    running: Processes | undefined,
  ): Promise<Rendered> {
    const { listeners } = this.#machine;
    for (;;) {
      const rendered = await this.#renderUsable(snapshot, directory);
      const before = listeners.unavailable.length;
      const held = new Set(running ? this.#applied?.listeners.map(keyOf) : []);
      const added = rendered.listeners.filter((listener) => !held.has(keyOf(listener)));
      if (await listeners.areBindable(added, running?.current ?? [])) return rendered;
      if (listeners.unavailable.length === before)
        throw new Refusal(`Cannot listen on ${listeners.unavailable.join(", ")}.`);
    }
  }

  /**
   * Finds the edges and routes for which HAProxy rejects a configuration, so that the others can be served.
   *
   * @throws Refusal if there is no need to look for them yet, or none are found
   */
  async #findCulprits(
    snapshot: Snapshot,
    release: number,
    rendered: Rendered,
    reason: string,
  ): Promise<void> {
    const directory = this.#context.state.release(release);
    const message = `HAProxy rejects the configuration: ${reason}`;
    if (!this.#verdicts.isConfirmed(rendered, directory, reason))
      throw new RejectedOnce(`${message} The agent checks it again in ${BETWEEN_VERDICTS / 1000} seconds.`);
    if (this.#rejections.wereSought(snapshot)) throw new Refusal(message);
    log(`Version ${snapshot.version}: ${message}`);
    const check = (without: ReadonlySet<string>): Promise<Checked> =>
      this.#writeChecked(release, render(snapshot, { ...this.#settings(directory), rejected: without }));
    const bare = await check(new Set(snapshot.edges.map(({ id }) => id)));
    const found = bare.ok ? await findRejected(snapshot, check) : undefined;
    this.#rejections.keep(snapshot, found ?? new Map());
    if (!bare.ok) throw new Refusal(`HAProxy rejects the configuration even without edges: ${bare.message}`);
    if (!found) throw new Refusal(message);
    log(`Left out because HAProxy rejects them: ${[...found.keys()].slice(0, MOST_LINES).join(", ")}.`);
  }

  /** @throws Refusal if all edges were rejected, and HAProxy serves some */
  #refuseEmpty({ listeners }: Rendered): void {
    const [first] = this.#rejections.problems();
    if (first && listeners.length === 0 && this.#applied && this.#applied.listeners.length > 0)
      throw new Refusal(`HAProxy rejects every edge, so the last good configuration stays. ${lineOf(first)}`);
  }

  /** Writes a release, and has HAProxy check it. */
  async #writeChecked(release: number, { files }: Rendered): Promise<Checked> {
    const { state, proxy } = this.#context;
    state.writeRelease(release, files);
    return proxy.check(join(state.release(release), "haproxy.cfg"));
  }

  /** @throws Refusal if HAProxy does not come up with the release */
  async #load(
    snapshot: Snapshot,
    release: number,
    rendered: Rendered,
    running: Processes | undefined,
  ): Promise<void> {
    const begin = elapsed();
    await this.#loadRelease(release, running);
    const { files, arrangement, listeners } = rendered;
    const { version } = snapshot;
    const isServed = { unused: 0, isWhole: true, isOnDisk: true };
    this.#applied = { release, version, snapshot, files, arrangement, listeners, ...isServed };
    log(`Version ${version}: ${running ? "reloaded" : "started"} HAProxy in ${elapsed() - begin} ms.`);
    this.#context.state.prune([release]);
    const access = this.#accessOf(snapshot, rendered);
    const isStricter = this.#access === undefined || takesAccessAway(this.#access, access);
    const { proxy } = this.#context;
    await proxy.oldWorkers.end((await proxy.processes())?.old ?? [], isStricter);
  }

  #accessOf(snapshot: Snapshot, { problems }: Rendered): Access {
    const all = [...problems, ...this.#machine.listenerProblems(snapshot), ...this.#rejections.problems()];
    return { snapshot, problems: all, keys: this.#machine.keysOf(snapshot) };
  }

  /** @throws Refusal if HAProxy does not come up with the release */
  async #loadRelease(release: number, running: Processes | undefined): Promise<void> {
    const { counters } = this.#context;
    try {
      await this.#supervisor.load(release, running, this.#applied !== undefined);
    } catch (error) {
      counters.count("edge_local_reloads_total", "failure");
      throw error;
    }
    counters.count("edge_local_reloads_total", "success");
  }

  /** Records that a snapshot is served, and logs its new problems. */
  #settle(snapshot: Snapshot, rendered: Rendered): void {
    if (!this.#applied) return;
    this.#applied.version = snapshot.version;
    this.#rendered = { snapshot, rendered, at: elapsed() };
    this.#settled = rendered;
    this.#converter.served = rendered.conversions;
    const before = new Set(this.problems.map(lineOf));
    this.#access = this.#accessOf(snapshot, rendered);
    const lines = this.problems.map(lineOf).filter((line) => !before.has(line));
    for (const line of lines.slice(0, MOST_LINES)) log(line);
    if (lines.length > MOST_LINES) log(`${lines.length - MOST_LINES} more problems: see the agent's status.`);
    this.#save();
    keepCertificates(this.#context.state, this.#machine.certificates, this.#applied.files);
  }

  /** Saves what HAProxy serves. Also before rules change, so that a reload follows if the change is cut short. */
  #save(): void {
    if (this.#applied) save(this.#context.state, this.#rejections, this.#applied);
  }

  #settings(directory: string): Settings {
    return this.#machine.settings(directory, this.#rejections.ids);
  }
}

/** A problem as it is logged. */
export const lineOf = ({ object, code, msg }: Problem): string => `${object}: ${code}: ${msg}`;
