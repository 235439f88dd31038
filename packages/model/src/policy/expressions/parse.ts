import { parse as parseCel } from "@bufbuild/cel";
import { invalid, notEnforced, Wrong } from "../base/wrong.ts";

/*
 * Parses an expression to a tree of calls. Operators and macros are calls too: `_&&_`, `@in`, `exists`.
 */

/** The most nodes of an expression, and the most levels. */
const MOST_NODES = 500;
const MOST_LEVELS = 32;
/** The most characters of white space in a row: the parser's time is quadratic in them. */
const MOST_SPACES = 256;
/** The most quotes that end nowhere: each is looked for in the rest of the expression. */
const MOST_UNCLOSED = 100;

export type Node = { at: number } & (
  | { op: "literal"; value: string | number | boolean }
  | { op: "id"; name: string }
  | { op: "get"; of: Node; name: string }
  | { op: "call"; of: Node | undefined; name: string; args: Node[] }
  | { op: "list"; items: Node[] }
);

type Parsed = ReturnType<typeof parseCel>;
type Expr = NonNullable<Parsed["expr"]>;

/** One token of an expression. Strings are tokens, so brackets inside them do not count. */
const TOKEN =
  /\s+|\/\/[^\n]*|[rRbB]{0,2}(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|[\w.]+|&&|\|\||[!=<>]=|[\s\S]/g;

const CLOSING = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);

/**
 * The parser is recursive, and its time grows faster than the expression: this checks the size before parsing. It also finds brackets that
 * are not closed, for which the parser blames what precedes them.
 *
 * @throws Wrong if an expression is too large, or ends in brackets
 */
function checkSize(text: string): void {
  const open: { token: string; index: number }[] = [];
  let isMixedUp = false;
  let tokens = 0;
  let dots = 0;
  let unclosed = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (/^\s/.test(token) && token.length > MOST_SPACES)
      notEnforced(`The expression has more than ${MOST_SPACES} spaces in a row.`, index);
    if (/^(?:\s|\/\/)/.test(token)) continue;
    if (/^["']$/.test(token) && ++unclosed > MOST_UNCLOSED)
      invalid("Syntax: too many quotes are not closed.", index);
    if (/^[\w.]/.test(token)) dots += token.split(".").length - 1;
    if (++tokens > 4 * MOST_NODES || dots > MOST_NODES)
      notEnforced(`The expression has more than ${MOST_NODES} nodes.`, index);
    if (CLOSING.has(token) && open.push({ token, index }) > MOST_LEVELS)
      notEnforced(`The expression has more than ${MOST_LEVELS} levels.`, index);
    if (/^[)\]}]$/.test(token)) isMixedUp ||= CLOSING.get(open.pop()?.token ?? "") !== token;
  }
  const last = open.at(-1);
  // Otherwise, the parser says what is wrong.
  if (last && !isMixedUp)
    invalid(`Syntax: "${last.token}" at position ${last.index} is not closed.`, text.length);
}

/** The part of the parser's errors that is used. */
interface SyntaxProblem {
  rawMessage: string;
  location: { start: { offset: number } };
}

const isSyntaxProblem = (error: unknown): error is SyntaxProblem =>
  error instanceof Error && "rawMessage" in error && "location" in error;

/** Parses an expression. @throws Wrong */
export function parse(text: string): Node {
  checkSize(text);
  if (text.trim() === "") return invalid("The expression is empty.", 0);
  let parsed: Parsed;
  try {
    parsed = parseCel(text);
  } catch (error) {
    if (isSyntaxProblem(error))
      throw new Wrong("invalid", `Syntax: ${error.rawMessage}.`, error.location.start.offset);
    if (error instanceof RangeError)
      throw new Wrong("not_enforced", `The expression has more than ${MOST_LEVELS} levels.`, 0);
    throw new Wrong("invalid", "Syntax: not an expression.", 0);
  }
  return new Tree(parsed).read();
}

class Tree {
  readonly #parsed: Parsed;
  #nodes = 0;

  constructor(parsed: Parsed) {
    this.#parsed = parsed;
  }

  read(): Node {
    const { expr } = this.#parsed;
    return expr ? this.#node(expr, 1) : invalid("The expression is empty.", 0);
  }

  #node(expr: Expr, level: number): Node {
    const at = this.#parsed.sourceInfo?.positions[String(expr.id)] ?? 0;
    if (++this.#nodes > MOST_NODES) notEnforced(`The expression has more than ${MOST_NODES} nodes.`, at);
    if (level > MOST_LEVELS) notEnforced(`The expression has more than ${MOST_LEVELS} levels.`, at);
    const macro = this.#parsed.sourceInfo?.macroCalls[String(expr.id)];
    const { exprKind: kind } = macro ?? expr;
    const inner = (child: Expr | undefined): Node =>
      child ? this.#node(child, level + 1) : invalid("The expression has an empty part.", at);
    switch (kind.case) {
      case "constExpr":
        return { op: "literal", value: constant(kind.value.constantKind, at), at };
      case "identExpr":
        return { op: "id", name: kind.value.name, at };
      case "selectExpr":
        return { op: "get", of: inner(kind.value.operand), name: kind.value.field, at };
      case "callExpr": {
        const { target, function: name, args } = kind.value;
        return { op: "call", of: target && inner(target), name, args: chain(name, args).map(inner), at };
      }
      case "listExpr":
        return { op: "list", items: kind.value.elements.map(inner), at };
      case "structExpr":
        return notEnforced("Maps and messages are not enforced.", at);
      case "comprehensionExpr":
      case undefined:
        return notEnforced("This expression is not enforced.", at);
    }
  }
}

/** `a && b && c` is a chain of calls. As one call, it has one level. */
function chain(name: string, args: Expr[]): Expr[] {
  if (name !== "_&&_" && name !== "_||_") return args;
  const flat: Expr[] = [];
  const open = args.toReversed();
  for (let next = open.pop(); next; next = open.pop()) {
    const { exprKind: kind } = next;
    if (kind.case === "callExpr" && kind.value.function === name) open.push(...kind.value.args.toReversed());
    else flat.push(next);
  }
  return flat;
}

type Constant = Extract<Expr["exprKind"], { case: "constExpr" }>["value"]["constantKind"];

function constant({ case: type, value }: Constant, at: number): string | number | boolean {
  if (type === "boolValue") return value;
  if (type === "stringValue") {
    if (value.includes("\0")) return notEnforced("Strings with NUL are not enforced.", at);
    return value.isWellFormed() ? value : invalid("The string contains a lone surrogate.", at);
  }
  if (type !== "int64Value")
    return notEnforced("Bytes, null, unsigned numbers and numbers with a fraction are not enforced.", at);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : notEnforced("Numbers beyond 2^53 are not enforced.", at);
}
