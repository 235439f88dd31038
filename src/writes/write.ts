import type { Check } from "../db/checks.ts";
import type { Cause } from "../db/event_writes.ts";
import type { ManyRows, RowVerb } from "../db/many_rows.ts";
import type { Change } from "../db/rows.ts";
import type { Statement, Values } from "../db/statements.ts";
import type { Versioned } from "../db/versions.ts";
import type { ApiError } from "../http/errors.ts";

/*
 * A write as a value: its requirements, its change and its response. A handler builds one; `commit.ts` executes it, alone or
 * with others.
 */

/** A condition that must hold right before the write's statements run. Otherwise the batch ends and changes nothing. */
export interface Requirement extends Check {
  /**
   * True if the requirement is that a row exists which a statement changes. A write on its own then needs no separate check,
   * because the statement returns no row.
   */
  isShownByRow?: true;
  /** True if it can hold for each of several changes separately, but not for all of them together. */
  isCollective?: true;
  /** True if a replay for an `Idempotency-Key` requires it too. */
  isForReplays?: true;
  /** The error if the condition does not hold. @param ids the ids that `named` found */
  error: (ids: string[]) => ApiError;
}

/** The response to the caller; without a version, it has no ETag. */
export type Answer =
  | { status: 200; version?: number; body: object }
  | Created
  | { status: 202; body: object }
  | { status: 204 };

/** The response to a creation. */
interface Created {
  status: 201;
  version: number;
  body: { uri: string };
}

/** A change of one object, with what it requires and what it answers. */
export interface Write {
  /** In the order in which they are reported: see `requirements.ts`. */
  requires: Requirement[];
  /** Statements for one batch, whose events name `cause`. */
  change: (cause: Cause) => Change;
  /** The response, of the row that the change returns, as it is stored, and the rows of all statements. */
  answer?: (row: Values, all: Values[][]) => Answer;
  /** The response if no row is returned, of the rows of all statements; without one, the object does not exist. */
  otherwise?: (all: Values[][]) => Answer;
  /**
   * For a new object: its id, the response, and the body that is replayed for an `Idempotency-Key`.
   *
   * For something stored in another object's row: `id` is unique to the request, and `changed` is that row, whose next version
   * is in the response.
   */
  creates?: { id: string; answer: Created; kept: object; changed?: Versioned };
  /** The only effect of the statements, if it is a change of one row: similar writes of a transaction are then sent as one. */
  bulk?: Bulk;
}

/** A change of one row. */
export interface Bulk {
  many: ManyRows;
  verb: RowVerb;
  /** The values that are set, and the id. */
  item: Values & { id: string };
}

/** A write with more statements, which are sent after its own. */
export const followedBy = (
  { bulk: _, ...write }: Write,
  others: (cause: Cause) => Statement<unknown>[],
): Write => ({
  ...write,
  change(cause) {
    const change = write.change(cause);
    return { ...change, statements: [...change.statements, ...others(cause)] };
  },
});
