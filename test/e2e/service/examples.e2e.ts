import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { parseRules } from "../../../packages/console/src/base/networks.ts";
import { newCopy, startDev } from "../support/copy.ts";
import { afterReport, anchorsOf, blocksOf, commandsIn, linksOf, pages } from "../support/markdown.ts";
import { freePort } from "../support/ports.ts";
import { eventually } from "../support/wait.ts";

/*
 * Runs the commands and examples in README and docs/ as written, in a new copy of the repository that `npm run dev` serves.
 * Only ports differ. The two lists below contain the blocks and commands that are not run, with the reason.
 */

const run = promisify(execFile);

const ACCOUNT = "needs a Cloudflare account";

/** Blocks that are not run, with the reason. */
const notRun: Record<string, string> = {
  "README.md, Two commands, sh":
    "`npm run dev` serves all other examples here; `.ci/run` runs `npm ci && npm test` on a clean checkout",
  "docs/ai.md, Connect a client, text": "needs the client",
  "docs/ai.md, Connect a client, text 2": "needs the client",
  "docs/ai.md, Connect a client, json": "needs the client",
  "docs/ai.md, Connect a client, json 2": "needs the client",
  "docs/ai.md, Connect a client, toml": "needs the client",
  ...Object.fromEntries(
    [
      "Can 198.51.100.7 reach the database?",
      "Who changed the office's rule?",
      "What happens to a connection from elsewhere?",
      "What does the policy contain, and who uses it?",
      "Let the Porto office in, 203.0.113.0/24.",
    ].flatMap((heading) =>
      ["json", "json 2"].map((kind) => [
        `docs/ai.md, ${heading}, ${kind}`,
        "test/e2e/mcp/guide.e2e.ts sends it",
      ]),
    ),
  ),
  "docs/deploying.md, The first deploy, sh": `${ACCOUNT}: deploy.e2e.ts deploys to one that it simulates`,
  "docs/deploying.md, Distance to the database, sh": ACCOUNT,
  "docs/https.md, The short way, sh":
    "needs a public host: test/e2e/certificates/machine.e2e.ts runs it with an authority on this machine",
  "docs/operating.md, Metrics, yaml": "needs Prometheus",
  "docs/operating.md, Look first, sh 2": "needs systemd",
  "docs/operating.md, EdgeCertificateEnds, sh": "needs a certificate",
  "docs/files.md, Plans, text": "test/e2e/cli/plans.e2e.ts prints it",
  "docs/files.md, In continuous integration, yaml": "test/e2e/packages/npm.e2e.ts runs the action",
  "docs/files.md, In continuous integration, yaml 2": "test/e2e/cli/workflow.e2e.ts runs its steps",
  "docs/traffic.md, Serving traffic, text": "a picture",
  "docs/traffic.md, How HAProxy handles requests, text": "a picture",
  "docs/traffic.md, Set up a machine, sh":
    "installs on another machine; test/e2e/traffic/ runs what is installed",
  "docs/traffic.md, Access log, text": "a line of output",
  "docs/traffic.md, Traefik, yaml": "needs Traefik",
  "docs/files.md, Tests, yaml": "test/e2e/cli/documented.e2e.ts runs them",
  "docs/files.md, The file, yaml": "test/e2e/cli/documented.e2e.ts applies it",
  "docs/backup.md, A backup, sh":
    "backup.e2e.ts runs the backup, the import and `npm run restored` on local databases; the other commands need an account",
  "docs/backup.md, Time Travel, sh": ACCOUNT,
};

/** Commands in sentences, with the test that runs them, or the reason why they are not run. */
const commands: Record<string, string> = {
  "npm ci": ".ci/run",
  "npm test": ".ci/run",
  "npm run format": "`npm run check` runs oxfmt with --check",
  "npm run lock": "changes package-lock.json",
  "npm install --save-exact": "changes package.json",
  "npm run dev": "run here, and by dev.e2e.ts",
  "npm run dev -- --port 8799": "dev.e2e.ts runs it with another port",
  "npm run seed -- --help": "run here",
  "npm run backup": "backup.e2e.ts",
  "npm run restored": "backup.e2e.ts",
  "node local/receiver.mjs": "run here",
  "node local/receiver.mjs 4001": "run here, with another port",
  "npm run reseal": "run here",
  "npm run deploy": "deploy.e2e.ts",
  "npm run deploy -- --dry-run": "run here",
  "npm run deploy -- --secrets-file FILE": ACCOUNT,
  "npm run deploy -- --env staging": `${ACCOUNT}; deploy.e2e.ts checks the configuration of staging`,
  'npm run deploy -- --env ""': ACCOUNT,
  "npm run bench": "takes minutes",
  "npm run bench -- --delivery": "takes minutes",
  "npm run bench -- --traffic": "takes minutes",
  "npm run bench -- --comparisons --cpu": "takes minutes",
  "curl $API/cdn-cgi/handler/scheduled": "run here, as docs/deploying.md has it",
  "npm run contract": "`npm run check` runs it with --check",
  "npm run db:generate": "writes a migration",
  "npm run db:generate -- --name what_it_does": "writes a migration",
  "npm run test:tools": ".ci/long",
  "npx wrangler dev": "npm run dev runs it, in dev.e2e.ts",
  "npx tsc": "run here",
  "npx edge": "a warning not to run it",
  "wrangler secret put ROOT_API_KEY": ACCOUNT,
  "npm pack -w packages/cli": "workflow.e2e.ts",
  "node scripts/deb.ts": "test/e2e/packages/deb.e2e.ts",
  "npx wrangler rollback": ACCOUNT,
  "npx wrangler d1 create edge-configuration --location weur": ACCOUNT,
  "npx wrangler secret put ROOT_API_KEY --env staging": ACCOUNT,
  "wrangler secret put": ACCOUNT,
  "wrangler secret put OIDC_CLIENT_SECRET": ACCOUNT,
  "wrangler deploy": "deploy.e2e.ts",
  "wrangler d1 export": "backup.e2e.ts, by `npm run backup`",
};

/** test/e2e/agent/policy/actions.e2e.ts runs the examples of policies. */
const blocks = new Map(
  pages
    .filter((page) => page !== join("docs", "policies.md"))
    .flatMap(blocksOf)
    .map(({ name, code }) => [name, code]),
);
const taken = new Set<string>();

/** Returns the block with this name, and marks it as run. */
function block(name: string): string {
  const code = blocks.get(name);
  if (code === undefined) throw new Error(`There is no block "${name}".`);
  taken.add(name);
  return code;
}

const checkout = newCopy();
const { folder: copy, env } = checkout;
const webhookPort = await freePort();
writeFileSync(
  join(copy, ".dev.vars"),
  readFileSync(".dev.vars.example", "utf8").replace(":4000", `:${webhookPort}`),
);
const dev = startDev(checkout, 0);
const RECEIVED_WITHIN_MILLISECONDS = 20_000;
let origin = "";
let served = 0;

before(async () => {
  origin = await dev.ready;
  served = await freePort();
});
after(async () => {
  dev.child.kill("SIGTERM");
  await dev.ended;
  checkout.remove();
});

/** Replaces the addresses in the pages with those of this run. */
const here = (code: string): string =>
  code.replaceAll("http://localhost:8787", origin).replaceAll("127.0.0.1:8800", `127.0.0.1:${served}`);

/** Runs code in a shell after the README's definitions, and returns its output. */
async function shellOf(code: string, flags = "-euc"): Promise<string> {
  const { stdout } = await run("sh", [flags, here(`${block(SETUP)}\n${code}`)], { cwd: copy, env });
  assert.match(stdout, /\n$/);
  return stdout;
}

/** Runs blocks, and then `more`, in one shell. */
const shell = (names: string[], more = ""): Promise<string> =>
  shellOf([...names.map(block), more].join("\n"));

const SETUP = "README.md, Serve a page, sh";
const SERVE = "README.md, Serve a page, sh 2";
/** The commands that create the objects of the page, without the agent. */
const objects = (): string => block(SERVE).split("\n\n")[0] ?? "";

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

test("a page is served, changed, closed to others, and changed in a file", { timeout: 300_000 }, async () => {
  const watch = spawn("sh", ["-c", here(block("README.md, Change it, and watch it change, sh"))], {
    cwd: copy,
    env,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  let watched = "";
  watch.stdout.on("data", (chunk: Buffer) => (watched += chunk.toString()));
  const ended = once(watch, "close");
  const session = [
    SERVE,
    "README.md, Change it, and watch it change, sh 2",
    "README.md, Keep it in files, sh",
  ].map(block);
  try {
    // Some of the commands are meant to fail.
    const output = await shellOf(`${session.join("\necho ===\n")}\nwait; echo`, "-uc");
    const [page = "", changed = "", file = ""] = output.split("===\n");
    assert.equal(page, "Hello from the edge\n");
    assert.deepEqual(statusesIn(changed), ["200", "201", "200", "409", "204"]);
    assert.match(changed, /^allowed +198\.51\.100\.7 /m);
    assert.match(changed, /^(?!allowed)\w+ +127\.0\.0\.1 /m);
    assert.equal(linesThat(/^Changed$/, changed).length, 1, "the second request is not answered");
    assert.match(file, /^ +body: "Changed\\n" -> "From a file\\n"$/m);
    assert.match(file, /^From a file$/m);
    await assert.rejects(fetch(here("http://127.0.0.1:8800/")), "HAProxy has ended");
    for (const told of [
      "HTTP response backend status 200 changed: body Hello from the edge → Changed",
      "IP policy Lisbon office created",
      "rule 198.51.100.0/24 allow added to Lisbon office",
    ])
      assert.ok(watched.includes(told), `${told} is not in\n${watched}`);
  } finally {
    process.kill(-(watch.pid ?? 0), "SIGINT");
    await ended;
  }
});

test(
  "an HTTPS edge is served, with client certificates and a circuit breaker",
  { timeout: 120_000 },
  async () => {
    const session = [
      "A certificate, sh",
      "An upstream, an edge and a route, sh",
      "An upstream, an edge and a route, sh 2",
      "An agent, sh",
      "An agent, sh 2",
      "Client certificates, sh",
      "A circuit breaker, sh",
      "A circuit breaker, sh 2",
      "Issuers, sh",
    ].map((name) => block(`docs/https.md, ${name}`));
    // Readers come from the README while its agent runs.
    const before = [SERVE, "docs/https.md, An HTTPS edge, step by step, sh"].map(block);
    const [own, upstream] = [await freePort(), await freePort()];
    const code = [before.join("\n"), ...session]
      .join("\necho ===\n")
      .replaceAll(":8443", `:${own}`)
      .replaceAll("4010", String(upstream));
    // A command of the page is meant to fail.
    const output = await shellOf(`${afterReport(code)}\nwait; echo`, "-uc");
    const [, , , , serving = "", inventory = "", mutual = "", breaker = "", , issuers = ""] =
      output.split("===\n");
    assert.match(serving, /^Hello over TLS\n/);
    assert.match(inventory, /"agents":\{"serving":1,"of":1,/);
    assert.match(inventory, /^valid {4}shop\.example\.test +ends \S+Z {2}on https-machine/m);
    assert.deepEqual(
      linesThat(/^Hello over TLS$/, mutual).length,
      1,
      "without a certificate, nothing is shown",
    );
    assert.match(mutual, /\nHello over TLS\n$/);
    const statuses = statusesIn(breaker).slice(1);
    assert.ok(
      statuses.slice(0, 5).every((status) => status === "500"),
      statuses.join(),
    );
    assert.deepEqual(statuses.slice(-2), ["503", "200"]);
    assert.match(issuers, /"thumbprint":"[\w-]{43}","account_uri":null,"caa":null/);
    assert.match(issuers, /\{"hosts":\["shop\.example\.com","\*\.apps\.example\.com"\],"thumbprint":"/);
    assert.match(issuers, /"agents":\["https-machine"\]/);
  },
);

test("the pages and the seed all use different hostports", () => {
  const sources = [...blocks.values(), readFileSync(join("scripts", "seed.ts"), "utf8")];
  const used = sources.flatMap((code) => {
    const lists = code.matchAll(/hostports"?:(?: \[(.*?)\]|((?:\n +- .*)+))/g);
    return Array.from(lists, ([, json, yaml]) => (json ?? yaml ?? "").match(/[\w.[\]:]+:\d+/g) ?? []).flat();
  });
  assert.ok(used.length > 5);
  assert.deepEqual(used, [...new Set(used)]);
});

test("the README's definitions do not hide shell commands", async () => {
  const names = Array.from(block(SETUP).matchAll(/^(\w+)\(\)/gm), ([, name = ""]) => name);
  assert.ok(names.length > 0);
  for (const name of names) await assert.rejects(run("sh", ["-c", `command -v ${name}`]), name);
});

test("new_id prints the id, or the error", async () => {
  const created = "call $API/ip_policies -d '{}' | new_id";
  const code = here(`${block(SETUP)}\n${created}\nAPI_KEY=wrong\n${created}`);
  const { stdout, stderr } = await run("sh", ["-uc", code], { cwd: copy, env });
  assert.match(stdout, /^ipp_\w+\n$/);
  assert.match(stderr, /^\{"error_code":"ERR_UNAUTHENTICATED",.*\}\n401\n$/);
});

test("the example of a policy's check is answered with a verdict", async () => {
  const [, code = ""] =
    /`(call \$API\/traffic_policies\/check .*)`/.exec(readFileSync("docs/policies.md", "utf8")) ?? [];
  assert.match(await shellOf(code), /^\{"verdict":"enforced",/);
});

test("a change arrives at the receiver, which survives a body that is not an event", async () => {
  mkdirSync(join(copy, "local"), { recursive: true });
  writeFileSync(join(copy, "local", "receiver.mjs"), block("docs/events.md, A receiver, js"));
  const receiver = spawn("node", ["local/receiver.mjs", String(webhookPort)], {
    cwd: copy,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  receiver.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const shows = (line: RegExp): Promise<void> =>
    eventually(() => assert.match(printed, line), RECEIVED_WITHIN_MILLISECONDS);
  try {
    await shows(/^Waiting for events on port \d+\.$/m);
    for (const body of ["no JSON", "null", "{}", ""]) {
      const { status } = await fetch(`http://127.0.0.1:${webhookPort}/`, { method: "POST", body });
      assert.equal(status, 400, body);
    }
    const output = await shell(["docs/events.md, A receiver, sh"]);
    assert.deepEqual(statusesIn(output), ["201", "201", "200", "200"]);
    assert.match(output, /"event_type":"ip_policy_created.v0"/);
    await shows(/^ip_policy_created\.v0 ipp_[0-9A-Za-z]{27} Watch me$/m);
  } finally {
    receiver.kill();
  }
});

test("lint and the formatter accept the files that the pages tell readers to save", async () => {
  const inPages = pages.flatMap((page) =>
    Array.from(
      readFileSync(page, "utf8").matchAll(/(?:[Ss]ave (?:this|the file)\s+as|export) `?([\w./]+\.\w+)/g),
      ([, file = ""]) => ({ page, file }),
    ),
  );
  assert.ok(inPages.length > 2);
  const ours = inPages.filter(({ page, file }) => !file.startsWith("local/") && page !== "docs/files.md");
  // This file belongs in the reader's own project.
  assert.deepEqual(ours, [{ page: "docs/typescript.md", file: "example.ts" }]);
  writeFileSync(join(copy, "local", "untidy.ts"), "var   untidy : any = eval( '1' )");
  await run("git", ["init", "--quiet"], { cwd: copy });
  const { stdout } = await run("oxfmt", ["--list-different", "local"], { cwd: copy, env }).catch(
    (error) => error,
  );
  assert.doesNotMatch(stdout, /untidy/);
  const linted = await run("oxlint", ["local"], { cwd: copy, env }).catch((error) => error);
  assert.doesNotMatch(linted.stdout, /untidy/);
  const { stdout: seen } = await run("git", ["status", "--porcelain", "local"], { cwd: copy, env });
  assert.equal(seen, "");
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

test("a plan shows its effect", async () => {
  const output = await shell(["docs/api.md, Plans, sh"]);
  assert.deepEqual(statusesIn(output), ["201"]);
  assert.match(output, /"object":\{"id":"\$porto","uri":null,"description":"Porto"\}/);
});

test("a change with an old ETag is rejected", async () => {
  const output = await shellOf(`${objects()}\n${block("docs/api.md, Edit safely, sh")}`);
  const [tag = ""] = linesThat(/^"/, output);
  assert.match(tag, /^"[0-9a-f]{8}-1"$/);
  assert.deepEqual(statusesIn(output).slice(-2), ["200", "412"]);
});

test("a read with a bookmark succeeds", async () => {
  const output = await shellOf(
    `${objects()}\n${block("docs/api.md, Read your own writes, sh")}\necho "$BOOKMARK"`,
  );
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

test("the API is closed to other addresses, except for the root key", async () => {
  const output = await shell(
    ["docs/restriction.md, Restricting the API by address, sh"],
    "call $API/api_restriction -X DELETE",
  );
  assert.deepEqual(statusesIn(output), ["201", "200", "204"]);
});

test("the commands for the night show the state and who is denied, and undo a change", async () => {
  const { text } = await send("/edges/https", { hostports: ["night.example.com:443"] });
  const route = { match_type: "path_prefix", match: "/", ip_restriction: {} };
  assert.equal((await send(`/edges/https/${JSON.parse(text).id}/routes`, route)).status, 201);
  const names = ["docs/operating.md, Look first, sh", "docs/operating.md, Clients get errors, sh"];
  // `edge problems` fails if there are any.
  const state = await shellOf(names.map(block).join("\n"), "-uc");
  assert.match(state, /^ok +http/m);
  assert.match(state, /"event_type":"https_edge_route_created\.v0"/);
  assert.match(state, /^denied +192\.0\.2\.1 /m);
  await send("/ip_policies", { description: "A mistake" });
  const undone = await shell(["docs/operating.md, Undo a change, sh"], "call $API/ip_policies?limit=1");
  assert.match(undone, /^ +- IP policy "A mistake" +ipp_\w+$/m);
  assert.doesNotMatch(undone.split("\n").slice(-4).join("\n"), /A mistake/);
});

test("the cron trigger runs as described", async () => {
  assert.equal(await shell(["docs/deploying.md, The cron trigger, sh"]), "ok\n");
});

test("the seed script creates all its objects, and only once", async () => {
  const seed = async () =>
    /^Done: (\d+) created, (\d+) already existed\.$/m.exec(await shell(["docs/local.md, Ports, sh", SEED])) ??
    [];
  const [, created, none] = await seed();
  assert.ok(Number(created) > 50 && none === "0", `${created}, ${none}`);
  const [, again, present] = await seed();
  assert.deepEqual([again, present], ["0", created]);
});
const SEED = "docs/local.md, Data, sh";

test("resealing covers every destination and reports when it is done", async () => {
  const output = await shell(["docs/deploying.md, Secrets at rest, sh"]);
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
  mkdirSync(join(copy, "local"), { recursive: true });
  writeFileSync(join(copy, "local", "example.ts"), block(EXAMPLE));
  const output = await shell(["docs/typescript.md, In this repository, sh"]);
  assert.match(output, /^ipp_[0-9A-Za-z]{27} \d+\n$/);
});

test("the TypeScript example compiles and runs in a separate project", async () => {
  const folder = join(copy, "..", `${basename(copy)}-project`);
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  try {
    writeFileSync(join(folder, "example.ts"), block(EXAMPLE));
    const name = "docs/typescript.md, In a project of your own, sh";
    const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
    const types = "packages/contract";
    const install = `npm install openapi-fetch@${devDependencies["openapi-fetch"]} ../edge-configuration-api/${types}\n`;
    assert.ok(block(name).includes(install));
    // The files that an installation would add, because installing needs a registry.
    for (const [installed, source] of [
      ["openapi-fetch", "node_modules/openapi-fetch"],
      ["edge-configuration-client", types],
      ["@types", "node_modules/@types"],
      ["undici-types", "node_modules/undici-types"],
    ] as const)
      symlinkSync(resolve(source), join(folder, "node_modules", installed));
    const session = `${block(SETUP)}${block(name).replace(install, "")}`;
    const { stdout } = await run("sh", ["-euc", here(session)], { cwd: folder, env });
    assert.match(stdout, /^ipp_[0-9A-Za-z]{27} \d+\n$/m);
    writeFileSync(join(folder, "tsconfig.json"), block("docs/typescript.md, In a project of your own, json"));
    await run("tsc", [], { cwd: folder, env });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

for (const name of [
  "docs/deploying.md, Distance to the database, toml",
  "docs/people.md, Set up a provider, toml",
])
  test(`${name}: it is a valid configuration`, async () => {
    const settings = readFileSync("wrangler.toml", "utf8");
    const [, table] = /^(\[vars\]\n)/.exec(block(name)) ?? [];
    const changed =
      table === undefined
        ? `${settings}\n${block(name)}`
        : settings.replace(`\n${table}`, `\n${block(name)}`);
    assert.notEqual(changed, settings);
    writeFileSync(join(copy, "wrangler.changed.toml"), changed);
    const dry = ["run", "deploy", "--", "--dry-run", "--config", "wrangler.changed.toml"];
    const { stdout, stderr } = await run("npm", dry, { cwd: copy, env });
    assert.match(stdout, /--dry-run: exiting now/);
    if (table !== undefined) assert.match(stdout, /OIDC_ISSUER \("https:\/\/login\.example\.com"\)/);
    assert.doesNotMatch(stdout + stderr, /WARNING/);
  });

test("the rules that docs/console.md pastes are rules", () => {
  const { rules, errors } = parseRules(block("docs/console.md, Rules of an IP policy, text"), "deny");
  assert.deepEqual(errors, []);
  assert.deepEqual(rules, [
    { cidr: "203.0.113.0/24", action: "allow", description: "Porto office" },
    { cidr: "198.51.100.77/32", action: "deny" },
  ]);
});

test("the key for an AI agent is a planner's", async () => {
  const [key = "{}"] = (await shell(["docs/ai.md, Choose a role, sh"], "echo")).split("\n");
  const { role, description } = JSON.parse(key);
  assert.deepEqual([role, description], ["planner", "Claude Code of Ada"]);
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

test("every block in README and docs/ was run, or is in the list above", () => {
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

test("every command in a sentence is in the list above, and the scripts exist", () => {
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
    for (const [, name = ""] of readFileSync(page, "utf8").matchAll(/npm run ([\w:-]+)/g))
      assert.ok(name in scripts, `${page}: npm run ${name}`);
});

test("each suite is run for each change or each night, and AGENTS.md says what it is for", () => {
  const table = readFileSync("AGENTS.md", "utf8");
  const ran = [".ci/run", ".ci/long"].map(
    (file) => readFileSync(file, "utf8").match(/\btest:[\w:-]+\w/g) ?? [],
  );
  const names = ran.flat().toSorted();
  assert.deepEqual(names, [...new Set(names)], "each is run once");
  for (const name of names) assert.ok(table.includes(`\`npm run ${name}\``), name);
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  // These need a machine that does nothing else, or run others with another Node.
  const left = new Set(["test:budgets", "test:ring", "test:oldest-node"]);
  const all = Object.keys(scripts).filter((name) => name.startsWith("test:"));
  assert.deepEqual(
    all.filter((name) => !left.has(name) && !names.includes(name)),
    [],
  );
});

test("every file that pages for maintainers name exists", () => {
  for (const page of ["AGENTS.md", "docs/checklists.md", "docs/decisions.md"])
    for (const [, file = ""] of readFileSync(page, "utf8").matchAll(
      /`((?:src|packages|test|scripts)\/[\w./-]+)`/g,
    ))
      assert.ok(existsSync(file), `${page}: ${file}`);
});

test("every link to a file or heading in the repository works", () => {
  for (const page of [...pages, "AGENTS.md", "SECURITY.md", "CHANGELOG.md", "test/bench/REPORT.md"])
    for (const link of linksOf(page)) {
      const [path = "", anchor] = link.split("#");
      const file = path === "" ? page : join(dirname(page), path);
      assert.ok(existsSync(file), `${page}: ${link}`);
      if (anchor !== undefined) assert.ok(anchorsOf(file).includes(anchor), `${page}: ${link}`);
    }
});
