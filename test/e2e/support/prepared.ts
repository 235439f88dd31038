import { createHash } from "node:crypto";
import {
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
export function preparedFolder(name: string, sources: string, make: (folder: string) => void): string {
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
