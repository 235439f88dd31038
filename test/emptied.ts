import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";

/** Makes the database empty again. */
export async function emptied(): Promise<void> {
  await reset();
  await applyD1Migrations(env.DB, env.MIGRATIONS);
}
