import { clock } from "../../packages/model/src/clock.ts";
import { isObject, parsedJson } from "../../packages/model/src/json.ts";
import { visible } from "../../packages/model/src/values/visible_text.ts";
import type { Reply } from "../delivery/sender.ts";

/*
 * What goes wrong with an authority, and what follows from it.
 */

/**
 * - `rejected`: the authority rejects the order, or breaks the protocol: counts as a failure
 * - `unavailable`: later, the same request may work
 * - `unregistered`: the authority has no such account (RFC 8555 §6.7, `accountDoesNotExist`)
 * - `not_ready`: the order is in another state than expected (`orderNotReady`)
 */
type Consequence = "rejected" | "unavailable" | "unregistered" | "not_ready";

/** An authority did not do what it was asked for. The message is for people. */
export class AuthorityFailure extends Error {
  readonly consequence: Consequence;
  /** How long to wait, in milliseconds, if the authority says it. */
  readonly retryAfter: number | undefined;

  constructor(consequence: Consequence, message: string, retryAfter?: number) {
    super(cleaned(message));
    this.consequence = consequence;
    this.retryAfter = retryAfter;
  }
}

export const rejected = (message: string): AuthorityFailure => new AuthorityFailure("rejected", message);

/** The longest message, in characters. */
const MESSAGE_LENGTH = 500;

/** An authority's words, as they can be shown. */
export const cleaned = (words: string): string => visible(words).slice(0, MESSAGE_LENGTH).toWellFormed();

const ACME_ERROR = "urn:ietf:params:acme:error:";

/** The type and the words of a problem document (RFC 7807). */
const ownWords = (problem: unknown): string =>
  isObject(problem)
    ? [problem["type"], problem["detail"]]
        .filter((part) => typeof part === "string")
        .map((part) => part.replace(ACME_ERROR, ""))
        .join(": ")
    : "";

/** A problem document in an authority's words, with those of its parts (RFC 8555 §6.7.1). */
export function wordsOf(problem: unknown): string {
  const parts = isObject(problem) ? problem["subproblems"] : undefined;
  const listed: unknown[] = Array.isArray(parts) ? parts.slice(0, 5) : [];
  return [problem, ...listed].map(ownWords).filter(Boolean).join("; ") || "no reason given";
}

/** Types of errors (RFC 8555 §6.7) that do not count as a rejection. */
const CONSEQUENCES: [type: string, consequence: Consequence][] = [
  ["accountDoesNotExist", "unregistered"],
  ["badNonce", "unavailable"],
  ["orderNotReady", "not_ready"],
  ["rateLimited", "unavailable"],
  ["serverInternal", "unavailable"],
];

/** Statuses after which the same request may work. */
const LATER = /^(?:408|425|429|5..)$/;

/** The type of error in a response, such as `badNonce`; "" without one. */
export function errorType({ text }: Pick<Reply, "text">): string {
  const problem = parsedJson(text);
  const type = isObject(problem) ? problem["type"] : undefined;
  return typeof type === "string" && type.startsWith(ACME_ERROR) ? type.slice(ACME_ERROR.length) : "";
}

/** The failure for a response that is not successful. */
export function failureOfReply(reply: Reply): AuthorityFailure {
  const { status, text } = reply;
  const isLater = LATER.test(String(status));
  const type = errorType(reply);
  const known = CONSEQUENCES.find(([name]) => name === type)?.[1];
  const consequence = known ?? (isLater ? "unavailable" : "rejected");
  const words =
    status >= 300 && status < 400
      ? "a redirect, which is not followed"
      : isObject(parsedJson(text))
        ? wordsOf(parsedJson(text))
        : `status ${status}`;
  return new AuthorityFailure(consequence, `The authority responded: ${words}`, retryAfter(reply));
}

/** The longest time that an authority can have the service wait, in milliseconds. */
const LONGEST_WAIT = 86_400_000;

/** `Retry-After` (RFC 9110 §10.2.3) in milliseconds; undefined without a valid one. */
export function retryAfter({ headers }: Pick<Reply, "headers">): number | undefined {
  const value = headers.get("Retry-After");
  if (value === null) return undefined;
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - clock.now();
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), LONGEST_WAIT);
}
