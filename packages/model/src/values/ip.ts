import ipaddr from "ipaddr.js";

/** `255.255.255.255` */
const IPV4_CHARACTERS = 15;
/** Eight groups, the last two replaced by a dotted tail: `ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255`. */
export const IPV6_CHARACTERS = 45;

/** An IPv6 address whose last 32 bits are written as an IPv4 address (RFC 4291 §2.2.3). */
const DOTTED_TAIL = /^(.*:)([^:]*\.[^:]*)$/;

/** True for four decimal numbers without leading zeros: the form of IPv4 addresses that all parsers agree on. */
export const isIpv4 = (text: string): boolean =>
  // The pattern rejects most other strings quickly; ipaddr.js throws and catches an error.
  text.length <= IPV4_CHARACTERS && /^[\d.]+$/.test(text) && ipaddr.IPv4.isValidFourPartDecimal(text);

/**
 * Rewrites the IPv6 address in `text` without a dotted tail. ipaddr.js parses these tails too leniently: it reads `::1.2.3.4` as
 * `::ffff:1.2.3.4`, and accepts octal, hexadecimal and zero-padded numbers. Undefined unless `text` is an IPv6 address without a
 * zone.
 */
export function plainIpv6(text: string): string | undefined {
  // The patterns here and in ipaddr.js take quadratic time.
  if (text.length > IPV6_CHARACTERS) return undefined;
  const [, head = "", tail = ""] = DOTTED_TAIL.exec(text) ?? [];
  if (tail !== "" && !isIpv4(tail)) return undefined;
  const plain = tail === "" ? text : head + hexGroups(tail);
  return !plain.includes("%") && ipaddr.IPv6.isValid(plain) ? plain : undefined;
}

/** The bytes of a valid address. Parses IPv4 itself, because ipaddr.js is much slower. */
export const addressBytes = (address: string): number[] =>
  address.includes(":")
    ? ipaddr.IPv6.parse(address.includes(".") ? (plainIpv6(address) ?? "::") : address).toByteArray()
    : address.split(".").map(Number);

/** An address in canonical form, an IPv4-mapped one (RFC 4291 §2.5.5.2) as IPv4; undefined for any other string. */
export function canonicalAddress(text: string): string | undefined {
  if (isIpv4(text)) return text;
  const plain = plainIpv6(text);
  if (plain === undefined) return undefined;
  const address = ipaddr.IPv6.parse(plain);
  return (address.isIPv4MappedAddress() ? address.toIPv4Address() : address).toString();
}

/** The network of one client: an IPv4 address, or the /64 of an IPv6 address. Any other string is returned unchanged. */
export function networkOf(address: string): string {
  const ipv6 = plainIpv6(address);
  return ipv6 === undefined ? address : ipaddr.IPv6.networkAddressFromCIDR(`${ipv6}/64`).toString();
}

/** Converts an IPv4 address at the end of an IPv6 address to two groups of 16 bits. */
function hexGroups(ipv4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(ipv4).octets;
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}
