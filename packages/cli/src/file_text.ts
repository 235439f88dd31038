import { randomUUID } from "node:crypto";
import { Document, isMap, isScalar, isSeq, type Node, visit, type YAMLMap, type YAMLSeq } from "yaml";
import { equal, isJsonObject, type Json, type JsonObject, pathOf } from "./json.ts";
import type { FileKind } from "./kinds.ts";
import { type Entry, type ObjectPart, TESTS } from "./objects.ts";
import { escaped, escapedLines } from "./output.ts";
import { isJsonFile, type SourceFile } from "./source.ts";

/*
 * Writes objects as the text of a file.
 */

/** The fields of an object or child, with variables in place of secrets. */
function withVariables(part: ObjectPart | undefined): JsonObject | undefined {
  if (!part) return undefined;
  const copy = structuredClone(part.own);
  for (const [place, { variable }] of part.secrets) {
    const path = pathOf(place);
    const name = path.pop() ?? "";
    const owner = path.reduce<Json | undefined>(
      (value, key) => (isJsonObject(value) ? value[key] : value),
      copy,
    );
    if (isJsonObject(owner)) owner[name] = `\${${variable}}`;
  }
  return copy;
}

/** The fields of an object, including the list of its children. */
function valueOf(entry: Entry): JsonObject {
  const list = entry.children.flatMap((child) => withVariables(child) ?? []);
  const { children } = entry.kind;
  return { ...withVariables(entry), ...(children && list.length > 0 && { [children.field]: list }) };
}

/** Formats a document like most formatters do: `{ a: b }` with spaces inside, `[a, b]` without. */
function textOf(document: Document): string {
  const pad = (padding: string) => (_key: unknown, node: YAMLMap | YAMLSeq) => {
    const toString = node.toString.bind(node);
    // Padding is an option of the whole document. Nodes receive it in their context.
    node.toString = (context, ...rest) =>
      toString(context && { ...context, flowCollectionPadding: padding }, ...rest);
  };
  visit(document, { Map: pad(" "), Seq: pad("") });
  return document.toString({ lineWidth: 0, blockQuote: "literal" }).replaceAll(ESCAPE, "\\u");
}

/** A placeholder for `\u` in strings whose control and format characters are escaped here: the library escapes only some. */
const ESCAPE = `escape-${randomUUID()}-`;

/** The YAML node of an object. Each child is on one line. */
function nodeOf(document: Document, entry: Entry): Node {
  const node = document.createNode(valueOf(entry));
  flowLists(node, ["rules", "sources"]);
  visit(node, {
    Scalar: (_key, scalar) => {
      const { value } = scalar;
      if (typeof value !== "string" || escapedLines(value) === value) return;
      scalar.type = "QUOTE_DOUBLE";
      scalar.value = value.replace(/[\u007f-\u{10ffff}]/gu, (character) =>
        escaped(character).replaceAll("\\u", ESCAPE),
      );
    },
  });
  return node;
}

/** Puts each item of these lists on one line. */
function flowLists(node: unknown, names: string[]): void {
  if (!isMap(node)) return;
  for (const name of names) {
    const list = node.get(name, true);
    if (!isSeq(list)) continue;
    for (const item of list.items) if (isMap(item)) item.flow = true;
  }
}

/**
 * The text of a file with these objects; undefined if `previous` already has them.
 *
 * @param url of the service, which has the schema that a new file names for editors
 */
export function fileTextOf(
  name: string,
  url: string,
  heldKinds: readonly FileKind[],
  entries: readonly Entry[],
  previous: { file: SourceFile; entries: readonly Entry[] } | undefined,
): string | undefined {
  const before = new Map(previous?.entries.map((entry) => [entry.name, entry]));
  const isSame = (entry: Entry): boolean => sameEntry(before.get(entry.name), entry);
  if (previous && entries.length === previous.entries.length && entries.every(isSame)) return undefined;
  const order = new Map(previous?.entries.map((entry, index) => [entry.name, index]));
  const place = ({ name }: Entry): number => order.get(name) ?? order.size;
  const sorted = entries.toSorted((a, b) => place(a) - place(b));
  if (isJsonFile(name)) return jsonOf(heldKinds, sorted, previous?.file.value[TESTS]);
  if (!previous || !isMap(previous.file.document.contents)) return yamlOf(url, heldKinds, sorted);
  const { document } = previous.file;
  for (const kind of heldKinds) {
    const own = sorted.filter((entry) => entry.kind === kind);
    const section = document.get(kind.section, true);
    const names = new Set(own.map((entry) => entry.name));
    if (!isMap(section)) {
      if (own.length > 0) document.set(kind.section, sectionOf(document, own));
      continue;
    }
    section.items = section.items.filter(({ key }) => names.has(isScalar(key) ? String(key.value) : ""));
    for (const entry of own) {
      if (isSame(entry)) continue;
      section.set(entry.name, nodeOf(document, entry));
      section.flow = false;
    }
  }
  return textOf(document);
}

const sameEntry = (a: Entry | undefined, b: Entry): boolean =>
  a !== undefined &&
  a.kind === b.kind &&
  equal(withVariables(a), withVariables(b)) &&
  a.children.length === b.children.length &&
  a.children.every((child, index) => equal(withVariables(child), withVariables(b.children[index])));

function sectionOf(document: Document, entries: readonly Entry[]): Node {
  const section = document.createNode({});
  if (isMap(section)) {
    section.flow = false;
    for (const entry of entries) section.add(document.createPair(entry.name, nodeOf(document, entry)));
  }
  return section;
}

function yamlOf(url: string, heldKinds: readonly FileKind[], entries: readonly Entry[]): string {
  const document = new Document({});
  document.commentBefore = ` yaml-language-server: $schema=${url}/schemas/edge.yaml.json`;
  for (const kind of heldKinds) {
    const own = entries.filter((entry) => entry.kind === kind);
    const key = document.createNode(kind.section);
    if (isMap(document.contents)) {
      key.spaceBefore = document.contents.items.length > 0;
      document.contents.add(document.createPair(key, sectionOf(document, own)));
    }
  }
  return textOf(document);
}

/** @param tests the tests of the previous file, which are kept */
function jsonOf(heldKinds: readonly FileKind[], entries: readonly Entry[], tests: Json | undefined): string {
  const sections = heldKinds.map((kind): [string, Json] => {
    const own = entries.filter((entry) => entry.kind === kind);
    const objects = own.map((entry): [string, Json] => [entry.name, valueOf(entry)]);
    return [kind.section, Object.fromEntries(objects)];
  });
  if (tests !== undefined) sections.push([TESTS, tests]);
  return escapedLines(`${JSON.stringify(Object.fromEntries(sections), null, 2)}\n`);
}
