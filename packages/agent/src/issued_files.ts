import { createPrivateKey, hash, type KeyObject } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type CertificateFile, isFor, readCertificate } from "./certificate_file.ts";
import { certificateRequest, newKey } from "./csr.ts";
import { checkedChain } from "./issued_chain.ts";
import { log } from "./log.ts";
import { makeOwnDirectory, readTrusted } from "./ownership.ts";
import { codeOf, reasonOf, Refusal } from "./refusal.ts";
import { ISSUED, type State } from "./state.ts";

/*
 * Issued certificates, and requests for them, in `STATE/issued/`. The files have mode 600:
 *
 *   HOST.request   the key, and the request that it has signed
 *   HOST.pem       the chain and its key, in the form of the operator's files
 *
 * A renewal has a new key in `HOST.request`, while the old certificate keeps serving with its own key. Each file is written atomically, and
 * the key is on the disk before the service gets the request.
 */

/** A key, and the request for a certificate for it. */
export interface IssuingRequest {
  key: KeyObject;
  /** DER in base64url. */
  csr: string;
}

const REQUEST = /-----BEGIN CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE REQUEST-----/;
const LARGEST_REQUEST = 16_384;
/** The name of a file has at most 255 bytes, with its ending, and with what is added while it is written. */
const LONGEST_HOST = 200;

/** What the names of a host's files begin with. */
export const stemOf = (host: string): string =>
  host.length <= LONGEST_HOST
    ? host
    : `${host.slice(0, LONGEST_HOST - 33)}-${hash("sha256", host).slice(0, 32)}`;

export class IssuedFiles {
  readonly #state: State;
  readonly #directory: string;

  constructor(state: State) {
    this.#state = state;
    this.#directory = join(state.directory, ISSUED);
  }

  /** The last request for a host, if there is one that can be used. */
  request(host: string): IssuingRequest | undefined {
    const file = join(this.#directory, `${stemOf(host)}.request`);
    if (!existsSync(file)) return undefined;
    try {
      const text = readTrusted(file, LARGEST_REQUEST).toString("latin1");
      const [, csr] = REQUEST.exec(text) ?? [];
      if (csr === undefined) throw new Refusal("it contains no request");
      return { key: createPrivateKey(text), csr: Buffer.from(csr, "base64").toString("base64url") };
    } catch (error) {
      log(`${file} is replaced: ${reasonOf(error)}`);
      return undefined;
    }
  }

  /** Makes a key and a request, and writes them to the disk. */
  newRequest(host: string): IssuingRequest {
    const key = newKey();
    const der = certificateRequest(host, key);
    const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
    const block = ["-----BEGIN CERTIFICATE REQUEST-----", ...lines, "-----END CERTIFICATE REQUEST-----", ""];
    this.#write(
      `${stemOf(host)}.request`,
      `${String(key.export({ type: "pkcs8", format: "pem" }))}${block.join("\n")}`,
    );
    return { key, csr: der.toString("base64url") };
  }

  /** Removes a request that the service does not accept. */
  forgetRequest(host: string): void {
    this.#state.remove(`${ISSUED}/${stemOf(host)}.request`);
  }

  /**
   * Checks a chain, and puts it in place of the certificate that the host has. Returns whether it is another one.
   *
   * @throws Refusal, or an error of OpenSSL or the system, if the certificate stays
   */
  install(host: string, { key }: IssuingRequest, chain: string): boolean {
    const name = `${stemOf(host)}.pem`;
    const current = this.#current(name, host);
    const { served } = checkedChain({ name, host, key }, chain, current);
    if (served.content === current?.served.content) return false;
    this.#write(name, served.content);
    return true;
  }

  /** What the names of the files of all hosts begin with. */
  stems(): string[] {
    try {
      const names = readdirSync(this.#directory).filter((name) => /\.(pem|request)$/.test(name));
      return [...new Set(names.map((name) => name.replace(/\.\w+$/, "")))];
    } catch (error) {
      if (codeOf(error) === "ENOENT") return [];
      throw error;
    }
  }

  /** Deletes the key and the certificate of a host. */
  delete(stem: string): void {
    for (const name of [`${stem}.pem`, `${stem}.request`]) this.#state.remove(`${ISSUED}/${name}`);
  }

  /** The certificate that the host has. */
  #current(name: string, host: string): CertificateFile | undefined {
    try {
      const found = readCertificate(this.#directory, name, "issued");
      return isFor(found, host) ? found : undefined;
    } catch {
      // There is none, or one that is broken.
      return undefined;
    }
  }

  #write(name: string, text: string): void {
    makeOwnDirectory(this.#directory);
    this.#state.writeText(`${ISSUED}/${name}`, text);
  }
}
