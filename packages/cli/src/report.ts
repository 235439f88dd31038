import type { Change, ChildStep, Differences, InUse, MemberChange } from "./differences.ts";
import { isJsonObject, type Json } from "./json.ts";
import { summaryOf } from "./names.ts";
import type { Child, Entry } from "./objects.ts";
import { type Line, paint } from "./output.ts";
import { childSchemaOf, membersOf, schemaOf, SECRET } from "./schema.ts";
import type { Found } from "./world.ts";

/*
 * Differences as lines of text.
 */

const LONGEST = 100;

const cut = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`);

/** A value on one line. */
function shown(value: Json | undefined): string {
  if (value === undefined) return "(not set)";
  if (value === SECRET) return SECRET;
  return cut(inline(value));
}

function inline(value: Json): string {
  if (value === SECRET) return SECRET;
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([name, item]) => `${name}: ${inline(item)}`);
    return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
  }
  return JSON.stringify(value);
}

/** A changed field: for an object that has a value before and after, a line for each of its fields that differ. */
function changeLines({ member, from, to }: MemberChange): string[] {
  if (isJsonObject(from) && isJsonObject(to)) {
    const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
    const lines = names
      .filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]))
      .flatMap((name) => changeLines({ member: `${member}.${name}`, from: from[name], to: to[name] }));
    return lines.length > 0 ? lines : [`${member}: ${resent(to)}`];
  }
  if (Array.isArray(from) && Array.isArray(to) && inline(from).length + inline(to).length > LONGEST)
    return itemLines(member, from, to);
  return [`${member}: ${shown(from)} -> ${shown(to)}`];
}

/** Values that look the same differ in the order of fields, or in a secret. */
const resent = (to: Json): string =>
  JSON.stringify(to).includes(JSON.stringify(SECRET)) ? `${SECRET} is sent again` : "in another order";

/** The items that are added to a long list, and those that are removed. */
function itemLines(member: string, from: Json[], to: Json[]): string[] {
  const [before, after] = [new Set(from.map(inline)), new Set(to.map(inline))];
  const added = [...after].filter((item) => !before.has(item));
  const removed = [...before].filter((item) => !after.has(item));
  if (added.length + removed.length === 0) return [`${member}: in another order`];
  return [
    ...removed.map((item) => `${member}: ${cut(item)} -> (not set)`),
    ...added.map((item) => `${member}: (not set) -> ${cut(item)}`),
  ];
}

const title = ({ kind, name }: Entry): string => `${kind.section}.${name}`;

/** The id of an existing object whose title has its name. */
const idOf = ({ id, name }: Found): string => (id === name ? "" : `  ${id}`);

const ownLines = (names: string[], own: Entry["own"]): string[] =>
  names.flatMap((name) => valueLines(name, own[name]));

/** A value on one line if it fits; otherwise each of its fields or items on a line. */
function valueLines(member: string, value: Json | undefined): string[] {
  if (value === undefined) return [];
  const isLong = inline(value).length > LONGEST - member.length;
  if (isLong && isJsonObject(value))
    return Object.entries(value).flatMap(([name, item]) => valueLines(`${member}.${name}`, item));
  if (isLong && Array.isArray(value)) return [`${member}:`, ...value.map((item) => `  - ${shown(item)}`)];
  return [`${member}: ${shown(value)}`];
}

function creation(entry: Entry, replaces: Found | undefined): Line[] {
  const { kind, own, children } = entry;
  const why = replaces ? `  replaces ${replaces.id}: ${kind.fixed.join(", ")} cannot be changed` : "";
  return [
    [paint("green", `  + ${title(entry)}`), paint("dim", why)],
    ...ownLines(membersOf(schemaOf(kind)), own).map((line) => `      ${line}`),
    ...many(children).map((child) => (typeof child === "string" ? child : created(kind, child))),
  ];
}

const created = (kind: Entry["kind"], child: Child): Line => [
  paint("green", `      + ${kind.children?.noun} ${child.key}`),
  paint("dim", rest(kind, child)),
];

/** The fields of a child that are not part of its key. */
function rest(kind: Entry["kind"], { own }: Child): string {
  if (!kind.children) return "";
  const names = membersOf(childSchemaOf(kind.children)).filter((name) => !kind.children?.key.includes(name));
  const text = ownLines(names, own).join(", ");
  return text === "" ? "" : `  ${cut(text)}`;
}

const MOST_LINES = 200;

/** The first of many items, and a line that counts the others. */
function many<T>(items: readonly T[]): (T | string)[] {
  if (items.length <= MOST_LINES) return [...items];
  return [...items.slice(0, MOST_LINES), `      … and ${items.length - MOST_LINES} more`];
}

function changed({ entry, found, members, children }: Change): Line[] {
  return [
    [paint("yellow", `  ~ ${title(entry)}`), paint("dim", idOf(found))],
    ...members.flatMap((member) => changeLines(member).map((line) => `      ${line}`)),
    ...many(children).flatMap((step) => (typeof step === "string" ? [step] : childLines(entry, step))),
  ];
}

function childLines({ kind }: Entry, step: ChildStep): Line[] {
  const noun = kind.children?.noun;
  if (step.does === "create") return [created(kind, step.child)];
  if (step.does === "delete")
    return [[paint("red", `      - ${noun} ${step.found.key}`), paint("dim", rest(kind, step.found))]];
  return [
    [paint("yellow", `      ~ ${noun} ${step.child.key}`)],
    ...step.members.flatMap((member) => changeLines(member).map((line) => `          ${line}`)),
  ];
}

/** What tells an existing object from others: its id, and a summary of it. */
function details(found: Found): string {
  const summary = summaryOf(found.shown.body);
  return idOf(found) + (summary === "" ? "" : `  ${cut(summary)}`);
}

const deleted = (found: Found): Line => [paint("red", `  - ${title(found)}`), paint("dim", details(found))];

/** Numbers of changed rules and routes: "3 rules/routes to create, 1 to delete". */
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

/** The objects to create (+), change (~) and delete (-), and their numbers. */
export function differenceLines(differences: Differences): Line[] {
  const { creates, changes, deletes, extra, inUse } = differences;
  const isSame = creates.length + changes.length + deletes.length === 0;
  const ofChildren = childCounts(differences);
  const summary = `Plan: ${creates.length} to create, ${changes.length} to change, ${deletes.length} to delete${ofChildren === "" ? "" : ` (plus ${ofChildren})`}.`;
  return [
    ...creates.flatMap(({ entry, replaces }) => creation(entry, replaces)),
    ...changes.flatMap(changed),
    ...deletes.map(({ found }) => deleted(found)),
    ...(isSame ? ["No differences."] : ["", [paint("bold", summary)]]),
    ...inUseLines(inUse),
    ...extraLines(extra),
  ];
}

/** "1 object", "2 objects" */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

function inUseLines(inUse: readonly InUse[]): Line[] {
  if (inUse.length === 0) return [];
  return [
    `${counted(inUse.length, "object")} cannot be deleted, because other objects use ${inUse.length === 1 ? "it" : "them"}:`,
    ...inUse.map(({ found, by }): Line => [
      `  ${title(found)}`,
      paint("dim", details(found)),
      `  used by ${by.join(", ")}`,
    ]),
  ];
}

const MOST_EXTRA = 10;

function extraLines(extra: readonly Found[]): Line[] {
  if (extra.length === 0) return [];
  const some = extra
    .slice(0, MOST_EXTRA)
    .map((found): Line => [`  ${title(found)}`, paint("dim", details(found))]);
  const more = extra.length > MOST_EXTRA ? [`  … and ${extra.length - MOST_EXTRA} more`] : [];
  return [
    `${counted(extra.length, "object")} on the service ${extra.length === 1 ? "is" : "are"} not in the file; --prune deletes ${extra.length === 1 ? "it" : "them"}:`,
    ...some,
    ...more,
  ];
}

/** Differences between two states of an object, a line each. */
export function driftLines(before: Found, now: Found): string[] {
  const { kind } = now;
  const lines = membersOf(schemaOf(kind)).flatMap((member) => {
    const [from, to] = [before.own[member], now.own[member]];
    return JSON.stringify(from) === JSON.stringify(to) ? [] : changeLines({ member, from, to });
  });
  const keys = (found: Found): Map<string, string> =>
    new Map(found.children.map(({ key, own }) => [key, JSON.stringify(own)]));
  const [old, fresh] = [keys(before), keys(now)];
  const noun = kind.children?.noun;
  for (const [key, text] of fresh) {
    if (!old.has(key)) lines.push(`+ ${noun} ${key}`);
    else if (old.get(key) !== text) lines.push(`~ ${noun} ${key}`);
  }
  for (const key of old.keys()) if (!fresh.has(key)) lines.push(`- ${noun} ${key}`);
  return lines;
}
