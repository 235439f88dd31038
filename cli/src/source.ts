import { readFileSync, renameSync, writeFileSync } from "node:fs";
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
} from "yaml";
import { type Json, type JsonObject, type Path, pointer } from "./json.ts";
import { kinds } from "./kinds.ts";
import { Refusal } from "./service.ts";

/*
 * Files as they are read: YAML, or JSON for a name that ends in .json, and the places of everything in them.
 */

/** What is wrong with a file, and where. */
export interface Problem {
  path: Path;
  msg: string;
  /** It is the name of the member that is wrong, not its value. */
  atKey?: boolean;
}

export interface SourceFile {
  name: string;
  text: string;
  value: JsonObject;
  /** "edge.yaml:3:5" of a value, or of the nearest thing around it that is there. */
  placeOf: (path: Path, atKey?: boolean) => string;
  document: Document;
}

/** What is wrong with a file: a line for each problem. */
class BrokenFile extends Refusal {}

const MOST_PROBLEMS = 50;

/** Refuses a file for its problems, if it has any, in the order of its lines. */
export function refuseFor(file: Pick<SourceFile, "name" | "placeOf">, problems: Problem[]): void {
  if (problems.length === 0) return;
  const lines = problems.map(({ path, msg, atKey }) => {
    const place = file.placeOf(path, atKey);
    const what = path.length === 0 ? "" : `${path.join(".")}: `;
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
  throw new BrokenFile(shown.join("\n"));
}

export const isJsonFile = (name: string): boolean => name.toLowerCase().endsWith(".json");

/** @throws Refusal if the file cannot be read, BrokenFile if it is no YAML or JSON */
export function readSource(name: string): SourceFile {
  let text: string;
  try {
    text = readFileSync(name, "utf8");
  } catch (error) {
    throw new Refusal(`Cannot read ${name}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  return parseSource(name, text);
}

/** A text as the file `name`. @throws BrokenFile */
function parseSource(name: string, text: string): SourceFile {
  const lines = new LineCounter();
  if (isJsonFile(name)) requireJson(name, text);
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, stringKeys: true });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const problems = [...document.errors, ...document.warnings].map(({ pos, message }) => {
    const [what = ""] = message.split(/ at line \d+/);
    return `${at(pos[0])}: ${what.replace(/\.?$/, ".")}`;
  });
  if (problems.length > 0) throw new BrokenFile(problems.slice(0, MOST_PROBLEMS).join("\n"));

  const values = new Map<string, number>();
  const keys = new Map<string, number>();
  const value = toValue(document.contents, document, [], { values, keys, left: MOST_NODES });
  const placeOf = (path: Path, atKey = false): string => {
    for (let length = path.length; length >= 0; length -= 1) {
      const place = pointer(path.slice(0, length));
      const first = atKey && length === path.length ? keys.get(place) : undefined;
      const offset = first ?? values.get(place) ?? keys.get(place);
      if (offset !== undefined) return at(offset);
    }
    return `${name}:1:1`;
  };
  const file = { name, text, document, placeOf };
  if (value === null || value === undefined) return { ...file, value: {} };
  if (typeof value !== "object" || Array.isArray(value))
    throw new BrokenFile(
      `${name}:1:1: Expected an object with any of ${kinds.map(({ section }) => section).join(", ")}.`,
    );
  return { ...file, value };
}

/** More nodes than any file has, so that aliases of aliases end. */
const MOST_NODES = 5_000_000;

interface Places {
  /** Offsets of values, by their pointers. */
  values: Map<string, number>;
  /** Offsets of their names. */
  keys: Map<string, number>;
  left: number;
}

function toValue(node: unknown, document: Document, path: Path, places: Places): Json {
  places.left -= 1;
  if (places.left < 0)
    throw new Refusal("The file refers to its own parts too often: it has too many values.");
  const source = isAlias(node) ? node.resolve(document) : node;
  const [offset] = rangeOf(node);
  if (offset !== undefined) places.values.set(pointer(path), offset);
  if (isMap(source))
    return Object.fromEntries(
      source.items.map(({ key, value }): [string, Json] => {
        const name = isScalar(key) ? String(key.value) : String(key);
        const [start] = rangeOf(key);
        const at = [...path, name];
        if (start !== undefined) places.keys.set(pointer(at), start);
        return [name, toValue(value, document, at, places)];
      }),
    );
  if (isSeq(source))
    return source.items.map((item, index) => toValue(item, document, [...path, index], places));
  const value = isScalar(source) ? source.value : null;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}

const rangeOf = (node: unknown): readonly number[] =>
  (isScalar(node) || isCollection(node) || isAlias(node)) && node.range ? node.range : [];

/** @throws BrokenFile at the place where a text ceases to be JSON */
function requireJson(name: string, text: string): void {
  const end = endOfJson(text);
  if (end === undefined) return;
  const before = text.slice(0, end).split("\n");
  const place = `${name}:${before.length}:${(before.at(-1) ?? "").length + 1}`;
  const [word = ""] = /^(?:\w+|.)/u.exec(text.slice(end)) ?? [];
  throw new BrokenFile(
    `${place}: No JSON: ${word === "" ? "it ends too early" : `unexpected ${JSON.stringify(word)}`}.`,
  );
}

/** What may come next in JSON, and what may come after that. A value may be a list or an object. */
type Expected = "value" | "value or ]" | "key or }" | "key" | ":" | ", or ]" | ", or }" | "nothing";

const TOKEN =
  /[ \t\r\n]*(?:([[\]{},:])|("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?!\w))/uy;

/** Where a text ceases to be JSON (RFC 8259); undefined if it does not. `JSON.parse` does not always say it. */
function endOfJson(text: string): number | undefined {
  const open: Expected[] = ["nothing"];
  let expected: Expected = "value";
  const token = new RegExp(TOKEN);
  for (;;) {
    const start = token.lastIndex;
    const at = start + (/^[ \t\r\n]*/.exec(text.slice(start, start + 10_000))?.[0].length ?? 0);
    if (at === text.length) return expected === "nothing" ? undefined : at;
    const found = token.exec(text);
    if (!found) return at;
    const [, sign, string] = found;
    const takesValue = expected === "value" || expected === "value or ]";
    if (sign === undefined && takesValue) expected = open.at(-1) ?? "nothing";
    else if (string !== undefined && (expected === "key" || expected === "key or }")) expected = ":";
    else if (sign === ":" && expected === ":") expected = "value";
    else if (sign === "," && expected === ", or ]") expected = "value";
    else if (sign === "," && expected === ", or }") expected = "key";
    else if (sign === "[" && takesValue) {
      open.push(", or ]");
      expected = "value or ]";
    } else if (sign === "{" && takesValue) {
      open.push(", or }");
      expected = "key or }";
    } else if (sign !== undefined && expected.endsWith(`or ${sign}`)) {
      open.pop();
      expected = open.at(-1) ?? "nothing";
    } else return at;
  }
}

/** Writes a file at once, so that nobody finds half of it. */
export function writeWhole(name: string, text: string): void {
  const draft = `${name}.${process.pid}.tmp`;
  writeFileSync(draft, text);
  renameSync(draft, name);
}
