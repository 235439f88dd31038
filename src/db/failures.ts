/*
 * The errors of D1. Messages are matched by substring: how they begin and end differs by platform.
 */

/**
 * The meanings of database failures:
 * - `transient`: it may work again in a moment. A call that is safe to repeat is retried; 503.
 * - `overloaded`: too much load, which a retry would only increase; 503.
 * - `quota`: rejected until someone frees space or raises a limit, or the day ends; 503, and the operator is alerted.
 * - `unexpected`: a bug in this service, or an error not known yet; 500.
 */
export type Failure = "transient" | "overloaded" | "quota" | "unexpected";

/**
 * Substrings of messages and what they mean; the first match counts. From D1's list of errors
 * (https://developers.cloudflare.com/d1/observability/debug-d1/#error-list) and from reported cases.
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
  // Also the message after the deadline in `session.ts`: the caller has waited long enough.
  ["timed out", "overloaded"],
  ["Network connection lost", "transient"],
  ["storage caused object to be reset", "transient"],
  ["reset because its code was updated", "transient"],
  ["Replica disconnected from primary", "transient"],
  ["transient issue", "transient"],
  ["request stream because client disconnected", "transient"],
  ["internal error; reference =", "transient"],
  // Not D1's own response but that of something in front of it, such as "error code: 502".
  ["Failed to parse body as JSON", "transient"],
  ["Unable to open database file", "transient"],
  ["database is locked", "transient"],
];

/** Classifies an error thrown by a call to the database. */
export function failureOf(error: unknown): Failure {
  const message = rootCause(error).toLowerCase();
  const [, failure] = MESSAGES.find(([part]) => message.includes(part.toLowerCase())) ?? [];
  return failure ?? "unexpected";
}

/** True if D1 does not know the bookmark that a session started from. */
export const isAboutBookmark = (error: unknown): boolean => /bookmark/i.test(rootCause(error));

/** True for a write that violated the CHECK constraint `name`. */
const violates = (error: unknown, name: string): boolean =>
  rootCause(error).includes(`CHECK constraint failed: ${name}`);

/** True for a write of a route larger than the edge that shows it has room for. */
export const isRouteTooBig = (error: unknown): boolean => violates(error, "route_fits");

/** True for a write of a row larger than D1 allows: each request was small enough, but together they are not. */
export const isRowTooBig = (error: unknown): boolean =>
  violates(error, "fits_in_a_row") || /string or blob too big/i.test(rootCause(error));

/**
 * The innermost cause of an error, for the log. Drizzle's own message quotes every parameter, and a SyntaxError's the text
 * that it could not parse: of these, only the kind is logged.
 */
export function rootCause(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  if (!(inner instanceof Error)) return typeof inner;
  if (inner instanceof SyntaxError) return inner.name;
  return inner.message.startsWith("Failed query") ? "Failed query" : `${inner.name}: ${inner.message}`;
}
