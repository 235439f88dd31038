/** An error that the operator should see, in plain words. */
export class Refusal extends Error {}

/** The message of anything that was thrown, with the system error code of its cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause : undefined;
  if (!cause) return error.message;
  return `${error.message}: ${codeOf(cause) ?? cause.message}`;
}

/** The code of a system error, such as ENOENT. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
