import type * as z from "zod";

/** One rejected field: a JSON Pointer (RFC 6901) into the body, or a parameter's name, and what would be valid. */
export interface MemberError {
  path: string;
  msg: string;
}

/** The longest name of a field or parameter that an error quotes in full. */
const NAME_CHARACTERS = 100;

/** A name as an error quotes it. */
const shortened = (name: string): string =>
  name.length > NAME_CHARACTERS ? `${name.slice(0, NAME_CHARACTERS).toWellFormed()}…` : name;

/**
 * Zod's issues with the body (`json`) or the query of a request, as errors for the caller; a missing value is "Required". A
 * query parameter given more than once arrives as a list, which no parameter's schema accepts.
 */
export function memberErrors(
  error: z.core.$ZodError,
  input: unknown,
  target: "json" | "query",
): MemberError[] {
  const pathOf = target === "json" ? jsonPointer : parameterName;
  const msgOf = (issue: z.core.$ZodIssue): string => {
    const value = at(input, issue.path);
    if (value === undefined && issue.code !== "custom") return "Required.";
    return target === "query" && Array.isArray(value) ? "Send this parameter only once." : sentence(issue);
  };
  return error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ path: pathOf([...issue.path, key]), msg: issue.message }))
      : [{ path: pathOf(issue.path), msg: msgOf(issue) }],
  );
}

/** The value at a path in parsed JSON. */
const at = (input: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, name) => (typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined),
    input,
  );

/** Zod's message as a sentence: "Invalid input: expected string, received number" without its first half. */
function sentence({ message }: z.core.$ZodIssue): string {
  const [, rest] = /^Invalid \w+: e(.*)$/.exec(message) ?? [];
  return rest === undefined ? message : `E${rest}.`;
}

/**
 * A path as a JSON Pointer (RFC 6901). It ends before a name too long to quote, so it points to the object that has the
 * name.
 */
export function jsonPointer(path: PropertyKey[]): string {
  const names = path.map(String);
  const tooLong = names.findIndex((name) => name.length > NAME_CHARACTERS);
  return names
    .slice(0, tooLong === -1 ? names.length : tooLong)
    .map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

/** The name of a query parameter, which is the only element of its path. */
export const parameterName = (path: PropertyKey[]): string => shortened(path.map(String).join(""));
