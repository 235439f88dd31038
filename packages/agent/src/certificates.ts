import { isIP } from "node:net";
import type { Problem } from "../../model/src/traffic/problems.ts";
import { elapsed, NEVER, textOfInstant, wallClock } from "./base/clock.ts";
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
} from "./certificate_file.ts";
import type { CertificateFolder, FolderEntry } from "./certificate_folder.ts";
import type { ServerCertificate } from "./render/contract.ts";

/*
 * Server certificates: the operator's PEM files, and issued ones. HAProxy reads copies of them in its release, so a file
 * that is incomplete or renewed has no effect until the agent has checked it. A file that cannot be used does not take down what was
 * read from it before.
 */

/** A certificate that HAProxy rejects is tried again: a single verdict can be the fault of a machine in trouble. */
const TRIED_AGAIN_AFTER = 5_000;
const TRIED_AGAIN_LATER = 600_000;

interface Rejected {
  reason: string;
  /** When it is tried again. */
  until: number;
}

export class Certificates {
  readonly #folders: readonly CertificateFolder[];
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

  constructor(folders: readonly CertificateFolder[]) {
    this.#folders = folders;
  }

  /** Reads the directories again. Returns whether anything has changed; certificates also expire, or become valid. */
  refresh(): boolean {
    const changes = this.#folders.map((folder) => folder.refresh(this.#isRejected));
    const hasChanged = changes.includes(true);
    const isChosen = this.#choose();
    if (hasChanged) this.#forgetRejected();
    return this.#hasOtherValid() || isChosen || hasChanged;
  }

  get #entries(): FolderEntry[] {
    return this.#folders.flatMap(({ entries }) => [...entries.values()]);
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
    const all = this.#entries.flatMap(({ result, earlier }) =>
      typeof result === "string" ? earlier : [result, ...earlier],
    );
    const contents = new Set(all.map(({ served }) => served.content));
    for (const content of this.#rejected.keys()) if (!contents.has(content)) this.#rejected.delete(content);
    this.#accepted = new Set([...this.#accepted].filter((content) => contents.has(content)));
  }

  readonly #isRejected = ({ served }: CertificateFile): boolean =>
    elapsed() < (this.#rejected.get(served.content)?.until ?? NEVER);

  /** Chooses the certificate of each file. Returns whether another one is in use now. */
  #choose(): boolean {
    const current = this.#entries.flatMap(({ result }) =>
      typeof result === "string" || this.#isRejected(result) ? [] : [result],
    );
    const isReplaced = (kept: CertificateFile): boolean =>
      current.some((other) => isValidNow(other) && covers(other, kept));
    const kept = this.#entries.flatMap(({ result, earlier }) => {
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
    for (const entry of this.#entries)
      if (typeof entry.result !== "string" && this.#accepted.has(entry.result.served.content))
        entry.earlier = [];
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

  /** Whether a file of the operator's has the certificate for a host, and that is valid. */
  hasValidFile(host: string): boolean {
    const best = this.#bestOf(host);
    return best?.source === "file" && isValidNow(best);
  }

  /** Whether there is a valid certificate for a host. */
  hasValid(host: string): boolean {
    const best = this.#bestOf(host);
    return best !== undefined && isValidNow(best);
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
    return [
      ...this.#folders.flatMap((folder) => this.#unusable(folder)),
      ...this.#expired(),
      ...this.#incompatible(),
    ];
  }

  #unusable({ directory, problem, entries }: CertificateFolder): Problem[] {
    // The files were not looked at if the directory cannot be read.
    if (problem !== undefined)
      return [`Cannot read the certificate directory: ${problem}`].map(unusable(directory));
    return [...entries].flatMap(([name, { result }]) => {
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
  }

  #expired(): Problem[] {
    return this.#certificates
      .filter((one) => endOf(one) < wallClock())
      .flatMap((one) => {
        const isServed = hostsOf(one).some((host) => this.#bestOf(host) === one);
        const end = textOfInstant(endOf(one));
        const isIssued = one.source === "issued";
        // The agent deletes these itself.
        if (isIssued && !isServed) return [];
        const what = isIssued ? "The agent requests another one." : "Renew it.";
        const msg = isServed
          ? `The certificate in ${one.name} expired at ${end}; it is still served. ${what}`
          : `The certificate in ${one.name} expired at ${end} and is unused: delete it.`;
        return [{ object: one.name, code: "certificate_expired", msg }];
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
}

const unusable =
  (object: string) =>
  (msg: string): Problem => ({ object, code: "certificate_unusable", msg });
