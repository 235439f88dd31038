import fc from "fast-check";

const SURROGATES = 0xd800;
const SURROGATE_COUNT = 0x800;

/**
 * Any Unicode code point except surrogates, as a string. Equivalent to fast-check's unit "binary", which takes a second
 * to build in every file.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATE_COUNT })
  .map((n) => String.fromCodePoint(n < SURROGATES ? n : n + SURROGATE_COUNT));
