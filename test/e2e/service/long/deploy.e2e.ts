import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { listen } from "../../support/ports.ts";
import { quiet } from "../../support/quiet.ts";

/*
 * `npm run deploy` with the real wrangler and a simulated account: its actions and their order.
 */

const run = promisify(execFile);

const DATABASE = { uuid: "11111111-1111-4111-8111-111111111111", name: "edge-configuration" };
const VERSION = { id: "22222222-2222-4222-8222-222222222222", resources: { script: { etag: "e" } } };
const all = readdirSync("drizzle").filter((name) => name.endsWith(".sql"));
/** Migrations that remove something the previous code needed are applied after the code is deployed. */
const later = all.filter((name) => name.endsWith(".after.sql"));
const migrations = all.filter((name) => !later.includes(name));

/** Responses of the account: the result for each method, by the end of the path. */
const answers: [path: RegExp, results: Record<string, unknown>][] = [
  [
    /\/workers\/services\/[\w-]+$/,
    { GET: { default_environment: { environment: "production", script: {} } } },
  ],
  [/\/secrets$/, { GET: ["ROOT_API_KEY", "SEALING_KEYS"].map((name) => ({ name, type: "secret_text" })) }],
  [/\/deployments$/, { GET: { deployments: [] }, POST: {} }],
  [/\/assets-upload-session$/, { POST: { jwt: "nothing to upload", buckets: [] } }],
  [/\/settings$/, { GET: { bindings: [] } }],
  [/\/versions$/, { POST: VERSION }],
  [/\/workers\/workers\/[\w-]+$/, { GET: { subdomain: { enabled: false, previews_enabled: false } } }],
];

interface Account {
  server: Server;
  port: number;
  /** Requests that change something: `POST /d1/database {"name":"…"}`. */
  changes: string[];
}

/** Simulates an account with or without the database, on a free port. A statement that contains `rejected` fails. */
async function account(given: { hasDatabase: boolean; rejected?: string }): Promise<Account> {
  const changes: string[] = [];
  const applied: { id: number; name: string }[] = [];
  let { hasDatabase } = given;
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("latin1").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const { method = "" } = request;
      const path = (request.url ?? "").replace(/\?.*/, "").replace("/accounts/account", "");
      const answer = (status: number, result: unknown, errors: object[] = []): void => {
        response.writeHead(status, { "Content-Type": "application/json" });
        response.end(JSON.stringify({ success: status < 300, errors, messages: [], result }));
      };
      if (method !== "GET") changes.push(`${method} ${path} ${body}`);
      if (path === "/d1/database" && method === "POST") {
        hasDatabase = true;
        return answer(200, DATABASE);
      }
      if (path === "/d1/database") return answer(200, hasDatabase ? [DATABASE] : []);
      if (given.rejected !== undefined && body.includes(given.rejected))
        return answer(400, null, [{ code: 7500, message: "no such thing: SQLITE_ERROR" }]);
      if (path.endsWith("/query")) {
        for (const name of all)
          if (body.includes(`'${name}'`)) applied.push({ id: applied.length + 1, name });
        const results = /select \*.*from.*d1_migrations/i.test(body) ? applied : [];
        return answer(200, [{ results, success: true, meta: { duration: 1 } }]);
      }
      if (/^\/d1\/database\/[\w-]+$/.test(path))
        return hasDatabase
          ? answer(200, DATABASE)
          : answer(404, null, [{ code: 7404, message: "not found" }]);
      const [, results] = answers.find(([pattern]) => pattern.test(path)) ?? [];
      return answer(200, results?.[method] ?? {});
    });
  });
  return { server, port: await listen(server), changes };
}

/** Runs `npm run deploy` with a simulated account. Returns whether it succeeded, and the order of the changes. */
async function deploy(given: { hasDatabase: boolean; rejected?: string }) {
  const { server, port, changes } = await account(given);
  try {
    const done = await run(process.execPath, [join("scripts", "deploy.ts")], {
      env: {
        ...quiet,
        DEPLOY_PAUSE_SECONDS: "0",
        CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}`,
        CLOUDFLARE_API_TOKEN: "token",
        CLOUDFLARE_ACCOUNT_ID: "account",
      },
    }).then(
      () => true,
      () => false,
    );
    const order = changes.flatMap((change) => [
      ...(change.startsWith("POST /d1/database {") ? ["database"] : []),
      ...all.filter((name) => /\/query /.test(change) && change.includes(name)),
      ...(/\/versions /.test(change) ? ["code"] : []),
    ]);
    return { done, order, changes };
  } finally {
    server.close();
  }
}

test("the first deploy creates the database, applies the migrations and then deploys, without changing wrangler.toml", async () => {
  const before = readFileSync("wrangler.toml", "utf8");
  const { done, order, changes } = await deploy({ hasDatabase: false });
  assert.deepEqual([done, order], [true, ["database", ...migrations, "code", ...later]]);
  assert.equal(readFileSync("wrangler.toml", "utf8"), before);
  const code = changes.find((change) => change.includes("/versions ")) ?? "";
  assert.ok(code.includes(`"id":"${DATABASE.uuid}"`) || code.includes(`"database_id":"${DATABASE.uuid}"`));
});

test("a later deploy finds the database by its name", async () => {
  const { done, order } = await deploy({ hasDatabase: true });
  assert.deepEqual([done, order], [true, [...migrations, "code", ...later]]);
});

test("if a migration fails, no further one is applied and no code is deployed", async () => {
  const { done, order } = await deploy({ hasDatabase: true, rejected: migrations[1] ?? "" });
  assert.deepEqual([done, order], [false, migrations.slice(0, 2)]);
});

test("the commented-out staging environment contains everything that environments do not inherit", async () => {
  const text = readFileSync("wrangler.toml", "utf8");
  const start = text.indexOf("# [env.staging.");
  const sketch = text.slice(start).replace(/^# ?/gm, "");
  const file = "wrangler.staging-sketch.toml";
  const bindings = async (...environment: string[]): Promise<string[]> => {
    const dry = ["deploy", "--dry-run", "--config", file, ...environment];
    const script = join("node_modules", "wrangler", "bin", "wrangler.js");
    const { stdout, stderr } = await run(process.execPath, [script, ...dry], { env: quiet });
    assert.doesNotMatch(stdout + stderr, /WARNING/);
    return stdout.split("\n").filter((line) => line.startsWith("env."));
  };
  writeFileSync(file, text.slice(0, start) + sketch);
  try {
    const production = await bindings("--env", "");
    assert.ok(production.length >= 6);
    const there = await bindings("--env", "staging");
    const alike = (line: string): string => line.replace(/-staging|\s+/g, "");
    assert.deepEqual(there.map(alike), production.map(alike));
    assert.equal(there.filter((line) => line.includes("edge-configuration-staging")).length, 1);
    // Secrets are neither in the list of bindings nor in a warning.
    assert.deepEqual(
      new Set(text.match(/^(?:# )?required = .*$/gm)?.map((line) => line.replace("# ", ""))).size,
      1,
    );
    assert.match(sketch, /^\[env\.staging\.secrets\]\nrequired = /m);
  } finally {
    rmSync(file);
  }
});
