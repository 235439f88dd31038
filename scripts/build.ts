// Builds the Worker and its static assets, unless the last build had the same sources: every start of `wrangler dev` and of the tests
// builds, and a build takes seconds.
import { createHash } from "node:crypto";
import {
  type Dirent,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** What a build reads. */
const SOURCES = ["docs", "packages", "scripts", "src"];
/** The installed packages, and the settings of the compilers. */
const SETTINGS = ["package-lock.json", "package.json", "tsconfig.json"];
/** What it writes. */
const TARGETS = [join("dist", "assets"), join("dist", "worker")];
/** Describes the last build that ended. */
const RECORD = join("dist", "built.json");

/** The files in a folder and in the folders within it, sorted. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .flatMap((entry: Dirent) => {
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) return [path];
      return entry.name === "node_modules" || entry.name === "dist" ? [] : filesIn(path);
    })
    .toSorted();

/** A hash of the names and contents of all files that a build reads. */
function hashOfSources(): string {
  const hash = createHash("sha256");
  for (const path of [...SETTINGS, ...SOURCES.flatMap(filesIn)]) {
    const contents = readFileSync(path);
    hash.update(`${path}\0${contents.length}\0`).update(contents);
  }
  return hash.digest("hex");
}

/** A line for each file that a build has written: another size or time says that something else has written it. */
const targets = (): string[] =>
  TARGETS.flatMap(filesIn).map((path) => {
    const { size, mtimeMs } = statSync(path);
    return `${path} ${size} ${mtimeMs}`;
  });

const recordOf = (sources: string): string => JSON.stringify({ sources, targets: targets() }, null, 1);

/** Whether the last build had the same sources, and what it wrote is still there. */
function isBuilt(sources: string): boolean {
  try {
    return readFileSync(RECORD, "utf8") === recordOf(sources);
  } catch {
    // There was no build, or something of it is missing.
    return false;
  }
}

// Read before the build, so that a file that changes in the meantime is built the next time.
const sources = hashOfSources();
// With an option, the build prints something.
if (process.argv.length > 2 || !isBuilt(sources)) {
  mkdirSync("dist", { recursive: true });
  await import("./build_files.ts");
  // Moved into its place, because several builds can run at the same time.
  const draft = `${RECORD}.${process.pid}`;
  writeFileSync(draft, recordOf(sources));
  renameSync(draft, RECORD);
}
