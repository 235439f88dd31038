import ipaddr from "ipaddr.js";
import { isObject, parsedJson } from "../../packages/model/src/json.ts";
import { isIpv4, plainIpv6 } from "../../packages/model/src/values/ip.ts";
import { refusedUrl } from "./guarded_url.ts";
import { isFailure, type Reply, type SendContext, type SendFailure, sendFailure } from "./sender.ts";

/*
 * Looks up the addresses of hosts that callers name, so that a public name with a private address is not called. Uses DNS over
 * HTTPS in JSON, as the resolvers of Cloudflare, Google and Quad9 support it: `?name=…&type=A` returns
 * `{"Status": 0, "Answer": [{"type": 1, "data": "192.0.2.1"}]}`.
 */

const TYPES = [
  { name: "A", number: 1 },
  { name: "AAAA", number: 28 },
];

/** RFC 1035 §4.1.1: no error, and no such name. */
const ANSWERED = new Set([0, 3]);

/** The blocks of IPv6 addresses that embed an IPv4 address, and the byte at which it starts. */
const EMBEDDING = [
  // IPv4-mapped and IPv4-compatible (RFC 4291 §2.5.5), IPv4-translated (RFC 2765 §2.1)
  { block: "::ffff:0:0/96", at: 12 },
  { block: "::/96", at: 12 },
  { block: "::ffff:0:0:0/96", at: 12 },
  // NAT64 (RFC 6052 §2.1) and 6to4 (RFC 3056 §2)
  { block: "64:ff9b::/96", at: 12 },
  { block: "2002::/16", at: 2 },
];

/** The range of public addresses (RFC 4291 §2.4): all others are unassigned, local or multicast. */
const GLOBAL_UNICAST = "2000::/3";

/**
 * True for an address on the public internet. An IPv6 address that embeds an IPv4 address is public if the IPv4 address is.
 */
export function isPublic(address: string): boolean {
  if (isIpv4(address)) return ipaddr.IPv4.parse(address).range() === "unicast";
  const plain = plainIpv6(address);
  if (plain === undefined) return false;
  const ipv6 = ipaddr.IPv6.parse(plain);
  const isIn = (block: string) => ipv6.match(ipaddr.IPv6.parseCIDR(block));
  const at = EMBEDDING.find(({ block }) => isIn(block))?.at;
  const bytes = ipv6.toByteArray();
  if (at !== undefined) return isPublic(bytes.slice(at, at + 4).join("."));
  return isIn(GLOBAL_UNICAST) && ipv6.range() === "unicast";
}

/**
 * Fails unless all addresses of a host are public. Does nothing if there is no `RESOLVER`. If the resolver does not respond,
 * this is a failure too: unchecked hosts are not called.
 *
 * @param member the field of the target that names the host
 */
export async function privateHost(
  member: string,
  hostname: string,
  { call, settings: { resolver } }: SendContext,
): Promise<SendFailure | undefined> {
  if (resolver === undefined) return undefined;
  const answers = await Promise.all(
    TYPES.map(async ({ name, number }) => {
      const url = new URL(resolver);
      url.searchParams.set("name", hostname);
      url.searchParams.set("type", name);
      const reply = await call(url.href, { headers: { Accept: "application/dns-json" } });
      return isFailure(reply) ? undefined : addressesIn(reply, number);
    }),
  );
  const known = answers.filter((addresses) => addresses !== undefined);
  if (known.length < TYPES.length)
    return sendFailure(
      "retry",
      "resolver",
      "The host could not be checked: the resolver of this service did not respond.",
    );
  const addresses = known.flat();
  if (addresses.length === 0) return sendFailure("retry", "dns", `${member}: the host has no address.`);
  if (addresses.every(isPublic)) return undefined;
  return refusedUrl(member, "The host has an address that is not public. Expected only public addresses.");
}

/** The addresses in a response, which also lists aliases; undefined if the response is not a DNS answer. */
function addressesIn({ status, text }: Reply, type: number): string[] | undefined {
  if (status !== 200) return undefined;
  const body = parsedJson(text);
  if (!isObject(body) || !ANSWERED.has(Number(body["Status"] ?? Number.NaN))) return undefined;
  const records: unknown[] = Array.isArray(body["Answer"]) ? body["Answer"] : [];
  return records
    .filter(isObject)
    .flatMap((record) => (record["type"] === type ? [String(record["data"])] : []));
}
