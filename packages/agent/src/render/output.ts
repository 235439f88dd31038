import type { Backend, Problem, Snapshot } from "../../../traffic/src/snapshot.ts";
import { quote } from "../quote.ts";
import { within } from "../within.ts";
import type { Listener, PublicKey, RouteConversion, Settings } from "./contract.ts";
import type { Known, Made } from "./known.ts";
import type { Part, SectionSet, Websocket } from "./parts.ts";

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

/** Collects the parts of an edge, or of what edges share, while it is rendered, and notes what it was rendered from. */
export class Output {
  readonly settings: Settings;
  readonly known: Known;
  readonly parts: Part[] = [];
  /** The ids of the backends and authorities that were read. */
  readonly read = new Set<string>();
  /** The sets of rules that entries name: ids of policies by name. */
  readonly rules = new Map<string, readonly string[]>();
  /** The most sets of rules of one entry. */
  mostSets = 0;
  readonly #snapshot: Snapshot;

  constructor(snapshot: Snapshot, settings: Settings, known: Known) {
    this.#snapshot = snapshot;
    this.settings = settings;
    this.known = known;
  }

  backend(id: string): Backend | undefined {
    this.read.add(id);
    return this.#snapshot.backends[id];
  }

  /** PEM. */
  authority(id: string): string | undefined {
    this.read.add(id);
    return this.#snapshot.certificate_authorities[id];
  }

  add(part: Part): void {
    this.parts.push(part);
  }

  /**
   * Renders something, unless that is known.
   *
   * @param key its name, or the object that it is rendered from
   * @param of what else it is rendered from, besides the settings
   */
  once<Thing>(
    known: Made<Thing>,
    key: string | object,
    of: readonly unknown[],
    make: (output: Output) => Thing,
  ): Thing {
    const { thing, parts } = known.get(key, of, () => {
      const own = new Output(this.#snapshot, this.settings, this.known);
      return { thing: make(own), parts: own.parts };
    });
    for (const part of parts) this.add(part);
    return thing;
  }

  /** Adds a section. */
  section(kind: SectionKind, name: string, lines: readonly string[]): void {
    this.add({ is: "section", name: `${kind} ${name}`, text: sectionText(kind, name, lines) });
  }

  /**
   * Adds a stick table, unless there is one with this name. Tables count requests and responses. A reload keeps the counts of tables
   * that keep their names, so these say what is counted, and not for whom.
   *
   * @param spec type, size, expiry and what is stored
   */
  table(name: string, spec: string): void {
    this.add({ is: "table", name, spec });
  }

  /** Adds a file. Returns its absolute path. */
  file(path: string, content: string): string {
    const absolute = this.path(path);
    this.add({ is: "file", path, content });
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
    this.add({ is: "problem", object, code, msg });
  }
}

/** All parts of a configuration together. */
export class Collected {
  readonly files = new Map<string, string>();
  readonly listeners: Listener[] = [];
  readonly conversions: RouteConversion[] = [];
  readonly websockets: Websocket[] = [];
  readonly keys: Record<string, readonly PublicKey[]> = {};
  /** Bytes of the largest body that HAProxy must hold in one buffer. */
  largestBody = 0;
  hasTables = false;
  readonly #sections = new Map<string, string>();
  readonly #servers = new Map<string, SectionSet>();
  readonly #problems = new Map<string, Problem & { more: number }>();
  readonly #told = new Set<Part>();

  add(parts: readonly Part[]): void {
    for (const part of parts) this.#add(part);
  }

  #add(part: Part): void {
    switch (part.is) {
      case "section":
        return void this.#sections.set(part.name, part.text);
      case "table":
        this.hasTables = true;
        return this.#table(part.name, part.spec);
      case "file":
        return void this.files.set(part.path, part.content);
      case "problem":
        return this.#problem(part);
      case "listener":
        return void this.listeners.push(part.listener);
      case "conversion":
        return void this.conversions.push(part.conversion);
      case "websocket":
        return void this.websockets.push(part.websocket);
      case "servers":
        return void this.#servers.set(part.set.name, part.set);
      case "body":
        this.largestBody = Math.max(this.largestBody, part.bytes);
        return undefined;
      case "keys":
        this.keys[part.url] = part.keys;
        return undefined;
    }
  }

  #table(name: string, spec: string): void {
    const key = `backend ${name}`;
    if (this.#sections.has(key)) return;
    this.#sections.set(key, sectionText("backend", name, [`stick-table ${spec} peers ${PEERS}`]));
  }

  #problem(part: Extract<Part, { is: "problem" }>): void {
    if (this.#told.has(part)) return;
    this.#told.add(part);
    const { object, code, msg } = part;
    const key = `${object} ${code}`;
    const known = this.#problems.get(key);
    if (!known) this.#problems.set(key, { object, code, msg, more: 0 });
    else if (known.msg !== msg) known.more++;
  }

  /** Those of the oldest edges come first. */
  get servers(): SectionSet[] {
    return [...this.#servers.values()];
  }

  /** The sections, by kind and name. */
  get sections(): string[] {
    return [...this.#sections].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  }

  /** By object and code. */
  get problems(): Problem[] {
    return [...this.#problems.values()].toSorted(byObjectAndCode).map(withCount);
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
