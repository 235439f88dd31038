import type { Context } from "hono";
import { clock } from "../../packages/model/src/clock.ts";
import { byteLength } from "../../packages/model/src/values/request_schemas.ts";
import { ANYWAY, endAnyway, type Ended, endedBy, endUnless, TOO_LARGE } from "../db/checks.ts";
import type { StoredPrincipal } from "../db/column_types.ts";
import type { Cause } from "../db/event_writes.ts";
import { dayOf, once, type NewRecord, recordIn, type StoredRecord } from "../db/idempotency.ts";
import { withRetries } from "../db/session.ts";
import type { Sql } from "../db/statements.ts";
import { noteRecorded } from "../delivery/notes.ts";
import { type App, type Caller, type RequestState, ROOT } from "../http/env.ts";
import {
  type ApiError,
  idempotencyMismatch,
  tooLarge,
  unauthenticated,
  unavailable,
} from "../http/errors.ts";
import { etagOf, respond } from "../http/respond.ts";
import { sha256 } from "../http/tokens.ts";
import { groupsOf, MOST_BYTES, MOST_STATEMENTS, type BatchPart, partsOf, singly } from "./batch.ts";
import { canonical } from "./canonical.ts";
import { restrictionRequirements } from "./restriction.ts";
import type { Answer, Requirement, Write } from "./write.ts";

/*
 * The one way to commit: writes, one or 500, become one batch, which takes effect as a whole or not at all. A requirement that
 * does not hold ends the batch, so a rejection is decided at the instant at which the write would have been made.
 *
 * For example, `PATCH /ip_policies/ipp_1` with `If-Match: "e8a0f3ff-1"` and `{"description": "Lisbon"}` sends one batch:
 *
 *     select case
 *       when not (exists (select 1 from ip_policies where id = 'ipp_1')) then <fail: write 0, requirement 0, []>
 *       when not (<its version is in '["e8a0f3ff-1"]'>) then <fail: write 0, requirement 1, []> end
 *     update ip_policies set version = version + 1, description = 'Lisbon' where id = 'ipp_1' returning *
 *     insert into events … where changes() > 0
 *
 * The row that the second statement returns becomes the answer: 200 with the policy and `ETag: "e8a0f3ff-2"`. If the first statement
 * fails, D1 rolls back the batch, and its error names the write and the requirement, here 404 or 412.
 */

/** Who takes the writes of requests that are operations of a transaction, in place of {@link commit}. */
const takers = new WeakMap<RequestState, (write: Write) => void>();

/** Passes the write of an operation to `take`, so that it is committed together with those of the other operations. */
export const collectWrite = (state: RequestState, take: (write: Write) => void): void =>
  void takers.set(state, take);

/**
 * Executes a write and responds to the request: one atomic round trip, regardless of concurrent requests. A creation
 * with an `Idempotency-Key` takes effect once, however often it is sent within 24 hours: the record of its response is part
 * of the same batch.
 *
 * @throws the error of the first requirement that does not hold; 422 for a key already used for a different request, 413
 * for a response too large to record
 * @example
 * .delete("/:id", operations.remove(""), (c) => commit(c, writes.remove(c, c.req.param("id"))))
 */
export async function commit(c: Context<App>, write: Write): Promise<Response> {
  const take = takers.get(c.get("request"));
  if (take) {
    take(write);
    return respond(c, 204, null);
  }
  const record = await recordOf(c, write.creates);
  const committed = await commitAll(c, [write], record ? { record } : { showsMissing: true });
  if ("rejected" in committed) throw committed.rejected.error;
  if ("replayed" in committed) return replay(c, write, committed.replayed);
  const answer = "answers" in committed ? committed.answers[0] : undefined;
  if (answer) return toResponse(c, answer);
  const missing = write.requires.find(({ isShownByRow }) => isShownByRow);
  throw missing ? missing.error([]) : new Error("a write without an answer");
}

/** The response of an earlier request, or of an earlier attempt of this one whose response was lost. */
function replay(c: Context<App>, { creates }: Write, record: StoredRecord): Response {
  if (creates?.id === record.object_id) return toResponse(c, { ...creates.answer, version: record.version });
  return replayed(c, record);
}

/** The object as it was created, with its version at that time. */
const replayed = (c: Context<App>, { version, response, uri }: StoredRecord): Response =>
  respond(c, 201, response, {
    ETag: etagOf(c, version),
    Location: uri,
    "Idempotent-Replayed": "true",
  });

/** The response that an answer describes. */
export function toResponse(c: Context<App>, answer: Answer): Response {
  if (answer.status === 204) return respond(c, 204, null);
  const body = JSON.stringify(answer.body);
  if (answer.status === 202 || answer.version === undefined) return respond(c, answer.status, body);
  const headers: Record<string, string> = { ETag: etagOf(c, answer.version) };
  if (answer.status === 201) headers["Location"] = answer.body.uri;
  return respond(c, answer.status, body, headers);
}

/**
 * The result of writes: the answer to each (undefined for a row that does not exist), the rejected write (undefined if several are
 * rejected together), the report of a dry run, or the record of an earlier request.
 */
export type Committed =
  | { answers: (Answer | undefined)[] }
  | { rejected: { operation: number | undefined; error: ApiError } }
  | { said: string[] }
  | { replayed: StoredRecord };

/** How writes are committed. */
export interface Terms {
  /** Checks everything and changes nothing: a query for the report of a dry run, as a JSON list of strings. */
  dryRun?: Sql;
  /** For a request with an `Idempotency-Key`: see {@link recordOf}. */
  record?: NewRecord;
  /** The plan that is applied, for events. */
  plan_id?: string;
  /** The writes are only proposed: whoever makes them must meet the requirements of the restriction of the API. */
  isProposal?: boolean;
  /** If a write returns no answer, its caller throws an error, so a missing row needs no check. */
  showsMissing?: boolean;
}

/**
 * Sends the writes in one batch. With a record it takes effect once, however often it is sent within 24 hours.
 *
 * @throws 413 for more than fits in a batch; 422 for an `Idempotency-Key` of a different request
 */
export async function commitAll(c: Context<App>, writes: Write[], terms: Terms = {}): Promise<Committed> {
  const { plan_id, showsMissing = false } = terms;
  const by = causeOf(c);
  const cause = plan_id === undefined ? by : { ...by, principal: { ...by.principal, plan_id } };
  const groups = groupsOf(writes);
  const parts = partsOf(groups, cause, showsMissing);
  if (!parts) throw tooMuch();
  const committed = await send(c, writes, parts, terms);
  if (!("rejected" in committed) || groups.length === writes.length) return committed;
  // If several writes are checked together, one may be rejected although an earlier one would have met its requirement.
  const single = partsOf(singly(writes), cause, showsMissing);
  return single ? send(c, writes, single, terms) : committed;
}

function send(c: Context<App>, writes: Write[], parts: BatchPart[], terms: Terms): Promise<Committed> {
  const { record, dryRun } = terms;
  if (!record) return sendBatch(c, writes, parts, terms, [], dryRun ? [endAnyway(dryRun)] : []);
  // Every attempt writes its own record.
  return withRetries(() => sendOnce(c, writes, parts, terms, record));
}

/**
 * The response to an earlier request with the same `Idempotency-Key`, for an operation that does more than {@link commit} before
 * it knows what to write. One round trip, if there is such a header.
 *
 * @throws 422 for a key of a different request
 */
export async function earlierResponse(c: Context<App>): Promise<Response | undefined> {
  const record = await recordOf(c, { id: "", kept: {}, answer: { version: 1 } });
  const found = record && recordIn(await c.get("request").session.rows(once(record).read));
  if (!found) return undefined;
  if (found.request_sha256 !== record.request_sha256) throw idempotencyMismatch();
  return replayed(c, found);
}

/** Sends the batch unless there is a record of it. */
async function sendOnce(
  c: Context<App>,
  writes: Write[],
  parts: BatchPart[],
  terms: Terms,
  record: NewRecord,
): Promise<Committed> {
  const { session } = c.get("request");
  const { write, isRecorded, read } = once(record, writes[0]?.creates?.changed);
  const requires = [
    ...writes.flatMap((each) => each.requires.filter(({ isForReplays }) => isForReplays)),
    { condition: isRecorded, error: () => unavailable("The request is being repeated. Try again.") },
  ];
  try {
    return await sendBatch(c, writes, parts, terms, [write, ...endUnless(REPLAY, requires)], []);
  } catch (error) {
    const ended = endedBy(error);
    if (ended?.step !== REPLAY) throw error;
    if (ended.condition < requires.length - 1) throw errorOf(requires, ended);
    const recorded = recordIn(await session.rows(read));
    if (!recorded) throw errorOf(requires, ended);
    if (recorded.request_sha256 !== record.request_sha256) throw idempotencyMismatch();
    return { replayed: recorded };
  }
}

/** The result of the batch if there is a record of the request, or if a replay is not allowed. */
const REPLAY = -3;

/** The result of the batch if something does not hold after all writes. */
const LAST = -4;

/** The result of the batch if something does not hold before all writes. */
const FIRST = -5;

/** Sends the batch, with statements that do not belong to the writes before and after it. */
async function sendBatch(
  c: Context<App>,
  writes: Write[],
  parts: BatchPart[],
  { isProposal }: Terms,
  before: Sql[],
  after: Sql[],
): Promise<Committed> {
  const events = parts.flatMap(({ records }) => records);
  const whole = isProposal ? undefined : restrictionRequirements(c, events);
  try {
    const own = parts.flatMap((part) => part.statements);
    const first = whole ? endUnless(FIRST, whole.first) : [];
    const last = whole ? endUnless(LAST, whole.last) : [];
    const statements = [...before, ...first, ...own, ...last, ...after];
    const rows = statements.length === 0 ? [] : await c.get("request").session.batch(statements);
    noteRecorded(events);
    let start = before.length + first.length;
    const answers = parts.flatMap((part) => {
      const own = rows.slice(start, start + part.statements.length);
      start += part.statements.length;
      return part.answers(own);
    });
    return { answers };
  } catch (error) {
    const ended = endedBy(error);
    if (!ended || ended.step === REPLAY) throw error;
    if (ended.step === TOO_LARGE) throw tooMuch();
    if (ended.step === ANYWAY) return { said: ended.ids };
    const all = ended.step === FIRST ? whole?.first : ended.step === LAST ? whole?.last : undefined;
    if (!all)
      return {
        rejected: { operation: ended.step, error: errorOf(writes[ended.step]?.requires ?? [], ended) },
      };
    return { rejected: { operation: writes.length === 1 ? 0 : undefined, error: errorOf(all, ended) } };
  }
}

/** The error of the requirement that ended a batch. */
function errorOf(requires: Requirement[], { condition, ids }: Ended): ApiError {
  const requirement = requires[condition];
  if (!requirement) throw new Error("a batch ended for a requirement that it does not have");
  return requirement.error(ids);
}

const tooMuch = (): ApiError =>
  tooLarge(
    `A transaction can use at most ${MOST_STATEMENTS} statements and write at most ${MOST_BYTES / 1e6} MB of objects and events. Send fewer operations, or group those with the same method, collection and fields together.`,
  );

/** Who changes what now, for the events of a write: the bot user or the person that owns the key, otherwise the key itself. */
export function causeOf(c: Context<App>): Cause {
  const { caller } = c.get("request");
  if (!caller) throw unauthenticated();
  return causeOfCaller(c, caller);
}

/** The same for a caller who has just signed in. */
export function causeOfCaller(c: Context<App>, caller: Acting): Cause {
  const { operationId, origin } = c.get("request");
  return { at: clock.now(), operation_id: operationId, principal: principalOf(caller), origin };
}

/** What events record about a caller. */
type Acting = Pick<Caller, "keyId" | "ownerId" | "subject" | "session">;

/** The longest subject in events, in characters: the name of a bot user can be as long as a request. */
const SUBJECT_CHARACTERS = 255;

const principalOf = ({ keyId, ownerId, subject, session }: Acting): StoredPrincipal => ({
  id: ownerId ?? keyId,
  subject: subject.slice(0, SUBJECT_CHARACTERS).toWellFormed(),
  source: session ? "Console" : "API",
  // A session of a person has no key.
  credential: keyId === ROOT || keyId === ownerId ? null : keyId,
});

/** The largest row that the tables' constraints allow, in bytes. */
const ROW_BYTES = 1_900_000;

/**
 * The record of a creation with an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header), so that repeating the
 * request creates nothing; undefined without such a key.
 *
 * @param creates the contents of the record: an id that is unique to the request, the body and the version of the response
 * @param request the value that a repeated request must match: the body, except ignored parts
 * @throws 413 for a response too large to record
 */
export async function recordOf(
  c: Context<App>,
  creates: { id: string; kept: object; answer: { version: number } } | undefined,
  request?: object,
): Promise<NewRecord | undefined> {
  const key = creates && c.req.header("Idempotency-Key");
  if (key === undefined || creates === undefined) return undefined;
  const { caller, sent = {} } = c.get("request");
  if (!caller) throw unauthenticated();
  const response = JSON.stringify(creates.kept);
  if (byteLength(response, ROW_BYTES) > ROW_BYTES)
    throw tooLarge(
      "The response is larger than 1.9 MB, the most that is stored for an Idempotency-Key. Leave out the key.",
    );
  const now = clock.now();
  const [key_sha256, request_sha256] = await Promise.all([
    sha256(JSON.stringify([caller.keyId, key])),
    sha256(JSON.stringify([key, pathOf(c), canonical(request ?? sent)])),
  ]);
  const { version } = creates.answer;
  const object_id = creates.id;
  return { day: dayOf(now), key_sha256, request_sha256, created_at: now, object_id, response, version };
}

/** The path of a request as its route writes it, with the ids of this request: a trailing slash makes no difference. */
const pathOf = (c: Context<App>): string | undefined =>
  c.get("request").route?.path.replace(/:(\w+)/g, (_, name: string) => c.req.param(name) ?? "");
