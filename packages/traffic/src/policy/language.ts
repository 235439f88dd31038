/* What callers load when they first meet a policy: this module imports the parsers, which take time to evaluate. */
export { compile } from "./compile.ts";
export { placesIn } from "./document.ts";
export { bytesOf, textOf } from "./evaluate.ts";
export { Matching, TooManySteps } from "./regex.ts";
export { runPhase } from "./run.ts";
