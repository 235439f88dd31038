import {
  contentOf,
  DER,
  type DerElement,
  dottedOid,
  elementsOf,
  extensionsOf,
  instantOfDer,
  latin1,
  MalformedDer,
  onlyIn,
} from "../../../packages/model/src/values/der.ts";

/*
 * X.509 certificates (RFC 5280). The runtime's parser, BoringSSL behind `node:crypto`, decides whether bytes are a
 * certificate, because many data planes load certificates with the same code. Fields that it does not return, or returns only as
 * human-readable text, are read here from the DER (X.690) that it accepted.
 */

/** The contents of a certificate. */
export interface Certificate {
  /** The last common name of the subject that is a string; null if there is none. */
  subject_common_name: string | null;
  /** RFC 3339, UTC, whole seconds. */
  not_before: string;
  /** RFC 3339, UTC, whole seconds. */
  not_after: string;
  /** Whether Basic Constraints mark it as an authority's certificate. */
  isAuthority: boolean;
  /** In the order of their bits; empty without the extension. */
  key_usages: KeyUsage[];
  /** In the order of the certificate; usages without a name as dotted OIDs. Empty without the extension. */
  extended_key_usages: string[];
}

/** RFC 5280 §4.2.1.3, in the order of the bits. */
export const KEY_USAGES = [
  "digital_signature",
  "content_commitment",
  "key_encipherment",
  "data_encipherment",
  "key_agreement",
  "cert_sign",
  "crl_sign",
  "encipher_only",
  "decipher_only",
] as const;

type KeyUsage = (typeof KEY_USAGES)[number];

/** RFC 5280 §4.2.1.12; for IPsec, RFC 2459 §4.2.1.13. */
const EXTENDED_KEY_USAGES: Record<string, string> = {
  "2.5.29.37.0": "any",
  "1.3.6.1.5.5.7.3.1": "server_auth",
  "1.3.6.1.5.5.7.3.2": "client_auth",
  "1.3.6.1.5.5.7.3.3": "code_signing",
  "1.3.6.1.5.5.7.3.4": "email_protection",
  "1.3.6.1.5.5.7.3.5": "ipsec_end_system",
  "1.3.6.1.5.5.7.3.6": "ipsec_tunnel",
  "1.3.6.1.5.5.7.3.7": "ipsec_user",
  "1.3.6.1.5.5.7.3.8": "time_stamping",
  "1.3.6.1.5.5.7.3.9": "ocsp_signing",
};

const COMMON_NAME = "2.5.4.3";
const BASIC_CONSTRAINTS = "2.5.29.19";
const KEY_USAGE = "2.5.29.15";
const EXTENDED_KEY_USAGE = "2.5.29.37";

/** Tags of the members of a certificate. */
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;
/** Strings with one byte per character: numeric, printable, teletex, IA5 and visible. */
const ONE_BYTE_STRINGS = new Set([0x12, 0x13, 0x14, 0x16, 0x1a]);

/**
 * Reads a certificate.
 *
 * @param bytes its DER
 * @returns undefined if the bytes are not exactly one certificate, or if its extensions are malformed
 */
export function readCertificate(bytes: Uint8Array): Certificate | undefined {
  const isUsable = parserVerdict(bytes);
  if (isUsable === undefined) return undefined;
  try {
    const certificate = read(bytes);
    // If extensions are malformed, the parser ignores them and reports that the certificate is not an authority's. It reports the
    // same for a well-formed certificate whose key may not sign certificates.
    const { isAuthority, key_usages } = certificate;
    const maySign = key_usages === undefined || key_usages.includes("cert_sign");
    if (isAuthority && maySign && !isUsable) return undefined;
    return { ...certificate, key_usages: key_usages ?? [] };
  } catch (error) {
    if (error instanceof MalformedDer) return undefined;
    throw error;
  }
}

/** Whether the parser accepts a certificate as an authority's; undefined if it is not a certificate. */
function parserVerdict(bytes: Uint8Array): boolean | undefined {
  // Loaded here, because an import would add 3 ms to every cold start.
  const { X509Certificate } = process.getBuiltinModule("node:crypto");
  try {
    return new X509Certificate(bytes).ca;
  } catch {
    // The error quotes the bytes, which may be a private key.
    return undefined;
  }
}

/** @throws MalformedDer */
function read(bytes: Uint8Array) {
  const [signed] = elementsOf(onlyIn(bytes, DER.SEQUENCE));
  const members = elementsOf(contentOf(signed, DER.SEQUENCE));
  // Only the version may be missing before them.
  const [, , , validity, subject] = members[0]?.tag === VERSION ? members.slice(1) : members;
  const [notBefore, notAfter] = elementsOf(contentOf(validity, DER.SEQUENCE));
  const list = members.find(({ tag }) => tag === EXTENSIONS);
  const extensions = extensionsOf(list ? elementsOf(onlyIn(list.content, DER.SEQUENCE)) : []);
  const constraints = extensions.get(BASIC_CONSTRAINTS);
  const usage = extensions.get(KEY_USAGE);
  const extendedUsage = extensions.get(EXTENDED_KEY_USAGE);
  return {
    subject_common_name: commonNameIn(contentOf(subject, DER.SEQUENCE)),
    not_before: instantOfDer(notBefore),
    not_after: instantOfDer(notAfter),
    isAuthority: constraints !== undefined && isAuthorityIn(constraints),
    key_usages: usage && keyUsagesIn(usage),
    extended_key_usages: extendedUsage === undefined ? [] : extendedKeyUsagesIn(extendedUsage),
  };
}

/** The last common name in a distinguished name that is a string; null if there is none or it is empty. */
function commonNameIn(name: Uint8Array): string | null {
  const names = elementsOf(name)
    .flatMap((set) => elementsOf(contentOf(set, DER.SET)))
    .map((attribute) => elementsOf(contentOf(attribute, DER.SEQUENCE)))
    .filter(([type]) => dottedOid(type) === COMMON_NAME)
    .map(([, value]) => textOf(value));
  return names.findLast((text) => text !== undefined) || null;
}

const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** The string in an element; undefined if the element is not a string. */
function textOf(element: DerElement | undefined): string | undefined {
  if (element === undefined) return undefined;
  const { tag, content: bytes } = element;
  if (tag === DER.UTF8_STRING) return utf8.decode(bytes);
  if (tag === DER.BMP_STRING) return String.fromCodePoint(...codePoints(bytes, 2));
  if (tag === DER.UNIVERSAL_STRING) return String.fromCodePoint(...codePoints(bytes, 4));
  return ONE_BYTE_STRINGS.has(tag) ? latin1(bytes) : undefined;
}

/** Big-endian numbers of `width` bytes. */
const codePoints = (bytes: Uint8Array, width: number): number[] =>
  Array.from({ length: bytes.length / width }, (_, i) =>
    bytes.subarray(i * width, (i + 1) * width).reduce((sum, byte) => sum * 256 + byte, 0),
  );

/** RFC 5280 §4.2.1.9: `cA`, false if omitted, and a path length. */
function isAuthorityIn(extension: Uint8Array): boolean {
  const members = elementsOf(onlyIn(extension, DER.SEQUENCE));
  const flag = members[0]?.tag === DER.BOOLEAN ? members.shift() : undefined;
  if (members.length > 0) contentOf(members.shift(), DER.INTEGER);
  if (members.length > 0 || (flag && flag.content.length !== 1)) throw new MalformedDer();
  return flag !== undefined && flag.content[0] !== 0;
}

function keyUsagesIn(extension: Uint8Array): KeyUsage[] {
  const [unused = 8, ...bytes] = onlyIn(extension, DER.BIT_STRING);
  if (unused > 7 || (unused > 0 && bytes.length === 0)) throw new MalformedDer();
  return KEY_USAGES.filter((_, bit) => ((bytes[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0);
}

/** @throws MalformedDer, also for an empty list (RFC 5280 §4.2.1.12) */
function extendedKeyUsagesIn(extension: Uint8Array): string[] {
  const ids = elementsOf(onlyIn(extension, DER.SEQUENCE)).map(dottedOid);
  if (ids.length === 0) throw new MalformedDer();
  return ids.map((id) => EXTENDED_KEY_USAGES[id] ?? id);
}
