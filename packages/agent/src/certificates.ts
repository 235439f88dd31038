import { createHash, createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import type { Problem } from "../../traffic/src/snapshot.ts";
import { elapsed, instantIn, NEVER, textOfInstant, wallClock } from "./clock.ts";
import { checkDirectory, readTrusted } from "./ownership.ts";
import { reasonOf, Refusal } from "./refusal.ts";
import { CERTIFICATE_FILES, type ServerCertificate } from "./render/contract.ts";

/*
 * Server certificates: a directory of PEM files, each with a chain and its key. HAProxy reads copies of them in its release, so a file
 * that is incomplete, deleted or renewed has no effect until the agent has checked it.
 */

const LARGEST_FILE = 1024 * 1024;
const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g;

/** How long it is known which certificate is best for a host: one can expire, or become valid. */
const KNOWN_FOR = 60_000;

interface Certificate {
  /** Its file in the directory. */
  name: string;
  leaf: X509Certificate;
  /** Its DNS names, in lower case. */
  names: string[];
  served: ServerCertificate;
}

export class Certificates {
  readonly #directory: string;
  #seen = "";
  /** What was read from each file, and the file's fingerprint then. */
  #read = new Map<string, { fingerprint: string; result: Certificate | Problem }>();
  #certificates: Certificate[] = [];
  /** Certificates by each of their names. */
  #byName = new Map<string, Certificate[]>();
  /** The best certificate for each host that was looked up, since when. */
  #best = new Map<string, Certificate | undefined>();
  #bestSince = NEVER;
  #unusable: Problem[] = [];

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Reads the directory again. Returns whether anything has changed. */
  refresh(): boolean {
    const { names, problem } = this.#list();
    const files = names.map((name) => ({ name, fingerprint: fingerprintOf(join(this.#directory, name)) }));
    const seen = JSON.stringify([files, problem]);
    if (seen === this.#seen) return false;
    this.#seen = seen;
    this.#unusable =
      problem === undefined
        ? []
        : [
            {
              object: this.#directory,
              code: "certificate_unusable",
              msg: `Cannot read the certificate directory: ${problem}`,
            },
          ];
    // Keep serving the known certificates if the directory cannot be listed.
    if (problem !== undefined && this.#certificates.length > 0) return true;
    this.#read = new Map(
      files.map(({ name, fingerprint }) => {
        const known = this.#read.get(name);
        return [name, known?.fingerprint === fingerprint ? known : { fingerprint, result: this.#try(name) }];
      }),
    );
    const results = [...this.#read.values()].map(({ result }) => result);
    this.#certificates = results.filter((result) => "leaf" in result);
    this.#unusable.push(...results.filter((result) => "code" in result));
    this.#index();
    return true;
  }

  /** When each certificate ends, in milliseconds since 1970, by the name of its file. */
  expiries(): Map<string, number> {
    return new Map(this.#certificates.map(({ name, leaf }) => [name, endOf(leaf)]));
  }

  /** The certificate for a host name or IP literal; undefined if there is none. */
  bestFor(host: string): ServerCertificate | undefined {
    if (elapsed() - this.#bestSince > KNOWN_FOR) {
      this.#best.clear();
      this.#bestSince = elapsed();
    }
    const best = this.#best.has(host) ? this.#best.get(host) : this.#find(host);
    this.#best.set(host, best);
    return best?.served;
  }

  #find(host: string): Certificate | undefined {
    const name = host.replace(/\.$/, "").replace(/^\[|\]$/g, "");
    const wildcard = name.replace(/^[^.]*/, "*");
    const candidates =
      isIP(name) === 0
        ? [
            ...(this.#byName.get(name.toLowerCase()) ?? []),
            ...(this.#byName.get(wildcard.toLowerCase()) ?? []),
          ]
        : this.#certificates;
    const [best] = candidates.filter(({ leaf }) => isFor(leaf, name)).toSorted(byPreference(name));
    return best;
  }

  /** Makes the certificates findable by their names. */
  #index(): void {
    this.#best.clear();
    this.#byName = new Map();
    for (const certificate of this.#certificates)
      for (const name of new Set(certificate.names)) {
        const others = this.#byName.get(name) ?? [];
        others.push(certificate);
        this.#byName.set(name, others);
      }
  }

  /** Files that cannot be used, and certificates that have expired. */
  problems(): Problem[] {
    const expired = this.#certificates
      .filter(({ leaf }) => endOf(leaf) < wallClock())
      .map(({ name, leaf }) => ({
        object: name,
        code: "certificate_expired",
        msg: `The certificate in ${name} expired at ${textOfInstant(endOf(leaf))}; it is still served. Renew it.`,
      }));
    return [...this.#unusable, ...expired];
  }

  #list(): { names: string[]; problem?: string } {
    try {
      checkDirectory(this.#directory);
      return {
        names: readdirSync(this.#directory)
          .filter((name) => name.endsWith(".pem") && !name.startsWith("."))
          .toSorted(),
      };
    } catch (error) {
      return { names: [], problem: reasonOf(error) };
    }
  }

  #try(name: string): Certificate | Problem {
    try {
      return this.#load(name);
    } catch (error) {
      return unusable(name, reasonOf(error));
    }
  }

  #load(name: string): Certificate {
    const file = join(this.#directory, name);
    const blocks = [...readTrusted(file, LARGEST_FILE).toString("latin1").matchAll(BLOCK)].map(
      ([text, label = ""]) => ({
        text,
        label,
      }),
    );
    const chain = blocks
      .filter(({ label }) => label === "CERTIFICATE")
      .map(({ text }) => new X509Certificate(text));
    const keys = blocks
      .filter(({ label }) => label.endsWith("PRIVATE KEY"))
      .map(({ text }) => createPrivateKey(text));
    const [leaf] = chain;
    const [key] = keys;
    if (!leaf) throw new Refusal("it contains no certificate");
    if (key === undefined || keys.length > 1)
      throw new Refusal(`it contains ${keys.length} private keys instead of one`);
    if (!leaf.checkPrivateKey(key))
      throw new Refusal("its private key does not belong to its first certificate");
    const names = namesOf(leaf);
    const served = {
      file: fileOf(leaf),
      content: pemOf(chain, key),
      names: names.filter((each) => HOST_NAME.test(each)),
    };
    return { name, leaf, names, served };
  }
}

/** The path of a certificate in a release. It depends only on the names in the certificate, so a renewed one has the same path. */
function fileOf({ subjectAltName = "" }: X509Certificate): string {
  const names = subjectAltName.toLowerCase().split(", ").toSorted().join(", ");
  return `${CERTIFICATE_FILES}/${createHash("sha256").update(names).digest("hex").slice(0, 32)}.pem`;
}

/**
 * A chain and its key as PEM. The text is generated from what was parsed, so it contains no empty line, which would end a command of the
 * runtime API.
 */
const pemOf = (chain: readonly X509Certificate[], key: KeyObject): string =>
  [...chain.map(String), String(key.export({ type: "pkcs8", format: "pem" }))]
    .map((block) => `${block.trim()}\n`)
    .join("");

/** Changes when a file is written or replaced. Follows links. */
function fingerprintOf(path: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(path);
    return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  } catch {
    return "unreadable";
  }
}

const unusable = (file: string, reason: string): Problem => ({
  object: file,
  code: "certificate_unusable",
  msg: `${file} is not used: ${reason}. Expected PEM: the chain, then its private key, without a passphrase.`,
});

/** As in RFC 9525: the subject's names are ignored, and a wildcard matches one label. */
const isFor = (leaf: X509Certificate, name: string): boolean =>
  isIP(name) === 0
    ? leaf.checkHost(name, { subject: "never", partialWildcards: false }) !== undefined
    : leaf.checkIP(name) !== undefined;

const endOf = (leaf: X509Certificate): number => instantIn(leaf.validTo);

const isValidNow = (leaf: X509Certificate): boolean =>
  instantIn(leaf.validFrom) <= wallClock() && endOf(leaf) > wallClock();

const HOST_NAME = /^(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

/** Its DNS names, in lower case. */
const namesOf = (leaf: X509Certificate): string[] =>
  (leaf.subjectAltName ?? "")
    .toLowerCase()
    .split(", ")
    .filter((name) => name.startsWith("dns:"))
    .map((name) => name.slice("dns:".length));

const hasExactName = ({ names }: Certificate, name: string): boolean => names.includes(name);

/** Currently valid certificates first, then those with the exact name, then those that expire last. */
const byPreference =
  (name: string) =>
  (a: Certificate, b: Certificate): number =>
    Number(isValidNow(b.leaf)) - Number(isValidNow(a.leaf)) ||
    Number(hasExactName(b, name)) - Number(hasExactName(a, name)) ||
    endOf(b.leaf) - endOf(a.leaf) ||
    (a.served.content < b.served.content ? -1 : 1);
