/** What the agent cannot do, in words for whoever runs it. */
export class Refusal extends Error {}

/** The text of anything that was thrown, with the code that the system gave. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause : undefined;
  if (!cause) return error.message;
  return `${error.message}: ${codeOf(cause) ?? cause.message}`;
}

/** The code of an error of the system, such as ENOENT. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

/** The end of a sentence that may have a reason. */
export const because = (reason: string): string => (reason === "" ? "." : `: ${reason}`);
