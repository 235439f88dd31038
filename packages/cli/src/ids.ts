import { exists, requireWritable, writeWhole } from "./files.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import { Refusal } from "./refusal.ts";
import { type Problem, readSource, refuseFor } from "./source.ts";

/** The ids of a file's names on each service, by the service's URL. */
export class Ids {
  /** `edge.yaml.ids.json` for `edge.yaml`. */
  readonly name: string;
  readonly #follow: boolean;
  readonly #services = new Map<string, Map<string, string>>();

  /** Reads the ids file that belongs to a file. @throws Refusal if it is broken */
  constructor(file: string, follow: boolean) {
    this.name = `${file}.ids.json`;
    this.#follow = follow;
    if (!exists(this.name)) return;
    const source = readSource(this.name, follow);
    const problems: Problem[] = [];
    for (const [url, names] of Object.entries(source.value)) {
      if (!isJsonObject(names)) problems.push({ path: [url], msg: "Expected an object of names and ids." });
      else this.#services.set(url, idsIn(url, names, problems));
    }
    refuseFor(source, problems);
  }

  /** Whether it has no entry for a service. */
  isNew(url: string): boolean {
    return !this.#services.has(url);
  }

  /** The services that it has ids for. */
  get urls(): string[] {
    return [...this.#services.keys()];
  }

  /** Names of a service's objects, and their ids. */
  of(url: string): ReadonlyMap<string, string> {
    return this.#services.get(url) ?? new Map();
  }

  /** @throws Refusal if it has no entry for a service */
  requireKnown(url: string): void {
    if (this.isNew(url)) throw new Refusal(`${this.lack(url)}.`);
  }

  /** Why it has no ids for a service, as the beginning of a sentence. */
  lack(url: string): string {
    return exists(this.name) ? `${this.name} has no ids for ${url}` : `${this.name} does not exist`;
  }

  /** @throws Refusal if the ids of these many new names could not be written */
  requireWritable(count: number): void {
    requireWritable(this.name, this.#text() + " ".repeat(count * 100), this.#follow);
  }

  /** Writes the names of a service's objects. @throws Refusal that has the text, as it would be lost */
  save(url: string, ids: ReadonlyMap<string, string>): void {
    const before = this.#services.size === 0 ? undefined : this.#text();
    this.#services.set(url, new Map(ids));
    const text = this.#text();
    if (text === before && exists(this.name)) return;
    try {
      writeWhole(this.name, text, this.#follow);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new Refusal([
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

function idsIn(url: string, names: JsonObject, problems: Problem[]): Map<string, string> {
  const ids = new Map<string, string>();
  for (const [name, id] of Object.entries(names))
    if (typeof id === "string") ids.set(name, id);
    else problems.push({ path: [url, name], msg: "Expected an id." });
  return ids;
}
