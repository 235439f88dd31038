import topLevelDomains from "tlds" with { type: "json" };
import { isIpv4 } from "../../packages/model/src/values/ip.ts";
import { byteLength, nonEmpty } from "../../packages/model/src/values/request_schemas.ts";
import { lazy } from "../db/statements.ts";
import { type SendFailure, sendFailure } from "./sender.ts";

/*
 * Decides which URLs given by callers can be called: only those of public hosts, so that callers cannot reach the operator's
 * network through this service (server-side request forgery). Checked when a URL is written, and before every request to it.
 */

/** The longest URL, in bytes. */
const URL_BYTES = 2_048;

/** Ports below this one usually belong to other services; only 443 is HTTPS. */
const FIRST_FREE_PORT = 1_024;

/**
 * The top-level domains of public DNS, as IANA lists them, as `URL` writes them. Private networks, container engines and clusters use
 * others for their own hosts. `arpa` has no hosts for callers, only `home.arpa` and reverse lookups.
 */
const publicDomains = lazy(
  () =>
    new Set(
      topLevelDomains.filter((name) => name !== "arpa").map((name) => new URL(`https://${name}`).hostname),
    ),
);

const LOCALHOST = /^(?:.*\.)?localhost$/;

/** RFC 1123 §2.1, and underscores (RFC 8552), as `URL` writes names: in lower case, in Punycode. */
const DNS_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** A URL whose form is acceptable, or the problem with it. */
export type CheckedUrl = { url: URL; problem?: never } | { url?: never; problem: string };

/**
 * Checks the form of a URL: `https`, no user name, no fragment, port 443 or one from 1024 on, and a DNS name as host. `URL`
 * normalizes addresses in decimal, octal, hexadecimal and shortened form, so none of them passes as a name.
 *
 * @returns the URL, or a sentence on what is expected, which does not quote it
 */
export function checkedUrl(text: string): CheckedUrl {
  if (byteLength(text, URL_BYTES) > URL_BYTES) return { problem: `Longer than ${URL_BYTES} bytes in UTF-8.` };
  // `URL` removes tabs and line breaks, and reads backslashes as slashes. Other parsers might not.
  if (/[\s\p{Cc}\\]/u.test(text))
    return { problem: "Expected a URL without white space, control characters or backslashes." };
  // `URL` skips extra slashes before the host, and drops an empty user name. Other parsers might not.
  const [, authority] = /^https:\/\/([^/?#]+)/i.exec(text) ?? [];
  if (authority === undefined || !URL.canParse(text))
    return { problem: "Expected an https URL, such as https://service.example.com/path." };
  const url = new URL(text);
  if (authority.includes("@"))
    return { problem: "Leave out the user name and the password: they are not sent." };
  if (text.includes("#"))
    return { problem: "Leave out the # and what follows it: a fragment is never sent." };
  if (url.port !== "" && Number(url.port) < FIRST_FREE_PORT)
    return { problem: `Expected port 443, or a port from ${FIRST_FREE_PORT} on.` };
  const problem = nameProblem(url.hostname);
  return problem === undefined ? { url } : { problem };
}

/** A URL in a request that the service will call. Its host is checked when the URL is stored: that depends on the operator's settings. */
export const publicUrl = () =>
  nonEmpty()
    .superRefine((text, context) => {
      const { problem } = checkedUrl(text);
      if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
    })
    .meta({ maxLength: URL_BYTES });

/** The problem with a host that must be a DNS name other than `localhost`; undefined if there is none. */
export function nameProblem(hostname: string): string | undefined {
  if (hostname.startsWith("[") || isIpv4(hostname))
    return "Expected a DNS name as host, such as service.example.com, not an IP address.";
  if (LOCALHOST.test(hostname)) return "Expected a public host, not localhost.";
  return DNS_NAME.test(hostname)
    ? undefined
    : "Expected a DNS name as host, such as service.example.com, without a final dot.";
}

/**
 * The problem with the host of a webhook, which any caller can name; undefined if there is none.
 *
 * @param allowed hosts that the operator allows: `ALLOWED_TARGET_HOSTS`
 * @param own the hosts of this service
 */
export function hostProblem(hostname: string, allowed: string[], own: string[]): string | undefined {
  if (own.includes(hostname)) return "Expected a host other than this service's.";
  if (allowed.includes(hostname)) return undefined;
  if (!hostname.includes("."))
    return "Expected a host with a domain, such as service.example.com. Other hosts must be in ALLOWED_TARGET_HOSTS.";
  const domain = hostname.slice(hostname.lastIndexOf(".") + 1);
  return publicDomains().has(domain)
    ? undefined
    : `Expected a public host: .${domain} is not a top-level domain of public DNS. Other hosts must be in ALLOWED_TARGET_HOSTS.`;
}

/** The failure for a URL or a host that may not be called. */
export const refusedUrl = (member: string, problem: string): SendFailure =>
  sendFailure("configuration", "refused_url", `${member}: ${problem}`);
