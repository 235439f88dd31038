import type { components } from "edge-configuration-client";
import { type OutputLine, paint } from "./output.ts";

/*
 * What people have to know about an effect, in the service's words.
 */

export type PreviewedEffect = components["schemas"]["PlanPreview"];
export type Warning = components["schemas"]["PlanWarning"];

/** The codes of the service's warnings. */
export const warningCodes: readonly string[] = [
  "effect_unknown",
  "effect_truncated",
  "opens_to_everyone",
  "newly_allowed",
  "check_removed",
  "check_changed",
  "taken_over",
  "later_newly_allowed",
  "problem_added",
];

/** The warning about differences whose effect the service does not compute. @param why the end of a sentence */
export const unknownEffect = (why: string): Warning => ({
  code: "effect_unknown",
  msg: `It is not known who gets in afterwards: ${why}`,
  confirm: true,
});

/** Warnings as lines of text. Those that have to be confirmed begin with an exclamation mark. */
export const warningLines = (warnings: readonly Warning[]): OutputLine[] =>
  warnings.map(({ code, msg, confirm }): OutputLine => [
    confirm ? paint("red", "  ! ") : "    ",
    paint(confirm ? "red" : "yellow", code),
    `: ${msg}`,
  ]);
