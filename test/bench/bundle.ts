import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { bundling } from "../../scripts/worker.ts";

/** A Worker as it is uploaded. */
export interface Bundle {
  text: string;
  /** The source map, as JSON. */
  map: string;
  bytes: number;
  gzipBytes: number;
  /** Bytes of the bundle by package, largest first. `src` is this repository's own code. */
  byPackage: [name: string, bytes: number][];
}

const configuration = readFileSync("wrangler.toml", "utf8");
/** Whether wrangler minifies the bundle and keeps the names of functions. */
const MINIFY = /^minify = true$/m.test(configuration);
const KEEP_NAMES = !/^keep_names = false$/m.test(configuration);

/**
 * Bundles a Worker as the build and then wrangler do.
 *
 * @param source a module or the text of a module
 * @param options `isOther`: it is not this service, so its libraries stay whole
 */
export async function bundle(
  source: { path: string } | { text: string },
  { minify = MINIFY, isOther = false }: { minify?: boolean; isOther?: boolean } = {},
): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    ...("path" in source
      ? { entryPoints: [source.path] }
      : { stdin: { contents: source.text, resolveDir: ".", loader: "ts" as const } }),
    ...bundling,
    plugins: isOther ? [] : [...bundling.plugins],
    metafile: true,
    minify,
    keepNames: KEEP_NAMES,
    sourcemap: "external",
    outfile: "worker.js",
  });
  const code = outputFiles.find(({ path }) => path.endsWith(".js"));
  const map = outputFiles.find(({ path }) => path.endsWith(".map"));
  if (!code || !map) throw new Error("esbuild produced no bundle");
  const [, output] = Object.entries(metafile.outputs).find(([name]) => name.endsWith(".js")) ?? [];
  const sizes = new Map<string, number>();
  for (const [file, { bytesInOutput }] of Object.entries(output?.inputs ?? {}))
    sizes.set(packageOf(file), (sizes.get(packageOf(file)) ?? 0) + bytesInOutput);
  return {
    text: code.text,
    map: map.text,
    bytes: code.contents.byteLength,
    gzipBytes: gzipSync(code.contents).byteLength,
    byPackage: [...sizes].toSorted(([, a], [, b]) => b - a),
  };
}

/** The package that a file belongs to, or `src` or `test` for this repository's own. */
export function packageOf(file: string): string {
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
  return name ?? (/(?:^|\/)test\//.test(file) ? "test" : "src");
}
