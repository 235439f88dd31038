import * as z from "zod";
import { isObject } from "../json.ts";
import { ITEMS } from "./request_schemas.ts";

/** RFC 9110 §5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const NOT_A_TOKEN = "Expected a header name: letters, digits and any of !#$%&'*+-.^_`|~";
/** Characters that would end a header's value or the header section (RFC 9110 §5.5). */
const LINE_BREAK = /[\r\n\0]/;

/** A header name: an HTTP token. */
export const headerName = () => z.string().regex(TOKEN, NOT_A_TOKEN);

/**
 * A map from header names to values. {} clears it: the output is then null. Names must differ in more than case; `rename`
 * converts them for the output. Not `z.record`, because it drops a field named `__proto__`, which is a valid header name.
 */
export const headerMap = (rename: (name: string) => string) =>
  z
    .custom<Record<string, string>>(isObject, "Expected an object of header names and values.")
    .superRefine((headers, context) => {
      const seen = new Set<string>();
      for (const [name, value] of Object.entries(headers)) {
        const error = errorIn(name, value, seen);
        if (error) context.addIssue({ code: "custom", path: [name], message: error });
        seen.add(name.toLowerCase());
      }
    })
    .transform((headers) => {
      const entries = Object.entries(headers).map(([name, value]) => [rename(name), value] as const);
      return entries.length === 0 ? null : Object.fromEntries(entries);
    })
    .meta({
      type: "object",
      propertyNames: { pattern: TOKEN.source },
      additionalProperties: { type: "string", pattern: "^[^\\r\\n\\u0000]*$" },
      maxProperties: ITEMS,
    });

function errorIn(name: string, value: unknown, seen: Set<string>): string | undefined {
  if (!TOKEN.test(name)) return NOT_A_TOKEN;
  if (seen.has(name.toLowerCase())) return "Duplicate name: header names are case-insensitive.";
  if (typeof value !== "string") return "Expected a string.";
  if (LINE_BREAK.test(value)) return "A value must not contain CR, LF or NUL.";
  if (!value.isWellFormed()) return "Not well-formed Unicode: it contains a lone surrogate.";
  return undefined;
}
