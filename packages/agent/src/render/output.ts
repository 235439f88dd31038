import type { Problem, Snapshot } from "../../../traffic/src/snapshot.ts";
import { quote } from "../quote.ts";
import { within } from "../within.ts";
import type { RouteConversion, Listener, Rendered, Settings } from "./contract.ts";

/** The lines of a frontend that logs its connections. */
export const connectionLog = (option: "httplog" | "tcplog"): string[] => [
  "no log",
  "log global",
  `option ${option}`,
];

/** The `defaults` section that all sections build on. */
export const BASE = "base";

/** A section of HAProxy's configuration. */
export type SectionKind = "backend" | "defaults" | "frontend";

/** @throws RangeError if a line contains a line break, which could begin another section */
function sectionText(kind: SectionKind, name: string, from: string, lines: readonly string[]): string {
  const all = [`${kind} ${quote(name)} from ${quote(from)}`, ...lines.map((line) => `    ${line}`)];
  for (const line of all)
    if (/[\r\n\0]/.test(line))
      throw new RangeError(`Not a line of a configuration: ${JSON.stringify(line)}.`);
  return all.join("\n");
}

/** What has been rendered so far: sections of the configuration, other files, problems. */
export class Output {
  readonly snapshot: Snapshot;
  readonly settings: Settings;
  readonly listeners: Listener[] = [];
  readonly conversions: RouteConversion[] = [];
  /** Bytes of the largest body that HAProxy must hold in one buffer. */
  largestBody = 0;
  readonly #defaults = new Map<string, string>();
  readonly #sections: string[] = [];
  readonly #files = new Map<string, string>();
  readonly #acls = new Set<string>();
  readonly #problems = new Map<string, Problem & { more: number }>();

  constructor(snapshot: Snapshot, settings: Settings) {
    this.snapshot = snapshot;
    this.settings = settings;
  }

  /** Adds a section. @param from the `defaults` section that it builds on */
  section(kind: SectionKind, name: string, lines: readonly string[], from = BASE): void {
    this.#sections.push(sectionText(kind, name, from, lines));
  }

  /** Adds a `defaults` section, unless there is one with this name. */
  defaults(name: string, lines: () => readonly string[]): void {
    if (!this.#defaults.has(name)) {
      this.#defaults.set(name, sectionText("defaults", name, BASE, lines()));
    }
  }

  /** Adds a file. Returns its absolute path. */
  file(path: string, content: string): string {
    const absolute = this.path(path);
    this.#files.set(path, content);
    return absolute;
  }

  /** Adds an ACL file, which can be changed without a reload, unless it exists. Returns its absolute path. */
  acl(path: string, addresses: () => readonly string[]): string {
    if (this.#acls.has(path)) return this.path(path);
    this.#acls.add(path);
    return this.file(
      path,
      addresses()
        .map((address) => `${word(address)}\n`)
        .join(""),
    );
  }

  /** Absolute path of a rendered file. */
  path(path: string): string {
    return within(this.settings.directory, path);
  }

  /** Absolute path of an internal socket. */
  socket(name: string): string {
    return within(this.settings.sockets, name);
  }

  /** Adds a problem. There is one for each object and code; further messages are only counted. */
  problem(object: string, code: string, msg: string): void {
    const key = `${object} ${code}`;
    const known = this.#problems.get(key);
    if (!known) this.#problems.set(key, { object, code, msg, more: 0 });
    else if (known.msg !== msg) known.more++;
  }

  rendered(globalSection: string): Rendered {
    const files = new Map(this.#files);
    files.set(
      "haproxy.cfg",
      `${[globalSection, ...this.#defaults.values(), ...this.#sections].join("\n\n")}\n`,
    );
    return {
      files,
      listeners: this.listeners,
      acls: [...this.#acls].toSorted(),
      conversions: this.conversions,
      problems: [...this.#problems.values()].toSorted(byObjectAndCode).map(withCount),
    };
  }
}

/** The content of a file for HAProxy's `map_…` converters, with a key and its value on each line. */
export const mapFile = (entries: Iterable<readonly [string, string]>) =>
  [...entries].map(([key, value]) => `${word(key)} ${word(value)}\n`).join("");

/** Checks a word of a file in which HAProxy does not support quotes. @throws RangeError if it is not a single word */
export function word(text: string): string {
  if (!/^[^\s\p{Cc}]+$/u.test(text)) throw new RangeError(`Not a single word: ${JSON.stringify(text)}.`);
  return text;
}

const withCount = ({ object, code, msg, more }: Problem & { more: number }): Problem => ({
  object,
  code,
  msg: more === 0 ? msg : `${msg} (And ${more} more like this.)`,
});

function byObjectAndCode(a: Problem, b: Problem): number {
  if (a.object !== b.object) return a.object < b.object ? -1 : 1;
  return a.code < b.code ? -1 : 1;
}
