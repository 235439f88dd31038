import type { Compiled, PolicyOwner } from "../../packages/model/src/policy/compile.ts";
import { rangeOf } from "../../packages/model/src/values/cidrs.ts";
import { inTurns } from "./turns.ts";

/*
 * Traffic policies, compiled. An isolate keeps those that were used last.
 */

/** The most characters of their texts. */
const KEPT_CHARACTERS = 1_000_000;

/** By target and text. The least recently used one is first. */
const kept = new Map<string, Compiled>();
let characters = 0;

/** Loads the language. Not imported at the start: its parsers take as long to evaluate as the rest of the service. */
export const language = () => import("../../packages/model/src/policy/language.ts");

/** A policy's text, compiled for what it belongs to. Lets other requests run in between. */
export async function compiledPolicy(value: string, target: PolicyOwner): Promise<Compiled> {
  const key = `${target} ${value}`;
  const known = kept.get(key);
  if (known) {
    kept.delete(key);
    kept.set(key, known);
    return known;
  }
  const { compiling } = await language();
  const compiled = await inTurns(compiling(value, target, rangeOf));
  if (!kept.has(key)) characters += key.length;
  kept.set(key, compiled);
  for (const oldest of kept.keys()) {
    if (characters <= KEPT_CHARACTERS) break;
    kept.delete(oldest);
    characters -= oldest.length;
  }
  return compiled;
}
