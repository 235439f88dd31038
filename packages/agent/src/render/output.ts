import type { Problem, Snapshot } from "../../../traffic/src/snapshot.ts";
import { quote } from "../quote.ts";
import { within } from "../within.ts";
import type { RouteConversion, Listener, Rendered, Settings } from "./contract.ts";

/** HAProxy's formats `tcplog` and `httplog`, with the edge or route in place of the frontend, which many of them share. */
const LOG_FORMATS = {
  tcp: "%ci:%cp [%t] %[var(sess.edge)] %b/%s %Tw/%Tc/%Tt %B %ts %ac/%fc/%bc/%sc/%rc %sq/%bq",
  http: "%ci:%cp [%tr] %[var(txn.route)] %b/%s %TR/%Tw/%Tc/%Tr/%Ta %ST %B %CC %CS %tsc %ac/%fc/%bc/%sc/%rc %sq/%bq %hr %hs %{+Q}r",
};

/** The lines of a frontend that logs its connections. */
export const connectionLog = (mode: keyof typeof LOG_FORMATS): string[] => [
  "no log",
  "log global",
  `log-format ${quote(LOG_FORMATS[mode])}`,
];

/** The `defaults` section that all sections build on. */
export const BASE = "base";

/** The section that hands stick tables over at a reload. */
export const PEERS = "tables";

/** A section of HAProxy's configuration. */
export type SectionKind = "backend" | "frontend";

/** @throws RangeError if a line contains a line break, which could begin another section */
function sectionText(kind: SectionKind, name: string, lines: readonly string[]): string {
  const all = [`${kind} ${quote(name)} from ${BASE}`, ...lines.map((line) => `    ${line}`)];
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
  readonly #sections: string[] = [];
  readonly #tables = new Set<string>();
  readonly #files = new Map<string, string>();
  readonly #problems = new Map<string, Problem & { more: number }>();

  constructor(snapshot: Snapshot, settings: Settings) {
    this.snapshot = snapshot;
    this.settings = settings;
  }

  /** Adds a section. */
  section(kind: SectionKind, name: string, lines: readonly string[]): void {
    this.#sections.push(sectionText(kind, name, lines));
  }

  /**
   * Adds a stick table, unless there is one with this name. Tables count requests and responses. A reload keeps the counts of tables
   * that keep their names, so these say what is counted, and not for whom.
   *
   * @param spec type, size, expiry and what is stored
   */
  table(name: string, spec: string): void {
    if (this.#tables.has(name)) return;
    this.#tables.add(name);
    this.section("backend", name, [`stick-table ${spec} peers ${PEERS}`]);
  }

  get hasTables(): boolean {
    return this.#tables.size > 0;
  }

  /** Adds a file. Returns its absolute path. */
  file(path: string, content: string): string {
    const absolute = this.path(path);
    this.#files.set(path, content);
    return absolute;
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

  rendered(
    globalSection: string,
  ): Pick<Rendered, "files" | "snapshot" | "listeners" | "conversions" | "problems"> {
    const files = new Map(this.#files);
    files.set("haproxy.cfg", `${[globalSection, ...this.#sections].join("\n\n")}\n`);
    return {
      files,
      snapshot: this.snapshot,
      listeners: this.listeners,
      conversions: this.conversions,
      problems: [...this.#problems.values()].toSorted(byObjectAndCode).map(withCount),
    };
  }
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
