import type { Bool, Lines, Text, TextTest } from "../base/program.ts";
import { invalid, notEnforced, suggestion } from "../base/wrong.ts";
import {
  compare,
  constantly,
  countOf,
  either,
  hasKey,
  inRanges,
  isIn,
  keyOf,
  not,
  type RangeOf,
} from "./compare.ts";
import { isNamespace, lookUp } from "./names.ts";
import type { Node } from "./parse.ts";
import { type ExpressionScope, typeNames, type ExpressionValue } from "./values.ts";

/*
 * Checks the types of an expression, and compiles it.
 */

/** The most literals in a list. */
const MOST_LITERALS = 200;
/** The most lines of a header that are asked one by one. */
const MOST_LINES = 8;
const LAST_INDEX = 100;

const TESTS: Record<string, TextTest> = {
  startsWith: "begins",
  endsWith: "ends",
  contains: "contains",
  matches: "matches",
};
/** The maps of the functions that begin with `get` and `has`. */
const MAPS: Record<string, "header" | "query_param" | "cookie"> = {
  ReqHeader: "header",
  QueryParam: "query_param",
  ReqCookie: "cookie",
};
const FUNCTIONS = [
  ...Object.keys(TESTS),
  ...Object.keys(MAPS).map((map) => `get${map}`),
  ...Object.keys(MAPS).map((map) => `has${map}`),
  "lowerAscii",
  "upperAscii",
  "size",
  "exists",
  "exists_one",
  "all",
  "inCidrRange",
  "inCidrRanges",
  "timestamp",
];
/** Functions of CEL, and of its usual extensions, that nothing here enforces. */
const UNSUPPORTED =
  /^(?:_[-+*/%]_|-_|has|map|filter|split|join|replace|substring|trim|indexOf|lastIndexOf|charAt|format|reverse|quote|sort|flatten|distinct|int|uint|double|string|bool|bytes|type|dyn|duration|get[A-Z]\w*|lower|upper|base64|slice|range|min|max|abs|ceil|floor|round)$/;

/** Compiles a condition. @throws Wrong */
export const compileCondition = (text: string, scope: ExpressionScope, rangeOf: RangeOf): Bool =>
  new Checker(scope, rangeOf).bool(scope.parse(text));

/** Compiles an expression of any type. @throws Wrong */
export const compileValue = (text: string, scope: ExpressionScope, rangeOf: RangeOf): ExpressionValue =>
  new Checker(scope, rangeOf).value(scope.parse(text));

type Call = Extract<Node, { op: "call" }>;

class Checker {
  readonly #scope: ExpressionScope;
  readonly #rangeOf: RangeOf;
  /** What the variables of macros stand for. */
  readonly #bound = new Map<string, ExpressionValue>();

  constructor(scope: ExpressionScope, rangeOf: RangeOf) {
    this.#scope = scope;
    this.#rangeOf = rangeOf;
  }

  bool(node: Node): Bool {
    const value = this.value(node);
    if (value.type === "bool") return value.bool;
    if (value.type === "literal" && typeof value.value === "boolean") return constantly(value.value);
    return invalid(
      `Expected a condition, which is true or false, but this is ${typeNames[value.type]}.`,
      node.at,
    );
  }

  value(node: Node): ExpressionValue {
    switch (node.op) {
      case "literal":
        return { type: "literal", value: node.value };
      case "list":
        return { type: "literals", values: this.#literals(node.items, node.at) };
      case "id":
      case "get":
        return this.#member(node);
      case "call":
        return this.#call(node);
    }
  }

  #literals(items: Node[], at: number): (string | number)[] {
    if (items.length > MOST_LITERALS) notEnforced(`The list has more than ${MOST_LITERALS} items.`, at);
    return items.map((item) =>
      item.op === "literal" && typeof item.value !== "boolean"
        ? item.value
        : notEnforced("Lists of anything but literal strings or numbers are not enforced.", item.at),
    );
  }

  #member(node: Extract<Node, { op: "id" | "get" }>): ExpressionValue {
    const path = pathOf(node);
    if (path !== undefined) {
      const bound = this.#bound.get(path);
      if (bound) return bound;
      if (isNamespace(path) && !path.includes("."))
        return notEnforced(`"${path}" alone is not enforced.`, node.at);
      return lookUp(path, startOf(node), this.#scope);
    }
    if (node.op === "id") return invalid(`Unknown name "${node.name}".`, node.at);
    const of = this.value(node.of);
    if (of.type === "cookie" && node.name === "value")
      return { type: "string", text: { from: "cookie", name: of.name } };
    if (of.type === "cookie") return notEnforced(`"${node.name}" of a cookie is not enforced.`, node.at);
    if (of.type === "map") return notEnforced(`Write ["${node.name}"] for a key of a map.`, node.at);
    return invalid(`${typeNames[of.type]} has no member "${node.name}".`, node.at);
  }

  #call(node: Call): ExpressionValue {
    const bool = (value: Bool): ExpressionValue => ({ type: "bool", bool: value });
    const { name, args, at } = node;
    switch (name) {
      case "_&&_":
        return bool({ op: "and", of: args.map((arg) => this.bool(arg)) });
      case "_||_":
        return bool({ op: "or", of: args.map((arg) => this.bool(arg)) });
      case "!_":
        return bool(not(this.bool(this.#only(node))));
      case "_?_:_": {
        const [condition, yes, no] = args;
        if (!condition || !yes || !no) return invalid("Expected c ? a : b.", at);
        return bool({ op: "if", if: this.bool(condition), yes: this.bool(yes), no: this.bool(no) });
      }
      case "_==_":
      case "_!=_":
      case "_<_":
      case "_<=_":
      case "_>_":
      case "_>=_":
      case "@in": {
        const [a, b] = args;
        if (!a || !b) return invalid("Expected two values.", at);
        const [left, right] = [this.value(a), this.value(b)];
        if (right.type === "var_list") this.#scope.addLines(linesOf(left, right.values), at);
        return bool(
          name === "@in"
            ? isIn(left, right, at, this.#rangeOf)
            : compare(name, left, right, at, this.#rangeOf),
        );
      }
      case "_[_]":
        return this.#index(node);
      default:
        return node.of ? this.#method(node, node.of) : this.#function(node);
    }
  }

  /** The only argument of a call. */
  #only({ name, args, at }: Call): Node {
    const [arg] = args;
    return arg && args.length === 1 ? arg : invalid(`${name} has exactly one argument.`, at);
  }

  /** The literal string that is an argument. */
  #literal(node: Node | undefined, at: number): string {
    if (node?.op === "literal" && typeof node.value === "string") return node.value;
    return node?.op === "literal"
      ? invalid("Expected a string.", node.at)
      : notEnforced("Only a literal string is enforced here.", node?.at ?? at);
  }

  #index({ args, at }: Call): ExpressionValue {
    const [list, key] = args;
    if (!list || !key) return invalid("Expected a[b].", at);
    const of = this.value(list);
    if (of.type === "map") return this.#get(of.of, this.#literal(key, at), key.at);
    if (key.op !== "literal" || typeof key.value !== "number")
      return notEnforced("Only a literal number is enforced as an index.", key.at);
    if (key.value < 0) return invalid("An index is not negative.", key.at);
    if (of.type === "lines")
      return key.value > LAST_INDEX
        ? notEnforced(`An index above ${LAST_INDEX} is not enforced.`, key.at)
        : { type: "string", text: { from: "line", of: of.of, index: key.value } };
    if (of.type !== "first" && of.type !== "cookies")
      return invalid(`${typeNames[of.type]} has no index.`, at);
    if (key.value !== 0) return notEnforced("Only the first value, [0], of this list is enforced.", key.at);
    return of.type === "first" ? { type: "string", text: of.text } : { type: "cookie", name: of.name };
  }

  #get(of: Extract<ExpressionValue, { type: "map" }>["of"], key: string, at: number): ExpressionValue {
    const name = keyOf(of, key, at);
    if (of === "query_param") return { type: "first", text: { from: "query_param", name } };
    if (of === "cookie") return { type: "cookies", name };
    return { type: "lines", of: { from: of, name } };
  }

  #function(node: Call): ExpressionValue {
    const { name, args, at } = node;
    const [, verb, suffix = ""] = /^(get|has)(\w+)$/.exec(name) ?? [];
    const map = Object.hasOwn(MAPS, suffix) ? MAPS[suffix] : undefined;
    if (map) {
      const key = this.#literal(this.#only(node), at);
      if (verb === "has") return { type: "bool", bool: hasKey(map, key, at) };
      const value = this.#get(map, key, at);
      return value.type === "cookies" ? { type: "cookie", name: value.name } : value;
    }
    const [first, ...rest] = args;
    if (name === "timestamp") return this.#timestamp(this.#only(node));
    if (first && /^(?:size|matches|inCidrRanges?)$/.test(name))
      return this.#method({ ...node, args: rest }, first);
    return this.#unknown(name, at);
  }

  #unknown(name: string, at: number): never {
    if (UNSUPPORTED.test(name)) return notEnforced(`${operatorName(name)} is not enforced.`, at);
    return invalid(() => `Unknown function "${name}"${suggestion(name, FUNCTIONS)}`, at);
  }

  #timestamp(node: Node): ExpressionValue {
    if (node.op !== "literal") {
      const value = this.value(node);
      return value.type === "now" ? value : invalid("Expected time.now or a literal.", node.at);
    }
    const text = String(node.value);
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text))
      return invalid("Expected a time such as 2026-11-22T10:00:00Z.", node.at);
    const seconds = Date.parse(text) / 1000;
    if (Number.isNaN(seconds)) return invalid("Not a time.", node.at);
    if (!Number.isInteger(seconds)) return notEnforced("Fractions of a second are not enforced.", node.at);
    return { type: "time", seconds };
  }

  #method(node: Call, receiver: Node): ExpressionValue {
    const { name, args, at } = node;
    const path = pathOf(receiver);
    if (path !== undefined && /^(?:rand|json|hash|url|base64|secrets|math|strings)$/.test(path))
      return notEnforced(`${path}.${name} is not enforced.`, startOf(receiver));
    if (UNSUPPORTED.test(name)) return this.#unknown(name, at);
    if (name === "exists" || name === "all" || name === "exists_one")
      return { type: "bool", bool: this.#quantified(node, this.value(receiver)) };
    const of = this.value(receiver);
    const test = Object.hasOwn(TESTS, name) ? TESTS[name] : undefined;
    if (test) return { type: "bool", bool: this.#test(test, of, this.#literal(this.#only(node), at), at) };
    if (name === "lowerAscii" || name === "upperAscii") {
      if (args.length > 0) return invalid(`${name} has no argument.`, at);
      return changed(of, name === "lowerAscii" ? "lower" : "upper", at);
    }
    if (name === "size") return args.length > 0 ? invalid("size has no argument.", at) : sizeOf(of, at);
    if (name === "inCidrRange" || name === "inCidrRanges") {
      const ranges = this.#only(node);
      const list = ranges.op === "list" ? this.#literals(ranges.items, ranges.at).map(String) : undefined;
      return {
        type: "bool",
        bool: inRanges(of, list ?? [this.#literal(ranges, at)], ranges.at, this.#rangeOf),
      };
    }
    return this.#unknown(name, at);
  }

  #test(test: TextTest, of: ExpressionValue, value: string, at: number): Bool {
    const wanted = test === "matches" ? this.#scope.addPattern(value, at) : value;
    if (of.type === "string") return { op: "text", text: of.text, test, values: [wanted] };
    if (of.type === "literal" && typeof of.value === "string" && test !== "matches") {
      const methods = {
        begins: "startsWith",
        ends: "endsWith",
        contains: "includes",
        is: "includes",
      } as const;
      return constantly(of.value[methods[test]](value));
    }
    return of.type === "literal"
      ? notEnforced("A test of a literal is not enforced.", at)
      : invalid(`${typeNames[of.type]} has no such method.`, at);
  }

  /** `list.exists(v, …)`, `list.all(v, …)` and `map.exists_one(v, v == 'literal')`. */
  #quantified({ name, args, at }: Call, of: ExpressionValue): Bool {
    const [variable, body] = args;
    if (variable?.op !== "id" || !body || args.length !== 2)
      return invalid(`Expected ${name}(v, a condition on v).`, at);
    if (this.#bound.size > 0) return notEnforced("A list inside a list is not enforced.", at);
    if (of.type === "map") return this.#key(of, variable.name, body, name === "all", at);
    if (of.type !== "lines" || name === "exists_one")
      return of.type === "lines" || of.type === "first" || of.type === "var_list" || of.type === "literals"
        ? notEnforced(`${name} of this list is not enforced.`, at)
        : invalid(`${typeNames[of.type]} is not a list.`, at);
    const lines = of.of;
    const each = Array.from({ length: MOST_LINES }, (_, index) => {
      const text: Text = { from: "line", of: lines, index };
      this.#bound.set(variable.name, { type: "string", text });
      const bool = this.bool(body);
      this.#bound.clear();
      return bool;
    });
    const [first] = each;
    const whole = first && this.#whole(name === "all" ? not(first) : first, lines);
    if (whole) return name === "all" ? not(whole) : whole;
    const present = (index: number): Bool => ({ op: "int", int: countOf(lines), order: ">", value: index });
    const any = either(
      each.map((bool, index) => ({ op: "and", of: [present(index), name === "all" ? not(bool) : bool] })),
    );
    const guarded: Bool = { op: "if", if: present(MOST_LINES), yes: { op: "error" }, no: any };
    return name === "all" ? not(guarded) : guarded;
  }

  /** One positive test of a line, other than `matches`, asked of all lines. */
  #whole(bool: Bool, lines: Lines): Bool | undefined {
    if (bool.op !== "text" || bool.test === "matches") return undefined;
    return bool.text.from === "line"
      ? { op: "line", of: lines, test: bool.test, values: bool.values }
      : undefined;
  }

  #key(
    of: Extract<ExpressionValue, { type: "map" }>,
    variable: string,
    body: Node,
    isAll: boolean,
    at: number,
  ): Bool {
    const only = (): never =>
      notEnforced(
        "Of a map, only exists(k, k == 'literal') and exists_one(k, k == 'literal') are enforced.",
        at,
      );
    if (isAll || body.op !== "call" || body.name !== "_==_") return only();
    const [a, b] = body.args;
    const [key, literal] = a?.op === "literal" ? [b, a] : [a, b];
    if (key?.op !== "id" || key.name !== variable || literal?.op !== "literal") return only();
    return hasKey(of.of, this.#literal(literal, at), at);
  }
}

function changed(of: ExpressionValue, from: "lower" | "upper", at: number): ExpressionValue {
  if (of.type === "string") return { type: "string", text: { from, of: of.text } };
  return of.type === "literal"
    ? notEnforced("Changing a literal is not enforced.", at)
    : invalid("Expected a string.", at);
}

function sizeOf(of: ExpressionValue, at: number): ExpressionValue {
  if (of.type === "string") return { type: "int", int: { from: "size", of: of.text } };
  if (of.type === "lines") return { type: "int", int: countOf(of.of) };
  if (of.type === "literals") return { type: "literal", value: of.values.length };
  return of.type === "map" || of.type === "first" || of.type === "cookies" || of.type === "var_list"
    ? notEnforced(`The size of ${typeNames[of.type]} is not enforced here.`, at)
    : of.type === "literal"
      ? notEnforced("The size of a literal is not enforced.", at)
      : invalid(`${typeNames[of.type]} has no size.`, at);
}

/** The least that finding a value in a variable takes: a line for each list that it can be, and for each 20 of its different values. */
const linesOf = (left: ExpressionValue, lists: (string | number)[][]): number =>
  lists.reduce(
    (sum, values) => sum + 1 + (left.type === "literal" ? 0 : Math.floor(new Set(values).size / 20)),
    0,
  );

const operatorName = (name: string): string => {
  const sign = name.replaceAll("_", "");
  return /^[-+*/%]$/.test(sign) ? `The arithmetic operator ${sign}` : `"${name}"`;
};

/** `a.b.c`, if a node is nothing but names. */
function pathOf(node: Node): string | undefined {
  if (node.op === "id") return node.name;
  if (node.op !== "get") return undefined;
  const of = pathOf(node.of);
  return of === undefined ? undefined : `${of}.${node.name}`;
}

const startOf = (node: Node): number => (node.op === "get" ? startOf(node.of) : node.at);
