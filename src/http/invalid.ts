import type * as z from "zod";
import type { MemberError } from "./errors.ts";

/** Longest name that an error quotes. */
const QUOTED_CHARACTERS = 100;

/** What Zod found, as the members that a caller has to mend. `pointer` names a path in the request. */
export function memberErrors(error: z.ZodError, pointer: (path: PropertyKey[]) => string): MemberError[] {
  return error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ path: pointer([...issue.path, key]), msg: issue.message }))
      : [{ path: pointer(issue.path), msg: message(issue) }],
  );
}

/** Zod's message as a sentence; a member that is not there at all is "Required". */
function message({ code, message }: z.core.$ZodIssue): string {
  if (code === "invalid_type" && message.endsWith("received undefined")) return "Required.";
  const [, rest] = /^Invalid \w+: e(.*)$/.exec(message) ?? [];
  return rest === undefined ? message : `E${rest}.`;
}

const quoted = (name: string): string =>
  name.length > QUOTED_CHARACTERS ? `${name.slice(0, QUOTED_CHARACTERS)}…` : name;

/** A JSON Pointer (RFC 6901) of a path. */
export const jsonPointer = (path: PropertyKey[]): string =>
  path.map((name) => `/${quoted(String(name)).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
