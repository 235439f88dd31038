import * as z from "zod";
import { isIpv4, plainIpv6 } from "./ip.ts";

/** The longest hostport has a DNS name of 253 characters with a trailing dot. */
const HOSTPORT_CHARACTERS = 254 + ":65535".length;

const HOST_AND_PORT = /^(\[[^\]]+\]|[^:[\]]+):([1-9]\d{0,4})$/;

/** RFC 1123 §2.1, and underscores, which DNS names may contain (RFC 8552). The last label is not all digits. */
const DNS_NAME = /^(?=.{1,253}\.?$)(?:[\w](?:[\w-]{0,61}[\w])?\.)*(?!\d+\.?$)[\w](?:[\w-]{0,61}[\w])?\.?$/;

/** `host:port`: a DNS name, an IPv4 address or an IPv6 address in brackets, and a port from 1 to 65535. */
export const hostport = () =>
  z
    .string()
    .refine(
      isHostport,
      'Expected "host:port": a DNS name, an IPv4 address or an IPv6 address in brackets, and a port from 1 to 65535.',
    );

function isHostport(value: string): boolean {
  if (value.length > HOSTPORT_CHARACTERS) return false;
  const [, host = "", port = ""] = HOST_AND_PORT.exec(value) ?? [];
  if (host === "" || Number(port) > 65_535) return false;
  if (host.startsWith("[")) return plainIpv6(host.slice(1, -1)) !== undefined;
  return isIpv4(host) || DNS_NAME.test(host);
}
