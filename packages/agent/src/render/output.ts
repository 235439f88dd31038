import type { Backend, Snapshot } from "../../../model/src/traffic/snapshot.ts";
import { quote } from "../base/quote.ts";
import { within } from "../base/within.ts";
import type { Settings } from "./contract.ts";
import type { Known, Made } from "./known.ts";
import type { ConfigurationPart } from "./parts.ts";

/** The `defaults` section that all sections build on. */
export const BASE = "base";

/** The section that hands stick tables over at a reload. */
export const PEERS = "tables";

/** A section of HAProxy's configuration. */
export type SectionKind = "backend" | "frontend";

/** @throws RangeError if a line contains a line break, which could begin another section */
export function sectionText(kind: SectionKind, name: string, lines: readonly string[]): string {
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
  readonly parts: ConfigurationPart[] = [];
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

  add(part: ConfigurationPart): void {
    this.parts.push(part);
  }

  /**
   * Renders something, unless that is known.
   *
   * @param key its name, or the object that it is rendered from
   * @param of the other objects that it is rendered from, except the settings
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
  problem(object: string, code: string, msg: string): undefined {
    this.add({ is: "problem", object, code, msg });
  }
}
