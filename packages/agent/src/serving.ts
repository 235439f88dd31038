import { setTimeout as sleep } from "node:timers/promises";
import type { Snapshot } from "../../model/src/traffic/snapshot.ts";
import { type Applied, restored, save } from "./applied.ts";
import { elapsed, wallClock } from "./base/clock.ts";
import type { Context } from "./context.ts";
import type { AppliedAccess } from "./coverage.ts";
import type { EndedRules } from "./ended_rules.ts";
import { log } from "./log.ts";
import { allFiles } from "./map_files.ts";
import type { Processes } from "./processes.ts";
import { reasonOf } from "./refusal.ts";
import type { Rejections } from "./rejected.ts";
import { type Loaded, type Rendered, renderRules, withRules } from "./render/render.ts";
import { allDifferences, changeBetween, isEmpty, partsOf } from "./running_change.ts";
import { Sequence } from "./sequence.ts";
import { takesAccessAway } from "./stricter.ts";
import type { Supervisor } from "./supervisor.ts";

/*
 * What HAProxy serves. All that changes it is here: another version, rules that end, a start after HAProxy has ended. Nothing else
 * happens during such a step, except that rules end while HAProxy loads a release. Each begins with the rules that have not ended by
 * then, because what was rendered can be old: HAProxy may have checked it for a long time.
 */

/** How long the end of the next rule may wait for old workers. */
const LONGEST_WAIT = 500;

export class Serving {
  readonly #context: Context;
  readonly #supervisor: Supervisor;
  readonly #ended: EndedRules;
  readonly #rejections: Rejections;
  readonly #steps = new Sequence();
  #applied: Applied | undefined;
  /** What decides which requests are rejected; undefined if this agent has applied nothing yet. */
  #access: AppliedAccess | undefined;
  /** When the next rule that is served ends, in milliseconds since 1970. */
  #nextEnd = Infinity;
  /** Whether HAProxy is loading a release. */
  #isLoading = false;
  /** Set while old workers have not been told to stop: whether they would let in somebody who has lost access. */
  #untold: (() => boolean) | undefined;

  constructor(context: Context, supervisor: Supervisor, ended: EndedRules, rejections: Rejections) {
    this.#context = context;
    this.#supervisor = supervisor;
    this.#ended = ended;
    this.#rejections = rejections;
  }

  get applied(): Readonly<Applied> | undefined {
    return this.#applied;
  }

  get isLoading(): boolean {
    return this.#isLoading;
  }

  get access(): AppliedAccess | undefined {
    return this.#access;
  }

  /** Restores what an earlier agent has applied: one of these snapshots, if that is known. */
  restore(snapshots: readonly Snapshot[]): void {
    this.#applied = restored(this.#context.state, this.#rejections, snapshots);
    // It is not known which rules that agent has removed.
    if (this.#applied) this.#nextEnd = -Infinity;
  }

  /** Whether requests that are served now may be rejected by what was rendered. */
  isStricter(rendered: Rendered): boolean {
    return takesAccessAway(this.#access, rendered);
  }

  /**
   * Makes HAProxy serve something without a reload. Resolves to false if it differs in more than maps and certificates, or HAProxy
   * does not accept these.
   *
   * @param given the snapshot that was rendered, with rules that have ended
   */
  async change(given: Snapshot, rendered: Rendered): Promise<boolean> {
    return this.#endingOldWorkers(async () => {
      const applied = this.#applied;
      // A release that could not be written is replaced.
      if (!applied?.isOnDisk) return false;
      const { latest, next } = this.#latestOf(given, rendered);
      const isChanged = await this.#changeRunning(applied, latest, given.version, () => {
        applied.version = given.version;
        applied.snapshot = given;
        this.#access = latest;
        this.#nextEnd = next;
      });
      if (isChanged) this.#save();
      return isChanged;
    });
  }

  /** Makes HAProxy load a release that it has checked. @throws Refusal if HAProxy does not come up with it */
  async load(given: Snapshot, release: number, rendered: Rendered): Promise<void> {
    const { state } = this.#context;
    await this.#endingOldWorkers(async () => {
      const begin = elapsed();
      const { latest, next } = this.#latestOf(given, rendered);
      if (latest !== rendered) state.rewrite(release, allDifferences(rendered, latest).changed, []);
      const running = await this.#supervisor.processes();
      await this.#loadRelease(release, running);
      const { files, arrangement, named, listeners } = latest;
      const { version } = given;
      const isServed = { release, version, snapshot: given, unused: 0, isWhole: true, isOnDisk: true };
      this.#applied = { files, arrangement, named, listeners, ...isServed };
      this.#access = latest;
      this.#nextEnd = next;
      log(`Version ${version}: ${running ? "reloaded" : "started"} HAProxy in ${elapsed() - begin} ms.`);
      this.#save();
      state.prune([release]);
      state.pruneSockets(files.get("haproxy.cfg") ?? "");
      // If that fails, `removeEnded` tries again.
      await this.#removeEndedNow().catch(() => {});
    });
  }

  /**
   * Starts HAProxy, which has ended, with what it served, without a check: nothing else can be served sooner. Resolves to undefined if
   * that is not possible.
   */
  start(): Promise<Processes | undefined> {
    return this.#steps.run(async () => {
      const applied = this.#applied;
      if (!applied?.isOnDisk) return undefined;
      if (this.#supervisor.isRunning) return this.#supervisor.processes();
      try {
        await this.#loadAgain(applied, undefined);
      } catch (error) {
        log(`Cannot restart HAProxy with version ${applied.version}: ${reasonOf(error)}`);
        return undefined;
      }
      log(`Version ${applied.version}: started HAProxy again.`);
      return this.#supervisor.processes();
    });
  }

  /** Milliseconds until a rule that is served ends; Infinity if none does. */
  get untilNextEnd(): number {
    return this.#nextEnd - wallClock();
  }

  /** Removes rules that have ended from what is served, and ends old workers that still serve them. @throws if that fails */
  async removeEnded(): Promise<void> {
    if (this.untilNextEnd <= 0) {
      // A load can take minutes. Until it is over, requests are treated by what was loaded before.
      await (this.#isLoading
        ? this.#removeEndedWhileLoading()
        : this.#steps.run(() => this.#removeEndedNow()));
    }
    // The next rule may end while an old worker that hangs is waited for.
    await Promise.race([this.#endOldWorkers(), sleep(LONGEST_WAIT, undefined, { ref: false })]);
  }

  async #removeEndedNow(): Promise<void> {
    const applied = this.#applied;
    // Whatever starts HAProxy removes them.
    if (!applied || !this.#supervisor.isRunning || this.untilNextEnd > 0) return;
    const { rest, next } = this.#ended.without(applied.snapshot);
    if (await this.#changeToRest(applied, rest)) attempt(() => this.#save());
    else await this.#loadAgain(applied, await this.#supervisor.processes());
    if (this.#access) this.#access = { ...this.#access, snapshot: rest };
    this.#nextEnd = next;
    this.#untold = () => true;
  }

  /** What is being loaded can have these rules as well. They are removed from it after that. */
  async #removeEndedWhileLoading(): Promise<void> {
    const applied = this.#applied;
    if (!applied) return;
    const { rest, next } = this.#ended.without(applied.snapshot);
    if (!(await this.#changeToRest(applied, rest))) return;
    // Otherwise it is known already when the next of those ends that are loaded by now.
    if (this.#applied === applied) this.#nextEnd = next;
    this.#untold = () => true;
  }

  #changeToRest(applied: Applied, rest: Snapshot): Promise<boolean> {
    const { version } = applied;
    return this.#changeRunning(applied, withRules(applied, rest), version, () => {}, attempt);
  }

  /** What was rendered, without rules that have ended since, and for what HAProxy has now. */
  #latestOf(given: Snapshot, rendered: Rendered): { latest: Rendered; next: number } {
    const { rest, next } = this.#ended.without(given);
    const before = this.#applied?.arrangement;
    const isLatest = rest === rendered.snapshot && before === rendered.before;
    return { latest: isLatest ? rendered : renderRules(rendered, rest, before), next };
  }

  /**
   * Changes maps and certificates in the memory of HAProxy, and on disk. Resolves to false if that is not possible.
   *
   * @param version for the log
   * @param changed is called as soon as HAProxy has the change. What follows can fail, for example because the disk is full.
   * @param write runs a step that writes to the disk; if it throws, so does the change
   */
  async #changeRunning(
    applied: Applied,
    loaded: Loaded,
    version: number,
    changed: () => void,
    write: (step: () => void) => void = (step) => step(),
  ): Promise<boolean> {
    const { proxy, counters } = this.#context;
    if (!applied.isWhole || !this.#supervisor.isRunning) return false;
    const begin = elapsed();
    const change = changeBetween(applied, loaded, applied.unused);
    if (!change) return false;
    const { maps, certificates } = change;
    if (!isEmpty(change)) {
      applied.isWhole = false;
      // A reload follows if the change is cut short.
      try {
        write(() => this.#save());
      } catch (error) {
        // It has not begun.
        applied.isWhole = true;
        throw error;
      }
      try {
        await proxy.change(applied.release, maps, certificates);
      } catch (error) {
        counters.count("edge_local_runtime_changes_total", "failure");
        log(`Cannot change the running HAProxy, so HAProxy is reloaded: ${reasonOf(error)}`);
        return false;
      }
      counters.count("edge_local_runtime_changes_total", "success");
      applied.unused += proxy.deleteLater(applied.release, maps.unreferenced);
      log(`Version ${version}: updated ${partsOf(change)} in ${elapsed() - begin} ms.`);
    }
    applied.isWhole = true;
    changed();
    write(() => this.#rewrite(applied, loaded));
    return true;
  }

  /** Loads the current release again, without rules that have ended. @param running HAProxy's processes; undefined starts it */
  async #loadAgain(applied: Applied, running: Processes | undefined): Promise<void> {
    const { rest, next } = this.#ended.without(applied.snapshot);
    const loaded = withRules(applied, rest);
    if (!applied.isOnDisk || allDifferences(applied, loaded).changed.size > 0) {
      applied.isWhole = false;
      this.#save();
      this.#rewrite(applied, loaded);
    }
    await this.#loadRelease(applied.release, running);
    applied.isWhole = true;
    applied.unused = 0;
    this.#nextEnd = next;
    attempt(() => this.#save());
  }

  /** Replaces what differs in the release on disk, from now on what HAProxy has, or will have. */
  #rewrite(applied: Applied, loaded: Loaded): void {
    const { files, arrangement, named } = loaded;
    const { changed, deleted } = applied.isOnDisk
      ? allDifferences(applied, loaded)
      : { changed: allFiles(loaded), deleted: [] };
    Object.assign(applied, { files, arrangement, named });
    if (changed.size + deleted.length === 0) return;
    applied.isOnDisk = false;
    this.#context.state.rewrite(applied.release, changed, deleted);
    applied.isOnDisk = true;
  }

  /** @throws Refusal if HAProxy does not come up with the release */
  async #loadRelease(release: number, running: Processes | undefined): Promise<void> {
    const { counters } = this.#context;
    this.#isLoading = true;
    try {
      await this.#supervisor.load(release, running, this.#applied !== undefined);
    } catch (error) {
      counters.count("edge_local_reloads_total", "failure");
      throw error;
    } finally {
      this.#isLoading = false;
    }
    counters.count("edge_local_reloads_total", "success");
  }

  /** Runs a step that can change what is served, and ends old workers even if it fails after that. */
  async #endingOldWorkers<Result>(step: () => Promise<Result>): Promise<Result> {
    const before = this.#access;
    try {
      return await this.#steps.run(step);
    } finally {
      const after = this.#access;
      if (after && after !== before) {
        this.#untold = this.#untold ? () => true : () => takesAccessAway(before, after);
        // If that fails, `removeEnded` does it.
        await this.#endOldWorkers().catch(() => {});
      }
    }
  }

  /**
   * Makes old workers stop answering requests, if necessary: immediately if they would let in a client that has lost access.
   *
   * @throws Refusal if HAProxy does not say which ones these are
   */
  async #endOldWorkers(): Promise<void> {
    const untold = this.#untold;
    if (!untold) return;
    const { proxy } = this.#context;
    const old = await proxy.oldProcesses();
    if (this.#untold === untold) this.#untold = undefined;
    if (old.length > 0) await proxy.oldWorkers.end(old, untold());
  }

  /** Saves what HAProxy serves. */
  #save(): void {
    if (this.#applied) save(this.#context.state, this.#rejections, this.#applied);
  }
}

/** Runs a step that may fail, for example because the disk is full. */
function attempt(step: () => void): void {
  try {
    step();
  } catch (error) {
    log(`Cannot write down which rules are served: ${reasonOf(error)}`);
  }
}
