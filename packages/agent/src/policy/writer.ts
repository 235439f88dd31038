import { quote } from "../base/quote.ts";

/*
 * Lines of HAProxy's configuration, and the conditions in them. See "Two conditions for each boolean expression" in
 * docs/decisions.md: HAProxy knows no errors, so every expression has one condition for true and one for false.
 */

/** Alternatives, each a list of conditions (`{ … }`) that must all hold. */
export type Alternatives = string[][];

/** When an expression is true, and when it is false. Where neither holds, it is an error. */
export interface Both {
  yes: Alternatives;
  no: Alternatives;
}

export const ALWAYS: Alternatives = [[]];
export const NEVER: Alternatives = [];

export const negated = (condition: string): string => `!${condition}`;

/** Both of any alternative of `a` and any of `b`. */
export const cross = (a: Alternatives, b: Alternatives): Alternatives =>
  a.flatMap((one) => b.map((other) => [...one, ...other]));

/** A test of something that is known under some conditions. */
export const test = (known: string[], condition: string): Both => ({
  yes: [[...known, condition]],
  no: [[...known, negated(condition)]],
});

/** The words that a line can have in its conditions; HAProxy's limit for the line is 64. */
const MOST_WORDS = 12;
const wordsIn = (alternatives: Alternatives): number =>
  alternatives.flat().reduce((sum, condition) => sum + condition.split(" ").length, 0);

/** ` if …`, or nothing. */
const onlyIf = (conditions: string[]): string =>
  conditions.length === 0 ? "" : ` if ${conditions.join(" ")}`;

/** The directive that a line begins with. */
export type Ruleset = "tcp-request content" | "http-request" | "http-response";

/** Collects lines. Every variable has a name of its own, because a variable keeps its value if a fetch has no sample. */
export class Writer {
  readonly lines: string[] = [];
  readonly rule: Ruleset;
  readonly prefix: string;
  readonly #names: { used: number };

  /** @param names counts the variables of all writers of a policy */
  constructor(rule: Ruleset, prefix: string, names = { used: 0 }) {
    this.rule = rule;
    this.prefix = prefix;
    this.#names = names;
  }

  /** A variable with a name of its own. */
  variable(name: string): string {
    return `txn.${this.prefix}${name}`;
  }

  /** A new variable. */
  name(): string {
    return this.variable(String(this.#names.used++));
  }

  /** Adds a line of the phase's kind. */
  add(directive: string, conditions: string[] = []): void {
    this.lines.push(`${this.rule} ${directive}${onlyIf(conditions)}`);
  }

  /** Keeps a sample in a new variable. */
  hold(fetch: string, conditions: string[] = []): string {
    const name = this.name();
    this.add(`set-var(${name}) ${quote(fetch)}`, conditions);
    return name;
  }

  /** Keeps a sample in a new variable, which is empty where the conditions do not hold. */
  holdOrEmpty(fetch: string, conditions: string[]): string {
    const name = this.hold("str()");
    this.add(`set-var(${name}) ${quote(fetch)}`, conditions);
    return name;
  }

  /** Keeps an expression in a variable: true, false, or not set. */
  keep({ yes, no }: Both): Both {
    const name = this.name();
    for (const conditions of yes) this.add(`set-var(${name}) bool(true)`, conditions);
    for (const conditions of no) this.add(`set-var(${name}) bool(false)`, conditions);
    return flag(name);
  }

  /** Keeps an expression in a variable if it has several alternatives, or many words. */
  compact(both: Both): Both {
    const isShort = [both.yes, both.no].every((each) => each.length < 2 && wordsIn(each) <= MOST_WORDS);
    return isShort ? both : this.keep(both);
  }

  /** Whether any of some conditions holds. All are known under the same conditions. */
  any(known: string[], conditions: string[]): Both {
    if (wordsIn([conditions]) <= MOST_WORDS)
      return this.compact({
        yes: conditions.map((condition) => [...known, condition]),
        no: [[...known, ...conditions.map(negated)]],
      });
    const name = this.name();
    this.add(`set-var(${name}) bool(false)`, known);
    for (const condition of conditions) this.add(`set-var(${name}) bool(true)`, [...known, condition]);
    return flag(name);
  }
}

/** The conditions of a boolean variable. */
export const flag = (name: string): Both => ({
  yes: [[`{ var(${name}) -m bool }`]],
  no: [[`{ var(${name}) -m found }`, `!{ var(${name}) -m bool }`]],
});

/**
 * A condition that compares a sample with patterns. An empty word would end the patterns: an empty string is compared by its
 * length.
 */
export const when = (fetch: string, match: string, ...patterns: string[]): string =>
  patterns.length === 1 && patterns[0] === "" && match === "str"
    ? `{ ${quote(fetch)} -m len 0 }`
    : `{ ${quote(fetch)} -m ${match} -- ${patterns.map(quote).join(" ")} }`;

/** A string as a part of a pattern that matches it. */
export const escaped = (text: string): string => text.replaceAll(/\W/g, String.raw`\$&`);

/** An argument of `regsub`, which can contain anything. Quotes and backslashes are escaped once more inside its quotes. */
export const regexArgument = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** A limit of steps in front of a pattern: PCRE gives up there. */
export const limited = (pattern: string, steps = 4000): string => `(*LIMIT_MATCH=${steps})(?:${pattern})`;
