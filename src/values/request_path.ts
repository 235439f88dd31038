import { nonEmpty } from "./members.ts";

const PATH_BYTES = 512;

/** A path of requests, or the start of one: it begins with a slash and has neither query nor fragment. */
export const requestPath = () =>
  nonEmpty(PATH_BYTES)
    .refine(
      (path) => /^\/[^?# \p{Cc}]*$/u.test(path),
      "Expected a path that begins with / and has no ?, #, space or control character.",
    )
    // Not all readers of the document know Unicode classes.
    .meta({ pattern: "^/[^?# ]*$" });
