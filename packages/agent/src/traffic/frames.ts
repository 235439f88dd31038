/** The longest frame, in bytes. HAProxy sends lines of at most 4 KiB. */
const LONGEST = 65_536;
const [SPACE, ZERO] = [0x20, 0x30];

/** Splits a stream into messages that each follow their length in bytes and a space (RFC 6587 §3.4.1). */
export class Frames {
  #rest = Buffer.alloc(0);

  /**
   * Takes a piece of the stream.
   *
   * @param take gets each complete message, as Latin-1
   * @throws RangeError if it is another kind of stream
   */
  push(piece: Buffer, take: (message: string) => void): void {
    const buffer = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let at = 0;
    for (;;) {
      const space = buffer.indexOf(SPACE, at);
      if (space < 0) break;
      const end = space + 1 + lengthIn(buffer, at, space);
      if (end > buffer.length) break;
      take(buffer.toString("latin1", space + 1, end));
      at = end;
    }
    // What is kept must not hold on to the whole piece.
    this.#rest = Buffer.from(buffer.subarray(at));
    if (this.#rest.length > LONGEST + 8) throw new RangeError("A frame is too long.");
  }
}

/** The decimal number at a place. @throws RangeError */
function lengthIn(buffer: Buffer, from: number, to: number): number {
  let length = 0;
  for (let at = from; at < to; at += 1) {
    const digit = (buffer[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9 || length > LONGEST) throw new RangeError("Not the length of a frame.");
    length = length * 10 + digit;
  }
  if (to === from || length > LONGEST) throw new RangeError("Not the length of a frame.");
  return length;
}
