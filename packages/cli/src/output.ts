import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";

/*
 * The only module that writes to the terminal. All text passes through `escaped`.
 */

type Color = "green" | "yellow" | "red" | "dim" | "bold";

const codes: Record<Color, string> = { green: "32", yellow: "33", red: "31", dim: "2", bold: "1" };

/** A part of a line, with or without a color. */
export type Span = string | { readonly color: Color; readonly text: string };

export type OutputLine = string | readonly Span[];

export const paint = (color: Color, text: string): Span => ({ color, text });

const spansOf = (line: OutputLine): readonly Span[] => (typeof line === "string" ? [line] : line);

/** A line with spaces before it. */
export const indented = (spaces: string, line: OutputLine): OutputLine => [spaces, ...spansOf(line)];

/** A line without colors. */
export const plain = (line: OutputLine): string =>
  spansOf(line)
    .map((span) => (typeof span === "string" ? span : span.text))
    .join("");

/** Control, format and other invisible characters, line separators, and lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Writes characters that could control the terminal, hide text or change its order as `\uXXXX`. JSON keeps its value, because
 * such characters only occur in its strings.
 */
export const escaped = (text: string): string =>
  text.replace(UNSAFE, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );

/** {@link escaped} for several lines. */
export const escapedLines = (text: string): string => text.split("\n").map(escaped).join("\n");

/** NO_COLOR disables colors unless it is empty: https://no-color.org. */
const isColored = process.stdout.isTTY && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";

const rendered = (line: OutputLine): string =>
  spansOf(line)
    .map((span) => {
      const text = escaped(typeof span === "string" ? span : span.text);
      return isColored && typeof span !== "string" && text !== ""
        ? `\x1b[${codes[span.color]}m${text}\x1b[0m`
        : text;
    })
    .join("");

/** Prints a line of the result. */
export const print = (line: OutputLine): void => {
  process.stdout.write(`${rendered(line)}\n`);
};

/** Prints several lines. */
export const printText = (text: string): void => {
  process.stdout.write(escapedLines(text));
};

let isProgressShown = false;

/** Writes a line to stderr: an error, a warning or a status message. */
export function note(line: string): void {
  clearProgress();
  process.stderr.write(`${escaped(line)}\n`);
}

/** Shows progress, if stderr is a terminal. */
export function progress(text: string): void {
  if (!process.stderr.isTTY || process.env["TERM"] === "dumb") return;
  process.stderr.write(`\r\x1b[K${escaped(text)}`);
  isProgressShown = true;
}

/** Removes the line written by {@link progress}. */
export function clearProgress(): void {
  if (isProgressShown) process.stderr.write("\r\x1b[K");
  isProgressShown = false;
}

/** Asks a question; only "y" and "yes" mean yes. */
export async function isConfirmed(question: string): Promise<boolean> {
  const output = process.stdout.isTTY ? process.stdout : process.stderr;
  const reader = createInterface({ input: process.stdin, output });
  try {
    const closed = new Promise<string>((resolve) => reader.once("close", () => resolve("")));
    const answer = await Promise.race([reader.question(`${escaped(question)} (y/N) `), closed]);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    reader.close();
  }
}

/** Reads a line without showing it; all of stdin if that is not a terminal. */
export async function askSecretly(question: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();
  process.stderr.write(question);
  // readline repeats what is typed on its output.
  const reader = createInterface({
    input: process.stdin,
    output: new Writable({ write: (_, __, done) => done() }),
    terminal: true,
  });
  try {
    return (await reader.question("")).trim();
  } finally {
    reader.close();
    process.stderr.write("\n");
  }
}

let failure: NodeJS.ErrnoException | undefined;
let whenFailed: (() => void) | undefined;

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  failure ??= error;
  whenFailed?.();
});
// If stderr fails, there is nowhere left to report it.
process.stderr.on("error", () => {});

/** Sets an action for when stdout can no longer be written, for commands that otherwise run forever. */
export const onOutputFailure = (action: () => void): void => {
  whenFailed = action;
};

/** The error if the output could not be written; undefined if its reader closed the pipe. */
export async function outputFailure(): Promise<Error | undefined> {
  await new Promise<void>((done) => process.stdout.write("", () => done()));
  return failure?.code === "EPIPE" ? undefined : failure;
}
