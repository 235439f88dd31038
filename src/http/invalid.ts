import type * as z from "zod";
import { _safeParse } from "zod/v4/core";
import type { MemberError } from "./errors.ts";

/** Longest name of a member or parameter that an error tells. */
const NAME_CHARACTERS = 100;

/** A name as an error tells it. */
export const shortened = (name: string): string =>
  name.length > NAME_CHARACTERS ? `${name.slice(0, NAME_CHARACTERS).toWellFormed()}…` : name;

/** Stands for a query parameter that was given more than once, which no schema takes. */
export const REPEATED = Symbol("repeated");

/** What Zod found wrong, without the Error that it is told with: making that takes longer than finding it. */
class Findings implements z.core.$ZodError {
  readonly name = "Findings";
  readonly message = "";
  readonly type = undefined;
  readonly issues: z.core.$ZodIssue[];
  readonly _zod: z.core.$ZodError["_zod"];

  constructor(issues: z.core.$ZodIssue[]) {
    this.issues = issues;
    this._zod = { output: undefined, def: issues };
  }
}

/** Zod's `safeParse`, with {@link memberErrors} for the error that it gives. */
export const check = _safeParse(Findings);

/**
 * What Zod found wrong in `input`, as the members that a caller has to mend; a member that is not there at all is
 * "Required". `pointer` names a path in the request.
 */
export function memberErrors(
  error: z.core.$ZodError,
  input: unknown,
  pointer: (path: PropertyKey[]) => string,
): MemberError[] {
  return error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ path: pointer([...issue.path, key]), msg: issue.message }))
      : [{ path: pointer(issue.path), msg: whatIsWrong(at(input, issue.path), issue) }],
  );
}

function whatIsWrong(value: unknown, issue: z.core.$ZodIssue): string {
  if (value === undefined) return "Required.";
  return value === REPEATED ? "Give it once." : sentence(issue);
}

/** The value at a path of parsed JSON. */
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
 * A JSON Pointer (RFC 6901) of a path. A name too long to be told ends it: it then points to the object that has the
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
