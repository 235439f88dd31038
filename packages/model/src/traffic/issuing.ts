/*
 * Certificates that the service orders for agents with ACME (RFC 8555): which issuer is for a host, what an agent asks for, and what it
 * is told. Keys stay on the agent's machine.
 */

/** The path of challenges, without the token (RFC 8555 §8.3). */
export const CHALLENGE_PATH = "/.well-known/acme-challenge/";

/** An issuer, as agents know it. */
export interface OfferedIssuer {
  /** Hosts that it issues for: a name, `*.` and a name for one more label, or `*` for all. */
  hosts: string[];
  /** Of its account's key (RFC 7638), in base64url: what follows the token in the answer to a challenge. */
  thumbprint: string;
}

/** The longest request for a certificate (PKCS #10), in characters of base64url. */
export const CSR_LENGTH = 2_048;

/** The longest chain that is passed on, in bytes: HAProxy reads commands of at most 15,000. */
export const CHAIN_BYTES = 12_000;

/**
 * `pending`: the order is in progress; `issued`: the chain is there; `failing`: the last attempt failed, and another follows; `paused`: no
 * attempt follows until the host, the issuer or a person changes something.
 */
export const requestStates = ["pending", "issued", "failing", "paused"] as const;

/** What an agent is told about its request. */
export interface CertificateProgress {
  state: (typeof requestStates)[number];
  /** In how many seconds the agent should repeat the same request. */
  retry_after: number;
  /** The certificate and its issuers as PEM; null until it is issued. */
  chain: string | null;
  last_error: string | null;
  /** RFC 3339: from then on, the agent should request the next certificate, with a new key. Null until the certificate is issued. */
  renews_at: string | null;
}

/** A label of a name for which certificates are issued: an A-label, without underscores (RFC 5890 §2.3.1). */
export const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const NAME = new RegExp(`^(?:${LABEL}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$`);
const LONGEST_NAME = 253;

/** Domains of names that nobody else can reach, or that have no address (RFC 6761, RFC 7686, RFC 9476). */
const SPECIAL = new Set(["localhost", "invalid", "example", "onion", "alt", "arpa"]);

/** Domains of private networks (RFC 6761, RFC 6762, RFC 8375, and ICANN's for private use): only an authority of their own issues for them. */
const PRIVATE = /(?:^|\.)(?:test|local|internal|home\.arpa)$/;

/**
 * Why no certificate is ordered for a host; undefined if one is.
 *
 * @param host in lower case, as edges have it
 * @param pattern the pattern of the issuer that fits it
 */
export function hostObjection(host: string, pattern: string): string | undefined {
  if (host.startsWith("*")) return "Certificates for wildcards are not ordered: use a file.";
  if (host.length > LONGEST_NAME || !NAME.test(host))
    return "Certificates are only ordered for DNS names of at least two labels with letters, digits and hyphens.";
  if (PRIVATE.test(host))
    return pattern === "*"
      ? "Certificates for names of private networks are only ordered from an issuer whose hosts name their domain, not from one for all hosts."
      : undefined;
  const domain = host.slice(host.lastIndexOf(".") + 1);
  return SPECIAL.has(domain)
    ? `No authority issues certificates for names that end in .${domain}.`
    : undefined;
}

/** How well a pattern fits a host: 2 for the name itself, 1 for `*.`, 0 for `*`; -1 if it does not fit. */
function fitOf(pattern: string, host: string): number {
  if (pattern === host) return 2;
  if (pattern === "*") return 0;
  return pattern.startsWith("*.") &&
    host.indexOf(".") > 0 &&
    pattern.slice(1) === host.slice(host.indexOf("."))
    ? 1
    : -1;
}

/**
 * The issuer for a host, and its pattern that fits: the most specific one; among equal ones, the first.
 *
 * @param issuers in the order of their ids
 */
export function issuerFor<Issuer extends { hosts: readonly string[] }>(
  host: string,
  issuers: readonly Issuer[],
): { issuer: Issuer; pattern: string } | undefined {
  let found: { issuer: Issuer; pattern: string } | undefined;
  let best = -1;
  for (const issuer of issuers)
    for (const pattern of issuer.hosts) {
      const fit = fitOf(pattern, host);
      if (fit > best) [found, best] = [{ issuer, pattern }, fit];
    }
  return found;
}
