import { canonicalAddress } from "../../../model/src/values/ip.ts";
import { parseHostport } from "./hostport.ts";
import type { Output } from "./output.ts";

/** The most addresses of a name that are used. */
const ADDRESSES = 8;

/**
 * The allowed addresses of a static backend, in order. A backend without any counts as an upstream that is down. The agent resolves
 * names (see `Settings.resolve`), and each address is checked separately.
 */
export function staticAddresses(id: string, hostport: string, tls: boolean, output: Output): string[] {
  const { settings } = output;
  const { host, address } = parseHostport(hostport);
  if (address !== undefined && tls) {
    output.problem(
      id,
      "upstream_tls_address",
      `${hostport} is not used: HAProxy can verify a certificate only against a host name, not against an IP address. Use the host name, or disable tls.`,
    );
    return [];
  }
  const found = address === undefined ? settings.resolve(host.replace(/\.$/, "")) : [address];
  const canonical = (found ?? []).flatMap((ip) => canonicalAddress(ip.replace(/%.*$/, "")) ?? []);
  const addresses = [...new Set(canonical)].slice(0, ADDRESSES);
  if (addresses.length === 0) {
    output.problem(
      id,
      "upstream_unresolved",
      `${hostport} is not used: the lookup of ${host} found no address. It is retried every 30 seconds.`,
    );
  }
  return addresses.filter((ip) => {
    const isAllowed = settings.isUpstreamAllowed(ip);
    if (!isAllowed) {
      output.problem(
        id,
        "upstream_refused",
        `${hostport} is not used${address === undefined ? ` at ${ip}` : ""}: this agent does not connect to loopback, link-local, multicast, reserved or metadata addresses, or to this machine's own. To allow it, start the agent with --allow-upstream ${ip}/${ip.includes(":") ? 128 : 32}.`,
      );
    }
    return isAllowed;
  });
}
