import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { newCopy, startDev } from "../support/copy.ts";
import { freePort } from "../support/ports.ts";

/*
 * The output of `npm run dev`, in a new working copy and later, and how it ends.
 */

const copy = newCopy();
after(copy.remove);

const READY = (origin: string): string[] => [
  `Ready on ${origin} (console: ${origin}/console, reference: ${origin}/docs). Ctrl-C ends it.`,
  "The API key is ROOT_API_KEY in .dev.vars, local-development-key. Restart after you change that file.",
];

const linesOf = (output: string): string[] => output.trimEnd().split("\n");

/** Starts it, sends a request, stops it like Ctrl-C does, and returns its output. */
async function session(): Promise<{ origin: string; lines: string[] }> {
  const dev = startDev(copy, await freePort());
  const origin = await dev.ready;
  const headers = { Authorization: "Bearer local-development-key", "Service-Version": "2" };
  assert.equal((await fetch(`${origin}/ip_policies`, { headers })).status, 200);
  process.kill(-(dev.child.pid ?? 0), "SIGINT");
  await dev.ended;
  await assert.rejects(fetch(`${origin}/health`), "nothing listens any more");
  return { origin, lines: linesOf(dev.output()) };
}

test("the first run prints a line for the settings, the migrations, the address, the key, and each request", async () => {
  const { origin, lines } = await session();
  assert.equal(lines[0], "Copied .dev.vars.example to .dev.vars.");
  assert.deepEqual(readFileSync(join(copy.folder, ".dev.vars")), readFileSync(".dev.vars.example"));
  assert.match(lines[1] ?? "", /^Migrations: [1-9]\d* applied\.$/);
  assert.deepEqual(lines.slice(2, 4), READY(origin));
  assert.match(lines[4] ?? "", /^\{"level":"info","msg":"request",.*"route":"\/ip_policies","status":200,/);
  assert.equal(lines.length, 5, lines.join("\n"));
});

test("a later run applies new migrations, and does not print your own key", async () => {
  const { origin, lines } = await session();
  assert.deepEqual(lines.slice(0, 3), ["Migrations: none to apply.", ...READY(origin)]);

  appendFileSync(join(copy.folder, ".dev.vars"), 'ROOT_API_KEY="a-key-of-your-own"\n');
  const dev = startDev(copy, await freePort());
  await dev.ready;
  dev.child.kill("SIGTERM");
  await dev.ended;
  assert.match(dev.output(), /^The API key is ROOT_API_KEY in \.dev\.vars\. /m);
  assert.doesNotMatch(dev.output(), /a-key-of-your-own/);
});

test("a build writes again what is missing, or what something else has changed", () => {
  const build = () =>
    spawnSync("node", [join("scripts", "build.ts")], { cwd: copy.folder, env: copy.env, encoding: "utf8" });
  const [page, text] = ["docs.html", "llms.txt"].map((name) => join(copy.folder, "dist", "assets", name));
  assert.ok(page !== undefined && text !== undefined);
  const before = [readFileSync(page), readFileSync(text)];
  rmSync(page);
  appendFileSync(text, "changed");
  assert.equal(build().status, 0);
  assert.deepEqual([readFileSync(page), readFileSync(text)], before);
  const { mtimeMs } = statSync(join(copy.folder, "dist", "built.json"));
  assert.equal(build().status, 0);
  assert.equal(statSync(join(copy.folder, "dist", "built.json")).mtimeMs, mtimeMs, "nothing was built");
});

test("two servers of a new working copy, on different ports, start together", async () => {
  rmSync(join(copy.folder, ".wrangler"), { recursive: true, force: true });
  const both = [startDev(copy, await freePort()), startDev(copy, await freePort())];
  for (const dev of both) {
    const origin = await dev.ready;
    assert.equal((await fetch(`${origin}/health`)).status, 200);
  }
  for (const dev of both) {
    process.kill(-(dev.child.pid ?? 0), "SIGINT");
    await dev.ended;
    // The two servers share a database. While one locks it, workerd reports an error of the other, which retries.
    const errors = dev
      .output()
      .split("\n")
      .filter((line) => line.includes("ERROR"));
    assert.deepEqual(
      errors.filter((line) => !line.includes("SQLITE_BUSY")),
      [],
    );
  }
});

test("it runs the cron trigger, which deletes expired rules", async ({ signal }) => {
  const own = { ...copy, env: { ...copy.env, DEV_CRON_SECONDS: "1" } };
  writeFileSync(join(copy.folder, ".dev.vars"), readFileSync(".dev.vars.example"));
  const dev = startDev(own, await freePort());
  try {
    const origin = await dev.ready;
    const headers = {
      Authorization: "Bearer local-development-key",
      "Service-Version": "2",
      "Content-Type": "application/json",
    };
    const create = async (path: string, body: object): Promise<{ id: string }> => {
      const response = await fetch(`${origin}${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      assert.equal(response.status, 201);
      return response.json();
    };
    const policy = await create("/ip_policies", {});
    const expires_at = new Date(Date.now() + 3_000).toISOString();
    const rule = { ip_policy_id: policy.id, action: "allow", cidr: "192.0.2.0/24", expires_at };
    const { id } = await create("/ip_policy_rules", rule);
    while ((await fetch(`${origin}/ip_policy_rules/${id}`, { headers })).status !== 404)
      await setTimeout(100, undefined, { signal });
  } finally {
    dev.child.kill("SIGTERM");
    await dev.ended;
  }
});

test("if the port is taken, it changes nothing and prints a command that works", async () => {
  const empty = newCopy();
  const port = await freePort();
  const other = createServer().listen(port, "127.0.0.1");
  await once(other, "listening");
  try {
    const dev = startDev(empty, port);
    const [code] = (await dev.ended) as [number];
    assert.equal(code, 1);
    const [, next] = /^Port \d+ is taken\..*\n\n {2}npm run dev -- --port (\d+)\n/.exec(dev.output()) ?? [];
    assert.ok(Number(next) > port, dev.output());
    assert.match(dev.output(), /share its database\.$/m);
    assert.match(dev.output(), new RegExp(`export API=http://localhost:${next}$`, "m"));
    assert.ok(!existsSync(join(empty.folder, ".wrangler")));
  } finally {
    other.close();
    empty.remove();
  }
});

test("a mistake in the arguments or the settings is named in a line, and nothing starts", async () => {
  const empty = newCopy();
  const dev = (...given: string[]) =>
    spawnSync("npm", ["run", "--silent", "dev", ...given], {
      cwd: empty.folder,
      env: empty.env,
      encoding: "utf8",
    });
  try {
    for (const [given, message] of [
      [["--", "--port", "abc"], "--port: expected 1 to 65535"],
      [["--", "--port=80a"], "--port: expected 1 to 65535"],
      [["--", "--port", "87999"], "--port: expected 1 to 65535"],
      [["--", "--port"], "--port: expected a value"],
      [["--", "--prot", "8799"], "Unknown option --prot. Accepted: --port, --ip, "],
      [["--", "8791"], "Unexpected argument 8791. "],
      [["--port", "8788"], "Unexpected argument 8788. "],
    ] as const) {
      const { status, stdout, stderr } = dev(...given);
      assert.deepEqual([status, stdout, linesOf(stderr).length], [2, "", 1], stderr);
      assert.ok(stderr.startsWith(message), stderr);
    }
    assert.ok(!existsSync(join(empty.folder, ".dev.vars")));
    writeFileSync(join(empty.folder, ".dev.vars"), "");
    const { status, stderr } = dev("--", "--port", "0");
    assert.equal(status, 1);
    assert.match(stderr, /^\.dev\.vars has no ROOT_API_KEY\. Delete the file: [^\n]*\n$/);
    assert.ok(!existsSync(join(empty.folder, ".wrangler")));
  } finally {
    empty.remove();
  }
});

test("a migration that fails is shown in full", async () => {
  writeFileSync(join(copy.folder, "drizzle", "9999_broken.sql"), "create nonsense;");
  const dev = startDev(copy, await freePort());
  const [code] = (await dev.ended) as [number];
  assert.equal(code, 1);
  assert.match(dev.output(), /9999_broken\.sql/);
  assert.match(dev.output(), /near "nonsense": syntax error/);
});

test("a build that fails is shown in full, and waits for the source to change", async ({ signal }) => {
  const source = join(copy.folder, "src", "index.ts");
  rmSync(join(copy.folder, "drizzle", "9999_broken.sql"));
  appendFileSync(source, '\nimport "./missing.ts";\n');
  const dev = startDev(copy, await freePort());
  try {
    while (dev.child.exitCode === null && !/Could not resolve "\.\/missing\.ts"/.test(dev.output()))
      await setTimeout(100, undefined, { signal });
    assert.equal(dev.child.exitCode, null, dev.output());
    // No other server waits for this one.
    while (existsSync(join(copy.folder, ".wrangler", "starting.pid")))
      await setTimeout(100, undefined, { signal });
    writeFileSync(join(copy.folder, "src", "missing.ts"), "export {};\n");
    appendFileSync(source, "\n");
    await dev.ready;
  } finally {
    dev.child.kill("SIGTERM");
    await dev.ended;
  }
});
