/** Writes a line to standard error, with control characters and line breaks replaced. */
export function log(text: string): void {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  process.stderr.write(`edge-agent: ${line}\n`);
}

/** Keeps the agent running if standard error is a pipe whose reader has ended. */
export const keepLoggingHarmless = (): void => {
  process.stderr.on("error", () => {});
};
