import { clock } from "../clock.ts";
import { metered, type Cost, isLate, isRead, limits } from "./calls.ts";
import { doubtEpoch, epochIn, epochQuery, lastEpoch, recentEpoch } from "./epoch.ts";
import { isAboutBookmark } from "./failures.ts";
import type { Statement, Values } from "./statements.ts";

/** What a `Service-Bookmark` looks like: the epoch of the database, then a bookmark of D1. Anything else is none. */
export const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

/** D1's part of a `Service-Bookmark`; undefined for one that is malformed or not of the epoch that is known here. */
function bookmarkIn(sent: string): string | undefined {
  const epoch = lastEpoch();
  const isKnown = epoch !== undefined && BOOKMARK.test(sent) && sent.startsWith(epoch);
  return isKnown ? sent.slice(epoch.length + 1) : undefined;
}

/** The database as one request sees it: reads are at least as fresh as the session's bookmark and as its own writes. */
export class Session {
  readonly #binding: D1Database;
  readonly #call: ReturnType<typeof metered>;
  /** What reads begin with; undefined for the primary. */
  #bookmark: string | undefined;
  #opened: D1DatabaseSession | undefined;
  #isConditional = false;
  #epoch: string | undefined;

  /**
   * Takes no round trip.
   *
   * @param sent a `Service-Bookmark`: reads come from the nearest replica that is at least as fresh as it; from the primary
   * without it, and where it is not of this database
   * @param cost what the calls cost is added to it
   */
  constructor(binding: D1Database, sent: string | undefined, cost: Cost) {
    this.#binding = binding;
    this.#call = metered(cost);
    this.#bookmark = sent === undefined ? undefined : bookmarkIn(sent);
  }

  /** Opened when it is first used: many refusals ask nothing. */
  get #session(): D1DatabaseSession {
    this.#opened ??= this.#binding.withSession(this.#bookmark ?? "first-primary");
    return this.#opened;
  }

  /** The rows that a statement gives. One round trip. */
  async all<Row>(statement: Statement<Row>): Promise<Row[]> {
    return (await this.rows(statement)).map(statement.decode);
  }

  /** The first row that a statement gives, if any. One round trip. */
  async first<Row>(statement: Statement<Row>): Promise<Row | undefined> {
    const [row] = await this.rows(statement);
    return row && statement.decode(row);
  }

  /** {@link all}, not decoded. */
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

  /** The rows that each statement gives, not decoded: all of them are done or none. One round trip. */
  async batch(statements: Statement<unknown>[]): Promise<Values[][]> {
    if (this.#bookmark === undefined || !statements.every(({ text }) => isRead(text))) {
      // What writes is done at the primary, which need not wait for any bookmark.
      this.#bookmark = undefined;
      return this.#batch(statements, limits.deadline);
    }
    try {
      return await this.#batch(statements, limits.bookmarkDeadline);
    } catch (error) {
      if (!isLate(error) && !isAboutBookmark(error)) throw error;
    }
    // Made up, or of before a restore that this isolate has not heard of: D1 would wait for what never comes.
    doubtEpoch();
    this.#bookmark = undefined;
    this.#opened = undefined;
    return this.#batch(statements, limits.deadline - limits.bookmarkDeadline);
  }

  /** {@link batch}, and the epoch with it where that is needed: as one transaction, so that it is that of the rows. */
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

  /** {@link all}, always from the primary: for what must not be a moment old. It has no part in the session. */
  async fromPrimary<Row>({ text, params, decode }: Statement<Row>): Promise<Row[]> {
    const bound = this.#binding.prepare(text).bind(...params);
    const { results } = await this.#call({ queries: [text], send: () => bound.all<Values>() });
    return results.map(decode);
  }

  /** Makes each answer bring the epoch of its rows, which may not be a remembered one where it decides about a condition. */
  judgeConditions(): void {
    this.#isConditional = true;
  }

  /** The epoch of the rows that were answered last. @throws before there are any */
  get epoch(): string {
    if (this.#epoch === undefined) throw new Error("the epoch is known with the first answer");
    return this.#epoch;
  }

  /** How fresh the session is by now, as a `Service-Bookmark`; null before its first answer, whatever was sent. */
  bookmark(): string | null {
    const bookmark = this.#epoch === undefined ? null : (this.#opened?.getBookmark() ?? null);
    return bookmark === null ? null : `${this.#epoch}-${bookmark}`;
  }
}
