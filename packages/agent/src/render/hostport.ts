import { isIP } from "node:net";

/** A parsed hostport. */
export interface Hostport {
  text: string;
  host: string;
  port: number;
  /** The host without brackets if it is an IP address. */
  address: string | undefined;
}

/** Parses `host:port` in the service's form: lower case, with an IPv6 address in brackets. */
export function parseHostport(text: string): Hostport {
  const colon = text.lastIndexOf(":");
  const host = text.slice(0, colon);
  const bare = host.startsWith("[") ? host.slice(1, -1) : host;
  return { text, host, port: Number(text.slice(colon + 1)), address: isIP(bare) === 0 ? undefined : bare };
}

/** An address in the form that goes before a port. */
export const bracketed = (address: string) => (address.includes(":") ? `[${address}]` : address);
