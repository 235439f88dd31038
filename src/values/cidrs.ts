import ipaddr from "ipaddr.js";
import * as z from "zod";
import { IPV6_CHARACTERS, isIpv4, plainIpv6 } from "./ip.ts";

const EXPECTED =
  "Expected an IPv4 or IPv6 address or range in CIDR notation, such as 192.0.2.0/24 or 2001:db8::/32.";

const CIDR_CHARACTERS = IPV6_CHARACTERS + "/128".length;

/**
 * An IPv4 or IPv6 range in CIDR notation (RFC 4632, RFC 4291 §2.3). A bare address is read as /32 or /128. The output
 * is in canonical form: IPv6 compressed and in lower case (RFC 5952). Refuses a range with host bits set; the error
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
    network: family.ip.networkAddressFromCIDR(`${family.host}/${length}`).toString(),
    length,
  };
}

function familyOf(host: string) {
  if (isIpv4(host)) return { ip: ipaddr.IPv4, bits: 32, host };
  const ipv6 = plainIpv6(host);
  return ipv6 === undefined ? undefined : { ip: ipaddr.IPv6, bits: 128, host: ipv6 };
}
