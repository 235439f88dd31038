import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { Readable } from "node:stream";
import { type Request as SentRequest, Response as MadeResponse } from "miniflare";
import { freePort, listen } from "../support/ports.ts";
import { eventually } from "../support/wait.ts";
import { newAuthority, newKey, openssl, requestFor, signed } from "./openssl.ts";

/*
 * Pebble, a certificate authority for tests, with its server of names, on loopback. Every name resolves to 127.0.0.1, where a responder
 * answers challenges with thumbprints, as agents do.
 */

/** The host of authorities. It is in no DNS: {@link toLoopback} takes requests to it to this machine. */
export const AUTHORITY_HOST = "acme.authority.test";

/** Pebble, running. */
export interface Pebble {
  directoryUrl: string;
  /** Its own certificates. */
  root: string;
  /** PEM of the root of what it issues. */
  issuingRoot: () => Promise<string>;
  stop: () => void;
  /** Starts it again at the same port, without everything that it knew. */
  restart: () => Promise<void>;
}

/** What all authorities of a test file share. */
export interface Names {
  port: number;
  /** Thumbprints by host: what the responder answers with. */
  thumbprints: Map<string, string>;
  httpPort: number;
  /** Challenges that were asked for, by host. */
  asked: string[];
  stop: () => void;
}

const end = (child: ChildProcess): void => void child.kill("SIGKILL");

/** Starts the server of names, and the responder unless something else answers at a port. */
export async function startNames(answeredAt?: number): Promise<Names> {
  const [port, management] = [await freePort(), await freePort()];
  const child = spawn(
    "pebble-challtestsrv",
    [
      "-http01",
      "",
      "-https01",
      "",
      "-tlsalpn01",
      "",
      "-dns01",
      `127.0.0.1:${port}`,
      "-management",
      `127.0.0.1:${management}`,
      "-defaultIPv6",
      "",
      "-defaultIPv4",
      "127.0.0.1",
    ],
    { stdio: "ignore" },
  );
  const thumbprints = new Map<string, string>();
  const asked: string[] = [];
  const responder = createServer(({ url = "", headers }, response) => {
    const host = (headers.host ?? "").replace(/:\d+$/, "");
    const [, token] = /^\/\.well-known\/acme-challenge\/([\w-]+)$/.exec(url) ?? [];
    asked.push(host);
    const thumbprint = thumbprints.get(host);
    if (token === undefined || thumbprint === undefined) response.writeHead(404).end("no such host");
    else response.end(`${token}.${thumbprint}`);
  });
  const httpPort = answeredAt ?? (await listen(responder));
  const stop = (): void => {
    end(child);
    responder.close();
  };
  return { port, thumbprints, httpPort, asked, stop };
}

/** Options of {@link startPebble}. */
interface PebbleOptions {
  /** Keys of external accounts, by their ids: without one, no account is registered. */
  externalAccounts?: Record<string, string>;
  /** How many percent of the nonces it rejects. */
  badNonces?: number;
  /** How long certificates are valid, in seconds. */
  validity?: number;
}

/** Starts Pebble. */
export async function startPebble(
  folder: string,
  names: Names,
  { externalAccounts, badNonces = 20, validity }: PebbleOptions = {},
): Promise<Pebble> {
  const [port, management] = [await freePort(), await freePort()];
  const authority = newAuthority(folder);
  const key = newKey(folder);
  const own = signed(folder, authority, requestFor(folder, key, [`subjectAltName=DNS:${AUTHORITY_HOST}`]), {
    names: [AUTHORITY_HOST],
  });
  const [certificate, config] = [join(folder, `pebble-${port}.pem`), join(folder, `pebble-${port}.json`)];
  writeFileSync(certificate, own);
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate,
    privateKey: key,
    httpPort: names.httpPort,
    tlsPort: 1,
    ocspResponderURL: "",
    externalAccountBindingRequired: externalAccounts !== undefined,
    externalAccountMACKeys: externalAccounts ?? {},
    ...(validity !== undefined && { certificateValidityPeriod: validity }),
  };
  writeFileSync(config, JSON.stringify({ pebble }));
  const start = async (): Promise<ChildProcess> => {
    const env = {
      ...process.env,
      PEBBLE_VA_NOSLEEP: "1",
      PEBBLE_AUTHZREUSE: "0",
      PEBBLE_WFE_NONCEREJECT: String(badNonces),
    };
    const started = spawn("pebble", ["-config", config, "-dnsserver", `127.0.0.1:${names.port}`], {
      env,
      stdio: "ignore",
    });
    await eventually(
      () => loopbackRequest(`https://${AUTHORITY_HOST}:${port}/dir`, {}, authority.pem),
      20_000,
    );
    return started;
  };
  let child = await start();
  return {
    directoryUrl: `https://${AUTHORITY_HOST}:${port}/dir`,
    root: authority.pem,
    issuingRoot: async () => {
      const { stream } = await loopbackRequest(
        `https://${AUTHORITY_HOST}:${management}/roots/0`,
        {},
        authority.pem,
      );
      return new Response(Readable.toWeb(stream)).text();
    },
    stop: () => end(child),
    restart: async () => {
      end(child);
      child = await start();
    },
  };
}

/** A request of the Worker, as far as it is passed on. */
interface Passed {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends a request to this machine, whatever the host in its URL, which must be in the server's certificate. */
const loopbackRequest = (
  url: string,
  { method = "GET", headers = {}, body }: Passed,
  ca: string,
): Promise<{ status: number; headers: [string, string][]; stream: Readable }> =>
  new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method,
        headers,
        ca,
        agent: false,
        lookup: (_, __, found) => found(null, [{ address: "127.0.0.1", family: 4 }]),
      },
      (response) => {
        const pairs = Object.entries(response.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]);
        resolve({ status: response.statusCode ?? 0, headers: pairs, stream: response });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });

/** Passes the Worker's requests on to this machine, over TLS. @param roots PEM of the authorities of servers */
export async function toLoopback(sent: SentRequest, roots: string): Promise<MadeResponse> {
  const body = sent.method === "POST" ? await sent.text() : undefined;
  const headers: Record<string, string> = {};
  for (const name of ["content-type", "user-agent"]) {
    const value = sent.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  if (body !== undefined) headers["content-length"] = String(Buffer.byteLength(body));
  const {
    status,
    headers: pairs,
    stream,
  } = await loopbackRequest(
    sent.url,
    { method: sent.method, headers, ...(body !== undefined && { body }) },
    roots,
  );
  const kept = pairs.filter(([name]) => !/^(?:transfer-encoding|content-length|connection)$/.test(name));
  const isEmpty = sent.method === "HEAD" || status === 204;
  if (isEmpty) stream.resume();
  return new MadeResponse(isEmpty ? null : Readable.toWeb(stream), { status, headers: kept });
}

/** Whether openssl verifies a chain for a host. @throws with what openssl prints otherwise */
export function verify(folder: string, chain: string, root: string, host: string): void {
  const [leaf, ...others] = chain.split(/(?<=-----END CERTIFICATE-----\n)/);
  const files = [leaf ?? "", others.join(""), root].map((content, index) => {
    const path = join(folder, `verify-${index}.pem`);
    writeFileSync(path, content);
    return path;
  });
  const [own = "", untrusted = "", trusted = ""] = files;
  openssl(
    "verify",
    "-CAfile",
    trusted,
    "-untrusted",
    untrusted,
    "-verify_hostname",
    host,
    "-purpose",
    "sslserver",
    own,
  );
}

/** Reads a file that openssl wrote. */
export const textOf = (path: string): string => readFileSync(path, "utf8");
