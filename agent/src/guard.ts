import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";

/*
 * Whoever writes the configuration is not root on this machine: what listens here for this machine alone is no upstream.
 */

/** Never upstreams unless allowed: addresses of this host, its link, many hosts or a cloud's metadata. */
const refused: readonly [network: string, prefix: number][] = [
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
  // What a network translates to IPv4 in a way of its own (RFC 8215).
  ["64:ff9b:1::", 48],
  // Private addresses may be upstreams, of either family; these few of fd00::/8 are metadata.
  ["fd00:ec2::254", 128],
  ["fd00:42::42", 128],
  ["fd20:ce::254", 128],
];

/** IPv6 networks whose addresses hold an IPv4 address, and the first of its four bytes. */
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

const never = blockList(refused);
const carrierLists = carriers.map(([network, prefix, byte]) => ({
  list: blockList([[network, prefix]]),
  byte,
}));

/** The 16 bytes of an IPv6 address. */
function bytesOf(address: string): number[] {
  const text = new URL(`http://[${address.replace(/%.*$/, "")}]`).hostname.slice(1, -1);
  const [head = "", tail] = text.split("::");
  const groups = (part: string): string[] => (part === "" ? [] : part.split(":"));
  const [front, back] = [groups(head), groups(tail ?? "")];
  const middle = tail === undefined ? [] : Array<string>(8 - front.length - back.length).fill("0");
  return [...front, ...middle, ...back].flatMap((group) => {
    const number = parseInt(group, 16);
    return [number >> 8, number & 255];
  });
}

/** Whether upstreams may have an address, as IP literals, on this machine as it is now. */
export function upstreamGuard(
  allowed: readonly { address: string; prefix: number }[],
): (address: string) => boolean {
  const permitted = blockList(allowed.map(({ address, prefix }) => [address, prefix]));
  const own = new BlockList();
  for (const { address } of Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []))
    own.addAddress(address.replace(/%.*$/, ""), familyOf(address));

  const isAllowed = (address: string): boolean => {
    const family = familyOf(address);
    if (permitted.check(address, family)) return true;
    if (never.check(address, family) || own.check(address, family)) return false;
    if (family === "ipv4") return true;
    return carrierLists.every(({ list, byte }) => {
      if (!list.check(address, "ipv6")) return true;
      return isAllowed(
        bytesOf(address)
          .slice(byte, byte + 4)
          .join("."),
      );
    });
  };
  return (address) => isIP(address) !== 0 && isAllowed(address);
}

/** Whether edges may listen on a port. */
export const portGuard =
  (allowed: ReadonlySet<number>) =>
  (port: number): boolean =>
    port >= 1024 || port === 80 || port === 443 || allowed.has(port);
