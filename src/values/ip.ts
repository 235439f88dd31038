import ipaddr from "ipaddr.js";

/** `255.255.255.255` */
const IPV4_CHARACTERS = 15;
/** Eight groups, of which a dotted tail takes the place of two: `ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255`. */
export const IPV6_CHARACTERS = 45;

/** An IPv6 address whose last 32 bits are written as an IPv4 address (RFC 4291 §2.2.3). */
const DOTTED_TAIL = /^(.*:)([^:]*\.[^:]*)$/;

/** True for an IPv4 address of four decimal numbers without leading zeros, which all readers understand alike. */
export const isIpv4 = (text: string): boolean =>
  // What is no number is told at once: ipaddr.js throws and catches.
  text.length <= IPV4_CHARACTERS && /^[\d.]+$/.test(text) && ipaddr.IPv4.isValidFourPartDecimal(text);

/**
 * The IPv6 address in `text` without a dotted tail, which ipaddr.js reads too freely (`::1.2.3.4` as the other
 * address `::ffff:1.2.3.4`, and octal, hexadecimal and zero-padded numbers). Undefined for anything that is no IPv6
 * address, one with a zone included.
 */
export function plainIpv6(text: string): string | undefined {
  // The patterns, ours and ipaddr.js's, take the square of the length.
  if (text.length > IPV6_CHARACTERS) return undefined;
  const [, head = "", tail = ""] = DOTTED_TAIL.exec(text) ?? [];
  if (tail !== "" && !isIpv4(tail)) return undefined;
  const plain = tail === "" ? text : head + hexGroups(tail);
  return !plain.includes("%") && ipaddr.IPv6.isValid(plain) ? plain : undefined;
}

/** What one client has of addresses: an IPv4 address, or the /64 of an IPv6 address. Any other text is its own network. */
export function networkOf(address: string): string {
  const ipv6 = plainIpv6(address);
  return ipv6 === undefined ? address : ipaddr.IPv6.networkAddressFromCIDR(`${ipv6}/64`).toString();
}

/** The two groups of 16 bits that an IPv4 address is as the tail of an IPv6 address. */
function hexGroups(ipv4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(ipv4).octets;
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}
