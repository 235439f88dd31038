import { RE2JS } from "re2js";

/*
 * Runs patterns in linear time. Strings are bytes: a character from U+0000 to U+00FF stands for a byte, because proxies match
 * bytes.
 */

/** The most steps of matching in one evaluation. */
const MOST_STEPS = 1_000_000;
const KEPT = 500;

/** Matching took more steps than one evaluation has. */
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

/** Matches patterns, and counts the steps. */
export class Matching {
  #steps = MOST_STEPS;

  /** @throws TooManySteps */
  #spend(pattern: string, text: string): void {
    this.#steps -= (text.length + 1) * Math.ceil((pattern.length + 1) / 16);
    if (this.#steps < 0) throw new TooManySteps("Matching takes too many steps.");
  }

  /** Whether a pattern matches anywhere in a text. */
  matches(pattern: string, text: string): boolean {
    this.#spend(pattern, text);
    return regexOf(pattern).matcher(text).find();
  }

  /** Replaces every match of a pattern. A match without characters is in front of a character, as HAProxy's `regsub` has it. */
  replaced(pattern: string, replacement: (string | number)[], text: string): string {
    const matcher = regexOf(pattern).matcher(text);
    let result = "";
    let at = 0;
    do {
      this.#spend(pattern, text.slice(at));
      if (!matcher.find(at)) break;
      result += text.slice(at, matcher.start());
      for (const part of replacement) result += typeof part === "string" ? part : (matcher.group(part) ?? "");
      if (matcher.end() === at) result += text.slice(at, ++at);
      else at = matcher.end();
    } while (at < text.length);
    return result + text.slice(at);
  }
}
