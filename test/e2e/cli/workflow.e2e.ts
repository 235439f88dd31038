import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { before, test } from "node:test";
import { edge, pathIn, type TestService, withServices } from "./services.ts";

/**
 * Runs the steps of the GitHub Actions workflow in docs/files.md as written: the command's package is installed from the
 * repository that contains the file, not from this repository.
 */

const [, workflow = ""] = /```yaml\n(on:[^]*?)```/.exec(readFileSync("docs/files.md", "utf8")) ?? [];

/** The commands of a job, in order. */
function stepsOf(job: string): string[] {
  const [, body = ""] = new RegExp(`^  ${job}:\\n((?:    .*\\n)+)`, "m").exec(workflow) ?? [];
  return Array.from(body.matchAll(/\brun: (?:\|\n((?: {10}.*\n)+)|(.*)\n)/g), ([, lines, line]) =>
    (lines ?? line ?? "").replace(/^ {10}/gm, ""),
  );
}

let service: TestService;
const remote = pathIn("remote.git");

/** PATH without this repository's own commands. */
const path = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((folder) => !folder.endsWith(join("node_modules", ".bin")));

const envOf = (machine: string): NodeJS.ProcessEnv => ({
  PATH: [join(machine, "bin"), ...path].join(delimiter),
  HOME: machine,
  npm_config_prefix: machine,
  npm_config_offline: "true",
  API: service.url,
  API_KEY: service.key,
});

/** Runs the steps of a job in a new checkout, like Actions, until a step fails. */
async function run(job: string, given: NodeJS.ProcessEnv = {}): Promise<{ code: number; output: string }> {
  const machine = pathIn(`machine-${readdirSync(pathIn(".")).length}`);
  mkdirSync(machine);
  const env = { ...envOf(machine), ...given };
  const cwd = join(machine, "checkout");
  execFileSync("git", ["clone", "--quiet", remote, cwd], { env });
  let output = "";
  for (const step of stepsOf(job)) {
    const code = await new Promise<number>((done) =>
      execFile("bash", ["-e", "-c", step], { cwd, env }, (error, stdout, stderr) => {
        output += stdout + stderr;
        done(error === null ? 0 : Number(error.code));
      }),
    );
    if (code !== 0) return { code, output };
  }
  return { code: 0, output };
}

withServices((started) => (service = started));

before(() => {
  const checkout = pathIn("ours");
  mkdirSync(checkout);
  execFileSync("npm", ["pack", "--silent", "-w", "packages/cli", "--pack-destination", resolve(checkout)]);
  writeFileSync(join(checkout, "edge.yaml"), "ip_policies:\n  office:\n    description: Lisbon\n");
  const git = (...given: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...given], { cwd: checkout });
  git("init", "--quiet", "--bare", "-b", "main", remote);
  git("init", "--quiet", "-b", "main");
  git("add", ".");
  git("commit", "--quiet", "-m", "The configuration and the command");
  git("push", "--quiet", remote, "main");
});

test("the workflow installs the package before anything can read the API key", () => {
  for (const job of ["plan", "apply"]) assert.match(stepsOf(job)[0] ?? "", /^npm install --global \.\//);
  assert.doesNotMatch(workflow, /\bnpx\b|npm ci/);
  const [beforeJobs = ""] = workflow.split("jobs:");
  assert.doesNotMatch(beforeJobs, /API_KEY/);
});

test("the plan of a pull request shows differences, and succeeds", async () => {
  const { code, output } = await run("plan");
  assert.match(output, /^Plan: 1 to create, 0 to change, 0 to delete/m);
  assert.equal(code, 0);
});

test("the plan fails if the service rejects the key", async () => {
  const { code } = await run("plan", { API_KEY: "wrong" });
  assert.equal(code, 1);
});

test("a merged change is applied, and the ids are pushed for the next run", async () => {
  const applied = await run("apply");
  assert.equal(applied.code, 0, applied.output);
  assert.match((await run("plan")).output, /^No differences\.$/m);
  assert.equal((await run("apply")).code, 0);
  const { stdout } = await edge(service, ["export"]);
  assert.equal(stdout.match(/description: Lisbon/g)?.length, 1);
});
