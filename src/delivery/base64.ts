/** Characters that one call of `String.fromCharCode` takes without risking the stack. */
const CHUNK = 32_768;

const encoder = new TextEncoder();

/** A string, encoded as UTF-8 and then base64. */
export function base64OfText(text: string, bytes: number): string {
  // The string is ASCII only, so its characters are its bytes.
  if (bytes === text.length) return btoa(text);
  const encoded = encoder.encode(text);
  let binary = "";
  // Takes a quarter of the time of a spread.
  for (let start = 0; start < encoded.length; start += CHUNK)
    binary += Reflect.apply(String.fromCharCode, undefined, encoded.subarray(start, start + CHUNK));
  return btoa(binary);
}
