import type { Json } from "./json.ts";

/*
 * The meaning of an IP restriction in its simplest form: every rule is evaluated. It shares no code with the service.
 */

interface Range {
  family: 4 | 6;
  bits: bigint;
  length: number;
}

const MAPPED = 0xffffn;

const known = new Map<string, Range>();

/** An IPv4 or IPv6 address or network, read once. */
function rangeOf(text: string): Range {
  const range = known.get(text) ?? read(text);
  known.set(text, range);
  return range;
}

/** An IPv4 or IPv6 address or network. IPv4 in IPv6 form counts as IPv4. */
function read(text: string): Range {
  const [host = "", length] = text.split("/");
  if (!host.includes(":")) {
    const bits = host.split(".").reduce((sum, octet) => sum * 256n + BigInt(octet), 0n);
    return { family: 4, bits, length: Number(length ?? 32) };
  }
  // The URL standard writes IPv6 addresses without a dotted tail.
  const plain = new URL(`http://[${host}]/`).hostname.slice(1, -1);
  const [head = "", tail] = plain.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const [first, last] = [groups(head), groups(tail ?? "")];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - first.length - last.length }, () => "0");
  const bits = [...first, ...zeros, ...last].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
  const prefix = Number(length ?? 128);
  if (prefix >= 96 && bits >> 32n === MAPPED)
    return { family: 4, bits: bits & 0xffff_ffffn, length: prefix - 96 };
  return { family: 6, bits, length: prefix };
}

/** True if a rule's range contains the address. Families never mix. */
export function matches(cidr: string, ip: string): boolean {
  const [range, address] = [rangeOf(cidr), rangeOf(ip)];
  if (range.family !== address.family) return false;
  const rest = BigInt((range.family === 4 ? 32 : 128) - range.length);
  return range.bits >> rest === address.bits >> rest;
}

/**
 * The result of an access check by rules.
 *
 * @param rules as responses show them, of all policies
 */
export function judged(rules: Json[], ip: string): { allowed: boolean; reason: string; rules: Json[] } {
  const matching = rules
    .filter(({ cidr }) => matches(cidr, ip))
    .toSorted((a, b) => (a["id"] > b["id"] ? -1 : 1))
    .map(({ id, uri, ip_policy, cidr, action }) => ({ id, uri, ip_policy, cidr, action }));
  const has = (action: string) => matching.some((rule) => rule.action === action);
  if (has("deny")) return { allowed: false, reason: "deny_rule", rules: matching };
  return has("allow")
    ? { allowed: true, reason: "allow_rule", rules: matching }
    : { allowed: false, reason: "no_matching_rule", rules: matching };
}
