import ipaddr from "ipaddr.js";
import * as z from "zod";
import { IPV6_CHARACTERS, isIpv4, plainIpv6 } from "./ip.ts";

const EXPECTED =
  "Expected an IPv4 or IPv6 address or range in CIDR notation, such as 192.0.2.0/24 or 2001:db8::/32.";

const CIDR_CHARACTERS = IPV6_CHARACTERS + "/128".length;

/**
 * An IPv4 or IPv6 range in CIDR notation (RFC 4632, RFC 4291 §2.3). An address without a length is read as /32 or /128. The
 * output is in canonical form: IPv6 is compressed and in lower case (RFC 5952). A range with host bits is rejected; the error
 * states the range without them.
 */
export const cidr = () =>
  z.string().transform((value, context) => {
    const range = parse(value);
    if (!range) {
      context.addIssue({ code: "custom", message: EXPECTED });
      return z.NEVER;
    }
    if (range.address !== range.network) {
      context.addIssue({
        code: "custom",
        message: `Host bits are set; expected ${range.network}/${range.length}.`,
      });
      return z.NEVER;
    }
    return `${range.network}/${range.length}`;
  });

function parse(value: string): { address: string; network: string; length: number } | undefined {
  if (value.length > CIDR_CHARACTERS) return undefined;
  const [, host = "", digits] = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(value) ?? [];
  const family = familyOf(host);
  if (!family) return undefined;
  const length = digits === undefined ? family.bits : Number(digits);
  if (length > family.bits) return undefined;
  return {
    address: family.ip.parse(family.host).toString(),
    network: networkAt(family, length),
    length,
  };
}

/** An address of one family. */
interface Host {
  ip: typeof ipaddr.IPv4 | typeof ipaddr.IPv6;
  bits: number;
  host: string;
}

/** The address of the network that contains a host and has a prefix of `length` bits, in canonical form. */
const networkAt = ({ ip, host }: Host, length: number): string =>
  ip.networkAddressFromCIDR(`${host}/${length}`).toString();

/** The networks that contain a host and have a prefix of at least `from` bits, in the canonical form of rules. */
const networksFrom = (family: Host, from: number): string[] =>
  Array.from({ length: family.bits - from + 1 }, (_, i) => `${networkAt(family, from + i)}/${from + i}`);

/** An address, and every network that contains it. */
export interface Address {
  /** In canonical form; an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2) as IPv4. */
  ip: string;
  /**
   * Networks of the same family, in the canonical form of {@link cidr}: 33 for an IPv4 address, and the 33 equivalent networks
   * within `::ffff:0:0/96`; 129 for an IPv6 address.
   */
  networks: string[];
}

/** A range in canonical form, one of IPv4-mapped addresses as IPv4. Undefined for any other string than {@link cidr} accepts. */
export function rangeOf(text: string): string | undefined {
  const range = parse(text);
  return range?.address === range?.network && range
    ? unmapped(`${range.network}/${range.length}`)
    : undefined;
}

/** Orders ranges: IPv4 first, then by address, wide before narrow. Any other string is its own key. */
export function sortKeyOf(text: string): string {
  if (!ipaddr.isValidCIDR(text)) return text;
  const [address, length] = ipaddr.parseCIDR(text);
  const numbers = [...address.toByteArray(), length].map((number) => String(number).padStart(3, "0"));
  return [address.kind(), ...numbers].join(".");
}

/** Reads an IPv4 or IPv6 address; undefined for any other string. */
export function addressOf(text: string): Address | undefined {
  const family = familyOf(text);
  if (!family) return undefined;
  const parsed = family.ip.parse(family.host);
  if (!("isIPv4MappedAddress" in parsed))
    return {
      ip: parsed.toString(),
      networks: [
        ...networksFrom(family, 0),
        ...networksFrom({ ...ipv6, host: parsed.toIPv4MappedAddress().toString() }, MAPPED_BITS),
      ],
    };
  if (parsed.isIPv4MappedAddress()) return addressOf(parsed.toIPv4Address().toString());
  return { ip: parsed.toString(), networks: networksFrom(family, 0) };
}

/** The prefix length of IPv4-mapped IPv6 addresses, `::ffff:0:0/96`. */
const MAPPED_BITS = 96;

const ipv4 = { ip: ipaddr.IPv4, bits: 32 };
const ipv6 = { ip: ipaddr.IPv6, bits: 128 };

const NOT_AN_ADDRESS = "Expected an IPv4 or IPv6 address, such as 192.0.2.1 or 2001:db8::1.";

/** An IPv4 or IPv6 address in a query. */
export const address = () =>
  z.string().transform((text, context) => {
    const found = addressOf(text);
    if (found) return found;
    context.addIssue({ code: "custom", message: NOT_AN_ADDRESS });
    return z.NEVER;
  });

function familyOf(host: string): Host | undefined {
  if (isIpv4(host)) return { ...ipv4, host };
  const plain = plainIpv6(host);
  return plain === undefined ? undefined : { ...ipv6, host: plain };
}

/**
 * Converts a range within `::ffff:0:0/96` to the IPv4 range; returns any other range unchanged.
 *
 * @param range in canonical form
 */
export function unmapped(range: string): string {
  if (!range.startsWith("::ffff:")) return range;
  const [address, length] = ipaddr.IPv6.parseCIDR(range);
  if (!address.isIPv4MappedAddress() || length < MAPPED_BITS) return range;
  return `${address.toIPv4Address().toString()}/${length - MAPPED_BITS}`;
}
