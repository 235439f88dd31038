import type { HonoRequest } from "hono";
import { BOOKMARK } from "../../db/database.ts";
import type { MemberError } from "../errors/member_errors.ts";
import { isCreation, type Operation, preconditionsOf } from "./operation.ts";

/** An `Idempotency-Key`: ASCII only, as all other bytes arrive as the same replacement character. */
export const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

/** Every precondition header (RFC 9110 §13.1). */
const PRECONDITIONS = ["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range"];
/**
 * The preconditions that browsers and caches add to reads on their own. They only save a transfer: a read that ignores them
 * returns the current state as a whole, which is always a right answer.
 */
const SAVING = new Set(["If-None-Match", "If-Modified-Since", "If-Range"]);

/** The most ETags that a condition may list, and the most characters that they may take. */
const TAGS = 100;
const TAGS_CHARACTERS = 8_192;

/** What an operation accepts and evaluates. */
type Declared = Pick<Operation, "access" | "conditional" | "guardedBy" | "status" | "isKeyed">;

/**
 * Errors in the headers of a request, except those that every request needs: wrong values of the headers that the operation
 * accepts, and preconditions that it would ignore although the caller relies on them.
 */
export function wrongHeaders(request: HonoRequest, operation: Declared): MemberError[] {
  const wrong: MemberError[] = [];
  if (operation.access !== "public") {
    const bookmark = request.header("Service-Bookmark");
    if (bookmark !== undefined && !BOOKMARK.test(bookmark))
      wrong.push({
        path: "Service-Bookmark",
        msg: "Expected the value of this header in an earlier response.",
      });
  }
  const key = isCreation(operation) ? request.header("Idempotency-Key") : undefined;
  if (key !== undefined && !IDEMPOTENCY_KEY.test(key))
    wrong.push({ path: "Idempotency-Key", msg: "Expected 1 to 255 ASCII characters." });
  const evaluated: string[] = preconditionsOf(operation);
  const isRead = request.method === "GET" || request.method === "HEAD";
  for (const name of PRECONDITIONS) {
    const value = request.header(name);
    if (value === undefined) continue;
    const msg = evaluated.includes(name)
      ? wrongTags(value)
      : isRead && SAVING.has(name)
        ? undefined
        : notEvaluated(name, operation);
    if (msg !== undefined) wrong.push({ path: name, msg });
  }
  return wrong;
}

/** What is wrong with the value of `If-Match` or `If-None-Match`; undefined if nothing is. */
function wrongTags(value: string): string | undefined {
  if (value.length > TAGS_CHARACTERS) return `Expected at most ${TAGS_CHARACTERS} characters.`;
  if (value.split('"').length > 2 * TAGS + 1) return `Expected at most ${TAGS} ETags.`;
  return undefined;
}

/** The error for a precondition that an operation does not evaluate: ignored, it would guard nothing. */
function notEvaluated(name: string, operation: Declared): string {
  const canMatch = preconditionsOf(operation).includes("If-Match");
  const instead = operation.guardedBy ?? (canMatch ? "Send If-Match instead." : "Leave it out.");
  return `This operation does not support ${name}. ${instead}`;
}
