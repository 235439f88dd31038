import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { inconsistenciesIn, type Rows } from "../../support/consistency.ts";
import { databaseFolder } from "../support/prepared.ts";
import { collections } from "./collections.ts";

const TABLES = `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
  AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\' AND name <> 'd1_migrations'`;

/** SQLite's integrity checks: these queries must return no rows. */
const CHECKS = [
  "PRAGMA foreign_key_check",
  "SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
  "SELECT * FROM pragma_quick_check WHERE quick_check <> 'ok'",
];

const prefixes = collections.map(({ prefix }) => prefix);

/** Every row of every table. */
function rowsOf(database: DatabaseSync): Rows {
  const names = database
    .prepare(TABLES)
    .all()
    .map(({ name }) => String(name));
  return Object.fromEntries(names.map((name) => [name, database.prepare(`SELECT * FROM ${name}`).all()]));
}

/**
 * Returns the errors in the database under `persist`, one per line. Nothing may have the database open. It checks a copy, so
 * that the next start recovers from the files as the crash left them.
 */
export function faultsOf(persist: string): string[] {
  const folder = databaseFolder(persist);
  const copy = mkdtempSync(join(tmpdir(), "edge-configuration-copy-"));
  const files = readdirSync(folder).filter(
    (name) => /\.sqlite(-wal)?$/.test(name) && !name.startsWith("metadata"),
  );
  for (const name of files) copyFileSync(join(folder, name), join(copy, name));
  const [name, ...more] = files.filter((name) => name.endsWith(".sqlite"));
  if (name === undefined || more.length > 0)
    throw new Error(`expected one database in ${folder}, found ${files.length} files`);
  const database = new DatabaseSync(join(copy, name));
  try {
    const failed = CHECKS.map((query) => ({ query, rows: database.prepare(query).all() }))
      .filter(({ rows }) => rows.length > 0)
      .map(({ query, rows }) => `${query} found ${rows.length} rows: ${JSON.stringify(rows.slice(0, 3))}`);
    return [...failed, ...inconsistenciesIn(rowsOf(database), prefixes)];
  } finally {
    database.close();
    rmSync(copy, { recursive: true });
  }
}
