import * as z from "zod";
import { canonicalAddress, isIpv4, plainIpv6 } from "./ip.ts";

/** The length of the longest hostport: a DNS name of 253 characters, a trailing dot, a colon and a port. */
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

/** True if {@link hostport} accepts the value. */
export function isHostport(value: string): boolean {
  if (value.length > HOSTPORT_CHARACTERS) return false;
  const [, host = "", port = ""] = HOST_AND_PORT.exec(value) ?? [];
  if (host === "" || Number(port) > 65_535) return false;
  if (host.startsWith("[")) return plainIpv6(host.slice(1, -1)) !== undefined;
  return isIpv4(host) || DNS_NAME.test(host);
}

/** The address and the port on which an edge listens. */
export interface ListeningPoint {
  /** A DNS name in lower case, without a trailing dot; or an address in canonical form, IPv6 in brackets. */
  host: string;
  port: number;
  /** True if the host is an address: the edge accepts traffic only at this address. `0.0.0.0` and `[::]` are every address. */
  isAddress: boolean;
}

/** The listening point of a valid {@link hostport}, in canonical form. An IPv4-mapped address becomes IPv4. */
export function listeningPoint(value: string): ListeningPoint {
  const [, host = "", digits = ""] = HOST_AND_PORT.exec(value) ?? [];
  const port = Number(digits);
  const address = canonicalAddress(host.replace(/^\[|\]$/g, ""));
  if (address === undefined) return { host: host.toLowerCase().replace(/\.$/, ""), port, isAddress: false };
  const isEverywhere = address === "::" || address === "0.0.0.0";
  return { host: address.includes(":") ? `[${address}]` : address, port, isAddress: !isEverywhere };
}
