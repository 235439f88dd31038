import ipaddr from "ipaddr.js";
import { isIpv4, plainIpv6 } from "../../../model/src/values/ip.ts";

/*
 * Networks as ranges of numbers, and lists of rules as people write them.
 */

/** A network: its family, its first and last address. */
export interface NetworkRange {
  family: 4 | 6;
  first: bigint;
  last: bigint;
}

const numberOf = (bytes: number[]): bigint => bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);

/** The range of a CIDR or an address, as the service reads it; undefined if it is neither. */
export function networkOf(text: string): NetworkRange | undefined {
  const [address = "", prefix, ...rest] = text.split("/");
  const plain = isIpv4(address) ? address : plainIpv6(address);
  if (
    plain === undefined ||
    rest.length > 0 ||
    (prefix !== undefined && !/^(?:0|[1-9]\d{0,2})$/.test(prefix))
  )
    return undefined;
  const parsed = ipaddr.parse(plain);
  const family = parsed.kind() === "ipv4" ? 4 : 6;
  const bits = family === 4 ? 32 : 128;
  const length = prefix === undefined ? bits : Number(prefix);
  if (length > bits) return undefined;
  const size = 1n << BigInt(bits - length);
  const number = numberOf(parsed.toByteArray());
  const first = number - (number % size);
  return { family, first, last: first + size - 1n };
}

/** True if `outer` contains `inner`. */
export const contains = (outer: NetworkRange, inner: NetworkRange): boolean =>
  outer.family === inner.family && outer.first <= inner.first && outer.last >= inner.last;

/** The number of addresses in a network. */
export const sizeOf = ({ first, last }: NetworkRange): bigint => last - first + 1n;

/** The canonical form of a CIDR, or an error message without a full stop. */
export function canonicalCidr(text: string): { cidr: string } | { error: string } {
  const network = networkOf(text);
  if (!network)
    return {
      error: `${text === "" ? "An empty field" : `“${text}”`} is not a network, such as 203.0.113.0/24`,
    };
  const [address = "", prefix = network.family === 4 ? "32" : "128"] = text.split("/");
  const parsed = ipaddr.parse(plainIpv6(address) ?? address);
  if (numberOf(parsed.toByteArray()) !== network.first) {
    const family = network.family === 4 ? ipaddr.IPv4 : ipaddr.IPv6;
    const right = `${family.networkAddressFromCIDR(`${parsed.toString()}/${prefix}`).toString()}/${prefix}`;
    return { error: `${text} has address bits after /${prefix}; use ${right} or ${parsed.toString()}` };
  }
  return { cidr: `${parsed.toString()}/${Number(prefix)}` };
}

/** A rule as `PUT …/rules` takes it. */
export interface RuleInput {
  cidr: string;
  action: "allow" | "deny";
  description?: string;
  metadata?: string;
  expires_at?: string;
}

/** What a list of rules says: the rules, and its lines with errors. */
export interface Parsed {
  rules: RuleInput[];
  errors: { line: number; msg: string }[];
}

/** The most bytes of a description (spec, IP policy rules). */
const DESCRIPTION_BYTES = 255;

/**
 * Reads one rule per line: `CIDR[,allow|deny[,description]]`. `#` starts a comment.
 *
 * @param action the action of lines that do not contain one
 */
export function parseRules(text: string, action: RuleInput["action"]): Parsed {
  const parsed: Parsed = { rules: [], errors: [] };
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const content = line.replace(/(^|\s)#.*$/, "").trim();
    if (content === "") continue;
    const [network = "", given = "", ...rest] = content.split(",").map((part) => part.trim());
    const found = canonicalCidr(network);
    const fault = (msg: string): unknown => parsed.errors.push({ line: index + 1, msg });
    if ("error" in found) fault(found.error);
    else {
      const own = given.toLowerCase();
      const description = rest.join(", ");
      if (own !== "" && own !== "allow" && own !== "deny") fault(`“${given}” is neither allow nor deny`);
      else if (new TextEncoder().encode(description).length > DESCRIPTION_BYTES)
        fault(`The description is longer than ${DESCRIPTION_BYTES} bytes`);
      else {
        const rule = { cidr: found.cidr, action: own || action };
        parsed.rules.push(description === "" ? rule : { ...rule, description });
      }
    }
  }
  return parsed;
}
