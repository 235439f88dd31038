import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** The deployed or the local database, as named in the configuration file `config`. */
export interface Source {
  place: "--remote" | "--local";
  config: string;
}

/** Runs `wrangler d1 …` on a database; returns its output. @throws if it fails */
export function wrangler({ place, config }: Source, ...arguments_: string[]): string {
  const script = join("node_modules", "wrangler", "bin", "wrangler.js");
  return execFileSync(process.execPath, [script, "d1", ...arguments_, place, "--config", config], {
    env: { ...process.env, WRANGLER_HIDE_BANNER: "true" },
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
}
