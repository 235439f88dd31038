import type { Context } from "hono";
import { withRetries } from "../db/calls.ts";
import {
  ANYWAY,
  type Condition,
  type Ended,
  endAnyway,
  endedBy,
  endIfLarger,
  endUnless,
  endUnlessAll,
  formOf,
  TOO_LARGE,
} from "../db/checks.ts";
import type { Session } from "../db/database.ts";
import type { Cause } from "../db/events.ts";
import { once, type Recorded, recordsIn } from "../db/idempotency.ts";
import { always, type Statement, type Values } from "../db/statements.ts";
import { noteRecorded } from "../delivery/wake.ts";
import type { App } from "../env.ts";
import { type ApiError, changedMeanwhile, idempotencyMismatch, tooLarge } from "../http/errors/errors.ts";
import { causeOf } from "./cause.ts";
import { answerIn, recordedBy } from "./commit.ts";
import type { Answer, Requirement, Write } from "./write.ts";

/*
 * Several writes as one: in one batch, which takes effect as a whole or not at all. Before the statements of each write comes
 * one that ends the batch unless the write's requirements hold; nothing can come in between, so the statements need no guards
 * of their own.
 */

/** The most statements of a batch: D1 takes 1,000 queries in an invocation. */
const MOST_STATEMENTS = 900;

/** The most bytes of rows that a batch writes. */
const MOST_BYTES = 8_000_000;

/** After so many writes it is checked again how much they have written. */
const MEASURED_EACH = 50;

/** A write was refused. */
interface Refused {
  /** Its index. */
  operation: number;
  error: ApiError;
}

/** How the writes ended: the answer to each, what refused one of them, or the body of an earlier response. */
export type Committed = { answers: (Answer | undefined)[] } | { refused: Refused } | { replayed: string };

/** How writes are committed. */
export interface Terms {
  /** Checks everything, and changes nothing. */
  isDryRun?: boolean;
  /** For a request with an `Idempotency-Key`: see {@link recordOf}. */
  record?: Recorded | undefined;
}

/** Writes that are sent as one: alone, or neighbours that do the same to different rows. */
interface Group {
  /** Index of its first write. */
  first: number;
  writes: Write[];
}

/** The statements of a group, and what its rows say to each of its writes. */
interface Planned {
  statements: Statement<unknown>[];
  answers: (rows: Values[][]) => (Answer | undefined)[];
  /** The types of the events that are recorded. */
  records: string[];
}

/**
 * Sends the writes in one batch. With a record it takes effect once, however often it is sent within 24 hours.
 *
 * @throws 413 for more than a batch can hold; 422 for an `Idempotency-Key` of a different request
 */
export async function commitAll(c: Context<App>, writes: Write[], terms: Terms): Promise<Committed> {
  const committed = await send(c, groupsOf(writes), terms);
  if (!("refused" in committed)) return committed;
  // Where several are asked together, one may be refused for what an earlier one would have changed.
  const single = writes.map((write, first) => ({ first, writes: [write] }));
  const isTooLong = single.length === groupsOf(writes).length || isMore(plan(c, single));
  return isTooLong ? committed : send(c, single, terms);
}

const isMore = (planned: Planned[]): boolean =>
  planned.reduce((sum, { statements }) => sum + statements.length, 0) > MOST_STATEMENTS;

function send(c: Context<App>, groups: Group[], { record, isDryRun = false }: Terms): Promise<Committed> {
  const { session } = c.get("request");
  const planned = plan(c, groups);
  if (isMore(planned)) throw tooMuch();
  const writes = groups.flatMap((group) => group.writes);
  return record
    ? withRetries(() => sendOnce(session, writes, planned, record))
    : sendAll(session, writes, planned, isDryRun ? [endAnyway()] : []);
}

/** Sends the batch, with statements that do not belong to the writes before and after it. */
async function sendAll(
  session: Session,
  writes: Write[],
  planned: Planned[],
  after: Statement[],
  before: Statement[] = [],
): Promise<Committed> {
  try {
    const statements = planned.flatMap((one) => one.statements);
    const rows = await session.batch([...before, ...statements, ...after]);
    noteRecorded(planned.flatMap(({ records }) => records));
    let start = before.length;
    const answers = planned.flatMap((one) => {
      const own = rows.slice(start, start + one.statements.length);
      start += one.statements.length;
      return one.answers(own);
    });
    return { answers };
  } catch (error) {
    const ended = endedBy(error);
    if (!ended || ended.step === REPLAY) throw error;
    if (ended.step === TOO_LARGE) throw tooMuch();
    const write = writes[ended.step];
    if (!write) return { answers: writes.map(({ creates }) => creates?.answer) };
    return { refused: { operation: ended.step, error: await refusalBy(write.requires, ended) } };
  }
}

/** Sends the batch unless there is a record of it. Every attempt writes a record of its own: see {@link once}. */
async function sendOnce(
  session: Session,
  writes: Write[],
  planned: Planned[],
  record: Recorded,
): Promise<Committed> {
  const { write, isRecorded, read } = once(record, always);
  try {
    return await sendAll(
      session,
      writes,
      planned,
      [],
      [write, ...endUnless(REPLAY, [{ guard: isRecorded }])],
    );
  } catch (error) {
    if (endedBy(error)?.step !== REPLAY) throw error;
    const [recorded] = recordsIn(await session.rows(read));
    if (!recorded) throw changedMeanwhile();
    if (recorded.request_sha256 !== record.request_sha256) throw idempotencyMismatch();
    // This request's own record, from an attempt whose response was lost, has the same response.
    return { replayed: recorded.response ?? record.response };
  }
}

/** What the batch says instead of a step if there is a record of the request. */
const REPLAY = -3;

const tooMuch = (): ApiError =>
  tooLarge(
    `A transaction takes at most ${MOST_STATEMENTS} statements and writes at most ${MOST_BYTES / 1e6} MB of objects and events. Send fewer operations, or put those of one method, collection and set of members next to each other.`,
  );

const conditionsOf = (requires: Requirement[]): Condition[] =>
  requires.map(({ guard, named }) => ({ guard, ...(named && { list: named.list() }) }));

/** What neighbours have in common that are sent as one; undefined for a write that is sent by itself. */
function formOfBulk({ bulk, requires }: Write): string | undefined {
  if (!bulk || requires.some(({ isCollective }) => isCollective)) return undefined;
  // SQLite ends a text in JSON there.
  if (JSON.stringify(bulk.item).includes("\\u0000")) return undefined;
  return [bulk.verb, Object.keys(bulk.item).toSorted().join(), formOf(conditionsOf(requires))].join(" ");
}

/** Everything in a row that has the form of a new id, its own among them. */
const idsIn = (item: object | undefined): string[] =>
  JSON.stringify(item ?? {}).match(/[a-z]+_[0-9A-Za-z]{27}/g) ?? [];

/** Puts neighbours together that do the same to different rows. */
function groupsOf(writes: Write[]): Group[] {
  const groups: (Group & { form: string | undefined; ids: Set<string> })[] = [];
  for (const [first, write] of writes.entries()) {
    const form = formOfBulk(write);
    const id = write.bulk?.item.id ?? "";
    const last = groups.at(-1);
    const isAlike =
      form !== undefined &&
      !idsIn(write.bulk?.item).some((other) => last?.ids.has(other)) &&
      last?.form === form &&
      last.writes[0]?.bulk?.many === write.bulk?.many;
    if (isAlike) {
      last.writes.push(write);
      last.ids.add(id);
    } else groups.push({ first, writes: [write], form, ids: new Set([id]) });
  }
  return groups;
}

function plan(c: Context<App>, groups: Group[]): Planned[] {
  const { operationId } = c.get("request");
  const cause = causeOf(c);
  const count = groups.reduce((sum, { writes }) => sum + writes.length, 0);
  return groups.map((group, i) => {
    const planned = group.writes.length > 1 ? planMany(group, cause) : planOne(group, cause);
    const isMeasured = (i + 1) % MEASURED_EACH === 0 || i === groups.length - 1;
    const measure = isMeasured ? [endIfLarger(operationId, count, MOST_BYTES)] : [];
    return { ...planned, statements: [...planned.statements, ...measure] };
  });
}

function planOne({ first, writes }: Group, cause: Cause): Planned {
  const [write] = writes;
  if (!write) throw new Error("a group without a write");
  const check = endUnless(first, conditionsOf(write.requires));
  const steps = write.steps(always, cause);
  return {
    statements: [...check, ...steps.map(({ statement }) => statement)],
    answers: (rows) => {
      const own = rows.slice(check.length, check.length + steps.length);
      return [answerIn(steps, own) ?? write.creates?.answer];
    },
    records: recordedBy(steps),
  };
}

function planMany({ first, writes }: Group, cause: Cause): Planned {
  const bulks = writes.flatMap(({ bulk }) => (bulk ? [bulk] : []));
  const [bulk] = bulks;
  if (!bulk) throw new Error("a group of writes that cannot be sent as one");
  const { verb, many, item } = bulk;
  const columns = Object.keys(item).filter((name) => verb === "insert" || name !== "id");
  const check = endUnlessAll(
    first,
    writes.map(({ requires }) => conditionsOf(requires)),
  );
  const { statements, changing, event } = many(
    verb,
    columns,
    bulks.map((one) => one.item),
    cause,
  );
  return {
    statements: [...check, ...statements],
    records: [event],
    answers(rows) {
      const versions = new Map(
        rows[check.length + changing]?.map(({ id, version }) => [id, Number(version)]),
      );
      return writes.map(({ creates }, i) => {
        if (creates) return creates.answer;
        const version = versions.get(bulks[i]?.item.id);
        if (verb === "remove" || version === undefined) return { status: 204 };
        return { status: 200, version, body: {} };
      });
    },
  };
}

/** The error of the requirement that ended the batch. */
async function refusalBy(requires: Requirement[], { condition, ids }: Ended): Promise<ApiError> {
  const requirement = requires[condition];
  const error = requirement?.named ? requirement.named.refusal(ids) : await requirement?.refusal();
  return error ?? changedMeanwhile();
}

/**
 * Sends set statements, which carry no guards of their own, in one batch that ends unless the requirements hold.
 *
 * @param statements of which the last returns a row, or ends the batch in any case and says something, for a dry run
 * @param records the types of the events that may be recorded
 * @returns that row, or what was said
 * @throws the error of the first requirement that does not hold
 */
export async function commitSets(
  c: Context<App>,
  requires: Requirement[],
  statements: Statement[],
  records: string[],
): Promise<{ row: Values } | { said: string[] }> {
  const { session } = c.get("request");
  try {
    const rows = await session.batch([...endUnless(0, conditionsOf(requires)), ...statements]);
    const row = rows.at(-1)?.[0];
    if (!row) throw new Error("the last statement of a write returned nothing");
    noteRecorded(records);
    return { row };
  } catch (error) {
    const ended = endedBy(error);
    if (!ended) throw error;
    if (ended.step === ANYWAY) return { said: ended.ids };
    throw await refusalBy(requires, ended);
  }
}
