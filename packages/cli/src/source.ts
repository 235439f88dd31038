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
import { UserError } from "./errors.ts";
import { readText } from "./files.ts";
import { type Json, type JsonObject, type Path, pointer } from "./json.ts";
import { kinds } from "./kinds.ts";

/*
 * Reads files as YAML, or as JSON if the name ends in .json, and remembers the places of all values. Reading any file takes
 * bounded time and memory. The file may not be the one that the user meant, so errors quote nothing that could be a secret.
 */

/** An error in a file, and its place. */
export interface FileProblem {
  path: Path;
  msg: string;
  /** True if the name of the field is wrong, not its value. */
  atKey?: boolean;
  /** True to omit the path from the error. */
  isHidden?: boolean;
}

export interface SourceFile {
  name: string;
  text: string;
  value: JsonObject;
  /** Returns the place of a value, or of the nearest value around it: "edge.yaml:3:5". */
  placeOf: (path: Path, atKey?: boolean) => string;
  document: Document;
}

/** The errors in a file, one per line. */
class InvalidFile extends UserError {}

const MAX_PROBLEMS = 50;

const NAME_EXPECTED = "Expected a string as a name; one that looks like something else must be in quotes.";

/** Shortens a part of a path for an error. */
const shownPart = (part: string | number): string => {
  const text = String(part);
  return text.length <= 64 ? text : `${text.slice(0, 63)}…`;
};

/** @throws InvalidFile if there are problems: lists them in the order of the file's lines */
export function rejectFile(file: Pick<SourceFile, "name" | "placeOf">, problems: FileProblem[]): void {
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
  const shown = lines.slice(0, MAX_PROBLEMS).map(({ text }) => text);
  if (lines.length > shown.length) shown.push(`… and ${lines.length - shown.length} more.`);
  throw new InvalidFile(shown);
}

export const isJsonFile = (name: string): boolean => name.toLowerCase().endsWith(".json");

/** @throws UserError if the file cannot be read, InvalidFile if it is not YAML or JSON */
export const readSource = (name: string, follow: boolean): SourceFile =>
  parseSource(name, readText(name, follow));

/** Parses the text of a file. @throws InvalidFile */
export function parseSource(name: string, text: string): SourceFile {
  if (isJsonFile(name)) requireJson(name, text);
  const lines = new LineCounter();
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const document = composed(text, lines, at);
  const reader = new Reader(at);
  const read = reader.valueOf(document.contents);
  if (reader.problems.length > 0) throw new InvalidFile(reader.problems);
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
    throw new InvalidFile(
      `${name}:1:1: Expected an object with any of ${kinds.map(({ section }) => section).join(", ")}.`,
    );
  return { name, text, value, document, placeOf };
}

/** Values can be nested at most this deep, so recursion over them ends. */
const MAX_LEVELS = 100;
/** Files can have at most this many tokens, because each takes time and memory. */
const MAX_LEXEMES = 2_000_000;

/** Parses a YAML document. @param at returns the place of an offset @throws InvalidFile */
function composed(text: string, lines: LineCounter, at: (offset: number) => string): Document {
  const parser = new Parser(lines.addNewLine);
  const composer = new Composer({ uniqueKeys: false, stringKeys: true, prettyErrors: false });
  const tokens = function* () {
    lines.addNewLine(0);
    let lexemes = 0;
    let errors = 0;
    for (const lexeme of new Lexer().lex(text)) {
      for (const token of parser.next(lexeme)) {
        if (token.type === "error" && (errors += 1) > MAX_PROBLEMS) return;
        yield token;
      }
      if (parser.stack.length > MAX_LEVELS)
        throw new InvalidFile(`${at(parser.offset)}: Nested more than ${MAX_LEVELS} levels deep.`);
      if ((lexemes += 1) > MAX_LEXEMES)
        throw new InvalidFile(
          `${at(parser.offset)}: The file has more than ${MAX_LEXEMES.toLocaleString("en")} tokens. Divide it into several files.`,
        );
    }
    yield* parser.end();
  };
  const { stackTraceLimit } = Error;
  // Otherwise, each of a million errors would have a stack trace.
  Error.stackTraceLimit = 0;
  let documents: Document.Parsed[];
  try {
    documents = [...composer.compose(tokens(), true, text.length)];
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  const [document, second] = documents;
  if (!document) throw new Error("a file without a document");
  const problems = [...document.errors, ...document.warnings]
    .slice(0, MAX_PROBLEMS)
    .map(({ pos, code, message }) => `${at(pos[0])}: ${messageOf(code, message)}${hintAt(text, pos[0])}`);
  if (second) problems.push(`${at(second.range[0])}: The file has more than one document.`);
  if (document.directives?.yaml.version !== "1.2")
    problems.push(`${at(0)}: Only YAML 1.2 is supported, not the version in the %YAML directive.`);
  if (problems.length > 0) throw new InvalidFile(problems);
  return document;
}

/** What to do about an error on a line with a variable: in { } and [ ], its brace ends the map. */
function hintAt(text: string, offset: number): string {
  const end = text.indexOf("\n", offset);
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, end < 0 ? undefined : end);
  const [variable] = /(?<!["'])\$\{\w+\}?/.exec(line) ?? [];
  return variable === undefined ? "" : ` Put the variable in quotes: "${variable.replace(/\}?$/, "}")}".`;
}

/** Parser errors whose messages do not quote the file. */
const SAFE_MESSAGES = new Set([
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

const replacementMessages: Record<string, string> = {
  BAD_DIRECTIVE: "Unknown directive.",
  BAD_DQ_ESCAPE: "Unknown escape sequence in a string.",
  BAD_SCALAR_START: "A string that begins with this character must be in quotes.",
  NON_STRING_KEY: NAME_EXPECTED,
  TAG_RESOLVE_FAILED: "Unknown tag.",
};

const messageOf = (code: string, message: string): string =>
  SAFE_MESSAGES.has(code)
    ? message.replace(/\.?$/, ".")
    : (replacementMessages[code] ?? "Not valid YAML: unexpected text.");

/** Aliases can expand to at most this many values, so aliases of aliases end. */
const MAX_ALIASED = 100_000;

/** Reads the nodes of a document as JSON. */
class Reader {
  /** Offsets of values, by pointer. */
  readonly values = new Map<string, number>();
  /** Offsets of field names, by the pointer of the field. */
  readonly keys = new Map<string, number>();
  readonly problems: string[] = [];
  readonly #at: (offset: number) => string;
  /** The newest node of each anchor. */
  readonly #anchors = new Map<string, Node>();
  readonly #targets = new Map<Alias, Node | undefined>();
  /** The nodes that contain the current node. */
  readonly #open = new Set<unknown>();
  #aliased = 0;

  constructor(at: (offset: number) => string) {
    this.#at = at;
  }

  /** @param alias the outermost alias that leads to the node */
  valueOf(node: unknown, path: Path = [], alias?: Alias): Json {
    const start = startOf(node);
    if (start !== undefined) this.values.set(pointer(path), start);
    if (alias && (this.#aliased += 1) > MAX_ALIASED)
      throw this.#broken(alias, `Aliases expand to more than ${MAX_ALIASED.toLocaleString("en")} values.`);
    if (path.length > MAX_LEVELS) throw this.#broken(alias, `Nested more than ${MAX_LEVELS} levels deep.`);
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
    // Within an alias, anchors have the values they had at the alias's target.
    const target = this.#targets.has(node) ? this.#targets.get(node) : this.#anchors.get(node.source);
    this.#targets.set(node, target);
    if (!target) this.#problem(node, "There is no anchor with this name before this alias.");
    if (this.#open.has(target)) throw this.#broken(node, "This alias refers to a value that contains it.");
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
      if (entries.has(name)) this.#problem(key, "Duplicate name in this object.");
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
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(`${this.#at(start ?? 0)}: ${message}`);
  }

  #broken(node: unknown, message: string): InvalidFile {
    return new InvalidFile(`${this.#at(startOf(node) ?? 0)}: ${message}`);
  }
}

const startOf = (node: unknown): number | undefined =>
  isScalar(node) || isCollection(node) || isAlias(node) ? node.range?.[0] : undefined;

/** @throws InvalidFile that names the position where a string stops being JSON */
function requireJson(name: string, text: string): void {
  const end = endOfJson(text);
  if (end === undefined) return;
  const before = text.slice(0, end).split("\n");
  const place = `${name}:${before.length}:${(before.at(-1) ?? "").length + 1}`;
  const next = text.slice(end, end + 1);
  // A word could be a secret.
  const what = /^[[\]{},:]$/.test(next) ? JSON.stringify(next) : "text";
  throw new InvalidFile(
    `${place}: Not valid JSON: ${next === "" ? "the file ends too early" : `unexpected ${what}`}.`,
  );
}

/** The tokens that can come next in JSON. */
type Expected = "value" | "value or ]" | "key or }" | "key" | ":" | ", or ]" | ", or }" | "nothing";

const SPACE = /[ \t\r\n]*/y;
const WORD = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?!\w)/y;
/** Part of a string. It does not repeat an alternative, because long strings would exhaust the regex engine's stack. */
const CHARACTERS = /[ !#-[\]-\u{10ffff}]*/uy;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** The end of a match that starts at an offset; undefined if there is no match. */
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

/** The offset where a string stops being JSON (RFC 8259); undefined for valid JSON. `JSON.parse` does not always report it. */
function endOfJson(text: string): number | undefined {
  const open: Expected[] = ["nothing"];
  let expected: Expected = "value";
  for (let next = 0; ;) {
    const at = endOfMatch(SPACE, text, next) ?? next;
    if (at === text.length) return expected === "nothing" ? undefined : at;
    const sign = text.charAt(at);
    const acceptsValue: boolean = expected === "value" || expected === "value or ]";
    next = at + 1;
    if (sign === '"' && (acceptsValue || expected === "key" || expected === "key or }")) {
      const end = endOfString(text, at);
      if (end === undefined) return at;
      next = end;
      expected = acceptsValue ? (open.at(-1) ?? "nothing") : ":";
    } else if (/[-\w]/.test(sign) && acceptsValue) {
      const end = endOfMatch(WORD, text, at);
      if (end === undefined) return at;
      next = end;
      expected = open.at(-1) ?? "nothing";
    } else if (sign === ":" && expected === ":") expected = "value";
    else if (sign === "," && expected === ", or ]") expected = "value";
    else if (sign === "," && expected === ", or }") expected = "key";
    else if (sign === "[" && acceptsValue) {
      open.push(", or ]");
      expected = "value or ]";
    } else if (sign === "{" && acceptsValue) {
      open.push(", or }");
      expected = "key or }";
    } else if (expected.endsWith(`or ${sign}`)) {
      open.pop();
      expected = open.at(-1) ?? "nothing";
    } else return at;
  }
}
