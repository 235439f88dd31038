import { CHAIN_BYTES } from "../../packages/model/src/traffic/issuing.ts";
import {
  contentOf,
  DER,
  elementsOf,
  extensionsOf,
  instantOfDer,
  MalformedDer,
  membersOf,
  onlyIn,
} from "../../packages/model/src/values/der.ts";
import { toBase64Url } from "./base64url.ts";
import { ALTERNATIVE_NAMES, hex, isOnlyFor } from "./names.ts";

/*
 * The chain that an authority returns (RFC 8555 §9.1), which is only passed on if it is what was ordered.
 */

/** What is known of an issued certificate. Times are in milliseconds since the Unix epoch. */
export interface IssuedCertificate {
  /** PEM: the certificate, then those of its issuers. */
  chain: string;
  /** In hexadecimal, as agents report it. */
  serial: string;
  not_before: number;
  not_after: number;
  /** Identifies it for renewal information (RFC 9773 §4.1); undefined if it does not name its issuer's key. */
  renewalId: string | undefined;
}

const MOST_CERTIFICATES = 10;

/** An authority's clock can be ahead of this service's, in milliseconds. */
const CLOCK_TOLERANCE = 300_000;

/** Agents renew at most every ten minutes: a certificate that ends earlier is of no use. In milliseconds. */
const SHORTEST = 600_000;

const AUTHORITY_KEY_IDENTIFIER = "2.5.29.35";
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;
const KEY_IDENTIFIER = 0x80;

/** The leaf of a chain, and its key as SubjectPublicKeyInfo. */
interface Leaf extends Omit<IssuedCertificate, "chain"> {
  key: Uint8Array;
  isForHost: boolean;
}

/**
 * Checks a chain.
 *
 * @param pem what the authority sent
 * @param expected what was ordered: the host, and the key of the request
 * @returns the certificate, or what is wrong with it
 */
export function checkedChain(
  pem: string,
  { host, key, now }: { host: string; key: Uint8Array; now: number },
): IssuedCertificate | string {
  const certificates = certificatesIn(pem);
  const [first] = certificates;
  if (!first) return "The authority sent no certificate.";
  if (certificates.length > MOST_CERTIFICATES)
    return `The authority sent more than ${MOST_CERTIFICATES} certificates.`;
  if (!certificates.every(isCertificate)) return "The authority sent something that is not a certificate.";
  // Written again, so that nothing around the certificates is passed on.
  const chain = certificates.map(toPem).join("");
  if (chain.length > CHAIN_BYTES)
    return `The authority's chain is longer than ${CHAIN_BYTES} bytes. Agents cannot install it.`;
  const leaf = leafIn(first, host);
  if (!leaf) return "The authority's certificate is malformed.";
  const { key: own, isForHost, ...certificate } = leaf;
  if (!isForHost) return "The authority's certificate is not for exactly this host.";
  if (hex(own) !== hex(key)) return OTHER_KEY;
  if (!(certificate.not_before <= now + CLOCK_TOLERANCE && certificate.not_after > now + SHORTEST))
    return "The authority's certificate is not valid now, or not for ten minutes more.";
  return { ...certificate, chain };
}

/** What {@link checkedChain} returns for a certificate of another key. */
export const OTHER_KEY = "The authority's certificate is not for the key of the request.";

const PEM = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]*)-----END CERTIFICATE-----/g;

/** The certificates in PEM (RFC 7468), as DER. What is not base64 becomes no bytes. */
function certificatesIn(pem: string): Uint8Array[] {
  return Array.from(pem.matchAll(PEM), ([, base64 = ""]) => {
    try {
      return Uint8Array.from(atob(base64.replaceAll(/\s/g, "")), (char) => char.charCodeAt(0));
    } catch {
      return new Uint8Array();
    }
  });
}

const toPem = (der: Uint8Array): string => {
  const base64 = toBase64Url(der).replaceAll("-", "+").replaceAll("_", "/");
  const padded = base64.padEnd(Math.ceil(base64.length / 4) * 4, "=");
  return `-----BEGIN CERTIFICATE-----\n${padded.replaceAll(/.{64}(?=.)/g, "$&\n")}\n-----END CERTIFICATE-----\n`;
};

/** Whether the runtime's parser, which many proxies use too, accepts a certificate. */
function isCertificate(der: Uint8Array): boolean {
  const { X509Certificate } = process.getBuiltinModule("node:crypto");
  try {
    return new X509Certificate(der).raw.length === der.length;
  } catch {
    return false;
  }
}

/** Reads a certificate (RFC 5280 §4.1); undefined if it is malformed. */
export function leafIn(der: Uint8Array, host: string): Leaf | undefined {
  try {
    const [signed] = elementsOf(onlyIn(der, DER.SEQUENCE));
    const members = membersOf(signed);
    const [serial, , , validity, subject, key] = members[0]?.tag === VERSION ? members.slice(1) : members;
    const [notBefore, notAfter] = membersOf(validity);
    const list = members.find(({ tag }) => tag === EXTENSIONS);
    const extensions = extensionsOf(list ? elementsOf(onlyIn(list.content, DER.SEQUENCE)) : []);
    const number = contentOf(serial, DER.INTEGER);
    const identifier = extensions.get(AUTHORITY_KEY_IDENTIFIER);
    const issuerKey =
      identifier &&
      elementsOf(onlyIn(identifier, DER.SEQUENCE)).find(({ tag }) => tag === KEY_IDENTIFIER)?.content;
    if (!key) return undefined;
    return {
      // A positive number whose first bit is set has a zero before it.
      serial: hex(number[0] === 0 && number.length > 1 ? number.subarray(1) : number),
      not_before: Date.parse(instantOfDer(notBefore)),
      not_after: Date.parse(instantOfDer(notAfter)),
      renewalId: issuerKey && `${toBase64Url(issuerKey)}.${toBase64Url(number)}`,
      key: key.whole,
      isForHost: isOnlyFor(host, subject, extensions.get(ALTERNATIVE_NAMES)),
    };
  } catch (error) {
    if (error instanceof MalformedDer) return undefined;
    throw error;
  }
}
