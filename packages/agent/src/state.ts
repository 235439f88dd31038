import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import type * as z from "zod";
import { within } from "./base/within.ts";
import { log } from "./log.ts";
import { matching } from "./matching.ts";
import { checkContents, makeOwnDirectory } from "./ownership.ts";
import { codeOf, reasonOf, Refusal } from "./refusal.ts";

/*
 * The state directory: files with mode 600 in directories with mode 700. Each file is written under another name, then renamed.
 *
 *   current -> releases/N     what HAProxy reads
 *   releases/N/               rendered files, certificates and their keys among them
 *   run/                      unix sockets
 *   issued/                   issued certificates and their keys: see `issued_files.ts`
 *   snapshot.json, good.json, next.json, applied.json, haproxy.json, names.json, key_sets.json, certificates.json, clock.json,
 *   features.json, issuers.json, unused.json, traffic.json, traffic_reports.json
 */

/** The path of a unix socket has at most 107 bytes, including the socket's name and a suffix that HAProxy adds. */
const LONGEST_SOCKETS_PATH = 40;
const RELEASES_KEPT = 3;
/** The directory of files that HAProxy only tries. */
const TRIAL = "trial";
/** The directory of issued certificates. */
export const ISSUED = "issued";

export class State {
  readonly directory: string;
  readonly sockets: string;
  readonly releases: string;
  readonly current: string;
  /** The text that `writeIfNew` has last written to each file. */
  readonly #written = new Map<string, string>();

  /** @throws Refusal */
  constructor(directory: string) {
    this.directory = directory;
    this.sockets = join(directory, "run");
    this.releases = join(directory, "releases");
    this.current = join(directory, "current");
    if (Buffer.byteLength(this.sockets) > LONGEST_SOCKETS_PATH)
      throw new Refusal(
        `--state ${directory}: the path is too long for the Unix sockets in it. Use at most ${LONGEST_SOCKETS_PATH - 4} bytes.`,
      );
    if (!/^[\w./-]+$/.test(directory))
      throw new Refusal(`--state ${directory}: the path can only contain letters, digits and . _ - /.`);
    this.makeDirectories();
    checkContents(directory, (name) => /^current(\.\d+)?$/.test(name));
  }

  /** Creates the directories that do not exist. @throws Refusal */
  makeDirectories(): void {
    for (const path of [this.directory, this.sockets, this.releases]) makeOwnDirectory(path);
  }

  /** The content of a JSON file; undefined if it does not exist or does not match the schema. */
  read<Value>(name: string, schema: z.ZodType<Value>): Value | undefined {
    try {
      return matching(schema, JSON.parse(readFileSync(join(this.directory, name), "utf8")));
    } catch (error) {
      if (codeOf(error) !== "ENOENT") log(`${name} in ${this.directory} is ignored: ${reasonOf(error)}`);
      return undefined;
    }
  }

  /** Writes a value as JSON. Returns the text. */
  write(name: string, value: unknown): string {
    const text = JSON.stringify(value);
    this.writeText(name, text);
    return text;
  }

  writeText(name: string, text: string): void {
    writeDurably(join(this.directory, name), text);
  }

  remove(name: string): void {
    rmSync(join(this.directory, name), { force: true });
  }

  /** Renames a file. */
  rename(from: string, to: string): void {
    renameSync(join(this.directory, from), join(this.directory, to));
    syncDirectory(this.directory);
  }

  /** Writes a file unless it has this value since the last write. */
  writeIfNew(name: string, value: unknown): void {
    if (this.#written.get(name) === JSON.stringify(value)) return;
    this.#written.set(name, this.write(name, value));
  }

  release(number: number): string {
    return join(this.releases, String(number));
  }

  /** The number of the release that HAProxy loads when it starts; undefined if there is none. */
  currentRelease(): number | undefined {
    try {
      const [, number] = /^releases\/(\d{1,15})$/.exec(readlinkSync(this.current)) ?? [];
      return number === undefined ? undefined : Number(number);
    } catch {
      return undefined;
    }
  }

  newestRelease(): number {
    return Math.max(0, ...this.#numbers());
  }

  writeRelease(number: number, files: ReadonlyMap<string, string>): void {
    writeFiles(this.release(number), files);
  }

  /** Writes files for as long as something uses them. Resolves to what that returns. @param use gets their directory */
  async withFiles<Result>(
    files: ReadonlyMap<string, string>,
    use: (directory: string) => Promise<Result>,
  ): Promise<Result> {
    const directory = join(this.directory, TRIAL);
    writeFiles(directory, files);
    try {
      return await use(directory);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }

  /** The content of a file of the current release. @throws if there is none */
  readCurrent(path: string): string {
    return readFileSync(within(this.current, path), "utf8");
  }

  /** Replaces and deletes files of a release, so that HAProxy loads the others when it is started again. */
  rewrite(number: number, files: ReadonlyMap<string, string>, deleted: readonly string[]): void {
    const directory = this.release(number);
    for (const [path, content] of files) writeDurably(within(directory, path), content);
    for (const path of deleted) rmSync(within(directory, path), { force: true });
  }

  /** The contents of a release's files by path. */
  filesOf(number: number): Map<string, string> {
    const directory = this.release(number);
    if (!existsSync(directory)) return new Map();
    const files = readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    return new Map(files.map((file) => [relative(directory, file), readFileSync(file, "utf8")]));
  }

  switchTo(number: number): void {
    const draft = `${this.current}.${process.pid}`;
    rmSync(draft, { force: true });
    symlinkSync(join("releases", String(number)), draft);
    renameSync(draft, this.current);
    syncDirectory(this.directory);
  }

  /** Deletes the internal sockets that a configuration does not have. HAProxy leaves them behind. */
  pruneSockets(configuration: string): void {
    for (const name of readdirSync(this.sockets))
      if (/^(?:bkdhr|wsup)_\w+\.\w+$/.test(name) && !configuration.includes(`/${name}`))
        rmSync(join(this.sockets, name), { force: true });
  }

  removeRelease(number: number): void {
    rmSync(this.release(number), { recursive: true, force: true });
  }

  /** Deletes files that an agent was writing when it was killed. */
  tidy(): void {
    rmSync(join(this.directory, TRIAL), { recursive: true, force: true });
    const issued = join(this.directory, ISSUED);
    for (const directory of [this.directory, ...(existsSync(issued) ? [issued] : [])])
      for (const name of readdirSync(directory))
        if (/^(current\.\d+|.*\.new)$/.test(name)) rmSync(join(directory, name), { force: true });
  }

  /** Deletes all releases except the newest ones and those in `kept`. */
  prune(kept: readonly number[]): void {
    const numbers = this.#numbers().toSorted((a, b) => b - a);
    const stay = new Set([...numbers.slice(0, RELEASES_KEPT), ...kept]);
    for (const number of numbers) if (!stay.has(number)) this.removeRelease(number);
  }

  #numbers(): number[] {
    return readdirSync(this.releases)
      .filter((name) => /^\d{1,15}$/.test(name))
      .map(Number);
  }
}

function writeFiles(directory: string, files: ReadonlyMap<string, string>): void {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { mode: 0o700 });
  for (const [path, content] of files) {
    const file = within(directory, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, content, { mode: 0o600, flag: "wx" });
  }
}

/** Writes a file. After a power failure, it has either the old or the new content. */
function writeDurably(path: string, content: string | Uint8Array): void {
  const draft = `${path}.${process.pid}.new`;
  rmSync(draft, { force: true });
  const file = openSync(draft, "wx", 0o600);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  syncDirectory(dirname(path));
}

function syncDirectory(path: string): void {
  const directory = openSync(path, "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
