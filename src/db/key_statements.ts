import type { Role } from "../../packages/model/src/roles.ts";
import { apiKeys, botUsers, sessions, users } from "./access_schema.ts";
import { decodeVerdict, type Verdict, verdictOn } from "./api_restriction.ts";
import { decoded, raw, sql, type Sql, type Statement } from "./statements.ts";
import { asRow } from "./unchecked.ts";

/** The stored columns of an API key or a session that decide who its holder is and what its holder may do. */
export interface StoredKey {
  /** Of the key or the session. */
  token_sha256: string;
  /** The API key; null for a session of a person or of the root key. */
  key_id: string | null;
  /** The role of the key, or of a person's session; null for a session of the root key. */
  role: Role | null;
  /** When the key expires; null for never, and without a key. */
  expires_at: string | null;
  last_used_at: string | null;
  /** The bot user or the person that the key or the session belongs to. */
  owner_id: string | null;
  description: string | null;
  /** The name of the bot user, or the email address of the person; null if there is no owner. */
  owner_name: string | null;
  /** False for a key without an owner, or whose owner no longer exists. */
  owner_active: boolean;
  /** What the person who owns a personal key may do; null for other keys, and for a person without a role. */
  owner_role: Role | null;
  /** When the owner's personal keys stop working; null for the keys of bot users. */
  owner_until: string | null;
  /** Of a session: when it ends. */
  session_until: string | null;
  /** Of a session of the root key: that key's digest. */
  root_sha256: string | null;
  /** What the restriction of the API says of the caller's address; null if there is none. */
  verdict: Verdict | null;
}

/** The address of a caller; no networks if it is unknown. */
export interface CallerNetworks {
  networks: readonly string[];
  /** RFC 3339, UTC. */
  now: string;
}

const decode = (row: object): StoredKey => {
  const stored = asRow<
    Omit<StoredKey, "owner_active" | "verdict"> & { owner_active: unknown; verdict: unknown }
  >(row);
  return { ...stored, owner_active: stored.owner_active === 1, verdict: decodeVerdict(stored.verdict) };
};

/** What a person may do: what an admin has set, otherwise what the identity provider's groups said at the last sign-in. */
const roleOfPerson = raw("coalesce(person.role, person.provider_role)");

const ofOwner = sql`key.last_used_at, key.description,
  coalesce(bot.name, person.email, person.name, person.subject) as owner_name, coalesce(bot.active, person.active) as owner_active`;

/** Reads the API key `id` with its owner. */
export const keyWithOwner = (id: string, { networks, now }: CallerNetworks): Statement<StoredKey> =>
  decoded(
    sql`select key.token_sha256, key.id as key_id, key.role, key.expires_at, key.owner_id, ${ofOwner},
        ${roleOfPerson} as owner_role, person.keys_expire_at as owner_until, null as session_until, null as root_sha256,
        ${verdictOn(networks, now)} as verdict
      from ${apiKeys} as key left join ${botUsers} as bot on bot.id = key.owner_id left join ${users} as person on person.id = key.owner_id
      where key.id = ${id}`,
    decode,
  );

/** Reads the session `id` with the key or the person that it belongs to. A session whose key was deleted is not found. */
export const sessionWithOwner = (id: string, { networks, now }: CallerNetworks): Statement<StoredKey> =>
  decoded(
    sql`select own.token_sha256, own.key_id, coalesce(own.role, key.role) as role, key.expires_at,
        coalesce(own.user_id, key.owner_id) as owner_id, ${ofOwner}, iif(own.user_id is null, ${roleOfPerson}, null) as owner_role,
        iif(own.user_id is null, person.keys_expire_at, null) as owner_until, own.expires_at as session_until, own.root_sha256,
        ${verdictOn(networks, now)} as verdict
      from ${sessions} as own left join ${apiKeys} as key on key.id = own.key_id left join ${botUsers} as bot on bot.id = key.owner_id
        left join ${users} as person on person.id = coalesce(own.user_id, key.owner_id)
      where own.id = ${id} and (own.key_id is null or key.id is not null)`,
    decode,
  );

/** The owner of `key` lets the key work: the bot user is active, or the person is, has signed in lately and is an admin. */
const ownerAllows = (now: string): Sql =>
  sql`(key.owner_id is null or bot.active or (person.active and person.keys_expire_at > ${now} and ${roleOfPerson} = 'admin'))`;

/** A key, with its owner. */
const withOwner = sql`left join ${botUsers} as bot on bot.id = key.owner_id left join ${users} as person on person.id = key.owner_id`;

/**
 * The API key `id` of an admin is valid when the statement runs, not only when the request's headers arrived: it exists, has
 * not expired, and its bot user or person, if it has one, is active.
 *
 * @param now RFC 3339, UTC
 */
export const keyWorks = (id: string, now: string): Sql => sql`exists (
  select 1 from ${apiKeys} as key ${withOwner}
  where key.id = ${id} and (key.expires_at is null or key.expires_at > ${now}) and ${ownerAllows(now)})`;

/** The same as {@link keyWorks} for an admin's session: it has not ended, and neither have its key or its person. */
export const sessionWorks = (id: string, now: string): Sql => sql`exists (
  select 1 from ${sessions} as own left join ${apiKeys} as key on key.id = own.key_id ${withOwner}
  where own.id = ${id} and own.expires_at > ${now}
    and (own.key_id is null or (key.id is not null and (key.expires_at is null or key.expires_at > ${now}) and ${ownerAllows(now)})))`;

/** The bot user `id` exists and is active. */
export const isActiveBot = (id: string): Sql =>
  sql`exists (select 1 from ${botUsers} where ${botUsers.id} = ${id} and ${botUsers.active})`;
