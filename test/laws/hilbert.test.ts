// @module-tag thorough
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  cellOf,
  curve,
  EVERYTHING,
  networkOf,
  orderOf,
  shares,
} from "../../packages/console/src/base/hilbert.ts";

/* The picture of the addresses that a policy lets in, on the page of the policy. */

test.each([1, 2, 3, 4, 5, 6])(
  "a curve of order %d passes each cell once, from neighbour to neighbour",
  (order) => {
    const places = curve(order);
    expect(new Set(places.map(String)).size).toBe(4 ** order);
    for (const [i, [x, y]] of places.entries()) {
      expect(Math.max(x, y)).toBeLessThan(2 ** order);
      const [x0, y0] = places[i - 1] ?? [x + 1, y];
      expect(Math.abs(x - x0) + Math.abs(y - y0)).toBe(1);
    }
  },
);

test("cells are networks: to /12, then to /24, then single addresses", () => {
  const ten = cellOf(EVERYTHING, 10 * 16);
  expect(networkOf(ten)).toBe("10.0.0.0/12");
  const inner = cellOf(ten, 258);
  expect(networkOf(inner)).toBe("10.1.2.0/24");
  expect([orderOf(EVERYTHING), orderOf(ten), orderOf(inner)]).toEqual([6, 6, 4]);
  expect(networkOf(cellOf(inner, 255))).toBe("10.1.2.255/32");
});

test("the share of a cell is that of its addresses in the ranges", () => {
  const block = { first: 2 ** 24 * 10, prefix: 24 };
  const address = fc.integer({ min: block.first - 300, max: block.first + 600 });
  fc.assert(
    fc.property(fc.uniqueArray(address, { minLength: 2, maxLength: 8 }), (ends) => {
      const sorted = ends.toSorted((a, b) => a - b).slice(0, 2 * Math.floor(ends.length / 2));
      const ranges = sorted.flatMap((first, i) =>
        i % 2 === 0 ? [{ first: BigInt(first), last: BigInt(sorted[i + 1] ?? first) }] : [],
      );
      const isIn = (at: number) => ranges.some(({ first, last }) => at >= first && at <= last);
      expect(shares(block, ranges)).toEqual(
        Array.from({ length: 256 }, (_, i) => (isIn(block.first + i) ? 1 : 0)),
      );
      const whole = { first: block.first, prefix: 12 };
      const inFirst = Array.from({ length: 256 }, (_, i) => block.first + i).filter(isIn).length;
      expect(shares(whole, ranges)[0]).toBe(inFirst / 256);
    }),
  );
});
