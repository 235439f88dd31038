import { readdirSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import type { Problem } from "../../model/src/traffic/problems.ts";
import {
  byPreference,
  type CertificateFile,
  covers,
  endOf,
  hostsOf,
  isFor,
  isValidNow,
  keySizeOf,
  onlyCommonName,
  readCertificate,
} from "./certificate_file.ts";
import { elapsed, NEVER, textOfInstant, wallClock } from "./clock.ts";
import { checkDirectory } from "./ownership.ts";
import { reasonOf } from "./refusal.ts";
import type { ServerCertificate } from "./render/contract.ts";

/*
 * Server certificates: a directory of PEM files, each with a chain and its key. HAProxy reads copies of them in its release, so a file
 * that is incomplete or renewed has no effect until the agent has checked it. A file that cannot be used does not take down what was
 * read from it before.
 */

/** Milliseconds after which a missing file counts as deleted. Some programs delete a file before they rename another to it. */
const BETWEEN_CHECKS = 1_500;
/** Certificates of a file that are remembered. */
const MOST_EARLIER = 3;

/** A certificate that HAProxy rejects is tried again: a single verdict can be the fault of a machine in trouble. */
const TRIED_AGAIN_AFTER = 5_000;
const TRIED_AGAIN_LATER = 600_000;

interface Rejected {
  reason: string;
  /** When it is tried again. */
  until: number;
}

/** A file, or one that was there a moment ago. */
interface Source {
  fingerprint: string;
  /** What was read last, or why it cannot be used. */
  result: CertificateFile | string;
  /** What was read before, newest first, for as long as HAProxy has not accepted a newer one. */
  earlier: CertificateFile[];
  missingSince: number | undefined;
}

export class Certificates {
  readonly #directory: string;
  #seen = "";
  #sources: Map<string, Source>;
  /** What HAProxy rejects, by content. */
  readonly #rejected = new Map<string, Rejected>();
  #accepted = new Set<string>();
  /** The certificates in use. */
  #certificates: CertificateFile[] = [];
  /** Certificates by each of their names. */
  #byName = new Map<string, CertificateFile[]>();
  /** The best certificate for each host that was looked up, as long as the same ones are valid. */
  readonly #best = new Map<string, CertificateFile | undefined>();
  /** Which certificates in use are valid. */
  #valid = "";
  /** Counts changes of which certificate is best for a host. */
  revision = 0;
  #listProblem: string | undefined;

  /** @param saved what an earlier agent read from files that may be broken now */
  constructor(directory: string, saved: readonly CertificateFile[] = []) {
    this.#directory = directory;
    this.#sources = new Map(
      saved.map((certificate) => [
        certificate.name,
        { fingerprint: "", result: certificate, earlier: [], missingSince: undefined },
      ]),
    );
  }

  /** Reads the directory again. Returns whether anything has changed; certificates also expire, or become valid. */
  refresh(): boolean {
    const { names, problem } = this.#list();
    const files = names.map((name) => ({ name, fingerprint: fingerprintOf(join(this.#directory, name)) }));
    const seen = JSON.stringify([files, problem]);
    const hasChanged = seen !== this.#seen;
    this.#seen = seen;
    this.#listProblem = problem;
    // Keep serving the known certificates if the directory cannot be listed.
    if (problem === undefined) {
      const gone = [...this.#sources].filter(([name]) => !names.includes(name));
      const read = files.map(({ name, fingerprint }) => [name, this.#read(name, fingerprint)] as const);
      this.#sources = new Map([...read, ...gone.flatMap(([name, source]) => stillThere(name, source))]);
    }
    const isChosen = this.#choose();
    if (hasChanged) this.#forgetRejected();
    return this.#hasOtherValid() || isChosen || hasChanged;
  }

  /** Whether other certificates are valid now than before. */
  #hasOtherValid(): boolean {
    const valid = this.#certificates.map((one) => (isValidNow(one) ? "1" : "0")).join("");
    if (valid === this.#valid) return false;
    this.#valid = valid;
    this.#forgetBest();
    return true;
  }

  #forgetBest(): void {
    this.#best.clear();
    this.revision++;
  }

  #forgetRejected(): void {
    const all = [...this.#sources.values()].flatMap(({ result, earlier }) =>
      typeof result === "string" ? earlier : [result, ...earlier],
    );
    const contents = new Set(all.map(({ served }) => served.content));
    for (const content of this.#rejected.keys()) if (!contents.has(content)) this.#rejected.delete(content);
    this.#accepted = new Set([...this.#accepted].filter((content) => contents.has(content)));
  }

  #read(name: string, fingerprint: string): Source {
    const known = this.#sources.get(name);
    if (known?.fingerprint === fingerprint) return { ...known, missingSince: undefined };
    const previous = known && typeof known.result !== "string" ? [known.result] : [];
    const earlier = [...previous, ...(known?.earlier ?? [])].filter((one) => !this.#isRejected(one));
    // The oldest is the one that HAProxy accepted last.
    if (earlier.length > MOST_EARLIER) earlier.splice(1, earlier.length - MOST_EARLIER);
    let result: CertificateFile | string;
    try {
      result = readCertificate(this.#directory, name);
    } catch (error) {
      result = reasonOf(error);
    }
    return { fingerprint, result, earlier, missingSince: undefined };
  }

  readonly #isRejected = ({ served }: CertificateFile): boolean =>
    elapsed() < (this.#rejected.get(served.content)?.until ?? NEVER);

  /** Chooses the certificate of each file. Returns whether another one is in use now. */
  #choose(): boolean {
    const current = [...this.#sources.values()].flatMap(({ result }) =>
      typeof result === "string" || this.#isRejected(result) ? [] : [result],
    );
    const isReplaced = (kept: CertificateFile): boolean =>
      current.some((other) => isValidNow(other) && covers(other, kept));
    const kept = [...this.#sources.values()].flatMap(({ result, earlier }) => {
      if (typeof result !== "string" && !this.#isRejected(result)) return [];
      const last = earlier.find((one) => !this.#isRejected(one) && endOf(one) > wallClock());
      return last === undefined || isReplaced(last) ? [] : [last];
    });
    const chosen = [...current, ...kept];
    const isSame =
      chosen.length === this.#certificates.length &&
      chosen.every((one, index) => one === this.#certificates[index]);
    if (isSame) return false;
    this.#certificates = chosen;
    this.#index();
    return true;
  }

  /** HAProxy accepts certificates with these contents: what was read before them is no longer needed. */
  accept(contents: Iterable<string>): void {
    for (const content of contents) {
      this.#accepted.add(content);
      this.#rejected.delete(content);
    }
    for (const source of this.#sources.values())
      if (typeof source.result !== "string" && this.#accepted.has(source.result.served.content))
        source.earlier = [];
  }

  /** Whether HAProxy has accepted a certificate with this content. */
  isAccepted(content: string): boolean {
    return this.#accepted.has(content);
  }

  /** HAProxy rejects a certificate with this content. */
  reject(content: string, reason: string): void {
    const pause = this.#rejected.has(content) ? TRIED_AGAIN_LATER : TRIED_AGAIN_AFTER;
    this.#rejected.set(content, { reason, until: elapsed() + pause });
    this.#choose();
  }

  /** The certificates in use. */
  get inUse(): readonly CertificateFile[] {
    return this.#certificates;
  }

  /** When each certificate ends, in milliseconds since 1970, by the name of its file. */
  expiries(): Map<string, number> {
    return new Map(this.#certificates.map((certificate) => [certificate.name, endOf(certificate)]));
  }

  /** The certificate for a host name or IP literal; undefined if there is none. */
  bestFor(host: string): ServerCertificate | undefined {
    return this.#bestOf(host)?.served;
  }

  /** A file whose certificate names a host in a way that clients ignore: only as its common name. */
  ignoredFor(host: string): string | undefined {
    const name = host.toLowerCase();
    const names = new Set([name, name.replace(/^[^.]*/, "*")]);
    return this.#certificates.find((one) => names.has(onlyCommonName(one) ?? ""))?.name;
  }

  #bestOf(host: string): CertificateFile | undefined {
    const best = this.#best.has(host) ? this.#best.get(host) : this.#find(host);
    this.#best.set(host, best);
    return best;
  }

  #find(host: string): CertificateFile | undefined {
    const name = host.replace(/\.$/, "").replace(/^\[|\]$/g, "");
    const wildcard = name.replace(/^[^.]*/, "*");
    const candidates =
      isIP(name) === 0
        ? [
            ...(this.#byName.get(name.toLowerCase()) ?? []),
            ...(this.#byName.get(wildcard.toLowerCase()) ?? []),
          ]
        : this.#certificates;
    const [best] = candidates.filter((each) => isFor(each, name)).toSorted(byPreference(name));
    return best;
  }

  /** Makes the certificates findable by their names. */
  #index(): void {
    this.#forgetBest();
    this.#byName = new Map();
    for (const certificate of this.#certificates)
      for (const name of new Set(certificate.names)) {
        const others = this.#byName.get(name) ?? [];
        others.push(certificate);
        this.#byName.set(name, others);
      }
  }

  /** Files that cannot be used, or not by all clients, and certificates that have expired. */
  problems(): Problem[] {
    const list = this.#listProblem;
    const directory =
      list === undefined
        ? []
        : [`Cannot read the certificate directory: ${list}`].map(unusable(this.#directory));
    const files = [...this.#sources].flatMap(([name, { result }]) => {
      const reason = typeof result === "string" ? result : this.#rejected.get(result.served.content)?.reason;
      if (reason === undefined) return [];
      const last = this.#certificates.find((one) => one.name === name);
      const why =
        typeof result === "string"
          ? `${reason}. Expected PEM: the chain, then its private key, without a passphrase.`
          : `HAProxy rejects it: ${reason}${keySizeOf(result)}.`;
      const instead =
        last === undefined
          ? ""
          : ` Its last usable certificate is still served, until ${textOfInstant(endOf(last))}.`;
      return [`${name} is not used: ${why}${instead}`].map(unusable(name));
    });
    // The files were not looked at if the directory cannot be read.
    return [...directory, ...(list === undefined ? files : []), ...this.#expired(), ...this.#incompatible()];
  }

  #expired(): Problem[] {
    return this.#certificates
      .filter((one) => endOf(one) < wallClock())
      .map((one) => {
        const isServed = hostsOf(one).some((host) => this.#bestOf(host) === one);
        const end = textOfInstant(endOf(one));
        const msg = isServed
          ? `The certificate in ${one.name} expired at ${end}; it is still served. Renew it.`
          : `The certificate in ${one.name} expired at ${end} and is unused: delete it.`;
        return { object: one.name, code: "certificate_expired", msg };
      });
  }

  #incompatible(): Problem[] {
    return this.#certificates
      .filter(({ hasExplicitCurve }) => hasExplicitCurve)
      .map(({ name }) => ({
        object: name,
        code: "certificate_incompatible",
        msg: `The certificate in ${name} is served, but clients with OpenSSL 3 reject it: an EC key describes its curve instead of naming it. Create a key with a named curve (openssl ecparam -param_enc named_curve).`,
      }));
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
}

/** What becomes of a file that is missing now: it is gone if it was missing in the last check too. */
function stillThere(name: string, source: Source): [string, Source][] {
  const { missingSince = elapsed() } = source;
  return elapsed() - missingSince >= BETWEEN_CHECKS ? [] : [[name, { ...source, missingSince }]];
}

/** Changes when a file is written or replaced. Follows links. */
function fingerprintOf(path: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(path);
    return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  } catch {
    return "unreadable";
  }
}

const unusable =
  (object: string) =>
  (msg: string): Problem => ({ object, code: "certificate_unusable", msg });
