/* What callers load when they first meet a policy: this module imports the parsers, which take time to evaluate. */
export { compile, compiling } from "./compile.ts";
export { placesIn } from "./base/document.ts";
export { compilePatterns, Matching, TooManySteps } from "./regex.ts";
