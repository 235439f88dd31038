import { within } from "../deadline.ts";
import { failureOf } from "./failures.ts";

/*
 * What happens to every call that goes to D1, one statement or one batch: it is counted, it has a deadline, and one that
 * only reads is tried again when the database could not answer.
 */

/** What a request costs at the database, as D1 bills it. */
export interface Cost {
  roundTrips: number;
  rowsRead: number;
  rowsWritten: number;
}

export const newCost = (): Cost => ({ roundTrips: 0, rowsRead: 0, rowsWritten: 0 });

/** How long a call may take and how often it is tried. Tests replace the values. */
export const limits = {
  /** Milliseconds until a call is given up; D1 itself ends a query after 30 seconds. */
  deadline: 10_000,
  /** How much of that a read may take which begins with a client's bookmark. The rest is for asking the primary. */
  bookmarkDeadline: 3_000,
  /** Times that a call which may be repeated is tried in all. */
  attempts: 3,
  /** The longest pause before the second try, in milliseconds; twice that before the third. */
  pause: 50,
};

/** A call whose deadline passed: whether it was done, or will be, is not known. `errors.ts` knows its message. */
class DeadlineError extends Error {
  override name = "DeadlineError";
}

const late = () => new DeadlineError("The database's answer timed out.");

/** One call, of a statement or of a batch of them: their texts, and what sends it. */
interface Call<Answer> {
  queries: string[];
  send: () => Promise<Answer>;
}

/** Adds what a call costs to `cost`, gives it a deadline in milliseconds, and tries it again if it only reads. */
export const metered =
  (cost: Cost) =>
  <Answer extends D1Result | D1Result[]>(
    { queries, send }: Call<Answer>,
    deadline = limits.deadline,
  ): Promise<Answer> => {
    const once = async (): Promise<Answer> => {
      cost.roundTrips += 1;
      const answer = await within(deadline, send(), late);
      const results: D1Result[] = Array.isArray(answer) ? answer : [answer];
      for (const { meta } of results) {
        cost.rowsRead += meta.rows_read;
        cost.rowsWritten += meta.rows_written;
      }
      return answer;
    };
    return queries.every(isRead) ? withRetries(once) : once();
  };

/** True for the text of a statement that only reads. */
export const isRead = (query: string): boolean => /^\s*select\b/i.test(query);

/**
 * Makes a call that does no harm when it is repeated: again, after a short pause of random length, while the database
 * could not answer.
 */
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

/** True when a call was given up because its deadline passed. */
export const isLate = (error: unknown): boolean =>
  error instanceof DeadlineError || (error instanceof Error && isLate(error.cause));
