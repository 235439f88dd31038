import { UserError } from "./errors.ts";
import { exists, requireWritable, writeAtomically } from "./files.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import { type FileProblem, readSource, rejectFile } from "./source.ts";

/** The ids file of a configuration file: maps names to ids, for each service. */
export class Ids {
  /** The name of the ids file: `edge.yaml.ids.json` for `edge.yaml`. */
  readonly name: string;
  readonly #follow: boolean;
  readonly #services = new Map<string, Map<string, string>>();
  /** What the file has, in the form in which it is written. */
  #written: string | undefined;

  /** Reads the ids file of a configuration file, if there is one. @throws UserError if it is invalid */
  constructor(file: string, follow: boolean) {
    this.name = `${file}.ids.json`;
    this.#follow = follow;
    if (!exists(this.name)) return;
    const source = readSource(this.name, follow);
    const problems: FileProblem[] = [];
    for (const [url, names] of Object.entries(source.value)) {
      if (!isJsonObject(names)) problems.push({ path: [url], msg: "Expected an object of names and ids." });
      else this.#services.set(url, idsIn(url, names, problems));
    }
    rejectFile(source, problems);
    this.#written = this.#text();
  }

  /** True if the file has no entry for a service. */
  isNew(url: string): boolean {
    return !this.#services.has(url);
  }

  /** The URLs of the services that have an entry. */
  get urls(): string[] {
    return [...this.#services.keys()];
  }

  /** Ids by name, on one service. */
  of(url: string): ReadonlyMap<string, string> {
    return this.#services.get(url) ?? new Map();
  }

  /** The name of an id on any service. */
  readonly nameIn = (id: string): string | undefined => {
    for (const names of this.#services.values())
      for (const [name, known] of names) if (known === id) return name;
    return undefined;
  };

  /** Takes ids for a service that has none, without writing the file. */
  adopt(url: string, ids: ReadonlyMap<string, string>): void {
    this.#services.set(url, new Map(ids));
  }

  /** Adds another name of an object on every service, and removes the old one unless it `isKept`. Writes the file if it changes. */
  rename(from: string, to: string, isKept: boolean): void {
    for (const [url, names] of this.#services) {
      const id = names.get(from) ?? names.get(to);
      if (id === undefined) continue;
      const others = [...names].filter(([name]) => name !== to && (isKept || name !== from));
      this.save(url, new Map([...others, [to, id]]));
    }
  }

  /** @throws UserError if the file has no entry for a service */
  requireService(url: string): void {
    if (this.isNew(url)) throw new UserError(`${this.missingReason(url)}.`);
  }

  /** Why there are no ids for a service, as the beginning of a sentence. */
  missingReason(url: string): string {
    return exists(this.name) ? `${this.name} has no ids for ${url}` : `${this.name} does not exist`;
  }

  /** @throws UserError if the file could not be written with this many additional names */
  requireWritable(count: number): void {
    requireWritable(this.name, this.#text() + " ".repeat(count * 100), this.#follow);
  }

  /** Writes the ids of a service's objects. @throws UserError that contains the file's text, which would otherwise be lost */
  save(url: string, ids: ReadonlyMap<string, string>): void {
    this.#services.set(url, new Map(ids));
    const text = this.#text();
    if (text === this.#written && exists(this.name)) return;
    try {
      writeAtomically(this.name, text, this.#follow);
      this.#written = text;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      throw new UserError([
        ...error.lines,
        `The objects exist on the service, and only this file knows their names. Save this as ${this.name}:`,
        ...text.trimEnd().split("\n"),
      ]);
    }
  }

  #text(): string {
    const services = [...this.#services].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const value = Object.fromEntries(services.map(([url, names]) => [url, Object.fromEntries(names)]));
    return `${JSON.stringify(value, null, 2)}\n`;
  }
}

function idsIn(url: string, names: JsonObject, problems: FileProblem[]): Map<string, string> {
  const ids = new Map<string, string>();
  for (const [name, id] of Object.entries(names))
    if (typeof id === "string") ids.set(name, id);
    else problems.push({ path: [url, name], msg: "Expected an id." });
  return ids;
}
