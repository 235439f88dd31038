/*
 * What D1 says when it refuses or fails. Messages are matched in the middle: their ends differ by platform.
 */

/** It cannot answer now, and may in a moment. */
const PASSING =
  /Network connection lost|storage caused object to be reset|and was reset|reset because its code was updated|transient issue|overloaded|timed? ?out|too many requests/i;

/** True when the database could not answer and may in a moment. */
export const isPassing = (error: unknown): boolean => PASSING.test(rootCause(error));

/** True when the database has more to do than it can. */
export const isOverloaded = (error: unknown): boolean =>
  /overloaded|too many requests/i.test(rootCause(error));

/** True for a write that broke the tables' constraint `name`. */
export const violates = (error: unknown, name: string): boolean =>
  rootCause(error).includes(`CHECK constraint failed: ${name}`);

/** True for a write of a row past what D1 holds: each request was small enough, what they add up to is not. */
export const isRowTooBig = (error: unknown): boolean =>
  violates(error, "fits_in_a_row") || /string or blob too big/i.test(rootCause(error));

/**
 * What went wrong, for the log, from the innermost cause. Drizzle's own message quotes every parameter and a
 * SyntaxError's the text that it could not parse: of these only the kind is told.
 */
export function rootCause(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  if (!(inner instanceof Error)) return typeof inner;
  if (inner instanceof SyntaxError) return inner.name;
  return inner.message.startsWith("Failed query") ? "Failed query" : `${inner.name}: ${inner.message}`;
}
