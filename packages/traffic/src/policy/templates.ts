import { compileValue } from "./expressions/check.ts";
import type { RangeOf } from "./expressions/compare.ts";
import { type Scope, typeNames, type Value } from "./expressions/values.ts";
import type { Part } from "./program.ts";
import { invalid, notEnforced, Wrong } from "./wrong.ts";

/** Compiles a string with `${expression}` in it. @throws Wrong */
export function templateOf(text: string, scope: Scope, rangeOf: RangeOf): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (let start = text.indexOf("${"); start !== -1; start = text.indexOf("${", at)) {
    if (start > at) parts.push(text.slice(at, start));
    const end = endOf(text, start + 2);
    parts.push(shifted(start + 2, () => partOf(compileValue(text.slice(start + 2, end), scope, rangeOf), 0)));
    at = end + 1;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

/** Whether a string has an expression in it. */
export const hasExpression = (text: string): boolean => text.includes("${");

/** Where the `}` of an expression is. Braces in its strings do not count. */
function endOf(text: string, start: number): number {
  const token = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\s\S]/g;
  token.lastIndex = start;
  for (let found = token.exec(text); found; found = token.exec(text))
    if (found[0] === "}") return found.index;
  return invalid('"}" is missing after "${".', start - 2);
}

/** Moves the positions in errors, which count from the start of the expression. */
function shifted<Result>(by: number, step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    if (error instanceof Wrong)
      throw new Wrong(error.reason, error.message, (error.at ?? 0) + by, error.code);
    throw error;
  }
}

/** A value as a part of a string. @throws Wrong if it has no form as a string */
export function partOf(value: Value, at: number): Part {
  switch (value.type) {
    case "string":
      return { text: value.text };
    case "int":
      return { int: value.int };
    case "address":
      return { address: value.address };
    case "bool":
      return { bool: value.bool };
    case "literal":
      return String(value.value);
    case "lines":
    case "first":
    case "cookies":
    case "cookie":
    case "map":
    case "literals":
    case "var_list":
    case "now":
    case "time":
      return notEnforced(`${typeNames[value.type]} as part of a string is not enforced.`, at);
  }
}
