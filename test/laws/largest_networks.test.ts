import fc from "fast-check";
import { expect, test } from "vitest";
import { allowedNetworks, largestNetworks, sourcesOf } from "../../packages/model/src/traffic/networks.ts";
import { runs } from "../support/effort.ts";

/*
 * The largest networks of a set are those that a list of all its networks has, sorted by their size.
 */

/** Networks that often touch, so that ranges begin where no network of their size does. */
const cidr = fc
  .record({ isIpv6: fc.boolean(), at: fc.nat(31), length: fc.constantFrom(13, 14, 15, 15, 16, 16, 16, 16) })
  .map(({ isIpv6, at, length }) => {
    const start = (at >> (16 - length)) << (16 - length);
    return isIpv6 ? `${start.toString(16)}::/${length}` : `0.${start}.0.0/${length}`;
  });
const prefixOf = (network: string): number => Number(network.split("/")[1]);

test("the largest networks are the first of all networks by size, and others are counted as more", () => {
  fc.assert(
    fc.property(
      fc.array(cidr, { maxLength: 12 }),
      fc.array(cidr, { maxLength: 12 }),
      fc.oneof(fc.nat(6), fc.nat(100)),
      (allow, deny, most) => {
        const all = allowedNetworks({ allow, deny }, 100_000) ?? [];
        const sorted = all.toSorted((a, b) => prefixOf(a) - prefixOf(b));
        const { networks, isMore } = largestNetworks(sourcesOf({ allow, deny }), most);
        expect(networks.map(prefixOf)).toEqual(sorted.slice(0, most).map(prefixOf));
        expect(all).toEqual(expect.arrayContaining(networks));
        expect(new Set(networks).size).toBe(networks.length);
        expect(isMore).toBe(all.length > most);
      },
    ),
    runs(500),
  );
});
