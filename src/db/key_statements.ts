import { and, eq, gt, isNull, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { apiKeys, botUsers } from "./schema.ts";
import { draft, type Guard } from "./statements.ts";

/** Aliases, as a guard may be part of a statement on the same tables. */
const key = alias(apiKeys, "caller_key");
const bot = alias(botUsers, "caller_bot");

/** The API key `id` is valid: it exists, has not expired, and its bot, if it has one, is active. */
const worksNow = (id: unknown, now: unknown) =>
  and(
    eq(key.id, sql`${id}`),
    or(isNull(key.expires_at), gt(key.expires_at, sql`${now}`)),
    or(isNull(key.owner_id), sql`${bot.active}`),
  );

/**
 * Guard: the API key `id` is valid when the statement runs, not only when the request's headers arrived.
 *
 * @param now RFC 3339, UTC
 */
export const keyWorks = (id: string, now: string): Guard => ({
  shape: "key works",
  sql: () =>
    sql`exists ${draft
      .select({ one: sql`1` })
      .from(key)
      .leftJoin(bot, eq(bot.id, key.owner_id))
      .where(worksNow(sql.placeholder("caller_id"), sql.placeholder("caller_now")))}`,
  values: { caller_id: id, caller_now: now },
});

/** Guard: the bot user `id` exists and is active. */
export const isActiveBot = (id: string): Guard => ({
  shape: "active bot",
  sql: () =>
    sql`exists (select 1 from ${botUsers} where ${and(
      eq(botUsers.id, sql.placeholder("bot_id")),
      sql`${botUsers.active}`,
    )})`,
  values: { bot_id: id },
});
