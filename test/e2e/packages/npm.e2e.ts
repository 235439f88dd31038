import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { commandNode } from "../support/commands.ts";
import { install } from "../support/install.ts";
import { migrate, workerBundle } from "../support/prepared.ts";
import { type RunningWorker, startWorker } from "../support/workerd.ts";

/*
 * The packages for npm, packed, installed in an empty folder and used as somebody else would.
 */

const KEY = "key-of-the-tests-of-packages";
const folder = mkdtempSync(join(tmpdir(), "edge-packages-"));
const installed = join(folder, "project");
const module = (name: string): string => join(installed, "node_modules", name);

let worker: RunningWorker;
let archives: string[];

before(async () => {
  const packages = ["contract", "cli", "agent"];
  execFileSync(
    "npm",
    [
      "pack",
      "--silent",
      "--pack-destination",
      folder,
      ...packages.flatMap((name) => ["-w", `packages/${name}`]),
    ],
    { stdio: "inherit" },
  );
  archives = readdirSync(folder)
    .filter((name) => name.endsWith(".tgz"))
    .map((name) => join(folder, name));
  assert.equal(archives.length, packages.length);
  execFileSync("mkdir", [installed]);
  writeFileSync(
    join(installed, "package.json"),
    '{ "name": "project", "private": true, "type": "module" }\n',
  );
  execFileSync(
    "npm",
    [
      "install",
      "--prefix",
      installed,
      ..."--prefer-offline --no-audit --no-fund --silent".split(" "),
      ..."openapi-fetch@0.17.0 typescript@5.9.3 @types/node@20.19.0".split(" "),
      ...archives,
    ],
    { stdio: "inherit" },
  );
  const persist = join(folder, "database");
  migrate(persist);
  worker = await startWorker({
    bundle: workerBundle(),
    persist,
    bindings: { ROOT_API_KEY: KEY, SEALING_KEYS: `a:${Buffer.alloc(32).toString("base64")}` },
  });
});

after(async () => {
  await worker?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

test("each has its licence, its readme and nothing of the sources", () => {
  for (const name of ["edge-configuration-cli", "edge-configuration-client", "edge-agent"]) {
    const files = readdirSync(module(name));
    for (const needed of ["LICENSE", "README.md", "package.json"])
      assert.ok(files.includes(needed), `${name} ${needed}`);
    for (const left of ["src", "tsconfig.json", "node_modules"])
      assert.ok(!files.includes(left), `${name} ${left}`);
    assert.equal(readFileSync(join(module(name), "LICENSE"), "utf8"), readFileSync("LICENSE", "utf8"));
    const { version, dependencies } = JSON.parse(readFileSync(join(module(name), "package.json"), "utf8"));
    assert.equal(version, JSON.parse(readFileSync("package.json", "utf8")).version);
    assert.equal(dependencies, undefined);
  }
  assert.ok(
    readFileSync(join(module("edge-agent"), "debian", "edge-agent.service"), "utf8").includes("[Service]"),
  );
});

test("publint and Are The Types Wrong find nothing", async () => {
  const tools = join("test", "e2e", "clients");
  await install(tools);
  const run = (tool: string, ...args: string[]): string =>
    execFileSync(process.execPath, [join(tools, "node_modules", ".bin", tool), ...args], {
      encoding: "utf8",
    });
  for (const archive of archives) {
    run("publint", archive, "--level", "warning");
    run("attw", archive);
  }
});

describe("with the oldest and the newest Node that are promised", () => {
  for (const node of new Set([commandNode, process.execPath])) {
    const run = (name: string, ...args: string[]): string =>
      execFileSync(node, [join(installed, "node_modules", ".bin", name), ...args], {
        cwd: installed,
        encoding: "utf8",
        env: { ...process.env, API: worker.origin, API_KEY: KEY },
      });
    test(`${node}: edge and edge-agent run`, () => {
      const { version } = JSON.parse(readFileSync("package.json", "utf8"));
      assert.equal(run("edge", "--version").trim(), version);
      writeFileSync(join(installed, "edge.yaml"), "ip_policies: {}\n");
      assert.equal(run("edge", "diff", "edge.yaml"), "No differences.\n");
      assert.match(run("edge-agent", "--help"), /^Usage: edge-agent/);
    });
  }
});

const PROGRAM = `import type { components, paths, webhooks } from "edge-configuration-client";
import createClient from "openapi-fetch";

const api = createClient<paths>({ baseUrl: "https://api.example.com", headers: { "Service-Version": "2" } });
export const create = async (): Promise<components["schemas"]["IpPolicy"] | undefined> => {
  const { data } = await api.POST("/ip_policies", { body: { description: "Lisbon office" } });
  return data;
};
type Event = webhooks["event"]["post"]["requestBody"]["content"]["application/json"];
export const typeOf = ({ event_type }: Event): string => event_type;
// @ts-expect-error There is no such path.
void api.GET("/nothing");
`;

for (const [resolution, module, file] of [
  ["bundler", "esnext", "program.ts"],
  ["node16", "node16", "program.ts"],
  ["node16", "node16", "program.cts"],
  ["node10", "esnext", "program.ts"],
] as const)
  test(`${file} compiles with the types under moduleResolution ${resolution}`, () => {
    writeFileSync(join(installed, file), PROGRAM);
    execFileSync(
      process.execPath,
      [
        join(installed, "node_modules", "typescript", "bin", "tsc"),
        ..."--strict --noEmit --skipLibCheck false --target es2022 --types node".split(" "),
        ...`--module ${module} --moduleResolution ${resolution} ${file}`.split(" "),
      ],
      { cwd: installed, stdio: "inherit" },
    );
  });

describe("the Action", () => {
  /** Runs its step with the variables that GitHub sets. */
  function act(inputs: Record<string, string>): {
    code: number;
    outputs: Record<string, string>;
    summary: string;
  } {
    const [output, summary] = [join(folder, "output"), join(folder, "summary")];
    for (const file of [output, summary]) writeFileSync(file, "");
    const action = readFileSync("action.yml", "utf8");
    const [, command = ""] = /run: (.*)$/m.exec(action) ?? [];
    // The variables of the step, with the inputs in place of their expressions.
    const names = [...action.matchAll(/^ {8}(\w+): \$\{\{ inputs\.(\w+) \}\}$/gm)];
    const env = Object.fromEntries(names.map(([, name = "", input = ""]) => [name, inputs[input] ?? ""]));
    const { status } = spawnStep(command, {
      ...env,
      ACTION: resolve("."),
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
    });
    const lines = readFileSync(output, "utf8").trim().split("\n");
    return {
      code: status,
      outputs: Object.fromEntries(lines.map((line) => line.split("=", 2))),
      summary: readFileSync(summary, "utf8"),
    };
  }

  function spawnStep(command: string, env: Record<string, string>): { status: number } {
    try {
      execFileSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", command], {
        cwd: installed,
        env: { ...process.env, ...env },
        stdio: ["ignore", "ignore", "inherit"],
      });
      return { status: 0 };
    } catch (error) {
      return { status: Number(Object(error).status) };
    }
  }

  test("shows differences, makes a plan, and applies", () => {
    const inputs = { file: "edge.yaml", prune: "false", url: worker.origin, key: KEY };
    writeFileSync(join(installed, "edge.yaml"), "ip_policies: { office: { description: '```' } }\n");
    const shown = act({ ...inputs, command: "diff" });
    assert.deepEqual([shown.code, shown.outputs], [0, { changed: "true" }]);
    assert.match(shown.summary, /^### edge diff edge\.yaml\n````\n[^]*\+ ip_policies\.office[^]*\n````\n$/);
    const planned = act({ ...inputs, command: "plan" });
    assert.equal(planned.outputs["changed"], "true");
    assert.match(planned.outputs["plan"] ?? "", /^pln_/);
    const applied = act({ ...inputs, command: "apply" });
    assert.deepEqual([applied.code, applied.outputs], [0, { changed: "true" }]);
    assert.deepEqual(act({ ...inputs, command: "apply" }).outputs, { changed: "false" });
    writeFileSync(join(installed, "edge.yaml"), "ip_policies: {}\n");
    assert.equal(act({ ...inputs, command: "diff", prune: "true" }).outputs["changed"], "true");
    assert.equal(act({ ...inputs, command: "diff" }).outputs["changed"], "false");
    assert.equal(act({ ...inputs, command: "diff", key: "wrong" }).code, 1);
    assert.equal(act({ ...inputs, command: "rm -rf" }).code, 1);
  });

  test("applies what somebody newly gets in by only if the input accept has the code of the warning", () => {
    const inputs = { command: "apply", file: "opened.yaml", prune: "false", url: worker.origin, key: KEY };
    writeFileSync(
      join(installed, "opened.yaml"),
      "tcp_edges: { opened: { hostports: ['opened.example.com:2222'], backend: { backend_id: answer } } }\n" +
        "http_response_backends: { answer: { status_code: 204, body: '' } }\n",
    );
    const rejected = act(inputs);
    assert.equal(rejected.code, 1);
    assert.match(rejected.summary, /--accept opens_to_everyone/);
    assert.equal(act({ ...inputs, accept: "opens_to_everyone,newly_allowed" }).code, 0);
  });
});
