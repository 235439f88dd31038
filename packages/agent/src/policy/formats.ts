import type { Part } from "../../../traffic/src/policy/program.ts";
import { asFormat, quote } from "../quote.ts";
import type { Conditions } from "./conditions.ts";
import type { Both, Writer } from "./writer.ts";

/*
 * Strings that are composed for each request, as HAProxy's log formats. HAProxy encodes control characters in them.
 */

/** A value as a sample that is a string; an error is empty. */
export function sampleOf(part: Exclude<Part, string>, conditions: Conditions, writer: Writer): string {
  if ("address" in part) return part.address === "client_ip" ? "src" : "dst";
  if ("text" in part) {
    const { fetch, known } = conditions.texts.text(part.text);
    return `var(${writer.holdOrEmpty(fetch, known)})`;
  }
  if ("bool" in part) return words(conditions.bool(part.bool), writer);
  const { fetch, known } = conditions.number(part.int);
  return `var(${writer.holdOrEmpty(`${fetch},concat()`, known)})`;
}

/** `true`, `false`, or nothing for an error. */
function words({ yes, no }: Both, writer: Writer): string {
  const name = writer.hold("str()");
  for (const conditions of yes) writer.add(`set-var(${name}) str(true)`, conditions);
  for (const conditions of no) writer.add(`set-var(${name}) str(false)`, conditions);
  return `var(${name})`;
}

/** Parts as one word: a log format. */
export function formatOf(parts: Part[], conditions: Conditions, writer: Writer): string {
  const format = parts
    .map((part) => (typeof part === "string" ? asFormat(part) : `%[${sampleOf(part, conditions, writer)}]`))
    .join("");
  // HAProxy does not accept an empty format.
  return quote(format === "" ? "%[str()]" : format);
}

/** Parts as the content of a file with a log format. */
export const fileOf = (parts: Part[], conditions: Conditions, writer: Writer): string =>
  parts
    .map((part) =>
      typeof part === "string" ? part.replaceAll("%", "%%") : `%[${sampleOf(part, conditions, writer)}]`,
    )
    .join("");
