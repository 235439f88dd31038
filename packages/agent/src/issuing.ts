import { setTimeout as sleep } from "node:timers/promises";
import type { CertificateProgress } from "../../model/src/traffic/issuing.ts";
import type { Problem } from "../../model/src/traffic/problems.ts";
import type { Snapshot } from "../../model/src/traffic/snapshot.ts";
import { elapsed, instantIn, NEVER, wallClock } from "./base/clock.ts";
import type { Context } from "./context.ts";
import { IssuedFiles, type IssuingRequest } from "./issued_files.ts";
import { log } from "./log.ts";
import type { Machine } from "./machine.ts";
import { reasonOf } from "./refusal.ts";
import { ServiceError, ServiceUnreachable } from "./service.ts";
import { Timer } from "./timer.ts";
import { UnusedHosts } from "./unused_hosts.ts";

/*
 * Requests the certificates that this machine needs from the service. This runs concurrently with the turns that apply snapshots. A failure
 * here neither delays a snapshot nor changes the live configuration.
 */

const LOOK_EVERY = 250;
/** Requests at a time. */
const MOST_IN_FLIGHT = 4;
/** When hosts that have a certificate are asked for after a start, at the latest. */
const FIRST_WITHIN = 30_000;
/** Bounds of the service's `retry_after`, in seconds. */
const [SHORTEST_RETRY, LONGEST_RETRY] = [0.5, 86_400];
/** After a failure of one host's request. */
const [SHORTEST_BACKOFF, LONGEST_BACKOFF] = [5_000, 3_600_000];
/** After a failure of the service. */
const [SHORTEST_PAUSE, LONGEST_PAUSE] = [1_000, 300_000];
/** Limits how often a broken service can make the agent create keys. */
const BETWEEN_RENEWALS = 600_000;
const TIDY_EVERY = 3_600_000;

/** The state of the request for a host. */
interface Asking {
  /** When the service is asked again. */
  at: number;
  isInFlight: boolean;
  failures: number;
  renewedAt: number;
  /** The last message in the log. */
  logged: string | undefined;
  /** Why the chain is not used. */
  rejection: string | undefined;
}

const withJitter = (milliseconds: number): number => milliseconds * (0.9 + Math.random() * 0.2);

const backoff = (failures: number, shortest: number, longest: number): number =>
  Math.min(shortest * 2 ** Math.min(failures, 20), longest) * (0.5 + Math.random() / 2);

export class Issuing {
  readonly #context: Context;
  readonly #machine: Machine;
  readonly #files: IssuedFiles;
  readonly #unused: UnusedHosts;
  readonly #tidyTimer = new Timer(TIDY_EVERY);
  readonly #asking = new Map<string, Asking>();
  #inFlight = 0;
  /** Until then, the service is not asked. */
  #pausedUntil = NEVER;
  #failures = 0;
  /** What was logged last that concerns no single host. */
  #error: string | undefined;

  constructor(context: Context, machine: Machine) {
    this.#context = context;
    this.#machine = machine;
    this.#files = new IssuedFiles(context.state);
    this.#unused = new UnusedHosts(context.state, this.#files);
  }

  /**
   * Runs until `ended`.
   *
   * @param hosts the hosts whose challenges this machine answers
   * @param newest the newest snapshot
   * @param changed is called after the issuers, or a certificate, have changed
   */
  async run(
    ended: AbortSignal,
    hosts: () => Iterable<string>,
    newest: () => Snapshot | undefined,
    changed: () => void,
  ): Promise<void> {
    const { service, state } = this.#context;
    while (!ended.aborted) {
      try {
        if (await this.#machine.issuers.refresh(service, state, ended)) changed();
        this.#askFor(hosts, ended, changed);
        const snapshot = newest();
        if (snapshot && this.#tidyTimer.consume()) this.#unused.tidy(snapshot);
      } catch (error) {
        // For example, the disk is full.
        const message = `Cannot request certificates: ${reasonOf(error)}`;
        if (message !== this.#error) log(message);
        this.#error = message;
      }
      await sleep(LOOK_EVERY, undefined, { signal: ended }).catch(() => {});
    }
  }

  /** Issued chains that are not used. */
  problems(): Problem[] {
    return [...this.#asking].flatMap(([host, { rejection }]) =>
      rejection === undefined
        ? []
        : {
            object: host,
            code: "certificate_unusable",
            msg: `The certificate that was issued for ${host} is not used: ${rejection}.`,
          },
    );
  }

  /** Sends the requests that are due, those of hosts without a certificate first. Does not wait for the responses. */
  #askFor(hosts: () => Iterable<string>, ended: AbortSignal, changed: () => void): void {
    const { certificates } = this.#machine;
    const wanted = new Set([...hosts()].filter((host) => !certificates.hasValidFile(host)));
    for (const [host, { isInFlight }] of this.#asking)
      if (!wanted.has(host) && !isInFlight) this.#asking.delete(host);
    for (const host of wanted)
      if (!this.#asking.has(host)) {
        const at = certificates.hasValid(host) ? elapsed() + FIRST_WITHIN * Math.random() : NEVER;
        const nothing = { isInFlight: false, failures: 0, renewedAt: NEVER };
        this.#asking.set(host, { at, ...nothing, logged: undefined, rejection: undefined });
      }
    if (elapsed() < this.#pausedUntil) return;
    const due = [...this.#asking]
      .filter(([, { at, isInFlight }]) => !isInFlight && at <= elapsed())
      .map(([host, asking]) => ({ host, asking, isServed: certificates.hasValid(host) }))
      .toSorted((a, b) => Number(a.isServed) - Number(b.isServed) || a.asking.at - b.asking.at);
    for (const { host, asking } of due.slice(0, MOST_IN_FLIGHT - this.#inFlight)) {
      asking.isInFlight = true;
      this.#inFlight += 1;
      void this.#ask(host, asking, ended)
        .then((isNew) => {
          if (isNew) changed();
        })
        .catch((error: unknown) => this.#log(host, `Cannot request a certificate: ${reasonOf(error)}`))
        .finally(() => {
          asking.isInFlight = false;
          this.#inFlight -= 1;
          // The next one is due.
          if (!ended.aborted) this.#askFor(hosts, ended, changed);
        });
    }
  }

  /** Sends the request for a host. Resolves to whether its certificate has changed. */
  async #ask(host: string, asking: Asking, ended: AbortSignal): Promise<boolean> {
    const { service, options } = this.#context;
    try {
      const request = this.#files.request(host) ?? this.#files.newRequest(host);
      const progress = await service.requestCertificate(options.name, host, request.csr, ended);
      this.#failures = 0;
      asking.failures = 0;
      const isNew = progress.chain !== null && this.#install(host, asking, request, progress.chain);
      asking.at = elapsed() + this.#renewed(host, asking, progress);
      const { state, last_error: error } = progress;
      const isFailing = state === "failing" || state === "paused";
      this.#log(
        host,
        isFailing ? `The request for a certificate is ${state}: ${error ?? "no reason given"}` : undefined,
      );
      return isNew;
    } catch (error) {
      if (ended.aborted) return false;
      this.#failed(host, asking, error);
      return false;
    }
  }

  /** Installs a chain. Returns whether it has changed. */
  #install(host: string, asking: Asking, request: IssuingRequest, chain: string): boolean {
    try {
      const isNew = this.#files.install(host, request, chain);
      asking.rejection = undefined;
      if (isNew) log(`${host}: A certificate was issued.`);
      return isNew;
    } catch (error) {
      const rejection = reasonOf(error);
      if (asking.rejection !== rejection)
        log(`${host}: The certificate that was issued is not used: ${rejection}.`);
      asking.rejection = rejection;
      return false;
    }
  }

  /** In how many milliseconds the service is asked again: soon with a new key, if the certificate is to be renewed. */
  #renewed(
    host: string,
    asking: Asking,
    { retry_after: after, renews_at: renewsAt }: CertificateProgress,
  ): number {
    const isDue = renewsAt !== null && instantIn(renewsAt) <= wallClock();
    if (isDue && elapsed() - asking.renewedAt >= BETWEEN_RENEWALS) {
      this.#files.newRequest(host);
      asking.renewedAt = elapsed();
      return 0;
    }
    return withJitter(Math.min(Math.max(after, SHORTEST_RETRY), LONGEST_RETRY) * 1_000);
  }

  #failed(host: string, asking: Asking, error: unknown): void {
    const status = error instanceof ServiceError ? error.status : undefined;
    const isService =
      error instanceof ServiceUnreachable ||
      (status !== undefined && (status === 401 || status === 429 || status >= 500));
    if (isService) {
      const requested = error instanceof ServiceError ? (error.retryAfter ?? 0) * 1_000 : 0;
      const pause = backoff(this.#failures++, SHORTEST_PAUSE, LONGEST_PAUSE);
      this.#pausedUntil = elapsed() + Math.max(pause, Math.min(requested, LONGEST_BACKOFF));
      asking.at = elapsed() + backoff(asking.failures++, SHORTEST_PAUSE, LONGEST_PAUSE);
    } else {
      asking.at = elapsed() + backoff(asking.failures++, SHORTEST_BACKOFF, LONGEST_BACKOFF);
      // Perhaps the file was changed.
      if (status === 400) this.#files.forgetRequest(host);
    }
    this.#log(host, `Cannot request a certificate: ${reasonOf(error)}`);
  }

  /** Logs a failure of a host's request once, even if several hosts have the same one. @param message undefined if there is none */
  #log(host: string, message: string | undefined): void {
    const asking = this.#asking.get(host);
    if (!asking || asking.logged === message) return;
    const isKnown = [...this.#asking.values()].some(({ logged }) => logged === message);
    asking.logged = message;
    if (message !== undefined && !isKnown) log(`${host}: ${message}`);
  }
}
