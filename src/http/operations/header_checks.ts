import type { HonoRequest } from "hono";
import { BOOKMARK } from "../../db/database.ts";
import type { MemberError } from "../errors/member_errors.ts";

/** An `Idempotency-Key`: ASCII only, as all other bytes arrive as the same replacement character. */
export const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

const CONDITIONS = ["If-Match", "If-None-Match"];
/** The most ETags that a condition may list, and the most characters that they may take. */
const TAGS = 100;
const TAGS_CHARACTERS = 8_192;

/** True for a conditional request: see `src/http/responses/conditions.ts`. */
export const isConditional = (request: HonoRequest): boolean =>
  CONDITIONS.some((name) => request.header(name) !== undefined);

/** Errors in the headers that an operation accepts, beyond those that every request needs. */
export function wrongHeaders(
  request: HonoRequest,
  accepts: { idempotencyKey: boolean; conditions: boolean },
): MemberError[] {
  const wrong: MemberError[] = [];
  const bookmark = request.header("Service-Bookmark");
  if (bookmark !== undefined && !BOOKMARK.test(bookmark))
    wrong.push({
      path: "Service-Bookmark",
      msg: "Expected the value of this header in an earlier response.",
    });
  const key = accepts.idempotencyKey ? request.header("Idempotency-Key") : undefined;
  if (key !== undefined && !IDEMPOTENCY_KEY.test(key))
    wrong.push({ path: "Idempotency-Key", msg: "Expected 1 to 255 ASCII characters." });
  for (const name of accepts.conditions ? CONDITIONS : []) {
    const tags = request.header(name) ?? "";
    if (tags.length > TAGS_CHARACTERS)
      wrong.push({ path: name, msg: `Expected at most ${TAGS_CHARACTERS} characters.` });
    else if (tags.split('"').length > 2 * TAGS + 1)
      wrong.push({ path: name, msg: `Expected at most ${TAGS} ETags.` });
  }
  return wrong;
}
