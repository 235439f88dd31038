import { createInterface } from "node:readline/promises";
import { isJsonObject, type Json } from "./json.ts";
import type { Child, Entry } from "./objects.ts";
import type { Change, ChildStep, MemberChange, Plan } from "./plan.ts";
import { childSchemaOf, membersOf, schemaOf, SECRET } from "./schema.ts";
import type { Found } from "./world.ts";

/*
 * What people see.
 */

type Colour = "green" | "yellow" | "red" | "dim" | "bold";

const codes: Record<Colour, string> = { green: "32", yellow: "33", red: "31", dim: "2", bold: "1" };

/** https://no-color.org: any value but an empty one. */
const isColoured = process.stdout.isTTY && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";

export const paint = (colour: Colour, text: string): string =>
  isColoured ? `\x1b[${codes[colour]}m${text}\x1b[0m` : text;

/** Text of others without characters that would change the terminal, or the order of what is read. */
export const plain = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );

export const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

let isProgressShown = false;

/** Writes a line about what goes wrong, or on, beside what is asked for. */
export function note(text: string): void {
  clearProgress();
  process.stderr.write(`${text}\n`);
}

/** Shows how far long work is, where there is a terminal. */
export function progress(text: string): void {
  if (!process.stderr.isTTY || process.env["TERM"] === "dumb") return;
  process.stderr.write(`\r\x1b[K${text}`);
  isProgressShown = true;
}

export function clearProgress(): void {
  if (isProgressShown) process.stderr.write("\r\x1b[K");
  isProgressShown = false;
}

/** Asks a question; only "y" and "yes" are a yes. */
export async function isConfirmed(question: string): Promise<boolean> {
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const closed = new Promise<string>((resolve) => reader.once("close", () => resolve("")));
    const answer = await Promise.race([reader.question(`${question} (y/N) `), closed]);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    reader.close();
  }
}

const LONGEST = 100;

const cut = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`);

/** A value on one line. */
function shown(value: Json | undefined): string {
  if (value === undefined) return "(not set)";
  if (value === SECRET) return SECRET;
  return cut(plain(inline(value)));
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

/** A change, member by member: those of objects that are there before and after one by one. */
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

/** Only the order of members or a secret is left to differ. */
const resent = (to: Json): string =>
  JSON.stringify(to).includes(JSON.stringify(SECRET)) ? `${SECRET} is sent again` : "in another order";

/** What comes to a long list, and what goes. */
function itemLines(member: string, from: Json[], to: Json[]): string[] {
  const [before, after] = [new Set(from.map(inline)), new Set(to.map(inline))];
  const added = [...after].filter((item) => !before.has(item));
  const removed = [...before].filter((item) => !after.has(item));
  if (added.length + removed.length === 0) return [`${member}: in another order`];
  return [
    ...removed.map((item) => `${member}: ${shownText(item)} -> (not set)`),
    ...added.map((item) => `${member}: (not set) -> ${shownText(item)}`),
  ];
}

const shownText = (text: string): string => cut(plain(text));

const title = ({ kind, name }: Entry): string => `${kind.section}.${plain(name)}`;

/** What is known of an existing object besides its name. */
const known = ({ id, name }: Found): string => (id === name ? "" : paint("dim", `  ${id}`));

const ownLines = (names: string[], own: Entry["own"]): string[] =>
  names.flatMap((name) => valueLines(name, own[name]));

/** A value on one line if it fits, otherwise what is in it on a line each. */
function valueLines(member: string, value: Json | undefined): string[] {
  if (value === undefined) return [];
  const isLong = inline(value).length > LONGEST - member.length;
  if (isLong && isJsonObject(value))
    return Object.entries(value).flatMap(([name, item]) => valueLines(`${member}.${plain(name)}`, item));
  if (isLong && Array.isArray(value)) return [`${member}:`, ...value.map((item) => `  - ${shown(item)}`)];
  return [`${member}: ${shown(value)}`];
}

function creation(entry: Entry, replaces: Found | undefined): string[] {
  const { kind, own, children } = entry;
  const why = replaces
    ? paint("dim", `  in place of ${replaces.id}: ${kind.fixed.join(", ")} cannot be changed`)
    : "";
  const lines = ownLines(membersOf(schemaOf(kind)), own).map((line) => `      ${line}`);
  return [
    paint("green", `  + ${title(entry)}`) + why,
    ...lines,
    ...many(children).map((child) => (typeof child === "string" ? child : created(kind, child))),
  ];
}

const created = (kind: Entry["kind"], child: Child): string =>
  paint("green", `      + ${kind.children?.noun} ${plain(child.key)}`) + paint("dim", besides(kind, child));

/** What a child says besides what it is known by. */
function besides(kind: Entry["kind"], { own }: Child): string {
  if (!kind.children) return "";
  const names = membersOf(childSchemaOf(kind.children)).filter((name) => !kind.children?.key.includes(name));
  const text = ownLines(names, own).join(", ");
  return text === "" ? "" : `  ${cut(text)}`;
}

const MOST_LINES = 200;

/** The first of many, and a line that counts the others. */
function many<T>(items: readonly T[]): (T | string)[] {
  if (items.length <= MOST_LINES) return [...items];
  return [...items.slice(0, MOST_LINES), `      … and ${items.length - MOST_LINES} more`];
}

function changed({ entry, found, members, children }: Change): string[] {
  return [
    paint("yellow", `  ~ ${title(entry)}`) + known(found),
    ...members.flatMap((member) => changeLines(member).map((line) => `      ${line}`)),
    ...many(children).flatMap((step) => (typeof step === "string" ? [step] : childLines(entry, step))),
  ];
}

function childLines({ kind }: Entry, step: ChildStep): string[] {
  const noun = kind.children?.noun;
  if (step.does === "create") return [created(kind, step.child)];
  if (step.does === "delete")
    return [
      paint("red", `      - ${noun} ${plain(step.found.key)}`) + paint("dim", besides(kind, step.found)),
    ];
  return [
    paint("yellow", `      ~ ${noun} ${plain(step.child.key)}`),
    ...step.members.flatMap((member) => changeLines(member).map((line) => `          ${line}`)),
  ];
}

const deleted = (found: Found): string => {
  const { description, hostports } = found.own;
  const what = description ?? hostports;
  return (
    paint("red", `  - ${title(found)}`) +
    known(found) +
    (what === undefined ? "" : paint("dim", `  ${shown(what)}`))
  );
};

/** A plan as it is shown: what is created (+), changed (~) and deleted (-), and how much of each. */
export function planLines({ creates, changes, deletes, extra }: Plan): string[] {
  const rules = (does: ChildStep["does"]): number =>
    changes.reduce((sum, { children }) => sum + children.filter((step) => step.does === does).length, 0) +
    (does === "create" ? creates.reduce((sum, { entry }) => sum + entry.children.length, 0) : 0);
  const within = (["create", "change", "delete"] as const).map(rules);
  const [created = 0, altered = 0, gone = 0] = within;
  const ofChildren =
    created + altered + gone === 0
      ? ""
      : ` Of rules and routes: ${created} to create, ${altered} to change, ${gone} to delete.`;
  const summary = `${creates.length} to create, ${changes.length} to change, ${deletes.length} to delete.${ofChildren}`;
  const isSame = creates.length + changes.length + deletes.length === 0;
  return [
    ...creates.flatMap(({ entry, replaces }) => creation(entry, replaces)),
    ...changes.flatMap(changed),
    ...deletes.map(({ found }) => deleted(found)),
    ...(isSame ? [] : [""]),
    isSame ? "No differences." : paint("bold", summary),
    ...(extra.length > 0 ? extraLines(extra) : []),
  ];
}

const MOST_EXTRA = 10;

function extraLines(extra: readonly Found[]): string[] {
  const some = extra.slice(0, MOST_EXTRA).map((found) => `  ${title(found)}${known(found)}`);
  const more = extra.length > MOST_EXTRA ? [`  … and ${extra.length - MOST_EXTRA} more`] : [];
  const what =
    extra.length === 1 ? "1 object that the file lacks" : `${extra.length} objects that the file lacks`;
  return [
    `The service has ${what}; --prune deletes ${extra.length === 1 ? "it" : "them"}:`,
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
    if (!old.has(key)) lines.push(`+ ${noun} ${plain(key)}`);
    else if (old.get(key) !== text) lines.push(`~ ${noun} ${plain(key)}`);
  }
  for (const key of old.keys()) if (!fresh.has(key)) lines.push(`- ${noun} ${plain(key)}`);
  return lines;
}
