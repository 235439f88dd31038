import {
  Composer,
  type CST,
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  Parser,
  visit,
} from "yaml";
import { type Json } from "../../json.ts";
import type { Steps } from "./steps.ts";
import { invalid } from "./wrong.ts";

/*
 * Reads the text of a policy: JSON, or plain YAML without anchors, tags, several documents, repeated or complex keys.
 */

/** The most levels of a document: a policy has 7. */
const MOST_LEVELS = 20;
/** The most values and keys of a document, and keys of a map. */
const MOST_NODES = 5_000;
const MOST_KEYS = 200;
/** How the lexer begins a scalar or a collection in flow style: the control character precedes a plain scalar. */
const NODE_STARTS = "\u001f\"'[{";
/** The most collections that are open at a time while a document is parsed: what composes them is recursive. */
const MOST_OPEN = 320;

const options = {
  version: "1.2",
  schema: "core",
  // The parser would compare each key with each key before it.
  uniqueKeys: false,
  stringKeys: true,
  prettyErrors: false,
  logLevel: "error",
} as const;

/** The documents of a text: one that has errors is the last, and may be incomplete. */
function* documentsIn(text: string): Steps<Document.Parsed[]> {
  const parser = new Parser();
  const composer = new Composer(options);
  const documents: Document.Parsed[] = [];
  let nodes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      documents.push(...withoutStacks(() => composer.next(token)));
      // Each character of the rest could be another error.
      if (token.type === "error") return [...documents, ...composer.end(true, text.length)];
      if (documents.length > 1) return documents;
    }
    if (parser.stack.length > MOST_OPEN) invalid("The document is nested too deeply.");
    const [first = " "] = lexeme;
    if (NODE_STARTS.includes(first)) nodes++;
    if (nodes > MOST_NODES) invalid(`The document has more than ${MOST_NODES} values and keys.`);
    const open = parser.stack.at(-1);
    if (isMapToken(open) && open.items.length > MOST_KEYS)
      invalid(`A map has more than ${MOST_KEYS} keys.`, open.offset);
    yield lexeme.length;
  }
  for (const token of parser.end()) documents.push(...withoutStacks(() => composer.next(token)));
  return [...documents, ...composer.end(true, text.length)];
}

const isMapToken = (token?: CST.Token): token is CST.BlockMap | CST.FlowCollection =>
  token?.type === "block-map" || (token?.type === "flow-collection" && token.start.source === "{");

/** Composes without a stack trace in each error, which takes most of the time if there are thousands of errors. */
function withoutStacks<Item>(items: () => Iterable<Item>): Item[] {
  const limit: unknown = Reflect.get(Error, "stackTraceLimit");
  Reflect.set(Error, "stackTraceLimit", 0);
  try {
    return [...items()];
  } finally {
    Reflect.set(Error, "stackTraceLimit", limit);
  }
}

/** Reads a document. @throws Wrong with the position of what is wrong */
export function* documentOf(text: string): Steps<Json> {
  const [document, another] = yield* documentsIn(text);
  if (!document) return invalid("The document is empty.");
  const { errors, warnings } = document;
  if (another && errors.length === 0) invalid("Several documents are not allowed.", another.range[0]);
  const [error] = [...errors, ...warnings];
  if (error) invalid(`Neither JSON nor plain YAML: ${sentence(error.message)}`, error.pos[0]);
  yield text.length;
  visit(document, {
    Alias: (_, node) => invalid("Aliases are not allowed.", node.range?.[0]),
    Node: (_, node) => {
      if ("anchor" in node && node.anchor !== undefined) invalid("Anchors are not allowed.", node.range?.[0]);
      if (node.tag !== undefined) invalid("Tags are not allowed.", node.range?.[0]);
      if (isMap(node)) checkKeys(node.items);
    },
  });
  return plain(document.toJS({ maxAliasCount: 0 }));
}

/** @throws Wrong if a key is missing or repeated */
function checkKeys(pairs: { key: unknown }[]): void {
  const seen = new Set<unknown>();
  for (const { key } of pairs) {
    if (!isScalar(key)) return invalid("A key is missing.");
    if (seen.has(key.value)) invalid("Neither JSON nor plain YAML: Map keys must be unique.", key.range?.[0]);
    seen.add(key.value);
  }
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

/** A function that finds the place of an offset. */
function placesOf(text: string): (offset: number) => Place {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    const next = starts.findIndex((start) => start > offset);
    const line = next === -1 ? starts.length : next;
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}

/** What a place is looked up for. */
interface Located {
  /** JSON pointer. */
  path: string;
  /** Position in the string at `path`, or in the text if `path` is empty, in UTF-16 units. */
  offset: number | null;
}

/**
 * Finds places in a document that {@link documentOf} can read. A value that is missing is found at what should contain it; a position
 * in a string that is written with escapes, at the beginning of the string.
 *
 * @returns the place of each value, or of the position in it; undefined for the whole text
 */
export function* placesIn(text: string, located: Located[]): Steps<(Place | undefined)[]> {
  const placeAt = placesOf(text);
  const isParsed = located.some(({ path }) => path !== "");
  const [document] = isParsed ? yield* documentsIn(text) : [];
  yield text.length;
  const childOf = childrenIn();
  return located.map(({ path, offset }) => {
    if (path === "") return offset === null ? undefined : placeAt(offset);
    let node: unknown = document?.contents;
    let isFound = true;
    for (const token of path.split("/").slice(1)) {
      const child = childOf(node, token.replaceAll("~1", "/").replaceAll("~0", "~"));
      isFound &&= isNode(child);
      if (isFound) node = child;
    }
    if (!isNode(node) || !node.range) return undefined;
    const [start, end] = node.range;
    const written =
      isFound && isScalar(node) && typeof node.value === "string"
        ? text.slice(start, end).indexOf(node.value)
        : -1;
    return placeAt(written === -1 ? start : start + written + (offset ?? 0));
  });
}

/** A function that finds the child of a node by name or index. It reads each map once. */
function childrenIn(): (node: unknown, name: string) => unknown {
  const known = new Map<unknown, Map<unknown, unknown>>();
  return (node, name) => {
    if (isSeq(node)) return node.get(name, true);
    if (!isMap(node)) return undefined;
    const children =
      known.get(node) ??
      new Map(node.items.map(({ key, value }) => [isScalar(key) ? key.value : key, value]));
    known.set(node, children);
    return children.get(name);
  };
}
