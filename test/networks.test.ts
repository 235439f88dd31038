import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalCidr, networkOf, parseRules } from "../packages/console/src/base/networks.ts";
import { cidr } from "../packages/model/src/values/cidrs.ts";

/*
 * The console reads networks exactly as the service does, so that input never becomes another network.
 */

test.each([
  "010.0.0.0/8",
  "192.168.10",
  "0x0a.0.0.1",
  "10.0.1.010",
  "10.0.0.0/08",
  "10.0.0.0/33",
  "fe80::1%eth0",
  "1",
  "",
])("%j is no network", (text) => {
  expect(networkOf(text)).toBeUndefined();
  expect(cidr().safeParse(text).success).toBe(false);
});

test.each([
  ["203.0.113.5/24", "203.0.113.5/24 has address bits after /24; use 203.0.113.0/24 or 203.0.113.5"],
  ["2001:DB8:0::5/32", "2001:DB8:0::5/32 has address bits after /32; use 2001:db8::/32 or 2001:db8::5"],
])("the error message for %s suggests what is right", (text, error) => {
  expect(canonicalCidr(text)).toEqual({ error });
});

test("the suggestions for a network with address bits are the network and the address, as the service accepts them", () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(128), (address, length) => {
      const found = canonicalCidr(`${address}/${length}`);
      const [, network = "", alone = ""] =
        ("error" in found && /; use (\S+) or (\S+)$/.exec(found.error)) || [];
      fc.pre(network !== "");
      expect(cidr().safeParse(network).data).toBe(network);
      expect(networkOf(network)).toEqual(networkOf(`${address}/${length}`));
      expect(networkOf(alone)).toEqual(networkOf(address));
      expect(cidr().safeParse(alone).success).toBe(true);
    }),
  );
});

describe("lines of rules are read as the service reads networks", () => {
  const part = fc.constantFrom(
    "0",
    "1",
    "10",
    "010",
    "0x0a",
    "255",
    "256",
    "::",
    "ffff",
    ".",
    ":",
    "/",
    "/0",
    "/8",
    "/032",
    "/128",
  );
  test("and are canonical", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.ipV4(),
          fc.ipV6(),
          fc.array(part, { maxLength: 8 }).map((parts) => parts.join("")),
          fc.ipV4().map((ip) => `::ffff:${ip}`),
        ),
        fc.option(
          fc.nat(128).map((length) => `/${length}`),
          { nil: "" },
        ),
        (address, length) => {
          const text = address + length;
          const { rules } = parseRules(text, "allow");
          const known = cidr().safeParse(text);
          expect(rules.map((rule) => rule.cidr)).toEqual(known.success ? [known.data] : []);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

test("an action is read in any case, and a text that is no action is not taken for a description", () => {
  const actionsOf = (text: string) => parseRules(text, "allow").rules.map(({ action }) => action);
  expect(actionsOf("10.9.9.9, Deny, bad guys\n10.9.9.8\n10.9.9.7, ALLOW")).toEqual([
    "deny",
    "allow",
    "allow",
  ]);
  const { rules, errors } = parseRules("10.9.9.10, dney\n10.9.9.11, Porto office", "allow");
  expect([rules, errors.map(({ line }) => line)]).toEqual([[], [1, 2]]);
});

test("a description that the service would reject is an error in its line", () => {
  const longest = "é".repeat(127);
  expect(parseRules(`10.0.0.0/8, allow, ${longest}x`, "allow").errors).toEqual([]);
  expect(parseRules(`10.0.0.0/8, allow, ${longest}xx`, "allow").errors).toMatchObject([{ line: 1 }]);
});
