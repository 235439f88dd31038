import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Measured } from "./report.ts";

/*
 * The figures of each part of a run, in a file per part. If one part fails, the others' figures are kept, and a report
 * can be written from parts that were measured separately.
 */

interface Kept {
  /** The code that was measured: see {@link measuredCode}. */
  code: string;
  figures: unknown;
}

/** The code that parts measure in addition to the service itself. */
const others: Record<string, string[]> = {
  comparisons: ["HEAD:test/bench/subjects", "HEAD:test/bench/side_by_side.ts"],
  whole: ["HEAD:test/bench/subjects"],
  traffic: ["HEAD:packages/agent/src"],
};

/** Git's hashes of the code that a part measures; "" outside a repository. */
const measuredCode = (part: string): string => {
  const folders = ["HEAD:src", "HEAD:packages/model/src", "HEAD:drizzle", ...(others[part] ?? [])];
  const { status, stdout } = spawnSync("git", ["rev-parse", ...folders], { encoding: "utf8" });
  return status === 0 ? stdout.trim().replaceAll("\n", " ") : "";
};

/** Files of figures in a folder. */
export class Parts {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  #file = (name: string): string => join(this.#folder, `${name}.json`);

  keep(name: string, figures: unknown): void {
    const kept: Kept = { code: measuredCode(name), figures };
    writeFileSync(`${this.#file(name)}.new`, JSON.stringify(kept));
    renameSync(`${this.#file(name)}.new`, this.#file(name));
  }

  /** Deletes the stored figures of a part. */
  forget(name: string): void {
    rmSync(this.#file(name), { force: true });
  }

  /** The stored figures of the given parts, and the names of the parts without figures or measured on other code. */
  read(names: string[]): { measured: Partial<Measured>; missing: string[] } {
    const found = names.flatMap((name): [string, Kept][] => {
      try {
        return [[name, JSON.parse(readFileSync(this.#file(name), "utf8"))]];
      } catch {
        return [];
      }
    });
    const usable = found
      .filter(([name, { code }]) => code === measuredCode(name))
      .map(([name, { figures }]) => [name, figures]);
    const measured: Partial<Measured> = Object.fromEntries(usable);
    return { measured, missing: names.filter((name) => !(name in measured)) };
  }
}
