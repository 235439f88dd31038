import { type Fields, isFields } from "../api/client.ts";
import { textOf } from "./diff.ts";

/*
 * Lists and headers, as people write them.
 */

/** A list as text. */
export const listText = (value: unknown, between: string): string =>
  Array.isArray(value) ? value.map(textOf).join(between) : "";

/** The non-empty lines of a text; null if there are none. */
export function linesIn(text: string): string[] | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length === 0 ? null : lines;
}

/** The words of a text, separated by commas or white space; undefined if there are none. */
export function wordsIn(text: string): string[] | undefined {
  const words = text.split(/[\s,]+/).filter(Boolean);
  return words.length === 0 ? undefined : words;
}

/** Headers as text, one per line. */
export const headersText = (value: unknown): string =>
  isFields(value)
    ? Object.entries(value)
        .map(([name, text]) => `${name}: ${textOf(text)}`)
        .join("\n")
    : "";

/** The headers in a text, by name; null if there are none. */
export function headersIn(text: string): Fields | null {
  const lines = linesIn(text);
  return lines && Object.fromEntries(lines.map((line) => partsOf(line)));
}

/** An error message for headers: a line has no colon, or two headers have the same name. */
export function faultOfHeaders(text: string): string | undefined {
  const names = new Set<string>();
  for (const line of linesIn(text) ?? []) {
    const [name] = partsOf(line);
    if (!line.includes(":")) return `“${name}” has no colon. Write name and value, such as X-Team: shop.`;
    if (names.has(name.toLowerCase())) return `${name} appears twice. A header can have only one value.`;
    names.add(name.toLowerCase());
  }
  return undefined;
}

function partsOf(line: string): [string, string] {
  const end = line.indexOf(":");
  return end === -1 ? [line.trim(), ""] : [line.slice(0, end).trim(), line.slice(end + 1).trim()];
}
