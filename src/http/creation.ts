import canonicalize from "canonicalize";
import type { Context } from "hono";
import { clock } from "../clock.ts";
import { persistently } from "../db/calls.ts";
import { dayOf, once, type Recorded, recordsIn } from "../db/idempotency.ts";
import { allExist, type Reference } from "../db/references.ts";
import { allOf, always, type Guard, type Statement } from "../db/statements.ts";
import type { App } from "../env.ts";
import { sha256 } from "../tokens.ts";
import { byteLength } from "../values/members.ts";
import { authority, authorityRefusal } from "./authority.ts";
import { withoutNulls } from "./body.ts";
import { etagOf } from "./conditions.ts";
import { type ApiError, ChangedMeanwhile, idempotencyMismatch, tooLarge, unauthenticated } from "./errors.ts";
import { referenceRefusal } from "./refusals.ts";
import { respond } from "./respond.ts";
import { routeOf } from "./route.ts";

/** A new object, before it is written. */
interface Creation {
  row: { id: string; version: number };
  /** What it refers to and must exist. */
  references?: Reference[];
  /** What else must hold for it to be written, and why it is refused where that does not. */
  requires?: { guard: Guard; refusal: () => Promise<ApiError | undefined> };
  /** The statement that writes the row if its guard holds, and gives its id then. */
  insert: (guard: Guard) => Statement;
  /** The response's body. */
  shown: { uri: string };
  /** What of it is kept to be shown again, where that is not all. */
  kept?: object;
}

/** What the tables' constraints let a row hold, in bytes. */
const ROW_BYTES = 1_900_000;

/** The answer to a creation, with where the object is (RFC 9110 §15.3.2). */
const created = (c: Context<App>, { row, shown }: Creation): Response =>
  respond(c, 201, JSON.stringify(shown), { ETag: etagOf(c, row.version), Location: shown.uri });

/**
 * Writes a new object and answers 201. With an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header) it is
 * written once, however often the same request is sent in 24 hours: the record of the response goes in the same batch as
 * the row, so that there is never one without the other. A request that is refused leaves no record.
 *
 * @throws 400 for references to what does not exist; 413 for a response too large to be kept; 422 for a key that was used
 * for another request
 */
export async function create(c: Context<App>, creation: Creation): Promise<Response> {
  const { insert } = creation;
  const key = c.req.header("Idempotency-Key");
  if (key !== undefined) return createOnce(c, creation, await recordOf(c, creation, key));
  const guard = conditionOf(c, creation);
  const [written] = await c.get("request").session.all(insert(guard));
  if (!written && guard !== always) throw await refusalOf(c, creation);
  return created(c, creation);
}

/** What must hold when a new object is written. */
const conditionOf = (c: Context<App>, { references = [], requires }: Creation): Guard =>
  allOf(authority(c), allExist(references), requires?.guard ?? always);

/** Why a new object was not written. */
async function refusalOf(c: Context<App>, { references = [], requires }: Creation): Promise<ApiError> {
  return (
    (await authorityRefusal(c)) ??
    (await referenceRefusal(c.get("request").session.db, references)) ??
    (await requires?.refusal()) ??
    new ChangedMeanwhile()
  );
}

async function createOnce(c: Context<App>, creation: Creation, record: Recorded): Promise<Response> {
  const { row, insert } = creation;
  const session = c.get("request").session;
  const [, , answers] = await persistently(() => {
    const { write, isRecorded, read } = once(record, conditionOf(c, creation), authority(c));
    return session.batch([write, insert(isRecorded), read]);
  });
  const [found] = recordsIn(answers ?? []);
  if (!found) throw await refusalOf(c, creation);
  if (found.response === null) return created(c, creation);
  if (found.request_sha256 !== record.request_sha256) throw idempotencyMismatch();
  return respond(c, 201, found.response, {
    ETag: etagOf(c, row.version),
    Location: found.uri,
    "Idempotent-Replayed": "true",
  });
}

/** The record of a creation: see `idempotencyRecords`. */
async function recordOf(
  c: Context<App>,
  { row, shown, kept = shown }: Creation,
  key: string,
): Promise<Recorded> {
  const caller = c.get("request").caller;
  if (!caller) throw unauthenticated();
  const response = JSON.stringify(kept);
  if (byteLength(response, ROW_BYTES) > ROW_BYTES)
    throw tooLarge(
      "The response is larger than the 1.9 MB that are kept for an Idempotency-Key. Send no key.",
    );
  const now = clock.now();
  const [key_sha256, request_sha256] = await Promise.all([
    sha256(JSON.stringify([caller.keyId, key])),
    sha256(JSON.stringify([key, routeOf(c)?.path, canonicalize(withoutNulls(await c.req.json()))])),
  ]);
  return {
    day: dayOf(now),
    key_sha256,
    request_sha256,
    created_at: now,
    object_id: row.id,
    response,
  };
}
