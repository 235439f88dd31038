import type { Bool, Int, Order, Text } from "../base/program.ts";
import { invalid, notEnforced } from "../base/wrong.ts";
import { typeNames, type ExpressionValue } from "./values.ts";

/*
 * Comparisons, and what they become in a program.
 */

/** Reads a range in CIDR notation, or an address as a range of one; returns the canonical range of its own family. */
export type RangeOf = (text: string) => string | undefined;

export const constantly = (value: boolean): Bool => ({ op: "const", value });

/** The opposite of a condition; an error stays an error. */
export const not = (of: Bool): Bool => {
  if (of.op === "not") return of.of;
  return of.op === "const" ? constantly(!of.value) : { op: "not", of };
};

export const either = (of: Bool[]): Bool => {
  const [only] = of;
  if (only === undefined) return constantly(false);
  return of.length === 1 ? only : { op: "or", of };
};

const textIs = (text: Text, values: string[]): Bool => ({
  op: "text",
  text,
  test: "is",
  values: [...new Set(values)],
});

export const countOf = (of: { from: "header" | "response_header"; name: string }): Int => ({
  from: "count",
  of,
});

const isSign = (sign: string): sign is Order | "!=" => /^(?:[=!]=|[<>]=?)$/.test(sign);
const MIRRORED: Record<Order, Order> = { "==": "==", "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

/** Compares two values. @throws Wrong */
export function compare(
  operator: string,
  a: ExpressionValue,
  b: ExpressionValue,
  at: number,
  rangeOf: RangeOf,
): Bool {
  const sign = operator.replaceAll("_", "");
  if (!isSign(sign)) return invalid(`Unknown operator "${sign}".`, at);
  if (sign === "!=") return not(compared("==", a, b, at, rangeOf));
  return compared(sign, a, b, at, rangeOf);
}

function compared(sign: Order, a: ExpressionValue, b: ExpressionValue, at: number, rangeOf: RangeOf): Bool {
  if ((a.type === "literal" && b.type !== "literal") || (a.type === "time" && b.type === "now"))
    return compared(MIRRORED[sign], b, a, at, rangeOf);
  if (a.type === "time" && b.type === "time") return constantly(fold(sign, a.seconds, b.seconds, at));
  const differ = (): never =>
    invalid(`${capital(typeNames[a.type])} cannot be compared with ${typeNames[b.type]}.`, at);
  const ordersStrings = (): never => notEnforced("The order of strings is not enforced.", at);
  if (a.type === "now" && b.type === "time") return { op: "time", order: sign, value: b.seconds };
  if (b.type === "literal") {
    const { value } = b;
    if (a.type === "literal") return constantly(fold(sign, a.value, value, at));
    if (a.type === "int") return typeof value === "number" ? intIs(a.int, sign, value) : differ();
    if (sign !== "==") return a.type === "string" ? ordersStrings() : differ();
    if (a.type === "string") return typeof value === "string" ? textIs(a.text, [value]) : differ();
    if (a.type === "bool") return typeof value === "boolean" ? (value ? a.bool : not(a.bool)) : differ();
    if (a.type === "address")
      return typeof value === "string"
        ? { op: "address", address: a.address, in: [addressOf(value, at, rangeOf)] }
        : differ();
    return differ();
  }
  if (a.type !== b.type) return differ();
  if (a.type === "string" && b.type === "string")
    return sign === "==" ? { op: "same", a: a.text, b: b.text } : ordersStrings();
  if (a.type === "bool" && b.type === "bool" && sign === "==")
    return { op: "if", if: a.bool, yes: b.bool, no: not(b.bool) };
  return notEnforced(`Comparing ${typeNames[a.type]} with another is not enforced.`, at);
}

const intIs = (int: Int, order: Order, value: number): Bool => ({ op: "int", int, order, value });
const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

function fold(sign: Order, a: string | number | boolean, b: string | number | boolean, at: number): boolean {
  if (typeof a !== typeof b) return invalid("Two literals of different types cannot be compared.", at);
  if (sign === "==") return a === b;
  if (typeof a !== "number" || typeof b !== "number")
    return notEnforced("Only numbers and times have an order.", at);
  return { "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b }[sign];
}

const addressOf = (text: string, at: number, rangeOf: RangeOf): string =>
  (text.includes("/") ? undefined : rangeOf(text)) ??
  invalid(`${JSON.stringify(text)} is not an IP address.`, at);

/** `a in b`. @throws Wrong */
export function isIn(a: ExpressionValue, b: ExpressionValue, at: number, rangeOf: RangeOf): Bool {
  switch (b.type) {
    case "literals":
      return isInLiterals(a, b.values, at, rangeOf);
    case "var_list":
      return either(
        b.values.map((values, index) => ({
          op: "and",
          of: [intIs({ from: "var", name: b.name }, "==", index), isInLiterals(a, values, at, rangeOf)],
        })),
      );
    case "map":
      if (a.type === "literal" && typeof a.value === "string") return hasKey(b.of, a.value, at);
      return notEnforced("Only a literal string can be looked up in a map.", at);
    case "lines":
      if (a.type !== "literal" || typeof a.value !== "string")
        return notEnforced("Only a literal string can be looked up in a list.", at);
      return { op: "line", of: b.of, test: "is", values: [a.value] };
    case "first":
    case "cookies":
      return notEnforced("Only the first value, [0], of this list is enforced.", at);
    case "bool":
    case "string":
    case "int":
    case "address":
    case "cookie":
    case "literal":
    case "now":
    case "time":
      return invalid(`${capital(typeNames[b.type])} contains nothing.`, at);
  }
}

function isInLiterals(a: ExpressionValue, values: (string | number)[], at: number, rangeOf: RangeOf): Bool {
  const numbers = values.filter((value) => typeof value === "number");
  const texts = values.filter((value) => typeof value === "string");
  const only = <T>(all: T[]): T[] =>
    all.length === values.length ? all : invalid("The list has items of another type.", at);
  switch (a.type) {
    case "literal":
      return constantly(values.some((value) => value === a.value));
    case "string":
      return textIs(a.text, only(texts));
    case "address":
      return {
        op: "address",
        address: a.address,
        in: only(texts).map((text) => addressOf(text, at, rangeOf)),
      };
    case "int":
      return numbers.length === 0 && texts.length === 0
        ? { op: "if", if: intIs(a.int, ">", 0), yes: constantly(false), no: constantly(false) }
        : either([...new Set(only(numbers))].map((value) => intIs(a.int, "==", value)));
    case "bool":
    case "lines":
    case "first":
    case "cookies":
    case "cookie":
    case "map":
    case "literals":
    case "var_list":
    case "now":
    case "time":
      return notEnforced(`Looking up ${typeNames[a.type]} in a list is not enforced.`, at);
  }
}

/** Whether a map has a key. @throws Wrong */
export function hasKey(of: Extract<ExpressionValue, { type: "map" }>["of"], key: string, at: number): Bool {
  if (of === "query_param" || of === "cookie") return { op: "has", map: of, name: keyOf(of, key, at) };
  return intIs(countOf({ from: of, name: keyOf(of, key, at) }), ">", 0);
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$/;

/** A key as it is compared. @throws Wrong if nothing can have it, or if proxies read it differently */
export function keyOf(of: Extract<ExpressionValue, { type: "map" }>["of"], key: string, at: number): string {
  if (of === "query_param")
    return /^[!-~]{1,256}$/.test(key) && !/[&=%+#]/.test(key)
      ? key
      : notEnforced(`A query parameter named ${JSON.stringify(key)} is not enforced.`, at);
  if (!TOKEN.test(key)) return notEnforced(`${JSON.stringify(key)} is not a usable name.`, at);
  return of === "cookie" ? key : key.toLowerCase();
}

/** `inCidrRange(address, range)` and its like. @throws Wrong */
export function inRanges(address: ExpressionValue, ranges: string[], at: number, rangeOf: RangeOf): Bool {
  if (address.type !== "address") return invalid("Expected conn.client_ip or conn.server_ip.", at);
  return {
    op: "address",
    address: address.address,
    in: ranges.map(
      (range) => rangeOf(range) ?? invalid(`${JSON.stringify(range)} is not a range in CIDR notation.`, at),
    ),
  };
}
