import { generateKeyPairSync, type KeyObject, createPublicKey, sign } from "node:crypto";

/*
 * Requests for certificates: PKCS #10 (RFC 2986) in DER (X.690). A request has no subject, only the name of one host as its alternative
 * name, and is signed with ECDSA and SHA-256.
 */

/** The tags of DER that a request has. */
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_IDENTIFIER = 0x06;
const SEQUENCE = 0x30;
const SET = 0x31;
/** `[0]`: the attributes of a request (RFC 2986 §4.1). */
const ATTRIBUTES = 0xa0;
/** `[2]`: a name of DNS among alternative names (RFC 5280 §4.2.1.6). */
const DNS_NAME = 0x82;

const OBJECTS = {
  /** RFC 2985 §5.4.2 */
  extensionRequest: "1.2.840.113549.1.9.14",
  /** RFC 5280 §4.2.1.6 */
  subjectAltName: "2.5.29.17",
  /** RFC 5758 §3.2 */
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
} as const;

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

function element(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

/** Each number in digits of seven bits; all digits except the last one have the high bit. The first two numbers share a number. */
function identifier(text: string): Buffer {
  const [first = 0, second = 0, ...others] = text.split(".").map(Number);
  const bytes = [first * 40 + second, ...others].flatMap((number) => {
    const digits = [number & 0x7f];
    for (let rest = number >>> 7; rest > 0; rest >>>= 7) digits.unshift((rest & 0x7f) | 0x80);
    return digits;
  });
  return element(OBJECT_IDENTIFIER, Buffer.from(bytes));
}

const NO_UNUSED_BITS = Buffer.from([0]);

/** A new P-256 key. */
export const newKey = (): KeyObject => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

/** A request for a certificate for exactly one host, in DER. @param host an A-label */
export function certificateRequest(host: string, key: KeyObject): Buffer {
  const names = element(SEQUENCE, element(DNS_NAME, Buffer.from(host, "latin1")));
  const extension = element(SEQUENCE, identifier(OBJECTS.subjectAltName), element(OCTET_STRING, names));
  const attribute = element(
    SEQUENCE,
    identifier(OBJECTS.extensionRequest),
    element(SET, element(SEQUENCE, extension)),
  );
  const version = element(INTEGER, Buffer.from([0]));
  const noSubject = element(SEQUENCE);
  const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
  const info = element(SEQUENCE, version, noSubject, publicKey, element(ATTRIBUTES, attribute));
  return element(
    SEQUENCE,
    info,
    element(SEQUENCE, identifier(OBJECTS.ecdsaWithSha256)),
    element(BIT_STRING, NO_UNUSED_BITS, sign("sha256", info, key)),
  );
}
