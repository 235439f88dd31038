import { join } from "node:path";
import type { Coverage } from "../../model/src/traffic/coverage.ts";
import type { Problem } from "../../model/src/traffic/problems.ts";
import type { Snapshot } from "../../model/src/traffic/snapshot.ts";
import { saveCertificates, renderUsable } from "./certificate_trial.ts";
import type { Context } from "./context.ts";
import type { ConverterClient } from "./converter_client.ts";
import { type AppliedAccess, coverageOfApplied } from "./coverage.ts";
import { EndedRules } from "./ended_rules.ts";
import { type CertificateReport, CertificateReports } from "./inventory.ts";
import { keyOf } from "./listeners.ts";
import { lineOf, log, ProblemLog } from "./log.ts";
import type { Machine } from "./machine.ts";
import { allFiles } from "./map_files.ts";
import { type Processes, signal } from "./processes.ts";
import { Refusal } from "./refusal.ts";
import { findRejected, Rejections } from "./rejected.ts";
import { Known } from "./render/known.ts";
import { render, type Rendered, type Settings } from "./render/render.ts";
import { Sequence } from "./sequence.ts";
import { Serving } from "./serving.ts";
import type { Supervisor } from "./supervisor.ts";
import { BETWEEN_VERDICTS, type Checked, RejectedOnce, Verdicts } from "./verdict.ts";

/** Problems that are logged at a time. */
const MOST_LINES = 10;
/** With so many old workers, a reload that takes access away ends the others: each holds memory. */
const MOST_OLD_WORKERS = 20;

/** Makes HAProxy serve snapshots: renders them, has HAProxy check them, and leaves out what it rejects. */
export class Deployment {
  readonly #context: Context;
  readonly #machine: Machine;
  readonly #supervisor: Supervisor;
  readonly #converter: ConverterClient;
  readonly #ended: EndedRules;
  readonly #rejections: Rejections;
  readonly #verdicts = new Verdicts();
  /** A turn, and what watches it, can both start HAProxy. */
  readonly #starts = new Sequence();
  readonly serving: Serving;
  /** What was rendered before, and with which settings. */
  #known = { settings: "", known: new Known() };
  readonly #log = new ProblemLog();
  #isPostponed = false;
  readonly #inventory = new CertificateReports();
  /** Which of these edges are served. */
  #covered: { of: AppliedAccess["groups"]; coverage: Coverage } | undefined;

  constructor(context: Context, machine: Machine, supervisor: Supervisor, converter: ConverterClient) {
    this.#context = context;
    this.#machine = machine;
    this.#supervisor = supervisor;
    this.#converter = converter;
    this.#ended = new EndedRules(context.state);
    this.#rejections = new Rejections((edge) => machine.certificatesOf(edge));
    this.serving = new Serving(context, supervisor, this.#ended, this.#rejections);
  }

  /** The version of the snapshot that is served. */
  get version(): number | undefined {
    return this.serving.applied?.version;
  }

  get problems(): readonly Problem[] {
    const { applied, access } = this.serving;
    return [...(access?.problems ?? []), ...(applied ? this.#ended.problems(applied.snapshot) : [])];
  }

  /** Which edges are served; undefined if this agent has applied nothing yet. */
  get coverage(): Coverage | undefined {
    const { access } = this.serving;
    if (access && access.groups !== this.#covered?.of)
      this.#covered = { of: access.groups, coverage: coverageOfApplied(access) };
    return access && this.#covered?.coverage;
  }

  /** The certificates of this machine; undefined if this agent has applied nothing yet. */
  get certificates(): CertificateReport | undefined {
    const { access } = this.serving;
    const { certificates, issuers } = this.#machine;
    // Without issuers, the service may be an older one, which does not know the source `issued`.
    return access && this.#inventory.of(certificates.inUse, access.groups, issuers.areOffered);
  }

  /** The hosts for which this machine answers challenges. */
  get challengedHosts(): Iterable<string> {
    return this.serving.applied?.arrangement.layout.challenges.keys() ?? [];
  }

  /** Whether the last `apply` put off a reload until old workers have ended. */
  get isPostponed(): boolean {
    return this.#isPostponed;
  }

  /** Whether it is time to look again for what HAProxy rejects. */
  get isSearchDue(): boolean {
    return this.#rejections.areOutdated;
  }

  /**
   * Makes HAProxy serve a snapshot, or postpones that.
   *
   * @throws if HAProxy does not serve it
   */
  async apply(snapshot: Snapshot): Promise<void> {
    this.#isPostponed = false;
    this.#machine.certificates.refresh();
    this.#rejections.turnTo(snapshot);
    await this.#deploy(snapshot);
  }

  /** HAProxy's processes. If HAProxy has ended, it is started again with what it served. Undefined if that is not possible. */
  async #running(): Promise<Processes | undefined> {
    const running = await this.#supervisor.processes();
    return running ?? this.#starts.run(() => this.#started());
  }

  async #started(): Promise<Processes | undefined> {
    if (this.#supervisor.isRunning) return this.#supervisor.processes();
    // Otherwise, what is being started would be ended.
    if (this.serving.isLoading) return undefined;
    await this.#context.proxy.endLeftOver();
    const { applied } = this.serving;
    if (!applied) return undefined;
    if (!(await this.#machine.listeners.areBindable(applied.listeners, []))) return undefined;
    await this.#converter.listen();
    return this.serving.start();
  }

  /** Starts HAProxy again if it has ended, concurrently with a long turn. */
  async revive(): Promise<void> {
    if (this.serving.isLoading) return;
    await this.#supervisor.check();
    if (this.#supervisor.isStartDue()) await this.#running();
  }

  /** Makes HAProxy serve a snapshot, without a reload if possible. */
  async #deploy(snapshot: Snapshot): Promise<void> {
    const { state } = this.#context;
    const running = await this.#running();
    const { applied } = this.serving;
    let isUrgent = false;
    if (applied && running) {
      const rendered = await this.#renderBindable(snapshot, state.release(applied.release), running);
      this.#refuseEmpty(rendered);
      if (await this.serving.change(snapshot, rendered)) return this.#settle(rendered);
      isUrgent = this.serving.isStricter(rendered);
    }
    if (running && !isUrgent && (await this.#supervisor.isReloadTooSoon(running))) {
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
        if (isUrgent && running) endSome(running.old);
        await this.serving.load(snapshot, release, rendered);
        this.#settle(rendered);
        await this.#converter.listen();
        return;
      }
    } finally {
      if (state.currentRelease() !== release) state.removeRelease(release);
    }
    // Without the culprits, it can be what HAProxy serves already.
    await this.#deploy(snapshot);
  }

  /** Renders without the certificates that HAProxy rejects, and without the listeners that cannot be bound. */
  async #renderBindable(
    snapshot: Snapshot,
    directory: string,
    running: Processes | undefined,
  ): Promise<Rendered> {
    const { certificates, listeners } = this.#machine;
    const { applied } = this.serving;
    const { rest } = this.#ended.without(snapshot);
    const held = new Set(running ? applied?.listeners.map(keyOf) : []);
    for (;;) {
      const rendered = await renderUsable(
        () => this.#render(rest, directory),
        applied?.files ?? new Map(),
        certificates,
        this.#context.proxy,
      );
      const before = listeners.unavailable.length;
      const added = rendered.listeners.filter((listener) => !held.has(keyOf(listener)));
      if (await listeners.areBindable(added, running?.current ?? [])) return this.#withProblems(rendered);
      if (listeners.unavailable.length === before)
        throw new Refusal(`Cannot listen on ${listeners.unavailable.join(", ")}.`);
    }
  }

  #render(snapshot: Snapshot, directory: string): Rendered {
    const settings = this.#settings(directory);
    const text = JSON.stringify([this.#machine.revision, directory, [...settings.rejected]]);
    if (text !== this.#known.settings) this.#known = { settings: text, known: new Known() };
    return render(snapshot, settings, this.serving.applied?.arrangement, this.#known.known);
  }

  #withProblems(rendered: Rendered): Rendered {
    const ofMachine = this.#machine.listenerProblems(rendered.snapshot);
    return { ...rendered, problems: [...rendered.problems, ...ofMachine, ...this.#rejections.problems()] };
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
    const { applied } = this.serving;
    if (first && listeners.length === 0 && applied && applied.listeners.length > 0)
      throw new Refusal(`HAProxy rejects every edge, so the last good configuration stays. ${lineOf(first)}`);
  }

  /** Writes a release, and has HAProxy check it. */
  async #writeChecked(release: number, rendered: Rendered): Promise<Checked> {
    const { state, proxy } = this.#context;
    state.writeRelease(release, allFiles(rendered));
    return proxy.check(join(state.release(release), "haproxy.cfg"));
  }

  /** Takes note that something is served, and logs its new problems. */
  #settle(rendered: Rendered): void {
    this.#converter.served = rendered.conversions;
    this.#log.note(this.problems);
    const files = this.serving.applied?.files ?? rendered.files;
    saveCertificates(this.#context.state, this.#machine.certificates, files);
  }

  #settings(directory: string): Settings {
    return this.#machine.settings(directory, this.#rejections.ids);
  }
}

/** Ends old workers, with their connections, until few are left. */
function endSome(old: readonly number[]): void {
  const ended = old.slice(MOST_OLD_WORKERS - 1);
  if (ended.length === 0) return;
  log(
    `Ending ${ended.length} of ${old.length} old HAProxy processes, so that a version that takes access away need not wait.`,
  );
  for (const pid of ended) signal(pid, "SIGTERM");
}
