/*
 * Errors that end a command, and exit statuses.
 */

/** An error that the user should see, in one or more lines. */
export class UserError extends Error {
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
/** An unexpected error in the command itself: EX_SOFTWARE in sysexits.h. */
export const UNEXPECTED = 70;
