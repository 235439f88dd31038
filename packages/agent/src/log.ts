/** Writes one plain line to standard error, whatever characters the text has. */
export function log(text: string): void {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  process.stderr.write(`edge-agent: ${line}\n`);
}

/** Standard error may be a pipe whose reader has gone: that must not end the agent. */
export const keepLoggingHarmless = (): void => {
  process.stderr.on("error", () => {});
};
