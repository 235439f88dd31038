import { isIpv4 } from "../values/ip.ts";
import { byteLength } from "../values/members.ts";
import type { SendError } from "./sender.ts";

/*
 * Which URLs of callers are called: those of public hosts, so that nobody reaches the operator's own network through this
 * service (server-side request forgery). Checked when a URL is written, and again at every request to it.
 */

/** Bytes of the longest URL of a webhook. */
export const URL_BYTES = 2_048;

/** Ports below this one are other services, as a rule; only 443 is HTTPS. */
const FIRST_FREE_PORT = 1_024;

/**
 * Top-level domains that the public DNS never resolves: a network may resolve them to hosts of its own. Special-use names
 * (RFC 6761 and its registry at IANA), names of private networks (RFC 6762, appendix G), and those that ICANN will not
 * delegate. `arpa` has no hosts for callers, only `home.arpa` and reverse lookups.
 */
const LOCAL_DOMAINS = new Set(
  "alt arpa example internal invalid local localhost onion test corp home intranet lan localdomain mail private".split(
    " ",
  ),
);

const LOCALHOST = /^(?:.*\.)?localhost$/;

/** RFC 1123 §2.1, and underscores (RFC 8552), as `URL` writes names: in lower case, in Punycode. */
const DNS_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** A URL that may be called as far as its form goes, or what is wrong with it. */
export type CheckedUrl = { url: URL; problem?: never } | { url?: never; problem: string };

/**
 * Checks the form of a URL: `https`, no user name, no fragment, port 443 or one from 1024 on, and a DNS name as host. `URL`
 * writes addresses in decimal, octal, hexadecimal and shortened form as plain ones, so none of them passes as a name.
 *
 * @returns the URL, or what would be right, in a sentence that does not quote it
 */
export function checkedUrl(text: string): CheckedUrl {
  if (byteLength(text, URL_BYTES) > URL_BYTES) return { problem: `Longer than ${URL_BYTES} bytes in UTF-8.` };
  // `URL` removes tabs and line ends, and reads backslashes as slashes: others might read the text in another way.
  if (/[\s\p{Cc}\\]/u.test(text))
    return { problem: "Expected a URL without white space, control characters and backslashes." };
  // `URL` skips further slashes before the host, and drops an empty user name: others might not.
  const [, authority] = /^https:\/\/([^/?#]+)/i.exec(text) ?? [];
  if (authority === undefined || !URL.canParse(text))
    return { problem: "Expected an https URL, such as https://hooks.example.com/edge." };
  const url = new URL(text);
  if (authority.includes("@"))
    return { problem: "Leave out the user name and the password: they are not sent." };
  if (text.includes("#"))
    return { problem: "Leave out the # and what follows it: a fragment is never sent." };
  if (url.port !== "" && Number(url.port) < FIRST_FREE_PORT)
    return { problem: `Expected port 443, or one from ${FIRST_FREE_PORT} on.` };
  const problem = nameProblem(url.hostname);
  return problem === undefined ? { url } : { problem };
}

/** What is wrong with a host that must be a DNS name other than `localhost`; undefined if nothing is. */
export function nameProblem(hostname: string): string | undefined {
  if (hostname.startsWith("[") || isIpv4(hostname))
    return "Expected a DNS name as host, such as hooks.example.com, and no IP address.";
  if (LOCALHOST.test(hostname)) return "Expected a public host, not localhost.";
  return DNS_NAME.test(hostname)
    ? undefined
    : "Expected a DNS name as host, such as hooks.example.com, without a final dot.";
}

/**
 * What is wrong with the host of a webhook as one that anybody may name; undefined if nothing is.
 *
 * @param allowed hosts that the operator allows: `ALLOWED_TARGET_HOSTS`
 * @param own hosts at which this service is reached
 */
export function hostProblem(hostname: string, allowed: string[], own: string[]): string | undefined {
  if (own.includes(hostname)) return "Expected another host than that of this service.";
  if (allowed.includes(hostname)) return undefined;
  if (!hostname.includes("."))
    return "Expected a host with a domain, such as hooks.example.com. Others have to be in ALLOWED_TARGET_HOSTS.";
  const domain = hostname.slice(hostname.lastIndexOf(".") + 1);
  return LOCAL_DOMAINS.has(domain)
    ? `Expected a public host: names that end in .${domain} have to be in ALLOWED_TARGET_HOSTS.`
    : undefined;
}

/** The error for a URL or a host that may not be called. */
export const refusedUrl = (member: string, problem: string): SendError => ({
  code: "refused_url",
  status: null,
  msg: `${member}: ${problem}`,
});
