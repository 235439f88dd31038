// Writes a migration from src/db/schema.ts: npm run db:generate -- --name what_it_does
// It is drizzle-kit's migration with additions: tables are STRICT and WITHOUT ROWID, and the file ends with a line feed.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = "drizzle";
const migrations = (): string[] => readdirSync(FOLDER).filter((name) => name.endsWith(".sql"));

const before = new Set(migrations());
const script = join("node_modules", "drizzle-kit", "bin.cjs");
const { status } = spawnSync(process.execPath, [script, "generate", ...process.argv.slice(2)], {
  stdio: "inherit",
});
for (const name of migrations().filter((name) => !before.has(name))) {
  const path = join(FOLDER, name);
  const sql = readFileSync(path, "utf8").replace(/^\);$/gm, ") STRICT, WITHOUT ROWID;");
  writeFileSync(path, `${sql.trimEnd()}\n`);
}
process.exitCode = status ?? 1;
