import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";

/** Empties the database. */
export async function emptied(): Promise<void> {
  await reset();
  await applyD1Migrations(env.DB, env.MIGRATIONS);
}
