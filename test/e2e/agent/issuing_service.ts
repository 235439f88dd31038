// A service with issuers, whose authority is openssl. It issues at once, or what a test wants.
import { execFileSync } from "node:child_process";
import { createPublicKey, hash, type KeyObject, X509Certificate } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { join } from "node:path";
import type { CertificateProgress, OfferedIssuer } from "../../../packages/model/src/traffic/issuing.ts";
import { until } from "../support/wait.ts";
import { type Test, type World, world } from "./agent.ts";
import { Clocks } from "./clocks.ts";
import { certificate, folder, freePort } from "./proxy.ts";

export const THUMBPRINT = "-_0123456789abcdefghijklmnopqrstuvwxyzABCDE";
export const TOKEN = "dSQ-6g_8fQ0123456789abcdefghijklmnopqrstuvw";

export interface Asked {
  host: string;
  /** DER in base64url. */
  csr: string;
}

type Answer = Partial<CertificateProgress> | number | "hang up" | "never";

/** The text of what a request gets, and of what it is for, as openssl reads it. */
export const textOfCsr = (csr: string): string =>
  execFileSync("openssl", ["req", "-inform", "der", "-verify", "-text", "-noout"], {
    input: Buffer.from(csr, "base64url"),
    encoding: "utf8",
    stdio: ["pipe", "pipe", "pipe"],
  });

export class IssuingService {
  issuers: unknown = [{ hosts: ["*.example.com"], thumbprint: THUMBPRINT } satisfies OfferedIssuer];
  /** The status of `/issuing`. */
  status = 200;
  readonly polls: number[] = [];
  readonly asked: Asked[] = [];
  /** The chain that was issued for each request. */
  readonly issued = new Map<string, string>();
  answer: (asked: Asked) => Answer | Promise<Answer> = (asked) => this.issue(asked);
  readonly path: string;
  readonly authority: { cert: string; key: string };
  readonly #here: World;

  constructor(t: Test, here: World) {
    this.#here = here;
    this.path = folder({ after: (hook) => t.after(hook) });
    this.authority = certificate(this.path, ["Authority"]);
    here.service.fault = (request, response) => void this.#serve(request, response);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = "", method } = request;
    const json = { "content-type": "application/json" };
    const [, host] = /^\/agents\/test\/certificate_requests\/([^/]+)$/.exec(url) ?? [];
    if (url === "/issuing") {
      const body = JSON.stringify({ issuers: this.issuers });
      const etag = `"${hash("sha256", body, "hex")}"`;
      const isKnown = this.status === 200 && request.headers["if-none-match"] === etag;
      const status = isKnown ? 304 : this.status;
      this.polls.push(status);
      response.writeHead(status, { ...json, etag }).end(status === 200 ? body : isKnown ? undefined : "{}");
    } else if (host !== undefined && method === "PUT") {
      const pieces: Buffer[] = await request.toArray();
      const { csr } = JSON.parse(Buffer.concat(pieces).toString()) as { csr: string };
      const asked = { host: decodeURIComponent(host), csr };
      this.asked.push(asked);
      const answer = await this.answer(asked);
      if (answer === "never") return;
      if (answer === "hang up") return void response.destroy();
      if (typeof answer === "number")
        return void response.writeHead(answer, json).end('{"error":{"msg":"refused by the test"}}');
      const nothing = { state: "pending", retry_after: 1, chain: null, last_error: null, renews_at: null };
      response.writeHead(200, json).end(JSON.stringify({ ...nothing, ...answer }));
    } else if (url === "/snapshot") this.#here.service.answer(request, response);
    else this.#here.service.take(request, response);
  }

  /** The chain for a request, the same for the same request. */
  issue({ csr }: Asked, given: Partial<CertificateProgress> = {}): Partial<CertificateProgress> {
    const chain = this.issued.get(csr) ?? this.sign(csr);
    this.issued.set(csr, chain);
    const renewsAt = new Date(Date.now() + 60 * 86_400_000).toISOString();
    return { state: "issued", retry_after: 3600, chain, renews_at: renewsAt, ...given };
  }

  /** Signs a request. @param signer the authority, unless another one does */
  sign(csr: string, days = 90, signer = this.authority, digest = "sha256"): string {
    const file = join(this.path, "request.der");
    writeFileSync(file, Buffer.from(csr, "base64url"));
    const from = ["x509", "-req", "-inform", "der", "-in", file, "-copy_extensions", "copy"];
    const by = [
      "-CA",
      signer.cert,
      "-CAkey",
      signer.key,
      "-days",
      String(days),
      "-set_serial",
      `0x${serial()}`,
      `-${digest}`,
    ];
    return execFileSync("openssl", [...from, ...by], { encoding: "utf8", stdio: "pipe" });
  }

  /** The requests for a host. */
  of(host: string): Asked[] {
    return this.asked.filter((one) => one.host === host);
  }
}

const serial = (): string => crypto.randomUUID().replaceAll("-", "").replace(/^./, "1");

const date = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().replaceAll(/[-:T]|\.\d+/g, "");

/**
 * Signs a certificate for a key, with any names and dates.
 *
 * @param end after so many days, as `begin`
 */
export function signed(
  path: string,
  names: string,
  end: number,
  by: { cert: string; key: string },
  key: KeyObject,
  begin = 0,
): string {
  const own = join(path, `ca-${serial()}`);
  mkdirSync(own);
  const file = (name: string, text: string): string => {
    writeFileSync(join(own, name), text);
    return join(own, name);
  };
  const request = [
    "req",
    "-new",
    "-key",
    file("key", String(key.export({ type: "pkcs8", format: "pem" }))),
    "-subj",
    "/CN=x",
  ];
  execFileSync("openssl", [...request, "-out", join(own, "csr")], { stdio: "pipe" });
  const text = `[ca]\ndefault_ca=own\n[own]\ndatabase=${file("index", "")}\nserial=${file("serial", serial())}\nnew_certs_dir=${own}\ndefault_md=sha256\npolicy=any\nx509_extensions=names\n[any]\n[names]\nsubjectAltName=${names}\nbasicConstraints=CA:FALSE\n`;
  const from = [
    "ca",
    "-batch",
    "-notext",
    "-config",
    file("config", text),
    "-in",
    join(own, "csr"),
    "-preserveDN",
  ];
  const dates = ["-startdate", date(begin), "-enddate", date(end)];
  const out = join(own, "crt");
  execFileSync(
    "openssl",
    [...from, ...dates, "-cert", by.cert, "-keyfile", by.key, "-out", out, "-subj", "/"],
    { stdio: "pipe" },
  );
  return readFileSync(out, "utf8");
}

/** The fingerprint of the first certificate of a chain, as `shown` has it. */
export const fingerprintOf = (chain: string | undefined): string =>
  chain === undefined ? "none" : new X509Certificate(chain).fingerprint;

/** The public key of a request, of a file with a key, or of a certificate. */
export const publicKeyIn = (file: string): string =>
  String(createPublicKey(readFileSync(file, "utf8")).export({ type: "spki", format: "pem" }));

/** What port 80 answers. */
export function http(
  port: number,
  host: string,
  path = `/.well-known/acme-challenge/${TOKEN}`,
): Promise<string> {
  return new Promise((resolve) => {
    const asked = request(
      { host: "127.0.0.1", port, path, headers: { host }, agent: false },
      async (response) => {
        const pieces: Buffer[] = await response.toArray();
        resolve(`${response.statusCode} ${Buffer.concat(pieces).toString()}`);
      },
    );
    asked.on("error", () => resolve(""));
    asked.end();
  });
}

/** An agent with clocks of its own, and a service with issuers. */
export async function issuing(t: Test) {
  const here = await world(t);
  const service = new IssuingService(t, here);
  const clocks = new Clocks(here);
  const [port, httpPort] = [await freePort(), await freePort()];
  here.environment["EDGE_AGENT_TEST_PORTS"] = `${httpPort} ${port}`;
  /** Lets time pass, by a minute again and again, until a probe returns something. Not while HAProxy loads: its time would be over. */
  const later = <Value>(what: string, probe: () => Value | Promise<Value>) =>
    until(what, () => {
      clocks.pass(60_000);
      return probe();
    });
  /** Waits until a certificate was issued and HAProxy has loaded it: a worker serves it before the agent knows that it has started. */
  const loaded = () =>
    here.service.reported(({ certificates = [] }) => certificates.some(({ source }) => source === "issued"));
  return { here, service, clocks, later, loaded, port, httpPort, issued: join(here.state, "issued") };
}
