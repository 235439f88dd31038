const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Digits per pass of long division: 62³ times 2³² is still exact in a double. */
const AT_ONCE = 3;

/** The big-endian number in `words` as `length` base62 digits, in text order; 27 of them hold 160 bits. Overwrites `words`. */
export function base62(words: Uint32Array, length: number): string {
  let text = "";
  for (let left = length; left > 0; left -= AT_ONCE) {
    let rest = 0;
    for (let i = 0; i < words.length; i++) {
      const dividend = rest * 2 ** 32 + (words[i] ?? 0);
      words[i] = Math.floor(dividend / 62 ** AT_ONCE);
      rest = dividend % 62 ** AT_ONCE;
    }
    for (let i = Math.min(left, AT_ONCE); i > 0; i--) {
      text = DIGITS.charAt(rest % 62) + text;
      rest = Math.floor(rest / 62);
    }
  }
  return text;
}

/** The number that base62 digits stand for. */
export function numberOf(digits: string): bigint {
  let value = 0n;
  for (const digit of digits) value = value * 62n + BigInt(DIGITS.indexOf(digit));
  return value;
}
