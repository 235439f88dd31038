import ipaddr from "ipaddr.js";

/** `255.255.255.255` */
const IPV4_CHARACTERS = 15;
/** Eight groups, the last two replaced by a dotted tail: `ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255`. */
export const IPV6_CHARACTERS = 45;

/** An IPv6 address whose last 32 bits are written as an IPv4 address (RFC 4291 §2.2.3). */
const DOTTED_TAIL = /^(.*:)([^:]*\.[^:]*)$/;

/** True for an IPv4 address of four decimal numbers without leading zeros, which all parsers read alike. */
export const isIpv4 = (text: string): boolean =>
  // The pattern rejects everything else quickly: ipaddr.js throws and catches.
  text.length <= IPV4_CHARACTERS && /^[\d.]+$/.test(text) && ipaddr.IPv4.isValidFourPartDecimal(text);

/**
 * The IPv6 address in `text` without a dotted tail, which ipaddr.js parses too leniently (`::1.2.3.4` as the other address
 * `::ffff:1.2.3.4`, and octal, hexadecimal and zero-padded numbers). Undefined for anything that is not an IPv6 address, or
 * has a zone.
 */
export function plainIpv6(text: string): string | undefined {
  // The patterns, ours and ipaddr.js's, take time quadratic in the length.
  if (text.length > IPV6_CHARACTERS) return undefined;
  const [, head = "", tail = ""] = DOTTED_TAIL.exec(text) ?? [];
  if (tail !== "" && !isIpv4(tail)) return undefined;
  const plain = tail === "" ? text : head + hexGroups(tail);
  return !plain.includes("%") && ipaddr.IPv6.isValid(plain) ? plain : undefined;
}

/** The network of one client: an IPv4 address, or the /64 of an IPv6 address. Any other text is its own network. */
export function networkOf(address: string): string {
  const ipv6 = plainIpv6(address);
  return ipv6 === undefined ? address : ipaddr.IPv6.networkAddressFromCIDR(`${ipv6}/64`).toString();
}

/** The two groups of 16 bits for an IPv4 address at the end of an IPv6 address. */
function hexGroups(ipv4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(ipv4).octets;
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}
