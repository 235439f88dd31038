import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import { asBinding, careful, type Cost, intercepted, interceptedSession } from "./calls.ts";
import type { Statement, Values } from "./statements.ts";

export type Database = DrizzleD1Database;

/** What D1's own bookmarks look like: anything else is no bookmark. */
export const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

/** The database as one request sees it: reads are at least as fresh as the session's bookmark and as its own writes. */
export class Session {
  readonly #binding: D1Database;
  readonly #call: ReturnType<typeof careful>;
  readonly #start: string;
  #opened: D1DatabaseSession | undefined;

  /**
   * Takes no round trip.
   *
   * @param bookmark reads come from the nearest replica that is at least as fresh as it; from the primary without it
   * @param cost what the calls cost is added to it
   */
  constructor(binding: D1Database, bookmark: string | undefined, cost: Cost) {
    this.#binding = binding;
    this.#call = careful(cost);
    this.#start = bookmark ?? "first-primary";
  }

  /** Opened when it is first used: many refusals ask nothing. */
  get #session(): D1DatabaseSession {
    this.#opened ??= this.#binding.withSession(this.#start);
    return this.#opened;
  }

  /** The rows that a statement gives. One round trip. */
  async all({ text, params }: Statement): Promise<Values[]> {
    const bound = this.#session.prepare(text).bind(...params);
    const { results } = await this.#call({ queries: [text], send: () => bound.all<Values>() });
    return results;
  }

  /** The rows that each statement gives: all of them are done or none. One round trip. */
  async batch(statements: Statement[]): Promise<Values[][]> {
    const bound = statements.map(({ text, params }) => this.#session.prepare(text).bind(...params));
    const results = await this.#call({
      queries: statements.map(({ text }) => text),
      send: () => this.#session.batch<Values>(bound),
    });
    return results.map((result) => result.results);
  }

  /** The session for queries that are not worth a text of their own. */
  get db(): Database {
    const watched = intercepted(this.#binding, this.#call);
    return drizzle(asBinding(watched, interceptedSession(this.#session, this.#call)));
  }

  /** Always the primary: for what must not be a moment old. */
  get primary(): Database {
    return drizzle(intercepted(this.#binding, this.#call));
  }

  /** How fresh the session is by now; null before its first query. */
  bookmark(): string | null {
    return this.#opened?.getBookmark() ?? null;
  }
}
