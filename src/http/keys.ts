import { clock, timestamp } from "../../packages/model/src/clock.ts";
import { isIdOf, KSUID_LENGTH } from "../../packages/model/src/ids.ts";
import { kinds } from "../../packages/model/src/kinds.ts";
import { lesser, type Role } from "../../packages/model/src/roles.ts";
import { addressOf } from "../../packages/model/src/values/cidrs.ts";
import { apiKeys } from "../db/access_schema.ts";
import { keyWithOwner, sessionWithOwner, type StoredKey } from "../db/key_statements.ts";
import type { Session } from "../db/session.ts";
import { sql } from "../db/statements.ts";
import { nextVersion } from "../db/versions.ts";
import { type Caller, ROOT } from "./env.ts";
import { sameDigest, sha256, TOKEN_LENGTH } from "./tokens.ts";

/*
 * Finds the caller that a token belongs to, and caches it, so that most requests are authenticated without a query.
 *
 * For example, two requests with the same token, of the key `ak_1` (role `editor`, of the bot user `ci`), arrive from 198.51.100.7:
 *
 *     rememberedCaller   undefined: this isolate has not seen the key
 *     callerOf           select <the key, its owner, and whether the API restriction lets in the address>
 *                          from api_keys … left join bot_users … where key.id = 'ak_1', on the primary;
 *                        compares the SHA-256 digest of the token with `token_sha256`, and caches the row and the token;
 *                        returns { keyId: "ak_1", role: "editor", subject: "ci", isLetIn: true, knownUntil: <in 20 seconds>, … }
 *
 *     rememberedCaller   the second request, within 20 seconds: compares the token with the cached one; returns the same caller
 *
 * If the bot user is deactivated on this isolate, `forgetKeysOf` removes the key from the cache, and the next lookup finds no caller.
 */

/** What a token is for. */
export type Holder = "api_key" | "session";

/** A key or a session in the cache. */
interface Key extends StoredKey {
  /** When it was read, in milliseconds since the Unix epoch. */
  read_at: number;
  /** The token itself, once its digest has matched. */
  token?: Uint8Array;
  /** Which addresses the restriction of the API lets in, as far as they were looked up since `read_at`. */
  addresses: Map<string, boolean>;
  /** The caller that was last built from the key, and what else it depends on. */
  made?: {
    /** Since the Unix epoch. */
    second: number;
    address: string;
    rootDigest: string | undefined;
    revocations: number;
    caller: Caller | undefined;
  };
}

/** How many addresses of a key are cached. */
const ADDRESSES_OF_A_KEY = 16;

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
  (caller.keyId !== ROOT || caller.session !== null) &&
  (caller.knownUntil <= clock.now() || caller.revocations !== revocations);

/**
 * The caller for `token`, if it is cached; undefined if {@link callerOf} has to look it up. Synchronous, as most requests
 * are authenticated here.
 */
export function rememberedCaller(
  token: string,
  holder: Holder,
  address: string,
  rootDigest?: string,
): Caller | undefined {
  const id = kinds[holder].prefix + token.slice(0, KSUID_LENGTH);
  const key = remembered.get(id);
  const now = clock.now();
  return key?.token && isFresh(key, now) && isDecided(key, address) && isSame(key.token, token)
    ? callerWith(id, key, address, rootDigest, now)
    : undefined;
}

/**
 * True for a token that this isolate has accepted before, however long ago, and from this address if addresses matter. Looking it
 * up need not count as a failed authentication.
 *
 * @param isRestricted false if the restriction of the API is switched off
 */
export function isFamiliar(
  token: string,
  holder: Holder,
  address: string,
  isRestricted: boolean,
  rootDigest?: string,
): boolean {
  const id = kinds[holder].prefix + token.slice(0, KSUID_LENGTH);
  const key = remembered.get(id);
  if (!key?.token || !isSame(key.token, token)) return false;
  // A caller who is no longer accepted passed the address check.
  return !isRestricted || (callerWith(id, key, address, rootDigest, clock.now())?.isLetIn ?? true);
}

/**
 * The caller for `token`; undefined for a token that is unknown, altered, expired or revoked, or whose bot or person is
 * inactive. Queries only for a key or a session that was not cached within the last {@link REMEMBERED_MILLISECONDS}.
 *
 * @param id the id in the token, of a key or a session
 * @param session its primary is queried: a replica may not know of a revocation yet
 * @param address where the request comes from, "" if that is unknown
 * @param isRemembered false to bypass the cache: operations on bots, keys and people must reject a revoked key immediately
 * @param rootDigest of the present root key, for its sessions
 */
export async function callerOf(
  session: Session,
  token: string,
  id: string,
  address: string,
  isRemembered: boolean,
  rootDigest?: string,
): Promise<Caller | undefined> {
  const key = await keyWithId(session, id, address, isRemembered);
  if (!key || !(await isTokenOf(key, token))) return undefined;
  const caller = callerWith(id, key, address, rootDigest, clock.now());
  // The key is no longer accepted, so its next lookup counts as a failed authentication.
  if (!caller) delete key.token;
  return caller;
}

/** What the holder may do now; undefined if nothing. */
function roleOf(key: Key, now: string, rootDigest: string | undefined): Role | undefined {
  const { role, owner_id, owner_active, owner_role, owner_until, root_sha256, session_until } = key;
  if (session_until !== null && session_until <= now) return undefined;
  if (root_sha256 !== null)
    return rootDigest !== undefined && sameDigest(root_sha256, rootDigest) ? "admin" : undefined;
  if (role === null || (owner_id !== null && !owner_active)) return undefined;
  if (owner_until === null) return role;
  return owner_until > now && owner_role !== null ? lesser(role, owner_role) : undefined;
}

/** The caller for a key or a session; undefined if it has expired or its bot or person is inactive. */
function callerWith(
  id: string,
  key: Key,
  address: string,
  rootDigest: string | undefined,
  instant: number,
): Caller | undefined {
  const second = Math.floor(instant / 1000);
  const { made } = key;
  const isSame =
    made?.second === second &&
    made.address === address &&
    made.rootDigest === rootDigest &&
    made.revocations === revocations;
  if (isSame) return made.caller;
  const caller = newCaller(id, key, address, rootDigest, timestamp(instant));
  key.made = { second, address, rootDigest, revocations, caller };
  return caller;
}

function newCaller(
  id: string,
  key: Key,
  address: string,
  rootDigest: string | undefined,
  now: string,
): Caller | undefined {
  const { key_id, owner_id: ownerId, owner_until, session_until, root_sha256 } = key;
  const role = roleOf(key, now, rootDigest);
  if (role === undefined || (key.expires_at !== null && key.expires_at <= now)) return undefined;
  const expiresAt = earliest(key.expires_at, owner_until);
  const end = earliest(expiresAt, session_until);
  const forgotten = key.read_at + REMEMBERED_MILLISECONDS;
  const knownUntil = end === null ? forgotten : Math.min(forgotten, Date.parse(end));
  const keyId = root_sha256 === null ? (key_id ?? ownerId ?? id) : ROOT;
  const subject = key.owner_name ?? key.description ?? keyId;
  const session = session_until === null ? null : { id, expiresAt: session_until };
  const isRestricted = keyId !== ROOT && key.verdict?.roles.includes(role) === true;
  const isLetIn = !isRestricted || key.addresses.get(address) === true;
  return Object.freeze({
    keyId,
    role,
    subject,
    ownerId,
    expiresAt,
    session,
    knownUntil,
    revocations,
    isLetIn,
  });
}

/** The earlier of two instants (RFC 3339); null is never. */
const earliest = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && b < a) ? b : a;

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

/** True if the last recorded use of a key is too old, or missing. A session that was made with a key uses the key. */
export function isUseToBeNoted({ keyId, session }: Caller): boolean {
  const key = remembered.get(session?.id ?? keyId);
  // The sessions of people and of the root key have none.
  if (!key || key.key_id === null) return false;
  return key.last_used_at === null || Date.parse(key.last_used_at) <= key.read_at - USE_NOTED_MILLISECONDS;
}

/**
 * Records that a key was used, unless another isolate has done so recently: each isolate has its own cache. Call it outside
 * the response's path.
 */
export async function noteUse(session: Session, keyId: string): Promise<void> {
  const now = clock.now();
  const last_used_at = timestamp(now);
  for (const key of remembered.values()) if (key.key_id === keyId) key.last_used_at = last_used_at;
  const lately = timestamp(now - USE_NOTED_MILLISECONDS);
  await session.fromPrimary(
    sql`update ${apiKeys} set last_used_at = ${last_used_at}, ${nextVersion}
      where ${apiKeys.id} = ${keyId} and (${apiKeys.last_used_at} is null or ${apiKeys.last_used_at} <= ${lately})`,
  );
}

/** Removes a key with its sessions, or a session, from this isolate's cache, after it was revoked. */
export function forgetKey(id: string): void {
  revocations += 1;
  remembered.delete(id);
  for (const [other, { key_id }] of remembered) if (key_id === id) remembered.delete(other);
}

/** Removes the keys and sessions of a bot or a person from this isolate's cache, after their owner was changed or deleted. */
export function forgetKeysOf(ownerId: string): void {
  revocations += 1;
  for (const [id, { owner_id }] of remembered) if (owner_id === ownerId) remembered.delete(id);
}

/** Removes everything from this isolate's cache, after the restriction of the API was changed. */
export function forgetAll(): void {
  revocations += 1;
  remembered.clear();
}

/** True if it is known whether the restriction of the API lets in the address. */
const isDecided = ({ verdict, addresses }: Key, address: string): boolean =>
  verdict === null || addresses.has(address);

const isFresh = ({ read_at }: Key, now: number): boolean => read_at > now - REMEMBERED_MILLISECONDS;

async function keyWithId(
  session: Session,
  keyId: string,
  address: string,
  isRemembered: boolean,
): Promise<Key | undefined> {
  const cached = remembered.get(keyId);
  const now = clock.now();
  const known = isRemembered && cached && isFresh(cached, now) ? cached : undefined;
  if (known && isDecided(known, address)) return known;
  const before = revocations;
  const from = { networks: addressOf(address)?.networks ?? [], now: timestamp(now) };
  const [row] = await session.fromPrimary(
    isIdOf("session", keyId) ? sessionWithOwner(keyId, from) : keyWithOwner(keyId, from),
  );
  remembered.delete(keyId);
  if (!row) return undefined;
  // Addresses that were looked up earlier count as read when the first of them was.
  const others = known && known.addresses.size < ADDRESSES_OF_A_KEY ? known : undefined;
  const addresses = new Map(others?.addresses).set(address, row.verdict?.isLetIn ?? true);
  const key = { ...row, addresses, read_at: others?.read_at ?? now };
  if (before === revocations) remember(keyId, key);
  return key;
}

function remember(keyId: string, key: Key): void {
  const [longest] = remembered.keys();
  if (remembered.size >= REMEMBERED_KEYS && longest !== undefined) remembered.delete(longest);
  remembered.set(keyId, key);
}
