import { randomUUID } from "node:crypto";
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { getSystemErrorMap } from "node:util";
import { UserError } from "./errors.ts";

/*
 * Files on disk: regular files of bounded size, inside the working directory unless the user says otherwise.
 */

/** More than any service's configuration needs, and small enough to parse quickly. */
const MAX_MEBIBYTES = 8;
const MAX_BYTES = MAX_MEBIBYTES * 1024 ** 2;

/** Describes a system error: "no such file or directory (ENOENT)". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return String(error);
  const errno = "errno" in error && typeof error.errno === "number" ? error.errno : 0;
  return `${getSystemErrorMap().get(errno)?.[1] ?? "failed"} (${String(error.code)})`;
}

/** Runs an action on a file. @throws UserError instead of the system's error */
function attempt<T>(what: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`Cannot ${what}: ${reasonOf(error)}.`, { cause: error });
  }
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a directory";
  if (stats.isFIFO()) return "a named pipe";
  if (stats.isSocket()) return "a socket";
  return stats.isFile() ? "a regular file" : "a device";
}

function requireRegular(name: string, stats: Stats): void {
  if (!stats.isFile()) throw new UserError(`${name} is ${kindOf(stats)}. Expected a regular file.`);
}

const isWithin = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way.split(/[\\/]/)[0] !== ".." && !isAbsolute(way);
};

/**
 * Resolves symbolic links. Someone else's checkout may contain links to private files, whose content would appear in errors: a
 * link inside the working directory must stay inside it, and a link elsewhere must stay inside its own directory.
 *
 * @throws UserError for any other link, unless `follow`
 */
function realPath(name: string, follow: boolean): string {
  const real = realpathSync(name);
  const here = realpathSync(".");
  if (follow || isWithin(here, real)) return real;
  const given = resolve(name);
  for (let path = given; path !== dirname(path); path = dirname(path)) {
    if (!lstatSync(path).isSymbolicLink()) continue;
    const folder = realpathSync(dirname(path));
    const isAllowed = path === given ? isWithin(folder, real) : !isWithin(here, folder);
    if (!isAllowed)
      throw new UserError(
        `${name} leads out of ${path === given && !isWithin(here, folder) ? "its" : "the working"} directory through a symbolic link. Pass --follow-symlinks to follow it.`,
      );
  }
  return real;
}

/** True if a file with this name exists, even if it is a broken link. @throws UserError if it cannot be determined */
export const exists = (name: string): boolean =>
  attempt(`read ${name}`, () => lstatSync(name, { throwIfNoEntry: false }) !== undefined);

/** Reads a text file. @throws UserError */
export function readText(name: string, follow: boolean): string {
  const bytes = attempt(`read ${name}`, () => {
    const real = realPath(name, follow);
    // Opening a device can have side effects, so check before opening.
    requireRegular(name, statSync(real));
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const file = openSync(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      requireRegular(name, fstatSync(file));
      return bytesOf(name, file);
    } finally {
      closeSync(file);
    }
  });
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new UserError(`${name} is not UTF-8 text.`);
  }
}

function bytesOf(name: string, file: number): Buffer {
  const chunks: Buffer[] = [];
  for (let size = 0; size <= MAX_BYTES;) {
    const chunk = Buffer.alloc(64 * 1024);
    const count = readSync(file, chunk);
    if (count === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, count));
    size += count;
  }
  throw new UserError(`${name} is larger than ${MAX_MEBIBYTES} MiB. Divide it into several files.`);
}

/** The path to write, and the permissions of the existing file. */
function targetOf(name: string, follow: boolean): { path: string; mode?: number } {
  if (!exists(name)) return { path: join(realPath(dirname(name), follow), basename(name)) };
  const path = realPath(name, follow);
  const stats = statSync(path);
  requireRegular(name, stats);
  accessSync(path, constants.W_OK);
  return { path, mode: stats.mode & 0o777 };
}

/** Writes a temporary file next to a file, passes it to `use`, and removes it. @param mode the permissions; undefined for the default */
function withDraft(path: string, text: string, mode: number | undefined, use: (draft: string) => void): void {
  const draft = `${path}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    writeFileSync(draft, text, { flag: "wx", flush: true, mode: mode ?? 0o666 });
    if (mode !== undefined) chmodSync(draft, mode);
    use(draft);
  } finally {
    if (lstatSync(draft, { throwIfNoEntry: false })) unlinkSync(draft);
  }
}

/** Replaces a file atomically. @throws UserError */
export const writeAtomically = (name: string, text: string, follow: boolean): void =>
  attempt(`write ${name}`, () => {
    const { path, mode } = targetOf(name, follow);
    withDraft(path, text, mode, (draft) => renameSync(draft, path));
  });

/** @throws UserError if {@link writeAtomically} could not write a string of this length */
export const requireWritable = (name: string, text: string, follow: boolean): void =>
  attempt(`write ${name}`, () => {
    const { path, mode } = targetOf(name, follow);
    withDraft(path, text, mode, () => {});
  });

/** Reads a file of the user's own with secrets; undefined if there is none. @throws UserError if other users can read it */
export const readPrivate = (name: string): string | undefined =>
  attempt(`read ${name}`, () => {
    const stats = statSync(name, { throwIfNoEntry: false });
    if (!stats) return undefined;
    requireRegular(name, stats);
    if ((stats.mode & 0o077) !== 0)
      throw new UserError(`Other users can read ${name}, which has secrets: run chmod 600 ${name}.`);
    return readFileSync(name, "utf8");
  });

/** Replaces a file with secrets atomically, so that only the user can read it. Creates its folder. @throws UserError */
export const writePrivate = (name: string, text: string): void =>
  attempt(`write ${name}`, () => {
    mkdirSync(dirname(name), { recursive: true, mode: 0o700 });
    withDraft(name, text, 0o600, (draft) => renameSync(draft, name));
  });
