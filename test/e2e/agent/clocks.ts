// Clocks of a real agent that a test sets while it runs.
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { World } from "./agent.ts";

/** Runs in the agent before the agent. Reads how far its clocks are off from a file each time that it is asked for the time. */
const PRELOADED = `
import { readFileSync } from "node:fs";
const Real = Date;
const real = performance.now.bind(performance);
const off = (clock) => {
  try {
    return JSON.parse(readFileSync(process.env.CLOCKS, "utf8"))[clock];
  } catch {
    return 0;
  }
};
globalThis.Date = class extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + off("wall"));
    else super(...given);
  }
  static now() {
    return Real.now() + off("wall");
  }
};
performance.now = () => real() + off("steady");
`;

/** Clocks of an agent, by how many milliseconds each is ahead. Call before the agent starts. */
export class Clocks {
  readonly file: string;
  #wall = 0;
  #steady = 0;

  constructor(here: Pick<World, "directory" | "environment">) {
    this.file = join(here.directory, "clocks");
    const preloaded = join(here.directory, "clocks.mjs");
    writeFileSync(preloaded, PRELOADED);
    this.#write();
    here.environment["CLOCKS"] = this.file;
    here.environment["NODE_OPTIONS"] = `--import=${pathToFileURL(preloaded).href}`;
  }

  /** Sets the wall clock, as an operator or NTP can. */
  jump(milliseconds: number): void {
    this.#wall += milliseconds;
    this.#write();
  }

  /** Lets time pass: both clocks go on. */
  pass(milliseconds: number): void {
    this.#steady += milliseconds;
    this.jump(milliseconds);
  }

  /** A line of shell that sets the wall clock: for a wrapper of HAProxy. */
  jumpInShell(milliseconds: number): string {
    return `echo '{"wall":${milliseconds},"steady":0}' > ${this.file}.shell; mv ${this.file}.shell ${this.file}`;
  }

  #write(): void {
    writeFileSync(`${this.file}.new`, JSON.stringify({ wall: this.#wall, steady: this.#steady }));
    renameSync(`${this.file}.new`, this.file);
  }
}
