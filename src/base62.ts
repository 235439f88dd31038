const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The big-endian number in `words` as `length` base62 digits, in text order; 27 of them hold 160 bits. Uses `words` up. */
export function base62(words: Uint32Array, length: number): string {
  let text = "";
  while (text.length < length) {
    let remainder = 0;
    for (let i = 0; i < words.length; i++) {
      const dividend = remainder * 2 ** 32 + (words[i] ?? 0);
      words[i] = Math.floor(dividend / 62);
      remainder = dividend % 62;
    }
    text = DIGITS.charAt(remainder) + text;
  }
  return text;
}
