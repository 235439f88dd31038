import type { Problem } from "../../model/src/traffic/problems.ts";

/** Writes a line to standard error, with control characters and line breaks replaced. */
export function log(text: string): void {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  process.stderr.write(`edge-agent: ${line}\n`);
}

/** How many new problems are logged at once. */
const MOST_LINES = 10;

/** A problem as it is logged. */
export const lineOf = ({ object, code, msg }: Problem): string => `${object}: ${code}: ${msg}`;

/** Logs problems when they appear. */
export class ProblemLog {
  #logged: ReadonlySet<string> = new Set();

  /** @param problems all that there are now */
  note(problems: readonly Problem[]): void {
    const lines = problems.map(lineOf);
    const added = lines.filter((line) => !this.#logged.has(line));
    this.#logged = new Set(lines);
    for (const line of added.slice(0, MOST_LINES)) log(line);
    if (added.length > MOST_LINES) log(`${added.length - MOST_LINES} more problems: see the agent's status.`);
  }
}
