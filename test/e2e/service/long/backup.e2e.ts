import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { type Service, startService } from "../../support/service.ts";

/*
 * Fills a database through the service, backs it up and restores it with the commands from docs/backup.md, and serves it again.
 */

const execute = promisify(execFile);
/** Wrangler prints each statement that it executes. */
const OUTPUT_BYTES = 64 * 1024 * 1024;
const run = (program: string, given: string[]) => execute(program, given, { maxBuffer: OUTPUT_BYTES });

/** The line of docs/backup.md that starts with `start`, for the local database of the configuration in `folder`. */
function command(start: string, folder: string): string {
  const lines = readFileSync(join("docs", "backup.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith(start))
    .map((line) => line.replace(/ +#.*/, ""));
  assert.equal(new Set(lines).size, 1, `docs/backup.md has one ${start}`);
  const [line = ""] = lines;
  return `${line.replace("--remote", "--local")} --config ${folder}/wrangler.toml`;
}

/** A new folder with a copy of wrangler.toml and an empty local database. */
function emptyDatabase(): string {
  const folder = mkdtempSync(join(tmpdir(), "edge-configuration-backup-"));
  cpSync("wrangler.toml", join(folder, "wrangler.toml"));
  return folder;
}

const stateIn = (folder: string): string => join(folder, ".wrangler", "state");

async function send(
  service: Service,
  method: string,
  path: string,
  body?: object,
  token = service.key,
  given: Record<string, string> = {},
) {
  const response = await fetch(service.origin + path, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      "Service-Version": "2",
      "Content-Type": "application/json",
      ...given,
    },
    body: body ? JSON.stringify(body) : null,
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

async function create(service: Service, path: string, body: object): Promise<{ id: string; token?: string }> {
  const { status, text } = await send(service, "POST", path, body);
  assert.equal(status, 201, text.slice(0, 500));
  return JSON.parse(text);
}

const collections = [
  "/edges/tcp",
  "/edges/tls",
  "/edges/https",
  "/ip_policies",
  "/ip_policy_rules",
  "/backends/failover",
  "/backends/http_response",
  "/backends/weighted",
  "/backends/static",
  "/bot_users",
  "/event_destinations",
  "/event_subscriptions",
  "/api_keys",
];

const httpsEdge = "/edges/https/edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX";
const route = `${httpsEdge}/routes/edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX`;
const modules = [
  `${httpsEdge}/mutual_tls`,
  ...["circuit_breaker", "request_headers", "websocket_tcp_converter"].map((name) => `${route}/${name}`),
];

/**
 * Reads every page (of 10) of every list, every object, including the routes of HTTPS edges, and every module of edges managed
 * elsewhere. Returns response texts by path, without the origin.
 */
async function everything(service: Service): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const read = async (path: string): Promise<string> => {
    const { status, text } = await send(service, "GET", path);
    assert.equal(status, 200, path);
    texts.set(path, text.replaceAll(service.origin, ""));
    return text;
  };
  const remaining = [...collections];
  for (const collection of remaining) {
    for (let path = `${collection}?limit=10`; path !== "";) {
      const { next_page_uri, uri: _, ...lists } = JSON.parse(await read(path));
      const objects: { id: string }[] = Object.values(lists).flat() as { id: string }[];
      for (const { id } of objects) {
        await read(`${collection}/${id}`);
        if (collection === "/edges/https") remaining.push(`${collection}/${id}/routes`);
      }
      path = next_page_uri?.slice(service.origin.length) ?? "";
    }
  }
  for (const path of modules) await read(path);
  return texts;
}

/** Texts that are easily corrupted in an SQL file. */
const awkward = [
  "a line break\nand the characters \\n",
  "\r\n and \\r and \\n and \\\\n",
  "a break\n, \\n, and \\r",
  "\\n alone",
  "it's '' -- /* \"quoted\" */; DROP TABLE bot_users;",
  "BEGIN TRANSACTION; COMMIT;",
  "\0 \u2028 \u0001 \u007f 🌍 Zürich",
  "replace('a\\nb','\\n',char(10))",
];
/** Exceeds the maximum length of a D1 statement, with characters of one to four bytes. */
const long = `${"1'ü€🌍\n\\n".repeat(45_000)}end`;

const folders = { original: emptyDatabase(), restored: emptyDatabase() };
const file = join(folders.original, "backup.sql");
let contents = new Map<string, string>();
let token = "";
/** An object, with the ETag and bookmark that the original service returned for it. */
let known = { path: "", etag: "", bookmark: "" };
let restored: Service;

before(async () => {
  const service = await startService(stateIn(folders.original));
  try {
    await run(process.execPath, [join("scripts", "seed.ts"), "--url", service.origin, "--key", service.key]);
    for (const text of awkward) await create(service, "/ip_policies", { description: text, metadata: text });
    const { id: backend_id } = await create(service, "/backends/http_response", {
      body: long,
      metadata: long.slice(0, 150_000),
    });
    const cas = Array.from({ length: 1_000 }, (_, index) => `ca_${index}`);
    const hostports = Array.from({ length: 9_000 }, (_, index) => `edge-${index}.example.com:443`);
    await create(service, "/edges/tls", {
      hostports,
      backend: { backend_id },
      mutual_tls: { enabled: false, certificate_authority_ids: cas },
      tls_termination: { terminate_at: "upstream" },
      traffic_policy: { value: long.slice(0, 200_000) },
    });
    for (const edge of ["first", "second"]) {
      const few = hostports.slice(0, 100);
      const { id } = await create(service, "/edges/https", { description: `${edge}\n\\n`, hostports: few });
      for (const [index, text] of awkward.entries())
        await create(service, `/edges/https/${id}/routes`, {
          description: text,
          metadata: text.repeat(50),
          match_type: "path_prefix",
          match: `/${index}'\\n''--;`,
          backend: { backend_id },
          request_headers: { add: { "X-Break": "\\n" } },
          traffic_policy: { value: long.slice(0, 20_000) },
          // A secret cannot have control characters.
          webhook_verification: {
            provider: "github",
            secret: text.replaceAll(/\p{Cc}/gu, "-").trim() || "-",
          },
        });
    }
    const { id: owner_id } = await create(service, "/bot_users", { name: "owner\n\\n" });
    ({ token = "" } = await create(service, "/api_keys", { owner_id, role: "viewer" }));
    contents = await everything(service);
    const path = `/bot_users/${owner_id}`;
    const { headers } = await send(service, "GET", path);
    known = {
      path,
      etag: headers.get("ETag") ?? "",
      bookmark: headers.get("Service-Bookmark") ?? "",
    };
  } finally {
    await service.stop();
  }
  await run("sh", ["-euc", command("npm run backup", folders.original).replace("backup.sql", file)]);
  await run("sh", ["-euc", command("npx wrangler d1 execute", folders.restored).replace("backup.sql", file)]);
  const { stdout } = await run("sh", ["-euc", command("npm run restored", folders.restored)]);
  assert.match(stdout, /^The database's epoch is now [0-9a-f]{8}: /m);
  restored = await startService(stateIn(folders.restored));
});
after(async () => {
  await restored.stop();
  for (const folder of Object.values(folders)) rmSync(folder, { recursive: true });
});

test("no statement of a backup exceeds D1's limit", () => {
  const lengths = readFileSync(file, "utf8")
    .split("\n")
    .map((line) => Buffer.byteLength(line));
  assert.ok(lengths.length > 100);
  assert.ok(Math.max(...lengths) < 100_000);
});

test("a restored database serves every object, list and module byte for byte", async () => {
  assert.ok(contents.size > 90, `${contents.size} responses`);
  const again = await everything(restored);
  assert.deepEqual([...again.keys()], [...contents.keys()]);
  for (const [path, text] of contents) assert.ok(again.get(path) === text, `${path} differs`);
});

test("ETags and bookmarks from before the restore are rejected", async () => {
  const { path, etag, bookmark } = known;
  assert.match(etag, /^"[0-9a-f]{8}-1"$/);
  const ask = (method: string, given: Record<string, string>) =>
    send(restored, method, path, method === "PATCH" ? {} : undefined, restored.key, given);
  const read = await ask("GET", { "If-None-Match": etag, "Service-Bookmark": bookmark });
  const now = read.headers.get("ETag") ?? "";
  assert.deepEqual([read.status, now.split("-")[1]], [200, etag.split("-")[1]]);
  assert.notEqual(now, etag);
  assert.notEqual(read.headers.get("Service-Bookmark")?.slice(0, 8), bookmark.slice(0, 8));
  assert.equal((await ask("PATCH", { "If-Match": etag })).status, 412);
  assert.equal((await ask("DELETE", { "If-Match": etag })).status, 412);
  assert.equal((await ask("PATCH", { "If-Match": now })).status, 200);
});

test("API keys work after the restore, and sealed secrets can be opened", async () => {
  assert.equal((await send(restored, "GET", "/ip_policies", undefined, token)).status, 200);
  const { stdout } = await run(process.execPath, [
    join("scripts", "reseal.ts"),
    "--url",
    restored.origin,
    "--key",
    restored.key,
  ]);
  // 7 destinations, an issuer, and routes with webhooks: one of the seed, and 16.
  assert.match(stdout, /\n25 checked, 0 resealed, resume with --before \(done\)\n$/);
});

test("references are checked after the restore, and deletions cascade as before", async () => {
  const listed = async (path: string, list: string) =>
    JSON.parse((await send(restored, "GET", path)).text)[list];
  const remove = async (path: string) => (await send(restored, "DELETE", path)).status;

  const failovers = await listed("/backends/failover", "backends");
  const outer = failovers.find(({ description }: { description: string }) => /maintenance/.test(description));
  const [inner, sorry] = outer.backends;
  assert.equal(await remove(`/backends/failover/${inner}`), 409);
  assert.equal(await remove(`/backends/http_response/${sorry}`), 409);
  const [split] = await listed("/backends/weighted", "backends");
  assert.equal(await remove(`/backends/weighted/${split.id}`), 409);
  for (const child of Object.keys(split.backends))
    assert.equal(await remove(`/backends/static/${child}`), 409);
  assert.equal(
    (await send(restored, "PATCH", `/backends/failover/${outer.id}`, { backends: [inner] })).status,
    200,
  );
  assert.equal(await remove(`/backends/http_response/${sorry}`), 204);
  assert.equal(await remove(`/backends/failover/${inner}`), 409);

  const [{ ip_policy }] = await listed("/ip_policy_rules", "ip_policy_rules");
  const ofIt = async () =>
    (await listed("/ip_policy_rules", "ip_policy_rules")).filter(
      (rule: { ip_policy: { id: string } }) => rule.ip_policy.id === ip_policy.id,
    ).length;
  assert.ok((await ofIt()) > 0);
  assert.equal(await remove(`/ip_policies/${ip_policy.id}`), 204);
  assert.equal(await ofIt(), 0);

  const [{ owner_id }] = await listed("/api_keys", "keys");
  assert.equal(await remove(`/bot_users/${owner_id}`), 204);
  assert.equal((await listed("/api_keys", "keys")).length, 0);
  assert.equal((await send(restored, "GET", "/ip_policies", undefined, token)).status, 401);
});
