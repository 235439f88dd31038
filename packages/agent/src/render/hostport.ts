import { isIP } from "node:net";

/** A hostport as it is listened on. */
export interface Hostport {
  text: string;
  host: string;
  port: number;
  /** The host, when it is an IP address: without brackets. */
  address: string | undefined;
}

/** Reads `host:port` as the service writes it: lower case, an IPv6 address in brackets. */
export function parseHostport(text: string): Hostport {
  const colon = text.lastIndexOf(":");
  const host = text.slice(0, colon);
  const bare = host.startsWith("[") ? host.slice(1, -1) : host;
  return { text, host, port: Number(text.slice(colon + 1)), address: isIP(bare) === 0 ? undefined : bare };
}

/** An address as HAProxy and URLs write it beside a port. */
export const bracketed = (address: string) => (address.includes(":") ? `[${address}]` : address);
