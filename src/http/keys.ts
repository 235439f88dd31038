import { clock, timestamp } from "../clock.ts";
import { apiKeys, botUsers } from "../db/schema.ts";
import type { Session } from "../db/session.ts";
import { decoded, sql, type Statement } from "../db/statements.ts";
import { asRow } from "../db/unchecked.ts";
import { nextVersion } from "../db/versions.ts";
import { type Caller, ROOT } from "../env.ts";
import { KSUID_LENGTH } from "../ids.ts";
import { kinds } from "../kinds.ts";
import type { Role } from "../roles.ts";
import { sameDigest, sha256, TOKEN_LENGTH } from "../tokens.ts";

/** The stored columns of a key, and whether its owner is active. */
interface StoredKey {
  token_sha256: string;
  role: Role;
  expires_at: string | null;
  last_used_at: string | null;
  owner_id: string | null;
  description: string | null;
  /** The name of the owner; null if there is none. */
  owner_name: string | null;
  /** False for a key without an owner, or whose owner no longer exists. */
  owner_active: boolean;
}

/** A key in the cache. */
interface Key extends StoredKey {
  /** When it was read, in milliseconds since the Unix epoch. */
  read_at: number;
  /** The token itself, once its digest has matched. */
  token?: Uint8Array;
}

/** How long a key that was revoked on another isolate may still work here, at most. Stated in docs/keys.md. */
const REMEMBERED_MILLISECONDS = 20_000;
const REMEMBERED_KEYS = 1_000;
/** `last_used_at` is written at most this often. */
const USE_NOTED_MILLISECONDS = 600_000;

/** The cache: keys that this isolate has seen recently, least recently read first. */
const remembered = new Map<string, Key>();
/** Incremented by every revocation here, so that the result of a concurrent read is not cached. */
let revocations = 0;

/** True if the cached facts about a caller may be out of date: they have expired, or a key was revoked on this isolate. */
export const isOutdated = (caller: Caller): boolean =>
  caller.keyId !== ROOT && (caller.knownUntil <= clock.now() || caller.revocations !== revocations);

/**
 * The caller for `token`, if it is cached; undefined if {@link callerOf} has to look it up. Synchronous, as most requests
 * are authenticated here.
 */
export function rememberedCaller(token: string): Caller | undefined {
  const keyId = kinds.api_key.prefix + token.slice(0, KSUID_LENGTH);
  const key = remembered.get(keyId);
  return key?.token && isFresh(key) && isSame(key.token, token) ? callerWith(keyId, key) : undefined;
}

/**
 * True for a token that this isolate has accepted before, however long ago. Looking it up need not count as a failed
 * authentication.
 */
export function isFamiliar(token: string): boolean {
  const key = remembered.get(kinds.api_key.prefix + token.slice(0, KSUID_LENGTH));
  return key?.token !== undefined && isSame(key.token, token);
}

/**
 * The caller for `token`; undefined for a token that is unknown, altered, expired or revoked, or whose bot is inactive.
 * Queries only for a key that was not cached within the last {@link REMEMBERED_MILLISECONDS}.
 *
 * @param keyId the key id in the token
 * @param session its primary is queried: a replica may not know of a revocation yet
 * @param isRemembered false to bypass the cache: operations on bots and keys must reject a revoked key immediately
 */
export async function callerOf(
  session: Session,
  token: string,
  keyId: string,
  isRemembered: boolean,
): Promise<Caller | undefined> {
  const key = await keyWithId(session, keyId, isRemembered);
  if (!key || !(await isTokenOf(key, token))) return undefined;
  const caller = callerWith(keyId, key);
  // The key is no longer accepted, so its next lookup counts as a failed authentication.
  if (!caller) delete key.token;
  return caller;
}

/** The caller for a key; undefined if it has expired or its bot is inactive. */
function callerWith(keyId: string, key: Key): Caller | undefined {
  if (key.owner_id !== null && !key.owner_active) return undefined;
  const { role, owner_id: ownerId, expires_at: expiresAt } = key;
  if (expiresAt !== null && expiresAt <= timestamp(clock.now())) return undefined;
  const forgotten = key.read_at + REMEMBERED_MILLISECONDS;
  const knownUntil = expiresAt === null ? forgotten : Math.min(forgotten, Date.parse(expiresAt));
  const subject = key.owner_name ?? key.description ?? keyId;
  return { keyId, role, subject, ownerId, expiresAt, knownUntil, revocations };
}

const encoder = new TextEncoder();
/** Buffer for the bytes of a token: allocating an array takes longer than comparing two. */
const given = new Uint8Array(TOKEN_LENGTH);

/** Compares in constant time; only the length can be observed. */
function isSame(bytes: Uint8Array, text: string): boolean {
  // Bytes left from an earlier token are harmless: only a token that overwrites the whole buffer can match.
  const { written } = encoder.encodeInto(text, given);
  return (
    text.length === given.length && written === given.length && crypto.subtle.timingSafeEqual(bytes, given)
  );
}

/** True for the token of `key`. Its digest is computed once. */
async function isTokenOf(key: Key, token: string): Promise<boolean> {
  if (key.token) return isSame(key.token, token);
  if (!sameDigest(key.token_sha256, await sha256(token))) return false;
  key.token = encoder.encode(token);
  return true;
}

/** True if the use of a key has not been recorded yet, or not recently. */
export function isUseToBeNoted(keyId: string): boolean {
  const key = remembered.get(keyId);
  if (!key) return false;
  return key.last_used_at === null || Date.parse(key.last_used_at) <= clock.now() - USE_NOTED_MILLISECONDS;
}

/**
 * Records that a key was used, unless another isolate has done so recently: each isolate has its own cache. Call it outside
 * the response's path.
 */
export async function noteUse(session: Session, keyId: string): Promise<void> {
  const key = remembered.get(keyId);
  const now = clock.now();
  const last_used_at = timestamp(now);
  if (key) key.last_used_at = last_used_at;
  const lately = timestamp(now - USE_NOTED_MILLISECONDS);
  await session.fromPrimary(
    sql`update ${apiKeys} set last_used_at = ${last_used_at}, ${nextVersion}
      where ${apiKeys.id} = ${keyId} and (${apiKeys.last_used_at} is null or ${apiKeys.last_used_at} <= ${lately})`,
  );
}

/** Removes a key from this isolate's cache, after it was revoked. */
export function forgetKey(keyId: string): void {
  revocations += 1;
  remembered.delete(keyId);
}

/** Removes the keys of a bot from this isolate's cache, after the bot was changed or deleted. */
export function forgetKeysOf(botId: string): void {
  revocations += 1;
  for (const [keyId, { owner_id }] of remembered) if (owner_id === botId) remembered.delete(keyId);
}

const isFresh = ({ read_at }: Key): boolean => read_at > clock.now() - REMEMBERED_MILLISECONDS;

const keyWithOwner = (id: string): Statement<StoredKey> =>
  decoded(
    sql`select ${apiKeys.token_sha256}, ${apiKeys.role}, ${apiKeys.expires_at}, ${apiKeys.last_used_at}, ${apiKeys.owner_id},
        ${apiKeys.description}, ${botUsers.name} as owner_name, ${botUsers.active} as owner_active
      from ${apiKeys} left join ${botUsers} on ${botUsers.id} = ${apiKeys.owner_id} where ${apiKeys.id} = ${id}`,
    (row) => asRow<StoredKey>({ ...row, owner_active: row["owner_active"] === 1 }),
  );

async function keyWithId(session: Session, keyId: string, isRemembered: boolean): Promise<Key | undefined> {
  const known = remembered.get(keyId);
  if (isRemembered && known && isFresh(known)) return known;
  const before = revocations;
  const read_at = clock.now();
  const [row] = await session.fromPrimary(keyWithOwner(keyId));
  remembered.delete(keyId);
  if (!row) return undefined;
  const key = { ...row, read_at };
  if (before === revocations) remember(keyId, key);
  return key;
}

function remember(keyId: string, key: Key): void {
  const [longest] = remembered.keys();
  if (remembered.size >= REMEMBERED_KEYS && longest !== undefined) remembered.delete(longest);
  remembered.set(keyId, key);
}
