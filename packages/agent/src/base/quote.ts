/**
 * Quotes a string as one word of HAProxy's configuration: spaces, quotes, `#`, `$` and backslashes in it have no special meaning.
 * See "Quoting and escaping" in HAProxy's configuration manual.
 *
 * @throws RangeError if the string contains NUL, which HAProxy cannot quote: see `isQuotable`
 *
 * @example quote("it's") // 'it'\''s'
 */
export function quote(text: string): string {
  if (!isQuotable(text)) throw new RangeError("A word of HAProxy's configuration cannot hold NUL.");
  if (PLAIN_WORD.test(text)) return text;
  const escaped = text.replaceAll(NOT_IN_STRONG_QUOTES, (character) =>
    character === "'" ? String.raw`'\''` : `'${hex(character)}'`,
  );
  return `'${escaped}'`;
}

/**
 * Quotes an argument of a fetch or converter. The word that contains it must be quoted as a whole.
 *
 * @example quote(`path,map_str(${argument("/a b")})`) // 'path,map_str("/a b")'
 */
export const argument = (text: string) =>
  PLAIN_WORD.test(text) && !text.includes(",") ? text : `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** Whether HAProxy's configuration can contain this string. */
export const isQuotable = (text: string) => !text.includes("\0");

/**
 * Quotes a string for a place where HAProxy expands a log format, such as the value of a header. Characters with a meaning there
 * (`%`, `[`, and repeated spaces, which it merges) are percent-encoded, and HAProxy decodes them.
 * An empty string becomes a space: HAProxy leaves out a header without a value, and a single space is an empty value (RFC 9110 §5.5).
 *
 * @example formatted("100 %") // '%[str(100%20%25),url_dec]'
 */
export const formatted = (text: string): string => quote(asFormat(text === "" ? " " : text));

/** A string as a part of a log format, not quoted. */
export const asFormat = (text: string): string =>
  PLAIN_FORMAT.test(text) ? text : `%[str(${percentEncoded(text)}),url_dec]`;

const PLAIN_WORD = /^[\w.:,/@=*+-]+$/;
const PLAIN_FORMAT = /^[\w.:,;/=*+-]+(?: [\w.:,;/=*+-]+)*$/;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const NOT_IN_STRONG_QUOTES = /['\u0001-\u001F\u007F]/g;

const hex = (character: string) => String.raw`\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;

/** Encodes everything except letters, digits, `-`, `_` and `.`: also `!'()*~`, which `encodeURIComponent` keeps. */
const percentEncoded = (text: string) =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );

/** Checks a word of a file in which HAProxy does not support quotes. @throws RangeError if it is not a single word */
export function word(text: string): string {
  if (!/^[^\s\p{Cc}]+$/u.test(text)) throw new RangeError(`Not a single word: ${JSON.stringify(text)}.`);
  return text;
}
