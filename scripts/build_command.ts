// Bundles the command of a workspace into one file: npm run build -w packages/cli
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const [name = ""] = process.argv.slice(2);
if (!/^[a-z-]+$/.test(name)) throw new Error("Usage, in the folder of a workspace: build_command.ts NAME");
// The file is written under another name and then moved, so that an incomplete file is never run.
const draft = join("dist", `${name}.${process.pid}.js`);

/** The oldest Node that the workspace supports. */
const [, oldest = ""] = /"node": ">=([\d.]+)"/.exec(readFileSync("package.json", "utf8")) ?? [];

await build({
  entryPoints: [join("src", "main.ts")],
  outfile: draft,
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
renameSync(draft, join("dist", `${name}.js`));
