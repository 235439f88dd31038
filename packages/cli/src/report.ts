import type { ObjectChange, ChildStep, Differences, FieldChange, InUse } from "./differences.ts";
import { getField, isJsonObject, isObject, type Json } from "./json.ts";
import { summaryOf } from "./names.ts";
import { type Child, type Entry, titleOfEntry } from "./objects.ts";
import { type OutputLine, paint, plain, type Span } from "./output.ts";
import { childSchemaOf, fieldsOf, schemaOf, SECRET } from "./schema.ts";
import type { ServiceEntry } from "./service_objects.ts";

/*
 * Formats differences as lines of text.
 */

const MAX_LENGTH = 100;

const cut = (text: string): string =>
  text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1)}…`;

/** How much of what is the same is shown before the first difference. */
const SAME_BEFORE = 20;

/** Two texts, each cut so that the first difference is seen. */
function cutBoth(a: string, b: string): [string, string] {
  if (a === b || cut(a) !== cut(b)) return [cut(a), cut(b)];
  let first = 0;
  while (a[first] === b[first]) first += 1;
  const from = Math.max(0, first - SAME_BEFORE);
  return [cut(`…${a.slice(from)}`), cut(`…${b.slice(from)}`)];
}

const NOT_SET = "(not set)";

/** A value on one line. */
const valueText = (value: Json | undefined): string => (value === undefined ? NOT_SET : inline(value));

function inline(value: Json): string {
  if (value === SECRET) return SECRET;
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (isJsonObject(value)) {
    const fields = Object.entries(value).map(([name, item]) => `${name}: ${inline(item)}`);
    return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
  }
  return JSON.stringify(value);
}

type Spans = readonly Span[];

/** The lines of a changed field. If both values are objects, each of their fields that differ has a line. */
export function changeLines({ field, from, to }: FieldChange): Spans[] {
  if (isJsonObject(from) && isJsonObject(to)) {
    const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
    const lines = names
      .filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]))
      .flatMap((name) => changeLines({ field: `${field}.${name}`, from: from[name], to: to[name] }));
    return lines.length > 0 ? lines : [[`${field}: ${resent(to)}`]];
  }
  if (typeof from === "string" && typeof to === "string" && /\n/.test(from.trim() + to.trim()))
    return textLines(field, from, to);
  if (Array.isArray(from) && Array.isArray(to) && inline(from).length + inline(to).length > MAX_LENGTH)
    return itemLines(field, from, to);
  return [changeLine(field, ...cutBoth(valueText(from), valueText(to)))];
}

/** The lines of a text that are between those that stay at its beginning and at its end. */
function textLines(field: string, from: string, to: string): Spans[] {
  const [before, after] = [from, to].map((text) => text.replace(/\n$/, "").split("\n"));
  if (!before || !after) return [];
  let first = 0;
  while (first < before.length && first < after.length && before[first] === after[first]) first += 1;
  let last = 0;
  const most = Math.min(before.length, after.length) - first;
  while (last < most && before.at(-1 - last) === after.at(-1 - last)) last += 1;
  const between = (lines: string[]): string[] => lines.slice(first, lines.length - last);
  return [
    [`${field}, from line ${first + 1} on:`],
    ...firstLines(between(before)).map((line): Spans => [paint("red", `  - ${line}`)]),
    ...firstLines(between(after)).map((line): Spans => [paint("green", `  + ${line}`)]),
  ];
}

/** The most lines of a text that are shown. */
const MAX_TEXT_LINES = 40;

const firstLines = (lines: string[]): string[] =>
  lines.length <= MAX_TEXT_LINES
    ? lines
    : [...lines.slice(0, MAX_TEXT_LINES), `… and ${counted(lines.length - MAX_TEXT_LINES, "other line")}`];

const changeLine = (field: string, from: string, to: string): Spans => [
  `${field}: `,
  paint("red", from),
  " -> ",
  paint("green", to),
];

/** Explains a change between values that look the same: a secret is resent, or the order differs. */
const resent = (to: Json): string =>
  JSON.stringify(to).includes(JSON.stringify(SECRET)) ? `${SECRET} is sent again` : "in a different order";

/** The lines of a changed long list: its removed and added items. */
function itemLines(field: string, from: Json[], to: Json[]): Spans[] {
  const [before, after] = [new Set(from.map(inline)), new Set(to.map(inline))];
  const added = [...after].filter((item) => !before.has(item));
  const removed = [...before].filter((item) => !after.has(item));
  const isKept = (item: Json): boolean => before.has(inline(item)) && after.has(inline(item));
  const isReordered = from.filter(isKept).map(inline).join() !== to.filter(isKept).map(inline).join();
  const order: Spans[] = isReordered ? [[`${field}: in a different order`]] : [];
  if (added.length + removed.length === 0) return [[`${field}: in a different order`]];
  return [
    ...order,
    ...removed.map((item) => changeLine(field, cut(item), NOT_SET)),
    ...added.map((item) => changeLine(field, NOT_SET, cut(item))),
  ];
}

/** The id of an object, unless its title already contains the id. */
const idOf = ({ id, name }: ServiceEntry): string => (id === name ? "" : `  ${id}`);

const ownLines = (names: string[], own: Entry["own"]): string[] =>
  names.flatMap((name) => valueLines(name, own[name]));

/** A value on one line if it fits; otherwise each of its fields or items on a line. */
export function valueLines(field: string, value: Json | undefined): string[] {
  if (value === undefined) return [];
  if (typeof value === "string" && value.trim().includes("\n"))
    return [`${field}:`, ...firstLines(value.replace(/\n$/, "").split("\n")).map((line) => `  ${line}`)];
  const isLong = inline(value).length > MAX_LENGTH - field.length;
  const hasText =
    isJsonObject(value) &&
    Object.values(value).some((item) => typeof item === "string" && item.trim().includes("\n"));
  if ((isLong || hasText) && isJsonObject(value))
    return Object.entries(value).flatMap(([name, item]) => valueLines(`${field}.${name}`, item));
  if (isLong && Array.isArray(value))
    return [`${field}:`, ...value.map((item) => `  - ${cut(valueText(item))}`)];
  return [`${field}: ${cut(valueText(value))}`];
}

function newObjectLines(entry: Entry, replaces: ServiceEntry | undefined): OutputLine[] {
  const { kind, own, children } = entry;
  const why = replaces ? `  replaces ${replaces.id}: ${kind.fixed.join(", ")} cannot be changed` : "";
  return [
    [paint("green", `  + ${titleOfEntry(entry)}`), paint("dim", why)],
    ...ownLines(fieldsOf(schemaOf(kind)), own).map((line) => `      ${line}`),
    ...many(children).flatMap((child) => (typeof child === "string" ? [child] : newChildLines(kind, child))),
  ];
}

/** A new child with its fields: on one line if they fit, otherwise each on a line. */
function newChildLines(kind: Entry["kind"], child: Child): OutputLine[] {
  const title = paint("green", `      + ${kind.children?.noun} ${child.key}`);
  const fields = childFieldLines(kind, child);
  const text = fields.join(", ");
  if (text.length <= MAX_LENGTH) return [[title, paint("dim", text === "" ? "" : `  ${text}`)]];
  return [[title], ...fields.map((line) => `          ${line}`)];
}

/** The fields of a child that are not part of its key, as lines. */
function childFieldLines({ children }: Entry["kind"], { own }: Child): string[] {
  if (!children) return [];
  const names = fieldsOf(childSchemaOf(children)).filter((name) => !children.key.includes(name));
  return ownLines(names, own);
}

/** The same on one line. */
function childFieldsInLine(kind: Entry["kind"], child: Child): string {
  const text = childFieldLines(kind, child).join(", ");
  return text === "" ? "" : `  ${cut(text)}`;
}

const MAX_LINES = 200;

/** The first items of a long list, and a line that counts the others. */
function many<T>(items: readonly T[]): (T | string)[] {
  if (items.length <= MAX_LINES) return [...items];
  return [...items.slice(0, MAX_LINES), `      … and ${items.length - MAX_LINES} more`];
}

function changedObjectLines({ entry, existing, fields, children }: ObjectChange): OutputLine[] {
  return [
    [paint("yellow", `  ~ ${titleOfEntry(entry)}`), paint("dim", idOf(existing))],
    ...fields.flatMap((field) => changeLines(field).map((line) => ["      ", ...line])),
    ...many(children).flatMap((step) => (typeof step === "string" ? [step] : childLines(entry, step))),
  ];
}

function childLines({ kind }: Entry, step: ChildStep): OutputLine[] {
  const noun = kind.children?.noun;
  if (step.does === "create") return newChildLines(kind, step.child);
  if (step.does === "delete")
    return [
      [
        paint("red", `      - ${noun} ${step.existing.key}`),
        paint("dim", childFieldsInLine(kind, step.existing)),
      ],
    ];
  return [
    [paint("yellow", `      ~ ${noun} ${step.child.key}`)],
    ...step.fields.flatMap((field) => changeLines(field).map((line) => ["          ", ...line])),
  ];
}

/** The id and a summary of an existing object. */
function idAndSummary(existing: ServiceEntry): string {
  const { body } = existing.object;
  const isNamed = getField(body, "description") === existing.name;
  const summary = summaryOf(isNamed && isObject(body) ? { ...body, description: "" } : body);
  return idOf(existing) + (summary === "" ? "" : `  ${cut(summary)}`);
}

const deletedObjectLine = (existing: ServiceEntry): OutputLine => [
  paint("red", `  - ${titleOfEntry(existing)}`),
  paint("dim", idAndSummary(existing)),
];

/** Counts changed rules and routes: "3 rules/routes to create, 1 to delete". */
function childCounts({ creates, changes }: Differences): string {
  const steps = changes.flatMap(({ children }) => children.map(({ does }) => does));
  const count = (does: ChildStep["does"]): number => steps.filter((step) => step === does).length;
  const inNew = creates.reduce((sum, { entry }) => sum + entry.children.length, 0);
  const counts = [
    [count("create") + inNew, "create"],
    [count("change"), "change"],
    [count("delete"), "delete"],
  ] as const;
  return counts
    .filter(([number]) => number > 0)
    .map(
      ([number, does], index) =>
        `${number} ${index > 0 ? "" : number === 1 ? "rule/route " : "rules/routes "}to ${does}`,
    )
    .join(", ");
}

/**
 * Lists the objects to create (+), change (~) and delete (-), and counts them.
 *
 * @param isVerbose whether objects that are not in the file are listed, and not only counted
 */
export function differenceLines(differences: Differences, isVerbose: boolean): OutputLine[] {
  const { creates, changes, deletes, extra, inUse } = differences;
  const isSame = creates.length + changes.length + deletes.length === 0;
  const ofChildren = childCounts(differences);
  const summary = `Plan: ${creates.length} to create, ${changes.length} to change, ${deletes.length} to delete${ofChildren === "" ? "" : ` (plus ${ofChildren})`}.`;
  return [
    ...creates.flatMap(({ entry, replaces }) => newObjectLines(entry, replaces)),
    ...changes.flatMap(changedObjectLines),
    ...deletes.map(({ existing }) => deletedObjectLine(existing)),
    ...(isSame ? ["No differences."] : ["", [paint("bold", summary)]]),
    ...inUseLines(inUse),
    ...extraLines(extra, isVerbose),
  ];
}

/** "1 object", "2 objects" */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

function inUseLines(inUse: readonly InUse[]): OutputLine[] {
  if (inUse.length === 0) return [];
  return [
    `${counted(inUse.length, "object")} cannot be deleted, because other objects use ${inUse.length === 1 ? "it" : "them"}:`,
    ...inUse.map(({ existing, by }): OutputLine => [
      `  ${titleOfEntry(existing)}`,
      paint("dim", idAndSummary(existing)),
      `  used by ${by.join(", ")}`,
    ]),
  ];
}

function extraLines(extra: readonly ServiceEntry[], isVerbose: boolean): OutputLine[] {
  if (extra.length === 0) return [];
  const [are, them] = extra.length === 1 ? ["is", "it"] : ["are", "them"];
  const text = `${counted(extra.length, "object")} on the service ${are} not in the file; --prune deletes ${them}`;
  if (!isVerbose) return [`${text}, --verbose lists ${them}.`];
  return [
    `${text}:`,
    ...extra.map((existing): OutputLine => [
      `  ${titleOfEntry(existing)}`,
      paint("dim", idAndSummary(existing)),
    ]),
  ];
}

/** The differences between two states of an object, one per line. */
export function driftLines(before: ServiceEntry, now: ServiceEntry): string[] {
  const { kind } = now;
  const lines = fieldsOf(schemaOf(kind)).flatMap((field) => {
    const [from, to] = [before.own[field], now.own[field]];
    return JSON.stringify(from) === JSON.stringify(to) ? [] : changeLines({ field, from, to }).map(plain);
  });
  const keys = (existing: ServiceEntry): Map<string, string> =>
    new Map(existing.children.map(({ key, own }) => [key, JSON.stringify(own)]));
  const [old, fresh] = [keys(before), keys(now)];
  const noun = kind.children?.noun;
  for (const [key, text] of fresh) {
    if (!old.has(key)) lines.push(`+ ${noun} ${key}`);
    else if (old.get(key) !== text) lines.push(`~ ${noun} ${key}`);
  }
  for (const key of old.keys()) if (!fresh.has(key)) lines.push(`- ${noun} ${key}`);
  return lines;
}
