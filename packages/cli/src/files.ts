import { randomUUID } from "node:crypto";
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
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
import { Refusal } from "./refusal.ts";

/*
 * Files on disk: regular files of bounded size, inside the working directory unless the user says otherwise.
 */

/** More than any service holds, and little enough to parse. */
const MOST_MEBIBYTES = 8;
const MOST_BYTES = MOST_MEBIBYTES * 1024 ** 2;

/** "no such file or directory (ENOENT)" */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return String(error);
  const errno = "errno" in error && typeof error.errno === "number" ? error.errno : 0;
  return `${getSystemErrorMap().get(errno)?.[1] ?? "failed"} (${String(error.code)})`;
}

/** Runs an action on a file. @throws Refusal in place of the system's error */
function orRefuse<T>(what: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(`Cannot ${what}: ${reasonOf(error)}.`, { cause: error });
  }
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a directory";
  if (stats.isFIFO()) return "a named pipe";
  if (stats.isSocket()) return "a socket";
  return stats.isFile() ? "a regular file" : "a device";
}

function requireRegular(name: string, stats: Stats): void {
  if (!stats.isFile()) throw new Refusal(`${name} is ${kindOf(stats)}. Expected a regular file.`);
}

const isWithin = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way.split(/[\\/]/)[0] !== ".." && !isAbsolute(way);
};

/**
 * The path without symbolic links. Somebody else's checkout may hold links to private files, whose content would appear in errors:
 * a link inside the working directory must stay inside it, and a link elsewhere must stay inside its own directory.
 *
 * @throws Refusal for any other link, unless `follow`
 */
function realPath(name: string, follow: boolean): string {
  const real = realpathSync(name);
  const here = realpathSync(".");
  if (follow || isWithin(here, real)) return real;
  const given = resolve(name);
  for (let path = given; path !== dirname(path); path = dirname(path)) {
    if (!lstatSync(path).isSymbolicLink()) continue;
    const folder = realpathSync(dirname(path));
    const mayLeave = path === given ? isWithin(folder, real) : !isWithin(here, folder);
    if (!mayLeave)
      throw new Refusal(
        `${name} leads out of ${path === given && !isWithin(here, folder) ? "its" : "the working"} directory by a symbolic link. Pass --follow-symlinks to follow it.`,
      );
  }
  return real;
}

/** Whether there is a file of this name, even a link that leads nowhere. @throws Refusal if that cannot be known */
export const exists = (name: string): boolean =>
  orRefuse(`read ${name}`, () => lstatSync(name, { throwIfNoEntry: false }) !== undefined);

/** The text of a file. @throws Refusal */
export function readText(name: string, follow: boolean): string {
  const bytes = orRefuse(`read ${name}`, () => {
    const real = realPath(name, follow);
    // Opening a device can have effects.
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
    throw new Refusal(`${name} is not UTF-8 text.`);
  }
}

function bytesOf(name: string, file: number): Buffer {
  const chunks: Buffer[] = [];
  for (let size = 0; size <= MOST_BYTES;) {
    const chunk = Buffer.alloc(64 * 1024);
    const count = readSync(file, chunk);
    if (count === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, count));
    size += count;
  }
  throw new Refusal(`${name} is larger than ${MOST_MEBIBYTES} MiB. Divide it into several files.`);
}

/** The file to write for a name, and the permissions of the one that is there. */
function targetOf(name: string, follow: boolean): { path: string; mode?: number } {
  if (!exists(name)) return { path: join(realPath(dirname(name), follow), basename(name)) };
  const path = realPath(name, follow);
  const stats = statSync(path);
  requireRegular(name, stats);
  accessSync(path, constants.W_OK);
  return { path, mode: stats.mode & 0o777 };
}

/** Writes a draft in the directory of a file, uses it, and removes it. */
function withDraft(name: string, text: string, follow: boolean, use: (draft: string, path: string) => void) {
  orRefuse(`write ${name}`, () => {
    const { path, mode } = targetOf(name, follow);
    const draft = `${path}.${randomUUID().slice(0, 8)}.tmp`;
    try {
      writeFileSync(draft, text, { flag: "wx", flush: true });
      if (mode !== undefined) chmodSync(draft, mode);
      use(draft, path);
    } finally {
      if (lstatSync(draft, { throwIfNoEntry: false })) unlinkSync(draft);
    }
  });
}

/** Writes a file at once, so that nobody finds half of it. @throws Refusal */
export const writeWhole = (name: string, text: string, follow: boolean): void =>
  withDraft(name, text, follow, renameSync);

/** @throws Refusal if {@link writeWhole} could not write a file as long as this text */
export const requireWritable = (name: string, text: string, follow: boolean): void =>
  withDraft(name, text, follow, () => {});
