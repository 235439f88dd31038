/*
 * Cuts the tables of Unicode in RE2JS to what the Worker needs: it matches bytes, which are characters up to U+00FF. What characters
 * above that belong to is never asked. Only case folding leads from some letters to such characters, and back.
 */

const LAST = 0xff;
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-";

/** Numbers as RE2JS writes them: digits of five bits, the lowest first, with a sixth bit if more follow. */
const NUMBER = /[g-z0-9+-]*[A-Za-f]/g;

const numberOf = (text: string): number =>
  Array.from(text).reduceRight((sum, digit) => sum * 32 + (DIGITS.indexOf(digit) & 31), 0);

function textOf(number: number): string {
  const digit = number & 31;
  return number < 32 ? (DIGITS[digit] ?? "") : `${DIGITS[digit | 32] ?? ""}${textOf(number >>> 5)}`;
}

/**
 * Keeps the ranges that begin with a byte. A range is written as its distance from the one before and its length, then its step if
 * `hasSteps`.
 */
function rangesInBytes(text: string, hasSteps: boolean): string {
  const numbers = text.match(NUMBER) ?? [];
  const each = hasSteps ? 3 : 2;
  let first = 0;
  for (let i = 0; i < numbers.length; i += each) {
    first += numberOf(numbers[i] ?? "");
    if (first > LAST) return numbers.slice(0, i).join("");
    first += numberOf(numbers[i + 1] ?? "");
  }
  return text;
}

/** Keeps the case foldings of letters that are bytes. Each leads from a character to the next one of its letter, as distances. */
function orbitsOfBytes(text: string): string {
  const numbers = (text.match(NUMBER) ?? []).map(numberOf);
  const orbits = new Map<number, number>();
  for (let i = 0, from = 0; i < numbers.length; i += 2) {
    from += numbers[i] ?? 0;
    const distance = numbers[i + 1] ?? 0;
    orbits.set(from, from + ((distance >>> 1) ^ -(distance & 1)));
  }
  const bytes = [...orbits.keys()].filter((from) => from <= LAST);
  // A set visits what is added to it while it is iterated.
  const kept = new Set(bytes);
  for (const from of kept) kept.add(orbits.get(from) ?? from);
  let last = 0;
  return [...kept]
    .toSorted((a, b) => a - b)
    .map((from) => {
      const distance = (orbits.get(from) ?? from) - from;
      const written = textOf(from - last) + textOf((distance << 1) ^ (distance >> 31));
      last = from;
      return written;
    })
    .join("");
}

const RANGES = /decodeRanges\("([\w+-]+)", (true|false)\)/g;
const ORBITS = /decodeOrbit\("([\w+-]+)"\)/g;
const EMPTY = /\(\) => new UnicodeRangeTable\(decodeRanges\("", (?:true|false)\)\)/g;

/**
 * RE2JS for patterns and texts of bytes.
 *
 * @throws Error if its code is not as expected, for example in another release
 */
export function forBytes(code: string): string {
  if ((code.match(RANGES)?.length ?? 0) < 200 || code.match(ORBITS)?.length !== 1)
    throw new Error("RE2JS has other tables than expected.");
  const cut = code
    .replaceAll(
      RANGES,
      (_, text: string, isPlain: string) =>
        `decodeRanges("${rangesInBytes(text, isPlain === "false")}", ${isPlain})`,
    )
    .replaceAll(ORBITS, (_, text: string) => `decodeOrbit("${orbitsOfBytes(text)}")`)
    .replaceAll(EMPTY, "emptyTable");
  return `${cut}\nfunction emptyTable() { return new UnicodeRangeTable([]); }\n`;
}
