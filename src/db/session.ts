import { clock } from "../../packages/model/src/clock.ts";
import { failureOf, isAboutBookmark } from "./failures.ts";
import { sql, type Statement, type Values } from "./statements.ts";

/**
 * The result of `work`, or the error of `late` after `milliseconds`. The work is not cancelled: callers must allow for
 * that.
 */
export const withTimeout = <T>(milliseconds: number, work: Promise<T>, late: () => Error): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), milliseconds);
    work.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });

/*
 * Every call to D1, of one statement or one batch: it is counted, it has a deadline, and if it only reads, it is retried
 * after a transient failure.
 */

/** The database cost of a request, in D1's billing units. */
export interface Cost {
  roundTrips: number;
  rowsRead: number;
  rowsWritten: number;
}

export const newCost = (): Cost => ({ roundTrips: 0, rowsRead: 0, rowsWritten: 0 });

/** How long a call may take and how often it is attempted. Tests replace the values. */
export const limits = {
  /** Milliseconds until a call is abandoned; D1 itself ends a query after 30 seconds. */
  deadline: 10_000,
  /** The part of `deadline` for a read that starts from a client's bookmark. The rest is for trying the primary. */
  bookmarkDeadline: 3_000,
  /** Attempts in all, for a call that is safe to repeat. */
  attempts: 3,
  /** The longest pause before the second attempt, in milliseconds; twice that before the third. */
  pause: 50,
};

/**
 * A call that exceeded its deadline: it is unknown whether it took or will take effect. `failures.ts` matches the message.
 */
class DeadlineError extends Error {
  override name = "DeadlineError";
}

const late = () => new DeadlineError("The call to the database timed out.");

/** One call, of a statement or a batch: its SQL texts, and the function that sends it. */
interface Call<Answer> {
  queries: string[];
  send: () => Promise<Answer>;
}

/** Adds the cost of a call to `cost`, applies a deadline in milliseconds, and retries the call if it only reads. */
export const metered =
  (cost: Cost) =>
  <Answer extends D1Result | D1Result[]>(
    { queries, send }: Call<Answer>,
    deadline = limits.deadline,
  ): Promise<Answer> => {
    const once = async (): Promise<Answer> => {
      cost.roundTrips += 1;
      const answer = await withTimeout(deadline, send(), late);
      const results: D1Result[] = Array.isArray(answer) ? answer : [answer];
      for (const { meta } of results) {
        cost.rowsRead += meta.rows_read;
        cost.rowsWritten += meta.rows_written;
      }
      return answer;
    };
    return queries.every(isRead) ? withRetries(once) : once();
  };

/** True for the SQL text of a statement that only reads. */
const isRead = (query: string): boolean =>
  /^\s*select\b/i.test(query) || (/^\s*with\b/i.test(query) && !/\b(?:insert|update|delete)\b/i.test(query));

/** Makes a call that is safe to repeat, and retries it after transient failures, with a short random pause. */
export async function withRetries<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (attempt >= limits.attempts || failureOf(error) !== "transient") throw error;
      await scheduler.wait(Math.random() * limits.pause * attempt);
    }
  }
}

/** True if a call exceeded its deadline. */
const isLate = (error: unknown): boolean =>
  error instanceof DeadlineError || (error instanceof Error && isLate(error.cause));

/*
 * The epoch of the database: a string that `npm run restored` changes after a restore. A restore resets versions and
 * bookmarks, so that both are used again. ETags and bookmarks start with the epoch: those from before a restore match
 * nothing.
 */

/**
 * Reads the epoch. It belongs to the versions of rows that the same statement or batch reads. Fails if there is none, which rolls
 * back the batch.
 */
export const epochQuery = sql`select coalesce((select epoch from database_epoch where only = 1), json_extract('{}', 'the database has no epoch')) as epoch`;

/**
 * How long an isolate caches the epoch. ETags and bookmarks that it sends with a previous one until then do no harm: such
 * an ETag leads to a 412 or a full 200, such a bookmark to a read from the primary.
 */
const REMEMBERED_MILLISECONDS = 20_000;

/** The epoch that this isolate read last, and when, in milliseconds since the Unix epoch. */
let remembered: { epoch: string; read_at: number } | undefined;

/** The epoch that this isolate read last, however long ago; undefined before it has read one. */
const lastEpoch = (): string | undefined => remembered?.epoch;

/** The epoch, if this isolate has read it recently; undefined if the next call has to read it. */
const recentEpoch = (): string | undefined =>
  remembered !== undefined && remembered.read_at > clock.now() - REMEMBERED_MILLISECONDS
    ? remembered.epoch
    : undefined;

/**
 * The epoch in the result of {@link epochQuery}, cached as of `read_at` (milliseconds since the Unix epoch).
 *
 * @throws if the database has none
 */
function epochIn(rows: Values[] | undefined, read_at: number): string {
  const epoch = rows?.[0]?.["epoch"];
  if (typeof epoch !== "string")
    throw new Error("The database has no epoch: `npm run restored` gives it one.");
  remembered = { epoch, read_at };
  return epoch;
}

/** Makes the next call read the epoch, after an error that a restore may have caused. */
function doubtEpoch(): void {
  if (remembered) remembered.read_at = Number.NEGATIVE_INFINITY;
}

/** The form of a `Service-Bookmark`: the epoch of the database, then a bookmark of D1. Anything else is invalid. */
export const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

/** D1's part of a `Service-Bookmark`; undefined if it is malformed or not from the last known epoch. */
function bookmarkIn(sent: string): string | undefined {
  const epoch = lastEpoch();
  const isKnown = epoch !== undefined && BOOKMARK.test(sent) && sent.startsWith(epoch);
  return isKnown ? sent.slice(epoch.length + 1) : undefined;
}

/** The database as one request sees it: reads are at least as fresh as the session's bookmark and its own writes. */
export class Session {
  readonly #binding: D1Database;
  readonly #call: ReturnType<typeof metered>;
  /** Where reads start from; undefined for the primary. */
  #bookmark: string | undefined;
  #opened: D1DatabaseSession | undefined;
  #isConditional = false;
  #epoch: string | undefined;

  /**
   * Makes no round trip.
   *
   * @param sent a `Service-Bookmark`: reads use the nearest replica that is at least as fresh as it; the primary without
   * it, or if it is not from this database
   * @param cost the cost of each call is added to it
   */
  constructor(binding: D1Database, sent: string | undefined, cost: Cost) {
    this.#binding = binding;
    this.#call = metered(cost);
    this.#bookmark = sent === undefined ? undefined : bookmarkIn(sent);
  }

  /** Opened on first use: many requests are rejected without a query. */
  get #session(): D1DatabaseSession {
    this.#opened ??= this.#binding.withSession(this.#bookmark ?? "first-primary");
    return this.#opened;
  }

  /** The rows that a statement returns. One round trip. */
  async all<Row>(statement: Statement<Row>): Promise<Row[]> {
    return (await this.rows(statement)).map(statement.decode);
  }

  /** The first row that a statement returns, if any. One round trip. */
  async first<Row>(statement: Statement<Row>): Promise<Row | undefined> {
    const [row] = await this.rows(statement);
    return row && statement.decode(row);
  }

  /** Like {@link all}, not decoded. */
  async rows(statement: Statement<unknown>): Promise<Values[]> {
    const isPlain = this.#bookmark === undefined && !this.#isConditional;
    const epoch = isPlain ? recentEpoch() : undefined;
    if (epoch === undefined) {
      const [rows = []] = await this.batch([statement]);
      return rows;
    }
    const { text, params } = statement;
    const bound = this.#session.prepare(text).bind(...params);
    const { results } = await this.#call({ queries: [text], send: () => bound.all<Values>() });
    this.#epoch = epoch;
    return results;
  }

  /** The rows that each statement returns, not decoded. The batch is atomic. One round trip. */
  async batch(statements: Statement<unknown>[]): Promise<Values[][]> {
    if (this.#bookmark === undefined || !statements.every(({ text }) => isRead(text))) {
      // Writes go to the primary, which need not wait for any bookmark.
      this.#bookmark = undefined;
      return this.#batch(statements, limits.deadline);
    }
    try {
      return await this.#batch(statements, limits.bookmarkDeadline);
    } catch (error) {
      if (!isLate(error) && !isAboutBookmark(error)) throw error;
    }
    // Forged, or from before a restore that this isolate does not know of: D1 would wait for it until the deadline.
    doubtEpoch();
    this.#bookmark = undefined;
    this.#opened = undefined;
    return this.#batch(statements, limits.deadline - limits.bookmarkDeadline);
  }

  /** {@link batch}, plus the epoch if needed: in the same transaction, so that it is the epoch of the rows. */
  async #batch(statements: Statement<unknown>[], deadline: number): Promise<Values[][]> {
    const epoch = this.#isConditional ? undefined : recentEpoch();
    const sent = epoch === undefined ? [...statements, epochQuery] : statements;
    const sent_at = clock.now();
    const bound = sent.map(({ text, params }) => this.#session.prepare(text).bind(...params));
    const queries = sent.map(({ text }) => text);
    const answers = await this.#call({ queries, send: () => this.#session.batch<Values>(bound) }, deadline);
    const rows = answers.map(({ results }) => results);
    this.#epoch = epoch ?? epochIn(rows.pop(), sent_at);
    return rows;
  }

  /** Like {@link all}, but always from the primary, for data that must be current. Not part of the session. */
  async fromPrimary<Row>({ text, params, decode }: Statement<Row>): Promise<Row[]> {
    const bound = this.#binding.prepare(text).bind(...params);
    const { results } = await this.#call({ queries: [text], send: () => bound.all<Values>() });
    return results.map(decode);
  }

  /** Makes each call read the epoch of its rows as well: a cached one must not decide a condition. */
  alwaysReadEpoch(): void {
    this.#isConditional = true;
  }

  /** The epoch of the rows that were read last. @throws before there are any */
  get epoch(): string {
    if (this.#epoch === undefined) throw new Error("the epoch is unknown before the first result");
    return this.#epoch;
  }

  /** How fresh the session is now, as a `Service-Bookmark`; null before its first result. */
  bookmark(): string | null {
    const bookmark = this.#epoch === undefined ? null : (this.#opened?.getBookmark() ?? null);
    return bookmark === null ? null : `${this.#epoch}-${bookmark}`;
  }
}
