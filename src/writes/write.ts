import type { Guard, Statement, Values } from "../db/statements.ts";
import type { ApiError } from "../http/errors/errors.ts";

/*
 * A write as a value: what must hold, what is sent, and what is answered. A handler makes one; `commit.ts` does it.
 */

/** A condition of a write. */
export interface Requirement {
  /** Must hold when the write's statements run. */
  guard: Guard;
  /** True where the statements ask the same anyway: the guard is only for telling why the write was not done. */
  isImplied?: true;
  /** What the caller is told when the guard does not hold; undefined where it turns out to hold by now. */
  refusal: () => ApiError | undefined | Promise<ApiError | undefined>;
}

/** What the caller is answered. */
export type Answer =
  | { status: 200; version: number; body: object }
  | { status: 201; version: number; body: { uri: string } }
  | { status: 204 };

/** One statement of a write, and what is answered if it gives a row. */
export interface Step {
  statement: Statement<unknown>;
  answer?: (row: Values) => Answer;
}

/** A statement that does a write, and what is answered from the row that it gives then. */
export const step = <Row>(statement: Statement<Row>, answer: (row: Row) => Answer): Step => ({
  statement,
  answer: (row) => answer(statement.decode(row)),
});

/** A change of one object. */
export interface Write {
  /** In the order in which a caller is told of them: see `requirements.ts`. */
  requires: Requirement[];
  /** One batch. It is done if a step that answers gives a row, which it does only where `guard` holds. */
  steps: (guard: Guard) => Step[];
  /**
   * Of a new object: its id, the answer, and the response as it is shown again under an `Idempotency-Key`. Without a guard
   * nothing keeps it from being created, and no step need give a row.
   */
  creates?: { id: string; answer: Answer; kept: object };
}
