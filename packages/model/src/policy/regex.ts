import { RE2JS } from "re2js";
import type { Steps } from "./base/steps.ts";
import { sizeOf } from "./pattern_size.ts";

/*
 * Runs patterns in linear time. Strings are bytes: a character from U+0000 to U+00FF stands for a byte, because proxies match
 * bytes.
 */

/** The most steps in one evaluation: a few hundred milliseconds. */
const MOST_STEPS = 300_000;
/** The largest pattern that is matched. */
const MOST_SIZE = 5_000;
/** How much of a pattern is applied to a character in one step. */
const SIZE_PER_STEP = 16;
/** How many characters are read or written in one step. */
const CHARACTERS_PER_STEP = 8;
/** How many times longer it takes to compile a character of a pattern than to read it. */
const EFFORT = 8;
const KEPT = 500;

/** An evaluation took more steps than it has. */
export class TooManySteps extends Error {}

const compiled = new Map<string, RE2JS>();

function regexOf(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  if (compiled.size >= KEPT) compiled.clear();
  const made = RE2JS.compile(pattern);
  compiled.set(pattern, made);
  return made;
}

/** Patterns that are compiled, by what is written. */
type Patterns = ReadonlyMap<string, RE2JS>;

/** Compiles patterns, as many as one evaluation can reach. Leaves out those that cannot be matched. */
export function* compilePatterns(patterns: Iterable<string>): Steps<Patterns> {
  const all = new Map<string, RE2JS>();
  let left = MOST_STEPS;
  for (const pattern of patterns) {
    const size = sizeOf(pattern);
    left -= size;
    if (left < 0) break;
    if (size > MOST_SIZE || all.has(pattern)) continue;
    try {
      all.set(pattern, regexOf(pattern));
    } catch {
      // What cannot be compiled is reported when it is reached.
    }
    yield EFFORT * size;
  }
  return all;
}

/** Matches patterns, and counts the steps of an evaluation. */
export class Matching {
  readonly #patterns: Patterns;
  readonly #sizes = new Map<string, number>();
  #steps = MOST_STEPS;

  /** @param patterns patterns that are compiled already */
  constructor(patterns: Patterns = new Map()) {
    this.#patterns = patterns;
  }

  /** Counts the reading or writing of strings. @throws TooManySteps */
  read(characters: number): void {
    this.#spend(characters / CHARACTERS_PER_STEP);
  }

  /** Whether a pattern matches anywhere in a text. */
  matches(pattern: string, text: string): boolean {
    this.#match(pattern, text.length);
    return this.#regexOf(pattern).matcher(text).find();
  }

  /** Replaces every match of a pattern. A match without characters is in front of a character, as HAProxy's `regsub` has it. */
  replaced(pattern: string, replacement: (string | number)[], text: string): string {
    this.#match(pattern, 0);
    const matcher = this.#regexOf(pattern).matcher(text);
    let result = "";
    let at = 0;
    do {
      this.#match(pattern, text.length - at);
      if (!matcher.find(at)) break;
      const from = result.length;
      result += text.slice(at, matcher.start());
      for (const part of replacement) result += typeof part === "string" ? part : (matcher.group(part) ?? "");
      if (matcher.end() === at) result += text.slice(at, ++at);
      else at = matcher.end();
      this.read(result.length - from);
    } while (at < text.length);
    return result + text.slice(at);
  }

  #regexOf(pattern: string): RE2JS {
    return this.#patterns.get(pattern) ?? regexOf(pattern);
  }

  /** Counts a match. The first one of a pattern counts its compilation, too. */
  #match(pattern: string, length: number): void {
    const known = this.#sizes.get(pattern);
    const size = known ?? sizeOf(pattern);
    this.#sizes.set(pattern, size);
    if (size > MOST_SIZE) throw new TooManySteps("A pattern is too large.");
    this.#spend((known === undefined ? size : 0) + (length + 1) * Math.ceil((size + 1) / SIZE_PER_STEP));
  }

  #spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new TooManySteps("The evaluation takes too many steps.");
  }
}
