// @module-tag thorough
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { create, get } from "../support/api.ts";
import { runs } from "../support/effort.ts";
import * as given from "../support/given.ts";
import type { Json } from "../support/json.ts";
import { judged, matches } from "../support/naive_access.ts";

/*
 * Access checks, compared with a naive evaluation of all rules.
 */

/** A 32-bit address as IPv4, or in a form of IPv6 that means the same address or one of another family. */
const v4 = (bits: number): string => [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join(".");
const hex = (bits: bigint): string =>
  Array.from({ length: 8 }, (_, i) => ((bits >> BigInt(112 - 16 * i)) & 0xffffn).toString(16)).join(":");

/** Only a few different bits, so that networks and addresses often meet. */
const bits32 = fc
  .tuple(fc.constantFrom(0, 0x0a000000, 0xc0000200, 0xffffff00), fc.constantFrom(0, 1, 2, 3, 127, 128, 255))
  .map(([high, low]) => (high | low) >>> 0);
const bits128 = fc
  .tuple(
    fc.constantFrom(
      0n,
      0xffffn << 32n,
      0x20010db8n << 96n,
      (0x20010db8n << 96n) | (1n << 64n),
      0x0064ff9bn << 96n,
    ),
    fc.oneof(bits32, fc.constantFrom(0, 1, 2, 255)),
  )
  .map(([high, low]) => high | BigInt(low));

const address = fc.oneof(
  bits32.map(v4),
  bits128.map(hex),
  bits32.map((bits) => `::ffff:${v4(bits)}`),
  fc.ipV4(),
  fc.ipV6(),
);

const cidr = fc.oneof(
  fc.tuple(bits32, fc.constantFrom(0, 1, 7, 8, 24, 25, 30, 31, 32)).map(([bits, length]) => {
    const network = length === 0 ? 0 : (bits & (-1 << (32 - length))) >>> 0;
    return `${v4(network)}/${length}`;
  }),
  fc.tuple(bits128, fc.constantFrom(0, 1, 32, 64, 95, 96, 97, 104, 120, 127, 128)).map(([bits, length]) => {
    const rest = BigInt(128 - length);
    return `${hex((bits >> rest) << rest)}/${length}`;
  }),
);

const rule = fc.record({ cidr, action: fc.constantFrom("allow", "allow", "deny") });
const policies = fc.array(fc.array(rule, { maxLength: 8 }), { maxLength: 3 });

describe("an access check agrees with a naive evaluation of all rules", () => {
  test("for a policy, an edge or a route", async () => {
    await fc.assert(
      fc.asyncProperty(policies, fc.array(address, { minLength: 1, maxLength: 8 }), async (drawn, ips) => {
        const ids: string[] = [];
        const rules: Json[] = [];
        for (const some of drawn) {
          const { id } = await given.ipPolicy();
          ids.push(id);
          for (const one of some) rules.push(await create("/ip_policy_rules", { ...one, ip_policy_id: id }));
        }
        const ip_restriction = { ip_policy_ids: ids };
        const owners = [
          await given.tcpEdge({ ip_restriction }),
          await given.tlsEdge({ ip_restriction }),
          await given.route({ ip_restriction }),
        ];
        // The networks' own addresses too, because first and last addresses find more errors than random ones.
        const addresses = [...ips, ...rules.map(({ cidr }) => cidr.split("/")[0])];
        for (const ip of addresses) {
          const all =
            ids.length === 0 ? { allowed: false, reason: "no_policies", rules: [] } : judged(rules, ip);
          for (const { uri } of owners)
            expect((await get(`${uri}/access?ip=${ip}`)).body, ip).toMatchObject(all);
          for (const id of ids) {
            const own = rules.filter(({ ip_policy }) => ip_policy.id === id);
            expect((await get(`/ip_policies/${id}/access?ip=${ip}`)).body).toMatchObject(judged(own, ip));
          }
        }
      }),
      runs(40),
    );
  });

  test("and the naive evaluation matches addresses in every notation", () => {
    for (const [cidr, ip, isIn] of [
      ["0.0.0.0/0", "1.2.3.4", true],
      ["::/0", "1.2.3.4", false],
      ["0.0.0.0/0", "::", false],
      ["10.0.0.0/8", "::ffff:10.1.2.3", true],
      ["::ffff:0:0/96", "1.2.3.4", true],
      ["::ffff:0:0/95", "1.2.3.4", false],
      ["::ffff:0:0/95", "::fffe:1.2.3.4", true],
      ["::ffff:a00:0/104", "10.1.2.3", true],
      ["::ffff:a00:0/104", "11.1.2.3", false],
      ["2001:db8::/32", "2001:db8:ffff::1", true],
      ["2001:db8::/32", "2001:db9::", false],
    ] as const)
      expect(matches(cidr, ip), `${ip} in ${cidr}`).toBe(isIn);
  });
});
