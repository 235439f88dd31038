import { CERTIFICATE_FILES, CERTIFICATE_LISTS } from "./render/contract.ts";

/*
 * The steps in which a running HAProxy gets other server certificates. A list has a line for each certificate: its path, options in
 * brackets, and host names.
 */

/** Contents of files by path. */
export type Files = ReadonlyMap<string, string>;

/** Beyond that, a reload is as fast. */
const MOST_CERTIFICATES = 100;
/** HAProxy reads a command with its data into a buffer of 16 KiB. */
const LARGEST_DATA = 15_000;

/** A line of a list. */
export interface ListedLine {
  /** Path of the list in the release. */
  list: string;
  /** Absolute path of the certificate. */
  certificate: string;
  /** The whole line. */
  line: string;
}

/** What changes. Paths are those in the release, unless said otherwise. */
export interface CertificateSteps {
  /** Content by path. */
  created: Files;
  renewed: Files;
  deleted: string[];
  added: ListedLine[];
  removed: ListedLine[];
}

export const isCertificate = (path: string): boolean =>
  path.startsWith(`${CERTIFICATE_FILES}/`) || path.startsWith(`${CERTIFICATE_LISTS}/`);

/**
 * The steps from the certificates and lists of some files to those of others. Undefined if that takes a reload: HAProxy identifies a line
 * of a list by its certificate, so only lines for a certificate that has no other line come and go.
 *
 * @param before the current files
 * @param after the new ones
 */
export function certificateSteps(before: Files, after: Files): CertificateSteps | undefined {
  const created = new Map<string, string>();
  const renewed = new Map<string, string>();
  const [added, removed]: [ListedLine[], ListedLine[]] = [[], []];
  for (const [path, content] of after) {
    const old = before.get(path);
    if (!isCertificate(path) || old === content) continue;
    if (path.startsWith(`${CERTIFICATE_FILES}/`)) (old === undefined ? created : renewed).set(path, content);
    else {
      const lines = linesBetween(path, old ?? "", content);
      if (!lines) return undefined;
      added.push(...lines.added);
      removed.push(...lines.removed);
    }
  }
  const deleted = [...before.keys()].filter(
    (path) => path.startsWith(`${CERTIFICATE_FILES}/`) && !after.has(path),
  );
  const put = [...created.values(), ...renewed.values(), ...added.map(({ line }) => line)];
  if (put.length + removed.length > MOST_CERTIFICATES) return undefined;
  if (put.some((text) => Buffer.byteLength(text) > LARGEST_DATA)) return undefined;
  return { created, renewed, deleted, added, removed };
}

function linesBetween(list: string, before: string, after: string) {
  const known = linesOf(list, before);
  const wanted = linesOf(list, after);
  const added = notIn(known, wanted);
  const removed = notIn(wanted, known);
  const times = new Map<string, number>();
  for (const { certificate } of [...known, ...added])
    times.set(certificate, (times.get(certificate) ?? 0) + 1);
  const isOnly = ({ certificate }: ListedLine): boolean => times.get(certificate) === 1;
  return [...added, ...removed].every(isOnly) ? { added, removed } : undefined;
}

/** The lines that others do not contain. */
function notIn(others: readonly ListedLine[], lines: readonly ListedLine[]): ListedLine[] {
  const texts = new Set(others.map(({ line }) => line));
  return lines.filter(({ line }) => !texts.has(line));
}

const linesOf = (list: string, content: string): ListedLine[] =>
  content
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({ list, certificate: line.slice(0, line.indexOf(" ")), line }));
