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

/** Tags of DER elements. */
const BOOLEAN = 0x01;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OID = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const UNIVERSAL_STRING = 0x1c;
const BMP_STRING = 0x1e;
const SEQUENCE = 0x30;
const SET = 0x31;
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;
/** Strings with one byte per character: numeric, printable, teletex, IA5 and visible. */
const ONE_BYTE_STRINGS = new Set([0x12, 0x13, 0x14, 0x16, 0x1a]);

interface Element {
  tag: number;
  content: Uint8Array;
}

/** The bytes are not a certificate. */
class Malformed extends Error {}

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
    if (error instanceof Malformed) return undefined;
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

/** @throws Malformed */
function read(bytes: Uint8Array) {
  const [signed] = elementsOf(only(bytes, SEQUENCE));
  const members = elementsOf(content(signed, SEQUENCE));
  // Only the version may be missing before them.
  const [, , , validity, subject] = members[0]?.tag === VERSION ? members.slice(1) : members;
  const [notBefore, notAfter] = elementsOf(content(validity, SEQUENCE));
  const extensions = extensionsIn(members.find(({ tag }) => tag === EXTENSIONS));
  const constraints = extensions.get(BASIC_CONSTRAINTS);
  const usage = extensions.get(KEY_USAGE);
  const extendedUsage = extensions.get(EXTENDED_KEY_USAGE);
  return {
    subject_common_name: commonNameIn(content(subject, SEQUENCE)),
    not_before: timestamp(notBefore),
    not_after: timestamp(notAfter),
    isAuthority: constraints !== undefined && isAuthorityIn(constraints),
    key_usages: usage && keyUsagesIn(usage),
    extended_key_usages: extendedUsage === undefined ? [] : extendedKeyUsagesIn(extendedUsage),
  };
}

/** The sequence of elements in `bytes`. @throws Malformed */
function elementsOf(bytes: Uint8Array): Element[] {
  const elements: Element[] = [];
  let at = 0;
  while (at < bytes.length) {
    const [tag = 0, first = 0] = bytes.subarray(at, at + 2);
    const lengthBytes = bytes.subarray(at + 2, at + 2 + (first < 0x80 ? 0 : first & 0x7f));
    const length = first < 0x80 ? first : lengthBytes.reduce((sum, byte) => sum * 256 + byte, 0);
    const start = at + 2 + lengthBytes.length;
    const element = { tag, content: bytes.subarray(start, start + length) };
    // A length must have as few bytes as possible (X.690 §10.1).
    const isShortest = first < 0x80 || (length >= 0x80 && lengthBytes[0] !== 0);
    if (!isShortest || at + 2 > bytes.length || element.content.length !== length) throw new Malformed();
    elements.push(element);
    at = start + length;
  }
  return elements;
}

/** The content of an element. @throws Malformed if it has another tag */
function content(element: Element | undefined, tag: number): Uint8Array {
  if (element?.tag !== tag) throw new Malformed();
  return element.content;
}

/** The content of the only element in `bytes`. @throws Malformed */
function only(bytes: Uint8Array, tag: number): Uint8Array {
  const [element, ...others] = elementsOf(bytes);
  if (others.length > 0) throw new Malformed();
  return content(element, tag);
}

/** An object identifier as dotted numbers, which can have any size. @throws Malformed */
function dotted(element: Element | undefined): string {
  const bytes = content(element, OID);
  const groups: string[][] = [[]];
  for (const byte of bytes) {
    groups.at(-1)?.push((byte & 0x7f).toString(2).padStart(7, "0"));
    if (byte < 0x80) groups.push([]);
  }
  if (bytes.length === 0 || groups.pop()?.length !== 0) throw new Malformed();
  const [first = 0n, ...others] = groups.map((bits) => BigInt(`0b${bits.join("")}`));
  const root = first < 80n ? first / 40n : 2n;
  return [root, first - root * 40n, ...others].join(".");
}

/** @throws Malformed unless it is `YYMMDDHHMMSSZ` or `YYYYMMDDHHMMSSZ` (RFC 5280 §4.1.2.5) */
function timestamp(element: Element | undefined): string {
  if (element === undefined) throw new Malformed();
  const text = latin1(element.content);
  const century = text < "50" ? "20" : "19";
  const whole = element.tag === UTC_TIME ? century + text : text;
  if (!/^\d{14}Z$/.test(whole)) throw new Malformed();
  return whole.replace(/(....)(..)(..)(..)(..)(..)/, "$1-$2-$3T$4:$5:$6");
}

/** The last common name in a distinguished name that is a string; null if there is none or it is empty. */
function commonNameIn(name: Uint8Array): string | null {
  const names = elementsOf(name)
    .flatMap((set) => elementsOf(content(set, SET)))
    .map((attribute) => elementsOf(content(attribute, SEQUENCE)))
    .filter(([type]) => dotted(type) === COMMON_NAME)
    .map(([, value]) => textOf(value));
  return names.findLast((text) => text !== undefined) || null;
}

const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** The string in an element; undefined if the element is not a string. */
function textOf(element: Element | undefined): string | undefined {
  if (element === undefined) return undefined;
  const { tag, content: bytes } = element;
  if (tag === UTF8_STRING) return utf8.decode(bytes);
  if (tag === BMP_STRING) return String.fromCodePoint(...codePoints(bytes, 2));
  if (tag === UNIVERSAL_STRING) return String.fromCodePoint(...codePoints(bytes, 4));
  return ONE_BYTE_STRINGS.has(tag) ? latin1(bytes) : undefined;
}

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/** Big-endian numbers of `width` bytes. */
const codePoints = (bytes: Uint8Array, width: number): number[] =>
  Array.from({ length: bytes.length / width }, (_, i) =>
    bytes.subarray(i * width, (i + 1) * width).reduce((sum, byte) => sum * 256 + byte, 0),
  );

/** The values of the extensions, by their OIDs. @throws Malformed if one of them occurs twice (RFC 5280 §4.2) */
function extensionsIn(element: Element | undefined): Map<string, Uint8Array> {
  const extensions = new Map<string, Uint8Array>();
  if (element === undefined) return extensions;
  for (const extension of elementsOf(only(element.content, SEQUENCE))) {
    const members = elementsOf(content(extension, SEQUENCE));
    const id = dotted(members[0]);
    if (extensions.has(id)) throw new Malformed();
    extensions.set(id, content(members.at(-1), OCTET_STRING));
  }
  return extensions;
}

/** RFC 5280 §4.2.1.9: `cA`, false if omitted, and a path length. */
function isAuthorityIn(extension: Uint8Array): boolean {
  const members = elementsOf(only(extension, SEQUENCE));
  const flag = members[0]?.tag === BOOLEAN ? members.shift() : undefined;
  if (members.length > 0) content(members.shift(), INTEGER);
  if (members.length > 0 || (flag && flag.content.length !== 1)) throw new Malformed();
  return flag !== undefined && flag.content[0] !== 0;
}

function keyUsagesIn(extension: Uint8Array): KeyUsage[] {
  const [unused = 8, ...bytes] = only(extension, BIT_STRING);
  if (unused > 7 || (unused > 0 && bytes.length === 0)) throw new Malformed();
  return KEY_USAGES.filter((_, bit) => ((bytes[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0);
}

/** @throws Malformed, also for an empty list (RFC 5280 §4.2.1.12) */
function extendedKeyUsagesIn(extension: Uint8Array): string[] {
  const ids = elementsOf(only(extension, SEQUENCE)).map(dotted);
  if (ids.length === 0) throw new Malformed();
  return ids.map((id) => EXTENDED_KEY_USAGES[id] ?? id);
}
