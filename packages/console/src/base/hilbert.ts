/*
 * IPv4 addresses on a Hilbert curve: neighbouring networks are neighbours in the picture.
 */

/** Addresses from `first` to `last`, inclusive. */
interface Range {
  first: bigint;
  last: bigint;
}

/** A network that is drawn: its first address, and the length of its prefix. */
export interface Block {
  first: number;
  prefix: number;
}

/** All IPv4 addresses. */
export const EVERYTHING: Block = { first: 0, prefix: 0 };

/** The order of the curve for a block: a picture has 2^order rows of as many cells. */
export const orderOf = ({ prefix }: Block): number => Math.min(6, (32 - prefix) / 2);

/** The addresses in a cell. */
const sizeOf = (block: Block): number => 2 ** (32 - block.prefix - 2 * orderOf(block));

/** The network of a cell, by its place on the curve. */
export const cellOf = (block: Block, place: number): Block => ({
  first: block.first + place * sizeOf(block),
  prefix: block.prefix + 2 * orderOf(block),
});

/** The network as text, `10.16.0.0/12`. */
export const networkOf = ({ first, prefix }: Block): string =>
  `${[24, 16, 8, 0].map((bits) => Math.floor(first / 2 ** bits) % 256).join(".")}/${prefix}`;

/** The column and the row of each place on a Hilbert curve. */
export function curve(order: number): [x: number, y: number][] {
  return Array.from({ length: 4 ** order }, (_, place) => {
    let [x, y, rest] = [0, 0, place];
    for (let side = 1; side < 2 ** order; side *= 2) {
      const right = 1 & (rest >> 1);
      const down = 1 & (rest ^ right);
      if (down === 0) {
        if (right === 1) [x, y] = [side - 1 - x, side - 1 - y];
        [x, y] = [y, x];
      }
      x += side * right;
      y += side * down;
      rest >>= 2;
    }
    return [x, y];
  });
}

/** The share of each cell's addresses that are in some ranges, from 0 to 1. @param ranges in order, without overlaps */
export function shares(block: Block, ranges: Range[]): number[] {
  const size = sizeOf(block);
  const counts = Array.from({ length: 4 ** orderOf(block) }, () => 0);
  for (const range of ranges) {
    const first = Math.max(Number(range.first) - block.first, 0);
    const last = Math.min(Number(range.last) - block.first, size * counts.length - 1);
    for (let place = Math.floor(first / size); place <= Math.floor(last / size); place += 1) {
      const from = Math.max(first, place * size);
      const to = Math.min(last, (place + 1) * size - 1);
      counts[place] = (counts[place] ?? 0) + to - from + 1;
    }
  }
  return counts.map((count) => count / size);
}
