import {
  contentOf,
  DER,
  type DerElement,
  dottedOid,
  latin1,
  MalformedDer,
  membersOf,
  onlyIn,
  elementsOf,
} from "../../packages/model/src/values/der.ts";

/*
 * What certificates (RFC 5280) and requests for them (RFC 2986) have in common: names, and the public key.
 */

/** The OID of the subject alternative names (RFC 5280 §4.2.1.6). */
export const ALTERNATIVE_NAMES = "2.5.29.17";

const COMMON_NAME = "2.5.4.3";
const DNS_NAME = 0x82;

/** A key of P-256 as SubjectPublicKeyInfo (RFC 5480 §2): up to the point, which is not compressed. */
const P256_HEADER = "3059301306072a8648ce3d020106082a8648ce3d03010703420004";

/** Bytes in hexadecimal. */
export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Whether a SubjectPublicKeyInfo is of P-256. */
export const isP256 = (key: Uint8Array): boolean => key.length === 91 && hex(key).startsWith(P256_HEADER);

/**
 * Whether subject and alternative names name this host and nothing else. The subject can be empty.
 *
 * @param alternative the value of the extension
 * @throws MalformedDer
 */
export function isOnlyFor(
  host: string,
  subject: DerElement | undefined,
  alternative: Uint8Array | undefined,
): boolean {
  const common = membersOf(subject)
    .flatMap((set) => membersOf(set, DER.SET))
    .map((attribute) => membersOf(attribute))
    .filter(([type]) => dottedOid(type) === COMMON_NAME)
    .map(([, value]) => value && latin1(value.content));
  if (!alternative) return false;
  const names = elementsOf(onlyIn(alternative, DER.SEQUENCE));
  const own = names.map(({ tag, content }) => (tag === DNS_NAME ? latin1(content) : ""));
  return own.length === 1 && [...own, ...common].every((name) => name?.toLowerCase() === host);
}

/** An ECDSA signature as WebCrypto verifies it: r and s with 32 bytes each (RFC 3279 §2.2.3). @throws MalformedDer */
export function plainSignature(signature: Uint8Array): Uint8Array {
  const plain = new Uint8Array(64);
  const members = elementsOf(onlyIn(signature, DER.SEQUENCE));
  if (members.length !== 2) throw new MalformedDer();
  for (const [index, member] of members.entries()) {
    const number = contentOf(member, DER.INTEGER);
    const start = number.findIndex((byte) => byte !== 0);
    const digits = number.subarray(Math.max(start, 0));
    if (digits.length > 32) throw new MalformedDer();
    plain.set(digits, index * 32 + 32 - digits.length);
  }
  return plain;
}
