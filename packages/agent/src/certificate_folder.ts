import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { elapsed } from "./base/clock.ts";
import { type CertificateFile, type CertificateSource, readCertificate } from "./certificate_file.ts";
import { checkDirectory } from "./ownership.ts";
import { codeOf, reasonOf } from "./refusal.ts";
import { ISSUED } from "./state.ts";

/*
 * A directory of PEM files, each with a chain and its key: the operator's, or the agent's own with issued certificates.
 */

/** Milliseconds after which a missing file counts as deleted. Some programs delete a file before they rename another to it. */
const BETWEEN_CHECKS = 1_500;
/** Certificates of a file that are remembered. */
const MOST_EARLIER = 3;

/** A file, or one that was there a moment ago. */
export interface FolderEntry {
  fingerprint: string;
  /** What was read last, or why it cannot be used. */
  result: CertificateFile | string;
  /** What was read before, newest first, for as long as HAProxy has not accepted a newer one. */
  earlier: CertificateFile[];
  missingSince: number | undefined;
}

export class CertificateFolder {
  readonly directory: string;
  readonly #source: CertificateSource;
  #seen = "";
  /** By the name of the file. */
  #entries: ReadonlyMap<string, FolderEntry>;
  /** Why the directory cannot be read. */
  problem: string | undefined;

  /**
   * @param directory the operator's directory; for issued certificates, the state directory that contains {@link ISSUED}
   * @param saved what an earlier agent read from files that may be broken now
   */
  constructor(directory: string, source: CertificateSource, saved: readonly CertificateFile[] = []) {
    this.directory = directory;
    this.#source = source;
    this.#entries = new Map(
      saved.map((certificate) => [
        certificate.name,
        { fingerprint: "", result: certificate, earlier: [], missingSince: undefined },
      ]),
    );
  }

  get entries(): ReadonlyMap<string, FolderEntry> {
    return this.#entries;
  }

  /** Reads the directory again. Returns whether anything has changed. @param isRejected whether HAProxy rejects a certificate */
  refresh(isRejected: (certificate: CertificateFile) => boolean): boolean {
    const { names, problem } = this.#list();
    const files = names.map((name) => ({ name, fingerprint: fingerprintOf(join(this.directory, name)) }));
    const seen = JSON.stringify([files, problem]);
    const hasChanged = seen !== this.#seen;
    this.#seen = seen;
    this.problem = problem;
    // Keep serving the known certificates if the directory cannot be listed.
    if (problem === undefined) {
      const present = new Set(names);
      const gone = [...this.#entries].filter(([name]) => !present.has(name));
      const read = files.map(
        ({ name, fingerprint }) => [name, this.#read(name, fingerprint, isRejected)] as const,
      );
      this.#entries = new Map([...read, ...gone.flatMap(([name, entry]) => stillThere(name, entry))]);
    }
    return hasChanged;
  }

  #read(
    name: string,
    fingerprint: string,
    isRejected: (certificate: CertificateFile) => boolean,
  ): FolderEntry {
    const known = this.#entries.get(name);
    if (known?.fingerprint === fingerprint) return { ...known, missingSince: undefined };
    const previous = known && typeof known.result !== "string" ? [known.result] : [];
    const earlier = [...previous, ...(known?.earlier ?? [])].filter((one) => !isRejected(one));
    // The oldest is the one that HAProxy accepted last.
    if (earlier.length > MOST_EARLIER) earlier.splice(1, earlier.length - MOST_EARLIER);
    let result: CertificateFile | string;
    try {
      result = readCertificate(this.directory, name, this.#source);
    } catch (error) {
      result = reasonOf(error);
    }
    return { fingerprint, result, earlier, missingSince: undefined };
  }

  #list(): { names: string[]; problem?: string } {
    const prefix = this.#source === "issued" ? `${ISSUED}/` : "";
    try {
      // The agent makes its own directory once it needs it.
      if (prefix === "") checkDirectory(this.directory);
      return {
        names: readdirSync(join(this.directory, prefix))
          .filter((name) => name.endsWith(".pem") && !name.startsWith("."))
          .map((name) => `${prefix}${name}`)
          .toSorted(),
      };
    } catch (error) {
      // For `--check`, it can be that of another user.
      if (prefix !== "" && ["ENOENT", "EACCES"].includes(codeOf(error) ?? "")) return { names: [] };
      return { names: [], problem: reasonOf(error) };
    }
  }
}

/** What becomes of a file that is missing now: it is gone if it was missing in the last check too. */
function stillThere(name: string, entry: FolderEntry): [string, FolderEntry][] {
  const { missingSince = elapsed() } = entry;
  return elapsed() - missingSince >= BETWEEN_CHECKS ? [] : [[name, { ...entry, missingSince }]];
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
