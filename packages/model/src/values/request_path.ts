import { nonEmpty } from "./request_schemas.ts";

const PATH_BYTES = 512;

/** A request path or a prefix of one: it begins with a slash, and has no query or fragment. */
export const requestPath = () =>
  nonEmpty(PATH_BYTES)
    .refine(
      (path) => /^\/[^?# \p{Cc}]*$/u.test(path),
      "Expected a path that begins with / and has no ?, #, space or control character.",
    )
    // Some programs that read the document do not support Unicode classes.
    .meta({ pattern: "^/[^?# ]*$" });
