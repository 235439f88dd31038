import type { TextPart } from "../../../model/src/policy/base/program.ts";
import { asFormat, quote } from "../base/quote.ts";
import type { Conditions } from "./conditions.ts";
import { type Both, regexArgument, type Writer, when } from "./writer.ts";

/*
 * Strings that are composed for each request, as HAProxy's log formats. HAProxy encodes control characters in them.
 */

/** A value as a sample that is a string; an error is empty. */
export function sampleOf(part: Exclude<TextPart, string>, conditions: Conditions, writer: Writer): string {
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
export function formatOf(parts: TextPart[], conditions: Conditions, writer: Writer): string {
  const format = parts
    .map((part) => (typeof part === "string" ? asFormat(part) : `%[${sampleOf(part, conditions, writer)}]`))
    .join("");
  // HAProxy does not accept an empty format.
  return quote(format === "" ? "%[str()]" : format);
}

/** HAProxy's name of a control character in a pattern, and its encoding in a URL. NUL never gets this far: it is an error. */
const CONTROLS = [...Array.from({ length: 31 }, (_, i) => i + 1), 127].map((code) => {
  const digits = code.toString(16).toUpperCase().padStart(2, "0");
  return { pattern: String.raw`\x${digits}`, encoded: `%${digits}` };
});
const encodeControls = CONTROLS.map(
  ({ pattern, encoded }) => `,regsub(${regexArgument(pattern)},${regexArgument(encoded)},g)`,
).join("");
const anyControl = `[${CONTROLS.map(({ pattern }) => pattern).join("")}]`;

/**
 * Parts as the content of a file with a log format. HAProxy 2.6 encodes control characters in the values of such a file, and 3.0 no
 * longer does: they are encoded first.
 */
export const fileOf = (parts: TextPart[], conditions: Conditions, writer: Writer): string =>
  parts
    .map((part) => {
      if (typeof part === "string") return part.replaceAll("%", "%%");
      const sample = sampleOf(part, conditions, writer);
      if (!("text" in part)) return `%[${sample}]`;
      const value = writer.hold(sample);
      writer.add(`set-var(${value}) ${quote(sample + encodeControls)}`, [when(sample, "reg", anyControl)]);
      return `%[var(${value})]`;
    })
    .join("");
