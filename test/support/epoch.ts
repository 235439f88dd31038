import { env } from "cloudflare:workers";

/** The database's epoch. */
export async function epochNow(): Promise<string> {
  const epoch = await env.DB.prepare("select epoch from database_epoch").first<string>("epoch");
  return epoch ?? "none";
}

/** Does the same as `npm run restored`; returns the new epoch. */
export async function newEpoch(): Promise<string> {
  await env.DB.prepare("update database_epoch set epoch = lower(hex(randomblob(4)))").run();
  return epochNow();
}
