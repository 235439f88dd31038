// Runs npm scripts with EDGE_NODE set to the oldest Node that the commands support. Without arguments, prints its path:
// npm run test:oldest-node, node scripts/oldest_node.ts [SCRIPT…]
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The lowest version in `engines` in a workspace's package.json. */
function oldestNodeOf(workspace: string): string {
  const text = readFileSync(join(workspace, "package.json"), "utf8");
  const [, version] = /"node": ">=(\d+\.\d+\.\d+)"/.exec(text) ?? [];
  if (version === undefined) throw new Error(`engines.node of ${workspace} is not >=MAJOR.MINOR.PATCH.`);
  return version;
}

const [version = "", ...others] = new Set(["packages/agent", "packages/cli"].map(oldestNodeOf));
if (others.length > 0)
  throw new Error(`The commands support different versions of Node: ${[version, ...others].join(", ")}.`);

// Not a dependency of the project, so that `npm ci` does not download it.
const folder = resolve("node_modules", ".cache", `node-${version}`);
const name = `node-${process.platform}-${process.arch}`;
const node = join(folder, "node_modules", name, "bin", "node");
if (!existsSync(node)) {
  mkdirSync(folder, { recursive: true });
  execFileSync(
    "npm",
    ["install", "--prefix", folder, "--no-save", "--no-audit", "--no-fund", `${name}@${version}`],
    { stdio: ["ignore", 2, 2] },
  );
}
const found = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
if (found !== `v${version}`) throw new Error(`${node} is ${found}, not v${version}.`);

const scripts = process.argv.slice(2);
if (scripts.length === 0) console.log(node);
for (const script of scripts)
  execFileSync("npm", ["run", script], { env: { ...process.env, EDGE_NODE: node }, stdio: "inherit" });
