/*
 * What D1 says when it refuses or fails. Messages are matched in the middle: their ends differ by platform.
 */

/**
 * What a failure of the database means:
 * - `transient`: it could not answer and may in a moment. A call that does no harm when it is repeated is sent again; 503.
 * - `overloaded`: it has more to do than it can, and would have more if it were asked again; 503.
 * - `quota`: it refuses until somebody makes room, raises a limit, or the day ends; 503, and the operator is alerted.
 * - `unexpected`: a fault of this service, or what nobody has seen yet; 500.
 */
export type Failure = "transient" | "overloaded" | "quota" | "unexpected";

/**
 * Parts of messages and what they mean; the first that matches counts. From D1's list of errors
 * (https://developers.cloudflare.com/d1/observability/debug-d1/#error-list) and from what is reported of it.
 */
const MESSAGES: readonly (readonly [part: string, Failure])[] = [
  // More queries in one invocation than the platform allows.
  ["Too many API requests by single worker invocation", "unexpected"],
  ["Exceeded maximum DB size", "quota"],
  ["exceeded D1's maximum account storage limit", "quota"],
  ["database or disk is full", "quota"],
  ["exceeded D1's free tier daily row read limit", "quota"],
  ["exceeded D1's free tier daily row write limit", "quota"],
  ["overloaded", "overloaded"],
  ["exceeded its memory limit and was reset", "overloaded"],
  ["exceeded its CPU time limit and was reset", "overloaded"],
  ["storage operation exceeded timeout", "overloaded"],
  // Also what a call is given up with after the deadline of `calls.ts`: it was waited for long enough.
  ["timed out", "overloaded"],
  ["Network connection lost", "transient"],
  ["storage caused object to be reset", "transient"],
  ["reset because its code was updated", "transient"],
  ["Replica disconnected from primary", "transient"],
  ["transient issue", "transient"],
  ["request stream because client disconnected", "transient"],
  ["internal error; reference =", "transient"],
  // The answer was not D1's but that of something before it, such as "error code: 502".
  ["Failed to parse body as JSON", "transient"],
  ["Unable to open database file", "transient"],
  ["database is locked", "transient"],
];

/** What an error that a call to the database threw means. */
export function failureOf(error: unknown): Failure {
  const message = rootCause(error).toLowerCase();
  const [, failure] = MESSAGES.find(([part]) => message.includes(part.toLowerCase())) ?? [];
  return failure ?? "unexpected";
}

/** True when the database does not know the bookmark that a session began with. */
export const isAboutBookmark = (error: unknown): boolean => /bookmark/i.test(rootCause(error));

/** True for a write that broke the tables' constraint `name`. */
const violates = (error: unknown, name: string): boolean =>
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
