import { apiKeys, botUsers } from "./schema.ts";
import { sql, type Sql } from "./statements.ts";

/**
 * The API key `id` is valid when the statement runs, not only when the request's headers arrived: it exists, has not expired,
 * and its bot, if it has one, is active.
 *
 * @param now RFC 3339, UTC
 */
export const keyWorks = (id: string, now: string): Sql => sql`exists (
  select 1 from ${apiKeys} as key left join ${botUsers} as bot on bot.id = key.owner_id
  where key.id = ${id} and (key.expires_at is null or key.expires_at > ${now}) and (key.owner_id is null or bot.active))`;

/** The bot user `id` exists and is active. */
export const isActiveBot = (id: string): Sql =>
  sql`exists (select 1 from ${botUsers} where ${botUsers.id} = ${id} and ${botUsers.active})`;
