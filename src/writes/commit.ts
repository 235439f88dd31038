import type { Context } from "hono";
import { withRetries } from "../db/calls.ts";
import type { Session } from "../db/database.ts";
import { once, type Recorded, recordsIn } from "../db/idempotency.ts";
import { allOf, always, type Guard, type Values, whichHold } from "../db/statements.ts";
import { noteRecorded } from "../delivery/wake.ts";
import type { App, RequestState } from "../env.ts";
import { type ApiError, changedMeanwhile, idempotencyMismatch } from "../http/errors/errors.ts";
import { etagOf } from "../http/responses/conditions.ts";
import { respond } from "../http/responses/respond.ts";
import { causeOf } from "./cause.ts";
import { recordOf } from "./idempotency_record.ts";
import type { Answer, Requirement, Step, Write } from "./write.ts";

/** Who takes the writes of requests that are operations of a transaction, in place of {@link commit}. */
const takers = new WeakMap<RequestState, (write: Write) => void>();

/** Gives the write of an operation to `take`, to be committed with those of the other operations. */
export const collectWrite = (state: RequestState, take: (write: Write) => void): void =>
  void takers.set(state, take);

/**
 * Executes a write and responds to the request: one atomic round trip, whatever other requests do concurrently. A creation
 * with an `Idempotency-Key` takes effect once, however often it is sent within 24 hours: the record of its response is part
 * of the same batch.
 *
 * A write that had no effect although nothing prevents it any more, because of a concurrent request, is retried once.
 *
 * @throws the error of the first requirement that does not hold; 422 for a key already used for a different request, 413
 * for a response too large to record; 503 if other requests interfered twice
 * @example
 * .delete("/:id", ...operations.remove(""), (c) => commit(c, writes.remove(c, c.req.param("id"))))
 */
export async function commit(c: Context<App>, write: Write): Promise<Response> {
  const take = takers.get(c.get("request"));
  if (take) {
    take(write);
    return respond(c, 204, null);
  }
  const record = await recordOf(c, write.creates);
  for (let attempt = 1; attempt <= 2; attempt++) {
    const response = record ? await sendOnce(c, write, record) : await send(c, write);
    if (response) return response;
    const refusal = await refusalOf(c.get("request").session, write.requires);
    if (refusal) throw refusal;
  }
  throw changedMeanwhile();
}

/** The error of the first requirement that does not hold now; undefined if all hold. */
export async function refusalOf(session: Session, requires: Requirement[]): Promise<ApiError | undefined> {
  const asked = requires.filter(({ guard }) => guard !== always);
  if (asked.length === 0) return undefined;
  const held = await session.first(whichHold(asked.map(({ guard }) => guard)));
  return asked.find((_, i) => !held?.[i])?.refusal();
}

/** The condition for all statements of a write. */
const guardOf = (requires: Requirement[]): Guard =>
  allOf(...requires.filter(({ isImplied }) => !isImplied).map(({ guard }) => guard));

/** Undefined if the write had no effect. */
async function send(c: Context<App>, write: Write): Promise<Response | undefined> {
  const { session } = c.get("request");
  const guard = guardOf(write.requires);
  const steps = write.steps(guard, causeOf(c));
  const [first, ...others] = steps.map(({ statement }) => statement);
  if (!first) throw new Error("a write without a statement");
  const rows = others.length === 0 ? [await session.rows(first)] : await session.batch([first, ...others]);
  const answer = answerIn(steps, rows) ?? (guard === always ? write.creates?.answer : undefined);
  if (answer) noteRecorded(recordedBy(steps));
  return answer && toResponse(c, answer);
}

/** Undefined if the write had no effect, neither now nor earlier. */
async function sendOnce(c: Context<App>, write: Write, record: Recorded): Promise<Response | undefined> {
  const { session } = c.get("request");
  const guard = guardOf(write.requires);
  const mayRead = guardOf(write.requires.filter(({ isForReplays }) => isForReplays));
  let types: string[] = [];
  const rows = await withRetries(() => {
    // Every attempt writes a record of its own: see `once`.
    const { write: writing, isRecorded, read } = once(record, guard, mayRead, write.creates?.changed);
    const steps = write.steps(isRecorded, causeOf(c));
    types = recordedBy(steps);
    return session.batch([writing, ...steps.map(({ statement }) => statement), read]);
  });
  const [recorded] = recordsIn(rows.at(-1) ?? []);
  if (!recorded) return undefined;
  // This request's own record, possibly from an earlier attempt whose response was lost.
  const { version } = recorded;
  if (recorded.response === null) {
    noteRecorded(types);
    return write.creates && toResponse(c, { ...write.creates.answer, version });
  }
  if (recorded.request_sha256 !== record.request_sha256) throw idempotencyMismatch();
  return respond(c, 201, recorded.response, {
    // A replay shows the object as it was created, at the version of then.
    ETag: etagOf(c, version),
    Location: recorded.uri,
    "Idempotent-Replayed": "true",
  });
}

/** The answer of the first step that returned a row; undefined if none did. */
export function answerIn(steps: Step[], rows: Values[][]): Answer | undefined {
  for (const [i, { answer }] of steps.entries()) {
    const row = rows[i]?.[0];
    if (row && answer) return answer(row, rows);
  }
  return undefined;
}

/** The types of the events that steps may have recorded. */
export const recordedBy = (steps: Step[]): string[] =>
  steps.flatMap(({ records }) => (records === undefined ? [] : [records]));

function toResponse(c: Context<App>, answer: Answer): Response {
  if (answer.status === 204) return respond(c, 204, null);
  if (answer.status === 202) return respond(c, 202, JSON.stringify(answer.body));
  const { status, version, body } = answer;
  const headers: Record<string, string> = { ETag: etagOf(c, version) };
  if (status === 201) headers["Location"] = body.uri;
  return respond(c, status, JSON.stringify(body), headers);
}
