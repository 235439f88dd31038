import { nonEmpty } from "./members.ts";

const PATH_BYTES = 512;

/** A path of requests, or the start of one: it begins with a slash and has neither query nor fragment. */
export const requestPath = () =>
  nonEmpty(PATH_BYTES).regex(
    /^\/[!"$->@-~\u00a0-\uffff]*$/,
    "Expected a path that begins with / and has no ?, #, space or control character.",
  );
