// @module-tag thorough
import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { get, ORIGIN, post, put } from "./support/api.ts";
import { inconsistenciesIn, sideTables } from "./support/consistency.ts";
import * as given from "./support/given.ts";
import type { Json } from "./support/json.ts";
import { stored, tablesNow } from "./support/stored.ts";

/*
 * Databases filled by earlier versions. `upgrade/NNNN.sql` is a backup of a database whose last migration is NNNN, and
 * NNNN.json is what that version showed of it: the body and the version in the ETag, by path. A list has the paths of its
 * objects, which it showed like their own paths.
 */

const dumps = import.meta.glob<string>("./support/upgrade/*.sql", {
  query: "?raw",
  import: "default",
  eager: true,
});
const shown = import.meta.glob<string>("./support/upgrade/*.json", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The statements of a backup. Each ends with a semicolon at the end of a line, outside a string. */
function statementsOf(dump: string): string[] {
  const statements = [""];
  for (const line of dump.split("\n")) {
    const open = `${statements.pop()}${line}\n`;
    const isOpen = (open.match(/'/g) ?? []).length % 2 === 1 || !line.endsWith(";");
    statements.push(open, ...(isOpen ? [] : [""]));
  }
  return statements.filter((statement) => statement.trim() !== "");
}

/** Replaces the database with the one in a backup. */
async function load(dump: string): Promise<void> {
  await reset();
  for (const statement of statementsOf(dump)) await env.DB.prepare(statement).run();
}

/** Applies those pending migrations for which `isWanted` is true. */
const migrate = (isWanted: (name: string) => boolean = () => true): Promise<void> =>
  applyD1Migrations(
    env.DB,
    env.MIGRATIONS.filter(({ name }) => isWanted(name)),
  );

/** Applies migrations like `npm run deploy`, which applies those that remove something last. */
const isBefore = (name: string): boolean => !name.endsWith(".after.sql");

/** A value without fields that `before` lacks and that are null: fields that a later version added, which nobody has set. */
function withoutNew(now: Json, before: Json | undefined): Json {
  if (typeof now !== "object" || now === null) return now;
  if (Array.isArray(now)) return now.map((item, index) => withoutNew(item, before?.[index]));
  const kept = Object.entries(now).filter(([name, value]) => value !== null || name in (before ?? {}));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutNew(value, before?.[name])]));
}

/** The body that was shown, with the objects of a list in place of their paths. */
const wholeOf = (body: Json, before: Record<string, Json>): Json =>
  Object.fromEntries(
    Object.entries<Json>(body).map(([name, value]) => [
      name,
      "next_page_uri" in body && Array.isArray(value) ? value.map((path) => before[path]?.body) : value,
    ]),
  );

/** How `uses` differs from the references in the rows. */
const wrongUses = async (): Promise<string[]> =>
  sideTables["uses"]?.(await stored(await tablesNow())) ?? ["?"];

describe.each(Object.entries(dumps))("%s", (name, dump) => {
  test("shows every field of every object as before, byte for byte, and keeps all references", async () => {
    await load(dump);
    await migrate(isBefore);
    for (const { name } of env.MIGRATIONS.filter((migration) => !isBefore(migration.name))) {
      // Rows that earlier code can leave behind, as long as it runs on the new schema.
      for (const left of [
        "delete from uses where target glob '*:*'",
        "insert into uses (target, user) values ('gone.example.com:443', 'edgtcp_gone')",
        `insert or ignore into https_edges (id, created_at, mutual_tls) values ('edghts_left', '2026-01-02T03:04:05Z', '{"enabled":true,"certificate_authority_ids":["ca_left"]}')`,
        "insert or ignore into uses (target, user) values ('ca_left', 'edghts_left')",
        "update uses set listed = null",
      ])
        await env.DB.prepare(left).run();
      await migrate((other) => isBefore(other) || other <= name);
    }

    const before: Record<string, Json> = JSON.parse(shown[name.replace(".sql", ".json")] ?? "{}");
    expect(Object.keys(before).length).toBeGreaterThan(50);
    for (const [path, { body: listed, etag }] of Object.entries(before)) {
      const body = wholeOf(listed, before);
      const answer = await get(path);
      const now: Json = JSON.parse(answer.text.replaceAll(ORIGIN, "ORIGIN"));
      expect(JSON.stringify(withoutNew(now, body)), path).toBe(JSON.stringify(body));
      expect(answer.headers.get("ETag")?.slice(10, -1) ?? null, path).toBe(etag);
    }
    // Its response is checked against the agents' schema.
    expect((await get("/snapshot")).status).toBe(200);
    const rows = await stored();
    // There was no log yet, so these objects have no events.
    expect(rows["events"]).toEqual([]);
    expect(
      inconsistenciesIn(rows, []).filter((fault) => !fault.endsWith(" is stored, but not in the log")),
    ).toEqual([]);
    expect(rows["uses"]?.length).toBeGreaterThan(5);
  });
});

/**
 * Rows that code which does not maintain `uses` can write: every object has different references than before, and some
 * are deleted.
 */
const earlierWrites = [
  `insert into http_response_backends (id, created_at, status_code) values ('bkdhr_later', '2026-11-22T00:00:00Z', 200)`,
  `insert into ip_policies (id, created_at) values ('ipp_later', '2026-11-22T00:00:00Z')`,
  `update failover_backends set backends = '["bkdhr_later"]'`,
  ...["tcp_edges", "tls_edges"].flatMap((edges) => [
    `delete from ${edges} where id = (select max(id) from ${edges} where backend is not null)`,
    `update ${edges} set backend = '{"enabled":true,"backend_id":"bkdhr_later"}',
       ip_restriction = '{"enabled":true,"ip_policy_ids":["ipp_later"]}'`,
  ]),
  ...["tls_edges", "https_edges"].map(
    (edges) => `update ${edges} set mutual_tls = '{"enabled":true,"certificate_authority_ids":["ca_later"]}'
       where mutual_tls ->> 'certificate_authority_ids' is not null`,
  ),
];

describe("the table of uses", () => {
  test("has the rows' references from 0005 on", async () => {
    await load(dumps["./support/upgrade/0004.sql"] ?? "");
    await migrate((name) => name <= "0005_uses.sql");
    // From 0013 on, it contains hostports, and marks authorities as listed.
    const isLater = (fault: string) => fault.includes(":") || / ca_\w+ by edghts_/.test(fault);
    expect((await wrongUses()).filter((fault) => !isLater(fault))).toEqual([]);
    expect((await stored(["uses"]))["uses"]?.length).toBeGreaterThan(5);
  });

  test("is corrected by 0006 for writes after 0005 by code that did not know it, and keeps what newer code wrote", async () => {
    await load(dumps["./support/upgrade/0004.sql"] ?? "");
    await migrate(isBefore);
    await env.DB.batch(earlierWrites.map((write) => env.DB.prepare(write)));
    const wrong = (await wrongUses()).join("\n");
    for (const user of ["bkdfo", "edgtcp", "edgtls", "edghts"]) {
      expect(wrong).toMatch(new RegExp(`^uses lacks \\w+ by ${user}_`, "m"));
      expect(wrong).toMatch(new RegExp(`^uses has \\w+ by ${user}_`, "m"));
    }
    for (const { status } of [
      await post("/backends/weighted", { backends: { bkdhr_later: 1 } }),
      await post("/edges/https", { mutual_tls: { certificate_authority_ids: [given.CA] } }),
      await put("/edges/https/edghts_elsewhere1/routes/edghtsrt_1/backend", { backend_id: "bkdhr_later" }),
    ])
      expect(status).toBeLessThan(300);
    await migrate();
    expect(await wrongUses()).toEqual([]);
  });
});
