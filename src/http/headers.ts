import type { HonoRequest } from "hono";
import { BOOKMARK } from "../db/database.ts";
import type { MemberError } from "./errors.ts";

/** An `Idempotency-Key`: of ASCII, as bytes beyond it come through as one and the same replacement character. */
export const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

/** The most ETags that a condition may name. */
const TAGS = 100;

/** What is wrong with the headers that an operation heeds, beyond those that every request needs. */
export function wrongHeaders(request: HonoRequest, isCreation: boolean): MemberError[] {
  const bookmark = request.header("Service-Bookmark");
  const key = isCreation ? request.header("Idempotency-Key") : undefined;
  return [
    ...(bookmark === undefined || BOOKMARK.test(bookmark)
      ? []
      : [{ path: "Service-Bookmark", msg: "Expected a value of this header of an earlier response." }]),
    ...(key === undefined || IDEMPOTENCY_KEY.test(key)
      ? []
      : [{ path: "Idempotency-Key", msg: "Expected 1 to 255 characters of ASCII." }]),
    ...["If-Match", "If-None-Match"]
      .filter((name) => (request.header(name)?.split('"').length ?? 0) > 2 * TAGS + 1)
      .map((path) => ({ path, msg: `Expected at most ${TAGS} ETags.` })),
  ];
}
