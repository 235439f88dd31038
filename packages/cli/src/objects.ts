import { didYouMean, suggestionFor } from "../../model/src/suggestion.ts";
import { sortKeyOf } from "../../model/src/values/cidrs.ts";
import { type FileTest, testsOf } from "./file_tests.ts";
import {
  compareStrings,
  isJsonObject,
  type Json,
  type JsonObject,
  type Path,
  pointer,
  textOf,
} from "./json.ts";
import { type FileKind, kindOfId, kinds } from "./kinds.ts";
import { read, type Reading } from "./read.ts";
import { childSchemaOf, schemaOf } from "./schema.ts";
import type { FileProblem, SourceFile } from "./source.ts";

/*
 * Objects of a file or of the service, normalized for comparison.
 */

/** A reference to the environment variable that contains a secret. */
interface SecretRef {
  /** The name of the environment variable. */
  variable: string;
  path: Path;
}

/** An object, or a child of one. */
export interface ObjectPart {
  /** Its fields, without its children. */
  own: JsonObject;
  /** Its path in the file. */
  path: Path;
  /** Secrets, by pointers within the part. */
  secrets: Map<string, SecretRef>;
}

/** A rule of a policy, or a route of an edge. */
export interface Child extends ObjectPart {
  /** Identifies the child within its owner. */
  key: string;
}

export interface Entry extends ObjectPart {
  kind: FileKind;
  name: string;
  children: Child[];
}

/** "static_backends.shop" */
export const titleOfEntry = ({ kind, name }: Entry): string => `${kind.section}.${name}`;

/** The objects of a file. */
export interface Content {
  entries: Entry[];
  /** The kinds that the file contains. The file defines all objects of these kinds. */
  heldKinds: FileKind[];
  /** Its tests. */
  tests: FileTest[];
  /** Names and ids that its objects and tests refer to. */
  references: Reference[];
}

/** A name or an id in a file, and where it is: a value, or the key of a map. */
interface Reference {
  text: string;
  path: Path;
}

/** The section of a file that contains its tests. */
export const TESTS = "tests";

/** Names of objects can be part of a variable's name, and need no quotes in YAML. */
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** Words that YAML does not read as strings. */
const NOT_A_NAME = /^(?:null|true|false)$/i;

/** Why a string cannot be a name; undefined if it can. */
export function nameProblem(name: string): string | undefined {
  if (!NAME.test(name) || NOT_A_NAME.test(name))
    return "Expected a name of up to 64 letters, digits, _ and - that begins with a letter.";
  const kind = kindOfId(name) ?? (/^(?:ipr|edghtsrt)_/.test(name) ? kinds[0] : undefined);
  return kind && "A name must not begin with the prefix of an id.";
}

/** Orders children by what they apply to, independent of their order in a file or on the service. */
export function childOrder(kind: FileKind): (a: Child, b: Child) => number {
  if (kind.children?.field !== "rules") return (a, b) => compareStrings(a.key, b.key);
  return (a, b) =>
    compareStrings(sortKeyOf(textOf(a.own["cidr"])), sortKeyOf(textOf(b.own["cidr"]))) ||
    compareStrings(a.key, b.key);
}

/** The key of a child. */
export const keyOf = (kind: FileKind, own: JsonObject): string =>
  (kind.children?.key ?? []).map((name) => textOf(own[name])).join(" ");

/** Reads an object and its children. */
function readEntry(
  kind: FileKind,
  name: string,
  value: Json,
  path: Path,
  readingOf: (secrets: ObjectPart["secrets"]) => Reading,
): Entry {
  const field = kind.children?.field;
  const isList = field !== undefined && isJsonObject(value);
  const own = isList ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== field)) : value;
  const part = readPart(schemaOf(kind), own, path, readingOf);
  const list = isList && Object.hasOwn(value, field) ? (value[field] ?? null) : null;
  return {
    ...part,
    kind,
    name,
    children: list === null ? [] : readChildren(kind, list, [...path, String(field)], readingOf),
  };
}

function readPart(
  schema: ReturnType<typeof schemaOf>,
  value: Json,
  path: Path,
  readingOf: (secrets: ObjectPart["secrets"]) => Reading,
): ObjectPart {
  const secrets: ObjectPart["secrets"] = new Map();
  // In YAML, `office:` without a value is null: an object without fields.
  const own = read(schema, value ?? {}, readingOf(secrets), path);
  return { own: isJsonObject(own) ? own : {}, path, secrets };
}

function readChildren(
  kind: FileKind,
  list: Json,
  path: Path,
  readingOf: (secrets: ObjectPart["secrets"]) => Reading,
): Child[] {
  const { children } = kind;
  const { problem } = readingOf(new Map());
  if (!children) return [];
  if (!Array.isArray(list)) {
    problem(path, "Expected a list.");
    return [];
  }
  const schema = childSchemaOf(children);
  const byKey = new Map<string, Child>();
  for (const [index, item] of list.entries()) {
    const at = [...path, index];
    const part = readPart(schema, item, at, readingOf);
    const key = keyOf(kind, part.own);
    const isWhole = children.key.every((name) => Object.hasOwn(part.own, name));
    if (byKey.has(key) && isWhole)
      problem(at, `There is already a ${children.noun} with this ${children.key.join(" and ")}.`);
    else byKey.set(key, { ...part, key });
  }
  return [...byKey.values()].toSorted(childOrder(kind));
}

/** `${NAME}` */
const VARIABLE = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/;

/**
 * Reads the objects of a file.
 *
 * @param nameOfId returns the name of an id in the ids file
 * @param problems receives the errors in the file
 */
export function contentOf(
  { value }: SourceFile,
  nameOfId: (id: string) => string | undefined,
  problems: FileProblem[],
): Content {
  const problem: Reading["problem"] = (path, msg, atKey = false) => problems.push({ path, msg, atKey });
  const kindsOf = new Map<string, FileKind>();
  const sections = kinds.flatMap((kind) => {
    const section = Object.hasOwn(value, kind.section) ? value[kind.section] : undefined;
    if (section === undefined) return [];
    const objects = section ?? {};
    if (isJsonObject(objects)) return [{ kind, objects }];
    problem([kind.section], "Expected an object whose fields are names of objects.");
    return [];
  });
  const accepted = [...kinds.map(({ section }) => section), TESTS];
  for (const name of Object.keys(value)) {
    const meant = suggestionFor(name, accepted);
    if (!accepted.includes(name))
      problems.push({
        path: [name],
        msg: `Unknown; ${meant === undefined ? `accepted: ${accepted.join(", ")}.` : `did you mean ${meant}?`}`,
        atKey: true,
        // If the file is not the one that the user meant, a name could be a secret.
        isHidden: !/^[a-z_]{1,40}$/.test(name),
      });
  }
  for (const { kind, objects } of sections)
    for (const name of Object.keys(objects)) {
      const path = [kind.section, name];
      const wrong = nameProblem(name);
      const other = kindsOf.get(name);
      if (wrong !== undefined) problem(path, wrong, true);
      else if (other) problem(path, `There is already an object with this name in ${other.section}.`, true);
      else kindsOf.set(name, kind);
    }

  const references: Reference[] = [];
  const readingOf = (secrets: ObjectPart["secrets"]): Reading => ({
    problem,
    reference: (text, prefixes, path) => {
      references.push({ text, path });
      const kind = kindsOf.get(text);
      if (kind && prefixes.includes(kind.prefix)) return text;
      const name = nameOfId(text);
      if (name !== undefined && prefixes.includes(kindsOf.get(name)?.prefix ?? "")) return name;
      if (prefixes.some((prefix) => new RegExp(`^${prefix}[0-9A-Za-z]{1,64}$`).test(text))) return text;
      const sections = kinds.filter(({ prefix }) => prefixes.includes(prefix)).map(({ section }) => section);
      const needed = `Expected a name in ${sections.join(", ")}, or an id.`;
      const names = [...kindsOf].flatMap(([name, { prefix }]) => (prefixes.includes(prefix) ? [name] : []));
      const why = kind ? `This is a name in ${kind.section}.` : `Unknown name.${didYouMean(text, names)}`;
      problem(path, `${why} ${needed}`);
      return text;
    },
    secret: (text, path, within) => {
      const [, variable] = VARIABLE.exec(typeof text === "string" ? text : "") ?? [];
      if (variable === undefined)
        problem(
          path,
          "Expected the name of an environment variable, such as ${NAME}: secrets do not belong in files.",
        );
      else secrets.set(pointer(within), { variable, path });
    },
  });
  const entries = sections.flatMap(({ kind, objects }) =>
    Object.entries(objects).map(([name, object]) =>
      readEntry(kind, name, object, [kind.section, name], readingOf),
    ),
  );
  const tests = testsOf(value[TESTS], readingOf(new Map()));
  return { entries, heldKinds: sections.map(({ kind }) => kind), tests, references };
}
