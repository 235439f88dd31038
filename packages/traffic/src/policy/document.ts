import { isCollection, isNode, isScalar, type Node, parseDocument, visit } from "yaml";
import { invalid } from "./wrong.ts";

/*
 * Reads the text of a policy: JSON, or plain YAML without anchors, tags, several documents, repeated or complex keys.
 */

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** The most levels of a document: a policy has 7. */
const MOST_LEVELS = 20;

const parsed = (text: string) =>
  parseDocument(text, {
    version: "1.2",
    schema: "core",
    uniqueKeys: true,
    stringKeys: true,
    prettyErrors: false,
    logLevel: "error",
  });

/** Reads a document. @throws Wrong with the position of what is wrong */
export function documentOf(text: string): Json {
  checkDepth(text);
  const document = parsed(text);
  const [error] = [...document.errors, ...document.warnings];
  if (error) invalid(`Neither JSON nor plain YAML: ${sentence(error.message)}`, error.pos[0]);
  visit(document, {
    Alias: (_, node) => invalid("Aliases are not allowed.", node.range?.[0]),
    Node: (_, node) => {
      if ("anchor" in node && node.anchor !== undefined) invalid("Anchors are not allowed.", node.range?.[0]);
      if (node.tag !== undefined) invalid("Tags are not allowed.", node.range?.[0]);
    },
    Pair: (_, { key }) => {
      if (key === null) invalid("A key is missing.");
    },
  });
  return plain(document.toJS({ maxAliasCount: 0 }));
}

/** The parser is recursive. */
function checkDepth(text: string): void {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (/^[[{]$/.test(token) && ++depth > 16 * MOST_LEVELS) invalid("The document is nested too deeply.");
    if (/^[\]}]$/.test(token)) depth--;
  }
  if (/^(?:[ \t]*[-?] ){100}/m.test(text)) invalid("The document is nested too deeply.");
}

const sentence = (message: string): string => {
  const [line = ""] = message.split("\n", 1);
  return line.endsWith(".") ? line : `${line}.`;
};

/** A value as JSON has it. */
function plain(value: unknown, level = 1): Json {
  if (level > MOST_LEVELS) return invalid("The document is nested too deeply.");
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string")
    return value.isWellFormed() ? value : invalid("A string contains a lone surrogate.");
  if (typeof value === "number")
    return Number.isFinite(value) ? value : invalid("A number is infinite or not a number.");
  if (Array.isArray(value)) return value.map((item: unknown) => plain(item, level + 1));
  if (typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item, level + 1)]));
  return invalid("The document contains something that JSON cannot express.");
}

/** Line and column, both from 1. */
interface Place {
  line: number;
  column: number;
}

function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/**
 * A function that finds places in a document that {@link documentOf} can read. A value that is missing is found at what should
 * contain it; a position in a string that is written with escapes, at the beginning of the string.
 *
 * @returns the place of the value at a JSON pointer, or of a position (UTF-16 units) in the string there; with an empty pointer,
 * of a position in the text; undefined without a position
 */
export function placesIn(text: string): (path: string, offset: number | null) => Place | undefined {
  let root: Node | null | undefined;
  return (path, offset) => {
    if (path === "") return offset === null ? undefined : placeAt(text, offset);
    root ??= parsed(text).contents;
    let node: unknown = root;
    let isFound = true;
    for (const token of path.split("/").slice(1)) {
      const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
      const child = isCollection(node) ? node.get(name, true) : undefined;
      isFound &&= isNode(child);
      if (isFound) node = child;
    }
    if (!isNode(node) || !node.range) return undefined;
    const [start, end] = node.range;
    const written =
      isFound && isScalar(node) && typeof node.value === "string"
        ? text.slice(start, end).indexOf(node.value)
        : -1;
    return placeAt(text, written === -1 ? start : start + written + (offset ?? 0));
  };
}
