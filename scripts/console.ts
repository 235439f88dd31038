// Builds the console: one page, its scripts, styles and fonts, and the styles of the documentation, which has its look. Fails if something is larger than its limit.
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { build, type OutputChunk } from "rolldown";

const source = join("packages", "console");

/** Where the page finds its files. */
const FOLDER = "console/assets";

/** The most bytes, gzipped except for fonts; of each style sheet. Lower a limit when its part gets smaller. */
const LIMITS = { first: 56_200, chunk: 17_400, all: 120 * 1024, css: 10 * 1024, fonts: 90 * 1024 };

/** The files of the console by name, relative to the folder of static assets. @throws if one is too large */
export async function buildConsole(): Promise<Map<string, Uint8Array>> {
  const scripts = await buildScripts();
  const files = new Map<string, Uint8Array>([
    ...scripts.map(
      ({ fileName, code }) => [`${FOLDER}/${fileName}`, new TextEncoder().encode(code)] as const,
    ),
    ...buildStyles(),
  ]);
  for (const font of ["inter", "jetbrains-mono"])
    files.set(
      `${FOLDER}/${font}-license.txt`,
      readFileSync(join(folderOf(`@fontsource-variable/${font}`), "LICENSE")),
    );
  checkSizes(files, firstScripts(scripts));
  files.set("console.html", new TextEncoder().encode(page([...files.keys()])));
  return files;
}

/** The console does not use the mutations of its query library, which has no build without them: 1 kB, gzipped. */
const withoutMutations = {
  name: "without-mutations",
  load: (id: string): string | null =>
    id.endsWith("query-core/build/modern/mutationCache.js")
      ? "export class MutationCache { clear() {} resumePausedMutations() { return Promise.resolve(); } }"
      : null,
};

/** The scripts. Gzipped, Rolldown's are 3 % smaller than esbuild's. */
async function buildScripts(): Promise<OutputChunk[]> {
  const { output } = await build({
    input: { main: join(source, "src", "main.tsx") },
    tsconfig: join(source, "tsconfig.json"),
    platform: "browser",
    plugins: [withoutMutations],
    // Reading a property or a global has no effect here.
    treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
    output: {
      format: "esm",
      minify: true,
      // Nothing reads the annotations after the build.
      comments: { annotation: false },
      entryFileNames: "[name]-[hash:6].js",
      chunkFileNames: "[name]-[hash:6].js",
    },
    write: false,
  });
  return output.filter((one) => one.type === "chunk");
}

/** The style sheets, and the fonts to which they refer. */
function buildStyles(): [string, Uint8Array][] {
  const { outputFiles } = buildSync({
    entryPoints: {
      styles: join(source, "src", "styles", "main.css"),
      guides: join("docs", "site", "guides.css"),
      docs: join("docs", "site", "docs.css"),
    },
    bundle: true,
    minify: true,
    target: "es2022",
    entryNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    loader: { ".woff2": "file" },
    outdir: join("dist", "assets", FOLDER),
    write: false,
    legalComments: "none",
    logLevel: "warning",
  });
  return outputFiles.map(({ path, contents }) => [`${FOLDER}/${basename(path)}`, contents]);
}

const folderOf = (name: string): string =>
  dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)));

/** The page, with the names of the script and the styles. */
function page(names: string[]): string {
  const html = readFileSync(join(source, "index.html"), "utf8");
  return html.replace(/console\/assets\/(\w+)\.(js|css)/g, (_, stem: string, ending: string) =>
    builtName(names, stem, ending),
  );
}

/** The name of a built file, which has a hash of its contents. @throws if there is none */
export function builtName(names: readonly string[], stem: string, ending: string): string {
  const found = names.find((one) => one.startsWith(`${FOLDER}/${stem}-`) && one.endsWith(`.${ending}`));
  if (found === undefined) throw new Error(`The console's build has no ${stem}.${ending}.`);
  return found;
}

/** The names of the scripts that the first page loads: the entry, and what it imports. */
function firstScripts(scripts: OutputChunk[]): Set<string> {
  const found = new Set(scripts.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
  for (const name of found)
    for (const imported of scripts.find(({ fileName }) => fileName === name)?.imports ?? [])
      found.add(imported);
  return found;
}

/** Gzipped bytes of the console's parts; fonts as they are. */
function sizesOf(files: Map<string, Uint8Array>, initial: Set<string>): Record<keyof typeof LIMITS, number> {
  const sizes = { first: 0, chunk: 0, all: 0, css: 0, fonts: 0 };
  for (const [name, contents] of files) {
    const { length } = gzipSync(contents, { level: 9 });
    if (name.endsWith(".woff2")) sizes.fonts += contents.length;
    if (name.endsWith(".css")) sizes.css = Math.max(sizes.css, length);
    if (!name.endsWith(".js")) continue;
    sizes.all += length;
    if (initial.has(basename(name))) sizes.first += length;
    else sizes.chunk = Math.max(sizes.chunk, length);
  }
  return sizes;
}

function checkSizes(files: Map<string, Uint8Array>, initial: Set<string>): void {
  const sizes = sizesOf(files, initial);
  for (const part of ["first", "chunk", "all", "css", "fonts"] as const)
    if (sizes[part] > LIMITS[part])
      throw new Error(`The console's part "${part}" has ${sizes[part]} bytes. The limit is ${LIMITS[part]}.`);
  if (process.argv.includes("--sizes")) console.info(sizes);
}
