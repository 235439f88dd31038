import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Request as SentRequest, Response as MadeResponse } from "miniflare";
import type { CertificateProgress } from "../../../packages/model/src/traffic/issuing.ts";
import { newRequest } from "../../support/authority.ts";
import { freePort } from "../support/ports.ts";
import { databaseFolder, migrate, workerBundle } from "../support/prepared.ts";
import { type RunningWorker, startWorker } from "../support/workerd.ts";
import { AUTHORITY_HOST, type Names, toLoopback } from "./pebble.ts";

/*
 * The service in workerd, whose requests to authorities stay on this machine, and what stands in for agents.
 */

export const ROOT_API_KEY = "key-of-the-tests-with-certificates";

/** A host that an in-memory authority has. */
export const LIAR_HOST = "liar.authority.test";

/** JSON, of which the tests read single members. */
type Members = Record<string, unknown>;

export interface IssuingService {
  origin: string;
  /** Where another isolate of it answers. */
  secondOrigin: string;
  /** Sends a request. @throws unless it succeeds */
  call: (method: string, path: string, body?: unknown) => Promise<Members>;
  kill: () => Promise<void>;
  /** Starts it again after `kill`, with the same database. */
  restart: () => Promise<void>;
  /** Runs SQL while the service is stopped. */
  sql: (text: string) => void;
  minute: () => Promise<void>;
  stop: () => Promise<void>;
}

/** How the Worker's requests are answered. */
export interface Outside {
  /** PEM of the authorities of servers. */
  roots: string;
  /** Called before a request is passed on, and with its response; both can throw. */
  before?: (request: SentRequest) => void | Promise<void>;
  after?: (request: SentRequest) => void | Promise<void>;
  /** Answers requests to {@link LIAR_HOST}. */
  liar?: (request: SentRequest) => Promise<MadeResponse>;
}

let starting: Promise<unknown> = Promise.resolve();

/** Starts the service. One starts at a time, because the new workerd process is found among all processes. */
export function startIssuing(
  outside: Outside,
  given: { bindings?: Record<string, string> } = {},
): Promise<IssuingService> {
  const started = starting.then(() => newService(outside, given));
  starting = started.catch(() => {});
  return started;
}

async function newService(
  outside: Outside,
  { bindings = {} }: { bindings?: Record<string, string> },
): Promise<IssuingService> {
  const persist = mkdtempSync(join(tmpdir(), "edge-issuing-state-"));
  migrate(persist);
  const [port, secondPort] = [await freePort(), await freePort()];
  const outbound = async (request: SentRequest): Promise<MadeResponse> => {
    await outside.before?.(request);
    const isLiar = new URL(request.url).hostname === LIAR_HOST;
    const response =
      isLiar && outside.liar ? await outside.liar(request) : await toLoopback(request, outside.roots);
    await outside.after?.(request);
    return response;
  };
  const start = (): Promise<RunningWorker> =>
    startWorker({
      bundle: workerBundle(),
      persist,
      port,
      secondPort,
      outbound,
      bindings: {
        ROOT_API_KEY,
        SEALING_KEYS: `issuing:${Buffer.alloc(32, "issuing").toString("base64")}`,
        ALLOWED_TARGET_HOSTS: `${AUTHORITY_HOST},${LIAR_HOST}`,
        ...bindings,
      },
    });
  let worker: RunningWorker | undefined = await start();
  const { origin } = worker;
  return {
    origin,
    secondOrigin: `http://127.0.0.1:${secondPort}`,
    call: callerOf(origin),
    kill: async () => {
      await worker?.kill();
      worker = undefined;
    },
    restart: async () => {
      worker = await start();
    },
    sql: (text) => {
      const folder = databaseFolder(persist);
      const file =
        readdirSync(folder).find((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite") ?? "";
      const database = new DatabaseSync(join(folder, file));
      database.exec(text);
      database.close();
    },
    minute: async () => worker?.runCron(),
    stop: async () => {
      await worker?.dispose();
      rmSync(persist, { recursive: true, force: true });
    },
  };
}

const headers = {
  Authorization: `Bearer ${ROOT_API_KEY}`,
  "Service-Version": "2",
  "Content-Type": "application/json",
};

/** Returns a function that sends requests as the operator, and throws unless they succeed. */
export const callerOf =
  (origin: string): IssuingService["call"] =>
  async (method, path, body) => {
    const response = await fetch(origin + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? {} : Object(JSON.parse(text));
  };

/** What stands in for an agent: it knows thumbprints, and asks. */
export class AskingAgent {
  readonly #service: IssuingService;
  readonly name: string;
  readonly #names: Names;

  constructor(service: IssuingService, names: Names, name: string) {
    this.#service = service;
    this.#names = names;
    this.name = name;
  }

  /** Reports a status, and learns what to answer challenges with. */
  async report(): Promise<void> {
    await this.#service.call("PUT", `/agents/${this.name}/status`, { applied_version: 1, ok: true });
    await this.learn();
  }

  async learn(): Promise<void> {
    const { issuers } = await this.#service.call("GET", "/issuing");
    const offered: { hosts: string[]; thumbprint: string }[] = Object(issuers);
    for (const { hosts, thumbprint } of offered)
      for (const host of hosts) this.#names.thumbprints.set(host, thumbprint);
  }

  async ask(host: string, csr: string): Promise<CertificateProgress> {
    const path = `/agents/${this.name}/certificate_requests/${host}`;
    return Object(await this.#service.call("PUT", path, { csr }));
  }

  /**
   * Repeats a request until it is in a state, faster than agents do. If Pebble rejects a nonce again and again, the service waits for up
   * to a minute.
   */
  async until(state: CertificateProgress["state"], host: string, csr: string): Promise<CertificateProgress> {
    let last: CertificateProgress | undefined;
    for (const end = performance.now() + 150_000; performance.now() < end;) {
      last = await this.ask(host, csr);
      if (last.state === state) return last;
      await sleep(Math.min(last.retry_after * 1_000, 100));
    }
    return assert.fail(`not ${state}: ${JSON.stringify(last)}`);
  }

  /** Gets a certificate for a new key. */
  async obtain(host: string): Promise<CertificateProgress & { csr: string; key: Uint8Array }> {
    const { csr, key } = await newRequest(host);
    return { ...(await this.until("issued", host, csr)), csr, key };
  }
}

/** Creates an issuer and an edge for hosts. @returns the issuer's id */
export async function givenIssuer(
  service: IssuingService,
  directoryUrl: string,
  hosts: string[],
  fields: Members = {},
): Promise<string> {
  await service.call("POST", "/edges/https", { hostports: hosts.map((host) => `${host}:443`) });
  const { id } = await service.call("POST", "/certificate_issuers", {
    directory_url: directoryUrl,
    terms_of_service_agreed: true,
    hosts,
    ...fields,
  });
  return String(id);
}
