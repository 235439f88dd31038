import { BlockList, isIP } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { addressBytes } from "../../model/src/values/ip.ts";
import { type ListenObjection } from "./render/contract.ts";
import type { Hostport } from "./render/hostport.ts";

/*
 * Editors of the configuration do not control this machine. Local services must not become upstreams, and edges must not listen
 * where local programs do.
 */

/** A network in CIDR notation. */
export interface Network {
  address: string;
  prefix: number;
}

/** Networks that upstreams must not be in unless allowed: loopback, link-local, multicast and cloud metadata. */
const forbidden: readonly [network: string, prefix: number][] = [
  ["0.0.0.0", 8],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["192.0.0.192", 32],
  ["168.63.129.16", 32],
  ["100.100.100.200", 32],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  ["::", 128],
  ["::1", 128],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
  // Translated to IPv4 in a way that each network chooses (RFC 8215).
  ["64:ff9b:1::", 48],
  // Private addresses can be upstreams in both families, but these addresses in fd00::/8 serve metadata.
  ["fd00:ec2::254", 128],
  ["fd00:42::42", 128],
  ["fd20:ce::254", 128],
];

/** IPv6 networks whose addresses contain an IPv4 address, and the index of its first byte. */
const carriers: readonly [network: string, prefix: number, byte: number][] = [
  ["::ffff:0:0", 96, 12],
  ["::ffff:0:0:0", 96, 12],
  ["::", 96, 12],
  ["64:ff9b::", 96, 12],
  ["2002::", 16, 2],
];

function blockList(networks: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, familyOf(network));
  return list;
}

const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4");

const never = blockList(forbidden);
const carrierLists = carriers.map(([network, prefix, byte]) => ({
  list: blockList([[network, prefix]]),
  byte,
}));

/** Whether an address, or an IPv4 address that it contains, is in some networks. */
function isIn(networks: BlockList, address: string): boolean {
  const family = familyOf(address);
  if (networks.check(address, family)) return true;
  return carriedBy(address).some((carried) => networks.check(carried, "ipv4"));
}

/** The IPv4 addresses that an IPv6 address can contain. */
const carriedBy = (address: string): string[] =>
  isIP(address) !== 6
    ? []
    : carrierLists
        .filter(({ list }) => list.check(address, "ipv6"))
        .map(({ byte }) =>
          addressBytes(address.replace(/%.*$/, ""))
            .slice(byte, byte + 4)
            .join("."),
        );

/** The addresses of this machine. */
export const ownAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => address.replace(/%.*$/, ""));

function ownList(): BlockList {
  const own = new BlockList();
  for (const address of ownAddresses()) own.addAddress(address, familyOf(address));
  return own;
}

/** Returns a function that checks whether an IP address can be an upstream, given this machine's current addresses. */
export function upstreamGuard(allowed: readonly Network[]): (address: string) => boolean {
  const permitted = blockList(allowed.map(({ address, prefix }) => [address, prefix]));
  const own = ownList();
  const isAllowed = (address: string): boolean => {
    const family = familyOf(address);
    if (permitted.check(address, family)) return true;
    if (never.check(address, family) || own.check(address, family)) return false;
    return carriedBy(address).every(isAllowed);
  };
  return (address) => isIP(address) !== 0 && isAllowed(address);
}

const loopback = blockList([
  ["127.0.0.0", 8],
  ["::1", 128],
]);
/** Connections to these addresses reach this machine. */
const thisMachine = blockList([
  ["0.0.0.0", 8],
  ["127.0.0.0", 8],
  ["::", 128],
  ["::1", 128],
]);

/** Whether the host of a URL is currently this machine. @param addressesOf the known addresses of a host name */
export function isThisMachine(
  host: string,
  addressesOf: (name: string) => readonly string[] | undefined,
): boolean {
  const bare = host
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
  const own = ownList();
  const isOwn = (address: string): boolean => isIn(thisMachine, address) || isIn(own, address);
  if (isIP(bare) !== 0) return isOwn(bare);
  return (
    bare === "localhost" ||
    bare.endsWith(".localhost") ||
    bare === hostname().toLowerCase() ||
    (addressesOf(bare) ?? []).some(isOwn)
  );
}

/** Addresses of edges that are allowed to listen on loopback. */
export interface AllowedListener extends Network {
  /** Undefined allows every port. */
  port?: number;
}

/**
 * Returns a function that says why edges must not listen on a hostport.
 *
 * - Not on the service's port if the service is on this machine. If the service is down for a moment, an edge could otherwise take
 *   the port and answer the agent in its place. A hostport with a name or a wildcard address listens on every address, so the
 *   port is reserved on all of them.
 * - Not on the ports of the metrics of the agent and of HAProxy.
 * - Not on loopback, where only local programs listen, unless the operator names the hostport.
 * - Not on a port below 1024, other than 80, 443 and those that are allowed.
 */
export function listenerGuard({
  servicePort,
  metricsPorts = [],
  allowPorts,
  allowListen,
  only,
}: {
  /** Undefined if the service is not on this machine. */
  servicePort: number | undefined;
  metricsPorts?: readonly number[];
  allowPorts: ReadonlySet<number>;
  allowListen: readonly AllowedListener[];
  only: ReadonlySet<string>;
}): (hostport: Hostport) => ListenObjection | undefined {
  const allowed = allowListen.map(({ address, prefix, port }) => ({
    networks: blockList([[address, prefix]]),
    port,
  }));
  const isAllowed = (address: string, { text, port }: Hostport): boolean =>
    only.has(text) ||
    allowed.some((one) => (one.port ?? port) === port && one.networks.check(address, familyOf(address)));
  return (hostport) => {
    const { text, port, address } = hostport;
    if (port === servicePort)
      return {
        code: "service_port",
        msg: `${text} is not served: the service itself is on this machine and uses port ${port}. Use another port.`,
      };
    if (metricsPorts.includes(port))
      return {
        code: "metrics_port",
        msg: `${text} is not served: this agent has its metrics on port ${port}. Use another port, or another one for --metrics and --haproxy-metrics.`,
      };
    if (address !== undefined && isIn(loopback, address) && !isAllowed(address, hostport))
      return {
        code: "loopback_refused",
        msg: `${text} is not served: this agent does not listen on loopback addresses. Use another address, or start the agent with --allow-listen ${text}.`,
      };
    if (port >= 1024 || port === 80 || port === 443 || allowPorts.has(port)) return undefined;
    return {
      code: "port_refused",
      msg: `${text} is not served: this agent is not allowed to listen on port ${port}. Use another port, or start the agent with --allow-port ${port}.`,
    };
  };
}
