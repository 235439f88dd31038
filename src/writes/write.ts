import type { Cause } from "../db/events.ts";
import type { ManyRows, RowVerb } from "../db/many_rows.ts";
import type { Change, Guard, Statement, Values } from "../db/statements.ts";
import type { Versioned } from "../db/versions.ts";
import type { ApiError } from "../http/errors/errors.ts";

/*
 * A write as a value: its requirements, its statements and its response. A handler builds one; `commit.ts` executes it.
 */

/** A condition of a write. */
export interface Requirement {
  /** Must hold when the write's statements run. */
  guard: Guard;
  /** True if the statements check the same anyway: the guard then only serves to explain why nothing was written. */
  isImplied?: true;
  /** True if it may hold for each of several changes before they are made, and not for all of them together. */
  isCollective?: true;
  /** True if a replay for an `Idempotency-Key` requires it too. */
  isForReplays?: true;
  /** The error if the guard did not hold; undefined if it turns out to hold by now. */
  refusal: () => ApiError | undefined | Promise<ApiError | undefined>;
  /**
   * For a refusal that names other objects: within a transaction, what it names is asked for where the guard does not hold,
   * since nothing is left of the operations before it afterwards.
   */
  named?: {
    /** Their ids, as a JSON list of texts. A function, as only transactions ask for them. */
    list: () => Guard;
    refusal: (ids: string[]) => ApiError;
  };
}

/** The response to the caller. */
export type Answer =
  | { status: 200; version: number; body: object }
  | Created
  | { status: 202; body: object }
  | { status: 204 };

/** The response to a creation. */
interface Created {
  status: 201;
  version: number;
  body: { uri: string };
}

/** One statement of a write, and the response if it returns a row; `all` has the rows of every step. */
export interface Step {
  statement: Statement<unknown>;
  answer?: (row: Values, all: Values[][]) => Answer;
  /** The type of the event that is recorded if it returns a row, or if nothing can prevent it. */
  records?: string;
}

/** A statement of a write, with the response built from the row that it returns. */
export const step = <Row>(statement: Statement<Row>, answer: (row: Row) => Answer): Step => ({
  statement,
  answer: (row) => answer(statement.decode(row)),
});

/** The steps of a change, with the response built from the changed row. */
export const stepsOf = <Row>(
  { before, statement, after, event }: Change<Row>,
  answer: (row: Row) => Answer,
): Step[] => [
  ...before.map((other) => ({ statement: other })),
  { ...step(statement, answer), ...(event !== undefined && { records: event }) },
  ...after.map((other) => ({ statement: other })),
];

/** A change of one object. */
export interface Write {
  /** In the order in which they are reported: see `requirements.ts`. */
  requires: Requirement[];
  /**
   * One batch. The write succeeded if a step with an `answer` returns a row, which it does only if `guard` holds; its events
   * tell of `cause`.
   */
  steps: (guard: Guard, cause: Cause) => Step[];
  /**
   * For a new object: its id, the response, and the body that is replayed for an `Idempotency-Key`. Without a guard,
   * nothing can prevent the insert, so no step has to return a row.
   *
   * For what is stored in the row of another object: `id` is unique to the request, and `changed` is that row, whose next
   * version the response has.
   */
  creates?: { id: string; answer: Created; kept: object; changed?: Versioned };
  /** What the statements do to the row, if they do nothing else: alike writes of a transaction are then sent as one. */
  bulk?: Bulk;
}

/** A change of one row. */
export interface Bulk {
  many: ManyRows;
  verb: RowVerb;
  /** The values that are set, besides the id. */
  item: Values & { id: string };
}
