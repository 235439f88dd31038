import {
  type Alias,
  Composer,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  type YAMLMap,
} from "yaml";
import { readText } from "./files.ts";
import { type Json, type JsonObject, type Path, pointer } from "./json.ts";
import { kinds } from "./kinds.ts";
import { Refusal } from "./refusal.ts";

/*
 * Files as they are read: YAML, or JSON if the name ends in .json, and the places of everything in them. Reading any file takes
 * bounded time and memory, and no error quotes what a secret could be: the file may not be the one that the user meant.
 */

/** An error in a file, and its place. */
export interface Problem {
  path: Path;
  msg: string;
  /** The name of the field is wrong, not its value. */
  atKey?: boolean;
  /** The path is not shown. */
  isHidden?: boolean;
}

export interface SourceFile {
  name: string;
  text: string;
  value: JsonObject;
  /** "edge.yaml:3:5" of a value, or of the nearest value around it. */
  placeOf: (path: Path, atKey?: boolean) => string;
  document: Document;
}

/** The errors in a file, a line each. */
class BrokenFile extends Refusal {}

const MOST_PROBLEMS = 50;

const NAME_EXPECTED = "Expected a string as a name; one that looks like something else must be in quotes.";

/** A part of a path, as far as an error shows it. */
const shownPart = (part: string | number): string => {
  const text = String(part);
  return text.length <= 64 ? text : `${text.slice(0, 63)}…`;
};

/** @throws BrokenFile that lists the problems of a file in the order of its lines, if there are any */
export function refuseFor(file: Pick<SourceFile, "name" | "placeOf">, problems: Problem[]): void {
  if (problems.length === 0) return;
  const lines = problems.map(({ path, msg, atKey, isHidden }) => {
    const place = file.placeOf(path, atKey);
    const what = path.length === 0 || isHidden ? "" : `${path.map(shownPart).join(".")}: `;
    return { place, text: `${place}: ${what}${msg}` };
  });
  const numbers = (place: string): number[] => place.split(":").slice(-2).map(Number);
  lines.sort((a, b) => {
    const [line = 0, column = 0] = numbers(a.place);
    const [otherLine = 0, otherColumn = 0] = numbers(b.place);
    return line - otherLine || column - otherColumn;
  });
  const shown = lines.slice(0, MOST_PROBLEMS).map(({ text }) => text);
  if (lines.length > shown.length) shown.push(`… and ${lines.length - shown.length} more.`);
  throw new BrokenFile(shown);
}

export const isJsonFile = (name: string): boolean => name.toLowerCase().endsWith(".json");

/** @throws Refusal if the file cannot be read, BrokenFile if it is not YAML or JSON */
export const readSource = (name: string, follow: boolean): SourceFile =>
  parseSource(name, readText(name, follow));

/** A text as the file `name`. @throws BrokenFile */
function parseSource(name: string, text: string): SourceFile {
  if (isJsonFile(name)) requireJson(name, text);
  const lines = new LineCounter();
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const document = composed(text, lines, at);
  const reader = new Reader(at);
  const read = reader.valueOf(document.contents);
  if (reader.problems.length > 0) throw new BrokenFile(reader.problems);
  const { values, keys } = reader;
  const placeOf = (path: Path, atKey = false): string => {
    for (let length = path.length; length >= 0; length -= 1) {
      const place = pointer(path.slice(0, length));
      const first = atKey && length === path.length ? keys.get(place) : undefined;
      const offset = first ?? values.get(place) ?? keys.get(place);
      if (offset !== undefined) return at(offset);
    }
    return `${name}:1:1`;
  };
  const value = read ?? {};
  if (typeof value !== "object" || Array.isArray(value))
    throw new BrokenFile(
      `${name}:1:1: Expected an object with any of ${kinds.map(({ section }) => section).join(", ")}.`,
    );
  return { name, text, value, document, placeOf };
}

/** The deepest that values can be nested, so that recursion over them ends. */
const MOST_LEVELS = 100;
/** Words and signs, each of which takes time and memory. */
const MOST_LEXEMES = 2_000_000;

/** A text as a YAML document without errors. @param at the place of an offset @throws BrokenFile */
function composed(text: string, lines: LineCounter, at: (offset: number) => string): Document {
  const parser = new Parser(lines.addNewLine);
  const composer = new Composer({ uniqueKeys: false, stringKeys: true, prettyErrors: false });
  const tokens = function* () {
    lines.addNewLine(0);
    let lexemes = 0;
    let errors = 0;
    for (const lexeme of new Lexer().lex(text)) {
      for (const token of parser.next(lexeme)) {
        if (token.type === "error" && (errors += 1) > MOST_PROBLEMS) return;
        yield token;
      }
      if (parser.stack.length > MOST_LEVELS)
        throw new BrokenFile(`${at(parser.offset)}: Nested more than ${MOST_LEVELS} levels deep.`);
      if ((lexemes += 1) > MOST_LEXEMES)
        throw new BrokenFile(
          `${at(parser.offset)}: The file has more than ${MOST_LEXEMES.toLocaleString("en")} words and signs. Divide it into several files.`,
        );
    }
    yield* parser.end();
  };
  const { stackTraceLimit } = Error;
  // An error object for each of a million errors would otherwise have a stack.
  Error.stackTraceLimit = 0;
  let documents: Document.Parsed[];
  try {
    documents = [...composer.compose(tokens(), true, text.length)];
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  const [document, second] = documents;
  if (!document) throw new Error("a text without a document");
  const problems = [...document.errors, ...document.warnings]
    .slice(0, MOST_PROBLEMS)
    .map(({ pos, code, message }) => `${at(pos[0])}: ${messageOf(code, message)}`);
  if (second) problems.push(`${at(second.range[0])}: The file has more than one document.`);
  if (document.directives?.yaml.version !== "1.2")
    problems.push(`${at(0)}: Only YAML 1.2 is supported, not the version in the %YAML directive.`);
  if (problems.length > 0) throw new BrokenFile(problems);
  return document;
}

/** Errors of the parser whose words do not quote the file. */
const QUOTES_NOTHING = new Set([
  "ALIAS_PROPS",
  "BAD_ALIAS",
  "BAD_INDENT",
  "BAD_PROP_ORDER",
  "BLOCK_AS_IMPLICIT_KEY",
  "BLOCK_IN_FLOW",
  "KEY_OVER_1024_CHARS",
  "MISSING_CHAR",
  "MULTILINE_IMPLICIT_KEY",
  "MULTIPLE_ANCHORS",
  "MULTIPLE_TAGS",
  "TAB_AS_INDENT",
]);

const inOtherWords: Record<string, string> = {
  BAD_DIRECTIVE: "Unknown directive.",
  BAD_DQ_ESCAPE: "Unknown escape sequence in a string.",
  BAD_SCALAR_START: "A string that begins with this character must be in quotes.",
  NON_STRING_KEY: NAME_EXPECTED,
  TAG_RESOLVE_FAILED: "Unknown tag.",
};

const messageOf = (code: string, message: string): string =>
  QUOTES_NOTHING.has(code)
    ? message.replace(/\.?$/, ".")
    : (inOtherWords[code] ?? "Not valid YAML: unexpected text.");

/** The most values that aliases can stand for, so that aliases of aliases end. */
const MOST_ALIASED = 100_000;

/** Reads the nodes of a document as JSON. */
class Reader {
  /** Offsets of values, by their pointers. */
  readonly values = new Map<string, number>();
  /** Offsets of their names. */
  readonly keys = new Map<string, number>();
  readonly problems: string[] = [];
  readonly #at: (offset: number) => string;
  /** The newest node of each anchor. */
  readonly #anchors = new Map<string, Node>();
  readonly #targets = new Map<Alias, Node | undefined>();
  /** The nodes around the one that is being read. */
  readonly #open = new Set<unknown>();
  #aliased = 0;

  constructor(at: (offset: number) => string) {
    this.#at = at;
  }

  /** @param alias the outermost alias through which the node is reached */
  valueOf(node: unknown, path: Path = [], alias?: Alias): Json {
    const start = startOf(node);
    if (start !== undefined) this.values.set(pointer(path), start);
    if (alias && (this.#aliased += 1) > MOST_ALIASED)
      throw this.#broken(alias, `Aliases stand for more than ${MOST_ALIASED.toLocaleString("en")} values.`);
    if (path.length > MOST_LEVELS) throw this.#broken(alias, `Nested more than ${MOST_LEVELS} levels deep.`);
    if (isAlias(node)) return this.#targetOf(node, path, alias);
    if (!alias && (isScalar(node) || isCollection(node)) && node.anchor !== undefined)
      this.#anchors.set(node.anchor, node);
    if (isScalar(node)) return this.#scalar(node.value, start);
    this.#open.add(node);
    const value = isMap(node)
      ? this.#mapOf(node, path, alias)
      : isSeq(node)
        ? node.items.map((item, index) => this.valueOf(item, [...path, index], alias))
        : null;
    this.#open.delete(node);
    return value;
  }

  #targetOf(node: Alias, path: Path, outer: Alias | undefined): Json {
    // Within an alias, anchors stand for what they stood for there.
    const target = this.#targets.has(node) ? this.#targets.get(node) : this.#anchors.get(node.source);
    this.#targets.set(node, target);
    if (!target) this.#problem(node, "There is no anchor of this name before this alias.");
    if (this.#open.has(target)) throw this.#broken(node, "This alias is part of what it stands for.");
    return target ? this.valueOf(target, path, outer ?? node) : null;
  }

  #mapOf(map: YAMLMap, path: Path, alias: Alias | undefined): JsonObject {
    const entries = new Map<string, Json>();
    for (const { key, value } of map.items) {
      if (!isScalar(key) || typeof key.value !== "string") {
        this.#problem(key ?? map, NAME_EXPECTED);
        continue;
      }
      const name = key.value;
      if (entries.has(name)) this.#problem(key, "This name is in the object already.");
      if (!alias && key.anchor !== undefined) this.#anchors.set(key.anchor, key);
      const at = [...path, name];
      const start = startOf(key);
      if (start !== undefined) this.keys.set(pointer(at), start);
      entries.set(name, this.valueOf(value, at, alias));
    }
    return Object.fromEntries(entries);
  }

  #scalar(value: unknown, start: number | undefined): Json {
    if (value === null || value === undefined) return null;
    if (typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    this.#add(start, "Expected a string, a finite number, true, false or null.");
    return null;
  }

  #problem(node: unknown, message: string): void {
    this.#add(startOf(node), message);
  }

  #add(start: number | undefined, message: string): void {
    if (this.problems.length < MOST_PROBLEMS) this.problems.push(`${this.#at(start ?? 0)}: ${message}`);
  }

  #broken(node: unknown, message: string): BrokenFile {
    return new BrokenFile(`${this.#at(startOf(node) ?? 0)}: ${message}`);
  }
}

const startOf = (node: unknown): number | undefined =>
  isScalar(node) || isCollection(node) || isAlias(node) ? node.range?.[0] : undefined;

/** @throws BrokenFile at the place where a text stops being JSON */
function requireJson(name: string, text: string): void {
  const end = endOfJson(text);
  if (end === undefined) return;
  const before = text.slice(0, end).split("\n");
  const place = `${name}:${before.length}:${(before.at(-1) ?? "").length + 1}`;
  const next = text.slice(end, end + 1);
  // A word could be a secret.
  const what = /^[[\]{},:]$/.test(next) ? JSON.stringify(next) : "text";
  throw new BrokenFile(
    `${place}: Not valid JSON: ${next === "" ? "the file ends too early" : `unexpected ${what}`}.`,
  );
}

/** What can come next in JSON, and what can come after that. A value can be a list or an object. */
type Expected = "value" | "value or ]" | "key or }" | "key" | ":" | ", or ]" | ", or }" | "nothing";

const SPACE = /[ \t\r\n]*/y;
const WORD = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?!\w)/y;
/** Part of a string, without an alternative that repeats: long strings would exhaust the stack of the pattern. */
const CHARACTERS = /[ !#-[\]-\u{10ffff}]*/uy;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** The end of a match at an offset; undefined if there is none. */
function endOfMatch(pattern: RegExp, text: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** The end of a string whose opening quote is at an offset. */
function endOfString(text: string, start: number): number | undefined {
  let end = endOfMatch(CHARACTERS, text, start + 1);
  while (end !== undefined && text[end] === "\\") {
    const next = endOfMatch(ESCAPE, text, end);
    end = next === undefined ? undefined : endOfMatch(CHARACTERS, text, next);
  }
  return end !== undefined && text[end] === '"' ? end + 1 : undefined;
}

/** The offset where a text stops being JSON (RFC 8259); undefined if it does not. `JSON.parse` does not always name it. */
function endOfJson(text: string): number | undefined {
  const open: Expected[] = ["nothing"];
  let expected: Expected = "value";
  for (let next = 0; ;) {
    const at = endOfMatch(SPACE, text, next) ?? next;
    if (at === text.length) return expected === "nothing" ? undefined : at;
    const sign = text.charAt(at);
    const takesValue: boolean = expected === "value" || expected === "value or ]";
    next = at + 1;
    if (sign === '"' && (takesValue || expected === "key" || expected === "key or }")) {
      const end = endOfString(text, at);
      if (end === undefined) return at;
      next = end;
      expected = takesValue ? (open.at(-1) ?? "nothing") : ":";
    } else if (/[-\w]/.test(sign) && takesValue) {
      const end = endOfMatch(WORD, text, at);
      if (end === undefined) return at;
      next = end;
      expected = open.at(-1) ?? "nothing";
    } else if (sign === ":" && expected === ":") expected = "value";
    else if (sign === "," && expected === ", or ]") expected = "value";
    else if (sign === "," && expected === ", or }") expected = "key";
    else if (sign === "[" && takesValue) {
      open.push(", or ]");
      expected = "value or ]";
    } else if (sign === "{" && takesValue) {
      open.push(", or }");
      expected = "key or }";
    } else if (expected.endsWith(`or ${sign}`)) {
      open.pop();
      expected = open.at(-1) ?? "nothing";
    } else return at;
  }
}
