import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { quiet } from "./quiet.ts";

/*
 * Folders that take wrangler long to make: made once for each state of their sources, and kept for other test processes.
 */

const CACHE = join("node_modules", ".cache", "edge-e2e");

/** A hash of the names and contents of the files that match a pattern. */
function digestOf(pattern: string): string {
  const hash = createHash("sha256");
  const files = globSync(pattern, { withFileTypes: true }).filter((entry) => entry.isFile());
  for (const path of files.map((entry) => join(entry.parentPath, entry.name)).toSorted())
    hash.update(`${path}\0`).update(readFileSync(path)).update("\0");
  return hash.digest("hex").slice(0, 16);
}

/**
 * Returns a folder that `make` has filled, and that must not be changed.
 *
 * @param name what it contains
 * @param sources a pattern of all files on which the contents depend
 */
function preparedFolder(name: string, sources: string, make: (folder: string) => void): string {
  const folder = join(CACHE, `${name}-${digestOf(sources)}`);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const made = mkdtempSync(join(CACHE, "making-"));
  make(made);
  for (const other of readdirSync(CACHE))
    // Another process may be using the one that it has just made.
    if (other.startsWith(`${name}-`) && join(CACHE, other) !== folder)
      rmSync(join(CACHE, other), { recursive: true, force: true });
  try {
    renameSync(made, folder);
  } catch (error) {
    // Another process was faster.
    rmSync(made, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function wrangler(...arguments_: string[]): void {
  const script = join("node_modules", "wrangler", "bin", "wrangler.js");
  execFileSync(process.execPath, [script, ...arguments_], {
    env: quiet,
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/** Returns the folder of the bundled Worker. */
export const workerBundle = (): string =>
  preparedFolder(
    "worker",
    "{{src,packages/*/src,scripts,docs}/**/*.*,packages/{console,contract}/*.*,README.md,SECURITY.md,wrangler.toml,package-lock.json}",
    (folder) => wrangler("deploy", "--dry-run", "--outdir", folder),
  );

/** Creates an empty database with all tables under `persist`, like wrangler's `--persist-to`. */
export const migrate = (persist: string): void => {
  const sources = "{drizzle/**/*.sql,wrangler.toml,package-lock.json}";
  const database = preparedFolder("database", sources, (folder) =>
    wrangler("d1", "migrations", "apply", "DB", "--local", "--persist-to", folder),
  );
  cpSync(database, persist, { recursive: true });
};

/** Folder of the database's `.sqlite` and `-wal` under `persist`; a `metadata.sqlite` beside it is Miniflare's own. */
export const databaseFolder = (persist: string): string =>
  join(persist, "v3", "d1", "miniflare-D1DatabaseObject");
