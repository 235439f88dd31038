import ipaddr from "ipaddr.js";
import { addressBytes } from "../values/ip.ts";

/** The addresses of one family from `first` to `last`, inclusive. */
export interface Range {
  first: bigint;
  last: bigint;
}

/** The CIDRs of policies. A denied source is not let in, even if another rule allows it. */
export interface CidrRules {
  allow: string[];
  deny: string[];
}

const IPV4_BITS = 32;
const IPV6_BITS = 128;

/** `::ffff:0:0/96`: clients never have such an address, because it is read as an IPv4 address (RFC 4291 §2.5.5.2). */
const MAPPED: Range = { first: 0xffff_0000_0000n, last: 0xffff_ffff_ffffn };

/** Families of addresses, by the number of bits of an address. */
export const FAMILIES = [IPV4_BITS, IPV6_BITS] as const;
export type Family = (typeof FAMILIES)[number];

/** A set of source addresses: for each family, ranges in order that neither overlap nor touch. */
export type Sources = Record<Family, Range[]>;

const allOf = (bits: number): Range => ({ first: 0n, last: (1n << BigInt(bits)) - 1n });
const each = (make: (bits: Family) => Range[]): Sources => ({ 32: make(32), 128: make(128) });

/** Every address. */
export const everyone: Sources = each((bits) => [allOf(bits)]);

/** No address. */
export const nobody: Sources = each(() => []);

/** The sources that a rule of `allow` matches and no rule of `deny` does. */
export const sourcesOf = ({ allow, deny }: CidrRules): Sources =>
  each((bits) => without(merged(rangesOf(allow, bits)), merged(rangesOf(deny, bits))));

/** The sources in `kept` that are not in `removed`. */
export const difference = (kept: Sources, removed: Sources): Sources =>
  each((bits) => without(kept[bits], removed[bits]));

/** The sources in `kept` that are not in `removed`, apart from those that no client has. */
export function differenceForClients(kept: Sources, removed: Sources): Sources {
  const { 32: ipv4, 128: ipv6 } = difference(kept, removed);
  return { 32: ipv4, 128: ipv6.filter(({ first, last }) => first < MAPPED.first || last > MAPPED.last) };
}

/** How many addresses of a family clients can have. */
export const clientAddresses = (bits: Family): bigint =>
  (1n << BigInt(bits)) - (bits === IPV6_BITS ? MAPPED.last - MAPPED.first + 1n : 0n);

/** The sources in both sets. */
export const intersection = (a: Sources, b: Sources): Sources => each((bits) => common(a[bits], b[bits]));

/** The sources in any of some ranges, which can overlap and be in any order. */
export const unionOf = (ranges: Sources): Sources => each((bits) => merged(ranges[bits]));

/** True for a set without any address. */
export const isEmpty = (sources: Sources): boolean => FAMILIES.every((bits) => sources[bits].length === 0);

/** The number of addresses of each family. */
export const countOf = (sources: Sources): { ipv4: bigint; ipv6: bigint } => {
  const count = (ranges: Range[]) => ranges.reduce((sum, { first, last }) => sum + last - first + 1n, 0n);
  return { ipv4: count(sources[IPV4_BITS]), ipv6: count(sources[IPV6_BITS]) };
};

/**
 * The fewest networks, in CIDR notation, that cover a set of sources. They do not overlap, and they are in order, IPv4 before
 * IPv6. None is inside `::ffff:0:0/96` or ends with it, because programs that read such an end as an IPv4 address would let in
 * other sources.
 */
export function* networksOf(sources: Sources): Generator<string> {
  for (const bits of FAMILIES)
    for (const range of sources[bits])
      for (const network of networksIn(range, bits)) yield textOf(network, bits);
}

/**
 * The largest of the networks of a set, in CIDR notation: the largest first, and equal ones in order of their addresses. A network is as
 * large as its share of all addresses of its family. Only as many ranges are divided into networks as networks are wanted, because a range
 * can be hundreds of networks.
 */
export function largestNetworks(sources: Sources, most: number): { networks: string[]; isMore: boolean } {
  const ranges = FAMILIES.flatMap((bits) =>
    sources[bits].map((range) => ({ range, bits, prefix: prefixOf(largestIn(range), bits) })),
  );
  const networks = ranges
    .toSorted((a, b) => a.prefix - b.prefix)
    .slice(0, most)
    .flatMap(({ range, bits }) =>
      Array.from(networksIn(range, bits), (network) => ({
        network,
        bits,
        prefix: prefixOf(sizeOf(network), bits),
      })),
    )
    .toSorted(
      (a, b) => a.prefix - b.prefix || a.bits - b.bits || (a.network.first < b.network.first ? -1 : 1),
    );
  return {
    networks: networks.slice(0, most).map(({ network, bits }) => textOf(network, bits)),
    isMore: ranges.length > most || networks.length > most,
  };
}

const sizeOf = ({ first, last }: Range): bigint => last - first + 1n;

/** The length of the prefix of networks with so many addresses, a power of two. */
const prefixOf = (size: bigint, bits: number): number => bits - (size.toString(2).length - 1);

/** The number of addresses of the largest network in a range. */
function largestIn(range: Range): bigint {
  // The largest power of two that is not more than the size of the range, or half of it if no such network begins early enough.
  const size = 1n << BigInt(sizeOf(range).toString(2).length - 1);
  const first = ((range.first + size - 1n) / size) * size;
  return first + size - 1n <= range.last ? size : size >> 1n;
}

/** The networks of the sources that rules allow: see {@link networksOf}. Undefined if there are more than `limit`. */
export function allowedNetworks(rules: CidrRules, limit: number): string[] | undefined {
  const networks: string[] = [];
  for (const network of networksOf(sourcesOf(rules))) {
    if (networks.length === limit) return undefined;
    networks.push(network);
  }
  return networks;
}

/** The ranges of the rules of one family: the one whose addresses have `bits` bits. */
function rangesOf(rules: string[], bits: Family): Range[] {
  return rules.flatMap((rule) => {
    if (bits === IPV6_BITS && !rule.includes(":")) return [];
    const { family, ...range } = rangeIn(rule);
    return family === bits ? [range] : [];
  });
}

/** The range of a rule, and its family. A network inside `::ffff:0:0/96` is one of IPv4. @param rule in CIDR notation */
export function rangeIn(rule: string): Range & { family: Family } {
  const [address = "", length = ""] = rule.split("/");
  const bytes = addressBytes(address);
  // IPv4 addresses are in ::ffff:0:0/96. A network with a shorter prefix is not inside it.
  const isMapped =
    bytes.length === 16 && Number(length) >= 96 && numberOf(bytes) >> 32n === MAPPED.first >> 32n;
  const own = isMapped ? bytes.slice(12) : bytes;
  const family = own.length === 4 ? IPV4_BITS : IPV6_BITS;
  const size = 1n << BigInt(family - (isMapped ? Number(length) - 96 : Number(length)));
  const number = numberOf(own);
  const first = number - (number % size);
  return { first, last: first + size - 1n, family };
}

/** Big-endian bytes as a number. */
const numberOf = (bytes: number[]): bigint =>
  bytes.length === 4
    ? BigInt(bytes.reduce((sum, byte) => sum * 256 + byte, 0))
    : BigInt(`0x${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`);

/** The addresses that are in both. Expects and returns merged ranges. */
function common(a: Range[], b: Range[]): Range[] {
  const both: Range[] = [];
  for (let i = 0, j = 0; ;) {
    const [one, other] = [a[i], b[j]];
    if (one === undefined || other === undefined) return both;
    const first = one.first > other.first ? one.first : other.first;
    const last = one.last < other.last ? one.last : other.last;
    if (first <= last) both.push({ first, last });
    if (one.last < other.last) i++;
    else j++;
  }
}

/** The same addresses as ranges in order that neither overlap nor touch. */
function merged(ranges: Range[]): Range[] {
  const apart: Range[] = [];
  for (const range of ranges.toSorted((a, b) => (a.first < b.first ? -1 : Number(a.first > b.first)))) {
    const before = apart.at(-1);
    if (before === undefined || range.first > before.last + 1n) apart.push({ ...range });
    else if (range.last > before.last) before.last = range.last;
  }
  return apart;
}

/** The addresses of `kept` that are not in `removed`. Expects and returns merged ranges. */
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

/** The fewest networks that cover a range, without a network that ends among the mapped addresses. */
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
  const prefix = prefixOf(last - first + 1n, bits);
  if (bits === IPV4_BITS) {
    const number = Number(first);
    return `${number >>> 24}.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}/${prefix}`;
  }
  const bytes = Array.from({ length: 16 }, (_, i) => Number((first >> BigInt(120 - 8 * i)) & 255n));
  return `${new ipaddr.IPv6(bytes).toString()}/${prefix}`;
}
