import { env } from "cloudflare:workers";
import type { Rows } from "./consistency.ts";
import type { Json } from "./json.ts";

const NAMES = `select name from pragma_table_list where schema = 'main' and type = 'table'
  and name not like 'sqlite\\_%' escape '\\' and name not like '\\_cf\\_%' escape '\\'
  and name <> 'd1_migrations' order by name`;

/** The tables that the database has now. In the middle of the migrations, some are missing. */
export async function tablesNow(): Promise<string[]> {
  const { results } = await env.DB.prepare(NAMES).all<{ name: string }>();
  return results.map(({ name }) => name);
}

/** Every table of the service in the database. */
export const tables = await tablesNow();

/** Everything that is stored, or the rows of the tables `names`. */
export async function stored(names = tables): Promise<Rows> {
  const all = await env.DB.batch<Json>(names.map((name) => env.DB.prepare(`select * from ${name}`)));
  return Object.fromEntries(names.map((name, i) => [name, all[i]?.results ?? []]));
}

/** Rows as a string for comparison, without some columns. */
export const withoutColumns = (rows: Rows, ...columns: string[]): string =>
  JSON.stringify(rows, (name, value) => (columns.includes(name) ? undefined : value));

/**
 * Empties every table except that of the database's epoch. @param kept other tables that are not emptied: without the log,
 * its numbers are used again, and the isolate takes what it keeps by number for current
 */
export async function empty(...kept: string[]): Promise<void> {
  const emptied = tables.filter((name) => name !== "database_epoch" && !kept.includes(name));
  await env.DB.batch(emptied.map((name) => env.DB.prepare(`delete from ${name}`)));
  await skipEvents();
}

/** More numbers than the service looks back when it follows the log. */
const FAR = 2_000;

/**
 * After a test has changed rows without events: moves the newest event so far on that the isolate does not follow the log from what it
 * has cached.
 */
export async function skipEvents(): Promise<void> {
  await env.DB.prepare(
    `update events set seq = seq + ${FAR} where seq = (select max(seq) from events)`,
  ).run();
}

/** Replaces the contents of all tables with `rows`, except the database's epoch. */
export async function restore(rows: Rows): Promise<void> {
  await empty();
  // Triggers can have inserted some of the rows already.
  const inserts = Object.entries(rows).flatMap(([table, all]) =>
    all.map((row) => {
      const names = Object.keys(row);
      const places = names.map(() => "?").join(", ");
      const insert = `insert or ignore into ${table} (${names.join(", ")}) values (${places})`;
      // D1 returns a BLOB as a list of bytes, but does not accept one.
      const values = Object.values(row).map((value) =>
        Array.isArray(value) ? new Uint8Array(value) : value,
      );
      return env.DB.prepare(insert).bind(...values);
    }),
  );
  if (inserts.length > 0) await env.DB.batch(inserts);
}
