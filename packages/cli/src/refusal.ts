/*
 * What ends a command: an error in words for the person who called it, and the exit statuses.
 */

/** An error that the user should see, in plain words: a line each. */
export class Refusal extends Error {
  readonly lines: readonly string[];

  constructor(lines: string | readonly string[], options?: ErrorOptions) {
    const all = typeof lines === "string" ? [lines] : lines;
    super(all.join("\n"), options);
    this.lines = all;
  }
}

/** Exit statuses, as `--help` and docs/files.md describe them; 0 is success. */
export const FAILED = 1;
/** The answer is "no": there are differences, the address is denied, there are problems. */
export const ANSWER_IS_NO = 2;
/** Applied, but some of what was applied is not served as written. */
export const NOT_SERVED = 3;
/** A fault of the command itself: EX_SOFTWARE of sysexits.h. */
export const UNEXPECTED = 70;
