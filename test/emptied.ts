import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";

/** Makes the database empty again, with a new epoch. */
export async function emptied(): Promise<void> {
  const before = await epoch();
  // On a busy machine, a reset that succeeds was seen to leave the database as it was.
  for (let attempt = 1; attempt <= 5; attempt++) {
    await reset();
    await applyD1Migrations(env.DB, env.MIGRATIONS);
    if ((await epoch()) !== before) return;
  }
  throw new Error("the database was not reset");
}

/** The epoch of the database, a random one after each reset; undefined while it has no tables. */
const epoch = async (): Promise<unknown> =>
  env.DB.prepare("select epoch from database_epoch")
    .first("epoch")
    .catch(() => undefined);
