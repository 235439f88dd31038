import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { quiet } from "../quiet.ts";
import { anchorsOf, blocksOf, commandsIn, linksOf, pages } from "./markdown.ts";

/*
 * Runs the commands and examples in README and docs/ as they are written there, in a new copy of the repository that
 * `npm run dev` serves. Only the port differs. Each block and command is run here, or says in one of the two lists below why
 * it is not.
 */

const run = promisify(execFile);

const ACCOUNT = "needs a Cloudflare account";

/** Blocks that are not run here, with the reason. */
const notRun: Record<string, string> = {
  "README.md, Two commands, sh":
    "`npm run dev` serves all other examples here; `.ci/run` runs `npm ci && npm test` on a clean checkout",
  "docs/operating.md, The first deploy, sh": `${ACCOUNT}: deploy.e2e.ts deploys to one that it simulates`,
  "docs/operating.md, Distance to the database, sh": ACCOUNT,
  "README.md, Configuration in files, yaml": "needs GitHub",
  "README.md, Serve traffic, text": "a picture",
  "docs/traffic.md, Serving traffic, text": "a picture",
  "docs/traffic.md, A machine that serves, sh":
    "installs on another machine; test/traffic/ runs what is installed",
  "docs/traffic.md, Traefik, yaml": "needs Traefik",
  "docs/files.md, The file, yaml": "test/cli/documented.e2e.ts applies it",
  "docs/backup.md, A backup, sh":
    "backup.e2e.ts runs the backup, the import and `npm run restored` on local databases; the other commands need an account",
  "docs/backup.md, Time Travel, sh": ACCOUNT,
};

/** Commands in sentences: what runs them, or why nothing does. */
const commands: Record<string, string> = {
  "npm ci": ".ci/run",
  "npm run dev": "run here",
  "npm run dev -- --port 8799": "run here, with another port",
  "npm run seed -- --help": "run here",
  "npm run backup": "backup.e2e.ts",
  "npm run restored": "backup.e2e.ts",
  "node receiver.mjs": "run here",
  "npm run reseal": "run here",
  "npm run deploy": "deploy.e2e.ts",
  "npm run deploy -- --dry-run": "run here",
  "npm run deploy -- --secrets-file FILE": ACCOUNT,
  "npm run deploy -- --env staging": `${ACCOUNT}; deploy.e2e.ts checks the configuration of staging`,
  'npm run deploy -- --env ""': ACCOUNT,
  "npm run bench": "takes minutes",
  "npm run bench -- --quick": "takes minutes",
  "npm run bench -- --delivery": "takes minutes",
  "npm run bench -- --traffic": "takes minutes",
  "curl $API/cdn-cgi/handler/scheduled": "run here, as docs/operating.md has it",
  "npm run contract": "`npm run check` runs it with --check",
  "npm run db:generate": "writes a migration",
  "npx wrangler dev": "the other end-to-end tests, by service.ts",
  "npx tsc": "run here",
  "npx edge --help": "refusals.e2e.ts",
  "npx edge access EDGE IP": "watch.e2e.ts",
  "npx edge watch": "watch.e2e.ts",
  "npm pack -w cli": "makes a package",
  "npx wrangler rollback": ACCOUNT,
  "npx wrangler d1 create edge-configuration --location weur": ACCOUNT,
  "npx wrangler secret put ROOT_API_KEY --env staging": ACCOUNT,
  "wrangler secret put": ACCOUNT,
  "wrangler deploy": "deploy.e2e.ts",
  "wrangler d1 export": "backup.e2e.ts, by `npm run backup`",
};

const blocks = new Map(pages.flatMap(blocksOf).map(({ name, code }) => [name, code]));
const taken = new Set<string>();

/** The block with this name, which counts as run from now on. */
function block(name: string): string {
  const code = blocks.get(name);
  if (code === undefined) throw new Error(`There is no block "${name}".`);
  taken.add(name);
  return code;
}

/** A copy of the repository as a checkout has it, with what `npm ci` installs. */
const copy = mkdtempSync(join(tmpdir(), "edge-configuration-copy-"));
const left = new Set([".git", ".wrangler", ".dev.vars", "dist", "node_modules"]);
cpSync(".", copy, { recursive: true, filter: (source) => !left.has(basename(source)) });
symlinkSync(resolve("node_modules"), join(copy, "node_modules"));

/** Node 24 comes first, as in the scripts of npm. */
const env = { ...quiet, PATH: `${resolve("node_modules", ".bin")}:${process.env["PATH"]}` };

const server = spawn("npm", ["run", "dev", "--", "--port", "0", "--inspector-port", "0"], {
  cwd: copy,
  env,
  stdio: ["ignore", "pipe", "pipe"],
});
/** When the last process that `npm run dev` started has ended, too. */
const ended = once(server, "close");
const READY_WITHIN_MILLISECONDS = 60_000;
const RECEIVED_WITHIN_MILLISECONDS = 20_000;
let origin = "";

before(async () => {
  let output = "";
  const ready = new Promise<string>((found, failed) => {
    const listen = (chunk: Buffer): void => {
      output += chunk.toString();
      const [, port] = /Ready on http:\/\/[^:\s]+:(\d+)/.exec(output) ?? [];
      if (port !== undefined) found(`http://localhost:${port}`);
    };
    server.stdout.on("data", listen);
    server.stderr.on("data", listen);
    server.once("exit", () => failed(new Error(`npm run dev ended: ${output}`)));
    setTimeout(() => failed(new Error(`not ready in time: ${output}`)), READY_WITHIN_MILLISECONDS).unref();
  });
  origin = await ready;
});
after(async () => {
  server.kill("SIGTERM");
  await ended;
  rmSync(copy, { recursive: true, force: true });
});

/** Runs blocks, and then `more`, in one shell; returns what they print, which ends with a line break. */
async function shell(names: string[], more = ""): Promise<string> {
  const session = [SETUP, ...names].map(block).join("\n").replace("http://localhost:8787", origin);
  const { stdout } = await run("sh", ["-euc", session + more], { cwd: copy, env });
  assert.match(stdout, /\n$/);
  return stdout;
}

const SETUP = "README.md, A first session, sh";
const SESSION = "README.md, A first session, sh 2";

const linesThat = (pattern: RegExp, output: string): string[] =>
  output.split("\n").filter((line) => pattern.test(line));
const statusesIn = (output: string): string[] => linesThat(/^\d{3}$/, output);

async function send(path: string, body: object): Promise<{ status: number; text: string }> {
  const response = await fetch(origin + path, {
    method: "POST",
    headers: {
      Authorization: "Bearer local-development-key",
      "Service-Version": "2",
      "Content-Type": "application/json",
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

test("`npm run dev` has created .dev.vars and applied the migrations", () => {
  assert.equal(readFileSync(join(copy, ".dev.vars"), "utf8"), readFileSync(".dev.vars.example", "utf8"));
});

test("the first session works in any POSIX shell, with the statuses that it states", async () => {
  const output = await shell([SESSION]);
  assert.deepEqual(statusesIn(output), ["201", "200", "200", "204", "409", "400"]);
});

test("nothing that the first session defines hides a command of the shell", async () => {
  const names = Array.from(block(SETUP).matchAll(/^(\w+)\(\)/gm), ([, name = ""]) => name);
  assert.ok(names.length > 0);
  for (const name of names) await assert.rejects(run("sh", ["-c", `command -v ${name}`]), name);
});

test("a change arrives at the receiver of the README, and is in the log", async () => {
  writeFileSync(join(copy, "receiver.mjs"), block("README.md, Watch it change, js"));
  const receiver = spawn("node", ["receiver.mjs"], { cwd: copy, env, stdio: ["ignore", "pipe", "inherit"] });
  const printed = once(receiver.stdout, "data", {
    signal: AbortSignal.timeout(RECEIVED_WITHIN_MILLISECONDS),
  });
  try {
    const output = await shell(["README.md, Watch it change, sh"]);
    assert.deepEqual(statusesIn(output), ["201", "201", "200", "200"]);
    assert.match(output, /"event_type":"ip_policy_created.v0"/);
    const [received] = await printed;
    assert.match(String(received), /^ip_policy_created\.v0 ipp_[0-9A-Za-z]{27} Watch me$/m);
  } finally {
    receiver.kill();
  }
});

test("the agent of the README serves an edge, and what is changed", async () => {
  const output = await shell(["README.md, Serve traffic, sh"], "\nwait; echo");
  assert.deepEqual(statusesIn(output), ["201", "200", "200"]);
  assert.match(output, /^Hello from the edge\{/m);
  assert.match(output, /^Changed\{/m);
  assert.match(output, /"name":"this-machine",.*"behind":0,.*"ok":true,"error":null,"problems":\[\]/);
});

test("a repeated creation with an Idempotency-Key shows the same object", async () => {
  const [one, other] = linesThat(/Porto/, await shell(["docs/api.md, Retry safely, sh"]));
  assert.ok(one !== undefined && one === other);
});

test("several changes take effect as one", async () => {
  const output = await shell(["docs/api.md, Change several things as one, sh"]);
  assert.deepEqual(statusesIn(output), ["200"]);
  assert.equal(output.match(/"status":201/g)?.length, 3);
});

test("a change with the ETag of an earlier state is refused", async () => {
  const output = await shell([SESSION, "docs/api.md, Edit safely, sh"]);
  const [tag = ""] = linesThat(/^"/, output);
  assert.match(tag, /^"[0-9a-f]{8}-3"$/);
  assert.deepEqual(statusesIn(output).slice(-2), ["200", "412"]);
});

test("a read with a bookmark succeeds", async () => {
  const output = await shell([SESSION, "docs/api.md, Read your own writes, sh"], 'echo "$BOOKMARK"');
  assert.equal(statusesIn(output).at(-1), "200");
  assert.match(output, /^(?:[0-9a-f]{8}-){4}[0-9a-f]{32}$/m);
});

test("a key is created and shows its token", async () => {
  const output = await shell(["docs/keys.md, API keys, sh"]);
  assert.deepEqual(statusesIn(output), ["201"]);
  const [, token = ""] = /"token":"([^"]+)"/.exec(output) ?? [];
  const [, form = ""] = /Tokens match\n`([^`]+)`/.exec(readFileSync("docs/keys.md", "utf8")) ?? [];
  assert.match(token, new RegExp(`^${form}$`));
});

test("the sweep of idempotency records runs as described", async () => {
  assert.equal(await shell(["docs/operating.md, The cron trigger, sh"]), "ok\n");
});

test("the seed script creates all its objects, and only once", async () => {
  const seed = async () => /^Done: (\d+) created, (\d+) already there\.$/m.exec(await shell([SEED])) ?? [];
  const [, created, none] = await seed();
  assert.ok(Number(created) > 50 && none === "0", `${created}, ${none}`);
  const [, again, present] = await seed();
  assert.deepEqual([again, present], ["0", created]);
});
const SEED = "README.md, More to look at, sh";

test("the configuration is exported to a file, and nothing is left to apply", async () => {
  const output = await shell(["README.md, Configuration in files, sh"]);
  assert.match(output, /^No differences\.\nNo differences\.\n$/);
  assert.ok(existsSync(join(copy, "edge.yaml.ids.json")));
});

test("resealing covers every destination and reports when it is done", async () => {
  const output = await shell(["docs/operating.md, Secrets at rest, sh"]);
  assert.match(output, /^\d+ checked, 0 resealed, resume with --before \(done\)\n$/m);
});

test("the example of an error is what the service responds", async () => {
  const { text } = await send("/ip_policies", { description: "x".repeat(256), colour: "red" });
  const example = JSON.parse(block("docs/errors.md, Errors, json"));
  const response = JSON.parse(text);
  assert.match(response.details.operation_id, /^op_/);
  assert.deepEqual({ ...response, details: example.details }, example);
});

const EXAMPLE = "docs/typescript.md, Calling the API from TypeScript, ts";

test("the TypeScript example runs in the repository", async () => {
  writeFileSync(join(copy, "example.ts"), block(EXAMPLE));
  const output = await shell(["docs/typescript.md, In this repository, sh"]);
  assert.match(output, /^ipp_[0-9A-Za-z]{27} \d+\n$/);
});

test("the TypeScript example compiles and runs in a project of its own", async () => {
  const folder = join(copy, "..", `${basename(copy)}-project`);
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  try {
    writeFileSync(join(folder, "example.ts"), block(EXAMPLE));
    const name = "docs/typescript.md, In a project of your own, sh";
    const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
    const install = `npm install openapi-fetch@${devDependencies["openapi-fetch"]} ../edge-configuration-api/client\n`;
    assert.ok(block(name).includes(install));
    // What the installation would put there: it needs a registry.
    for (const [installed, source] of [
      ["openapi-fetch", "node_modules/openapi-fetch"],
      ["edge-configuration-client", "client"],
      ["@types", "node_modules/@types"],
      ["undici-types", "node_modules/undici-types"],
    ] as const)
      symlinkSync(resolve(source), join(folder, "node_modules", installed));
    const session = `${block(SETUP)}${block(name).replace(install, "")}`.replace(
      "http://localhost:8787",
      origin,
    );
    const { stdout } = await run("sh", ["-euc", session], { cwd: folder, env });
    assert.match(stdout, /^ipp_[0-9A-Za-z]{27} \d+\n$/m);
    writeFileSync(join(folder, "tsconfig.json"), block("docs/typescript.md, In a project of your own, json"));
    await run("tsc", [], { cwd: folder, env });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the sketch of a placement is a valid configuration", async () => {
  const sketch = block("docs/operating.md, Distance to the database, toml");
  writeFileSync(join(copy, "wrangler.placement.toml"), `${readFileSync("wrangler.toml", "utf8")}\n${sketch}`);
  const dry = ["run", "deploy", "--", "--dry-run", "--config", "wrangler.placement.toml"];
  const { stdout, stderr } = await run("npm", dry, { cwd: copy, env });
  assert.match(stdout, /--dry-run: exiting now/);
  assert.doesNotMatch(stdout + stderr, /WARNING/);
});

for (const script of ["seed", "reseal", "backup", "restored", "fuzz", "bench"])
  test(`\`npm run ${script} -- --help\` prints the usage and does nothing else`, async () => {
    const { stdout } = await run("npm", ["run", script, "--", "--help"], { cwd: copy, env });
    assert.match(stdout, new RegExp(`^Usage: npm run ${script}\\b`, "m"));
    assert.doesNotMatch(stdout, /^(?:created|Wrote|Side by side)/m);
  });

test("the database's files contain no secret and no key in plain text", async () => {
  const secret = "a-secret-to-look-for";
  const target = { monitoring_vendor: { api_key: secret, service: "a-word-that-is-no-secret" } };
  assert.equal((await send("/event_destinations", { target })).status, 201);
  const [, token = ""] = /"token":"([^"]+)"/.exec((await send("/api_keys", {})).text) ?? [];
  assert.equal(token.length, 61);

  const files = readdirSync(join(copy, ".wrangler", "state"), {
    recursive: true,
    withFileTypes: true,
  }).filter((file) => file.isFile());
  const bytes = Buffer.concat(files.map((file) => readFileSync(join(file.parentPath, file.name))));
  assert.notEqual(bytes.indexOf("a-word-that-is-no-secret"), -1, "these are the database's files");
  for (const hidden of [secret, token, token.slice(28)]) assert.equal(bytes.indexOf(hidden), -1);
});

test("every block of README and docs/ was run, or the list above says why not", () => {
  const names = [...blocks.keys()];
  assert.deepEqual(
    names.filter((name) => !taken.has(name) && !(name in notRun)),
    [],
  );
  assert.deepEqual(
    Object.keys(notRun).filter((name) => taken.has(name) || !blocks.has(name)),
    [],
  );
});

test("every command in a sentence is in the list above, and every script that one names exists", () => {
  const used = new Set(pages.flatMap(commandsIn));
  assert.deepEqual(
    [...used].filter((command) => !(command in commands)),
    [],
  );
  assert.deepEqual(
    Object.keys(commands).filter((command) => !used.has(command)),
    [],
  );
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  for (const page of [...pages, "AGENTS.md", "SECURITY.md", "CHANGELOG.md"])
    for (const [, name = ""] of readFileSync(page, "utf8").matchAll(/npm run ([\w:]+)/g))
      assert.ok(name in scripts, `${page}: npm run ${name}`);
});

test("every link to a file or heading of the repository leads somewhere", () => {
  for (const page of [...pages, "AGENTS.md", "SECURITY.md", "CHANGELOG.md", "test/bench/REPORT.md"])
    for (const link of linksOf(page)) {
      const [path = "", anchor] = link.split("#");
      const file = path === "" ? page : join(dirname(page), path);
      assert.ok(existsSync(file), `${page}: ${link}`);
      if (anchor !== undefined) assert.ok(anchorsOf(file).includes(anchor), `${page}: ${link}`);
    }
});
