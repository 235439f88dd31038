import { within } from "../deadline.ts";
import { failureOf } from "./failures.ts";

/*
 * Every call to D1, of one statement or one batch: it is counted, it has a deadline, and if it only reads, it is retried
 * after a transient failure.
 */

/** What a request costs at the database, in D1's billing units. */
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

/** True for the SQL text of a statement that only reads. */
export const isRead = (query: string): boolean =>
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
export const isLate = (error: unknown): boolean =>
  error instanceof DeadlineError || (error instanceof Error && isLate(error.cause));
