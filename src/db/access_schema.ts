import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Role } from "../../packages/model/src/roles.ts";
import { identity, json, metadataIndex, texts, version } from "./common_columns.ts";

/*
 * The tables of objects that decide who may call the API: see `schema.ts`.
 */

export const botUsers = sqliteTable("bot_users", {
  ...identity,
  name: text().notNull(),
  active: integer({ mode: "boolean" }).notNull(),
  version,
});

/** API keys. Of the token, only its SHA-256 is stored, in hexadecimal. */
export const apiKeys = sqliteTable(
  "api_keys",
  {
    ...identity,
    ...texts,
    owner_id: text(),
    role: text({ enum: ["viewer", "planner", "editor", "admin", "agent", "metrics"] }).notNull(),
    /** RFC 3339, UTC. */
    expires_at: text(),
    /** RFC 3339, UTC; at most ten minutes behind. */
    last_used_at: text(),
    token_sha256: text().notNull(),
    version,
  },
  (table) => [
    metadataIndex("api_keys", table.metadata),
    index("api_keys_owner_id")
      .on(table.owner_id)
      .where(sql`owner_id is not null`),
    index("api_keys_expires_at")
      .on(table.expires_at)
      .where(sql`expires_at is not null`),
  ],
);

/** People who have signed in with the identity provider, by issuer and subject. Their rows are inserted at their first sign-in. */
export const users = sqliteTable(
  "users",
  {
    ...identity,
    issuer: text().notNull(),
    subject: text().notNull(),
    email: text(),
    name: text(),
    /** Set by an admin; overrides the provider's. */
    role: text({ enum: ["viewer", "planner", "editor", "admin"] }),
    /** The role at the last sign-in, from `PEOPLE_ROLES`; NULL if nothing matched. */
    provider_role: text({ enum: ["viewer", "planner", "editor", "admin"] }),
    active: integer({ mode: "boolean" }).notNull(),
    /** The last sign-in (RFC 3339, UTC). */
    last_seen_at: text().notNull(),
    /** When personal keys stop working unless the person signs in again (RFC 3339, UTC). */
    keys_expire_at: text().notNull(),
    version,
  },
  (table) => [uniqueIndex("users_issuer_subject").on(table.issuer, table.subject)],
);

/** Signed-in browsers. Of the token, only its SHA-256 is stored. Exactly one of the three is set: a user, a key, the root key. */
export const sessions = sqliteTable(
  "sessions",
  {
    ...identity,
    token_sha256: text().notNull(),
    user_id: text(),
    key_id: text(),
    /** Digest of the root key: the session ends when the root key changes. */
    root_sha256: text(),
    /** The user's role at the sign-in; NULL if a key decides. */
    role: text({ enum: ["viewer", "planner", "editor", "admin"] }),
    /** RFC 3339, UTC. */
    expires_at: text().notNull(),
    version,
  },
  (table) => [
    index("sessions_expires_at").on(table.expires_at),
    index("sessions_user_id")
      .on(table.user_id)
      .where(sql`user_id is not null`),
  ],
);

/** The restriction of the API by address: one row at most. */
export const apiRestrictions = sqliteTable("api_restrictions", {
  ...identity,
  enabled: integer({ mode: "boolean" }).notNull(),
  ip_policy_ids: json().$type<string[]>().notNull(),
  roles: json().$type<Role[]>().notNull(),
  version,
});
