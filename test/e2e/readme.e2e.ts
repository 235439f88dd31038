import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { type Service, startService } from "./service.ts";

/*
 * Runs the commands and examples in README exactly as they are written there.
 */

const run = promisify(execFile);
const readme = readFileSync("README.md", "utf8");

/** The first code block in `language` after the heading. */
function block(heading: string, language: string): string {
  const section = readme.slice(readme.indexOf(`## ${heading}\n`));
  const [, code] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(section) ?? [];
  if (code === undefined) throw new Error(`README has no ${language} under ${heading}`);
  return code;
}

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.stop());

test("the first session works in any POSIX shell, with the statuses that README states", async () => {
  const session = block("A first session", "sh")
    .replace("http://localhost:8787", service.origin)
    .replace("local-development-key", service.key);
  const { stdout } = await run("sh", ["-euc", session]);
  const statuses = stdout.split("\n").filter((line) => /^\d{3}$/.test(line));
  assert.deepEqual(statuses, ["201", "200", "200", "204", "409", "400"]);
});

test("the examples of safe retries and edits work as described", async () => {
  const session = ["A first session", "Retry safely", "Edit safely"]
    .map((heading) => block(heading, "sh"))
    .join("\n")
    .replace("http://localhost:8787", service.origin)
    .replace("local-development-key", service.key);
  const { stdout } = await run("sh", ["-euc", session]);
  const [one, other, tag, ...statuses] = stdout
    .split("\n")
    .filter((line) => /^\d{3}$|Porto|^"/.test(line))
    .slice(6)
    .filter((line) => line !== "201");
  assert.equal(one, other);
  assert.match(tag ?? "", /^"[0-9a-f]{8}-3"$/);
  assert.deepEqual(statuses, ["200", "412"]);
});

test("the sweep of idempotency records runs as described", async () => {
  const answer = await fetch(`${service.origin}/cdn-cgi/handler/scheduled`);
  assert.equal(answer.status, 200);
});

test("the TypeScript example compiles and runs", async () => {
  const folder = join("dist", "readme");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "example.ts");
  writeFileSync(file, block("From TypeScript", "ts"));
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: "../../scripts/tsconfig.json", include: ["example.ts"] }),
  );
  await run(process.execPath, [join("node_modules", "typescript", "bin", "tsc"), "-p", folder]);
  const { stdout } = await run(process.execPath, [file], {
    env: { ...process.env, API: service.origin, KEY: service.key },
  });
  assert.match(stdout, /^ipp_[0-9A-Za-z]{27} \d+\n$/);
});

test("the seed script creates all its objects, and only once", async () => {
  const seed = async (): Promise<string> => {
    const arguments_ = [join("scripts", "seed.ts"), "--url", service.origin, "--key", service.key];
    const { stdout } = await run(process.execPath, arguments_);
    return stdout.trim().split("\n").at(-1) ?? "";
  };
  assert.equal(await seed(), "Done: 78 created, 0 already there.");
  assert.equal(await seed(), "Done: 0 created, 78 already there.");
});

test("the database's files contain no secret and no key in plain text", async () => {
  const headers = {
    Authorization: `Bearer ${service.key}`,
    "Service-Version": "2",
    "Content-Type": "application/json",
  };
  const send = async (path: string, body: object): Promise<string> => {
    const response = await fetch(service.origin + path, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 201);
    return response.text();
  };
  const secret = "a-secret-to-look-for";
  const target = { monitoring_vendor: { api_key: secret, service: "a-word-that-is-no-secret" } };
  await send("/event_destinations", { target });
  const [, token = ""] = /"token":"([^"]+)"/.exec(await send("/api_keys", {})) ?? [];
  assert.equal(token.length, 61);

  const files = readdirSync(service.state, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  const bytes = Buffer.concat(files.map((file) => readFileSync(join(file.parentPath, file.name))));
  assert.notEqual(bytes.indexOf("a-word-that-is-no-secret"), -1, "these are the database's files");
  for (const hidden of [secret, token, token.slice(28)]) assert.equal(bytes.indexOf(hidden), -1);
});

test("resealing covers every destination and webhook and reports when it is done", async () => {
  const { stdout } = await run(process.execPath, [
    join("scripts", "reseal.ts"),
    "--url",
    service.origin,
    "--key",
    service.key,
  ]);
  assert.match(stdout, /^\d+ checked, 0 resealed, resume with --before \(done\)\n$/);
});
