import { clock } from "../clock.ts";
import { metered, type Cost, isLate, isRead, limits } from "./calls.ts";
import { doubtEpoch, epochIn, epochQuery, lastEpoch, recentEpoch } from "./epoch.ts";
import { isAboutBookmark } from "./failures.ts";
import type { Statement, Values } from "./statements.ts";

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

  /** Opened on first use: many requests are refused without a query. */
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
    const asked = epoch === undefined ? [...statements, epochQuery] : statements;
    const asked_at = clock.now();
    const bound = asked.map(({ text, params }) => this.#session.prepare(text).bind(...params));
    const queries = asked.map(({ text }) => text);
    const answers = await this.#call({ queries, send: () => this.#session.batch<Values>(bound) }, deadline);
    const rows = answers.map(({ results }) => results);
    this.#epoch = epoch ?? epochIn(rows.pop(), asked_at);
    return rows;
  }

  /** Like {@link all}, but always from the primary, for data that must be current. Not part of the session. */
  async fromPrimary<Row>({ text, params, decode }: Statement<Row>): Promise<Row[]> {
    const bound = this.#binding.prepare(text).bind(...params);
    const { results } = await this.#call({ queries: [text], send: () => bound.all<Values>() });
    return results.map(decode);
  }

  /** Makes each call read the epoch of its rows as well: a cached one must not decide a condition. */
  judgeConditions(): void {
    this.#isConditional = true;
  }

  /** The epoch of the rows that were read last. @throws before there are any */
  get epoch(): string {
    if (this.#epoch === undefined) throw new Error("the epoch is unknown before the first result");
    return this.#epoch;
  }

  /** How fresh the session is now, as a `Service-Bookmark`; null before its first result, whatever was sent. */
  bookmark(): string | null {
    const bookmark = this.#epoch === undefined ? null : (this.#opened?.getBookmark() ?? null);
    return bookmark === null ? null : `${this.#epoch}-${bookmark}`;
  }
}
