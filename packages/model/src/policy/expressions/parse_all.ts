import type { Json } from "../../json.ts";
import type { Steps } from "../base/steps.ts";
import { Wrong } from "../base/wrong.ts";
import { type Node, parse } from "./parse.ts";
import { piecesOf } from "./templates.ts";

/*
 * Parses the expressions of rules before the rules are compiled. Parsing takes most of the time, and an action can have thousands of
 * expressions, so it pauses between expressions.
 */

/** How many times longer it takes to parse a character than to read it. */
const EFFORT = 16;

/** Members whose strings are expressions. In other strings, expressions are between `${` and `}`. */
const WHOLE = new Set(["expressions", "bucket_key"]);

/** Parses the expressions of rules; returns a function that parses an expression. */
export function* parseAll(rules: Json[]): Steps<(text: string) => Node> {
  const known = new Map<string, () => Node>();
  for (const text of expressionsIn(rules, false))
    if (!known.has(text)) {
      known.set(text, parsed(text));
      yield EFFORT * text.length;
    }
  return (text) => (known.get(text) ?? parsed(text))();
}

/** A function that returns the tree of an expression, or throws what is wrong with it. */
function parsed(text: string): () => Node {
  try {
    const node = parse(text);
    return () => node;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** The strings in a value that are expressions if they are where expressions can be. */
function* expressionsIn(value: Json, isWhole: boolean): Generator<string> {
  if (typeof value === "string") yield* isWhole ? [value] : embeddedIn(value);
  else if (Array.isArray(value)) for (const each of value) yield* expressionsIn(each, isWhole);
  else if (typeof value === "object" && value !== null)
    for (const [name, each] of Object.entries(value)) yield* expressionsIn(each, WHOLE.has(name));
}

function* embeddedIn(text: string): Generator<string> {
  try {
    for (const piece of piecesOf(text)) if (typeof piece !== "string") yield piece.expression;
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
  }
}
