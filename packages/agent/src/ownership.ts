import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  type Stats,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { codeOf, Refusal } from "./refusal.ts";

/*
 * Other users of the machine can be hostile. The agent only uses directories and files that nobody except root and its own user
 * can write or replace.
 */

const MOST_LINKS = 40;
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

const ownUser = (): number => process.geteuid?.() ?? 0;
const isTrusted = ({ uid }: Stats): boolean => uid === 0 || uid === ownUser();

function found(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new Refusal(`Cannot use ${path}: ${codeOf(error) ?? String(error)}.`);
  }
}

function checkOwner(path: string, stats: Stats): void {
  if (!isTrusted(stats))
    throw new Refusal(
      `${path} belongs to user ${stats.uid}. It must belong to the agent's user (${ownUser()}) or to root.`,
    );
}

/** Accepts sticky directories such as /tmp, where other users cannot replace this user's files. */
function checkParent(path: string, stats: Stats): void {
  if (!stats.isDirectory()) throw new Refusal(`${path} is not a directory.`);
  checkOwner(path, stats);
  if ((stats.mode & OTHERS_WRITE) !== 0 && (stats.mode & STICKY) === 0)
    throw new Refusal(`Other users can write to ${path}. Run chmod go-w ${path}, or use another directory.`);
}

/**
 * Resolves the links in a path, and checks that nobody else can replace any part of it: neither a link, nor a directory that the
 * path or a link passes through.
 *
 * @param make creates missing directories, with mode 700
 * @throws Refusal
 */
export function securedPath(path: string, make = false, links = 0): string {
  if (links > MOST_LINKS) throw new Refusal(`${path} has too many symbolic links.`);
  let real = "/";
  for (const name of resolve(path).split("/").slice(1)) {
    if (name === "") continue;
    checkParent(real, statSync(real));
    const next = join(real, name);
    if (make && !found(next)) mkdirSync(next, { mode: 0o700 });
    const stats = found(next);
    if (!stats) throw new Refusal(`${next} does not exist.`);
    checkOwner(next, stats);
    real = stats.isSymbolicLink() ? securedPath(resolve(real, readlinkSync(next)), false, links + 1) : next;
  }
  return real;
}

/** Creates a directory with mode 700, or checks that an existing one belongs to this user. @throws Refusal */
export function makeOwnDirectory(path: string): void {
  const real = join(securedPath(dirname(path), true), basename(path));
  if (!found(real)) mkdirSync(real, { mode: 0o700 });
  checkOwn(real, lstatSync(real), (stats) => stats.isDirectory());
  chmodSync(real, 0o700);
}

/** Checks everything in this user's directory. @throws Refusal if it contains links or files of another user */
export function checkContents(directory: string, mayBeLink: (name: string) => boolean): void {
  for (const name of namesIn(directory)) {
    const path = join(directory, name);
    const stats = found(path);
    // Another agent can be using the directory. Taking the lock reports that.
    if (!stats) continue;
    const isLink = stats.isSymbolicLink() && mayBeLink(name);
    checkOwn(path, stats, () => stats.isDirectory() || stats.isFile() || stats.isSocket() || isLink);
    if (stats.isDirectory()) checkContents(path, () => false);
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

function checkOwn(path: string, stats: Stats, isKind: (stats: Stats) => boolean): void {
  const problem = !isKind(stats)
    ? stats.isFile()
      ? "is a file, not a directory"
      : "has an unexpected file type"
    : stats.uid !== ownUser()
      ? `belongs to user ${stats.uid} instead of the agent's user (${ownUser()})`
      : (stats.mode & OTHERS_WRITE) !== 0 && stats.isDirectory()
        ? "is writable by other users"
        : undefined;
  if (problem !== undefined)
    throw new Refusal(
      `${path} ${problem}. Find out who created it, then remove it or use another directory.`,
    );
}

/** Checks a directory that the operator fills. @throws Refusal if others can write to it */
export function checkDirectory(path: string): void {
  if (!found(path)) throw new Refusal(`${path} does not exist.`);
  checkParent(path, statSync(path));
}

/**
 * Reads a regular file. Links are followed, as certbot and Kubernetes use them.
 *
 * @throws Refusal if it is larger than `most` bytes, or others can write to it
 */
export function readTrusted(path: string, most: number): Buffer {
  // Opening a device can have side effects.
  if (!statSync(path).isFile()) throw new Refusal("it is not a regular file");
  // The file can have been replaced by a FIFO since.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Refusal("it is not a regular file");
    if (!isTrusted(stats)) throw new Refusal(`it belongs to user ${stats.uid}`);
    if ((stats.mode & OTHERS_WRITE) !== 0) throw new Refusal("other users can write to it");
    if (stats.size > most) throw new Refusal(`it is larger than ${most} bytes`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
