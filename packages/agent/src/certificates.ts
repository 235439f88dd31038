import { createHash, createPrivateKey, X509Certificate } from "node:crypto";
import { chmodSync, existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import type { Problem } from "../../traffic/src/snapshot.ts";
import { checkDirectory, readTrusted } from "./ownership.ts";
import { reasonOf, Refusal } from "./refusal.ts";
import { writeDurably } from "./state.ts";

/*
 * Server certificates: a directory of PEM files, each with a chain and its key. HAProxy reads copies that are named after their
 * content, so a file that is incomplete, deleted or renewed has no effect until the agent has checked it.
 */

const LARGEST_FILE = 1024 * 1024;
const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g;

/** How long it is known which certificate is best for a host: one can expire, or become valid. */
const KNOWN_FOR = 60_000;

interface Certificate {
  file: string;
  leaf: X509Certificate;
  /** Its DNS names, in lower case. */
  names: string[];
  copy: string;
  /** Chain and key. */
  content: string;
}

export class Certificates {
  readonly #directory: string;
  readonly #copies: string;
  #seen = "";
  #certificates: Certificate[] = [];
  /** Certificates by each of their names, and by the path of their copies. */
  #byName = new Map<string, Certificate[]>();
  #byCopy = new Map<string, Certificate>();
  /** The best certificate for each host that was looked up, since when. */
  #best = new Map<string, Certificate | undefined>();
  #bestSince = 0;
  #unusable: Problem[] = [];

  /** @param copies directory of mode 700 for the copies */
  constructor(directory: string, copies: string) {
    this.#directory = directory;
    this.#copies = copies;
  }

  /** Reads the directory again. Returns whether anything has changed. */
  refresh(): boolean {
    const { names, problem } = this.#list();
    const seen =
      names.map((name) => `${name} ${fingerprint(join(this.#directory, name))}`).join("\n") + (problem ?? "");
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
    this.#certificates = names.flatMap((name) => {
      try {
        return [this.#load(name)];
      } catch (error) {
        this.#unusable.push(unusable(name, reasonOf(error)));
        return [];
      }
    });
    this.#index();
    return true;
  }

  /** When each certificate ends, in milliseconds since 1970, by the name of its file. */
  expiries(): Map<string, number> {
    return new Map(this.#certificates.map(({ file, leaf }) => [file, endOf(leaf)]));
  }

  /** The file of the certificate for a host name or IP literal; undefined if there is none. */
  fileFor(host: string): string | undefined {
    if (Date.now() - this.#bestSince > KNOWN_FOR) {
      this.#best.clear();
      this.#bestSince = Date.now();
    }
    const best = this.#best.has(host) ? this.#best.get(host) : this.#find(host);
    this.#best.set(host, best);
    // Copies that no release uses are deleted, so this one can be missing.
    if (best && !existsSync(best.copy)) keepCopy(best);
    return best?.copy;
  }

  /** The host names in a certificate, in lower case. @param copy a file that `fileFor` returned */
  namesIn(copy: string): string[] {
    return this.#byCopy.get(copy)?.names.filter((name) => HOST_NAME.test(name)) ?? [];
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
    this.#byCopy = new Map(this.#certificates.map((certificate) => [certificate.copy, certificate]));
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
      .filter(({ leaf }) => endOf(leaf) < Date.now())
      .map(({ file, leaf }) => ({
        object: file,
        code: "certificate_expired",
        msg: `The certificate in ${file} expired at ${new Date(endOf(leaf)).toISOString()}; it is still served. Renew it.`,
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

  #load(name: string): Certificate {
    const file = join(this.#directory, name);
    const blocks = [...readTrusted(file, LARGEST_FILE).toString("latin1").matchAll(BLOCK)].map(
      ([text, label = ""]) => ({
        text,
        label,
      }),
    );
    const chain = blocks.filter(({ label }) => label === "CERTIFICATE").map(({ text }) => text);
    const keys = blocks.filter(({ label }) => label.endsWith("PRIVATE KEY")).map(({ text }) => text);
    const [leaf] = chain.map((text) => new X509Certificate(text));
    const [key] = keys;
    if (!leaf) throw new Refusal("it contains no certificate");
    if (key === undefined || keys.length > 1)
      throw new Refusal(`it contains ${keys.length} private keys instead of one`);
    if (!leaf.checkPrivateKey(createPrivateKey(key)))
      throw new Refusal("its private key does not belong to its first certificate");
    const content = [...chain, key, ""].join("\n");
    const copy = join(this.#copies, `${createHash("sha256").update(content).digest("hex").slice(0, 32)}.pem`);
    const certificate = { file: name, leaf, names: namesOf(leaf), copy, content };
    keepCopy(certificate);
    return certificate;
  }
}

function keepCopy({ copy, content }: Certificate): void {
  if (!existsSync(copy) || readFileSync(copy, "latin1") !== content) writeDurably(copy, content);
  chmodSync(copy, 0o600);
}

/** Changes when a file is written or replaced. Follows links. */
function fingerprint(path: string): string {
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

const endOf = (leaf: X509Certificate): number => Date.parse(leaf.validTo);

const isValidNow = (leaf: X509Certificate): boolean =>
  Date.parse(leaf.validFrom) <= Date.now() && endOf(leaf) > Date.now();

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
    (a.copy < b.copy ? -1 : 1);
