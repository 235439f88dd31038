import { log } from "./log.ts";
import { reasonOf } from "./refusal.ts";
import { type Fetched, type Service, ServiceError, SnapshotRejected } from "./service.ts";

const SHORTEST_BACKOFF = 500;
const LONGEST_BACKOFF = 30_000;

/** Polls the service for snapshots, with backoff after failures. */
export class Poller {
  readonly #service: Service;
  /** The newest snapshot that the service returned. */
  #latest: Fetched | undefined;
  #error: string | undefined;
  #rejection: string | undefined;
  #failures = 0;
  #notBefore = 0;

  constructor(service: Service) {
    this.#service = service;
  }

  get latest(): Fetched | undefined {
    return this.#latest;
  }

  /** Why the agent does not use the service's newest snapshot. */
  get rejection(): string | undefined {
    return this.#rejection;
  }

  /**
   * Resolves to whether there is a new snapshot.
   *
   * @param known the newest snapshot from before this process, if any
   * @param signal ends the request
   */
  async poll(known: Fetched | undefined, signal: AbortSignal): Promise<boolean> {
    if (Date.now() < this.#notBefore) return false;
    const etag = (this.#latest ?? known)?.etag ?? null;
    try {
      const fetched = await this.#service.snapshot(etag, signal);
      if (this.#error !== undefined) log("Polling the service works again.");
      this.#error = undefined;
      this.#rejection = undefined;
      this.#failures = 0;
      if (!fetched) return false;
      this.#latest = fetched;
      return true;
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
      return false;
    }
  }

  #fail(error: unknown): void {
    const reason = reasonOf(error);
    if (reason !== this.#error) log(reason);
    this.#error = reason;
    if (error instanceof SnapshotRejected) this.#rejection = reason;
    const requested = error instanceof ServiceError ? (error.retryAfter ?? 0) * 1000 : 0;
    const backoff = SHORTEST_BACKOFF * 2 ** Math.min(this.#failures++, 10) * (0.5 + Math.random());
    this.#notBefore = Date.now() + Math.min(Math.max(requested, backoff), LONGEST_BACKOFF);
  }
}
