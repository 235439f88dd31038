import { env } from "cloudflare:workers";

const NAMES = `select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\'
  and name not like 'sqlite%' and name <> 'd1_migrations' order by name`;

const { results } = await env.DB.prepare(NAMES).all<{ name: string }>();
const tables = results.map(({ name }) => name);

/** Everything that is stored, as text, but for when keys were last used: reading changes that. */
export async function rows(): Promise<string> {
  const all = await env.DB.batch<object>(tables.map((name) => env.DB.prepare(`select * from ${name}`)));
  const stored = all.map(({ results }, i) => [
    tables[i],
    results.map((row) => ({ ...row, last_used_at: null })),
  ]);
  return JSON.stringify(stored);
}

/** Empties every table but that of the database's epoch, which has one row. */
export async function empty(): Promise<void> {
  const emptied = tables.filter((name) => name !== "database_epoch");
  await env.DB.batch(emptied.map((name) => env.DB.prepare(`delete from ${name}`)));
}
