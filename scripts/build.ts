// Builds the Worker and its static assets, unless the last build had the same sources: every start of `wrangler dev` and of the tests
// builds, and a build takes seconds.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { guides } from "../src/openapi/guides.ts";

/** The folders that a build reads. */
const SOURCES = ["docs", "packages", "scripts", "src"];
/** The other files: the installed packages, the settings of the compilers, and the guides in the root of the repository. */
const OTHERS = [
  join("node_modules", ".package-lock.json"),
  "package.json",
  "tsconfig.json",
  ...guides.map(({ file }) => file).filter((file) => dirname(file) === "."),
];
/** What it writes. */
const TARGETS = [join("dist", "assets"), join("dist", "worker")];
/** Describes the last build that ended. */
const RECORD = join("dist", "built.json");

/** The files in a folder and in the folders within it, sorted. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) return entry.isFile() ? [path] : [];
      return entry.name === "node_modules" || entry.name === "dist" ? [] : filesIn(path);
    })
    .toSorted();

/** A hash of the names and contents of all files that a build reads. */
function hashOfSources(): string {
  const hash = createHash("sha256").update(process.version);
  for (const path of [...OTHERS, ...SOURCES.flatMap(filesIn)]) {
    const contents = readFileSync(path);
    hash.update(`${path}\0${contents.length}\0`).update(contents);
  }
  return hash.digest("hex");
}

/** A line for each file that a build has written: a different size or time means that something else has written it. */
const lineOf = (path: string): string => {
  const { size, mtimeMs } = statSync(path);
  return `${path} ${size} ${mtimeMs}`;
};

const recordOf = (sources: string, targets: string[]): string =>
  JSON.stringify({ sources, targets: targets.toSorted() }, null, 1);

/** Whether the last build had the same sources, and what it wrote is still there. */
function isBuilt(sources: string): boolean {
  try {
    return readFileSync(RECORD, "utf8") === recordOf(sources, TARGETS.flatMap(filesIn).map(lineOf));
  } catch {
    // There was no build, or something of it is missing.
    return false;
  }
}

const sources = hashOfSources();
// `--sizes` prints the sizes of the console's parts, which only a build knows.
if (process.argv.length > 2 || !isBuilt(sources)) {
  mkdirSync("dist", { recursive: true });
  // Each file is noted when it is written: if another build writes it afterwards, the record does not fit.
  const written = new Map<string, string>();
  const { build } = await import("./build_files.ts");
  await build((path) => written.set(path, lineOf(path)));
  // A source that has changed in the meantime is built the next time.
  if (hashOfSources() === sources) {
    const draft = `${RECORD}.${process.pid}`;
    writeFileSync(draft, recordOf(sources, [...written.values()]));
    renameSync(draft, RECORD);
  }
}
