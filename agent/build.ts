// Bundles the command into one file that Node 20 runs: npm run build -w agent
import { renameSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const folder = import.meta.dirname;
// Written beside it and then moved, so that nobody runs half of it.
const draft = join(folder, "dist", `edge-agent.${process.pid}.js`);

await build({
  entryPoints: [join(folder, "src", "main.ts")],
  outfile: draft,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  legalComments: "inline",
  // ws is CommonJS, and takes modules of Node by `require`.
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
});
renameSync(draft, join(folder, "dist", "edge-agent.js"));
