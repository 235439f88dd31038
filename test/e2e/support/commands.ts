import { execFileSync } from "node:child_process";
import { resolve } from "node:path";

/*
 * The built commands `edge` and `edge-agent`.
 */

/** The Node that runs the commands. The tests themselves may need a newer Node. See `scripts/oldest_node.ts`. */
export const commandNode = process.env["EDGE_NODE"] ?? process.execPath;

const built = new Map<string, string>();

/** Builds a command from its current source, once for each test process. Returns the file to run. */
function program(workspace: string, name: string): string {
  const known = built.get(name);
  if (known !== undefined) return known;
  execFileSync(process.execPath, ["../../scripts/build_command.ts", name], {
    cwd: workspace,
    stdio: "inherit",
  });
  const file = resolve(workspace, "bin", `${name}.js`);
  built.set(name, file);
  return file;
}

export const agentProgram = (): string => program("packages/agent", "edge-agent");
export const edgeProgram = (): string => program("packages/cli", "edge");

/** @throws if the output of a command, an agent for example, ends with an exception that nobody caught */
export function assertNoCrash(output: string): void {
  const found = /^.*\n\nNode\.js v[\d.]+$/ms.exec(output);
  if (found) throw new Error(`The command crashed:\n${found[0].slice(-2_000)}`);
}
