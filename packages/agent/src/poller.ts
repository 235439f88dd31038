import { isDeepStrictEqual } from "node:util";
import type { Changes } from "../../model/src/traffic/changes.ts";
import type { Problem } from "../../model/src/traffic/problems.ts";
import { Replica } from "../../model/src/traffic/replica.ts";
import type { Snapshot } from "../../model/src/traffic/snapshot.ts";
import { elapsed, NEVER } from "./base/clock.ts";
import type { Counters } from "./exporter.ts";
import { log } from "./log.ts";
import { reasonOf } from "./refusal.ts";
import { type Fetched, type Service, ServiceError, SnapshotRejected } from "./service.ts";

const SHORTEST_BACKOFF = 500;
const LONGEST_BACKOFF = 30_000;
/** How long a service without `/snapshot/changes` is asked for snapshots. */
const WITHOUT_CHANGES = 600_000;
/** After this time everything is read again, in case a change was missed. */
const WHOLE_EVERY = 6 * 3_600_000;

/** Follows the service, with backoff after failures: reads everything once, and then only changes. */
export class Poller {
  readonly #service: Service;
  readonly #counters: Counters;
  /** The newest snapshot that the service returned. */
  #latest: Fetched | undefined;
  #error: string | undefined;
  #rejection: string | undefined;
  #failures = 0;
  #notBefore = NEVER;
  /** What is stored, as far as it was read. */
  #replica: Replica | undefined;
  #wholeAt = NEVER;
  #changesAgainAt = NEVER;
  /** That a copy was not what the service had, until the next comparison. */
  #drift: Problem | undefined;

  constructor(service: Service, counters: Counters) {
    this.#service = service;
    this.#counters = counters;
  }

  get latest(): Fetched | undefined {
    return this.#latest;
  }

  /** Why the agent does not use the service's newest snapshot. */
  get rejection(): string | undefined {
    return this.#rejection;
  }

  /** After a failure: for how long the service is not asked, in milliseconds. */
  get backoff(): number {
    return this.#notBefore - elapsed();
  }

  /** That what the agent followed was not what the service has. */
  problems(): Problem[] {
    return this.#drift ? [this.#drift] : [];
  }

  /**
   * Resolves to whether there is a new snapshot.
   *
   * @param known the newest snapshot from before this process, if any
   * @param signal ends the request
   * @param wait for how many seconds the service may wait for a change
   */
  async poll(known: Fetched | undefined, signal: AbortSignal, wait = 0): Promise<boolean> {
    if (elapsed() < this.#notBefore) return false;
    const etag = (this.#latest ?? known)?.etag ?? null;
    try {
      const isFollowing = elapsed() >= this.#changesAgainAt;
      const fetched = await (isFollowing
        ? this.#changed(signal, wait)
        : this.#service.snapshot(etag, signal));
      if (this.#error !== undefined) log("Polling the service works again.");
      this.#error = undefined;
      this.#rejection = undefined;
      this.#failures = 0;
      this.#counters.count("edge_local_polls_total", "success");
      if (!fetched) return false;
      this.#latest = fetched;
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      if (error instanceof ServiceError && error.status === 404 && elapsed() >= this.#changesAgainAt) {
        // Older services only have snapshots.
        this.#changesAgainAt = elapsed() + WITHOUT_CHANGES;
        return this.poll(known, signal);
      }
      this.#fail(error);
      return false;
    }
  }

  /** Reads changes. Resolves to the new snapshot; undefined if nothing has changed. */
  async #changed(signal: AbortSignal, wait: number): Promise<Fetched | undefined> {
    const isWhole = !this.#replica || elapsed() >= this.#wholeAt;
    const since = isWhole ? undefined : this.#replica?.next;
    const changes = await this.#service.changes(since, wait, signal).catch((error: unknown) => {
      if (error instanceof ServiceError && error.status === 410) return undefined;
      throw error;
    });
    if (changes && changes.version === changes.from) return undefined;
    const snapshot = changes && this.#apply(changes);
    if (snapshot) return { snapshot, etag: null };
    // Everything is read, once.
    this.#replica = undefined;
    if (isWhole) throw new SnapshotRejected("The service returned changes that do not fit.");
    return this.#changed(signal, 0);
  }

  /** Applies changes. Undefined if they do not fit what was read before. */
  #apply(changes: Changes): Snapshot | undefined {
    const isWhole = changes.from === null;
    const replica = (isWhole ? undefined : this.#replica) ?? new Replica();
    try {
      replica.apply(changes);
      const snapshot = replica.snapshot();
      if (isWhole) this.#compare(snapshot);
      if (isWhole) this.#wholeAt = elapsed() + WHOLE_EVERY;
      this.#replica = replica;
      return snapshot;
    } catch (error) {
      // It can be between two versions.
      this.#replica = undefined;
      if (!(error instanceof RangeError)) throw error;
      log(`Reading everything again: ${error.message}`);
      return undefined;
    }
  }

  /** Compares what was followed with what the service has. */
  #compare(snapshot: Snapshot): void {
    if (!this.#replica || snapshot.version !== this.#replica.version) return;
    this.#drift = undefined;
    if (isDeepStrictEqual(this.#replica.snapshot(), snapshot)) return;
    const msg = `Version ${snapshot.version} was not what the service has, so it was replaced. Please report this.`;
    this.#drift = { object: "agent", code: "drift", msg };
    log(msg);
  }

  #fail(error: unknown): void {
    this.#counters.count("edge_local_polls_total", "failure");
    const reason = reasonOf(error);
    if (reason !== this.#error) log(reason);
    this.#error = reason;
    if (error instanceof SnapshotRejected) this.#rejection = reason;
    const requested = error instanceof ServiceError ? (error.retryAfter ?? 0) * 1000 : 0;
    const backoff = SHORTEST_BACKOFF * 2 ** Math.min(this.#failures++, 10) * (0.5 + Math.random());
    this.#notBefore = elapsed() + Math.min(Math.max(requested, backoff), LONGEST_BACKOFF);
  }
}
