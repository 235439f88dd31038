/** An error that the operator should see, in plain words. */
export class Refusal extends Error {}

/** The message of anything that was thrown, with the system error code if there is one. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause : undefined;
  if (!cause) return error.message;
  return `${error.message}: ${codeOf(cause) ?? cause.message}`;
}

/** A system error code, such as ENOENT. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

/** The end of a sentence: a reason if there is one. */
export const because = (reason: string): string => (reason === "" ? "." : `: ${reason}`);
