/**
 * One word of HAProxy's configuration that stands for `text` and nothing else: neither spaces, quotes, `#`, `$` nor backslashes
 * in it mean anything. HAProxy cannot hold NUL in a word: ask `isQuotable` first (throws a RangeError).
 * Source: "Quoting and escaping" in HAProxy's configuration manual.
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
 * An argument of a fetch or converter inside a word, which is to be quoted as a whole.
 *
 * @example quote(`path,map_str(${argument("/a b")})`) // 'path,map_str("/a b")'
 */
export const argument = (text: string) =>
  PLAIN_WORD.test(text) && !text.includes(",") ? text : `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** Whether HAProxy's configuration can hold this text. */
export const isQuotable = (text: string) => !text.includes("\0");

/**
 * A word that HAProxy, where it expands a log format, expands to `text`: headers and their like. Whatever HAProxy would read
 * there (`%`, `[`, several spaces, which it merges) is percent-encoded and decoded by HAProxy itself.
 * An empty text is given as one space, as HAProxy leaves out a header without any value; a space alone is an empty value
 * (RFC 9110 §5.5).
 *
 * @example formatted("100 %") // '%[str(100%20%25),url_dec]'
 */
export function formatted(text: string): string {
  const value = text === "" ? " " : text;
  if (PLAIN_FORMAT.test(value)) return quote(value);
  return quote(`%[str(${percentEncoded(value)}),url_dec]`);
}

const PLAIN_WORD = /^[\w.:,/@=*+-]+$/;
const PLAIN_FORMAT = /^[\w.:,;/=*+-]+(?: [\w.:,;/=*+-]+)*$/;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const NOT_IN_STRONG_QUOTES = /['\u0001-\u001F\u007F]/g;

const hex = (character: string) => String.raw`\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;

/** All but letters, digits, `-`, `_` and `.`; `encodeURIComponent` leaves `!'()*~`. */
const percentEncoded = (text: string) =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
