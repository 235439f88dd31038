import { existsSync, readFileSync } from "node:fs";
import { Refusal } from "./service.ts";
import { readSource, writeWhole } from "./source.ts";

/** Which name is which id, for each service, by its address. */
export class Ids {
  readonly #file: string;
  readonly #services: Map<string, Map<string, string>>;

  /** Reads what stands beside a file: `edge.yaml.ids.json` for `edge.yaml`. @throws Refusal if it is no such file */
  constructor(file: string) {
    this.#file = `${file}.ids.json`;
    this.#services = new Map();
    if (!existsSync(this.#file)) return;
    for (const [url, names] of Object.entries(readSource(this.#file).value)) {
      if (typeof names !== "object" || names === null || Array.isArray(names))
        throw new Refusal(`${this.#file}: expected names and ids for ${url}.`);
      const ids = Object.entries(names).map(([name, id]): [string, string] => {
        if (typeof id !== "string") throw new Refusal(`${this.#file}: expected an id for ${name}.`);
        return [name, id];
      });
      this.#services.set(url, new Map(ids));
    }
  }

  /** Whether nothing is known of a service. */
  isNew(url: string): boolean {
    return !this.#services.has(url);
  }

  /** Names of a service's objects, and their ids. */
  of(url: string): ReadonlyMap<string, string> {
    return this.#services.get(url) ?? new Map();
  }

  /** Writes the names of a service's objects. */
  save(url: string, ids: ReadonlyMap<string, string>): void {
    this.#services.set(url, new Map(ids));
    const services = [...this.#services].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const value = Object.fromEntries(services.map(([url, names]) => [url, Object.fromEntries(names)]));
    const text = `${JSON.stringify(value, null, 2)}\n`;
    if (!existsSync(this.#file) || readFileSync(this.#file, "utf8") !== text) writeWhole(this.#file, text);
  }
}
