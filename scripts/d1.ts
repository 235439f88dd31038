import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** A database: the one deployed or the one of `npm run dev`, as the configuration file `config` names it. */
export interface Source {
  place: "--remote" | "--local";
  config: string;
}

/** Runs `wrangler d1 …` on a database and gives what it prints. @throws when it fails */
export function wrangler({ place, config }: Source, ...arguments_: string[]): string {
  const script = join("node_modules", "wrangler", "bin", "wrangler.js");
  return execFileSync(process.execPath, [script, "d1", ...arguments_, place, "--config", config], {
    env: { ...process.env, WRANGLER_HIDE_BANNER: "true" },
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
}
