// Bundles the command of a workspace: npm run build -w packages/cli
import { readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const [name = ""] = process.argv.slice(2);
if (!/^[a-z-]+$/.test(name)) throw new Error("Usage, in the folder of a workspace: build_command.ts NAME");
// The files are written to another folder and then moved, so that an incomplete file is never run.
const drafts = join("dist", `.draft-${process.pid}`);

/** The oldest Node that the workspace supports. */
const [, oldest = ""] = /"node": ">=([\d.]+)"/.exec(readFileSync("package.json", "utf8")) ?? [];

await build({
  entryPoints: { [name]: join("src", "main.ts") },
  outdir: drafts,
  // What is imported when it is needed gets a file of its own, named by its content.
  splitting: true,
  chunkNames: `${name}-[hash]`,
  bundle: true,
  platform: "node",
  format: "esm",
  target: `node${oldest}`,
  legalComments: "inline",
  // Bundled CommonJS packages load Node modules with `require`.
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
});
// What the entry point imports is there before it.
const made = readdirSync(drafts).toSorted((a, b) => Number(a === `${name}.js`) - Number(b === `${name}.js`));
for (const file of made) renameSync(join(drafts, file), join("dist", file));
rmSync(drafts, { recursive: true });
// Commands that run may still import earlier ones.
const DAY = 86_400_000;
for (const file of readdirSync("dist").filter((one) => one.endsWith(".js") && !made.includes(one)))
  if (Date.now() - statSync(join("dist", file)).mtimeMs > DAY) rmSync(join("dist", file), { force: true });
