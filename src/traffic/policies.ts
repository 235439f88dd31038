import type { Compiled, Target } from "../../packages/traffic/src/policy/compile.ts";
import { inTurns } from "../turns.ts";
import { rangeOf } from "../values/cidrs.ts";

/*
 * Traffic policies, compiled. A text is compiled once in an isolate.
 */

/** The most characters of texts that an isolate keeps. */
const KEPT_CHARACTERS = 1_000_000;

const kept = new Map<string, Compiled>();
let characters = 0;

/** Loads the language. Not imported at the start: its parsers take as long to evaluate as the rest of the service. */
export const language = () => import("../../packages/traffic/src/policy/language.ts");

/** A policy's text, compiled for what it belongs to. Lets other requests run in between. */
export async function compiledPolicy(value: string, target: Target): Promise<Compiled> {
  const key = `${target} ${value}`;
  const known = kept.get(key);
  if (known) return known;
  const { compiling } = await language();
  const compiled = await inTurns(compiling(value, target, rangeOf));
  if (characters + key.length > KEPT_CHARACTERS) {
    kept.clear();
    characters = 0;
  }
  if (key.length <= KEPT_CHARACTERS && !kept.has(key)) {
    kept.set(key, compiled);
    characters += key.length;
  }
  return compiled;
}
