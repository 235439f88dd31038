import { addressBytes } from "../../../model/src/values/ip.ts";

/*
 * Networks as keys of a map. HAProxy finds the longest key that a string begins with, so a network is the leading hexadecimal digits
 * of its addresses after the family: `10.0.25.0/24` is `4/0A0019`. A prefix that ends within a digit becomes up to eight keys.
 * The family in the key keeps IPv4 and IPv6 apart. HAProxy's own comparison of addresses does not: there, `10.0.0.0/8` also
 * matches `2002:a00::1`, and `::/0` every IPv4 address.
 */

const BITS = 4;

/** The keys of networks, in order and without duplicates. @param cidrs as in a snapshot */
export const networkKeys = (cidrs: readonly string[]): string[] => [...new Set(cidrs.flatMap(prefixesOf))];

/** The leading digits of a network's addresses, after the family. */
function prefixesOf(cidr: string): string[] {
  const [address = "", length = ""] = cidr.split("/");
  const bits = Number(length);
  const isIpv6 = address.includes(":");
  const digits = addressBytes(address)
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .toUpperCase();
  const head = `${isIpv6 ? 6 : 4}/${digits.slice(0, Math.floor(bits / BITS))}`;
  const rest = bits % BITS;
  if (rest === 0) return [head];
  const count = 1 << (BITS - rest);
  const first = parseInt(digits.charAt(Math.floor(bits / BITS)), 16) & ~(count - 1);
  return Array.from({ length: count }, (_, index) => head + (first + index).toString(16).toUpperCase());
}
