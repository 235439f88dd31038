import type { TextPart } from "../base/program.ts";
import { invalid, notEnforced, Wrong } from "../base/wrong.ts";
import { compileValue } from "./check.ts";
import type { RangeOf } from "./compare.ts";
import { type ExpressionScope, typeNames, type ExpressionValue } from "./values.ts";

/** Compiles a string with `${expression}` in it. @throws Wrong */
export const templateOf = (text: string, scope: ExpressionScope, rangeOf: RangeOf): TextPart[] =>
  Array.from(piecesOf(text), (piece) =>
    typeof piece === "string"
      ? piece
      : shifted(piece.at, () => partOf(compileValue(piece.expression, scope, rangeOf), 0)),
  );

/** The pieces of a string with expressions in it. @throws Wrong if an expression does not end */
export function* piecesOf(text: string): Generator<string | { expression: string; at: number }> {
  const endOf = endsIn(text);
  let at = 0;
  for (let start = text.indexOf("${"); start !== -1; start = text.indexOf("${", at)) {
    if (start > at) yield text.slice(at, start);
    const end = endOf(start + 2);
    yield { expression: text.slice(start + 2, end), at: start + 2 };
    at = end + 1;
  }
  if (at < text.length) yield text.slice(at);
}

/** Whether a string has an expression in it. */
export const hasExpression = (text: string): boolean => text.includes("${");

/** The most quotes in a string that end nowhere: each is looked for in the rest of the string. */
const MOST_UNCLOSED = 100;

/** A function that finds the `}` of an expression. Braces in the expression's strings do not count. */
function endsIn(text: string): (start: number) => number {
  const token = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\s\S]/g;
  let unclosed = 0;
  return (start) => {
    token.lastIndex = start;
    for (let found = token.exec(text); found; found = token.exec(text)) {
      if (found[0] === "}") return found.index;
      if (/^["']$/.test(found[0]) && ++unclosed > MOST_UNCLOSED)
        invalid("Syntax: too many quotes are not closed.", found.index);
    }
    return invalid('"}" is missing after "${".', start - 2);
  };
}

/** Moves the positions in errors, which count from the start of the expression. */
function shifted<Result>(by: number, step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    if (error instanceof Wrong)
      throw new Wrong(error.reason, () => error.sentence(), (error.at ?? 0) + by, error.code);
    throw error;
  }
}

/** A value as a part of a string. @throws Wrong if it has no form as a string */
export function partOf(value: ExpressionValue, at: number): TextPart {
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
