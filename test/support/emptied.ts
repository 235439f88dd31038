import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";

/** The maximum number of resets until the database must be empty. */
const ATTEMPTS = 10;

const isEmpty = async (): Promise<boolean> =>
  (await env.DB.prepare("select 1 from sqlite_master where name = 'd1_migrations'").first()) === null;

/** Empties the database. A reset sometimes leaves a database with many rows unchanged, and is then repeated. */
export async function emptied(): Promise<void> {
  let attempts = 0;
  do {
    attempts += 1;
    if (attempts > ATTEMPTS) throw new Error("the database is not emptied");
    await reset();
  } while (!(await isEmpty()));
  await applyD1Migrations(env.DB, env.MIGRATIONS);
}
