import { createInterface } from "node:readline/promises";

/*
 * The only module that writes to the terminal. Every character from anywhere else passes `escaped`.
 */

type Colour = "green" | "yellow" | "red" | "dim" | "bold";

const codes: Record<Colour, string> = { green: "32", yellow: "33", red: "31", dim: "2", bold: "1" };

/** A part of a line, with a colour or without. */
type Span = string | { readonly colour: Colour; readonly text: string };

/** A line of output. */
export type Line = string | readonly Span[];

export const paint = (colour: Colour, text: string): Span => ({ colour, text });

/** Control, format and other invisible characters, line separators, and lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Text in which characters that could change the terminal, hide text or change its order are written as `\uXXXX`. JSON keeps its
 * value, as such characters are only in its strings.
 */
export const escaped = (text: string): string =>
  text.replace(UNSAFE, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );

/** {@link escaped} for text of several lines. */
export const escapedLines = (text: string): string => text.split("\n").map(escaped).join("\n");

/** https://no-color.org: any value except an empty one. */
const isColoured = process.stdout.isTTY && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";

const rendered = (line: Line): string =>
  typeof line === "string"
    ? escaped(line)
    : line
        .map((span) => {
          const text = escaped(typeof span === "string" ? span : span.text);
          return isColoured && typeof span !== "string" && text !== ""
            ? `\x1b[${codes[span.colour]}m${text}\x1b[0m`
            : text;
        })
        .join("");

/** Prints a line of the result. */
export const print = (line: Line): void => {
  process.stdout.write(`${rendered(line)}\n`);
};

/** Prints a text of several lines. */
export const printText = (text: string): void => {
  process.stdout.write(escapedLines(text));
};

let isProgressShown = false;

/** Writes a line to stderr: an error, a warning, or what the command is doing. */
export function note(line: string): void {
  clearProgress();
  process.stderr.write(`${escaped(line)}\n`);
}

/** Shows the progress of long work, if stderr is a terminal. */
export function progress(text: string): void {
  if (!process.stderr.isTTY || process.env["TERM"] === "dumb") return;
  process.stderr.write(`\r\x1b[K${escaped(text)}`);
  isProgressShown = true;
}

/** Removes the line that {@link progress} shows. */
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

let failure: NodeJS.ErrnoException | undefined;
let whenFailed: (() => void) | undefined;

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  failure ??= error;
  whenFailed?.();
});
// There is nowhere left to report it.
process.stderr.on("error", () => {});

/** Calls this once stdout cannot be written, for a command that would otherwise go on forever. */
export const onOutputFailure = (action: () => void): void => {
  whenFailed = action;
};

/** Why the output could not be written; undefined if all of it was, or if its reader wanted no more. */
export async function outputFailure(): Promise<Error | undefined> {
  await new Promise<void>((done) => process.stdout.write("", () => done()));
  return failure?.code === "EPIPE" ? undefined : failure;
}
