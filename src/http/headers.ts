import type { HonoRequest } from "hono";
import { BOOKMARK } from "../db/database.ts";
import type { MemberError } from "./errors.ts";

/** The longest `Idempotency-Key`, in characters. */
export const IDEMPOTENCY_KEY_CHARACTERS = 255;

/** What is wrong with the headers that an operation heeds, beyond those that every request needs. */
export function wrongHeaders(request: HonoRequest, isCreation: boolean): MemberError[] {
  const bookmark = request.header("Service-Bookmark");
  const key = isCreation ? request.header("Idempotency-Key") : undefined;
  return [
    ...(bookmark === undefined || BOOKMARK.test(bookmark)
      ? []
      : [{ path: "Service-Bookmark", msg: "Expected a value of this header of an earlier response." }]),
    ...(key === undefined || (key.length > 0 && key.length <= IDEMPOTENCY_KEY_CHARACTERS)
      ? []
      : [{ path: "Idempotency-Key", msg: `Expected 1 to ${IDEMPOTENCY_KEY_CHARACTERS} characters.` }]),
  ];
}
