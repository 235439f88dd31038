import type * as z from "zod";
import { whyUnreachable } from "../../model/src/connections.ts";
import { type Changes, changesSchema } from "../../model/src/traffic/changes.ts";
import { type Coverage, LONGEST_REASON } from "../../model/src/traffic/coverage.ts";
import type { CertificateProgress } from "../../model/src/traffic/issuing.ts";
import { type Problem } from "../../model/src/traffic/problems.ts";
import { type Snapshot, snapshotSchema } from "../../model/src/traffic/snapshot.ts";
import { elapsed, instantIn, NEVER, wallClock } from "./base/clock.ts";
import type { ReportedCertificate } from "./inventory.ts";
import { matching } from "./matching.ts";
import { Refusal, reasonOf } from "./refusal.ts";
import { issuersFile, progressSchema } from "./state_files.ts";

/*
 * The agent's requests. They do not follow redirects, which would receive the key.
 */

const LARGEST_SNAPSHOT = 64 * 1024 * 1024;
const MOST_MEMBERS = 3_000_000;
/** The largest status without the edges. */
const LARGEST_STATUS = 16 * 1024;
/** The largest status. */
const LARGEST_WITH_EDGES = 64 * 1024;
const SNAPSHOT_TIMEOUT = 30_000;
const STATUS_TIMEOUT = 10_000;
/** The service asks an authority meanwhile. */
const REQUEST_TIMEOUT = 60_000;
/** The largest response to a PUT. */
const LARGEST_RESPONSE = 64 * 1024;
const LONGEST_MESSAGE = LONGEST_REASON;

/** When a service that rejected a report of certificates gets the next one. */
const CERTIFICATES_AGAIN_AFTER = 60_000;

/** The body of PUT /agents/{name}/status. */
export interface Status {
  applied_version: number | null;
  ok: boolean;
  error: string | null;
  problems: Problem[];
  /** Undefined before anything is known of what is served. */
  edges?: Coverage;
  certificates?: ReportedCertificate[];
  certificates_left_out?: number;
  proxy: string | null;
}

export interface Fetched {
  snapshot: Snapshot;
  etag: string | null;
}

type OfferedIssuers = z.output<typeof issuersFile>;

const offeredSchema = issuersFile.pick({ issuers: true });

/** An error response. */
export class ServiceError extends Refusal {
  readonly status: number;
  /** Seconds to wait, if the response says so. */
  readonly retryAfter: number | undefined;

  constructor(message: string, status: number, retryAfter: number | undefined) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** There was no response. */
export class ServiceUnreachable extends Refusal {}

/** The service returned a snapshot that the agent does not accept. */
export class SnapshotRejected extends Refusal {}

/** The difference of two clocks that is a problem, in milliseconds. */
const CLOCK_TOLERANCE = 5_000;
/** The `Date` header has whole seconds, so smaller differences between two measurements mean nothing. */
const CLOCK_RESOLUTION = 1_500;

export class Service {
  /** How many milliseconds this machine's clock is ahead of the service's; undefined before the first response. */
  clockOffset: number | undefined;
  /** What the service's clock showed when this process started, in milliseconds since 1970. */
  #started: number | undefined;
  /** Whether the service has `/issuing`, as it last answered. One that has accepts reports of certificates. */
  #hasIssuing = Promise.resolve(true);
  #certificatesAt = NEVER;
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#headers = { Authorization: `Bearer ${key}`, "Service-Version": "2" };
  }

  /**
   * Fetches the newest snapshot. Resolves to undefined if the ETag has not changed.
   *
   * @param ended aborts the request
   * @throws Refusal
   */
  async snapshot(etag: string | null, ended?: AbortSignal): Promise<Fetched | undefined> {
    const known = etag === null ? {} : { "If-None-Match": etag };
    return this.#get("/snapshot", known, ended, 0, (response, body) => {
      if (response.status === 304 && etag !== null) return undefined;
      if (response.status !== 200) throw refusalOf(response, body);
      return { snapshot: parsed("snapshot", snapshotSchema, body), etag: response.headers.get("ETag") };
    });
  }

  /**
   * Fetches what has changed.
   *
   * @param since the field `next` of the last changes; undefined for everything
   * @param wait for how many seconds the service may wait for a change
   * @param ended aborts the request
   * @throws Refusal
   */
  async changes(since: string | undefined, wait: number, ended: AbortSignal): Promise<Changes> {
    const query = since === undefined ? "" : `?since=${encodeURIComponent(since)}&wait=${wait}`;
    return this.#get(`/snapshot/changes${query}`, {}, ended, wait, (response, body) => {
      if (response.status !== 200) throw refusalOf(response, body);
      return parsed("response", changesSchema, body);
    });
  }

  /** Sends a GET, and reads the response. @param wait how many seconds it may take longer than others */
  async #get<Result>(
    path: string,
    headers: Record<string, string>,
    ended: AbortSignal | undefined,
    wait: number,
    read: (response: Response, body: string) => Result,
  ): Promise<Result> {
    const timeout = AbortSignal.timeout(SNAPSHOT_TIMEOUT + wait * 1000);
    const signal = ended ? AbortSignal.any([timeout, ended]) : timeout;
    const response = await this.#send(path, { headers: { ...this.#headers, ...headers }, signal });
    try {
      return read(response, await boundedText(response, LARGEST_SNAPSHOT));
    } catch (error) {
      if (error instanceof Refusal) throw error;
      throw this.#unreachable(error);
    } finally {
      await response.body?.cancel().catch(() => {});
    }
  }

  /** Reports the agent's status. @throws Refusal */
  async report(name: string, status: Status): Promise<void> {
    const { certificates, certificates_left_out: leftOut, ...first } = status;
    const inventory = certificates && { certificates, certificates_left_out: leftOut ?? 0 };
    if (inventory && elapsed() >= this.#certificatesAt && (await this.#hasIssuing)) {
      if (await this.#isAccepted(name, { ...first, ...inventory })) return;
      // It is an older one again.
      this.#certificatesAt = elapsed() + CERTIFICATES_AGAIN_AFTER;
    }
    // An older service does not know which edges agents serve.
    const { edges, ...others } = first;
    if (edges && (await this.#isAccepted(name, first))) return;
    await this.#report(name, others);
  }

  /** Sends a status. Resolves to whether the service knows all of its fields. */
  async #isAccepted(name: string, status: Status): Promise<boolean> {
    try {
      await this.#report(name, status);
      return true;
    } catch (error) {
      if (error instanceof ServiceError && error.status === 400) return false;
      throw error;
    }
  }

  /**
   * Fetches the issuers that this agent can ask. Resolves to undefined if the ETag has not changed, and to none if it is an older service.
   *
   * @param ended aborts the request
   * @throws Refusal
   */
  issuers(etag: string | null, ended?: AbortSignal): Promise<OfferedIssuers | undefined> {
    const before = this.#hasIssuing;
    const known = etag === null ? {} : { "If-None-Match": etag };
    const asked = this.#get("/issuing", known, ended, 0, (response, body) => {
      if (response.status === 304 && etag !== null) return { hasIssuing: true };
      if (response.status === 404) return { hasIssuing: false, offered: { etag: null, issuers: [] } };
      if (response.status !== 200) throw refusalOf(response, body);
      const { issuers } = parsed("list of issuers", offeredSchema, body);
      return { hasIssuing: true, offered: { etag: response.headers.get("ETag"), issuers } };
    });
    // Reports wait for the first answer, or for the first failure.
    this.#hasIssuing = asked.then(
      ({ hasIssuing }) => hasIssuing,
      () => before,
    );
    return asked.then(({ offered }) => offered);
  }

  /**
   * Requests a certificate. The same request returns its progress.
   *
   * @param csr in base64url
   * @param ended aborts the request
   * @throws Refusal
   */
  async requestCertificate(
    name: string,
    host: string,
    csr: string,
    ended: AbortSignal,
  ): Promise<CertificateProgress> {
    const signal = AbortSignal.any([AbortSignal.timeout(REQUEST_TIMEOUT), ended]);
    const path = `/agents/${name}/certificate_requests/${encodeURIComponent(host)}`;
    const body = await this.#put(path, JSON.stringify({ csr }), signal);
    return parsed("response", progressSchema, body);
  }

  /** Reports the traffic of an interval. @throws Refusal */
  async reportTraffic(name: string, body: string): Promise<void> {
    await this.#put(`/agents/${name}/traffic`, body, AbortSignal.timeout(STATUS_TIMEOUT));
  }

  async #report(name: string, status: Status): Promise<void> {
    await this.#put(`/agents/${name}/status`, statusBody(status), AbortSignal.timeout(STATUS_TIMEOUT));
  }

  /** Sends a PUT. Resolves to the body of the response. @throws Refusal */
  async #put(path: string, body: string, signal: AbortSignal): Promise<string> {
    const headers = { ...this.#headers, "Content-Type": "application/json" };
    const response = await this.#send(path, { method: "PUT", headers, body, signal });
    try {
      const text = await boundedText(response, LARGEST_RESPONSE);
      if (!response.ok) throw refusalOf(response, text);
      return text;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      throw this.#unreachable(error);
    } finally {
      await response.body?.cancel().catch(() => {});
    }
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    try {
      const response = await fetch(this.#url + path, { ...init, redirect: "error" });
      this.#compareClocks(response.headers.get("Date"));
      return response;
    } catch (error) {
      throw this.#unreachable(error);
    }
  }

  /**
   * Now by the service's clock, in milliseconds since 1970, even if this machine's clock is set. Before the first response, it is the time of
   * this machine.
   */
  get now(): number {
    return this.#started === undefined ? wallClock() : this.#started + elapsed();
  }

  /** Whether {@link now} is the service's time, or the time of this machine because the service never says what time it is. */
  get isTimeKnown(): boolean {
    return this.#started !== undefined;
  }

  /** A clock that differs from the service's: rules end by it. */
  clockProblems(): Problem[] {
    const offset = this.clockOffset ?? 0;
    if (Math.abs(offset) <= CLOCK_TOLERANCE) return [];
    const what = `${Math.round(Math.abs(offset) / 1000)} seconds ${offset > 0 ? "ahead of" : "behind"}`;
    const msg = `This machine's clock is ${what} the service's, and rules expire by this machine's clock. Synchronize it, for example with NTP.`;
    return [{ object: "agent", code: "clock_offset", msg }];
  }

  /** @param date of a response, which the service sent just now */
  #compareClocks(date: string | null): void {
    const instant = instantIn(date ?? "");
    if (Number.isNaN(instant)) {
      // The development server never says what time it is. The clock of this machine has to do.
      if (this.clockOffset === undefined) this.#started = wallClock() - elapsed();
      return;
    }
    const started = instant + 500 - elapsed();
    if (this.#started === undefined || Math.abs(started - this.#started) > CLOCK_RESOLUTION)
      this.#started = started;
    const offset = wallClock() - (instant + 500);
    if (this.clockOffset === undefined || Math.abs(offset - this.clockOffset) > CLOCK_RESOLUTION)
      this.clockOffset = offset;
  }

  #unreachable(error: unknown): ServiceUnreachable {
    return new ServiceUnreachable(`Cannot reach ${new URL(this.#url).origin}: ${whyUnreachable(error)}.`);
  }
}

/** Reads the body as a string. @throws Refusal if it has more than `most` bytes */
async function boundedText(response: Response, most: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const stream: AsyncIterable<Uint8Array> | undefined = response.body ?? undefined;
  for await (const piece of stream ?? []) {
    length += piece.byteLength;
    if (length > most) throw new Refusal(`The response is larger than ${most} bytes. Check the service URL.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function refusalOf(response: Response, body: string): ServiceError {
  const asked = Number(response.headers.get("Retry-After") ?? "");
  const retryAfter = asked > 0 ? asked : undefined;
  const why =
    /"msg":"((?:[^"\\]|\\.){1,500})"/.exec(body)?.[1]?.replaceAll(/\\(["\\/])/g, "$1") ?? "no reason given";
  return new ServiceError(
    `The service responded with ${response.status}: ${why}${response.status === 401 ? " Check EDGE_AGENT_KEY." : ""}`,
    response.status,
    retryAfter,
  );
}

/** @throws SnapshotRejected */
function parsed<T>(what: string, schema: z.ZodType<T>, text: string): T {
  try {
    if (!isParsable(text))
      throw new Refusal("It contains more lists, objects and fields than a snapshot can have.");
    return matching(schema, JSON.parse(text));
  } catch (error) {
    throw new SnapshotRejected(`The ${what} is rejected as a whole. ${reasonOf(error)}`);
  }
}

/**
 * Whether JSON can be parsed within seconds: 64 MB of brackets would take a minute and gigabytes of memory. The items of lists are
 * not counted, because there can be many rules.
 */
function isParsable(text: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length && count <= MOST_MEMBERS; at++) {
    const character = text[at];
    if (character === "[" || character === "{" || character === ":") count += 1;
    if (character !== '"') continue;
    do at = text.indexOf('"', at + 1);
    while (at > 0 && isEscaped(text, at));
    // The parser reports an unterminated string.
    if (at < 0) break;
  }
  return count <= MOST_MEMBERS;
}

/** Whether an odd number of backslashes precedes a character. */
function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === "\\") start -= 1;
  return (at - start) % 2 === 1;
}

const cut = (text: string): string =>
  text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE - 1).toWellFormed()}…`;

/**
 * The status as JSON. Without the certificates it has at most 64 KiB, of which the edges can need 48: long messages are cut, and problems
 * that do not fit are left out and counted. The certificates have at most 32 KiB more.
 */
export function statusBody({ certificates, certificates_left_out: leftOut, ...status }: Status): string {
  const body = bodyWithoutCertificates(status);
  if (!certificates) return body;
  return `${body.slice(0, -1)},"certificates":${JSON.stringify(certificates)},"certificates_left_out":${leftOut ?? 0}}`;
}

function bodyWithoutCertificates({ edges, ...status }: Status): string {
  const problems = status.problems.map(withCutMessage);
  const error = status.error === null ? null : cut(status.error);
  const body = (kept: number): Status => {
    const left = problems.length - kept;
    const more =
      left === 0 ? [] : [{ object: "agent", code: "more_problems", msg: `${left} more problems.` }];
    return { ...status, error, problems: [...problems.slice(0, kept), ...more] };
  };
  let [fits, tooMany] = [0, problems.length + 1];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (Buffer.byteLength(JSON.stringify(body(middle))) <= LARGEST_STATUS) fits = middle;
    else tooMany = middle;
  }
  const exceptions = edges?.exceptions.map(withCutMessage);
  const whole = JSON.stringify({ ...body(fits), ...(edges && { edges: { ...edges, exceptions } }) });
  // Without the edges, the service says that it does not know whether they are served.
  return Buffer.byteLength(whole) <= LARGEST_WITH_EDGES ? whole : JSON.stringify(body(fits));
}

const withCutMessage = <Item extends { msg: string }>(item: Item): Item => ({ ...item, msg: cut(item.msg) });
