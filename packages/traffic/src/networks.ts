import ipaddr from "ipaddr.js";

/** The addresses from `first` to `last`, both included, of a family whose addresses have `bits` bits. */
interface Range {
  first: bigint;
  last: bigint;
}

/** What policies say: sources that are let in, and sources that are not, whatever lets them in. */
export interface Rules {
  allow: string[];
  deny: string[];
}

const IPV4_BITS = 32;
const IPV6_BITS = 128;

/** `::ffff:0:0/96`: no client has such an address, since it is read as the IPv4 address inside (RFC 4291 §2.5.5.2). */
const MAPPED: Range = { first: 0xffff_0000_0000n, last: 0xffff_ffff_ffffn };

/**
 * The networks, in CIDR notation, of all sources that a rule of `allow` matches and no rule of `deny`. They do not overlap,
 * there are as few as possible, and they are in order, IPv4 before IPv6. None is inside `::ffff:0:0/96` or ends with it:
 * programs that read such an end as an IPv4 address would let in other sources. Undefined when there would be more than
 * `limit`.
 */
export function allowedNetworks({ allow, deny }: Rules, limit: number): string[] | undefined {
  const networks: string[] = [];
  for (const bits of [IPV4_BITS, IPV6_BITS]) {
    const left = without(merged(rangesOf(allow, bits)), merged(rangesOf(deny, bits)));
    for (const range of left) {
      for (const network of networksIn(range, bits)) {
        if (networks.length === limit) return undefined;
        networks.push(textOf(network, bits));
      }
    }
  }
  return networks;
}

/** The ranges of those rules whose family has addresses of `bits` bits. */
function rangesOf(rules: string[], bits: number): Range[] {
  return rules.flatMap((rule) => {
    if (bits === IPV6_BITS && !rule.includes(":")) return [];
    const [address = "", length = ""] = rule.split("/");
    const bytes = bytesOf(address);
    // ::ffff:0:0/96 is where IPv4 addresses are, and a shorter prefix is not inside it.
    const isMapped =
      bytes.length === 16 && Number(length) >= 96 && numberOf(bytes) >> 32n === MAPPED.first >> 32n;
    const own = isMapped ? bytes.slice(12) : bytes;
    if (own.length * 8 !== bits) return [];
    const size = 1n << BigInt(bits - (isMapped ? Number(length) - 96 : Number(length)));
    const number = numberOf(own);
    const first = number - (number % size);
    return [{ first, last: first + size - 1n }];
  });
}

/** The bytes of an address in canonical form. IPv4 by hand: ipaddr.js takes most of the time otherwise. */
const bytesOf = (address: string): number[] =>
  address.includes(":") ? ipaddr.IPv6.parse(address).toByteArray() : address.split(".").map(Number);

/** Bytes, the first the most significant, as a number. */
const numberOf = (bytes: number[]): bigint =>
  bytes.length === 4
    ? BigInt(bytes.reduce((sum, byte) => sum * 256 + byte, 0))
    : BigInt(`0x${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`);

/** The same addresses as ranges that neither overlap nor touch, in order. */
function merged(ranges: Range[]): Range[] {
  const apart: Range[] = [];
  for (const range of ranges.toSorted((a, b) => (a.first < b.first ? -1 : Number(a.first > b.first)))) {
    const before = apart.at(-1);
    if (before === undefined || range.first > before.last + 1n) apart.push({ ...range });
    else if (range.last > before.last) before.last = range.last;
  }
  return apart;
}

/** The addresses of `kept` that are not in `removed`; both are merged, and so is the result. */
function without(kept: Range[], removed: Range[]): Range[] {
  const left: Range[] = [];
  let at = 0;
  for (const { first, last } of kept) {
    let next = first;
    while (at < removed.length && endOf(removed[at]) < next) at++;
    for (let i = at; next <= last; i++) {
      const gap = removed[i];
      if (gap === undefined || gap.first > last) {
        left.push({ first: next, last });
        break;
      }
      if (gap.first > next) left.push({ first: next, last: gap.first - 1n });
      next = gap.last + 1n;
      at = i;
    }
  }
  return left;
}

const endOf = (range: Range | undefined): bigint => range?.last ?? 0n;

/** The fewest networks that make up a range, but for those that would reach into mapped addresses and end there. */
function* networksIn({ first, last }: Range, bits: number): Generator<Range> {
  let next = first;
  while (next <= last) {
    let size = next === 0n ? 1n << BigInt(bits) : next & -next;
    while (next + size - 1n > last) size >>= 1n;
    const network = { first: next, last: next + size - 1n };
    next += size;
    if (bits === IPV6_BITS && network.last >= MAPPED.first && network.last <= MAPPED.last) {
      if (network.first < MAPPED.first) {
        yield* networksIn({ first: network.first, last: MAPPED.first - 1n }, bits);
      }
    } else {
      yield network;
    }
  }
}

function textOf({ first, last }: Range, bits: number): string {
  const prefix = bits - ((last - first + 1n).toString(2).length - 1);
  if (bits === IPV4_BITS) {
    const number = Number(first);
    return `${number >>> 24}.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}/${prefix}`;
  }
  const bytes = Array.from({ length: 16 }, (_, i) => Number((first >> BigInt(120 - 8 * i)) & 255n));
  return `${new ipaddr.IPv6(bytes).toString()}/${prefix}`;
}
