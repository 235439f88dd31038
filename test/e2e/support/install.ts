import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** In milliseconds: far longer than an installation takes. */
const TIMEOUT = 300_000;

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
};

/**
 * Runs `npm ci` in a folder with a lock file of its own, unless the packages in that file are already installed.
 *
 * @throws if npm fails
 */
export async function install(folder: string): Promise<void> {
  const lock = read(join(folder, "package-lock.json")) ?? "";
  const installed = join(folder, "node_modules", ".installed-lock.json");
  if (read(installed) === lock) return;
  await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, timeout: TIMEOUT });
  writeFileSync(installed, lock);
}

// As a command: node test/e2e/support/install.ts FOLDER
if (import.meta.main) await install(process.argv[2] ?? ".");
