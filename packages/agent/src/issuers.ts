import { hostObjection, type OfferedIssuer } from "../../model/src/traffic/issuing.ts";
import { elapsed, NEVER } from "./base/clock.ts";
import { log } from "./log.ts";
import { reasonOf } from "./refusal.ts";
import { type Service, ServiceUnreachable } from "./service.ts";
import type { State } from "./state.ts";
import { issuersFile } from "./state_files.ts";

const SAVED = "issuers.json";

const ASK_EVERY = 60_000;
const SHORTEST_BACKOFF = 1_000;

/** The issuers that the service last offered to this agent. They stay while the service is down, even after a restart. */
export class Issuers {
  #etag: string | null = null;
  #isSaved = true;
  #thumbprints: ReadonlyMap<string, string> = new Map();
  /** Counts changes. */
  revision = 0;
  #askAt = NEVER;
  #failures = 0;
  #error: string | undefined;

  /** @param saved what an earlier agent was offered */
  constructor(saved: { etag: string | null; issuers: readonly OfferedIssuer[] } | undefined) {
    if (saved) this.#take(saved.issuers, saved.etag);
  }

  /** The issuers that an earlier agent was offered. */
  static saved(state: State): Issuers {
    return new Issuers(state.read(SAVED, issuersFile));
  }

  get areOffered(): boolean {
    return this.#thumbprints.size > 0;
  }

  /** The thumbprint of the account of the issuer for a host; undefined if none is for it. */
  readonly thumbprintFor = (host: string): string | undefined => {
    const dot = host.indexOf(".");
    const patterns = [host, ...(dot > 0 ? [`*${host.slice(dot)}`] : []), "*"];
    // The most specific one decides, as for the service.
    const pattern = patterns.find((one) => this.#thumbprints.has(one));
    if (pattern === undefined || hostObjection(host, pattern) !== undefined) return undefined;
    return this.#thumbprints.get(pattern);
  };

  /** Asks the service, if that is due. If the service does not answer, the issuers stay. Resolves to whether they have changed. */
  async refresh(service: Service, state: State, ended: AbortSignal): Promise<boolean> {
    if (elapsed() < this.#askAt) return false;
    try {
      const offered = await service.issuers(this.#etag, ended);
      this.#failures = 0;
      this.#error = undefined;
      this.#askAt = elapsed() + ASK_EVERY * (0.8 + Math.random() * 0.4);
      if (!offered) return false;
      const isNew = this.#take(offered.issuers, offered.etag);
      if (!isNew && this.#isSaved) return false;
      // If they cannot be saved, they are read again.
      this.#isSaved = false;
      this.#etag = null;
      state.writeIfNew(SAVED, offered);
      this.#isSaved = true;
      this.#etag = offered.etag;
      return isNew;
    } catch (error) {
      const backoff = SHORTEST_BACKOFF * 2 ** Math.min(this.#failures++, 10) * (0.5 + Math.random());
      this.#askAt = elapsed() + Math.min(backoff, ASK_EVERY);
      const reason = `Cannot read the issuers: ${reasonOf(error)}`;
      // The poller logs a service that is down.
      if (reason !== this.#error && !(error instanceof ServiceUnreachable)) log(reason);
      this.#error = reason;
      return false;
    }
  }

  /** Asks the service once. @throws Refusal */
  async read(service: Service): Promise<void> {
    const offered = await service.issuers(null);
    if (offered) this.#take(offered.issuers, offered.etag);
  }

  #take(issuers: readonly OfferedIssuer[], etag: string | null): boolean {
    this.#etag = etag;
    const thumbprints = new Map<string, string>();
    for (const { hosts, thumbprint } of issuers)
      for (const pattern of hosts) if (!thumbprints.has(pattern)) thumbprints.set(pattern, thumbprint);
    const isSame =
      thumbprints.size === this.#thumbprints.size &&
      [...thumbprints].every(([pattern, thumbprint]) => this.#thumbprints.get(pattern) === thumbprint);
    if (isSame) return false;
    this.#thumbprints = thumbprints;
    this.revision++;
    return true;
  }
}
