import { sessions, users } from "../../db/access_schema.ts";
import { type Cause, recorderOf } from "../../db/event_writes.ts";
import { insertion } from "../../db/rows.ts";
import {
  bare,
  bound,
  decoded,
  decoderOf,
  join,
  raw,
  sql,
  type Sql,
  type Statement,
} from "../../db/statements.ts";
import { nextVersion } from "../../db/versions.ts";

/*
 * SQL on people and their sessions.
 */

export type StoredUser = typeof users.$inferSelect;
export type StoredSession = typeof sessions.$inferSelect;

const recorder = recorderOf(
  "session",
  { table: sessions },
  { hidden: { token_sha256: "all", root_sha256: "all" } },
);

/** What a person may do: what an admin has set, otherwise the provider's role. */
const role = sql`coalesce(${users.role}, ${users.provider_role})`;

/**
 * Inserts a person who signs in for the first time, or updates the one with the same issuer and subject. A person without a
 * role from the provider is not inserted. Returns the person's row.
 */
export function signedIn(user: StoredUser): Statement<StoredUser> {
  const names = ["email", "name", "provider_role", "last_seen_at", "keys_expire_at"] as const;
  const set = join([nextVersion, ...names.map((name) => sql`${bare(name)} = ${bound(user[name])}`)]);
  const statement =
    user.provider_role === null
      ? sql`update ${users} set ${set} where ${users.issuer} = ${user.issuer} and ${users.subject} = ${user.subject} and ${users.active} returning *`
      : sql`${insertion(users, user)} on conflict (issuer, subject) do update set ${set} where ${users.active} returning *`;
  return decoded(statement, decoderOf(users));
}

/** Inserts a session of a key, with its event. A session of a key that no longer exists is never found. */
export const insertKeySession = (session: StoredSession, cause: Cause): Sql[] => [
  insertion(sessions, session),
  recorder.change("created", sql`${sessions.id} = ${session.id}`, cause),
];

/** Inserts a session of a person, with its event, if the person is active and still has the session's role. */
export function insertPersonSession(session: StoredSession, cause: Cause): Sql[] {
  const names = Object.keys(session);
  const values = Object.values(session).map((value) => sql`${bound(value)}`);
  return [
    sql`insert into ${sessions} (${join(names.map(bare))}) select ${join(values)}
      from ${users} where ${users.id} = ${session.user_id} and ${users.active} and ${role} = ${session.role} returning id`,
    recorder.change("created", sql`${sessions.id} = ${session.id}`, cause),
  ];
}

/** Deletes sessions, with their events; returns their ids. */
const endSessions = (where: Sql, cause: Cause): Sql[] => [
  recorder.deletion(where, cause),
  sql`delete from ${sessions} where ${where} returning id`,
];

/** Ends one session. */
export const endSession = (id: string, cause: Cause): Sql[] =>
  endSessions(sql`${sessions.id} = ${id}`, cause);

/** Ends all sessions of a person. */
export const endSessionsOf = (userId: string, cause: Cause): Sql[] =>
  endSessions(sql`${sessions.user_id} = ${userId}`, cause);

/** A person, by id or as the provider names them. */
type Person = Pick<StoredUser, "id"> | Pick<StoredUser, "issuer" | "subject">;

/** Ends the sessions of a person who is no longer active, who has another role now, or none. */
export function endOutdatedSessionsOf(person: Person, cause: Cause): Sql[] {
  const isPerson =
    "id" in person
      ? sql`${users.id} = ${person.id}`
      : sql`${users.issuer} = ${person.issuer} and ${users.subject} = ${person.subject}`;
  return endSessions(
    sql`${sessions.user_id} = (select ${users.id} from ${users} where ${isPerson}) and not exists (
      select 1 from ${users} where ${isPerson} and ${users.active} and ${role} = ${sessions.role})`,
    cause,
  );
}

/** How many expired sessions a sweep deletes at once. */
const SWEPT_AT_ONCE = 1_000;

/** Deletes sessions that have expired. No event is recorded: each session's end is in the event of its creation. */
export const sweepSessions = (now: string): Sql =>
  sql`delete from ${sessions} where ${sessions.id} in (select id from ${sessions} where ${sessions.expires_at} <= ${now} limit ${raw(SWEPT_AT_ONCE)}) returning id`;
